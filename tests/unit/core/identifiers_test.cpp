#include <unshade/core/text/identifiers.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace unshade {
namespace {

using enum ShadingLanguage;

TEST(Identifiers, KeywordsAreOfALanguage) {
  for (const std::string_view word : {"float4", "min16uint2x3", "cbuffer", "matrix", "while"}) EXPECT_TRUE(is_keyword(hlsl, word)) << word;
  for (const std::string_view word : {"vec3", "dmat2x4", "isampler2DArray", "image2DMS", "samplerCubeArrayShadow", "lowp", "while"})
    EXPECT_TRUE(is_keyword(glsl, word)) << word;
  for (const std::string_view word : {"vec3", "lowp", "color", "float5", "Float4"}) EXPECT_FALSE(is_keyword(hlsl, word)) << word;
  for (const std::string_view word : {"float4", "cbuffer", "vec5", "sampler2DX", "iisampler2D", "color"})
    EXPECT_FALSE(is_keyword(glsl, word)) << word;
}

TEST(Identifiers, SomeWordsAreReservedBesides) {
  EXPECT_TRUE(may_be_identifier(hlsl, "gl_Position"));
  EXPECT_FALSE(may_be_identifier(glsl, "gl_Position"));
  EXPECT_FALSE(may_be_identifier(glsl, "a__b"));
  EXPECT_FALSE(may_be_identifier(hlsl, "Pass"));  // a word of effects
  EXPECT_TRUE(may_be_identifier(glsl, "Pass"));
  EXPECT_FALSE(may_be_identifier(hlsl, ""));
  EXPECT_FALSE(may_be_identifier(hlsl, "3d"));
  EXPECT_FALSE(may_be_identifier(hlsl, "a.b"));
}

TEST(Identifiers, ResembleNames) {
  EXPECT_EQ(identifier_like(hlsl, "light[3].color"), "light_3_color");
  EXPECT_EQ(identifier_like(hlsl, "float4"), "float4_");
  EXPECT_EQ(identifier_like(hlsl, "PASS"), "PASS_");
  EXPECT_EQ(identifier_like(hlsl, "3d"), "_3d");
  EXPECT_EQ(identifier_like(hlsl, ""), "_");
  EXPECT_EQ(identifier_like(glsl, "a[0][1]"), "a_0_1");
  EXPECT_EQ(identifier_like(glsl, "gl_FragCoord"), "_gl_FragCoord");
  EXPECT_EQ(identifier_like(glsl, "a__b"), "a_b");
  EXPECT_EQ(identifier_like(glsl, "sample"), "sample_");
  for (const std::string_view name : {"", "_", "__", "gl_", "vec2", "\xc3\xa4", "a b", "sampler", "texture2D", "asm"}) {
    for (const ShadingLanguage language : {hlsl, glsl})
      EXPECT_TRUE(may_be_identifier(language, identifier_like(language, name))) << name << ' ' << identifier_like(language, name);
  }
}

}  // namespace
}  // namespace unshade
