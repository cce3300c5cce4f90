// Names, blocks and types by the ten thousand: what looking at them takes has to follow their number, not its square.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/amber/script.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/present/graph/graph.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>

#include "scene/parts.hpp"
#include "suite/cases/cases.hpp"
#include "support/cost.hpp"
#include "support/files.hpp"

namespace unshade::test {

namespace {

/// `make(i)` of each number below `count`, one after the other.
template <class F>
std::string each(std::uint32_t count, F make) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += make(std::to_string(i));
  return text;
}

/// Bounds what hangs, far above what is needed: as kDigests of a property.
template <class F>
void expect_fair_time(std::string_view what, F work) {
  const double start = processor_seconds();
  work();
  EXPECT_LT(processor_seconds() - start, kDigests * digest_seconds()) << what;
}

constexpr std::string_view kHead =
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n";
constexpr std::string_view kTypes =
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%u = OpTypeInt 32 0\n%t = OpConstantTrue %bool\n"
    "%c0 = OpConstant %u 0\n%c1 = OpConstant %u 1\n";

/// A compute shader: lines before its types, types, and what its function has before it returns.
std::vector<std::byte> compute(std::string_view before, std::string_view types, std::string_view body) {
  std::string text = "OpCapability Shader\n";
  ((text += kHead) += before) += kTypes;
  ((text += types) += "%main = OpFunction %void None %fn\n%entry = OpLabel\n") += body;
  const auto made = shader::assemble(shader::Family::spirv, text + "OpReturn\nOpFunctionEnd\n");
  EXPECT_TRUE(made.ok) << to_string(made.messages.front());
  return made.file;
}

shader::Shader opened(const std::vector<std::byte>& file) {
  auto shader = shader::open(view_of(file));
  EXPECT_TRUE(shader) << to_string(shader.error());
  return *std::move(shader);
}

ir::Module lowered(const std::vector<std::byte>& file) {
  auto module = shader::lower(opened(file));
  EXPECT_TRUE(module) << to_string(module.error());
  return module ? **module : ir::Module();
}

// Each register has a phi where paths meet, which comes to the one before it.
TEST(Proportion, RegistersThatAreReadAfterManyBranches) {
  std::string text = "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 41\n";
  text += each(40, [](const std::string& i) { return "mov r" + i + ".xyzw, v0.xyzw\n"; });
  text += each(1000, [](const std::string&) { return "if_nz v0.x\n  mov o0.x, v0.y\nendif\n"; });
  text += each(40, [](const std::string& i) { return "add r40.xyzw, r40.xyzw, r" + i + ".xyzw\n"; });
  const auto made = shader::assemble(shader::Family::dxbc, text + "mov o0.xyzw, r40.xyzw\nret \n");
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const std::size_t before = live_bytes();
  reset_peak();
  lowered(made.file);
  EXPECT_LT(peak_bytes() - before, std::size_t{160} << 20);  // 160,000 phis; with lists of all users of each they took 700 MB
}

TEST(Proportion, ChainsOfEmptyBlocks) {
  const auto file = compute("", "", each(60'000, [](const std::string& i) { return "OpBranch %b" + i + "\n%b" + i + " = OpLabel\n"; }));
  ir::Module module = lowered(file);
  expect_fair_time("blocks", [&] { ir::passes::simplify_flow(module); });
  EXPECT_EQ(module.functions.at(0).order.size(), 1U);
}

TEST(Proportion, PhisOfManyPredecessors) {
  constexpr std::uint32_t kCases = 8000;
  std::string body = "OpSelectionMerge %m None\nOpSwitch %c1 %m" + each(kCases, [](const std::string& i) { return ' ' + i + " %k" + i; }) +
                     '\n' + each(kCases, [](const std::string& i) { return "%k" + i + " = OpLabel\nOpBranch %m\n"; }) + "%m = OpLabel\n";
  body += each(40, [](const std::string& p) {
    return "%p" + p + " = OpPhi %u %c1 %entry" + each(kCases, [](const std::string& i) { return " %c0 %k" + i; }) + '\n';
  });
  const auto file = compute("", "", body);
  expect_fair_time("phis", [&] { lowered(file); });
}

TEST(Proportion, ArraysOfArrays) {
  const auto nested = [](std::uint32_t depth) {
    std::string types = "%a0 = OpTypeArray %u %c1\n";
    for (std::uint32_t i = 1; i < depth; ++i) types += "%a" + std::to_string(i) + " = OpTypeArray %a" + std::to_string(i - 1) + " %c1\n";
    types += "%block = OpTypeStruct %a" + std::to_string(depth - 1) + "\n%p = OpTypePointer Uniform %block\n%v = OpVariable %p Uniform\n";
    return compute("OpDecorate %block Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n", types, "");
  };
  EXPECT_TRUE(shader::reflect(opened(nested(64))));
  const auto file = nested(65);
  const auto refused = shader::reflect(opened(file));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  // the last array: behind it are a struct of three words, a pointer and a variable of four each, and a function of 9
  EXPECT_EQ(refused.error().offset, file.size() - 4 * (4 + 3 + 4 + 4 + 9));
}

TEST(Proportion, Extensions) {
  std::string text = "OpCapability Shader\n" + each(60'000, [](const std::string& i) { return "OpExtension \"e" + i + "\"\n"; });
  ((text += kHead) += kTypes) += "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const auto made = shader::assemble(shader::Family::spirv, text);
  ASSERT_TRUE(made.ok);
  expect_fair_time("extensions", [&] {
    const auto reflection = shader::reflect(opened(made.file));
    ASSERT_TRUE(reflection);
    EXPECT_EQ(reflection->capabilities.size(), 60'001U);
  });
}

TEST(Proportion, GraphsOfManyFunctions) {
  shader::Flow flow;
  std::string listing;
  constexpr std::uint32_t kFunctions = 12'000;
  for (std::uint32_t i = 0; i < kFunctions; ++i) {
    shader::FlowFunction& function = flow.functions.emplace_back();
    function.name = 'f' + std::to_string(i);
    function.blocks.emplace_back();
    function.blocks.back().line = 1 + 5 * i;
    function.blocks.back().lines = 5;
    for (unsigned line = 0; line < 5; ++line) listing += "OpNop\n";
  }
  expect_fair_time("functions", [&] {
    const auto views = present::view_graphs(flow, listing);
    ASSERT_TRUE(views) << to_string(views.error());
    EXPECT_EQ(views->size(), kFunctions);
  });
}

TEST(Proportion, VariablesOfACase) {
  constexpr std::uint32_t kVariables = 30'000;
  std::string before = "OpDecorate %block Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n";
  before = each(kVariables, [](const std::string& i) { return "OpMemberName %block " + i + " \"m" + i + "\"\n"; }) + before;
  for (std::uint32_t i = 0; i < kVariables; ++i)
    before += "OpMemberDecorate %block " + std::to_string(i) + " Offset " + std::to_string(4 * i) + '\n';
  const auto file = compute(before,
                            "%block = OpTypeStruct" + each(kVariables, [](const std::string&) { return std::string(" %u"); }) +
                                "\n%p = OpTypePointer Uniform %block\n%pu = OpTypePointer Uniform %u\n%v = OpVariable %p Uniform\n",
                            "%at = OpAccessChain %pu %v %c0\n%x = OpLoad %u %at\n");
  Value constants = Value::map();
  for (std::uint32_t i = 0; i < kVariables; ++i) constants.add('m' + std::to_string(i), Value::integer(i));
  Value given = Value::map();
  given.add("constants", std::move(constants));
  const auto runnable = run::prepare(opened(file));
  ASSERT_TRUE(runnable) << to_string(runnable.error());
  expect_fair_time("constants", [&] {
    const auto done = run::execute(*runnable, given);
    EXPECT_TRUE(done) << to_string(done.error());
  });
}

TEST(Proportion, ResourcesOfACase) {
  constexpr std::uint32_t kBuffers = 32'000;
  std::string before = each(kBuffers, [](const std::string& i) { return "OpName %v" + i + " \"buf" + i + "\"\n"; });
  before += "OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n";
  before += each(kBuffers,
                 [](const std::string& i) { return "OpDecorate %v" + i + " DescriptorSet 0\nOpDecorate %v" + i + " Binding " + i + '\n'; });
  std::string types = "%block = OpTypeStruct %u\n%p = OpTypePointer Uniform %block\n%pu = OpTypePointer Uniform %u\n";
  types += each(kBuffers, [](const std::string& i) { return "%v" + i + " = OpVariable %p Uniform\n"; });
  const auto file = compute(before, types, each(kBuffers, [](const std::string& i) {
                              return "%at" + i + " = OpAccessChain %pu %v" + i + " %c0\nOpStore %at" + i + " %c1\n";
                            }));
  Value resources = Value::map();
  for (std::uint32_t i = 0; i < kBuffers; ++i) {
    Value one = Value::map();
    one.add("size", Value::integer(4));
    resources.add("buf" + std::to_string(i), std::move(one));
  }
  Value given = Value::map();
  given.add("resources", std::move(resources));
  const auto runnable = run::prepare(opened(file));
  ASSERT_TRUE(runnable) << to_string(runnable.error());
  expect_fair_time("resources", [&] {
    const auto done = run::execute(*runnable, given);
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(done->find("resources")->as_map()->size(), kBuffers);
  });
}

TEST(Proportion, ConstantsOfASuiteAndACase) {
  const auto constants = [](char letter) { return each(40'000, [&](const std::string& i) { return letter + i + " = 1\n"; }); };
  const std::string text = "shader = 'a'\n[constants]\n" + constants('r') + "[[case]]\n[case.constants]\n" + constants('s');
  auto document = document_text::read_toml(text);
  ASSERT_TRUE(document) << to_string(document.error());
  const auto suite = suite::read_suite(*std::move(document), text);
  ASSERT_TRUE(suite) << to_string(suite.error());
  expect_fair_time("constants", [&] {
    const auto one = suite::cases::expand(*suite, 0);
    ASSERT_TRUE(one) << to_string(one.error());
    EXPECT_EQ(one->given.find("constants")->as_map()->size(), 80'000U);
  });
}

TEST(Proportion, NamesOfAScript) {
  constexpr std::uint32_t kNames = 40'000;
  const std::string texts[] = {
      each(kNames, [](const std::string& i) { return "STRUCT s" + i + "\n  int32 a\nEND\n"; }) +
          each(4000, [](const std::string& i) { return "BUFFER b" + i + " DATA_TYPE s" + i + " SIZE 1 FILL 3\n"; }),
      each(kNames, [](const std::string& i) { return "VIRTUAL_FILE f" + i + "\nx\nEND\n"; }),
      each(kNames, [](const std::string& i) { return "SAMPLER s" + i + '\n'; }),
      each(kNames, [](const std::string& i) { return "PIPELINE compute p" + i + "\nEND\n"; }),
  };
  for (const std::string& text : texts) expect_fair_time(text.substr(0, 8), [&] { (void)amber::read_script("#!amber\n" + text); });
}

TEST(Proportion, QueriesOfAScene) {
  Value given = Value::map();
  for (std::uint32_t i = 0; i < 40'000; ++i) given.add('q' + std::to_string(i), Value::text("OCCLUSION"));
  scene::Queries queries;
  expect_fair_time("queries", [&] {
    for (unsigned pass = 0; pass < 2; ++pass) EXPECT_TRUE(queries.add(given, {}));
  });
  EXPECT_EQ(queries.results().as_map()->size(), 40'000U);
}

}  // namespace

}  // namespace unshade::test
