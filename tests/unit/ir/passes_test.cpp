#include <unshade/ir/passes.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/random_module.hpp"

namespace unshade::ir {
namespace {

constexpr std::string_view kHeader = "stage compute\nvariable @x private bytes 16\nvariable @g group bytes 16\n";

// How much a pass changes in a function.
std::size_t changes_of(std::size_t (*pass)(Module&), std::string_view blocks) {
  auto module = parse(std::string(kHeader) + "function @f {\n" + std::string(blocks) + "}\n");
  if (!module) return ADD_FAILURE() << to_string(module.error()), 0;
  for (const auto& finding : findings_of(*module)) ADD_FAILURE() << to_string(finding);
  const auto changes = pass(*module);
  for (const auto& finding : findings_of(*module)) ADD_FAILURE() << to_string(finding) << '\n' << print(*module);
  return changes;
}

TEST(IrPasses, LeaveTinyNumbersToTheMachine) {
  EXPECT_EQ(changes_of(passes::fold_constants, "^0:\n  %a = fmul f32 1e-30 1e-30\n  store f32 @g 0 %a\n  return\n"), 1U);
  EXPECT_EQ(changes_of(passes::fold_constants, "^0:\n  %a = fmul f32 1e-40 1.0\n  store f32 @g 0 %a\n  return\n"), 0U);
  EXPECT_EQ(changes_of(passes::fold_constants, "^0:\n  %a = fmul f32 1e-20 1e-20\n  store f32 @g 0 %a\n  return\n"), 0U);
}

TEST(IrPasses, PromoteVariablesOfEachFunction) {
  constexpr std::string_view kHull =
      "stage hull\nvariable @x private bytes 8\nvariable @g group bytes 16\n"
      "function @control_point {\n^0:\n  store i32 @x 0 7\n  %a = load i32 @x 0\n  store i32 @g 0 %a\n  return\n}\n"
      "function @patch_constant {\n^0:\n  %b = load i32 @x 0\n  store i32 @g 4 %b\n  return\n}\n";
  auto module = parse(kHull);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(passes::promote_variables(*module), 3U);
  EXPECT_TRUE(findings_of(*module).empty());
  // the second begins with a variable of its own
  EXPECT_NE(print(*module).find("store i32 @g 0 7"), std::string::npos) << print(*module);
  EXPECT_NE(print(*module).find("store i32 @g 4 0"), std::string::npos) << print(*module);
  auto calling = parse(
      "stage compute\nvariable @x private bytes 8\nvariable @g group bytes 16\n"
      "function @f {\n^0:\n  store i32 @x 0 7\n  call @h\n  return\n}\n"
      "function @h {\n^0:\n  %b = load i32 @x 0\n  store i32 @g 4 %b\n  return\n}\n");
  ASSERT_TRUE(calling) << to_string(calling.error());
  EXPECT_EQ(passes::promote_variables(*calling), 0U);
}

// As many phis as there may be, and one fewer: a function that would need more is as it was.
TEST(IrPasses, PromoteVariablesWithinALimit) {
  constexpr std::string_view kLadder =
      "stage compute\nvariable @x private bytes 4\nvariable @g group bytes 16\n"
      "function @f {\n^0:\n  %i = load i32 @g 0\n  %a = ine i32 %i 0\n  store i32 @x 0 7\n  branch %a ^1 ^2\n^1:\n  jump ^2\n^2:\n  branch "
      "%a ^3 ^4\n^3:\n"
      "  jump ^4\n^4:\n  %b = load i32 @x 0\n  store i32 @g 4 %b\n  return\n}\n";
  for (const std::size_t most : {std::size_t{2}, std::size_t{1}}) {
    auto module = parse(kLadder);
    ASSERT_TRUE(module) << to_string(module.error());
    const std::string before = print(*module);
    EXPECT_EQ(passes::promote_variables_within(*module, most), most == 2 ? 2U : 0U);
    EXPECT_EQ(print(*module) == before, most != 2);
    EXPECT_TRUE(findings_of(*module).empty());
  }
}

// A phi has an operand for each predecessor, and at most 65,534.
TEST(IrPasses, PromoteVariablesToPhisThatThereMayBe) {
  for (const unsigned predecessors : {65'534U, 65'535U}) {
    std::string text = "stage compute\nvariable @x private bytes 4\nvariable @g group bytes 16\nfunction @f {\n";
    for (unsigned at = 0; at < predecessors; ++at) {
      const std::string number = std::to_string(at), end = std::to_string(predecessors);
      text += '^' + number + ":\n  store i32 @x 0 " + number + '\n';
      if (at + 1 == predecessors) {
        text += "  jump ^" + end + '\n';
      } else {
        text += "  %a" + number + " = load i32 @g 0\n  %b" + number + " = ieq i32 %a" + number + " 7\n  branch %b" + number + " ^" + end +
                " ^" + std::to_string(at + 1) + '\n';
      }
    }
    auto module = parse(text + '^' + std::to_string(predecessors) + ":\n  %last = load i32 @x 0\n  store i32 @g 4 %last\n  return\n}\n");
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(passes::promote_variables(*module), predecessors == 65'534 ? predecessors + 1 : 0U);
    EXPECT_TRUE(findings_of(*module).empty());
  }
}

// Each of `levels` functions calls the next one twice.
std::string doubling(unsigned levels) {
  std::string text = "stage compute\n";
  for (unsigned level = 0; level < levels; ++level) {
    const std::string call = "  call @f" + std::to_string(level + 1) + "\n";
    text += "function @f" + std::to_string(level) + " {\n^0:\n" + call + call + "  return\n}\n";
  }
  return text + "function @f" + std::to_string(levels) + " {\n^0:\n  return\n}\n";
}

TEST(IrPasses, InlineCallsRefusesCallsThatMultiply) {
  auto few = parse(doubling(3));
  ASSERT_TRUE(few) << to_string(few.error());
  EXPECT_EQ(*passes::inline_calls(*few), 14U);
  EXPECT_TRUE(findings_of(*few).empty());
  auto endless = parse("stage compute\nfunction @f {\n^0:\n  call @f\n  return\n}\n");
  ASSERT_TRUE(endless) << to_string(endless.error());
  EXPECT_EQ(passes::inline_calls(*endless).error().code, ErrorCode::limit);
  for (const unsigned levels : {24U, 200U}) {
    auto module = parse(doubling(levels));
    ASSERT_TRUE(module) << to_string(module.error());
    const auto calls = passes::inline_calls(*module);
    ASSERT_FALSE(calls);
    EXPECT_EQ(calls.error().code, ErrorCode::limit);
    EXPECT_EQ(calls.error().path, "f0");
    // a function has two calls and a return, the last one a return
    EXPECT_EQ(calls.error().message,
              "more than " + std::to_string((1 << 14) + 65 * (3 * levels + 1)) + " instructions once calls are inlined");
    EXPECT_EQ(module->functions.size(), levels + 1) << "nothing has changed";
  }
}

std::string divergent_values(std::string_view blocks) {
  const auto module = parse(std::string(kHeader) + "resource @p cbuffer register 0\nfunction @f {\n" + std::string(blocks) + "}\n");
  if (!module) return to_string(module.error());
  for (const auto& finding : findings_of(*module)) return to_string(finding);
  const Function& function = module->functions[0];
  const auto found = find_divergence(*module, function);
  const ValueNames names(function);
  std::string out;
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (found.divergent[id] && function.insts[id].results != 0) out += (out.empty() ? "" : " ") + std::string(names.of(id));
  }
  return out;
}

TEST(IrPasses, Divergence) {
  EXPECT_EQ(divergent_values(R"(^0:
  %group = builtin i32 group_id.x
  %tid = builtin i32 thread_id.x
  %p = handle @p 0
  %n = cbuffer_load i32 %p %group
  %m = cbuffer_load i32 %p %tid
  %first = wave_read_first i32 %m
  %less = ilt i32 %tid %n
  %uniform = ilt i32 %first %n
  branch %less ^1 ^2
^1:
  jump ^2
^2:
  %joined = phi i32 ^0 1 ^1 2
  branch %uniform ^3 ^4
^3:
  jump ^4
^4:
  %same = phi i32 ^2 1 ^3 2
  return
)"),
            "tid m less joined");
  constexpr std::string_view kLoop = R"(^0:
  %tid = builtin i32 thread_id.x
  jump ^1
^1:
  %i = phi i32 ^0 0 ^1 %next
  %next = iadd i32 %i 1
  %more = ilt i32 %next LIMIT
  branch %more ^1 ^2
^2:
  %last = phi i32 ^1 %i
  return
)";
  const auto with = [&](std::string_view limit) {
    std::string text(kLoop);
    return divergent_values(text.replace(text.find("LIMIT"), 5, limit));
  };
  EXPECT_EQ(with("9"), "tid");
  EXPECT_EQ(with("%tid"), "tid more last");
}

TEST(IrPasses, KeepWhatRandomFunctionsDo) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Module module = test::random_module(seed, 4 + seed % 20);
    const auto expected = test::run(module.functions[0], 400);
    canonicalize(module);
    for (const Pass* pass : optimizing_passes()) {
      const auto before = print(module);
      ASSERT_TRUE(pass->run(module));
      for (const auto& finding : findings_of(module))
        FAIL() << seed << ' ' << pass->name << ": " << to_string(finding) << '\n' << before << print(module);
      ASSERT_TRUE(test::agree(expected, test::run(module.functions[0], 800))) << seed << ' ' << pass->name << '\n'
                                                                              << before << print(module);
    }
  }
}

