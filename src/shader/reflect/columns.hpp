// Tables of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>

namespace unshade::shader::reflection {

/// Rows of texts, printed with columns as wide as their widest text.
class Columns {
 public:
  explicit Columns(std::initializer_list<std::string_view> heading) : width_(heading.size(), 0) {
    for (const std::string_view text : heading) cell(text);
  }

  void cell(std::string_view text) {
    std::string& cell = cells_.emplace_back();
    // Text from a file stays on its line.
    for (const char c : text) cell += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    std::size_t& width = width_[(cells_.size() - 1) % width_.size()];
    if (cell.size() <= kMaxWidth) width = std::max(width, cell.size());
  }
  void number(std::uint64_t value) { cell(std::to_string(value)); }
  /// A name, or the number that has none.
  template <class E>
  void named(E value) {
    const std::string_view name = id(value);
    name.empty() ? number(static_cast<std::uint32_t>(value)) : cell(name);
  }

  void print(Text& out, std::size_t indent) const {
    const std::size_t count = width_.size();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::size_t column = i % count;
      if (column == 0) out.repeat(' ', indent);
      // Blanks at the end of a line are left out.
      std::size_t last = count - 1;
      while (last > 0 && cells_[i - column + last].empty()) --last;
      if (column < last) {
        out.left(cells_[i], width_[column]) << "  ";
      } else if (column == last) {
        out << cells_[i];
      }
      if (column == count - 1) out << '\n';
    }
  }

 private:
  static constexpr std::size_t kMaxWidth = 48;  // characters: longer texts push their row to the right instead of all rows
  std::vector<std::size_t> width_;
  std::vector<std::string> cells_;
};

}  // namespace unshade::shader::reflection
