#include <unshade/suite/equivalence.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>

#include "suite/equivalence/layout.hpp"
#include "support/two_outputs.hpp"

namespace unshade::suite {
namespace {

constexpr std::string_view kSum = R"(stage vertex
input "POSITION" type f32 register 0 columns 2
input "COUNT" type i32 register 1 columns 1
output "TEXCOORD" index 1 type f32 register 0 columns 1

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = fadd f32 %0 %1
  output f32 out0.x %2
  return
}
)";

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string made(text);
  const std::size_t at = made.find(what);
  made.replace(at, what.size(), with);
  // the name of a variable is the last of a row
  const std::size_t variable = with.find(" variable ");
  if (variable == std::string_view::npos) return made;
  const std::size_t size = with.find('"', with.find('"', variable) + 1) + 1 - variable;
  made.erase(at + variable, size);
  made.insert(made.find('\n', at), with.substr(variable, size));
  return made;
}

run::Runnable made_of(std::string_view text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto made = run::prepare(std::move(*module));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

constexpr unsigned kSets = 16;
EquivalenceOptions some_sets() {
  EquivalenceOptions options;
  options.random = kSets;
  return options;
}

Equivalence compared(std::string_view a, std::string_view b, const EquivalenceOptions& options = some_sets(),
                     const Value& given = Value::map()) {
  const run::Runnable first = made_of(a), second = made_of(b);
  auto done = compare({"a", first}, {"b", second}, given, options);
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

TEST(Equivalence, OfTheSame) {
  const Equivalence found = compared(kSum, kSum);
  EXPECT_TRUE(found.equal());
  EXPECT_EQ(found.sets, kSets);
  EXPECT_EQ(found.values, kSets * 32);
}

/// A loop of 400,000 rounds if an input says so; for other inputs without an end.
constexpr std::string_view kCounting = R"(stage vertex
input "COUNT" type i32 register 0 columns 1
output "SUM" type i32 register 0 columns 1
function @main {
^0:
  %0 = input i32 in0.x
  %4 = ieq i32 %0 400000
  %5 = select i32 %4 -1 0
  jump ^1
^1:
  %1 = phi i32 ^0 %0 ^1 %2
  %2 = iadd i32 %1 %5
  %3 = ine i32 %2 0
  branch %3 ^1 ^2
^2:
  %6 = phi i32 ^1 %2
  output i32 out0.x %6
  return
}
)";

TEST(Equivalence, GeneratedSetsHaveABudgetOfTheirOwn) {
  EquivalenceOptions options;
  options.random = 4;
  Equivalence found = compared(kCounting, kCounting, options);
  EXPECT_EQ(found.sets, 0U);
  EXPECT_EQ(found.unfinished, 4U);
  EXPECT_FALSE(found.unfinished_case);
  EXPECT_EQ(found.budget, std::uint64_t{1} << 20);
  EXPECT_FALSE(found.equal());
  // a case may take more
  options.random = 0;
  Value lane = Value::map();
  lane.add("COUNT", Value::integer(400'000));
  Value given = Value::map();
  given.add("lanes", Value::list({std::move(lane)}));
  found = compared(kCounting, kCounting, options, given);
  EXPECT_EQ(found.sets, 1U);
  EXPECT_FALSE(found.unfinished_case);
  EXPECT_TRUE(found.equal());
  options.run.operations = 1000;
  found = compared(kCounting, kCounting, options, given);
  EXPECT_EQ(found.sets, 0U);
  EXPECT_TRUE(found.unfinished_case);
  EXPECT_EQ(found.budget, 1000U);
}

// The sum of a value of the first and the last vertex.
constexpr std::string_view kEnds = R"(stage geometry
info input_primitive triangle streams 1 point_list max_vertices 1
input "COLOR" type f32 register 0 columns 1
output "SUM" type f32 register 0 columns 1

function @main {
^0:
  %0 = input f32 in0.x vertex 0
  %1 = input f32 in0.x vertex 2
  %2 = fadd f32 %0 %1
  output f32 out0.x %2
  emit 0
  cut 0
  return
}
)";
constexpr std::string_view kDomain = R"(stage domain
info input_points 2 domain isoline
input "COLOR" type f32 register 0 columns 1
patch "SHADE" type f32 register 0 columns 1
output "SUM" type f32 register 0 columns 1

function @main {
^0:
  %0 = input f32 in0.x vertex 1
  %1 = input f32 patch0.x
  %2 = fadd f32 %0 %1
  output f32 out0.x %2
  return
}
)";

TEST(Equivalence, VerticesOfAPrimitiveDiffer) {
  EXPECT_TRUE(compared(kEnds, kEnds).equal());
  // of inputs that are the same for all vertices nothing would differ
  const Equivalence found = compared(kEnds, replaced(kEnds, "vertex 2", "vertex 1"));
  ASSERT_TRUE(found.difference);
  const Value& lane = (*found.difference->inputs.find("lanes")->as_list())[0];
  EXPECT_EQ(lane.find("vertices")->as_list()->size(), 3U);
  EXPECT_EQ(lane.find("COLOR"), nullptr);
}

TEST(Equivalence, VerticesOfTheOtherHaveItsNames) {
  EXPECT_TRUE(compared(kEnds, replaced(kEnds, "\"COLOR\"", "\"in.var.COLOR\" variable \"in.var.COLOR\"")).equal());
}

TEST(Equivalence, DomainShadersHavePatchConstants) {
  EXPECT_TRUE(compared(kDomain, kDomain).equal());
  EXPECT_TRUE(compared(kDomain, replaced(kDomain, "\"SHADE\"", "\"in.var.SHADE\" variable \"in.var.SHADE\"")).equal());
  EXPECT_FALSE(compared(kDomain, replaced(kDomain, "vertex 1", "vertex 0")).equal());
  EXPECT_FALSE(compared(kDomain, replaced(kDomain, "fadd", "fsub")).equal());
  EXPECT_EQ(compared(kDomain, replaced(kDomain, "\"SHADE\"", "\"LIGHT\"")).mismatches[0],
            "a has the patch constant `SHADE`, which b lacks");
}

TEST(Equivalence, PatchConstantsMayHaveTheNameOfAnInput) {
  const std::string one = replaced(kDomain, "\"SHADE\"", "\"COLOR\"");
  EXPECT_TRUE(compared(one, one).equal());
  EXPECT_TRUE(compared(one, replaced(one, "patch \"COLOR\"", "patch \"in.var.COLOR\" variable \"in.var.COLOR\"")).equal());
  const Equivalence found = compared(one, replaced(one, "fadd", "fsub"));
  ASSERT_TRUE(found.difference);
  const Value& lane = (*found.difference->inputs.find("lanes")->as_list())[0];
  EXPECT_NE(lane.find("patch_constants")->find("COLOR"), nullptr);
  EXPECT_EQ(lane.find("COLOR"), nullptr);
}

TEST(Equivalence, PatchConstantsOfACaseHaveTheNamesOfTheOther) {
  const std::string other = replaced(replaced(kDomain, "\"SHADE\"", "\"in.var.SHADE\" variable \"in.var.SHADE\""), "\"COLOR\"",
                                     "\"in.var.COLOR\" variable \"in.var.COLOR\"");
  Value vertex = Value::map();
  vertex.add("COLOR", Value::integer(1));
  Value vertices = Value::list();
  for (unsigned k = 0; k < 2; ++k) vertices.push(vertex);
  for (const bool in_map : {false, true}) {
    Value lane = Value::map(), constants = Value::map();
    lane.add("vertices", vertices);
    (in_map ? constants : lane).add("SHADE", Value::integer(2));
    if (in_map) lane.add("patch_constants", constants);
    Value lanes = Value::list();
    lanes.push(std::move(lane));
    Value given = Value::map();
    given.add("lanes", std::move(lanes));
    EquivalenceOptions options = some_sets();
    options.random = 0;
    EXPECT_TRUE(compared(kDomain, other, options, given).equal()) << in_map;
    const Equivalence found = compared(kDomain, replaced(other, "fadd", "fsub"), options, given);
    ASSERT_TRUE(found.difference) << in_map;
    EXPECT_EQ(found.difference->values[0], "3.0");
    EXPECT_EQ(found.difference->values[1], "-1.0");
  }
}

TEST(Equivalence, LanesOfAFileHaveTheNamesOfTheOther) {
  Value file = Value::map();
  file.add("csv", Value::text("lanes.csv"));
  Value given = Value::map();
  given.add("lanes", std::move(file));
  EquivalenceOptions options = some_sets();
  options.random = 0;
  options.run.read_file = [](void*, std::string_view) -> Result<std::vector<std::byte>> {
    constexpr std::string_view kText = "POSITION.x,POSITION.y\n1,0\n2,0\n";
    const auto bytes = std::as_bytes(std::span(kText));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  const std::string other = replaced(kSum, "\"POSITION\"", "\"in.var.POSITION\" variable \"in.var.POSITION\" index 1");
  const Equivalence same = compared(kSum, other, options, given);
  EXPECT_TRUE(same.equal());
  EXPECT_EQ(same.values, 2U);
  // generated sets have as many lanes
  options.random = 1;
  const Equivalence found = compared(kSum, replaced(other, "fadd", "fsub"), options, given);
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->random, 0U);
  EXPECT_EQ(found.difference->inputs.find("lanes")->as_list()->size(), 2U);
  // the case has what the file gave
  const Equivalence wrong = compared(kSum, replaced(other, "%2 = fadd f32 %0 %1", "%2 = fadd f32 %0 1.0"), options, given);
  ASSERT_TRUE(wrong.difference);
  EXPECT_FALSE(wrong.difference->random);
  EXPECT_EQ(wrong.difference->values[0], "1.0");
  EXPECT_EQ(wrong.difference->values[1], "2.0");
  EXPECT_EQ(wrong.difference->inputs.find("lanes")->as_list()->size(), 2U);
}

// A vertex shader with two outputs of one name, which gives one component of its input to each.
std::string two_outputs(std::string_view outputs, std::string_view first, std::string_view second) {
  std::string made = "stage vertex\ninput \"UV\" type f32 register 0 columns 2\n" + std::string(outputs);
  made += "\nfunction @main {\n^0:\n  %x = input f32 in0.x\n  %y = input f32 in0.y\n";
  made.append("  output f32 out0.x ").append(first).append("\n  output f32 out1.x ").append(second);
  return made + "\n  return\n}\n";
}
constexpr std::string_view kLow = "output \"UV\" type f32 register 0 columns 1\n";
constexpr std::string_view kHigh = "output \"UV\" type f32 register 0 column 1 columns 1\n";

TEST(Equivalence, OutputsOfOneNameAreComparedEach) {
  const std::string packed = std::string(kLow) + std::string(kHigh);
  const std::string one = two_outputs(packed, "%x", "%y");
  EXPECT_EQ(compared(one, one).values, kSets * 32 * 2);
  const Equivalence found = compared(one, two_outputs(packed, "%x", "%x"));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->what, "lane 0: UV@0.x");
  EXPECT_EQ(*found.difference->place.find("output")->as_text(), "UV@0");
  // in the other order, each has its place in the register
  EXPECT_TRUE(compared(one, two_outputs(std::string(kHigh) + std::string(kLow), "%y", "%x")).equal());
}

