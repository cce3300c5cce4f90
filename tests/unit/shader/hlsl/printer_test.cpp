#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/shader/reflection.hpp>

namespace unshade::shader {
namespace {

using dxcontainer::ComponentType;
using dxcontainer::SystemValue;

void append_u32(std::vector<std::byte>& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

std::vector<std::byte> dwords(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t value : values) append_u32(bytes, value);
  return bytes;
}

std::string hlsl_of(const Reflection& reflection) {
  Text text;
  print_hlsl(reflection, text);
  return text.str();
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Type vector_type(BaseType base, std::uint32_t columns, std::uint32_t elements = 0) {
  Type type;
  type.type_class = columns > 1 ? TypeClass::vector : TypeClass::scalar;
  type.base = base;
  type.rows = 1;
  type.columns = columns;
  type.elements = elements;
  return type;
}

Variable variable(std::string name, std::uint32_t type, std::uint32_t offset, std::uint32_t size) {
  Variable variable;
  variable.name = std::move(name);
  variable.type = type;
  variable.offset = offset;
  variable.size = size;
  variable.used = true;
  return variable;
}

Resource resource(std::string name, ResourceKind kind, std::uint32_t bind_point) {
  Resource resource;
  resource.name = std::move(name);
  resource.kind = kind;
  resource.bind_point = bind_point;
  return resource;
}

/// A model of one constant buffer.
Reflection with_buffer(std::vector<Type> types, std::vector<Variable> variables) {
  Reflection reflection;
  reflection.family = Family::dxbc;
  reflection.major_version = 5;
  reflection.types = std::move(types);
  reflection.buffers.push_back({"Things", BufferKind::cbuffer, 256, 0, std::move(variables)});
  reflection.resources.push_back(resource("Things", ResourceKind::cbuffer, 2));
  reflection.resources[0].buffer = 0;
  return reflection;
}

TEST(ReflectionHlslTest, LeavesOffsetsOutWherePackingGivesThem) {
  const auto text =
      hlsl_of(with_buffer({vector_type(BaseType::float_, 3), vector_type(BaseType::float_, 1), vector_type(BaseType::float_, 4, 2)},
                          {variable("a", 0, 0, 12), variable("b", 1, 12, 4), variable("c", 0, 16, 12), variable("d", 2, 32, 32)}));
  EXPECT_TRUE(contains(text, "cbuffer Things : register(b2)\n{\n  float3 a;\n  float b;\n  float3 c;\n  float4 d[2];\n};\n")) << text;
}

TEST(ReflectionHlslTest, WritesAllOffsetsWhereOneDiffers) {
  const auto text = hlsl_of(
      with_buffer({vector_type(BaseType::float_, 2), vector_type(BaseType::int_, 1)}, {variable("a", 0, 0, 8), variable("b", 1, 28, 4)}));
  EXPECT_TRUE(contains(text, "  float2 a : packoffset(c0);\n  int b : packoffset(c1.w);\n")) << text;
}

TEST(ReflectionHlslTest, MendsNames) {
  Reflection reflection =
      with_buffer({vector_type(BaseType::float_, 1)}, {variable("float4", 0, 0, 4), variable("a.b", 0, 4, 4), variable("a_b", 0, 8, 4)});
  reflection.buffers[0].name = reflection.resources[0].name = "$Globals";
  reflection.resources.push_back(resource("9 lives\n*/", ResourceKind::sampler, 0));
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text, "cbuffer _Globals : register(b2)  // $Globals\n")) << text;
  EXPECT_TRUE(contains(text, "  float float4_;\n  float a_b;\n  float a_b_1;\n")) << text;
  EXPECT_TRUE(contains(text, "SamplerState _9_lives___ : register(s0);  // 9 lives?*/\n")) << text;
}

TEST(ReflectionHlslTest, WritesDefaultValuesInTheOrderOfInitialisers) {
  Type matrix = vector_type(BaseType::float_, 2);
  matrix.type_class = TypeClass::matrix_columns;
  matrix.rows = 2;
  Reflection reflection = with_buffer({matrix, vector_type(BaseType::int_, 1)}, {variable("m", 0, 0, 24), variable("i", 1, 24, 4)});
  // Columns (1, 2) and (3, 4), each in a register.
  reflection.buffers[0].variables[0].default_value = dwords({0x3f80'0000, 0x4000'0000, 0, 0, 0x4040'0000, 0x4080'0000});
  reflection.buffers[0].variables[1].default_value = dwords({0x8000'0000});
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text, "float2x2 m : packoffset(c0) = { 1.0, 3.0, 2.0, 4.0 };")) << text;
  EXPECT_TRUE(contains(text, "int i : packoffset(c1.z) = (-2147483647 - 1);")) << text;
}

TEST(ReflectionHlslTest, WritesResources) {
  Reflection reflection;
  reflection.major_version = 5;
  reflection.minor_version = 1;
  Resource texture = resource("image", ResourceKind::texture, 3);
  texture.dimension = ResourceDimension::texture2d_ms;
  texture.return_type = ReturnType::unorm;
  texture.components = 4;
  texture.sample_count = 8;
  texture.space = 1;
  texture.bind_count = 0;
  Resource sampler = resource("compare", ResourceKind::sampler, 0);
  sampler.comparison = true;
  Resource ordered = resource("ordered", ResourceKind::uav_typed, 1);
  ordered.dimension = ResourceDimension::texture2d;
  ordered.return_type = ReturnType::uint;
  ordered.components = 1;
  ordered.rasterizer_ordered = true;
  Resource coherent = resource("raw", ResourceKind::uav_byte_address, 2);
  coherent.globally_coherent = true;
  Resource structured = resource("list", ResourceKind::uav_append, 4);
  structured.stride = 12;
  reflection.resources = {texture, sampler, ordered, coherent, structured};
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text, "Texture2DMS<unorm float4, 8> image[] : register(t3, space1);\n")) << text;
  EXPECT_TRUE(contains(text, "SamplerComparisonState compare : register(s0);\n")) << text;
  EXPECT_TRUE(contains(text, "RasterizerOrderedTexture2D<uint> ordered : register(u1);\n")) << text;
  EXPECT_TRUE(contains(text, "globallycoherent RWByteAddressBuffer raw : register(u2);\n")) << text;
  EXPECT_TRUE(contains(text, "struct list_element\n{\n  uint data[3];\n};\nAppendStructuredBuffer<list_element> list : register(u4);\n"))
      << text;
}

