// Interface matching of SPIR-V's stages.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

#include "scene/linkage.hpp"

namespace unshade::scene {
namespace {

using Texts = std::vector<std::string>;

/// A variable of an interface: `%v3`, the name, and what is said of it.
struct Declared {
  std::string_view type, name, decorations;
};

/// A module of a stage with variables of a storage class, `Output` or `Input`. `{}` in decorations is the variable.
std::vector<std::byte> module_of(std::string_view model, std::string_view storage, const std::vector<Declared>& variables) {
  std::string names, decorations, pointers, ids;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::string id = "%var" + std::to_string(k);
    ids += ' ' + id;
    names += "OpName " + id + " \"" + std::string(variables[k].name) + "\"\n";
    std::string_view rest = variables[k].decorations;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(", "), rest.size());
      decorations += "OpDecorate " + id + ' ' + std::string(rest.substr(0, end)) + '\n';
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    const std::string pointer = "%of" + std::to_string(k);
    pointers += pointer + " = OpTypePointer " + std::string(storage) + ' ' + std::string(variables[k].type) + '\n';
    pointers += id + " = OpVariable " + pointer + ' ' + std::string(storage) + '\n';
  }
  const std::string text =
      "OpCapability Shader\nOpCapability Tessellation\nOpCapability Geometry\nOpCapability Float64\n"
      "OpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint " +
      std::string(model) + " %main \"main\"" + ids + "\nOpName %Block \"Block\"\nOpMemberName %Block 0 \"a\"\n" +
      "OpMemberName %Block 1 \"b\"\n" + names + decorations +
      "OpDecorate %Block Block\nOpDecorate %PerVertex Block\nOpMemberDecorate %PerVertex 0 BuiltIn Position\n"
      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%float = OpTypeFloat 32\n%half = OpTypeFloat 16\n"
      "%double = OpTypeFloat 64\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n%n2 = OpConstant %uint 2\n"
      "%n3 = OpConstant %uint 3\n%v2 = OpTypeVector %float 2\n%v3 = OpTypeVector %float 3\n"
      "%v4 = OpTypeVector %float 4\n%d3 = OpTypeVector %double 3\n%i2 = OpTypeVector %int 2\n%m2 = OpTypeMatrix %v2 2\n"
      "%a2 = OpTypeArray %v2 %n2\n%a3 = OpTypeArray %v2 %n3\n%a33 = OpTypeArray %v3 %n3\n%Block = OpTypeStruct %v4 %int\n"
      "%PerVertex = OpTypeStruct %v4\n%a3_PerVertex = OpTypeArray %PerVertex %n3\n" +
      pointers + "%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages)
    if (one.severity == Severity::error) ADD_FAILURE() << to_string(one);
  return made.file;
}

struct Pair {
  std::string_view from = "Vertex", to = "Fragment";
  Stage before = Stage::vertex, reader = Stage::pixel;
  std::uint32_t stream = 0;
};

Texts faults(const std::vector<Declared>& outputs, const std::vector<Declared>& inputs, const Pair& pair = {}) {
  const auto from = module_of(pair.from, "Output", outputs), to = module_of(pair.to, "Input", inputs);
  const auto before = shader::open(View(from)), reader = shader::open(View(to));
  if (!before || !reader) return {"a module cannot be opened"};
  return location_faults({std::get<spirv::Module>(before->content), {}, pair.before, pair.stream},
                         {std::get<spirv::Module>(reader->content), {}, pair.reader});
}

TEST(Locations, OfStagesThatFit) {
  EXPECT_EQ(faults({{"%v4", "color", "Location 1"}, {"%v2", "uv", "Location 2"}, {"%int", "spare", "Location 3"}},
                   {{"%v3", "tint", "Location 1"}, {"%v2", "uv", "Location 2, Centroid"}}),
            Texts());
  // two of one location; matrices and arrays of one shape; a block and its members
  EXPECT_EQ(faults({{"%v2", "a", "Location 0"}, {"%v2", "b", "Location 0, Component 2"}},
                   {{"%v2", "b", "Location 0, Component 2"}, {"%v2", "a", "Location 0, Component 0"}}),
            Texts());
  EXPECT_EQ(faults({{"%m2", "m", "Location 4"}, {"%a3", "l", "Location 6"}}, {{"%m2", "m", "Location 4"}, {"%a3", "l", "Location 6"}}),
            Texts());
  EXPECT_EQ(faults({{"%Block", "made", "Location 2"}}, {{"%v4", "x", "Location 2"}, {"%int", "y", "Location 3, Flat"}}), Texts());
  EXPECT_EQ(faults({{"%d3", "wide", "Location 2"}}, {{"%d3", "wide", "Location 2, Flat"}}), Texts());
  // built-ins of a pixel shader
  EXPECT_EQ(faults({}, {{"%v4", "gl_FragCoord", "BuiltIn FragCoord"}}), Texts());
}

