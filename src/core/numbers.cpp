#include <unshade/core/text/numbers.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include <unshade/core/text/characters.hpp>

namespace unshade {
namespace {

/// How far a real reaches, by the grammar of std::from_chars: that of strtod() without white space, a plus in front and "0x".
struct RealExtent {
  const char* end = nullptr;  ///< null: there is none
  bool is_word = false;       ///< inf or nan
  bool has_digits = false;    ///< besides 0
};

const char* after_word(const char* at, const char* last, std::string_view word) {
  for (const char expected : word) {
    if (at == last || (*at | 0x20) != expected) return nullptr;
    ++at;
  }
  return at;
}

RealExtent extent_of(const char* at, const char* last, bool is_hexadecimal) {
  if (at != last && *at == '-') ++at;
  if (const char* const end = after_word(at, last, "inf"); end != nullptr) {
    const char* const longer = after_word(end, last, "inity");
    return {longer != nullptr ? longer : end, true, false};
  }
  if (const char* end = after_word(at, last, "nan"); end != nullptr) {
    if (end != last && *end == '(') {
      const char* closing = end + 1;
      while (closing != last && (is_letter(*closing) || is_digit(*closing) || *closing == '_')) ++closing;
      if (closing != last && *closing == ')') end = closing + 1;
    }
    return {end, true, false};
  }
  RealExtent extent;
  bool point = false;
  bool any = false;
  for (; at != last; ++at) {
    if (*at == '.' && !point) {
      point = true;
    } else if (is_digit(*at) || (is_hexadecimal && hex_digit(*at) >= 0)) {
      any = true;
      extent.has_digits = extent.has_digits || *at != '0';
    } else {
      break;
    }
  }
  if (!any) return {};
  extent.end = at;
  if (at != last && (*at | 0x20) == (is_hexadecimal ? 'p' : 'e')) {
    ++at;
    if (at != last && (*at == '-' || *at == '+')) ++at;
    if (at != last && is_digit(*at)) {
      while (at != last && is_digit(*at)) ++at;
      extent.end = at;
    }
  }
  return extent;
}

/// Whether a decimal number that is not 0 is below 1: whether its first digit that is not 0 stands after the point, once its exponent has
/// moved that.
bool is_below_one(const char* at, const char* last) {
  std::int64_t digits = 0;  // of the whole part, from the first that is not 0; below 1, what is 0 after the point, negative
  bool point = false;
  bool begun = false;
  for (; at != last && (*at | 0x20) != 'e'; ++at) {
    if (*at == '.') point = true;
    if (!is_digit(*at)) continue;
    begun = begun || *at != '0';
    if (point ? !begun : begun) digits += point ? -1 : 1;
  }
  if (at == last) return digits <= 0;
  const bool negative = ++at != last && *at == '-';
  if (at != last && (*at == '-' || *at == '+')) ++at;
  std::int64_t exponent = 0;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;  // beyond all that a text has digits
  if (std::from_chars(at, last, exponent).ec != std::errc{} || exponent > kMost) exponent = kMost;
  return digits + (negative ? -exponent : exponent) <= 0;
}

template <class T>
std::from_chars_result read_portably(const char* first, const char* last, T& value, std::chars_format format) {
  const bool is_hexadecimal = format == std::chars_format::hex;
  const RealExtent extent = extent_of(first, last, is_hexadecimal);
  if (extent.end == nullptr) return {first, std::errc::invalid_argument};
  std::string text(first, extent.end);
  if (is_hexadecimal && !extent.is_word) text.insert(text.front() == '-' ? 1 : 0, "0x");
  T read{};
  if constexpr (sizeof(T) == sizeof(float)) {
    read = std::strtof(text.c_str(), nullptr);
  } else {
    read = std::strtod(text.c_str(), nullptr);
  }
  if (!extent.is_word && (std::isinf(read) || (read == 0 && extent.has_digits))) return {extent.end, std::errc::result_out_of_range};
  value = read;
  return {extent.end, std::errc{}};
}

}  // namespace

std::from_chars_result inner::read_real_portably(const char* first, const char* last, float& value, std::chars_format format) {
  return read_portably(first, last, value, format);
}
std::from_chars_result inner::read_real_portably(const char* first, const char* last, double& value, std::chars_format format) {
  return read_portably(first, last, value, format);
}

std::from_chars_result read_rounded(const char* first, const char* last, double& value) {
  std::from_chars_result read = read_real(first, last, value);
  if (read.ec != std::errc::result_out_of_range || !is_below_one(first, read.ptr)) return read;
  value = *first == '-' ? -0.0 : 0.0;
  read.ec = {};
  return read;
}

std::optional<Real> as_real(std::string_view digits) {
  if (digits.empty() || (!is_digit(digits.front()) && digits.front() != '.')) return std::nullopt;
  Real real;
  const char* const last = digits.data() + digits.size();
  const auto wide = read_rounded(digits.data(), last, real.wide);
  if (wide.ec != std::errc{} || wide.ptr != last) return std::nullopt;
  if (read_real(digits.data(), last, real.narrow).ec != std::errc{}) real.narrow = static_cast<float>(real.wide);
  return real;
}

}  // namespace unshade
