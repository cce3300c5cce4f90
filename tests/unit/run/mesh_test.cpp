// What mesh and amplification shaders make, of DXIL and of SPIR-V.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/run/run.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using namespace run_test;

TEST(MeshShaders, OfDxilGiveVerticesAndPrimitives) {
  Value given = Value::map();
  given.add("grid", list_of_numbers({2}));
  given.add("payload", words_of_case({0, 3}));
  Value resources = Value::map();
  Value positions = Value::map();
  std::vector<std::uint32_t> words(256 * 4);
  for (std::size_t at = 0; at < words.size(); ++at) words[at] = at % 4 == 0 ? 0x3f800000 + static_cast<std::uint32_t>(at / 4 << 15) : 0;
  positions.add("stride", Value::integer(16));
  positions.add("words", list_of_numbers(words));
  resources.add("t0", std::move(positions));
  given.add("resources", std::move(resources));
  const Value result = made_by_file("dxil/mesh_ms_6_5.dxil", given);
  ASSERT_EQ(count_of(result, "vertices"), 128U);
  ASSERT_EQ(count_of(result, "primitives"), 124U);
  // vertex 5 of the second group, whose payload is 3: the position 3 * 64 + 5 in the buffer
  EXPECT_EQ(text_of(result, "vertices", 69, "group"), "1 0 0");
  EXPECT_EQ(text_of(result, "vertices", 69, "SV_Position"), "1.769531 0 0 0");
  EXPECT_EQ(text_of(result, "vertices", 69, "COLOR"), "1 1 1");
  EXPECT_EQ(text_of(result, "primitives", 62 + 7, "indices"), "7 8 9");
  EXPECT_EQ(text_of(result, "primitives", 62 + 7, "SV_RenderTargetArrayIndex"), "3");
  EXPECT_EQ(text_of(result, "primitives", 62 + 7, "SV_CullPrimitive"), "1");
  EXPECT_EQ(text_of(result, "primitives", 62 + 8, "SV_CullPrimitive"), "0");
  EXPECT_EQ(text_of(result, "primitives", 7, "SV_RenderTargetArrayIndex"), "0");
}

TEST(MeshShaders, OfSpirvGiveVerticesAndPrimitives) {
  Value given = Value::map();
  given.add("grid", list_of_numbers({3}));
  given.add("payload", words_of_case({100, 0x3f000000}));
  const Value result = made_by_file("known_answers/quad.spvasm", given);
  ASSERT_EQ(count_of(result, "vertices"), 12U);
  ASSERT_EQ(count_of(result, "primitives"), 6U);
  EXPECT_EQ(text_of(result, "vertices", 7, "gl_Position"), "0.5 0.5 0.5 1");
  EXPECT_EQ(text_of(result, "vertices", 7, "uv"), "1 1");
  EXPECT_EQ(text_of(result, "primitives", 4, "indices"), "0 1 2");
  EXPECT_EQ(text_of(result, "primitives", 5, "indices"), "2 1 3");
  EXPECT_EQ(text_of(result, "primitives", 5, "id"), "105");
  EXPECT_EQ(text_of(result, "primitives", 5, "gl_Layer"), "1");
  EXPECT_EQ(text_of(result, "primitives", 4, "gl_CullPrimitiveEXT"), "0");
  EXPECT_EQ(text_of(result, "primitives", 5, "gl_CullPrimitiveEXT"), "1");
}

TEST(AmplificationShaders, DispatchWithAPayload) {
  Value given = Value::map();
  given.add("grid", list_of_numbers({2}));
  const Value dxil = made_by_file("dxil/mesh_as_6_5.dxil", given);
  ASSERT_EQ(count_of(dxil, "groups"), 2U);
  // of 0 to 31, 21 are no multiples of 3
  EXPECT_EQ(text_of(dxil, "groups", 1, "dispatch"), "21 1 1");
  EXPECT_EQ(text_of(dxil, "groups", 1, "payload").substr(0, 11), "32 33 34 35");
  const Value spirv = made_by_file("known_answers/odd.spvasm", given);
  EXPECT_EQ(text_of(spirv, "groups", 1, "group"), "1 0 0");
  EXPECT_EQ(text_of(spirv, "groups", 1, "dispatch"), "4 2 1");
  EXPECT_EQ(text_of(spirv, "groups", 1, "payload"), "100 " + std::to_string(0x3f000000));
}

// Lines, in waves of 4 lanes: what is beyond the counts is dropped, and counts beyond what the shader declares stop it.
constexpr std::string_view kLines = R"(stage mesh
info group_size 6 1 1 max_vertices 6 max_primitives 4 mesh_topology line
output "V" type i32 register 0 columns 1
patch "P" type i32 register 0 columns 1 per_primitive
resource @u0 uav_byte_address dimension raw_buffer register 0

function @main {
^0:
  %0 = builtin i32 local_index
  %1 = handle @u0 0
  %2 = buffer_load i32 raw %1 0
  set_mesh_counts %2 3
  output i32 out0.x vertex %0 %0
  mesh_index %0 0 %0
  %3 = iadd i32 %0 1
  mesh_index %0 1 %3
  mesh_index %0 2 %3
  output i32 patch0.x vertex %0 %3
  return
}
)";

Result<Value> lines_of(std::uint32_t vertices) {
  auto module = ir::parse(kLines);
  EXPECT_TRUE(module) << to_string(module.error());
  Value given = Value::map();
  given.add("wave", Value::integer(4));
  Value resources = Value::map();
  resources.add("u0", words_of_case({vertices}));
  given.add("resources", std::move(resources));
  return execute(std::move(*module), given);
}

TEST(MeshShaders, DropWhatIsBeyondTheirCounts) {
  const auto lines = lines_of(5);
  ASSERT_TRUE(lines) << to_string(lines.error());
  EXPECT_EQ(count_of(*lines, "vertices"), 5U);
  ASSERT_EQ(count_of(*lines, "primitives"), 3U);
  EXPECT_EQ(text_of(*lines, "primitives", 2, "indices"), "2 3");
  EXPECT_EQ(text_of(*lines, "primitives", 2, "P"), "3");
  EXPECT_EQ(text_of(*lines, "vertices", 4, "V"), "4");
  const auto too_many = lines_of(7);
  ASSERT_TRUE(too_many) << to_string(too_many.error());
  EXPECT_EQ(*too_many->find("stop")->as_text(), "fault");
  EXPECT_EQ(*too_many->find("fault")->as_text(), "the mesh has 7 vertices and 3 primitives, its shader declares at most 6 and 4");
}

}  // namespace
}  // namespace unshade::run
