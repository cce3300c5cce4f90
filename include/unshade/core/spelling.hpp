// Names in messages, and typing mistakes: the name that a wrong one is probably meant to be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unshade {

/// A name in quotes. Names longer than any that a compiler writes are cut: messages must stay in proportion to the file.
inline std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 64;
  return '\'' + std::string(name.substr(0, kMost)) + (name.size() > kMost ? "...'" : "'");
}

/// Whether a pattern, in which `*` stands for any characters and `?` for one, fits all of a text.
inline bool fits_pattern(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t next = 0;
  std::size_t star = std::string_view::npos;  // the last one, which takes as few characters as it can
  std::size_t taken = 0;                      // where what it takes ends
  while (at < text.size()) {
    if (next < pattern.size() && pattern[next] == '*') {
      star = next++;
      taken = at;
    } else if (next < pattern.size() && (pattern[next] == '?' || pattern[next] == text[at])) {
      ++next;
      ++at;
    } else if (star != std::string_view::npos) {
      next = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', next) == std::string_view::npos;
}

/// Letters to insert, drop, replace or exchange with their neighbour to get from one word to the other.
inline std::size_t spelling_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // the row above the one above
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Finds the name nearest to a word among those that it considers: at most two letters off, which is less than half of the word.
class Nearest {
 public:
  explicit Nearest(std::string_view word) : word_(word), best_(word.size() > 64 ? 0 : std::min<std::size_t>(3, (word.size() + 2) / 2)) {}
  void consider(std::string_view known) {
    // each letter that one of them has more has to be inserted
    const std::size_t more = std::max(word_.size(), known.size()) - std::min(word_.size(), known.size());
    if (more >= best_ || known.size() > 64) return;
    if (const std::size_t far = spelling_distance(word_, known); far < best_) {
      best_ = far;
      name_ = known;
    }
  }
  const std::string& name() const { return name_; }
  /// `; did you mean ...?`, or nothing if no name is near, or the word itself is a name.
  std::string question() const { return name_.empty() || name_ == word_ ? std::string() : "; did you mean `" + name_ + "`?"; }

 private:
  std::string_view word_;
  std::size_t best_;
  std::string name_;
};

/// `message`, and the name nearest to `word` as a question.
template <class Names>
std::string with_nearest(std::string message, std::string_view word, const Names& names) {
  Nearest nearest(word);
  for (const auto& name : names) nearest.consider(name);
  return message + nearest.question();
}

}  // namespace unshade
