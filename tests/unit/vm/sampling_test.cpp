// Sampling against references in double precision that are written from the specification, without the interpreter's own code.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <unshade/vm/resources.hpp>

#include "vm/sampling/filter.hpp"

namespace unshade::vm::sampling {
namespace {

using dxcontainer::ResourceDimension;
using Four = std::array<double, 4>;

/// A texture of random floats.
struct Texture {
  Texture(std::uint32_t width, std::uint32_t height, std::uint32_t depth, std::uint32_t layers, std::uint32_t levels, const char* format) {
    descriptor.format = *texel::find_format(format);
    descriptor.width = width;
    descriptor.height = height;
    descriptor.depth = depth;
    descriptor.layers = layers;
    descriptor.levels = levels;
    bytes.resize(texel::texture_bytes(descriptor));
    std::mt19937 random(width * 31 + height * 7 + depth);
    const bool is_float = descriptor.format.encoding == texel::Encoding::float_;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      const float value = static_cast<float>(random()) / 4294967296.0F * 4 - 1;
      const auto word = is_float ? std::bit_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(random());
      std::memcpy(bytes.data() + at, &word, 4);
    }
    descriptor.bytes = bytes;
  }
  std::uint32_t size(unsigned axis, unsigned level) const {
    return std::max(1U, (axis == 0 ? descriptor.width : axis == 1 ? descriptor.height : descriptor.depth) >> level);
  }
  Four texel(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t layer, std::uint32_t level) const {
    const std::byte* const at = texel::texel_at(descriptor, {x, y, z, layer, level, 0});
    EXPECT_NE(at, nullptr);
    const auto bits = texel::load_texel(descriptor.format, at);
    Four made{};
    for (unsigned k = 0; k < 4; ++k) made[k] = static_cast<double>(std::bit_cast<float>(bits[k]));
    return made;
  }

  texel::Descriptor descriptor;
  std::vector<std::byte> bytes;
};

// --- the reference: 7.18 of the functional specification, with fractions of 8 bits -----------------------------------------------------

double snapped(double value) { return std::nearbyint(value * 256) / 256; }

// 7.18.6 and 7.18.9 in one: the texel that stands at a place of the infinite axis; nothing if it is the border.
bool addressed(long long& at, long long size, texel::AddressMode mode) {
  switch (mode) {
    case texel::AddressMode::wrap: at = ((at % size) + size) % size; return true;
    case texel::AddressMode::mirror: {
      const long long period = ((at % (2 * size)) + 2 * size) % (2 * size);
      at = period < size ? period : 2 * size - 1 - period;
      return true;
    }
    case texel::AddressMode::mirror_once: at = std::min(at < 0 ? -1 - at : at, size - 1); return true;
    case texel::AddressMode::clamp: at = std::clamp(at, 0LL, size - 1); return true;
    default: return at >= 0 && at < size;
  }
}

struct Axes {
  unsigned count;
  bool is_array;
};

// One level by one filter.
void reference_level(const Texture& texture, const texel::Sampler& sampler, const Axes& axes, const std::array<double, 3>& place,
                     const std::array<int, 3>& offset, std::uint32_t layer, unsigned level, texel::Filter filter,
                     const std::function<void(const Four&, double)>& add) {
  std::array<long long, 3> low{};
  std::array<double, 3> weight{};
  for (unsigned k = 0; k < axes.count; ++k) {
    const double scaled = snapped(place[k] * texture.size(k, level) - (filter == texel::Filter::linear ? 0.5 : 0));
    low[k] = static_cast<long long>(std::floor(scaled)) + offset[k];
    weight[k] = filter == texel::Filter::linear ? scaled - std::floor(scaled) : 0;
  }
  for (unsigned z = 0; z < 2; ++z) {
    for (unsigned y = 0; y < 2; ++y) {
      for (unsigned x = 0; x < 2; ++x) {
        const double share =
            (x != 0 ? weight[0] : 1 - weight[0]) * (y != 0 ? weight[1] : 1 - weight[1]) * (z != 0 ? weight[2] : 1 - weight[2]);
        if (share == 0) continue;
        std::array<long long, 3> at{low[0] + x, low[1] + y, low[2] + z};
        bool inside = true;
        for (unsigned k = 0; k < 3; ++k) {
          if (k >= axes.count)
            at[k] = 0;
          else
            inside = addressed(at[k], texture.size(k, level), sampler.address[k]) && inside;
        }
        Four value{};
        if (inside) {
          value = texture.texel(static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2]),
                                layer, level);
        } else {
          for (unsigned k = 0; k < 4; ++k) value[k] = static_cast<double>(sampler.border[k]);
        }
        add(value, share);
      }
    }
  }
}

