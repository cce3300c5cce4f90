// Inputs that are generated for two shaders.
#pragma once

#include <cstdint>
#include <memory>

#include <unshade/core/value.hpp>

#include "suite/equivalence/interfaces.hpp"

namespace unshade::suite::equivalence {

/// Lanes of a set.
inline constexpr std::uint32_t kRandomLanes = 32;

/// Generates inputs for two shaders. What their modules say of them is found once.
class InputGenerator {
 public:
  /// Borrows all of them. `given` tells sizes, formats, samplers and the grid.
  InputGenerator(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given);
  ~InputGenerator();
  /// A case for the first shader: numbers by the type of each input, the same for the same seed and set. Sets take turns: numbers from -1
  /// to 1, small whole ones, numbers of all magnitudes, and these with special ones (zeros, infinities, NaN, limits of integers).
  Value set(std::uint64_t seed, unsigned number);

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace unshade::suite::equivalence
