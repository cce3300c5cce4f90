#include <unshade/shader/reflection.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

using dxcontainer::SystemValue;

void append_u32(std::vector<std::byte>& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

struct RawPart {
  std::string fourcc;
  std::vector<std::byte> data;
};

std::vector<std::byte> dwords(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t value : values) append_u32(bytes, value);
  return bytes;
}

/// A container of the parts given, without a digest.
std::vector<std::byte> container_of(const std::vector<RawPart>& parts) {
  std::size_t size = 32 + 4 * parts.size();
  std::vector<std::byte> bytes;
  append_u32(bytes, dxcontainer::kMagic);
  bytes.resize(20);
  append_u32(bytes, 1);
  const std::size_t size_at = bytes.size();
  append_u32(bytes, 0);
  append_u32(bytes, static_cast<std::uint32_t>(parts.size()));
  for (const RawPart& part : parts) {
    append_u32(bytes, static_cast<std::uint32_t>(size));
    size += 8 + part.data.size();
  }
  for (const RawPart& part : parts) {
    for (const char c : part.fourcc) bytes.push_back(static_cast<std::byte>(c));
    append_u32(bytes, static_cast<std::uint32_t>(part.data.size()));
    bytes.insert(bytes.end(), part.data.begin(), part.data.end());
  }
  for (unsigned i = 0; i < 4; ++i) bytes[size_at + i] = static_cast<std::byte>(size >> (8 * i));
  return bytes;
}

Result<Reflection> reflect_bytes(const std::vector<std::byte>& bytes) {
  const auto shader = open(test::view_of(bytes));
  if (!shader) return shader.error();
  return reflect(*shader);
}

Reflection reflect_sample(std::string_view name) {
  const auto bytes = test::sample(name);
  auto reflection = reflect_bytes(bytes);
  EXPECT_TRUE(reflection) << to_string(reflection.error());
  return reflection ? *std::move(reflection) : Reflection{};
}

const Resource* find_resource(const Reflection& reflection, std::string_view name) {
  const auto found = std::ranges::find(reflection.resources, name, &Resource::name);
  return found == reflection.resources.end() ? nullptr : &*found;
}

std::string hlsl_of(const Reflection& reflection) {
  Text text;
  print_hlsl(reflection, text);
  return text.str();
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ReflectionTest, TellsWhatAVertexShaderTakesAndGives) {
  const Reflection reflection = reflect_sample("lit_vs_5_0.dxbc");
  EXPECT_EQ(reflection.family, Family::dxbc);
  EXPECT_EQ(reflection.profile, "vs_5_0");
  EXPECT_EQ(reflection.min_feature_level, FeatureLevel::level_11_0);
  EXPECT_FALSE(reflection.rebuilt);
  ASSERT_EQ(reflection.entry_points.size(), 1U);
  const EntryPoint& entry = reflection.entry_points[0];
  EXPECT_EQ(entry.stage, Stage::vertex);
  ASSERT_EQ(entry.inputs.size(), 4U);
  EXPECT_EQ(entry.inputs[2].semantic, "TEXCOORD");
  EXPECT_EQ(entry.inputs[2].register_index, 2U);
  EXPECT_EQ(entry.inputs[2].mask, 0b0011);
  ASSERT_EQ(entry.outputs.size(), 4U);
  EXPECT_EQ(entry.outputs[0].system_value, SystemValue::position);
  EXPECT_EQ(entry.outputs[1].used_mask, 0b0111);
  ASSERT_TRUE(entry.statistics);
  EXPECT_GT(entry.statistics->instruction_count, 0U);
  ASSERT_EQ(reflection.buffers.size(), 1U);
  const Buffer& frame = reflection.buffers[0];
  ASSERT_EQ(frame.variables.size(), 6U);
  EXPECT_EQ(frame.variables[4].name, "lights");
  EXPECT_EQ(reflection.types[frame.variables[4].type].elements, 4U);
  EXPECT_FALSE(frame.variables[2].used);
  ASSERT_EQ(reflection.resources.size(), 1U);
  EXPECT_EQ(reflection.resources[0].buffer, 0U);
}

TEST(ReflectionTest, TellsStagePropertiesAndInterpolation) {
  const Reflection grid = reflect_sample("grid_cs_5_0.dxbc");
  ASSERT_TRUE(grid.entry_points.at(0).thread_group);
  EXPECT_EQ(*grid.entry_points[0].thread_group, (std::array<std::uint32_t, 3>{8, 8, 1}));
  const Resource* target = find_resource(grid, "target");
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->kind, ResourceKind::uav_typed);
  EXPECT_EQ(target->dimension, ResourceDimension::texture2d);
  EXPECT_EQ(target->components, 4U);

  const Reflection control = reflect_sample("control_ps_5_0.dxbc");
  const EntryPoint& entry = control.entry_points.at(0);
  ASSERT_EQ(entry.inputs.size(), 2U);
  EXPECT_EQ(entry.inputs[0].interpolation, Interpolation::linear);
  EXPECT_EQ(entry.inputs[1].interpolation, Interpolation::constant);
  EXPECT_TRUE(entry.pixel);
}

TEST(ReflectionTest, OutlivesTheFile) {
  auto bytes = test::sample("textured_ps_5_0.dxbc");
  const auto reflection = reflect_bytes(bytes);
  ASSERT_TRUE(reflection);
  std::ranges::fill(bytes, std::byte{0xdd});
  EXPECT_NE(find_resource(*reflection, "albedo"), nullptr);
}

