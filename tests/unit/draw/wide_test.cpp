// What is computed of four pixels at once against the definitions, of one pixel each: the same bits, with each instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <unshade/texel/formats.hpp>
#include <unshade/texel/samples.hpp>

#include "draw/raster/primitive.hpp"
#include "draw/raster/raster.hpp"
#include "draw/wide/wide.hpp"

namespace unshade::draw {
namespace {

class Wide : public ::testing::TestWithParam<const wide::Functions*> {
 protected:
  std::mt19937 random{5};
  std::int64_t whole(std::int64_t least, std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(least, most)(random); }
  double real(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random); }

  // Any triangle with an area, clockwise; some were clipped.
  Triangle any_triangle() {
    const std::int64_t reach = whole(0, 3) == 0 ? 32767 * 256 : 2000;
    Triangle made;
    do {
      for (unsigned k = 0; k < 3; ++k) {
        made.x[k] = whole(-reach, reach);
        made.y[k] = whole(-reach, reach);
      }
      made.area = static_cast<double>(made.edge(0, made.x[0], made.y[0]));
    } while (!(made.area > 0));
    const bool is_even = whole(0, 2) == 0;
    for (unsigned k = 0; k < 3; ++k) {
      made.depth[k] = real(0, 1);
      made.inverse[k] = is_even ? 0.5 : real(0.01, 2);
      for (unsigned vertex = 0; vertex < 3; ++vertex) {
        made.shares[k][vertex] = real(0, 1);
        made.flat[k][vertex] = real(0, 1);
      }
    }
    made.divided = whole(0, 2) == 0;
    return made;
  }
};

TEST_P(Wide, SharesAndDepthsAreThoseOfOnePlace) {
  for (unsigned round = 0; round < 3000; ++round) {
    const Triangle triangle = any_triangle();
    const wide::Triangle own = wide_of(triangle);
    const std::int64_t x = whole(-1000, 16384) * 256 + whole(0, 255), y = whole(-1000, 16384) * 256 + whole(0, 255);
    std::array<float, 4> depths{};
    GetParam()->depths(own, static_cast<double>(x), static_cast<double>(y), depths.data());
    std::array<double, 4> px{}, py{};
    std::array<Shares, 4> expected{};
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      const std::int64_t of_x = x + pixel % 2 * kSubpixels, of_y = y + pixel / 2 * kSubpixels;
      px[pixel] = static_cast<double>(of_x);
      py[pixel] = static_cast<double>(of_y);
      expected[pixel] = shares_at(triangle, of_x, of_y);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(depths[pixel]),
                std::bit_cast<std::uint32_t>(static_cast<float>(depth_at(triangle, of_x, of_y))));
    }
    wide::Shares made;
    GetParam()->shares(own, px.data(), py.data(), made);
    const auto same = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
    };
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      ASSERT_TRUE(same(made.depth[pixel], expected[pixel].depth) && same(made.inverse[pixel], expected[pixel].inverse)) << round;
      for (unsigned k = 0; k < 3; ++k) {
        ASSERT_TRUE(same(made.flat[k][pixel], expected[pixel].flat[k])) << round << ": " << made.flat[k][pixel] << expected[pixel].flat[k];
        ASSERT_TRUE(same(made.space[k][pixel], expected[pixel].space[k])) << round;
      }
    }
  }
}

TEST_P(Wide, InputsAreSumsOfShares) {
  const float inf = INFINITY;
  for (unsigned round = 0; round < 500; ++round) {
    const unsigned quads = static_cast<unsigned>(whole(1, 5));
    std::vector<wide::Shares> shares(quads);
    for (wide::Shares& one : shares) {
      for (unsigned k = 0; k < 12; ++k) {
        one.flat[k / 4][k % 4] = real(-0.1, 1.1);
        one.space[k / 4][k % 4] = real(-0.1, 1.1);
      }
    }
    std::array<std::array<std::uint64_t, 3>, 4> values{};
    for (auto& vertex : values)
      for (std::uint64_t& value : vertex) value = std::bit_cast<std::uint32_t>(static_cast<float>(real(-5, 5)));
    if (whole(0, 9) == 0) values[1][1] = std::bit_cast<std::uint32_t>(inf);
    if (whole(0, 9) == 0) values[0][1] = std::bit_cast<std::uint32_t>(inf);
    if (whole(0, 9) == 0) values[2][1] = 0xff80'0001;
    if (whole(0, 3) == 0) values[1][0] = values[2][0] = values[0][0];
    const wide::Input inputs[] = {{0, 0, false, false}, {1, 1, false, true}, {2, 2, true, false}, {1, 3, false, false}};
    const std::uint64_t* const vertices[] = {values[0].data(), values[1].data(), values[2].data(), values[3].data()};
    const std::size_t stride = std::size_t{4} * quads + 3;
    std::vector<std::uint64_t> made(stride * 4);
    GetParam()->interpolate(vertices, inputs, 4, shares.data(), quads, made.data(), stride);
    for (const wide::Input& input : inputs) {
      for (unsigned lane = 0; lane < 4 * quads; ++lane) {
        const auto number = [&](unsigned k) {
          return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(values[k][input.from])));
        };
        const auto& share = input.noperspective ? shares[lane / 4].flat : shares[lane / 4].space;
        const double sum = number(0) + (number(1) - number(0)) * share[1][lane % 4] + (number(2) - number(0)) * share[2][lane % 4];
        const bool is_same = values[0][input.from] == values[1][input.from] && values[0][input.from] == values[2][input.from];
        const std::uint64_t expected = input.constant    ? values[3][input.from]
                                       : is_same         ? values[0][input.from]
                                       : std::isnan(sum) ? 0x7fc0'0000
                                                         : std::bit_cast<std::uint32_t>(static_cast<float>(sum));
        ASSERT_EQ(made[input.to * stride + lane], expected) << round;
      }
    }
  }
}

