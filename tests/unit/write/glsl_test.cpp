// GLSL of modules of the IR: what differs between Vulkan, OpenGL and OpenGL ES, and what a version lacks.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/write/source.hpp>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

std::string glsl_of(std::string_view text, const GlslOptions& glsl = {}, Setting setting = Setting::readable) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  options.setting = setting;
  options.glsl = glsl;
  return written(text, options);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr std::string_view kTextured = R"(stage pixel
input "TEXCOORD" index 3 type f32 interpolation linear_noperspective register 0 columns 2
output "SV_Target" system_value target type f32 register 0
resource @albedo texture dimension texture2d returns float space 1 register 4
resource @wrap sampler register 2
function @main {
^0:
  %t = handle @albedo 0
  %s = handle @wrap 0
  %u = input f32 in0.x
  %v = input f32 in0.y
  %c = sample_implicit f32 x4 texture2d %t %s %u %v
  %r = get f32 0 %c
  %g = get f32 1 %c
  %b = get f32 2 %c
  output f32 out0.x %r
  output f32 out0.y %g
  output f32 out0.z %b
  output f32 out0.w 1.0
  return
}
)";

TEST(Glsl, BindsInVulkanAsTranslationsToSpirvDo) {
  const std::string text = glsl_of(kTextured);
  EXPECT_TRUE(text.starts_with("#version 460\n")) << text;
  EXPECT_TRUE(has(text, "layout(set = 1, binding = 4) uniform texture2D albedo;")) << text;
  EXPECT_TRUE(has(text, "layout(set = 0, binding = 130) uniform sampler wrap;")) << text;
  EXPECT_TRUE(has(text, "layout(location = 0) noperspective in vec2 v_texcoord3;")) << text;
  EXPECT_TRUE(has(text, "texture(sampler2D(albedo, wrap), v_texcoord3)")) << text;
}

TEST(Glsl, JoinsTexturesWithSamplersInOpenGl) {
  const std::string text = glsl_of(kTextured, {.environment = GlslEnvironment::opengl, .version = 330, .binding = {}});
  EXPECT_TRUE(text.starts_with("#version 330 core\n")) << text;
  EXPECT_TRUE(has(text, "\nuniform sampler2D albedo;")) << text;
  EXPECT_TRUE(has(text, "texture(albedo, v_texcoord3)")) << text;
  EXPECT_FALSE(has(text, "set = ")) << text;
  const std::string bound = glsl_of(kTextured, {.environment = GlslEnvironment::opengl, .version = 450, .binding = {}});
  EXPECT_TRUE(has(bound, "layout(binding = 4) uniform sampler2D albedo;")) << bound;
}

TEST(Glsl, RefusesWhatAVersionLacksByItsName) {
  const std::string text = glsl_of(kTextured, {.environment = GlslEnvironment::es, .version = 310, .binding = {}});
  EXPECT_TRUE(has(text, "`noperspective`, which GLSL ES does not have")) << text;
  const std::string old = glsl_of(kTextured, {.environment = GlslEnvironment::opengl, .version = 150, .binding = {}});
  EXPECT_TRUE(has(old, "GLSL before 3.30")) << old;
  constexpr std::string_view kCompute = R"(stage compute
info group_size 8 8 1
function @main {
^0:
  return
}
)";
  EXPECT_TRUE(has(glsl_of(kCompute), "layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;")) << glsl_of(kCompute);
  const std::string compute = glsl_of(kCompute, {.environment = GlslEnvironment::opengl, .version = 330, .binding = {}});
  EXPECT_TRUE(has(compute, "compute shaders, which GLSL has since 4.30")) << compute;
}

TEST(Glsl, ShiftsByAmountsThatAreDefined) {
  constexpr std::string_view kShift = R"(stage vertex
input "A" type i32 register 0 columns 1
input "B" type i32 register 1 columns 1
output "C" type i32 register 0 columns 1
function @main {
^0:
  %a = input i32 in0.x
  %b = input i32 in1.x
  %c = ushr i32 %a %b
  output i32 out0.x %c
  return
}
)";
  // in GLSL the result of a shift by 32 or more is undefined
  EXPECT_TRUE(has(glsl_of(kShift, {}, Setting::exact), "in_a >> (in_b & 31u)")) << glsl_of(kShift, {}, Setting::exact);
}