TEST(ReflectionTest, RebuildsStrippedDefinitions) {
  const auto whole = test::sample("textured_ps_5_0.dxbc");
  const auto shader = open(test::view_of(whole));
  ASSERT_TRUE(shader);
  std::vector<RawPart> parts;
  for (const dxcontainer::Part& part : shader->parts()) {
    if (part.fourcc == dxcontainer::fourcc("RDEF")) continue;
    parts.push_back({part.name(), {part.data.bytes().begin(), part.data.bytes().end()}});
  }
  const auto reflection = reflect_bytes(container_of(parts));
  ASSERT_TRUE(reflection) << to_string(reflection.error());
  EXPECT_TRUE(reflection->rebuilt);
  EXPECT_TRUE(reflection->creator.empty());
  const Resource* texture = find_resource(*reflection, "t3");
  ASSERT_NE(texture, nullptr);
  EXPECT_EQ(texture->dimension, ResourceDimension::texture2d);
  EXPECT_EQ(texture->return_type, ReturnType::float_);
  EXPECT_EQ(texture->bind_point, 3U);
  EXPECT_NE(find_resource(*reflection, "s2"), nullptr);
  const Resource* buffer = find_resource(*reflection, "cb1");
  ASSERT_NE(buffer, nullptr);
  ASSERT_LT(buffer->buffer, reflection->buffers.size());
  EXPECT_EQ(reflection->buffers[buffer->buffer].size % 16, 0U);
  EXPECT_TRUE(contains(hlsl_of(*reflection), "Texture2D<float4> t3 : register(t3);"));
}

TEST(ReflectionTest, RebuildsRangesAndSpacesOfShaderModel51) {
  // ps_5_1; dcl_resource_structured T2[7:unbounded], 16, space=3; ret
  const auto program = dwords({0x0000'0051, 10, 0x0700'00a2, 0x0030'7000 | 0x46, 2, 7, 0xffff'ffff, 16, 3, 0x0100'003e});
  const auto reflection = reflect_bytes(container_of({{"SHEX", program}}));
  ASSERT_TRUE(reflection) << to_string(reflection.error());
  ASSERT_EQ(reflection->resources.size(), 1U);
  const Resource& resource = reflection->resources[0];
  EXPECT_EQ(resource.name, "t7_space3");
  EXPECT_EQ(resource.id, 2U);
  EXPECT_EQ(resource.bind_count, 0U);
  EXPECT_EQ(resource.stride, 16U);
  EXPECT_TRUE(contains(hlsl_of(*reflection), "StructuredBuffer<t7_space3_element> t7_space3[] : register(t7, space3);"));
}

TEST(ReflectionTest, ReadsRequirementsFromFeaturesAndGlobalFlags) {
  // ps_5_0; dcl_globalFlags forceEarlyDepthStencil | enableMinimumPrecision; ret
  const auto program = dwords({0x0000'0050, 4, 0x0101'206a, 0x0100'003e});
  const auto reflection = reflect_bytes(container_of({{"SHEX", program}, {"SFI0", dwords({0x1002, 0})}}));
  ASSERT_TRUE(reflection) << to_string(reflection.error());
  EXPECT_EQ(reflection->entry_points.at(0).required_features, 0x1012U);
  EXPECT_TRUE(reflection->entry_points[0].pixel->early_depth_stencil);
  EXPECT_TRUE(reflection->compute_on_4x);
  EXPECT_EQ(reflection->min_feature_level, FeatureLevel::level_11_0);
}

TEST(ReflectionTest, NamesWhatIsWrong) {
  const auto nothing = reflect_bytes(container_of({{"PRIV", dwords({1})}}));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::missing);

  const auto cut = reflect_bytes(container_of({{"SHEX", dwords({0x0000'0050, 3, 0x0300'0059})}}));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::truncated);
  EXPECT_EQ(cut.error().path, "SHEX/instructions[0]/length");
}

TEST(ReflectionTest, ARootSignatureAloneHasNoEntryPoint) {
  const auto reflection = reflect_bytes(container_of({{"RTS0", dwords({1, 0, 24, 0, 24, 0})}}));
  ASSERT_TRUE(reflection) << to_string(reflection.error());
  EXPECT_TRUE(reflection->has_root_signature);
  EXPECT_TRUE(reflection->entry_points.empty());
}

TEST(ReflectionTest, EveryCutOfAFileIsHandled) {
  const auto bytes = test::sample("lit_vs_5_0.dxbc");
  const auto shader = open(test::view_of(bytes));
  ASSERT_TRUE(shader);
  for (const dxcontainer::Part& whole : shader->parts()) {
    for (std::size_t size = 0; size < whole.data.size(); size += 4) {
      Shader cut = *shader;
      for (dxcontainer::Part& part : std::get<dxcontainer::Container>(cut.content).parts)
        if (part.fourcc == whole.fourcc) part.data = part.data.clamped(0, size);
      const auto reflection = reflect(cut);
      if (!reflection) continue;
      Text text;
      print_reflection(*reflection, text);
      print_hlsl(*reflection, text);
    }
  }
}

TEST(ReflectionTest, NumbersOfNodesAreApartFromWhatTheyAre) {
  Reflection library;
  library.family = Family::dxil;
  library.profile = "lib_6_8";
  EntryPoint& entry = library.entry_points.emplace_back();
  entry.name = "spread";
  entry.stage = Stage::node;
  Node& node = entry.node.emplace();
  node.id.name = "spread";
  node.local_root_arguments_index = 2;
  Text text;
  print_reflection(library, text);
  EXPECT_NE(text.view().find("\nlocal arguments     2\n"), std::string_view::npos) << text.view();
}

}  // namespace
}  // namespace unshade::shader
