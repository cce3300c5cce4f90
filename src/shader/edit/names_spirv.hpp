// Requests in the words of SPIR-V modules: for these, and for the families that hold them.
#pragma once

#include <span>
#include <vector>

#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/edit_names.hpp>

namespace unshade::shader::edit {

/// They borrow the texts. Errors: unsupported for nodes.
Result<std::vector<spirv::Rename>> module_renames(const Shader& shader, std::span<const Rename> renames);
/// Errors: bad_value for a register with a letter.
Result<std::vector<spirv::Rebind>> module_rebinds(const Shader& shader, std::span<const Rebind> rebinds);

}  // namespace unshade::shader::edit
