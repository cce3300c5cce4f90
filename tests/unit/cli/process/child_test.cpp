#include "cli/process/child.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/command.hpp"

namespace unshade::test {

namespace {

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
