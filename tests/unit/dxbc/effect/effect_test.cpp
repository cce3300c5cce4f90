#include <unshade/dxbc/effect.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include <unshade/dxbc/expression.hpp>

#include "support/container.hpp"

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;

const std::vector<std::byte>& shader_bytes() {
  static const std::vector<std::byte> kBytes = test::container_of({{fourcc("PRIV"), std::vector<std::byte>(4)}});
  return kBytes;
}

EffectType object_type(EffectObject object, std::string_view name, std::uint32_t elements = 0) {
  EffectType type;
  type.name.text = name;
  type.kind = EffectTypeKind::object;
  type.object = object;
  type.elements = elements;
  return type;
}

/// A buffer, a blend state array, two shaders (one of them NULL), and a pass that has a third.
Effect sample() {
  static constexpr std::array<std::byte, 4> kHalf{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0x3f}};
  Effect effect;
  EffectType scalar;
  scalar.name.text = "float";
  scalar.total_bytes = scalar.packed_bytes = 4;
  scalar.stride = 16;
  scalar.numeric = 0x0909;
  effect.types = {scalar, object_type(EffectObject::blend_state, "BlendState", 2),
                  object_type(EffectObject::pixel_shader, "PixelShader", 2), object_type(EffectObject::string, "String")};
  EffectBuffer buffer;
  buffer.name.text = "$Globals";
  buffer.size = 16;
  EffectVariable variable;
  variable.name.text = "half";
  variable.default_value.bytes = View(kHalf);
  EffectAnnotation annotation;
  annotation.name.text = "Note";
  annotation.type = 3;
  annotation.strings.resize(1);
  annotation.strings[0].text.text = "half";
  variable.annotations.push_back(annotation);
  buffer.variables.push_back(variable);
  effect.buffers.push_back(buffer);
  EffectAssignment assignment;
  assignment.state = EffectState::blend_enable;
  assignment.constants = {{EffectScalar::bool_, 1}};
  EffectObjectVariable blend;
  blend.name.text = "blend";
  blend.type = 1;
  blend.blocks.resize(2);
  blend.blocks[1].assignments.push_back(assignment);
  effect.objects.push_back(blend);
  EffectObjectVariable pixel;
  pixel.name.text = "pixel";
  pixel.type = 2;
  pixel.shaders.resize(2);
  pixel.shaders[1].code.bytes = View(shader_bytes());
  effect.objects.push_back(pixel);
  EffectPass pass;
  pass.name.text = "P0";
  assignment.state = EffectState::vertex_shader;
  assignment.kind = EffectAssigned::inline_shader;
  assignment.constants.clear();
  assignment.shaders.resize(1);
  assignment.shaders[0].code.bytes = View(shader_bytes());
  pass.assignments.push_back(assignment);
  EffectTechnique technique;
  technique.name.text = "Render";
  technique.passes.push_back(pass);
  effect.techniques.push_back(technique);
  return effect;
}

Part part_of(const std::vector<std::byte>& bytes) { return {fourcc("FX10"), 0, View(bytes)}; }

