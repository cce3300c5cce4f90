#include "shader/edit/container.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/sm2.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/parts/hash.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

namespace {

using dxcontainer::ContainerEdit;
using dxcontainer::fourcc;
using dxcontainer::StripClass;

/// Whether a part of the kind goes. What D3DStripShader and dxc leave out, by the same names.
/// observed: files that went through D3DStripShader with D3DCOMPILER_STRIP_REFLECTION_DATA have neither RDEF nor STAT.
/// src: DXC tools/clang/tools/dxclib/dxc.cpp: -Qstrip_debug takes ILDB and leaves ILDN
bool goes(const dxcontainer::Part& part, const Strip& options) {
  const dxcontainer::PartKind* const kind = dxcontainer::find_part_kind(part.fourcc);
  if (kind == nullptr) return false;
  switch (kind->strip) {
    case StripClass::never: break;
    case StripClass::debug: return options.debug;
    case StripClass::debug_name: return options.debug_name;
    case StripClass::reflection: return options.reflection;
    // Beside bitcode it is a module with reflection. Asked of the part itself: a container may have parts of both.
    case StripClass::statistics: return options.reflection || (options.statistics && !dxil::parse_program(part));
    case StripClass::private_data: return options.private_data;
    case StripClass::root_signature: return options.root_signature;
  }
  return false;
}

void set_signing(const dxcontainer::Container& container, Sign how, ContainerEdit& edit) {
  using dxcontainer::DigestState;
  using dxcontainer::Signing;
  switch (how) {
    case Sign::keep: return edit.sign(dxcontainer::signing_of(container) == Signing::debug ? Signing::debug : Signing::standard);
    case Sign::standard: return edit.sign(Signing::standard);
    case Sign::debug: return edit.sign(Signing::debug);
    case Sign::bypass: return edit.sign(Signing::given, sentinel(DigestState::bypass));
    case Sign::preview_bypass: return edit.sign(Signing::given, sentinel(DigestState::preview_bypass));
    case Sign::zero: return edit.sign(Signing::given);
  }
}

/// Bitcode that is a file itself.
Result<Edited> strip_bitcode(const Shader& shader, View bitcode, const Strip& options) {
  if (!options.reflection && !options.debug) return unchanged(shader);
  auto bytes = dxil::strip_module(bitcode, options);
  if (!bytes) return std::move(bytes).error();
  return edited(shader, *std::move(bytes));
}

}  // namespace

Result<ContainerEdit> begin_edit(const Shader& shader) {
  if (shader.pdb() != nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "pdb",
                 "the container is inside a program database: extract it with `unshade pdb split`, and edit that"};
  const dxcontainer::Container* const container = shader.container();
  if (container == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "bitcode without a container has no parts to edit"};
  return ContainerEdit(*container);
}

Result<Edited> finish_edit(const Shader& shader, ContainerEdit& edit, std::vector<std::string> notes) {
  dxil::update_hash(*shader.container(), edit);
  auto bytes = edit.write();
  if (!bytes) return std::move(bytes).error();
  return Edited{*std::move(bytes), edit.changed(), std::move(notes)};
}

Result<Edited> put_parts(const Shader& shader, ContainerEdit& edit, Result<dxcontainer::PartEdits> made) {
  if (!made) return std::move(made).error();
  for (dxcontainer::EditedPart& part : made->parts) edit.replace(part.index, std::move(part.data));
  return finish_edit(shader, edit, std::move(made->notes));
}

namespace {

Result<Edited> strip_parts(const Shader& shader, const Strip& options, bool has_modules) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  const auto& container = *shader.container();
  const dxcontainer::Part* const debug_module = container.find(fourcc("ILDB"));
  if (options.debug && debug_module != nullptr && container.find(fourcc("DXIL")) == nullptr)
    return Error{ErrorCode::unsupported, container.file.file_offset() + debug_module->offset, "ILDB",
                 "the container's only program is the one with debug information"};
  std::vector<std::string> notes;
  if (has_modules && (options.reflection || options.debug)) {
    // before any part goes: the places are those of the container as it was
    auto made = dxil::strip(container, options);
    if (!made) return std::move(made).error();
    for (dxcontainer::EditedPart& part : made->parts) edit->replace(part.index, std::move(part.data));
    notes = std::move(made->notes);
  }
  std::size_t going = 0;
  for (const auto& part : container.parts) going += goes(part, options) ? 1 : 0;
  if (going != 0 && going == container.parts.size()) {
    notes.emplace_back("nothing was removed: the container has no other parts");
  } else {
    for (std::size_t place = edit->part_count(); place-- != 0;)
      if (goes(edit->part(place), options)) edit->remove(place);
  }
  return finish_edit(shader, *edit, std::move(notes));
}

}  // namespace