TEST(Equivalence, MissingOutputsAreNamedAsInResults) {
  const std::string both = two_outputs(std::string(kLow) + std::string(kHigh), "%x", "%y");
  const std::string one = replaced(two_outputs(kLow, "%x", "%y"), "\n  output f32 out1.x %y", "");
  EXPECT_EQ(compared(both, one).mismatches, std::vector<std::string>{"a has the output `UV@0`, which b lacks"});
  EXPECT_EQ(compared(one, both).mismatches, std::vector<std::string>{"b has the output `UV@0`, which a lacks"});
  const std::string numbered = replaced(kSum, "\"TEXCOORD\"", "\"out.var.TEXCOORD\" variable \"out.var.TEXCOORD\"");
  const std::string other = replaced(kSum, "\"TEXCOORD\"", "\"out.var.COLOR\" variable \"out.var.COLOR\"");
  EXPECT_EQ(compared(numbered, other).mismatches[0], "a has the output `out.var.TEXCOORD`, which b lacks");
}

// The sources of blending are of one location in SPIR-V, of two targets in Direct3D.
TEST(Equivalence, SourcesOfBlendingAreMatched) {
  constexpr std::string_view kTarget = "output \"SV_Target\" system_value target type f32 register 0 columns 1\n";
  constexpr std::string_view kTarget1 = "output \"SV_Target\" index 1 system_value target type f32 register 1 columns 1\n";
  constexpr std::string_view kColor = "output \"location\" system_value target type f32 register 0 columns 1\n";
  constexpr std::string_view kSecond = "output \"location\" system_value target type f32 register 0 columns 1 second_source\n";
  const auto gives = [](std::string_view first, std::string_view x, std::string_view second, std::string_view y) {
    std::string made = "stage pixel\n" + std::string(first) + std::string(second) + "\nfunction @main {\n^0:\n  output f32 out0.x ";
    return made.append(x).append("\n  output f32 out1.x ").append(y).append("\n  return\n}\n");
  };
  const std::string turned = gives(kSecond, "2.0", kColor, "1.0");
  EXPECT_TRUE(compared(gives(kColor, "1.0", kSecond, "2.0"), turned).equal());
  EXPECT_TRUE(compared(gives(kTarget, "1.0", kTarget1, "2.0"), turned).equal());
  EXPECT_TRUE(compared(gives(kTarget, "2.0", kTarget1, "1.0"), turned).difference);
}

