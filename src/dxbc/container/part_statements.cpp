#include "dxbc/container/part_statements.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/listing.hpp>

#include "dxbc/assemble/scanner.hpp"
#include "dxbc/assemble/statement_check.hpp"
#include "dxbc/container/assemble.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::container {

using dxcontainer::fourcc;

namespace {

constexpr std::string_view kGlobals = "$Globals";  // buffers that fxc makes have no register of their own
constexpr std::string_view kParameters = "$Params";

void print_definitions(Text& out, const Rdef& rdef) {
  if (rdef.flags != kUsualCompileFlags) {
    out << listing::words::kCompileFlags << " 0x";
    out.hex(rdef.flags) << '\n';
  }
  const auto is_packed = [](const Binding& binding) { return (binding.flags & kBindingUserPacked) != 0; };
  if (std::all_of(rdef.bindings.begin(), rdef.bindings.end(),
                  [&](const Binding& binding) { return is_packed(binding) == is_likely_packed(binding, rdef.has_space()); }))
    return;
  out << listing::words::kPacked;
  for (std::size_t i = 0; i < rdef.bindings.size(); ++i) {
    if (!is_packed(rdef.bindings[i])) continue;
    out << ' ';
    out.dec(i);
  }
  out << '\n';
}

void print_bytes(Text& out, View data) {
  constexpr std::size_t kBytesPerLine = 64;
  out << " {";
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % kBytesPerLine == 0) out << "\n ";
    if (i % 4 == 0) out << ' ';
    out.hex(static_cast<std::uint8_t>(data.data()[i]), 2);
  }
  out << "\n}\n";
}

/// Four characters; as a number if they are not all of a word.
void print_name(Text& out, std::uint32_t fourcc) {
  const std::string name = fourcc_text(fourcc);
  if (std::ranges::all_of(name, is_name_character)) {
    out << name;
  } else {
    (out << "0x").hex(fourcc, 8);
  }
}

/// A program is the same in either part.
bool is_same(const AssembledPart& a, const dxcontainer::Part& b) {
  return (a.fourcc == b.fourcc || (is_program(a.fourcc) && is_program(b.fourcc))) && a.data.size() == b.data.size() &&
         std::equal(a.data.begin(), a.data.end(), b.data.data());
}

bool is_equal(const AssembledPart& a, const dxcontainer::Part& b) { return a.fourcc == b.fourcc && is_same(a, b); }

/// Counts of STAT that a recount does not give; the part is the file's then.
void print_statistic_statements(Text& out, AssembledPart& mine, const dxcontainer::Container& container) {
  const auto* const part = container.find(fourcc("STAT"));
  if (mine.fourcc != fourcc("STAT") || part == nullptr || is_same(mine, *part)) return;
  auto counted = parse_statistics({mine.fourcc, 0, View(std::span<const std::byte>(mine.data), 0)});
  auto stated = parse_statistics(*part);
  if (!counted || !stated || counted->is_long != stated->is_long) return;
  auto data = write_statistics(*stated);
  const auto bytes = part->data.bytes();
  if (!std::equal(data.begin(), data.end(), bytes.begin(), bytes.end())) return;
  std::vector<std::uint32_t> counts;
  visit_statistics(*counted, [&](std::string_view, std::uint32_t& count) { counts.push_back(count); });
  std::size_t i = 0;
  visit_statistics(*stated, [&](std::string_view field, std::uint32_t& count) {
    if (counts[i++] != count) (out << listing::words::kStatistic << ' ' << field << ' ').dec(count) << '\n';
  });
  mine.data = std::move(data);
}

}  // namespace

std::uint32_t program_checksum(std::span<const std::byte> program) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const std::byte byte : program) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
  return hash;
}

bool is_likely_packed(const Binding& binding, bool is_5_1) {
  return (!is_5_1 || binding.kind == ResourceKind::cbuffer) && binding.name.text != kGlobals && binding.name.text != kParameters;
}

void print_part_statements(Text& out, std::size_t listing_start, const dxcontainer::Container& container) {
  Text definitions;
  if (const auto* part = container.find(fourcc("RDEF")))
    if (const auto rdef = parse_rdef(*part)) print_definitions(definitions, *rdef);
  std::string listing(out.view().substr(listing_start));
  listing += definitions.view();
  assembler::Messages messages(listing, true);
  AssembledContainer made = assemble_container(listing, messages, {});
  const auto& parts = container.parts;
  if (std::any_of(made.parts.begin(), made.parts.end(), [&](const AssembledPart& mine) {
        return mine.fourcc == fourcc("RDEF") && container.find(mine.fourcc) != nullptr && is_same(mine, *container.find(mine.fourcc));
      }))
    out << definitions.view();
  for (AssembledPart& mine : made.parts) print_statistic_statements(out, mine, container);
  if (messages.failed() || !std::equal(made.parts.begin(), made.parts.end(), parts.begin(), parts.end(), is_equal)) {
    std::vector<AssembledPart> given;
    for (const dxcontainer::Part& part : parts) {
      given.push_back({part.fourcc, {part.data.bytes().begin(), part.data.bytes().end()}});
      print_name(out << listing::words::kPart << ' ', part.fourcc);
      if (std::any_of(made.parts.begin(), made.parts.end(), [&](const AssembledPart& mine) { return is_same(mine, part); })) {
        out << '\n';
      } else {
        print_bytes(out, part.data);
        const auto* const program = container.find(dxcontainer::PartRole::tokens);
        if (dxcontainer::role_of(part.fourcc) == dxcontainer::PartRole::level9 && program != nullptr)
          (out << kBesideProgram).hex(program_checksum(program->data.bytes()), 8) << '\n';
      }
    }
    made.parts = std::move(given);
  }
  // The header and the bytes around the parts: another digest, bytes after them. Other gaps and orders of parts are not stated.
  const auto file = made.write();
  if (!file) return;
  const std::span<const std::byte> whole(*file);
  const View original = container.file;
  if (original.size() > whole.size()) {
    const std::size_t inside = container.size > whole.size() ? container.size - whole.size() : 0;
    if (inside != 0) print_bytes(out << listing::words::kAfter, original.clamped(whole.size(), inside));
    if (original.size() > container.size) print_bytes(out << listing::words::kTrailing, original.clamped(container.size, original.size()));
    made.after.assign(original.data() + whole.size(), original.data() + whole.size() + inside);
  }
  const auto again = made.write();
  if (again && dxcontainer::kHeaderBytes <= again->size() &&
      !std::equal(container.digest.begin(), container.digest.end(), again->begin() + 4))
    print_bytes(out << listing::words::kDigest, View(std::span<const std::byte>(container.digest), 0));
}

}  // namespace unshade::dxbc::container

namespace unshade::dxbc {

const ListingChecks& listing_checks() {
  static constexpr ListingChecks kChecks{
      []() -> std::unique_ptr<listing::StatementCheck> { return std::make_unique<assembler::AssembledCheck>(); },
      container::print_part_statements,
  };
  return kChecks;
}

}  // namespace unshade::dxbc
