// What a recorder keeps of what is recorded: each value once, constants where they are exact, and nothing that no result needs.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/ir/recorded/recording.hpp>

#include "ir/recorded/scalar.hpp"

namespace unshade::ir::recorded {
namespace {

Value i32(std::uint32_t bits) { return {nullptr, Lane::i32, bits}; }
Value f32(float number) { return {nullptr, Lane::f32, std::bit_cast<std::uint32_t>(number)}; }
Value f64(double number) { return {nullptr, Lane::f64, std::bit_cast<std::uint64_t>(number)}; }

std::string printed(Recorder& recorder, const Value& result) {
  const Recording made = recorder.finish(std::array{result});
  EXPECT_EQ(fault_of(made), "");
  return print(made, "test");
}

TEST(Recorder, KeepsEachValueOnce) {
  Recorder recorder;
  const Value a = recorder.operand(Lane::i32);
  const Value b = recorder.operand(Lane::i32);
  const Value sum = record(Primitive::add, Lane::i32, a, b);
  const Value same = record(Primitive::add, Lane::i32, b, a);
  record(Primitive::mul, Lane::i32, sum, a);  // which nothing needs
  const Value left = record(Primitive::sub, Lane::i32, a, b);
  const Value right = record(Primitive::sub, Lane::i32, b, a);
  const Value both = record(Primitive::xor_, Lane::i32, left, right);
  EXPECT_EQ(printed(recorder, record(Primitive::or_, Lane::i32, record(Primitive::and_, Lane::i32, sum, same), both)),
            "recording test {\n"
            "  %0 = operand.i32 0\n"
            "  %1 = operand.i32 1\n"
            "  %2 = add.i32 %0 %1\n"
            "  %3 = sub.i32 %0 %1\n"
            "  %4 = sub.i32 %1 %0\n"
            "  %5 = xor.i32 %3 %4\n"
            "  %6 = or.i32 %2 %5\n"
            "  return %6\n"
            "}\n");
}

TEST(Recorder, SimplifiesWhatIsTheSameForAllBits) {
  const auto result_is_operand = [](auto make) {
    Recorder recorder;
    const Value a = recorder.operand(Lane::i32);
    const Value made = make(a);
    return made.recorder == a.recorder && made.number == a.number && made.type == a.type;
  };
  const auto zero = i32(0), ones = i32(~0U);
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::and_, Lane::i32, a, ones); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::or_, Lane::i32, zero, a); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::xor_, Lane::i32, a, zero); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::shl, Lane::i32, a, zero); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::mul, Lane::i32, i32(1), a); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::select, Lane::i32, ones, a, zero); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::select, Lane::i32, a, a, a); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::not_, Lane::i32, record(Primitive::not_, Lane::i32, a)); }));
  EXPECT_TRUE(
      result_is_operand([&](const Value& a) { return record(Primitive::truncate, Lane::i32, record(Primitive::extend_u, Lane::i64, a)); }));
  EXPECT_TRUE(result_is_operand([&](const Value& a) { return record(Primitive::bits, Lane::i32, record(Primitive::bits, Lane::f32, a)); }));
  Recorder recorder;
  const Value a = recorder.operand(Lane::i32);
  const Value none = record(Primitive::and_, Lane::i32, a, zero);
  EXPECT_EQ(none.recorder, nullptr);
  EXPECT_EQ(none.number, 0U);
  // select of a complement
  const Value chosen = record(Primitive::select, Lane::i32, record(Primitive::not_, Lane::i32, a), zero, ones);
  EXPECT_EQ(printed(recorder, chosen),
            "recording test {\n"
            "  %0 = operand.i32 0\n"
            "  %1 = select.i32 %0 0xffffffff 0\n"
            "  return %1\n"
            "}\n");
}

// A denormal may be flushed, a NaN made quiet: x * 1 and x + 0 are not x.
TEST(Recorder, KeepsArithmeticOfFloats) {
  Recorder recorder;
  const Value a = recorder.operand(Lane::f32);
  const Value product = record(Primitive::mul, Lane::f32, f32(1), a);
  const Value rest = record(Primitive::sub, Lane::f32, a, f32(0));
  const Value sum = record(Primitive::add, Lane::f32, product, rest);
  // but what arithmetic gives is flushed and quiet already
  EXPECT_EQ(record(Primitive::sub, Lane::f32, sum, f32(0)).number, sum.number);
  EXPECT_EQ(printed(recorder, record(Primitive::add, Lane::f32, sum, f32(-0.0F))),
            "recording test {\n"
            "  %0 = operand.f32 0\n"
            "  %1 = mul.f32 %0 1.0\n"
            "  %2 = sub.f32 %0 0.0\n"
            "  %3 = add.f32 %1 %2\n"
            "  %4 = add.f32 %3 -0.0\n"
            "  return %4\n"
            "}\n");
}

