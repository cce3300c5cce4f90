// The documenting archive: turns a description into the byte table of docs/reference/formats. It walks the description over a default
// model, so a description that branches is shown once per variant, with the model and context that select it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/archive/without_bytes.hpp>
#include <unshade/core/placed.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

class Schema : public WithoutBytes {
 public:
  explicit Schema(Text& out) : out_(&out) {}

  void u8(const char* name, std::uint8_t&, const FieldType& type = kUnsigned) { row(name, 1, "u8", &type); }
  void u16(const char* name, std::uint16_t&, const FieldType& type = kUnsigned) { row(name, 2, "u16", &type); }
  void u32(const char* name, std::uint32_t&, const FieldType& type = kUnsigned) { row(name, 4, "u32", &type); }
  void u64(const char* name, std::uint64_t&, const FieldType& type = kUnsigned) { row(name, 8, "u64", &type); }
  void i32(const char* name, std::int32_t&, const FieldType& type = kSigned) { row(name, 4, "i32", &type); }
  void f32(const char* name, float&, const FieldType& type = kReal) { row(name, 4, "f32", &type); }
  template <class E>
  void enum8(const char* name, E&, const FieldType& type = field_type(E{})) {
    row(name, 1, "u8", &type);
  }
  template <class E>
  void enum16(const char* name, E&, const FieldType& type = field_type(E{})) {
    row(name, 2, "u16", &type);
  }
  template <class E>
  void enum32(const char* name, E&, const FieldType& type = field_type(E{})) {
    row(name, 4, "u32", &type);
  }
  void expect32(const char* name, std::uint32_t expected, const FieldType& type = kHex, ErrorCode = ErrorCode::bad_value) {
    row(name, 4, "u32 = " + (type.kind == FieldKind::fourcc ? '`' + fourcc_text(expected) + '`' : hex32(expected)), nullptr);
  }
  void string_at(const char* name, String&) { row(name, 4, "u32, offset of zero-terminated text", nullptr); }
  void optional_string_at(const char* name, String&) { row(name, 4, "u32, offset of zero-terminated text, 0 for none", nullptr); }
  void string_here(const char* name, std::string_view&) { row(name, 0, "zero-terminated text", nullptr); }
  void raw(const char* name, View&, std::size_t size, const FieldType& = kBytes, std::uint32_t = kNoIndex, std::uint32_t = 0) {
    row(name, size, size == 0 ? "bytes" : std::to_string(size) + " bytes", nullptr);
  }
  void padding(std::size_t size) { row("padding", size, std::to_string(size) + " bytes", nullptr); }
  void align(std::size_t bytes) { row("padding", 0, "up to a multiple of " + std::to_string(bytes), nullptr); }

  template <class T, class... Context>
  void record(const char* name, T& value, const Context&... context) {
    group(name, kNoIndex, [&] { describe(*this, value, context...); });
  }
  template <class T, class... Context>
  void records(const char* name, std::vector<T>&, std::size_t, std::size_t stride, const Context&... context) {
    nested(name, std::to_string(stride) + " bytes each", [&] {
      T value{};
      describe(*this, value, context...);
    });
  }
  template <class T, class... Context>
  void sequence(const char* name, std::vector<T>&, std::size_t, std::size_t least, const Context&... context) {
    nested(name, "from " + std::to_string(least) + " bytes each", [&] {
      T value{};
      describe(*this, value, context...);
    });
  }
  template <class T, class... Context>
  void records_at(const char* name, Table<T>&, std::size_t, std::size_t stride, const Context&... context) {
    row(name, 4, "u32, offset of records of " + std::to_string(stride) + " bytes", nullptr);
    nested(name, std::to_string(stride) + " bytes each", [&] {
      T value{};
      describe(*this, value, context...);
    });
  }
  template <class T, class... Context>
  void table(const char* name, Table<T>& table, std::size_t stride, const Context&... context) {
    row("count", 4, "u32", nullptr);
    records_at(name, table, 0, stride, context...);
  }
  template <class T, class... Context>
  void record_at(const char* name, std::uint32_t&, T& value, const Context&... context) {
    row("offset", 4, "u32, offset of a record", nullptr);
    nested(name, "one", [&] { describe(*this, value, context...); });
  }
  template <class T, class... Context>
  void shared_at(const char* name, std::uint32_t&, std::vector<T>&, const Context&... context) {
    row(name, 4, "u32, offset of a shared record", nullptr);
    if (depth_ >= 3) return;  // a type contains types: twice says it
    nested(name, "shared", [&] {
      T value{};
      describe(*this, value, context...);
    });
  }
  template <class F>
  void at(std::size_t, F&& f, const char* = "") {
    f();
  }

  std::size_t position() const { return at_; }
  template <class F>
  void group(const char* name, std::uint32_t, F&& f) {
    const std::string before = prefix_;
    prefix_ += std::string(name) + '/';
    f();
    prefix_ = before;
  }

  /// Prints the heading and its rows, then the tables of what they point to.
  template <class T, class... Context>
  void print(std::string_view heading, T model, const Context&... context) {
    begin(heading, "");
    describe(*this, model, context...);
    flush();
  }

 private:
  struct Pending {
    std::string text;
  };

  void begin(std::string_view heading, std::string_view note) {
    *out_ << "\n**" << heading << "**";
    if (!note.empty()) *out_ << " (" << note << ")";
    *out_ << "\n\n| offset | bytes | field | type |\n|---:|---:|---|---|\n";
    at_ = 0;
    fixed_ = true;
  }
  void row(const char* name, std::size_t size, std::string type, const FieldType* field) {
    *out_ << "| ";
    if (fixed_) {
      out_->dec(at_);
    } else {
      *out_ << "then";
    }
    *out_ << " | ";
    if (size != 0) {
      out_->dec(size);
    }
    *out_ << " | `" << prefix_ << name << "` | " << type;
    if (field != nullptr && field->kind != FieldKind::unsigned_integer && field->kind != FieldKind::signed_integer &&
        field->kind != FieldKind::real) {
      *out_ << ", " << field->name;
    }
    *out_ << " |\n";
    at_ += size;
    if (size == 0) fixed_ = false;
  }
  template <class F>
  void nested(const char* name, const std::string& note, F&& f) {
    // Printed after the table that names it: collected into a text of its own.
    Text own;
    Text* const outer = out_;
    const std::size_t back = at_;
    const bool fixed = fixed_;
    const std::string prefix = prefix_;
    prefix_.clear();
    out_ = &own;
    ++depth_;
    begin(name, note);
    f();
    --depth_;
    out_ = outer;
    at_ = back;
    fixed_ = fixed;
    prefix_ = prefix;
    pending_.insert(pending_.begin(), {own.str()});
  }
  void flush() {
    for (const Pending& text : pending_) *out_ << text.text;
    pending_.clear();
  }

  Text* out_;
  std::size_t at_ = 0;
  bool fixed_ = true;
  unsigned depth_ = 0;
  std::string prefix_;
  std::vector<Pending> pending_;
};

}  // namespace unshade