TEST(Equivalence, OutputsOfSpirvHaveTheNamesOfResults) {
  const std::string one = replaced(kSum, "\"TEXCOORD\"", "\"out.var.TEXCOORD\" variable \"out.var.TEXCOORD\"");
  EXPECT_EQ(compared(one, one).values, kSets * 32);
  const Equivalence found = compared(one, replaced(one, "fadd", "fsub"));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->what, "lane 0: out.var.TEXCOORD.x");
}

TEST(Equivalence, InputsOfSpirvHaveTheNamesOfCases) {
  const std::string spirv = replaced(kSum, "\"POSITION\"", "\"in.var.POSITION\" variable \"in.var.POSITION\" index 1");
  EXPECT_TRUE(compared(spirv, kSum).equal());
  EXPECT_TRUE(compared(kSum, spirv).equal());
}

// An array, of which DXC makes one variable.
constexpr std::string_view kRows = R"(stage vertex
input "M" type f32 register 0 columns 1 rows 2
output "SUM" type f32 register 0 columns 1

function @main {
^0:
  %x = input f32 in0.x row 1
  output f32 out0.x %x
  return
}
)";

TEST(Equivalence, RowsOfSpirvHaveTheirOwnNames) {
  const std::string spirv = replaced(kRows, "\"M\"", "\"in.var.M\" variable \"in.var.M\"");
  const std::string moved = replaced(kRows, "\"M\" type f32 register 0", "\"in.var.M\" variable \"in.var.M\" index 1 type f32 register 1");
  EXPECT_TRUE(compared(spirv, kRows).equal());
  EXPECT_TRUE(compared(kRows, spirv).equal());
  EXPECT_TRUE(compared(spirv, moved).equal());
  EXPECT_TRUE(compared(moved, spirv).equal());
  EXPECT_TRUE(compared(moved, replaced(spirv, "row 1", "row 0")).difference);
  // whose index is in the name
  EXPECT_TRUE(
      compared(replaced(kRows, "\"M\"", "\"M\" index 2"), replaced(kRows, "\"M\"", "\"in.var.M2\" variable \"in.var.M2\"")).equal());
}

