// Inputs that are generated for two shaders.
#pragma once

#include <cstdint>

#include <unshade/core/value.hpp>

#include "suite/equivalence/interfaces.hpp"

namespace unshade::suite::equivalence {

/// Lanes of a set.
inline constexpr std::uint32_t kRandomLanes = 32;

/// A case for the first shader: numbers by the type of each input, the same for the same seed and set. Sets take turns: numbers from -1 to
/// 1, small whole ones, numbers of all magnitudes, and these with special ones (zeros, infinities, NaN, limits of integers).
/// `given` tells sizes, formats, samplers and the grid.
Value make_inputs(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given, std::uint64_t seed, unsigned set);

}  // namespace unshade::suite::equivalence
