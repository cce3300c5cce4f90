// What a command reads, by whatever name.
#include "cli/write/input_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/system.hpp"

#include "cli/write/named_files.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

class InputFiles : public ::testing::Test {
 protected:
  InputFiles() { fs::create_directories(folder_); }
  ~InputFiles() override { fs::remove_all(folder_); }
  std::string write(const std::string& name) const {
    std::ofstream(folder_ / name) << name;
    return (folder_ / name).generic_string();
  }

  fs::path folder_ = fs::temp_directory_path() / ("unshade-input-files-" + std::to_string(process_id()));
};

TEST_F(InputFiles, AreKnownByAllTheirNames) {
  const std::string file = write("a.h");
  if (!make_link("a.h", folder_ / "link")) GTEST_SKIP() << "links cannot be made here";
  cli::write::InputFiles inputs;
  EXPECT_FALSE(inputs.has(file));
  inputs.add(cli::Io::input_id(file + ":g_main"));
  inputs.add(cli::Io::file_id((folder_ / "none").generic_string()));
  inputs.add(cli::Io::file_id(kNullDevice));
  for (const char* const name : {"a.h", "./a.h", "link"}) EXPECT_TRUE(inputs.has((folder_ / name).generic_string())) << name;
  EXPECT_FALSE(inputs.has(write("b")));
  EXPECT_FALSE(inputs.has((folder_ / "none").generic_string()));
  EXPECT_FALSE(inputs.has(kNullDevice));
}

// Each frame of an animation reads the files of its scene.
TEST_F(InputFiles, OfACaseAreNamedOnce) {
  write("a");
  write("b");
  cli::NamedFiles files{(folder_ / "case.toml").generic_string(), {}};
  for (int frame = 0; frame < 3; ++frame) {
    EXPECT_TRUE(files.read("a"));
    EXPECT_TRUE(files.read("b"));
  }
  EXPECT_EQ(files.named.size(), 2U);
}

}  // namespace

}  // namespace unshade::test
