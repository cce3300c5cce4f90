// Textures and buffers in memory that the caller owns, and where their texels lie.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/texel/formats.hpp>
#include <unshade/texel/sampler.hpp>

namespace unshade::texel {

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
/// No texture of the descriptor's sizes takes more bytes; found faster than how many it takes.
double most_texture_bytes(const Descriptor& texture);
/// Bytes that a texture of the descriptor's sizes takes.
std::uint64_t texture_bytes(const Descriptor& texture);
/// Makes a feedback map of a texture with the descriptor's sizes: a texel for each region, of the first level alone or of all of them.
/// src: Direct3D sampler feedback specification, "Compatible transcode resources"
void make_feedback_map(Descriptor& texture, dxcontainer::SamplerFeedback feedback, std::array<std::uint32_t, 2> region);
/// What texels of a cleared map are: nothing was sampled.
std::byte cleared_feedback(dxcontainer::SamplerFeedback feedback);

/// A level of a texture.
struct Level {
  std::uint32_t width = 0, height = 0, depth = 0;
  std::uint64_t offset = 0;        ///< bytes from the start of a layer
  std::uint64_t layer_stride = 0;  ///< bytes from a layer to the next

  /// The texel at (x, y, z), which must be within the level, or the block that it is in; null without memory.
  const std::byte* at(const Descriptor& texture, std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t layer,
                      std::uint32_t sample) const;
};

/// Whether a place is within a texture, with memory or without.
bool is_inside(const Descriptor& texture, const TexelPlace& place);
/// Nothing (no texels) if the texture has no such level.
Level level_of(const Descriptor& texture, std::uint32_t number);

}  // namespace unshade::texel
