// Pictures against pictures, within bounds.
#pragma once

#include <array>
#include <optional>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/suite/numbers.hpp>

namespace unshade::suite::cases {

/// How far a picture may be from what is expected, in steps of 8 bits.
struct PictureBounds {
  std::array<double, 4> channel{};  ///< that a pixel may differ by
  double share = 0;                 ///< of the pixels that may differ by more
  std::optional<double> mean;       ///< of the differences of all channels
};
Result<PictureBounds> picture_bounds_of(const Value& map);
/// Compares pictures in R8G8B8A8_UNORM; of those that do not agree, `difference` shows where.
std::optional<Mismatch> compared(const picture::Picture& actual, const picture::Picture& expected, const PictureBounds& bounds,
                                 picture::Picture& difference);

}  // namespace unshade::suite::cases