Four reference(const Texture& texture, const texel::Sampler& sampler, const Axes& axes, const std::array<double, 3>& place,
               const std::array<int, 3>& offset, double element, double lod) {
  const double layers = texture.descriptor.layers;
  const auto layer = axes.is_array ? static_cast<std::uint32_t>(std::clamp(std::nearbyint(element), 0.0, layers - 1)) : 0;
  const double clamped = std::max<double>(sampler.min_lod, std::min<double>(sampler.max_lod, lod));
  const texel::Filter filter = clamped <= 0 ? sampler.mag : sampler.min;
  const double level = std::clamp(snapped(clamped), 0.0, texture.descriptor.levels - 1.0);
  Four sum{};
  const auto at = [&](double number, double share) {
    reference_level(texture, sampler, axes, place, offset, layer, static_cast<unsigned>(number), filter,
                    [&](const Four& value, double weight) {
                      for (unsigned k = 0; k < 4; ++k) sum[k] += value[k] * weight * share;
                    });
  };
  if (sampler.mip == texel::Filter::point) {
    at(std::floor(level + 0.5), 1);
  } else {
    at(std::floor(level), 1 - (level - std::floor(level)));
    if (level > std::floor(level)) at(std::floor(level) + 1, level - std::floor(level));
  }
  return sum;
}

std::uint32_t ulps(float a, float b) {
  const auto ordered = [](float value) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits < 0 ? std::int64_t{-0x80000000LL} - bits : std::int64_t{bits};
  };
  return static_cast<std::uint32_t>(std::abs(ordered(a) - ordered(b)));
}

class Random {
 public:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }

 private:
  std::mt19937 engine_{7};
};

TEST(Sampling, EqualsTheReferenceInEachFilterAndAddressMode) {
  struct Shape {
    ResourceDimension dimension;
    Axes axes;
    std::array<std::uint32_t, 4> size;  // and layers
  };
  constexpr Shape kShapes[] = {{ResourceDimension::texture1d, {1, false}, {13, 1, 1, 1}},
                               {ResourceDimension::texture1d_array, {1, true}, {8, 1, 1, 5}},
                               {ResourceDimension::texture2d, {2, false}, {16, 9, 1, 1}},
                               {ResourceDimension::texture2d_array, {2, true}, {5, 8, 1, 3}},
                               {ResourceDimension::texture3d, {3, false}, {6, 7, 5, 1}}};
  constexpr texel::AddressMode kModes[] = {texel::AddressMode::wrap, texel::AddressMode::mirror, texel::AddressMode::clamp,
                                           texel::AddressMode::border, texel::AddressMode::mirror_once};
  Random random;
  std::uint32_t most = 0;
  for (const Shape& shape : kShapes) {
    const Texture texture(shape.size[0], shape.size[1], shape.size[2], shape.size[3], 3, "R32G32B32A32_FLOAT");
    for (unsigned filters = 0; filters < 8; ++filters) {
      for (const texel::AddressMode mode : kModes) {
        for (unsigned round = 0; round < 60; ++round) {
          texel::Sampler sampler;
          sampler.min = static_cast<texel::Filter>(filters & 1);
          sampler.mag = static_cast<texel::Filter>(filters >> 1 & 1);
          sampler.mip = static_cast<texel::Filter>(filters >> 2);
          sampler.address = {mode, kModes[random.below(5)], kModes[random.below(5)]};
          sampler.border = {0.25F, -2, 3, 0.5F};
          ir::TextureExtra extra(shape.dimension);
          Request request{texture.descriptor, sampler, extra};
          std::array<double, 3> place{};
          for (unsigned k = 0; k < shape.axes.count; ++k) {
            place[k] = static_cast<double>(static_cast<float>(random.between(-3, 4)));
            request.offset[k] = static_cast<int>(random.below(16)) - 8;
          }
          request.place = place;
          request.element = static_cast<float>(random.between(-1, 7));
          const auto lod = static_cast<float>(random.between(-1, 3));
          const Texel made = sample(request, clamp_level(sampler, lod), {}).texel;
          const Four expected = reference(texture, sampler, shape.axes, place, request.offset, static_cast<double>(request.element),
                                          static_cast<double>(lod));
          for (unsigned k = 0; k < 4; ++k) {
            const float value = std::bit_cast<float>(made[k]);
            most = std::max(most, ulps(value, static_cast<float>(expected[k])));
            ASSERT_LE(ulps(value, static_cast<float>(expected[k])), 1U)
                << "shape " << static_cast<int>(shape.dimension) << " filters " << filters << " address " << static_cast<int>(mode) << ": "
                << value << ", expected " << expected[k];
          }
        }
      }
    }
  }
  RecordProperty("most_ulps", static_cast<int>(most));
}

