#include "shader/diff/plain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>

#include "shader/diff/scanner.hpp"

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

/// What a line consists of.
enum class Kind : std::uint8_t { other, name_start, digit, quote, minus };
constexpr auto kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    if (is_name_start(static_cast<char>(c))) kinds[c] = Kind::name_start;
    if (is_digit(static_cast<char>(c))) kinds[c] = Kind::digit;
  }
  kinds['"'] = Kind::quote;
  kinds['-'] = Kind::minus;
  return kinds;
}();

// What goes on with what one of them began.
constexpr CharacterSet kWord = CharacterSet("").with_name_characters();
constexpr CharacterSet kTypeWord = CharacterSet(".").with_name_characters();
constexpr CharacterSet kNumber = CharacterSet(".#").with_name_characters();

/// Where a number ends: `12`, `1.5e+10`, `0x1f`, `1.#INF`.
const char* number_end(const char* begin, const char* end) {
  for (const char* at = begin;; ++at) {
    while (at != end && kNumber.has(*at)) ++at;
    const bool is_exponent_sign = at != end && (*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E');
    if (!is_exponent_sign || std::string_view(begin, end).starts_with("0x")) return at;
  }
}

/// Writes a line without numbers, which is never longer, and returns its end. Names are taken out of it already.
template <bool keeps_words>
char* write_plain_line(const NumberRules& rules, std::string_view line, char* out) {
  const auto holds = [&](std::string_view text) { return !text.empty() && line.find(text) != std::string_view::npos; };
  if (holds(rules.constant)) return out;
  const bool is_type = holds(rules.type);
  const std::size_t operation = rules.operation.empty() ? std::string_view::npos : line.find(rules.operation);
  const char* const end = line.data() + line.size();
  const char* const after_operation = operation != std::string_view::npos ? line.data() + operation : end;
  bool keeps_next = true;
  bool is_first = true;
  for (const char* at = line.data(); at != end;) {
    switch (kKinds[static_cast<unsigned char>(*at)]) {
      case Kind::name_start:
        do *out++ = *at++;
        while (at != end && (keeps_words ? kTypeWord : kWord).has(*at));
        if (!keeps_words && !std::exchange(is_first, false))
          while (is_digit(out[-1])) --out;  // a word does not begin with one
        break;
      case Kind::digit: {
        const char* const after = number_end(at, end);
        if (is_type || (at > after_operation && std::exchange(keeps_next, false))) out = std::copy(at, after, out);
        at = after;
        break;
      }
      case Kind::quote: {
        const auto close = line.find('"', static_cast<std::size_t>(at - line.data()) + 1);
        at = close != std::string_view::npos ? line.data() + close + 1 : end;
        *out++ = '"';
        break;
      }
      case Kind::minus:
        ++at;
        if (at == end || !is_digit(*at)) *out++ = '-';  // else it goes with its number
        break;
      case Kind::other: *out++ = *at++; break;
    }
  }
  return out;
}

/// Writes the lines one after the other.
class PlainLines {
 public:
  PlainLines(Syntax syntax, std::size_t listing_size) : rules_(number_rules(syntax)), most_metadata_(listing_size) {
    plain_.resize(listing_size + 1);  // with an end for the last line
    out_ = plain_.data();
  }

  /// Only metadata may be left out for want of a name.
  void name(std::string_view text, bool defines, std::uint32_t) {
    if (text[0] != '!') return;
    std::size_t number = 0;
    const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (read.ec != std::errc() || number >= most_metadata_) return;  // a line for each would not fit into the listing
    if (number >= defined_in_.size()) defined_in_.resize(number + 1, kNoLine);
    names_.push_back(static_cast<std::uint32_t>(number));
    if (defines && defined_in_[number] == kNoLine) defined_in_[number] = static_cast<std::uint32_t>(lines_.size());
  }
  void label(std::string_view, std::uint32_t) {}

  void line(std::string_view skeleton, std::string_view line, std::size_t, std::uint32_t) {
    char* const begin = out_;
    out_ = (rules_.keeps_words ? write_plain_line<true> : write_plain_line<false>)(rules_, skeleton, out_);
    if (out_ != begin) *out_++ = '\n';
    if (names_.size() == first_name_) return;
    lines_.push_back({offset(begin), offset(out_), first_name_, names_.size() - first_name_, is_metadata(line)});
    first_name_ = names_.size();
  }

  std::string take() {
    const std::vector<bool> reached = reached_lines(
        lines_.size(), [&](std::size_t i) { return lines_[i].is_metadata; },
        [&](std::size_t i) { return std::span(names_).subspan(lines_[i].first_name, lines_[i].name_count); }, defined_in_);
    const char* from = plain_.data();
    char* to = plain_.data();
    const auto keep_until = [&](const char* end) {
      to = std::copy(from, end, to);
      from = end;
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (reached[i]) continue;
      keep_until(plain_.data() + lines_[i].begin);
      from = plain_.data() + lines_[i].end;
    }
    keep_until(out_);
    plain_.resize(offset(to));
    return std::move(plain_);
  }

 private:
  /// One that refers to metadata, or defines it.
  struct Line {
    std::size_t begin;  ///< in the plain listing
    std::size_t end;
    std::size_t first_name;  ///< in names_
    std::size_t name_count;
    bool is_metadata;
  };

  std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - plain_.data()); }

  const NumberRules& rules_;
  std::size_t most_metadata_;
  std::string plain_;
  char* out_ = nullptr;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> names_;       // numbers of metadata
  std::vector<std::uint32_t> defined_in_;  // by their numbers: of lines_
  std::size_t first_name_ = 0;             // of the line at hand
};

}  // namespace

std::string plain_listing(Syntax syntax, std::string_view listing) {
  PlainLines lines(syntax, listing.size());
  Scanner(syntax, lines).run(listing, false);
  return lines.take();
}

}  // namespace unshade::shader::diff
