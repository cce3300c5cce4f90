// Values in messages, as a reader of them would write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// A set of components by its letters: `xyw`; `no components`. Bits that are no component's follow as a number.
inline std::string shown_mask(std::uint64_t mask) {
  const std::string letters(WriteMask(mask).text());
  if (mask >> kComponents == 0) return letters.empty() ? "no components" : letters;
  return letters + (letters.empty() ? "" : " and ") + "bits " + hex32(static_cast<std::uint32_t>(mask & ~std::uint64_t{0xf}));
}

/// A name or text of a file for one line of a listing: line ends and other control characters are escaped, nothing else.
inline std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      shown += c;
    else if (c == '\n' || c == '\r' || c == '\t')
      (shown += '\\') += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    else
      ((shown += "\\x") += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return shown;
}

/// A name of a file in quotes, shortened, its unprintable characters escaped.
inline std::string shown_text(std::string_view text) {
  constexpr std::size_t kMost = 48;
  return '"' + printable(text.substr(0, kMost)) + (text.size() > kMost ? "...\"" : "\"");
}

/// Numbers in brackets, the first of them: `[0, 1, 2, ...]`.
template <class List>
std::string shown_list(const List& list) {
  constexpr std::size_t kMost = 8;
  std::string shown = "[";
  for (std::size_t i = 0; i < list.size() && i < kMost; ++i) shown += (i != 0 ? ", " : "") + std::to_string(list[i]);
  return shown + (list.size() > kMost ? ", ...]" : "]");
}

/// `8x8x1`
template <class Three>
std::string shown_size(const Three& size) {
  return std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' + std::to_string(size[2]);
}

/// Where two runs of bytes part, with the byte of each: `byte 3 is 0x1f, but 0x00`. One may end there.
inline std::string shown_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const auto byte = [](std::span<const std::byte> bytes, std::size_t place) {
    if (place >= bytes.size()) return std::string("past the end");
    Text text;
    (text << "0x").hex(static_cast<std::uint8_t>(bytes[place]), 2);
    return text.str();
  };
  return "byte " + std::to_string(at) + " is " + byte(a, at) + ", but " + byte(b, at);
}

/// A number; an enumerator by its name, if it has one, and its number.
template <class T>
std::string shown_value(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else {
    std::string number = std::to_string(static_cast<std::uint64_t>(value));
    if constexpr (std::is_enum_v<T> && requires { std::string_view(id(value)); }) {
      const std::string_view name = id(value);
      if (!name.empty()) return std::string(name) + " (" + number + ')';
    }
    return number;
  }
}

}  // namespace unshade
