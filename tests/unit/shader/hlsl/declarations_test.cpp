// Declarations of HLSL: where compilers put what they declare, and what is refused, with its place.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/shader/hlsl/declarations.hpp>

#include "shader/hlsl/declarations/model.hpp"

namespace unshade::shader {
namespace {

/// `name@offset+size` of each member of the first buffer, and the buffer's size.
std::string places(const Reflection& from, std::size_t number = 0) {
  if (from.buffers.size() <= number) return "no buffer";
  std::string made;
  for (const Variable& one : from.buffers[number].variables)
    made += one.name + '@' + std::to_string(one.offset) + '+' + std::to_string(one.size) + ' ';
  return made + std::to_string(from.buffers[number].size);
}
std::string places(std::string_view text) {
  const auto read = read_hlsl_declarations(text);
  return read ? places(read->usual) : to_string(read.error());
}
std::string places_native(std::string_view text) {
  const auto read = read_hlsl_declarations(text);
  return read ? places(read->native) : to_string(read.error());
}

/// `LINE:COLUMN code` of the error.
std::string refused(std::string_view text) {
  const auto read = read_hlsl_declarations(text);
  if (read) return "read";
  return line_and_column(text, read.error().offset) + ' ' + std::string(id(read.error().code));
}

TEST(HlslDeclarations, PackVectorsIntoRegisters) {
  EXPECT_EQ(places("cbuffer B { float3 a; float b; float2 c; float3 d; int e; };"), "a@0+12 b@12+4 c@16+8 d@32+12 e@44+4 48");
  EXPECT_EQ(places("cbuffer B { float a; double b; float c; double2 d; double3 e; };"), "a@0+4 b@8+8 c@16+4 d@32+16 e@48+24 80");
}

// What follows an array, a matrix or a structure begins in its last register.
TEST(HlslDeclarations, BeginAggregatesInRegisters) {
  EXPECT_EQ(places("cbuffer B { float a[2]; float b; };"), "a@0+20 b@20+4 32");
  EXPECT_EQ(places("cbuffer B { float4x3 m; row_major float4x3 n; float b; };"), "m@0+48 n@48+60 b@108+4 112");
  EXPECT_EQ(places("struct S { float3 p; float q; float2 r; }; cbuffer B { float x; S s; float y; S t[2]; };"),
            "x@0+4 s@16+24 y@40+4 t@48+56 112");
  EXPECT_EQ(places("#pragma pack_matrix(row_major)\ncbuffer B { float4x3 m; float b; };"), "m@0+60 b@60+4 64");
}

TEST(HlslDeclarations, HaveTypesOfEachSpelling) {
  EXPECT_EQ(places("cbuffer B { vector<float, 3> a; matrix<int, 2, 3> b; vector c; unsigned int d; dword e; bool f; uint64_t g; };"),
            "a@0+12 b@16+40 c@64+16 d@80+4 e@84+4 f@88+4 g@96+8 112");
  EXPECT_EQ(places("typedef float3 Color; cbuffer B { Color a, b[2]; snorm float c; };"), "a@0+12 b@16+28 c@44+4 48");
}

TEST(HlslDeclarations, HaveNumbersOf16BitsInTwoSizes) {
  constexpr std::string_view kText = "cbuffer B { half a; min16float b; min16int2 c; float16_t d; };";
  EXPECT_EQ(places(kText), "a@0+4 b@4+4 c@8+8 d@16+2 32");
  EXPECT_EQ(places_native(kText), "a@0+2 b@2+2 c@4+4 d@8+2 16");
  EXPECT_EQ(places_native("cbuffer B { float a; float16_t b; };"), "no buffer") << "the same in both";
}

TEST(HlslDeclarations, HaveOffsetsThatAreDeclared) {
  EXPECT_EQ(places("cbuffer B { float b : packoffset(c1.y); float4 a : packoffset(c0); float2 c : packoffset(c1.z); };"),
            "a@0+16 b@20+4 c@24+8 32");
  EXPECT_EQ(refused("cbuffer B {\n  float4 a : packoffset(c0);\n  float b : packoffset(c0.w);\n};"), "3:9 overlap");
  EXPECT_EQ(refused("cbuffer B { float4 a : packoffset(c0.y); };"), "1:20 bad-value");
  EXPECT_EQ(refused("cbuffer B { float4 a : packoffset(d0); };"), "1:35 bad-value");
}

TEST(HlslDeclarations, HaveRegisters) {
  const auto read = read_hlsl_declarations(R"(#define SLOT b3
cbuffer A : register(SLOT) { float a; }
cbuffer B : register(ps_5_0, b1) { float b; };
struct Light { float3 at; float range; };
ConstantBuffer<Light> light : register(b2, space4);
ConstantBuffer<Light> lights[8] : register(b5);
StructuredBuffer<Light> all : register(t7);
RWStructuredBuffer<float3> out_ : register(u1);
Texture2D<float4> albedo : register(t0), detail : register(t1);
SamplerState wrap : register(s2) { Filter = MIN_MAG_MIP_LINEAR; };
RWTexture3D<uint> volume;
ByteAddressBuffer bytes[];
)");
  ASSERT_TRUE(read) << to_string(read.error());
  std::string made;
  for (const Resource& one : read->usual.resources)
    made += one.name + ' ' + std::string(id(one.kind)) + ' ' + (one.bind_point == kNone ? "-" : std::to_string(one.bind_point)) + ' ' +
            std::to_string(one.space) + " x" + std::to_string(one.bind_count) + ' ' + std::to_string(one.stride) + '\n';
  EXPECT_EQ(made,
            "A cbuffer 3 0 x1 0\nB cbuffer 1 0 x1 0\nlight cbuffer 2 4 x1 0\nlights cbuffer 5 0 x8 0\nall structured 7 0 x1 16\n"
            "out_ uav_structured 1 0 x1 12\nalbedo texture 0 0 x1 0\ndetail texture 1 0 x1 0\nwrap sampler 2 0 x1 0\n"
            "volume uav_typed - 0 x1 0\nbytes byte_address - 0 x0 0\n");
  EXPECT_EQ(refused("cbuffer A : register(t0) { float a; };"), "1:22 bad-value");
}

// Structured buffers have no registers: structures end at a multiple of their largest number.
TEST(HlslDeclarations, LayElementsOutWithoutRegisters) {
  const auto read = read_hlsl_declarations("struct E { float3 a; float2x2 b; double c; float d[3]; }; StructuredBuffer<E> e;");
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->usual.types.back().members.size(), 4U);
  EXPECT_EQ(read->usual.resources[0].stride, 56U);
  const std::uint32_t offsets[] = {0, 12, 32, 40};
  for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(read->usual.types.back().members[at].offset, offsets[at]);
}

TEST(HlslDeclarations, PassOverWhatIsInNoBuffer) {
  EXPECT_EQ(places(R"(// a header
#ifndef COMMON
#define COMMON
#include "other.hlsli"
#define ATTRIBUTE
#define TWICE(x) (2 * (x))
#if 0
cbuffer Old { nonsense };
#endif
namespace engine {
/* functions and variables */
static const float3 kUp = { 0, 1, 0 };
float4 tint < string name = "tint"; >;
groupshared float shared_[64];
struct Surface { Texture2D<float4> map; float4 load(int2 at) { return map.Load(int3(at, 0)); } };
struct Vertex { float3 position : POSITION; nointerpolation uint id : ID; static const int kMost = 4; };
interface IShape { float area(); };
ATTRIBUTE cbuffer B { float a = 1.0; [[vk::offset(16)]] float4 b = { 1, 2, 3, 4 }, c; };
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID) {
#ifdef FAST
  if (id.x > 4) { discard; }
#endif
}
}
technique T { pass P { SetVertexShader(NULL); } }
#endif
)"),
            "a@0+4 b@16+16 c@32+16 48");
}

