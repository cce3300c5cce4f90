#include <unshade/suite/correct.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/document_text/document_text.hpp>

namespace unshade::test {
namespace {

using suite::Correction;

std::string corrected(std::string_view name, std::string_view text, const std::vector<Correction>& corrections) {
  const auto made = suite::corrected(name, text, corrections, document_text::read_by_name);
  if (!made) return to_string(made.error());
  std::string shown;
  for (const Error& one : made->refused) shown += std::to_string(one.offset) + ' ' + one.message + '\n';
  return shown + made->text;
}

TEST(Corrected, ReplacesValuesAlone) {
  EXPECT_EQ(corrected("a.toml", "# x\na = [1, # one\n 'nan', 3]\n", {{9, "2.5"}, {19, "nan"}}), "# x\na = [2.5, # one\n nan, 3]\n");
  EXPECT_EQ(corrected("a.toml", "a = [1, [2], ']'] # ]\n", {{4, "[]"}, {5, "9"}}), "a = [] # ]\n");
  EXPECT_EQ(corrected("a.json", "{\"a\": [1, 2, 3]}", {{7, "nan"}, {10, "-inf"}, {13, "1.5"}}), "{\"a\": [\"nan\", \"-inf\", 1.5]}");
  EXPECT_EQ(corrected("a.json", "{\"a\": []}", {{6, "[1.0, nan]"}}), "{\"a\": [1.0, \"nan\"]}");
  EXPECT_EQ(corrected("a.yaml", "a: 1\nb: \"00\" # c\n", {{3, "2"}, {8, "\"ff\""}}), "a: 2\nb: \"ff\" # c\n");
}

TEST(Corrected, RefusesWhatItCannotReplace) {
  // what can be replaced is
  EXPECT_EQ(corrected("a.toml", "a = 1\nb = 1\n", {{4, "2"}, {10, "5"}, {4, "3"}, {4, "4"}}),
            "4 lanes or tests share this value, and give different ones: `2` and `3`\na = 1\nb = 5\n");
  const std::string kinds = " only numbers, strings of one line and lists in brackets can be replaced\n";
  EXPECT_EQ(corrected("a.toml", "a = '''1'''\nb = 1\n", {{4, "2"}, {16, "2"}}), '4' + kinds + "a = '''1'''\nb = 2\n");
  EXPECT_EQ(corrected("a.yaml", "a:\n- 1\n", {{3, "[2]"}}), '3' + kinds + "a:\n- 1\n");
  EXPECT_EQ(corrected("a.toml", "a = 1\n", {{90, "2"}}), "90" + kinds + "a = 1\n");
  const Correction unfinished{4, "[2"};
  EXPECT_FALSE(suite::corrected("a.toml", "a = 1\n", std::span(&unfinished, 1), document_text::read_by_name));
}

}  // namespace
}  // namespace unshade::test
