// Names of the user's choice in source.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

constexpr std::string_view kModule = R"(stage pixel
input "TEXCOORD" type f32 register 0 columns 2
output "SV_Target" system_value target type f32 register 0
resource @cb0 cbuffer register 0 bytes 32
resource @t3 texture dimension texture2d returns float register 3
resource @s0 sampler register 0
resource @u1 uav_structured dimension buffer register 1 stride 32
function @main {
^0:
  %t = handle @t3 0
  %s = handle @s0 0
  %b = handle @cb0 0
  %e = handle @u1 0
  %u = input f32 in0.x
  %v = input f32 in0.y
  %10 = sample_implicit f32 x4 texture2d %t %s %u %v
  %11 = get f32 0 %10
  %12 = get f32 1 %10
  %k = cbuffer_load f32 %b 0
  %a = fadd f32 %11 %k
  %m = fmul f32 %a %a
  %n = fmul f32 %m %12
  %o = fadd f32 %n %m
  %q = frsqrt f32 %o
  buffer_store f32 structured offset %e 0 16 %q
  output f32 out0.x %q
  output f32 out0.y %12
  output f32 out0.z %11
  output f32 out0.w 1.0
  return
}
)";

struct Made {
  std::string text;
  std::vector<SourceName> names;
};

Result<Made> made(const NewNames* names, ShadingLanguage language = ShadingLanguage::hlsl, std::string_view text = kModule) {
  auto module = ir::parse(text);
  if (!module) return module.error();
  auto valid = ir::verified(*std::move(module));
  if (!valid) return valid.error();
  const auto structured = ir::structured(*std::move(valid));
  if (!structured) return structured.error();
  SourceOptions options;
  options.language = language;
  options.names = names;
  auto source = to_source(*structured, nullptr, options);
  if (!source) return source.error();
  return Made{source->text, source->names};
}
std::string text_of(const NewNames* names, ShadingLanguage language = ShadingLanguage::hlsl) {
  const auto source = made(names, language);
  return source ? source->text : to_string(source.error());
}
/// `path: code` of the error.
std::string refused(const NewNames& names, ShadingLanguage language = ShadingLanguage::hlsl) {
  const auto source = made(&names, language);
  return source ? "written" : source.error().path + ": " + std::string(id(source.error().code));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
  return text;
}

TEST(Names, AreThoseOfAllThatTheTextHas) {
  const auto source = made(nullptr);
  ASSERT_TRUE(source) << to_string(source.error());
  std::string all;
  for (const SourceName& one : source->names) all += one.within + (one.within.empty() ? "" : ".") + one.name + ' ';
  for (const SourceName& one : source->names) {
    EXPECT_TRUE(has(source->text, one.name)) << one.name;
    EXPECT_EQ(one.shown, one.name);
    EXPECT_FALSE(one.is_given);
  }
  for (const std::string_view name :
       {"Input.texcoord ", "Output.target ", "cb0 ", "t3 ", "s0 ", "u1 ", "cb0.cb0_0 ", "Element32 ", "Element32.f16 "})
    EXPECT_TRUE(has(all, name)) << name << "in " << all;
  EXPECT_TRUE(std::ranges::any_of(source->names, [](const SourceName& one) { return one.kind == SourceName::Kind::local; })) << all;
}

// A file of all names, as --names-out makes it.
TEST(Names, ThatAreTheSameChangeNothing) {
  const auto plain = made(nullptr);
  ASSERT_TRUE(plain);
  NewNames same;
  for (const SourceName& one : plain->names) (one.within.empty() ? same.names : same.members[one.within]).emplace(one.name, one.name);
  EXPECT_EQ(text_of(&same), plain->text);
  EXPECT_TRUE(unused_names(same, plain->names).empty());
}

TEST(Names, ReplaceEachNameWhereverItIs) {
  const std::string plain = text_of(nullptr);
  ASSERT_TRUE(has(plain, "t3Sample")) << plain;
  NewNames names;
  names.names = {{"cb0", "frame"}, {"t3", "albedo"}, {"s0", "wrap"}, {"u1", "results"}, {"Element32", "Result"}};
  names.members = {{"Input", {{"texcoord", "uv"}}}, {"Element32", {{"f16", "brightness"}}}};
  std::string expected = plain;
  for (const auto& [old, by] : {std::pair("Element32", "Result"),
                                {"cb0", "frame"},
                                {"t3", "albedo"},
                                {"s0", "wrap"},
                                {"u1", "results"},
                                {"input.texcoord", "input.uv"},
                                {"float2 texcoord", "float2 uv"},
                                {"f16", "brightness"}})
    expected = replaced(expected, old, by);
  for (const auto& [changed, old] : {std::pair("(albedo)", "(t3)"), {"(wrap)", "(s0)"}, {"(results)", "(u1)"}})
    expected = replaced(expected, std::string("register") + changed, std::string("register") + old);
  EXPECT_EQ(text_of(&names), expected) << "names that are made of others follow them: frame_0, albedoSample";
}

// Keys are the names without new ones, also of what is called after something that has one.
TEST(Names, AreFoundByTheNameWithoutNewOnes) {
  NewNames names;
  names.names = {{"t3", "albedo"}, {"t3Sample", "texel"}, {"cb0", "frame"}};
  names.members = {{"cb0", {{"cb0_0", "constant"}}}};
  const std::string text = text_of(&names);
  EXPECT_TRUE(has(text, "texel = albedo.Sample(s0, input.texcoord)")) << text;
  EXPECT_TRUE(has(text, "cbuffer frame : register(b0) {\n  float constant;")) << text;
  EXPECT_FALSE(has(text, "albedoSample"));
  names.members.clear();
  names.names.emplace("cb0_0", "constant");
  EXPECT_EQ(text_of(&names), text) << "members of constant buffers are known by their names alone";
}