// Two inputs of one name in a register, of which one component each is added.
constexpr std::string_view kPacked = R"(stage vertex
input "UV" type f32 register 0 columns 2
input "UV" type f32 register 0 column 2 columns 2
output "SUM" type f32 register 0 columns 1

function @main {
^0:
  %x = input f32 in0.y
  %y = input f32 in1.x
  %z = fadd f32 %x %y
  output f32 out0.x %z
  return
}
)";

TEST(Equivalence, InputsOfOneNameAreGivenByTheirRegister) {
  EXPECT_TRUE(compared(kPacked, kPacked).equal());
  const Equivalence found = compared(kPacked, replaced(kPacked, "in1.x", "in1.y"));
  ASSERT_TRUE(found.difference);
  const Value& lane = (*found.difference->inputs.find("lanes")->as_list())[0];
  ASSERT_NE(lane.find("v0"), nullptr);
  EXPECT_EQ(lane.find("v0")->as_list()->size(), 4U);
  EXPECT_EQ(lane.find("UV"), nullptr);
}

TEST(Equivalence, InputsOfARegisterMayBeInOthers) {
  const std::string apart = replaced(replaced(kPacked, "register 0 columns 2\ninput", "register 3 column 2 columns 2\ninput"),
                                     "register 0 column 2 columns 2\noutput", "register 5 columns 2\noutput");
  EXPECT_TRUE(compared(kPacked, apart).equal());
  EXPECT_TRUE(compared(apart, kPacked).equal());
  Value numbers = Value::list();
  for (const std::uint32_t one : {1U, 2U, 3U, 4U}) numbers.push(Value::integer(one));
  Value lane = Value::map();
  lane.add("v0", std::move(numbers));
  Value lanes = Value::list();
  lanes.push(std::move(lane));
  Value given = Value::map();
  given.add("lanes", std::move(lanes));
  EquivalenceOptions options = some_sets();
  options.random = 0;
  EXPECT_TRUE(compared(kPacked, apart, options, given).equal());
  const Equivalence found = compared(kPacked, replaced(apart, "in1.x", "in1.y"), options, given);
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->values[0], "5.0");
  EXPECT_EQ(found.difference->values[1], "6.0");
}

