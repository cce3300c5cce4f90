#include <unshade/shader/diff.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/reflection.hpp>

#include "shader/capability/listing.hpp"
#include "shader/diff/code.hpp"
#include "shader/diff/interface.hpp"
#include "shader/diff/parts.hpp"
#include "shader/diff/things.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

using dxcontainer::PartMeaning;

/// Families without FourCCs have the names that their summaries give. Of DXIL, STAT is the module for reflection: the interface is read
/// from it.
PartMeaning meaning_of(Family family, std::string_view name) {
  if (family::row_of(family).parts_are_code) return PartMeaning::code;
  for (const dxcontainer::PartKind& kind : dxcontainer::part_kinds())
    if (kind.name == name) return kind.meaning;
  return PartMeaning::own;
}

struct PartBytes {
  std::string name;
  View data;
};

std::vector<PartBytes> parts_of(const Shader& shader, const Summary& summary) {
  std::vector<PartBytes> parts;
  for (std::size_t i = 0; i < summary.parts.size(); ++i) {
    const PartSummary& part = summary.parts[i];
    // A container has them already, wherever its bytes lie.
    const View data = i < shader.parts().size()
                          ? shader.parts()[i].data
                          : shader.file.clamped(part.offset - static_cast<std::size_t>(shader.file.file_offset()), part.size);
    parts.push_back({part.fourcc, data});
  }
  return parts;
}

/// FNV-1a, to tell contents of one size apart.
std::string hash_text(View data) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const std::byte byte : data.bytes()) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100'0000'01b3;
  Text text;
  text.hex(hash, 16);
  return text.str();
}

bool same_bytes(View a, View b) { return std::ranges::equal(a.bytes(), b.bytes()); }

/// What is known of the other sections when parts are judged.
struct KnownSections {
  bool code;
  bool interface;

  bool covers(PartMeaning meaning) const {
    return meaning == PartMeaning::none || (meaning == PartMeaning::code && code) || (meaning == PartMeaning::interface && interface);
  }
};

/// Parts of one name pair up in their order.
void compare_parts(const Shader& before, const Summary& summary_before, const Shader& after, const Summary& summary_after,
                   KnownSections known, std::vector<Change>& changes) {
  const auto a = parts_of(before, summary_before);
  const auto b = parts_of(after, summary_after);
  std::vector<bool> taken(b.size(), false);
  const auto size_text = [](View data) { return std::to_string(data.size()); };
  for (const PartBytes& part : a) {
    Change change{ChangeKind::removed, !known.covers(meaning_of(before.family, part.name)), "part", part.name, {}};
    std::size_t i = 0;
    while (i < b.size() && (taken[i] || b[i].name != part.name)) ++i;
    if (i == b.size()) {
      change.fields.push_back({"size", size_text(part.data), {}});
    } else {
      taken[i] = true;
      if (same_bytes(part.data, b[i].data)) continue;
      change.kind = ChangeKind::changed;
      if (part.data.size() != b[i].data.size()) change.fields.push_back({"size", size_text(part.data), size_text(b[i].data)});
      change.fields.push_back({"hash", hash_text(part.data), hash_text(b[i].data)});
    }
    changes.push_back(std::move(change));
  }
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!taken[i])
      changes.push_back(
          {ChangeKind::added, !known.covers(meaning_of(after.family, b[i].name)), "part", b[i].name, {{"size", {}, size_text(b[i].data)}}});
}

/// Of DXIL, where it is not that of the shader model; else empty.
std::string odd_dxil_version(const Shader& shader) {
  if (shader.family != Family::dxil || shader.container() == nullptr) return {};
  const dxcontainer::Part* const part = shader.container()->find_any({dxcontainer::fourcc("DXIL"), dxcontainer::fourcc("ILDB")});
  const auto program = part != nullptr ? dxil::parse_program(*part) : Result<dxil::Program>(Error{});
  if (!program || (program->dxil_major() == 1 && program->dxil_minor() == program->minor())) return {};
  return std::to_string(program->dxil_major()) + '.' + std::to_string(program->dxil_minor());
}

std::vector<diff::Thing> summary_things(const Shader& shader, const Summary& summary) {
  diff::Thing thing{"", "", "file", "", {}};
  thing.fields = {{"family", std::string(id(summary.family))},
                  {"stage", summary.stage},
                  {"profile", summary.profile},
                  {"creator", summary.creator, false},
                  {"size", std::to_string(summary.size), false}};
  if (std::string version = odd_dxil_version(shader); !version.empty()) thing.fields.push_back({"dxil_version", std::move(version)});
  if (summary.digest) thing.fields.push_back({"digest", std::string(id(*summary.digest)), false});
  return {std::move(thing)};
}

/// Whether both reflections could be had.
bool compare_reflections(const Shader& before, const Shader& after, std::vector<Change>& changes, std::vector<std::string>& notes) {
  const auto a = reflect(before);
  const auto b = reflect(after);
  // Files with nothing to reflect have the same interface: none.
  const auto lacks = [](const Result<Reflection>& r) { return !r && r.error().code == ErrorCode::missing; };
  if (lacks(a) && lacks(b)) return true;
  if (!a || !b) {
    const bool first = !a;
    notes.push_back(std::string("interfaces are not compared: the ") + (first ? "first" : "second") +
                    " file: " + to_string(first ? a.error() : b.error()));
    return false;
  }
  diff::compare_interfaces(*a, *b, changes, notes);
  return a->has_descriptor_sets() == b->has_descriptor_sets();
}

bool any_meaning(const std::vector<Change>& changes) {
  return std::ranges::any_of(changes, [](const Change& change) { return change.meaning; });
}

}  // namespace

std::string_view id(ChangeKind kind) {
  constexpr std::string_view kNames[] = {"removed", "added", "changed"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : std::string_view{};
}

Difference compare(const Shader& before, const Shader& after, const DiffOptions& options) {
  Difference result;
  result.same_bytes = same_bytes(before.file, after.file);
  const Summary summary_before = summarize(before);
  const Summary summary_after = summarize(after);
  diff::compare_things(summary_things(before, summary_before), summary_things(after, summary_after), result.summary);
  bool told_interface = false;
  if (options.interface) told_interface = compare_reflections(before, after, result.interface, result.notes);
  // Reflections of DXIL are read from the program and the module for reflection, runtimes read other parts.
  if (told_interface) diff::compare_runtime_parts(before, after, result.interface, result.notes);
  if (options.code)
    diff::compare_code(capability::listing_row(before.family).code, before, after, options.exact_text, result.code, result.notes);
  if (options.parts) compare_parts(before, summary_before, after, summary_after, {result.code.compared, told_interface}, result.parts);
  for (Change& part : result.parts)
    part.meaning = part.meaning || std::ranges::any_of(result.interface, [&](const Change& change) {
                     return change.what == diff::kRuntimeData && change.name == part.name;
                   });

  const bool unread = (options.interface && !told_interface) || (options.code && !result.code.compared);
  result.same_meaning = !any_meaning(result.summary) && !any_meaning(result.parts) && !any_meaning(result.interface) &&
                        result.code.hunks.empty() && (result.same_bytes || !unread);
  return result;
}

}  // namespace unshade::shader
