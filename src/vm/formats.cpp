#include <unshade/vm/formats.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>

#include "vm/access.hpp"

namespace unshade::vm {
namespace {

std::uint64_t bits_at(const std::byte* texel, unsigned first, unsigned count) {
  std::uint64_t word = 0;
  std::memcpy(&word, texel + first / 8, (first % 8 + count + 7) / 8);
  return word >> (first % 8) & ((count >= 64 ? 0 : std::uint64_t{1} << count) - 1);
}

void set_bits_at(std::byte* texel, unsigned first, unsigned count, std::uint64_t value) {
  std::uint64_t word = 0;
  const unsigned bytes = (first % 8 + count + 7) / 8;
  std::memcpy(&word, texel + first / 8, bytes);
  const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << (first % 8);
  word = (word & ~mask) | (value << (first % 8) & mask);
  std::memcpy(texel + first / 8, &word, bytes);
}

// Floats of 10 and 11 bits: 5 of exponent and no sign. src: functional specification 3.1.5
std::uint32_t small_float_to_f32(std::uint64_t bits, unsigned mantissa_bits) {
  const auto half = static_cast<std::uint32_t>(bits << (10 - mantissa_bits));
  return static_cast<std::uint32_t>(from_memory(ir::Type::f16, half));
}

std::uint64_t f32_to_small_float(std::uint32_t bits, unsigned mantissa_bits) {
  const float value = std::bit_cast<float>(bits);
  if (std::isnan(value)) return (std::uint64_t{0x1f} << mantissa_bits) | 1;
  if (value <= 0) return 0;
  // toward zero: what is cut off a half of more precision, which itself must not round up
  const float limit = mantissa_bits == 6 ? 65024.0F : 64512.0F;
  if (std::isinf(value)) return std::uint64_t{0x1f} << mantissa_bits;
  if (value >= limit) return (std::uint64_t{0x1f} << mantissa_bits) - 1;
  const auto cut = std::bit_cast<float>(bits & ~((1U << (23 - mantissa_bits)) - 1));
  return to_memory(ir::Type::f16, std::bit_cast<std::uint32_t>(cut)) >> (10 - mantissa_bits);
}

std::uint32_t load_component(const Format& format, std::uint64_t bits, unsigned width) {
  switch (format.encoding) {
    case Encoding::float_:
      if (width == 32) return static_cast<std::uint32_t>(bits);
      if (width == 16) return static_cast<std::uint32_t>(from_memory(ir::Type::f16, bits));
      return small_float_to_f32(bits, width - 5);
    case Encoding::unorm:
      return std::bit_cast<std::uint32_t>(
          static_cast<float>(static_cast<double>(bits) / static_cast<double>((std::uint64_t{1} << width) - 1)));
    case Encoding::snorm: {
      const std::int64_t value = static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
      const double scaled = static_cast<double>(value) / static_cast<double>((std::int64_t{1} << (width - 1)) - 1);
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::max(scaled, -1.0)));
    }
    case Encoding::sint: return static_cast<std::uint32_t>(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
    default: return static_cast<std::uint32_t>(bits);
  }
}

std::uint64_t store_component(const Format& format, std::uint32_t value, unsigned width) {
  const auto real = static_cast<double>(std::bit_cast<float>(value));
  const auto scaled = [&](double low, double most) {
    if (std::isnan(real)) return std::int64_t{0};
    const double clamped = std::clamp(real, low, 1.0) * most;
    return static_cast<std::int64_t>(clamped + (clamped < 0 ? -0.5 : 0.5));
  };
  switch (format.encoding) {
    case Encoding::float_:
      if (width == 32) return value;
      if (width == 16) return to_memory(ir::Type::f16, std::bit_cast<std::uint32_t>(std::bit_cast<float>(value)));
      return f32_to_small_float(value, width - 5);
    case Encoding::unorm: return static_cast<std::uint64_t>(scaled(0, static_cast<double>((std::uint64_t{1} << width) - 1)));
    case Encoding::snorm: return static_cast<std::uint64_t>(scaled(-1, static_cast<double>((std::int64_t{1} << (width - 1)) - 1)));
    case Encoding::uint: return width >= 32 ? value : std::min<std::uint64_t>(value, (std::uint64_t{1} << width) - 1);
    case Encoding::sint: {
      if (width >= 32) return value;
      const std::int64_t most = (std::int64_t{1} << (width - 1)) - 1;
      return static_cast<std::uint64_t>(std::clamp<std::int64_t>(static_cast<std::int32_t>(value), -most - 1, most));
    }
    default: return 0;
  }
}

}  // namespace

std::optional<Format> find_format(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string_view text = upper;
  if (text.starts_with("DXGI_FORMAT_")) text.remove_prefix(12);
  Format format;
  unsigned component = 0;
  while (!text.empty() && text.front() != '_') {
    constexpr std::string_view kLetters = "RGBA";
    const std::size_t letter = text.front() == 'D' ? 0 : kLetters.find(text.front());
    if (letter == std::string_view::npos || component == 4) return std::nullopt;
    text.remove_prefix(1);
    unsigned width = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9' && width < 1000) {
      width = width * 10 + static_cast<unsigned>(text.front() - '0');
      text.remove_prefix(1);
    }
    if (width == 0 || width > 32) return std::nullopt;
    format.bits[component] = static_cast<std::uint8_t>(width);
    format.order[component++] = static_cast<std::uint8_t>(letter);
  }
  constexpr std::pair<std::string_view, Encoding> kEncodings[] = {
      {"_FLOAT", Encoding::float_}, {"_UNORM", Encoding::unorm}, {"_SNORM", Encoding::snorm},
      {"_UINT", Encoding::uint},    {"_SINT", Encoding::sint},   {"_TYPELESS", Encoding::uint},
  };
  for (const auto& [ending, encoding] : kEncodings) {
    if (text == ending) format.encoding = encoding;
  }
  const unsigned bits = format.bits[0] + format.bits[1] + format.bits[2] + format.bits[3];
  if (format.encoding == Encoding::none || bits == 0 || bits % 8 != 0) return std::nullopt;
  // components that no float has
  if (format.encoding == Encoding::float_) {
    for (const std::uint8_t width : format.bits) {
      if (width != 0 && width != 32 && width != 16 && width != 11 && width != 10) return std::nullopt;
    }
  }
  return format;
}

std::array<std::uint32_t, 4> load_texel(const Format& format, const std::byte* texel) {
  std::array<std::uint32_t, 4> value{0, 0, 0, format.is_integer() ? 1U : std::bit_cast<std::uint32_t>(1.0F)};
  unsigned first = 0;
  for (unsigned component = 0; component < 4 && format.bits[component] != 0; ++component) {
    const unsigned width = format.bits[component];
    value[format.order[component]] = load_component(format, bits_at(texel, first, width), width);
    first += width;
  }
  return value;
}

void store_texel(const Format& format, const std::array<std::uint32_t, 4>& value, std::byte* texel) {
  unsigned first = 0;
  for (unsigned component = 0; component < 4 && format.bits[component] != 0; ++component) {
    const unsigned width = format.bits[component];
    set_bits_at(texel, first, width, store_component(format, value[format.order[component]], width));
    first += width;
  }
}

}  // namespace unshade::vm