// A variable of a type, and a function that returns one, declare no structure.
TEST(HlslDeclarations, PassOverUsesOfStructures) {
  EXPECT_EQ(places("struct S { float4 a; };\nstruct S s;\nstruct S main(struct S s) { return s; }\ncbuffer B { S b; };"), "b@0+16 16");
}

TEST(HlslDeclarations, LeaveOutWhatConditionsOf0DoWithinADeclaration) {
  EXPECT_EQ(places("cbuffer B {\n#if 0\n  float a;\n#else\n  float2 b;\n#endif\n  float c;\n};"), "b@0+8 c@8+4 16");
  EXPECT_EQ(refused("cbuffer B {\n#if 0\n  float a;\n#elif X\n  float2 b;\n#endif\n};"), "2:1 unsupported");
  EXPECT_EQ(refused("cbuffer B {\n#if 0\n  float a;\n#else\n#ifdef X\n  float2 b;\n#endif\n#endif\n};"), "5:1 unsupported");
}

TEST(HlslDeclarations, HaveMacrosThatComeToNothing) {
  EXPECT_EQ(places("#define EMPTY\n#define API EMPTY\nAPI cbuffer B { API float4 a; };"), "a@0+16 16");
}

// Only a preprocessor knows which of them holds.
TEST(HlslDeclarations, TakeNoMacroThatIsDefinedInSeveralWays) {
  constexpr std::string_view kTwice = "#ifdef MOBILE\n#define N 4\n#else\n#define N 8\n#endif\ncbuffer B { float4 a[N]; };";
  EXPECT_EQ(refused(kTwice), "6:22 bad-value");
  EXPECT_EQ(places("#define N 4\n#define N 4\ncbuffer B { float4 a[N]; };"), "a@0+64 64");
  EXPECT_EQ(places("#define N 4\n#undef N\n#define N 2\ncbuffer B { float4 a[N]; };"), "a@0+32 32");
  EXPECT_EQ(refused("static const int N = 4;\nstatic const int N = 5;\ncbuffer B { float4 a[N]; };"), "3:22 bad-value");
}

