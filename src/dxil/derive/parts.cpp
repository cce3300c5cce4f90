#include <unshade/dxil/derive.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/writer.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/parts.hpp>

#include "dxil/derive/steps.hpp"
#include "dxil/edit/strip.hpp"
#include "dxil/parts/program_header.hpp"

namespace unshade::dxil::derive {

using dxcontainer::Container;
using dxcontainer::fourcc;

}  // namespace unshade::dxil::derive

namespace unshade::dxil {

std::vector<DerivedPart> derive_parts(const ProgramMetadata& program, const Rdat* before) {
  if (!program.present || program.entries.empty() || program.kind == ShaderKind::invalid) return {};
  std::vector<DerivedPart> parts;
  parts.push_back({derive::fourcc("SFI0"), derive::derive_features(program)});
  if (program.kind == ShaderKind::library) {
    if (auto rdat = derive::derive_rdat(program, before); !rdat.empty()) parts.push_back({derive::fourcc("RDAT"), std::move(rdat)});
    return parts;
  }
  parts.push_back({derive::fourcc("ISG1"), derive::derive_signature(program, SignatureSide::input)});
  parts.push_back({derive::fourcc("OSG1"), derive::derive_signature(program, SignatureSide::output)});
  if (!program.entries[0].patch_or_primitives.empty())
    parts.push_back({derive::fourcc("PSG1"), derive::derive_signature(program, SignatureSide::patch_or_primitives)});
  parts.push_back({derive::fourcc("PSV0"), derive::derive_psv(program)});
  return parts;
}

Result<std::vector<std::byte>> make_container(View bitcode) {
  const auto module = parse_module(bitcode);
  if (!module) return module.error();
  const ProgramMetadata program = read_program_metadata(*module);
  return make_container(program, bitcode, derive_parts(program));
}

Result<std::vector<std::byte>> make_container(const ProgramMetadata& program, View bitcode, std::vector<DerivedPart> parts) {
  if (parts.empty())
    return Error{ErrorCode::missing, bitcode.file_offset(), "module",
                 "the module has no DXIL program: expected a shader model and an entry point"};
  std::vector<std::byte> plain(bitcode.bytes().begin(), bitcode.bytes().end());
  const bool debug = edit::has_debug(*program.module);
  if (debug) {
    parts.push_back({derive::fourcc("ILDB"), write_program(parts::program_of(program, bitcode))});
    auto stripped = strip_module(bitcode, {.debug = true});
    if (!stripped) return std::move(stripped).error();
    plain = *std::move(stripped);
  }
  dxcontainer::PdbIdentity identity;
  identity.guid = dxcontainer::md5(View(plain));
  if (debug && !derive::is_before_validator(program, 1)) {
    const std::string name = debug_file_name(identity);
    DebugName debug_name;
    debug_name.name = name;
    parts.push_back({derive::fourcc("ILDN"), write_debug_name(debug_name)});
  }
  if (!derive::is_before_validator(program, 5)) {
    ShaderHash hash;
    hash.digest = identity.guid;
    parts.push_back({derive::fourcc("HASH"), write_hash(hash)});
  }
  parts.push_back({derive::fourcc("DXIL"), write_program(parts::program_of(program, View(plain)))});
  std::vector<dxcontainer::PartBytes> pieces;
  for (const DerivedPart& part : parts) pieces.push_back({part.fourcc, part.data});
  return dxcontainer::write_container(pieces, {});
}

DerivedChanges derive_changes(const derive::Container& container, const Module& before, const Module& now) {
  std::optional<Rdat> rdat;
  if (const dxcontainer::Part* const part = container.find(derive::fourcc("RDAT")))
    if (auto parsed = parse_rdat(*part)) rdat = *std::move(parsed);
  const ProgramMetadata old_program = read_program_metadata(before);
  const ProgramMetadata new_program = read_program_metadata(now);
  const std::vector<DerivedPart> old_parts = derive_parts(old_program, rdat ? &*rdat : nullptr);
  const std::vector<DerivedPart> new_parts = derive_parts(new_program, rdat ? &*rdat : nullptr);
  const auto find = [](const std::vector<DerivedPart>& parts, std::uint32_t code) -> const DerivedPart* {
    const auto found = std::ranges::find(parts, code, &DerivedPart::fourcc);
    return found == parts.end() ? nullptr : &*found;
  };
  DerivedChanges changes;
  for (const DerivedPart& part : new_parts) {
    const DerivedPart* const old_part = find(old_parts, part.fourcc);
    const dxcontainer::Part* const there = container.find(part.fourcc);
    // Parts that had been removed are not added.
    if (old_part != nullptr && (there == nullptr || old_part->data == part.data)) continue;
    if (there != nullptr && old_part != nullptr && !std::ranges::equal(old_part->data, there->data.bytes()))
      changes.notes.push_back(std::string(there->name()) + " differed from what dxc writes for the old module, and is regenerated");
    changes.parts.push_back({part.fourcc, part.data, false});
  }
  for (const DerivedPart& part : old_parts)
    if (find(new_parts, part.fourcc) == nullptr && container.find(part.fourcc) != nullptr) changes.parts.push_back({part.fourcc, {}, true});
  const bool makes_psv = std::ranges::find(changes.parts, derive::fourcc("PSV0"), &DerivedChanges::Change::fourcc) != changes.parts.end();
  const auto fits = [](const ProgramMetadata& program) { return program.entries.empty() || derive::fits_view_id_state(program); };
  if (!fits(new_program) && (makes_psv || fits(old_program)))
    changes.notes.emplace_back(
        "!dx.viewIdState is not that of the signatures: the tables in PSV0 of which outputs depend on which inputs are cleared");
  else if (makes_psv && old_program.has_view_id_state && !new_program.has_view_id_state)
    changes.notes.emplace_back("!dx.viewIdState is removed: the tables in PSV0 of which outputs depend on which inputs are cleared");
  return changes;
}

}  // namespace unshade::dxil
