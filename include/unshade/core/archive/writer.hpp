// The writing archive: lays a model out as bytes by its description. Things that were read keep their places, so an unedited part comes
// out as it went in; things without a place go after the records, each aligned to 4 bytes and followed by what it asks for itself; equal
// texts once, after it all. Bytes that nothing claims are the fill byte: fxc writes 0xab, dxc 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// How things without a place are laid out.
struct LayoutPolicy {
  std::byte fill{0xab};      ///< bytes that nothing claims
  bool shares_texts = true;  ///< equal texts are stored once
  bool pads_end = true;      ///< the end is aligned to 4 bytes
};

class Writer {
 public:
  static constexpr bool kReads = false;
  static constexpr bool kRecords = false;

  /// `most`: bytes; what lies beyond is not written (see `overflowed`), so that a model which names places far away costs nothing.
  explicit Writer(LayoutPolicy policy = {}, std::uint64_t most = limits::kFileBytes) : policy_(policy), most_(most) {}
  explicit Writer(std::byte fill) : policy_{.fill = fill} {}

  void u8(const char*, std::uint8_t& value, const FieldType& = kUnsigned) { integer(value); }
  void u16(const char*, std::uint16_t& value, const FieldType& = kUnsigned) { integer(value); }
  void u32(const char*, std::uint32_t& value, const FieldType& = kUnsigned) { integer(value); }
  void u64(const char*, std::uint64_t& value, const FieldType& = kUnsigned) { integer(value); }
  void i32(const char*, std::int32_t& value, const FieldType& = kSigned) { integer(static_cast<std::uint32_t>(value)); }
  void f32(const char*, float& value, const FieldType& = kReal) { integer(std::bit_cast<std::uint32_t>(value)); }
  template <class E>
  void enum8(const char*, E& value, const FieldType& = field_type(E{})) {
    integer(static_cast<std::uint8_t>(value));
  }
  template <class E>
  void enum16(const char*, E& value, const FieldType& = field_type(E{})) {
    integer(static_cast<std::uint16_t>(value));
  }
  template <class E>
  void enum32(const char*, E& value, const FieldType& = field_type(E{})) {
    integer(static_cast<std::uint32_t>(value));
  }
  void expect32(const char*, std::uint32_t expected, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) { integer(expected); }

