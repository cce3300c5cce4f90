// Source of what few shaders have: texels of 64 bits and of several samples, feedback, messages, classes, inputs of vertices.
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

std::string glsl_of(std::string_view text, GlslEnvironment environment = GlslEnvironment::vulkan) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  options.glsl.environment = environment;
  return written_prepared(text, options);
}

constexpr std::string_view kWide = R"(stage compute
info group_size 1 1 1
resource @texels uav_typed dimension texture2d returns uint register 0
resource @least uav_typed dimension buffer returns uint register 1
resource @to uav_byte_address dimension buffer register 2
function @main {
^0:
  %t = handle @texels 0
  %l = handle @least 0
  %w = handle @to 0
  texel_store i32 texture2d %t 0 0 7 8
  %a = texel_atomic i64 texture2d add %t 1 2 5
  %b = buffer_atomic i64 typed smin %l 3 %a
  %c = texel_load i32 x2 texture2d %t 4 5
  %x = get i32 0 %c
  %y = get i32 1 %c
  %h = ushr i64 %b 32
  %n = trunc i32 %h
  buffer_store i32 raw %w 0 %x %y %n
  return
}
)";

TEST(SourceOfFeatures, HasTexelsOf64Bits) {
  const std::string hlsl = written_prepared(kWide);
  EXPECT_TRUE(has(hlsl, "RWTexture2D<uint64_t> texels : register(u0);"));
  // a minimum of signed integers says that they are
  EXPECT_TRUE(has(hlsl, "RWBuffer<int64_t> least : register(u1);"));
  EXPECT_TRUE(has(hlsl, "texels[(uint2)0] = uint64_t(8) << 32 | uint64_t(7);"));
  EXPECT_TRUE(has(hlsl, "InterlockedAdd(texels[uint2(1, 2)], 5ul, a);"));
  EXPECT_TRUE(has(hlsl, "{ int64_t previous; InterlockedMin(least[3], int64_t(a), previous); a = uint64_t(previous); }"));
  EXPECT_TRUE(has(hlsl, "wordsOf(texels[int2(4, 5)])"));
  const std::string glsl = glsl_of(kWide);
  EXPECT_TRUE(has(glsl, "#extension GL_EXT_shader_image_int64 : require\n"));
  EXPECT_TRUE(has(glsl, "layout(r64ui, set = 0, binding = 384) uniform u64image2D texels;"));
  EXPECT_TRUE(has(glsl, "layout(r64i, set = 0, binding = 385) uniform i64imageBuffer least;"));
  EXPECT_TRUE(has(glsl, "imageStore(texels, ivec2(0), u64vec4(packUint2x32(uvec2(7u, 8u))))"));
  EXPECT_TRUE(has(glsl, "imageAtomicAdd(texels, ivec2(1, 2), 5ul)"));
  EXPECT_TRUE(has(glsl, "a = uint64_t(imageAtomicMin(least, 3, int64_t(a)));"));
  EXPECT_TRUE(has(glsl, "unpackUint2x32(uint64_t(imageLoad(texels, ivec2(4, 5)).x))"));
}

TEST(SourceOfFeatures, HasSamplesOfStorageImages) {
  const std::string text = written_prepared(R"(stage compute
info group_size 1 1 1
resource @samples uav_typed dimension texture2d_ms returns float register 0
function @main {
^0:
  %t = handle @samples 0
  %v = texel_load f32 texture2d_ms sample %t 1 2 3
  texel_store f32 texture2d_ms sample %t 4 5 6 %v %v %v %v
  return
}
)");
  EXPECT_TRUE(has(text, "RWTexture2DMS<float4> samples : register(u0);"));
  EXPECT_TRUE(has(text, "samples.sample[6][uint2(4, 5)] = "));
  EXPECT_TRUE(has(text, "samples.sample[3][int2(1, 2)]"));
}

