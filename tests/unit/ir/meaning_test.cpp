#include "ir/meaning.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unshade::ir {
namespace {

// The operations that a meaning becomes of the parameters of a function, joined by spaces.
class LowerMeaning : public testing::Test {
 protected:
  std::string ops_of(Meaning meaning, Type type, std::size_t count, Flags flags = Flags::none) {
    Function function;
    Builder builder(function);
    const BlockId block = builder.block();
    builder.at(block);
    std::vector<Id> x;
    for (std::uint32_t at = 0; at < count; ++at) x.push_back(builder.inst(Op::param, type, {}, {.extra = at}));
    const Id made = lower_meaning(builder, meaning, type, x, flags);
    if (made == kNone) return "nothing";
    made_type_ = builder.type_of(made);
    std::string ops;
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      const Inst& inst = function.insts[id];
      if (inst.op == Op::param) continue;
      EXPECT_EQ(inst.flags, flags);
      ops += (ops.empty() ? "" : " ") + std::string(info(inst.op).text);
      for (const Id operand : function.operands_of(id))
        if (function.insts[operand].op == Op::param) ops += " " + std::string(1, static_cast<char>('a' + function.insts[operand].extra));
    }
    return ops;
  }

  Type made_type_ = Type::void_;
};

TEST_F(LowerMeaning, MakesAnOperationOfItsOperands) {
  EXPECT_EQ(ops_of(Meaning::fadd, Type::f32, 2), "fadd a b");
  EXPECT_EQ(ops_of(Meaning::fmad, Type::f16, 3, Flags::precise), "fmad a b c");
  EXPECT_EQ(made_type_, Type::f16);
  EXPECT_EQ(ops_of(Meaning::flt, Type::f64, 2), "flt a b");
  EXPECT_EQ(made_type_, Type::b1);
  EXPECT_EQ(ops_of(Meaning::wave_any, Type::b1, 1), "wave_any a");
}

TEST_F(LowerMeaning, MakesWordsOfOperations) {
  EXPECT_EQ(ops_of(Meaning::is_finite, Type::f32, 1), "fclass a");
  EXPECT_EQ(ops_of(Meaning::uge, Type::i32, 2), "ule b a");
  EXPECT_EQ(ops_of(Meaning::fone, Type::f32, 2, Flags::precise), "fne a b funord a b inot iand");
  EXPECT_EQ(ops_of(Meaning::fuge, Type::f32, 2), "flt a b inot");
  EXPECT_EQ(ops_of(Meaning::imad, Type::i64, 3), "imul a b iadd c");
  EXPECT_EQ(ops_of(Meaning::first_bit_high, Type::i64, 1), "first_high a ieq isub select");
  EXPECT_EQ(made_type_, Type::i32);
  EXPECT_EQ(ops_of(Meaning::f32_to_f16, Type::f32, 1), "f_to_f a bitcast zext");
  EXPECT_EQ(ops_of(Meaning::true_, Type::f32, 2), "");
}

TEST_F(LowerMeaning, MakesNothingOfWhatIsNoFunctionOfValues) {
  EXPECT_EQ(ops_of(Meaning::fadd, Type::f32, 1), "nothing");
  EXPECT_EQ(ops_of(Meaning::fgt, Type::f32, 3), "nothing");
  EXPECT_EQ(ops_of(Meaning::fclass, Type::f32, 1), "nothing");  // the classes are missing
  EXPECT_EQ(ops_of(Meaning::load, Type::i32, 1), "nothing");
  EXPECT_EQ(ops_of(Meaning::jump, Type::i32, 1), "nothing");
  EXPECT_EQ(ops_of(Meaning::thread_id, Type::i32, 1), "nothing");
  EXPECT_EQ(ops_of(Meaning::unsupported, Type::i32, 1), "nothing");
}

TEST(Meanings, AreOperationsValuesOrWords) {
  EXPECT_EQ(op_of(Meaning::constant), Op::constant);
  EXPECT_EQ(op_of(Meaning::unreachable), Op::unreachable);
  EXPECT_EQ(op_of(Meaning::thread_id), std::nullopt);
  EXPECT_EQ(builtin_of(Meaning::thread_id), Builtin::thread_id);
  EXPECT_EQ(builtin_of(Meaning::device_index), Builtin::device_index);
  EXPECT_EQ(builtin_of(Meaning::unreachable), std::nullopt);
  EXPECT_EQ(builtin_of(Meaning::nothing), std::nullopt);
  EXPECT_TRUE(is_of_one_type(Meaning::fmad));
  EXPECT_FALSE(is_of_one_type(Meaning::flt));
  EXPECT_FALSE(is_of_one_type(Meaning::constant));
  EXPECT_FALSE(is_of_one_type(Meaning::mov));
  EXPECT_EQ(atomic_of(Meaning::atomic_isub), AtomicOp::add);
  EXPECT_EQ(atomic_of(Meaning::iadd), std::nullopt);
}

}  // namespace
}  // namespace unshade::ir
