// Regular expressions of index, and lines.
#ifdef UNSHADE_HAS_DATABASE

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "fuzz/properties.hpp"
#include "index/line_pattern.hpp"

namespace unshade::fuzz {

std::string line_pattern(View file) {
  constexpr std::size_t kMostLines = 16;
  std::string_view text = file.text();
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  const std::string_view expression = next_line();
  const auto exact = index::LinePattern::compile(expression, false);
  const auto folded = index::LinePattern::compile(expression, true);
  if (!exact || !folded) return exact.has_value() || exact.error().path == "regex" ? "" : "an error is not about the expression";
  index::LineMatcher match_exact(*exact);
  index::LineMatcher match_folded(*folded);
  for (std::size_t i = 0; i < kMostLines && !text.empty(); ++i) {
    const std::string_view line = next_line();
    const auto outcome = match_exact.match(line);
    // matching one takes up to a second
    if (outcome == index::LineMatcher::Outcome::fault) return match_exact.fault().empty() ? "a fault has no reason" : "";
    if (match_folded.match(line) == index::LineMatcher::Outcome::fault) return {};
    if (outcome != match_exact.match(line)) return "the same line is matched another way";
    if (outcome == index::LineMatcher::Outcome::match && line.find(exact->literal()) == std::string_view::npos)
      return "a line matches without the text that it must have: " + std::string(exact->literal());
  }
  return {};
}

}  // namespace unshade::fuzz

#endif