TEST(SourceOfFeatures, WritesFeedbackInHlsl) {
  constexpr std::string_view kFeedback = R"(stage pixel
input "TEXCOORD" type f32 register 0 columns 2
resource @map uav_feedback dimension texture2d register 0
resource @regions uav_feedback dimension texture2d register 1 feedback mip_region_used
resource @albedo texture dimension texture2d returns float register 0
resource @wrap sampler register 0
function @main {
^0:
  %m = handle @map 0
  %r = handle @regions 0
  %t = handle @albedo 0
  %s = handle @wrap 0
  %u = input f32 in0.x
  %v = input f32 in0.y
  sampler_feedback texture2d bias min_lod %m %t %s %u %v 1.0 2.0
  sampler_feedback texture2d lod %r %t %s %u %v 3.0
  return
}
)";
  const std::string text = written_prepared(kFeedback);
  EXPECT_TRUE(has(text, "FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> map : register(u0);"));
  EXPECT_TRUE(has(text, "FeedbackTexture2D<SAMPLER_FEEDBACK_MIP_REGION_USED> regions : register(u1);"));
  EXPECT_TRUE(has(text, "map.WriteSamplerFeedbackBias(albedo, wrap, input.texcoord, 1.0, 2.0);"));
  EXPECT_TRUE(has(text, "regions.WriteSamplerFeedbackLevel(albedo, wrap, input.texcoord, 3.0);"));
  EXPECT_TRUE(has(glsl_of(kFeedback), "writing sampler feedback"));
}

TEST(SourceOfFeatures, PrintsMessages) {
  constexpr std::string_view kMessages = R"(stage compute
info group_size 1 1 1
message @0 printf text "at %d: %v2f, \"%x\" of 100%%" types 4 i32 f32 f32 i64
message @1 errorf text "stop" types 0
function @main {
^0:
  %i = builtin i32 thread_id.x
  %f = u_to_f f32 %i
  %w = zext i64 %i
  print @0 %i %f 2.0:f32 %w
  print @1
  trap 0
  return
}
)";
  const std::string text = written_prepared(kMessages);
  EXPECT_TRUE(has(text, R"(printf("at %d: %f, %f, \"%lx\" of 100%%", int(threadId.x), float(threadId.x), 2.0, uint64_t(threadId.x));)"));
  EXPECT_TRUE(has(text, "errorf(\"stop\");"));
  EXPECT_TRUE(has(text, "abort();"));
  EXPECT_TRUE(has(glsl_of(kMessages), "stopping with a fault, as abort() does"));
  std::string plain(kMessages);
  plain.erase(plain.find("  trap 0\n"), 9);
  EXPECT_TRUE(has(glsl_of(plain), R"(debugPrintfEXT("at %d: %f, %f, \"%lx\" of 100%%", int(gl_GlobalInvocationID.x), )"));
}

constexpr std::string_view kSlots = R"(stage pixel
output "SV_Target" system_value target type f32 register 0 columns 1
function @main {
^0:
  %a = interface_slot 1
  %b = interface_slot 2
  %c = iadd i32 %a %b
  %f = u_to_f f32 %c
  output f32 out0.x %f
  return
}
)";

TEST(SourceOfFeatures, HasClassesOfInterfaces) {
  shader::Reflection reflection;
  shader::Type colour, alpha;
  colour.name = "iColour";
  alpha.name = "iAlpha";
  reflection.types = {colour, alpha};
  shader::Buffer pointers;
  pointers.kind = shader::BufferKind::interface_pointers;
  shader::Variable colours, one;
  colours.name = "gColours";
  colours.type = 0;
  colours.size = 2;
  one.name = "gAlpha";
  one.type = 1;
  one.offset = 2;
  one.size = 1;
  pointers.variables = {colours, one};
  reflection.buffers = {pointers};
  reflection.class_linkage.emplace();
  reflection.class_linkage->types = {{"cRed", 0, 0, 0}, {"cBlue", 0, 0, 0}, {"cHalf", 0, 0, 0}};
  reflection.class_linkage->slots = {{0, 2, {0, 1}, {0, 1}}, {2, 1, {2}, {2}}};
  const std::string text = written(kSlots, {}, &reflection);
  EXPECT_TRUE(has(text,
                  "interface iColour {\n  uint number();\n};\n\ninterface iAlpha {\n  uint number();\n};\n\n"
                  "class cRed : iColour {\n  uint number() {\n    return 0;\n  }\n};\n\n"
                  "class cBlue : iColour {\n  uint number() {\n    return 1;\n  }\n};\n\n"
                  "class cHalf : iAlpha {\n  uint number() {\n    return 0;\n  }\n};\n\n"
                  "iColour gColours[2];\niAlpha gAlpha;\n"));
  EXPECT_TRUE(has(text, "gColours[1].number()"));
  EXPECT_TRUE(has(text, "gAlpha.number()"));
  // instances with constants are not declared
  reflection.class_linkage->types[0].constant_buffer_stride = 1;
  EXPECT_TRUE(has(written(kSlots, {}, &reflection), "dynamic linkage (instances of classes)"));
}

