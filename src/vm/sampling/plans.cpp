#include "vm/sampling/plans.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <unshade/texel/texture.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::vm::sampling {

extern const WideFunctions kWide_least;
#if defined(UNSHADE_HAS_AVX_KERNELS)
extern const WideFunctions kWide_avx2;
extern const WideFunctions kWide_avx512;
#endif

namespace {

/// Calls `read(lane, texel)` with the texels of a format without blocks.
template <class Read>
void each_texel(const WidePlan& plan, const WideTexels& at, unsigned bytes, Read read) {
  for (unsigned lane = 0; lane < kWideLanes; ++lane) {
    const WidePlan::Level& level = plan.levels[at.level[lane]];
    const std::size_t offset =
        level.offset + std::size_t{at.layer[lane]} * plan.layer_stride + (std::size_t{at.y[lane]} * level.width + at.x[lane]) * bytes;
    read(lane, reinterpret_cast<const std::byte*>(plan.texels) + offset);
  }
}

void put(const std::array<std::uint32_t, 4>& texel, unsigned lane, float* to) {
  for (unsigned k = 0; k < 4; ++k) to[k * kWideLanes + lane] = std::bit_cast<float>(texel[k]);
}

void fetch(const WidePlan& plan, const WideTexels& at, float* to) {
  const texel::Format& format = plan.texture->format;
  each_texel(plan, at, format.bytes(), [&](unsigned lane, const std::byte* texel) { put(texel::load_texel(format, texel), lane, to); });
}

// Of components that are f32, red first.
template <unsigned kCount>
void fetch_floats(const WidePlan& plan, const WideTexels& at, float* to) {
  each_texel(plan, at, 4 * kCount, [&](unsigned lane, const std::byte* texel) {
    float own[kCount];
    std::memcpy(own, texel, sizeof own);
    for (unsigned k = 0; k < kCount; ++k) to[k * kWideLanes + lane] = own[k];
  });
}

void fetch_blocks(const WidePlan& plan, const WideTexels& at, float* to) {
  const texel::Descriptor& texture = *plan.texture;
  const texel::Format& format = texture.format;
  texel::Level level;
  std::uint32_t number = ~0U;
  for (unsigned lane = 0; lane < kWideLanes; ++lane) {
    if (at.level[lane] != number) level = texel::level_of(texture, number = at.level[lane]);
    const std::byte* const from = level.at(texture, at.x[lane], at.y[lane], 0, at.layer[lane], 0);
    put(texel::load_texel(format, from, at.x[lane] & (format.block_width() - 1), at.y[lane] & (format.block_height() - 1)), lane, to);
  }
}

decltype(WidePlan::fetch) fetch_of(const texel::Format& format) {
  if (format.block != texel::Block::none) return fetch_blocks;
  if (format.encoding != texel::Encoding::float_) return fetch;
  unsigned count = 0;
  for (; count < 4 && format.components[count] == texel::Format::Component{static_cast<std::uint8_t>(32 * count), 32}; ++count) {
  }
  if (4 * count != format.bytes()) return fetch;
  return count == 1 ? fetch_floats<1> : count == 2 ? fetch_floats<2> : count == 3 ? fetch_floats<3> : fetch_floats<4>;
}

// Whether a texel is a word of UNORM bytes; then where they are.
bool find_bytes(const texel::Format& format, WidePlan& plan) {
  if (format.encoding != texel::Encoding::unorm || format.srgb || format.block != texel::Block::none || format.bytes() != 4) return false;
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [first, bits] = format.components[k];
    if (bits != 0 && (bits != 8 || first % 8 != 0)) return false;
    plan.shift[k] = first;
  }
  return std::endian::native == std::endian::little;
}

}  // namespace

std::optional<WidePlan> plan_of(const texel::Descriptor& texture, const texel::Sampler& sampler) {
  const std::uint64_t bytes = texel::texture_bytes(texture);
  if (!texture.is_texture() || texture.samples != 1 || texture.depth != 1 || texture.levels == 0 || texture.levels > kWideLevels ||
      texture.width > kWideTexels || texture.height > kWideTexels || texture.layers == 0 || texture.format.bytes() == 0 ||
      texture.format.is_integer() || bytes > texture.memory() || bytes >= std::uint64_t{1} << 31)
    return std::nullopt;
  if (!sampler.normalized || sampler.anisotropic || sampler.blending != texel::Blending::average) return std::nullopt;
  WidePlan made;
  made.texels = reinterpret_cast<const unsigned char*>(texture.bytes.data());
  made.last_level = texture.levels - 1;
  made.layers = texture.layers;
  for (std::uint32_t number = 0; number < texture.levels; ++number) {
    const texel::Level level = texel::level_of(texture, number);
    made.levels[number] = {level.width, level.height, static_cast<std::uint32_t>(level.offset)};
    made.layer_stride = static_cast<std::uint32_t>(level.layer_stride);
  }
  for (unsigned axis = 0; axis < 2; ++axis) made.address[axis] = sampler.address[axis];
  made.linear_mag = sampler.mag == texel::Filter::linear;
  made.linear_min = sampler.min == texel::Filter::linear;
  made.linear_mip = sampler.mip == texel::Filter::linear;
  made.lod_bias = sampler.lod_bias;
  made.min_lod = sampler.min_lod;
  made.max_lod = sampler.max_lod;
  made.is_bytes = find_bytes(texture.format, made);
  for (unsigned k = 0; k < 4; ++k) made.has[k] = texture.format.has(k);
  made.texture = &texture;
  made.fetch = fetch_of(texture.format);
  made.comparison = sampler.comparison;
  return made;
}

const WideFunctions& wide_functions([[maybe_unused]] Isa isa) {
#if defined(UNSHADE_HAS_AVX_KERNELS)
  if (isa == Isa::avx2) return kWide_avx2;
  if (isa == Isa::avx512) return kWide_avx512;
#endif
  return kWide_least;
}

}  // namespace unshade::vm::sampling