TEST(Equivalence, VerticesHaveTheOutputsOfTheirStream) {
  constexpr std::string_view kStreams = R"(stage geometry
info input_primitive point streams 2 point_list point_list max_vertices 2
input "COLOR" type f32 register 0 columns 2
output "SUM" type f32 register 0 columns 1
output "SUM" type f32 register 0 columns 1 stream 1

function @main {
^0:
  %x = input f32 in0.x vertex 0
  %y = input f32 in0.y vertex 0
  output f32 out0.x %x
  emit 0
  output f32 out1.x %y
  emit 1
  return
}
)";
  EXPECT_EQ(compared(kStreams, kStreams).values, kSets * 64);
  const Equivalence found = compared(kStreams, replaced(kStreams, "out1.x %y", "out1.x %x"));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(*found.difference->place.find("output")->as_text(), "SUM");
  // what is stored for another stream is no output
  EXPECT_TRUE(compared(kStreams, replaced(kStreams, "  emit 0\n  output f32 out1.x %y\n", "  output f32 out1.x %y\n  emit 0\n")).equal());
  // in the other order, each has its stream
  const std::string turned =
      replaced(replaced(replaced(kStreams, "columns 1\noutput", "columns 1 stream 1\noutput"), "columns 1 stream 1\n\n", "columns 1\n\n"),
               "out0.x %x\n  emit 0\n  output f32 out1.x %y", "out1.x %x\n  emit 0\n  output f32 out0.x %y");
  EXPECT_TRUE(compared(kStreams, turned).equal());
  // by the system value, too
  const auto positions = [](std::string_view text, std::string_view name) {
    const std::string with = '"' + std::string(name) + "\" system_value position";
    return replaced(replaced(text, "\"SUM\"", with), "\"SUM\"", with);
  };
  const Equivalence same = compared(positions(kStreams, "SV_Position"), positions(turned, "gl_Position"));
  EXPECT_TRUE(same.equal());
  EXPECT_EQ(same.values, kSets * 64);
}

TEST(Equivalence, OutputsOfOtherStreamsAreMissing) {
  const std::string one = replaced(kEnds, "streams 1 point_list", "streams 2 point_list point_list");
  const std::string other = replaced(one, "register 0 columns 1\n\n", "register 0 columns 1 stream 1\n\n");
  EXPECT_EQ(compared(one, other).mismatches, std::vector<std::string>{"output `SUM`: stream 0 in a, stream 1 in b"});
  EXPECT_EQ(compared(other, one).mismatches, std::vector<std::string>{"output `SUM`: stream 1 in a, stream 0 in b"});
  EXPECT_TRUE(compared(other, other).mismatches.empty());
}

TEST(Equivalence, MembersOfABlockAreOfItsStream) {
  const auto one = spirv::assemble(test::streamed_block("1.5")), other = spirv::assemble(test::streamed_block("2.5"));
  ASSERT_TRUE(one && other);
  const auto first = run::prepare(*shader::open(View(*one))), second = run::prepare(*shader::open(View(*other)));
  ASSERT_TRUE(first && second);
  const auto same = compare({"a", *first}, {"b", *first}, Value::map(), some_sets());
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->equal());
  EXPECT_EQ(same->values, kSets * 32 * 4);
  const auto found = compare({"a", *first}, {"b", *second}, Value::map(), some_sets());
  ASSERT_TRUE(found && found->difference);
  EXPECT_EQ(found->difference->what, "vertex 0: _2.color.x");
  EXPECT_EQ(found->differing, 32U * 4);
}

// Which results have beside the outputs of other stages.
TEST(Equivalence, OutputsMayBeCalledAsWhatResultsHave) {
  for (const std::string_view name : {"lane", "stream", "cut", "group", "indices", "dispatch", "payload"}) {
    const std::string one = replaced(kSum, "\"TEXCOORD\" index 1", '"' + std::string(name) + '"');
    EXPECT_EQ(compared(one, one).values, kSets * 32) << name;
    const Equivalence found = compared(one, replaced(one, "fadd", "fsub"));
    ASSERT_TRUE(found.difference) << name;
    EXPECT_EQ(found.difference->what, "lane 0: " + std::string(name) + ".x");
  }
}

