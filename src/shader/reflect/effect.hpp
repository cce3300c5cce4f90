// Fills the reflection model from an effect (FX10).
#pragma once

#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

/// Buffers, types, objects and techniques of a part. Errors: those of dxbc::parse_effect().
Result<void> add_effect(const dxcontainer::Part& part, Reflection& reflection);

}  // namespace unshade::shader::reflection