TEST(SourceOfFeatures, HasSpecializationConstantsOfSlots) {
  const std::string text = glsl_of(kSlots);
  EXPECT_TRUE(has(text, "layout(constant_id = 1) const uint InterfaceSlot1 = 0u;\n"));
  EXPECT_TRUE(has(text, "layout(constant_id = 2) const uint InterfaceSlot2 = 0u;\n"));
  EXPECT_TRUE(has(glsl_of(kSlots, GlslEnvironment::opengl), "uniform uint InterfaceSlot1;\n"));
}

TEST(SourceOfFeatures, AsksTheRenderTargetForItsSamples) {
  constexpr std::string_view kSamples = R"(stage pixel
output "SV_Target" system_value target type f32 register 0 columns 2
function @main {
^0:
  %n = query_samples
  %f = u_to_f f32 %n
  %p = sample_position 2
  %x = get f32 0 %p
  output f32 out0.x %f
  output f32 out0.y %x
  return
}
)";
  const std::string text = glsl_of(kSamples);
  EXPECT_TRUE(has(text, "layout(constant_id = 1000) const uint RenderTargetSampleCount = 1u;\n"));
  EXPECT_TRUE(has(text, "samplePlace(int(RenderTargetSampleCount), 2).x"));
  EXPECT_TRUE(has(glsl_of(kSamples, GlslEnvironment::opengl), "gl_NumSamples"));
}

TEST(SourceOfFeatures, HasInputsOfTheVerticesOfAPrimitive) {
  constexpr std::string_view kVertices = R"(stage pixel
input "COLOR" type f32 interpolation constant register 0 columns 3
output "SV_Target" system_value target type f32 register 0 columns 2
function @main {
^0:
  %a = input f32 in0.y vertex 1
  %b = input f32 in0.z vertex 2
  output f32 out0.x %a
  output f32 out0.y %b
  return
}
)";
  const std::string hlsl = written_prepared(kVertices);
  EXPECT_TRUE(has(hlsl, "nointerpolation float3 color : COLOR;"));
  EXPECT_TRUE(has(hlsl, "GetAttributeAtVertex(input.color, 1).y"));
  EXPECT_TRUE(has(hlsl, "GetAttributeAtVertex(input.color, 2).z"));
  const std::string glsl = glsl_of(kVertices);
  EXPECT_TRUE(has(glsl, "layout(location = 0) pervertexEXT in vec3 v_color[];"));
  EXPECT_TRUE(has(glsl, "v_color[1].y"));
}

TEST(SourceOfFeatures, DeclaresMemoryByTheSignOfItsMinima) {
  constexpr std::string_view kMinima = R"(stage compute
info group_size 1 1 1
variable @0 "low" group bytes 4 element i32
resource @to uav_structured dimension buffer register 0 stride 8
function @main {
^0:
  %t = handle @to 0
  %i = builtin i32 local_index
  %a = atomic i32 @0 smin 0 %i
  %b = buffer_atomic i64 structured offset smax %t %i 0 5
  return
}
)";
  const std::string hlsl = written_prepared(kMinima);
  EXPECT_TRUE(has(hlsl, "groupshared int low"));
  EXPECT_TRUE(has(hlsl, "RWStructuredBuffer<int64_t> to : register(u0);"));
  EXPECT_TRUE(has(glsl_of(kMinima), "shared int low"));
}

TEST(SourceOfFeatures, LeavesSeveralLoopsAndSwitchesByAVariable) {
  constexpr std::string_view kCrossing = R"(stage vertex
input "N" type i32 register 0 columns 2
output "SUM" type i32 register 0 columns 2
function @main {
^0:
  %n = input i32 in0.x
  %m = input i32 in0.y
  %none = ieq i32 %n 0
  branch %none ^7 ^1
^1:
  jump ^2
^2:
  %i = phi i32 ^1 0 ^5 %next
  %s = phi i32 ^1 1 ^5 %t
  switch i32 %m ^5 0 ^3 1 ^4
^3:
  %a = iadd i32 %s 10
  jump ^5
^4:
  %b = iadd i32 %s 20
  jump ^7
^5:
  %u = phi i32 ^2 %s ^3 %a
  %t = iadd i32 %u 100
  %next = iadd i32 %i 1
  %less = ult i32 %next %n
  branch %less ^2 ^6
^6:
  %v = phi i32 ^5 %t
  jump ^7
^7:
  %sum = phi i32 ^0 2 ^4 %b ^6 %v
  %square = imul i32 %sum %sum
  output i32 out0.x %sum
  output i32 out0.y %square
  return
}
)";
  const std::string text = written(kCrossing);
  EXPECT_TRUE(has(text, "bool leaves = false;\n      switch (input.n.y) {\n"));
  EXPECT_TRUE(has(text, "leaves = true;\n          break;\n"));
  EXPECT_TRUE(has(text, "      }\n      if (leaves) {\n        break;\n      }\n"));
}

