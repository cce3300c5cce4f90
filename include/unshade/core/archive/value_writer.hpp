// The archive that makes a document of a model: a Value with a member for each field, by the field's name.
//
// Left out: counts and constants, which follow from the rest; fields called `reserved` that are zero; empty tables; and all places. With
// Places::stated, places are hints: `elements@` says where `elements` is, `@` where a shared record is itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/archive/without_bytes.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

class ValueWriter : public WithoutBytes {
 public:
  static constexpr bool kIsValueArchive = true;

  explicit ValueWriter(Places places = Places::left_to_the_writer) : places_(places), map_(Value::map()) {}

  // --- integers and floats -------------------------------------------------------------------------------------------------------
  void u8(const char* name, std::uint8_t& value, const FieldType& type = kUnsigned) { integer(name, value, 1, type); }
  void u16(const char* name, std::uint16_t& value, const FieldType& type = kUnsigned) { integer(name, value, 2, type); }
  void u32(const char* name, std::uint32_t& value, const FieldType& type = kUnsigned) { integer(name, value, 4, type); }
  void u64(const char* name, std::uint64_t& value, const FieldType& type = kUnsigned) { integer(name, value, 8, type); }
  void i32(const char* name, std::int32_t& value, const FieldType& type = kSigned) {
    integer(name, static_cast<std::uint32_t>(value), 4, type);
  }
  void f32(const char* name, float& value, const FieldType& = kReal) { map_.add(name, real_value(value)); }
  template <class E>
  void enum8(const char* name, E& value, const FieldType& type = field_type(E{})) {
    integer(name, static_cast<std::uint8_t>(value), 1, type);
  }
  template <class E>
  void enum16(const char* name, E& value, const FieldType& type = field_type(E{})) {
    integer(name, static_cast<std::uint16_t>(value), 2, type);
  }
  template <class E>
  void enum32(const char* name, E& value, const FieldType& type = field_type(E{})) {
    integer(name, static_cast<std::uint32_t>(value), 4, type);
  }
  void expect32(const char*, std::uint32_t, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) {}

  // --- text and raw bytes --------------------------------------------------------------------------------------------------------
  void string_at(const char* name, String& string) {
    map_.add(name, text_value(string.text));
    place(name, string.offset);
  }
  void optional_string_at(const char* name, String& string) {
    if (string.text.empty() && (string.offset == 0 || string.offset == kUnplaced)) return;
    string_at(name, string);
  }
  void string_here(const char* name, std::string_view& text) { map_.add(name, text_value(text)); }
  void raw(const char* name, View& bytes, std::size_t size, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    if (bytes.empty()) return;
    switch (type.kind) {
      case FieldKind::bytes:
      case FieldKind::padding:
      case FieldKind::unknown: break;
      case FieldKind::text: map_.add(name, text_value(bytes.text())); return;
      default:
        if (size == bytes.size() && (size == 1 || size == 2 || size == 4 || size == 8))
          return integer(name, little_endian(bytes), size, type);
        break;
    }
    map_.add(name, bytes_value(bytes));
  }
  void numbers(const char* name, View& bytes, Numbers how) { map_.add(name, numbers_value(bytes, how)); }
  void u32_list(const char* name, std::vector<std::uint32_t>& values, bool states_none = false) {
    if (values.empty() && !states_none) return;
    Value list = Value::list();
    for (const std::uint32_t value : values) list.push(Value::integer(value));
    map_.add(name, std::move(list));
  }
  void text_list(const char* name, std::vector<std::string>& values, bool states_none = false) {
    if (values.empty() && !states_none) return;
    Value list = Value::list();
    for (const std::string& value : values) list.push(text_value(value));
    map_.add(name, std::move(list));
  }
  /// Bytes that only the layout decides, such as a table of texts: a hint.
  void layout_bytes(const char* name, View& bytes) {
    if (places_ == Places::stated && !bytes.empty()) map_.add(name, bytes_value(bytes));
  }
  /// The place of a thing that is elsewhere: a hint.
  void place(const char* name, std::uint32_t offset) {
    if (places_ == Places::stated && offset != kUnplaced) map_.add(std::string(name) + kPlaceMark, Value::integer(offset, true));
  }
  void padding(std::size_t) {}
  void align(std::size_t) {}