// Two lines between three vertices.
constexpr std::string_view kMesh = R"(stage mesh
info max_vertices 3 max_primitives 2 mesh_topology line
output "UV" type f32 register 0 columns 1
patch "ID" type i32 register 0 columns 1 per_primitive

function @main {
^0:
  set_mesh_counts 3 2
  output f32 out0.x vertex 1 0.5
  mesh_index 0 1 1
  mesh_index 1 0 1
  mesh_index 1 1 2
  output i32 patch0.x vertex 1 7
  return
}
)";

TEST(Equivalence, MeshesAreComparedByVertexAndPrimitive) {
  // three vertices, and two primitives with two indices each
  EXPECT_EQ(compared(kMesh, kMesh).values, kSets * 12 * (3 + 2 + 4));  // in a grid of twelve groups
  const auto differs = [](std::string_view what, std::string_view with) {
    const Equivalence found = compared(kMesh, replaced(kMesh, what, with));
    if (!found.difference) return std::string("equal");
    return found.difference->what + ' ' + found.difference->values[0] + " / " + found.difference->values[1];
  };
  EXPECT_EQ(differs("vertex 1 0.5", "vertex 1 0.25"), "vertex 1: UV.x 0.5 / 0.25");
  EXPECT_EQ(differs("vertex 1 7", "vertex 1 8"), "primitive 1: ID.x 7 / 8");
  EXPECT_EQ(differs("mesh_index 1 1 2", "mesh_index 1 1 0"), "primitive 1: indices 1, 2 / 1, 0");
  EXPECT_EQ(differs("set_mesh_counts 3 2", "set_mesh_counts 2 2"), "vertices 36 / 24");
  EXPECT_EQ(differs("set_mesh_counts 3 2", "set_mesh_counts 3 1"), "primitives 24 / 12");
  const std::string indices = replaced(kMesh, "\"UV\"", "\"indices\"");
  EXPECT_EQ(compared(indices, indices).values, kSets * 12 * (3 + 2 + 4));
  EXPECT_EQ(compared(indices, replaced(indices, "vertex 1 0.5", "vertex 1 0.25")).difference->what, "vertex 1: indices.x");
  const Equivalence found = compared(kMesh, replaced(kMesh, "vertex 1 7", "vertex 1 8"));
  EXPECT_EQ(found.difference->place.find("primitive")->as_integer()->magnitude, 1U);
  EXPECT_EQ(*found.difference->place.find("output")->as_text(), "ID");
  EXPECT_EQ(compared(kMesh, replaced(kMesh, "\"ID\"", "\"COLOR\"")).mismatches[0], "a has the primitive output `ID`, which b lacks");
}

TEST(Equivalence, MeshShadersAreGivenAPayload) {
  const std::string one = replaced(replaced(kMesh, "\nfunction", "variable @task payload bytes 8\n\nfunction"),
                                   "  output f32 out0.x vertex 1 0.5", "  %0 = load f32 @task 4\n  output f32 out0.x vertex 1 %0");
  EXPECT_TRUE(compared(one, one).equal());
  const Equivalence found = compared(one, replaced(one, "load f32 @task 4", "load f32 @task 0"));
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.difference->what, "vertex 1: UV.x");
  EXPECT_EQ(found.difference->inputs.find("payload")->find("hex")->as_text()->size(), 16U);
}

// What depends on the group shows.
TEST(Equivalence, ComputeShadersRunInSeveralGroups) {
  const auto stores = [](std::string_view value, std::string_view size) {
    std::string made = "stage compute\ninfo group_size ";
    made.append(size).append("\nresource @0 uav_byte_address dimension buffer register 0\n\nfunction @main {\n^0:\n  %0 = handle @0 0\n");
    made += "  %2 = builtin i32 group_id.x\n  %3 = builtin i32 group_id.y\n  %4 = builtin i32 group_id.z\n  %5 = iadd i32 %2 %3\n";
    return made.append("  %6 = iadd i32 %5 %4\n  %7 = ishl i32 ")
        .append(value)
        .append(" 2\n  buffer_store i32 raw %0 %7 %6\n  return\n}\n");
  };
  // of large groups there are two, in each direction in turn
  for (const std::string_view size : {"1 1 1", "8 8 2", "8 8 4", "1024 1 1"}) {
    EXPECT_TRUE(compared(stores("%6", size), stores("%6", size)).equal()) << size;
    for (const std::string_view other : {"%5", "%4", "%2"})
      EXPECT_FALSE(compared(stores("%6", size), stores(other, size)).equal()) << size << other;
  }
}

