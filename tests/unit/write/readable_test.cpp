// Source of modules of the IR: how few variables, casts and scalars it has.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

/// The statements of the entry point of a pixel shader with vectors A and B of floats, an integer C and a target.
std::string body_of(std::string_view blocks) {
  const std::string all = written(R"(stage pixel
input "A" type f32 register 0 columns 4
input "B" type f32 register 1 columns 4
input "C" type i32 interpolation constant register 2 columns 1
output "SV_Target" system_value target type f32 register 0
resource @light cbuffer register 0 bytes 256
resource @map texture dimension texture2d returns float register 0
resource @wrap sampler register 0
variable @table constant bytes 16 stride 4 initial 0x0000803f00000040000040400000803f
function @main {
)" + std::string(blocks) + "}\n");
  const std::size_t start = all.find(" main(");
  if (start == std::string::npos) return all;
  return all.substr(all.find('\n', start) + 1);
}

bool has(const std::string& text, std::string_view line) { return text.find(line) != std::string::npos; }

// What all components take is written once, in the vector.
TEST(ReadableSource, SharesAScalarOfAVector) {
  const std::string text = body_of(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %s = input f32 in1.x
  %r = frsqrt f32 %s
  %p = fmul f32 %r %x !0.0.x
  %q = fmul f32 %r %y !0.0.y
  output f32 out0.x %p
  output f32 out0.y %q
  return
)");
  EXPECT_TRUE(has(text, "output.target.xy = rsqrt(input.b.x) * input.a.xy;")) << text;
}

// Compilers join what goes to several places.
TEST(ReadableSource, SplitsVectorsWhosePartsGoApart) {
  const std::string text = body_of(R"(^0:
  %t = handle @map 0
  %s = handle @wrap 0
  %x = input f32 in0.x
  %y = input f32 in0.y
  %a = fadd f32 %x 1.0 !0.0.x
  %b = fadd f32 %y 2.0 !0.0.y
  %c = fadd f32 %x 3.0 !0.0.z
  %d = fadd f32 %y 4.0 !0.0.w
  %m = sample f32 x4 texture2d lod %t %s %a %b 0.0
  %n = sample f32 x4 texture2d lod %t %s %c %d 0.0
  %m0 = get f32 0 %m
  %n0 = get f32 0 %n
  %z = fsub f32 %m0 %n0
  output f32 out0.x %z
  return
)");
  EXPECT_TRUE(has(text, "map.SampleLevel(wrap, input.a.xy + float2(1.0, 2.0), 0.0)")) << text;
  EXPECT_TRUE(has(text, "map.SampleLevel(wrap, input.a.xy + float2(3.0, 4.0), 0.0)")) << text;
}

// A variable that nothing reads any more goes on with what is computed of it.
TEST(ReadableSource, GoesOnWithAVariable) {
  const std::string text = body_of(R"(^0:
  %x = input f32 in0.x
  %a = fadd f32 %x 1.0
  %b = fmul f32 %a %a
  %c = fmax f32 %b %a
  %d = fmul f32 %c %c
  output f32 out0.x %d
  return
)");
  EXPECT_TRUE(has(text, "float a = input.a.x + 1.0;\n  a = max(a * a, a);\n  output.target.x = a * a;")) << text;
}

// An index is written from the terms of its sum, which may have a name itself.
TEST(ReadableSource, KeepsAVariableThatAnIndexReads) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %v = ixor i32 %c 7
  %small = ilt i32 %v 3
  %chosen = select i32 %small 0 %v
  %sum = iadd i32 %c %chosen
  %at = ishl i32 %sum 2
  %a = load f32 @table %at
  %p = fmul f32 %a %a
  %f = s_to_f f32 %sum
  %q = fadd f32 %p %f
  output f32 out0.x %q
  return
)");
  EXPECT_TRUE(has(text, "table[")) << text;
  EXPECT_FALSE(has(text, "  v = ")) << text;
}

// Outputs are no memory that a sample reads.
TEST(ReadableSource, SamplesInOutputs) {
  const std::string text = body_of(R"(^0:
  %t = handle @map 0
  %s = handle @wrap 0
  %x = input f32 in0.x
  %y = input f32 in0.y
  %m = sample_implicit f32 x4 texture2d %t %s %x %y
  %r = get f32 0 %m
  %g = get f32 1 %m
  output f32 out0.x %r
  output f32 out0.y %g
  return
)");
  EXPECT_TRUE(has(text, "output.target.xy = map.Sample(wrap, input.a.xy).xy;")) << text;
}

