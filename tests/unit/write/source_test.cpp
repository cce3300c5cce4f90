// Source of modules of the IR: what a person would write.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include <unshade/write/source.hpp>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

/// The statements of the entry point.
std::string body_of(std::string_view text, const SourceOptions& options = {}) {
  const std::string all = written(text, options);
  const std::size_t start = all.find(" main(");
  if (start == std::string::npos) return all;
  return all.substr(all.find('\n', start) + 1);
}

TEST(Source, HasDeclarationsThatBindWhereTheModuleDoes) {
  EXPECT_EQ(written(R"(stage pixel
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
)"),
            R"(Texture2D<float4> albedo : register(t4, space1);
SamplerState wrap : register(s2);

struct Input {
  noperspective float2 texcoord3 : TEXCOORD3;
};

struct Output {
  float4 target : SV_Target;
};

Output main(Input input) {
  Output output;
  output.target = float4(albedo.Sample(wrap, input.texcoord3).xyz, 1.0);
  return output;
}
)");
}

TEST(Source, HasALoopThatCountsAsFor) {
  EXPECT_EQ(body_of(R"(stage vertex
input "COUNT" type i32 signed register 0 columns 1
output "SUM" type i32 signed register 0 columns 1
function @main {
^0:
  %n = input i32 in0.x
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %sum = phi i32 ^0 0 ^2 %more
  %less = ilt i32 %i %n
  branch %less ^2 ^3
^2:
  %more = iadd i32 %sum %i
  %next = iadd i32 %i 1
  jump ^1
^3:
  %all = phi i32 ^1 %sum
  output i32 out0.x %all
  return
}
)"),
            R"(  Output output;
  int sum = 0;
  for (int i = 0; i < input.count; i++) {
    sum += i;
  }
  output.sum = sum;
  return output;
}
)");
}

/// Whether a text has others, in their order.
testing::AssertionResult has(const std::string& text, std::initializer_list<std::string_view> parts) {
  std::size_t at = 0;
  for (const std::string_view part : parts) {
    at = text.find(part, at);
    if (at == std::string::npos) return testing::AssertionFailure() << '`' << part << "` is missing in\n" << text;
    at += part.size();
  }
  return testing::AssertionSuccess();
}
bool lacks(const std::string& text, std::string_view part) { return text.find(part) == std::string::npos; }

// Compilers write the first product of a dot product with its factors in another order than the others.
TEST(Source, HasProductsThatAreSummedAsDotProductsInAnyOrder) {
  const std::string text = body_of(R"(stage vertex
input "A" type f32 register 0
input "B" type f32 register 1
output "D" type f32 register 0 columns 1
function @main {
^0:
  %ax = input f32 in0.x
  %ay = input f32 in0.y
  %az = input f32 in0.z
  %bx = input f32 in1.x
  %by = input f32 in1.y
  %bz = input f32 in1.z
  %x = fmul f32 %bx %ax
  %y = fmad f32 %ay %by %x
  %z = fmad f32 %az %bz %y
  output f32 out0.x %z
  return
}
)");
  EXPECT_TRUE(has(text, {"output.d = dot(input.b.xyz, input.a.xyz);"}));
}

// Two loads that are components of one vector are two loads.
TEST(Source, HasEachLoadOfAVector) {
  const std::string text = body_of(R"(stage compute
resource @from byte_address dimension buffer register 0
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @from 0
  %t = handle @to 0
  %a = buffer_load i32 raw %f 32
  %b = buffer_load i32 raw %f 40
  %c = iadd i32 %a 1
  %d = iadd i32 %b 1
  %e = iadd i32 %c %a
  %g = iadd i32 %d %b
  buffer_store i32 raw %t 0 %e %g
  return
}
)");
  EXPECT_TRUE(has(text, {"from.Load(32)", "from.Load(40)"})) << text;
}

