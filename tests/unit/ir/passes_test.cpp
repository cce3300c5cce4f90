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

// What a pass makes of a function, its changes first.
std::string after(std::size_t (*pass)(Module&), std::string_view blocks) {
  auto module = parse(std::string(kHeader) + "function @f {\n" + std::string(blocks) + "}\n");
  if (!module) return to_string(module.error());
  for (const auto& finding : findings_of(*module)) return to_string(finding);
  const auto changes = pass(*module);
  const auto text = print(*module);
  for (const auto& finding : findings_of(*module)) return to_string(finding) + '\n' + text;
  const auto first = text.find("^0:");
  return std::to_string(changes) + '\n' + text.substr(first, text.size() - first - 2);
}

TEST(IrPasses, FoldConstants) {
  EXPECT_EQ(after(passes::fold_constants, R"(^0:
  %a = iadd i32 40 2
  %b = fmul f32 1.5 2.0
  store i32 @g 0 %a
  store f32 @g 4 %b
  %c = ilt i32 %a 0
  %d = sext i32 %c
  %e = fsqrt f32 2.0
  store i32 @g 8 %d
  store f32 @g 12 %e
  return
)"),
            "5\n^0:\n  store i32 @g 0 42\n  store f32 @g 4 3.0\n  store i32 @g 8 0\n  store f32 @g 12 1.4142135\n  return\n");
}

TEST(IrPasses, FoldConditionsOfDxbc) {
  EXPECT_EQ(after(passes::fold_constants, R"(^0:
  %a = load i32 @g 0
  %less = ilt i32 %a 3
  %all = sext i32 %less
  %not = inot i32 %all
  %true = ine i32 %not 0
  %f = bitcast f32 %a
  %i = bitcast i32 %f
  store i32 @g 4 %i
  branch %true ^1 ^2
^1:
  jump ^2
^2:
  return
)"),
            R"(3
^0:
  %a = load i32 @g 0
  %less = ilt i32 %a 3
  %all = sext i32 %less
  %3 = inot b1 %less
  %4 = sext i32 %3
  %f = bitcast f32 %a
  store i32 @g 4 %a
  branch %3 ^1 ^2
^1:
  jump ^2
^2:
  return
)");
}

TEST(IrPasses, LeaveTinyNumbersToTheMachine) {
  EXPECT_EQ(after(passes::fold_constants, "^0:\n  %a = fmul f32 1e-30 1e-30\n  store f32 @g 0 %a\n  return\n").substr(0, 1), "1");
  EXPECT_EQ(after(passes::fold_constants, "^0:\n  %a = fmul f32 1e-40 1.0\n  store f32 @g 0 %a\n  return\n").substr(0, 1), "0");
  EXPECT_EQ(after(passes::fold_constants, "^0:\n  %a = fmul f32 1e-20 1e-20\n  store f32 @g 0 %a\n  return\n").substr(0, 1), "0");
}

TEST(IrPasses, CommonValues) {
  EXPECT_EQ(after(passes::common_values, R"(^0:
  %a = load i32 @g 0
  %b = iadd i32 %a 1
  %c = iadd i32 %a 1
  %d = imul i32 %c %c
  %e = imul i32 %b %b
  %f = ilt i32 %d %e
  branch %f ^1 ^2
^1:
  %g = isub i32 %a 1
  store i32 @g 0 %g
  jump ^2
^2:
  %h = isub i32 %a 1
  store i32 @g 0 %h
  return
)"),
            R"(2
^0:
  %a = load i32 @g 0
  %b = iadd i32 %a 1
  %d = imul i32 %b %b
  %f = ilt i32 %d %d
  branch %f ^1 ^2
^1:
  %g = isub i32 %a 1
  store i32 @g 0 %g
  jump ^2
^2:
  %h = isub i32 %a 1
  store i32 @g 0 %h
  return
)");
}

TEST(IrPasses, RemoveDead) {
  EXPECT_EQ(after(passes::remove_dead, R"(^0:
  %a = load i32 @g 0
  %b = iadd i32 %a 1
  %v = load i32 @g 4 {volatile}
  %w = ddx f32 1.0
  %old = atomic i32 @g add 8 1
  return
)"),
            "3\n^0:\n  %v = load i32 @g 4 {volatile}\n  %old = atomic i32 @g add 8 1\n  return\n");
}