// A float and an integer that take turns in one variable would be cast at each use.
TEST(ReadableSource, HasVariablesOfOneType) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %x = input f32 in0.x
  %t = ieq i32 %c 1
  branch %t ^1 ^2
^1:
  %k = iadd i32 %c 5
  jump ^3
^2:
  %l = imul i32 %c 7
  jump ^3
^3:
  %i = phi i32 ^1 %k ^2 %l
  %u = ilt i32 %i 9
  branch %u ^4 ^5
^4:
  %f = fadd f32 %x 1.0
  %g = fmul f32 %f %f
  %gi = bitcast i32 %g
  jump ^5
^5:
  %j = phi i32 ^3 %i ^4 %gi
  %r = bitcast f32 %j
  %s = fmul f32 %r %r
  output f32 out0.x %s
  return
)");
  EXPECT_FALSE(has(text, "asuint(")) << text;
  EXPECT_FALSE(has(text, "asint(")) << text;
}

// What a phi takes as other bits is the variable itself, before that is written.
TEST(ReadableSource, AssignsWhatIsCastAsItIs) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %x = input f32 in0.x
  %y = input f32 in0.y
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %v = phi f32 ^0 %x ^2 %w
  %p = phi f32 ^0 %y ^2 %q
  %d = phi i32 ^0 0 ^2 %vi
  %e = phi i32 ^0 0 ^2 %pi
  %less = ilt i32 %i %c
  branch %less ^2 ^3
^2:
  %vi = bitcast i32 %v
  %pi = bitcast i32 %p
  %w = fadd f32 %v %x
  %q = fadd f32 %p %y
  %next = iadd i32 %i 1
  jump ^1
^3:
  %dl = phi i32 ^1 %d
  %el = phi i32 ^1 %e
  %vl = phi f32 ^1 %v
  %pl = phi f32 ^1 %p
  %df = bitcast f32 %dl
  %ef = bitcast f32 %el
  output f32 out0.x %df
  output f32 out0.y %ef
  output f32 out0.z %vl
  output f32 out0.w %pl
  return
)");
  EXPECT_FALSE(has(text, "asuint(")) << text;
  EXPECT_FALSE(has(text, "asfloat(")) << text;
  EXPECT_LT(text.find("d.x = v.x;"), text.find("v.x += ")) << text;
  EXPECT_LT(text.find("d.y = v.y;"), text.find("v.y += ")) << text;
}

// An index that has a name costs nothing.
TEST(ReadableSource, RepeatsConstantsWithAnIndex) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %b = handle @light 0
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %sum = phi f32 ^0 0.0 ^2 %more
  %less = ilt i32 %i %c
  branch %less ^2 ^3
^2:
  %at = ishl i32 %i 4
  %k = cbuffer_load f32 %b %at
  %square = fmul f32 %k %k
  %more = fadd f32 %sum %square
  %next = iadd i32 %i 1
  jump ^1
^3:
  %all = phi f32 ^1 %sum
  output f32 out0.x %all
  return
)");
  EXPECT_TRUE(has(text, "+= light_data[i].x * light_data[i].x;")) << text;
}

TEST(ReadableSource, HasTablesOfFloats) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %at = ishl i32 %c 2
  %k = load f32 @table %at
  %l = fmul f32 %k %k
  output f32 out0.x %l
  return
)");
  EXPECT_FALSE(has(text, "asfloat(")) << text;
}

