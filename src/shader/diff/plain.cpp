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

/// Writes a line without numbers, which is never longer, and returns its end. Names are taken out of it already.
char* write_plain_line(const NumberRules& rules, std::string_view line, char* out) {
  const auto holds = [&](std::string_view text) { return !text.empty() && line.find(text) != std::string_view::npos; };
  if (holds(rules.constant)) return out;
  const bool is_type = holds(rules.type);
  bool keeps_next = holds(rules.operation);
  bool is_first = true;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (is_name_start(c)) {
      do {
        *out++ = line[at++];
      } while (at < line.size() && (is_name_character(line[at]) || (rules.keeps_words && line[at] == '.')));
      if (!rules.keeps_words && !std::exchange(is_first, false))
        while (is_digit(out[-1])) --out;  // a word does not begin with one
    } else if (is_digit(c)) {
      const std::size_t length = number_length(line, at);
      if (is_type || std::exchange(keeps_next, false)) out = std::copy_n(line.data() + at, length, out);
      at += length;
    } else if (c == '"') {
      at = std::min(line.find('"', at + 1), line.size() - 1) + 1;
      *out++ = '"';
    } else {
      ++at;
      const bool is_sign = c == '-' && at < line.size() && is_digit(line[at]);  // goes with its number
      if (!is_sign) *out++ = c;
    }
  }
  return out;
}

}  // namespace

std::string plain_listing(Syntax syntax, std::string listing) {
  const NumberRules& rules = number_rules(syntax);
  std::string plain;
  if (syntax == Syntax::fxc) {
    // no names are taken out of its lines, so they need not be told apart
    plain.resize(listing.size() + 1);  // with an end for the last line
    char* out = plain.data();
    for (std::string_view rest = listing; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty() || line.starts_with("//")) continue;
      char* const end_of_line = write_plain_line(rules, line, out);
      if (end_of_line == out) continue;
      out = end_of_line;
      *out++ = '\n';
    }
    plain.resize(static_cast<std::size_t>(out - plain.data()));
    return plain;
  }
  TextNumbers skeletons;
  const ScannedListing scanned = scan_listing(syntax, std::move(listing), false, skeletons);
  std::vector<std::string> lines;
  for (const std::string_view text : skeletons.texts()) {
    std::string& line = lines.emplace_back(text.size(), '\0');
    line.resize(static_cast<std::size_t>(write_plain_line(rules, text, line.data()) - line.data()));
  }
  for (const ScannedLine& line : scanned.lines)
    if (const std::string& text = lines[line.skeleton]; !text.empty()) (plain += text) += '\n';
  return plain;
}

}  // namespace unshade::shader::diff
