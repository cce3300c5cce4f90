// src: LLVM 19, lib/Support/YAMLTraits.cpp, class Output; observed: obj2yaml's output for the corpus, to the byte.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/text/characters.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/document.hpp>

namespace unshade::present {

namespace {

constexpr std::string_view kMark = "# unshade:";  // begins the lines of what LLVM does not say
constexpr std::size_t kKeyColumns = 16;           // values are in a column, keys permitting
constexpr std::size_t kWrapColumn = 70;           // lists go on in another line after it

/// Whether a text is a number of YAML 1.2: 12, -.5e3, 0x1f, 0o17, .inf, .nan.
bool is_number(std::string_view text) {
  constexpr std::string_view kNans[] = {".nan", ".NaN", ".NAN"};
  constexpr std::string_view kInfinities[] = {".inf", ".Inf", ".INF"};
  const auto is_one_of = [](std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  const auto digits_at = [](std::string_view from, std::string_view digits) {
    return std::min(from.find_first_not_of(digits), from.size());
  };
  constexpr std::string_view kDecimal = "0123456789";
  if (is_one_of(kNans, text)) return true;
  if (text.starts_with("0o")) return text.size() > 2 && digits_at(text.substr(2), "01234567") == text.size() - 2;
  if (text.starts_with("0x")) return text.size() > 2 && digits_at(text.substr(2), "0123456789abcdefABCDEF") == text.size() - 2;
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (is_one_of(kInfinities, text)) return true;
  const std::size_t whole = digits_at(text, kDecimal);
  text.remove_prefix(whole);
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    fraction = digits_at(text.substr(1), kDecimal);
    text.remove_prefix(1 + fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && digits_at(text, kDecimal) == text.size();
}

/// Whether LLVM takes the text for something else than a text: null, a boolean, a number.
bool looks_like_a_value(std::string_view text) {
  constexpr std::string_view kWords[] = {"null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"};
  return std::ranges::find(kWords, text) != std::end(kWords) || is_number(text);
}

enum class Quotes { none, single, twofold };

Quotes quotes_of(std::string_view text) {
  if (text.empty()) return Quotes::single;
  Quotes needed = Quotes::none;
  if (text.front() == ' ' || text.back() == ' ' || text.front() == '\t' || text.back() == '\t' || looks_like_a_value(text) ||
      std::string_view("-?:\\,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos)
    needed = Quotes::single;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c) || std::string_view("_-^., \t").find(c) != std::string_view::npos) continue;
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) return Quotes::twofold;
    needed = Quotes::single;
  }
  return needed;
}

class LlvmEmitter {
 public:
  explicit LlvmEmitter(Text& out) : out_(out) {}

  void members(const Value::Map& map, std::size_t indent, bool first_in_line = false) {
    for (const Value::Member& member : map) {
      if (!first_in_line) out_.repeat(' ', indent);
      first_in_line = false;
      out_ << member.key << ':';
      value_behind(member, indent);
    }
  }

 private:
  void value_behind(const Value::Member& member, std::size_t indent) {
    const Value& value = member.value;
    if (const auto* map = value.as_map()) {
      out_ << '\n';
      return members(*map, indent + 2);
    }
    const auto* list = value.as_list();
    const bool is_block = list != nullptr && !list->empty() && (list->front().as_map() != nullptr || list->front().as_list() != nullptr);
    if (is_block) {
      out_ << '\n';
      for (const Value& element : *list) {
        out_.repeat(' ', indent + 2) << "- ";
        if (const auto* map = element.as_map()) {
          members(*map, indent + 4, true);
        } else {
          flow(element, indent + 4);
        }
      }
      return;
    }
    out_.repeat(' ', member.key.size() < kKeyColumns ? kKeyColumns - member.key.size() : 1);
    const std::size_t column = indent + 1 + std::max(kKeyColumns, member.key.size() + 1);
    if (list != nullptr && list->empty() && !stands_in_line(member.key)) {
      out_ << "[]\n";
    } else if (list != nullptr || value.as_bytes() != nullptr) {
      flow(value, column);
    } else {
      single(value);
      out_ << '\n';
    }
  }

  /// An empty list of numbers prints otherwise than one of records, which only its name tells.
  static bool stands_in_line(std::string_view key) {
    constexpr std::string_view kLists[] = {"Indices", "PartOffsets", "PatchOrPrimMasks", "InputPatchMap", "PatchOutputMap"};
    return std::find(std::begin(kLists), std::end(kLists), key) != std::end(kLists);
  }

