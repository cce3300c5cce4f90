// A regular expression that is looked for in lines.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>

struct pcre2_real_code_8;
struct pcre2_real_match_context_8;
struct pcre2_real_match_data_8;

namespace unshade::index {

struct PatternFree {
  void operator()(pcre2_real_code_8* code) const;
  void operator()(pcre2_real_match_context_8* context) const;
  void operator()(pcre2_real_match_data_8* data) const;
};

/// A Perl-compatible expression, of characters in UTF-8. Threads may share it.
class LinePattern {
 public:
  /// An error has the path `regex`, and its message names the place in the expression.
  static Result<LinePattern> compile(std::string_view expression, bool ignores_case);
  /// A text that each line that matches has; empty if none is known.
  std::string_view literal() const { return literal_; }

 private:
  friend class LineMatcher;
  using Code = std::unique_ptr<pcre2_real_code_8, PatternFree>;

  Code code_;
  Code counted_;  // the same, with a call before each item
  std::string literal_;
};

/// Matches lines, in bounds of time and memory. For one thread.
class LineMatcher {
 public:
  explicit LineMatcher(const LinePattern& pattern);

  enum class Outcome { no_match, match, fault };
  /// Bytes that are not UTF-8 match nothing. A fault is a bound that was reached before it was known whether the line matches.
  Outcome match(std::string_view line);
  /// What kept the last line from being matched: `match limit exceeded`.
  std::string fault() const;

 private:
  const LinePattern* pattern_;
  std::unique_ptr<pcre2_real_match_context_8, PatternFree> context_;
  std::unique_ptr<pcre2_real_match_data_8, PatternFree> data_;
  int status_ = 0;
};

/// The longest text that is in all that an expression matches; empty where that is not easily told.
std::string required_literal(std::string_view expression);

}  // namespace unshade::index
