// The archive that makes a JSON Schema of a description. It reads a document that says everything: it walks the description again and
// again, each time with another value in one of the fields that may steer it (enumerators, versions, whether a member is there), and
// gathers the members that the description asks for. What a record may have is the union of that.
//
// A list's records are explored by themselves. A record, group or shared record steers what stands around it, so it is walked in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

#include "field_words.hpp"

namespace unshade::docs {

/// A record of documents: what each of its members may be, as JSON Schemas.
struct RecordSchema {
  std::vector<std::pair<std::string, std::set<std::string>>> members;
  std::set<std::string> scalars;  ///< those of members that are no map and no list
  bool may_be_bare = false;       ///< a list may have the value of its only member in its place

  /// Whether that was not known yet.
  bool add(std::string_view name, const std::string& schema);
};

/// All records, by the path of members that leads to them.
class SchemaBook {
 public:
  RecordSchema& record(const std::string& path) { return records_[path]; }
  const std::map<std::string, RecordSchema>& records() const { return records_; }
  /// The schema of an integer field of so many bytes, and of the names that it has.
  std::string field(const FieldType& type, std::size_t size);
  const std::map<std::string, std::string>& enumerations() const { return enumerations_; }
  static std::string reference(std::string_view path);

  std::size_t news = 0;  ///< counts what was not known yet
  std::size_t runs = 0;

 private:
  std::string names(const NameTable& names, std::string_view title, std::size_t size);

  std::map<std::string, RecordSchema> records_;
  std::map<std::string, std::string> enumerations_;
  std::map<const NameTable*, std::string> known_;
};

inline constexpr const char* kBytesSchema = R"({"$ref": "#/$defs/bytes"})";
inline constexpr const char* kTextSchema = R"({"$ref": "#/$defs/text"})";
inline constexpr const char* kRealSchema = R"({"$ref": "#/$defs/real"})";
inline constexpr const char* kNumbersSchema = R"({"$ref": "#/$defs/numbers"})";
inline constexpr const char* kTextsSchema = R"({"type": "array", "items": {"$ref": "#/$defs/text"}})";
inline constexpr const char* kU32Schema = R"({"$ref": "#/$defs/u32"})";
inline constexpr const char* kU32sSchema = R"({"type": "array", "items": {"$ref": "#/$defs/u32"}})";

/// A fixed list of values for integers that steer their description, by name.
struct Steering {
  std::string_view name;
  std::vector<std::uint64_t> values;
};

/// Describes documents as ValueReader reads them.
struct DocumentWords {
  static constexpr bool kIsValueArchive = true;
  static constexpr bool kReadsValues = true;
};
/// Describes those that StreamFromValue reads.
struct StreamWords {
  static constexpr bool kMakesStream = true;
};

template <class Words>
class Explorer : public Words, public FieldWords<Explorer<Words>> {
 public:
  Explorer(SchemaBook& book, std::string root, std::vector<Steering> steering)
      : book_(&book), root_(std::move(root)), steering_(std::move(steering)) {}

  /// Explores a record at a path. `walk(archive)` describes a fresh one.
  template <class F>
  void explore(const std::string& path, F&& walk) {
    const std::vector<std::size_t> choices = std::exchange(choices_, {});
    const std::vector<std::size_t> options = std::exchange(options_, {});
    const Frame frame = frame_;
    const auto run = [&](const std::vector<std::size_t>& prefix) {
      choices_ = prefix;
      options_.clear();
      frame_ = {path, 0};
      const std::size_t before = book_->news;
      ++book_->runs;
      walk(*this);
      if (frame_.certain < 2) book_->record(path).may_be_bare = true;
      return book_->news != before;
    };
    // `explored`: choices up to there are not varied again
    const std::function<void(const std::vector<std::size_t>&, std::size_t)> vary = [&](const std::vector<std::size_t>& prefix,
                                                                                       std::size_t explored) {
      const std::vector<std::size_t> taken = options_;
      for (std::size_t i = explored; i < taken.size(); ++i) {
        for (std::size_t option = 1; option < taken[i]; ++option) {
          std::vector<std::size_t> next(prefix);
          next.resize(i, 0);
          next.push_back(option);
          // what is known already is still gone into where it asks for other things
          if (run(next) || shapes_.emplace(path, options_).second) vary(next, i + 1);
        }
      }
    };
    book_->record(path);
    const bool is_new = run({});
    // Where it asks for what it asked for before, all else is taken to be the same as well.
    if (explored_.emplace(path, options_).second || is_new) vary({}, 0);
    choices_ = choices;
    options_ = options;
    frame_ = frame;
  }

