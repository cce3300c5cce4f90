// validate --sarif: what code scanning shows.
#include <gtest/gtest.h>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade {
namespace {

TEST(Sarif, ResultsHaveALineAndAByte) {
  // GitHub leaves out results without a line, and shows the message but no byteOffset.
  const auto outcome =
      test::run_command({"validate", "--sarif", (test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc").generic_string()});
  const auto at = outcome.out.find("\"text\": \"ISGN/elements[2]: ");
  ASSERT_NE(at, std::string::npos) << outcome.out.substr(0, 400);
  const std::string result = outcome.out.substr(at, outcome.out.find("ruleId", at) - at);
  EXPECT_NE(result.find(" (at 0x74)\""), std::string::npos) << result;
  EXPECT_NE(result.find("\"startLine\": 1,"), std::string::npos) << result;
  EXPECT_NE(result.find("\"byteOffset\": 116"), std::string::npos) << result;
}

TEST(Sarif, HasUrisOfFilesAndOfHelp) {
  const std::string file = (test::source_dir() / "tests/data/dxbc/textured_ps_5_0.dxbc").generic_string();
  const auto outcome = test::run_command({"validate", "--sarif", file});
  EXPECT_NE(outcome.out.find("\"uri\": \"file://" + file + '"'), std::string::npos) << outcome.out.substr(0, 400);
  EXPECT_NE(outcome.out.find("\"helpUri\": \"https://unshade.invalid/docs/reference/rules#stat.count\""), std::string::npos);
  const auto relative = test::run_command({"validate", "--sarif", "./no such file.cso"});
  EXPECT_NE(relative.out.find("\"uri\": \"no%20such%20file.cso\",\n"), std::string::npos) << relative.out;
  EXPECT_NE(relative.out.find("\"uriBaseId\": \"%SRCROOT%\""), std::string::npos);
  EXPECT_NE(relative.out.find("\"uri\": \"file:///"), std::string::npos) << "the folder that it is in";
}

}  // namespace
}  // namespace unshade
