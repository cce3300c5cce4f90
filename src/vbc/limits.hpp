// What the format's writer allows at most. src: docs/reference/formats/vbc.md, "Limits"
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::vbc {

inline constexpr std::size_t kNameBytes = 32;
inline constexpr std::size_t kMostNameBytes = 0xff;  // what a record can hold: the length is a byte
inline constexpr std::uint32_t kStructBytes = 1024;
inline constexpr unsigned kArrayElements = 64;
inline constexpr unsigned kInputLocations = 16;
inline constexpr unsigned kOutputLocations = 8;
inline constexpr std::size_t kBindings = 32;
inline constexpr std::size_t kSubpassInputs = 4;

}  // namespace unshade::vbc
