#include <unshade/ir/verify.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/core/limits.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/text.hpp>

namespace unshade::ir {
namespace {

std::string first_of(const Module& module) {
  const auto findings = findings_of(module);
  return findings.empty() ? "none" : std::string(findings[0].rule->id) + " " + findings[0].path;
}

std::string found_in(std::string_view text) {
  const auto module = parse(text);
  return module ? first_of(*module) : to_string(module.error());
}

std::string in_function(std::string_view blocks) {
  return found_in("stage compute\nresource @r cbuffer register 0\ninput \"A\" type f32 register 0 columns 2\nfunction @f {\n" +
                  std::string(blocks) + "}\n");
}
std::string in_block(std::string_view lines) { return in_function("^0:\n" + std::string(lines) + "\n  return\n"); }

Module small() { return *parse("stage compute\nfunction @f {\n^0:\n  %a = iadd i32 1 2\n  jump ^1\n^1:\n  return\n}\n"); }

// The count of operands has 16 bits.
TEST(IrVerify, RefusesMoreOperandsThanAreCounted) {
  Module module = small();
  Function& function = module.functions[0];
  const Id jump = function.blocks[0].last;
  remove(function, jump);
  Builder builder(function);
  builder.at(0);
  std::vector<std::uint32_t> cases;
  for (std::uint32_t at = 0; at < 40'000; ++at) cases.insert(cases.end(), {builder.i32(at), 1});
  builder.switch_on(builder.i32(0), 1, cases);
  EXPECT_EQ(first_of(module), "ir.limit f/^0/switch");
}

TEST(IrVerify, AcceptsGoodModules) {
  EXPECT_EQ(first_of(small()), "none");
  EXPECT_TRUE(verify(small()).ok());
  EXPECT_EQ(in_block("  %a = input f32 in0.y\n  %h = handle @r 0\n  %x = cbuffer_load f32 x2 %h 16\n  %b = get f32 1 %x"), "none");
}

TEST(IrVerify, GivesTheFirstFindingAsAnError) {
  const auto good = verified(small());
  ASSERT_TRUE(good) << to_string(good.error());
  EXPECT_EQ((*good)->functions.size(), 1U);
  Module module = small();
  module.functions[0].insts[module.functions[0].blocks[0].first].type = Type::f32;
  const auto wrong = verified(std::move(module));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_value);
  EXPECT_EQ(wrong.error().path, "f/^0/%a");
  EXPECT_NE(wrong.error().message.find("ir.type-mismatch"), std::string::npos) << wrong.error().message;
}

TEST(IrVerify, ChecksInstructions) {
  EXPECT_EQ(in_block("  %a = iadd i32 1 2:i64"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = fadd i32 1 2"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = bitcast i64 1:i32"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = f_to_s i32 1:i32"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = s_to_f f32 1.0:f32"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = sext i32 1:i64"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = trunc i32 1:i16"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = builtin f32 lane"), "ir.type-mismatch f/^0/%a");
  EXPECT_EQ(in_block("  %a = add_carry i32 1 2\n  %b = iadd i32 %a 1"), "ir.type-mismatch f/^0/%b");
  EXPECT_EQ(in_block("  %a = add_carry i32 1 2\n  %b = get f32 1 %a"), "ir.type-mismatch f/^0/%b");
  EXPECT_EQ(in_block("  %a = add_carry i32 1 2\n  %b = get i32 2 %a"), "ir.operand-count f/^0/%b");
  EXPECT_EQ(in_block("  %a = iadd i32 1:i32"), "ir.operand-count f/^0/%a");
  EXPECT_EQ(in_block("  %a = wave_reduce i32 99 1"), "ir.extra f/^0/%a");
  EXPECT_EQ(in_block("  %a = input f32 in0.z"), "ir.extra f/^0/%a");
  EXPECT_EQ(in_block("  %a = input f32 in1.x"), "ir.extra f/^0/%a");
  EXPECT_EQ(in_block("  %a = builtin i32 lane.y"), "ir.extra f/^0/%a");
  EXPECT_EQ(in_block("  barrier 16"), "ir.extra f/^0/barrier");
  EXPECT_EQ(in_block("  barrier sync_group\n  %a = iadd i32 1 2"), "ir.barrier-place f/^0/barrier");
  EXPECT_EQ(in_block("  %a = undef i32"), "ir.constant-place f/^0/%a");
  EXPECT_EQ(in_block("  %b = iadd i32 %a 1\n  %a = iadd i32 1 2"), "ir.use-not-dominated f/^0/%b");
}

TEST(IrVerify, ChecksCalls) {
  constexpr std::string_view kCalled = "function @g (i32) -> (f32) {\n^0:\n  return 1.0:f32\n}\n";
  const auto calling = [&](std::string_view line) {
    return found_in("stage compute\nfunction @f {\n^0:\n" + std::string(line) + "\n  return\n}\n" + std::string(kCalled));
  };
  EXPECT_EQ(calling("  %a = call f32 @g 1:i32"), "none");
  EXPECT_EQ(calling("  %a = call f32 @g 1.0:f32"), "ir.call f/^0/%a");
  EXPECT_EQ(calling("  %a = call i32 @g 1:i32"), "ir.call f/^0/%a");
  EXPECT_EQ(calling("  call @g 1:i32"), "ir.call f/^0/call");
  EXPECT_EQ(calling("  %a = param i32 0"), "ir.call f/^0/%a");
  EXPECT_EQ(calling("  call @f"), "ir.recursion f");
  EXPECT_EQ(found_in("stage compute\nfunction @f -> (i32) {\n^0:\n  return\n}\n"), "ir.call f/^0/return");
}

TEST(IrVerify, ChecksFlow) {
  EXPECT_EQ(in_function("^0:\n  jump ^0\n"), "ir.entry-block f/^0");
  EXPECT_EQ(in_function("^1:\n  jump ^0\n^0:\n  return\n"), "ir.entry-block f");
  EXPECT_EQ(in_function("^0:\n  return\n^1:\n  return\n"), "ir.reachable f/^1");
  EXPECT_EQ(in_function("^0:\n  branch true ^1 ^2\n^2:\n  return\n^1:\n  jump ^2\n"), "ir.block-order f/^1");
  EXPECT_EQ(in_function("^0:\n  jump ^1\n^1:\n  branch true ^1 ^2\n^2:\n  branch true ^1 ^3\n^3:\n  return\n"), "ir.latch f/^1");
  EXPECT_EQ(in_function("^0:\n  jump ^1\n^1:\n  branch true ^2 ^3\n^3:\n  return\n^2:\n  jump ^1\n"), "none");
  EXPECT_EQ(in_function("^0:\n  branch true ^1 ^2\n^1:\n  branch true ^3 ^4\n^2:\n  jump ^4\n^3:\n  jump ^1\n^4:\n  return\n"),
            "ir.loop-range f/^0");
  EXPECT_EQ(in_function("^0:\n  switch i32 1 ^1 2 ^1 2 ^1\n^1:\n  return\n"), "ir.switch-case f/^0/switch");
  constexpr std::string_view kLoop = "^0:\n  jump ^1\n^1:\n  %a = iadd i32 1 2\n  branch true ^1 ^2\n^2:\n";
  EXPECT_EQ(in_function(std::string(kLoop) + "  %b = iadd i32 %a 1\n  return\n"), "ir.exit-phi f/^2/%b");
  EXPECT_EQ(in_function(std::string(kLoop) + "  %b = phi i32 ^1 %a\n  return\n"), "none");
  EXPECT_EQ(in_function("^0:\n  branch true ^1 ^2\n^1:\n  %a = iadd i32 1 2\n  jump ^2\n^2:\n  %b = iadd i32 %a 1\n  return\n"),
            "ir.use-not-dominated f/^2/%b");
  EXPECT_EQ(in_function("^0:\n  jump ^1\n^1:\n  %a = iadd i32 1 2\n  %b = phi i32 ^0 1\n  return\n"), "ir.phi f/^1/%b");
}

TEST(IrVerify, ChecksTheArraysOfFunctions) {
  const auto changed = [](auto change) {
    Module module = small();
    change(module.functions[0]);
    return first_of(module);
  };
  EXPECT_EQ(changed([](Function& f) { f.next.pop_back(); }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.insts[0].operand_count = 99; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.insts[0].op = static_cast<Op>(kOps); }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.operands[0] = 1000; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.operands_of(f.blocks[0].last)[0] = 7; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.next[f.blocks[0].last] = f.blocks[0].first; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.order.push_back(1); }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.blocks[1].predecessor_count = 9; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.blocks[1].merge = 9; }), "ir.structure f");
  EXPECT_EQ(changed([](Function& f) { f.order.clear(); }), "ir.entry-block f");
  EXPECT_EQ(changed([](Function& f) { f.blocks[1].predecessor_count = 0; }), "ir.predecessors f/^1");
  EXPECT_EQ(changed([](Function& f) { remove(f, f.blocks[1].last); }), "ir.terminator f/^1");
  EXPECT_EQ(changed([](Function& f) { insert_before(f, f.blocks[0].first, append(f, Op::return_, Type::void_, {})); }),
            "ir.terminator f/^0/return");
  EXPECT_EQ(changed([](Function& f) { f.insts.resize(limits::kIrInstructions + 1); }), "ir.limit f");
}

TEST(IrVerify, ChecksTheModule) {
  EXPECT_EQ(found_in("stage compute\n"), "ir.module functions");
  constexpr std::string_view kFunction = "function @f {\n^0:\n  return\n}\n";
  const auto with = [&](std::string_view line) { return found_in("stage compute\n" + std::string(line) + "\n" + std::string(kFunction)); };
  EXPECT_EQ(with("input \"A\" type f32 columns 5"), "ir.element input[0]");
  EXPECT_EQ(with("input \"A\" type f32 column 3 columns 2"), "ir.element input[0]");
  EXPECT_EQ(with("output \"A\" type handle"), "ir.element output[0]");
  EXPECT_EQ(with("patch \"A\" type f32 rows 0"), "ir.element patch[0]");
  EXPECT_EQ(with("variable @v constant bytes 4"), "ir.variable v");
  EXPECT_EQ(with("variable @v private bytes 4 initial 0x0102"), "ir.variable v");
  EXPECT_EQ(with("variable @v private bytes 32 element f32 stride 16"), "none");
  EXPECT_EQ(with("variable @v private bytes 32 element b1"), "ir.variable v");
  EXPECT_EQ(with("variable @v private bytes 32 element handle"), "ir.variable v");
  EXPECT_EQ(with("variable @v private bytes 32 stride 33"), "ir.variable v");
  EXPECT_EQ(with("resource @a uav_byte_address register 0 counter 1\nresource @b uav_byte_address register 1"), "none");
  EXPECT_EQ(with("resource @a uav_byte_address register 0 counter 1"), "ir.resource resources[0]");
  EXPECT_EQ(with("resource @a uav_byte_address register 0 counter 0"), "ir.resource resources[0]");
  EXPECT_EQ(with("resource @a uav_typed register 0 format rgba8_snorm"), "none");
  EXPECT_EQ(with("resource @a uav_typed register 0 format 99"), "ir.resource resources[0]");
  EXPECT_EQ(with("variable @v private offset 4294967295 bytes 4294967295"), "ir.limit variables");
  EXPECT_EQ(with("info group_size 4 2 1 square_quads"), "none");
  EXPECT_EQ(with("info group_size 3 2 1 square_quads"), "ir.group-size info");
  EXPECT_EQ(with("info group_size 4 1 1 square_quads"), "ir.group-size info");
}

TEST(IrVerify, OrdersItsRules) {
  const auto rules = verification_rules();
  EXPECT_TRUE(std::ranges::is_sorted(rules, {}, [](const Rule* rule) { return rule->id; }));
}

}  // namespace
}  // namespace unshade::ir