TEST(IrPasses, SimplifyFlow) {
  EXPECT_EQ(after(passes::simplify_flow, R"(^0:
  branch true ^1 ^2
^1:
  %a = wave_any true
  jump ^3
^2:
  jump ^3
^3:
  %b = phi b1 ^1 %a ^2 false
  barrier sync_group
  jump ^4
^4:
  branch %b ^5 ^6
^5:
  jump ^6
^6:
  return
)"),
            R"(4
^0:
  %a = wave_any true
  barrier sync_group
  jump ^1
^1:
  branch %a ^2 ^2
^2:
  return
)");
}

TEST(IrPasses, PromoteVariables) {
  EXPECT_EQ(after(passes::promote_variables, R"(^0:
  store i32 @x 4 7
  jump ^1
^1:
  %old = load f32 @x 4
  %now = fadd f32 %old 1.0
  store f32 @x 4 %now
  %more = flt f32 %now 9.0
  branch %more ^1 ^2
^2:
  %last = load i32 @x 4
  %zero = load i32 @x 8
  store i32 @g 0 %last
  store i32 @g 4 %zero
  return
)"),
            R"(5
^0:
  jump ^1
^1:
  %0 = phi i32 ^0 7 ^1 %3
  %1 = bitcast f32 %0
  %now = fadd f32 %1 1.0
  %3 = bitcast i32 %now
  %more = flt f32 %now 9.0
  branch %more ^1 ^2
^2:
  %5 = phi i32 ^1 %3
  store i32 @g 0 %5
  store i32 @g 4 0
  return
)");
  EXPECT_EQ(
      after(passes::promote_variables, "^0:\n  %a = load i32 @g 0\n  %b = load i32 @x %a\n  store i32 @x 0 %b\n  return\n").substr(0, 1),
      "0");
  EXPECT_EQ(after(passes::promote_variables, "^0:\n  %a = load i64 @x 0\n  store i32 @x 4 1\n  return\n").substr(0, 1), "0");
  EXPECT_EQ(after(passes::promote_variables, "^0:\n  store i32 @x 16 1\n  return\n").substr(0, 1), "0");
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

TEST(IrPasses, HoistUniform) {
  // out of both loops, out of the inner one, and not at all: what changes, what only some rounds need, and what is no value alone
  EXPECT_EQ(after(passes::hoist_uniform, R"(^0:
  %n = load i32 @g 0
  jump ^1
^1:
  %i = phi i32 ^0 0 ^5 %next
  jump ^2
^2:
  %k = phi i32 ^1 0 ^4 %step
  %size = imul i32 %n 3
  %sum = iadd i32 %i %size
  %own = iadd i32 %k %size
  %w = load i32 @g 8
  %odd = ieq i32 %own %w
  branch %odd ^3 ^4
^3:
  %rare = imul i32 %n 5
  store i32 @g 4 %rare
  jump ^4
^4:
  %step = iadd i32 %k 1
  %inside = ilt i32 %step %sum
  branch %inside ^2 ^5
^5:
  %next = iadd i32 %i 1
  %more = ilt i32 %next %n
  branch %more ^1 ^6
^6:
  return
)"),
            R"(2
^0:
  %n = load i32 @g 0
  %size = imul i32 %n 3
  jump ^1
^1:
  %i = phi i32 ^0 0 ^5 %next
  %sum = iadd i32 %i %size
  jump ^2
^2:
  %k = phi i32 ^1 0 ^4 %step
  %own = iadd i32 %k %size
  %w = load i32 @g 8
  %odd = ieq i32 %own %w
  branch %odd ^3 ^4
^3:
  %rare = imul i32 %n 5
  store i32 @g 4 %rare
  jump ^4
^4:
  %step = iadd i32 %k 1
  %inside = ilt i32 %step %sum
  branch %inside ^2 ^5
^5:
  %next = iadd i32 %i 1
  %more = ilt i32 %next %n
  branch %more ^1 ^6
^6:
  return
)");
}

TEST(IrPasses, HoistUniformBeforeBarriersWithMembers) {
  EXPECT_EQ(after(passes::hoist_uniform, R"(^0:
  %n = load i32 @g 0
  barrier sync_group
  jump ^1
^1:
  %i = phi i32 ^0 0 ^1 %next
  %pair = add_carry i32 %n 7
  %low = get i32 0 %pair
  %helper = builtin b1 is_helper
  %lane = builtin i32 lane
  %next = iadd i32 %i %low
  %more = ilt i32 %next %lane
  %goes = iand b1 %more %helper
  branch %goes ^1 ^2
^2:
  return
)"),
            R"(3
^0:
  %n = load i32 @g 0
  %pair = add_carry i32 %n 7
  %low = get i32 0 %pair
  %lane = builtin i32 lane
  barrier sync_group
  jump ^1
^1:
  %i = phi i32 ^0 0 ^1 %next
  %helper = builtin b1 is_helper
  %next = iadd i32 %i %low
  %more = ilt i32 %next %lane
  %goes = iand b1 %more %helper
  branch %goes ^1 ^2
^2:
  return
)");
}

TEST(IrPasses, RetypePhis) {
  EXPECT_EQ(after(passes::retype_phis, R"(^0:
  %a = load f32 @g 0
  %b = bitcast i32 %a
  jump ^1
^1:
  %sum = phi i32 ^0 %b ^1 %next
  %f = bitcast f32 %sum
  %g = fadd f32 %f 1.0
  %next = bitcast i32 %g
  %more = flt f32 %g 9.0
  branch %more ^1 ^2
^2:
  return
)"),
            R"(1
^0:
  %a = load f32 @g 0
  %b = bitcast i32 %a
  jump ^1
^1:
  %sum = phi f32 ^0 %a ^1 %g
  %3 = bitcast i32 %sum
  %f = bitcast f32 %3
  %g = fadd f32 %f 1.0
  %next = bitcast i32 %g
  %more = flt f32 %g 9.0
  branch %more ^1 ^2
^2:
  return
)");
}

std::string inlined(std::string_view text) {
  auto module = parse(text);
  if (!module) return to_string(module.error());
  const auto calls = passes::inline_calls(*module);
  if (!calls) return to_string(calls.error());
  for (const auto& finding : findings_of(*module)) return to_string(finding) + '\n' + print(*module);
  return std::to_string(*calls) + print(*module).substr(13);
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
  EXPECT_EQ(inlined(doubling(3)).substr(0, 2), "14");
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

TEST(IrPasses, InlineCalls) {
  EXPECT_EQ(inlined(R"(stage compute
variable @g group bytes 16
function @main {
^0:
  %one = call i32 @max 1:i32 2:i32
  %two = call i32 @max %one 3:i32
  %pair = call i32 x2 @pair %two
  %a = get i32 0 %pair
  store i32 @g 0 %a
  return
}
function @max (i32 i32) -> (i32) {
^0:
  %a = param i32 0
  %b = param i32 1
  %less = ilt i32 %a %b
  branch %less ^1 ^2
^1:
  return %b
^2:
  return %a
}
function @pair (i32) -> (i32 i32) {
^0:
  %a = param i32 0
  %b = iadd i32 %a 1
  return %b %a
}
)"),
            R"(3
variable @g group bytes 16

function @main {
^0:
  jump ^1
^1:
  %less = ilt i32 1 2
  branch %less ^2 ^3
^2:
  jump ^4
^3:
  jump ^4
^4:
  %1 = phi i32 ^2 2 ^3 1
  jump ^5
^5:
  %less.2 = ilt i32 %1 3
  branch %less.2 ^6 ^7
^6:
  jump ^8
^7:
  jump ^8
^8:
  %3 = phi i32 ^6 3 ^7 %1
  jump ^9
^9:
  %b = iadd i32 %3 1
  jump ^10
^10:
  %5 = phi i32 ^9 %b
  %6 = phi i32 ^9 %3
  store i32 @g 0 %5
  return
}
)");
  EXPECT_EQ(inlined("stage compute\nfunction @f {\n^0:\n  call @f\n  return\n}\n"),
            "error[limit]: f: calls nest deeper than 256, or a function calls itself: f");
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
