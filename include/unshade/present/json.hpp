// JSON as it is written, member by member. Text from files need not be UTF-8: bytes that are not become the characters U+0080 to U+00FF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/present/printer.hpp>

namespace unshade::present {

class Json {
 public:
  /// `indented` has a member per line; `compact` none, for documents of millions of members.
  enum class Layout : unsigned char { indented, compact };

  explicit Json(Printer& out, Layout layout = Layout::indented) : out_(&out), layout_(layout) {}
  Json(const Json&) = delete;
  Json& operator=(const Json&) = delete;

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);

  void string(std::string_view text);
  void number(std::uint64_t value);
  void number_signed(std::int64_t value);
  /// The shortest decimal that gives the float back; the strings `inf`, `-inf` and `nan` if JSON has no number.
  void real(float value);
  void real(double value);
  void boolean(bool value);
  void null();

  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  /// null if the text is empty.
  void text_or_null(std::string_view name, std::string_view text) { key(name), text.empty() ? null() : string(text); }
  void member(std::string_view name, const char* text) { key(name), string(text); }
  void member(std::string_view name, std::uint64_t value) { key(name), number(value); }
  void member(std::string_view name, std::uint32_t value) { key(name), number(value); }
  /// In hexadecimal.
  void bytes(std::string_view name, std::span<const std::byte> value);
  void member(std::string_view name, bool value) { key(name), boolean(value); }

  /// An object of the members that `body` writes.
  template <class Body>
  void object(Body body) {
    begin_object();
    body();
    end_object();
  }
  template <class Body>
  void object(std::string_view name, Body body) {
    key(name);
    object(body);
  }
  /// The object, or null.
  template <class Body>
  void object_or_null(std::string_view name, bool has_object, Body body) {
    key(name);
    has_object ? object(body) : null();
  }
  template <class T, class Body>
  void object_or_null(std::string_view name, const std::optional<T>& value, Body body) {
    object_or_null(name, value.has_value(), [&] { body(*value); });
  }
  /// An array of what `each` writes of each item.
  template <class List, class Each>
  void array(std::string_view name, const List& list, Each each) {
    key(name);
    begin_array();
    for (const auto& item : list) each(item);
    end_array();
  }
  /// An array of objects, of the members that `each` writes.
  template <class List, class Each>
  void objects(std::string_view name, const List& list, Each each) {
    array(name, list, [&](const auto& item) { object([&] { each(item); }); });
  }

  /// The line end after the last value.
  void finish();

 private:
  void before_value();
  void begin(char bracket);
  void end(char bracket);
  void line();
  void quoted(std::string_view bytes);

  Printer* out_;
  Layout layout_;
  std::vector<bool> filled_;  ///< of each object and array that is open, whether it has members
  bool after_key_ = false;
};

/// The text with every byte that is not part of valid UTF-8 read as Latin-1.
std::string as_utf8(std::string_view text);
/// Where a text stops being valid UTF-8; its size if all of it is.
std::size_t valid_utf8(std::string_view text);

}  // namespace unshade::present
