// Declarations of the user for resources of stripped shaders.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

/// A module whose constant buffers b0 (`bytes`) and b1 (16 bytes) are read at the places given in words.
std::string module_of(std::string_view bytes, std::string_view loads) {
  return R"(stage pixel
output "SV_Target" system_value target type f32 register 0 columns 1
resource @cb0 cbuffer register 0 bytes )" +
         std::string(bytes) + R"(
resource @cb1 cbuffer register 1 bytes 16
resource @t0 structured dimension buffer register 0 stride 16
resource @t1 texture dimension texture2d returns float register 1
function @main {
^0:
  %b = handle @cb0 0
  %c = handle @cb1 0
  %t = handle @t0 0
)" + std::string(loads) +
         "  output f32 out0.x %r\n  return\n}\n";
}

struct Made {
  std::string text, notes;
};

Made made(std::string_view module, std::string_view declarations, bool is_dxbc = false, ShadingLanguage language = ShadingLanguage::hlsl) {
  const auto read = shader::read_hlsl_declarations(declarations);
  if (!read) return {to_string(read.error()), {}};
  auto parsed = ir::parse(module);
  if (!parsed) return {to_string(parsed.error()), {}};
  auto valid = ir::verified(*std::move(parsed));
  if (!valid) return {to_string(valid.error()), {}};
  const auto structured = ir::structured(*std::move(valid));
  if (!structured) return {to_string(structured.error()), {}};
  SourceOptions options;
  options.language = language;
  options.declarations = &*read;
  shader::Reflection reflection;
  reflection.family = is_dxbc ? shader::Family::dxbc : shader::Family::dxil;
  const auto source = to_source(*structured, &reflection, options);
  if (!source) return {to_string(source.error()), {}};
  Made result{source->text, {}};
  for (const std::string& note : source->notes) result.notes += note + '\n';
  return result;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr std::string_view kOneLoad = "  %r = cbuffer_load f32 %b 20\n";

TEST(Declarations, GiveABufferItsNameAndMembers) {
  const Made source =
      made(module_of("32", kOneLoad), "cbuffer Frame { float4x3 unrelated; }; cbuffer Light { float3 color; float2 size; };");
  EXPECT_TRUE(has(source.text, "cbuffer Light : register(b0) {\n  float3 color;\n  float2 size;\n};")) << source.text;
  EXPECT_TRUE(has(source.text, "output.target = size.y;")) << source.text;
  EXPECT_EQ(source.notes, "");
}

TEST(Declarations, GiveTheMembersOfAStructure) {
  const Made source =
      made(module_of("64", "  %i = cbuffer_load i32 %c 0\n  %o = imul i32 %i 32\n  %p = iadd i32 %o 16\n  %r = cbuffer_load f32 %b %p\n"),
           "struct Lamp { float4 at; float range; }; struct All { Lamp lamps[2]; }; ConstantBuffer<All> scene : register(b0);");
  EXPECT_TRUE(has(source.text, "struct Lamp {\n  float4 at;\n  float range;\n};\n\ncbuffer scene : register(b0) {\n  Lamp lamps[2];\n};"))
      << source.text;
  EXPECT_TRUE(has(source.text, "lamps[cb1_0].range")) << source.text;
}

// Wrong names are worse than none.
TEST(Declarations, MustHaveASizeAndAMemberForEachAccess) {
  EXPECT_FALSE(has(made(module_of("48", kOneLoad), "cbuffer Light { float4 a, b; };").text, "Light")) << "32 bytes";
  EXPECT_FALSE(has(made(module_of("32", "  %r = cbuffer_load f32 %b 28\n"), "cbuffer Light { float4 a; float3 b; };").text, "Light"))
      << "padding";
  EXPECT_TRUE(has(made(module_of("32", kOneLoad), "cbuffer Light { float4 a; float3 b; };").text, "Light"));
  EXPECT_FALSE(has(made(module_of("32", kOneLoad), "cbuffer Light { float4 a; double b; };").text, "Light")) << "in the middle";
}

// fxc declares the registers up to the last that is used.
TEST(Declarations, MayBeLargerThanDxbcDeclares) {
  constexpr std::string_view kLarge = "cbuffer Light { float4 a, b, c; };";
  const std::string larger = made(module_of("32", kOneLoad), kLarge, true).text;
  EXPECT_TRUE(has(larger, "cbuffer Light : register(b0) {\n  float4 a;\n  float4 b;\n  float4 c;\n};")) << larger;
  EXPECT_FALSE(has(made(module_of("32", kOneLoad), kLarge, false).text, "Light"));
  const std::string both = std::string(kLarge) + "cbuffer Same { float4 d, e; };";
  EXPECT_TRUE(has(made(module_of("32", kOneLoad), both, true).text, "cbuffer Same")) << "the same size comes first";
}

TEST(Declarations, AreChosenByRegister) {
  constexpr std::string_view kText =
      "cbuffer A { float4 a, b; }; cbuffer B : register(b0) { float4 c, d; }; cbuffer C : register(b4) { float4 e, f; };";
  const Made source = made(module_of("32", kOneLoad), kText);
  EXPECT_TRUE(has(source.text, "cbuffer B : register(b0)")) << source.text;
  EXPECT_TRUE(has(source.text, "output.target = d.y;")) << source.text;
  EXPECT_EQ(source.notes, "");
}

TEST(Declarations, AreNotTakenIfSeveralFit) {
  const Made several = made(module_of("32", kOneLoad), "cbuffer A { float4 a, b; }; cbuffer B { float4 c, d; };");
  EXPECT_TRUE(has(several.text, "cbuffer cb0 : register(b0) {\n  float cb0_1_y")) << several.text;
  EXPECT_EQ(several.notes, "b0: 'A' and 'B' match, so none is used: add a register to the right one\n");
  const Made one = made(module_of("16", "  %r = cbuffer_load f32 %b 0\n"), "cbuffer A { float4 a; };");
  EXPECT_TRUE(has(one.text, "cbuffer cb0")) << one.text;
  EXPECT_EQ(one.notes, "b0 and b1: 'A' matches each, so it is not used: add a register to it\n");
}

// A header of an engine has hundreds.
TEST(Declarations, ThatFitAreListedUpToSomeNumber) {
  const auto notes_of = [](unsigned count) {
    std::string declared;
    for (unsigned at = 0; at < count; ++at)
      declared += "cbuffer B" + std::to_string(at) + " { float4 a" + std::to_string(at) + ", b" + std::to_string(at) + "; };\n";
    return made(module_of("32", kOneLoad), declared).notes;
  };
  EXPECT_EQ(notes_of(7), "b0: 'B0', 'B1', 'B2', 'B3', 'B4', 'B5' and 'B6' match, so none is used: add a register to the right one\n");
  EXPECT_EQ(notes_of(18), "b0: 'B0', 'B1', 'B2', 'B3', 'B4', 'B5' and 12 more match, so none is used: add a register to the right one\n");
}

TEST(Declarations, WithTheRegisterSayWhyTheyDoNotFit) {
  EXPECT_EQ(made(module_of("32", kOneLoad), "cbuffer A : register(b0) { float4 a; };").notes,
            "b0: 'A' has 16 bytes, and the shader declares 32\n");
  EXPECT_EQ(made(module_of("32", "  %r = cbuffer_load f32 %b 28\n"), "cbuffer A : register(b0) { float4 a; float3 b; };").notes,
            "b0: 'A' has no member at byte 28, which the shader reads or writes\n");
  EXPECT_EQ(made(module_of("32", kOneLoad), "cbuffer A { float4 a; float4 b, c; };").notes,
            "no declaration has the register, size and members of b0, b1, t0 and t1\n")
      << "nobody said that it is for b0";
}

// HLSL makes 0 or 1 of a bool, whatever bits it has.
TEST(Declarations, OfTruthsHoldForWhatIsComparedAlone) {
  constexpr std::string_view kDeclared = "cbuffer Light { float4 a; bool on; float3 b; };";
  const std::string compared =
      made(module_of("32", "  %x = cbuffer_load i32 %b 16\n  %y = ine i32 %x 0\n  %r = select f32 %y 1.0 2.0\n"), kDeclared).text;
  EXPECT_TRUE(has(compared, "  bool on;\n")) << compared;
  const std::string bits =
      made(module_of("32", "  %x = cbuffer_load i32 %b 16\n  %y = iand i32 %x 0x3f800000\n  %r = bitcast f32 %y\n"), kDeclared).text;
  EXPECT_TRUE(has(bits, "  uint on;\n") && has(bits, "asfloat(on & 0x3f800000)")) << bits;
  const std::string copied = made(module_of("32", "  %r = cbuffer_load f32 %b 16\n"), kDeclared).text;
  EXPECT_TRUE(has(copied, "  uint on;\n") && has(copied, "asfloat(on)")) << copied;
}

// What the text calls must not be hidden by a variable; other names stay.
TEST(Declarations, DoNotHideFunctions) {
  constexpr std::string_view kDeclared = "cbuffer Light { float max; float min; float2 b; float4 c; };";
  const std::string source =
      made(module_of("32", "  %x = cbuffer_load f32 %b 0\n  %y = cbuffer_load f32 %b 4\n  %r = fmax f32 %x %y\n"), kDeclared).text;
  EXPECT_TRUE(has(source, "  float max_ax;\n  float min;\n")) << source;
  EXPECT_TRUE(has(source, "max(max_ax, min)")) << source;
}

TEST(Declarations, SayThatNoneFits) {
  EXPECT_EQ(made(module_of("32", kOneLoad), "cbuffer A : register(b3) { float4 a; };").notes,
            "no declaration has the register, size and members of b0, b1, t0 and t1\n");
}

TEST(Declarations, GiveElementsAndNamesOfOthers) {
  constexpr std::string_view kLoads = "  %r = buffer_load f32 structured offset %t 3 12\n";
  const Made source = made(module_of("32", kLoads), R"(struct Particle { float3 place; float age; };
StructuredBuffer<Particle> particles : register(t0);
Texture2D<float4> albedo : register(t1);
)");
  EXPECT_TRUE(has(source.text, "StructuredBuffer<Particle> particles : register(t0);\nTexture2D<float4> albedo : register(t1);"))
      << source.text;
  EXPECT_TRUE(has(source.text, "output.target = particles[3].age;")) << source.text;
  EXPECT_EQ(made(module_of("32", kLoads), "StructuredBuffer<float3> points : register(t0);").notes,
            "t0: 'points' has elements of 12 bytes, and those of the shader have 16\n");
  EXPECT_FALSE(has(made(module_of("32", kLoads), "Texture3D albedo : register(t1);").text, "albedo")) << "of another dimension";
}

TEST(Declarations, AreTakenInGlslToo) {
  const Made source = made(module_of("32", kOneLoad), "cbuffer Light { float3 color; float2 size; };", false, ShadingLanguage::glsl);
  EXPECT_TRUE(has(source.text, "uniform Light {")) << source.text;
  EXPECT_TRUE(has(source.text, "size.y")) << source.text;
}

}  // namespace
}  // namespace unshade::write
