// The archive that makes an outline of a description: which fields follow each other, where what they point to lies, and how many there are
// of it. Patterns of other tools are printed from it (patterns.cpp).
//
// It walks a description as the documenting archive does, and puts a number of its own into every field. Where such a number comes back as
// a count, a size or an offset, the description has said that it is that field's. An enumeration is walked with each of its values: where
// the outline differs, it steers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

#include "field_words.hpp"

namespace unshade::docs {

/// `times` a field of the same record, and `plus`; without a field a number. `_parent.` before the field: it is in the record around this
/// one.
struct Expression {
  std::string field;
  std::uint64_t times = 1;
  std::int64_t plus = 0;

  bool operator==(const Expression&) const = default;
};

struct OutlineItem {
  enum class Kind : std::uint8_t { integer, real, text, bytes, record, records };

  Kind kind = Kind::integer;
  std::string id;
  unsigned size = 0;  ///< bytes of an integer or float
  bool is_signed = false;
  const NameTable* names = nullptr;
  std::string names_id;                                        ///< what the enumeration is called
  std::optional<std::uint32_t> magic;                          ///< the value that it must have
  Expression length;                                           ///< bytes, or a count of records
  std::optional<Expression> at;                                ///< bytes from the start of the part; nothing: behind the item before
  bool is_optional = false;                                    ///< not there if the field of `at` is 0
  std::string only_if;                                         ///< not there if this field is 0
  std::string target;                                          ///< the outline of records
  std::string switch_on;                                       ///< the field that decides about the target
  std::vector<std::pair<std::uint32_t, std::string>> targets;  ///< by its values; others have `target`

  bool operator==(const OutlineItem&) const = default;
};

struct Outline {
  std::string name;
  std::vector<OutlineItem> items;
};

/// All outlines of a file format, those that others need before them.
struct OutlineBook {
  std::vector<Outline> outlines;

  const Outline* find(std::string_view name) const;
  /// The name that such items go by: `name`, or that with the variant, unless that is another's.
  std::string add(const std::string& name, const std::string& variant, std::vector<OutlineItem> items);
};

class Outliner : public FieldWords<Outliner> {
 public:
  static constexpr bool kOutlines = true;

  /// `known`: an enumeration whose value the model has.
  Outliner(OutlineBook& book, std::string root, std::string known = {}) : book_(&book), root_(std::move(root)), known_(std::move(known)) {}

  /// The name of the outline of a model in its context.
  template <class T, class... Context>
  std::string outline(const std::string& name, const T& model, const Context&... context) {
    const auto [items, result] = steered(name, [&] {
      T fresh = model;
      describe(*this, fresh, context...);
    });
    return result;
  }

  void i32(const char* name, std::int32_t&, const FieldType& = kSigned) { add(name, OutlineItem::Kind::integer, 4).is_signed = true; }
  void f32(const char* name, float&, const FieldType& = kReal) { add(name, OutlineItem::Kind::real, 4); }
  void expect32(const char* name, std::uint32_t expected, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) {
    add(name, OutlineItem::Kind::integer, 4).magic = expected;
  }
  void string_at(const char* name, String&) { text_at(name, false); }
  void optional_string_at(const char* name, String&) { text_at(name, true); }
  void string_here(const char* name, std::string_view&) { add(name, OutlineItem::Kind::text, 0); }
  void raw(const char* name, View&, std::size_t size, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    if (size == 4 && (type.kind == FieldKind::custom || type.kind == FieldKind::offset)) {
      add(name, OutlineItem::Kind::integer, 4);  // a number that prints as more
    } else {
      add(name, OutlineItem::Kind::bytes, 0).length = expression_of(size);
    }
  }
  void padding(std::size_t size) { add("padding", OutlineItem::Kind::bytes, 0).length = expression_of(size); }
  void align(std::size_t) {}

  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    const std::string target = nested(name, value, context...);
    add(name, OutlineItem::Kind::record, 0).target = target;
  }
  template <class T, class... Context>
  void records(const char* name, std::vector<T>&, std::size_t count, std::size_t, const Context&... context) {
    const std::string target = nested(name, T{}, context...);
    OutlineItem& item = add(name, OutlineItem::Kind::records, 0);
    item.target = target;
    item.length = expression_of(count);
  }
  template <class T, class... Context>
  void records_at(const char* name, Table<T>&, std::size_t count, std::size_t, const Context&... context) {
    const std::string offset = add((std::string(name) + "_offset").c_str(), OutlineItem::Kind::integer, 4).id;
    const Expression length = expression_of(count);
    const std::string target = nested(name, T{}, context...);
    // without a count there is one, or none
    const bool is_one = length == Expression{};
    OutlineItem& item = add(name, is_one ? OutlineItem::Kind::record : OutlineItem::Kind::records, 0);
    item.at = Expression{offset};
    item.is_optional = is_one;
    item.length = length;
    item.target = target;
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    std::uint32_t count = 0;
    u32("count", count);
    records_at(name, table, count, stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t&, T& value, const Context&... context) {
    pointed(name, nested(name, value, context...));
  }
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t&, std::vector<T>& pool, const Context&... context) {
    if (pool.empty()) pool.emplace_back();
    T value{};
    pointed(name, nested(name, value, context...));
  }
  template <class F>
  void at(std::size_t offset, F&& f, const char* = "") {
    const auto outer = std::exchange(at_, expression_of(offset));
    f();
    at_ = outer;
  }
  /// What follows in the record is there only if a field of it is not 0.
  void unless_zero(const char* field) { frame_.only_if = field; }
  /// As many groups.
  template <class F>
  void groups(const char* name, std::size_t count, F&& f) {
    const std::string target = steered(root_ + '_' + singular(name), f).second;
    OutlineItem& item = add(name, OutlineItem::Kind::records, 0);
    item.target = target;
    item.length = expression_of(count);
  }
  template <class F>
  void group(const char* name, std::uint32_t, F&& f) {
    const std::string target = steered(root_ + '_' + singular(name), f).second;
    add(name, OutlineItem::Kind::record, 0).target = target;
  }

