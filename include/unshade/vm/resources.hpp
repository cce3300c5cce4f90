// What shaders read and write: the descriptors of a module's resources.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/texel/texture.hpp>

namespace unshade::vm {

/// A buffer that programs find by its address in 64 bits.
struct AddressedBuffer {
  std::uint64_t address = 0;  ///< of its first byte
  texel::Descriptor view;
};

/// The descriptors of a module: for each of its resources those of its registers, and the heaps.
struct Resources {
  std::vector<std::vector<texel::Descriptor>> rows;  ///< by Module::resources; the registers from the first on that are bound
  std::vector<texel::Descriptor> heap;               ///< for handle_from_heap, by its index; others than there are: nothing bound
  std::vector<texel::Descriptor> sampler_heap;       ///< likewise, of samplers
  std::vector<AddressedBuffer> addresses;            ///< for handle_from_address: by rising address, none of which overlap
  /// Elements of an array that have no memory, or are no sampler of its row, stand for its first so many, in turn; 0: for none.
  std::uint32_t repeated_elements = 0;
};

/// Rows for all resources of a module, with nothing bound.
Resources empty_resources(const ir::Module& module);

}  // namespace unshade::vm
