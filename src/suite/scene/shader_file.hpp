// Shaders that suites and scenes name.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/result.hpp>

namespace unshade::suite {

/// The bytes of a shader: those of a file of any family, or what a listing assembles to. Errors: bad_value with the first message of the
/// assembler.
Result<std::vector<std::byte>> binary_of(std::vector<std::byte> file);

}  // namespace unshade::suite
