#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/reflection.hpp>

#include "support/files.hpp"

namespace unshade::shader {

namespace {

TEST(ReflectPica, AFileWithTwoExecutables) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica/skin_quad.shbin");
  const auto opened = open(test::view_of(bytes));
  ASSERT_TRUE(opened);
  EXPECT_EQ(summarize(*opened).profile, "vs+gs");
  const auto model = reflect(*opened);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->entry_points.size(), 2U);
  const EntryPoint& vertex = model->entry_points[0];
  EXPECT_EQ(vertex.stage, Stage::vertex);
  ASSERT_EQ(vertex.inputs.size(), 5U);
  EXPECT_EQ(vertex.inputs[0].semantic, "position");
  EXPECT_EQ(vertex.inputs[0].used_mask, 0x7);
  EXPECT_EQ(vertex.inputs[3].used_mask, 0x3);
  ASSERT_EQ(vertex.outputs.size(), 5U);
  EXPECT_EQ(vertex.outputs[3].semantic, "texcoord0w");
  EXPECT_EQ(vertex.outputs[3].mask, 0x4);
  const EntryPoint& geometry = model->entry_points[1];
  EXPECT_EQ(geometry.stage, Stage::geometry);
  ASSERT_TRUE(geometry.geometry);
  EXPECT_EQ(geometry.geometry->mode, "point");

  ASSERT_EQ(model->buffers.size(), 3U);
  const Buffer& floats = model->buffers[0];
  ASSERT_EQ(floats.variables.size(), 5U);
  EXPECT_EQ(floats.variables[1].name, "bones");
  EXPECT_EQ(floats.variables[1].offset, 64U);
  EXPECT_EQ(model->types[floats.variables[1].type].elements, 48U);
  const View value({floats.variables[4].default_value.data(), floats.variables[4].default_value.size()});
  EXPECT_EQ(value.u32(0), 0x3f80'0000U);
  EXPECT_EQ(value.u32(12), 0xbf80'0000U);
}

TEST(ReflectPica, GeometryModes) {
  const auto fixed = test::read_bytes(test::source_dir() / "tests/data/pica/particle.g.shbin");
  const auto model = reflect(*open(test::view_of(fixed)));
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->entry_points.at(0).geometry);
  EXPECT_EQ(model->entry_points[0].geometry->mode, "fixed");
  EXPECT_EQ(model->entry_points[0].geometry->vertices, 4U);
}

Result<Reflection> reflect_text(std::string_view text) {
  const Assembly made = assemble(Family::pica, text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  static std::vector<std::byte> file;
  file = made.file;
  return reflect(*open(View(file)));
}

const Variable* variable_of(const Reflection& model, std::string_view name) {
  for (const Buffer& buffer : model.buffers)
    for (const Variable& variable : buffer.variables)
      if (variable.name == name) return &variable;
  return nullptr;
}

// An address may lead to each constant of the array in which it begins; where it begins in none, to all.
TEST(ReflectPica, ConstantsThatAnAddressMayReadAreUsed) {
  const auto in_array = reflect_text(
      ".fvec bones[4]\n.fvec other\n.constf far(1, 2, 3, 4)\n.out - position o0\n.proc main\n"
      "mova a0.x, v0\nmov o0, bones[a0.x+1]\nend\n.end\n");
  ASSERT_TRUE(in_array);
  EXPECT_TRUE(variable_of(*in_array, "bones")->used);
  EXPECT_FALSE(variable_of(*in_array, "other")->used);
  EXPECT_FALSE(variable_of(*in_array, "c95")->used);
  const auto in_none = reflect_text(
      ".setf c8(1, 2, 3, 4)\n.setf c9(5, 6, 7, 8)\n.setf c20(0, 0, 0, 0)\n.fvec one\n.out - position o0\n"
      ".proc main\nmova a0.x, v0\nmov o0, c8[a0.x]\nend\n.end\n");
  ASSERT_TRUE(in_none);
  for (const std::string_view name : {"c8", "c9", "c20", "one"}) EXPECT_TRUE(variable_of(*in_none, name)->used) << name;
  const auto counted = reflect_text(
      ".setf c8(1, 2, 3, 4)\n.setf c9(5, 6, 7, 8)\n.out - position o0\n.proc main\nfor i0\n"
      "mov r0, c8[aL]\nnop\n.end\nmov o0, r0\nend\n.end\n");
  ASSERT_TRUE(counted);
  EXPECT_TRUE(variable_of(*counted, "c9")->used);
  const auto direct = reflect_text(".setf c8(1, 2, 3, 4)\n.setf c9(5, 6, 7, 8)\n.out - position o0\n.proc main\nmov o0, c8\nend\n.end\n");
  ASSERT_TRUE(direct);
  EXPECT_FALSE(variable_of(*direct, "c9")->used);
}

// As a case names them, and constants as numbers.
TEST(ReflectPica, NamesHaveAnIndexIfTheyAreSeveral) {
  const auto model = reflect_text(
      ".in position v0\n.in uv v2\n.uniform \"pair\" v4 v5\n.setf c3(0.5, -1, 1000, 0)\n.seti i1(1, 2, 3, 4)\n"
      ".setb b2 true\n.out - position o0\n.out - color o1\n.out - color o2\n.out - texcoord0 o3.xy\n.proc main\n"
      "mov o0, position\nmov o1, uv\nmov o2, v4\nmov o3, v5\nifu b2\nmov r0, c3\nnop\n.end\nfor i1\nnop\n.end\n"
      "mov r1, v7\nend\n.end\n");
  ASSERT_TRUE(model);
  Text text;
  print_reflection(*model, text);
  const std::string_view printed = text.view();
  const auto has = [&](std::string_view part) { return printed.find(part) != std::string_view::npos; };
  for (const std::string_view row : {"  position  0 ", "  uv        2 ", "  pair      4 ", "  pair1     5 ", "  v7        7 "})
    EXPECT_TRUE(has(row)) << row << printed;
  for (const std::string_view row : {"  color      1 ", "  color1     2 ", "  texcoord0  3 "}) EXPECT_TRUE(has(row)) << row << printed;
  EXPECT_TRUE(has("float4 c3  = 0.5 -1.0 1000.0 0.0\n")) << printed;
  EXPECT_TRUE(has("int4 i1  = 1 2 3 4\n")) << printed;
  EXPECT_TRUE(has("bool b2  = true\n")) << printed;
}

}  // namespace

}  // namespace unshade::shader