  void string_at(const char*, String& string) { string_field(string); }
  void optional_string_at(const char*, String& string) {
    if (string.text.empty() && (string.offset == 0 || string.offset == kUnplaced)) {
      integer(std::uint32_t{0});
    } else {
      string_field(string);
    }
  }
  void string_here(const char*, std::string_view& text) {
    put(View(std::as_bytes(std::span(text.data(), text.size()))));
    integer(std::uint8_t{0});
  }
  void raw(const char*, View& bytes, std::size_t, const FieldType& = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) { put(bytes); }
  /// Zeros inside a record; what lies between things is the fill byte.
  void padding(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) integer(std::uint8_t{0});
  }
  void align(std::size_t bytes) {
    if (at_ % bytes == 0) return;
    at_ += bytes - at_ % bytes;
    ensure(at_);
  }

  template <class T, class... Context>
  void record(const char*, T& value, const Context&... context) {
    describe(*this, value, context...);
  }
  template <class T, class... Context>
  void records(const char*, std::vector<T>& values, std::size_t, std::size_t stride, const Context&... context) {
    for (T& value : values) {
      const std::size_t from = at_;
      describe(*this, value, context...);
      ensure(from + stride);
      at_ = from + stride;
    }
  }
  template <class T, class... Context>
  void sequence(const char*, std::vector<T>& values, std::size_t, std::size_t, const Context&... context) {
    for (T& value : values) describe(*this, value, context...);
  }
  template <class T, class... Context>
  void records_at(const char* name, Table<T>& table, std::size_t, std::size_t stride, const Context&... context) {
    if (table.offset != kUnplaced) {
      integer(table.offset);
      if (!table.empty()) at(table.offset, [&] { records(name, table.items, table.size(), stride, context...); });
      return;
    }
    const std::size_t field = at_;
    integer(std::uint32_t{0});
    deferred_.push_back([this, field, name, &table, stride, context...] {
      patch(field, at_);
      records(name, table.items, table.size(), stride, context...);
    });
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    integer(static_cast<std::uint32_t>(table.size()));
    records_at(name, table, table.size(), stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char*, std::uint32_t& offset, T& value, const Context&... context) {
    if (offset != kUnplaced) {
      integer(offset);
      return at(offset, [&] { describe(*this, value, context...); });
    }
    const std::size_t field = at_;
    integer(std::uint32_t{0});
    deferred_.push_back([this, field, copy = value, context...]() mutable {
      patch(field, at_);
      describe(*this, copy, context...);
    });
  }
  template <class T, class... Context>
  void shared_at(const char*, std::uint32_t& index, std::vector<T>& pool, const Context&... context) {
    if (index >= pool.size()) return integer(std::uint32_t{0});
    T& value = pool[index];
    if (value.offset != kUnplaced) {
      integer(value.offset);
      if (written_.insert(value.offset).second) at(value.offset, [&] { describe(*this, value, context...); });
      return;
    }
    const std::size_t field = at_;
    integer(std::uint32_t{0});
    deferred_.push_back([this, field, &value, context...] {
      if (value.offset == kUnplaced) {
        value.offset = static_cast<std::uint32_t>(at_ - base_);
        describe(*this, value, context...);
      }
      patch(field, base_ + value.offset);
    });
  }
  void count_from(std::size_t base) { base_ = base; }
  template <class F>
  void at(std::size_t offset, F&& f, const char* = "") {
    const std::size_t back = at_;
    at_ = base_ + offset;
    f();
    at_ = back;
  }

  bool ok() const { return true; }
  std::size_t position() const { return at_; }
  std::size_t rest() const { return 0; }
  View part() const { return {}; }
  std::optional<std::uint32_t> peek32(std::size_t = 0) const { return std::nullopt; }
  void fail(ErrorCode, const char*, std::string) {}
  void fail_at(ErrorCode, std::size_t, const char*, std::string) {}
  template <class F>
  void group(const char*, std::uint32_t, F&& f) {
    f();
  }

  /// Whether an offset exceeded what may be written.
  bool overflowed() const { return overflowed_; }

  /// The bytes of the part: as many as it had, if that is known and they suffice, else padded to a multiple of 4.
  std::vector<std::byte> finish(std::uint32_t size = kUnplaced) {
    at_ = bytes_.size();
    // What a deferred thing asks for comes before what was asked for later.
    std::vector<std::function<void()>> left;
    const auto take_over = [&] {
      std::move(deferred_.rbegin(), deferred_.rend(), std::back_inserter(left));
      deferred_.clear();
    };
    for (take_over(); !left.empty(); take_over()) {
      align(4);
      const auto place = std::move(left.back());
      left.pop_back();
      place();
      at_ = bytes_.size();
    }
    for (const auto& [field, text] : unplaced_strings_) {
      if (policy_.shares_texts) {
        const auto [found, is_new] = placed_strings_.try_emplace(text, static_cast<std::uint32_t>(bytes_.size()));
        patch(field, found->second);
        if (!is_new) continue;
      } else {
        patch(field, bytes_.size());
      }
      at_ = bytes_.size();
      std::string_view borrowed = text;
      string_here("", borrowed);
    }
    if (size != kUnplaced && size >= bytes_.size()) {
      ensure(size);
    } else if (policy_.pads_end) {
      at_ = bytes_.size();
      align(4);
    }
    return std::move(bytes_);
  }

 private:
  template <class T>
  void integer(T value) {
    if (ensure(at_ + sizeof(T)))
      for (std::size_t i = 0; i < sizeof(T); ++i) bytes_[at_ + i] = static_cast<std::byte>(value >> (8 * i));
    at_ += sizeof(T);
  }
  void put(View bytes) {
    if (ensure(at_ + bytes.size()) && !bytes.empty()) std::memcpy(bytes_.data() + at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  bool ensure(std::size_t size) {
    if (bytes_.size() >= size) return true;
    if (size > most_) {
      overflowed_ = true;
      return false;
    }
    bytes_.resize(size, policy_.fill);
    return true;
  }
  /// `field`, `place`: from the start of the part.
  void patch(std::size_t field, std::size_t place) {
    const std::size_t back = std::exchange(at_, field);
    integer(static_cast<std::uint32_t>(place - base_));
    at_ = back;
  }
  void string_field(String& string) {
    if (string.offset == kUnplaced) {
      unplaced_strings_.emplace_back(at_, std::string(string.text));
      return integer(std::uint32_t{0});
    }
    integer(string.offset);
    at(string.offset, [&] { string_here("", string.text); });
  }

  LayoutPolicy policy_;
  std::uint64_t most_ = limits::kFileBytes;
  bool overflowed_ = false;
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
  std::size_t base_ = 0;
  std::vector<std::function<void()>> deferred_;
  std::vector<std::pair<std::size_t, std::string>> unplaced_strings_;
  std::map<std::string, std::uint32_t, std::less<>> placed_strings_;
  std::unordered_set<std::uint32_t> written_;
};

/// The bytes of a part by its description. The model is not changed in meaning; places may be filled in.
template <class T, class... Context>
std::vector<std::byte> write_part(T model, const Context&... context) {
  Writer writer;
  describe(writer, model, context...);
  return writer.finish();
}

}  // namespace unshade
