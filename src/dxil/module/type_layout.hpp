// Sizes and offsets of types in memory, by the data layout that a module states.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

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

}  // namespace unshade::dxil::module
