#include <unshade/present/value.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace unshade::present {
namespace {

constexpr std::size_t kShownLines = 64;
/// Numbers in a line, of elements that are numbers.
constexpr std::size_t kNumbersInLine = 8;
constexpr std::size_t kWordsInLine = 4;

// Lines by number, those that repeat the line before counted: `line` says what is in one, `name` what it begins with.
void print_lines(std::size_t count, const std::function<std::string(std::size_t)>& line,
                 const std::function<std::string(std::size_t)>& name, Printer& out) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < count; ++at) width = std::max(width, at < kShownLines || at + 1 == count ? name(at).size() : 0);
  std::string before;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < count;) {
    if (shown++ == kShownLines) {
      out.text << "  ... ";
      out.text.dec(count - at);
      out.text << (count - at == 1 ? " more line\n" : " more lines\n");
      return;
    }
    before = line(at);
    const std::string head = name(at);
    out.text << "  ";
    out.painted(Paint::faint, head);
    out.text << std::string(width - head.size() + 2, ' ');
    print_safely(out.text, before);
    out.text << '\n';
    std::size_t same = at + 1;
    while (same < count && line(same) == before) ++same;
    if (const std::size_t repeats = same - at - 1; repeats != 0) {
      out.text << "  ";
      out.painted(Paint::faint, "... ");
      out.text.dec(repeats);
      out.text << (repeats == 1 ? " line" : " lines") << " like it\n";
    }
    at = same;
  }
}

std::string text_of(const Value& value) {
  Text text;
  print_value(value, text);
  return text.str();
}

// `width`: texels of a row, 0 of what is no texture.
void print_list(const Value& values, std::size_t width, Printer& out) {
  const Value::List& list = *values.as_list();
  std::size_t per_line = !list.empty() && list.front().as_list() == nullptr && list.front().as_map() == nullptr ? kNumbersInLine : 1;
  while (width != 0 && width % per_line != 0) --per_line;
  print_lines((list.size() + per_line - 1) / per_line,
              [&](std::size_t line) {
                std::string text;
                for (std::size_t at = line * per_line; at < std::min(list.size(), (line + 1) * per_line); ++at)
                  text += (text.empty() ? "" : "  ") + text_of(list[at]);
                return text;
              },
              [&](std::size_t line) {
                const std::size_t at = line * per_line;
                return '[' + (width == 0 ? std::to_string(at) : std::to_string(at % width) + ", " + std::to_string(at / width)) + ']';
              },
              out);
}

void print_words(std::string_view hex, Printer& out) {
  std::vector<std::byte> bytes;
  from_hex(hex, bytes);
  const std::size_t words = bytes.size() / 4;
  print_lines((words + kWordsInLine - 1) / kWordsInLine,
              [&](std::size_t line) {
                Text text;
                for (std::size_t at = line * kWordsInLine; at < std::min(words, (line + 1) * kWordsInLine); ++at) {
                  std::uint32_t word = 0;
                  std::memcpy(&word, bytes.data() + at * 4, 4);
                  if (at % kWordsInLine != 0) text << "  ";
                  text.hex(word, 8);
                  text << " (";
                  text.shortest(std::bit_cast<float>(word));
                  text << ')';
                }
                return text.str();
              },
              [&](std::size_t line) {
                Text text;
                text.hex(static_cast<std::uint32_t>(line * kWordsInLine * 4), 4);
                return text.str();
              },
              out);
}

}  // namespace

void print_value(const Value& value, Text& out) {
  if (const Real* const real = value.as_real()) {
    real->single ? out.shortest(real->narrow) : out.shortest(real->wide);
  } else if (const Integer* const whole = value.as_integer()) {
    if (whole->negative) out << '-';
    out.dec(whole->magnitude);
  } else if (const std::string* const text = value.as_text()) {
    out << *text;
  } else if (const bool* const truth = value.as_boolean()) {
    out << (*truth ? "true" : "false");
  } else if (const Value::List* const list = value.as_list()) {
    for (const Value& one : *list) {
      if (&one != list->data()) out << ", ";
      const bool nested = one.as_list() != nullptr;
      if (nested) out << '(';
      print_value(one, out);
      if (nested) out << ')';
    }
  } else if (const Value::Map* const map = value.as_map()) {
    out << '{';
    for (const Value::Member& member : *map) {
      if (&member != map->data()) out << "; ";
      print_safely(out, member.key);
      out << " = ";
      print_value(member.value, out);
    }
    out << '}';
  }
}

void print_memory(const Value& resource, Printer& out) {
  const Value* const values = resource.find("values");
  if (values == nullptr) return print_words(*resource.find("hex")->as_text(), out);
  if (values->as_list() != nullptr) {
    const Value* const width = resource.find("width");
    return print_list(*values, width == nullptr ? 0 : static_cast<std::size_t>(width->as_integer()->magnitude), out);
  }
  for (const Value::Member& member : *values->as_map()) {
    out.text << "  ";
    print_safely(out.text, member.key);
    if (member.value.as_list() != nullptr && !member.value.as_list()->empty()) {
      out.text << '\n';
      print_list(member.value, 0, out);
      continue;
    }
    out.text << " = ";
    print_value(member.value, out.text);
    out.text << '\n';
  }
}

}  // namespace unshade::present
