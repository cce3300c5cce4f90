#include <unshade/vm/machine.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/text.hpp>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;

TEST(Machine, RunsEachThreadOfAGrid) {
  Machine machine({8, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  store(b, thread, b.inst(Op::iadd, Type::i32, {b.inst(Op::imul, Type::i32, {thread, thread}), b.i32(1)}));
  b.return_values();
  const auto memory = machine.run(std::vector<std::uint32_t>(40), {5, 1, 1});
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(memory[i], i * i + 1);
}

/// Collatz: how many steps each number takes, so that lanes leave the loop one after the other.
void collatz(Machine& machine) {
  Builder b(machine.module.functions[0]);
  ir::SsaVariables v(b);
  const auto n = v.declare(Type::i32);
  const auto steps = v.declare(Type::i32);
  const BlockId entry = b.block(), header = b.block(), body = b.block(), odd = b.block(), even = b.block(), latch = b.block(),
                exit = b.block();
  b.at(entry);
  const Id thread = builtin(b, ir::Builtin::thread_id);
  v.write(n, load(b, thread));
  v.write(steps, b.i32(0));
  b.jump(header);
  b.at(header);
  b.branch(b.inst(Op::ule, Type::i32, {v.read(n), b.i32(1)}), exit, body);
  b.at(body);
  b.branch(b.inst(Op::ieq, Type::i32, {b.inst(Op::iand, Type::i32, {v.read(n), b.i32(1)}), b.i32(1)}), odd, even);
  b.at(odd);
  v.write(n, b.inst(Op::iadd, Type::i32, {b.inst(Op::imul, Type::i32, {v.read(n), b.i32(3)}), b.i32(1)}));
  b.jump(latch);
  b.at(even);
  v.write(n, b.inst(Op::ushr, Type::i32, {v.read(n), b.i32(1)}));
  b.jump(latch);
  b.at(latch);
  v.write(steps, b.inst(Op::iadd, Type::i32, {v.read(steps), b.i32(1)}));
  b.jump(header);
  b.at(exit);
  store(b, thread, v.read(steps));
  b.return_values();
  v.finish();
}

TEST(Machine, LetsLanesLeaveALoopOneAfterTheOther) {
  for (const Isa isa : available_isas()) {
    for (const unsigned wave : {4U, 16U, 32U, 128U}) {
      Machine machine({64, 1, 1});
      collatz(machine);
      std::vector<std::uint32_t> numbers(64);
      for (std::uint32_t i = 0; i < 64; ++i) numbers[i] = i * 37 + 1;
      const auto memory = machine.run(numbers, {1, 1, 1}, {.wave = wave, .isa = isa});
      for (std::uint32_t i = 0; i < 64; ++i) {
        std::uint32_t steps = 0;
        for (std::uint32_t n = i * 37 + 1; n > 1; n = (n & 1) != 0 ? 3 * n + 1 : n / 2) ++steps;
        EXPECT_EQ(memory[i], steps) << i << " of waves of " << wave << ", " << id(isa);
      }
    }
  }
}

TEST(Machine, WaitsAtBarriersForAllWavesOfAGroup) {
  // reversing 64 numbers through group memory, in waves of 16
  Machine machine({64, 1, 1}, 256);
  Builder b(machine.module.functions[0]);
  const BlockId entry = b.block(), after = b.block();
  b.at(entry);
  const Id thread = builtin(b, ir::Builtin::local_index);
  const Id offset = b.inst(Op::imul, Type::i32, {thread, b.i32(4)});
  b.inst(Op::store, Type::i32, {offset, load(b, thread)}, {.extra = 0});
  b.inst(Op::barrier, Type::void_, {}, {.extra = ir::kSyncGroup | ir::kGroupMemory});
  b.jump(after);
  b.at(after);
  store(b, thread, b.inst(Op::load, Type::i32, {b.inst(Op::isub, Type::i32, {b.i32(252), offset})}, {.extra = 0}));
  b.return_values();
  std::vector<std::uint32_t> numbers(64);
  for (std::uint32_t i = 0; i < 64; ++i) numbers[i] = i + 100;
  const auto memory = machine.run(numbers, {1, 1, 1}, {.wave = 16});
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(memory[i], 163 - i);
}

TEST(Machine, CombinesTheLanesThatRunABlock) {
  // the sum of odd lanes and that of even ones, each in its branch
  Machine machine({16, 1, 1});
  Builder b(machine.module.functions[0]);
  ir::SsaVariables v(b);
  const auto sum = v.declare(Type::i32);
  const BlockId entry = b.block(), odd = b.block(), even = b.block(), exit = b.block();
  b.at(entry);
  const Id lane = builtin(b, ir::Builtin::lane);
  b.branch(b.inst(Op::ine, Type::i32, {b.inst(Op::iand, Type::i32, {lane, b.i32(1)}), b.i32(0)}), odd, even);
  for (const BlockId block : {odd, even}) {
    b.at(block);
    v.write(sum, b.inst(Op::wave_reduce, Type::i32, {lane}, {.extra = ir::ReductionExtra(ir::Reduction::iadd, true).bits()}));
    b.jump(exit);
  }
  b.at(exit);
  store(b, lane, v.read(sum));
  b.return_values();
  v.finish();
  const auto memory = machine.run(std::vector<std::uint32_t>(16), {1, 1, 1}, {.wave = 16});
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(memory[i], (i & 1) != 0 ? 64U : 56U);
}

TEST(Machine, DropsWhatIsOutOfBounds) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  store(b, b.inst(Op::iadd, Type::i32, {thread, b.i32(2)}), b.inst(Op::iadd, Type::i32, {load(b, b.i32(1000)), b.i32(7)}));
  b.return_values();
  EXPECT_EQ(machine.run({1, 1, 1, 1}, {1, 1, 1}), (std::vector<std::uint32_t>{1, 1, 7, 7}));
}

// The product of the sides has more than 64 bits: what is left of it is 4.
TEST(Machine, RefusesGroupsThatAreTooLarge) {
  Machine machine({769'546, 494'770, 48'448'661});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  b.return_values();
  const auto verified = ir::verify(std::move(machine.module));
  ASSERT_TRUE(verified.ok());
  const auto program = prepare(*verified.valid(), {});
  ASSERT_TRUE(program) << to_string(program.error());
  Resources resources = empty_resources(**verified.valid());
  const auto refused = dispatch(*program, resources, {1, 1, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()), "error[limit]: group_size: expected 1 to 4096 threads, found 769546 x 494770 x 48448661");
}

TEST(Machine, SaysWhatIsNotMapped) {
  const std::string_view text = R"(stage compute
info group_size 1 1 1
resource @from byte_address register 0
resource @out uav_byte_address register 0

function @main {
^0:
  %from = handle @from 0
  %out = handle @out 0
  %here = buffer_load i32 x2 raw status %from 4
  %there = buffer_load i32 x2 raw status %from 8
  %first = get i32 0 %here
  %second = get i32 0 %there
  %a = get i32 1 %here
  %b = get i32 1 %there
  %mapped = access_mapped %a
  %not_mapped = access_mapped %b
  %x = zext i32 %mapped
  %y = zext i32 %not_mapped
  buffer_store i32 raw %out 0 %first %second %x %y
  return
}
)";
  auto module = ir::parse(text);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto verified = ir::verify(std::move(*module));
  ASSERT_TRUE(verified.ok()) << to_string(verified.diagnostics().front());
  const auto program = prepare(*verified.valid(), {});
  ASSERT_TRUE(program) << to_string(program.error());
  Resources resources = empty_resources(**verified.valid());
  std::vector<std::uint32_t> from{1, 2, 3, 4};
  std::vector<std::uint32_t> out(4, 9);
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(from));
  resources.rows[0][0].mapped = 8;
  resources.rows[1].resize(1);
  resources.rows[1][0].bytes = std::as_writable_bytes(std::span(out));
  ASSERT_TRUE(dispatch(*program, resources, {1, 1, 1}));
  EXPECT_EQ(out, (std::vector<std::uint32_t>{2, 0, 1, 0}));
}