// Edge functions in whole numbers.
TEST_P(Wide, CoverageIsThatOfWholeNumbers) {
  for (unsigned round = 0; round < 3000; ++round) {
    const std::uint32_t samples = 1U << whole(0, 4);
    const auto pattern = texel::sample_pattern(samples);
    const std::int64_t reach = whole(0, 3) == 0 ? (1 << 25) : 600;
    wide::Edges edges;
    edges.count = static_cast<unsigned>(whole(3, 8));
    edges.samples = samples;
    std::array<std::array<std::int64_t, 3>, wide::Edges::kMost> own{};
    const std::int64_t x = whole(0, 16383) * 256, y = whole(0, 16383) * 256;
    for (unsigned k = 0; k < edges.count; ++k) {
      own[k] = {whole(-reach, reach), whole(-reach, reach), 0};
      // near the quad, some through a sample
      own[k][2] = -(own[k][0] * (x + whole(0, 512)) + own[k][1] * (y + whole(0, 512))) - whole(0, 1);
      edges.a[k] = static_cast<double>(own[k][0]);
      edges.b[k] = static_cast<double>(own[k][1]);
      edges.c[k] = static_cast<double>(own[k][2]);
      for (unsigned sample = 0; sample < samples; ++sample)
        edges.to_sample[k][sample] =
            static_cast<double>(own[k][0] * sample_offset(pattern[sample][0]) + own[k][1] * sample_offset(pattern[sample][1]));
    }
    Coverage expected = 0;
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      for (unsigned sample = 0; sample < samples; ++sample) {
        bool inside = true;
        for (unsigned k = 0; k < edges.count; ++k)
          inside = inside && own[k][0] * (x + pixel % 2 * kSubpixels + sample_offset(pattern[sample][0])) +
                                     own[k][1] * (y + pixel / 2 * kSubpixels + sample_offset(pattern[sample][1])) + own[k][2] >=
                                 0;
        expected |= Coverage{inside} << (16 * pixel + sample);
      }
    }
    ASSERT_EQ(GetParam()->coverage(edges, static_cast<double>(x), static_cast<double>(y)), expected) << round;
  }
}

TEST_P(Wide, WordsAreStoredTexels) {
  constexpr unsigned kLanes = 64;
  for (const char* const name : {"R8G8B8A8_UNORM", "B8G8R8A8_UNORM"}) {
    const texel::Format format = *texel::find_format(name);
    std::array<std::vector<std::uint64_t>, 4> colors;
    std::array<const std::uint64_t*, 4> rows{};
    std::array<std::uint32_t, 4> shift{};
    for (unsigned k = 0; k < 4; ++k) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        constexpr float kOdd[] = {0, -0.0F, 1, 2, -1, 1e-42F, INFINITY, -INFINITY, NAN};
        // halves between two steps too
        const float step = static_cast<float>((static_cast<double>(whole(0, 255)) + 0.5) / 255);
        const float value = whole(0, 3) == 0 ? kOdd[whole(0, 8)] : whole(0, 1) == 0 ? step : static_cast<float>(real(-0.2, 1.2));
        colors[k].push_back(std::bit_cast<std::uint32_t>(value));
      }
      rows[k] = colors[k].data();
      shift[k] = format.components[k].first;
    }
    std::array<std::uint32_t, kLanes> made{};
    GetParam()->unorm_bytes(rows.data(), shift.data(), kLanes, made.data());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::array<std::uint32_t, 4> value{};
      for (unsigned k = 0; k < 4; ++k) value[k] = static_cast<std::uint32_t>(colors[k][lane]);
      std::uint32_t texel = 0;
      texel::store_texel(format, value, reinterpret_cast<std::byte*>(&texel));
      ASSERT_EQ(made[lane], texel) << name << ", lane " << lane;
    }
  }
}

std::vector<const wide::Functions*> available() {
  const wide::Available made = wide::available_functions();
  return {made.of, made.of + made.count};
}
INSTANTIATE_TEST_SUITE_P(InstructionSets, Wide, ::testing::ValuesIn(available()));

}  // namespace
}  // namespace unshade::draw
