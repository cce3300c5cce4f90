// Formats of typed buffers and textures: texels in memory and the values that shaders see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unshade::vm {

/// How a component is stored. src: Direct3D 11.3 functional specification 3.2, 19.1
enum class Encoding : std::uint8_t { none, float_, unorm, snorm, uint, sint };

/// A format of DXGI by its parts: components of the same encoding that lie one after the other from the lowest bit on.
struct Format {
  std::array<std::uint8_t, 4> bits{};             ///< of each component in memory; 0: missing
  std::array<std::uint8_t, 4> order{0, 1, 2, 3};  ///< which component of the value stands there: b8g8r8a8 begins with z
  Encoding encoding = Encoding::none;

  unsigned bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8U; }
  bool is_integer() const { return encoding == Encoding::uint || encoding == Encoding::sint; }
};

/// The format of a name of DXGI, without regard to case, with or without `DXGI_FORMAT_`: `R32G32_FLOAT`. TYPELESS is uint.
std::optional<Format> find_format(std::string_view name);

/// What a load gives: bits of f32, or of i32 for integer formats; missing components are 0, 0, 0, 1. `texel` has bytes() bytes.
std::array<std::uint32_t, 4> load_texel(const Format& format, const std::byte* texel);
/// src: Direct3D 11.3 functional specification 3.2.3: NaN is 0, values are clamped and rounded half away from zero
void store_texel(const Format& format, const std::array<std::uint32_t, 4>& value, std::byte* texel);

}  // namespace unshade::vm
