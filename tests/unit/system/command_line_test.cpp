#include "system/command_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::system {
namespace {

std::string line_of(const std::vector<std::string>& words) { return command_line(words); }

TEST(CommandLine, LeavesPlainWords) { EXPECT_EQ(line_of({"C:\\a\\b.exe", "-o", "d\\", "x=1"}), "C:\\a\\b.exe -o d\\ x=1"); }

TEST(CommandLine, QuotesBlanksAndNothing) {
  EXPECT_EQ(line_of({"C:\\Program Files\\b.exe", "", "a\tb"}), "\"C:\\Program Files\\b.exe\" \"\" \"a\tb\"");
}

TEST(CommandLine, KeepsQuotesAndBackslashesBeforeThem) {
  EXPECT_EQ(line_of({"b", R"(a"b)"}), R"(b "a\"b")");
  EXPECT_EQ(line_of({"b", R"(a\"b)"}), R"(b "a\\\"b")");
  EXPECT_EQ(line_of({"b", R"(a b\\)"}), R"(b "a b\\\\")");
  EXPECT_EQ(line_of({"b", R"(\a\ b)"}), R"(b "\a\ b")");
}

}  // namespace
}  // namespace unshade::system