const Pass& pass_of(std::string_view name) { return *std::ranges::find(all_passes(), name, &Pass::name); }

// Canonical form mends the order of blocks, but values must be defined before their uses in any order.
TEST(IrPasses, SayWhichModulesTheyDoNotFit) {
  constexpr std::string_view kLoop =
      "stage compute\nfunction @f {\n^0:\n  jump ^1\n^1:\n  branch true ^1 ^2\n^2:\n  %a = iadd i32 1 2\n  branch true ^1 ^3\n"
      "^3:\n  %b = iadd i32 %a 1\n  return\n}\n";
  auto module = parse(kLoop);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(unfit_for(pass_of("canonical_loops"), *module), std::nullopt);
  const auto fault = unfit_for(pass_of("remove_dead"), *module);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("ir.latch"), std::string::npos) << fault->message;
  ASSERT_TRUE(pass_of("canonical_loops").run(*module));
  EXPECT_EQ(unfit_for(pass_of("remove_dead"), *module), std::nullopt);

  std::string early(kLoop);
  early.replace(early.find("branch true ^1 ^2"), 17, "branch true ^1 ^3");
  early.replace(early.find("  jump ^1"), 9, "  branch true ^1 ^2");
  auto undominated = parse(early);
  ASSERT_TRUE(undominated) << to_string(undominated.error());
  const auto unused = unfit_for(pass_of("canonical_loops"), *undominated);
  ASSERT_TRUE(unused);
  EXPECT_NE(unused->message.find("ir.use-not-dominated"), std::string::npos) << unused->message;
}

