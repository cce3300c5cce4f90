// Two archives for descriptions that run through a stream from its first byte to its last, such as lists of records that say their own
// sizes: StreamToValue reads bytes and makes a document of them, StreamFromValue reads the document and makes the bytes. Neither needs a
// model of the whole: a record is gone once it has been passed on. Counts and sizes (kCount) are in no document; what the maker can
// compute (is_derived(), derived lists) only if it would come to something else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

class StreamToValue {
 public:
  static constexpr bool kReads = true;
  static constexpr bool kRecords = false;
  static constexpr bool kTellsStream = true;

  StreamToValue(View stream, Places places) : reader_(stream), places_(places), map_(Value::map()) {}

  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) { integer(name, value, type, &Reader::u8); }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) { integer(name, value, type, &Reader::u16); }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) { integer(name, value, type, &Reader::u32); }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) { integer(name, value, type, &Reader::u64); }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    reader_.enum16(name, value, type);
    add(name, field_value(static_cast<std::uint16_t>(value), 2, type));
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    reader_.enum32(name, value, type);
    add(name, field_value(static_cast<std::uint32_t>(value), 4, type));
  }
  void expect32(const char* name, std::uint32_t expected, const FieldType& type = kHex, ErrorCode code = ErrorCode::bad_value) {
    reader_.expect32(name, expected, type, code);
  }
  void string_here(const char* name, std::string_view& text) {
    reader_.string_here(name, text);
    add(name, text_value(text));
  }
  void raw(const char* name, View& bytes, std::size_t size, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    reader_.raw(name, bytes, size);
    if (!bytes.empty()) add(name, type.kind == FieldKind::text ? text_value(bytes.text()) : bytes_value(bytes));
  }
  void padding(std::size_t size) { reader_.padding(size); }
  void align(std::size_t bytes) { reader_.align(bytes); }

  /// A list of integers side by side. `derived`: the maker computes it.
  template <class T>
  void integers(const char* name, View& bytes, std::size_t count, bool derived = false) {
    reader_.raw(name, bytes, count * sizeof(T));
    if (derived && places_ == Places::left_to_the_writer) return;
    Value list = Value::list();
    list.as_list()->reserve(bytes.size() / sizeof(T));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) list.push(Value::integer(bytes.load_unchecked<T>(at)));
    add(name, std::move(list));
  }
  /// A table of zero-terminated texts.
  void texts(const char* name, View& bytes, std::size_t size) {
    reader_.raw(name, bytes, size);
    std::string_view left = bytes.text();
    if (!left.empty() && left.back() != '\0') return add(name, bytes_value(bytes));
    Value list = Value::list();
    while (!left.empty()) {
      const auto end = left.find('\0');
      list.push(text_value(left.substr(0, end)));
      left.remove_prefix(end + 1);
    }
    add(name, std::move(list));
  }
  void spelled(const char* name, View& bytes, std::size_t size, const Spelling& spelling) {
    reader_.raw(name, bytes, size);
    Text text;
    spelling.print(text, bytes);
    std::vector<std::byte> back;
    const bool same = spelling.parse(text.view(), back) && std::equal(back.begin(), back.end(), bytes.bytes().begin(), bytes.bytes().end());
    add(name, same && is_plain_text(text.view()) ? Value::text(text.view()) : bytes_value(bytes));
  }

  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    group(name, kNoIndex, [&] { describe(*this, value, context...); });
  }
  template <class T, class... Context>
  void records(const char* name, std::vector<T>& values, std::size_t count, std::size_t stride, const Context&... context) {
    values.clear();
    if (stride == 0 || count > reader_.rest() / stride) return reader_.fail(ErrorCode::truncated, name, "the records exceed the stream");
    values.reserve(count);
    for (std::size_t i = 0; i < count && ok(); ++i)
      group(name, static_cast<std::uint32_t>(i), [&] { describe(*this, values.emplace_back(), context...); });
  }
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    Value outer = std::exchange(map_, Value::map());
    reader_.group(name, index, f);
    Value made = std::exchange(map_, std::move(outer));
    if (index == kNoIndex) return add(name, std::move(made));
    Value::Map& members = *map_.as_map();
    if (members.empty() || members.back().key != name) map_.add(name, Value::list());
    members.back().value.push(std::move(made));
  }

  bool ok() const { return reader_.ok(); }
  std::size_t position() const { return reader_.position(); }
  std::size_t rest() const { return reader_.rest(); }
  View part() const { return reader_.part(); }
  std::optional<std::uint32_t> peek32(std::size_t ahead = 0) const { return reader_.peek32(ahead); }
  void fail(ErrorCode code, const char* name, std::string message) { reader_.fail(code, name, std::move(message)); }
  void fail_at(ErrorCode code, std::size_t at, const char* name, std::string message) {
    reader_.fail_at(code, at, name, std::move(message));
  }
  Places places() const { return places_; }
  /// Reads without telling.
  Reader& plain() { return reader_; }
  void add(const char* name, Value value) {
    if (ok()) map_.add(name, std::move(value));
  }

  /// The document; an error if the bytes do not follow their description.
  Result<Value> finish() {
    View rest;
    if (reader_.rest() != 0) raw("unknown", rest, reader_.rest());
    if (auto error = reader_.take_error()) return *std::move(error);
    return std::move(map_);
  }

 private:
  template <class T, class Read>
  void integer(const char* name, T& value, const FieldType& type, Read read) {
    (reader_.*read)(name, value, type);
    if (&type == &kCount) return;
    if (is_derived(type) && places_ == Places::left_to_the_writer) return;
    if (value == 0 && std::string_view(name).starts_with("reserved")) return;
    add(name, field_value(value, sizeof(T), type));
  }

  Reader reader_;
  Places places_;
  Value map_;
};

