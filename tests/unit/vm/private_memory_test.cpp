// Memory of lanes: accesses of each width, at one offset for all lanes and at one of each.
#include <gtest/gtest.h>

#include <vector>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;

TEST(PrivateMemory, HoldsValuesOfEachWidthAtAnyOffset) {
  for (const unsigned wave : {4U, 16U, 64U}) {
    Machine machine({20, 1, 1});
    machine.module.variables.push_back({"x", ir::Space::private_, 0, 24, {}});
    machine.module.variables.push_back({"y", ir::Space::private_, 32, 16, std::vector<std::byte>(16, std::byte{0x5a})});
    Builder b(machine.module.functions[0]);
    b.at(b.block());
    const Id thread = builtin(b, ir::Builtin::thread_id);
    const Id byte = b.inst(Op::trunc, Type::i8, {thread});
    const Id half = b.inst(Op::trunc, Type::i16, {b.inst(Op::imul, Type::i32, {thread, b.i32(0x101)})});
    const Id low = b.inst(Op::iand, Type::i32, {thread, b.i32(3)});
    const auto put = [&](Type type, Id offset, Id value) { b.inst(Op::store, type, {offset, value}, {.extra = 0}); };
    const auto take = [&](std::uint32_t variable, Type type, Id offset) { return b.inst(Op::load, type, {offset}, {.extra = variable}); };
    put(Type::i32, b.i32(0), thread);
    put(Type::i16, b.i32(7), half);     // in two words
    put(Type::i8, low, byte);           // each lane in another byte
    put(Type::i32, b.i32(14), thread);  // in two words
    put(Type::i32, b.i32(21), thread);  // out of bounds
    const Id row = b.inst(Op::imul, Type::i32, {thread, b.i32(6)});
    const auto give = [&](std::uint32_t at, Id value) { store(b, b.inst(Op::iadd, Type::i32, {row, b.i32(at)}), value); };
    give(0, take(0, Type::i32, b.i32(0)));
    give(1, take(0, Type::i32, b.i32(4)));
    give(2, take(0, Type::i32, b.i32(8)));
    const Id unaligned = b.inst(Op::iadd, Type::i32, {low, b.i32(14)});
    give(3, take(0, Type::i32, unaligned));
    give(4, take(0, Type::i32, b.i32(20)));
    give(5, take(1, Type::i32, b.inst(Op::imul, Type::i32, {low, b.i32(4)})));
    b.return_values();
    const auto memory = machine.run(std::vector<std::uint32_t>(120), {1, 1, 1}, {.wave = wave});
    for (std::uint32_t i = 0; i < 20; ++i) {
      const unsigned shift = i % 4 * 8;
      EXPECT_EQ(memory[i * 6], (i & ~(0xffU << shift)) | i << shift) << i;
      EXPECT_EQ(memory[i * 6 + 1], i << 24) << i;
      EXPECT_EQ(memory[i * 6 + 2], i) << i;
      EXPECT_EQ(memory[i * 6 + 3], i >> shift) << i;
      EXPECT_EQ(memory[i * 6 + 4], 0U) << i;
      EXPECT_EQ(memory[i * 6 + 5], 0x5a5a'5a5aU) << i;
    }
  }
}

}  // namespace
}  // namespace unshade::vm