// Of 4 by 2 texels the second row has no memory; out of bounds there is nothing that could be unmapped.
TEST(Machine, SaysWhichTexelsAreNotMapped) {
  const std::string_view text = R"(stage compute
info group_size 4 1 1
resource @from texture dimension texture2d returns uint register 0
resource @out uav_byte_address register 0

function @main {
^0:
  %from = handle @from 0
  %out = handle @out 0
  %y = builtin i32 local_id.x
  %loaded = texel_load i32 x2 texture2d status %from 1 %y
  %status = get i32 1 %loaded
  %mapped = access_mapped %status
  %value = zext i32 %mapped
  %place = ishl i32 %y 2
  buffer_store i32 raw %out %place %value
  return
}
)";
  auto module = ir::parse(text);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto verified = ir::verify(std::move(*module));
  ASSERT_TRUE(verified.ok()) << to_string(verified.diagnostics().front());
  const auto program = prepare(*verified.valid(), {});
  ASSERT_TRUE(program) << to_string(program.error());
  Resources resources = empty_resources(**verified.valid());
  std::vector<std::uint32_t> from(8, 5);
  std::vector<std::uint32_t> out(4, 9);
  resources.rows[0].resize(1);
  texel::Descriptor& texture = resources.rows[0][0];
  texture.bytes = std::as_writable_bytes(std::span(from));
  texture.format = *texel::find_format("R32_UINT");
  texture.width = 4;
  texture.height = 2;
  texture.mapped = 16;
  resources.rows[1].resize(1);
  resources.rows[1][0].bytes = std::as_writable_bytes(std::span(out));
  ASSERT_TRUE(dispatch(*program, resources, {1, 1, 1}));
  EXPECT_EQ(out, (std::vector<std::uint32_t>{1, 0, 1, 1}));
}

