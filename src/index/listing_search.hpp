// Lines of listings that match a regular expression.
#pragma once

#include <regex.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/index/search.hpp>

namespace unshade::index {

/// An extended regular expression of POSIX.
class LinePattern {
 public:
  LinePattern() = default;
  LinePattern(const LinePattern&) = delete;
  LinePattern& operator=(const LinePattern&) = delete;
  ~LinePattern();

  /// Returns what is wrong, or nothing.
  std::string compile(const std::string& text, bool ignores_case);
  /// Whether a line matches. For several threads, each with its own LinePattern. `line` is of a text with a zero after it:
  /// AddressSanitizer's regexec() does not know REG_STARTEND and reads up to a zero.
  bool matches(std::string_view line) const;
  /// A text that each line that matches has; empty if none is known.
  std::string_view literal() const { return literal_; }

 private:
  regex_t compiled_{};
  bool is_compiled_ = false;
  std::string literal_;
};

/// The longest text that is in all that an expression matches; empty where that is not easily told.
std::string required_literal(std::string_view expression);

/// The lines of a shader's listing that match, with `around` lines before and after each. None if there is no listing.
std::vector<ListedLine> matching_lines(View bytes, const LinePattern& pattern, std::size_t around);

}  // namespace unshade::index
