// Only POSIX: a thread does the work on Windows, and the process ends with it
#include <unshade/system/child.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
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

/// Whether a limit of address space holds: an emulator may take it and do nothing.
bool limits_address_space() {
  rlimit before{};
  if (::getrlimit(RLIMIT_AS, &before) != 0) return false;
  rlimit limit = before;
  limit.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{1} << 46);
  ::setrlimit(RLIMIT_AS, &limit);
  rlimit now{};
  ::getrlimit(RLIMIT_AS, &now);
  ::setrlimit(RLIMIT_AS, &before);
  return now.rlim_cur == limit.rlim_cur;
}

TEST(Child, HasNoMoreMemoryThanItMay) {
  if (!limits_address_space()) GTEST_SKIP() << "no limit of address space holds here";
  const auto text = in_child({.bytes = 1 << 20}, [] {
    const std::string large(std::size_t{1} << 28, 'x');
    return large.substr(0, 1);
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::system