// FS 7.18.11: an ellipse with axes of texels; its samples lie in the middles of equal parts of the longer one.
TEST(Sampling, OfAnAnisotropicFilterIsTheMeanAlongTheLongerAxis) {
  const Texture texture(16, 16, 1, 1, 5, "R32G32B32A32_FLOAT");
  const Axes axes{2, false};
  constexpr texel::AddressMode kModes[] = {texel::AddressMode::wrap, texel::AddressMode::mirror, texel::AddressMode::clamp,
                                           texel::AddressMode::border, texel::AddressMode::mirror_once};
  Random random;
  for (unsigned round = 0; round < 400; ++round) {
    texel::Sampler sampler;
    sampler.anisotropic = true;
    sampler.address = {kModes[random.below(5)], kModes[random.below(5)], texel::AddressMode::clamp};
    sampler.max_anisotropy = static_cast<std::uint8_t>(1U << random.below(5));
    const double shorter = std::ldexp(1.0, static_cast<int>(random.below(3)) - 1),
                 ratio = std::ldexp(1.0, static_cast<int>(random.below(4)));
    const double longer = shorter * ratio;
    const unsigned axis = random.below(2);
    Vector dx{}, dy{};
    dx[axis] = longer / 16;
    dy[1 - axis] = shorter / 16;
    if (random.below(2) == 0) std::swap(dx, dy);
    Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
    request.place = {random.between(-1, 2), random.between(-1, 2), 0};
    const Footprint covered = footprint(texture.descriptor, sampler, request.extra, request.place, dx, dy);
    const Texel made = sample(request, clamp_level(sampler, covered.level), covered).texel;
    // no longer than the bound allows, and no more samples than texels
    const double used = std::min<double>(ratio, sampler.max_anisotropy);
    const double minor = longer / used;
    const double parts = minor < 1 ? std::max(1.0, used * minor) : used;
    ASSERT_EQ(covered.samples, static_cast<unsigned>(std::ceil(parts)));
    Four expected{};
    for (unsigned k = 0; k < covered.samples; ++k) {
      std::array<double, 3> place{request.place};
      place[axis] += ((k + 0.5) / covered.samples - 0.5) * longer / 16;
      texel::Sampler one = sampler;
      const Four value = reference(texture, one, axes, place, {}, 0, std::log2(minor));
      for (unsigned c = 0; c < 4; ++c) expected[c] += value[c] / covered.samples;
    }
    for (unsigned c = 0; c < 4; ++c)
      EXPECT_NEAR(static_cast<double>(std::bit_cast<float>(made[c])), expected[c], 2e-7 * std::max(1.0, std::abs(expected[c])))
          << "round " << round << ", ratio " << ratio;
  }
}

