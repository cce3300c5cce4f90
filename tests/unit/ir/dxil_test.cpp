#include <unshade/ir/lower_dxil.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/parts.hpp>

#include "support/files.hpp"

namespace unshade::ir {
namespace {

dxil::Module sample(std::string_view name) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil" / name);
  const auto container = dxcontainer::parse_container(test::view_of(bytes));
  EXPECT_TRUE(container) << name;
  const auto program = dxil::parse_program(*container->find(dxcontainer::fourcc("DXIL")));
  EXPECT_TRUE(program) << name;
  auto module = dxil::parse_module(program->bitcode);
  EXPECT_TRUE(module) << name;
  return std::move(*module);
}

std::size_t count(const Function& function, Op op) {
  std::size_t found = 0;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (function.insts[id].op == op) ++found;
    }
  }
  return found;
}

TEST(LowerDxil, EndsABlockAtEachBarrier) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto module = lower(from);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->stage, Stage::compute);
  const Function& function = module->functions[0];
  EXPECT_GT(count(function, Op::barrier), 1U);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op != Op::barrier) continue;
    EXPECT_EQ(function.next[id], function.blocks[function.block_of[id]].last);
    EXPECT_EQ(function.insts[id].extra, kSyncGroup | kGroupMemory);
  }
  ASSERT_EQ(module->variables.size(), 1U);
  EXPECT_EQ(module->variables[0].space, Space::group);
  EXPECT_EQ(module->info.group_size[0] * module->info.group_size[1] * module->info.group_size[2] * 4, module->variables[0].bytes);
}

TEST(LowerDxil, GivesPhisAnOperandForEachPredecessor) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto module = lower(from);
  ASSERT_TRUE(module);
  const Function& function = module->functions[0];
  EXPECT_GT(count(function, Op::phi), 0U);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op != Op::phi) continue;
    EXPECT_EQ(function.insts[id].operand_count, function.predecessors_of(function.block_of[id]).size());
  }
}

TEST(LowerDxil, RefusesAnEntryThatIsNotThere) {
  const auto from = sample("bitonic_cs_6_0.dxil");
  const auto refused = lower(from, {.entry = "other"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::missing);
}

}  // namespace
}  // namespace unshade::ir