TEST(EffectTest, ReadsWhatItWrites) {
  const auto bytes = write_effect(sample());
  const auto effect = parse_effect(part_of(bytes));
  ASSERT_TRUE(effect) << to_string(effect.error());
  ASSERT_EQ(effect->buffers.size(), 1U);
  ASSERT_EQ(effect->buffers[0].variables.size(), 1U);
  EXPECT_EQ(effect->buffers[0].variables[0].default_value.bytes.u32(0), 0x3f00'0000U);
  EXPECT_EQ(effect->buffers[0].variables[0].annotations[0].strings[0].text.text, "half");
  ASSERT_EQ(effect->objects.size(), 2U);
  ASSERT_EQ(effect->objects[0].blocks.size(), 2U);
  EXPECT_EQ(effect->objects[0].blocks[1].assignments[0].state, EffectState::blend_enable);
  EXPECT_EQ(effect->objects[0].blocks[1].assignments[0].constants[0].bits, 1U);
  EXPECT_EQ(effect->counts.blend_states, 2U);
  EXPECT_EQ(effect->counts.shaders, 3U);
  EXPECT_EQ(effect->counts.inline_shaders, 1U);
  EXPECT_EQ(effect->techniques[0].passes[0].assignments[0].kind, EffectAssigned::inline_shader);
  EXPECT_EQ(write_effect(*effect), bytes);
}

TEST(EffectTest, EqualTextsStandOnceAndTheEmptyOneInFront) {
  const auto bytes = write_effect(sample());
  const auto effect = parse_effect(part_of(bytes));
  ASSERT_TRUE(effect);
  const EffectVariable& variable = effect->buffers[0].variables[0];
  EXPECT_EQ(variable.name.offset, variable.annotations[0].strings[0].text.offset);
  EXPECT_EQ(variable.semantic.offset, 0U);
  EXPECT_EQ(effect->objects[1].shaders[0].code.offset, 0U);
}

TEST(EffectTest, EveryByteIsNamed) {
  const auto bytes = write_effect(sample());
  Tree tree{View(bytes)};
  record_effect(part_of(bytes), tree, 0);
  tree.fill_gaps({});
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(tree.coverage().named, bytes.size());
}

TEST(EffectTest, TruncationsAreErrorsWithAPath) {
  const auto bytes = write_effect(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto effect = parse_effect({fourcc("FX10"), 0, View(std::span(bytes).first(size), 64)});
    ASSERT_FALSE(effect) << size;
    EXPECT_GE(effect.error().offset, 64U);
    EXPECT_TRUE(effect.error().path.starts_with("FX10/")) << effect.error().path;
  }
}

TEST(EffectTest, FaultsSayWhere) {
  auto bytes = write_effect(sample());
  test::put_u32(bytes, 0, 0xfeff0901);
  auto effect = parse_effect(part_of(bytes));
  ASSERT_FALSE(effect);
  EXPECT_EQ(effect.error().code, ErrorCode::unsupported);
  EXPECT_EQ(effect.error().path, "FX10/version");

  bytes = write_effect(sample());
  test::put_u32(bytes, 4, 0xffff);  // buffers
  effect = parse_effect(part_of(bytes));
  ASSERT_FALSE(effect);
  EXPECT_EQ(effect.error().code, ErrorCode::truncated);
  EXPECT_EQ(effect.error().path, "FX10/buffers");

  bytes = write_effect(sample());
  test::put_u32(bytes, 32, 0xffff'0000);  // the data
  effect = parse_effect(part_of(bytes));
  ASSERT_FALSE(effect);
  EXPECT_EQ(effect.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(effect.error().path, "FX10/data_bytes");
}

TEST(EffectTest, ATypeThatContainsItselfIsRefused) {
  Effect effect = sample();
  EffectType type;
  type.kind = EffectTypeKind::structure;
  type.name.text = "Loop";
  type.members.resize(1);
  type.members[0].type = 4;
  effect.types.push_back(type);
  effect.buffers[0].variables[0].type = 4;
  effect.buffers[0].variables[0].default_value = {};
  const auto bytes = write_effect(effect);
  const auto read = parse_effect(part_of(bytes));
  ASSERT_FALSE(read);
}

TEST(EffectTest, ShadersHaveNamesAndCanBeReplaced) {
  const auto bytes = write_effect(sample());
  const auto effect = parse_effect(part_of(bytes));
  ASSERT_TRUE(effect);
  const auto shaders = shaders_of(*effect);
  ASSERT_EQ(shaders.size(), 2U);
  EXPECT_EQ(shaders[0].name, "pixel[1]");
  EXPECT_EQ(shaders[1].name, "Render/P0/VertexShader");

  const auto file = test::container_of({{fourcc("FX10"), bytes}});
  const auto container = dxcontainer::parse_container(View(file));
  ASSERT_TRUE(container);
  const auto other = test::container_of({{fourcc("PRIV"), std::vector<std::byte>(40)}});
  const auto replaced = replace_shader(*container, 0, View(other));
  ASSERT_TRUE(replaced) << to_string(replaced.error());
  const auto again = dxcontainer::parse_container(View(*replaced));
  ASSERT_TRUE(again);
  const auto with_other = parse_effect(*again->find(fourcc("FX10")));
  ASSERT_TRUE(with_other) << to_string(with_other.error());
  const auto now = shaders_of(*with_other);
  ASSERT_EQ(now.size(), 2U);
  EXPECT_EQ(now[0].bytes.size(), other.size());
  EXPECT_EQ(now[1].bytes.size(), shader_bytes().size());

  EXPECT_EQ(replace_shader(*container, 2, View(other)).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(replace_shader(*container, 0, View()).error().code, ErrorCode::bad_magic);
}

TEST(EffectTest, Fx5HasGroupsInterfacesAndStreams) {
  Effect effect = sample();
  effect.version = EffectVersion::fx_5_0;
  effect.types[2] = object_type(EffectObject::pixel_shader5, "PixelShader", 2);
  effect.objects[1].shaders[1].stream_output[2].text = "TEXCOORD.xy";
  EffectType interface;
  interface.name.text = "ILight";
  interface.kind = EffectTypeKind::interface;
  effect.types.push_back(interface);
  EffectInterfaceVariable variable;
  variable.name.text = "light";
  variable.type = 4;
  variable.instances.items.resize(1);
  variable.instances[0].name.text = "half";
  effect.interfaces.push_back(variable);
  EffectGroup group;
  group.name.text = "main";
  group.techniques = std::move(effect.techniques);
  effect.techniques.clear();
  effect.groups.push_back(group);
  const auto bytes = write_effect(effect);
  const auto read = parse_effect(part_of(bytes));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->counts.techniques, 1U);
  EXPECT_EQ(read->counts.interface_elements, 1U);
  EXPECT_EQ(read->objects[1].shaders[1].stream_output[2].text, "TEXCOORD.xy");
  EXPECT_EQ(read->interfaces[0].instances[0].name.text, "half");
  EXPECT_EQ(read->groups[0].techniques[0].passes[0].name.text, "P0");
  EXPECT_EQ(write_effect(*read), bytes);
}

TEST(ExpressionTest, AnEndOtherThanThatOfAllIsAnError) {
  std::vector<std::byte> bytes(16);
  test::put_u32(bytes, 4, 0xf0f0'f0f0);
  test::put_u32(bytes, 8, 0x0f0f'0f0f);
  test::put_u32(bytes, 12, 0xffff);
  const Part part{fourcc("FXLC"), 0, View(bytes)};
  EXPECT_TRUE(parse_expression_code(part));
  test::put_u32(bytes, 12, 0);
  const auto code = parse_expression_code(part);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().offset, 12U);
  test::put_u32(bytes, 0, 0xffff'ffff);
  EXPECT_EQ(parse_expression_code(part).error().code, ErrorCode::truncated);
}

}  // namespace
}  // namespace unshade::dxbc