TEST(Locations, SayWhatVulkanRefuses) {
  EXPECT_EQ(faults({{"%v2", "uv", "Location 1"}}, {{"%v2", "uv", "Location 2"}}),
            Texts{"the pixel shader reads `uv` at location 2, components 0 to 1, which the vertex shader does not write"});
  EXPECT_EQ(
      faults({{"%v2", "uv", "Location 1"}}, {{"%v3", "st", "Location 1"}}),
      Texts{"the pixel shader reads `st` at location 1, components 0 to 2, of which the vertex shader writes `uv`, components 0 to 1"});
  EXPECT_EQ(faults({{"%float", "x", "Location 1, Component 1"}}, {{"%float", "x", "Location 1"}}),
            Texts{"the pixel shader reads `x` at location 1, component 0, which the vertex shader does not write"});
  EXPECT_EQ(faults({{"%i2", "id", "Location 1"}}, {{"%v2", "uv", "Location 1"}}),
            Texts{"the pixel shader reads `uv` at location 1 as float, but the vertex shader writes `id` as int"});
  EXPECT_EQ(faults({{"%int", "id", "Location 1"}}, {{"%uint", "id", "Location 1, Flat"}}),
            Texts{"the pixel shader reads `id` at location 1 as uint, but the vertex shader writes `id` as int"});
  EXPECT_EQ(faults({{"%half", "h", "Location 1"}}, {{"%float", "h", "Location 1"}}),
            Texts{"the pixel shader reads `h` at location 1 as float, but the vertex shader writes `h` as float16_t"});
  // of a block, by the names of its members
  EXPECT_EQ(faults({{"%Block", "made", "Location 2"}}, {{"%v4", "x", "Location 2"}, {"%float", "y", "Location 3"}}),
            Texts{"the pixel shader reads `y` at location 3 as float, but the vertex shader writes `made.b` as int"});
  EXPECT_EQ(faults({{"%v4", "x", "Location 2"}}, {{"%Block", "", "Location 2, Flat"}}),
            Texts{"the pixel shader reads `Block.b` at location 3, component 0, which the vertex shader does not write"});
  // a number of 64 bits takes two components, three of them two locations
  EXPECT_EQ(faults({{"%double", "d", "Location 2"}}, {{"%d3", "d", "Location 2, Flat"}}),
            Texts{"the pixel shader reads `d` at location 2, components 0 to 5, of which the vertex shader writes `d`, components 0 to 1"});
}

TEST(Locations, OfArraysAndMatrices) {
  EXPECT_EQ(faults({{"%a2", "l", "Location 1"}}, {{"%a3", "l", "Location 1"}}),
            Texts{"the pixel shader reads `l[2]` at location 3, components 0 to 1, which the vertex shader does not write"});
  EXPECT_EQ(
      faults({{"%a3", "l", "Location 1"}}, {{"%a2", "l", "Location 1"}}),
      Texts{"the pixel shader reads `l` at location 1 as an array of 2, each a vector of 2 float, but the vertex shader writes `l` as "
            "an array of 3, each a vector of 2 float"});
  EXPECT_EQ(
      faults({{"%m2", "m", "Location 1"}}, {{"%a2", "l", "Location 1"}}),
      Texts{"the pixel shader reads `l` at location 1 as an array of 2, each a vector of 2 float, but the vertex shader writes `m` as "
            "a matrix of 2 columns, each a vector of 2 float"});
}