TEST(SourceOfFeatures, ReadsConstantsAtAnyAddress) {
  constexpr std::string_view kConstants = R"(stage compute
info group_size 1 1 1
resource @cb cbuffer register 0 bytes 64
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %c = handle @cb 0
  %t = handle @to 0
  %i = builtin i32 thread_id.x
  %a = cbuffer_load i16 %c %i
  %row = ishl i32 %i 4
  %at = ior i32 %row 4
  %b = cbuffer_load i32 %c %at
  %x = zext i32 %a
  buffer_store i32 raw %t 0 %x %b
  return
}
)";
  const std::string text = written_prepared(kConstants);
  EXPECT_TRUE(has(text,
                  "uint16_t numberAt(uint address) {\n"
                  "  return uint16_t(cb_data[address >> 4][(address >> 2) & 3] >> ((address & 2) << 3));\n}\n"));
  EXPECT_TRUE(has(text, "numberAt(threadId.x)"));
  // bits where there are none are added
  EXPECT_TRUE(has(text, "cb_data[threadId.x].y"));
}

TEST(SourceOfFeatures, PacksBytes) {
  constexpr std::string_view kBytes = R"(stage compute
info group_size 1 1 1
resource @to uav_byte_address dimension buffer register 0
function @main {
^0:
  %t = handle @to 0
  %i = builtin i32 thread_id.x
  %p = pack_i8 i32 clamp_signed %i 1 2 3
  %u = unpack_i8 i32 sign_extend %i
  %x = get i32 0 %u
  buffer_store i32 raw %t 0 %p %x
  return
}
)";
  const std::string text = written_prepared(kBytes);
  EXPECT_TRUE(has(text, "uint packBytes(int4 value) {\n  value = clamp(value, -128, 127);\n"));
  EXPECT_TRUE(has(text, "packBytes(int4(threadId.x, 1, 2, 3))"));
  EXPECT_TRUE(has(text, "unpackBytes(threadId.x).x"));
  EXPECT_TRUE(has(glsl_of(kBytes), "packBytes(int(gl_GlobalInvocationID.x), 1, 2, 3)"));
}

TEST(SourceOfFeatures, SwitchesOver64Bits) {
  constexpr std::string_view kSwitch = R"(stage vertex
input "N" type i64 register 0 columns 1
output "A" type i32 register 0 columns 1
function @main {
^0:
  %n = input i64 in0.x
  switch i64 %n ^2 0x100000002 ^1
^1:
  jump ^3
^2:
  jump ^3
^3:
  %a = phi i32 ^1 4 ^2 5
  output i32 out0.x %a
  return
}
)";
  EXPECT_TRUE(has(written(kSwitch), "case 0x100000002ul: {") || has(written(kSwitch), "case 4294967298ul: {"));
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  // a word that says which case it is
  EXPECT_TRUE(has(written(kSwitch, options), "switch (in_n == 4294967298ul ? 3 : 1) {\n    case 3: {"));
}

TEST(SourceOfFeatures, ReadsOneLaneForAllComponents) {
  constexpr std::string_view kLanes = R"(stage pixel
input "A" type f32 register 0 columns 2
output "SV_Target" system_value target type f32 register 0 columns 4
function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %a = quad_read f32 %x 1
  %b = quad_read f32 %y 1
  %c = quad_read f32 %x 0
  %d = quad_read f32 %x 3
  output f32 out0.x %a
  output f32 out0.y %b
  output f32 out0.z %c
  output f32 out0.w %d
  return
}
)";
  const std::string text = glsl_of(kLanes);
  EXPECT_TRUE(has(text, "subgroupQuadBroadcast(v_a.x, 0u)"));
  EXPECT_TRUE(has(text, "subgroupQuadBroadcast(v_a.x, 3u)"));
}

}  // namespace
}  // namespace unshade::write
