// The reading archive: fills a model from bytes by its description, and, with a recorder, the field tree at the same time.
//
// The words a description may use (every archive has them all):
//   u8 u16 u32 u64 i32 f32 (name, value [, type])   an integer or float at the cursor
//   enum8 enum16 enum32 (name, value [, type])      an enumeration: field_type(E) says how it prints
//   expect32 (name, constant)                       a value that must be this one
//   string_at (name, String)                        u32 offset of zero-terminated text; 0 stays empty in optional_string_at
//   string_here (name, string_view)                 zero-terminated text at the cursor
//   raw (name, View, size)                          bytes kept as they are
//   padding (size), align (bytes)                   bytes without meaning
//   record (name, value, ctx...)                    a nested record at the cursor
//   records (name, vector, count, stride, ctx...)   that many records at the cursor, `stride` bytes from one to the next
//   sequence (name, vector, count, least, ctx...)   that many records at the cursor, of sizes that vary, `least` bytes at least
//   records_at (name, Table, count, stride, ctx...) u32 offset of them; the count was read before
//   table (name, Table, stride, ctx...)             u32 count, u32 offset of the records
//   record_at (name, offset, value, ctx...)         u32 offset of one record
//   shared_at (name, index, pool, ctx...)           u32 offset of one record that others may point to as well
//   count_from (base)                               offsets count from here on from `base`, itself counted from the part's start
//   at (offset, f)                                  f with the cursor moved to an offset from the start of the part's data, or from `base`
//   rest ()                                         bytes left after the cursor
//   fail (code, name, message)                      a fault only this description can see
// and, for descriptions that must look around: ok, position, part, peek32 (the next integer without moving on), group (name, index, f),
// fail_at. A description needs no test after each word: the first error sticks, later reads give zeros, counts become 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// Records nothing; every call vanishes.
struct NoRecorder {
  static constexpr bool kRecords = false;
  void leaf(const char*, const FieldType&, std::uint64_t, std::size_t, std::uint32_t, std::uint32_t = 0) {}
  std::uint32_t open(const char*, std::uint64_t, std::uint32_t) { return 0; }
  void close(std::uint32_t, std::uint64_t) {}
};

/// Adds to a Tree, below a group of it.
class TreeRecorder {
 public:
  static constexpr bool kRecords = true;
  TreeRecorder(Tree& tree, std::uint32_t group) : tree_(&tree), group_(group) {}

  void leaf(const char* name, const FieldType& type, std::uint64_t offset, std::size_t size, std::uint32_t index,
            std::uint32_t context = 0) {
    tree_->add({name, &type, group_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size), index, context});
  }
  /// Opens a group; returns the one above, for close().
  std::uint32_t open(const char* name, std::uint64_t offset, std::uint32_t index) {
    const std::uint32_t above = group_;
    group_ = tree_->add({name, &kGroup, above, static_cast<std::uint32_t>(offset), 0, index, 0});
    return above;
  }
  void close(std::uint32_t above, std::uint64_t end) {
    Field& field = tree_->at(group_);
    field.size = end > field.offset ? static_cast<std::uint32_t>(end - field.offset) : 0;
    group_ = above;
  }

 private:
  Tree* tree_;
  std::uint32_t group_;
};

template <class Recorder>
class BasicReader {
 public:
  static constexpr bool kReads = true;
  static constexpr bool kRecords = Recorder::kRecords;

  explicit BasicReader(View part, Recorder recorder = {})
      : part_(part), recorder_(recorder), budget_(part.size() * limits::kWorkPerByte + limits::kWorkBase) {}

