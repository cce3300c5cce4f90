// Parts that tell runtimes what the interface section does not: those that one side lacks, and the fields of others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/diff.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::diff {

/// What changes of such parts are called.
inline constexpr std::string_view kRuntimeData = "runtime data";

/// Appends a change for each part of the interface that one of two containers lacks, and for PSV0 and RDAT of DXIL whose fields differ, by
/// their paths in documents. `changes`: of the interface. If there are some, PSV0 and RDAT differ too: their fields are compared only if a
/// part is not what its own program asks for.
void compare_runtime_parts(const Shader& before, const Shader& after, std::vector<Change>& changes, std::vector<std::string>& notes);

}  // namespace unshade::shader::diff
