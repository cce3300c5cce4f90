#include <unshade/core/text/paths.hpp>

#include <gtest/gtest.h>

namespace unshade::paths {
namespace {

constexpr auto kPosix = PathRules::posix;
constexpr auto kWindows = PathRules::windows;

TEST(Paths, AreAbsoluteWithARootOrADriveAndARoot) {
  for (const PathRules rules : {kPosix, kWindows}) {
    EXPECT_TRUE(is_absolute("/a", rules));
    EXPECT_FALSE(is_absolute("a/b", rules));
    EXPECT_FALSE(is_absolute("", rules));
  }
  for (const char* const path : {"C:/a", "c:\\a", "\\\\server\\share\\a", "\\a", "\\\\?\\C:\\a"}) {
    EXPECT_TRUE(is_absolute(path, kWindows)) << path;
    EXPECT_FALSE(is_absolute(path, kPosix)) << path;
  }
  EXPECT_FALSE(is_absolute("C:a", kWindows));
  EXPECT_FALSE(is_absolute("C:", kWindows));
  EXPECT_FALSE(is_absolute("CD:/a", kWindows));
  EXPECT_FALSE(is_absolute("\xc3\xa4:/a", kWindows));
}

TEST(Paths, HaveARoot) {
  EXPECT_EQ(root_letters("/a/b", kPosix), 1U);
  EXPECT_EQ(root_letters("//a/b", kPosix), 1U);
  EXPECT_EQ(root_letters("C:/a", kPosix), 0U);
  EXPECT_EQ(root_letters("a\\b", kWindows), 0U);
  EXPECT_EQ(root_letters("C:a", kWindows), 2U);
  EXPECT_EQ(root_letters("C:\\a", kWindows), 3U);
  EXPECT_EQ(root_letters("//server/share/a", kWindows), 15U);
  EXPECT_EQ(root_letters("\\\\server\\share", kWindows), 14U);
  EXPECT_EQ(root_letters("\\\\server", kWindows), 8U);
  EXPECT_EQ(root_letters("//", kWindows), 1U);
  EXPECT_EQ(root_letters("\\\\?\\C:\\a", kWindows), 7U);
  EXPECT_EQ(root_letters("\\\\?\\UNC\\server\\share\\a", kWindows), 21U);
  EXPECT_EQ(root_letters("\\\\?\\", kWindows), 4U);
}

TEST(Paths, PartFoldersFromNames) {
  EXPECT_EQ(name_of("a/b.c", kPosix), "b.c");
  EXPECT_EQ(name_of("a\\b", kPosix), "a\\b");
  EXPECT_EQ(name_of("a/", kPosix), "");
  EXPECT_EQ(name_of("a/b\\c", kWindows), "c");
  EXPECT_EQ(name_of("C:a", kWindows), "a");
  EXPECT_EQ(folder_of("C:a", kWindows), "C:");
  EXPECT_EQ(folder_of("C:\\b\\a", kWindows), "C:\\b\\");
  EXPECT_EQ(folder_of("//server/share", kWindows), "//server/share");
  EXPECT_EQ(folder_of("a", kPosix), "");
  EXPECT_EQ(folder_of("/a", kPosix), "/");
}

TEST(Paths, StandBesideTheFileThatNamesThem) {
  EXPECT_EQ(beside("s/a.toml", "b.cso", kPosix), "s/b.cso");
  EXPECT_EQ(beside("a.toml", "../b.cso", kPosix), "../b.cso");
  EXPECT_EQ(beside("s/a.toml", "/b.cso", kPosix), "/b.cso");
  EXPECT_EQ(beside("s/a.toml", "C:/b.cso", kPosix), "s/C:/b.cso");
  EXPECT_EQ(beside("s\\a.toml", "b.cso", kWindows), "s\\b.cso");
  EXPECT_EQ(beside("C:/s/a.toml", "t\\b.cso", kWindows), "C:/s/t\\b.cso");
  for (const char* const path : {"C:/b.cso", "D:\\b.cso", "\\\\server\\share\\b.cso", "//server/share/b.cso", "\\b.cso", "D:b.cso"})
    EXPECT_EQ(beside("s/a.toml", path, kWindows), path);
  EXPECT_EQ(beside("\\\\?\\C:\\s\\a.toml", "t/b.cso", kWindows), "\\\\?\\C:\\s\\t\\b.cso") << "which has no other separator";
}

TEST(Paths, ArePlain) {
  EXPECT_EQ(plain("./a//b/../c", kPosix), "a/c");
  EXPECT_EQ(plain("../../a/..", kPosix), "../..");
  EXPECT_EQ(plain("/../a/./b/", kPosix), "/a/b");
  EXPECT_EQ(plain("a\\..\\b", kPosix), "a\\..\\b");
  EXPECT_EQ(plain("a\\..\\b", kWindows), "b");
  EXPECT_EQ(plain("C:\\..\\a/b", kWindows), "C:/a/b");
  EXPECT_EQ(plain("C:..\\a", kWindows), "C:../a");
  EXPECT_EQ(plain("\\\\server\\share\\..\\..\\a", kWindows), "//server/share/a");
  EXPECT_EQ(plain("\\\\?\\C:\\a\\..\\b", kWindows), "\\\\?\\C:\\b");
  EXPECT_EQ(plain("", kPosix), "");
}

TEST(Paths, TakeSlashes) {
  EXPECT_EQ(with_slashes("..\\a\\b", kPosix), "..\\a\\b");
  EXPECT_EQ(with_slashes("..\\a\\b", kWindows), "../a/b");
  EXPECT_EQ(with_slashes("\\\\server\\a", kWindows), "//server/a");
  EXPECT_EQ(with_slashes("\\\\?\\C:\\a", kWindows), "\\\\?\\C:\\a");
}

TEST(Paths, AreUris) {
  EXPECT_EQ(uri_of("/a b/\xc3\xa4%.cso", kPosix), "file:///a%20b/%C3%A4%25.cso");
  EXPECT_EQ(uri_of("//a", kPosix), "file:////a");
  EXPECT_EQ(uri_of("./a/b", kPosix), "a/b");
  EXPECT_EQ(uri_of("a\\b", kPosix), "a%5Cb");
  EXPECT_EQ(uri_of("c:d/a:b", kPosix), "./c:d/a:b");
  EXPECT_EQ(uri_of("s/a:b", kPosix), "s/a:b");
  EXPECT_EQ(uri_of("C:/a", kWindows), "file:///C:/a");
  EXPECT_EQ(uri_of("c:\\a b\\\xe2\x82\xac", kWindows), "file:///c:/a%20b/%E2%82%AC");
  EXPECT_EQ(uri_of("\\\\server\\share\\x", kWindows), "file://server/share/x");
  EXPECT_EQ(uri_of("//server/share/x y", kWindows), "file://server/share/x%20y");
  EXPECT_EQ(uri_of("\\\\?\\C:\\a", kWindows), "file:///C:/a");
  EXPECT_EQ(uri_of("\\\\?\\UNC\\server\\share\\x", kWindows), "file://server/share/x");
  EXPECT_EQ(uri_of("/a", kWindows), "file:///a") << "the drive is not known";
  EXPECT_EQ(uri_of("s\\a", kWindows), "s/a");
}

TEST(Paths, FollowThisSystem) {
#ifdef _WIN32
  EXPECT_TRUE(is_absolute("C:\\a"));
#else
  EXPECT_FALSE(is_absolute("C:\\a"));
#endif
}

}  // namespace
}  // namespace unshade::paths