  void i32(const char* name, std::int32_t& value, const FieldType& type = kSigned) {
    auto bits = static_cast<std::uint32_t>(value);
    integer(name, bits, type);
  }
  void f32(const char* name, float&, const FieldType& = kReal) { certain(name, kRealSchema); }
  void expect32(const char*, std::uint32_t, const FieldType& = kHex, ErrorCode = ErrorCode::bad_value) {}

  void string_at(const char* name, String& string) {
    certain(name, kTextSchema);
    place(name, string.offset);
  }
  void optional_string_at(const char* name, String& string) {
    scalar(name, kTextSchema);
    place(name, string.offset);
  }
  void string_here(const char* name, std::string_view&) { certain(name, kTextSchema); }
  void raw(const char* name, View&, std::size_t size, const FieldType& type = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    switch (type.kind) {
      case FieldKind::bytes:
      case FieldKind::padding:
      case FieldKind::unknown: return scalar(name, kBytesSchema);
      case FieldKind::text: return scalar(name, kTextSchema);
      default: break;
    }
    if (size == 1 || size == 2 || size == 4 || size == 8) scalar(name, book_->field(type, size));
    scalar(name, kBytesSchema);
  }
  void numbers(const char* name, View&, Numbers) { member(name, kNumbersSchema); }
  void u32_list(const char* name, std::vector<std::uint32_t>&, bool = false) { member(name, kU32sSchema); }
  void text_list(const char* name, std::vector<std::string>&, bool = false) { member(name, kTextsSchema); }
  void layout_bytes(const char* name, View&) { scalar(name, kBytesSchema); }
  void place(const char* name, std::uint32_t&) { scalar(std::string(name) + kPlaceMark, kU32Schema); }
  void padding(std::size_t) {}
  void align(std::size_t) {}

