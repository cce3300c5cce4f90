// What terminals say of themselves, and pictures in sixel graphics.
#include "cli/picture/terminal.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <string>

#include <unshade/picture/picture.hpp>
#include <unshade/picture/sixel.hpp>

namespace unshade::cli::print {
namespace {

TEST(Terminal, SaysWhetherItHasSixel) {
  EXPECT_TRUE(has_sixel("\x1b[?62;4;22c"));
  EXPECT_TRUE(has_sixel("\x1b[?4c"));
  EXPECT_TRUE(has_sixel("x\x1b[?1;2;4cmore"));
  EXPECT_FALSE(has_sixel("\x1b[?62;14;40c"));
  EXPECT_FALSE(has_sixel("\x1b[?1;2c;4"));
  EXPECT_FALSE(has_sixel("\x1b[?62;4"));
  EXPECT_FALSE(has_sixel(""));
}

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
    const bool has = has_sixel(ask_attributes(own, 2000));
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

TEST(Terminal, IsNotAskedIfItIsNone) {
  int pipe_of[2];
  ASSERT_EQ(::pipe(pipe_of), 0);
  EXPECT_EQ(ask_attributes(pipe_of[1], 1000), "");
  ::close(pipe_of[0]);
  ::close(pipe_of[1]);
}

picture::Picture picture_of(std::uint32_t width, std::uint32_t height) {
  picture::Picture made;
  made.format = 28;
  made.width = width;
  made.height = height;
  made.bytes.resize(std::size_t{width} * height * 4, std::byte{0xff});
  return made;
}
std::string sixel_of(const picture::Picture& picture, std::uint32_t pixels = 1024) {
  MemoryStream to;
  Printer out(to, true);
  picture::write_sixel(picture, pixels, out.text);
  out.flush();
  return to.text;
}

// eight rows of five pixels: white, but for a red pixel in the second row and one in the last
TEST(Sixel, HasARowOfBitsForEachColor) {
  picture::Picture picture = picture_of(5, 8);
  for (const std::size_t pixel : {5U + 4U, 35U + 0U}) picture.bytes[pixel * 4 + 1] = picture.bytes[pixel * 4 + 2] = std::byte{0};
  EXPECT_EQ(sixel_of(picture), "\x1bP0;0q\"1;1;5;8#0;2;100;100;100#1;2;100;0;0\n#0!4~|$#1!4?A$-\n#0@!4B$#1A$-\n\x1b\\\n");
}

TEST(Sixel, MakesColorsOfFewer) {
  picture::Picture picture = picture_of(64, 64);
  for (std::size_t pixel = 0; pixel < 64U * 64U; ++pixel) {
    picture.bytes[pixel * 4] = static_cast<std::byte>(pixel / 64 * 4);
    picture.bytes[pixel * 4 + 1] = static_cast<std::byte>(pixel % 64 * 4);
    picture.bytes[pixel * 4 + 2] = std::byte{0x33};  // a step of its own
  }
  const std::string made = sixel_of(picture);
  EXPECT_NE(made.find("#215;2;100;100;100"), std::string::npos);
  EXPECT_EQ(made.find("#216;"), std::string::npos);
  EXPECT_EQ(sixel_of(picture), made);
  // a picture that is wider than the terminal
  EXPECT_EQ(sixel_of(picture_of(64, 64), 32).substr(0, 14), "\x1bP0;0q\"1;1;32;");
}

}  // namespace
}  // namespace unshade::cli::print
