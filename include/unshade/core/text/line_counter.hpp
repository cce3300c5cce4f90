// Lines and columns of a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace unshade {

/// Both from 1; the column in bytes.
struct LinePlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Tells the lines of places, in any order. Looks at the text once, up to the last place.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  /// `offset`: what is beyond the text counts as its end.
  LinePlace at(std::size_t offset) {
    offset = std::min(offset, text_.size());
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] == '\n') starts_.push_back(counted_ + 1);
    }
    const auto after = std::ranges::upper_bound(starts_, offset);
    return {static_cast<std::uint32_t>(after - starts_.begin()), static_cast<std::uint32_t>(offset - *std::prev(after) + 1)};
  }

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::vector<std::size_t> starts_{0};  // of lines
};

/// `LINE:COLUMN` of a byte of a text.
inline std::string line_and_column(std::string_view text, std::size_t offset) {
  const LinePlace place = LineCounter(text).at(offset);
  return std::to_string(place.line) + ':' + std::to_string(place.column);
}

}  // namespace unshade
