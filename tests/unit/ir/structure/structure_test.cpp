#include <unshade/ir/structure.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/structure/random_flow.hpp"

namespace unshade::ir {
namespace {

// The tree of a function whose blocks are given by their edges: the lines of its text without instructions, each with its end.
std::string tree_of(std::string_view blocks) {
  auto module = parse("stage compute\nvariable @g group bytes 16\nfunction @f {\n" + std::string(blocks) + "}\n");
  if (!module) return to_string(module.error());
  canonicalize(*module);
  auto valid = verified(*std::move(module));
  if (!valid) return to_string(valid.error());
  const auto made = structured(*std::move(valid));
  if (!made) return to_string(made.error());
  std::string all;
  for (std::size_t at = 0; at < made->trees.size(); ++at)
    for (const auto& finding : findings_of(made->module->functions[at], made->trees[at])) all += to_string(finding) + '\n';
  const std::string text = print(*made);
  for (std::size_t at = text.find("{\n") + 2; at + 2 < text.size(); at = text.find('\n', at) + 1) {
    const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
    const std::string_view words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (!words.starts_with('%') && !words.starts_with("store")) all += std::string(line) + '\n';
  }
  return all;
}

constexpr std::string_view kLoad = "  %a = load i32 @g 0\n  %c = ilt i32 %a 3\n  %d = ilt i32 %a 4\n  %e = ilt i32 %a 5\n";
std::string with_load(std::string_view blocks) { return "^0:\n" + std::string(kLoad) + std::string(blocks); }

TEST(IrStructure, Branches) {
  EXPECT_EQ(
      tree_of(with_load("  branch %c ^1 ^2\n^1:\n  branch %d ^3 ^4\n^2:\n  jump ^5\n^3:\n  jump ^4\n^4:\n  jump ^5\n^5:\n  return\n")),
      R"(  ^0:
  if %c {
    ^1:
    if %d {
      ^3:
    }
    ^4:
  } else {
    ^2:
  }
  ^5:
  return
)");
}

TEST(IrStructure, BothArmsToOneBlock) {
  EXPECT_EQ(tree_of(with_load("  branch %c ^1 ^1\n^1:\n  return\n")), "  ^0:\n  if %c {\n  }\n  ^1:\n  return\n");
}

// What comes after an arm that leads elsewhere is not an arm, however deep it was.
TEST(IrStructure, ArmsThatReturnComeFirst) {
  EXPECT_EQ(tree_of(with_load("  branch %c ^1 ^2\n^1:\n  store i32 @g 4 1\n  return\n^2:\n  branch %d ^3 ^4\n^3:\n  jump ^5\n^4:\n"
                              "  store i32 @g 4 2\n  return\n^5:\n  return\n")),
            R"(  ^0:
  if %c {
    ^1:
    return
  }
  ^2:
  if not %d {
    ^4:
    return
  }
  ^3:
  ^5:
  return
)");
}

TEST(IrStructure, LoopWithBreaks) {
  EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  branch %c ^2 ^6\n^2:\n  branch %d ^3 ^4\n^3:\n  store i32 @g 4 1\n  branch %e ^5 ^6\n"
                              "^4:\n  store i32 @g 4 2\n  jump ^5\n^5:\n  jump ^1\n^6:\n  return\n")),
            R"(  ^0:
  loop ^1 latch ^5 {
    ^1:
    if not %c {
      break ^6
    }
    ^2:
    if %d {
      ^3:
      if not %e {
        break ^6
      }
    } else {
      ^4:
    }
    ^5:
  }
  ^6:
  return
)");
}

// What only returns has no place of its own in a loop.
TEST(IrStructure, ReturnsInALoop) {
  EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  branch %c ^2 ^3\n^2:\n  branch %d ^3 ^4\n^3:\n  return\n^4:\n  jump ^1\n")),
            R"(  ^0:
  loop ^1 latch ^4 {
    ^1:
    if not %c {
      return ^3
    }
    ^2:
    if %d {
      return ^3
    }
    ^4:
  }
)");
}

TEST(IrStructure, ContinuesGoToTheLatch) {
  EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  branch %c ^2 ^3\n^2:\n  branch %d ^6 ^4\n^3:\n  jump ^4\n^4:\n  store i32 @g 4 1\n"
                              "  jump ^5\n^5:\n  store i32 @g 4 2\n  jump ^6\n^6:\n  branch %e ^1 ^7\n^7:\n  return\n")),
            R"(  ^0:
  loop ^1 latch ^6 {
    ^1:
    if %c {
      ^2:
      if %d {
        continue ^6
      }
    } else {
      ^3:
    }
    ^4:
    ^5:
    ^6:
    if not %e {
      break ^7
    }
  }
  ^7:
  return
)");
}

