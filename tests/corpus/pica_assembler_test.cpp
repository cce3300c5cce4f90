// Over the corpus: a listing, assembled, gives the file's code words, descriptors and tables again.
#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/reassemble.hpp"

namespace unshade::test {

namespace {

TEST(PicaCorpus, ListingsAssembleToTheSameProgram) {
  const auto dir = corpus_dir();
  if (dir.empty()) GTEST_SKIP() << kNoCorpus;
  const auto files = files_below(dir / "shbin", ".shbin");
  EXPECT_FALSE(files.empty());
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const auto bytes = read_bytes(path);
    const auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << to_string(shbin.error());
    expect_reassembles(*shbin);
  }
}

}  // namespace

}  // namespace unshade::test
