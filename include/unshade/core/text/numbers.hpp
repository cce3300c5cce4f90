// Numbers in texts.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <version>

#include <unshade/core/value.hpp>

namespace unshade {

namespace inner {
/// read_real() where the standard library reads whole numbers only, as libc++ 19 does: by strtod().
std::from_chars_result read_real_portably(const char* first, const char* last, float& value, std::chars_format format);
std::from_chars_result read_real_portably(const char* first, const char* last, double& value, std::chars_format format);
}  // namespace inner

/// std::from_chars, in the formats general and hex.
template <std::floating_point T>
std::from_chars_result read_real(const char* first, const char* last, T& value, std::chars_format format = std::chars_format::general) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value, format);
#else
  return inner::read_real_portably(first, last, value, format);
#endif
}

/// read_real() of a decimal number. One that is too small for a double is 0, or the nearest that there is; only those that are too large
/// are out of range.
std::from_chars_result read_rounded(const char* first, const char* last, double& value);

/// The real that all of a decimal text without a sign states, each width rounded once; nothing if there is none, or it is too large for
/// a double. Words such as inf are none.
std::optional<Real> as_real(std::string_view digits);
inline Real negated(Real real) { return {-real.wide, -real.narrow, real.single}; }

/// The number at the front of a text, which loses it, as std::from_chars reads it; nothing if there is none or T cannot hold it.
template <class T>
std::optional<T> take_number(std::string_view& text, int base = 10) {
  T value{};
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<T>)
    read = read_real(text.data(), text.data() + text.size(), value);
  else
    read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (read.ec != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return value;
}
/// The number that is all of a text.
template <class T>
std::optional<T> as_number(std::string_view text, int base = 10) {
  const std::optional<T> value = take_number<T>(text, base);
  return text.empty() ? value : std::nullopt;
}

}  // namespace unshade
