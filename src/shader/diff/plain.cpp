#include "shader/diff/plain.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/characters.hpp"
#include "shader/diff/lines.hpp"

namespace unshade::shader::diff {

namespace {

/// How the numbers of a syntax are told from the rest.
struct NumberRules {
  Syntax syntax;
  bool keeps_words = false;         ///< digits in words are part of types: `f32`, `i8`
  std::string_view constant = {};   ///< lines with it only define constants
  std::string_view type = {};       ///< lines with it define types by their numbers
  std::string_view operation = {};  ///< the first number after it is an opcode
};

constexpr NumberRules kNumberRules[] = {
    {.syntax = Syntax::fxc},
    {.syntax = Syntax::llvm, .keeps_words = true, .operation = "@dx.op."},
    {.syntax = Syntax::pica},
    {.syntax = Syntax::spirv, .keeps_words = true, .constant = "= OpConstant", .type = "= OpType"},
};

const NumberRules& number_rules(Syntax syntax) {
  return *std::find_if(std::begin(kNumberRules), std::end(kNumberRules), [&](const NumberRules& rules) { return rules.syntax == syntax; });
}

/// Of a number from `at` on: `12`, `1.5e+10`, `0x1f`, `1.#INF`.
std::size_t number_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_exponent_sign =
        (c == '+' || c == '-') && (text[end - 1] == 'e' || text[end - 1] == 'E') && !text.substr(at).starts_with("0x");
    if (!is_name_character(c) && c != '.' && c != '#' && !is_exponent_sign) break;
    ++end;
  }
  return end - at;
}

/// Neither a quote nor part of a word or number.
constexpr bool is_plain_mark(char c) { return c != '"' && c != '-' && !is_name_start(c) && !is_digit(c); }

/// Adds a line without numbers. Names are taken out of it already.
void add_plain_line(const NumberRules& rules, std::string_view line, std::string& plain) {
  const auto holds = [&](std::string_view text) { return !text.empty() && line.find(text) != std::string_view::npos; };
  if (holds(rules.constant)) return;
  const bool is_type = holds(rules.type);
  bool keeps_next = holds(rules.operation);
  bool is_first = true;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    std::size_t length = 1;
    if (c == '"') {
      const std::size_t end = line.find('"', at + 1);
      length = std::min(end, line.size() - 1) + 1 - at;
      plain += '"';
    } else if (is_name_start(c)) {
      while (at + length < line.size() && (is_name_character(line[at + length]) || (rules.keeps_words && line[at + length] == '.')))
        ++length;
      std::string_view word = line.substr(at, length);
      if (!rules.keeps_words && !std::exchange(is_first, false))
        while (is_digit(word.back())) word.remove_suffix(1);
      plain += word;
    } else if (is_digit(c)) {
      length = number_length(line, at);
      if (is_type || std::exchange(keeps_next, false)) plain += line.substr(at, length);
    } else if (c == '-' && at + 1 < line.size() && is_digit(line[at + 1])) {
      // the sign of a number goes with it
    } else {
      while (at + length < line.size() && is_plain_mark(line[at + length])) ++length;
      plain += line.substr(at, length);
    }
    at += length;
  }
}

}  // namespace

std::string plain_listing(Syntax syntax, std::string listing) {
  const NumberRules& rules = number_rules(syntax);
  std::string plain;
  if (syntax == Syntax::fxc) {
    // no names are taken out of its lines, so they need not be told apart
    plain.reserve(listing.size());
    for (std::string_view rest = listing; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty() || line.starts_with("//")) continue;
      const std::size_t before = plain.size();
      add_plain_line(rules, line, plain);
      if (plain.size() != before) plain += '\n';
    }
    return plain;
  }
  TextNumbers skeletons;
  const ScannedListing scanned = scan_listing(syntax, std::move(listing), false, skeletons);
  std::vector<std::string> lines;
  for (const std::string_view text : skeletons.texts()) add_plain_line(rules, text, lines.emplace_back());
  for (const ScannedLine& line : scanned.lines)
    if (const std::string& text = lines[line.skeleton]; !text.empty()) (plain += text) += '\n';
  return plain;
}

}  // namespace unshade::shader::diff
