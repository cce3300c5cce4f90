#include <algorithm>
#include <string>
#include <string_view>

#include <unshade/core/text/characters.hpp>

#include "index/line_pattern.hpp"

namespace unshade::index {

namespace {

constexpr std::size_t npos = std::string_view::npos;

/// Escapes that have no argument.
constexpr std::string_view kPlainEscapes = "dDwWsShHvVNRbBAzZGKXtnrfae";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // of a character in UTF-8

/// The place after the class whose bracket is at `at`; nowhere if that is not easily told.
std::size_t end_of_class(std::string_view expression, std::size_t at) {
  ++at;
  if (at < expression.size() && expression[at] == '^') ++at;
  // a bracket that is first is a member
  if (at < expression.size() && expression[at] == ']') ++at;
  while (at < expression.size()) {
    const char next = at + 1 < expression.size() ? expression[at + 1] : '\0';
    if (expression[at] == ']') return at + 1;
    if (expression[at] == '\\') {
      if (next == 'Q' || next == 'E' || next == 'c') return npos;
      at += 2;
    } else if (expression[at] == '[' && (next == ':' || next == '.' || next == '=')) {
      // [:alpha:]
      std::size_t end = at + 2;
      while (end < expression.size() && (is_letter(expression[end]) || expression[end] == '^')) ++end;
      if (next != ':' || !expression.substr(std::min(end, expression.size())).starts_with(":]")) return npos;
      at = end + 2;
    } else {
      ++at;
    }
  }
  return npos;
}

/// The place after the quantifier whose brace is at `at`; nowhere if it is none.
std::size_t end_of_quantifier(std::string_view expression, std::size_t at) {
  const std::size_t end = expression.find_first_not_of("0123456789, ", at + 1);
  return end != npos && expression[end] == '}' ? end + 1 : npos;
}

}  // namespace

// Reads from the left up to the first thing that could make what follows optional, or give it another meaning: what is before stays
// required.
std::string required_literal(std::string_view expression) {
  // an alternative may be elsewhere
  if (expression.find('|') != npos) return {};
  std::string best;
  std::string run;
  const auto end_run = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  const auto drop_character = [&] {
    while (!run.empty() && is_continuation(run.back())) run.pop_back();
    if (!run.empty()) run.pop_back();
  };
  std::size_t at = 0;
  while (at < expression.size()) {
    const char c = expression[at];
    switch (c) {
      case '\\': {
        if (at + 1 == expression.size()) return {};
        const char escaped = expression[at + 1];
        at += 2;
        if (escaped == 'Q') {
          const std::size_t end = std::min(expression.find("\\E", at), expression.size());
          run += expression.substr(at, end - at);
          at = std::min(end + 2, expression.size());
        } else if (!is_letter(escaped) && !is_digit(escaped)) {
          run += escaped;
        } else if (escaped != 'E') {
          end_run();
          if (kPlainEscapes.find(escaped) == npos) return best;
        }
        continue;
      }
      case '*':
      case '?':
        // what is before need not be there
        drop_character();
        end_run();
        break;
      case '{':
        drop_character();
        end_run();
        at = end_of_quantifier(expression, at);
        if (at == npos) return best;
        continue;
      case '[':
        end_run();
        at = end_of_class(expression, at);
        if (at == npos) return best;
        continue;
      case '+':
        // more may follow that quantifies all of it
        if (at + 1 < expression.size() && std::string_view("*?+{\\(").find(expression[at + 1]) != npos) drop_character();
        end_run();
        break;
      case '.':
      case '^':
      case '$': end_run(); break;
      case '(':
        // a comment may be between a character and its quantifier
        if (expression.substr(at).starts_with("(?")) drop_character();
        end_run();
        return best;
      case ')': return {};
      default: run += c;
    }
    ++at;
  }
  end_run();
  return best;
}

}  // namespace unshade::index
