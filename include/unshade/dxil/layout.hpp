// Sizes and offsets of types in memory, by the data layout that a module states, and the places that pointers lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/dxil/query.hpp>

namespace unshade::dxil {

/// As DXC lays types out: vectors are aligned as their elements are. Sizes in bytes. src: DXC lib/IR/DataLayout.cpp
class TypeLayout {
 public:
  explicit TypeLayout(const Module& module);

  /// Bytes from one element of an array of the type to the next.
  std::uint64_t size_of(std::uint32_t type);
  std::uint64_t alignment_of(std::uint32_t type);
  /// Where each member of a structure begins.
  std::vector<std::uint64_t> offsets_of(std::uint32_t structure);

 private:
  struct Size {
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 0;  ///< 0: not known yet
  };
  struct Alignment {
    char kind;            ///< `i` or `f`
    std::uint32_t width;  ///< in bits
    std::uint64_t bytes;
  };

  void parse(std::string_view text);
  std::uint64_t scalar_alignment(char kind, std::uint32_t width) const;
  Size measure(std::uint32_t type);
  Size of(std::uint32_t type);

  const Module& module_;
  std::uint64_t pointer_bytes_ = 8;
  std::uint64_t pointer_alignment_ = 8;
  std::vector<Alignment> alignments_;
  std::vector<Size> sizes_;  ///< by type id
  unsigned depth_ = 0;
};

/// Where a pointer leads: a root, and what getelementptr, bitcast and addrspacecast add to it, be they instructions or constants.
struct Address {
  struct Index {
    std::uint32_t value = kNone;  ///< value id of an integer, signed
    std::uint64_t stride = 0;     ///< in bytes
  };
  std::uint32_t root = kNone;  ///< value id: a global, an alloca, a parameter, or another instruction that gives a pointer
  std::uint64_t offset = 0;    ///< in bytes, modulo 2^64
  std::vector<Index> indexes;  ///< those that are not constant
};
Address address_of(const ModuleQuery& query, const Body& body, std::uint32_t pointer, TypeLayout& layout);

/// A constant as memory holds it, such as the initializer of a global; padding and what is undefined are zeros. Nothing if it is of more
/// than `most` bytes, or has addresses or constant expressions in it. `body`: null for a constant of the module.
std::optional<std::vector<std::byte>> bytes_of(const ModuleQuery& query, const Body* body, std::uint32_t constant, TypeLayout& layout,
                                               std::size_t most);

}  // namespace unshade::dxil
