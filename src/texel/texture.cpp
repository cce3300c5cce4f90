#include <unshade/texel/texture.hpp>

#include <algorithm>

namespace unshade::texel {
namespace {

constexpr std::uint32_t kMostLevels = 32;

std::uint32_t at_level(std::uint32_t texels, std::uint32_t level) { return std::max(1U, texels >> level); }

// Those that are cut off at the end count.
std::uint64_t blocks(std::uint32_t texels, unsigned size_log2) { return (std::uint64_t{texels} + (1U << size_log2) - 1) >> size_log2; }

std::uint64_t level_bytes(const Descriptor& texture, std::uint32_t level) {
  return blocks(at_level(texture.width, level), texture.format.block_width_log2()) *
         blocks(at_level(texture.height, level), texture.format.block_height_log2()) * at_level(texture.depth, level) * texture.samples *
         texture.format.bytes();
}

std::uint64_t layer_bytes(const Descriptor& texture) {
  std::uint64_t bytes = 0;
  for (std::uint32_t level = 0; level < texture.levels && level < kMostLevels; ++level) bytes += level_bytes(texture, level);
  return bytes;
}

}  // namespace

const std::byte* Level::at(const Descriptor& texture, std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t layer,
                           std::uint32_t sample) const {
  const Format& format = texture.format;
  const std::uint64_t size = format.bytes();
  const std::uint64_t columns = blocks(width, format.block_width_log2()), rows = blocks(height, format.block_height_log2());
  const std::uint64_t element = (z * rows + (y >> format.block_height_log2())) * columns + (x >> format.block_width_log2());
  const std::uint64_t place = layer_stride * layer + offset + (element * texture.samples + sample) * size;
  return size != 0 && place + size <= texture.memory() ? texture.bytes.data() + place : nullptr;
}

Level level_of(const Descriptor& texture, std::uint32_t number) {
  Level made;
  if (!texture.is_texture() || number >= texture.levels || number >= kMostLevels) return made;
  for (std::uint32_t level = 0; level < number; ++level) made.offset += level_bytes(texture, level);
  made.width = at_level(texture.width, number);
  made.height = at_level(texture.height, number);
  made.depth = at_level(texture.depth, number);
  if (texture.layers > 1) made.layer_stride = layer_bytes(texture);
  return made;
}

double most_texture_bytes(const Descriptor& texture) {
  double most = 2.0 * texture.layers * texture.samples * texture.format.bytes();
  for (const std::uint32_t texels : {texture.width, texture.height, texture.depth}) most *= texels + 4.0;
  return most;
}

std::uint64_t texture_bytes(const Descriptor& texture) {
  // what no memory has does not wrap around
  return most_texture_bytes(texture) > 0x1p62 ? ~std::uint64_t{0} : layer_bytes(texture) * texture.layers;
}

void make_feedback_map(Descriptor& texture, dxcontainer::SamplerFeedback feedback, std::array<std::uint32_t, 2> region) {
  texture.feedback = feedback;
  texture.region = region;
  texture.format = *find_format("R8_UINT");
  texture.width = (texture.width + region[0] - 1) / region[0];
  texture.height = (texture.height + region[1] - 1) / region[1];
  if (feedback == dxcontainer::SamplerFeedback::min_mip) texture.levels = 1;
}

std::byte cleared_feedback(dxcontainer::SamplerFeedback feedback) {
  return std::byte{feedback == dxcontainer::SamplerFeedback::min_mip ? std::uint8_t{0xff} : std::uint8_t{0}};
}

bool is_inside(const Descriptor& texture, const TexelPlace& place) {
  const Level level = level_of(texture, place.level);
  return place.x < level.width && place.y < level.height && place.z < level.depth && place.layer < texture.layers &&
         place.sample < texture.samples;
}

std::byte* texel_at(const Descriptor& texture, const TexelPlace& place) {
  if (!is_inside(texture, place)) return nullptr;
  return const_cast<std::byte*>(level_of(texture, place.level).at(texture, place.x, place.y, place.z, place.layer, place.sample));
}

}  // namespace unshade::texel
