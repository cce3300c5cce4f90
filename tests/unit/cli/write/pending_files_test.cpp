// Files that appear together, or not at all.
#include "cli/write/pending_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

class PendingFiles : public ::testing::Test {
 protected:
  ~PendingFiles() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_ = fs::temp_directory_path() / ("unshade-pending-files-" + std::to_string(process_id()));
  cli::MemoryStream out_, err_;
  cli::MemorySource in_{{}};
  cli::Host host_{.out = &out_, .err = &err_, .in = &in_};
  cli::Io io_{host_, out_, false, false};
};

TEST_F(PendingFiles, AppearTogether) {
  {
    cli::write::PendingFiles made;
    EXPECT_EQ(made.free_path(folder_.generic_string(), "a", ".lst"), path("a.lst"));
    EXPECT_EQ(made.add(path("a.lst"), "1"), "");
    EXPECT_EQ(made.free_path(folder_.generic_string(), "a", ".lst"), path("a.2.lst"));
    EXPECT_EQ(made.add(path("a.2.lst"), "2"), "");
    EXPECT_EQ(made.add(path("./a.lst"), "3"), "another output has this name");
    EXPECT_FALSE(fs::exists(path("a.lst")));
    EXPECT_TRUE(made.commit({}, io_)) << err_.text;
    EXPECT_EQ(read_text(path("a.lst")), "1");
    EXPECT_EQ(read_text(path("a.2.lst")), "2");
  }
  {
    cli::write::PendingFiles again;
    EXPECT_TRUE(again.add(path("b"), "new", io_));
    EXPECT_TRUE(again.add(path("a.lst"), "new", io_));
    cli::write::InputFiles inputs;
    inputs.add(cli::Io::file_id(path("a.lst")));
    EXPECT_FALSE(again.commit(inputs, io_));
  }
  EXPECT_EQ(err_.text, "unshade: error[usage]: an output would replace an input: " + path("a.lst") + '\n');
  EXPECT_EQ(read_text(path("a.lst")), "1");
  EXPECT_EQ(files(), 2);
}

// Where letters are the same whatever their case, one would replace the other.
TEST_F(PendingFiles, AreToldApartWhateverTheirCase) {
  cli::write::PendingFiles made;
  EXPECT_EQ(made.free_path(folder_.generic_string(), "Main.hlsl", {}), path("Main.hlsl"));
  EXPECT_EQ(made.add(path("Main.hlsl"), "1"), "");
  EXPECT_TRUE(made.has(path("main.HLSL")));
  EXPECT_EQ(made.free_path(folder_.generic_string(), "main.hlsl", {}), path("main.hlsl.2"));
  // as whoever named it wants it
  EXPECT_EQ(made.add(path("main.hlsl"), "2"), "");
}

TEST_F(PendingFiles, AreNotOpenMeanwhile) {
  {
    const FewOpenFiles few(64);
    if (!few.is_set()) GTEST_SKIP() << "the number of open files cannot be limited here";
    cli::write::PendingFiles made;
    for (int number = 0; number < 100; ++number) EXPECT_TRUE(made.add(path(std::to_string(number)), "", io_)) << err_.text;
    EXPECT_TRUE(made.commit({}, io_));
  }
  EXPECT_EQ(files(), 100);
}

}  // namespace

}  // namespace unshade::test
