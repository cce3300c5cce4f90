// Only POSIX: a thread does the work on Windows, and the process ends with it
#include <unshade/system/child.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

namespace unshade::system {
namespace {

TEST(Child, EndsWithItsTime) {
  const auto begin = std::chrono::steady_clock::now();
  const auto text = in_child({.seconds = 1}, [] {
    for (;;) ::pause();
    return std::string();
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "took longer than 1 s (--time-limit)");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Child, CrashesAlone) {
  const auto text = in_child({}, [] {
    ::raise(SIGKILL);
    return std::string();
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "crashed with signal 9");
}

TEST(Child, HasNoMoreMemoryThanItMay) {
  const auto text = in_child({.bytes = 1 << 20}, [] {
    const std::string large(std::size_t{1} << 28, 'x');
    return large.substr(0, 1);
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::system