 private:
  friend FieldWords<Outliner>;
  /// Of the record that is walked.
  struct Frame {
    std::vector<OutlineItem> items;
    std::map<std::uint64_t, std::string> numbers;  ///< fields by the numbers that were put into them
    std::string forced;                            ///< the enumeration that has a value for this walk
    std::uint32_t value = 0;
    std::string only_if{};  ///< of the items from here on
  };
  using Walked = std::pair<std::vector<OutlineItem>, std::string>;

  static std::string singular(std::string name);
  OutlineItem& add(const char* name, OutlineItem::Kind kind, unsigned size);
  Expression expression_of(std::uint64_t value) const;
  void text_at(const char* name, bool is_optional);
  void pointed(const char* name, const std::string& target);
  std::string names_id(const FieldType& type) const;

  template <class T>
  void integer(const char* name, T& value, const FieldType& type) {
    OutlineItem& item = add(name, OutlineItem::Kind::integer, sizeof(T));
    item.is_signed = type.kind == FieldKind::signed_integer;
    if (sizeof(T) == 8 || type.names != nullptr || !type.bits.empty()) return;
    // far from the numbers that descriptions have of their own
    const std::uint64_t first = sizeof(T) == 4 ? 0x4000'0000 : sizeof(T) == 2 ? 0x4000 : 0x80;
    const std::uint64_t step = sizeof(T) == 4 ? 0x1'0000 : sizeof(T) == 2 ? 0x10 : 1;
    value = static_cast<T>(first + step * (sizeof(T) == 4 ? ++serial_ % 0x4000 : frame_.items.size()));
    frame_.numbers.emplace(value, item.id);
  }
  template <class Integer, class E>
  void enumeration(const char* name, E& value, const FieldType& type) {
    OutlineItem& item = add(name, OutlineItem::Kind::integer, sizeof(Integer));
    if (type.kind != FieldKind::enumeration || type.names == nullptr) return;
    item.names = type.names;
    item.names_id = names_id(type);
    if (frame_.forced == item.id) value = static_cast<E>(frame_.value);
  }

  template <class T, class... Context>
  std::string nested(const char* name, T value, const Context&... context) {
    const std::type_index type(typeid(T));
    for (const auto& [walking, walking_name] : walking_)
      if (walking == type) return walking_name;  // a type contains types
    const std::string own = root_ + '_' + singular(name);
    walking_.emplace_back(type, own);
    const auto outer = std::exchange(at_, std::nullopt);
    std::string made = steered(own, [&] {
                         T fresh = value;
                         describe(*this, fresh, context...);
                       }).second;
    at_ = outer;
    walking_.pop_back();
    return made;
  }

  /// Walks with each value of each enumeration, and joins what that gives.
  template <class F>
  Walked steered(const std::string& name, F&& walk) {
    const Frame outer = std::move(frame_);
    const Frame* const around = std::exchange(around_, &outer);
    const auto walk_with = [&](const std::string& forced, std::uint32_t value) {
      frame_ = Frame{{}, {}, forced, value};
      walk();
      return std::move(frame_.items);
    };
    const std::vector<OutlineItem> plain = walk_with({}, 0);
    std::vector<OutlineItem> items = plain;
    for (const OutlineItem& field : plain) {
      if (field.names == nullptr || field.id == known_) continue;
      for (const NamedValue& named : field.names->values) {
        const std::string before = std::exchange(variant_, std::string(named.id));
        join(items, plain, walk_with(field.id, named.value), field.id, named.value, name);
        variant_ = before;
      }
    }
    frame_ = outer;
    around_ = around;
    return {items, book_->add(name, variant_, items)};
  }
  void join(std::vector<OutlineItem>& items, const std::vector<OutlineItem>& plain, std::vector<OutlineItem> other,
            const std::string& field, std::uint32_t value, const std::string& name);

  OutlineBook* book_;
  std::string root_;
  std::string known_;
  Frame frame_;
  const Frame* around_ = nullptr;  // of the record around this one
  std::uint64_t serial_ = 0;
  std::optional<Expression> at_;
  std::string variant_;  // of the enumeration that is forced
  std::vector<std::pair<std::type_index, std::string>> walking_;
};

}  // namespace unshade::docs
