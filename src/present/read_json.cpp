// Values of JSON. src: RFC 8259
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/utf8.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {

namespace {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Result<Value> document() {
    if (const std::size_t valid = valid_utf8(text_); valid != text_.size()) return Error{ErrorCode::bad_value, valid, "", "not UTF-8"};
    Value value;
    blanks();
    if (!read(value, 0)) return std::move(*error_);
    blanks();
    if (at_ != text_.size()) return Error{ErrorCode::bad_value, at_, "", "text after the document"};
    return value;
  }

 private:
  bool fail(std::string message, ErrorCode code = ErrorCode::bad_value) {
    error_ = Error{code, at_, "", std::move(message)};
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(char c) {
    blanks();
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    blanks();
    return true;
  }

  bool read(Value& value, unsigned depth) {
    if (depth > limits::kDocumentNesting) return fail("lists and maps are nested too deeply", ErrorCode::limit);
    const std::size_t start = at_;
    if (!read_kind(value, depth)) return false;
    value.text_offset = static_cast<std::uint32_t>(std::min<std::size_t>(start, std::numeric_limits<std::uint32_t>::max()));
    return true;
  }

  bool read_kind(Value& value, unsigned depth) {
    switch (peek()) {
      case '{': return map(value, depth);
      case '[': return list(value, depth);
      case '"': {
        std::string text;
        if (!string(text)) return false;
        value = Value::text(text);
        return true;
      }
      default: return word(value);
    }
  }

  bool list(Value& value, unsigned depth) {
    value = Value::list();
    ++at_;
    if (take(']')) return true;
    do {
      Value element;
      if (!read(element, depth + 1)) return false;
      value.push(std::move(element));
    } while (take(','));
    return take(']') || fail("expected , or ] after an element");
  }

  bool map(Value& value, unsigned depth) {
    value = Value::map();
    ++at_;
    if (take('}')) return true;
    do {
      const std::size_t start = at_;
      Value::Member member;
      if (peek() != '"') return fail("expected a key in quotes");
      if (!string(member.key)) return false;
      if (!take(':')) return fail("expected : after the key");
      if (!read(member.value, depth + 1)) return false;
      member.key_offset = static_cast<std::uint32_t>(std::min<std::size_t>(start, std::numeric_limits<std::uint32_t>::max()));
      value.as_map()->push_back(std::move(member));
    } while (take(','));
    if (!take('}')) return fail("expected , or } after a member");
    const auto twice = find_duplicate_key(*value.as_map());
    if (!twice) return true;
    at_ = twice->second.key_offset;
    return fail("duplicate key " + twice->second.key.substr(0, 64));
  }

  bool hex4(std::uint32_t& code) {
    const auto read = at_ + 4 <= text_.size() ? as_number<std::uint32_t>(text_.substr(at_, 4), 16) : std::nullopt;
    if (!read) return fail("expected four hexadecimal digits");
    at_ += 4;
    code = *read;
    return true;
  }

  bool string(std::string& out) {
    for (++at_;;) {
      const std::size_t end = text_.find_first_of("\"\\", at_);
      if (end == std::string_view::npos) return fail("a text must end with a quotation mark");
      const std::string_view plain = text_.substr(at_, end - at_);
      const auto control = std::ranges::find_if(plain, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
      if (control != plain.end()) {
        at_ += static_cast<std::size_t>(control - plain.begin());
        return fail("a text must not have control characters");
      }
      out += plain;
      at_ = end + 1;
      if (text_[end] == '"') return true;
      constexpr std::string_view kLetters = "\"\\/bfnrt";
      constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
      const char letter = peek();
      ++at_;
      if (const auto place = kLetters.find(letter); letter != '\0' && place != std::string_view::npos) {
        out += kMeanings[place];
        continue;
      }
      std::uint32_t code = 0;
      if (letter != 'u') return fail("unknown escape sequence");
      if (!hex4(code)) return false;
      if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
        at_ += 2;
        std::uint32_t low = 0;
        if (!hex4(low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail("incomplete surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else if (code >= 0xd800 && code < 0xe000) {
        return fail("incomplete surrogate pair");
      }
      append_utf8(out, code);
    }
  }

  bool word(Value& value) {
    const std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    const std::string_view text = text_.substr(at_, end - at_);
    const auto read = text == "null"    ? std::optional(Value())
                      : text == "true"  ? std::optional(Value::boolean(true))
                      : text == "false" ? std::optional(Value::boolean(false))
                                        : number(text);
    if (!read) return fail("expected a value");
    value = *read;
    at_ = end;
    return true;
  }

  static std::optional<Value> number(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || !is_digit(digits.front()) || !is_digit(digits.back())) return std::nullopt;
    if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return std::nullopt;
    if (const auto magnitude = as_number<std::uint64_t>(digits)) return Value::integer(Integer{*magnitude, negative, false});
    const auto real = as_real(digits);
    if (!real) return std::nullopt;
    return Value::real(negative ? negated(*real) : *real);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Value> read_json(std::string_view text) { return JsonReader(text).document(); }

}  // namespace unshade::present