TEST(IrStructure, BlockThatIsALoop) {
  EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  branch %c ^1 ^2\n^2:\n  return\n")),
            "  ^0:\n  loop ^1 {\n    ^1:\n    if not %c {\n      break ^2\n    }\n  }\n  ^2:\n  return\n");
}

TEST(IrStructure, LoopWithoutAnEnd) { EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  jump ^1\n")), "  ^0:\n  loop ^1 {\n    ^1:\n  }\n"); }

// Of two ways out, what runs after the break is printed in the loop.
TEST(IrStructure, LoopWithTwoTails) {
  EXPECT_EQ(tree_of(with_load("  jump ^1\n^1:\n  branch %c ^2 ^3\n^2:\n  branch %d ^1 ^4\n^3:\n  store i32 @g 4 1\n  jump ^5\n"
                              "^4:\n  store i32 @g 4 2\n  jump ^5\n^5:\n  return\n")),
            R"(  ^0:
  loop ^1 latch ^2 {
    ^1:
    if not %c {
      ^3:
      break ^5
    }
    ^2:
    if not %d {
      ^4:
      break ^5
    }
  }
  ^5:
  return
)");
}

TEST(IrStructure, Switch) {
  EXPECT_EQ(tree_of(with_load("  switch i32 %a ^3 1 ^1 2 ^2 3 ^1 4 ^4\n^1:\n  jump ^4\n^2:\n  return\n^3:\n  jump ^4\n^4:\n  return\n")),
            R"(  ^0:
  switch %a {
    case 1 3 {
      ^1:
    }
    case 2 {
      ^2:
      return
    }
    case 4 {
    }
    default {
      ^3:
    }
  }
  ^4:
  return
)");
}

TEST(IrStructure, BreakOutOfASwitch) {
  EXPECT_EQ(tree_of(with_load("  switch i32 %a ^5 1 ^1 2 ^2\n^1:\n  branch %c ^5 ^3\n^2:\n  jump ^5\n^3:\n  branch %d ^5 ^4\n^4:\n"
                              "  store i32 @g 4 1\n  jump ^5\n^5:\n  store i32 @g 4 2\n  return\n")),
            R"(  ^0:
  switch %a {
    case 1 {
      ^1:
      if not %c {
        ^3:
        if not %d {
          ^4:
        }
      }
    }
    case 2 {
      ^2:
    }
    default {
    }
  }
  ^5:
  return
)");
}

/// Instructions that are too many for a copy.
std::string many() {
  std::string text;
  for (unsigned at = 0; at < 80; ++at) text += "  store i32 @g 8 " + std::to_string(at) + "\n";
  return text;
}

// if (c || d) { ... }
TEST(IrStructure, RegionWhereTwoConditionsLeadToOneBlock) {
  EXPECT_EQ(tree_of(with_load("  branch %c ^2 ^1\n^1:\n  branch %d ^2 ^3\n^2:\n" + many() + "  jump ^3\n^3:\n" + many() + "  return\n")),
            R"(  once {
    ^0:
    if not %c {
      ^1:
      if not %d {
        break ^3
      }
    }
    ^2:
  }
  ^3:
  return
)");
}

TEST(IrStructure, SmallBlocksAreCopiedInstead) {
  EXPECT_EQ(tree_of(with_load(
                "  branch %c ^2 ^1\n^1:\n  branch %d ^2 ^3\n^2:\n  store i32 @g 8 1\n  jump ^3\n^3:\n  store i32 @g 4 1\n  return\n")),
            R"(  ^0:
  if %c {
    ^1:
  } else {
    ^2:
    if %d {
      ^3:
    }
  }
  ^4:
  return
)");
}

// Lanes meet in front of an operation of a quad.
TEST(IrStructure, OperationsOfWavesAreNotCopied) {
  EXPECT_NE(
      tree_of(with_load("  branch %c ^2 ^1\n^1:\n  branch %d ^2 ^3\n^2:\n  %w = wave_any %c\n  jump ^3\n^3:\n" + many() + "  return\n"))
          .find("once"),
      std::string::npos);
}