  // of streams
  template <class T>
  void integers(const char* name, View&, std::size_t, bool = false) {
    member(name, kU32sSchema);
  }
  void texts(const char* name, View&, std::size_t) {
    member(name, kTextsSchema);
    scalar(name, kBytesSchema);
  }
  void spelled(const char* name, View&, std::size_t, const Spelling&) { scalar(name, R"({"type": "string"})"); }
  void put(View) {}
  template <class T>
  void number(T) {}
  template <class T>
  void patch(std::size_t, T) {}
  Explorer& plain() { return *this; }

  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    nested(name, book_->reference(path_of(name)), [&] { describe(*this, value, context...); });
  }
  template <class Values, class... Context>
  void records(const char* name, Values& values, std::size_t, std::size_t, const Context&... context) {
    const std::string path = path_of(name);
    using Record = typename Values::value_type;
    if (depth_ < kMostDepth) {
      ++depth_;
      explore(path, [&](Explorer& a) {
        Record fresh{};
        describe(a, fresh, context...);
      });
      --depth_;
    }
    member(name, R"({"type": "array", "items": {"$ref": "#/$defs/)" + path + R"(.item"}})");
    if (values.empty()) values.emplace_back();
  }
  template <class Placed, class... Context>
  void records_at(const char* name, Placed& table, std::size_t, std::size_t, const Context&... context) {
    records(name, table.items, 0, 0, context...);
    place(name, table.offset);
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    records_at(name, table, 0, stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t& offset, T& value, const Context&... context) {
    record(name, value, context...);
    place(name, offset);
  }
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, const Context&... context) {
    certain(name, kU32Schema);
    index = 0;
    const std::string_view list = pool_name(T{});
    const std::string path = root_ + '.' + std::string(list);
    if (book_->record(root_).add(list, R"({"type": "array", "items": {"$ref": "#/$defs/)" + path + R"(.item"}})")) ++book_->news;
    if (!walking_.insert(path).second) return;  // a type contains types
    if (pool.empty()) pool.emplace_back();
    T value{};
    const Frame outer = std::exchange(frame_, Frame{path, 0});
    describe(*this, value, context...);
    place("", value.offset);
    if (frame_.certain < 2) book_->record(path).may_be_bare = true;
    frame_ = outer;
    pool[0] = std::move(value);
    walking_.erase(path);
  }
  template <class T, class... Context>
  void optional_shared_at(const char* name, std::uint32_t& index, std::vector<T>& pool, std::uint32_t none, const Context&... context) {
    if (has(name)) {
      shared_at(name, index, pool, context...);
    } else {
      index = none;
    }
  }
  template <class F>
  void at(std::size_t, F&& f, const char* = "") {
    f();
  }
  template <class F>
  void group(const char* name, std::uint32_t index, F&& f) {
    const std::string path = path_of(name);
    if (index == kNoIndex) return nested(name, book_->reference(path), f);
    nested(name, R"({"type": "array", "items": {"$ref": "#/$defs/)" + path + R"("}})", f);
  }
  template <class F>
  void optional_group(const char* name, bool, F&& f) {
    if (has(name)) group(name, kNoIndex, f);
  }

  bool has(std::string_view) const { return decide(2) == 0; }
  std::size_t list_size(std::string_view) const { return decide(2) == 0 ? 1 : 0; }
  bool hint_counts() const { return true; }
  bool is_text(std::string_view) const { return decide(2) == 0; }

 private:
  friend FieldWords<Explorer>;
  static constexpr unsigned kMostDepth = 12;
  struct Frame {
    std::string path;
    std::size_t certain = 0;  ///< members that such a record is sure to have
  };

  std::string path_of(std::string_view name) const { return frame_.path + '.' + std::string(name); }
  /// One of so many ways to go on; the first unless this run is about another.
  std::size_t decide(std::size_t options) const {
    const std::size_t i = options_.size();
    options_.push_back(options);
    return i < choices_.size() ? choices_[i] : 0;
  }
  void member(std::string_view name, const std::string& schema) {
    if (book_->record(frame_.path).add(name, schema)) ++book_->news;
  }
  void scalar(std::string_view name, const std::string& schema) {
    member(name, schema);
    book_->record(frame_.path).scalars.insert(std::string(name));
  }
  void certain(std::string_view name, const std::string& schema) {
    scalar(name, schema);
    ++frame_.certain;
  }
  template <class F>
  void nested(const char* name, const std::string& schema, F&& f) {
    member(name, schema);
    Frame outer = std::exchange(frame_, Frame{path_of(name), 0});
    book_->record(frame_.path);
    f();
    frame_ = std::move(outer);
  }
  template <class T>
  void integer(const char* name, T& value, const FieldType& type) {
    if (&type == &kCount) return;
    if (is_layout(type) || is_derived(type)) return scalar(name, book_->field(type, sizeof(T)));
    if (std::string_view(name).starts_with("reserved") || type.kind == FieldKind::padding)
      return scalar(name, book_->field(type, sizeof(T)));
    certain(name, book_->field(type, sizeof(T)));
    for (const Steering& steering : steering_) {
      if (steering.name != name) continue;
      value = static_cast<T>(steering.values[decide(steering.values.size())]);
      return;
    }
    if (type.kind == FieldKind::enumeration && type.names != nullptr) {
      const auto names = type.names->values;
      const std::size_t choice = decide(names.size() + 1);
      if (choice != 0) value = static_cast<T>(names[choice - 1].value);
      return;
    }
    if (type.kind == FieldKind::bits) {
      for (const Bits& bits : type.bits) {
        if (bits.names == nullptr) continue;
        const auto names = bits.names->values;
        const std::size_t choice = decide(names.size() + 1);
        if (choice != 0) value = static_cast<T>(bits.put(static_cast<std::uint32_t>(value), names[choice - 1].value));
      }
      return;
    }
    if (value == 0) value = static_cast<T>(decide(2) == 0 ? 1 : 0);
  }
  template <class Integer, class E>
  void enumeration(const char* name, E& value, const FieldType& type) {
    auto bits = static_cast<Integer>(value);
    integer(name, bits, type);
    value = static_cast<E>(bits);
  }

  SchemaBook* book_;
  std::string root_;
  std::vector<Steering> steering_;
  std::vector<std::size_t> choices_;
  mutable std::vector<std::size_t> options_;
  Frame frame_;
  std::set<std::string> walking_;
  std::set<std::pair<std::string, std::vector<std::size_t>>> explored_;
  std::set<std::pair<std::string, std::vector<std::size_t>>> shapes_;
  unsigned depth_ = 0;
};

/// The schema of documents of a model.
template <class T, class... Context>
void explore(SchemaBook& book, const std::string& path, std::vector<Steering> steering, const T& model, const Context&... context) {
  Explorer<DocumentWords> explorer(book, path, std::move(steering));
  explorer.explore(path, [&](Explorer<DocumentWords>& a) {
    T fresh = model;
    describe(a, fresh, context...);
  });
}

/// The same of a stream.
template <class T, class... Context>
void explore_stream(SchemaBook& book, const std::string& path, std::vector<Steering> steering, const T& model, const Context&... context) {
  Explorer<StreamWords> explorer(book, path, std::move(steering));
  explorer.explore(path, [&](Explorer<StreamWords>& a) {
    T fresh = model;
    describe(a, fresh, context...);
    View rest;
    a.raw("unknown", rest, 0);
  });
}

}  // namespace unshade::docs
