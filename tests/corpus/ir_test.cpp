// The IR: programs of every family lower.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include <unshade/ir/lower_pica.hpp>
#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusIr, EveryPicaProgramLowers) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t programs = 0;
  std::size_t largest = 0;
  for (const auto& path : files_below(corpus / "shbin", ".shbin")) {
    const auto bytes = read_bytes(path);
    const auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << path << ' ' << to_string(shbin.error());
    for (std::size_t at = 0; at < shbin->executables.size(); ++at) {
      const auto module = ir::lower(*shbin, at);
      EXPECT_TRUE(module) << path << ' ' << at << ' ' << to_string(module.error());
      if (!module) continue;
      largest = std::max(largest, module->functions[0].insts.size());
      ++programs;
    }
  }
  EXPECT_GT(programs, 0U);
  std::printf("%zu programs, at most %zu instructions\n", programs, largest);
}

}  // namespace

}  // namespace unshade::test