TEST(IrStructure, BreakThatLeavesALoopAndARegion) {
  const std::string text =
      tree_of(with_load("  jump ^1\n^1:\n  branch %c ^2 ^4\n^2:\n  branch %d ^3 ^4\n^3:\n  branch %e ^1 ^5\n^4:\n" + many() +
                        "  jump ^6\n^5:\n" + many() + "  branch %c ^6 ^7\n^6:\n" + many() + "  return\n^7:\n" + many() + "  jump ^6\n"));
  EXPECT_NE(text.find("break ^"), std::string::npos) << text;
  EXPECT_EQ(text.find("ir.structured"), std::string::npos) << text;
}

// A cycle that two blocks lead into.
TEST(IrStructure, IrreducibleFunctionsGetCopies) {
  EXPECT_EQ(
      tree_of("^0:\n  %a = load i32 @g 0\n  %c = ilt i32 %a 3\n  branch %c ^1 ^2\n^1:\n  %x = phi i32 ^0 1 ^2 %y\n  store i32 @g 4 %x\n"
              "  jump ^2\n^2:\n  %y = phi i32 ^0 2 ^1 %x\n  store i32 @g 8 %y\n  %b = load i32 @g 0\n  %d = ilt i32 %b %y\n  branch %d ^1 "
              "^3\n^3:\n"
              "  return\n"),
      R"(  ^0:
  if %c {
    ^1:
  }
  loop ^2 latch ^3 {
    ^2:
    if not %d {
      break ^4
    }
    ^3:
  }
  ^4:
  return
)");
}

TEST(IrStructure, RefusesFunctionsThatNeedTooManyCopies) {
  // every block leads to all others
  std::string text;
  constexpr unsigned kBlocks = 12;
  for (unsigned block = 0; block < kBlocks; ++block) {
    text += '^' + std::to_string(block) + ":\n";
    for (unsigned at = 0; at < 200; ++at) text += "  store i32 @g 8 1\n";
    text += "  %v" + std::to_string(block) + " = load i32 @g 0\n  switch i32 %v" + std::to_string(block) + " ^1";
    for (unsigned to = 2; to < kBlocks; ++to) text += ' ' + std::to_string(to) + " ^" + std::to_string(to);
    text += '\n';
  }
  EXPECT_EQ(tree_of(text), "error[unsupported]: f: the control flow is irreducible, and would need too many copies of blocks");
}

Module loop_module() {
  return *parse(
      "stage compute\nvariable @g group bytes 16\nfunction @f {\n" +
      with_load(
          "  jump ^1\n^1:\n  branch %c ^2 ^4\n^2:\n  switch i32 %a ^3 1 ^3 2 ^5\n^5:\n  store i32 @g 4 2\n  jump ^3\n^3:\n  jump ^1\n^4:\n"
          "  return\n") +
      "}\n");
}

