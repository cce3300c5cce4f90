// Source of loads that say whether their memory is mapped.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/write/source.hpp>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

testing::AssertionResult has(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '`' << part << "` is missing in\n" << text;
}

std::string glsl_of(std::string_view text) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  return written_prepared(text, options);
}

constexpr std::string_view kTextures = R"(stage pixel
input "TEXCOORD" type f32 register 0 columns 2
output "SV_Target" system_value target type f32 register 0
resource @albedo texture dimension texture2d returns float register 0
resource @shadow texture dimension texture2d returns float register 1
resource @wrap sampler register 0
resource @compare sampler register 1
function @main {
^0:
  %t = handle @albedo 0
  %d = handle @shadow 0
  %s = handle @wrap 0
  %c = handle @compare 0
  %u = input f32 in0.x
  %v = input f32 in0.y
  %a = sample_implicit f32 x5 texture2d status offset min_lod %t %s %u %v 1 2 0.0
  %r = get f32 0 %a
  %g = get f32 1 %a
  %as = get i32 4 %a
  %am = access_mapped %as
  %b = sample f32 x2 texture2d status lod reference %d %c %u %v 0.0 %u
  %l = get f32 0 %b
  %bs = get i32 1 %b
  %bm = access_mapped %bs
  %x = select f32 %am %r 0.0
  %y = select f32 %bm %l 0.0
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %g
  output f32 out0.w %l
  return
}
)";

TEST(SourceOfStatuses, AsksATextureByAnOverload) {
  const std::string text = written_prepared(kTextures);
  EXPECT_TRUE(has(text,
                  "(Texture2D<float4> source, SamplerState with, float2 at) {\n  uint status;\n"
                  "  source.Sample(with, at, int2(1, 2), 0.0, status);\n  return status;\n}\n"));
  EXPECT_TRUE(has(text, "source.SampleCmpLevelZero(with, at, reference, 0, status);"));
  EXPECT_TRUE(has(text, "CheckAccessFullyMapped("));
  EXPECT_TRUE(has(text, "albedo.Sample(wrap, "));
  const std::string glsl = glsl_of(kTextures);
  EXPECT_TRUE(has(glsl, "#extension GL_ARB_sparse_texture2 : require\n"));
  EXPECT_TRUE(has(glsl, "vec4 texel;\n"));
  EXPECT_TRUE(
      has(glsl, "sparseTexelsResidentARB(sparseTextureOffsetClampARB(sampler2D(albedo, wrap), v_texcoord, ivec2(1, 2), 0.0, texel))"));
  EXPECT_TRUE(has(glsl, "sparseTexelsResidentARB(sparseTextureLodARB(sampler2DShadow(shadow, compare), "));
}

constexpr std::string_view kBuffers = R"(stage compute
resource @bytes byte_address dimension buffer register 0
resource @elements structured dimension buffer register 1 stride 8
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %b = handle @bytes 0
  %e = handle @elements 0
  %t = handle @to 0
  %x = buffer_load i32 x3 raw status %b 4
  %x0 = get i32 0 %x
  %x1 = get i32 1 %x
  %xs = get i32 2 %x
  %xm = access_mapped %xs
  %y = buffer_load i32 x2 structured offset status %e 3 4
  %y0 = get i32 0 %y
  %ys = get i32 1 %y
  %ym = access_mapped %ys
  %both = iand b1 %xm %ym
  %sum = iadd i32 %x0 %x1
  %made = select i32 %both %sum %y0
  buffer_store i32 raw %t 0 %made
  return
}
)";

TEST(SourceOfStatuses, AsksABuffer) {
  const std::string text = written_prepared(kBuffers);
  EXPECT_TRUE(has(text, "  source.Load2(address, status);\n"));
  EXPECT_TRUE(has(text, "  elements.Load(element, status);\n"));
  EXPECT_TRUE(has(text, "bytes.Load2(4)"));
  // of words of buffers all is mapped, as in translations to SPIR-V
  const std::string glsl = glsl_of(kBuffers);
  EXPECT_EQ(glsl.find("sparse"), std::string::npos) << glsl;
  EXPECT_TRUE(has(glsl, "to[0] = x.x + x.y;"));
}

constexpr std::string_view kTexels = R"(stage compute
resource @from texture dimension buffer returns uint register 0
resource @image uav_typed dimension buffer returns float register 1
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @from 0
  %m = handle @image 0
  %t = handle @to 0
  %x = buffer_load i32 x5 typed status %f 4
  %xs = get i32 4 %x
  %xm = access_mapped %xs
  %y = buffer_load f32 x5 typed status %m 5
  %ys = get i32 4 %y
  %ym = access_mapped %ys
  %both = iand b1 %xm %ym
  %made = select i32 %both 1 2
  buffer_store i32 raw %t 0 %made %xs
  return
}
)";

// GLSL has no function for it, but SPIR-V an instruction.
TEST(SourceOfStatuses, AsksForTexelsOfBuffersByInstructions) {
  const std::string text = glsl_of(kTexels);
  EXPECT_TRUE(has(text, "struct SparseTexel {\n  int code;\n  uvec4 texel;\n};\n"));
  EXPECT_TRUE(has(text, "spirv_instruction(capabilities = [41], id = 313)\nSparseTexel sparseFetch(utextureBuffer source, int at);\n"));
  EXPECT_TRUE(has(text, "spirv_instruction(capabilities = [41, 55], id = 320)\n"));
  EXPECT_TRUE(has(text, "(readonly imageBuffer source, int at);\n"));
  EXPECT_TRUE(has(text, "sparseTexelsResidentARB(sparseFetch(from, 4).code)"));
  // a number of its own says it, too
  EXPECT_TRUE(has(written_prepared(kTexels), "uint statusOf(Buffer<uint4> source"));
}

}  // namespace
}  // namespace unshade::write
