#include "spirv/grammar/number_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::spirv::grammar {

namespace {

struct FloatLayout {
  unsigned width;
  unsigned fraction_bits;
  int bias;
  std::uint64_t most;  ///< bits of the largest number
};
constexpr FloatLayout kHalf{16, 10, 15, 0x7bff};
constexpr FloatLayout kSingle{32, 23, 127, 0x7f7f'ffff};
constexpr FloatLayout kDouble{64, 52, 1023, 0x7fef'ffff'ffff'ffff};
// src: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types
constexpr FloatLayout kEncoded[] = {{16, 7, 127, 0x7f7f}, {8, 3, 7, 0x7e}, {8, 2, 15, 0x7b},
                                    {6, 3, 1, 0x1f},      {6, 2, 3, 0x1f}, {4, 1, 1, 0x7}};

/// How floats of a type are laid out; nothing for those that the text has no spelling for.
const FloatLayout* layout_of(NumberType type) {
  if (type.fraction_bits == 0) return type.width == 16 ? &kHalf : type.width == 32 ? &kSingle : type.width == 64 ? &kDouble : nullptr;
  for (const FloatLayout& layout : kEncoded)
    if (layout.width == type.width && layout.fraction_bits == type.fraction_bits) return &layout;
  return nullptr;
}

// `-0x1.8p+128`: one digit before the point, no zeros at the end.
void print_hex_float(Text& out, std::uint64_t bits, const FloatLayout& layout) {
  const std::uint64_t fraction_mask = (std::uint64_t{1} << layout.fraction_bits) - 1;
  const unsigned exponent_bits = layout.width - 1 - layout.fraction_bits;
  std::uint64_t fraction = bits & fraction_mask;
  const auto biased = static_cast<int>(bits >> layout.fraction_bits & ((1U << exponent_bits) - 1));
  if ((bits >> (layout.width - 1) & 1) != 0) out << '-';
  if (biased == 0 && fraction == 0) {
    out << "0x0p+0";
    return;
  }
  int exponent = biased - layout.bias;
  if (biased == 0) {
    // Shifted until the leading one is the digit before the point.
    exponent = 1 - layout.bias;
    while (fraction <= fraction_mask) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= fraction_mask;
  }
  unsigned nibbles = divide_up(layout.fraction_bits, 4);
  fraction <<= 4 * nibbles - layout.fraction_bits;
  while (nibbles > 0 && (fraction & 0xf) == 0) {
    fraction >>= 4;
    --nibbles;
  }
  out << "0x1";
  if (nibbles != 0) {
    out << '.';
    out.hex(fraction, nibbles);
  }
  out << 'p';
  if (exponent >= 0) out << '+';
  out.dec_signed(exponent);
}

template <class Float>
void print_float(Text& out, Float value, std::uint64_t bits, const FloatLayout& layout) {
  const int kind = std::fpclassify(value);
  if (kind != FP_ZERO && kind != FP_NORMAL) return print_hex_float(out, bits, layout);
  constexpr std::size_t kRoom = 32;
  char* const at = out.grow(kRoom);
  out.commit(std::to_chars(at, at + kRoom, value, std::chars_format::general, std::numeric_limits<Float>::max_digits10).ptr);
}

/// Without a plus. src: observed of spirv-as, which takes one before integers and decimal fractions
std::string_view without_plus(std::string_view text) { return text.substr(text.starts_with('+') ? 1 : 0); }

// Bits of the text's magnitude; false when it is no number, or too large.
NumberFault read_magnitude(std::string_view text, std::uint64_t& value) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return NumberFault::syntax;
  return error == std::errc{} ? NumberFault::none : NumberFault::range;
}

NumberFault read_integer(std::string_view text, NumberType type, std::uint64_t& bits) {
  const bool is_negative = text.starts_with('-');
  if (is_negative && !type.is_signed) return NumberFault::negative;
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  std::uint64_t value = 0;
  if (const NumberFault fault = read_magnitude(is_negative ? text.substr(1) : without_plus(text), value); fault != NumberFault::none)
    return fault;
  const std::uint64_t mask = type.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type.width) - 1;
  const std::uint64_t sign = type.is_signed ? mask ^ mask >> 1 : 0;
  if (is_negative) {
    if (value > sign) return NumberFault::range;
    bits = ~value + 1;
  } else if (is_hex) {
    // All bits of the number, the sign among them.
    if ((value & ~mask) != 0) return NumberFault::range;
    bits = (value & sign) != 0 ? value | ~mask : value;
  } else {
    if ((value & ~(mask & ~sign)) != 0) return NumberFault::range;
    bits = value;
  }
  if (type.words() == 1) bits &= 0xffff'ffff;
  return NumberFault::none;
}

// After the sign and 0x. Digits beyond those that fit are dropped, as spirv-as does. What is too large is refused, and what only zero would
// be left of; infinities, and what is no number, have the exponent after that of the largest number.
NumberFault read_hex_float(std::string_view text, const FloatLayout& layout, std::uint64_t& bits) {
  std::uint64_t mantissa = 0;  // its leading one at the lowest place that keeps 60 bits
  std::int64_t exponent = 0;   // of the mantissa's lowest bit
  std::size_t at = 0;
  bool seen_point = false;
  bool seen_digit = false;
  for (; at < text.size() && text[at] != 'p' && text[at] != 'P'; ++at) {
    if (text[at] == '.') {
      if (seen_point) return NumberFault::syntax;
      seen_point = true;
      continue;
    }
    const int digit = hex_digit(text[at]);
    if (digit < 0) return NumberFault::syntax;
    seen_digit = true;
    if (mantissa >> 60 == 0) {
      mantissa = mantissa << 4 | static_cast<std::uint64_t>(digit);
      if (seen_point) exponent -= 4;
    } else if (!seen_point) {
      exponent += 4;
    }
  }
  if (at == text.size() || !seen_digit) return NumberFault::syntax;
  std::string_view power = text.substr(at + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int32_t stated = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), stated);
  if (error == std::errc::invalid_argument || end != power.data() + power.size()) return NumberFault::syntax;
  if (error != std::errc{}) return NumberFault::range;
  bits = 0;
  if (mantissa == 0) return NumberFault::none;
  const int top = 63 - std::countl_zero(mantissa);
  exponent += stated + top;  // that of the leading one
  const std::uint64_t fraction_mask = (std::uint64_t{1} << layout.fraction_bits) - 1;
  const int wanted = static_cast<int>(layout.fraction_bits);
  const std::uint64_t aligned = top > wanted ? mantissa >> (top - wanted) : mantissa << (wanted - top);
  if (exponent > layout.bias + 1) return NumberFault::range;
  if (exponent >= 1 - layout.bias) {
    bits = static_cast<std::uint64_t>(exponent + layout.bias) << layout.fraction_bits | (aligned & fraction_mask);
  } else {
    const std::int64_t shift = 1 - layout.bias - exponent;
    bits = shift < 64 ? aligned >> shift : 0;
    if (bits == 0) return NumberFault::range;
  }
  return NumberFault::none;
}

