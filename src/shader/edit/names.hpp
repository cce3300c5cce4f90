// Other names and other registers, family by family: what the rows of family_*.cpp point to.
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

Result<Edited> rename_dxbc(const Shader& shader, const std::span<const Rename>& renames);
Result<Edited> rebind_dxbc(const Shader& shader, const std::span<const Rebind>& rebinds);
/// Containers, and bitcode alone.
Result<Edited> rename_dxil(const Shader& shader, const std::span<const Rename>& renames);
Result<Edited> rebind_dxil(const Shader& shader, const std::span<const Rebind>& rebinds);
Result<Edited> rename_pica(const Shader& shader, const std::span<const Rename>& renames);
Result<Edited> rebind_pica(const Shader& shader, const std::span<const Rebind>& rebinds);
Result<Edited> rename_spirv(const Shader& shader, const std::span<const Rename>& renames);
Result<Edited> rebind_spirv(const Shader& shader, const std::span<const Rebind>& rebinds);
Result<Edited> rename_vbc(const Shader& shader, const std::span<const Rename>& renames);
Result<Edited> rebind_vbc(const Shader& shader, const std::span<const Rebind>& rebinds);

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