TEST(Sampling, OfMinimumAndMaximumIsOfTheReferencesTaps) {
  const Texture texture(9, 6, 1, 1, 1, "R32G32B32A32_FLOAT");
  const Axes axes{2, false};
  Random random;
  for (unsigned round = 0; round < 400; ++round) {
    texel::Sampler sampler;
    sampler.blending = round % 2 == 0 ? texel::Blending::minimum : texel::Blending::maximum;
    sampler.address.fill(round % 3 == 0 ? texel::AddressMode::border : texel::AddressMode::mirror);
    sampler.border = {0.5F, -3, 9, 0};
    Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
    std::array<double, 3> place{};
    for (unsigned k = 0; k < 2; ++k) place[k] = static_cast<double>(static_cast<float>(random.between(-1, 2)));
    request.place = place;
    const Texel made = sample(request, 1, {}).texel;
    Four expected{};
    bool is_first = true;
    reference_level(texture, sampler, axes, place, {}, 0, 0, texel::Filter::linear, [&](const Four& value, double) {
      for (unsigned k = 0; k < 4; ++k) {
        const bool replaces = sampler.blending == texel::Blending::minimum ? value[k] < expected[k] : value[k] > expected[k];
        if (is_first || replaces) expected[k] = value[k];
      }
      is_first = false;
    });
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(static_cast<double>(std::bit_cast<float>(made[k])), expected[k]) << round;
  }
}

texel::Sampler with(texel::Filter filter, texel::AddressMode mode) {
  texel::Sampler made;
  made.min = made.mag = made.mip = filter;
  made.address = {mode, mode, mode};
  return made;
}

Texel sample_at(const Texture& texture, const texel::Sampler& sampler, ResourceDimension dimension, const Vector& place, float lod = 0) {
  Request request{texture.descriptor, sampler, ir::TextureExtra(dimension)};
  request.place = place;
  return sample(request, clamp_level(sampler, lod), {}).texel;
}

float red(const Texel& texel) { return std::bit_cast<float>(texel[0]); }

TEST(Sampling, KeepsPrecisionOfLargeCoordinatesThatRepeat) {
  const Texture texture(4, 4, 1, 1, 1, "R32G32B32A32_FLOAT");
  const texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::wrap);
  const Texel near = sample_at(texture, sampler, ResourceDimension::texture2d, {0.3125, 0.5, 0});
  EXPECT_EQ(sample_at(texture, sampler, ResourceDimension::texture2d, {65536.3125, -4095.5, 0}), near);
  const float infinity = std::numeric_limits<float>::infinity();
  // what is no number is 0
  EXPECT_EQ(sample_at(texture, with(texel::Filter::point, texel::AddressMode::wrap), ResourceDimension::texture2d,
                      {double{infinity}, std::nan(""), 0}),
            sample_at(texture, with(texel::Filter::point, texel::AddressMode::wrap), ResourceDimension::texture2d, {0, 0, 0}));
  EXPECT_EQ(sample_at(texture, with(texel::Filter::point, texel::AddressMode::clamp), ResourceDimension::texture2d,
                      {double{infinity}, -double{infinity}, 0}),
            sample_at(texture, with(texel::Filter::point, texel::AddressMode::clamp), ResourceDimension::texture2d, {1, 0, 0}));
}

/// 7.18.16.3: a texture of one color has that color, by any filter; a texel alone keeps its bits.
TEST(Sampling, OfOneColorGivesThatColor) {
  Texture texture(7, 5, 1, 1, 3, "R32G32B32A32_FLOAT");
  const std::array<float, 4> color{0.1F, 1 / 3.0F, 1e-30F, 3e38F};
  for (std::size_t at = 0; at < texture.bytes.size(); at += 16) std::memcpy(texture.bytes.data() + at, color.data(), 16);
  Random random;
  for (unsigned round = 0; round < 300; ++round) {
    texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::mirror);
    sampler.anisotropic = round % 2 == 1;
    Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
    request.place = {random.between(-2, 2), random.between(-2, 2), 0};
    const Vector dx{random.between(-1, 1), random.between(-1, 1), 0}, dy{random.between(-1, 1), random.between(-1, 1), 0};
    const Footprint covered = footprint(texture.descriptor, sampler, request.extra, request.place, dx, dy);
    const Texel made = sample(request, covered.level, covered).texel;
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(std::bit_cast<float>(made[k]), color[k]);
  }
  const std::uint32_t denormal = 3;
  std::memcpy(texture.bytes.data(), &denormal, 4);
  EXPECT_EQ(sample_at(texture, with(texel::Filter::point, texel::AddressMode::clamp), ResourceDimension::texture2d, {0, 0, 0})[0],
            denormal);
}