// A buffer of which nobody says what is in it, and whose registers are computed, has registers of what most uses take.
TEST(ReadableSource, HasRegistersOfTheirUses) {
  shader::Reflection reflection;
  reflection.rebuilt = true;
  shader::Type& type = reflection.types.emplace_back();
  type.type_class = shader::TypeClass::vector;
  type.base = shader::BaseType::float_;
  type.rows = 1;
  type.columns = 4;
  shader::Buffer& buffer = reflection.buffers.emplace_back();
  buffer.name = "cb0";
  buffer.size = 16;
  shader::Variable& variable = buffer.variables.emplace_back();
  variable.name = "cb0_data";
  variable.type = 0;
  variable.size = buffer.size;
  shader::Resource& row = reflection.resources.emplace_back();
  row.name = "cb0";
  row.buffer = 0;
  row.bind_count = 1;
  const std::string text = written(R"(stage vertex
input "I" type i32 register 0 columns 1
output "A" type i32 register 0 columns 1
resource @light cbuffer register 0 bytes 16
function @main {
^0:
  %b = handle @light 0
  %i = input i32 in0.x
  %at = ishl i32 %i 4
  %x = cbuffer_load i32 %b %at
  %y = cbuffer_load i32 %b 4
  %z = iadd i32 %x %y
  output i32 out0.x %z
  return
}
)",
                                   {}, &reflection);
  EXPECT_TRUE(has(text, "uint4 light_data[1]")) << text;
  EXPECT_TRUE(has(text, "light_data[input.i].x + light_data[0].y;")) << text;
}

// Sums of two products are components of a vector, however their factors are ordered, unless they are products of vectors.
TEST(ReadableSource, HasVectorsOfSumsOfProducts) {
  const std::string text = body_of(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %s = input f32 in0.z
  %k = input f32 in1.z
  %l = input f32 in1.w
  %a = fmul f32 %x %s
  %b = fmul f32 %y %s
  %t = fadd f32 %k 1.0
  %p = fmad f32 %k %t %a
  %q = fmad f32 %l %t %b
  output f32 out0.x %p
  output f32 out0.y %q
  return
)");
  EXPECT_TRUE(has(text, "output.target.xy = input.b.zw * (input.b.z + 1.0) + input.a.xy * input.a.z;")) << text;
}

// What is written inside of an expression is moved with it.
TEST(ReadableSource, LeavesWhatReadsAnOutputBeforeTheNextWrite) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  const std::string text = written(R"(stage pixel
input "v" type f32 register 0 columns 2
output "a" system_value target type f32 register 0 columns 2
output "b" index 1 system_value target type f32 register 1 columns 2
function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  output f32 out0.x %x
  output f32 out0.y %y
  %a = output_load f32 out0.x
  %s = fmul f32 %a 3.0
  output f32 out0.x 0.0
  output f32 out0.y 0.0
  %p = fmul f32 %x %s !0.0.x
  %q = fmul f32 %y %s !0.0.y
  output f32 out1.x %p
  output f32 out1.y %q
  return
}
)",
                                   options);
  const std::size_t read = text.find(" = out_a.x * 3.0;"), write = text.find("out_a = vec2(0.0);");
  EXPECT_TRUE(read != std::string::npos && write != std::string::npos && read < write) << text;
}

// Of vectors that have components in common the variable is that of the most.
TEST(ReadableSource, HasVariablesOfTheMostVectors) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %w = input f32 in0.w
  %t = ieq i32 %c 1
  branch %t ^1 ^2
^1:
  jump ^2
^2:
  %p = phi f32 ^0 %x ^1 0.0
  %q = phi f32 ^0 %y ^1 1.0
  %r = phi f32 ^0 %z ^1 2.0
  %s = phi f32 ^0 %w ^1 3.0
  %a = fexp2 f32 %p !0.0.x
  %b = fexp2 f32 %q !0.0.y
  %u = fsub f32 %a %b
  %d = fmul f32 %p %p !1.0.x
  %e = fmul f32 %q %q !1.0.y
  %f = fmul f32 %r %r !1.0.z
  %g = fmul f32 %s %s !1.0.w
  %h = fmad f32 %d %u %p !2.0.x
  %i = fmad f32 %e %u %q !2.0.y
  %j = fmad f32 %f %u %r !2.0.z
  %k = fmad f32 %g %u %s !2.0.w
  output f32 out0.x %h
  output f32 out0.y %i
  output f32 out0.z %j
  output f32 out0.w %k
  return
)");
  EXPECT_TRUE(has(text, "  float4 p;\n")) << text;
  EXPECT_TRUE(has(text, "p * p * (exp2(p.x) - exp2(p.y)) + p;")) << text;
}

