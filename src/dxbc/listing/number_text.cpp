#include "dxbc/listing/number_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace unshade::dxbc::listing {

namespace {

constexpr std::uint32_t kFloatSign = 0x8000'0000;
constexpr std::int32_t kDecimalLimit = 10000;  // observed: above it fxc prints hexadecimal

char* copy(char* at, const char* text, std::size_t size) {
  std::memcpy(at, text, size);
  return at + size;
}

struct Pairs {
  char text[200];
};
constexpr Pairs make_pairs() {
  Pairs pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs.text[2 * i] = static_cast<char>('0' + i / 10);
    pairs.text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
constexpr Pairs kPairs = make_pairs();

char* write_six_digits(char* at, std::uint32_t value) {
  std::memcpy(at, kPairs.text + 2 * (value / 10000), 2);
  std::memcpy(at + 2, kPairs.text + 2 * (value / 100 % 100), 2);
  std::memcpy(at + 4, kPairs.text + 2 * (value % 100), 2);
  return at + 6;
}

char* write_hex(char* at, std::uint32_t bits) {
  constexpr char kDigits[] = "0123456789abcdef";
  *at++ = '0';
  *at++ = 'x';
  for (int shift = 28; shift >= 0; shift -= 4) *at++ = kDigits[(bits >> shift) & 15U];
  return at;
}

// src: Visual Studio's runtimes before the universal one print 1.#INF00 with %f: one digit, then six places of the word.
char* write_special(char* at, bool negative, bool infinite, bool quiet, bool indefinite, FloatStyle style) {
  if (negative) *at++ = '-';
  if (style.plain_specials) {
    if (infinite) return copy(at, "inf", 3);
    if (indefinite) return copy(at, "nan(ind)", 8);
    return quiet ? copy(at, "nan", 3) : copy(at, "nan(snan)", 9);
  }
  if (infinite) return copy(at, "1.#INF00", 8);
  if (indefinite) return copy(at, "1.#IND00", 8);
  return quiet ? copy(at, "1.#QNAN0", 8) : copy(at, "1.#SNAN0", 8);
}

// Values of 2^24 and more, or doubles, with six decimals.
char* write_large(char* at, double value, FloatStyle style) {
  if (style.all_digits) return std::to_chars(at, at + kNumberRoom, value, std::chars_format::fixed, 6).ptr;
  // 17 significant digits, then zeros
  char digits[40];
  const char* end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific, 16).ptr;
  const char* const mark = static_cast<const char*>(std::memchr(digits, 'e', static_cast<std::size_t>(end - digits)));
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  char significant[17];
  significant[0] = digits[0];
  std::memcpy(significant + 1, digits + 2, 16);
  for (int i = 0; i <= exponent; ++i) *at++ = i < 17 ? significant[i] : '0';
  *at++ = '.';
  for (int i = exponent + 1; i <= exponent + 6; ++i) *at++ = i < 17 ? significant[i] : '0';
  return at;
}

}  // namespace

char* write_decimal(char* at, std::uint32_t value) {
  if (value < 10) {
    *at = static_cast<char>('0' + value);
    return at + 1;
  }
  if (value < 100) {
    std::memcpy(at, kPairs.text + 2 * value, 2);
    return at + 2;
  }
  return std::to_chars(at, at + 10, value).ptr;
}

