// What files of tests/golden/ir report where they are wrong.
#include "support/ir_file.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace unshade::test {

namespace {

constexpr std::string_view kTwice = R"(stage vertex
input "A" type f32 register 0
output "B" type f32 register 0
resource @k cbuffer register 0 bytes 16

function @main {
^0:
  %a = input f32 in0.x
  %k = handle @k 0
  %by = cbuffer_load f32 %k 4
  %b = fmul f32 %a %by
  output f32 out0.x %b
  return
}
)";
constexpr std::size_t kFirst = 15;  // the line after it

std::string faults_of(std::string_view lines) {
  std::string all;
  for (const IrFault& fault : check_ir_file(std::string(kTwice) + std::string(lines)).faults)
    all += std::to_string(static_cast<int>(fault.line) - static_cast<int>(kFirst)) + ": " + fault.expected + " | " + fault.got + '\n';
  return all;
}

TEST(IrFile, LinesOfRunsThatAreRight) {
  EXPECT_EQ(faults_of("; run(in0.x 1.0 2.0, @k f32 0.0 2.0) == out0.x 2.0 4.0\n"), "");
  EXPECT_EQ(faults_of("; run(lanes 2, wave 128, in0.x 3.0, @k i32 0 0x40000000) ==\n;   out0.x 6.0,\n;   discarded false\n"), "");
}

TEST(IrFile, ResultsThatDiffer) {
  EXPECT_EQ(faults_of("; a comment\n; run(in0.x 1.0 2.0, @k f32 0.0 2.0) == out0.x 2.0 -0.0\n"),
            "1: out0.x 2.0 -0.0 | out0.x 2.0 4.0 (waves of 4)\n");
  EXPECT_EQ(faults_of("; run(lanes 2, in0.x 0.0, @k f32 0.0 2.0) ==\n; out0.x -0.0\n"),
            "0: out0.x -0.0 -0.0 | out0.x 0.0 0.0 (waves of 4)\n");
}

// A pass may be wrong where the module as it stands is right.
TEST(IrFile, WhatIsRunIsTheModuleAfterEachCommandToo) {
  const IrFile file =
      check_ir_file(std::string(kTwice) +
                    "; run(in0.x 1.0, @k f32 0.0 2.0) == out0.x 2.0\n; RUN: ir --stage lowered tests/golden/ir/fold_constants.ir\n");
  ASSERT_EQ(file.faults.size(), 2U);
  EXPECT_EQ(file.faults[0].line, kFirst + 2);
  EXPECT_EQ(file.faults[1].line, kFirst);
  EXPECT_NE(file.faults[1].got.find("(what line 16 makes)"), std::string::npos) << file.faults[1].got;
}

TEST(IrFile, LinesOfRunsThatCannotBeRead) {
  const auto expected = [](std::string_view line) {
    const std::string all = faults_of(std::string(line) + '\n');
    return all.substr(0, all.find(" | "));
  };
  EXPECT_EQ(expected("; run(in0.x 1.0)"), "0: run(...) == ...");
  EXPECT_EQ(expected("; run(in0.x 1.0) =="), "0: a result after ==");
  EXPECT_EQ(expected("; run(in0.x one) == out0.x 1.0"), "0: a value of type f32, found one");
  EXPECT_EQ(expected("; run(in1.x 1.0) == out0.x 1.0"), "0: an element of a signature, a builtin or a resource of the module, found in1.x");
  EXPECT_EQ(expected("; run(in0[1].x 1.0) == out0.x 1.0"),
            "0: an element of a signature, a builtin or a resource of the module, found in0[1].x");
  EXPECT_EQ(expected("; run(in0.x 1.0 2.0) == out0.x 1.0 2.0 3.0"), "0: one value of in0.x or 3, found 2");
  EXPECT_EQ(expected("; run(@t i32 1) == out0.x 1.0"), "0: a resource of the module, found @t");
  EXPECT_EQ(expected("; run(@k 1) == out0.x 1.0"), "0: a type after @k");
  EXPECT_EQ(expected("; run(function @none) == out0.x 1.0"), "0: a function of the module, found @none");
  EXPECT_EQ(expected("; run(lanes two) == out0.x 1.0"), "0: a number, found two");
}

TEST(IrFile, TextThatDiffers) {
  const IrFile file = check_ir_file(std::string(kTwice) + "; RUN: ir --function -\n; exit: 1\n\nstill here\n");
  ASSERT_EQ(file.faults.size(), 1U);
  EXPECT_EQ(file.faults[0].line, kFirst + 1);
  EXPECT_EQ(file.faults[0].expected, "; exit: 1");
  EXPECT_EQ(file.faults[0].got, "; stderr:");
  EXPECT_TRUE(file.blessed.starts_with(std::string(kTwice) + "; RUN: ir --function -\n; stderr:\n")) << file.blessed;
  EXPECT_TRUE(file.blessed.ends_with("; exit: 2\n\nstill here\n")) << file.blessed;
  // blessed, it is right
  EXPECT_TRUE(check_ir_file(file.blessed.substr(0, file.blessed.find("\nstill"))).faults.empty());
}

TEST(IrFile, TextThatIsMissingOrTooMuch) {
  const std::string blessed = check_ir_file(std::string(kTwice) + "; RUN: ir -\n").blessed;
  EXPECT_TRUE(check_ir_file(blessed).faults.empty());
  const IrFile longer = check_ir_file(blessed + "; one more\n; and another\n");
  ASSERT_EQ(longer.faults.size(), 1U);
  EXPECT_EQ(longer.faults[0].expected, "; one more");
  EXPECT_EQ(longer.faults[0].got, "the end of the text");
  const IrFile shorter = check_ir_file(blessed.substr(0, blessed.rfind("; }")));
  ASSERT_EQ(shorter.faults.size(), 1U);
  EXPECT_EQ(shorter.faults[0].expected, "the end of the text");
  EXPECT_EQ(shorter.faults[0].got, "; }");
}

TEST(IrFile, FilesThatTestNothing) {
  EXPECT_EQ(check_ir_file(kTwice).faults.size(), 1U);
  EXPECT_EQ(faults_of("; run(in0.x 1.0, @k f32 0.0 2.0) == out0.x 2.0\r\n").substr(0, 20), "-14: lines that end ");
}

}  // namespace

}  // namespace unshade::test