// src: Vulkan 15.1.3: variables match, with equal types and components; of two vectors the output may be the longer one
TEST(Locations, OfInputsThatBeginWithinAnOutput) {
  const std::string array = " of 3, each a vector of 2 float";
  const std::string vertex = ", but the vertex shader writes ";
  EXPECT_EQ(
      faults({{"%a3", "l", "Location 0"}}, {{"%v2", "b", "Location 1"}}),
      Texts{"the pixel shader reads `b` at location 1 as a vector of 2 float" + vertex + "it within `l` at location 0, an array" + array});
  EXPECT_EQ(faults({{"%a3", "l", "Location 0"}}, {{"%a2", "b", "Location 1"}}),
            Texts{"the pixel shader reads `b` at location 1 as an array of 2, each a vector of 2 float" + vertex +
                  "it within `l` at location 0, an array" + array});
  EXPECT_EQ(faults({{"%a3", "l", "Location 0"}}, {{"%v2", "b", "Location 0"}}),
            Texts{"the pixel shader reads `b` at location 0 as a vector of 2 float" + vertex + "`l` as an array" + array});
  EXPECT_EQ(faults({{"%m2", "m", "Location 4"}}, {{"%v2", "column", "Location 5"}}),
            Texts{"the pixel shader reads `column` at location 5 as a vector of 2 float" + vertex +
                  "it within `m` at location 4, a matrix of 2 columns, each a vector of 2 float"});
  EXPECT_EQ(faults({{"%v4", "all", "Location 0"}}, {{"%v2", "zw", "Location 0, Component 2"}}),
            Texts{"the pixel shader reads `zw` at location 0, component 2 as a vector of 2 float" + vertex +
                  "it within `all` at location 0, a vector of 4 float"});
  EXPECT_EQ(faults({{"%v2", "a", "Location 0"}, {"%v2", "b", "Location 0, Component 2"}}, {{"%v4", "all", "Location 0"}}),
            Texts{"the pixel shader reads `all` at location 0 as a vector of 4 float" + vertex + "`a` as a vector of 2 float"});
  EXPECT_EQ(faults({{"%v4", "all", "Location 0"}}, {{"%float", "x", "Location 0"}}),
            Texts{"the pixel shader reads `x` at location 0 as float" + vertex + "`all` as a vector of 4 float"});
  // elements of arrays must be equal
  EXPECT_EQ(
      faults({{"%a33", "l", "Location 0"}}, {{"%a3", "l", "Location 0"}}),
      Texts{"the pixel shader reads `l` at location 0 as an array" + array + vertex + "`l` as an array of 3, each a vector of 3 float"});
}

TEST(Locations, OfGeometryAndTessellation) {
  const Pair geometry{"Vertex", "Geometry", Stage::vertex, Stage::geometry};
  EXPECT_EQ(
      faults({{"%v3", "n", "Location 0"}, {"%PerVertex", "", ""}}, {{"%a33", "n", "Location 0"}, {"%a3_PerVertex", "gl_in", ""}}, geometry),
      Texts());
  EXPECT_EQ(
      faults({{"%v2", "n", "Location 0"}}, {{"%a33", "n", "Location 0"}, {"%a3_PerVertex", "gl_in", ""}}, geometry),
      (Texts{"the geometry shader reads `n` at location 0, components 0 to 2, of which the vertex shader writes `n`, components 0 to 1",
             "the geometry shader reads the built-in Position, which the vertex shader does not write"}));
  const Pair domain{"TessellationControl", "TessellationEvaluation", Stage::hull, Stage::domain};
  EXPECT_EQ(faults({{"%a33", "n", "Location 0"}, {"%v2", "size", "Location 1, Patch"}},
                   {{"%a33", "n", "Location 0"}, {"%v2", "size", "Location 1, Patch"}}, domain),
            Texts());
  EXPECT_EQ(faults({{"%a33", "n", "Location 0"}}, {{"%v3", "n", "Location 0, Patch"}}, domain),
            Texts{"the domain shader reads `n` at location 0 for each patch, but the hull shader writes `n` for each vertex"});
}

TEST(Locations, OfTheStreamThatIsRasterized) {
  const std::vector<Declared> outputs{
      {"%v2", "a", "Location 0"}, {"%v3", "b", "Location 1, Stream 1"}, {"%Block", "c", "Location 2, Stream 1"}};
  const Texts no_b{"the pixel shader reads `b` at location 1, components 0 to 2, which the geometry shader does not write"};
  const Texts no_a{"the pixel shader reads `a` at location 0, components 0 to 1, which the geometry shader does not write"};
  Pair pair{"Geometry", "Fragment", Stage::geometry, Stage::pixel};
  EXPECT_EQ(faults(outputs, {{"%v2", "a", "Location 0"}}, pair), Texts());
  EXPECT_EQ(faults(outputs, {{"%v3", "b", "Location 1"}}, pair), no_b);
  pair.stream = 1;
  EXPECT_EQ(faults(outputs, {{"%v2", "a", "Location 0"}}, pair), no_a);
  EXPECT_EQ(faults(outputs, {{"%v3", "b", "Location 1"}, {"%v4", "c", "Location 2"}}, pair), Texts());
}

}  // namespace
}  // namespace unshade::scene