constexpr GlslOptions kOpenGl{.environment = GlslEnvironment::opengl, .version = 450, .binding = {}};

constexpr std::string_view kPair = R"(stage pixel
input "TEXCOORD" type f32 register 0 columns 2
output "SV_Target" system_value target type f32 register 0
resource @_SKY_TABLE_ texture dimension texture2d returns float space 1 register 4 in_set
resource @_SKY_TABLE_ sampler space 1 register 4 in_set
resource @other sampler space 1 register 5 in_set
function @main {
^0:
  %0 = handle @_SKY_TABLE_ 0
  %1 = handle SAMPLER 0
  %2 = input f32 in0.x
  %3 = input f32 in0.y
  %4 = sample_implicit f32 x4 texture2d %0 %1 %2 %3
  %5 = texel_load f32 x4 texture2d %0 1 2
  %6 = get f32 0 %4
  %7 = get f32 0 %5
  %8 = fmul f32 %6 %6
  output f32 out0.x %8
  output f32 out0.y %8
  output f32 out0.z %7
  output f32 out0.w 1.0
  return
}
)";

std::string with_sampler(std::string_view name) {
  std::string text(kPair);
  text.replace(text.find("@_SKY_TABLE_ sampler") + 1, 11, "sky_sampler");
  return text.replace(text.find("SAMPLER"), 7, name);
}

TEST(Glsl, DeclaresATextureAndTheSamplerInItsPlaceAsOne) {
  const std::string text = glsl_of(with_sampler("@sky_sampler"));
  EXPECT_TRUE(has(text, "layout(set = 1, binding = 4) uniform sampler2D _SKY_TABLE_;")) << text;
  EXPECT_TRUE(has(text, "texture(_SKY_TABLE_, v_texcoord)")) << text;
  EXPECT_TRUE(has(text, "texelFetch(_SKY_TABLE_, ivec2(1, 2), 0)")) << text;
  EXPECT_FALSE(has(text, "texture2D")) << text;
  EXPECT_FALSE(has(text, "sky_sampler")) << text;
  // what holds a texel has no underscores of the table
  EXPECT_TRUE(has(text, "skyTableSample")) << text;
  EXPECT_FALSE(has(text, "_TABLE_Sample")) << text;
  const std::string apart = glsl_of(with_sampler("@other"));
  EXPECT_TRUE(has(apart, "uniform texture2D _SKY_TABLE_texture;")) << apart;
  EXPECT_TRUE(has(apart, "texture(sampler2D(_SKY_TABLE_texture, other), v_texcoord)")) << apart;
  EXPECT_TRUE(has(apart, "texelFetch(_SKY_TABLE_, ivec2(1, 2), 0)")) << apart;
  const std::string open = glsl_of(with_sampler("@sky_sampler"), kOpenGl);
  EXPECT_TRUE(has(open, "layout(binding = 4) uniform sampler2D _SKY_TABLE_;\n")) << open;
}

TEST(Glsl, ReadsInputAttachments) {
  constexpr std::string_view kSubpass = R"(stage pixel
output "SV_Target" system_value target type f32 register 0 columns 1
resource @base texture dimension texture2d returns float space 2 register 1 in_set attachment 3
resource @ids texture dimension texture2d_ms returns uint space 2 register 2 in_set attachment 4
function @main {
^0:
  %t = handle @base 0
  %m = handle @ids 0
  %c = texel_load f32 x4 texture2d %t 0 0
  %d = texel_load i32 x4 texture2d_ms sample %m 0 0 1
  %r = get f32 0 %c
  %n = get i32 0 %d
  %f = u_to_f f32 %n
  %k = fmul f32 %r %f
  output f32 out0.x %k
  return
}
)";
  const std::string text = glsl_of(kSubpass);
  EXPECT_TRUE(has(text, "layout(input_attachment_index = 3, set = 2, binding = 1) uniform subpassInput base;")) << text;
  EXPECT_TRUE(has(text, "layout(input_attachment_index = 4, set = 2, binding = 2) uniform usubpassInputMS ids;")) << text;
  EXPECT_TRUE(has(text, "subpassLoad(base).x * float(subpassLoad(ids, 1).x)")) << text;
  const std::string open = glsl_of(kSubpass, kOpenGl);
  EXPECT_TRUE(has(open, "uniform sampler2D base;")) << open;
  const std::string hlsl = written(kSubpass, {});
  EXPECT_TRUE(has(hlsl, "[[vk::input_attachment_index(3)]] [[vk::binding(1, 2)]] SubpassInput<float4> base;")) << hlsl;
  EXPECT_TRUE(has(hlsl, "SubpassInputMS<uint4> ids;")) << hlsl;
  EXPECT_TRUE(has(hlsl, "base.SubpassLoad().x * float(ids.SubpassLoad(1).x)")) << hlsl;
}

