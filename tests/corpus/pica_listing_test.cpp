// SHBIN: the listing of every file assembles to the same words, descriptors and tables.
#include <gtest/gtest.h>

#include <cstdio>

#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"
#include "support/pica_listing.hpp"

namespace unshade::test {

namespace {

TEST(CorpusPica, TheListingOfAFileAssemblesToTheSame) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t files = 0;
  std::size_t raw = 0;
  for (const auto& path : files_below(corpus / "shbin", ".shbin")) {
    const auto bytes = read_bytes(path);
    const auto shbin = pica::parse_shbin(view_of(bytes));
    ASSERT_TRUE(shbin) << path;
    expect_listing_assembles(*shbin, path.string());
    Text text;
    pica::list_shbin(*shbin, text);
    raw += text.view().find(".word") != std::string_view::npos;
    ++files;
  }
  std::printf("%zu files, %zu with raw words\n", files, raw);
}

}  // namespace

}  // namespace unshade::test