  // --- records -------------------------------------------------------------------------------------------------------------------
  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    Value made = described(value, context...);
    if (!made.as_map()->empty()) map_.add(name, std::move(made));
  }
  template <class Values, class... Context>
  void records(const char* name, Values& values, std::size_t, std::size_t, const Context&... context) {
    if (values.empty()) return;
    Value list = Value::list();
    list.as_list()->reserve(values.size());
    for (auto& value : values) list.push(bare(described(value, context...)));
    map_.add(name, std::move(list));
  }
  template <class Values, class... Context>
  void sequence(const char* name, Values& values, std::size_t count, std::size_t least, const Context&... context) {
    records(name, values, count, least, context...);
  }
  /// `table`: anything with `items` and `offset`.
  template <class T, class... Context>
  void records_at(const char* name, Table<T>& table, std::size_t, std::size_t, const Context&... context) {
    records(name, table.items, 0, 0, context...);
    place(name, table.offset);
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    records_at(name, table, table.size(), stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t& offset, T& value, const Context&... context) {
    record(name, value, context...);
    place(name, offset);
  }
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, const Context&... context) {
    map_.add(name, Value::integer(index));
    if (index >= pool.size()) return;
    Pool& records = pool_of(&pool, pool_name(pool[index]));
    if (records.values.size() < pool.size()) records.values.resize(pool.size());
    if (!records.values[index].is(Value::Kind::null)) return;
    records.values[index] = Value::map();  // a record that contains itself stops here
    Value made = described(pool[index], context...);
    if (places_ == Places::stated && pool[index].offset != kUnplaced) made.add(kPlaceMark, Value::integer(pool[index].offset, true));
    pool_of(&pool, {}).values[index] = std::move(made);
  }
  template <class T, class... Context>
  void optional_shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, std::uint32_t none, const Context&... context) {
    if (index != none) shared_at(name, index, pool, context...);
  }
  template <class F>
  void at(std::size_t, F&& f, const char* = "") {
    f();
  }
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    Value outer = std::exchange(map_, Value::map());
    f();
    Value made = std::exchange(map_, std::move(outer));
    if (index == kNoIndex) {
      if (!made.as_map()->empty()) map_.add(name, std::move(made));
      return;
    }
    Value::Map& members = *map_.as_map();
    if (members.empty() || members.back().key != name) map_.add(name, Value::list());
    members.back().value.push(std::move(made));
  }
  template <class F>
  void optional_group(const char* name, bool present, F&& f) {
    if (present) group(name, kNoIndex, f);
  }

  // --- state ---------------------------------------------------------------------------------------------------------------------
  Places places() const { return places_; }

  /// The map of the whole, shared records after the rest.
  Value finish() {
    for (Pool& pool : pools_) {
      Value list = Value::list();
      for (Value& value : pool.values) list.push(value.is(Value::Kind::null) ? Value::map() : std::move(value));
      map_.add(pool.name, std::move(list));
    }
    pools_.clear();
    return std::move(map_);
  }

 private:
  struct Pool {
    const void* model;
    std::string_view name;
    std::vector<Value> values;
  };

  void integer(const char* name, std::uint64_t value, std::size_t size, const FieldType& type) {
    if (&type == &kCount || (is_layout(type) && places_ == Places::left_to_the_writer)) return;
    if (is_layout(type) && size == 4 && value == kUnplaced) return;
    if (value == 0 && std::string_view(name).starts_with("reserved")) return;
    if (type.kind == FieldKind::padding) {
      if (value == 0) return;
      return static_cast<void>(map_.add(name, field_value(value, size, kHex)));
    }
    map_.add(name, field_value(value, size, type));
  }
  template <class T, class... Context>
  Value described(T& value, const Context&... context) {
    Value outer = std::exchange(map_, Value::map());
    describe(*this, value, context...);
    return std::exchange(map_, std::move(outer));
  }
  /// In a list, a record of a single field is that field alone, unless that would read as a record.
  static Value bare(Value made) {
    Value::Map& members = *made.as_map();
    if (members.size() != 1 || members.front().value.is(Value::Kind::map) || members.front().value.is(Value::Kind::list)) return made;
    return std::move(members.front().value);
  }
  Pool& pool_of(const void* model, std::string_view name) {
    for (Pool& pool : pools_)
      if (pool.model == model) return pool;
    return pools_.emplace_back(Pool{model, name, {}});
  }

  Places places_;
  Value map_;
  std::vector<Pool> pools_;
};

/// The document of a model.
template <class T, class... Context>
Value value_of(T& model, Places places, const Context&... context) {
  ValueWriter writer(places);
  describe(writer, model, context...);
  return writer.finish();
}

}  // namespace unshade
