// Which NaN results are of operations that have no kernel. Column `nan` of ops.def: computed numbers give the canonical one, moved ones
// stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "unit/vm/machine_support.hpp"
#include "vm/access.hpp"
#include "vm/sampling/filter.hpp"

namespace unshade::vm {
namespace {

using namespace test;

constexpr std::uint32_t kCanonical = 0x7fc0'0000, kCanonicalHalf = 0x7e00;
constexpr std::array<std::uint32_t, 4> kNans{0xffc1'2345, 0x7f80'0001, 0xffc0'0001, 0x7fff'ffff};

Id half_of(Builder& b, Id word) { return b.inst(Op::bitcast, Type::f16, {b.inst(Op::trunc, Type::i16, {word})}); }
Id word_of_half(Builder& b, Id half) { return b.inst(Op::zext, Type::i32, {b.inst(Op::bitcast, Type::i16, {half})}); }

/// Of four lanes with words of memory, the words that `make` gives.
template <class Make>
std::vector<std::uint32_t> of_lanes(const std::vector<std::uint32_t>& words, Make make) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  store(b, thread, make(b, load(b, thread)));
  b.return_values();
  return machine.run(words, {1, 1, 1}, {.wave = 4});
}
const std::vector<std::uint32_t> kWords(kNans.begin(), kNans.end());
const std::vector<std::uint32_t> kHalves{0xfe01, 0x7c01, 0xfc01, 0x7fff};

TEST(NanResults, OfDifferencesAreCanonical) {
  for (const Op op : {Op::ddx, Op::ddy, Op::ddx_fine, Op::ddy_fine}) {
    const auto singles =
        of_lanes(kWords, [&](Builder& b, Id word) { return b.as(Type::i32, b.inst(op, Type::f32, {b.as(Type::f32, word)})); });
    EXPECT_EQ(singles, std::vector<std::uint32_t>(4, kCanonical)) << ir::info(op).text;
    const auto halves = of_lanes(kHalves, [&](Builder& b, Id word) { return word_of_half(b, b.inst(op, Type::f16, {half_of(b, word)})); });
    EXPECT_EQ(halves, std::vector<std::uint32_t>(4, kCanonicalHalf)) << ir::info(op).text;
  }
}

// A sum of one lane is its value.
TEST(NanResults, OfReductionsAreCanonicalIfTheyAddUp) {
  for (const ir::Reduction how : {ir::Reduction::fadd, ir::Reduction::fmul}) {
    for (const Op op : {Op::wave_reduce, Op::wave_scan}) {
      const std::uint32_t extra = ir::ReductionExtra(how, true).bits();
      auto singles = of_lanes(
          kWords, [&](Builder& b, Id word) { return b.as(Type::i32, b.inst(op, Type::f32, {b.as(Type::f32, word)}, {.extra = extra})); });
      auto halves = of_lanes(
          kHalves, [&](Builder& b, Id word) { return word_of_half(b, b.inst(op, Type::f16, {half_of(b, word)}, {.extra = extra})); });
      if (op == Op::wave_scan) {
        EXPECT_EQ(std::exchange(singles[0], kCanonical), kWords[0]);
        EXPECT_EQ(std::exchange(halves[0], kCanonicalHalf), kHalves[0]);
      }
      EXPECT_EQ(singles, std::vector<std::uint32_t>(4, kCanonical));
      EXPECT_EQ(halves, std::vector<std::uint32_t>(4, kCanonicalHalf));
    }
  }
  for (const ir::Reduction how : {ir::Reduction::fmin, ir::Reduction::fmax}) {
    const std::uint32_t extra = ir::ReductionExtra(how, true).bits();
    const auto made = of_lanes(kWords, [&](Builder& b, Id word) {
      return b.as(Type::i32, b.inst(Op::wave_reduce, Type::f32, {b.as(Type::f32, word)}, {.extra = extra}));
    });
    EXPECT_TRUE(std::ranges::find(kWords, made[0]) != kWords.end()) << std::hex << made[0];
  }
}

TEST(NanResults, OfMovesStay) {
  const auto swapped = of_lanes(
      kWords, [](Builder& b, Id word) { return b.as(Type::i32, b.inst(Op::quad_swap, Type::f32, {b.as(Type::f32, word)}, {.extra = 0})); });
  EXPECT_EQ(swapped, (std::vector{kWords[1], kWords[0], kWords[3], kWords[2]}));
  const auto first =
      of_lanes(kHalves, [](Builder& b, Id word) { return word_of_half(b, b.inst(Op::wave_read_first, Type::f16, {half_of(b, word)})); });
  EXPECT_EQ(first, std::vector<std::uint32_t>(4, kHalves[0]));
}

TEST(NanResults, OfAtomicSumsAreCanonical) {
  constexpr auto kWide = std::uint64_t{0xfff8'0000'0000'0001};
  for (const std::uint32_t nan : kNans) {
    EXPECT_EQ(atomic_result(ir::AtomicOp::fadd, Type::f32, nan, 0x3f80'0000, 0), kCanonical);
    EXPECT_EQ(atomic_result(ir::AtomicOp::fadd, Type::f32, 0x3f80'0000, nan, 0), kCanonical);
    EXPECT_EQ(atomic_result(ir::AtomicOp::fadd, Type::f16, (nan | 0x2000) & 0xffff'e000, 0x3f80'0000, 0), kCanonical);
    EXPECT_EQ(atomic_result(ir::AtomicOp::exchange, Type::f32, 0x3f80'0000, nan, 0), nan);
    EXPECT_EQ(atomic_result(ir::AtomicOp::fmax, Type::f32, nan, nan, 0), nan);
  }
  EXPECT_EQ(atomic_result(ir::AtomicOp::fadd, Type::f64, kWide, 0, 0), 0x7ff8'0000'0000'0000U);
  EXPECT_EQ(atomic_result(ir::AtomicOp::fmin, Type::f64, kWide, kWide, 0), kWide);
}

// All halves there are, of which 2,046 are NaN.
TEST(NanResults, OfHalvesThatAreCopiedStay) {
  constexpr std::uint32_t kHalvesThere = 0x1'0000;
  Machine machine({64, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id at = b.inst(Op::imul, Type::i32, {builtin(b, ir::Builtin::thread_id), b.i32(2)});
  const Id half = b.inst(Op::buffer_load, Type::f16, {out(b), at});
  b.inst(Op::buffer_store, Type::f16, {out(b), b.inst(Op::iadd, Type::i32, {at, b.i32(2 * kHalvesThere)}), half});
  b.return_values();
  std::vector<std::uint32_t> memory(kHalvesThere);
  for (std::uint32_t k = 0; k < kHalvesThere / 2; ++k) memory[k] = 2 * k | (2 * k + 1) << 16;
  memory = machine.run(memory, {kHalvesThere / 64, 1, 1});
  for (std::uint32_t k = 0; k < kHalvesThere / 2; ++k) ASSERT_EQ(memory[kHalvesThere / 2 + k], memory[k]) << k;
}

TEST(NanResults, OfTexelsAreCanonicalIfThereAreSeveral) {
  texel::Descriptor texture;
  texture.format = *texel::find_format("R32_FLOAT");
  texture.width = texture.height = 2;
  texture.depth = texture.layers = texture.levels = 1;
  auto words = kNans;
  texture.bytes = std::as_writable_bytes(std::span(words));
  texel::Sampler sampler;
  sampler.address.fill(texel::AddressMode::clamp);
  sampling::Request request{texture, sampler, ir::TextureExtra(dxcontainer::ResourceDimension::texture2d)};
  for (const auto blending : {texel::Blending::average, texel::Blending::minimum, texel::Blending::maximum}) {
    sampler.blending = blending;
    sampler.mag = sampler.min = texel::Filter::linear;
    request.place = {0.5, 0.5, 0};
    EXPECT_EQ(sampling::sample(request, 0, {}).texel[0], kCanonical);
    // between texels, of which one alone has a weight
    request.place = {0.25, 0.25, 0};
    EXPECT_EQ(sampling::sample(request, 0, {}).texel[0], kNans[0]);
    sampler.mag = sampler.min = texel::Filter::point;
    request.place = {0.75, 0.25, 0};
    EXPECT_EQ(sampling::sample(request, 0, {}).texel[0], kNans[1]);
  }
  request.place = {0.5, 0.5, 0};
  const std::array<std::array<std::int32_t, 3>, 1> none{};
  EXPECT_EQ(sampling::gather(request, none).texel, (sampling::Texel{kNans[2], kNans[3], kNans[1], kNans[0]}));
}

}  // namespace
}  // namespace unshade::vm
