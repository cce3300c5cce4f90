// Counts of several suites together, by lines. That they are those of runs is in tests/unit/cli/testing/coverage_test.cpp.
#include <unshade/suite/coverage.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace unshade::suite {
namespace {

/// Four instructions, of which the third is not counted; the second is a branch, and the first two are of a line.
SuiteRunner::Coverage coverage_of(std::vector<std::uint64_t> waves, std::vector<std::uint64_t> ways) {
  SuiteRunner::Coverage made;
  made.shader = "a.cso";
  made.function = "main";
  made.profile.counted = {true, true, false, true};
  made.profile.waves = std::move(waves);
  made.profile.lanes.resize(made.profile.waves.size());
  made.profile.branches[7] = {.instruction = 1, .waves = std::move(ways)};
  made.places.files = {"a.hlsl", "unused.hlsl"};
  made.places.places = {{0, 5}, {0, 5}, {0, 6}, {}};
  return made;
}

TEST(CoveredShaders, AreOneForAllSuites) {
  auto other = coverage_of({9, 9, 0, 9}, {9, 9});
  other.entry = "other";
  const auto made = covered_shaders({coverage_of({1, 2, 0, 0}, {2, 0}), other, coverage_of({3, 1, 0, 0}, {1, 0})});
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[1].coverage.entry, "other");
  const CoveredText& listing = made[0].listing;
  EXPECT_EQ(listing.lines, (std::map<std::uint32_t, std::uint64_t>{{1, 4}, {2, 3}, {4, 0}}));
  EXPECT_EQ(listing.executed, 2U);
  EXPECT_EQ(listing.ways, 2U);
  EXPECT_EQ(listing.taken, 1U);
  ASSERT_EQ(made[0].sources.size(), 1U) << "a file that no instruction comes from has no lines";
  const CoveredText& source = made[0].sources.front();
  EXPECT_EQ(source.name, "a.hlsl");
  EXPECT_EQ(source.lines, (std::map<std::uint32_t, std::uint64_t>{{5, 4}})) << "the instruction that ran most often";
  EXPECT_EQ(lcov_record(source, "/a.hlsl"),
            "TN:\nSF:/a.hlsl\nBRDA:5,0,0,3\nBRDA:5,0,1,0\nBRF:2\nBRH:1\nDA:5,4\nLF:1\nLH:1\nend_of_record\n");
}

TEST(CoveredShaders, BranchesThatNoWaveReachedAreNotCounted) {
  const auto made = covered_shaders({coverage_of({1, 0, 0, 0}, {0, 0})});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(lcov_record(made[0].listing, "a.lst"),
            "TN:\nSF:a.lst\nBRDA:2,0,0,-\nBRDA:2,0,1,-\nBRF:2\nBRH:0\nDA:1,1\nDA:2,0\nDA:4,0\nLF:3\nLH:1\nend_of_record\n");
}

}  // namespace
}  // namespace unshade::suite
