#include <unshade/find/facts.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <unshade/find/checksums.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/code.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

find::Facts facts_of_sample(const std::vector<std::byte>& bytes) { return find::facts_of(*shader::open(view_of(bytes))); }

bool has_name(const find::Facts& facts, std::string_view kind, std::string_view name) {
  return std::any_of(facts.names.begin(), facts.names.end(), [&](const auto& one) { return one.kind == kind && one.name == name; });
}

TEST(Facts, HaveNamesOpcodesAndIdentities) {
  const auto bytes = sample("textured_ps_5_0.dxbc");
  const find::Facts facts = facts_of_sample(bytes);
  EXPECT_EQ(facts.profile, "ps_5_0");
  EXPECT_EQ(facts.stage, "pixel");
  EXPECT_TRUE(has_name(facts, "cbuffer", "Material"));
  EXPECT_TRUE(has_name(facts, "variable", "tint"));
  EXPECT_TRUE(has_name(facts, "texture", "albedo"));
  EXPECT_TRUE(std::is_sorted(facts.names.begin(), facts.names.end()));
  const auto binding = std::find_if(facts.names.begin(), facts.names.end(), [](const auto& one) { return one.name == "detail"; });
  ASSERT_NE(binding, facts.names.end());
  EXPECT_EQ(binding->letters, "t");
  EXPECT_EQ(binding->bind_point, 3U);
  std::uint64_t counted = 0;
  for (const find::OpcodeCount& one : facts.opcodes) counted += one.count;
  EXPECT_EQ(counted, facts.instructions);
  EXPECT_EQ(counted, shader::opcodes(*shader::open(view_of(bytes)))->size());
  for (const find::Identity& identity : facts.identities) EXPECT_NE(identity.id, "renderdoc");
}

// What is computed together, and of modules that are kept, is what each alone is.
TEST(Facts, HaveTheIdentitiesThatAreAskedForOneByOne) {
  std::size_t compared = 0;
  for (const auto& path : files_below(source_dir() / "tests/data", "")) {
    const auto bytes = read_bytes(path);
    const auto shader = shader::open(view_of(bytes));
    if (!shader) continue;
    for (const find::Identity& one : find::facts_of(*shader).identities) {
      EXPECT_EQ(one.value, find::identity(*shader, one.id)) << path << ' ' << one.id;
      ++compared;
    }
  }
  EXPECT_GT(compared, 250U);
}

TEST(Facts, OfTwoModelsDifferInTheirOrderOfOpcodesAlone) {
  const find::Facts a = facts_of_sample(sample("lit_vs_4_0.dxbc"));
  const find::Facts b = facts_of_sample(sample("lit_vs_5_0.dxbc"));
  EXPECT_EQ(a.names == b.names, true);
  EXPECT_NE(a.profile, b.profile);
  if (find::has_xxh3()) {
    EXPECT_EQ(a.order == b.order, a.sketch == b.sketch);
  }
}

}  // namespace

}  // namespace unshade::test
