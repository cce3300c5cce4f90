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

}  // namespace
}  // namespace unshade::write
