// The archive that makes a model of a document: the other way of ValueWriter. Texts and bytes of the model are borrowed from a ValueStore.
//
// Members may be in any order. One that is missing leaves the model's default; one that no description asks for is an error. What has
// no place stated is kUnplaced, and the writer finds its place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// Owns what models that were read from documents borrow, and says whether the hints of the document count: with
/// Places::left_to_the_writer they are read and checked, but the model does not get them.
class ValueStore {
 public:
  /// `met_hint`, if given, becomes true at the first hint.
  explicit ValueStore(Places places = Places::stated, bool* met_hint = nullptr) : places_(places), met_hint_(met_hint) {}

  Places places() const { return places_; }
  void meet_hint() {
    if (met_hint_ != nullptr) *met_hint_ = true;
  }
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  View keep(std::vector<std::byte> bytes) { return View(bytes_.emplace_back(std::move(bytes))); }

 private:
  Places places_;
  bool* met_hint_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::byte>> bytes_;
};

class ValueReader {
 public:
  static constexpr bool kReads = false;
  static constexpr bool kRecords = false;
  static constexpr bool kIsValueArchive = true;
  static constexpr bool kReadsValues = true;

  ValueReader(const Value& root, ValueStore& store) : store_(&store), root_(&root) { enter(root); }

  // --- integers and floats -------------------------------------------------------------------------------------------------------
  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) { integer(name, value, type); }
  void i32(const char* name, std::int32_t& value, const FieldType& type = kSigned) {
    auto bits = static_cast<std::uint32_t>(value);
    integer(name, bits, type);
    value = static_cast<std::int32_t>(bits);
  }
  void f32(const char* name, float& value, const FieldType& = kReal) {
    if (const Value* const found = take(name)) check(parse_real(*found, value), name, *found);
  }
  template <class E>
  void enum8(const char* name, E& value, const FieldType& type = field_type(E{})) {
    auto bits = static_cast<std::uint8_t>(value);
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    auto bits = static_cast<std::uint16_t>(value);
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    auto bits = static_cast<std::uint32_t>(value);
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }
  void expect32(const char*, std::uint32_t, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) {}

  // --- text and raw bytes --------------------------------------------------------------------------------------------------------
  void string_at(const char* name, String& string) {
    string = {};
    string_here(name, string.text);
    place(name, string.offset);
  }
  void optional_string_at(const char* name, String& string) {
    string_at(name, string);
    if (string.text.empty() && string.offset == kUnplaced) string.offset = 0;
  }
  void string_here(const char* name, std::string_view& text) {
    const Value* const found = take(name);
    if (found == nullptr) return;
    std::string read;
    check(parse_text(*found, read), name, *found);
    if (read.find('\0') != std::string::npos) check("the text must not contain zeros", name, *found);
    text = store_->keep(std::move(read));
  }
  void raw(const char* name, View& bytes, std::size_t size, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    const Value* const found = take(name);
    if (found == nullptr) return;
    std::vector<std::byte> read;
    switch (type.kind) {
      case FieldKind::bytes:
      case FieldKind::padding:
      case FieldKind::unknown: check(parse_bytes(*found, read), name, *found); break;
      case FieldKind::text: {
        std::string text;
        check(parse_text(*found, text), name, *found);
        bytes = View(std::as_bytes(std::span<const char>(store_->keep(std::move(text)))));
        return;
      }
      default: {
        if (found->is(Value::Kind::bytes) || (size != 1 && size != 2 && size != 4 && size != 8)) {
          check(parse_bytes(*found, read), name, *found);
          break;
        }
        std::uint64_t value = 0;
        check(parse_field(*found, size, type, value), name, *found);
        for (std::size_t i = 0; i < size; ++i) read.push_back(static_cast<std::byte>(value >> (8 * i)));
        break;
      }
    }
    bytes = store_->keep(std::move(read));
  }
  void numbers(const char* name, View& bytes, Numbers how) {
    const Value* const found = take(name);
    if (found == nullptr) return;
    std::vector<std::byte> read;
    check(parse_numbers(*found, how, read), name, *found);
    bytes = store_->keep(std::move(read));
  }
  void u32_list(const char* name, std::vector<std::uint32_t>& values) {
    values.clear();
    const Value* const found = take(name);
    if (found == nullptr) return;
    if (found->as_list() == nullptr) return check("expected a list, found " + std::string(id(found->kind())), name, *found);
    for (const Value& element : *found->as_list()) {
      std::uint64_t value = 0;
      check(parse_field(element, 4, kUnsigned, value), name, element);
      values.push_back(static_cast<std::uint32_t>(value));
    }
  }
  void text_list(const char* name, std::vector<std::string>& values) {
    values.clear();
    const Value* const found = take(name);
    if (found == nullptr) return;
    if (found->as_list() == nullptr) return check("expected a list, found " + std::string(id(found->kind())), name, *found);
    for (const Value& element : *found->as_list()) check(parse_text(element, values.emplace_back()), name, element);
  }
  void layout_bytes(const char* name, View& bytes) {
    View stated;
    if (has(name) && hint_counts()) return raw(name, bytes, 0);
    raw(name, stated, 0);
  }
  /// The place of a thing that is elsewhere: a hint.
  void place(const char* name, std::uint32_t& offset) {
    if (!ok() || frames_.back().map == nullptr) return;
    // most documents have no hints at all: looked for only if there could be one
    const std::string key = std::string(name) + kPlaceMark;
    integer(key.c_str(), offset, kOffset);
  }
  void padding(std::size_t) {}
  void align(std::size_t) {}

  // --- records -------------------------------------------------------------------------------------------------------------------
  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    if (const Value* const found = take(name)) inside(*found, name, kNoIndex, [&] { describe(*this, value, context...); });
  }
  template <class Values, class... Context>
  void records(const char* name, Values& values, std::size_t, std::size_t, const Context&... context) {
    values.clear();
    const Value* const found = take(name);
    if (found == nullptr) return;
    const Value::List* const list = found->as_list();
    if (list == nullptr) return check("expected a list, found " + std::string(id(found->kind())), name, *found);
    values.reserve(list->size());
    for (std::size_t i = 0; i < list->size() && ok(); ++i) {
      auto& value = values.emplace_back();
      inside((*list)[i], name, static_cast<std::uint32_t>(i), [&] { describe(*this, value, context...); });
    }
  }
  template <class Values, class... Context>
  void sequence(const char* name, Values& values, std::size_t count, std::size_t least, const Context&... context) {
    records(name, values, count, least, context...);
  }
  template <class T, class... Context>
  void records_at(const char* name, Table<T>& table, std::size_t, std::size_t, const Context&... context) {
    records(name, table.items, 0, 0, context...);
    table.offset = kUnplaced;
    place(name, table.offset);
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    records_at(name, table, 0, stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t& offset, T& value, const Context&... context) {
    record(name, value, context...);
    offset = kUnplaced;
    place(name, offset);
  }
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, const Context&... context) {
    index = 0;
    const Value* const found = take(name);
    if (!ok()) return;
    std::uint64_t number = 0;
    if (found == nullptr) return fail_here(ErrorCode::missing, name, "expected the number of a record");
    if (check(parse_field(*found, 4, kUnsigned, number), name, *found); !ok()) return;
    Pool& records = pool_of(&pool, pool_name(T{}));
    if (records.list == nullptr || number >= records.list->size())
      return fail_value(ErrorCode::out_of_range, name, *found, "no record " + std::to_string(number) + " in " + std::string(records.name));
    if (pool.empty()) {
      pool.resize(records.list->size());
      records.states.assign(records.list->size(), State::unread);
    }
    index = static_cast<std::uint32_t>(number);
    if (records.states[index] == State::being_read)
      return fail_value(ErrorCode::cycle, name, *found, "record " + std::to_string(number) + " contains itself");
    if (records.states[index] == State::read) return;
    records.states[index] = State::being_read;
    const std::size_t which = static_cast<std::size_t>(&records - pools_.data());
    const Value& value = (*records.list)[index];
    inside(value, records.name.data(), index, [&] {
      T& record = pool[index];
      describe(*this, record, context...);
      place("", record.offset);
    });
    pools_[which].states[index] = State::read;
  }
  template <class T, class... Context>
  void optional_shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, std::uint32_t none, const Context&... context) {
    if (has(name)) {
      shared_at(name, index, pool, context...);
    } else {
      index = none;
    }
  }
  void count_from(std::size_t) {}
  template <class F>
  void at(std::size_t, F&& f, const char* = "") {
    if (ok()) f();
  }
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    if (!ok()) return;
    const Value* found = peek(name);
    if (index != kNoIndex) {
      const Value::List* const list = found != nullptr ? found->as_list() : nullptr;
      if (list == nullptr || index >= list->size()) return;
      if (index + 1 == list->size()) take(name);
      found = &(*list)[index];
    } else if (found != nullptr) {
      take(name);
    }
    inside(found != nullptr ? *found : nothing_, name, index, f);
  }
  template <class F>
  void optional_group(const char* name, bool, F&& f) {
    if (has(name)) group(name, kNoIndex, f);
  }

  // --- state ---------------------------------------------------------------------------------------------------------------------
  bool ok() const { return !error_; }
  /// Whether there is a member of this name. A record that is its only field has none.
  bool has(std::string_view name) const { return ok() && frames_.back().map != nullptr && peek(name) != nullptr; }
  /// Elements of a list; 0 if there is none of this name.
  std::size_t list_size(std::string_view name) const {
    const Value* const found = ok() && frames_.back().map != nullptr ? peek(name) : nullptr;
    return found != nullptr && found->as_list() != nullptr ? found->as_list()->size() : 0;
  }
  /// Says that a hint was met; whether the model is to get it.
  bool hint_counts() {
    store_->meet_hint();
    return store_->places() == Places::stated;
  }
  bool is_text(std::string_view name) const { return has(name) && peek(name)->as_text() != nullptr; }
  std::size_t position() const { return 0; }
  std::size_t rest() const { return 0; }
  View part() const { return {}; }
  std::optional<std::uint32_t> peek32(std::size_t = 0) const { return std::nullopt; }
  void fail(ErrorCode code, const char* name, std::string message) { fail_here(code, name, std::move(message)); }
  void fail_at(ErrorCode code, std::size_t, const char* name, std::string message) { fail_here(code, name, std::move(message)); }

  /// Ends the reading: members that nothing asked for are an error, and so are shared records that no other refers to.
  std::optional<Error> finish() {
    if (!frames_.empty()) leave();
    check_pools();
    if (ok()) return std::nullopt;
    return std::move(*error_);
  }

 private:
  enum class State : unsigned char { unread, being_read, read };
  struct Pool {
    const void* model;
    std::string_view name;
    const Value::List* list;
    std::vector<State> states;
  };
  struct Frame {
    const Value* value;
    const Value::Map* map;    // null: the value of the record's only field
    std::vector<bool> taken;  // of the map's members; of a value, whether it was read
    mutable std::size_t next = 0;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  void enter(const Value& value) {
    Frame frame{&value, value.as_map(), {}, 0};
    frame.taken.assign(frame.map != nullptr ? frame.map->size() : 1, false);
    frames_.push_back(std::move(frame));
  }
  void leave() {
    const Frame& frame = frames_.back();
    for (std::size_t i = 0; ok() && i < frame.taken.size(); ++i) {
      if (frame.taken[i]) continue;
      if (frame.map == nullptr) {
        error_ = std::make_unique<Error>(Error{ErrorCode::bad_value, frame.value->text_offset, "", "expected a map of fields"});
      } else if (frames_.size() != 1 || !is_pool((*frame.map)[i].key)) {
        const Value::Member& member = (*frame.map)[i];
        error_ = std::make_unique<Error>(
            Error{ErrorCode::bad_value, member.key_offset, member.key.substr(0, 64), "unknown field, or not valid here"});
      }
    }
    frames_.pop_back();
  }
  void check_pools() {
    for (const Pool& pool : pools_) {
      for (std::size_t i = 0; ok() && pool.list != nullptr && i < pool.list->size(); ++i) {
        const bool is_read = std::any_of(pools_.begin(), pools_.end(), [&](const Pool& one) {
          return one.list == pool.list && i < one.states.size() && one.states[i] != State::unread;
        });
        if (!is_read)
          error_ = std::make_unique<Error>(Error{ErrorCode::bad_value, (*pool.list)[i].text_offset,
                                                 std::string(pool.name) + '[' + std::to_string(i) + ']',
                                                 "no other record refers to this record, so it would not be written"});
      }
    }
  }
  bool is_pool(std::string_view key) const {
    for (const Pool& pool : pools_)
      if (pool.name == key) return true;
    return false;
  }

  // Members mostly are in the order in which they are asked for: the search begins after the last one found.
  std::size_t find(std::string_view name) const {
    const Frame& frame = frames_.back();
    const Value::Map& map = *frame.map;
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::size_t at = frame.next + i < map.size() ? frame.next + i : frame.next + i - map.size();
      if (map[at].key == name) return at;
    }
    return kNone;
  }
  const Value* peek(std::string_view name) const {
    if (!ok()) return nullptr;
    const Frame& frame = frames_.back();
    if (frame.map == nullptr) return frame.taken[0] ? nullptr : frame.value;
    const std::size_t at = find(name);
    return at != kNone ? &(*frame.map)[at].value : nullptr;
  }
  const Value* take(std::string_view name) {
    if (!ok()) return nullptr;
    Frame& frame = frames_.back();
    if (frame.map == nullptr) {
      if (frame.taken[0]) return nullptr;
      frame.taken[0] = true;
      return frame.value;
    }
    const std::size_t at = find(name);
    if (at == kNone) return nullptr;
    frame.taken[at] = true;
    frame.next = at + 1;
    return &(*frame.map)[at].value;
  }

  template <class T>
  void integer(const char* name, T& value, const FieldType& type) {
    if (&type == &kCount) return;
    const Value* const found = take(name);
    if (found == nullptr) return;
    std::uint64_t read = 0;
    check(parse_field(*found, sizeof(T), type, read), name, *found);
    if (read > static_cast<T>(~T{0})) check("the value is too large", name, *found);
    if (is_layout(type) && !hint_counts()) return;
    if (ok()) value = static_cast<T>(read);
  }
  void check(std::string problem, const char* name, const Value& value) {
    if (ok() && !problem.empty()) fail_value(ErrorCode::bad_value, name, value, std::move(problem));
  }
  void fail_value(ErrorCode code, const char* name, const Value& value, std::string message) {
    if (ok()) error_ = std::make_unique<Error>(Error{code, value.text_offset, name, std::move(message)});
  }
  void fail_here(ErrorCode code, const char* name, std::string message) {
    fail_value(code, name, frames_.empty() ? *root_ : *frames_.back().value, std::move(message));
  }
  template <class F>
  void inside(const Value& value, const char* name, std::uint32_t index, F&& f) {
    if (!ok()) return;
    if (frames_.size() > limits::kNesting) return fail_value(ErrorCode::limit, name, value, "records nest too deeply");
    enter(value);
    f();
    leave();
    if (ok()) return;
    std::string parent = name;
    if (index != kNoIndex) parent += '[' + std::to_string(index) + ']';
    static_cast<void>(std::move(*error_).within(parent));
  }
  Pool& pool_of(const void* model, std::string_view name) {
    for (Pool& pool : pools_)
      if (pool.model == model) return pool;
    const Value* const list = root_->find(name);
    return pools_.emplace_back(Pool{model, name, list != nullptr ? list->as_list() : nullptr, {}});
  }

  ValueStore* store_;
  const Value* root_;
  const Value nothing_ = Value::map();
  std::vector<Frame> frames_;
  std::vector<Pool> pools_;
  std::unique_ptr<Error> error_;
};

/// Reads a document into `model`, whose texts and bytes `store` keeps.
template <class T, class... Context>
Result<void> read_value(const Value& from, ValueStore& store, T& model, const Context&... context) {
  ValueReader reader(from, store);
  describe(reader, model, context...);
  if (auto error = reader.finish()) return std::move(*error);
  return {};
}

}  // namespace unshade