// In a narrower layout, towards zero; false if it is too large for that. src: observed of spirv-as
bool narrow(float value, const FloatLayout& layout, std::uint64_t& narrowed) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fff'ffff;
  const int exponent = static_cast<int>(magnitude >> 23) - kSingle.bias;
  const std::uint32_t mantissa = (magnitude & 0x7f'ffff) | 0x80'0000;
  const int dropped = 23 - static_cast<int>(layout.fraction_bits);
  if (layout.bias == kSingle.bias) {
    narrowed = magnitude >> dropped;
  } else if (exponent >= 1 - layout.bias) {
    const std::uint32_t fraction = mantissa >> dropped & ((1U << layout.fraction_bits) - 1);
    narrowed = static_cast<std::uint64_t>(exponent + layout.bias) << layout.fraction_bits | fraction;
  } else {
    const int shift = dropped + (1 - layout.bias - exponent);
    narrowed = shift < 24 ? mantissa >> shift : 0;
  }
  if (narrowed > layout.most) return false;
  narrowed |= static_cast<std::uint64_t>(bits >> 31) << (layout.width - 1);
  return true;
}

template <class Float>
NumberFault read_decimal(std::string_view text, Float& value) {
  text = without_plus(text);
  // No names of infinities.
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return NumberFault::syntax;
  const auto [end, error] = read_real(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return NumberFault::syntax;
  return error == std::errc{} ? NumberFault::none : NumberFault::range;
}

NumberFault read_float(std::string_view text, NumberType type, std::uint64_t& bits) {
  const FloatLayout* const found = layout_of(type);
  if (found == nullptr) return NumberFault::width;
  const FloatLayout& layout = *found;
  const bool is_negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(is_negative ? 1 : 0);
  if (magnitude.starts_with("0x") || magnitude.starts_with("0X")) {
    const NumberFault fault = read_hex_float(magnitude.substr(2), layout, bits);
    if (is_negative) bits |= std::uint64_t{1} << (type.width - 1);
    return fault;
  }
  if (type.width == 64) {
    double value = 0;
    const NumberFault fault = read_decimal(text, value);
    bits = std::bit_cast<std::uint64_t>(value);
    return fault;
  }
  float value = 0;
  if (const NumberFault fault = read_decimal(text, value); fault != NumberFault::none) return fault;
  if (type.width == 32) {
    bits = std::bit_cast<std::uint32_t>(value);
    return NumberFault::none;
  }
  return narrow(value, layout, bits) ? NumberFault::none : NumberFault::range;
}

}  // namespace

