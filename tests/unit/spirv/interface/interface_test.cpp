#include <unshade/spirv/interface.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"

namespace unshade::spirv {

namespace {

Interface interface_of_text(std::string_view text) {
  const auto bytes = assemble(text, {.numbering = Numbering::preserve, .version = 0x10500});
  EXPECT_TRUE(bytes) << to_string(bytes.error());
  if (!bytes) return {};
  const auto module = parse(test::view_of(*bytes));
  EXPECT_TRUE(module);
  return module ? interface_of(*module) : Interface{};
}

constexpr std::string_view kHead = R"(
OpCapability Shader
OpExtension "SPV_KHR_x"
%90 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
)";

TEST(SpirvInterface, Head) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpEntryPoint GLCompute %10 "first" %20
OpEntryPoint Fragment %11 "abcd" %21 %22
OpExecutionMode %10 LocalSize 8 4 1
OpExecutionMode %11 OriginUpperLeft
OpExecutionMode %11 DepthReplacing
%1 = OpTypeVoid
)");
  EXPECT_EQ(i.header.version, 0x10500U);
  EXPECT_EQ(i.capabilities, std::vector{Capability::shader});
  EXPECT_EQ(i.extensions, std::vector<std::string>{"SPV_KHR_x"});
  EXPECT_EQ(i.instruction_sets, std::vector<std::string>{"GLSL.std.450"});
  EXPECT_EQ(i.memory, MemoryModel::glsl450);
  ASSERT_EQ(i.entry_points.size(), 2U);
  EXPECT_EQ(i.entry_points[0].model, ExecutionModel::gl_compute);
  EXPECT_EQ(i.entry_points[0].name, "first");
  ASSERT_EQ(i.entry_points[0].modes.size(), 1U);
  EXPECT_EQ(i.entry_points[0].modes[0].mode, ExecutionMode::local_size);
  EXPECT_EQ(i.entry_points[0].modes[0].operands, (std::vector<std::uint32_t>{8, 4, 1}));
  EXPECT_EQ(i.entry_points[1].name, "abcd");
  EXPECT_EQ(i.entry_points[1].interface_ids, (std::vector<std::uint32_t>{21, 22}));
  EXPECT_EQ(i.entry_points[1].modes.size(), 2U);
  EXPECT_FALSE(i.entry_points[1].is_use_known);  // it has no function
}

TEST(SpirvInterface, TypesAndDecorations) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpName %30 "Block"
OpMemberName %30 0 "a"
OpMemberName %30 1 "m"
OpName %40 "buffer"
OpDecorate %30 Block
OpMemberDecorate %30 0 Offset 0
OpMemberDecorate %30 0 NonWritable
OpMemberDecorate %30 1 Offset 16
OpMemberDecorate %30 1 RowMajor
OpMemberDecorate %30 1 MatrixStride 16
OpDecorate %7 ArrayStride 32
OpDecorate %40 DescriptorSet 3
OpDecorate %40 Binding 5
OpDecorate %41 Location 2
OpDecorate %41 Component 1
OpDecorate %41 Flat
OpDecorate %42 BuiltIn FragCoord
OpDecorateString %41 UserSemantic "TEXCOORD3"
%1 = OpTypeInt 32 1
%2 = OpTypeFloat 16
%3 = OpTypeVector %2 3
%4 = OpTypeMatrix %3 4
%5 = OpTypeInt 32 0
%6 = OpConstant %5 7
%7 = OpTypeArray %1 %6
%8 = OpTypeRuntimeArray %7
%30 = OpTypeStruct %7 %4 %8
%31 = OpTypePointer StorageBuffer %30
%32 = OpTypePointer Input %3
%33 = OpTypeImage %2 Cube 1 1 0 1 Rgba8
%34 = OpTypeSampledImage %33
%40 = OpVariable %31 StorageBuffer
%41 = OpVariable %32 Input
%42 = OpVariable %32 Input
)");
  ASSERT_EQ(i.variables.size(), 3U);
  const Variable& buffer = i.variables[0];
  EXPECT_EQ(buffer.name, "buffer");
  EXPECT_EQ(buffer.storage, StorageClass::storage_buffer);
  EXPECT_EQ(i.of(buffer).set, 3U);
  EXPECT_EQ(i.of(buffer).binding, 5U);
  EXPECT_FALSE(i.of(buffer).location);
  const Type* block = i.type(buffer.type);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->kind, TypeKind::structure);
  EXPECT_TRUE(i.of(*block).block);
  const auto members = i.members_of(*block);
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].name, "a");
  EXPECT_TRUE(i.of(members[0]).non_writable);
  EXPECT_EQ(i.of(members[1]).offset, 16U);
  EXPECT_EQ(i.of(members[1]).matrix_stride, 16U);
  EXPECT_TRUE(i.of(members[1]).row_major);
  EXPECT_EQ(members[2].name, "");
  const Type* array = i.type(members[0].type);
  EXPECT_EQ(array->kind, TypeKind::array);
  EXPECT_EQ(array->count, 7U);
  EXPECT_EQ(i.of(*array).array_stride, 32U);
  EXPECT_TRUE(i.type(array->element)->is_signed);
  const Type* matrix = i.type(members[1].type);
  EXPECT_EQ(matrix->kind, TypeKind::matrix);
  EXPECT_EQ(matrix->count, 4U);
  EXPECT_EQ(i.type(i.type(matrix->element)->element)->width, 16);
  EXPECT_EQ(i.type(members[2].type)->kind, TypeKind::runtime_array);
  EXPECT_EQ(i.of(i.variables[1]).location, 2U);
  EXPECT_EQ(i.of(i.variables[1]).component, 1U);
  EXPECT_TRUE(i.of(i.variables[1]).flat);
  EXPECT_EQ(i.of(i.variables[1]).semantic, "TEXCOORD3");
  EXPECT_EQ(i.of(i.variables[2]).builtin, BuiltIn::frag_coord);
  const Type* image = i.type(i.find_type(33));
  EXPECT_EQ(image->image.dim, Dim::cube);
  EXPECT_TRUE(image->image.is_arrayed);
  EXPECT_EQ(image->image.depth, 1U);
  EXPECT_EQ(image->image.format, ImageFormat::rgba8);
  EXPECT_EQ(i.type(i.find_type(34))->element, i.find_type(33));
  EXPECT_EQ(i.find_variable(41), 1U);
  EXPECT_EQ(i.find_variable(34), kNone);
}