TEST(Glsl, StoresVectorsToElementsOfArraysOfBuffers) {
  constexpr std::string_view kArray = R"(stage compute
info group_size 1 1 1
resource @particles uav_byte_address dimension raw_buffer register 2 count 8 in_set
function @main {
^0:
  %i = builtin i32 thread_id.x
  %b = handle @particles %i
  %a = imul i32 %i 12
  %v = buffer_load i32 x2 raw %b %a
  %x = get i32 0 %v
  %y = get i32 1 %v
  buffer_store i32 raw %b %a %y %x
  return
}
)";
  const std::string text = glsl_of(kArray);
  EXPECT_TRUE(has(text, "void store_particles(uint element, uint address, uvec2 value)")) << text;
  EXPECT_TRUE(has(text, "particles[element].data[address >> 2] = value.x;")) << text;
  EXPECT_TRUE(has(text, "store_particles(uint(gl_GlobalInvocationID.x), ")) << text;
}

TEST(Glsl, DeclaresDistancesThatAreWritten) {
  constexpr std::string_view kDistances = R"(stage vertex
output "SV_Position" system_value position type f32 register 0
output "SV_ClipDistance" system_value clip_distance type f32 register 1 columns 2
output "SV_CullDistance" system_value cull_distance type f32 register 2 columns 1
function @main {
^0:
  output f32 out1.x 1.0
  return
}
)";
  const std::string text = glsl_of(kDistances);
  EXPECT_TRUE(has(text, "out float gl_ClipDistance[2];")) << text;
  EXPECT_FALSE(has(text, "gl_CullDistance")) << text;
  constexpr GlslOptions kEs{.environment = GlslEnvironment::es, .version = 320, .binding = {}};
  EXPECT_TRUE(has(glsl_of(kDistances, kEs), "clip distances, which GLSL ES does not have")) << glsl_of(kDistances, kEs);
  std::string unused(kDistances);
  unused.replace(unused.find("out1.x"), 6, "out0.x");
  EXPECT_TRUE(has(glsl_of(unused, kEs), "gl_Position.x = 1.0")) << glsl_of(unused, kEs);
}

TEST(Glsl, NamesOutputsThatHaveNoNameByTheirLocation) {
  constexpr std::string_view kUnnamed = R"(stage pixel
output "_2" type f32 register 3 columns 1 variable "_2"
function @main {
^0:
  output f32 out0.x 1.0
  return
}
)";
  EXPECT_TRUE(has(glsl_of(kUnnamed), "layout(location = 3) out float out_location3;")) << glsl_of(kUnnamed);
}

TEST(Glsl, IndexesByUnsignedIntegersAsTheyAre) {
  constexpr std::string_view kTexels = R"(stage compute
info group_size 1 1 1
resource @palette texture dimension buffer returns float register 0 count 8 in_set
resource @trail uav_typed dimension texture2d returns float register 1 in_set
function @main {
^0:
  %i = builtin i32 thread_id.x
  %j = iadd i32 %i 2
  %b = handle @palette %j
  %t = handle @trail 0
  %v = buffer_load f32 x4 typed %b 3
  %x = get f32 0 %v
  texel_store f32 texture2d %t 1 2 %x %x %x %x
  return
}
)";
  const std::string text = glsl_of(kTexels);
  EXPECT_TRUE(has(text, "texelFetch(palette[gl_GlobalInvocationID.x + 2u], 3)")) << text;
  EXPECT_TRUE(has(text, "imageStore(trail, ivec2(1, 2), ")) << text;
}

}  // namespace
}  // namespace unshade::write
