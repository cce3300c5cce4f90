// SHBIN: every file parses, every byte has a name, and writing gives the file back.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/annotate.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusPica, AFileIsWrittenAsItWasReadAndEveryByteHasAName) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  std::size_t words = 0;
  for (const auto& path : files_below(corpus / "shbin", ".shbin")) {
    const auto bytes = read_bytes(path);
    const auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << path << ' ' << to_string(shbin.error());
    EXPECT_TRUE(pica::write_shbin(*shbin) == bytes) << path;
    const Tree tree = shader::annotate(view_of(bytes));
    const Coverage coverage = tree.coverage();
    EXPECT_EQ(coverage.named + coverage.padding, bytes.size()) << path;
    EXPECT_TRUE(tree.errors().empty()) << path;
    for (const std::uint32_t word : shbin->program.code) {
      const pica::Instruction instruction = pica::decode(word);
      EXPECT_NE(instruction.opcode, pica::Opcode::unknown) << path;
      EXPECT_EQ(pica::encode(instruction), word);
    }
    words += shbin->program.code.size();
    ++files;
  }
  EXPECT_GT(files, 0U);
  std::printf("%zu files, %zu words\n", files, words);
}

}  // namespace

}  // namespace unshade::test
