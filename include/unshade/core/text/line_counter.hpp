// Lines and columns of a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unshade {

/// Both from 1; the column in bytes.
struct LinePlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Tells the lines of places; cheap if most come in the order of the text.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  /// `offset`: what is beyond the text counts as its end.
  LinePlace at(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < line_start_) counted_ = line_start_ = 0, line_ = 1;
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
  }

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

/// `LINE:COLUMN` of a byte of a text.
inline std::string line_and_column(std::string_view text, std::size_t offset) {
  const LinePlace place = LineCounter(text).at(offset);
  return std::to_string(place.line) + ':' + std::to_string(place.column);
}

}  // namespace unshade
