// The annotated field tree: which bytes of a file mean what. It is plain data, so that a dump, JSON or a page can draw it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>

namespace unshade {

/// One named value of an enumeration or one named bit (mask) of a flags field.
struct NamedValue {
  std::uint32_t value;
  std::string_view id;
};

/// All named values of an enumeration or flags field, in ascending order for enumerations.
struct NameTable {
  std::span<const NamedValue> values;

  /// The name of a value, or an empty text when it has none.
  std::string_view find(std::uint32_t value) const {
    if (value < values.size() && values[value].value == value) return values[value].id;  // most tables have no gaps
    for (const auto& named : values)
      if (named.value == value) return named.id;
    return {};
  }
};

/// How the bytes of a leaf are to be understood.
enum class FieldKind : std::uint8_t {
  group,  ///< no bytes of its own: children
  unsigned_integer,
  signed_integer,
  hexadecimal,
  offset,       ///< a distance in bytes from the start of the part's data
  real,         ///< IEEE float of the field's size
  enumeration,  ///< names in `names`
  flags,        ///< masks in `names`
  bits,         ///< several fields in one integer: `bits`
  component_mask,
  fourcc,
  text,
  bytes,
  padding,  ///< written to align what follows; no meaning
  unknown,  ///< bytes that no description accounts for
  custom,   ///< text made by `print`, which sees the file from the field on
};

struct FieldType;

/// A bit field inside an integer: the one place that says where it lies. `get` is what decoders call.
struct Bits {
  const char* name;
  std::uint8_t first;
  std::uint8_t count;
  const NameTable* names = nullptr;

  constexpr std::uint32_t get(std::uint32_t word) const { return count == 32 ? word : (word >> first) & ((1U << count) - 1); }
  /// `word` with this field set to `value`; bits of `value` beyond the field are dropped.
  constexpr std::uint32_t put(std::uint32_t word, std::uint32_t value) const {
    const std::uint32_t mask = (count == 32 ? ~0U : (1U << count) - 1) << first;
    return (word & ~mask) | ((value << first) & mask);
  }
};

struct FieldType {
  FieldKind kind = FieldKind::unsigned_integer;
  std::string_view name;  ///< for documentation: `u32`, `component type`
  const NameTable* names = nullptr;
  std::span<const Bits> bits{};
  void (*print)(Text& out, View bytes, std::uint32_t context) = nullptr;
};

inline constexpr FieldType kGroup{FieldKind::group, "record"};
inline constexpr FieldType kUnsigned{FieldKind::unsigned_integer, "unsigned"};
inline constexpr FieldType kSigned{FieldKind::signed_integer, "signed"};
inline constexpr FieldType kHex{FieldKind::hexadecimal, "hexadecimal"};
inline constexpr FieldType kOffset{FieldKind::offset, "offset"};
inline constexpr FieldType kReal{FieldKind::real, "float"};
inline constexpr FieldType kMask{FieldKind::component_mask, "component mask"};
inline constexpr FieldType kFourCC{FieldKind::fourcc, "FourCC"};
inline constexpr FieldType kText{FieldKind::text, "text"};
inline constexpr FieldType kBytes{FieldKind::bytes, "bytes"};
inline constexpr FieldType kPadding{FieldKind::padding, "padding"};
inline constexpr FieldType kUnknown{FieldKind::unknown, "unknown"};

/// One node. 40 bytes, so that the tree of a file stays in proportion to it.
struct Field {
  const char* name;  ///< static text, never from the input
  const FieldType* type;
  std::uint32_t parent;   ///< index of the group above; the root is its own parent
  std::uint32_t offset;   ///< bytes from the start of the file
  std::uint32_t size;     ///< bytes; for a group, those of its own run of fields, not of what it points to
  std::uint32_t index;    ///< position in an array, or kNoIndex
  std::uint32_t context;  ///< for `print`; 0 else
};

inline constexpr std::uint32_t kNoIndex = 0xffff'ffff;

/// Shares of a file's bytes by how well they are known.
struct Coverage {
  std::uint64_t named = 0;
  std::uint64_t padding = 0;
  std::uint64_t unknown = 0;
  std::uint64_t total = 0;
};

/// A field tree over one file. Field 0 is the root; parents precede their children.
class Tree {
 public:
  explicit Tree(View file);

  View file() const { return file_; }
  const std::vector<Field>& fields() const { return fields_; }
  View bytes(const Field& field) const { return file_.clamped(field.offset, field.size); }

  /// Adds a field and returns its index. A file may have no more fields than limits.hpp says: those beyond are left out, which is an error
  /// of the tree, and an empty group `omitted` stands for them.
  std::uint32_t add(const Field& field);
  Field& at(std::uint32_t index) { return fields_[index]; }

  /// An error met while a part was read; the tree holds what came before it.
  void fail(Error error) { errors_.push_back(std::move(error)); }
  const std::vector<Error>& errors() const { return errors_; }

  /// A stretch of the file that belongs to a group, such as a part.
  struct Region {
    std::uint32_t group;
    std::uint32_t offset;
    std::uint32_t size;
  };
  /// Adds a padding or unknown field for each run of bytes that no leaf covers yet. A run inside a region becomes that region's child
  /// (the innermost one's: later regions win), else the root's.
  void fill_gaps(std::span<const Region> regions);

  /// Indexes of the leaves in the order of their offsets, each byte covered once: leaves that begin inside an earlier one are left out.
  std::vector<std::uint32_t> leaves() const;
  Coverage coverage() const;

  /// `ISGN/elements[3]/register`
  std::string path(std::uint32_t index) const;
  /// The value of a leaf as text: `12`, `0x2f`, `position`, `"TEXCOORD"`.
  void print_value(Text& out, const Field& field) const;

 private:
  std::uint32_t append(const Field& field);

  View file_;
  std::size_t most_fields_;
  std::uint32_t omitted_ = 0;  // the group that stands for the fields left out, once there is one
  std::vector<Field> fields_;
  std::vector<Error> errors_;
};

/// The integer in up to eight little-endian bytes.
std::uint64_t little_endian(View bytes);

/// Prints flags as `a|b|0x40`, or `0`.
void print_flags(Text& out, std::uint32_t value, const NameTable& names);
/// Prints a name, or `unknown(0x2f)`.
void print_enumerator(Text& out, std::uint32_t value, const NameTable& names);
/// Prints text between quotes with everything unprintable escaped as in JSON.
void print_quoted(Text& out, std::string_view text);

}  // namespace unshade
