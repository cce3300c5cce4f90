// libfyaml's events become values. Events, not its documents: these would resolve aliases and keep far more in memory.
#include <libfyaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>

#include "cli/io/json.hpp"
#include "cli/yaml/scan.hpp"
#include "cli/yaml/yaml.hpp"
#include "core/numbers.hpp"

namespace unshade::cli::yaml {

namespace {

struct CloseDiag {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};
struct CloseParser {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
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
  // read_real takes neither a plus nor what begins without a digit, such as inf; YAML takes `.5`
  if (digits.empty() || !((digits.front() >= '0' && digits.front() <= '9') || digits.front() == '.')) return Value::text(text);
  Real real;
  const char* const end = digits.data() + digits.size();
  const auto wide = read_real(digits.data(), end, real.wide);
  if (wide.ptr != end || wide.ec == std::errc::invalid_argument) return Value::text(text);
  // out of range: read_real leaves the value; what is too small is zero, what is too large has no value here
  if (wide.ec != std::errc{}) return Value::text(text);
  const auto narrow = read_real(digits.data(), end, real.narrow);
  if (narrow.ec != std::errc{}) real.narrow = std::abs(real.wide) < 1 ? 0.0F : std::numeric_limits<float>::infinity();
  if (negative) {
    real.wide = -real.wide;
    real.narrow = -real.narrow;
  }
  return Value::real(real);
}

class EventReader {
 public:
  EventReader(fy_parser* parser, std::string_view text) : parser_(parser), text_(text) {}

  Result<Value> read() {
    Value document;
    bool found = false;
    for (;;) {
      fy_event* const event = fy_parser_parse(parser_);
      if (event == nullptr) break;
      const auto at = [&] {
        const fy_mark* const mark = fy_event_start_mark(event);
        return mark != nullptr ? static_cast<std::uint32_t>(std::min<std::size_t>(mark->input_pos, 0xffff'ffff)) : 0U;
      }();
      std::optional<Error> error;
      switch (event->type) {
        case FYET_DOCUMENT_START:
          if (found) error = Error{ErrorCode::unsupported, at, "", "more than one document"};
          found = true;
          break;
        case FYET_ALIAS: error = Error{ErrorCode::unsupported, at, "", "aliases are not supported"}; break;
        case FYET_SCALAR: error = scalar(event, at, document); break;
        case FYET_SEQUENCE_START:
        case FYET_MAPPING_START: {
          Value value = event->type == FYET_SEQUENCE_START ? Value::list() : Value::map();
          value.text_offset = at;
          if (open_.size() >= limits::kDocumentNesting) {
            error = Error{ErrorCode::limit, at, "", "lists and maps are nested too deeply"};
          } else if (!open_.empty() && open_.back().value.as_map() != nullptr && !open_.back().has_key) {
            error = Error{ErrorCode::bad_value, at, "", "a key must be a scalar"};
          } else {
            open_.push_back({std::move(value), {}, 0, false});
          }
          break;
        }
        case FYET_SEQUENCE_END:
        case FYET_MAPPING_END:
          if (!open_.empty()) {
            Value value = std::move(open_.back().value);
            open_.pop_back();
            error = twice(value);
            put(std::move(value), document);
          }
          break;
        default: break;
      }
      const bool ended = event->type == FYET_STREAM_END;
      fy_parser_event_free(parser_, event);
      if (error) return std::move(*error);
      if (ended) break;
    }
    if (fy_parser_get_stream_error(parser_)) return fault();
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

  /// A map has each key once.
  std::optional<Error> twice(const Value& value) const {
    const Value::Map* const map = value.as_map();
    if (map == nullptr || map->size() < 2) return std::nullopt;
    std::vector<const Value::Member*> members;
    members.reserve(map->size());
    for (const Value::Member& member : *map) members.push_back(&member);
    std::sort(members.begin(), members.end(), [](const Value::Member* a, const Value::Member* b) {
      return a->key != b->key ? a->key < b->key : a->key_offset < b->key_offset;
    });
    const auto found =
        std::adjacent_find(members.begin(), members.end(), [](const Value::Member* a, const Value::Member* b) { return a->key == b->key; });
    if (found == members.end()) return std::nullopt;
    const TextPlace first = place_in(text_, (*found)->key_offset);
    return Error{ErrorCode::bad_value, found[1]->key_offset, (*found)->key.substr(0, 64),
                 "duplicate key: first in line " + std::to_string(first.line) + ", column " + std::to_string(first.column)};
  }
  std::optional<Error> scalar(fy_event* event, std::uint32_t at, Value& document) {
    fy_token* const token = event->scalar.value;
    std::size_t length = 0;
    const char* const data = token != nullptr ? fy_token_get_text(token, &length) : nullptr;
    const std::string_view text(data != nullptr ? data : "", data != nullptr ? length : 0);
    if (!open_.empty() && open_.back().value.as_map() != nullptr && !open_.back().has_key) {
      Open& map = open_.back();
      map.key = text;
      map.key_offset = at;
      map.has_key = true;
      return std::nullopt;
    }
    const bool is_plain = token == nullptr || fy_token_scalar_style(token) == FYSS_PLAIN;
    Value value = is_plain ? plain(text) : Value::text(text);
    // nothing at all has no place of its own
    value.text_offset = at == 0 && !open_.empty() ? (open_.back().has_key ? open_.back().key_offset : open_.back().value.text_offset) : at;
    put(std::move(value), document);
    return std::nullopt;
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
  /// The parser's error. Its place is a line and column: the caller's text gives the offset.
  Error fault() {
    fault_line = 0;
    Error error{ErrorCode::bad_value, 0, "", "not YAML"};
    if (fy_diag* const diag = fy_parser_get_diag(parser_)) {
      void* previous = nullptr;
      if (const fy_diag_error* const first = fy_diag_errors_iterate(diag, &previous)) {
        if (first->msg != nullptr) error.message = first->msg;
        fault_line = first->line;
        fault_column = first->column;
      }
      fy_diag_unref(diag);
    }
    return error;
  }

 public:
  int fault_line = 0;  // from 1; 0 if no fault has a place
  int fault_column = 0;

 private:
  fy_parser* parser_;
  std::string_view text_;
  std::vector<Open> open_;
};

std::uint64_t offset_of(std::string_view text, int line, int column) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    const auto end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return std::min(at + static_cast<std::size_t>(column > 0 ? column - 1 : 0), text.size());
}

}  // namespace

Result<Value> read_yaml(std::string_view text) {
  if (auto fault = find_yaml_fault(text)) return *std::move(fault);
  fy_diag_cfg diag_config{};
  fy_diag_cfg_default(&diag_config);
  diag_config.fp = nullptr;
  diag_config.output_fn = [](fy_diag*, void*, const char*, size_t) {};
  diag_config.colorize = false;
  const std::unique_ptr<fy_diag, CloseDiag> diag(fy_diag_create(&diag_config));
  if (!diag) return Error{ErrorCode::limit, 0, "", "out of memory"};
  fy_diag_set_collect_errors(diag.get(), true);
  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG);
  config.diag = diag.get();
  const std::unique_ptr<fy_parser, CloseParser> parser(fy_parser_create(&config));
  if (!parser || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) return Error{ErrorCode::limit, 0, "", "out of memory"};
  EventReader reader(parser.get(), text);
  auto read = reader.read();
  if (!read && reader.fault_line != 0) read.error().offset = offset_of(text, reader.fault_line, reader.fault_column);
  return read;
}

}  // namespace unshade::cli::yaml
