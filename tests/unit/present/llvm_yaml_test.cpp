#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/present/value.hpp>

namespace unshade::test {
namespace {

// Lines of ours in LLVM's documents: comments there, so that an edit could make another comment of one.
TEST(LlvmYaml, LinesOfOursAreAtTheirPlace) {
  const auto found = [](std::string_view line) {
    const auto rest = present::llvm_rest("--- !dxcontainer\n" + std::string(line) + "\n...\n");
    return rest ? "" : to_string(rest.error());
  };
  EXPECT_EQ(found("# unshade: a: 1"), "");
  for (const std::string_view line :
       {"# mine", "# unshaded: a", "Parts: '# unshade: a'", "# of unshade", "# unshade dump --format llvm a.dxil"})
    EXPECT_EQ(found(line), "") << line;
  for (const std::string_view line : {" # unshade: a: 1", "#unshade: a: 1", "# unshade a: 1", "#  unshade: a: 1", "## Unshade: a: 1"})
    EXPECT_EQ(found(line), "0x11: error[bad-value]: expected `# unshade:` at the start of the line") << line;
}

TEST(LlvmYaml, OffsetsOfOurLinesStay) {
  const std::string_view text = "--- !dxcontainer\nParts: []\n# unshade: a: 1\n# unshade:   b: 2\n...\n";
  const auto rest = present::llvm_rest(text);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->size(), text.size());
  EXPECT_EQ(rest->find("a: 1"), text.find("a: 1"));
  EXPECT_EQ(rest->find("b: 2"), text.find("b: 2"));
  EXPECT_EQ(rest->find_first_not_of(" \n"), text.find("a: 1"));
  const auto none = present::llvm_rest("--- !dxcontainer\n...\n");
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, "");
}

}  // namespace
}  // namespace unshade::test