TEST(Equivalence, GroupsAreComparedByDispatchAndPayload) {
  constexpr std::string_view kGroups = R"(stage amplification
variable @task payload bytes 8

function @main {
^0:
  store i32 @task 4 5
  dispatch_mesh 2 1 1
  return
}
)";
  EXPECT_EQ(compared(kGroups, kGroups).values, kSets * 12 * (3 + 2));
  const Equivalence payload = compared(kGroups, replaced(kGroups, "@task 4 5", "@task 4 6"));
  ASSERT_TRUE(payload.difference);
  EXPECT_EQ(payload.difference->what, "group 0: payload");
  EXPECT_EQ(payload.difference->values[0], "0, 5");
  EXPECT_EQ(payload.difference->values[1], "0, 6");
  const Equivalence dispatch = compared(kGroups, replaced(kGroups, "dispatch_mesh 2", "dispatch_mesh 3"));
  ASSERT_TRUE(dispatch.difference);
  EXPECT_EQ(dispatch.difference->what, "group 0: dispatch");
  EXPECT_EQ(dispatch.difference->values[1], "3, 1, 1");
}

TEST(Equivalence, FindsTheFirstDifference) {
  const Equivalence found = compared(kSum, replaced(kSum, "fadd", "fsub"));
  ASSERT_TRUE(found.difference);
  EXPECT_FALSE(found.equal());
  EXPECT_EQ(found.difference->random, 0U);
  EXPECT_EQ(found.difference->what, "lane 0: TEXCOORD1.x");
  EXPECT_EQ(*found.difference->place.find("output")->as_text(), "TEXCOORD1");
  EXPECT_TRUE(found.difference->ulps);
  EXPECT_GT(found.differing, 16U);
  // the inputs show it again
  EquivalenceOptions options = some_sets();
  options.random = 0;
  const Equivalence again = compared(kSum, replaced(kSum, "fadd", "fsub"), options, found.difference->inputs);
  ASSERT_TRUE(again.difference);
  EXPECT_FALSE(again.difference->random);
  EXPECT_EQ(again.difference->values[0], found.difference->values[0]);
}

// Both are given what either reads.
TEST(Equivalence, BuiltinsOfOneShaderAloneVary) {
  const std::string other =
      replaced(kSum, "  output f32 out0.x %2\n",
               "  %3 = builtin i32 instance_id\n  %4 = u_to_f f32 %3\n  %5 = fadd f32 %2 %4\n  output f32 out0.x %5\n");
  EXPECT_TRUE(compared(kSum, other).difference);
  const Equivalence found = compared(other, kSum);
  ASSERT_TRUE(found.difference);
  for (const Value& lane : *found.difference->inputs.find("lanes")->as_list()) EXPECT_NE(lane.find("instance_id"), nullptr);
}

TEST(Equivalence, BoundsAllowRounding) {
  // twice the smallest step at 1
  const std::string other = replaced(kSum, "output f32 out0.x %2", "%3 = fmul f32 %2 1.0000002\n  output f32 out0.x %3");
  EXPECT_TRUE(compared(kSum, other).difference);
  EquivalenceOptions options = some_sets();
  options.random = 3;  // without infinities
  options.ulp = 4;
  const Equivalence close = compared(kSum, other, options);
  EXPECT_TRUE(close.equal());
  EXPECT_GT(close.largest_ulps, 0);
  options.ulp = 0;
  options.relative = 1e-6;
  EXPECT_TRUE(compared(kSum, other, options).equal());
}

TEST(Equivalence, SeedsDecideTheInputs) {
  const auto inputs = [](std::uint64_t seed) {
    EquivalenceOptions options = some_sets();
    options.seed = seed;
    return compared(kSum, replaced(kSum, "fadd", "fsub"), options).difference->inputs;
  };
  EXPECT_TRUE(inputs(1) == inputs(1));
  EXPECT_FALSE(inputs(1) == inputs(2));
}

TEST(Equivalence, SaysWhatInterfacesLack) {
  const Equivalence found = compared(kSum, replaced(kSum, "\"TEXCOORD\" index 1", "\"COLOR\""));
  ASSERT_EQ(found.mismatches.size(), 2U);
  EXPECT_EQ(found.mismatches[0], "a has the output `TEXCOORD1`, which b lacks");
  EXPECT_EQ(found.mismatches[1], "b has the output `COLOR`, which a lacks");
  EXPECT_EQ(found.sets, 0U);
  EXPECT_FALSE(found.equal());
  // what no instruction reads may be missing
  EXPECT_TRUE(compared(kSum, replaced(kSum, "input \"COUNT\" type i32 register 1 columns 1\n", "")).equal());
}

