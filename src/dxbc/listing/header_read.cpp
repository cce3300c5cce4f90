// Reads the facts that the tables of a listing are printed from.
#include <optional>
#include <utility>

#include <unshade/dxbc/listing/header.hpp>

#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

/// What of a program's instructions the tables tell; it is stepped through by lengths alone.
void scan_program(const Program& program, ListingTables& tables) {
  const View tokens = program.tokens;
  const std::size_t count = tokens.size() / 4;
  for (std::size_t at = 2; at < count;) {
    const auto word = tokens.load_unchecked<std::uint32_t>(at * 4);
    const auto opcode = static_cast<Opcode>(program::token::kOpcode.get(word));
    std::size_t length = program::token::kLength.get(word);
    if (opcode == Opcode::customdata) {
      if (static_cast<CustomData>(program::token::kCustomDataClass.get(word)) == CustomData::shader_message)
        tables.needs_debug_layer = true;
      length = at + 1 < count ? tokens.load_unchecked<std::uint32_t>(at * 4 + 4) : 0;
    } else if (opcode == Opcode::dcl_globalFlags) {
      tables.global_flags = program::token::kGlobalFlags.put(0, program::token::kGlobalFlags.get(word));
    } else if (opcode == Opcode::abort || opcode == Opcode::debug_break) {
      tables.needs_debug_layer = true;
    }
    if (length == 0) return;
    at += length;
  }
}

template <class T, class Parse>
Result<void> read_optional(const Part* part, std::optional<T>& value, Parse parse) {
  if (part == nullptr) return {};
  auto parsed = parse(*part);
  if (!parsed) return std::move(parsed).error();
  value = *std::move(parsed);
  return {};
}

}  // namespace

std::optional<Stage> stage_of(RdefTarget target) {
  switch (target) {
    case RdefTarget::pixel: return Stage::pixel;
    case RdefTarget::vertex: return Stage::vertex;
    case RdefTarget::geometry: return Stage::geometry;
    case RdefTarget::hull: return Stage::hull;
    case RdefTarget::domain: return Stage::domain;
    case RdefTarget::compute: return Stage::compute;
    default: return std::nullopt;
  }
}

Result<ListingTables> read_listing_tables(const dxcontainer::Container& container) {
  ListingTables tables;
  using dxcontainer::PartRole;
  const auto find = [&](auto kind) { return container.find(kind); };
  if (auto read = read_optional(find(fourcc("RDEF")), tables.rdef, parse_rdef); !read) return std::move(read).error();
  if (auto read = read_optional(find(fourcc("STAT")), tables.statistics, parse_statistics); !read) return std::move(read).error();
  if (auto read = read_optional(find(fourcc("IFCE")), tables.class_linkage, parse_class_linkage); !read) return std::move(read).error();
  const auto signature = [](const Part& part) { return dxcontainer::parse_signature(part); };
  if (auto read = read_optional(find(PartRole::input), tables.input, signature); !read) return std::move(read).error();
  if (auto read = read_optional(find(PartRole::output), tables.output, signature); !read) return std::move(read).error();
  if (auto read = read_optional(find(PartRole::patch), tables.patch_constant, signature); !read) return std::move(read).error();
  if (const Part* part = find(fourcc("RDEF"))) tables.rdef_bytes = part->data.size();
  if (const Part* part = find(fourcc("SFI0"))) tables.features = part->data.load<std::uint64_t>(0).value_or(0);
  if (tables.rdef) {
    tables.stage = stage_of(tables.rdef->target);
    tables.major_version = tables.rdef->major_version;
  }
  if (const Part* part = find(PartRole::tokens)) {
    if (const auto program = parse_program(*part)) {
      tables.stage = program->stage;
      tables.major_version = program->major;
      scan_program(*program, tables);
    }
  }
  return tables;
}

FxcVersion default_fxc_version(const ListingTables& tables) {
  if (!tables.rdef) return kNewestFxc;
  return fxc_version_of_creator(tables.rdef->creator.text).value_or(kNewestFxc);
}

}  // namespace unshade::dxbc::listing
