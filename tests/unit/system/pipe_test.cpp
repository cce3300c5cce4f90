// Pipes, as standard streams are.
#include <unshade/system/file.hpp>
#include <unshade/system/process.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <span>
#include <string_view>

#ifdef _WIN32
#include "system/windows/windows.hpp"
#else
#include <unistd.h>
#endif

namespace unshade::system {
namespace {

struct Pipe {
  File in;
  File out;

  Pipe() {
#ifdef _WIN32
    HANDLE ends[2];
    if (::CreatePipe(&ends[0], &ends[1], nullptr, 0) == 0) return;
    in = windows::file_of(ends[0]);
    out = windows::file_of(ends[1]);
#else
    int ends[2];
    if (::pipe(ends) != 0) return;
    in = File(ends[0]);
    out = File(ends[1]);
#endif
  }
};

TEST(Pipes, GiveBytesAsTheyAre) {
  Pipe pipe;
  constexpr std::string_view kText("\x1a\r\n\0\xff\n", 6);
  ASSERT_TRUE(pipe.out.write(kText));
  EXPECT_TRUE(pipe.out.close());
  char letters[64];
  EXPECT_EQ(pipe.in.read(std::as_writable_bytes(std::span(letters))), 6);
  EXPECT_EQ(std::string_view(letters, 6), kText);
  EXPECT_EQ(pipe.in.read(std::as_writable_bytes(std::span(letters))), 0);
  ASSERT_TRUE(pipe.in.status());
  EXPECT_EQ(pipe.in.status()->kind, FileKind::other);
}

TEST(Pipes, ThatNobodyReadsAreAFault) {
  begin_process(0, nullptr);
  Pipe pipe;
  EXPECT_TRUE(pipe.in.close());
  errno = 0;
  EXPECT_FALSE(pipe.out.write("1"));
  EXPECT_EQ(errno, EPIPE);
}

TEST(Process, KnowsItsEnvironment) {
  EXPECT_NE(environment("PATH"), "");
  EXPECT_EQ(environment("UNSHADE_NO_SUCH_VARIABLE"), "");
}

}  // namespace
}  // namespace unshade::system