TEST(ReflectionHlslTest, WritesStructsOnceAndArraysOfBuffersAsObjects) {
  Type light;
  light.type_class = TypeClass::structure;
  light.name = "Light";
  light.members = {{"color", 0, 0}};
  Type lights = light;
  lights.elements = 4;
  Reflection reflection =
      with_buffer({vector_type(BaseType::float_, 3), light, lights}, {variable("one", 1, 0, 12), variable("many", 2, 16, 60)});
  reflection.resources[0].bind_count = 6;
  reflection.resources[0].space = 2;
  const auto text = hlsl_of(reflection);
  EXPECT_EQ(text.find("struct Light\n"), text.rfind("struct Light\n")) << text;
  EXPECT_TRUE(contains(
      text,
      "struct Things_buffer\n{\n  Light one;\n  Light many[4];\n};\n\nConstantBuffer<Things_buffer> Things[6] : register(b2, space2);"))
      << text;
}

TEST(ReflectionHlslTest, WritesNumbersOf16And64BitsFromShaderModel6On) {
  auto reflection = with_buffer({vector_type(BaseType::uint64, 1), vector_type(BaseType::float16, 4), vector_type(BaseType::int16, 2)},
                                {variable("a", 0, 0, 8), variable("b", 1, 8, 8), variable("c", 2, 16, 4)});
  EXPECT_TRUE(contains(hlsl_of(reflection), "  uint a"));
  reflection.major_version = 6;
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text, "  uint64_t a : packoffset(c0);\n  float16_t4 b : packoffset(c0.z);\n  int16_t2 c : packoffset(c1);\n"))
      << text;
  // Two halves take one component: no offset is needed, and none could be written.
  auto halves = with_buffer({vector_type(BaseType::float16, 1), vector_type(BaseType::float_, 1)},
                            {variable("a", 0, 0, 2), variable("b", 0, 2, 2), variable("c", 1, 4, 4)});
  halves.major_version = 6;
  EXPECT_TRUE(contains(hlsl_of(halves), "{\n  float16_t a;\n  float16_t b;\n  float c;\n}")) << hlsl_of(halves);
}

