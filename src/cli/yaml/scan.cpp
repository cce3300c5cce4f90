#include "cli/yaml/scan.hpp"

#include <cstddef>

#include <unshade/core/limits.hpp>

#include "cli/io/json.hpp"

namespace unshade::cli::yaml {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_break(char c) { return c == '\n' || c == '\r'; }

/// Where brackets nest too deeply. It knows as much of YAML as tells a bracket that opens a list or map from one in a text: quotes,
/// comments, literal blocks, and where a value begins.
class NestingScan {
 public:
  explicit NestingScan(std::string_view text) : text_(text) {}

  std::optional<std::size_t> too_deep() {
    while (at_ < text_.size()) {
      if (line_start_) begin_line();
      if (at_ >= text_.size()) break;
      const char c = text_[at_];
      if (is_break(c)) {
        ++at_;
        line_start_ = true;
      } else if (is_blank(c)) {
        ++at_;
      } else if (c == '#' && (at_ == 0 || is_blank(text_[at_ - 1]) || is_break(text_[at_ - 1]))) {
        to_line_end();
      } else if (depth_ != 0 ? in_flow(c) : in_block(c)) {
        return at_;
      }
    }
    return std::nullopt;
  }

 private:
  void begin_line() {
    line_start_ = false;
    line_ = at_;
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (depth_ != 0) return;
    const bool goes_on = in_plain_ && (column() > parent_ || at_ >= text_.size() || is_break(text_[at_]));
    in_plain_ = goes_on;
    value_start_ = !goes_on;
  }
  void to_line_end() {
    while (at_ < text_.size() && !is_break(text_[at_])) ++at_;
  }
  std::ptrdiff_t column() const { return static_cast<std::ptrdiff_t>(at_ - line_); }
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }
  bool blank_follows() const { return is_blank(next()) || is_break(next()); }

  bool open() {
    if (++depth_ > limits::kDocumentNesting) return true;
    ++at_;
    value_start_ = true;
    return false;
  }
  bool in_block(char c) {
    if (!value_start_) {
      // a key that ends here, or more of a text
      if (c == ':' && blank_follows()) begin_value();
      ++at_;
      return false;
    }
    if ((c == '-' || c == '?' || c == ':') && blank_follows()) {
      parent_ = column();
      ++at_;
      return false;
    }
    if (c == '[' || c == '{') return open();
    if (c == '"' || c == '\'') {
      key_ = column();
      quoted(c);
      behind_quotes();
    } else if (c == '|' || c == '>') {
      literal();
    } else if (c == '!' || c == '&') {
      word();
    } else {
      key_ = column();
      value_start_ = false;
      in_plain_ = true;
    }
    return false;
  }
  /// After a key and its colon.
  void begin_value() {
    parent_ = key_;
    value_start_ = true;
    in_plain_ = false;
  }
  bool in_flow(char c) {
    if (c == '[' || c == '{') return open();
    if (c == ']' || c == '}') {
      --depth_;
      ++at_;
      value_start_ = false;
      adjacent_ = at_;
    } else if (c == ',') {
      ++at_;
      value_start_ = true;
    } else if (c == ':' && (blank_follows() || adjacent_ == at_)) {
      ++at_;
      value_start_ = true;
    } else if (value_start_ && (c == '"' || c == '\'')) {
      quoted(c);
      value_start_ = false;
      adjacent_ = at_;
    } else if (value_start_ && (c == '!' || c == '&')) {
      word();
    } else {
      value_start_ = value_start_ && c == '?' && blank_follows();
      ++at_;
    }
    return false;
  }
  void word() {
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_break(text_[at_]) && !(depth_ != 0 && text_[at_] == ',')) ++at_;
  }
  void quoted(char quote) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == quote) {
        ++at_;
        if (quote == '"' || at_ >= text_.size() || text_[at_] != '\'') return;
      }
    }
  }
  /// A quoted key: its value may follow.
  void behind_quotes() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    value_start_ = false;
    if (at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      begin_value();
    }
  }
  /// Its lines are indented as the first one, deeper than the key. If the indent is stated they are looked at as if they were none: that
  /// finds too many brackets rather than too few.
  void literal() {
    ++at_;
    bool is_stated = false;
    for (; at_ < text_.size() && !is_break(text_[at_]) && text_[at_] != '#'; ++at_) is_stated |= text_[at_] >= '0' && text_[at_] <= '9';
    to_line_end();
    if (is_stated) return;
    std::ptrdiff_t indent = 0;
    while (at_ < text_.size()) {
      std::size_t line = at_;
      while (line < text_.size() && is_break(text_[line])) ++line;
      std::size_t first = line;
      while (first < text_.size() && text_[first] == ' ') ++first;
      if (first < text_.size() && is_break(text_[first])) {
        at_ = first;
        continue;
      }
      const auto here = static_cast<std::ptrdiff_t>(first - line);
      if (first >= text_.size() || here <= parent_ || here < indent) {
        at_ = line > at_ ? line - 1 : at_;
        return;
      }
      if (indent == 0) indent = here;
      at_ = first;
      to_line_end();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;                    // where the line begins
  std::ptrdiff_t parent_ = -1;              // the column of the key or dash that the value belongs to
  std::ptrdiff_t key_ = 0;                  // the column of what may be a key
  std::size_t adjacent_ = ~std::size_t{0};  // after what may have its colon follow at once
  unsigned depth_ = 0;
  bool line_start_ = true;
  bool value_start_ = true;  // a value, or a key, may begin here
  bool in_plain_ = false;    // a text without quotes may go on in the next line
};

}  // namespace

std::optional<Error> find_yaml_fault(std::string_view text) {
  if (const std::size_t valid = valid_utf8(text); valid != text.size()) return Error{ErrorCode::bad_value, valid, "", "not UTF-8"};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
      return Error{ErrorCode::bad_value, at, "", "unescaped control character: write an escape such as \"\\x01\""};
  }
  if (const auto at = NestingScan(text).too_deep()) return Error{ErrorCode::limit, *at, "", "lists and maps are nested too deeply"};
  return std::nullopt;
}

}  // namespace unshade::cli::yaml
