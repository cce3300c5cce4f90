// Corpus files cut short: refused with field and offset, never crashed on.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/effort.hpp"
#include "support/truncations.hpp"

namespace unshade::test {

namespace {

// A few dozen small files from all over the corpus.
std::vector<std::filesystem::path> small_files(const std::filesystem::path& corpus) {
  constexpr std::uintmax_t kMostBytes = 6000;
  constexpr std::size_t kFiles = effort<std::size_t>(48, 12);
  std::vector<std::filesystem::path> small;
  for (const auto& path : files_below(corpus / "dxbc", ".dxbc"))
    if (std::filesystem::file_size(path) < kMostBytes) small.push_back(path);
  std::vector<std::filesystem::path> chosen;
  for (std::size_t i = 0; i < kFiles && !small.empty(); ++i) chosen.push_back(small[i * small.size() / kFiles]);
  return chosen;
}

TEST(CorpusTruncation, EveryTruncationIsRefused) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  for (const auto& path : small_files(corpus)) expect_every_truncation_is_refused(read_bytes(path), path.string());
}

TEST(CorpusTruncation, TruncationsThatStateTheirSizeAreReadOrRefused) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  for (const auto& path : small_files(corpus)) expect_truncations_with_their_size_hold(read_bytes(path), 13, path.string());
}

TEST(CorpusTruncation, TruncatedPartsAreReadOrRefused) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  for (const auto& path : small_files(corpus)) expect_truncated_parts_hold(read_bytes(path), 24, path.string());
}

}  // namespace

}  // namespace unshade::test
