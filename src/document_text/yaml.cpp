// libyaml's events become values. Events, not its documents: these would resolve aliases and keep far more in memory.
#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/value.hpp>

namespace unshade::document_text {

namespace {

/// A parser of libyaml over a text that outlives it.
class Parser {
 public:
  explicit Parser(std::string_view text) {
    if (yaml_parser_initialize(&parser_) == 0) return;
    is_ready_ = true;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() {
    if (is_ready_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// False at a fault, of which fault() tells.
  bool parse(yaml_event_t& event) { return is_ready_ && yaml_parser_parse(&parser_, &event) != 0; }
  const yaml_parser_t& fault() const { return parser_; }

 private:
  yaml_parser_t parser_{};
  bool is_ready_ = false;
};

/// Bytes before a character of a text. libyaml counts characters; its places mostly grow.
class ByteOffsets {
 public:
  explicit ByteOffsets(std::string_view text) : text_(text) {}

  std::size_t of(std::size_t character) {
    for (; character_ < character && byte_ < text_.size(); ++character_) {
      ++byte_;
      while (byte_ < text_.size() && continues(byte_)) ++byte_;
    }
    for (; character_ > character; --character_) {
      --byte_;
      while (byte_ > 0 && continues(byte_)) --byte_;
    }
    return byte_;
  }

 private:
  bool continues(std::size_t at) const { return (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80; }

  std::string_view text_;
  std::size_t character_ = 0;
  std::size_t byte_ = 0;
};

bool parse_digits(std::string_view digits, int base, std::uint64_t& value) {
  const char* const end = digits.data() + digits.size();
  const auto done = std::from_chars(digits.data(), end, value, base);
  return !digits.empty() && done.ec == std::errc{} && done.ptr == end;
}

/// A scalar without quotes, by the core schema of YAML 1.2.
Value plain(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return Value::boolean(true);
  if (text == "false" || text == "False" || text == "FALSE") return Value::boolean(false);
  std::string_view digits = text;
  const bool negative = digits.front() == '-';
  if (negative || digits.front() == '+') digits.remove_prefix(1);
  Integer integer{0, negative, false};
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    integer.hexadecimal = true;
    if (parse_digits(digits.substr(2), 16, integer.magnitude)) return Value::integer(integer);
    return Value::text(text);
  }
  if (digits.starts_with("0o") && parse_digits(digits.substr(2), 8, integer.magnitude)) return Value::integer(integer);
  if (parse_digits(digits, 10, integer.magnitude)) return Value::integer(integer);
  const auto real = as_real(digits);
  if (!real) return Value::text(text);
  return Value::real(negative ? negated(*real) : *real);
}

class EventReader {
 public:
  explicit EventReader(std::string_view text) : parser_(text), offsets_(text), text_(text) {}

  Result<Value> read() {
    Value document;
    bool found = false;
    for (bool ended = false; !ended;) {
      yaml_event_t event;
      if (!parser_.parse(event)) return fault();
      const auto at = static_cast<std::uint32_t>(std::min<std::size_t>(offsets_.of(event.start_mark.index), 0xffff'ffff));
      std::optional<Error> error;
      switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
          if (found) error = Error{ErrorCode::unsupported, at, "", "more than one document"};
          found = true;
          break;
        case YAML_ALIAS_EVENT: error = Error{ErrorCode::unsupported, at, "", "aliases are not supported"}; break;
        case YAML_SCALAR_EVENT: scalar(event, at, document); break;
        case YAML_SEQUENCE_START_EVENT: error = open(Value::list(), at); break;
        case YAML_MAPPING_START_EVENT: error = open(Value::map(), at); break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: error = close(document); break;
        default: break;
      }
      ended = event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
      if (error) return std::move(*error);
    }
    if (!found) return Error{ErrorCode::missing, 0, "", "no document"};
    return document;
  }

 private:
  struct Open {
    Value value;
    std::string key;
    std::uint32_t key_offset;
    bool has_key;
  };

  std::optional<Error> open(Value value, std::uint32_t at) {
    value.text_offset = at;
    if (open_.size() >= limits::kDocumentNesting) return Error{ErrorCode::limit, at, "", "lists and maps are nested too deeply"};
    if (wants_key()) return Error{ErrorCode::bad_value, at, "", "a key must be a scalar"};
    open_.push_back({std::move(value), {}, 0, false});
    return std::nullopt;
  }
  std::optional<Error> close(Value& document) {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    if (const Value::Map* const map = value.as_map()) {
      if (const auto twice = find_duplicate_key(*map)) {
        const LinePlace first = LineCounter(text_).at(twice->first.key_offset);
        return Error{ErrorCode::bad_value, twice->second.key_offset, twice->first.key.substr(0, 64),
                     "duplicate key: first in line " + std::to_string(first.line) + ", column " + std::to_string(first.column)};
      }
    }
    put(std::move(value), document);
    return std::nullopt;
  }
  bool wants_key() const { return !open_.empty() && open_.back().value.as_map() != nullptr && !open_.back().has_key; }

  void scalar(const yaml_event_t& event, std::uint32_t at, Value& document) {
    const std::string_view text(reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length);
    if (wants_key()) {
      Open& map = open_.back();
      map.key = text;
      map.key_offset = at;
      map.has_key = true;
      return;
    }
    const bool is_plain = event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    Value value = is_plain ? plain(text) : Value::text(text);
    // what is not written has no place of its own
    const bool is_written = !text.empty() || !is_plain || open_.empty();
    value.text_offset = is_written ? at : open_.back().has_key ? open_.back().key_offset : open_.back().value.text_offset;
    put(std::move(value), document);
  }
  void put(Value value, Value& document) {
    if (open_.empty()) {
      document = std::move(value);
    } else if (Open& above = open_.back(); above.value.as_map() != nullptr) {
      above.value.as_map()->push_back({std::move(above.key), std::move(value), above.key_offset});
      above.key.clear();
      above.has_key = false;
    } else {
      above.value.push(std::move(value));
    }
  }
  Error fault() {
    const yaml_parser_t& parser = parser_.fault();
    if (parser.error == YAML_MEMORY_ERROR || parser.error == YAML_NO_ERROR) return Error{ErrorCode::limit, 0, "", "out of memory"};
    // a fault of the characters has an offset in bytes; others have a mark
    const std::size_t at = parser.error == YAML_READER_ERROR ? parser.problem_offset : offsets_.of(parser.problem_mark.index);
    std::string message = parser.problem != nullptr ? parser.problem : "not YAML";
    if (parser.context != nullptr) message += std::string(" (") + parser.context + ')';
    return Error{ErrorCode::bad_value, std::min(at, text_.size()), "", std::move(message)};
  }

  Parser parser_;
  ByteOffsets offsets_;
  std::string_view text_;
  std::vector<Open> open_;
};

}  // namespace

Result<Value> read_yaml(std::string_view file) {
  const InputText input(file, true);
  const std::string_view text = input.view();
  // JSON has escapes that libyaml refuses: halves of a surrogate pair
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '['))
    if (auto read = present::read_json(text)) return read;
  if (const std::size_t valid = present::valid_utf8(text); valid != text.size()) return Error{ErrorCode::bad_value, valid, "", "not UTF-8"};
  return EventReader(text).read();
}

}  // namespace unshade::document_text