// What is written to a variable of other bits, which are never read as such, is written to it at once.
TEST(ReadableSource, HasNoCopiesOfWhatIsCast) {
  const std::string text = body_of(R"(^0:
  %c = input i32 in2.x
  %x = input f32 in0.x
  %y = input f32 in0.y
  %t = ieq i32 %c 1
  branch %t ^1 ^2
^1:
  %g = fmul f32 %x %x
  output f32 out0.y %g
  %gi = bitcast i32 %g
  jump ^3
^2:
  %h = fadd f32 %y %y
  output f32 out0.y %h
  %hi = bitcast i32 %h
  jump ^3
^3:
  %i = phi i32 ^1 %gi ^2 %hi
  %f = bitcast f32 %i
  %s = fmul f32 %f %f
  output f32 out0.x %s
  return
)");
  EXPECT_TRUE(has(text, "  float g;\n")) << text;
  EXPECT_TRUE(has(text, "    g = input.a.x * input.a.x;\n    output.target.y = g;\n")) << text;
  EXPECT_TRUE(has(text, "    g = input.a.y + input.a.y;\n    output.target.y = g;\n")) << text;
}

// Vectors stay if they cost no more than each of their components.
TEST(ReadableSource, KeepsVectorsThatAreTakenOfVectors) {
  const std::string text = body_of(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %a = fadd f32 %x 1.0 !0.0.x
  %b = fadd f32 %y 2.0 !0.0.y
  %c = fmul f32 %a %x !1.0.x
  %d = fmul f32 %b %y !1.0.y
  %r = frsqrt f32 %c
  %t = flt f32 %r 3.0
  branch %t ^1 ^2
^1:
  %e = fexp2 f32 %d
  output f32 out0.x %e
  return
^2:
  output f32 out0.x %r
  return
)");
  EXPECT_TRUE(has(text, "float2 c = (input.a.xy + float2(1.0, 2.0)) * input.a.xy;")) << text;
}

// One operation on vectors is shorter than a vector of operations if one operand alone is mixed.
TEST(ReadableSource, HasOneOperationOfMixedVectors) {
  const std::string text = body_of(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in1.z
  %a = fsub f32 %x %y !0.0.x
  %b = fsub f32 %x %z !0.0.y
  %c = fabs f32 %a !1.0.x
  %d = fabs f32 %b !1.0.y
  output f32 out0.x %c
  output f32 out0.y %d
  return
)");
  EXPECT_TRUE(has(text, "output.target.xy = abs(input.a.x - float2(input.a.y, input.b.z));")) << text;
}

TEST(ReadableSource, InsertsFieldsOfVectors) {
  const std::string text = written(R"(stage pixel
input "A" type i32 interpolation constant register 0 columns 4
output "SV_Target" system_value target type i32 register 0
function @main {
^0:
  %x = input i32 in0.x
  %y = input i32 in0.y
  %z = input i32 in0.z
  %w = input i32 in0.w
  %a = bfi i32 %z %x 4 7 !0.0.x
  %b = bfi i32 %w %y 4 7 !0.0.y
  output i32 out0.x %a
  output i32 out0.y %b
  return
}
)");
  EXPECT_TRUE(has(text, "uint2 bitfieldInsert(uint2 inserted, uint2 value, uint2 offset, uint2 width) {")) << text;
  EXPECT_TRUE(has(text, "output.target.xy = bitfieldInsert(")) << text;
}

/// A pixel shader of SPIR-V with vectors A and B of three floats, and a target.
std::string spirv_body(std::string_view instructions, ShadingLanguage language, Setting setting = Setting::readable) {
  SourceOptions options;
  options.language = language;
  options.setting = setting;
  const std::string all = written_prepared(R"(stage pixel
input "A" type f32 register 0 columns 3
input "B" type f32 register 1 columns 3
output "SV_Target" system_value target type f32 register 0
function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %k = input f32 in1.x
  %l = input f32 in1.y
  %m = input f32 in1.z
)" + std::string(instructions) + R"(
  output f32 out0.x %r
  output f32 out0.y %s
  output f32 out0.z %t
  return
}
)",
                                           options, shader::Family::spirv);
  const std::size_t start = all.find(" main(");
  return start == std::string::npos ? all : all.substr(all.find('\n', start) + 1);
}

constexpr std::string_view kReflected = R"(  %a = fmul f32 %k %x
  %b = fmul f32 %l %y
  %c = fmul f32 %m %z
  %d = fadd f32 %a %b
  %e = fadd f32 %d %c
  %f = fmul f32 2.0 %e
  %g = fmul f32 %f %k
  %h = fmul f32 %f %l
  %i = fmul f32 %f %m
  %r = fsub f32 %x %g
  %s = fsub f32 %y %h
  %t = fsub f32 %z %i)";