TEST(Source, HasStreamsOfAGeometryShaderEachWithItsOutput) {
  const std::string text = written(R"(stage geometry
info input_primitive point streams 2 point_list line_strip max_vertices 4
input "POSITION" type f32 register 0 columns 1
output "PLACE" type f32 register 0 columns 1
output "WEIGHT" type f32 register 0 columns 1 stream 1
function @main {
^0:
  %x = input f32 in0.x vertex 0
  output f32 out0.x %x
  emit 0
  output f32 out1.x %x
  emit 1
  cut 1
  return
}
)");
  EXPECT_TRUE(has(text, {"struct Output {", "place", "struct Output1 {", "weight",
                         "inout PointStream<Output> stream, inout LineStream<Output1> stream1", "output.place = input[0].position;",
                         "stream.Append(output);", "output1.weight", "stream1.Append(output1);", "stream1.RestartStrip();"}));
}

// glslang drops InterlockedCompareStore() of buffers of bytes.
TEST(Source, ComparesAndExchangesWhateverIsDoneWithTheResult) {
  const std::string text = body_of(R"(stage compute
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %t = handle @to 0
  %a = buffer_atomic i32 raw compare_exchange %t 4 7 3
  return
}
)");
  EXPECT_TRUE(has(text, {"{ uint previous; to.InterlockedCompareExchange(4, 3, 7, previous); }"}));
}

// As a damaged file has it.
TEST(Source, RefusesStructuredBuffersWithoutElements) {
  constexpr std::string_view kModule = R"(stage compute
resource @one structured dimension buffer register 0
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %t = handle @to 0
  buffer_store i32 raw %t 0 7
  return
}
)";
  constexpr std::string_view kRefused = "error[unsupported]: main: a resource of the kind structured with a stride of 0";
  EXPECT_NE(written(kModule).find(kRefused), std::string::npos) << written(kModule);
  SourceOptions glsl;
  glsl.language = ShadingLanguage::glsl;
  EXPECT_EQ(written(kModule, glsl).find("stride of 0"), std::string::npos) << "words, as of a raw buffer";
}

// Compilers to SPIR-V align vectors of structured buffers: what is inferred has none where that moves it.
TEST(Source, InfersElementsThatLieAlikeForAllCompilers) {
  const std::string text = written(R"(stage compute
resource @one structured dimension buffer register 0 stride 16
resource @two structured dimension buffer register 1 stride 28
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @one 0
  %g = handle @two 0
  %t = handle @to 0
  %a = buffer_load i32 x3 structured offset %f 0 4
  %b = get i32 0 %a
  %c = get i32 2 %a
  %d = buffer_load i32 x2 structured offset %g 0 8
  %e = get i32 0 %d
  %h = get i32 1 %d
  buffer_store i32 raw %t 0 %b %c %e %h
  return
}
)");
  EXPECT_TRUE(has(text, {"StructuredBuffer<uint4> one"}));
  EXPECT_TRUE(has(text, {"uint f8;", "uint f12;"})) << text;
}

constexpr std::string_view kRatio = R"(stage pixel
input "A" type f32 register 0 columns 3
output "SV_Target" system_value target type f32 register 0 columns 1
function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %p = fmul f32 %x %y {precise}
  %s = fadd f32 %p %z {precise}
  %q = fdiv f32 %s 3.0
  output f32 out0.x %q
  return
}
)";

// What may not be rearranged is said where the rest may; in the exact setting of all.
TEST(Source, DeclaresWhatIsPrecise) {
  EXPECT_TRUE(has(written(kRatio), {"precise float target : SV_Target;"}));
  std::string free(kRatio);
  for (std::size_t at; (at = free.find(" {precise}")) != std::string::npos;) free.erase(at, 10);
  EXPECT_TRUE(lacks(written(free), "precise"));
  EXPECT_TRUE(has(written(free, {.setting = Setting::exact}), {"precise float target : SV_Target;"}));
}

// Where the value of a comparison or of a store is computed, its own variable is precise.
TEST(Source, NamesResultsWhereTheyAreExact) {
  constexpr std::string_view kText = R"(stage compute
resource @from byte_address dimension buffer register 0
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %f = handle @from 0
  %t = handle @to 0
  %a = buffer_load f32 raw %f 0
  %b = fdiv f32 %a 3.0
  %c = bitcast i32 %b
  buffer_store i32 raw %t 0 %c
  return
}
)";
  EXPECT_TRUE(lacks(body_of(kText), "precise"));
  EXPECT_TRUE(has(body_of(kText, {.setting = Setting::exact}), {"precise float ", "/ 3.0;", "to.Store(0, asuint("}));
}

