// Formats of typed buffers and textures: texels in memory and the values that shaders see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unshade::texel {

/// How a component is stored. src: Direct3D 11.3 functional specification 3.2, 19.1
enum class Encoding : std::uint8_t {
  none,
  float_,
  unorm,
  snorm,
  uint,
  sint,
  uscaled,  ///< whole numbers that shaders see as floats: of Vulkan
  sscaled,
  shared_exponent,  ///< R9G9B9E5
  xr_bias,          ///< 10 bits from -0.75 to 1.25, alpha unorm
};

/// Several texels that are stored together. src: 19.4, 19.5
enum class Block : std::uint8_t { none, r8g8_b8g8, g8r8_g8b8, bc1, bc2, bc3, bc4, bc5, bc6_unsigned, bc6_signed, bc7 };

/// A format of DXGI.
struct Format {
  struct Component {
    std::uint8_t first = 0;  ///< bit from the lowest one on
    std::uint8_t bits = 0;   ///< 0: missing
    bool operator==(const Component&) const = default;
  };
  std::array<Component, 4> components{};  ///< red, green, blue, alpha; of blocks only which there are
  Encoding encoding = Encoding::none;
  bool srgb = false;  ///< red, green and blue are not linear
  Block block = Block::none;
  std::uint8_t size = 0;  ///< see bytes()

  unsigned bytes() const { return size; }  ///< of a texel, or of a block
  unsigned block_width_log2() const { return block == Block::none ? 0 : block < Block::bc1 ? 1 : 2; }
  unsigned block_height_log2() const { return block < Block::bc1 ? 0 : 2; }
  unsigned block_width() const { return 1U << block_width_log2(); }
  unsigned block_height() const { return 1U << block_height_log2(); }
  bool has(unsigned component) const { return components[component].bits != 0; }
  bool operator==(const Format&) const = default;
  bool is_integer() const { return encoding == Encoding::uint || encoding == Encoding::sint; }
  /// How many components it has if each is 32 bits that shaders see as they are, one behind the other; else 0.
  unsigned words() const {
    unsigned made = 0;
    while (made < 4 && components[made] == Component{static_cast<std::uint8_t>(32 * made), 32}) ++made;
    return bytes() == 4 * made && (encoding == Encoding::float_ || is_integer()) ? made : 0;
  }
};

/// The format of a name of DXGI, without regard to case, with or without `DXGI_FORMAT_`: `R32G32_FLOAT`. TYPELESS is uint, of blocks unorm.
/// Others with components of up to 32 bits are known by names of the same kind: `R16G16B16_FLOAT`. Not known: video and R1_UNORM.
std::optional<Format> find_format(std::string_view name);
/// The name of a number of DXGI_FORMAT, and back; empty and 0 if there is none.
std::string_view format_name(std::uint32_t number);
std::uint32_t format_number(std::string_view name);
/// The number of a format; of those that are the same, of the one whose numbers are typed and have no depth.
std::uint32_t format_number(const Format& format);

/// What a load gives: bits of f32, or of i32 for integer formats; missing components are 0, 0, 0, 1. `texel` has bytes() bytes; (x, y) is
/// the place in a block.
std::array<std::uint32_t, 4> load_texel(const Format& format, const std::byte* texel, unsigned x = 0, unsigned y = 0);
/// load_texel() of several texels of a format without blocks: component k of texel i is to[k * stride + i].
void load_texels(const Format& format, std::span<const std::byte* const> texels, std::uint32_t* to, std::size_t stride);
/// src: Direct3D 11.3 functional specification 3.2.3: NaN is 0, values are clamped and rounded half away from zero; floats of 16 bits and
/// less are rounded toward zero, so that finite numbers stay finite, and keep NaN and infinities. Blocks are not stored.
void store_texel(const Format& format, const std::array<std::uint32_t, 4>& value, std::byte* texel);

/// The bits of the f16 nearest to a number, of two as near the even one; infinite from 65520 on. Texels round toward zero instead.
std::uint16_t nearest_f16(double value);

/// 0, 0, 0, 1 in the kind of number that the format has.
std::array<std::uint32_t, 4> default_texel(const Format& format);
/// The result of a read out of bounds: 0 in components that the format has, (0, 0, 0, 1) in others.
std::array<std::uint32_t, 4> missing_texel(const Format& format);
/// A value in the range of a format: [0, 1] and [-1, 1] of normalized ones.
float in_range(const Format& format, float value);
/// A value rounded to what the format's first component can hold, if it is normalized. src: 22.4.19
float quantized(const Format& format, float value);

}  // namespace unshade::texel
