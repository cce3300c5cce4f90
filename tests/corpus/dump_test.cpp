// Every byte of every file by name.
#include <gtest/gtest.h>

#include <cstdio>

#include <unshade/shader/annotate.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

TEST(CorpusDump, AttributesEveryByte) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  Coverage sum;
  std::size_t files = 0;
  for (const auto& file : files_below(corpus / "dxbc", ".dxbc")) {
    const auto bytes = read_bytes(file);
    const Coverage coverage = shader::annotate(view_of(bytes)).coverage();
    EXPECT_EQ(coverage.named + coverage.padding + coverage.unknown, bytes.size()) << file;
    sum.unknown += coverage.unknown;
    sum.padding += coverage.padding;
    sum.total += coverage.total;
    ++files;
  }
  const double unknown = 100.0 * static_cast<double>(sum.unknown) / static_cast<double>(sum.total);
  RecordProperty("files", static_cast<int>(files));
  std::printf("%zu files, %llu bytes, %llu padding, %llu unknown (%.3f %%)\n", files, static_cast<unsigned long long>(sum.total),
              static_cast<unsigned long long>(sum.padding), static_cast<unsigned long long>(sum.unknown), unknown);
  EXPECT_LT(unknown, 1.0);
}

}  // namespace

}  // namespace unshade::test