TEST(Sampling, TakesTheBorderOfTheFormat) {
  Texture texture(2, 2, 1, 1, 1, "R8G8_UNORM");
  texel::Sampler sampler = with(texel::Filter::point, texel::AddressMode::border);
  sampler.border = {2, 0.5F, 0.75F, 0.25F};
  const Texel made = sample_at(texture, sampler, ResourceDimension::texture2d, {-1, 0.5, 0});
  const std::array<float, 4> expected{1, 0.5F, 0, 1};
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(std::bit_cast<float>(made[k]), expected[k]) << k;
}

TEST(Sampling, TakesTheBorderOfWholeNumbers) {
  Texture texture(2, 2, 1, 1, 1, "R16G16_SINT");
  texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::border);
  sampler.border = {-5, 300, 7, 9};
  EXPECT_EQ(sample_at(texture, sampler, ResourceDimension::texture2d, {-1, 0.5, 0}), (Texel{static_cast<std::uint32_t>(-5), 300, 0, 1}));
  texture.descriptor.format = *texel::find_format("R16G16_UINT");
  sampler.border = {5, 65535, 7, 9};
  EXPECT_EQ(sample_at(texture, sampler, ResourceDimension::texture2d, {0.5, 2, 0}), (Texel{5, 65535, 0, 1}));
}

TEST(Sampling, ComparesTheQuantizedReferenceWithEachTexel) {
  Texture texture(2, 1, 1, 1, 1, "R16_UNORM");
  const std::array<std::uint16_t, 2> depths{0x4000, 0xc000};
  std::memcpy(texture.bytes.data(), depths.data(), 4);
  texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::clamp);
  Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
  request.extra.has_reference = true;
  request.place = {0.375, 0.5, 0};  // a quarter of the second texel
  const std::array<std::pair<texel::Comparison, std::array<float, 3>>, 8> rows{{{texel::Comparison::never, {0, 0, 0}},
                                                                                {texel::Comparison::less, {1, 0.25F, 0.25F}},
                                                                                {texel::Comparison::equal, {0, 0.75F, 0}},
                                                                                {texel::Comparison::less_equal, {1, 1, 0.25F}},
                                                                                {texel::Comparison::greater, {0, 0, 0.75F}},
                                                                                {texel::Comparison::not_equal, {1, 0.25F, 1}},
                                                                                {texel::Comparison::greater_equal, {0, 0.75F, 0.75F}},
                                                                                {texel::Comparison::always, {1, 1, 1}}}};
  for (const auto& [comparison, expected] : rows) {
    sampler.comparison = comparison;
    // below both, as the first is within half a step of the format, and between
    const std::array<float, 3> references{-1, (0x4000 + 0.4F) / 65535.0F, 0.5F};
    for (unsigned k = 0; k < 3; ++k) {
      request.reference = references[k];
      EXPECT_EQ(red(sample(request, 0, {}).texel), expected[k]) << static_cast<int>(comparison) << ' ' << k;
    }
  }
}

TEST(Sampling, TakesTheLeastAndTheMostOfWhatAFilterReads) {
  Texture texture(2, 2, 1, 1, 1, "R32_FLOAT");
  const std::array<float, 4> values{3, -1, 7, 5};
  std::memcpy(texture.bytes.data(), values.data(), 16);
  texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::clamp);
  sampler.blending = texel::Blending::minimum;
  EXPECT_EQ(red(sample_at(texture, sampler, ResourceDimension::texture2d, {0.5, 0.5, 0})), -1);
  sampler.blending = texel::Blending::maximum;
  EXPECT_EQ(red(sample_at(texture, sampler, ResourceDimension::texture2d, {0.5, 0.5, 0})), 7);
  // texels without a weight do not count
  EXPECT_EQ(red(sample_at(texture, sampler, ResourceDimension::texture2d, {0.25, 0.25, 0})), 3);
}

