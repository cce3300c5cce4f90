// What is to be said of a drawing.
#include <unshade/present/drawn.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::test {
namespace {

TEST(Doubts, AreMismatchesAndConstantsThatAreNotGiven) {
  scene::Drawn drawn;
  EXPECT_TRUE(present::doubts_of(drawn).empty());
  scene::Drawn::Pass& pass = drawn.passes.emplace_back();
  pass.name = "pass 1";
  pass.mismatches = {"COLOR0 is not written"};
  pass.vulkan_mismatches = {"`uv` at location 1 is not written"};
  pass.format_mismatches = {"the pixel shader: `t` (t0) has the format R32_UINT"};
  pass.not_given.push_back({"vertex", {"a", "b"}});
  pass.not_given.push_back({"pixel", {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"}});
  const std::vector<present::Doubt> doubts = present::doubts_of(drawn);
  ASSERT_EQ(doubts.size(), 5U);
  EXPECT_EQ(doubts[0].id, "linkage");
  EXPECT_EQ(doubts[0].message, "pass 1: Direct3D refuses this pipeline: COLOR0 is not written");
  EXPECT_EQ(doubts[1].id, "linkage");
  EXPECT_EQ(doubts[1].message, "pass 1: the pipeline is not valid in Vulkan: `uv` at location 1 is not written");
  EXPECT_EQ(doubts[2].id, "format");
  EXPECT_EQ(doubts[2].message, "pass 1: the pixel shader: `t` (t0) has the format R32_UINT");
  EXPECT_EQ(doubts[3].id, "constants");
  EXPECT_EQ(doubts[3].message, "pass 1: the scene does not give these constants of the vertex shader, which are 0: `a`, `b`");
  EXPECT_TRUE(doubts[4].message.ends_with("`c6`, `c7` and 2 more")) << doubts[4].message;
}

}  // namespace
}  // namespace unshade::test
