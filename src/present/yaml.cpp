// Values as YAML.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/utf8.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {

namespace {

constexpr std::size_t kColumns = 120;    // characters of a line, if it can be broken
constexpr std::size_t kHexBytes = 32;    // bytes in a line of a block of them
constexpr std::size_t kShortText = 100;  // characters of a text that may be among others in a line
constexpr std::size_t kSimpleKey =
    500;  // bytes of a key that stands before its colon in one line. src: YAML 1.2.2, 7.4.2: at most 1024 characters

/// Whether a text reads back as itself without quotes, in a line or alone. Not all texts of which this is true are found.
bool is_plain(std::string_view text) {
  if (text.empty() || text.back() == ' ' || !(is_name_start(text.front()) || text.front() == '$' || text.front() == '/')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c) || is_digit(c) || std::string_view("_$./()@+-").find(c) != std::string_view::npos) continue;
    if (c == ' ' && text[i + 1] != ' ') continue;
    return false;
  }
  // words that other readers take for something else
  constexpr std::string_view kWords[] = {"null", "true", "false", "yes", "no", "on", "off"};
  if (text.size() > 5) return true;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::find(std::begin(kWords), std::end(kWords), lower) == std::end(kWords);
}

/// Whether a text of lines reads back as itself as a literal block.
bool is_block(std::string_view text) {
  if (text.size() < 2 || text.find('\n') == std::string_view::npos) return false;
  if (text.front() == ' ' || text.front() == '\n' || text.front() == '\t' || text.find('\r') != std::string_view::npos) return false;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.bytes == 0 || !(is_visible(character.code) || character.code == '\n' || character.code == '\t')) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

/// A character that cannot stand for itself.
void escaped(Text& out, std::uint32_t code) {
  if (code < 0x100) {
    (out << "\\x").hex(code, 2);
  } else if (code < 0x10000) {
    (out << "\\u").hex(code, 4);
  } else {
    (out << "\\U").hex(code, 8);
  }
}

void quoted(Text& out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    Utf8Character character = first_character(text);
    if (character.bytes == 0) character = {static_cast<unsigned char>(text.front()), 1};
    switch (character.code) {
      case '"': out << "\\\""; break;
      case '\\': out << "\\\\"; break;
      case '\n': out << "\\n"; break;
      case '\r': out << "\\r"; break;
      case '\t': out << "\\t"; break;
      default:
        if (is_visible(character.code)) {
          out << text.substr(0, character.bytes);
        } else {
          escaped(out, character.code);
        }
    }
    text.remove_prefix(character.bytes);
  }
  out << '"';
}

void text_in_line(Text& out, std::string_view text) {
  if (is_plain(text)) {
    out << text;
  } else {
    quoted(out, text);
  }
}

void number(Text& out, const Integer& integer) {
  if (integer.negative) out << '-';
  if (integer.hexadecimal) {
    (out << "0x").hex(integer.magnitude);
  } else {
    out.dec(integer.magnitude);
  }
}

bool is_collection(const Value& value) { return value.is(Value::Kind::list) || value.is(Value::Kind::map); }

/// A single value that fits among others in a line.
bool is_short(const Value& value) {
  if (const auto* text = value.as_text()) return text->size() <= kShortText && !is_block(*text);
  if (const auto* bytes = value.as_bytes()) return bytes->size() <= kHexBytes;
  return !is_collection(value);
}

void single(Text& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null: out << "null"; break;
    case Value::Kind::boolean: out << (*value.as_boolean() ? "true" : "false"); break;
    case Value::Kind::integer: number(out, *value.as_integer()); break;
    case Value::Kind::real: {
      const Real& real = *value.as_real();
      if (real.single) {
        out.shortest(real.narrow);
      } else {
        out.shortest(real.wide);
      }
      break;
    }
    case Value::Kind::text: text_in_line(out, *value.as_text()); break;
    case Value::Kind::bytes:
      out << '"';
      append_hex(out, *value.as_bytes());
      out << '"';
      break;
    default: break;
  }
}

/// Prints in one line: lists of single values and of such lists; maps of single values and lists of them.
bool fits_in_line(const Value& value, unsigned depth = 0) {
  if (is_short(value)) return true;
  if (depth >= 2) return false;
  if (const auto* list = value.as_list()) {
    return std::all_of(list->begin(), list->end(),
                       [&](const Value& v) { return is_short(v) || (v.as_list() && fits_in_line(v, depth + 1)); });
  }
  if (const auto* map = value.as_map()) {
    return std::all_of(map->begin(), map->end(), [&](const auto& m) { return fits_in_line(m.value, depth + 1); });
  }
  return false;
}

class Emitter {
 public:
  explicit Emitter(Text& out) : out_(out) {}

  /// A value after a key or a dash, from the end of that on. `indent`: of what is below.
  void value_behind(const Value& value, std::size_t indent) {
    if (!is_collection(value)) {
      out_ << ' ';
      alone(value, indent);
      return;
    }
    if (in_line(value, indent)) return;
    out_ << '\n';
    block(value, indent);
  }
  void document(const Value& value) {
    if (is_collection(value) && !(value.as_list() ? value.as_list()->empty() : value.as_map()->empty())) return block(value, 0);
    alone(value, 0);
  }

