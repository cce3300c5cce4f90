// Messages that shaders print: their formats, those of printf and of Vulkan's debugPrintfEXT, and the texts that come of values.
// src: Vulkan-ValidationLayers, docs/debug_printf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// A part of a format: text, or a conversion, which shows an argument.
struct FormatPart {
  std::string_view text;                                                             ///< as the format has it; `%` of `%%`
  char conversion = 0;                                                               ///< one of `diuoxXcpfFeEgGaAs`; 0: it is text
  bool left = false, sign = false, blank = false, alternate = false, zeros = false;  ///< the flags `-+ #0`
  std::uint8_t width = 0;
  std::optional<std::uint8_t> precision{};
  std::uint8_t values = 1;  ///< N of `vN`: components of a vector, at most kMostComponents

  static constexpr std::uint8_t kMostComponents = 16;
  bool is_real() const { return std::string_view("fFeEgGaA").find(conversion) != std::string_view::npos; }
};

/// Takes a format apart: `%[-+ #0][width][.precision][vN][length]conversion`. What is no such conversion is text.
class FormatParts {
 public:
  explicit FormatParts(std::string_view format) : rest_(format) {}
  /// Nothing at the end.
  std::optional<FormatPart> next();
  /// An `l` that follows a conversion, as in `%ul`: part of it if the argument has 64 bits.
  void skip_long();

 private:
  std::string_view rest_;
};

/// Makes the text of a MessageFormat part by part, up to limits::kMessageCharacters; then it ends with `...`.
class FormatWriter {
 public:
  void add_text(std::string_view text);
  /// A conversion of so many values, whatever `part.values` says. False if there is no room for it: its values must be left out then.
  bool add_conversion(const FormatPart& part, std::size_t values);
  std::string take() { return std::move(text_); }

 private:
  bool fits(std::size_t characters);

  std::string text_;
  bool is_full_ = false;
};

/// Values that a text shows.
std::size_t values_of(std::string_view format);

/// The text of a message with values, as bits of their types. Conversions of integers show the bits of a float, those of floats the float
/// that has the bits of an integer; values that are missing are left out.
std::string text_of(const MessageFormat& message, std::span<const std::uint64_t> values);

}  // namespace unshade::ir