char* write_float(char* at, std::uint32_t bits, FloatStyle style) {
  const std::uint32_t exponent = (bits >> 23) & 0xffU;
  const std::uint32_t fraction = bits & 0x7f'ffffU;
  const bool negative = (bits & kFloatSign) != 0;
  if (exponent == 0xff)
    return write_special(at, negative, fraction == 0, (fraction & 0x40'0000U) != 0, negative && fraction == 0x40'0000U, style);
  if (negative) *at++ = '-';
  if (exponent >= 127 + 24) return write_large(at, std::fabs(static_cast<double>(std::bit_cast<float>(bits))), style);
  // value = mantissa * 2^-shift; in millionths, exactly, then rounded
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | 0x80'0000U;
  const unsigned shift = exponent == 0 ? 149 : 150 - exponent;
  const std::uint64_t scaled = mantissa * 1'000'000;
  std::uint64_t millionths = 0;
  if (shift == 0) {
    millionths = scaled;
  } else if (shift < 64) {
    millionths = scaled >> shift;
    const std::uint64_t rest = scaled & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    millionths += rest > half || (rest == half && (!style.ties_to_even || (millionths & 1) != 0));
  }
  at = write_decimal(at, static_cast<std::uint32_t>(millionths / 1'000'000));
  *at++ = '.';
  return write_six_digits(at, static_cast<std::uint32_t>(millionths % 1'000'000));
}

char* write_double(char* at, std::uint64_t bits, FloatStyle style) {
  const std::uint64_t exponent = (bits >> 52) & 0x7ffU;
  const std::uint64_t fraction = bits & 0xf'ffff'ffff'ffffU;
  const bool negative = (bits >> 63) != 0;
  if (exponent == 0x7ff)
    return write_special(at, negative, fraction == 0, (fraction >> 51) != 0, negative && fraction == std::uint64_t{1} << 51, style);
  if (negative) *at++ = '-';
  const double value = std::fabs(std::bit_cast<double>(bits));
  if (value >= 1e11) return write_large(at, value, style);  // from here on the sixth decimal is the 18th digit
  return std::to_chars(at, at + kNumberRoom, value, std::chars_format::fixed, 6).ptr;
}

char* write_integer(char* at, std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  if (value > kDecimalLimit || value < -kDecimalLimit) return write_hex(at, bits);
  if (value < 0) {
    *at++ = '-';
    return write_decimal(at, static_cast<std::uint32_t>(-value));
  }
  return write_decimal(at, static_cast<std::uint32_t>(value));
}

char* write_untyped(char* at, std::uint32_t bits, FloatStyle style) {
  const std::uint32_t exponent = (bits >> 23) & 0xffU;
  if (bits == kFloatSign) return copy(at, "-0.000000", 9);
  if (exponent != 0 && exponent != 0xff) return write_float(at, bits, style);
  return write_integer(at, bits);
}

char* write_exact_float(char* at, std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) return write_hex(at, bits);
  char* const end = std::to_chars(at, at + 40, value).ptr;
  const char* point = nullptr;
  for (const char* c = at; c != end; ++c) {
    if (*c == 'e') return end;
    if (*c == '.') point = c;
  }
  if (point == nullptr) return copy(end, ".0", 2);
  // exactly six decimals are what fxc rounds to; one more says that this is all
  return end - point == 7 ? copy(end, "0", 1) : end;
}

char* write_exact_untyped(char* at, std::uint32_t bits) {
  const std::uint32_t exponent = (bits >> 23) & 0xffU;
  return exponent == 0 || exponent == 0xff ? (bits == kFloatSign ? copy(at, "-0.0", 4) : write_integer(at, bits))
                                           : write_exact_float(at, bits);
}

char* write_exact_double(char* at, std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (!std::isfinite(value)) {
    *at++ = '0';
    *at++ = 'x';
    return std::to_chars(at, at + 16, bits, 16).ptr;
  }
  char* const end = std::to_chars(at, at + 40, value).ptr;
  for (const char* c = at; c != end; ++c)
    if (*c == '.' || *c == 'e') return end;
  return copy(end, ".0", 2);
}

std::uint32_t guess_float(std::uint32_t millionths) {
  constexpr std::uint32_t kMillion = 1'000'000;
  constexpr std::uint32_t kMostDenominator = 255;
  // If the sixth decimal is 0 the value was written with fewer, and the nearest float is it.
  std::uint32_t rest = 0;  // of denominator * millionths, modulo a million
  for (std::uint32_t denominator = 1; millionths % 10 != 0 && denominator <= kMostDenominator; ++denominator) {
    rest += millionths % kMillion;
    if (rest >= kMillion) rest -= kMillion;
    if (2 * std::min(rest, kMillion - rest) > denominator) continue;
    const auto numerator = (std::uint64_t{millionths} * denominator + kMillion / 2) / kMillion;
    return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(numerator) / denominator));
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(millionths) / kMillion));
}

}  // namespace unshade::dxbc::listing
