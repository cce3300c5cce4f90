// Only POSIX: interrupts a child of fork()
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

#include <unshade/system/work_folder.hpp>

#include "cli/app.hpp"
#include "cli/io/stream.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

TEST(WatchCommand, RunsAgainUntilInterrupted) {
  const std::string head = "shader: " + (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").string() + "\ncase:\n- expect: {operations: ";
  const system::WorkFolder folder;
  const std::string suite = (folder.path() / "a.test.yaml").string();
  const auto write = [&](const std::string& text) { std::ofstream(suite, std::ios::binary) << text; };
  write(head + "\"< 5\"}\n");
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    cli::FileStream out{system::File(ends[1])};
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
  write(head + "\"> 5\"}\n# longer\n");
  EXPECT_TRUE(reads("1 passed, 0 failed, 0 skipped\nwatching 2 files\n")) << text;
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  ::close(ends[0]);
}

}  // namespace
}  // namespace unshade::test
