// Sampler feedback: which texels of a map are written for the texels that a sampler reads.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <unshade/vm/machine.hpp>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;
using dxcontainer::ResourceDimension;
using dxcontainer::SamplerFeedback;

/// A compute shader of 4 threads, a quad, that writes feedback of a texture of 32 by 32 texels with 6 levels, in regions of 8 by 8.
class Feedback : public ::testing::Test {
 protected:
  Feedback() : machine({4, 1, 1}) {
    const auto add = [&](const char* name, dxcontainer::ResourceKind kind) {
      ir::Resource& one = machine.module.resources.emplace_back();
      one.name = name;
      one.kind = kind;
    };
    add("map", dxcontainer::ResourceKind::uav_feedback);
    add("texture", dxcontainer::ResourceKind::texture);
    add("sampler", dxcontainer::ResourceKind::sampler);
    texture.format = *texel::find_format("R8_UNORM");
    be(32, 32, 6);
    sampler.min = sampler.mag = sampler.mip = texel::Filter::point;
  }

  void be(std::uint32_t width, std::uint32_t height, std::uint32_t levels) {
    texture.width = width;
    texture.height = height;
    texture.levels = levels;
  }

  /// The operation with operands that are loaded from the buffer, `count` floats for each thread.
  void build(unsigned count) {
    machine.module.functions[0] = {};
    Builder b(machine.module.functions[0]);
    b.at(b.block());
    const Id thread = builtin(b, ir::Builtin::thread_id);
    const Id zero = b.i32(0);
    std::vector<std::uint32_t> all;
    for (std::uint32_t row = 1; row <= 3; ++row) all.push_back(b.inst(Op::handle, Type::void_, {zero}, {.extra = row}));
    const Id first = b.inst(Op::imul, Type::i32, {thread, b.i32(count)});
    for (unsigned k = 0; k < count; ++k) {
      const Id word = load(b, b.inst(Op::iadd, Type::i32, {first, b.i32(k)}));
      all.push_back(b.inst(Op::bitcast, Type::f32, {word}));
    }
    b.inst(Op::sampler_feedback, Type::void_, all, {.extra = extra.bits()});
    b.return_values();
  }

  /// The map after a run in which each thread has a row of operands, the last one for all that follow: a line of text for each row of each
  /// level of each layer, a hexadecimal digit for each texel, `.` for one that nothing was written to.
  std::vector<std::string> run(const std::vector<std::vector<float>>& rows, SamplerFeedback kind = SamplerFeedback::min_mip) {
    build(static_cast<unsigned>(rows[0].size()));
    std::vector<float> memory;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto& row = rows[std::min(k, rows.size() - 1)];
      memory.insert(memory.end(), row.begin(), row.end());
    }
    std::vector<std::byte> texels(texel::texture_bytes(texture));
    texture.bytes = texels;
    texel::Descriptor map = texture;
    texel::make_feedback_map(map, kind, region);
    std::vector<std::byte> made(texel::texture_bytes(map), texel::cleared_feedback(kind));
    map.bytes = made;
    Resources resources = empty_resources(machine.module);
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
    resources.rows[1] = {map};
    resources.rows[2] = {texture};
    resources.rows[3].resize(1);
    resources.rows[3][0].sampler = sampler;
    const auto done = dispatch(machine.ready(), resources, {1, 1, 1});
    EXPECT_TRUE(done && done->stop == Stop::finished);
    std::vector<std::string> lines;
    texel::TexelPlace at;
    for (at.layer = 0; at.layer < map.layers; ++at.layer) {
      for (at.level = 0; at.level < map.levels; ++at.level) {
        for (at.y = 0; at.y < std::max(1U, map.height >> at.level); ++at.y) {
          std::string& line = lines.emplace_back();
          for (at.x = 0; at.x < std::max(1U, map.width >> at.level); ++at.x) {
            const std::byte texel = *texel::texel_at(map, at);
            line += texel == texel::cleared_feedback(kind) ? '.' : "0123456789abcdef"[std::to_integer<unsigned>(texel) & 15];
          }
        }
      }
    }
    return lines;
  }

  using Lines = std::vector<std::string>;
  ir::TextureExtra extra{ResourceDimension::texture2d};
  Machine machine;
  texel::Descriptor texture;
  texel::Sampler sampler;
  std::array<std::uint32_t, 2> region{8, 8};
};

