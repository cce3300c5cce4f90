// Sampling of many lanes at once against that of one lane, which is the definition: the same bits, with each instruction set.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <unshade/vm/machine.hpp>

#include "vm/sampling/filter.hpp"
#include "vm/sampling/plans.hpp"

namespace unshade::vm::sampling {
namespace {

using dxcontainer::ResourceDimension;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
  bool once_in(unsigned count) { return below(count) == 0; }
  float real(float least, float most) { return least + (most - least) * static_cast<float>(engine_()) / 4294967296.0F; }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

constexpr const char* kFormats[] = {"R8G8B8A8_UNORM",
                                    "B8G8R8A8_UNORM",
                                    "B8G8R8X8_UNORM",
                                    "R8G8B8A8_UNORM_SRGB",
                                    "R8_UNORM",
                                    "R8G8_SNORM",
                                    "R16_UNORM",
                                    "R16G16B16A16_FLOAT",
                                    "R32_FLOAT",
                                    "R32G32_FLOAT",
                                    "R32G32B32_FLOAT",
                                    "D32_FLOAT_S8X24_UINT",
                                    "R32G32B32A32_FLOAT",
                                    "R11G11B10_FLOAT",
                                    "BC1_UNORM",
                                    "BC7_UNORM_SRGB",
                                    "R24_UNORM_X8_TYPELESS"};

struct Texture {
  Texture(Random& random, const char* format) {
    descriptor.format = *texel::find_format(format);
    descriptor.width = 1 + random.below(random.once_in(3) ? 4 : 70);
    descriptor.height = 1 + random.below(random.once_in(3) ? 4 : 70);
    descriptor.layers = 1 + random.below(3);
    descriptor.levels = 1 + random.below(4);
    while ((std::max(descriptor.width, descriptor.height) >> (descriptor.levels - 1)) == 0) --descriptor.levels;
    bytes.resize(texel::texture_bytes(descriptor));
    const bool is_float = descriptor.format.encoding == texel::Encoding::float_ && descriptor.format.components[0].bits == 32;
    const bool is_odd = random.once_in(4);
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      // now and then infinities, NaN, denormals and -0
      const std::uint32_t word = !is_float || (is_odd && random.once_in(20)) ? random.once_in(2) ? random.word() : 0x8000'0000
                                                                             : std::bit_cast<std::uint32_t>(random.real(-3, 3));
      std::memcpy(bytes.data() + at, &word, 4);
    }
    descriptor.bytes = bytes;
  }
  texel::Descriptor descriptor;
  std::vector<std::byte> bytes;
};

texel::Sampler any_sampler(Random& random) {
  texel::Sampler made;
  const auto filter = [&] { return random.once_in(3) ? texel::Filter::point : texel::Filter::linear; };
  made.min = filter();
  made.mag = filter();
  made.mip = filter();
  for (texel::AddressMode& mode : made.address) mode = static_cast<texel::AddressMode>(random.below(5));
  if (random.once_in(2)) made.address[1] = made.address[0];
  if (random.once_in(3)) made.lod_bias = random.real(-2, 2);
  if (random.once_in(4)) made.min_lod = random.real(-1, 2);
  if (random.once_in(4)) made.max_lod = random.real(0, 3);
  made.border = {0.25F, 0.5F, 2, -1};
  made.comparison = static_cast<texel::Comparison>(random.below(8));
  return made;
}

float any_coordinate(Random& random) {
  constexpr float kOdd[] = {0, -0.0F, 1, -1, 0.5F, 1e30F, -1e30F, 12, -12, INFINITY, -INFINITY, NAN, 1e-40F, 8388607.5F};
  if (random.once_in(12)) return kOdd[random.below(std::size(kOdd))];
  return random.once_in(4) ? random.real(-20, 20) : random.real(-0.5F, 1.5F);
}

// Whether the processor flushes denormals, as it does while most programs run.
void set_flushing([[maybe_unused]] bool flushes) {
#if defined(__SSE2__)
  constexpr unsigned kBits = 0x8040;
  _mm_setcsr((_mm_getcsr() & ~kBits) | (flushes ? kBits : 0U));
#endif
}

bool is_same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

TEST(WideSampling, LanesHaveTheBitsOfOneLane) {
  Random random(7);
  for (const Isa isa : available_isas()) {
    const WideFunctions& functions = wide_functions(isa);
    unsigned done = 0;
    for (unsigned round = 0; round < 6000; ++round) {
      const char* const format = kFormats[round % std::size(kFormats)];
      const Texture texture(random, format);
      const texel::Sampler sampler = any_sampler(random);
      const auto plan = plan_of(texture.descriptor, sampler);
      ASSERT_TRUE(plan) << format;
      ir::TextureExtra extra(random.once_in(3) ? ResourceDimension::texture2d_array : ResourceDimension::texture2d);
      extra.has_bias = random.once_in(4);
      extra.has_min_lod = random.once_in(4);
      extra.has_offset = random.once_in(4);
      extra.has_reference = random.once_in(4);
      std::array<std::array<float, kWideLanes>, 6> given;  // u, v, element, level, bias, least level
      std::array<float, kWideLanes> reference{};
      std::array<std::uint32_t, kWideLanes> active{};
      const bool is_level = random.once_in(2);  // of all lanes
      const float level = random.real(-1, 4);
      for (unsigned lane = 0; lane < kWideLanes; ++lane) {
        given[0][lane] = any_coordinate(random);
        given[1][lane] = any_coordinate(random);
        given[2][lane] = random.once_in(10) ? NAN : random.real(-1, 4);
        given[3][lane] = is_level ? level : random.once_in(10) ? -INFINITY : random.real(-2, 5);
        given[4][lane] = random.real(-1, 1);
        given[5][lane] = random.real(-1, 1);
        reference[lane] = texel::quantized(texture.descriptor.format, random.real(-0.5F, 1.5F));
        active[lane] = random.once_in(8) ? 0 : ~0U;
      }
      std::array<float, std::size_t{4} * kWideLanes> made;
      WideLanes lanes{.u = given[0].data(), .v = given[1].data(), .level = given[3].data(), .active = active.data(), .to = made.data()};
      if (extra.is_array()) lanes.element = given[2].data();
      if (extra.has_bias) lanes.bias = given[4].data();
      if (extra.has_min_lod) lanes.min_lod = given[5].data();
      if (extra.has_reference) lanes.reference = reference.data();
      if (extra.has_offset)
        for (std::int32_t& one : lanes.offset) one = static_cast<std::int32_t>(random.below(17)) - 8;
      set_flushing(round % 2 == 0);
      const bool is_done = functions.sample(*plan, lanes);
      if (!is_done) {
        set_flushing(false);
        continue;
      }
      ++done;
      for (unsigned lane = 0; lane < kWideLanes; ++lane) {
        if (active[lane] == 0) continue;
        Request request{texture.descriptor, sampler, extra, {double{given[0][lane]}, double{given[1][lane]}, 0}, given[2][lane]};
        request.offset = {lanes.offset[0], lanes.offset[1], 0};
        request.reference = reference[lane];
        float own = clamp_level(sampler, given[3][lane] + sampler.lod_bias + (extra.has_bias ? given[4][lane] : 0));
        if (extra.has_min_lod) own = std::max(own, given[5][lane]);
        const Sampled one = sample(request, own, {});
        for (unsigned k = 0; k < 4; ++k)
          ASSERT_TRUE(is_same(made[k * kWideLanes + lane], std::bit_cast<float>(one.texel[k])))
              << id(isa) << ", " << format << ", round " << round << ", lane " << lane << ", component " << k << ": "
              << made[k * kWideLanes + lane] << ", not " << std::bit_cast<float>(one.texel[k]);
      }
      set_flushing(false);
    }
    // most of them are not left to sample()
    EXPECT_GT(done, 3000U) << id(isa);
  }
}

TEST(WideSampling, QuadsHaveTheLevelsOfOneLane) {
  Random random(8);
  for (const Isa isa : available_isas()) {
    const WideFunctions& functions = wide_functions(isa);
    unsigned done = 0;
    for (unsigned round = 0; round < 2000; ++round) {
      const Texture texture(random, "R8G8B8A8_UNORM");
      const texel::Sampler sampler;
      const auto plan = plan_of(texture.descriptor, sampler);
      std::array<float, kWideQuadLanes> u, v, made;
      const float size = std::ldexp(1.0F, static_cast<int>(random.below(40)) - 30);
      for (unsigned lane = 0; lane < kWideQuadLanes; ++lane) {
        u[lane] = random.once_in(300) ? any_coordinate(random) : size * random.real(-1, 1);
        v[lane] = random.once_in(4) ? 0.25F : size * random.real(-1, 1);
      }
      std::uint32_t exec = ~0U;
      while (random.once_in(2)) exec &= ~(1U << random.below(32));
      const unsigned lanes = random.once_in(3) ? 16 : 32;
      if (!functions.levels(*plan, u.data(), v.data(), exec, lanes, made.data())) continue;
      ++done;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned first = lane & ~3U;
        Vector dx{}, dy{};
        const auto runs = [&](unsigned one) { return (exec >> one & 1) != 0; };
        if (runs(first) && runs(first + 1)) dx = {double{u[first + 1] - u[first]}, double{v[first + 1] - v[first]}, 0};
        if (runs(first) && runs(first + 2)) dy = {double{u[first + 2] - u[first]}, double{v[first + 2] - v[first]}, 0};
        const Footprint one = footprint(texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d),
                                        {double{u[lane]}, double{v[lane]}, 0}, dx, dy);
        ASSERT_TRUE(is_same(made[lane], one.level))
            << id(isa) << ", round " << round << ", lane " << lane << ": " << made[lane] << ", not " << one.level;
      }
    }
    EXPECT_GT(done, 1500U) << id(isa);
  }
}

TEST(WideSampling, WhatIsRareHasNoPlan) {
  Random random(9);
  const Texture texture(random, "R8G8B8A8_UNORM");
  texel::Sampler sampler;
  EXPECT_TRUE(plan_of(texture.descriptor, sampler));
  sampler.anisotropic = true;
  EXPECT_FALSE(plan_of(texture.descriptor, sampler));
  sampler = {};
  sampler.blending = texel::Blending::minimum;
  EXPECT_FALSE(plan_of(texture.descriptor, sampler));
  sampler = {};
  sampler.normalized = false;
  EXPECT_FALSE(plan_of(texture.descriptor, sampler));
  texel::Descriptor without = texture.descriptor;
  without.mapped = 3;
  EXPECT_FALSE(plan_of(without, {}));
  EXPECT_FALSE(plan_of({}, {}));
  EXPECT_FALSE(plan_of(Texture(random, "R8G8B8A8_UINT").descriptor, {}));
}

}  // namespace
}  // namespace unshade::vm::sampling
