#include "vm/sampling/plans.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <unshade/vm/machine.hpp>

#include "vm/texture.hpp"

namespace unshade::vm::sampling {

extern const WideFunctions kWide_least;
#if defined(UNSHADE_HAS_AVX_KERNELS)
extern const WideFunctions kWide_avx2;
extern const WideFunctions kWide_avx512;
#endif

namespace {

void fetch(const WidePlan& plan, const WideTexels& at, float* to) {
  const Descriptor& texture = *plan.texture;
  const Format& format = texture.format;
  Level level;
  std::uint32_t number = ~0U;
  for (unsigned lane = 0; lane < kWideLanes; ++lane) {
    if (at.level[lane] != number) level = level_of(texture, number = at.level[lane]);
    const std::byte* const from = level.at(texture, at.x[lane], at.y[lane], 0, at.layer[lane], 0);
    const auto texel = load_texel(format, from, at.x[lane] & (format.block_width() - 1), at.y[lane] & (format.block_height() - 1));
    for (unsigned k = 0; k < 4; ++k) to[k * kWideLanes + lane] = std::bit_cast<float>(texel[k]);
  }
}

// Whether a texel is a word of UNORM bytes; then where they are.
bool find_bytes(const Format& format, WidePlan& plan) {
  if (format.encoding != Encoding::unorm || format.srgb || format.block != Block::none || format.bytes() != 4) return false;
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [first, bits] = format.components[k];
    if (bits != 0 && (bits != 8 || first % 8 != 0)) return false;
    plan.shift[k] = first;
  }
  return std::endian::native == std::endian::little;
}

}  // namespace

std::optional<WidePlan> plan_of(const Descriptor& texture, const Sampler& sampler) {
  const std::uint64_t bytes = texture_bytes(texture);
  if (!texture.is_texture() || texture.samples != 1 || texture.depth != 1 || texture.levels == 0 || texture.levels > kWideLevels ||
      texture.width > kWideTexels || texture.height > kWideTexels || texture.layers == 0 || texture.format.bytes() == 0 ||
      texture.format.is_integer() || bytes > texture.memory() || bytes >= std::uint64_t{1} << 31)
    return std::nullopt;
  if (!sampler.normalized || sampler.anisotropic || sampler.blending != Blending::average) return std::nullopt;
  WidePlan made;
  made.texels = reinterpret_cast<const unsigned char*>(texture.bytes.data());
  made.last_level = texture.levels - 1;
  made.layers = texture.layers;
  for (std::uint32_t number = 0; number < texture.levels; ++number) {
    const Level level = level_of(texture, number);
    made.levels[number] = {level.width, level.height, static_cast<std::uint32_t>(level.offset)};
    made.layer_stride = static_cast<std::uint32_t>(level.layer_stride);
  }
  for (unsigned axis = 0; axis < 2; ++axis) made.address[axis] = sampler.address[axis];
  made.linear_mag = sampler.mag == Filter::linear;
  made.linear_min = sampler.min == Filter::linear;
  made.linear_mip = sampler.mip == Filter::linear;
  made.lod_bias = sampler.lod_bias;
  made.min_lod = sampler.min_lod;
  made.max_lod = sampler.max_lod;
  made.is_bytes = find_bytes(texture.format, made);
  for (unsigned k = 0; k < 4; ++k) made.has[k] = texture.format.has(k);
  made.texture = &texture;
  made.fetch = fetch;
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
