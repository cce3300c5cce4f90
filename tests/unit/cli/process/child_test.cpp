#include "cli/process/child.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

#include "support/command.hpp"

namespace unshade::test {

namespace {

TEST(Child, ReturnsItsText) {
  const std::string much(1 << 20, 'x');
  const auto text = cli::in_child({}, [&] { return much; });
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(*text, much);
  EXPECT_EQ(*cli::in_child({}, [] { return std::string(); }), "");
}

TEST(Child, EndsWithItsTime) {
  const auto begin = std::chrono::steady_clock::now();
  const auto text = cli::in_child({.seconds = 1}, [] {
    for (;;) ::pause();
    return std::string();
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "took longer than 1 s (--time-limit)");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Child, CrashesAlone) {
  const auto text = cli::in_child({}, [] {
    ::raise(SIGKILL);
    return std::string();
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "crashed with signal 9");
}

TEST(Child, HasNoMoreMemoryThanItMay) {
  const auto text = cli::in_child({.bytes = 1 << 20}, [] {
    const std::string large(std::size_t{1} << 28, 'x');
    return large.substr(0, 1);
  });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
}

TEST(Child, ReturnsNoMoreThanItMay) {
  const auto text = cli::in_child({.result_bytes = 1 << 20}, [] { return std::string(3 << 20, 'x'); });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::limit);
  EXPECT_EQ(text.error().message, "the result exceeds 1 MiB");
}

TEST(Child, TimeLimitsAreNumbers) {
  for (const char* value : {"x", "-1", "1.5", "", "86401"}) {
    const auto outcome = run_command({"validate", std::string("--time-limit=") + value, "tests/data/spirv/odd.spv"});
    EXPECT_EQ(outcome.exit, 2) << value;
  }
  EXPECT_EQ(run_command({"validate", "--time-limit", "0", "tests/data/spirv/odd.spv"}).out,
            run_command({"validate", "tests/data/spirv/odd.spv"}).out);
}

}  // namespace

}  // namespace unshade::test
