// Operations that sample, as shaders run them: operands, quads, status, unbound resources.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <unshade/vm/machine.hpp>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;
using dxcontainer::ResourceDimension;

/// A compute shader of 8 by 1 threads that samples a texture of 4 by 4 texels with two levels: of the first, texel (x, y) is x + 10 y; the
/// second is 100 to 103.
class SampleOperations : public ::testing::Test {
 protected:
  SampleOperations() : machine({8, 1, 1}) {
    ir::Resource one;
    one.name = "texture";
    one.kind = dxcontainer::ResourceKind::texture;
    one.dimension = ResourceDimension::texture2d;
    machine.module.resources.push_back(one);
    one.name = "sampler";
    one.kind = dxcontainer::ResourceKind::sampler;
    one.dimension = ResourceDimension::unknown;
    machine.module.resources.push_back(one);
    for (unsigned y = 0; y < 4; ++y) {
      for (unsigned x = 0; x < 4; ++x) texels.push_back(static_cast<float>(x + 10 * y));
    }
    for (unsigned k = 0; k < 4; ++k) texels.push_back(static_cast<float>(100 + k));
    texture.format = *texel::find_format("R32_FLOAT");
    texture.width = texture.height = 4;
    texture.levels = 2;
    texture.bytes = std::as_writable_bytes(std::span(texels));
  }

  ir::TextureExtra extra{ResourceDimension::texture2d};

  /// Builds the operation with operands after the handles, and keeps a member of its result for each thread.
  void build(Op op, const std::function<std::vector<std::uint32_t>(Builder&, Id thread)>& operands, unsigned results, unsigned member,
             Type type = Type::f32) {
    Builder b(machine.module.functions[0]);
    b.at(b.block());
    const Id thread = builtin(b, ir::Builtin::thread_id);
    const Id zero = b.i32(0);
    std::vector<std::uint32_t> all{b.inst(Op::handle, Type::void_, {zero}, {.extra = 1})};
    all.push_back(b.inst(Op::handle, Type::void_, {zero}, {.extra = 2}));
    for (const std::uint32_t one : operands(b, thread)) all.push_back(one);
    const Id made = b.inst(op, op == Op::query_lod ? Type::void_ : Type::f32, all, {.extra = extra.bits(), .results = results});
    const Id value = results == 1 ? made : b.get(made, type, member);
    store(b, thread, type == Type::f32 ? b.inst(Op::bitcast, Type::i32, {value}) : value);
    b.return_values();
  }

  std::array<std::uint32_t, 8> run(const Options& options = {}, bool bound = true) {
    const Program program = machine.ready(options);
    Resources resources = empty_resources(machine.module);
    std::array<std::uint32_t, 8> memory{};
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
    if (bound) {
      resources.rows[1] = {texture};
      resources.rows[2].resize(1);
      resources.rows[2][0].sampler = sampler;
    }
    const auto done = dispatch(program, resources, {1, 1, 1});
    EXPECT_TRUE(done && done->stop == Stop::finished);
    return memory;
  }

  static std::array<float, 8> real(const std::array<std::uint32_t, 8>& bits) { return std::bit_cast<std::array<float, 8>>(bits); }
  static Id times(Builder& b, Id thread, float by, float plus = 0) {
    const Id number = b.inst(Op::u_to_f, Type::f32, {thread});
    const Id product = b.inst(Op::fmul, Type::f32, {number, b.f32(by)});
    return b.inst(Op::fadd, Type::f32, {product, b.f32(plus)});
  }

  Machine machine;
  std::vector<float> texels;
  texel::Descriptor texture;
  texel::Sampler sampler;
};

TEST_F(SampleOperations, TakeTheLevelFromTheQuadOnEveryInstructionSet) {
  // u = thread / 4: a lane to the next is a texel in x, and to the row below two: level 1
  build(Op::sample_implicit, [](Builder& b, Id thread) { return std::vector<std::uint32_t>{times(b, thread, 0.25F), b.f32(0.25F)}; }, 4, 0);
  sampler.address = {texel::AddressMode::wrap, texel::AddressMode::wrap, texel::AddressMode::wrap};
  sampler.mag = sampler.min = texel::Filter::point;
  for (const Isa isa : available_isas()) {
    for (const unsigned wave : {4U, 8U, 32U, 128U})
      EXPECT_EQ(real(run({.wave = wave, .isa = isa})), (std::array<float, 8>{100, 100, 101, 101, 100, 100, 101, 101}))
          << id(isa) << ' ' << wave;
  }
  sampler.lod_bias = -1;
  EXPECT_EQ(real(run()), (std::array<float, 8>{10, 11, 12, 13, 10, 11, 12, 13}));
}