 private:
  std::size_t column() const {
    const auto all = out_.view();
    const auto line = all.rfind('\n');
    return line == std::string_view::npos ? all.size() : all.size() - line - 1;
  }

  void block(const Value& value, std::size_t indent) {
    if (const auto* map = value.as_map()) {
      for (const auto& member : *map) {
        out_.repeat(' ', indent);
        this->member(member, indent);
      }
    } else if (const auto* list = value.as_list()) {
      for (const Value& element : *list) {
        out_.repeat(' ', indent) << '-';
        this->element(element, indent + 2);
      }
    }
  }
  void member(const Value::Member& member, std::size_t indent) {
    const bool is_long = member.key.size() > kSimpleKey;
    if (is_long) out_ << "? ";
    text_in_line(out_, member.key);
    if (is_long) (out_ << '\n').repeat(' ', indent);
    out_ << ':';
    // lists are as deep as their key
    value_behind(member.value, member.value.is(Value::Kind::list) ? indent : indent + 2);
  }
  void element(const Value& element, std::size_t indent) {
    const auto* map = element.as_map();
    if (map == nullptr || map->empty() || in_line(element, indent)) {
      if (map == nullptr || map->empty()) value_behind(element, indent);
      return;
    }
    out_ << ' ';
    for (std::size_t i = 0; i < map->size(); ++i) {
      if (i != 0) out_.repeat(' ', indent);
      member((*map)[i], indent);
    }
  }

  /// In the line that has begun, if it fits; long lists of single values go on in lines of their own.
  bool in_line(const Value& value, std::size_t indent) {
    const auto* list = value.as_list();
    const bool wraps = list != nullptr && std::all_of(list->begin(), list->end(), is_short);
    if (!wraps && !fits_in_line(value)) return false;
    const std::size_t before = out_.size();
    const std::size_t from = column();
    out_ << ' ';
    flow(value);
    if (from + out_.size() - before <= kColumns) {
      out_ << '\n';
      return true;
    }
    out_.truncate(before);
    if (!wraps) return false;
    // A list of records that are texts, or of few, reads better a line each.
    if (list->size() <= 8 && std::any_of(list->begin(), list->end(), [](const Value& v) { return v.is(Value::Kind::text); })) return false;
    out_ << " [";
    const std::size_t inner = indent + 2;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::size_t here = out_.size();
      if (i != 0) out_ << ", ";
      single(out_, (*list)[i]);
      if (column() <= kColumns || i == 0) continue;
      Text moved;
      single(moved, (*list)[i]);
      out_.truncate(here);
      (out_ << ",\n").repeat(' ', inner) << moved.view();
    }
    out_ << "]\n";
    return true;
  }
  void flow(const Value& value) {
    if (const auto* list = value.as_list()) {
      out_ << '[';
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (i != 0) out_ << ", ";
        flow((*list)[i]);
      }
      out_ << ']';
    } else if (const auto* map = value.as_map()) {
      out_ << '{';
      for (std::size_t i = 0; i < map->size(); ++i) {
        if (i != 0) out_ << ", ";
        text_in_line(out_, (*map)[i].key);
        out_ << ": ";
        flow((*map)[i].value);
      }
      out_ << '}';
    } else {
      single(out_, value);
    }
  }
  /// A single value up to its line end.
  void alone(const Value& value, std::size_t indent) {
    const std::size_t inner = std::max<std::size_t>(indent, 2);
    if (const auto* bytes = value.as_bytes(); bytes != nullptr && bytes->size() > kHexBytes) {
      out_ << "|\n";
      for (std::size_t at = 0; at < bytes->size(); at += kHexBytes) {
        out_.repeat(' ', inner);
        append_hex(out_, std::span(*bytes).subspan(at, std::min(kHexBytes, bytes->size() - at)));
        out_ << '\n';
      }
      return;
    }
    if (const auto* text = value.as_text(); text != nullptr && is_block(*text)) return lines(*text, inner);
    if (is_collection(value)) {
      flow(value);
    } else {
      single(out_, value);
    }
    out_ << '\n';
  }
  void lines(std::string_view text, std::size_t indent) {
    const bool ends = text.back() == '\n';
    const bool ends_twice = ends && text[text.size() - 2] == '\n';
    out_ << (ends_twice ? "|+\n" : ends ? "|\n" : "|-\n");
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      if (end != at) out_.repeat(' ', indent) << text.substr(at, end - at);
      out_ << '\n';
      at = end + 1;
    }
  }

  Text& out_;
};

}  // namespace

void append_hex(Text& out, std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  char* to = out.grow(2 * bytes.size());
  for (const std::byte b : bytes) {
    *to++ = kDigits[static_cast<std::size_t>(b) >> 4];
    *to++ = kDigits[static_cast<std::size_t>(b) & 15];
  }
  out.commit(to);
}

void print_yaml(Text& out, const Value& value) { Emitter(out).document(value); }

}  // namespace unshade::present
