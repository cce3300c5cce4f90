// Golden tests: every *.test below this folder.
//
//   # RUN: info -            the command; `-` reads the bytes below. Several RUN lines: several commands.
//   # NEEDS: khronos         as the first line: not without SPIRV-Tools and SPIRV-Cross
//   # NEEDS: archives        not without libarchive
//   # NEEDS: database        not without SQLite
//   # NEEDS: xxhash          not without xxHash
//   # RUN: edit ... -o %t/a  %t is a folder for this test alone, empty at first
//   # any other comment
//   44 58 42 43              commented hex (see tests/support/files.hpp), or nothing
//
// Beside it, NAME.expected holds for each command what it prints, then a line `stderr:` with what it complains about, where it does, then
// `exit: N` where that is not 0. UNSHADE_BLESS=1 rewrites it: read the difference before you commit it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unshade/find/checksums.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

class Golden : public testing::TestWithParam<std::filesystem::path> {};

std::string name_of(const std::filesystem::path& test) {
  std::string name = test.lexically_relative(source_dir() / "tests/golden").replace_extension().string();
  for (char& c : name)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
  return name;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
  return text;
}

/// A folder that is gone at the end.
struct Removed {
  const std::filesystem::path& folder;
  ~Removed() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

TEST_P(Golden, PrintsWhatIsExpected) {
  const std::string test = read_text(GetParam());
#ifndef UNSHADE_HAS_KHRONOS
  if (test.starts_with("# NEEDS: khronos")) GTEST_SKIP() << "built without SPIRV-Tools and SPIRV-Cross";
#endif
#ifndef UNSHADE_HAS_ARCHIVES
  if (test.starts_with("# NEEDS: archives")) GTEST_SKIP() << "built without libarchive";
#endif
#ifndef UNSHADE_HAS_DATABASE
  if (test.starts_with("# NEEDS: database")) GTEST_SKIP() << "built without SQLite";
#endif
  if (test.starts_with("# NEEDS: xxhash") && !find::has_xxh3()) GTEST_SKIP() << "built without xxHash";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("unshade-golden-" + std::to_string(process_id()) + "-" + name_of(GetParam()));
  const Removed removed{folder};
  std::filesystem::create_directories(folder);
  Surroundings around;
  around.input = from_hex(test);
  std::string actual;
  std::istringstream lines(test);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kRun = "# RUN: ";
    if (!line.starts_with(kRun)) continue;
    const auto command = line.substr(kRun.size());
    Outcome outcome = run_command(split_words(replaced(command, "%t", folder.generic_string())), around);
    outcome.out = replaced(std::move(outcome.out), folder.generic_string(), "%t");
    outcome.err = replaced(std::move(outcome.err), folder.generic_string(), "%t");
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

using Info = testing::TestParamInfo<std::filesystem::path>;

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(files_below(source_dir() / "tests/golden", ".test")),
                         [](const Info& test_info) { return name_of(test_info.param); });

}  // namespace

}  // namespace unshade::test
