// What lies at the bytes of a buffer or variable, as paths of its declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>

#include "write/source/expression.hpp"

namespace unshade::write::source {

/// Bytes of a register of a constant buffer.
inline constexpr std::uint32_t kRegister = 16;

/// An address: a number of bytes, and values that are multiplied.
struct Address {
  struct Term {
    ir::Id value = ir::kNone;
    std::uint32_t scale = 1;
  };
  std::int64_t bytes = 0;
  std::vector<Term> terms;
};
/// Values that stay as they are in an address, since they have a variable.
using IsKept = std::function<bool(ir::Id)>;
/// The sum that a value is, through additions, shifts and products by constants.
Address address_of(const ir::Function& function, ir::Id id, const IsKept& is_kept = {});

/// The address of an access to a buffer: in its element, if it is structured.
Address buffer_address(const ir::Function& function, ir::Id access, const IsKept& is_kept = {});

/// A part of an index: values that are multiplied, plus a number.
struct Index {
  std::int64_t number = 0;
  std::vector<Address::Term> terms;
  bool operator==(const Index&) const = default;
};
inline bool operator==(const Address::Term& a, const Address::Term& b) { return a.value == b.value && a.scale == b.scale; }

/// A step of a path: a member, or an element.
struct Step {
  std::string member;  ///< empty: an index
  Index index;
  bool operator==(const Step&) const = default;
};

/// A scalar of a layout.
struct ScalarPlace {
  enum class Kind : std::uint8_t { scalar, vector, rows, columns } kind = Kind::scalar;
  std::vector<Step> path;
  Base base = Base::uint_;
  bool is_bool = false;  ///< declared so
  unsigned width = 1;    ///< of its vector
  unsigned vectors = 1;  ///< of rows and columns: how many are in memory
  Index vector;          ///< of rows and columns: which in memory
  Index component;       ///< of vectors, rows and columns
};

class ByteLayout {
 public:
  enum class Kind : std::uint8_t { scalar, vector, rows, columns, array, structure };
  struct Member {
    std::string name;
    std::uint32_t offset = 0, part = 0;
  };
  /// A type; those that it consists of stand before it.
  struct Part {
    Kind kind = Kind::scalar;
    Base base = Base::uint_;
    bool is_bool = false;      ///< declared so, 32 bits
    std::uint32_t bytes = 0;   ///< that it takes up
    std::uint32_t stride = 0;  ///< from an element to the next
    std::uint32_t count = 0;   ///< elements; of a matrix its vectors in memory. 0: as many as there are
    std::uint32_t across = 1;  ///< of a matrix, components of each vector
    std::uint32_t inner = 0;
    std::uint32_t type = ir::kNone;  ///< of the reflection
    std::string name;                ///< of a structure
    bool is_block = false;           ///< a constant buffer, whose members have offsets of their own
    bool is_packed = false;          ///< a block whose arrays need not be in registers: a storage buffer, push constants
    std::vector<Member> members;
  };

  std::uint32_t add(Part part) {
    parts.push_back(std::move(part));
    return static_cast<std::uint32_t>(parts.size() - 1);
  }
  std::uint32_t add_scalar(Base base);
  /// A vector of such scalars without padding.
  std::uint32_t add_vector(std::uint32_t scalar, std::uint32_t count);
  /// An array of one element at least, which takes up so many bytes.
  std::uint32_t add_array(std::uint32_t element, std::uint32_t stride, std::uint32_t bytes);
  /// The scalar at an address; nothing if none begins there, or its index cannot be told.
  std::optional<ScalarPlace> at(const Address& address) const;
  /// The last member of the root, if it has as many elements as the buffer holds; null: it has not.
  const Part* open_array() const;

  /// Bytes of the largest scalar in a part: structures begin and end at multiples of it, but for those of SPIR-V.
  std::uint32_t alignment(std::uint32_t part) const;

  std::vector<Part> parts;
  std::uint32_t root = 0;
};

/// How arrays and matrices lie: in registers of 16 bytes, as in constant buffers, or without padding, as in structured buffers.
enum class Packing : std::uint8_t { registers, tight };
/// The type of a reflection as a part; nothing if it has none that languages share.
std::optional<std::uint32_t> add_type(ByteLayout& layout, const shader::Reflection& reflection, std::uint32_t type, Packing packing);
/// A buffer of the reflection as a structure, whose last member may be an open array; nothing if members overlap.
std::optional<ByteLayout> layout_of(const shader::Reflection& reflection, const shader::Buffer& buffer);
/// Which registers have names: not those of reals where an index leads to any of them, or none.
enum class PicaNames : std::uint8_t { all, of_others, none };
/// The registers of a program of the PICA200 as they are in its constant buffer (ir::pica_uniforms): what the file names, and what it
/// does not as `c`, `i` and `b`.
ByteLayout pica_layout(const shader::Reflection& reflection, PicaNames names);
/// An array of vectors of four.
ByteLayout register_layout(Base base, std::uint32_t bytes);

}  // namespace unshade::write::source
