// How inputs and outputs of SPIR-V are matched: by location and component.
#include <unshade/suite/equivalence.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>

namespace unshade::suite {
namespace {

constexpr unsigned kNoLocation = ~0U;

/// A variable of a vertex shader.
struct Located {
  std::string_view name, storage, type;
  unsigned location;
  unsigned component = 0;
};

// A vertex shader: its variables, and what it does with them.
std::vector<std::byte> vertex_shader(const std::vector<Located>& variables, std::string_view code) {
  std::string names, decorations, declarations, list;
  for (const Located& one : variables) {
    const std::string id = '%' + std::string(one.name);
    list += ' ' + id;
    names += "OpName " + id + " \"" + std::string(one.name) + "\"\n";
    if (one.location != kNoLocation) decorations += "OpDecorate " + id + " Location " + std::to_string(one.location) + '\n';
    if (one.component != 0) decorations += "OpDecorate " + id + " Component " + std::to_string(one.component) + '\n';
    const std::string pointer = "%p_" + std::string(one.name);
    declarations += pointer + " = OpTypePointer " + std::string(one.storage) + " %" + std::string(one.type) + '\n';
    declarations += id + " = OpVariable " + pointer + ' ' + std::string(one.storage) + '\n';
  }
  auto made = spirv::assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\"" + list + '\n' +
                              names + decorations + R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%two = OpConstant %int 2
%one = OpConstant %int 1
%zero = OpConstant %int 0
%real = OpConstant %float 1
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%m4 = OpTypeMatrix %v4 4
%in4 = OpTypePointer Input %v4
%in1 = OpTypePointer Input %float
%out1 = OpTypePointer Output %float
)" + declarations + "%main = OpFunction %void None %fn\n%label = OpLabel\n" +
                              std::string(code) + "OpReturn\nOpFunctionEnd\n");
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

Equivalence compared_files(const std::vector<std::byte>& one, const std::vector<std::byte>& other, const Value& given = Value::map()) {
  const auto first = run::prepare(*shader::open(View(one))), second = run::prepare(*shader::open(View(other)));
  EXPECT_TRUE(first) << to_string(first.error());
  EXPECT_TRUE(second) << to_string(second.error());
  EquivalenceOptions options;
  options.random = given.as_map()->empty() ? 8 : 0;
  auto done = compare({"a", *first}, {"b", *second}, given, options);
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

constexpr Located kOut{"o", "Output", "v4", 0};

TEST(EquivalenceLocations, RowsThatAreNotReadNeedNoPartner) {
  const auto reads_row = [](std::string_view row) {
    return vertex_shader({{"m", "Input", "m4", 3}, kOut},
                         "%at = OpAccessChain %in4 %m %" + std::string(row) + "\n%v = OpLoad %v4 %at\nOpStore %o %v\n");
  };
  const auto alone = vertex_shader({{"row", "Input", "v4", 4}, kOut}, "%v = OpLoad %v4 %row\nOpStore %o %v\n");
  EXPECT_TRUE(compared_files(reads_row("one"), alone).equal());
  EXPECT_TRUE(compared_files(alone, reads_row("one")).equal());
  EXPECT_EQ(compared_files(reads_row("two"), alone).mismatches, std::vector<std::string>{"a has the input `m[2]`, which b lacks"});
}

TEST(EquivalenceLocations, LocationsMayBeSplit) {
  const auto whole = vertex_shader({{"v", "Input", "v4", 0}, kOut}, "%x = OpLoad %v4 %v\nOpStore %o %x\n");
  const auto split_in = [](std::string_view order) {
    return vertex_shader(
        {{"v", "Input", "v2", 0}, {"w", "Input", "v2", 0, 2}, kOut},
        "%x = OpLoad %v2 %v\n%y = OpLoad %v2 %w\n%z = OpVectorShuffle %v4 %x %y " + std::string(order) + "\nOpStore %o %z\n");
  };
  const auto split_out = [](std::string_view second) {
    return vertex_shader({{"v", "Input", "v4", 0}, {"o", "Output", "v2", 0}, {"p", "Output", "v2", 0, 2}},
                         "%x = OpLoad %v4 %v\n%y = OpVectorShuffle %v2 %x %x 0 1\n%z = OpVectorShuffle %v2 %x %x " + std::string(second) +
                             "\nOpStore %o %y\nOpStore %p %z\n");
  };
  const auto both = {split_in("0 1 2 3"), split_out("2 3"), whole};
  for (const auto& one : both)
    for (const auto& other : both) EXPECT_TRUE(compared_files(one, other).equal());
  for (const auto& [one, other, what] : {std::tuple(whole, split_in("0 1 3 2"), "lane 0: o.z"),
                                         {split_in("0 1 3 2"), whole, "lane 0: o.z"},
                                         {whole, split_out("2 2"), "lane 0: o.w"},
                                         {split_out("2 2"), whole, "lane 0: p.y"},
                                         {split_in("0 1 2 2"), split_out("2 3"), "lane 0: o.w"}}) {
    const Equivalence done = compared_files(one, other);
    ASSERT_TRUE(done.difference) << what;
    EXPECT_EQ(done.difference->what, what);
  }
  // a case is for the first
  Value numbers = Value::list(), lane = Value::map(), lanes = Value::list(), given = Value::map();
  for (const int number : {1, 2, 3, 4}) numbers.push(Value::integer(static_cast<unsigned>(number)));
  lane.add("v", std::move(numbers));
  lanes.push(std::move(lane));
  given.add("lanes", std::move(lanes));
  EXPECT_TRUE(compared_files(whole, split_in("0 1 2 3"), given).equal());
  const Equivalence done = compared_files(whole, split_in("0 1 3 2"), given);
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->values[0], "3.0");
  EXPECT_EQ(done.difference->values[1], "4.0");
}

// Found by guided fuzzing: `p` was compared with `o`. Vulkan allows neither.
TEST(EquivalenceLocations, VariablesOfOneLocationOrNoneAreNotTakenForEachOther) {
  for (const unsigned location : {0U, kNoLocation}) {
    const auto shader = [&](std::string_view first, std::string_view second) {
      return vertex_shader(
          {{"v", "Input", "v4", 0}, {"w", "Input", "v4", location}, kOut, {"p", "Output", "v2", location}, {"q", "Output", "v2", 1}},
          "%x = OpLoad %v4 %v\n%y = OpLoad %v4 %w\nOpStore %o %x\n%z = OpVectorShuffle %v2 %y %y " + std::string(first) +
              "\nOpStore %p %z\n%u = OpVectorShuffle %v2 %x %x " + std::string(second) + "\nOpStore %q %u\n");
    };
    const auto one = shader("1 2", "0 1");
    EXPECT_TRUE(compared_files(one, one).equal()) << location;
    const Equivalence of_p = compared_files(one, shader("1 3", "0 1"));
    ASSERT_TRUE(of_p.difference) << location;
    EXPECT_EQ(of_p.difference->what, "lane 0: p.y");
    const Equivalence of_q = compared_files(one, shader("1 2", "0 2"));
    ASSERT_TRUE(of_q.difference) << location;
    EXPECT_EQ(of_q.difference->what, "lane 0: q.y");
  }
}

TEST(EquivalenceLocations, WhatOneShaderAloneWritesIsReported) {
  const auto whole = vertex_shader({{"v", "Input", "v4", 0}, kOut}, "%x = OpLoad %v4 %v\nOpStore %o %x\n");
  const auto half = vertex_shader({{"v", "Input", "v4", 0}, {"o", "Output", "v2", 0}},
                                  "%x = OpLoad %v4 %v\n%y = OpVectorShuffle %v2 %x %x 0 1\nOpStore %o %y\n");
  EXPECT_EQ(compared_files(whole, half).mismatches, std::vector<std::string>{"output `o`: f32 x 4 in a, f32 x 2 in b"});
  EXPECT_EQ(compared_files(half, whole).mismatches, std::vector<std::string>{"output `o`: f32 x 2 in a, f32 x 4 in b"});
  // of which it writes what the other has
  const auto writes_half = vertex_shader({{"v", "Input", "v4", 0}, kOut},
                                         "%x = OpLoad %v4 %v\n%a = OpCompositeExtract %float %x 0\n%b = OpCompositeExtract %float %x 1\n"
                                         "%to_a = OpAccessChain %out1 %o %zero\nOpStore %to_a %a\n"
                                         "%to_b = OpAccessChain %out1 %o %one\nOpStore %to_b %b\n");
  EXPECT_TRUE(compared_files(writes_half, half).equal());
  EXPECT_TRUE(compared_files(half, writes_half).equal());
  const auto other_place =
      vertex_shader({{"v", "Input", "v2", 0, 2}, kOut}, "%x = OpLoad %v2 %v\n%y = OpVectorShuffle %v4 %x %x 0 1 0 1\nOpStore %o %y\n");
  const auto first_place =
      vertex_shader({{"v", "Input", "v2", 0}, kOut}, "%x = OpLoad %v2 %v\n%y = OpVectorShuffle %v4 %x %x 0 1 0 1\nOpStore %o %y\n");
  EXPECT_EQ(compared_files(first_place, other_place).mismatches,
            (std::vector<std::string>{"a has the input `v`, which b lacks", "b has the input `v`, which a lacks"}));
}

// The other shader may read more components than the first: they vary, too.
TEST(EquivalenceLocations, ComponentsThatTheOtherAloneReadsVary) {
  const auto few =
      vertex_shader({{"v", "Input", "v3", 0}, kOut}, "%x = OpLoad %v3 %v\n%y = OpVectorShuffle %v4 %x %x 0 1 2 2\nOpStore %o %y\n");
  const auto more = [](std::string_view order) {
    return vertex_shader({{"v", "Input", "v4", 0}, kOut},
                         "%x = OpLoad %v4 %v\n%y = OpVectorShuffle %v4 %x %x " + std::string(order) + "\nOpStore %o %y\n");
  };
  EXPECT_TRUE(compared_files(few, more("0 1 2 2")).equal());
  const Equivalence done = compared_files(few, more("0 1 2 3"));
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->what, "lane 0: o.w");
  EXPECT_EQ(done.difference->inputs.find("lanes")->as_list()->front().find("v")->as_list()->size(), 4U);
}

}  // namespace
}  // namespace unshade::suite
