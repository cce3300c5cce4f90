// `unshade test --coverage`: its numbers are those of `unshade run --profile`.
#include "cli/testing/coverage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "cli/yaml/yaml.hpp"
#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class TestCoverage : public ::testing::Test {
 protected:
  TestCoverage() : folder_(std::filesystem::temp_directory_path() / ("unshade-coverage-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TestCoverage() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

TEST_F(TestCoverage, AgreesWithProfiles) {
  struct {
    const char* shader;
    const char* given;
  } const cases[] = {
      {"tests/data/dxbc/lit_vs_5_0.dxbc", "constants:\n  lightCount: 3\nlanes: [{NORMAL: [1, 0, 0]}, {}]\n"},
      {"tests/data/dxbc/grid_cs_5_0.dxbc", "constants:\n  size: [3, 2]\ngrid: [2]\n"},
      {"tests/data/dxil/bitonic_cs_6_0.dxil", "resources:\n  u0: {size: 4096}\n"},
      {"tests/data/pica/control.v.shbin", "lanes: [{}]\n"},
  };
  for (const auto& [shader, given] : cases) {
    const std::string file = (source_dir() / shader).string();
    const auto profile = run_command({"run", "--profile", "--json", file, write("case.yaml", given)});
    ASSERT_EQ(profile.exit, 0) << profile.err;
    const auto result = cli::yaml::read_yaml(profile.out);
    ASSERT_TRUE(result);
    std::map<std::uint64_t, std::uint64_t> expected;
    for (const Value& row : *result->find("profile")->as_list())
      expected[row.find("instruction")->as_integer()->magnitude + 1] = row.find("waves")->as_integer()->magnitude;
    const std::string tracefile = (folder_ / "lcov.info").string();
    const auto tested =
        run_command({"test", "--coverage", tracefile, write("a.test.yaml", "shader: " + file + "\n" + given + "case: [{}]\n")});
    ASSERT_EQ(tested.exit, 0) << tested.out << tested.err;
    std::istringstream records(text_of(tracefile));
    std::map<std::uint64_t, std::uint64_t> found;
    std::string listing;
    std::size_t lines = 0;
    for (std::string line; std::getline(records, line);) {
      if (line.starts_with("SF:")) listing = text_of(line.substr(3));
      if (!line.starts_with("DA:")) continue;
      ++lines;
      const std::size_t comma = line.find(',');
      if (const std::uint64_t count = std::stoull(line.substr(comma + 1)); count != 0) found[std::stoull(line.substr(3))] = count;
    }
    EXPECT_EQ(found, expected) << shader;
    EXPECT_GE(lines, expected.size());
    EXPECT_GE(static_cast<std::size_t>(std::ranges::count(listing, '\n')), found.rbegin()->first);
    EXPECT_NE(tested.out.find(std::to_string(expected.size()) + " of " + std::to_string(lines) + " instructions"), std::string::npos)
        << tested.out;
  }
}

TEST_F(TestCoverage, CountsBothWaysOfBranches) {
  const std::string file = (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").string();
  const auto ways = [&](const std::string& cases) {
    const std::string tracefile = (folder_ / "made" / "here" / "lcov.info").string();  // its folders are made
    run_command({"test", "--coverage", tracefile, write("a.test.yaml", "shader: " + file + "\ncase:\n" + cases)});
    const std::string text = text_of(tracefile);
    return text.substr(text.find("BRDA"), text.find("DA:", text.find("BRH")) - text.find("BRDA"));
  };
  EXPECT_EQ(ways("- {constants: {lightCount: 0}, lanes: [{}]}\n"), "BRDA:183,0,0,1\nBRDA:183,0,1,0\nBRF:2\nBRH:1\n");
  EXPECT_EQ(ways("- {constants: {lightCount: 2}, lanes: [{}]}\n- {constants: {lightCount: 1}, lanes: [{}]}\n"),
            "BRDA:183,0,0,2\nBRDA:183,0,1,3\nBRF:2\nBRH:2\n");
}

}  // namespace
}  // namespace unshade::test
