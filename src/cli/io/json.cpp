#include "cli/io/json.hpp"

#include <rapidjson/prettywriter.h>

#include <cmath>
#include <cstddef>

namespace unshade::cli {

namespace {

/// Bytes of the UTF-8 sequence at the start of a text, or 0 if there is none. Well-formed per Unicode 15, table 3-7.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) { return at(i) >= low && at(i) <= high; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    if (const auto length = sequence_length(text); length != 0) {
      result += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const auto byte = static_cast<unsigned char>(text.front());
    result += static_cast<char>(0xc0 | byte >> 6);
    result += static_cast<char>(0x80 | (byte & 0x3f));
    text.remove_prefix(1);
  }
  return result;
}

std::size_t valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

struct Json::Impl {
  /// What RapidJSON calls an output stream.
  struct Sink {
    using Ch = char;
    Text* text;
    void Put(char c) { *text << c; }
    void Flush() {}
  };

  Impl(Printer& printer, Layout wanted) : out(printer), sink{&printer.text}, compact(wanted == Layout::compact), plain(sink), pretty(sink) {
    pretty.SetIndent(' ', 1);
  }

  /// RapidJSON's two writers share no interface but their names.
  template <class F>
  void write(F f) {
    compact ? f(plain) : f(pretty);
  }

  Printer& out;
  Sink sink;
  bool compact;
  rapidjson::Writer<Sink> plain;
  rapidjson::PrettyWriter<Sink> pretty;
};

namespace {

rapidjson::SizeType length(std::string_view text) { return static_cast<rapidjson::SizeType>(text.size()); }

}  // namespace

Json::Json(Printer& out, Layout layout) : impl_(std::make_unique<Impl>(out, layout)) {}
Json::~Json() = default;

void Json::begin_object() {
  impl_->write([&](auto& writer) { writer.StartObject(); });
}
void Json::end_object() {
  impl_->write([&](auto& writer) { writer.EndObject(); });
  impl_->out.keep_going();
}
void Json::begin_array() {
  impl_->write([&](auto& writer) { writer.StartArray(); });
}
void Json::end_array() {
  impl_->write([&](auto& writer) { writer.EndArray(); });
}
void Json::key(std::string_view name) {
  impl_->write([&](auto& writer) { writer.Key(name.data(), length(name)); });
}

void Json::string(std::string_view text) {
  const std::string valid = as_utf8(text);
  impl_->write([&](auto& writer) { writer.String(valid.data(), length(valid)); });
}

void Json::number(std::uint64_t value) {
  impl_->write([&](auto& writer) { writer.Uint64(value); });
}
void Json::number_signed(std::int64_t value) {
  impl_->write([&](auto& writer) { writer.Int64(value); });
}

void Json::real(float value) {
  if (std::isnan(value)) return string("nan");
  if (std::isinf(value)) return string(value < 0 ? "-inf" : "inf");
  Text text;
  text.shortest(value);
  impl_->write([&](auto& writer) { writer.RawValue(text.view().data(), text.size(), rapidjson::kNumberType); });
}

void Json::real(double value) {
  if (std::isnan(value)) return string("nan");
  if (std::isinf(value)) return string(value < 0 ? "-inf" : "inf");
  Text text;
  text.shortest(value);
  impl_->write([&](auto& writer) { writer.RawValue(text.view().data(), text.size(), rapidjson::kNumberType); });
}

void Json::boolean(bool value) {
  impl_->write([&](auto& writer) { writer.Bool(value); });
}
void Json::null() {
  impl_->write([&](auto& writer) { writer.Null(); });
}
void Json::finish() { impl_->out.text << '\n'; }

void Json::bytes(std::string_view name, std::span<const std::byte> value) {
  Text hex;
  for (const std::byte byte : value) hex.hex(std::to_integer<unsigned>(byte), 2);
  member(name, hex.view());
}

}  // namespace unshade::cli