TEST(Sampling, GathersCounterClockwiseFromTheLowerLeft) {
  Texture texture(3, 3, 1, 1, 2, "R8G8B8A8_UINT");
  for (unsigned k = 0; k < 9; ++k) {
    const std::uint32_t texel = k | (k + 100) << 8;
    std::memcpy(texture.bytes.data() + 4 * k, &texel, 4);
  }
  const texel::Sampler sampler = with(texel::Filter::point, texel::AddressMode::wrap);
  Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
  request.place = {0.5, 0.5, 0};
  const std::array<std::array<std::int32_t, 3>, 1> none{};
  request.place = {0.34, 0.34, 0};  // between texels 0 and 1 of each axis
  EXPECT_EQ(gather(request, none).texel, (Texel{3, 4, 1, 0}));
  request.extra.component = 1;
  EXPECT_EQ(gather(request, none).texel, (Texel{103, 104, 101, 100}));
  const std::array<std::array<std::int32_t, 3>, 1> moved{{{-1, 1, 0}}};
  EXPECT_EQ(gather(request, moved).texel, (Texel{108, 106, 103, 105}));
  const std::array<std::array<std::int32_t, 3>, 4> each{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 0}}};
  EXPECT_EQ(gather(request, each).texel, (Texel{100, 101, 103, 108}));
}

TEST(Sampling, SaysWhetherAllThatItReadHasMemory) {
  Texture texture(4, 4, 1, 1, 1, "R8G8B8A8_UNORM");
  texture.descriptor.mapped = 32;  // two rows
  const texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::clamp);
  Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture2d)};
  request.place = {0.5, 0.375, 0};  // the centre of the second row: the third has no weight
  EXPECT_TRUE(sample(request, 0, {}).is_mapped);
  request.place[1] = 0.5;
  EXPECT_FALSE(sample(request, 0, {}).is_mapped);
  request.place[1] = 1;
  EXPECT_EQ(sample(request, 0, {}).texel, Texel{});
}

// --- level of detail ---------------------------------------------------------------------------------------------------------------------

/// 7.18.11 as it is written, with the transformation of the two vectors.
Footprint reference_footprint(const Texture& texture, double most, Vector dx, Vector dy, bool anisotropic) {
  double xu = dx[0] * texture.descriptor.width, xv = dx[1] * texture.descriptor.height;
  double yu = dy[0] * texture.descriptor.width, yv = dy[1] * texture.descriptor.height;
  const double cross = xu * yv - xv * yu, inner = xu * yu + xv * yv;
  if (cross != 0 && inner != 0) {
    const double a = xv * xv + yv * yv, b = -2 * (xu * xv + yu * yv), c = xu * xu + yu * yu, f = cross * cross;
    const double p = a - c, q = a + c, t = std::sqrt(p * p + b * b);
    const double sign = b < 0 ? -1 : 1;
    xu = std::sqrt(f * (t + p) / (t * (q + t)));
    xv = std::sqrt(f * (t - p) / (t * (q + t))) * sign;
    yu = std::sqrt(f * (t - p) / (t * (q - t))) * -sign;
    yv = std::sqrt(f * (t + p) / (t * (q - t)));
  }
  Footprint made;
  const double x = xu * xu + xv * xv, y = yu * yu + yv * yv;
  if (!anisotropic) {
    made.level = static_cast<float>(std::log2(std::sqrt(std::max(x, y))));
    return made;
  }
  const double determinant = std::abs(xu * yv - xv * yu), major = std::sqrt(std::max(x, y));
  double ratio = std::max(x, y) / determinant;
  double minor = ratio > most ? major / most : determinant / major;
  ratio = std::min(ratio, most);
  if (minor < 1) ratio = std::max(1.0, ratio * minor);
  made.level = static_cast<float>(std::log2(minor));
  made.samples = static_cast<unsigned>(std::ceil(ratio));
  made.line = {(x > y ? xu : yu) / texture.descriptor.width, (x > y ? xv : yv) / texture.descriptor.height};
  return made;
}