// Whatever is changed in a tree, a finding says so.
TEST(IrStructure, WrongTreesAreFound) {
  Module module = loop_module();
  canonicalize(module);
  const Function& function = module.functions[0];
  const auto tree = structure_of(function);
  ASSERT_TRUE(tree);
  ASSERT_TRUE(findings_of(function, *tree).empty());
  const auto finds = [&](const Structure& changed) {
    const auto findings = findings_of(function, changed);
    return !findings.empty() && findings[0].rule->id == "ir.structured";
  };
  for (std::size_t at = 0; at < tree->nodes.size(); ++at) {
    for (const std::uint32_t value : {0U, 1U, 3U, 5U, 1000U, kNone}) {
      const auto with = [&](std::uint32_t Node::* field) {
        Structure changed = *tree;
        if (changed.nodes[at].*field == value) return true;
        changed.nodes[at].*field = value;
        return finds(changed);
      };
      const NodeKind kind = tree->nodes[at].kind;
      const bool is_jump = kind == NodeKind::break_ || kind == NodeKind::continue_;
      EXPECT_TRUE(with(&Node::parent)) << at << ' ' << value;
      EXPECT_TRUE(with(&Node::end)) << at << ' ' << value;
      const bool has_block = kind != NodeKind::then_ && kind != NodeKind::else_ && kind != NodeKind::case_;
      EXPECT_TRUE(!has_block || with(&Node::block)) << at << ' ' << value;
      EXPECT_TRUE(!is_jump || (with(&Node::target) && with(&Node::crossed))) << at << ' ' << value;
      EXPECT_TRUE(kind != NodeKind::loop || with(&Node::latch)) << at << ' ' << value;
      EXPECT_TRUE(kind != NodeKind::case_ || (with(&Node::first_label) && with(&Node::label_count))) << at << ' ' << value;
    }
    for (int kind = 0; kind <= static_cast<int>(NodeKind::return_); ++kind) {
      Structure changed = *tree;
      // a break to what only returns may be a return
      const bool is_same = static_cast<int>(changed.nodes[at].kind) == kind ||
                           (changed.nodes[at].kind == NodeKind::break_ && kind == static_cast<int>(NodeKind::return_));
      if (is_same) continue;
      changed.nodes[at].kind = static_cast<NodeKind>(kind);
      EXPECT_TRUE(finds(changed)) << at << ' ' << kind;
    }
    Structure shorter = *tree;
    shorter.nodes.erase(shorter.nodes.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_TRUE(finds(shorter)) << at;
  }
  EXPECT_TRUE(finds({}));
}

TEST(IrStructure, RefusesIrreducibleFunctionsByName) {
  Module module = loop_module();
  module.functions[0].irreducible = true;
  const auto tree = structure_of(module.functions[0]);
  ASSERT_FALSE(tree);
  EXPECT_EQ(to_string(tree.error()), "error[unsupported]: f: the control flow is irreducible, and has no structure");
}

// Trees, their checks and their texts are made in loops, and in proportion to the function.
TEST(IrStructure, AnyDepth) {
  constexpr std::uint32_t kDepth = 20'000;
  std::vector<std::vector<std::uint32_t>> branches, loops, skips, cases(2);
  for (std::uint32_t at = 0; at < kDepth; ++at) branches.push_back({at + 1, 2 * kDepth - at});
  for (std::uint32_t at = kDepth; at < 2 * kDepth; ++at) branches.push_back({at + 1});
  branches.emplace_back();
  for (std::uint32_t at = 0; at <= kDepth; ++at) loops.push_back({at + 1});
  for (std::uint32_t at = kDepth + 1; at <= 2 * kDepth; ++at) loops.push_back({2 * kDepth + 1 - at, at + 1});
  loops.emplace_back();
  for (std::uint32_t at = 0; at + 2 < 2 * kDepth; ++at) skips.push_back({at + 1, at + 2});
  skips.push_back({2 * kDepth - 1});
  skips.emplace_back();
  for (std::uint32_t at = 0; at < kDepth; ++at) {
    cases[0].push_back(at + 2);
    cases.push_back({1});
  }
  const auto check = [](const std::vector<std::vector<std::uint32_t>>& edges, std::size_t depth) {
    auto valid = verified(test::flow_module(edges));
    ASSERT_TRUE(valid) << to_string(valid.error());
    const auto made = structured(*std::move(valid));
    ASSERT_TRUE(made) << to_string(made.error());
    for (const auto& finding : findings_of(made->module->functions[0], made->trees[0])) FAIL() << to_string(finding);
    EXPECT_GE(count(made->trees[0]).depth, depth);
    EXPECT_LT(print(*made).size(), 1000 * edges.size());
  };
  check(branches, kDepth);
  check(loops, kDepth - 1);
  check(skips, kDepth);
  check(cases, 1);
}

// Of many cycles with two entries each as many are made reducible as steps allow.
TEST(IrStructure, RefusesWhatTakesTooLong) {
  const auto with_cycles = [](std::uint32_t cycles) {
    std::vector<std::vector<std::uint32_t>> edges;
    for (std::uint32_t at = 0; at < 3 * cycles; at += 3) edges.insert(edges.end(), {{at + 1, at + 2}, {at + 2}, {at + 1, at + 3}});
    edges.emplace_back();
    return structured(*verified(test::flow_module(edges)));
  };
  EXPECT_TRUE(with_cycles(40));
  const auto refused = with_cycles(20'000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()),
            "error[unsupported]: main: the control flow is irreducible, and would need too many copies of blocks");
}

TEST(IrStructure, CountsWhatATreeHas) {
  Module module = loop_module();
  canonicalize(module);
  const auto counts = count(*structure_of(module.functions[0]));
  EXPECT_EQ(counts.blocks, 6U);
  EXPECT_EQ(counts.ifs, 1U);
  EXPECT_EQ(counts.loops, 1U);
  EXPECT_EQ(counts.switches, 1U);
  EXPECT_EQ(counts.onces, 0U);
  EXPECT_EQ(counts.breaks, 1U);
  EXPECT_EQ(counts.continues, 0U);
  EXPECT_EQ(counts.returns, 1U);
  EXPECT_EQ(counts.crossing, 0U);
  EXPECT_EQ(counts.depth, 2U);
}

}  // namespace
}  // namespace unshade::ir
