// `unshade test --coverage`: its numbers are those of `unshade run --profile`.
#include "cli/testing/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/document_text/document_text.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class TestCoverage : public ::testing::Test {
 protected:
  TestCoverage() : folder_(std::filesystem::temp_directory_path() / ("unshade-coverage-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TestCoverage() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).generic_string();
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
    const std::string file = (source_dir() / shader).generic_string();
    const auto profile = run_command({"run", "--profile", "--json", file, write("case.yaml", given)});
    ASSERT_EQ(profile.exit, 0) << profile.err;
    const auto result = document_text::read_yaml(profile.out);
    ASSERT_TRUE(result);
    std::map<std::uint64_t, std::uint64_t> expected;
    for (const Value& row : *result->find("profile")->as_list())
      expected[row.find("instruction")->as_integer()->magnitude + 1] = row.find("waves")->as_integer()->magnitude;
    const std::string tracefile = (folder_ / "lcov.info").generic_string();
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

/// Lines of sources in a tracefile, with their counts, by file.
std::map<std::string, std::map<std::uint64_t, std::uint64_t>> sources_in(const std::string& tracefile) {
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> made;
  std::istringstream records(tracefile);
  std::string file;
  for (std::string line; std::getline(records, line);) {
    if (line.starts_with("SF:")) file = line.substr(3);
    if (line.starts_with("DA:") && !file.ends_with(".lst"))
      made[file][std::stoull(line.substr(3))] = std::stoull(line.substr(line.find(',') + 1));
  }
  return made;
}

// A loop of the lines 5 and 6 of a.comp, which runs four times; line 9 of b.h is never reached.
constexpr std::string_view kLoop = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%a = OpString "a.comp"
%b = OpString "b.h"
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
%main = OpFunction %void None %type
%entry = OpLabel
OpBranch %head
%head = OpLabel
%i = OpPhi %uint %zero %entry %next %body
OpLine %a 5 1
%less = OpULessThan %bool %i %four
OpLoopMerge %end %body None
OpBranchConditional %less %body %end
%body = OpLabel
OpLine %a 6 1
%next = OpIAdd %uint %i %one
OpBranch %head
%end = OpLabel
OpLine %b 8 1
%never = OpIEqual %bool %i %zero
OpSelectionMerge %done None
OpBranchConditional %never %then %done
%then = OpLabel
OpLine %b 9 1
%x = OpIMul %uint %i %i
OpBranch %done
%done = OpLabel
OpReturn
OpFunctionEnd
)";

TEST_F(TestCoverage, CountsLinesOfSources) {
  write("loop.spvasm", std::string(kLoop));
  write("b.h", "beside the shader\n");
  const std::string tracefile = (folder_ / "out" / "lcov.info").generic_string();
  const auto tested = run_command({"test", "--coverage", tracefile, write("a.test.yaml", "shader: loop.spvasm\ncase: [{}]\n")});
  ASSERT_EQ(tested.exit, 0) << tested.out << tested.err;
  const auto found = sources_in(text_of(tracefile));
  // one is named alone, the other a file beside the shader
  const std::map<std::string, std::map<std::uint64_t, std::uint64_t>> expected{
      {"a.comp", {{5, 5}, {6, 4}}}, {std::filesystem::canonical(folder_ / "b.h").generic_string(), {{8, 1}, {9, 0}}}};
  EXPECT_EQ(found, expected);
  EXPECT_NE(text_of(tracefile).find("SF:a.comp\nBRDA:5,0,0,4\nBRDA:5,0,1,1\nBRF:2\nBRH:2\n"), std::string::npos) << text_of(tracefile);
  EXPECT_NE(tested.out.find("loop.spvasm, a.comp: 2 of 2 lines, 2 of 2 ways of branches\n"), std::string::npos) << tested.out;
}

TEST_F(TestCoverage, OfSourcesAgreesWithProfiles) {
  struct {
    std::string shader;
    const char* given;
  } const cases[] = {
      {(source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil").generic_string(), "lanes: [{}]\n"},
      {write("loop.spvasm", std::string(kLoop)), "grid: [2]\n"},
      {(folder_ / "control.v.shbin").generic_string(), "lanes: [{}]\n"},
  };
  ASSERT_EQ(
      run_command({"as", "--line-info", "-o", cases[2].shader, (source_dir() / "tests/data/pica/control.v.pica").generic_string()}).exit,
      0);
  for (const auto& [shader, given] : cases) {
    std::string binary = shader;
    if (shader.ends_with(".spvasm")) {
      binary = (folder_ / "loop.spv").generic_string();
      ASSERT_EQ(run_command({"as", "-o", binary, shader}).exit, 0);
    }
    const auto profile = run_command({"run", "--profile", "--json", binary, write("case.yaml", given)});
    ASSERT_EQ(profile.exit, 0) << profile.err;
    const auto result = document_text::read_yaml(profile.out);
    ASSERT_TRUE(result);
    const auto bytes = read_bytes(binary);
    const auto opened = shader::open(view_of(bytes));
    ASSERT_TRUE(opened);
    const auto module = shader::lower(*opened);
    ASSERT_TRUE(module);
    const auto places = shader::source_lines(*opened, (*module)->functions[0].name);
    ASSERT_TRUE(places) << to_string(places.error());
    std::map<std::uint64_t, std::uint64_t> expected;  // of all files, whose lines do not overlap here but for the loop's
    for (const Value& row : *result->find("profile")->as_list()) {
      const auto at = row.find("instruction")->as_integer()->magnitude;
      if (at >= places->places.size() || places->places[at].line == 0) continue;
      std::uint64_t& most = expected[places->places[at].line];
      most = std::max(most, row.find("waves")->as_integer()->magnitude);
    }
    const std::string tracefile = (folder_ / "lcov.info").generic_string();
    const auto tested =
        run_command({"test", "--coverage", tracefile, write("a.test.yaml", "shader: " + binary + "\n" + given + "case: [{}]\n")});
    ASSERT_EQ(tested.exit, 0) << tested.out << tested.err;
    std::map<std::uint64_t, std::uint64_t> found;
    for (const auto& [file, lines] : sources_in(text_of(tracefile)))
      for (const auto& [line, count] : lines)
        if (count != 0) found[line] = count;
    EXPECT_EQ(found, expected) << shader;
    EXPECT_FALSE(found.empty()) << shader;
  }
}

TEST_F(TestCoverage, WritesSourcesThatShadersCarry) {
  const std::string file = (source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil").generic_string();
  const std::string tracefile = (folder_ / "out" / "lcov.info").generic_string();
  const auto tested = run_command({"test", "--coverage", tracefile, write("a.test.yaml", "shader: " + file + "\ncase: [{lanes: [{}]}]\n")});
  ASSERT_EQ(tested.exit, 0) << tested.out << tested.err;
  const auto found = sources_in(text_of(tracefile));
  ASSERT_EQ(found.size(), 1U);
  const std::string source = text_of(found.begin()->first);
  EXPECT_NE(source.find("SV_Target"), std::string::npos) << found.begin()->first;
  EXPECT_GE(static_cast<std::uint64_t>(std::ranges::count(source, '\n')), found.begin()->second.rbegin()->first);
}

TEST_F(TestCoverage, LeavesFilesOfOtherTexts) {
  write("control.dxil", text_of(source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil"));
  const std::string suite = write("a.test.yaml", "shader: control.dxil\ncase: [{lanes: [{}]}]\n");
  const std::string edited = write("control.ps.hlsl", "edited\n");
  const std::string tracefile = (folder_ / "lcov.info").generic_string();
  for (int run = 0; run < 2; ++run) {
    const auto tested = run_command({"test", "--coverage", tracefile, suite});
    ASSERT_EQ(tested.exit, 0) << tested.out << tested.err;
    EXPECT_EQ(text_of(edited), "edited\n");
    const auto found = sources_in(text_of(tracefile));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(std::filesystem::path(found.begin()->first), folder_ / "control.ps.hlsl.2");
    EXPECT_NE(text_of(found.begin()->first).find("SV_Target"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "control.ps.hlsl.3"));
  }
}

TEST_F(TestCoverage, ReplacesNoFileThatIsRead) {
  const std::string shader = text_of(source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const std::string listed = write("control.dxil.lst", shader);
  write("control.dxil", shader);
  const std::string first = write("a.test.yaml", "shader: control.dxil\ncase: [{lanes: [{}]}]\n");
  const std::string second = write("b.test.yaml", "shader: control.dxil.lst\ncase: [{lanes: [{}]}]\n");
  const std::string source = write("control.ps.hlsl", "edited\n");
  const std::string tracefile = (folder_ / "lcov.info").generic_string();
  const auto refuses = [&](const std::vector<std::string>& words, std::string_view why) {
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    EXPECT_EQ(text_of(listed), shader);
    EXPECT_EQ(text_of(source), "edited\n");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()), 5);
  };
  refuses({"test", "--coverage", tracefile, first, second}, "an output would replace an input: ");
  // a source that is compared with the text in the shader
  refuses({"test", "--coverage", source, first}, "--coverage names the same file as an input");
  refuses({"test", "--coverage", tracefile, "--junit", source, second}, "--junit names the same file as an input");
  refuses({"test", "--coverage", tracefile, second, "-o", source}, "--output names the same file as an input");
}

TEST_F(TestCoverage, CountsBothWaysOfBranches) {
  const std::string file = (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").generic_string();
  const auto ways = [&](const std::string& cases) {
    const std::string tracefile = (folder_ / "made" / "here" / "lcov.info").generic_string();  // its folders are made
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
