#include <unshade/system/file.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include <unshade/system/replace.hpp>
#include <unshade/system/scratch.hpp>
#include <unshade/system/work_folder.hpp>

#include "support/system.hpp"

namespace unshade::system {
namespace {

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (work_.path() / name).string(); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(work_.path() / name, std::ios::binary) << text;
    return path(name);
  }
  static std::string text_of(const std::string& path) {
    File file = open_to_read(path);
    char letters[64];
    const auto count = file.read(std::as_writable_bytes(std::span(letters)));
    return count < 0 ? "unread" : std::string(letters, static_cast<std::size_t>(count));
  }

  WorkFolder work_;
};

TEST_F(Files, AreWhatTheyAre) {
  const auto file = status_of(write("one",
                                    "123\r\n\x1a"
                                    "4"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->kind, FileKind::regular);
  EXPECT_EQ(file->bytes, 7U);
  EXPECT_GT(file->modified, std::int64_t{1'600'000'000} * 1'000'000'000);
  const auto folder = status_of(work_.path().string());
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->kind, FileKind::folder);
  EXPECT_EQ(regular_file_bytes(path("one")), 7U);
  EXPECT_FALSE(regular_file_bytes(work_.path().string()));
  errno = 0;
  EXPECT_FALSE(status_of(path("none")));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(Files, HaveOneIdentityByAnyName) {
  const std::string one = write("one", "1");
  const auto id = status_of(one)->id;
  EXPECT_EQ(status_of((work_.path() / "." / "one").string())->id, id);
  EXPECT_EQ(open_to_read(one).status()->id, id);
  EXPECT_NE(status_of(write("other", "1"))->id, id);
}

TEST_F(Files, AreReadAtAnyOffset) {
  const std::string name = write("one",
                                 "0123\r\n\x1a"
                                 "789");
  EXPECT_EQ(text_of(name),
            "0123\r\n\x1a"
            "789");
  const File file = open_to_read(name, Waits::no);
  char letters[4];
  EXPECT_EQ(file.read_at(6, std::as_writable_bytes(std::span(letters))), 4);
  EXPECT_EQ(std::string_view(letters, 4),
            "\x1a"
            "789");
  EXPECT_EQ(file.read_at(8, std::as_writable_bytes(std::span(letters))), 2);
  EXPECT_EQ(file.read_at(10, std::as_writable_bytes(std::span(letters))), 0);
  EXPECT_EQ(file.read_at(std::uint64_t{5} << 32, std::as_writable_bytes(std::span(letters))), 0);
}

TEST_F(Files, ThatAreMissingAreNotOpened) {
  errno = 0;
  EXPECT_FALSE(open_to_read(path("none")));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(open_to_write(path("none")));
  errno = 0;
  EXPECT_FALSE(open_to_append((work_.path() / "none" / "file").string()));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(Files, AreWrittenAsTheyAre) {
  const std::string name = path("one");
  EXPECT_TRUE(open_to_append(name).write("a\n"));
  EXPECT_TRUE(open_to_append(name).write("\xc3\xa4\r\n"));
  EXPECT_EQ(text_of(name), "a\n\xc3\xa4\r\n");
}

TEST_F(Files, TakeThePlaceOfOthers) {
  const std::string target = write("target \xc3\xa4\xe6\xb1\x89\xf0\x9f\x98\x80", "before");
  const File reads = open_to_read(target);
  std::string name;
  File made = make_beside(target, status_of(target)->rights, name);
  ASSERT_TRUE(made);
  EXPECT_TRUE(name.starts_with(target + '.'));
  EXPECT_TRUE(made.write("after"));
  EXPECT_EQ(text_of(target), "before");
  EXPECT_TRUE(made.close());
  EXPECT_TRUE(replace_file(name, target));
  EXPECT_EQ(text_of(target), "after");
  EXPECT_FALSE(status_of(name));
  char letters[8];
  EXPECT_EQ(reads.read_at(0, std::as_writable_bytes(std::span(letters))), 6);
  EXPECT_EQ(std::string_view(letters, 6), "before");
}

TEST_F(Files, TakeANameThatIsFree) {
  std::string name;
  File made = make_beside(path("new"), new_file_rights(), name);
  ASSERT_TRUE(made && made.write("1") && made.close());
  EXPECT_TRUE(replace_file(name, path("new")));
  EXPECT_EQ(text_of(path("new")), "1");
  EXPECT_TRUE(may_write(path("new")));
  EXPECT_TRUE(remove_file(path("new").c_str()));
  EXPECT_FALSE(remove_file(path("new").c_str()));
}

TEST_F(Files, HaveLongNames) {
  const std::string target = path(std::string(230, 'n'));
  std::string name;
  File made = make_beside(target, new_file_rights(), name);
  ASSERT_TRUE(made && made.write("1") && made.close());
  EXPECT_TRUE(replace_file(name, target));
  EXPECT_EQ(text_of(target), "1");
  EXPECT_EQ(regular_file_bytes(target), 1U);
  EXPECT_TRUE(remove_file(target.c_str()));
}

TEST_F(Files, OfDevicesAreOthers) {
  const std::string device = test::kNullDevice;
  const auto status = status_of(device);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->kind, FileKind::other);
  EXPECT_TRUE(open_to_write(device).write("nothing"));
  EXPECT_EQ(text_of(device), "");
}

TEST_F(Files, ThatMayNotBeWrittenAreKnown) {
  const std::string name = write("kept", "1");
  std::filesystem::permissions(name, std::filesystem::perms::owner_read);
  EXPECT_EQ(status_of(name)->rights & 0222U, 0U);
  errno = 0;
  if (!may_write(name)) {
    EXPECT_EQ(errno, EACCES);
  }
  EXPECT_TRUE(remove_file(name.c_str()));
}

TEST_F(Files, OfAFolderThatIsMissingAreNotMade) {
  std::string name;
  errno = 0;
  EXPECT_FALSE(make_beside((work_.path() / "none" / "new").string(), new_file_rights(), name));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(name, "");
}

TEST(Scratch, KeepsBytesAtTheirOffsets) {
  ScratchFile file;
  const char text[] = "abcdef";
  char letters[3];
  EXPECT_FALSE(file.read_at(0, std::as_writable_bytes(std::span(letters))));
  EXPECT_TRUE(file.write_at(0, std::as_bytes(std::span(text, 4))));
  EXPECT_TRUE(file.write_at(4, std::as_bytes(std::span(text, 4))));
  EXPECT_TRUE(file.read_at(3, std::as_writable_bytes(std::span(letters))));
  EXPECT_EQ(std::string_view(letters, 3), "dab");
  EXPECT_FALSE(file.read_at(6, std::as_writable_bytes(std::span(letters))));
}

}  // namespace
}  // namespace unshade::system