// A half in a word is one function in each setting.
TEST(Source, HasHalvesInWords) {
  constexpr std::string_view kText = R"(stage vertex
input "A" type f32 register 0 columns 1
output "B" type i32 register 0 columns 1
function @main {
^0:
  %a = input f32 in0.x
  %b = fmul f32 %a 3.0
  %c = f_to_f f16 toward_zero %b
  %d = bitcast i16 %c
  %e = zext i32 %d
  output i32 out0.x %e
  return
}
)";
  EXPECT_TRUE(has(body_of(kText), {"f32tof16(input.a * 3.0)"}));
  EXPECT_TRUE(has(body_of(kText, {.setting = Setting::exact}), {"precise float ", "f32tof16("}));
}

TEST(Source, HasMeshShaders) {
  const std::string text = written(R"(stage mesh
info group_size 4 1 1 max_vertices 3 max_primitives 1 mesh_topology triangle
output "SV_Position" system_value position type f32 register 0
function @main {
^0:
  %i = builtin i32 local_index
  %x = u_to_f f32 %i
  set_mesh_counts 3 1
  output f32 out0.x vertex %i %x
  mesh_index 0 0 0
  mesh_index 0 1 1
  mesh_index 0 2 2
  return
}
)");
  EXPECT_TRUE(
      has(text, {"[numthreads(4, 1, 1)]", "[outputtopology(\"triangle\")]",
                 "void main(uint groupIndex : SV_GroupIndex, out indices uint3 indices[1], out vertices Output vertices[3]) {",
                 "SetMeshOutputCounts(3, 1);", "vertices[groupIndex].position.x = float(groupIndex);", "indices[0] = uint3(0, 1, 2);"}));
}

// X3533: each case ends; X3708: no case goes on with the loop around it; a case without statements breaks.
TEST(Source, EndsEachCase) {
  const std::string text = body_of(R"(stage vertex
input "A" type i32 register 0 columns 1
output "B" type i32 register 0 columns 1
function @main {
^0:
  %a = input i32 in0.x
  switch i32 %a ^3 1 ^1 2 ^2
^1:
  jump ^4
^2:
  jump ^4
^3:
  jump ^4
^4:
  %b = phi i32 ^1 10 ^2 20 ^3 30
  output i32 out0.x %b
  return
}
)");
  EXPECT_TRUE(has(text, {"case 1: {", "break;", "case 2: {", "break;", "default: {", "break;"}));
}

// `%` of floats is another function for some compilers.
TEST(Source, HasNoRemainderOfFloatsAsOperator) {
  const std::string text = body_of(R"(stage vertex
input "A" type f32 register 0 columns 2
output "B" type f32 register 0 columns 1
function @main {
^0:
  %a = input f32 in0.x
  %b = input f32 in0.y
  %c = frem f32 %a %b
  output f32 out0.x %c
  return
}
)");
  EXPECT_TRUE(has(text, {"fmod(input.a.x, input.a.y)"}));
  EXPECT_TRUE(lacks(text, "%"));
}

// Bytes of words, whatever the compiler knows of shader model 6.4.
TEST(Source, SumsProductsOfBytesByAFunction) {
  const std::string text = written(R"(stage vertex
input "A" type i32 register 0 columns 2
output "B" type i32 register 0 columns 1
function @main {
^0:
  %a = input i32 in0.x
  %b = input i32 in0.y
  %c = dot4_add_u8 i32 5 %a %b
  output i32 out0.x %c
  return
}
)");
  EXPECT_TRUE(has(text, {"uint dot4Add(uint sum, uint a, uint b) {", "dot4Add(5, input.a.x, input.a.y)"}));
}

