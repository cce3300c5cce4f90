#include <unshade/texel/formats.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>

#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/ir/numeric/convert.hpp>
#include <unshade/ir/numeric/rules.hpp>
#include <unshade/texel/memory.hpp>

#include "texel/blocks.hpp"

namespace unshade::texel {
namespace {

// --- names -------------------------------------------------------------------------------------------------------------------------------

struct Numbered {
  std::uint32_t number;
  std::string_view name;
};
constexpr Numbered kFormats[] = {
#define DXGI_FORMAT(number, name) {number, #name},
#include "texel/formats.def"
};

// Without the prefix, in capitals.
std::string plain_name(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (upper.starts_with("DXGI_FORMAT_")) upper.erase(0, 12);
  return upper;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// The beginnings of names of blocks, and what may follow.
std::optional<Format> find_blocks(std::string_view text) {
  constexpr unsigned kTypeless = 1, kUnorm = 2, kSrgb = 4, kSnorm = 8, kPlain = kTypeless | kUnorm;
  struct Row {
    std::string_view name;
    Block block;
    std::uint8_t components, size;
    unsigned endings;
  };
  constexpr Row kRows[] = {
      {"R8G8_B8G8", Block::r8g8_b8g8, 3, 4, kUnorm}, {"G8R8_G8B8", Block::g8r8_g8b8, 3, 4, kUnorm},
      {"BC1", Block::bc1, 4, 8, kPlain | kSrgb},     {"BC2", Block::bc2, 4, 16, kPlain | kSrgb},
      {"BC3", Block::bc3, 4, 16, kPlain | kSrgb},    {"BC4", Block::bc4, 1, 8, kPlain | kSnorm},
      {"BC5", Block::bc5, 2, 16, kPlain | kSnorm},   {"BC6H_UF16", Block::bc6_unsigned, 3, 16, 0},
      {"BC6H_SF16", Block::bc6_signed, 3, 16, 0},    {"BC6H", Block::bc6_unsigned, 3, 16, kTypeless},
      {"BC7", Block::bc7, 4, 16, kPlain | kSrgb},
  };
  for (const Row& row : kRows) {
    std::string_view rest = text;
    if (!take(rest, row.name)) continue;
    const unsigned ending = rest == "_TYPELESS"     ? kTypeless
                            : rest == "_UNORM"      ? kUnorm
                            : rest == "_UNORM_SRGB" ? kSrgb
                            : rest == "_SNORM"      ? kSnorm
                                                    : 0;
    if (ending == 0 ? row.endings != 0 || !rest.empty() : (row.endings & ending) == 0) continue;
    Format made;
    made.block = row.block;
    made.size = row.size;
    const bool is_float = row.block == Block::bc6_unsigned || row.block == Block::bc6_signed;
    made.encoding = is_float ? Encoding::float_ : ending == kSnorm ? Encoding::snorm : Encoding::unorm;
    made.srgb = ending == kSrgb;
    for (unsigned k = 0; k < row.components; ++k) made.components[k].bits = 8;
    return made;
  }
  return std::nullopt;
}

// Components of a name up to its encoding: `R24_UNORM` of `R24_UNORM_X8_TYPELESS`.
struct Group {
  std::array<Format::Component, 4> components{};
  Encoding encoding = Encoding::none;
  bool is_typeless = false;
  bool srgb = false;
};

bool take_group(std::string_view& text, unsigned& bit, Group& group) {
  bool has_exponent = false;
  while (!text.empty() && text.front() != '_') {
    const char letter = text.front();
    text.remove_prefix(1);
    unsigned width = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9' && width < 1000) {
      width = width * 10 + static_cast<unsigned>(text.front() - '0');
      text.remove_prefix(1);
    }
    if (width == 0 || width > 32 || bit + width > 128) return false;
    const std::size_t component = letter == 'D' ? 0 : std::string_view("RGBA").find(letter);
    if (component != std::string_view::npos) {
      if (group.components[component].bits != 0) return false;
      group.components[component] = {static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(width)};
    } else if (letter == 'E') {
      has_exponent = true;
    } else if (letter != 'X' && letter != 'S') {
      return false;
    }
    bit += width;
  }
  constexpr std::pair<std::string_view, Encoding> kEncodings[] = {
      {"_FLOAT", Encoding::float_},    {"_UNORM", Encoding::unorm},
      {"_SNORM", Encoding::snorm},     {"_UINT", Encoding::uint},
      {"_SINT", Encoding::sint},       {"_TYPELESS", Encoding::uint},
      {"_USCALED", Encoding::uscaled}, {"_SSCALED", Encoding::sscaled},
      {"_XR_BIAS", Encoding::xr_bias}, {"_SHAREDEXP", Encoding::shared_exponent},
  };
  for (const auto& [ending, encoding] : kEncodings) {
    if (!take(text, ending)) continue;
    group.encoding = encoding;
    group.is_typeless = ending == "_TYPELESS";
    group.srgb = encoding == Encoding::unorm && take(text, "_SRGB");
    return has_exponent == (encoding == Encoding::shared_exponent);
  }
  return false;
}

// Widths that numbers of an encoding can have.
bool has_width(Encoding encoding, unsigned bits) {
  switch (encoding) {
    case Encoding::float_: return bits == 32 || bits == 16 || bits == 11 || bits == 10;
    case Encoding::shared_exponent: return bits == 9;
    case Encoding::xr_bias: return bits == 10 || bits == 2;
    case Encoding::snorm: return bits >= 2;
    default: return true;
  }
}

// --- numbers -----------------------------------------------------------------------------------------------------------------------------

double f32_of(std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

// Whole bytes are copied by their number, which the compiler knows, not by a call.
template <class Word>
std::uint32_t word_at(const std::byte* from) {
  Word made = 0;
  std::memcpy(&made, from, sizeof made);
  return made;
}
template <class Word>
void set_word_at(std::byte* to, std::uint64_t value) {
  const auto made = static_cast<Word>(value);
  std::memcpy(to, &made, sizeof made);
}

std::uint32_t bits_at(const std::byte* texel, unsigned first, unsigned count) {
  if (first % 8 == 0) {
    if (count == 8) return word_at<std::uint8_t>(texel + first / 8);
    if (count == 16) return word_at<std::uint16_t>(texel + first / 8);
    if (count == 32) return word_at<std::uint32_t>(texel + first / 8);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, texel + first / 8, (first % 8 + count + 7) / 8);
  return static_cast<std::uint32_t>(word >> (first % 8) & ((std::uint64_t{1} << count) - 1));
}

void set_bits_at(std::byte* texel, unsigned first, unsigned count, std::uint64_t value) {
  if (first % 8 == 0) {
    if (count == 8) return set_word_at<std::uint8_t>(texel + first / 8, value);
    if (count == 16) return set_word_at<std::uint16_t>(texel + first / 8, value);
    if (count == 32) return set_word_at<std::uint32_t>(texel + first / 8, value);
  }
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
  if (std::isnan(value)) {
    // without its sign; as of f16, what the format has of the payload, or the quiet bit
    const std::uint32_t payload = bits >> (23 - mantissa_bits) & ((1U << mantissa_bits) - 1);
    return (std::uint64_t{0x1f} << mantissa_bits) | (payload != 0 ? payload : 1U << (mantissa_bits - 1));
  }
  if (value <= 0) return 0;
  // toward zero: what is cut off a half of more precision, which itself must not round up
  const float limit = mantissa_bits == 6 ? 65024.0F : 64512.0F;
  if (std::isinf(value)) return std::uint64_t{0x1f} << mantissa_bits;
  if (value >= limit) return (std::uint64_t{0x1f} << mantissa_bits) - 1;
  const auto cut = std::bit_cast<float>(bits & ~((1U << (23 - mantissa_bits)) - 1));
  return to_memory(ir::Type::f16, std::bit_cast<std::uint32_t>(cut)) >> (10 - mantissa_bits);
}

// The fifth root of a number from 0.0001 to 1, for powers of 2.4: by additions, products and divisions alone, so that it is the same
// everywhere.
constexpr double fifth_root(double value) {
  double root = 1;
  for (int round = 0; round < 30; ++round) root -= (root * root * root * root * root - value) / (5 * root * root * root * root);
  return root;
}

// src: 3.2.3.7. Of a number from 0 to 1.
constexpr double linear_of(double value) {
  if (value <= 0.04045) return value / 12.92;
  const double base = (value + 0.055) / 1.055;
  return base * base * fifth_root(base * base);
}

constexpr auto kLinear = [] {
  std::array<float, 256> table{};
  for (unsigned k = 0; k < 256; ++k) table[k] = static_cast<float>(linear_of(k / 255.0));
  return table;
}();
constexpr auto kUnorm8 = [] {
  std::array<float, 256> table{};
  for (unsigned k = 0; k < 256; ++k) table[k] = static_cast<float>(k / 255.0);
  return table;
}();
// What is below entry k becomes k at most. src: 3.2.3.8, solved for the borders between its results
constexpr auto kFromLinear = [] {
  std::array<double, 255> table{};
  for (unsigned k = 0; k < 255; ++k) {
    const double value = (k + 0.5) / 255.0;
    const double low = value / 12.92;
    table[k] = low <= 0.0031308 ? low : linear_of(value);
  }
  return table;
}();

std::uint32_t to_srgb(double value) {
  if (!(value > 0)) return 0;  // NaN too
  return static_cast<std::uint32_t>(std::ranges::upper_bound(kFromLinear, value) - kFromLinear.begin());
}

std::uint32_t load_component(const Format& format, unsigned component, std::uint32_t bits) {
  const unsigned width = format.components[component].bits;
  const auto unorm = [&] {
    if (width == 8) return std::bit_cast<std::uint32_t>(kUnorm8[bits]);
    return f32_bits(static_cast<double>(bits) / static_cast<double>((std::uint64_t{1} << width) - 1));
  };
  switch (format.encoding) {
    case Encoding::float_:
      if (width == 32) return bits;
      if (width == 16) return static_cast<std::uint32_t>(from_memory(ir::Type::f16, bits));
      return small_float_to_f32(bits, width - 5);
    case Encoding::unorm: return format.srgb && component < 3 && width == 8 ? std::bit_cast<std::uint32_t>(kLinear[bits]) : unorm();
    case Encoding::snorm: {
      const double most = static_cast<double>((std::int64_t{1} << (width - 1)) - 1);
      return f32_bits(std::max(static_cast<double>(sign_extended(bits, width)) / most, -1.0));
    }
    case Encoding::sint: return static_cast<std::uint32_t>(sign_extended(bits, width));
    case Encoding::uscaled: return f32_bits(static_cast<double>(bits));
    case Encoding::sscaled: return f32_bits(static_cast<double>(sign_extended(bits, width)));
    case Encoding::xr_bias: return component == 3 ? unorm() : f32_bits((static_cast<double>(bits) - 384) / 510);
    default: return bits;
  }
}

std::uint64_t store_component(const Format& format, unsigned component, std::uint32_t value) {
  const unsigned width = format.components[component].bits;
  const double real = f32_of(value);
  const auto scaled = [&](double low, double most) {
    if (std::isnan(real)) return std::int64_t{0};
    const double clamped = std::clamp(real, low, 1.0) * most;
    return static_cast<std::int64_t>(clamped + (clamped < 0 ? -0.5 : 0.5));
  };
  const auto unorm = [&] { return static_cast<std::uint64_t>(scaled(0, static_cast<double>((std::uint64_t{1} << width) - 1))); };
  switch (format.encoding) {
    case Encoding::float_:
      if (width == 32) return value;
      // src: 3.2.2: toward zero, so that finite numbers stay finite
      if (width == 16) return to_memory(ir::Type::f16, rounded_to_f16(value, ir::Rounding::toward_zero));
      return f32_to_small_float(value, width - 5);
    case Encoding::unorm: return format.srgb && component < 3 && width == 8 ? to_srgb(real) : unorm();
    case Encoding::snorm: return static_cast<std::uint64_t>(scaled(-1, static_cast<double>((std::int64_t{1} << (width - 1)) - 1)));
    case Encoding::uint: return width >= 32 ? value : std::min<std::uint64_t>(value, (std::uint64_t{1} << width) - 1);
    case Encoding::sint: {
      if (width >= 32) return value;
      const std::int64_t most = (std::int64_t{1} << (width - 1)) - 1;
      return static_cast<std::uint64_t>(std::clamp<std::int64_t>(static_cast<std::int32_t>(value), -most - 1, most));
    }
    case Encoding::uscaled:
    case Encoding::sscaled: {
      const bool is_signed = format.encoding == Encoding::sscaled;
      const auto steps = static_cast<double>((std::uint64_t{1} << (is_signed ? width - 1 : width)) - 1);
      const double low = is_signed ? -steps - 1 : 0;
      const double clamped = std::isnan(real) ? 0 : std::clamp(real, low, steps);
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(clamped + (clamped < 0 ? -0.5 : 0.5)));
    }
    case Encoding::xr_bias:
      if (component == 3) return unorm();
      return static_cast<std::uint64_t>(std::clamp((std::isnan(real) ? 0 : real) * 510 + 384, 0.0, 1023.0) + 0.5);
    default: return 0;
  }
}

// src: 19.3.2: fractions of 9 bits without a leading 1, and one exponent with a bias of 15 in the highest 5 bits
std::array<std::uint32_t, 4> load_shared_exponent(const std::byte* texel) {
  const int exponent = static_cast<int>(bits_at(texel, 27, 5)) - 15 - 9;
  std::array<std::uint32_t, 4> made{0, 0, 0, f32_bits(1)};
  for (unsigned k = 0; k < 3; ++k) made[k] = f32_bits(std::ldexp(static_cast<double>(bits_at(texel, 9 * k, 9)), exponent));
  return made;
}

void store_shared_exponent(const std::array<std::uint32_t, 4>& value, std::byte* texel) {
  constexpr double kMost = 65408;
  std::array<double, 3> real{};
  double most = 0;
  for (unsigned k = 0; k < 3; ++k) {
    const double one = f32_of(value[k]);
    real[k] = one > 0 ? std::min(one, kMost) : 0;  // NaN is 0
    most = std::max(most, real[k]);
  }
  int exponent = 0;
  static_cast<void>(std::frexp(most, &exponent));
  exponent = most > 0 ? std::max(exponent, -15) : -15;
  const auto fraction = [&](double one) { return static_cast<std::uint32_t>((std::ldexp(one, 9 - exponent) + 0x1p52) - 0x1p52); };
  if (fraction(most) == 512) ++exponent;  // rounded up to the next power of 2
  for (unsigned k = 0; k < 3; ++k) set_bits_at(texel, 9 * k, 9, fraction(real[k]));
  set_bits_at(texel, 27, 5, static_cast<std::uint64_t>(exponent + 15));
}

}  // namespace

std::uint16_t nearest_f16(double value) {
  namespace numeric = ir::numeric;
  const auto rounded = numeric::Rule<ir::Op::f_to_f>::apply<ir::Type::f16, ir::Type::f64>(numeric::F64<1>(value));
  return static_cast<std::uint16_t>(numeric::memory_bits<ir::Type::f16>(rounded).lane(0));
}

std::optional<Format> find_format(std::string_view name) {
  const std::string upper = plain_name(name);
  std::string_view text = upper;
  if (auto blocks = find_blocks(text)) return blocks;
  Format made;
  unsigned bit = 0;
  unsigned groups = 0;
  bool chosen_is_typeless = false;
  while (!text.empty()) {
    if (groups != 0 && !take(text, "_")) return std::nullopt;
    Group group;
    if (groups == 2 || !take_group(text, bit, group)) return std::nullopt;
    const bool has_any = std::ranges::any_of(group.components, [](const auto& one) { return one.bits != 0; });
    if (group.encoding == Encoding::unorm && made.encoding == Encoding::xr_bias) {
      made.components[3] = group.components[3];
    } else if (has_any && (groups == 0 || chosen_is_typeless || !made.has(0))) {
      made.components = group.components;
      made.encoding = group.encoding;
      made.srgb = group.srgb;
      chosen_is_typeless = group.is_typeless;
    }
    ++groups;
  }
  if (made.encoding == Encoding::none || bit % 8 != 0) return std::nullopt;
  for (const auto& one : made.components) {
    if (one.bits != 0 && !has_width(made.encoding, one.bits)) return std::nullopt;
  }
  made.size = static_cast<std::uint8_t>(bit / 8);
  return made;
}

std::string_view format_name(std::uint32_t number) {
  const auto* const found = std::ranges::find(kFormats, number, &Numbered::number);
  return found == std::end(kFormats) ? std::string_view{} : found->name;
}

std::uint32_t format_number(std::string_view name) {
  const std::string upper = plain_name(name);
  const auto* const found = std::ranges::find(kFormats, upper, &Numbered::name);
  return found == std::end(kFormats) ? 0 : found->number;
}

std::uint32_t format_number(const Format& format) {
  std::uint32_t last = 0;
  for (const Numbered& one : kFormats) {
    if (find_format(one.name) != format) continue;
    last = one.number;
    if (!one.name.starts_with('D') && one.name.find("TYPELESS") == std::string_view::npos) break;
  }
  return last;
}

std::array<std::uint32_t, 4> default_texel(const Format& format) { return {0, 0, 0, format.is_integer() ? 1U : f32_bits(1)}; }

std::array<std::uint32_t, 4> missing_texel(const Format& format) {
  std::array<std::uint32_t, 4> made = default_texel(format);
  if (format.has(3)) made[3] = 0;
  return made;
}

float in_range(const Format& format, float value) {
  if (format.encoding == Encoding::unorm) return std::isnan(value) ? 0 : std::clamp(value, 0.0F, 1.0F);
  if (format.encoding == Encoding::snorm) return std::isnan(value) ? 0 : std::clamp(value, -1.0F, 1.0F);
  return value;
}

float quantized(const Format& format, float value) {
  if ((format.encoding != Encoding::unorm && format.encoding != Encoding::snorm) || format.block != Block::none) return value;
  const auto bits = static_cast<std::uint32_t>(store_component(format, 0, std::bit_cast<std::uint32_t>(value)));
  const unsigned width = format.components[0].bits;
  if (width == 0) return value;
  return std::bit_cast<float>(load_component(format, 0, width == 32 ? bits : bits & ((1U << width) - 1)));
}

std::array<std::uint32_t, 4> load_texel(const Format& format, const std::byte* texel, unsigned x, unsigned y) {
  if (format.block != Block::none) return decode_block(format, texel, x, y, format.srgb ? kLinear : kUnorm8);
  if (format.encoding == Encoding::shared_exponent) return load_shared_exponent(texel);
  std::array<std::uint32_t, 4> value = default_texel(format);
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [first, bits] = format.components[k];
    if (bits != 0) value[k] = load_component(format, k, bits_at(texel, first, bits));
  }
  return value;
}

