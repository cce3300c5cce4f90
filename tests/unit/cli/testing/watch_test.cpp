// `unshade test --watch`: runs again when a suite changes, until it is interrupted.
#include "cli/testing/watch.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "cli/app.hpp"
#include "cli/io/stream.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

class TestWatch : public ::testing::Test {
 protected:
  TestWatch() : folder_(std::filesystem::temp_directory_path() / ("unshade-watch-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TestWatch() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

TEST_F(TestWatch, SeesFilesChangeComeAndGo) {
  const std::string one = write("one", "1");
  const std::string other = (folder_ / "other").string();
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

TEST_F(TestWatch, RunsAgainUntilInterrupted) {
  const std::string head = "shader: " + (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").string() + "\ncase:\n- expect: {operations: ";
  const std::string suite = write("a.test.yaml", head + "\"< 5\"}\n");
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    cli::FdStream out(ends[1]);
    cli::MemoryStream err;
    cli::MemorySource in({});
    cli::Host host{&out, &err, &in};
    cli::run({"test", "-j1", "--watch", suite}, host);
    ::_exit(9);
  }
  ::close(ends[1]);
  std::string text;
  const auto reads = [&](std::string_view wanted) {
    while (text.find(wanted) == std::string::npos) {
      pollfd waited{ends[0], POLLIN, 0};
      if (::poll(&waited, 1, 30'000) <= 0) return false;
      std::array<char, 4096> piece{};
      const auto count = ::read(ends[0], piece.data(), piece.size());
      if (count <= 0) return false;
      text.append(piece.data(), static_cast<std::size_t>(count));
    }
    return true;
  };
  EXPECT_TRUE(reads("0 passed, 1 failed, 0 skipped\nwatching 2 files\n")) << text;
  write("a.test.yaml", head + "\"> 5\"}\n# longer\n");
  EXPECT_TRUE(reads("1 passed, 0 failed, 0 skipped\nwatching 2 files\n")) << text;
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  ::close(ends[0]);
}

}  // namespace
}  // namespace unshade::test
