// Other names and registers in DXIL: containers, and bitcode alone.
#include <utility>
#include <vector>

#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/edit.hpp>

#include "shader/edit/container.hpp"
#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

namespace {

template <class Change>
Result<Edited> edit_bitcode(const Shader& shader, View bitcode, std::span<const Change> changes,
                            Result<dxil::ModuleChanges> (*edit)(dxil::ModuleEdit&, std::span<const Change>)) {
  auto module = dxil::ModuleEdit::open(bitcode);
  if (!module) return std::move(module).error();
  auto made = edit(*module, changes);
  if (!made) return std::move(made).error();
  for (const bool found : made->found)
    if (!found) return Error{ErrorCode::missing, shader.file.file_offset(), "file", "no resource has this name or register"};
  if (!module->changed()) return unchanged(shader);
  auto bytes = module->write();
  if (!bytes) return std::move(bytes).error();
  return Edited{*std::move(bytes), true, std::move(made->notes)};
}

template <class Change>
Result<Edited> edit_any(const Shader& shader, std::span<const Change> changes,
                        Result<dxil::ModuleChanges> (*in_module)(dxil::ModuleEdit&, std::span<const Change>),
                        Result<dxcontainer::PartEdits> (*in_parts)(const dxcontainer::Container&, std::span<const Change>)) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return edit_bitcode(shader, bitcode->bytes, changes, in_module);
  return edit_parts(shader, [&](const dxcontainer::Container& container) { return in_parts(container, changes); });
}

}  // namespace

Result<Edited> rename_dxil(const Shader& shader, std::span<const Rename> renames) {
  return edit_any(shader, renames, dxil::rename, dxil::rename);
}

Result<Edited> rebind_dxil(const Shader& shader, std::span<const Rebind> rebinds) {
  std::vector<dxil::BindingChange> changes;
  for (const Rebind& r : rebinds) {
    dxil::BindingChange change{dxil::ResourceClass::invalid, r.from, r.from_space, r.to, r.to_space.value_or(r.from_space)};
    switch (r.kind) {
      case 't': change.resource_class = dxil::ResourceClass::srv; break;
      case 'u': change.resource_class = dxil::ResourceClass::uav; break;
      case 'b': change.resource_class = dxil::ResourceClass::cbuffer; break;
      case 's': change.resource_class = dxil::ResourceClass::sampler; break;
      default: return Error{ErrorCode::bad_value, shader.file.file_offset(), "kind", "expected a register of kind t, s, u or b"};
    }
    changes.push_back(change);
  }
  return edit_any(shader, std::span<const dxil::BindingChange>(changes), dxil::rebind, dxil::rebind);
}

}  // namespace unshade::shader::edit
