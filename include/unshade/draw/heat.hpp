// Heat maps: what each pixel of a draw cost, in whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace unshade::draw {

/// What is counted at each pixel.
enum class HeatKind : std::uint8_t {
  overdraw,      ///< fragments that passed all tests
  runs,          ///< runs of the pixel shader
  instructions,  ///< that these executed
  level,         ///< the largest level of detail at which these sampled
  divergence,    ///< instructions that the wave executed while the pixel's lane did not
  nan,           ///< fragments that passed all tests and are NaN or infinite in a target of floats, or in depth
};
struct HeatRow {
  HeatKind kind;
  std::string_view id;
  std::string_view counted;    ///< for reports: `fragments that passed all tests`
  std::uint32_t parts = 1;     ///< of a count make 1
  std::uint32_t base = 0;      ///< the count of 0, if 0 is more than nothing
  bool takes_largest = false;  ///< of what a pixel has; else their sum
  bool watches = false;        ///< the pixel shader must be watched while it runs

  /// What a count that is not 0 says.
  double number(std::uint32_t count) const { return static_cast<double>(count - base) / parts; }
};
inline constexpr HeatRow kHeatRows[] = {
    {.kind = HeatKind::overdraw, .id = "overdraw", .counted = "fragments that passed all tests"},
    {.kind = HeatKind::runs, .id = "runs", .counted = "runs of the pixel shader"},
    {.kind = HeatKind::instructions, .id = "instructions", .counted = "instructions that the pixel shader executed", .watches = true},
    {.kind = HeatKind::level,
     .id = "level",
     .counted = "largest level of detail of a sample",
     .parts = 256,
     .base = 1,
     .takes_largest = true,
     .watches = true},
    {.kind = HeatKind::divergence, .id = "divergence", .counted = "instructions that the wave executed without the pixel", .watches = true},
    {.kind = HeatKind::nan, .id = "nan", .counted = "fragments that are NaN or infinite"},
};
const HeatRow& info(HeatKind kind);
std::optional<HeatKind> find_heat(std::string_view id);

/// Given to a draw, which fills it. Counts stop at the largest number.
struct Heat {
  HeatKind kind = HeatKind::overdraw;
  std::uint32_t width = 0, height = 0;  ///< pixels to count, from the upper left
  std::uint32_t layer = 0;
  std::vector<std::uint32_t> counts;  ///< [y * width + x]; made by the draw if it is empty

  /// Adds to a pixel, or makes it larger, as the kind says. Nothing outside.
  void add(std::uint32_t x, std::uint32_t y, std::uint32_t count);
  /// Adds what another draw counted, of the same kind and size.
  void add(const Heat& other);
};
/// What the pixels of a heat map have together.
struct HeatSum {
  std::uint64_t pixels = 0;  ///< with a count above 0
  double total = 0;          ///< of their numbers
  double least = 0, most = 0;
};
HeatSum sum_of(const Heat& heat);

}  // namespace unshade::draw