TEST(ReflectionHlslTest, WritesFactorsOfAPatchAsOneArray) {
  Reflection reflection;
  reflection.family = Family::dxil;
  reflection.major_version = 6;
  EntryPoint& entry = reflection.entry_points.emplace_back();
  entry.stage = Stage::hull;
  // In the order of the part: by register.
  for (std::uint32_t i = 0; i < 4; ++i) {
    SignatureElement& factor = entry.patch_constants.emplace_back();
    factor.semantic = "SV_TessFactor";
    factor.semantic_index = i;
    factor.register_index = i;
    factor.system_value = SystemValue::final_quad_edge_tessfactor;
    factor.component_type = ComponentType::float32;
    factor.mask = 8;
    if (i != 0) continue;
    SignatureElement& centre = entry.patch_constants.emplace_back();
    centre.semantic = "CENTRE";
    centre.component_type = ComponentType::float32;
    centre.mask = 7;
  }
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text, "{\n  float SV_TessFactor[4] : SV_TessFactor;\n  float3 CENTRE0 : CENTRE0;\n}")) << text;
}

TEST(ReflectionHlslTest, WritesCulledPrimitivesAsBool) {
  Reflection reflection;
  reflection.family = Family::dxil;
  EntryPoint& entry = reflection.entry_points.emplace_back();
  entry.stage = Stage::mesh;
  SignatureElement& culled = entry.patch_constants.emplace_back();
  culled.semantic = "SV_CullPrimitive";
  culled.system_value = SystemValue::cull_primitive;
  culled.component_type = ComponentType::uint32;
  culled.mask = 1;
  EXPECT_TRUE(contains(hlsl_of(reflection), "  bool SV_CullPrimitive : SV_CullPrimitive;\n")) << hlsl_of(reflection);
}

TEST(ReflectionHlslTest, WritesSignatures) {
  Reflection reflection;
  EntryPoint entry;
  entry.stage = Stage::pixel;
  SignatureElement texcoord;
  texcoord.semantic = "TEXCOORD";
  texcoord.semantic_index = 2;
  texcoord.component_type = ComponentType::float32;
  texcoord.mask = 0b0011;
  texcoord.interpolation = Interpolation::linear_noperspective_centroid;
  SignatureElement face;
  face.semantic = "SV_IsFrontFace";
  face.component_type = ComponentType::uint32;
  face.system_value = SystemValue::is_front_face;
  face.mask = 1;
  entry.inputs = {texcoord, face};
  reflection.entry_points.push_back(entry);
  const auto text = hlsl_of(reflection);
  EXPECT_TRUE(contains(text,
                       "struct PixelInput\n{\n  noperspective centroid float2 TEXCOORD2 : TEXCOORD2;\n"
                       "  bool SV_IsFrontFace : SV_IsFrontFace;\n};\n"))
      << text;
}

/// A model of a SPIR-V module with one buffer.
Reflection with_block(BufferKind buffer, ResourceKind kind, std::vector<Type> types, std::vector<Variable> variables) {
  Reflection reflection;
  reflection.family = Family::spirv;
  reflection.types = std::move(types);
  reflection.buffers.push_back({"Things", buffer, 64, 0, std::move(variables)});
  reflection.resources.push_back(resource("things", kind, 2));
  reflection.resources[0].buffer = 0;
  return reflection;
}