// What is done on the only way out is done behind the loop.
TEST(Source, HasNothingInTheWayOutOfALoop) {
  const std::string text = body_of(R"(stage vertex
input "N" type i32 signed register 0 columns 1
output "A" type i32 signed register 0 columns 1
output "B" type i32 signed register 1 columns 1
function @main {
^0:
  %n = input i32 in0.x
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %less = ilt i32 %i %n
  branch %less ^2 ^3
^2:
  %next = iadd i32 %i 1
  jump ^1
^3:
  %all = phi i32 ^1 %i
  %more = iadd i32 %all 7
  %square = imul i32 %more %more
  output i32 out0.x %square
  output i32 out1.x %all
  return
}
)");
  EXPECT_TRUE(lacks(text, "break"));
}

// A bool that is all ones in the file is a condition as it is.
TEST(Source, HasTruthsAsConditions) {
  const std::string text = body_of(R"(stage pixel
input "SV_IsFrontFace" system_value is_front_face type i32 register 0 columns 1
output "SV_Target" system_value target type f32 register 0 columns 1
function @main {
^0:
  %f = input i32 in0.x
  %c = ine i32 %f 0
  %r = select f32 %c 1.0 2.0
  output f32 out0.x %r
  return
}
)");
  EXPECT_TRUE(has(text, {"output.target = input.isFrontFace ? 1.0 : 2.0;"}));
}

// A sum of products of scalars that are no vectors stays one.
TEST(Source, HasSumsOfProductsOfScalars) {
  const std::string text = body_of(R"(stage vertex
input "A" type f32 register 0 columns 1
input "B" type f32 register 1 columns 1
input "C" type f32 register 2 columns 1
input "D" type f32 register 3 columns 1
output "E" type f32 register 0 columns 1
function @main {
^0:
  %a = input f32 in0.x
  %b = input f32 in1.x
  %c = input f32 in2.x
  %d = input f32 in3.x
  %x = fmul f32 %a %b
  %y = fmad f32 %c %d %x
  output f32 out0.x %y
  return
}
)");
  EXPECT_TRUE(has(text, {"output.e = input.c * input.d + input.a * input.b;"}));
}

// HLSL has prefixes without the lane's own value.
TEST(Source, AddsTheOwnValueToInclusivePrefixes) {
  const std::string text = body_of(R"(stage vertex
input "A" type i32 register 0 columns 1
output "B" type i32 register 0 columns 2
function @main {
^0:
  %a = input i32 in0.x
  %b = wave_scan i32 iadd inclusive %a
  %c = wave_reduce i32 umax %a
  output i32 out0.x %b
  output i32 out0.y %c
  return
}
)");
  EXPECT_TRUE(has(text, {"WavePrefixSum(input.a) + input.a", "WaveActiveMax(input.a)"}));
}

// Variables of DXIL have names of C++.
TEST(Source, HasPlainNamesOfVariables) {
  const std::string text = written(R"(stage compute
info group_size 8 1 1
variable @0 "\x01?totals@@3PAIA" group bytes 32 element i32
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %t = handle @to 0
  %i = builtin i32 local_index
  %a = ishl i32 %i 2
  store i32 @0 %a %i
  %b = load i32 @0 4
  buffer_store i32 raw %t 0 %b
  return
}
)");
  EXPECT_TRUE(has(text, {"groupshared uint totals[8];", "totals[groupIndex] = groupIndex;"}));
}

TEST(Source, RefusesByTheNameOfTheFeature) {
  EXPECT_TRUE(has(written(R"(stage vertex
output "B" type i32 register 0 columns 1
function @main {
^0:
  %a = interface_slot 0
  output i32 out0.x %a
  return
}
)"),
                  {"main: dynamic linkage (instances of classes)"}));
}

// A number without a suffix is signed in HLSL, and a shift has the sign of its left operand.
TEST(Source, NumbersThatAreShiftedAreUnsigned) {
  EXPECT_EQ(body_of(R"(stage pixel
input "COUNT" type i32 register 0 columns 1
output "SV_Target" type f32 register 0 columns 1
function @main {
^0:
  %n = input i32 in0.x
  %s = ishl i32 35 %n
  %f = u_to_f f32 %s
  output f32 out0.x %f
  return
}
)"),
            "  Output output;\n  output.target = float(35u << input.count);\n  return output;\n}\n");
}

}  // namespace
}  // namespace unshade::write