// Compilers that take denormals for numbers make -1023 of the logarithm of one.
TEST(Machine, FlushesDenormalsBeforeLogarithms) {
  Machine machine({4, 1, 1});
  machine.module.modes.denorm32 = ir::Denormals::flush;
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id value = b.inst(Op::bitcast, Type::f32, {load(b, thread)});
  store(b, thread, b.inst(Op::bitcast, Type::i32, {b.inst(Op::flog2, Type::f32, {value})}));
  b.return_values();
  const auto memory = machine.run({0x0040'0000, 0x8040'0000, 0x0080'0000, 0x3f80'0000}, {1, 1, 1});
  EXPECT_EQ(memory, (std::vector<std::uint32_t>{0xff80'0000, 0xff80'0000, 0xc2fc'0000, 0}));
}

TEST(Machine, StopsAfterItsBudget) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  const BlockId entry = b.block(), loop = b.block(), exit = b.block();
  b.at(entry);
  const Id thread = builtin(b, ir::Builtin::thread_id);
  b.jump(loop);
  b.at(loop);
  b.branch(b.inst(Op::ult, Type::i32, {thread, b.i32(1000)}), loop, exit);
  b.at(exit);
  b.return_values();
  const Program program = machine.ready();
  Resources resources = empty_resources(machine.module);
  const auto done = dispatch(program, resources, {1, 1, 1}, {.operations = 10000});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->stop, Stop::budget);
}

TEST(Machine, RefusesWavesThatTheProgramDoesNotAllow) {
  Machine machine({4, 1, 1});
  machine.module.modes.wave_min = 16;
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  b.return_values();
  ir::canonicalize(machine.module);
  const auto verified = ir::verify(machine.module);
  ASSERT_TRUE(verified.ok());
  EXPECT_FALSE(prepare(*verified.valid(), {.wave = 8}));
  EXPECT_FALSE(prepare(*verified.valid(), {.wave = 24}));
  EXPECT_TRUE(prepare(*verified.valid(), {.wave = 16}));
}

TEST(Machine, RoundsWhatLanesOf16BitsGive) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id wide = b.inst(Op::u_to_f, Type::f32, {load(b, thread)});
  const Id half = b.inst(Op::f_to_f, Type::f16, {wide}, {.extra = static_cast<std::uint32_t>(ir::Rounding::nearest_even)});
  const Id sum = b.inst(Op::wave_reduce, Type::f16, {half}, {.extra = ir::ReductionExtra(ir::Reduction::fadd, true).bits()});
  store(b, thread,
        b.as(Type::i32, b.inst(Op::f_to_f, Type::f32, {sum}, {.extra = static_cast<std::uint32_t>(ir::Rounding::nearest_even)})));
  b.return_values();
  const auto sum_of = [&](const std::vector<std::uint32_t>& numbers) {
    return std::bit_cast<float>(machine.run(numbers, {1, 1, 1}, {.wave = 4})[0]);
  };
  EXPECT_EQ(sum_of({1, 2, 3, 4}), 10.0F);
  EXPECT_EQ(sum_of({2048, 3, 0, 0}), 2052.0F);  // 2051 is half way between two numbers
  EXPECT_EQ(sum_of({60000, 60000, 0, 0}), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace unshade::vm
