// Source of resources that are found in a descriptor heap.
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

constexpr std::string_view kHeap = R"(stage compute
info group_size 64 1 1
resource @ResourceDescriptorHeap texture returns mixed register 0 count 0 heap
resource @1 "ResourceDescriptorHeap" cbuffer register 0 count 0 bytes 32 heap
resource @2 "ResourceDescriptorHeap" structured dimension buffer register 0 count 0 stride 8 heap
resource @3 "ResourceDescriptorHeap" uav_structured_with_counter dimension buffer register 0 count 0 stride 4 heap
resource @4 "ResourceDescriptorHeap" uav_typed dimension texture2d returns float register 0 count 0 heap
resource @5 "ResourceDescriptorHeap" uav_byte_address dimension buffer register 0 count 0 heap
function @main {
^0:
  %i = builtin i32 thread_id.x
  %c = handle_from_heap @1 3
  %s = handle_from_heap @2 %i {non_uniform}
  %k = handle_from_heap @3 4
  %t = handle_from_heap @4 5
  %w = handle_from_heap @5 6
  %count = query_size buffer %s
  %a = cbuffer_load i32 %c 20
  %e = buffer_load f32 x2 structured offset %s %a 0
  %x = get f32 0 %e
  %n = counter up %k
  %z = texel_load f32 texture2d %t 1 2
  %sum = fadd f32 %x %z
  %bits = bitcast i32 %sum
  %more = iadd i32 %bits %count
  %word = buffer_load i32 raw %w 8
  %all = iadd i32 %more %word
  buffer_store i32 structured offset %k %n 0 %all
  return
}
)";

TEST(SourceOfHeaps, HasFunctionsThatGiveTheTypeInHlsl) {
  const std::string text = written_prepared(kHeap);
  // a constant buffer has its type as a variable alone
  EXPECT_TRUE(has(text, "struct heapConstants_type {\n  uint4 heapConstants_data[2];\n};\n"));
  EXPECT_TRUE(has(text,
                  "heapConstants_type constantsAt(uint index) {\n"
                  "  ConstantBuffer<heapConstants_type> constants = ResourceDescriptorHeap[index];\n  return constants;\n}\n"));
  EXPECT_TRUE(has(text, "constantsAt(3).heapConstants_data[1].y"));
  EXPECT_TRUE(
      has(text, "StructuredBuffer<float2> bufferAt(uint index) {\n  return ResourceDescriptorHeap[NonUniformResourceIndex(index)];"));
  EXPECT_TRUE(has(text, "uint countOf(StructuredBuffer<float2> buffer) {\n  uint count, stride;\n  buffer.GetDimensions(count, stride);"));
  EXPECT_TRUE(has(text, "(4).IncrementCounter()"));
  // what is only read is what the file says it is
  EXPECT_TRUE(has(text, "RWTexture2D<float4> textureAt(uint index)"));
  EXPECT_TRUE(has(text, "textureAt(5)[int2(1, 2)].x"));
  EXPECT_TRUE(has(text, "RWByteAddressBuffer "));
}

TEST(SourceOfHeaps, HasArraysInOnePlaceInGlsl) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  const std::string text = written_prepared(kHeap, options);
  EXPECT_TRUE(
      has(text, "layout(std140, set = 0, binding = 0) uniform heapConstants_block {\n  uvec4 heapConstants_data[2];\n} heapConstants[];"));
  EXPECT_TRUE(has(text, "heapConstants[3].heapConstants_data[1].y"));
  EXPECT_TRUE(has(text, "layout(std430, set = 0, binding = 0) readonly buffer heapBuffers_buffer {\n  vec2 data[];\n} heapBuffers[];"));
  EXPECT_TRUE(has(text, "heapBuffers[nonuniformEXT(gl_GlobalInvocationID.x)].data.length()"));
  // counters have a binding of their own, as in SPIR-V
  EXPECT_TRUE(has(text, "layout(std430, set = 0, binding = 2) buffer "));
  EXPECT_TRUE(has(text, "readonly uniform image2D heapTextures[];"));
  options.glsl.environment = GlslEnvironment::opengl;
  EXPECT_TRUE(has(written_prepared(kHeap, options), "resources of a descriptor heap"));
}

}  // namespace
}  // namespace unshade::write