  void flow(const Value& value, std::size_t from) {
    out_ << "[ ";
    std::size_t column = from + 2;
    std::size_t count = 0;
    const auto next = [&](std::uint64_t number, bool hexadecimal) {
      if (count++ != 0) {
        out_ << ", ";
        column += 2;
      }
      if (column > kWrapColumn) {
        (out_ << '\n').repeat(' ', from) << "  ";
        column = from + 2;
      }
      const std::size_t before = out_.size();
      if (hexadecimal) {
        hex(number);
      } else {
        out_.dec(number);
      }
      column += out_.size() - before;
    };
    if (const auto* bytes = value.as_bytes()) {
      for (const std::byte b : *bytes) next(std::to_integer<std::uint64_t>(b), true);
    } else {
      for (const Value& element : *value.as_list())
        if (const auto* integer = element.as_integer()) next(integer->magnitude, integer->hexadecimal);
    }
    out_ << " ]\n";
  }

  void hex(std::uint64_t number) {
    char digits[16];
    char* at = std::end(digits);
    do {
      *--at = "0123456789ABCDEF"[number & 0xf];
      number >>= 4;
    } while (number != 0);
    out_ << "0x" << std::string_view(at, static_cast<std::size_t>(std::end(digits) - at));
  }

  void single(const Value& value) {
    if (const auto* boolean = value.as_boolean()) {
      out_ << (*boolean ? "true" : "false");
    } else if (const auto* integer = value.as_integer()) {
      if (integer->hexadecimal) return hex(integer->magnitude);
      if (integer->negative) out_ << '-';
      out_.dec(integer->magnitude);
    } else if (const auto* real = value.as_real()) {
      // obj2yaml prints six digits: these are as many as it takes to read the same number.
      const auto whole = static_cast<std::int64_t>(std::fabs(real->narrow) < 1e6F ? real->narrow : 0);
      if (static_cast<float>(whole) == real->narrow && !(whole == 0 && std::signbit(real->narrow))) {
        if (whole < 0) out_ << '-';
        out_.dec(static_cast<std::uint64_t>(whole < 0 ? -whole : whole));
      } else {
        out_.shortest(real->narrow);
      }
    } else if (const auto* text = value.as_text()) {
      quoted(*text);
    }
  }

  void quoted(std::string_view text) {
    switch (quotes_of(text)) {
      case Quotes::none: out_ << text; return;
      case Quotes::single:
        out_ << '\'';
        for (const char c : text) {
          if (c == '\'') out_ << '\'';
          out_ << c;
        }
        out_ << '\'';
        return;
      case Quotes::twofold:
        out_ << '"';
        for (const char c : text) {
          const auto code = static_cast<unsigned char>(c);
          if (c == '"' || c == '\\') {
            out_ << '\\' << c;
          } else if (c == '\n') {
            out_ << "\\n";
          } else if (c == '\r') {
            out_ << "\\r";
          } else if (code < 0x20 || code == 0x7f) {
            (out_ << "\\x").hex(code, 2);
          } else {
            out_ << c;
          }
        }
        out_ << '"';
        return;
    }
  }

  Text& out_;
};

}  // namespace

void print_llvm_yaml(Text& out, const shader::LlvmDocument& document) {
  out << "--- !dxcontainer\n";
  if (const auto* map = document.container.as_map()) LlvmEmitter(out).members(*map, 0);
  if (!document.rest.is(Value::Kind::null)) {
    Text rest;
    print_yaml(rest, document.rest);
    const auto text = rest.view();
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      out << kMark;
      if (end != at) out << ' ' << text.substr(at, end - at);
      out << '\n';
      at = end + 1;
    }
  }
  out << "...\n";
}

namespace {

/// `#unshade:`, ` # unshade :`: what was a line of ours before an edit.
bool is_like_mark(std::string_view line) {
  const auto skip = [&](std::string_view characters) { line.remove_prefix(std::min(line.find_first_not_of(characters), line.size())); };
  skip(" \t");
  if (!line.starts_with('#')) return false;
  skip("# \t");
  constexpr std::string_view kWord = "unshade";
  return line.size() > kWord.size() && same_letters(line.substr(0, kWord.size()), kWord) && !is_name_character(line[kWord.size()]) &&
         line.find(':', kWord.size()) != std::string_view::npos;
}

}  // namespace

Result<std::string> llvm_rest(std::string_view text) {
  // All else becomes blanks, so that places stay.
  std::string rest;
  bool any = false;
  rest.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    const bool is_ours = line.starts_with(kMark);
    any = any || is_ours;
    if (!is_ours && is_like_mark(line))
      return Error{ErrorCode::bad_value, at, {}, "expected `" + std::string(kMark) + "` at the start of the line"};
    if (is_ours) {
      rest.append(kMark.size(), ' ').append(line.substr(kMark.size()));
    } else {
      rest.append(line.size(), ' ');
    }
    if (end < text.size()) rest += '\n';
    at = end + 1;
  }
  return any ? rest : std::string();
}

}  // namespace unshade::present
