#include <unshade/present/dump.hpp>

#include <gtest/gtest.h>

#include <string>

#include <unshade/shader/annotate.hpp>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

/// The bytes that a hex dump shows, put together again.
std::vector<std::byte> bytes_of_dump(const std::string& dump) {
  std::string digits;
  std::size_t at = 0;
  while (at < dump.size()) {
    const auto end = dump.find('\n', at);
    const std::string line = dump.substr(at, end - at);
    at = end + 1;
    // `0034  49 53 47 4e ...`: an offset, two blanks, 16 columns of three characters
    if (line.size() < 54 || line.substr(4, 2) != "  " || line.find_first_not_of("0123456789abcdef") != 4) continue;
    digits += line.substr(6, 48);
  }
  return from_hex(digits);
}

TEST(Hex, ShowsEveryByteOnceAndInOrder) {
  for (const auto& file : files_below(source_dir() / "tests/data/dxbc", ".dxbc")) {
    const auto outcome = run_command({"dump", "--hex", file.generic_string()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(bytes_of_dump(outcome.out), read_bytes(file)) << file;
  }
}

TEST(Hex, ShowsDamagedFilesToo) {
  Surroundings around;
  around.input = sample("lit_vs_5_0.dxbc");
  for (const std::size_t size : {0U, 3U, 31U, 32U, 100U, 1000U}) {
    auto cut = around;
    cut.input.resize(size);
    const auto outcome = run_command({"dump", "--hex", "-"}, cut);
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_EQ(bytes_of_dump(outcome.out), cut.input) << size;
  }
}

TEST(Coverage, IsWholeOnSamples) {
  for (const auto& file : files_below(source_dir() / "tests/data/dxbc", ".dxbc")) {
    const auto bytes = read_bytes(file);
    const auto coverage = shader::annotate(view_of(bytes)).coverage();
    EXPECT_EQ(coverage.named + coverage.padding + coverage.unknown, bytes.size()) << file;
  }
}

TEST(Part, IsFoundByNameAndByFourCC) {
  const auto bytes = sample("lit_vs_5_0.dxbc");
  const Tree tree = shader::annotate(view_of(bytes));
  const present::Children children(tree);
  EXPECT_EQ(present::select_parts(tree, children, "ISGN").size(), 1U);
  EXPECT_EQ(present::select_parts(tree, children, "header").size(), 1U);
  EXPECT_TRUE(present::select_parts(tree, children, "isgn").empty());
  EXPECT_EQ(present::select_parts(tree, children, "").size(), children.of(0).size());
}

TEST(Children, EachFieldHasOneParent) {
  const auto bytes = sample("grid_cs_5_0.dxbc");
  const Tree tree = shader::annotate(view_of(bytes));
  const present::Children children(tree);
  std::size_t sum = 0;
  for (std::uint32_t i = 0; i < tree.fields().size(); ++i) sum += children.of(i).size();
  EXPECT_EQ(sum + 1, tree.fields().size());
}

}  // namespace

}  // namespace unshade::test
