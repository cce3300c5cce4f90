// Constant buffers as blocks with the members that reflection names, laid out as they are there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/shader/reflection.hpp>

#include "write/spirv/module_writer.hpp"

namespace unshade::write::spirv_writer {

/// A scalar of a block.
struct BlockPlace {
  std::vector<std::uint32_t> path;  ///< indexes of OpAccessChain
  Word type = 0;
  ir::Type as = ir::Type::i32;  ///< type of the IR of its width
  Word vector = 0;              ///< the type of the vector that it is a component of, by the last index; 0: of none
};

class BlockLayout {
 public:
  /// A buffer of the reflection within a block.
  struct Source {
    const shader::Buffer* buffer = nullptr;
    std::uint32_t base = 0;    ///< bytes before it
    std::uint32_t packed = 1;  ///< offsets in the reflection are so many times those in the block
  };
  /// A block with the members of buffers, by rising offset. Nothing if SPIR-V cannot say where they lie, such as one in the padding behind
  /// an array, or if there are none.
  static std::optional<BlockLayout> of(const shader::Reflection& reflection, std::span<const Source> sources, std::string_view name,
                                       ModuleWriter& out);

  Word block() const { return block_; }
  /// The scalar at a byte; nothing if none begins there.
  std::optional<BlockPlace> at(std::uint32_t byte) const;

 private:
  enum class Kind : std::uint8_t { scalar, vector, columns, rows, array, structure };
  /// A type; those that it consists of stand before it.
  struct Part {
    Kind kind = Kind::scalar;
    Word type = 0;
    ir::Type as = ir::Type::i32;
    std::uint32_t bytes = 0;                                       ///< that it takes up
    std::uint32_t stride = 0;                                      ///< of a vector, matrix or array, from an element to the next
    std::uint32_t count = 0;                                       ///< of the same, elements; of a matrix its vectors in memory
    std::uint32_t inner = 0;                                       ///< of an array and a vector
    Word column = 0;                                               ///< of a matrix, the type of its columns
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  ///< of a structure: offset, part
  };

  BlockLayout(const shader::Reflection& reflection, ModuleWriter& out) : reflection_(&reflection), out_(&out) {}
  std::optional<std::uint32_t> part_of(std::uint32_t type, unsigned depth);
  std::optional<std::uint32_t> element_of(const shader::Type& type, unsigned depth);
  std::optional<std::uint32_t> scalar_of(const shader::Type& type);
  std::uint32_t add(Part part);
  bool may_be_at(std::uint32_t part, std::uint32_t offset) const;
  void decorate(Word structure, std::uint32_t member, std::uint32_t part);

  const shader::Reflection* reflection_;
  ModuleWriter* out_;
  std::vector<Part> parts_;
  std::uint32_t root_ = 0;
  Word block_ = 0;
};

}  // namespace unshade::write::spirv_writer