class FeedbackOfLevels : public Feedback {
 protected:
  FeedbackOfLevels() { extra.has_lod = true; }
};

TEST_F(FeedbackOfLevels, KeepsTheMostDetailedLevelOfARegion) {
  // texel (9, 19) of level 0
  EXPECT_EQ(run({{0.3F, 0.6F, 0}}), (Lines{"....", "....", ".0..", "...."}));
  EXPECT_EQ(run({{0.3F, 0.6F, 3}, {0.3F, 0.6F, 1}, {0.3F, 0.6F, 2}, {0.9F, 0.1F, 2}}), (Lines{"...2", "....", ".1..", "...."}));
}

TEST_F(FeedbackOfLevels, IsOfAllTexelsThatAFilterReads) {
  sampler.min = sampler.mag = texel::Filter::linear;
  // between texels 7 and 8 of x, in the middle of texel 4 of y
  EXPECT_EQ(run({{8 / 32.0F, 4.5F / 32, 0}}), (Lines{"00..", "....", "....", "...."}));
  // in the middle of texel (7, 4): its neighbours have no weight
  EXPECT_EQ(run({{7.5F / 32, 4.5F / 32, 0}}), (Lines{"0...", "....", "....", "...."}));
  EXPECT_EQ(run({{0.5F, 0.5F, 0}}), (Lines{"....", ".00.", ".00.", "...."}));
}

TEST_F(FeedbackOfLevels, OfALargeTexelIsInAllRegionsThatItCovers) {
  // level 4 has 2 by 2 texels, level 5 one, on 4 by 4 regions
  EXPECT_EQ(run({{0.1F, 0.9F, 4}}), (Lines{"....", "....", "44..", "44.."}));
  EXPECT_EQ(run({{0.1F, 0.9F, 5}}), (Lines{"5555", "5555", "5555", "5555"}));
  EXPECT_EQ(run({{0.1F, 0.9F, 5}, {0.6F, 0.1F, 3}}), (Lines{"5535", "5555", "5555", "5555"}));
}

TEST_F(FeedbackOfLevels, OfRegionsIsInTheLevelsThatAreRead) {
  // level 1 has 2 by 2 regions, the others beyond it one
  EXPECT_EQ(run({{0.9F, 0.1F, 1}}, SamplerFeedback::mip_region_used),
            (Lines{"....", "....", "....", "....", ".f", "..", ".", ".", ".", "."}));
  sampler.mip = texel::Filter::linear;
  EXPECT_EQ(run({{0.9F, 0.1F, 0.5F}}, SamplerFeedback::mip_region_used),
            (Lines{"...f", "....", "....", "....", ".f", "..", ".", ".", ".", "."}));
  EXPECT_EQ(run({{0.9F, 0.1F, 4.25F}}, SamplerFeedback::mip_region_used),
            (Lines{"....", "....", "....", "....", "..", "..", ".", ".", "f", "f"}));
  EXPECT_EQ(run({{0.9F, 0.1F, 0.5F}}), (Lines{"...0", "....", "....", "...."}));
}

TEST_F(FeedbackOfLevels, FollowsTheAddressModes) {
  EXPECT_EQ(run({{1.1F, -0.1F, 0}}), (Lines{"...0", "....", "....", "...."}));
  sampler.address = {texel::AddressMode::wrap, texel::AddressMode::mirror, texel::AddressMode::wrap};
  EXPECT_EQ(run({{1.1F, -0.4F, 0}}), (Lines{"....", "0...", "....", "...."}));
  sampler.address = {texel::AddressMode::border, texel::AddressMode::wrap, texel::AddressMode::wrap};
  EXPECT_EQ(run({{1.1F, 0.5F, 0}}), (Lines{"....", "....", "....", "...."}));
  // half of the filter is at the border
  sampler.min = sampler.mag = texel::Filter::linear;
  EXPECT_EQ(run({{1, 4.5F / 32, 0}}), (Lines{"...0", "....", "....", "...."}));
}