TEST(SpirvInterface, GroupsOfDecorations) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpDecorate %50 DescriptorSet 4
OpDecorate %50 Restrict
%50 = OpDecorationGroup
OpDecorate %51 Offset 8
%51 = OpDecorationGroup
OpGroupDecorate %50 %40 %41
OpGroupMemberDecorate %51 %30 1
OpDecorate %41 Binding 1
%1 = OpTypeFloat 32
%30 = OpTypeStruct %1 %1
%31 = OpTypePointer Uniform %30
%40 = OpVariable %31 Uniform
%41 = OpVariable %31 Uniform
)");
  EXPECT_EQ(i.of(i.variables[0]).set, 4U);
  EXPECT_TRUE(i.of(i.variables[0]).restrict);
  EXPECT_FALSE(i.of(i.variables[0]).binding);
  EXPECT_EQ(i.of(i.variables[1]).set, 4U);
  EXPECT_EQ(i.of(i.variables[1]).binding, 1U);
  EXPECT_FALSE(i.of(i.members[0]).offset);
  EXPECT_EQ(i.of(i.members[1]).offset, 8U);
}

TEST(SpirvInterface, Constants) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpName %12 "size"
OpDecorate %12 SpecId 42
%1 = OpTypeInt 32 1
%2 = OpTypeInt 64 0
%3 = OpTypeBool
%4 = OpTypeVector %1 2
%10 = OpConstant %1 -3
%11 = OpConstant %2 0x123456789a
%12 = OpSpecConstant %1 5
%13 = OpSpecConstantTrue %3
%14 = OpConstantComposite %4 %10 %12
%15 = OpConstantNull %1
%16 = OpSpecConstantOp %1 IMul %12 %12
%17 = OpTypeArray %1 %16
%18 = OpSpecConstantOp %1 SDiv %12 %15
)");
  const auto constant = [&](std::uint32_t id) { return i.constants[i.find_constant(id)]; };
  EXPECT_EQ(constant(10).value, 0xffff'fffdU);
  EXPECT_EQ(constant(11).value, 0x123456789aU);
  EXPECT_TRUE(constant(12).is_spec);
  EXPECT_EQ(constant(12).value, 5U);
  EXPECT_EQ(constant(12).name, "size");
  EXPECT_EQ(i.of(constant(12)).spec_id, 42U);
  EXPECT_TRUE(constant(13).has_value);
  EXPECT_EQ(constant(13).value, 1U);
  EXPECT_EQ(constant(14).parts, (std::vector{i.find_constant(10), i.find_constant(12)}));
  EXPECT_FALSE(constant(14).has_value);
  EXPECT_TRUE(constant(15).has_value);
  EXPECT_EQ(constant(16).value, 25U);
  EXPECT_EQ(i.types[i.find_type(17)].count, 25U);
  EXPECT_FALSE(constant(18).has_value);  // divides by 0
}

