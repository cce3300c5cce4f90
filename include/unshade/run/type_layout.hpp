// Where the numbers of a variable lie in memory, by its type in a reflection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/name_index.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/types.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::run {

/// A component of a vector. `bytes` is 0 for what is no number: textures, strings.
struct ScalarType {
  ir::Type type = ir::Type::void_;
  bool is_signed = false;
  std::uint8_t bytes = 0;
};
ScalarType scalar_type(shader::BaseType base);
/// Writes what bits_of() gives for the type.
void store(const ScalarType& scalar, std::uint64_t bits, std::span<std::byte> to);

/// How Direct3D lays out types that state no strides; SPIR-V states them all.
enum class Packing : std::uint8_t {
  registers,  ///< constant buffers: rows of matrices and elements of arrays begin at multiples of 16 bytes
  tight,      ///< structured buffers: one after the other, structs padded to their largest component
};

/// Bytes of memory, from the first one on up to `end`.
struct ByteRange {
  std::uint64_t first, end;
};

class TypeLayout {
 public:
  /// `stride`: with Packing::registers, what elements of arrays take a multiple of. Borrows the reflection.
  TypeLayout(const shader::Reflection& reflection, Packing packing, std::uint32_t stride = 16);

  /// Null for a number that no type has.
  const shader::Type* find(std::uint32_t type) const { return type < reflection_.types.size() ? &reflection_.types[type] : nullptr; }
  /// Bytes of one, without those that pad it in an array; of an array all elements.
  std::uint64_t bytes(std::uint32_t type) const { return type < sizes_.size() ? sizes_[type].bytes : 0; }
  /// Numbers in it, those of open arrays not counted.
  std::uint64_t components(std::uint32_t type) const { return type < sizes_.size() ? sizes_[type].components : 0; }
  /// Bytes from an element of an array to the next.
  std::uint64_t stride(std::uint32_t type) const { return type < sizes_.size() ? sizes_[type].stride : 0; }
  /// Bytes from the start of a matrix, vector or scalar to a component.
  std::uint64_t offset(const shader::Type& type, std::uint32_t row, std::uint32_t column) const;

  /// Writes a number, or lists and maps of them, and returns the bytes that it gives a value; those beyond the memory are dropped. `path`:
  /// of a part of the variable: `[2].scale` of an array of structs, `[1]` of an array or a row of a matrix; empty: all of it. Errors:
  /// bad_value; missing, if there is no such element or member.
  Result<std::vector<ByteRange>> put(std::string_view path, const Value& value, std::uint32_t type, std::uint64_t offset,
                                     std::span<std::byte> memory) const;
  /// Numbers, lists of elements and components, maps of members. Null beyond the memory.
  Value get(std::uint32_t type, std::uint64_t offset, std::span<const std::byte> memory) const;
  struct Component {
    const shader::Type& type;  ///< of the matrix, vector or scalar
    ScalarType scalar;
    std::uint32_t row, column;
    std::span<std::byte> memory;  ///< scalar.bytes
  };
  using Visit = std::function<void(const Component&)>;
  /// Visits the numbers that are in the memory.
  void each(std::uint32_t type, std::uint64_t offset, std::span<std::byte> memory, const Visit& visit) const;

 private:
  struct Size {
    std::uint64_t bytes = 0, stride = 0, components = 0;
    std::uint32_t alignment = 1;
    std::uint32_t depth = 0;
  };
  Size element_size(const shader::Type& type) const;
  /// Elements of an array, of an unbounded one as many as the memory holds; 1 for other types. 0 if they hold no numbers, or overlap.
  std::uint64_t count(std::uint32_t type, std::uint64_t offset, std::span<const std::byte> memory) const;
  /// Of arrays of arrays with gaps after the inner ones, in that many bytes.
  static std::uint64_t count_with_gaps(const shader::Type& type, std::uint64_t stride, std::uint64_t bytes);
  /// Memory that values are written to, and the bytes that were.
  struct Target {
    std::span<std::byte> memory;
    std::vector<ByteRange> written;
    void write(const ScalarType& scalar, std::uint64_t bits, std::uint64_t at);
  };
  Result<void> put_part(std::string_view path, const Value& value, std::uint32_t type, std::uint64_t offset, Target& to) const;
  Result<void> put_all(const Value& value, std::uint32_t type, std::uint64_t offset, Target& to) const;
  /// A number of each column of a row of a matrix.
  Result<void> put_row(const Value& value, const shader::Type& type, std::uint32_t row, std::uint64_t offset, Target& to) const;
  Result<void> put_element(const Value& value, const shader::Type& type, std::uint64_t offset, Target& to) const;
  Value get_element(const shader::Type& type, std::uint64_t offset, std::span<const std::byte> memory) const;
  static bool by_columns(const shader::Type& type) { return type.type_class == shader::TypeClass::matrix_columns; }

  const shader::Reflection& reflection_;
  Packing packing_;
  std::vector<Size> sizes_;  ///< by type
  mutable std::map<const shader::Type*, NameIndex> members_;
};

/// What memory of a resource holds by its row of the reflection: a list of the elements of a structured buffer, a map of the variables of a
/// storage buffer. Nothing if the types are not known, or say less than the memory holds.
std::optional<Value> typed_values(const shader::Reflection& reflection, const shader::Resource& resource,
                                  std::span<const std::byte> memory);

/// Numbers of texels in the order of memory: a number each if the format has one component, else a list. Nothing for blocks.
std::optional<Value> texel_values(const texel::Format& format, std::span<const std::byte> memory);

/// Adds the values in nested lists, in their order.
void flatten(const Value& value, std::vector<const Value*>& to);

}  // namespace unshade::run
