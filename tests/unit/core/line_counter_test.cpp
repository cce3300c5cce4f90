#include <gtest/gtest.h>

#include <string_view>

#include <unshade/core/text/line_counter.hpp>

namespace unshade {
namespace {

TEST(LineCounter, LinesAndColumnsCountFromOne) {
  EXPECT_EQ(line_and_column("ab\ncd", 0), "1:1");
  EXPECT_EQ(line_and_column("ab\ncd", 2), "1:3");
  EXPECT_EQ(line_and_column("ab\ncd", 4), "2:2");
  EXPECT_EQ(line_and_column("ab\ncd", 99), "2:3");
  EXPECT_EQ(line_and_column("", 0), "1:1");
}

TEST(LineCounter, PlacesMayComeInAnyOrder) {
  LineCounter lines("a\nb\n\nc");
  EXPECT_EQ(lines.at(5).line, 4U);
  EXPECT_EQ(lines.at(2).line, 2U);
  EXPECT_EQ(lines.at(4).line, 3U);
  EXPECT_EQ(lines.at(0).line, 1U);
}

}  // namespace
}  // namespace unshade
