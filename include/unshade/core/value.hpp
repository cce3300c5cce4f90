// A neutral tree of values: what YAML and JSON can hold. Descriptions become values and values become models
// (include/unshade/core/archive/value_writer.hpp, value_reader.hpp), so that every structure has a text form in both directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade {

/// A whole number of 64 bits and its sign.
struct Integer {
  std::uint64_t magnitude = 0;
  bool negative = false;
  bool hexadecimal = false;  ///< how it is best shown; means nothing

  friend bool operator==(const Integer& a, const Integer& b) { return a.magnitude == b.magnitude && a.negative == b.negative; }
};

/// A float: both widths of the same decimal, so that neither is rounded twice.
struct Real {
  double wide = 0;
  float narrow = 0;
  bool single = false;  ///< the shortest decimal of `narrow` says all of it

  friend bool operator==(const Real& a, const Real& b);
};

/// One value. Owns everything below it.
class Value {
 public:
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, bytes, list, map };
  struct Member;
  using Bytes = std::vector<std::byte>;
  using List = std::vector<Value>;
  using Map = std::vector<Member>;  ///< in the order of the text; keys are unique

  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  static Value boolean(bool value);
  static Value integer(std::uint64_t value, bool hexadecimal = false);
  static Value signed_integer(std::int64_t value);
  /// Decimal magnitude and sign, for parsers of text.
  static Value integer(Integer value);
  static Value real(float value);
  static Value real(double value);
  static Value real(Real value);
  static Value text(std::string_view value);
  static Value bytes(View value);
  static Value list();
  static Value list(List values);
  static Value map();
  static Value map(Map members);

  Kind kind() const { return static_cast<Kind>(state_.index()); }
  bool is(Kind k) const { return kind() == k; }
  const bool* as_boolean() const { return std::get_if<bool>(&state_); }
  const Integer* as_integer() const { return std::get_if<Integer>(&state_); }
  const Real* as_real() const { return std::get_if<Real>(&state_); }
  const std::string* as_text() const { return std::get_if<std::string>(&state_); }
  const Bytes* as_bytes() const { return std::get_if<Bytes>(&state_); }
  const List* as_list() const { return std::get_if<List>(&state_); }
  const Map* as_map() const { return std::get_if<Map>(&state_); }
  List* as_list() { return std::get_if<List>(&state_); }
  Map* as_map() { return std::get_if<Map>(&state_); }

  /// The value of a key of a map; null if this is no map, or has no such key.
  const Value* find(std::string_view key) const;
  /// Adds a member to a map. A value that is null becomes a map first.
  Value& add(std::string_view key, Value value);
  /// Adds an element to a list. A value that is null becomes a list first.
  Value& push(Value value);

  /// Where the value is in the text that it was read from: bytes from the text's start; 0 if it was not read.
  std::uint32_t text_offset = 0;

  /// The same, whatever the text offsets.
  friend bool operator==(const Value& a, const Value& b);

 private:
  std::variant<std::monostate, bool, Integer, Real, std::string, Bytes, List, Map> state_;
};

struct Value::Member {
  std::string key;
  Value value;
  std::uint32_t key_offset = 0;  ///< as text_offset, of the key

  friend bool operator==(const Member& a, const Member& b) { return a.key == b.key && a.value == b.value; }
};

/// Two members of a map with the same key, in the order of their key offsets.
struct DuplicateKey {
  const Value::Member& first;
  const Value::Member& second;
};
/// Of a map that was read; nothing if each key is unique.
std::optional<DuplicateKey> find_duplicate_key(const Value::Map& map);

/// `null`, `text`, `list`: for messages.
std::string_view id(Value::Kind kind);

/// How many bytes are in a value as bytes rather than as fields.
std::uint64_t count_bytes(const Value& value);

/// Whether the text is valid UTF-8 without characters that YAML and JSON cannot hold. What is not is kept as bytes.
bool is_plain_text(std::string_view text);

/// Pairs of hexadecimal digits, blanks and line ends between them ignored. False if it is anything else.
bool from_hex(std::string_view text, std::vector<std::byte>& bytes);

}  // namespace unshade