TEST(ReflectionHlslTest, SpecializationConstantsHaveTheValuesOfTheirBits) {
  Reflection reflection;
  reflection.family = Family::spirv;
  reflection.specialization_constants = {
      {"a", 1, BaseType::int_, 0xffff'fffc},   {"b", 2, BaseType::float16, 0x3800},
      {"c", 3, BaseType::int16, 0xfffb},       {"d", 4, BaseType::uint16, 0xffff},
      {"e", 5, BaseType::int8, 0xfd},          {"f", 6, BaseType::float_, 0x7f80'0000},
      {"g", 7, BaseType::float_, 0x8000'0000}, {"h", 8, BaseType::double_, 0x3ff8'0000'0000'0000},
      {"i", 9, BaseType::int64, ~0ULL},        {"j", 10, BaseType::bool_, 1},
      {"k", 11, BaseType::uint_, 0xffff'ffff}, {"l", 12, BaseType::float16, 0xfc00},
      {"m", 13, BaseType::float16, 0x8001},
  };
  EXPECT_EQ(hlsl_of(reflection),
            "// shader\n"
            "[[vk::constant_id(1)]] const int a = -4;\n"
            "[[vk::constant_id(2)]] const float16_t b = 0.5;\n"
            "[[vk::constant_id(3)]] const int16_t c = -5;\n"
            "[[vk::constant_id(4)]] const uint16_t d = 65535;\n"
            "// no such type in HLSL: [[vk::constant_id(5)]] const int8_t e = -3;\n"
            "// no literal in HLSL: [[vk::constant_id(6)]] const float f = inf;\n"
            "[[vk::constant_id(7)]] const float g = -0.0;\n"
            "[[vk::constant_id(8)]] const double h = 1.5L;\n"
            "[[vk::constant_id(9)]] const int64_t i = -1;\n"
            "[[vk::constant_id(10)]] const bool j = true;\n"
            "[[vk::constant_id(11)]] const uint k = 4294967295;\n"
            "// no literal in HLSL: [[vk::constant_id(12)]] const float16_t l = -inf;\n"
            "[[vk::constant_id(13)]] const float16_t m = -5.9604645e-08;\n");
  Text text;
  print_reflection(reflection, text);
  EXPECT_TRUE(contains(text.str(), "  5   e     int8     -3\n")) << text.view();
}

TEST(ReflectionHlslTest, NumbersOf8BitsAreComments) {
  const std::vector<Type> types = {vector_type(BaseType::uint8, 1, 4), vector_type(BaseType::float_, 1)};
  const std::vector<Variable> variables = {variable("a", 0, 0, 4), variable("b", 1, 4, 4)};
  EXPECT_TRUE(contains(hlsl_of(with_block(BufferKind::cbuffer, ResourceKind::cbuffer, types, variables)),
                       "{\n  // no such type in HLSL: uint8_t a[4], offset 0\n  float b : packoffset(c0.y);\n};\n"));
  EXPECT_TRUE(contains(hlsl_of(with_block(BufferKind::push_constants, ResourceKind::push_constants, types, variables)),
                       "{\n  // no such type in HLSL: uint8_t a[4], offset 0\n  [[vk::offset(4)]] float b;\n};\n"));
  EXPECT_TRUE(contains(hlsl_of(with_block(BufferKind::storage_buffer, ResourceKind::storage_buffer, types, variables)),
                       "\n//     0  uint8_t a[4]\n//     4  float b\n[[vk::binding(2, 0)]] RWByteAddressBuffer things : register(u2);\n"));
}

TEST(ReflectionHlslTest, SharedTypesDoNotExpandWithoutBound) {
  // Each struct holds the one before it four times: 4^30 leaves.
  Reflection reflection = with_buffer({vector_type(BaseType::float_, 1)}, {});
  constexpr std::uint32_t kDepth = 30;
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    Type type;
    type.type_class = TypeClass::structure;
    type.members.assign(4, {"m", i, 0});
    reflection.types.push_back(std::move(type));
  }
  reflection.buffers[0].variables = {variable("all", kDepth, 0, 64)};
  reflection.buffers[0].variables[0].default_value.resize(64);
  Text text;
  print_reflection(reflection, text);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_LT(hlsl_of(reflection).size(), std::size_t{1} << 16);
}

}  // namespace
}  // namespace unshade::shader
