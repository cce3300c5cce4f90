// Only POSIX: consoles of Windows are not made by a test
#include <unshade/system/terminal.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <string>

namespace unshade::system {
namespace {

/// What a process in the foreground of a new terminal is told, if that gives an answer. Its status, or -1.
int ask_in_new_terminal(std::string_view answer) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return -1;
  const std::string name = ::ptsname(terminal);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    const int own = ::open(name.c_str(), O_RDWR);  // the first terminal that a session opens is its own
    if (own < 0) ::_exit(9);
    termios before{}, after{};
    ::tcgetattr(own, &before);
    const bool has = [&] {
      File asked(own, File::Owned::no);
      return ask_terminal(asked, "\x1b[c", 'c', 2000) == "\x1b[?62;4;22c";
    }();
    ::tcgetattr(own, &after);
    ::_exit(before.c_lflag != after.c_lflag ? 8 : has ? 1 : 0);
  }
  std::string asked;
  char letter = 0;
  while (asked.size() < 3 && ::read(terminal, &letter, 1) == 1) asked += letter;
  EXPECT_EQ(asked, "\x1b[c");
  EXPECT_EQ(::write(terminal, answer.data(), answer.size()), static_cast<ssize_t>(answer.size()));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  return WEXITSTATUS(status);
}

TEST(Terminal, IsAskedAndLeftAsItWas) {
  const int with = ask_in_new_terminal("\x1b[?62;4;22c");
  if (with < 0) GTEST_SKIP() << "no terminal can be made here";
  EXPECT_EQ(with, 1);
  EXPECT_EQ(ask_in_new_terminal("\x1b[?62;22c"), 0);
}

}  // namespace
}  // namespace unshade::system