TEST_F(SampleOperations, ReadTheirOperandsInOrder) {
  // level, offset, reference, smallest level
  extra.has_lod = extra.has_offset = extra.has_reference = extra.has_min_lod = true;
  build(
      Op::sample,
      [](Builder& b, Id thread) {
        const Id u = times(b, thread, 0.25F, 0.125F);
        const Id v = b.f32(0.125F);
        const Id level = b.f32(0), reference = b.f32(12), least = b.f32(-5);
        return std::vector<std::uint32_t>{u, v, level, b.i32(static_cast<std::uint32_t>(-1)), b.i32(1), reference, least};
      },
      1, 0);
  sampler.comparison = texel::Comparison::equal;
  // texel (thread - 1, 1)
  EXPECT_EQ(real(run()), (std::array<float, 8>{0, 0, 0, 1, 0, 0, 0, 0}));
}

TEST_F(SampleOperations, TakeGradientsByAxis) {
  extra.has_gradient = true;
  build(
      Op::sample,
      [](Builder& b, Id thread) {
        const Id zero = b.f32(0);
        return std::vector<std::uint32_t>{b.f32(0.25F), b.f32(0.25F), zero, zero, zero, times(b, thread, 1 / 16.0F)};
      },
      4, 0);
  sampler.min = sampler.mag = texel::Filter::point;
  const auto made = real(run());
  EXPECT_EQ(made[0], 11);
  EXPECT_EQ(made[4], 11);  // a texel
  EXPECT_EQ(made[5], 11 + 89 * std::round(std::log2(1.25F) * 256) / 256);
  EXPECT_EQ(made[7], 11 + 89 * std::round(std::log2(1.75F) * 256) / 256);
}

TEST_F(SampleOperations, GiveAStatusAndZeroWithoutATexture) {
  extra.has_status = true;
  extra.has_lod = true;
  build(Op::sample, [](Builder& b, Id) { return std::vector<std::uint32_t>{b.f32(0.5F), b.f32(0.5F), b.f32(0)}; }, 5, 4, Type::i32);
  EXPECT_NE(run()[0], 0U);
  EXPECT_EQ(run({}, false)[0], 0U);
}

TEST_F(SampleOperations, GatherTheFourAround) {
  build(Op::gather, [](Builder& b, Id thread) { return std::vector<std::uint32_t>{times(b, thread, 0.25F), b.f32(0.25F)}; }, 4, 2);
  // the upper right texel
  EXPECT_EQ(real(run()), (std::array<float, 8>{0, 1, 2, 3, 3, 3, 3, 3}));
}

TEST_F(SampleOperations, TellTheLevelTheyWouldTake) {
  build(Op::query_lod, [](Builder& b, Id thread) { return std::vector<std::uint32_t>{times(b, thread, 0.25F), b.f32(0)}; }, 2, 1);
  EXPECT_EQ(real(run())[0], 1);
  texture.width = 16;
  EXPECT_EQ(real(run())[0], 3);
}

TEST_F(SampleOperations, TellTheLevelThatAPointFilterTakes) {
  // a lane to the next is 0.7 texels, and to the row below 1.4: level 0.49, of two
  build(Op::query_lod, [](Builder& b, Id thread) { return std::vector<std::uint32_t>{times(b, thread, 0.175F), b.f32(0)}; }, 2, 0);
  const float between = real(run())[0];
  EXPECT_GT(between, 0);
  EXPECT_LT(between, 1);
  sampler.mip = texel::Filter::point;
  EXPECT_EQ(real(run())[0], between < 0.5F ? 0 : 1);
  sampler.lod_bias = 0.25F;
  EXPECT_EQ(real(run())[0], 1);
  sampler.lod_bias = 5;
  EXPECT_EQ(real(run())[0], 1);
}

TEST_F(SampleOperations, GiveNoSizeAndNoElementsOfLevelsThatAreNotThere) {
  extra = ir::TextureExtra(ResourceDimension::texture2d_array);
  extra.has_lod = true;
  texture.layers = 3;
  for (const auto& [member, sizes] :
       {std::pair{0U, std::array<std::uint32_t, 3>{4, 2, 0}}, std::pair{2U, std::array<std::uint32_t, 3>{3, 3, 0}}}) {
    machine.module.functions[0] = {};
    Builder b(machine.module.functions[0]);
    b.at(b.block());
    const Id level = builtin(b, ir::Builtin::thread_id);
    const Id zero = b.i32(0);
    const Id handle = b.inst(Op::handle, Type::void_, {zero}, {.extra = 1});
    const Id size = b.inst(Op::query_size, Type::void_, {handle, level}, {.extra = extra.bits(), .results = 3});
    const Id value = b.get(size, Type::i32, member);
    store(b, level, value);
    b.return_values();
    const auto found = run();
    EXPECT_TRUE(std::equal(sizes.begin(), sizes.end(), found.begin())) << member;
  }
}

}  // namespace
}  // namespace unshade::vm
