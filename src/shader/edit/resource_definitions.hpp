// RDEF parts for DXBC files that lost theirs: see unshade/shader/resource_definitions.hpp.
#pragma once

#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::edit {

Result<Edited> restore_dxbc_definitions(const Shader& shader, View definitions);
Result<Edited> make_dxbc_definitions(const Shader& shader);

}  // namespace unshade::shader::edit