TEST(Sampling, FindsTheLevelOfDetailOfTheSpecification) {
  const Texture texture(64, 32, 1, 1, 5, "R8G8B8A8_UNORM");
  Random random;
  double worst = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    const double scale = std::exp2(random.between(-8, 1));
    const Vector dx{random.between(-scale, scale), random.between(-scale, scale), 0};
    const Vector dy{random.between(-scale, scale), random.between(-scale, scale), 0};
    texel::Sampler sampler;
    sampler.anisotropic = round % 2 == 1;
    sampler.max_anisotropy = static_cast<std::uint8_t>(1 + random.below(16));
    const ir::TextureExtra extra(ResourceDimension::texture2d);
    const Footprint made = footprint(texture.descriptor, sampler, extra, {}, dx, dy);
    const Footprint expected = reference_footprint(texture, sampler.max_anisotropy, dx, dy, sampler.anisotropic);
    worst = std::max(worst, std::abs(static_cast<double>(made.level) - static_cast<double>(expected.level)));
    EXPECT_NEAR(made.level, expected.level, 1e-5) << round;
    if (!sampler.anisotropic) continue;
    EXPECT_EQ(made.samples, expected.samples) << round;
    // the line has no sense of direction
    const double turn = made.line[0] * expected.line[0] + made.line[1] * expected.line[1] < 0 ? -1 : 1;
    EXPECT_NEAR(made.line[0], turn * expected.line[0], 1e-7 + 1e-6 * std::abs(expected.line[0])) << round;
    EXPECT_NEAR(made.line[1], turn * expected.line[1], 1e-7 + 1e-6 * std::abs(expected.line[1])) << round;
  }
  EXPECT_LT(worst, 1e-5);
}

TEST(Sampling, HasExactLevelsOfAxisAlignedDerivatives) {
  const Texture texture(64, 64, 1, 1, 7, "R8_UNORM");
  const texel::Sampler sampler;
  const ir::TextureExtra extra(ResourceDimension::texture2d);
  for (int power = -3; power < 7; ++power) {
    const double step = std::exp2(power) / 64;
    EXPECT_EQ(footprint(texture.descriptor, sampler, extra, {}, {step, 0, 0}, {0, step / 2, 0}).level, static_cast<float>(power));
  }
  EXPECT_EQ(footprint(texture.descriptor, sampler, extra, {}, {}, {}).level, -std::numeric_limits<float>::infinity());
  texel::Sampler clamped;
  clamped.min_lod = 3;
  clamped.max_lod = 2;
  EXPECT_EQ(clamp_level(clamped, std::nanf("")), 3);
  clamped.min_lod = 0;
  EXPECT_EQ(clamp_level(clamped, std::nanf("")), 2);
}

// --- cubes -------------------------------------------------------------------------------------------------------------------------------

// Directions from the face and the place on it: of 5.3.8, as every interface for cubes has them.
Vector direction_of(unsigned face, double u, double v) {
  switch (face) {
    case 0: return {1, -v, -u};
    case 1: return {-1, -v, u};
    case 2: return {u, 1, v};
    case 3: return {u, -1, -v};
    case 4: return {u, -v, 1};
    default: return {-u, -v, -1};
  }
}

TEST(Cubes, PointSamplesFindTheTexelThatADirectionPointsTo) {
  const Texture texture(4, 4, 1, 6, 1, "R32G32B32A32_FLOAT");
  const texel::Sampler sampler = with(texel::Filter::point, texel::AddressMode::wrap);
  for (unsigned face = 0; face < 6; ++face) {
    for (unsigned y = 0; y < 4; ++y) {
      for (unsigned x = 0; x < 4; ++x) {
        Vector place = direction_of(face, (x + 0.5) / 2 - 1, (y + 0.5) / 2 - 1);
        for (double& one : place) one *= 3.5;
        EXPECT_EQ(static_cast<double>(red(sample_at(texture, sampler, ResourceDimension::texture_cube, place))),
                  texture.texel(x, y, 0, face, 0)[0])
            << face << ' ' << x << ' ' << y;
      }
    }
  }
}