namespace {

/// Whether the Direct3D 9 program of a level 9 part has a comment of the kind.
bool has_comment(View program, std::uint32_t kind) {
  dxbc::sm2::Cursor cursor(program);
  dxbc::sm2::Instruction instruction;
  while (cursor.next(instruction))
    if (instruction.is_comment() && instruction.body.u32(0) == kind) return true;
  return false;
}

/// What would go of the shaders of an effect, which stay as they are.
struct Kept {
  bool debug = false;
  bool reflection = false;
};

/// An effect that cannot be read may have both.
Kept kept_inside(const dxcontainer::Part& effect_part, const Strip& options) {
  const Kept any{options.debug, options.reflection};
  const auto effect = dxbc::parse_effect(effect_part);
  if (!effect) return any;
  Kept kept;
  for (const dxbc::EffectShaderPlace& place : dxbc::shaders_of(*effect)) {
    const auto inner = dxcontainer::parse_container(place.bytes);
    if (!inner) return any;
    for (const dxcontainer::Part& part : inner->parts) {
      kept.debug |= options.debug && goes(part, {.debug = true});
      kept.reflection |= options.reflection && goes(part, {.reflection = true});
    }
  }
  return kept;
}

/// What goes from other parts and stays inside of these.
void note_what_stays(const dxcontainer::Container& container, const Strip& options, std::vector<std::string>& notes) {
  for (const dxcontainer::Part& part : container.parts) {
    if (part.fourcc == fourcc("FX10")) {
      const Kept kept = kept_inside(part, options);
      if (kept.debug || kept.reflection)
        notes.push_back(std::string("FX10 keeps the ") + (kept.debug ? "debug information" : "") +
                        (kept.debug && kept.reflection ? " and " : "") + (kept.reflection ? "reflection" : "") +
                        " of the shaders inside of the effect");
    }
    if (!dxbc::is_level9(part.fourcc)) continue;
    const auto level9 = dxbc::parse_level9(part);
    if (!level9) continue;
    if (options.debug && has_comment(level9->program, dxbc::sm2::kDebugComment))
      notes.push_back(std::string(part.name()) + " keeps its debug information, a comment in the level 9 program");
    if (options.reflection && has_comment(level9->program, dxbc::sm2::kConstantComment))
      notes.push_back(std::string(part.name()) + " keeps its constant table, a comment in the level 9 program");
  }
}

}  // namespace

Result<Edited> strip_dxbc(const Shader& shader, const Strip& options) {
  auto made = strip_parts(shader, options, false);
  if (made) note_what_stays(*shader.container(), options, made->notes);
  return made;
}

Result<Edited> strip_dxil(const Shader& shader, const Strip& options) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return strip_bitcode(shader, bitcode->bytes, options);
  return strip_parts(shader, options, true);
}

Result<Edited> sign_container(const Shader& shader, Sign how, bool hash) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  if (hash)
    if (auto done = dxil::correct_hash(*edit); !done) return std::move(done).error();
  set_signing(*shader.container(), how, *edit);
  return finish_edit(shader, *edit);
}

Result<Edited> change_container_parts(const Shader& shader, std::span<const PartChange> changes) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  for (const PartChange& change : changes) {
    const auto place = edit->find(change.fourcc);
    const auto fault = [&](ErrorCode code, const char* message) {
      return Error{code, shader.file.file_offset(), fourcc_text(change.fourcc), message};
    };
    const auto bytes = [&] { return std::vector<std::byte>(change.data.begin(), change.data.end()); };
    switch (change.what) {
      case PartChange::What::add:
        if (place) return fault(ErrorCode::bad_value, "the container already has this part: use replace");
        edit->add(change.fourcc, bytes());
        break;
      case PartChange::What::replace:
        if (!place) return fault(ErrorCode::missing, "the container does not have this part: use add");
        edit->replace(*place, bytes());
        break;
      case PartChange::What::remove:
        if (edit->remove_all(change.fourcc) == 0) return fault(ErrorCode::missing, "the container does not have this part");
        break;
    }
  }
  return finish_edit(shader, *edit);
}

}  // namespace unshade::shader::edit
