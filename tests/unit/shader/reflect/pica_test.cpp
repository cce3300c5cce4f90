#include <gtest/gtest.h>

#include <unshade/core/view.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/reflection.hpp>

#include "support/files.hpp"

namespace unshade::shader {

namespace {

TEST(ReflectPica, a_file_with_two_executables) {
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

TEST(ReflectPica, geometry_modes) {
  const auto fixed = test::read_bytes(test::source_dir() / "tests/data/pica/particle.g.shbin");
  const auto model = reflect(*open(test::view_of(fixed)));
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->entry_points.at(0).geometry);
  EXPECT_EQ(model->entry_points[0].geometry->mode, "fixed");
  EXPECT_EQ(model->entry_points[0].geometry->vertices, 4U);
}

}  // namespace

}  // namespace unshade::shader