/// Across edges: what two faces see of a direction on their edge must be the same. A cube whose texels are a linear function of the
/// direction of their centres shows wrong neighbours as jumps.
TEST(Cubes, FilterAcrossTheirEdges) {
  constexpr unsigned kSize = 8;
  Texture texture(kSize, kSize, 1, 6, 1, "R32_FLOAT");
  const auto value = [](const Vector& d) { return 3 * d[0] + 5 * d[1] + 7 * d[2]; };
  for (unsigned face = 0; face < 6; ++face) {
    for (unsigned y = 0; y < kSize; ++y) {
      for (unsigned x = 0; x < kSize; ++x) {
        const auto at = static_cast<float>(value(direction_of(face, (2 * x + 1.0) / kSize - 1, (2 * y + 1.0) / kSize - 1)));
        std::memcpy(texel::texel_at(texture.descriptor, {x, y, 0, face, 0, 0}), &at, 4);
      }
    }
  }
  const texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::clamp);
  for (unsigned face = 0; face < 6; ++face) {
    for (int edge = 0; edge < 4; ++edge) {
      for (int k = -6; k <= 6; ++k) {
        const double along = k / 8.0;
        constexpr double kNear = 1 - 1e-6;
        const double u = edge == 0 ? kNear : edge == 1 ? -kNear : along, v = edge == 2 ? kNear : edge == 3 ? -kNear : along;
        const Vector place = direction_of(face, u, v);
        // half way between two centres that are an eighth of the cube inside on either face: both coordinates differ by an eighth
        const float made = red(sample_at(texture, sampler, ResourceDimension::texture_cube, place));
        EXPECT_NEAR(static_cast<double>(made), value(place), 0.125 * 15) << face << ' ' << edge << ' ' << k;
        // the same from the other side of the edge
        Vector other = place;
        for (double& one : other) {
          if (std::abs(std::abs(one) - 1) < 1e-12) one *= 1 - 2e-6;
        }
        EXPECT_NEAR(made, red(sample_at(texture, sampler, ResourceDimension::texture_cube, other)), 1e-3)
            << face << ' ' << edge << ' ' << k;
      }
    }
  }
}

/// 7.18.12: at a corner the weight of the missing texel goes to the three others.
TEST(Cubes, ShareTheMissingTexelOfACorner) {
  Texture texture(1, 1, 1, 6, 1, "R32_FLOAT");
  for (unsigned face = 0; face < 6; ++face) {
    const auto value = static_cast<float>(1 << (2 * face));
    std::memcpy(texture.bytes.data() + 4 * face, &value, 4);
  }
  const texel::Sampler sampler = with(texel::Filter::linear, texel::AddressMode::clamp);
  // the corner of +x, +y and +z: a quarter each and a quarter missing
  const float made = red(sample_at(texture, sampler, ResourceDimension::texture_cube, {1, 1, 1}));
  EXPECT_FLOAT_EQ(made, (1.0F + 16 + 256) / 3);
  Request request{texture.descriptor, sampler, ir::TextureExtra(ResourceDimension::texture_cube)};
  request.place = {1, 1, 1};
  const std::array<std::array<std::int32_t, 3>, 1> none{};
  const Texel gathered = gather(request, none).texel;
  unsigned means = 0;
  for (const std::uint32_t bits : gathered) means += std::bit_cast<float>(bits) == 91.0F ? 1 : 0;
  EXPECT_EQ(means, 1U);
}

TEST(Cubes, HaveLevelsOfTheirProjectedDerivatives) {
  const Texture texture(16, 16, 1, 6, 5, "R8_UNORM");
  const ir::TextureExtra extra(ResourceDimension::texture_cube);
  // at the middle of +z: a step of 1/8 in x is a texel
  EXPECT_EQ(footprint(texture.descriptor, {}, extra, {0, 0, 1}, {0.125, 0, 0}, {0, 0.125, 0}).level, 0.0F);
  EXPECT_EQ(footprint(texture.descriptor, {}, extra, {0, 0, 2}, {0.5, 0, 0}, {0, 0.125, 0}).level, 1.0F);
  // along the axis nothing changes
  EXPECT_LT(footprint(texture.descriptor, {}, extra, {0, 0, 1}, {0, 0, 0.5}, {0, 0, 0.5}).level, -100.0F);
}

}  // namespace
}  // namespace unshade::vm::sampling
