// Only POSIX: sends signals to a child of fork()
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "cli/io/guard.hpp"
#include "cli/io/io.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

TEST(Guard, SignalsLeaveNoUnfinishedFiles) {
  const fs::path folder = fs::temp_directory_path() / ("unshade-guard-" + std::to_string(process_id()));
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    fs::create_directories(folder);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      cli::remove_guarded_files_on_interruption();
      cli::OutputFile whole;
      cli::OutputFile begun;
      const bool ok =
          whole.open(folder / "whole") && whole.write("1") && whole.commit() && begun.open(folder / "begun") && begun.write("2");
      if (ok && ::write(ready[1], "!", 1) == 1) ::pause();
      ::_exit(1);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
    ASSERT_EQ(::kill(child, number), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
    EXPECT_TRUE(fs::exists(folder / "whole"));
    fs::remove_all(folder);
  }
}

}  // namespace

}  // namespace unshade::test
