// What DXBC and DXIL share: the container around their parts.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

/// Parses the container that the file is, if that is not done.
Result<void> open_container(Shader& shader);

}  // namespace unshade::shader::family
