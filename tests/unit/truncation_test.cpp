// The samples cut short at every byte.
#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/truncations.hpp"

namespace unshade::test {

namespace {

std::vector<std::filesystem::path> samples() { return files_below(source_dir() / "tests/data/dxbc", ".dxbc"); }

TEST(Truncation, EveryTruncationIsRefused) {
  ASSERT_FALSE(samples().empty());
  for (const auto& path : samples()) expect_every_truncation_is_refused(read_bytes(path), path.filename().string());
}

TEST(Truncation, TruncationsThatStateTheirSizeAreReadOrRefused) {
  for (const auto& path : samples()) expect_truncations_with_their_size_hold(read_bytes(path), effort(83, 400), path.filename().string());
}

TEST(Truncation, TruncatedPartsAreReadOrRefused) {
  for (const auto& path : samples()) expect_truncated_parts_hold(read_bytes(path), effort(32, 8), path.filename().string());
}

}  // namespace

}  // namespace unshade::test