NumberFault read_number(std::string_view text, NumberType type, std::uint64_t& bits) {
  bits = 0;
  if (type.width == 0 || type.width > 64) return NumberFault::width;
  return type.is_float ? read_float(text, type, bits) : read_integer(text, type, bits);
}

bool read_unsigned(std::string_view text, std::uint32_t& value) {
  std::uint64_t wide = 0;
  if (read_magnitude(without_plus(text), wide) != NumberFault::none || wide > 0xffff'ffff) return false;
  value = static_cast<std::uint32_t>(wide);
  return true;
}

bool print_number(Text& out, std::uint64_t bits, NumberType type) {
  if (type.width == 0 || type.width > 64) return false;
  if (!type.is_float) {
    if (type.words() == 1) {
      // All of the word, however narrow the type.
      if (type.is_signed) {
        out.dec_signed(static_cast<std::int32_t>(bits));
      } else {
        out.dec(bits);
      }
    } else if (type.is_signed) {
      out.dec_signed(static_cast<std::int64_t>(bits));
    } else {
      out.dec(bits);
    }
    return true;
  }
  const FloatLayout* const layout = layout_of(type);
  if (layout == nullptr) return false;
  if (layout == &kSingle) {
    const auto word = static_cast<std::uint32_t>(bits);
    print_float(out, std::bit_cast<float>(word), word, kSingle);
  } else if (layout == &kDouble) {
    print_float(out, std::bit_cast<double>(bits), bits, kDouble);
  } else {
    print_hex_float(out, bits & ((std::uint64_t{1} << layout->width) - 1), *layout);
  }
  return true;
}

bool is_canonical(std::uint64_t bits, NumberType type) {
  const unsigned stored = 32 * type.words();
  if (type.width == 0 || type.width >= stored) return true;
  if (type.is_float || !type.is_signed) return bits >> type.width == 0;
  const std::uint64_t all = stored == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << stored) - 1;
  const std::uint64_t above = all & ~((std::uint64_t{1} << type.width) - 1);
  const bool is_negative = (bits >> (type.width - 1) & 1) != 0;
  return (bits & above) == (is_negative ? above : 0);
}

}  // namespace unshade::spirv::grammar