// Uniforms are matched by their names, wherever they are.
TEST(Equivalence, OfRewrittenProgramsForThePica200) {
  const auto program = [](std::string_view declarations, std::string_view sum) {
    const std::string text = std::string(declarations) + "\n.constf two(2.0, 2.0, 2.0, 2.0)\n.out pos position\n.in a\n.proc main\n  " +
                             std::string(sum) + "\n  mul pos, two, r0\n  end\n.end\n";
    const pica::Source source{"test.pica", text};
    const pica::Assembly made = pica::assemble({&source, 1});
    EXPECT_TRUE(made.ok) << (made.messages.empty() ? "" : made.messages[0].text);
    return pica::write_assembly(made);
  };
  const auto compare_programs = [](const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    const auto first = run::prepare(*shader::open(View(a)));
    const auto second = run::prepare(*shader::open(View(b)));
    return *compare({"a", *first}, {"b", *second}, Value::map(), some_sets());
  };
  const auto one = program(".fvec scale, bias", "mov r1, scale\n  mov r2, a\n  mad r0, r1, r2, bias");
  const auto other = program(".fvec bias, unused, scale", "mov r3, a\n  mul r0, scale, r3\n  add r0, bias, r0");
  const auto wrong = program(".fvec bias, unused, scale", "mov r3, a\n  mul r0, bias, r3\n  add r0, scale, r0");
  EXPECT_TRUE(compare_programs(one, other).equal());
  EXPECT_TRUE(compare_programs(one, wrong).difference);
}

constexpr std::string_view kStore = R"(stage compute
info group_size 64 1 1
resource @numbers uav_structured dimension buffer register 0 stride 4

function @main {
^0:
  %0 = handle @numbers 0
  %1 = builtin i32 thread_id.x
  %2 = buffer_load i32 structured offset %0 %1 0
  %3 = iadd i32 %2 1
  buffer_store i32 structured offset %0 %1 0 %3
  return
}
)";

// By name, in another register; a store that differs in one thread.
TEST(Equivalence, OfResources) {
  const std::string moved = replaced(kStore, "register 0", "register 3");
  EXPECT_TRUE(compared(kStore, moved).equal());
  const std::string wrong = replaced(moved, "%3 = iadd i32 %2 1", "%4 = ieq i32 %1 5\n  %5 = select i32 %4 2 1\n  %3 = iadd i32 %2 %5");
  const Equivalence found = compared(kStore, wrong);
  ASSERT_TRUE(found.difference);
  EXPECT_EQ(found.differing, 1U);
  EXPECT_EQ(found.difference->what, "u0 numbers, byte 20");
  EXPECT_EQ(found.difference->place.find("byte")->as_integer()->magnitude, 20U);
}

// The bindings of a case, however it spells them, are not generated beside it.
TEST(Equivalence, OfResourcesThatTheCaseSpellsInAnotherWay) {
  const std::string moved = replaced(kStore, "register 0", "register 3");
  const Value buffer = [] {
    Value made = Value::map();
    made.add("size", Value::integer(64));
    return made;
  }();
  for (const char* const name : {"u0,space0", "u0", "numbers", "numbers[0]"}) {
    Value resources = Value::map();
    resources.add(name, buffer);
    Value given = Value::map();
    given.add("resources", std::move(resources));
    EquivalenceOptions options = some_sets();
    options.random = 2;
    const Equivalence found = compared(kStore, moved, options, given);
    EXPECT_TRUE(found.equal()) << name;
    EXPECT_EQ(found.sets, 3U) << name;
    EXPECT_EQ(found.values, 3U * 16) << name;
  }
}

TEST(Equivalence, NumbersOfMinimalPrecisionAreWhole) {
  using Kind = cases::NumberType::Kind;
  for (const shader::BaseType base : {shader::BaseType::min12int, shader::BaseType::min16int}) {
    EXPECT_EQ(equivalence::number_type(base).kind, Kind::sint);
    EXPECT_EQ(equivalence::number_type(base).bytes, 4);
  }
  EXPECT_EQ(equivalence::number_type(shader::BaseType::min16uint).kind, Kind::uint);
  EXPECT_EQ(equivalence::number_type(shader::BaseType::min16uint).bytes, 4);
}

}  // namespace
}  // namespace unshade::suite
