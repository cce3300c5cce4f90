// Tables of zero-terminated texts: what is added to one, and what lines take along from one to another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// Where the texts of a table begin.
struct TextStarts {
  std::vector<std::uint32_t> starts;
  std::uint32_t size = 0;  ///< of the table

  static TextStarts of(const Table<char>& table) {
    TextStarts texts;
    texts.size = static_cast<std::uint32_t>(table.size());
    const std::string_view all(table.items.data(), table.size());
    for (std::size_t at = 0; at < all.size();) {
      texts.starts.push_back(static_cast<std::uint32_t>(at));
      const std::size_t end = all.find('\0', at);
      at = end == std::string_view::npos ? all.size() : end + 1;
    }
    return texts;
  }

  /// The text that an offset below `size` lies in.
  std::size_t index_of(std::uint32_t offset) const {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin()) - 1;
  }
  std::uint32_t end_of(std::size_t index) const { return index + 1 < starts.size() ? starts[index + 1] : size; }
};

/// As add_text, for many texts.
class TextAdder {
 public:
  explicit TextAdder(Table<char>& table) : table_(table) {
    const TextStarts texts = TextStarts::of(table);
    for (std::size_t i = 0; i < texts.starts.size(); ++i) offsets_.try_emplace(std::string(text(texts, i)), texts.starts[i]);
  }

  std::uint32_t add(std::string_view text) {
    const auto found = offsets_.find(text);
    if (found != offsets_.end()) return found->second;
    const auto offset = static_cast<std::uint32_t>(table_.size());
    table_.items.insert(table_.items.end(), text.begin(), text.end());
    table_.items.push_back('\0');
    offsets_.emplace(text, offset);
    return offset;
  }

  /// Adds the texts that lines lead to in another table, and leads them here; beyond its end is an empty text. Lines may lead into the
  /// middle of a text: it is added once, from the first of these places on, however many there are.
  void take(const Table<char>& from, std::vector<Line>& lines) {
    const TextStarts texts = TextStarts::of(from);
    std::map<std::size_t, std::uint32_t> firsts;  // of each text: the first offset in it
    for (const Line& line : lines) {
      if (line.file >= texts.size) continue;
      const auto [at, is_new] = firsts.try_emplace(texts.index_of(line.file), line.file);
      if (!is_new) at->second = std::min(at->second, line.file);
    }
    std::map<std::size_t, std::uint32_t> places;
    for (Line& line : lines) {
      if (line.file >= texts.size) {
        line.file = add("");
        continue;
      }
      const std::size_t index = texts.index_of(line.file);
      const std::uint32_t first = firsts.at(index);
      const auto [place, is_new] = places.try_emplace(index, 0);
      if (is_new) {
        std::string_view text(from.items.data() + first, texts.end_of(index) - first);
        if (text.ends_with('\0')) text.remove_suffix(1);
        place->second = add(text);
      }
      line.file = place->second + (line.file - first);
    }
  }

 private:
  std::string_view text(const TextStarts& texts, std::size_t index) const {
    std::string_view found(table_.items.data() + texts.starts[index], texts.end_of(index) - texts.starts[index]);
    if (found.ends_with('\0')) found.remove_suffix(1);
    return found;
  }

  Table<char>& table_;
  std::map<std::string, std::uint32_t, std::less<>> offsets_;
};

}  // namespace unshade::pica