  // --- integers and floats -------------------------------------------------------------------------------------------------------
  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void i32(const char* name, std::int32_t& value, const FieldType& type = kSigned) {
    std::uint32_t bits = 0;
    integer(name, bits, type);
    value = static_cast<std::int32_t>(bits);
  }
  void f32(const char* name, float& value, const FieldType& type = kReal) {
    std::uint32_t bits = 0;
    integer(name, bits, type);
    value = std::bit_cast<float>(bits);
  }
  template <class E>
  void enum8(const char* name, E& value, const FieldType& type = field_type(E{})) {
    std::uint8_t bits = 0;
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    std::uint16_t bits = 0;
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    std::uint32_t bits = 0;
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  void expect32(const char* name, std::uint32_t expected, const FieldType& type = kHex, ErrorCode code = ErrorCode::bad_value) {
    std::uint32_t value = 0;
    const std::size_t at = at_;
    integer(name, value, type);
    if (ok() && value != expected) fail_at(code, at, name, "expected " + hex32(expected) + ", found " + hex32(value));
  }

  // --- text and raw bytes --------------------------------------------------------------------------------------------------------
  void string_at(const char* name, String& string) { string_field(name, string, false); }
  void optional_string_at(const char* name, String& string) { string_field(name, string, true); }
  void string_here(const char* name, std::string_view& text) {
    if (!ok()) return;
    const auto found = part_.c_string(at_);
    if (!found) return fail_at(ErrorCode::truncated, at_, name, "unterminated string");
    text = *found;
    spend(text.size() + 1);
    recorder_.leaf(name, kText, file_offset(at_), text.size() + 1, kNoIndex);
    at_ += text.size() + 1;
  }
  void raw(const char* name, View& bytes, std::size_t size, const FieldType& type = kBytes, std::uint32_t index = kNoIndex,
           std::uint32_t context = 0) {
    bytes = {};
    if (!take(name, size)) return;
    bytes = part_.clamped(at_, size);
    recorder_.leaf(name, type, file_offset(at_), size, index, context);
    at_ += size;
  }
  void padding(std::size_t size) {
    if (!take("padding", size)) return;
    recorder_.leaf("padding", kPadding, file_offset(at_), size, kNoIndex);
    at_ += size;
  }
  /// Up to the next multiple of `bytes` from the start of the part, but not beyond its end.
  void align(std::size_t bytes) {
    const std::size_t over = at_ % bytes;
    if (over != 0) padding(std::min(bytes - over, rest()));
  }

  // --- records -------------------------------------------------------------------------------------------------------------------
  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    indexed_record(name, kNoIndex, value, context...);
  }
  template <class T, class... Context>
  void records(const char* name, std::vector<T>& values, std::size_t count, std::size_t stride, const Context&... context) {
    values.clear();
    if (!ok()) return;
    if (stride == 0 || count > rest() / stride) {
      return fail_at(ErrorCode::truncated, at_, name,
                     std::to_string(count) + " records of " + std::to_string(stride) + " bytes exceed the remaining " +
                         std::to_string(rest()) + " bytes");
    }
    // reserve() is in proportion to the bytes; a record is read from at least `stride` of them
    values.reserve(count);
    for (std::size_t i = 0; i < count && ok(); ++i) {
      const std::size_t from = at_;
      indexed_record(name, static_cast<std::uint32_t>(i), values.emplace_back(), context...);
      if (ok() && at_ > from + stride) fail_at(ErrorCode::overlap, from, name, "the record is longer than its stride");
      if (ok()) at_ = from + stride;
    }
  }
  template <class T, class... Context>
  void sequence(const char* name, std::vector<T>& values, std::size_t count, std::size_t least, const Context&... context) {
    values.clear();
    if (!ok()) return;
    if (count > rest() / least) {
      return fail_at(ErrorCode::truncated, at_, name,
                     std::to_string(count) + " records of " + std::to_string(least) + " or more bytes exceed the remaining " +
                         std::to_string(rest()) + " bytes");
    }
    for (std::size_t i = 0; i < count && ok(); ++i) indexed_record(name, static_cast<std::uint32_t>(i), values.emplace_back(), context...);
  }
  template <class T, class... Context>
  void records_at(const char* name, Table<T>& table, std::size_t count, std::size_t stride, const Context&... context) {
    u32(name, table.offset, kOffset);
    table.items.clear();
    if (count != 0) at(table.offset, [&] { records(name, table.items, count, stride, context...); }, name);
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    std::uint32_t count = 0;
    u32("count", count);
    records_at(name, table, count, stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t& offset, T& value, const Context&... context) {
    u32("offset", offset, kOffset);
    at(offset, [&] { record(name, value, context...); });
  }
  /// One record that several may point to. `index` becomes its place in `pool`; the same offset gives the same place. A record that is
  /// still being read when it is asked for again is a cycle.
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, const Context&... context) {
    std::uint32_t offset = 0;
    const std::size_t field = at_;
    u32(name, offset, kOffset);
    index = 0;
    if (!ok()) return;
    const auto [found, is_new] = shared_.try_emplace(offset, kBeingRead);
    if (!is_new) {
      if (found->second == kBeingRead) return fail_at(ErrorCode::cycle, field, name, "the record contains itself");
      index = found->second;
      spend_name(pool[index]);
      return;
    }
    T value{};
    value.offset = offset;
    at(offset, [&] { indexed_record(name, kNoIndex, value, context...); }, name);
    if (!ok()) return;
    index = static_cast<std::uint32_t>(pool.size());
    pool.push_back(std::move(value));
    shared_[offset] = index;
    spend_name(pool[index]);
  }
  /// `base` lies in the part: what was read last ends there, or the reading has failed.
  void count_from(std::size_t base) { base_ = std::min(base, part_.size()); }
  /// `name`: of the field just read that holds the offset.
  template <class F>
  void at(std::size_t offset, F&& f, const char* name = "") {
    if (!ok()) return;
    if (offset > part_.size() - base_) {
      return fail_at(ErrorCode::out_of_range, at_ >= 4 ? at_ - 4 : 0, name,
                     "offset " + std::to_string(offset) + " is beyond the end of the part (" + std::to_string(part_.size()) + " bytes)");
    }
    const std::size_t back = at_;
    at_ = base_ + offset;
    f();
    at_ = back;
  }

