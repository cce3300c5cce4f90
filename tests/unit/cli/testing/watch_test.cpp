// `unshade test --watch`: runs again when a suite changes, until it is interrupted.
#include "cli/testing/watch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

class TestWatch : public ::testing::Test {
 protected:
  TestWatch() : folder_(std::filesystem::temp_directory_path() / ("unshade-watch-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TestWatch() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).generic_string();
  }

  std::filesystem::path folder_;
};

TEST_F(TestWatch, SeesFilesChangeComeAndGo) {
  const std::string one = write("one", "1");
  const std::string other = (folder_ / "other").generic_string();
  cli::testing::Watch watch([&] { return std::vector<std::string>{one, other}; });
  EXPECT_EQ(watch.count(), 2U);
  EXPECT_FALSE(watch.wait(0));
  write("one", "12");
  EXPECT_TRUE(watch.wait(10'000));
  EXPECT_FALSE(watch.wait(0));
  write("unrelated", "1");
  EXPECT_FALSE(watch.wait(10));
  write("other", "1");
  EXPECT_TRUE(watch.wait(10'000));
  std::filesystem::remove(one);
  EXPECT_TRUE(watch.wait(10'000));
}

}  // namespace
}  // namespace unshade::test
