// What comes of assembling, for families whose assemblers stop at the first error.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/assemble.hpp>

namespace unshade::shader::family {

/// The path of an error is `LINE:COLUMN`, if it has one.
Assembly assembly_of(Result<std::vector<std::byte>> made);

}  // namespace unshade::shader::family