TEST(HlslDeclarations, RefuseVectorsOfVectors) {
  std::string deep = "cbuffer B { ";
  for (int k = 0; k < 100'000; ++k) deep += "vector<";
  EXPECT_EQ(refused(deep), "1:13 bad-value");
  EXPECT_EQ(refused("#define v vector\ncbuffer B { v<v<float, 2>, 2> a; };"), "2:13 bad-value");
}

// Each name of a long text, and each use of one, costs what it says, not what stands for it.
TEST(HlslDeclarations, AreReadInTimeOfTheirSize) {
  const std::string blanks(1 << 20, ' ');
  std::string uses = "A", words;
  for (int k = 0; k < 100'000; ++k) uses += "+A", words += "B;";
  EXPECT_EQ(places("static const int A = 1 " + blanks + ";\ncbuffer B { float a[" + uses + "]; };"), "a@0+1600004 1600016");
  EXPECT_EQ(refused("#define A 1 " + blanks + "(\ncbuffer B { float a[" + uses + "]; };").substr(0, 2), "2:");
  EXPECT_EQ(places("#define B " + std::string(1 << 20, 'b') + "\n" + words + "cbuffer C { float a; };"), "a@0+4 16");
}

TEST(HlslDeclarations, TellSizesOfArrays) {
  EXPECT_EQ(places("#define N 4\n#define M (N * 2 - 1)\nstatic const uint kAll = M << 1;\ncbuffer B { float a[N][2]; float b[kAll]; float "
                   "c[0x2u]; };"),
            "a@0+116 b@128+212 c@352+20 384");
  EXPECT_EQ(refused("cbuffer B {\n  float a[N];\n};"), "2:11 bad-value");
  EXPECT_EQ(places("static const int A = 1, C = 2;\ncbuffer B { float a[A + C]; };"), "a@0+36 48");
  EXPECT_EQ(refused("cbuffer B { float a[1 / 0]; };"), "1:21 bad-value");
  EXPECT_EQ(refused("cbuffer B { float a[0]; };"), "1:21 bad-value");
  EXPECT_EQ(refused("#define A (B)\n#define B (A)\ncbuffer C { float a[A]; };"), "3:21 bad-value");
}

TEST(HlslDeclarations, NestStructures) {
  EXPECT_EQ(places("struct A { float x; struct B { float2 y; } b; struct { float z; } c; }; cbuffer D { A a; B b; };"), "a@0+36 b@48+8 64");
  EXPECT_EQ(refused("struct A { Unknown x; };\ncbuffer D { A a; };"), "1:12 bad-value");
  EXPECT_EQ(places("struct A { Unknown x; }; cbuffer D { float a; };"), "a@0+4 16") << "in no buffer";
  EXPECT_EQ(refused("struct A { float x; };\nstruct B : A { float y; };\ncbuffer D { B b; };"), "2:10 unsupported");
  EXPECT_EQ(refused("struct A { uint x : 4; };\ncbuffer D { A a; };"), "1:21 unsupported");
}

TEST(HlslDeclarations, SayWhereTheyAreWrong) {
  EXPECT_EQ(refused("cbuffer B { float a };"), "1:21 bad-value");
  EXPECT_EQ(refused("cbuffer B { Unknown a; };"), "1:13 bad-value");
  EXPECT_EQ(refused("cbuffer B { float a;\n#ifdef X\n float b;\n#endif\n};"), "2:1 unsupported");
  EXPECT_EQ(refused("#define LIGHTS float4 a; float4 b\ncbuffer B { LIGHTS; };"), "2:13 unsupported");
  EXPECT_EQ(refused("cbuffer B { float a; float a; };"), "1:28 bad-value");
  EXPECT_EQ(refused("cbuffer B { float a; }; cbuffer B { float a; };"), "1:33 bad-value");
  EXPECT_EQ(refused("cbuffer B { float a;"), "1:11 truncated");
  EXPECT_EQ(refused("cbuffer B { float a; }; }"), "1:25 bad-value");
  EXPECT_EQ(refused("float a; /* no end"), "1:10 truncated");
  EXPECT_EQ(refused("float4 main() : SV_Target { return 0; }"), "1:1 missing");
  EXPECT_EQ(refused("cbuffer B { float4 a[0xffffffff]; };"), "1:20 limit");
  EXPECT_EQ(refused(std::string(limits::kDeclarationsText + 1, ' ')), "1:1 limit");
}

// Few bytes must not ask for much: structures of structures, macros of macros, brackets in brackets.
TEST(HlslDeclarations, AreReadInProportion) {
  std::string deep = "cbuffer B { ";
  for (int k = 0; k < 100'000; ++k) deep += "struct { ";
  const auto code_of = [](const std::string& text) {
    const std::string made = refused(text);
    return made.substr(made.find(' ') + 1);
  };
  EXPECT_EQ(code_of(deep), "limit");
  std::string wide = "struct S0 { float a; };\n";
  for (int k = 1; k < 60; ++k) {
    const std::string before = 'S' + std::to_string(k - 1);
    wide += "struct S" + std::to_string(k) + " { " + before + " a, b; };\n";
  }
  EXPECT_EQ(code_of(wide + "cbuffer B { S59 a; };"), "limit") << "too large";
  std::string macros = "#define M0 1\n";
  for (int k = 1; k < 30; ++k) {
    const std::string before = 'M' + std::to_string(k - 1);
    macros += "#define M" + std::to_string(k) + " (" + before + " + " + before + ")\n";
  }
  EXPECT_NE(refused(macros + "cbuffer B { float a[M29]; };"), "read");
  EXPECT_NE(refused("cbuffer B { float a[" + std::string(100'000, '(') + "];};"), "read");
  std::string arrays = "struct S { ";
  for (int k = 0; k < 2000; ++k) arrays += "int m" + std::to_string(k) + ';';
  arrays += "};cbuffer B {";
  for (int k = 1; k < 200; ++k) arrays += "S a" + std::to_string(k) + '[' + std::to_string(k) + "];";
  EXPECT_EQ(code_of(arrays + "};"), "limit") << "each has all members";
}

}  // namespace
}  // namespace unshade::shader
