// What shaders read and write: descriptors of memory that the caller owns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <unshade/ir/module.hpp>
#include <unshade/vm/formats.hpp>
#include <unshade/vm/sampler.hpp>

namespace unshade::vm {

/// A view of memory, or a sampler. It borrows `bytes` and `counter`, which must outlive what uses it. Nothing bound (`bytes` empty and no
/// size): loads give 0, stores are dropped.
struct Descriptor {
  std::span<std::byte> bytes;
  std::uint32_t stride = 0;  ///< of an element of a structured buffer; 0: none
  Format format;             ///< of typed buffers and textures
  std::uint32_t width = 0;   ///< texels of the first level; 0: a buffer
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
  std::uint32_t layers = 1;  ///< elements of an array; 6 of a cube
  std::uint32_t levels = 1;
  std::uint32_t samples = 1;
  std::uint64_t mapped = ~std::uint64_t{0};  ///< bytes from the start on that have memory, of a tiled resource: others read 0
  std::uint32_t* counter = nullptr;          ///< of a UAV
  Sampler sampler;
  std::optional<dxcontainer::SamplerFeedback> feedback{};  ///< of a feedback map, which is kept decoded: R8_UINT
  std::array<std::uint32_t, 2> region{};                   ///< texels of the paired texture that a texel of a feedback map stands for

  bool is_texture() const { return width != 0; }
  std::uint64_t memory() const { return std::min<std::uint64_t>(bytes.size(), mapped); }
};

/// Where a texel lies in a texture's bytes: levels of a layer one after the other, layers after each other, samples of a texel together.
/// Nothing if it is out of bounds.
struct TexelPlace {
  std::uint32_t x = 0, y = 0, z = 0, layer = 0, level = 0, sample = 0;
};
std::byte* texel_at(const Descriptor& texture, const TexelPlace& place);
/// Bytes that a texture of the descriptor's sizes takes.
std::uint64_t texture_bytes(const Descriptor& texture);
/// Makes a feedback map of a texture with the descriptor's sizes: a texel for each region, of the first level alone or of all of them.
/// src: Direct3D sampler feedback specification, "Compatible transcode resources"
void make_feedback_map(Descriptor& texture, dxcontainer::SamplerFeedback feedback, std::array<std::uint32_t, 2> region);
/// What texels of a cleared map are: nothing was sampled.
std::byte cleared_feedback(dxcontainer::SamplerFeedback feedback);

/// A buffer that programs find by its address in 64 bits.
struct AddressedBuffer {
  std::uint64_t address = 0;  ///< of its first byte
  Descriptor view;
};

/// The descriptors of a module: for each of its resources those of its registers, and the heaps.
struct Resources {
  std::vector<std::vector<Descriptor>> rows;  ///< by Module::resources; the registers from the first on that are bound
  std::vector<Descriptor> heap;               ///< for handle_from_heap, by its index; others than there are: nothing bound
  std::vector<Descriptor> sampler_heap;       ///< likewise, of samplers
  std::vector<AddressedBuffer> addresses;     ///< for handle_from_address: by rising address, none of which overlap
  /// Elements of an array that have no memory, or are no sampler of its row, stand for its first so many, in turn; 0: for none.
  std::uint32_t repeated_elements = 0;
};

/// Rows for all resources of a module, with nothing bound.
Resources empty_resources(const ir::Module& module);

}  // namespace unshade::vm
