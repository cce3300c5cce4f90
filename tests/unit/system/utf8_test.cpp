#include "system/utf8.hpp"

#include <gtest/gtest.h>

namespace unshade::system {
namespace {

TEST(Utf8, KnowsCharactersThatAreNotWhole) {
  EXPECT_EQ(unfinished_bytes(""), 0U);
  EXPECT_EQ(unfinished_bytes("a"), 0U);
  EXPECT_EQ(unfinished_bytes("\xc3\xa4"), 0U);
  EXPECT_EQ(unfinished_bytes("a\xc3"), 1U);
  EXPECT_EQ(unfinished_bytes("\xe6\xb1\x89"), 0U);
  EXPECT_EQ(unfinished_bytes("a\xe6\xb1"), 2U);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x98\x80"), 0U);
  EXPECT_EQ(unfinished_bytes("\xf0\x9f\x98"), 3U);
  EXPECT_EQ(unfinished_bytes("\xf0"), 1U);
  EXPECT_EQ(unfinished_bytes("\x80\x80\x80\x80"), 0U);  // not UTF-8: nothing to wait for
}

}  // namespace
}  // namespace unshade::system
