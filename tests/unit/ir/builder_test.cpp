#include <unshade/ir/builder.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ir/operands.hpp"

namespace unshade::ir {
namespace {

std::vector<Op> ops_of(const Function& function, BlockId block) {
  std::vector<Op> ops;
  for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) ops.push_back(function.insts[id].op);
  return ops;
}

TEST(IrBuilder, MakesAConstantOnce) {
  Function function;
  Builder builder(function);
  EXPECT_EQ(builder.f32(1.5F), builder.f32(1.5F));
  EXPECT_NE(builder.f32(0.0F), builder.f32(-0.0F));
  EXPECT_NE(builder.i32(1), builder.b1(true));
  EXPECT_EQ(builder.constant(Type::i16, 0x1'2345), builder.constant(Type::i16, 0x2345));
  EXPECT_EQ(constant_bits(function, builder.f64(2.0)), 0x4000'0000'0000'0000U);
}

TEST(IrBuilder, MakesVariablesOfALoopPhis) {
  Function function;
  Builder builder(function);
  SsaVariables variables(builder);
  const auto i = variables.declare(Type::i32);
  const auto unchanged = variables.declare(Type::i32);
  const BlockId entry = builder.block();
  const BlockId header = builder.block();
  const BlockId body = builder.block();
  const BlockId exit = builder.block();
  variables.seal(entry);
  builder.at(entry);
  variables.write(i, builder.i32(0));
  variables.write(unchanged, builder.i32(7));
  builder.jump(header);
  builder.at(header);
  const Id less = builder.inst(Op::ult, Type::i32, {variables.read(i), variables.read(unchanged)});
  EXPECT_EQ(builder.type_of(less), Type::b1);
  builder.branch(less, body, exit);
  variables.seal(body);
  variables.seal(exit);
  builder.at(body);
  variables.write(i, builder.inst(Op::iadd, Type::i32, {variables.read(i), builder.i32(1)}));
  builder.jump(header);
  variables.seal(header);
  builder.at(exit);
  const std::array<Id, 2> results{variables.read(i), variables.read(unchanged)};
  builder.return_values(results);
  variables.finish();

  EXPECT_EQ(ops_of(function, header), (std::vector{Op::phi, Op::ult, Op::branch}));
  const Id phi = function.blocks[header].first;
  EXPECT_EQ(function.operands_of(phi)[0], builder.i32(0));
  EXPECT_EQ(function.operands_of(phi)[1], function.blocks[body].first);
  EXPECT_EQ(function.operands_of(function.blocks[exit].last)[0], phi);
  EXPECT_EQ(function.operands_of(function.blocks[exit].last)[1], builder.i32(7));
}

TEST(IrBuilder, ReadsUndefInACycleWithoutAWayIn) {
  Function function;
  Builder builder(function);
  SsaVariables variables(builder);
  const auto x = variables.declare(Type::f32);
  builder.at(builder.block());
  builder.return_values();
  const BlockId first = builder.block();
  const BlockId second = builder.block();
  builder.at(first);
  builder.jump(second);
  builder.at(second);
  builder.jump(first);
  variables.seal(first);
  variables.seal(second);
  EXPECT_EQ(variables.read(x), builder.undef(Type::f32));
}

TEST(IrBuilder, LimitsPhis) {
  for (const std::size_t most : {std::size_t{3}, std::size_t{2}}) {
    Function function;
    Builder builder(function);
    SsaVariables variables(builder, most);
    const auto x = variables.declare(Type::i32);
    const Id condition = builder.constant(Type::b1, 1);
    builder.at(builder.block());
    variables.write(x, builder.i32(1));
    for (unsigned i = 0; i < 3; ++i) {
      const BlockId arm = builder.block();
      const BlockId merge = builder.block();
      builder.branch(condition, arm, merge);
      builder.at(arm);
      builder.jump(merge);
      builder.at(merge);
    }
    for (BlockId block = 0; block < function.blocks.size(); ++block) variables.seal(block);
    builder.inst(Op::iadd, Type::i32, {variables.read(x), variables.read(x)});
    builder.return_values();
    variables.finish();
    const auto done = variables.check();
    EXPECT_EQ(done.has_value(), most == 3);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::limit);
    }
  }
}

TEST(IrBuilder, DropsWhatCannotBeReached) {
  Function function;
  Builder builder(function);
  SsaVariables variables(builder);
  const auto x = variables.declare(Type::f32);
  const BlockId entry = builder.block();
  const BlockId dead = builder.block();
  const BlockId end = builder.block();
  builder.at(entry);
  variables.write(x, builder.f32(1));
  builder.jump(end);
  builder.at(dead);
  variables.write(x, builder.f32(2));
  builder.jump(end);
  builder.at(end);
  const Id sum = builder.inst(Op::fadd, Type::f32, {variables.read(x), variables.read(x)});
  builder.return_values();
  variables.finish();
  compact(function);
  EXPECT_EQ(function.order.size(), 2U);
  EXPECT_EQ(function.predecessors_of(1).size(), 1U);
  EXPECT_EQ(ops_of(function, 1).size(), ops_of(function, 1).front() == Op::phi ? 3U : 2U);
  EXPECT_NE(sum, kNone);
}

TEST(IrBuilder, CompactsAgainOnlyWhatChanged) {
  Function function;
  Builder builder(function);
  builder.at(builder.block());
  builder.i32(3);  // nothing uses it
  const Id sum = builder.inst(Op::fadd, Type::f32, {builder.f32(1), builder.f32(2)});
  builder.return_values({&sum, 1});
  compact(function);
  EXPECT_EQ(function.insts.size(), 4U);
  EXPECT_EQ(function.operands, (std::vector<std::uint32_t>{0, 1, 2}));
  compact(function);
  EXPECT_EQ(function.operands, (std::vector<std::uint32_t>{0, 1, 2}));
  // operands that others replace leave a gap, and here a constant
  set_operands(function, 2, std::array<Id, 2>{1, 1});
  compact(function);
  EXPECT_EQ(function.insts.size(), 3U);
  EXPECT_EQ(constant_bits(function, 0), std::bit_cast<std::uint32_t>(2.0F));
  EXPECT_EQ(function.operands, (std::vector<std::uint32_t>{0, 0, 1}));
  set_operands(function, 1, std::array<Id, 2>{0, 0});
  compact(function);
  EXPECT_EQ(function.operands.size(), 3U);
}

// The letters of the operands that an instruction has, which must be those expected.
std::string letters_of(const Function& function, Id id, const std::vector<Id>& expected) {
  const auto operands = function.operands_of(id);
  EXPECT_EQ(std::vector<Id>(operands.begin(), operands.end()), expected);
  std::string letters;
  EXPECT_TRUE(operand_letters(function.insts[id], letters));
  return letters;
}

TEST(IrBuilder, PutsOperandsOfATextureInTheirOrder) {
  using dxcontainer::ResourceDimension;
  Function function;
  Builder builder(function);
  builder.at(builder.block());
  const Id handle = builder.undef(Type::handle);
  const auto real = [&](unsigned value) { return builder.f32(static_cast<float>(value)); };
  TextureOperands<Id> all;
  all.min_lod = real(9);
  all.reference = real(8);
  all.offsets[0] = builder.i32(6);
  all.offsets[1] = builder.i32(7);
  all.ddx = {real(2), real(3), kNone};
  all.ddy = {real(4), real(5), kNone};
  all.coordinates = {real(0), real(1), real(10), kNone};
  TextureExtra extra(ResourceDimension::texture2d_array);
  extra.has_status = true;
  extra.has_bias = true;  // there is none
  const std::array handles{handle, handle};
  Id made = builder.texture(Op::sample, Type::f32, handles, extra, all, {.flags = Flags::relaxed, .results = 4});
  EXPECT_EQ(letters_of(function, made,
                       {handle, handle, real(0), real(1), real(10), real(2), real(3), real(4), real(5), builder.i32(6), builder.i32(7),
                        real(8), real(9)}),
            "hhfffffffiiff");
  EXPECT_EQ(function.insts[made].results, 5U);
  EXPECT_EQ(function.insts[made].flags, Flags::relaxed);
  const TextureExtra found(function.insts[made].extra);
  EXPECT_TRUE(found.has_status && found.has_gradient && found.has_offset && found.has_reference && found.has_min_lod);
  EXPECT_FALSE(found.has_bias || found.has_lod || found.four_offsets || found.has_sample);
}

TEST(IrBuilder, PutsValuesAfterATexelsPlace) {
  using dxcontainer::ResourceDimension;
  Function function;
  Builder builder(function);
  builder.at(builder.block());
  const Id handle = builder.undef(Type::handle);
  TextureOperands<Id> o;
  o.coordinates = {builder.i32(0), builder.i32(1), kNone, kNone};
  o.sample = builder.i32(2);
  o.values = {builder.i32(3), builder.i32(4), kNone, kNone};
  const std::vector<Id> place{handle, builder.i32(0), builder.i32(1), builder.i32(2)};
  const TextureExtra plain(ResourceDimension::texture2d_ms);
  std::vector<Id> expected = place;
  expected.insert(expected.end(), {builder.i32(3), builder.i32(4)});
  EXPECT_EQ(letters_of(function, builder.texture(Op::texel_store, Type::i32, {&handle, 1}, plain, o), expected), "hiiitt");
  TextureExtra compares = plain;
  compares.op = AtomicOp::compare_exchange;
  EXPECT_EQ(letters_of(function, builder.texture(Op::texel_atomic, Type::i32, {&handle, 1}, compares, o), expected), "hiiitt");
  expected.pop_back();
  EXPECT_EQ(letters_of(function, builder.texture(Op::texel_atomic, Type::i32, {&handle, 1}, plain, o), expected), "hiiit");
}

TEST(IrBuilder, PutsFourOffsetsOfAGatherInTurn) {
  using dxcontainer::ResourceDimension;
  Function function;
  Builder builder(function);
  builder.at(builder.block());
  const Id handle = builder.undef(Type::handle);
  const std::array handles{handle, handle};
  TextureOperands<Id> o;
  o.coordinates = {builder.f32(1), builder.f32(2), kNone, kNone};
  std::vector<Id> expected{handle, handle, builder.f32(1), builder.f32(2)};
  for (std::uint32_t k = 0; k < 8; ++k) expected.push_back(o.offsets[k] = builder.i32(k));
  const Id made = builder.texture(Op::gather, Type::f32, handles, TextureExtra(ResourceDimension::texture2d), o, {.results = 4});
  EXPECT_EQ(letters_of(function, made, expected), "hhffiiiiiiii");
  EXPECT_TRUE(TextureExtra(function.insts[made].extra).four_offsets);
}

}  // namespace
}  // namespace unshade::ir