void load_texels(const Format& format, std::span<const std::byte* const> texels, std::uint32_t* to, std::size_t stride) {
  if (format.encoding == Encoding::shared_exponent) {
    for (std::size_t i = 0; i < texels.size(); ++i) {
      const auto value = load_shared_exponent(texels[i]);
      for (unsigned k = 0; k < 4; ++k) to[k * stride + i] = value[k];
    }
    return;
  }
  const std::array<std::uint32_t, 4> missing = default_texel(format);
  for (unsigned k = 0; k < 4; ++k, to += stride) {
    const auto& [first, bits] = format.components[k];
    const unsigned byte = first / 8;
    const bool is_word = bits == 32 && first % 8 == 0 && (format.encoding == Encoding::float_ || format.is_integer());
    if (bits == 0) {
      std::fill_n(to, texels.size(), missing[k]);
    } else if (is_word) {
      for (std::size_t i = 0; i < texels.size(); ++i) std::memcpy(&to[i], texels[i] + byte, 4);
    } else if (bits == 8 && first % 8 == 0) {
      for (std::size_t i = 0; i < texels.size(); ++i) to[i] = load_component(format, k, std::to_integer<std::uint32_t>(texels[i][byte]));
    } else {
      for (std::size_t i = 0; i < texels.size(); ++i) to[i] = load_component(format, k, bits_at(texels[i], first, bits));
    }
  }
}

void store_texel(const Format& format, const std::array<std::uint32_t, 4>& value, std::byte* texel) {
  if (format.block != Block::none) return;
  if (format.encoding == Encoding::shared_exponent) return store_shared_exponent(value, texel);
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [first, bits] = format.components[k];
    if (bits != 0) set_bits_at(texel, first, bits, store_component(format, k, value[k]));
  }
}

}  // namespace unshade::texel
