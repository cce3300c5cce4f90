// Edits, family by family, for the table of edits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::edit {

/// Strip for DXBC and DXIL: parts are left out, and names in the DXIL module. Errors: unsupported if the only program is the one
/// with debug information, or the container is inside of a program database; those of ContainerEdit::write().
Result<Edited> strip_dxbc(const Shader& shader, const Strip& options);
Result<Edited> strip_dxil(const Shader& shader, const Strip& options);
Result<Edited> strip_pica(const Shader& shader, const Strip& options);
Result<Edited> strip_spirv(const Shader& shader, const Strip& options);
Result<Edited> strip_vbc(const Shader& shader, const Strip& options);
Result<Edited> rename_dxbc(const Shader& shader, std::span<const Rename> renames);
Result<Edited> rename_dxil(const Shader& shader, std::span<const Rename> renames);
Result<Edited> rename_pica(const Shader& shader, std::span<const Rename> renames);
Result<Edited> rename_spirv(const Shader& shader, std::span<const Rename> renames);
Result<Edited> rename_vbc(const Shader& shader, std::span<const Rename> renames);
Result<Edited> rebind_dxbc(const Shader& shader, std::span<const Rebind> rebinds);
Result<Edited> rebind_dxil(const Shader& shader, std::span<const Rebind> rebinds);
Result<Edited> rebind_pica(const Shader& shader, std::span<const Rebind> rebinds);
Result<Edited> rebind_spirv(const Shader& shader, std::span<const Rebind> rebinds);
Result<Edited> rebind_vbc(const Shader& shader, std::span<const Rebind> rebinds);
Result<Edited> sign_container(const Shader& shader, Sign how, bool hash);
Result<Edited> change_container_parts(const Shader& shader, std::span<const PartChange> changes);

/// A file as it was.
inline Edited unchanged(const Shader& shader) {
  const auto bytes = shader.file.bytes();
  return {{bytes.begin(), bytes.end()}, false, {}};
}

/// What an edit made of a file, which may be what it was.
inline Edited edited(const Shader& shader, std::vector<std::byte> bytes, std::vector<std::string> notes = {}) {
  const bool changed = !std::ranges::equal(bytes, shader.file.bytes());
  return {std::move(bytes), changed, std::move(notes)};
}

}  // namespace unshade::shader::edit
