// Trees of random control flow.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/structure.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/random_module.hpp"
#include "unit/ir/structure/random_flow.hpp"

namespace unshade::ir {
namespace {

/// The edges of a function, each as the operand of a terminator.
std::vector<StructureEdge> edges_of(const Function& function) {
  std::vector<StructureEdge> edges;
  for (const BlockId block : function.order) {
    const Id last = function.blocks[block].last;
    const auto operands = function.operands_of(last);
    for (std::uint32_t at = 0; at < operands.size(); ++at)
      if (is_block_operand(function.insts[last].op, at)) edges.push_back({block, at, operands[at]});
  }
  return edges;
}

std::string list_of(std::vector<StructureEdge> edges) {
  std::ranges::sort(edges, {}, [](const StructureEdge& edge) { return std::pair(edge.from, edge.label); });
  std::string list;
  for (const StructureEdge& edge : edges)
    list += std::to_string(edge.from) + '.' + std::to_string(edge.label) + ">" + std::to_string(edge.to) + ' ';
  return list;
}

TEST(IrStructureRandom, ReducibleGraphsHaveTrees) {
  test::Random random(1);
  std::size_t onces = 0, crossing = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const Module module = test::flow_module(test::reducible_edges(random, 2 + round % 60));
    ASSERT_FALSE(module.functions[0].irreducible) << round;
    const auto tree = structure_of(module.functions[0]);
    ASSERT_TRUE(tree) << round << ' ' << to_string(tree.error());
    for (const auto& finding : findings_of(module.functions[0], *tree)) FAIL() << round << ' ' << to_string(finding);
    const auto counts = count(*tree);
    onces += counts.onces;
    crossing += counts.crossing;
    // every block is printed, but for returns
    const bool all = counts.blocks == module.functions[0].order.size();
    EXPECT_TRUE(!all || list_of(flatten(*tree)) == list_of(edges_of(module.functions[0]))) << round;
  }
  EXPECT_GT(onces, 100U);
  EXPECT_GT(crossing, 100U);
}

TEST(IrStructureRandom, AnyGraphHasATreeOrIsRefused) {
  test::Random random(2);
  std::size_t trees = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const Module module = test::flow_module(test::any_edges(random, 2 + round % 40));
    const auto tree = structure_of(module.functions[0]);
    ASSERT_EQ(tree.has_value(), !module.functions[0].irreducible) << round;
    if (!tree) continue;
    for (const auto& finding : findings_of(module.functions[0], *tree)) FAIL() << round << ' ' << to_string(finding);
    ++trees;
  }
  EXPECT_GT(trees, 1000U);
}

// Functions do the same after blocks of them were copied, for cycles with several entries and for regions that are spared.
TEST(IrStructureRandom, CopiesOfBlocksKeepWhatAFunctionDoes) {
  constexpr std::size_t kSteps = 3000;
  std::size_t irreducible = 0, refused = 0, copied = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Module module = test::random_module(seed, 3 + seed % 24);
    canonicalize(module);
    const auto before = test::run(module.functions[0], kSteps);
    const bool was_irreducible = module.functions[0].irreducible;
    const std::size_t blocks = module.functions[0].order.size();
    irreducible += was_irreducible ? 1 : 0;
    auto valid = verified(std::move(module));
    ASSERT_TRUE(valid) << seed << ' ' << to_string(valid.error());
    const auto made = structured(*std::move(valid));
    if (!made) {
      ASSERT_TRUE(was_irreducible) << seed << ' ' << to_string(made.error());
      ++refused;
      continue;
    }
    for (const auto& finding : findings_of(*made->module)) FAIL() << seed << ' ' << to_string(finding);
    const Function& function = made->module->functions[0];
    for (const auto& finding : findings_of(function, made->trees[0])) FAIL() << seed << ' ' << to_string(finding);
    ASSERT_TRUE(test::agree(before, test::run(function, kSteps))) << seed;
    copied += function.order.size() > blocks ? 1 : 0;
  }
  EXPECT_GT(irreducible, 300U);
  EXPECT_LT(refused * 10, irreducible);
  EXPECT_GT(copied, irreducible - refused);
}

}  // namespace
}  // namespace unshade::ir
