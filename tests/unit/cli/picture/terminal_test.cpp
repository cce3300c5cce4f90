// What terminals say of themselves.
#include "cli/picture/terminal.hpp"

#include <gtest/gtest.h>

namespace unshade::cli::print {
namespace {

TEST(Terminal, SaysWhetherItHasSixel) {
  EXPECT_TRUE(has_sixel("\x1b[?62;4;22c"));
  EXPECT_TRUE(has_sixel("\x1b[?4c"));
  EXPECT_TRUE(has_sixel("x\x1b[?1;2;4cmore"));
  EXPECT_FALSE(has_sixel("\x1b[?62;14;40c"));
  EXPECT_FALSE(has_sixel("\x1b[?1;2c;4"));
  EXPECT_FALSE(has_sixel("\x1b[?62;4"));
  EXPECT_FALSE(has_sixel(""));
}

}  // namespace
}  // namespace unshade::cli::print