TEST_F(FeedbackOfLevels, OfSizesThatAreNoMultipleOfRegions) {
  // src: sampler feedback specification, "Example of non-power-of-two feedback maps behavior": 15 by 15 texels in regions of 4 by 4
  be(15, 15, 4);
  region = {4, 4};
  for (const unsigned x : {0U, 3U, 4U, 7U, 8U, 11U, 12U, 14U}) {
    std::string line(4, '.');
    line[x / 4] = '0';
    EXPECT_EQ(run({{(static_cast<float>(x) + 0.5F) / 15, 0, 0}})[0], line) << x;
  }
  // texels 3 and 4 of the seven of level 1 have their middles at 7.5 and 9.64 of 15
  EXPECT_EQ(run({{3.5F / 7, 0, 1}})[0], ".1..");
  EXPECT_EQ(run({{4.5F / 7, 0, 1}})[0], "..1.");
  // of other widths than heights
  be(16, 32, 1);
  region = {8, 4};
  EXPECT_EQ(run({{0.9F, 0.2F, 0}}), (Lines{"..", ".0", "..", "..", "..", "..", "..", ".."}));
}

TEST_F(FeedbackOfLevels, OfElementsOfArraysIsInTheirElement) {
  extra.dimension = ResourceDimension::texture2d_array;
  texture.layers = 2;
  be(16, 16, 2);
  EXPECT_EQ(run({{0.9F, 0.1F, 1, 0}, {0.1F, 0.1F, 0, 1}}), (Lines{"1.", "..", ".0", ".."}));
  EXPECT_EQ(run({{0.9F, 0.1F, 7, 1}}, SamplerFeedback::mip_region_used), (Lines{"..", "..", ".", "..", "..", "f"}));
}

TEST_F(FeedbackOfLevels, OfNothingBoundIsNotWritten) {
  build(3);
  std::array<float, 12> memory{};
  Resources resources = empty_resources(machine.module);
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
  const auto done = dispatch(machine.ready(), resources, {1, 1, 1});
  EXPECT_TRUE(done && done->stop == Stop::finished);
}

TEST_F(Feedback, TakesTheLevelFromTheQuad) {
  // a texel of level 2 to the next lane, and half of that to the row below; the first lane begins at texel (1, 1) of level 0
  const auto at = [](float x, float y) { return std::vector<float>{x / 32, y / 32}; };
  const std::vector<std::vector<float>> quad{at(1, 1), at(5, 1), at(1, 3), at(9, 9)};
  EXPECT_EQ(run(quad), (Lines{"2...", ".2..", "....", "...."}));
  sampler.lod_bias = -1;
  EXPECT_EQ(run(quad), (Lines{"1...", ".1..", "....", "...."}));
  sampler.lod_bias = 0;
  sampler.max_lod = 0;
  EXPECT_EQ(run(quad), (Lines{"0...", ".0..", "....", "...."}));
}

TEST_F(Feedback, ReadsBiasAndClampAfterTheCoordinates) {
  extra.has_bias = extra.has_min_lod = true;
  const auto at = [](float x, float y, float bias, float least) { return std::vector<float>{x / 32, y / 32, bias, least}; };
  const auto quad = [&](float bias, float least) {
    return std::vector<std::vector<float>>{at(1, 1, bias, least), at(5, 1, bias, least), at(1, 3, bias, least), at(5, 3, bias, least)};
  };
  EXPECT_EQ(run(quad(-2, 0)), (Lines{"0...", "....", "....", "...."}));
  EXPECT_EQ(run(quad(-2, 1)), (Lines{"1...", "....", "....", "...."}));
}

TEST_F(Feedback, IsAlongTheLineOfAnAnisotropicFilter) {
  extra.has_gradient = true;
  sampler.anisotropic = true;
  sampler.mip = texel::Filter::linear;
  // 16 texels in x, one in y: 16 samples of level 0, of texels 8 to 23
  const float wide = 16 / 32.0F, narrow = 1 / 32.0F;
  EXPECT_EQ(run({{0.5F, 4.5F / 32, wide, 0, 0, narrow}}), (Lines{".00.", "....", "....", "...."}));
  // at most 2 samples: level 3, whose 4 by 4 texels are the regions
  sampler.max_anisotropy = 2;
  EXPECT_EQ(run({{0.5F, 4 / 32.0F, wide, 0, 0, narrow}}), (Lines{".33.", "....", "....", "...."}));
}

}  // namespace
}  // namespace unshade::vm
