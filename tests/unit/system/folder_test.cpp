#include <unshade/system/folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/path.hpp>
#include <unshade/system/replace.hpp>
#include <unshade/system/work_folder.hpp>

#include "support/system.hpp"

namespace unshade::system {
namespace {

class Folders : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return path_in(text_of(work_.path()), name); }
  static void write(const std::string& path, std::string_view text) {
    std::string name;
    File file = make_beside(path, 0666, name);
    ASSERT_TRUE(file && file.write(text) && file.close() && replace_file(name, path)) << path;
  }
  static std::vector<std::string> names_in(const std::string& folder) {
    std::vector<FolderEntry> entries;
    EXPECT_TRUE(list_folder(folder, entries)) << folder;
    std::vector<std::string> names;
    for (const FolderEntry& entry : entries) names.push_back(entry.name + (entry.kind == FileKind::folder ? "/" : ""));
    std::ranges::sort(names);
    return names;
  }

  WorkFolder work_;
};

TEST_F(Folders, AreMadeWithThoseAboveThem) {
  ASSERT_TRUE(make_folders(path("a/b/c")));
  EXPECT_TRUE(make_folders(path("a/b/")));
  EXPECT_TRUE(is_folder(path("a/b/c")));
  write(path("a/file"), "1");
  EXPECT_FALSE(is_folder(path("a/file")));
  EXPECT_TRUE(is_there(path("a/file")));
  EXPECT_FALSE(is_there(path("a/no")));
  EXPECT_EQ(names_in(path("a")), (std::vector<std::string>{"b/", "file"}));
  EXPECT_FALSE(make_folders(path("a/file/d")));
  EXPECT_NE(errno, 0);
  std::vector<FolderEntry> entries;
  EXPECT_FALSE(list_folder(path("no"), entries));
  EXPECT_EQ(errno, ENOENT);
}

// Windows gives programs which do not ask for more 260 letters, and 248 for folders.
TEST_F(Folders, HaveNamesOfAnyLength) {
  const std::string letters(100, 'x');
  std::string folder = path("\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80");
  for (int depth = 0; depth < 6; ++depth) folder = path_in(folder, letters);
  ASSERT_TRUE(make_folders(folder)) << errno;
  write(path_in(folder, "a"), "1");
  write(path_in(folder, "a"), "23");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"a"});
  EXPECT_EQ(regular_file_bytes(path_in(folder, "a")), 2U);
  EXPECT_EQ(real_path(path_in(folder, "../" + letters + "/./a")), real_path(path_in(folder, "a")));
  EXPECT_TRUE(real_path(folder).ends_with(letters + '/' + letters)) << real_path(folder);
  EXPECT_TRUE(is_same_file(path_in(folder, "a"), path_in(folder, "../" + letters + "/a")));
  EXPECT_TRUE(open_to_read(native_path(path_in(folder, "a"))));
  EXPECT_TRUE(remove_file(path_in(folder, "a").c_str()));
  EXPECT_TRUE(names_in(folder).empty());
}

TEST_F(Folders, AreBelowOthers) {
  EXPECT_TRUE(is_below("/a/b", "/a"));
  EXPECT_TRUE(is_below("/a", "/"));
  EXPECT_FALSE(is_below("/a", "/a"));
  EXPECT_FALSE(is_below("/ab", "/a"));
  EXPECT_EQ(path_in("", "b"), "b");
  EXPECT_EQ(path_in("/", "b"), "/b");
  EXPECT_EQ(path_in("a/", "b"), "a/b");
#ifdef _WIN32
  EXPECT_EQ(path_in("C:", "b"), "C:b");
  EXPECT_EQ(path_in("a\\", "b"), "a\\b");
  EXPECT_EQ(path_in("\\\\?\\C:\\a", "b"), "\\\\?\\C:\\a\\b");
  EXPECT_EQ(path_in("//server/share", "b"), "//server/share/b");
#endif
}

TEST_F(Folders, HaveWholePaths) {
  EXPECT_TRUE(paths::is_absolute(whole_path("a")));
  EXPECT_EQ(whole_path("a/../b/"), path_in(whole_path("."), "b"));
  EXPECT_EQ(real_path(path("no/./a/../b")), path_in(real_path(path("no")), "b"));
  EXPECT_TRUE(is_same_file(path("new"), path("./x/../new"))) << "neither is there";
  EXPECT_FALSE(is_same_file(path("new"), path("other")));
}

TEST_F(Folders, HaveLinks) {
  ASSERT_TRUE(make_folders(path("a")));
  write(path("a/file"), "1");
  if (!test::make_link(path("a"), path("link")) || !test::make_link(path("none"), path("broken"))) GTEST_SKIP() << "needs links";
  std::vector<FolderEntry> entries;
  ASSERT_TRUE(list_folder(path(""), entries));
  EXPECT_EQ(std::ranges::count_if(entries, &FolderEntry::is_link), 2);
  EXPECT_EQ(real_path(path("link/file")), real_path(path("a/file")));
  EXPECT_TRUE(is_same_file(path("link/file"), path("a/file")));
  EXPECT_TRUE(is_folder(path("link")));
  EXPECT_FALSE(is_there(path("broken")));
}

}  // namespace
}  // namespace unshade::system