// What GLSL.std.450 defines for its functions is lowered to these operations, and compilers to SPIR-V make its functions of both
// languages'.
TEST(ReadableSource, HasFunctionsOfSpirv) {
  const std::string reflected = spirv_body(kReflected, ShadingLanguage::glsl);
  EXPECT_TRUE(has(reflected, " = reflect(v_a0, v_b0);")) << reflected;
  EXPECT_TRUE(has(spirv_body(kReflected, ShadingLanguage::hlsl), " = reflect(input.a, input.b);"));
  const std::string exact = spirv_body(kReflected, ShadingLanguage::glsl, Setting::exact);
  EXPECT_FALSE(has(exact, "reflect(") || has(exact, "dot(")) << exact;

  constexpr std::string_view kNormalized = R"(  %a = fmul f32 %x %x
  %b = fmul f32 %y %y
  %c = fmul f32 %z %z
  %d = fadd f32 %a %b
  %e = fadd f32 %d %c
  %f = fsqrt f32 %e
  %r = fdiv f32 %x %f
  %s = fdiv f32 %y %f
  %t = fdiv f32 %z %f)";
  const std::string normalized = spirv_body(kNormalized, ShadingLanguage::glsl);
  EXPECT_TRUE(has(normalized, " = normalize(v_a0);")) << normalized;

  constexpr std::string_view kMixed = R"(  %a = fsub f32 1.0 %m
  %p = fmul f32 %k %m
  %q = fmul f32 %l %m
  %o = fmul f32 %m %m
  %u = fmul f32 %x %a
  %v = fmul f32 %y %a
  %w = fmul f32 %z %a
  %r = fadd f32 %u %p
  %s = fadd f32 %v %q
  %t = fadd f32 %w %o)";
  EXPECT_TRUE(has(spirv_body(kMixed, ShadingLanguage::glsl), " = mix(v_a0, v_b0, v_b0.z);")) << spirv_body(kMixed, ShadingLanguage::glsl);
  EXPECT_TRUE(has(spirv_body(kMixed, ShadingLanguage::hlsl), " = lerp(input.a, input.b, input.b.z);"));

  constexpr std::string_view kDot = R"(  %a = fmul f32 %x %k
  %b = fmul f32 %y %l
  %c = fmul f32 %z %m
  %d = fadd f32 %a %b
  %r = fadd f32 %d %c
  %s = fexp2 f32 %x
  %t = fexp2 f32 %y)";
  EXPECT_TRUE(has(spirv_body(kDot, ShadingLanguage::glsl), "dot(v_a0, v_b0)")) << spirv_body(kDot, ShadingLanguage::glsl);
}

// What is too long for a line is named where pow() stays one.
TEST(ReadableSource, NamesTheBaseOfALongPower) {
  std::string blocks = R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %p = input f32 in1.x
  %s0 = fmul f32 %x %y
)";
  for (int k = 0; k < 9; ++k) {
    const std::string before = std::to_string(k), next = std::to_string(k + 1);
    blocks += "  %m" + before + " = fmax f32 %s" + before + (k % 2 == 0 ? " %x\n" : " %y\n");
    blocks += "  %s" + next + " = fadd f32 %m" + before + " %p\n";
  }
  const std::string text = body_of(blocks + R"(  %l = flog2 f32 %s9
  %q = fmul f32 %l %p
  %r = fexp2 f32 %q
  output f32 out0.x %r
  return
)");
  EXPECT_TRUE(has(text, "output.target.x = pow(")) << text;
}

// exp2(log2(x) * y) is what compilers to Direct3D's formats make of pow(), and those to SPIR-V do not.
TEST(ReadableSource, HasNoPowersOfDirect3DInSpirv) {
  constexpr std::string_view kPower = R"(  %a = flog2 f32 %x
  %b = fmul f32 %a %k
  %r = fexp2 f32 %b
  %s = fadd f32 %y %l
  %t = fadd f32 %z %m)";
  EXPECT_TRUE(has(spirv_body(kPower, ShadingLanguage::hlsl), "exp2(log2(input.a.x) * input.b.x)"));
}

}  // namespace
}  // namespace unshade::write