class StreamFromValue {
 public:
  static constexpr bool kReads = false;
  static constexpr bool kRecords = false;
  static constexpr bool kMakesStream = true;

  /// `most`: bytes that the stream may have.
  StreamFromValue(const Value& document, ValueStore& store, std::uint64_t most) : reader_(document, store), store_(&store), most_(most) {}

  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) {
    reader_.u8(name, value, type);
    number(value);
  }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) {
    reader_.u16(name, value, type);
    number(value);
  }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) {
    reader_.u32(name, value, type);
    number(value);
  }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) {
    reader_.u64(name, value, type);
    number(value);
  }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    reader_.enum16(name, value, type);
    number(static_cast<std::uint16_t>(value));
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    reader_.enum32(name, value, type);
    number(static_cast<std::uint32_t>(value));
  }
  void expect32(const char*, std::uint32_t expected, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) { number(expected); }
  void string_here(const char* name, std::string_view& text) {
    reader_.string_here(name, text);
    put(View(std::as_bytes(std::span(text.data(), text.size()))));
    number(std::uint8_t{0});
  }
  void raw(const char* name, View& bytes, std::size_t, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    reader_.raw(name, bytes, 0, type.kind == FieldKind::text ? kText : kBytes);
    put(bytes);
  }
  void padding(std::size_t size) {
    for (std::size_t i = 0; i < size && ok(); ++i) number(std::uint8_t{0});
  }
  void align(std::size_t bytes) { padding((bytes - bytes_.size() % bytes) % bytes); }

  template <class T>
  void integers(const char* name, View& bytes, std::size_t, bool derived = false) {
    if (!derived || reader_.has(name)) {
      std::vector<std::uint32_t> values;
      reader_.u32_list(name, values);
      std::vector<std::byte> made;
      made.reserve(values.size() * sizeof(T));
      for (const std::uint32_t value : values) {
        if (value > static_cast<T>(~T{0})) reader_.fail(ErrorCode::bad_value, name, "the number is too large");
        for (std::size_t i = 0; i < sizeof(T); ++i) made.push_back(static_cast<std::byte>(value >> (8 * i)));
      }
      bytes = store_->keep(std::move(made));
    }
    put(bytes);
  }
  void texts(const char* name, View& bytes, std::size_t) {
    if (reader_.is_text(name)) {  // no table, but bytes
      reader_.raw(name, bytes, 0);
    } else {
      std::vector<std::string> values;
      reader_.text_list(name, values);
      std::string made;
      for (const std::string& value : values) (made += value).push_back('\0');
      bytes = View(std::as_bytes(std::span<const char>(store_->keep(std::move(made)))));
    }
    put(bytes);
  }
  void spelled(const char* name, View& bytes, std::size_t, const Spelling& spelling) {
    std::string_view text;
    std::vector<std::byte> made;
    if (reader_.is_text(name)) reader_.string_here(name, text);
    if (text.data() != nullptr && spelling.parse(text, made)) {
      bytes = store_->keep(std::move(made));
    } else if (text.data() != nullptr && !from_hex(text, made)) {
      fail(ErrorCode::bad_value, name, "the text is malformed");
    } else if (text.data() != nullptr) {
      bytes = store_->keep(std::move(made));
    } else {
      reader_.raw(name, bytes, 0);
    }
    put(bytes);
  }

  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    group(name, kNoIndex, [&] { describe(*this, value, context...); });
  }
  template <class T, class... Context>
  void records(const char* name, std::vector<T>& values, std::size_t, std::size_t stride, const Context&... context) {
    values.clear();
    const std::size_t count = reader_.list_size(name);
    for (std::size_t i = 0; i < count && ok(); ++i) {
      const std::size_t from = position();
      group(name, static_cast<std::uint32_t>(i), [&] { describe(*this, values.emplace_back(), context...); });
      if (position() < from + stride) padding(from + stride - position());
    }
  }
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    reader_.group(name, index, f);
  }

  bool ok() const { return reader_.ok(); }
  std::size_t position() const { return bytes_.size(); }
  std::size_t rest() const { return 0; }
  View part() const { return {}; }
  std::optional<std::uint32_t> peek32(std::size_t = 0) const { return std::nullopt; }
  void fail(ErrorCode code, const char* name, std::string message) { reader_.fail(code, name, std::move(message)); }
  void fail_at(ErrorCode code, std::size_t, const char* name, std::string message) { fail(code, name, std::move(message)); }

  bool has(std::string_view name) const { return reader_.has(name); }
  std::size_t list_size(std::string_view name) const { return reader_.list_size(name); }
  /// Reads without writing.
  ValueReader& plain() { return reader_; }
  void put(View bytes) {
    if (bytes.size() > most_ - std::min<std::uint64_t>(most_, bytes_.size()))
      return fail(ErrorCode::limit, "", "the stream grows too large");
    bytes_.insert(bytes_.end(), bytes.bytes().begin(), bytes.bytes().end());
  }
  template <class T>
  void number(T value) {
    std::byte bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
    put(View(bytes));
  }
  template <class T>
  void patch(std::size_t at, T value) {
    if (!ok() || at + sizeof(T) > bytes_.size()) return;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }

  Result<std::vector<std::byte>> finish() {
    View rest;
    raw("unknown", rest, 0);
    if (auto error = reader_.finish()) return *std::move(error);
    return std::move(bytes_);
  }

 private:
  ValueReader reader_;
  ValueStore* store_;
  std::uint64_t most_;
  std::vector<std::byte> bytes_;
};

}  // namespace unshade