// What is proven valid stays so: the passes take the proof, and give it.
TEST(IrPasses, OptimizeKeepsModulesValid) {
  for (const unsigned level : {0U, 1U}) {
    auto module = parse(std::string(kHeader) + "function @f {\n^0:\n  %a = iadd i32 1 2\n  store i32 @g 0 %a\n  return\n}\n");
    ASSERT_TRUE(module);
    auto valid = verified(*std::move(module));
    ASSERT_TRUE(valid) << to_string(valid.error());
    const Validated<Module> made = optimize(*std::move(valid), level);
    EXPECT_TRUE(findings_of(*made).empty());
    EXPECT_EQ(print(*made).find("iadd") == std::string::npos, level == 1) << print(*made);
  }
}

TEST(IrPasses, NamesOnlyResourcesWithoutAName) {
  auto module = parse(
      "stage compute\nresource @mine cbuffer register 0\nresource @1 cbuffer register 1\nresource @2 cbuffer register 2\n"
      "function @f {\n^0:\n  return\n}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  for (std::size_t row : {1U, 2U}) module->resources[row].name.clear();
  auto valid = verified(*std::move(module));
  ASSERT_TRUE(valid) << to_string(valid.error());
  const std::string names[] = {"other", "given"};
  const auto made = name_resources(*std::move(valid), names);
  EXPECT_EQ(made->resources[0].name, "mine");
  EXPECT_EQ(made->resources[1].name, "given");
  EXPECT_EQ(made->resources[2].name, "");
  EXPECT_TRUE(findings_of(*made).empty());
}

}  // namespace
}  // namespace unshade::ir
