// Parts that tell runtimes what the interface section does not, compared field by field.
#pragma once

#include <vector>

#include <unshade/shader/diff.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::diff {

/// Appends a change for PSV0 and RDAT of DXIL whose fields differ, by their paths in documents.
void compare_runtime_parts(const Shader& before, const Shader& after, std::vector<Change>& changes);

}  // namespace unshade::shader::diff
