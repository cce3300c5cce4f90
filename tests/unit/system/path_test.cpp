#include <unshade/system/path.hpp>

#include <gtest/gtest.h>

#include <string>

#include <unshade/system/names.hpp>

namespace unshade::system {
namespace {

TEST(Path, IsTextWithSlashes) {
  EXPECT_EQ(text_of(path_of("a//\xc3\xa4") / "b"), "a//\xc3\xa4/b");
  EXPECT_EQ(last_part("a/b.c"), 2U);
  EXPECT_EQ(last_part("b.c"), 0U);
  EXPECT_EQ(last_part("a/"), 2U);
  EXPECT_TRUE(is_absolute("/a"));
  EXPECT_FALSE(is_absolute("a/b"));
  EXPECT_FALSE(is_absolute(""));
}

TEST(Path, HasDrivesOnWindows) {
#ifdef _WIN32
  EXPECT_EQ(drive_letters("C:/a"), 2U);
  EXPECT_EQ(drive_letters("CD:/a"), 0U);
  EXPECT_EQ(last_part("C:a"), 2U);
  EXPECT_EQ(last_part("a/b\\c"), 4U);
  EXPECT_TRUE(is_absolute("C:\\a"));
  EXPECT_TRUE(is_absolute("\\\\server\\a"));
  EXPECT_FALSE(is_absolute("C:a"));
  EXPECT_EQ(text_of(path_of("a\\b") / "c"), "a/b/c");
  EXPECT_EQ(with_slashes("..\\a\\b"), "../a/b");
  EXPECT_EQ(with_slashes("\\\\server\\a"), "//server/a");
  EXPECT_EQ(with_slashes("\\\\?\\C:\\a"), "\\\\?\\C:\\a");
#else
  EXPECT_EQ(drive_letters("C:/a"), 0U);
  EXPECT_EQ(last_part("a\\b"), 0U);
  EXPECT_FALSE(is_absolute("C:/a"));
  EXPECT_EQ(text_of(path_of("a\\b") / "c"), "a\\b/c");
  EXPECT_EQ(with_slashes("..\\a\\b"), "..\\a\\b");
#endif
}

}  // namespace
}  // namespace unshade::system