TEST(Names, MayBeSwapped) {
  NewNames names;
  names.names = {{"t3", "u1"}, {"u1", "t3"}};
  const std::string text = text_of(&names);
  EXPECT_TRUE(has(text, "Texture2D<float4> u1 : register(t3)")) << text;
  EXPECT_TRUE(has(text, "RWStructuredBuffer<Element32> t3 : register(u1)")) << text;
}

TEST(Names, ThatAreTakenAreErrors) {
  EXPECT_EQ(refused({{{"t3", "s0"}}, {}}), "names/t3: overlap");
  EXPECT_EQ(refused({{{"s0", "t3"}}, {}}), "names/s0: overlap") << "of what comes before";
  EXPECT_EQ(refused({{{"t3", "a"}, {"u1", "a"}}, {}}), "names/u1: overlap");
  EXPECT_EQ(refused({{{"t3", "input"}}, {}}), "names/t3: overlap") << "a parameter";
  EXPECT_EQ(refused({{{"t3", "t3Sample"}, {"s0", "t3"}}, {}}), "written") << "the variable is called after the texture, and gives way";
  EXPECT_EQ(refused({{}, {{"Element32", {{"f16", "f0"}}}}}), "members/Element32/f16: overlap");
  EXPECT_EQ(refused({{}, {{"Input", {{"texcoord", "target"}}}}}), "written") << "of another structure";
  EXPECT_EQ(refused({{{"t9", "s0"}}, {}}), "written") << "nothing is called t9";
}

// Else what was a call is none.
TEST(Names, OfFunctionsThatTheTextCallsAreErrors) {
  ASSERT_TRUE(has(text_of(nullptr), " rsqrt(")) << text_of(nullptr);
  EXPECT_EQ(refused({{{"u1", "rsqrt"}}, {}}), "names/u1: overlap");
  EXPECT_EQ(refused({{{"u1", "sqrt"}}, {}}), "written") << "only the end of a name";
  EXPECT_EQ(refused({{{"u1", "Sample"}}, {}}), "written") << "a method";
}

TEST(Names, MustBeIdentifiersOfTheLanguage) {
  EXPECT_EQ(refused({{{"t3", "3d"}}, {}}), "names/t3: bad-value");
  EXPECT_EQ(refused({{{"t3", ""}}, {}}), "names/t3: bad-value");
  EXPECT_EQ(refused({{{"t3", "uniform"}}, {}}), "names/t3: bad-value");
  EXPECT_EQ(refused({{}, {{"t9", {{"a", "b c"}}}}}), "members/t9/a: bad-value") << "whatever it fits";
  EXPECT_EQ(refused({{{"t3", "vec4"}}, {}}), "written");
  EXPECT_EQ(refused({{{"t3", "vec4"}}, {}}, ShadingLanguage::glsl), "names/t3: bad-value");
  EXPECT_EQ(refused({{{"t3", "gl_map"}}, {}}, ShadingLanguage::glsl), "names/t3: bad-value");
}

TEST(Names, ThatFitNothingAreTold) {
  const auto source = made(nullptr);
  ASSERT_TRUE(source);
  const NewNames names{{{"t3", "a"}, {"t9", "b"}, {"t8", "t8"}, {"cb0_0", "c"}},
                       {{"cb0", {{"cb0_0", "d"}, {"x", "e"}}}, {"t3", {{"y", "f"}}}}};
  EXPECT_EQ(unused_names(names, source->names), (std::vector<std::string>{"names/t9", "members/cb0/x", "members/t3/y"}));
}

TEST(Names, AreReplacedInGlslToo) {
  const std::string plain = text_of(nullptr, ShadingLanguage::glsl);
  ASSERT_TRUE(has(plain, "in vec2 v_texcoord")) << plain;
  NewNames names;
  names.names = {{"t3", "albedo"}, {"v_texcoord0", "uv"}, {"v_texcoord", "uv"}, {"u1", "results"}};
  names.members = {{"Element32", {{"f16", "brightness"}}}};
  const std::string text = text_of(&names, ShadingLanguage::glsl);
  for (const std::string_view part :
       {"in vec2 uv;", "texture(sampler2D(albedo, s0), uv)", "buffer results_buffer", "results[0].brightness = "})
    EXPECT_TRUE(has(text, part)) << part << " in\n" << text;
}

// SPIR-V without names: numbers of the module are none.
TEST(Names, OfVariablesWithoutNamesAreThoseOfSemantics) {
  const std::string text = written(R"(stage vertex
input "" type f32 register 2 variable "_12"
output "Position" system_value position type f32 variable "_4" built_in "Position"
output "" type f32 register 1 variable "_15"
function @main {
^0:
  %x = input f32 in0.x
  %y = fmul f32 %x %x
  output f32 out0.x %y
  output f32 out0.y %y
  output f32 out0.z 0.0
  output f32 out0.w 1.0
  output f32 out1.x %x
  output f32 out1.y %x
  output f32 out1.z %x
  output f32 out1.w %x
  return
}
)");
  EXPECT_NE(text.find("float4 texcoord2 : TEXCOORD2;"), std::string::npos) << text;
  EXPECT_NE(text.find("float4 texcoord1 : TEXCOORD1;"), std::string::npos) << text;
  for (const std::string_view number : {"_12", "_4", "_15"}) EXPECT_EQ(text.find(number), std::string::npos) << text;
}

}  // namespace
}  // namespace unshade::write
