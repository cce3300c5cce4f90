// read: aemstro_as.py and its test.vsh; nihstro's docs/nihcode_spec.md, docs/instruction_set.md and examples
#include <unshade/pica/text_language.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <unshade/core/text/characters.hpp>

#include "pica/characters.hpp"
#include "pica/directive_names.hpp"
#include "pica/mnemonics.hpp"

namespace unshade::pica {

using characters::same;

namespace {

constexpr std::string_view kAemstro = "aemstro";
constexpr std::string_view kNihstro = "nihstro";
constexpr std::string_view kAround = " \t\r";

/// Words of a line, separated by blanks and commas; only the first few matter.
struct LineWords {
  explicit LineWords(std::string_view line) {
    while (count < words.size()) {
      const std::size_t from = line.find_first_not_of(" \t\r,");
      if (from == std::string_view::npos) break;
      line.remove_prefix(from);
      const std::size_t end = std::min(line.find_first_of(" \t\r,"), line.size());
      words[count++] = line.substr(0, end);
      line.remove_prefix(end);
    }
  }
  std::string_view operator[](std::size_t at) const { return at < count ? words[at] : std::string_view(); }

  std::array<std::string_view, 8> words;
  std::size_t count = 0;
};

bool is_number(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return hex_digit(c) >= 0; });
}

/// `c5`
bool is_register(std::string_view text) {
  return text.size() > 1 && std::string_view("vorcib").find(text[0]) != std::string_view::npos && is_digit(text[1]) &&
         std::ranges::all_of(text.substr(1), is_digit);
}

/// `c0-c3`
bool is_register_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  return dash != std::string_view::npos && is_register(text.substr(0, dash)) && is_register(text.substr(dash + 1));
}

bool is_aemstro(std::string_view line, const LineWords& words) {
  const std::string_view first = words[0];
  if (same(first, ".opdesc") || same(first, ".vsh") || (same(first, "flush") && words.count == 1)) return true;
  if (same(first, ".out")) return is_register(words[1]) && words[2].starts_with("result.");
  if (same(first, ".const")) return line.find(',') != std::string_view::npos && (is_number(words[1]) || is_register(words[1]));
  if (same(first, ".uniform")) return is_number(words[1]) && is_number(words[2]) && words.count == 4;
  // `(0x4)` after the operands: the descriptor
  const std::size_t open = line.rfind('(');
  const std::size_t close = line.find_last_not_of(kAround);
  return mnemonics::find(first) != Opcode::unknown && open != std::string_view::npos && line[close] == ')' && close > open &&
         is_number(line.substr(open + 1, close - open - 1));
}

bool is_nihstro(const LineWords& words) {
  const std::string_view first = words[0];
  const auto has = [&](std::string_view word) {
    return std::find(words.words.begin() + 1, words.words.begin() + words.count, word) != words.words.begin() + words.count;
  };
  if (same(first, ".alias")) return same(words[3], "as") || is_register_range(words[2]);
  if (same(first, ".include")) return words[1].starts_with('"');
  if (same(first, "call")) return same(words[2], "until");
  if (same(first, "jmp")) return same(words[2], "if");
  if (same(first, "cmp")) return std::ranges::any_of(std::array<std::string_view, 6>{"==", "!=", "<", "<=", ">", ">="}, has);
  return false;
}

/// Words that nihstro has, but other languages too.
bool may_be_nihstro(std::string_view line, const LineWords& words) {
  const std::string_view first = words[0];
  if (same(first, "endif") || same(first, "endloop") || same(first, "else")) return words.count == 1;
  return (same(first, "loop") && words.count == 2) || (same(first, "if") && line.find('(') == std::string_view::npos);
}

}  // namespace

std::optional<Dialect> dialect_of(std::string_view text) {
  std::optional<Dialect> sign;
  std::optional<Dialect> candidate;  // if it has instructions of the PICA200
  bool has_instructions = false;
  bool begins_as_program = false;  // by a label or directive
  bool is_first = true;
  for (std::uint32_t number = 1; !text.empty() && !(sign && has_instructions); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(kAround);
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    const auto found = [&](std::string_view tool) {
      const std::size_t last = line.find_last_not_of(kAround);
      constexpr std::size_t kShown = 48;
      return Dialect{tool, number, static_cast<std::uint32_t>(begin + 1), line.substr(0, std::min(last + 1, kShown))};
    };
    if (line.starts_with("//") && !candidate) candidate = found(kNihstro);
    line = line.substr(0, std::min({line.find(';'), line.find("//"), line.find('#')}));
    const LineWords words(line);
    if (words.count == 0) continue;
    if (std::exchange(is_first, false)) begins_as_program = words[0].starts_with('.') || (words.count == 1 && words[0].ends_with(':'));
    has_instructions = has_instructions || mnemonics::find(words[0]) != Opcode::unknown;
    if (sign) continue;
    if (is_aemstro(line, words)) {
      sign = found(kAemstro);
    } else if (is_nihstro(words)) {
      sign = found(kNihstro);
    } else if (may_be_nihstro(line, words) && !candidate) {
      candidate = found(kNihstro);
    }
  }
  const bool is_weak = !sign;
  if (is_weak && has_instructions) sign = candidate;
  if (sign) sign->is_certain = has_instructions && (!is_weak || begins_as_program);
  return sign;
}

std::optional<NoProgram> no_program_in(std::string_view text) {
  // beside instructions: what opens and closes blocks, and constants of the older linker
  constexpr std::array<std::string_view, 8> kOthers{"else", "endif", "endloop", "end", "def", "defi", "defb", "alias"};
  NoProgram made;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view line = whole.substr(0, std::min({whole.find(';'), whole.find("//"), whole.find('#')}));
    LineWords words(line);
    if (words.count == 0) continue;
    std::size_t first = 0;
    while (first + 1 < words.count && words[first].ends_with(':')) ++first;
    const std::string_view word = words[first];
    const bool is_label = words.count == 1 && word.ends_with(':');
    const bool is_known = is_label || word.starts_with('.') || mnemonics::find(word) != Opcode::unknown ||
                          std::ranges::any_of(kOthers, [&](std::string_view one) { return same(word, one); });
    if (++made.statements == 1 && word.starts_with('.')) return std::nullopt;
    if (is_known || made.unknown++ != 0) continue;
    made.line = number;
    made.column = static_cast<std::uint32_t>(word.data() - whole.data() + 1);
    made.word = word;
  }
  return made.unknown * 2 > made.statements ? std::optional(made) : std::nullopt;
}

bool is_directive(std::string_view word) {
  if (!word.starts_with('.')) return false;
  word.remove_prefix(1);
  return std::ranges::any_of(directive_names::kAll, [&](std::string_view one) { return same(word, one); });
}

}  // namespace unshade::pica