TEST(SpirvInterface, UseFollowsCalls) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpEntryPoint Vertex %60 "a" %40 %41 %42 %43
OpEntryPoint Fragment %61 "b" %40 %41 %42 %43
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeFloat 32
%4 = OpTypePointer Private %3
%40 = OpVariable %4 Private
%41 = OpVariable %4 Private
%42 = OpVariable %4 Private
%43 = OpVariable %4 Private
%60 = OpFunction %1 None %2
%70 = OpLabel
%71 = OpLoad %3 %42
%72 = OpLoad %3 %42
%73 = OpFunctionCall %1 %62
%74 = OpFunctionCall %1 %62
OpReturn
OpFunctionEnd
%61 = OpFunction %1 None %2
%75 = OpLabel
OpStore %41 %80
%76 = OpFunctionCall %1 %61
OpReturn
OpFunctionEnd
%62 = OpFunction %1 None %2
%77 = OpLabel
%78 = OpLoad %3 %40
OpReturn
OpFunctionEnd
)");
  ASSERT_EQ(i.entry_points.size(), 2U);
  EXPECT_TRUE(i.entry_points[0].is_use_known);
  EXPECT_EQ(i.entry_points[0].used, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(i.entry_points[1].used, (std::vector<std::uint32_t>{1}));  // recursion comes to an end
}

TEST(SpirvInterface, PointersMayFormACycle) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
OpTypeForwardPointer %5 PhysicalStorageBuffer
%1 = OpTypeInt 32 0
%4 = OpTypeStruct %1 %5
%5 = OpTypePointer PhysicalStorageBuffer %4
)");
  const Type& node = i.types[i.find_type(4)];
  EXPECT_EQ(i.members_of(node)[1].type, i.find_type(5));
  EXPECT_EQ(i.types[i.find_type(5)].element, i.find_type(4));
}

TEST(SpirvInterface, NothingElseDoes) {
  const Interface i = interface_of_text(std::string(kHead) + R"(
%4 = OpTypeStruct %6
%5 = OpTypeRuntimeArray %5
%6 = OpTypeStruct %4
%7 = OpTypeArray %6 %7
%8 = OpTypeVector %99 4
)");
  EXPECT_EQ(i.members_of(i.types[0])[0].type, kNone);
  EXPECT_EQ(i.types[1].element, kNone);
  EXPECT_EQ(i.members_of(i.types[2])[0].type, 0U);
  EXPECT_EQ(i.types[3].count, 0U);
  EXPECT_EQ(i.types[4].element, kNone);
}

// One long name, and many that define its id.
TEST(SpirvInterface, ANameIsCopiedOnce) {
  std::string text(kHead);
  text += "OpName %4 \"" + std::string(200000, 'x') + "\"\n";
  for (int n = 0; n < 20000; ++n) text += "%4 = OpTypeVoid\n";
  const Interface i = interface_of_text(text);
  std::size_t total = 0;
  for (const Type& t : i.types) total += t.name.size();
  EXPECT_EQ(i.types.size(), 20000U);
  EXPECT_EQ(total, 200000U);
}

// Many entry points of one large call graph: what would cost their product is left out.
TEST(SpirvInterface, UseIsBounded) {
  std::string text(kHead);
  constexpr int kCount = 3000;
  for (int n = 0; n < kCount; ++n) text += "OpEntryPoint Vertex %" + std::to_string(10000 + n) + " \"e\"\n";
  text += "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeFloat 32\n%4 = OpTypePointer Private %3\n";
  for (int n = 0; n < kCount; ++n) text += "%" + std::to_string(20000 + n) + " = OpVariable %4 Private\n";
  text += "%5 = OpFunction %1 None %2\n%6 = OpLabel\n";
  for (int n = 0; n < kCount; ++n) text += "%" + std::to_string(30000 + n) + " = OpLoad %3 %" + std::to_string(20000 + n) + "\n";
  text += "OpReturn\nOpFunctionEnd\n";
  for (int n = 0; n < kCount; ++n)
    text += "%" + std::to_string(10000 + n) + " = OpFunction %1 None %2\n%" + std::to_string(40000 + n) + " = OpLabel\n%" +
            std::to_string(50000 + n) + " = OpFunctionCall %1 %5\nOpReturn\nOpFunctionEnd\n";
  const Interface i = interface_of_text(text);
  EXPECT_TRUE(i.entry_points.front().is_use_known);
  EXPECT_EQ(i.entry_points.front().used.size(), static_cast<std::size_t>(kCount));
  EXPECT_FALSE(i.entry_points.back().is_use_known);
  std::size_t total = 0;
  for (const EntryPoint& e : i.entry_points) total += e.used.size();
  EXPECT_LT(total, text.size() * 16);
}

}  // namespace

}  // namespace unshade::spirv
