#include <unshade/present/json.hpp>

#include <cmath>

#include <unshade/core/text/utf8.hpp>

namespace unshade::present {

std::string as_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    if (const auto length = first_character(text).bytes; length != 0) {
      result += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    append_utf8(result, static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
  return result;
}

std::size_t valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = first_character(text.substr(at)).bytes;
    if (length == 0) break;
    at += length;
  }
  return at;
}

void Json::line() {
  if (layout_ == Layout::compact) return;
  (out_->text << '\n').repeat(' ', filled_.size());
}

void Json::before_value() {
  if (after_key_) {
    after_key_ = false;
  } else if (!filled_.empty()) {
    if (filled_.back()) out_->text << ',';
    filled_.back() = true;
    line();
  }
}

void Json::begin(char bracket) {
  before_value();
  out_->text << bracket;
  filled_.push_back(false);
}

void Json::end(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) line();
  out_->text << bracket;
}

void Json::begin_object() { begin('{'); }
void Json::end_object() {
  end('}');
  out_->keep_going();
}
void Json::begin_array() { begin('['); }
void Json::end_array() { end(']'); }
void Json::key(std::string_view name) {
  before_value();
  quoted(name);
  out_->text << (layout_ == Layout::compact ? ":" : ": ");
  after_key_ = true;
}

void Json::quoted(std::string_view bytes) {
  std::string made;
  if (valid_utf8(bytes) != bytes.size()) made = as_utf8(bytes);
  const std::string_view text = made.empty() ? bytes : std::string_view(made);
  Text& out = out_->text;
  out << '"';
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out << text.substr(from, at - from);
    from = at + 1;
    switch (byte) {
      case '"': out << "\\\""; break;
      case '\\': out << "\\\\"; break;
      case '\b': out << "\\b"; break;
      case '\f': out << "\\f"; break;
      case '\n': out << "\\n"; break;
      case '\r': out << "\\r"; break;
      case '\t': out << "\\t"; break;
      default: out << "\\u00" << "0123456789ABCDEF"[byte >> 4] << "0123456789ABCDEF"[byte & 15]; break;
    }
  }
  out << text.substr(from) << '"';
}

void Json::string(std::string_view text) {
  before_value();
  quoted(text);
}

void Json::number(std::uint64_t value) {
  before_value();
  out_->text.dec(value);
}
void Json::number_signed(std::int64_t value) {
  before_value();
  if (value < 0) out_->text << '-';
  out_->text.dec(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}

void Json::real(float value) {
  if (std::isnan(value)) return string("nan");
  if (std::isinf(value)) return string(value < 0 ? "-inf" : "inf");
  before_value();
  out_->text.shortest(value);
}

void Json::real(double value) {
  if (std::isnan(value)) return string("nan");
  if (std::isinf(value)) return string(value < 0 ? "-inf" : "inf");
  before_value();
  out_->text.shortest(value);
}

void Json::boolean(bool value) {
  before_value();
  out_->text << (value ? "true" : "false");
}
void Json::null() {
  before_value();
  out_->text << "null";
}
void Json::finish() { out_->text << '\n'; }

void Json::bytes(std::string_view name, std::span<const std::byte> value) {
  Text hex;
  for (const std::byte byte : value) hex.hex(std::to_integer<unsigned>(byte), 2);
  member(name, hex.view());
}

}  // namespace unshade::present
