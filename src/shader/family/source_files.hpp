// Sources that files of several families carry, for their rows.
#pragma once

#include <unshade/core/text.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

/// Appends them, each below a comment with its name.
Result<void> list_carried_sources(const Shader& shader, Text& out, dxil::Inflate inflate);

}  // namespace unshade::shader::family
