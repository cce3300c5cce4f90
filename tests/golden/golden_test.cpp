// Golden tests: every *.test below this folder.
//
//   # RUN: info -            the command; `-` reads the bytes below. Several RUN lines: several commands.
//   # NEEDS: khronos         as the first line: not without SPIRV-Tools and SPIRV-Cross
//   # any other comment
//   44 58 42 43              commented hex (see tests/support/files.hpp), or nothing
//
// Beside it, NAME.expected holds for each command what it prints, then a line `stderr:` with what it complains about, where it does, then
// `exit: N` where that is not 0. UNSHADE_BLESS=1 rewrites it: read the difference before you commit it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

class Golden : public testing::TestWithParam<std::filesystem::path> {};

/// Words of a command; 'between quotes' blanks stay.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool open = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (quoted && !open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

TEST_P(Golden, PrintsWhatIsExpected) {
  const std::string test = read_text(GetParam());
#ifndef UNSHADE_HAS_KHRONOS
  if (test.starts_with("# NEEDS: khronos")) GTEST_SKIP() << "built without SPIRV-Tools and SPIRV-Cross";
#endif
  Surroundings around;
  around.input = from_hex(test);
  std::string actual;
  std::istringstream lines(test);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kRun = "# RUN: ";
    if (!line.starts_with(kRun)) continue;
    const auto command = line.substr(kRun.size());
    const Outcome outcome = run_command(split(command), around);
    actual += "$ unshade " + command + '\n' + outcome.out;
    if (!actual.ends_with('\n')) actual += '\n';
    if (!outcome.err.empty()) actual += "stderr:\n" + outcome.err;
    if (outcome.exit != 0) actual += "exit: " + std::to_string(outcome.exit) + '\n';
  }
  ASSERT_FALSE(actual.empty()) << "no RUN line";
  auto expected_path = GetParam();
  expected_path.replace_extension(".expected");
  const char* bless = std::getenv("UNSHADE_BLESS");
  if (bless != nullptr && std::string_view(bless) == "1") {
    std::ofstream(expected_path, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read_text(expected_path), actual);
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.lexically_relative(source_dir() / "tests/golden").replace_extension().string();
  for (char& c : name)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(files_below(source_dir() / "tests/golden", ".test")), name_of);

}  // namespace

}  // namespace unshade::test