  // --- state ---------------------------------------------------------------------------------------------------------------------
  bool ok() const { return !error_; }
  std::size_t position() const { return at_; }
  std::size_t rest() const { return ok() ? part_.left(at_) : 0; }
  View part() const { return part_; }
  std::uint64_t file_offset(std::size_t at) const { return part_.file_offset() + at; }
  /// The next integer without moving on; nothing at the end.
  std::optional<std::uint32_t> peek32(std::size_t ahead = 0) const { return ok() ? part_.u32(at_ + ahead) : std::nullopt; }
  void fail(ErrorCode code, const char* name, std::string message) { fail_at(code, at_, name, std::move(message)); }
  void fail_at(ErrorCode code, std::size_t at, const char* name, std::string message) {
    if (!ok()) return;
    error_ = std::make_unique<Error>(Error{code, file_offset(at), name, std::move(message)});
    budget_ = 0;
  }
  std::optional<Error> take_error() {
    if (ok()) return std::nullopt;
    return std::move(*error_);
  }
  Recorder& recorder() { return recorder_; }

  /// f with errors inside named below `name`; what it reads becomes one group of the tree.
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    if (!ok()) return;
    if (++depth_ > limits::kNesting) fail_at(ErrorCode::limit, at_, name, "records nest too deeply");
    const auto above = recorder_.open(name, file_offset(at_), index);
    if (ok()) f();
    recorder_.close(above, file_offset(at_));
    --depth_;
    if (!ok()) {
      std::string parent = name;
      if (index != kNoIndex) parent += '[' + std::to_string(index) + ']';
      static_cast<void>(std::move(*error_).within(parent));  // in place: assigning it to itself would empty its texts
    }
  }

 private:
  static constexpr std::uint32_t kBeingRead = 0xffff'ffff;

  template <class T>
  void integer(const char* name, T& value, const FieldType& type) {
    // The common case in line; an error has used up the budget, so that one test covers both.
    if (sizeof(T) > budget_ || !part_.holds(at_, sizeof(T))) [[unlikely]] {
      value = 0;
      static_cast<void>(take(name, sizeof(T)));
      return;
    }
    budget_ -= sizeof(T);
    value = part_.load_unchecked<T>(at_);
    recorder_.leaf(name, type, file_offset(at_), sizeof(T), kNoIndex);
    at_ += sizeof(T);
  }
  [[gnu::noinline]] bool take(const char* name, std::size_t size) {
    if (!ok()) return false;
    if (!part_.holds(at_, size)) {
      fail_at(ErrorCode::truncated, at_, name, std::to_string(size) + " bytes needed, " + std::to_string(part_.left(at_)) + " left");
      return false;
    }
    return spend(size);
  }
  bool spend(std::size_t size) {
    if (size > budget_) {
      fail_at(ErrorCode::limit, at_, "", "the records of this part overlap too much to be read in bounded time");
      return false;
    }
    budget_ -= size;
    return true;
  }
  // A shared record's name is printed for each that refers to it, as shared names are.
  template <class T>
  void spend_name(const T& shared) {
    if constexpr (requires { shared.name.text; }) spend(shared.name.text.size());
  }
  void string_field(const char* name, String& string, bool optional) {
    const std::size_t field = at_;
    string.text = {};
    u32(name, string.offset, kOffset);
    if (!ok() || (optional && string.offset == 0)) return;
    const auto found = part_.c_string(base_ + string.offset);
    if (!found) {
      return fail_at(base_ + string.offset < part_.size() ? ErrorCode::truncated : ErrorCode::out_of_range, field, name,
                     "no zero-terminated string at offset " + std::to_string(string.offset) + " of the part");
    }
    string.text = *found;
    // Long names are shared by offset, and models and texts have one copy for each reference, which the budget pays for.
    if (!spend(string.text.size())) return;
    recorder_.leaf("text", kText, file_offset(base_ + string.offset), string.text.size() + 1, kNoIndex);
  }
  template <class T, class... Context>
  void indexed_record(const char* name, std::uint32_t index, T& value, const Context&... context) {
    group(name, index, [&] { describe(*this, value, context...); });
  }

  View part_;
  std::size_t at_ = 0;
  std::size_t base_ = 0;
  [[no_unique_address]] Recorder recorder_;
  std::size_t budget_;
  unsigned depth_ = 0;
  std::unique_ptr<Error> error_;
  std::unordered_map<std::uint32_t, std::uint32_t> shared_;
};

using Reader = BasicReader<NoRecorder>;
using TreeReader = BasicReader<TreeRecorder>;

/// Reads a whole part into `model`, errors named below `name`.
template <class T, class... Context>
Result<void> read_part(View part, const char* name, T& model, const Context&... context) {
  Reader reader(part);
  describe(reader, model, context...);
  if (auto error = reader.take_error()) return std::move(*error).within(name);
  return {};
}

/// The same into the field tree, below `group`; what was read before an error stays.
template <class T, class... Context>
void record_part(View part, const char* name, Tree& tree, std::uint32_t group, T& model, const Context&... context) {
  TreeReader reader(part, TreeRecorder(tree, group));
  describe(reader, model, context...);
  if (auto error = reader.take_error()) tree.fail(std::move(*error).within(name));
}

}  // namespace unshade