TEST(Recorder, FoldsConstantsThatAreExact) {
  const auto folded = [](const Value& value) {
    EXPECT_EQ(value.recorder, nullptr);
    return value.number;
  };
  EXPECT_EQ(folded(record(Primitive::sub, Lane::i32, i32(3), i32(5))), 0xffff'fffeU);
  EXPECT_EQ(folded(record(Primitive::extend_s, Lane::i64, i32(0x8000'0000))), 0xffff'ffff'8000'0000U);
  EXPECT_EQ(folded(record(Primitive::lt, Lane::i32, f32(1), f32(2))), 0xffff'ffffU);
  EXPECT_EQ(folded(record(Primitive::f_to_f, Lane::f64, f32(0.1F))), std::bit_cast<std::uint64_t>(static_cast<double>(0.1F)));
  EXPECT_EQ(folded(record(Primitive::mul, Lane::f64, f64(0.5), f64(0.3))), std::bit_cast<std::uint64_t>(0.15));
}

// What depends on modes is left to the processor.
TEST(Recorder, DoesNotFoldConstantsThatAreNot) {
  const Value denormal = f32(std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(exact_value(Primitive::mul, Lane::f64, f64(0.1), f64(0.3)), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::div, Lane::f32, f32(1), f32(3)), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::f_to_f, Lane::f32, f64(0.1)), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::mul, Lane::f32, f32(2), denormal), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::eq, Lane::i32, f32(0), denormal), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::ne, Lane::i32, f32(0), f32(std::numeric_limits<float>::quiet_NaN())), std::nullopt);
  EXPECT_EQ(exact_value(Primitive::bits, Lane::i32, denormal), 1U);
}

TEST(Recording, IsEvaluatedLaneByLane) {
  Recorder recorder;
  const Value a = recorder.operand(Lane::f64);
  const Value large = record(Primitive::le, Lane::i64, f64(0x1p20), a);
  const std::array operands{large, a};
  const Value rest = record_call(numeric::Function::large_angle, true, Lane::f64, operands);
  const Value chosen = record(Primitive::select, Lane::f64, large, rest, a);
  const Value quadrant = record(Primitive::second, Lane::i64, rest);
  const Recording made = recorder.finish(std::array{chosen, quadrant});
  EXPECT_EQ(fault_of(made), "");
  // 2^20 is 667,544 quarters of a turn and 0.3368 more
  const std::array<std::uint64_t, 2> lanes{std::bit_cast<std::uint64_t>(1.0), std::bit_cast<std::uint64_t>(0x1p20)};
  const auto results = evaluate(made, lanes, 2);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(std::bit_cast<double>(results[0]), 1.0);
  EXPECT_NEAR(std::bit_cast<double>(results[1]), 0.3368260, 1e-6);
  EXPECT_EQ(results[2], 0U) << "a lane for which nothing is called";
  EXPECT_EQ(results[3] % 4, 667544U % 4);
}

TEST(Recording, HasFaults) {
  const auto fault_with = [](auto change) {
    Recorder recorder;
    const Value a = recorder.operand(Lane::f32);
    const Value b = recorder.operand(Lane::f32);
    Recording made = recorder.finish(std::array{record(Primitive::add, Lane::f32, a, b)});
    change(made);
    return fault_of(made);
  };
  EXPECT_EQ(fault_with([](Recording&) {}), "");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].operands[1] = 2; }), "node 2: an operand that is no node before it");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].operands[1] = 0; }), "node 1: is not needed");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].operands[1] = kNoNode; }), "node 2: a wrong number of operands");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].type = Lane::f64; }), "node 2: an operand of another type");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].primitive = Primitive::and_; }), "node 2: a type that the primitive does not have");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[2].primitive = Primitive::lt; }), "node 2: a mask of another width");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[1].value = 2; }), "node 1: an operand that the rule does not have");
  EXPECT_EQ(fault_with([](Recording& r) { r.nodes[1].value = 0; }), "node 1: is there twice");
  EXPECT_EQ(fault_with([](Recording& r) { r.results[0] = 3; }), "a result that is no node");
}

}  // namespace
}  // namespace unshade::ir::recorded
