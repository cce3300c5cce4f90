// toml++'s tables become values.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>

#include "cli/yaml/yaml.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/impl/preprocessor.h>
// toml++ 3.3 asserts that a table's header begins with a key (`[, a]`), and tells the compiler so; without, it reports the fault.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)
#include <toml++/toml.h>

namespace unshade::cli::yaml {

namespace {

/// Where lines begin: toml++ counts lines and characters, we count bytes.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (static_cast<unsigned char>(text[at]) >= 0x80) ascii_.back() = false;
      if (text[at] != '\n') continue;
      starts_.push_back(at + 1);
      ascii_.push_back(true);
    }
  }
  std::uint32_t offset(const toml::source_position& place) const {
    if (place.line == 0 || place.line > starts_.size()) return 0;
    std::size_t at = starts_[place.line - 1];
    // lines may be long, and hold many values
    if (ascii_[place.line - 1])
      return static_cast<std::uint32_t>(std::min<std::size_t>({at + std::max(1U, place.column) - 1, text_.size(), 0xffff'ffff}));
    for (toml::source_index column = 1; column < place.column && at < text_.size(); ++column) {
      do ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80);
    }
    return static_cast<std::uint32_t>(std::min<std::size_t>(at, 0xffff'ffff));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_{0};
  std::vector<bool> ascii_{true};  ///< of each line
};

/// A key of many parts makes as many tables, one within the other, which toml++ frees by recursion: the place of one that nests too
/// deeply.
std::optional<std::size_t> find_deep_key(std::string_view text) {
  unsigned dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::string_view three = text.substr(at, 3);
      if (three == "\"\"\"" || three == "'''") {
        const std::size_t end = text.find(three, at + 3);
        if (end == std::string_view::npos) return std::nullopt;
        at = end + 2;
        continue;
      }
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at) {
        if (c == '"' && text[at] == '\\') ++at;
      }
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      dots = 0;
    } else if (c == '.') {
      if (++dots >= limits::kDocumentNesting) return at;
    } else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') {
      dots = 0;
    }
  }
  return std::nullopt;
}

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text), lines_(text) {}

  Result<Value> read() {
    if (const auto deep = find_deep_key(text_)) return Error{ErrorCode::limit, *deep, "", "keys have too many parts"};
    auto parsed = toml::parse(text_);
    if (!parsed) {
      return Error{ErrorCode::bad_value, lines_.offset(parsed.error().source().begin), "", std::string(parsed.error().description())};
    }
    return value(parsed.table(), 0);
  }

 private:
  Result<Value> value(const toml::node& node, unsigned depth) {
    const std::uint32_t at = lines_.offset(node.source().begin);
    if (depth >= limits::kDocumentNesting) return Error{ErrorCode::limit, at, "", "lists and maps are nested too deeply"};
    Value made;
    if (const toml::table* const table = node.as_table()) {
      made = Value::map();
      for (const auto& [key, member] : *table) {
        auto read = value(member, depth + 1);
        if (!read) return read;
        made.as_map()->push_back({std::string(key.str()), std::move(*read), lines_.offset(key.source().begin)});
      }
      // toml++ sorts by name
      std::ranges::sort(*made.as_map(), {}, &Value::Member::key_offset);
    } else if (const toml::array* const array = node.as_array()) {
      made = Value::list();
      for (const toml::node& one : *array) {
        auto read = value(one, depth + 1);
        if (!read) return read;
        made.push(std::move(*read));
      }
    } else if (const auto* const text = node.as_string()) {
      made = Value::text(text->get());
    } else if (const auto* const integer = node.as_integer()) {
      made = Value::signed_integer(integer->get());
    } else if (const auto* const real = node.as_floating_point()) {
      made = number(real->get(), node);
    } else if (const auto* const boolean = node.as_boolean()) {
      made = Value::boolean(boolean->get());
    } else {
      return Error{ErrorCode::unsupported, at, "", "dates and times are not supported"};
    }
    made.text_offset = at;
    return made;
  }

  /// From its digits, so that neither width is rounded twice.
  Value number(double wide, const toml::node& node) const {
    if (!std::isfinite(wide)) return Value::text(std::isnan(wide) ? "nan" : wide < 0 ? "-inf" : "inf");
    Real real{wide, static_cast<float>(wide), false};
    const std::size_t first = lines_.offset(node.source().begin);
    const std::size_t last = lines_.offset(node.source().end);
    std::string digits;
    for (std::size_t at = first; at < last && at < text_.size(); ++at) {
      if (text_[at] != '_' && text_[at] != '+') digits += text_[at];
      if (text_[at] == '+' && at != first) digits += '+';
    }
    float narrow = 0;
    const auto done = std::from_chars(digits.data(), digits.data() + digits.size(), narrow);
    if (done.ec == std::errc{} && done.ptr == digits.data() + digits.size()) real.narrow = narrow;
    return Value::real(real);
  }

  std::string_view text_;
  Lines lines_;
};

}  // namespace

Result<Value> read_toml(std::string_view text) { return TomlReader(text).read(); }

}  // namespace unshade::cli::yaml
