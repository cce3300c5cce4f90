#include "index/listing_search.hpp"

#include <algorithm>
#include <array>

#include <unshade/core/text.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::index {

namespace {

/// Characters that stand for something else than themselves.
constexpr std::string_view kSpecial = ".[]()*+?{}|^$\\";

}  // namespace

LinePattern::~LinePattern() {
  if (is_compiled_) ::regfree(&compiled_);
}

std::string LinePattern::compile(const std::string& text, bool ignores_case) {
  const int status = ::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB | (ignores_case ? REG_ICASE : 0));
  is_compiled_ = status == 0;
  if (!ignores_case) literal_ = required_literal(text);
  if (is_compiled_) return {};
  std::array<char, 256> message{};
  ::regerror(status, &compiled_, message.data(), message.size());
  return message.data();
}

Result<void> LineSearch::check() const {
  std::string fault = LinePattern().compile(expression, ignores_case);
  if (!fault.empty()) return Error{ErrorCode::bad_value, 0, "regex", std::move(fault)};
  return {};
}

bool LinePattern::matches(std::string_view line) const {
#if defined(REG_STARTEND)
  regmatch_t range{};
  range.rm_eo = static_cast<regoff_t>(line.size());
  return ::regexec(&compiled_, line.data(), 0, &range, REG_STARTEND) == 0;
#else
  return ::regexec(&compiled_, std::string(line).c_str(), 0, nullptr, 0) == 0;
#endif
}

std::string required_literal(std::string_view expression) {
  // an alternative may be elsewhere: only expressions without any are looked into
  if (expression.find('|') != std::string_view::npos) return {};
  std::string best;
  std::string run;
  const auto end_run = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char c = expression[at];
    switch (c) {
      case '\\':
        // an escaped sign stands for itself; letters and digits have meanings of their own
        if (at + 1 < expression.size() && kSpecial.find(expression[at + 1]) != std::string_view::npos) {
          run += expression[++at];
        } else {
          end_run();
          ++at;
        }
        break;
      case '*':
      case '?':
      case '{':
        // what is before need not be there
        if (!run.empty()) run.pop_back();
        end_run();
        if (c == '{') at = std::min(expression.find('}', at), expression.size());
        break;
      case '+':
      case '.':
      case '^':
      case '$': end_run(); break;
      case '[': {
        end_run();
        // a bracket that is first, or first after ^, is a member
        std::size_t end = at + 1;
        if (end < expression.size() && expression[end] == '^') ++end;
        if (end < expression.size() && expression[end] == ']') ++end;
        for (int classes = 0; end < expression.size() && (expression[end] != ']' || classes != 0); ++end) {
          if (expression[end] == '[' && end + 1 < expression.size() &&
              std::string_view(":.=").find(expression[end + 1]) != std::string_view::npos)
            ++classes;
          if (expression[end] == ']' && classes != 0) --classes;
        }
        at = end;
        break;
      }
      case '(': return best.size() > run.size() ? best : run;  // a group may be optional: what is before it is enough
      case ')': return {};
      default: run += c;
    }
  }
  end_run();
  return best;
}

std::vector<ListedLine> matching_lines(View bytes, const LinePattern& pattern, std::size_t around) {
  std::vector<ListedLine> found;
  const auto opened = shader::open(bytes);
  if (!opened) return found;
  Text listing;
  if (!shader::disassemble(*opened, listing, {.checks = &shader::listing_checks()})) return found;
  listing << '\0';
  const std::string_view text = listing.view().substr(0, listing.size() - 1);
  if (text.find(pattern.literal()) == std::string_view::npos) return found;
  std::vector<std::string_view> lines;
  std::vector<std::size_t> matches;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.find(pattern.literal()) != std::string_view::npos && pattern.matches(line)) matches.push_back(lines.size());
    lines.push_back(line);
    at = end + 1;
  }
  std::size_t next = 0;  // the first line that is not shown yet
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::size_t match = matches[i];
    const std::size_t first = std::max(next, match - std::min(match, around));
    const std::size_t stop = std::min(lines.size(), match + 1 + std::min(around, lines.size()));
    for (std::size_t line = first; line < stop; ++line)
      found.push_back({line + 1, std::string(lines[line]), std::binary_search(matches.begin(), matches.end(), line)});
    next = std::max(next, stop);
  }
  return found;
}

}  // namespace unshade::index
