#include <unshade/spirv/edit_names.hpp>

#include <gtest/gtest.h>

#include <unshade/spirv/interface.hpp>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::assembled;
using test::listed;

constexpr const char* kText = R"(OpCapability Shader
OpExtension "SPV_GOOGLE_hlsl_functionality1"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in_uv %out_pos
OpEntryPoint Fragment %main "main" %in_uv
OpName %main "main"
OpName %in_uv "in.var.TEXCOORD0"
OpName %block "type.Material"
OpMemberName %block 0 "tint"
OpMemberName %block 1 "mode"
OpName %Material "Material"
OpName %unnamed ""
OpDecorateString %in_uv UserSemantic "TEXCOORD0"
OpDecorate %in_uv Location 0
OpDecorate %out_pos BuiltIn Position
OpDecorate %Material DescriptorSet 0
OpDecorate %Material Binding 3
OpDecorate %unnamed Binding 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%block = OpTypeStruct %v4 %float
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%pblock = OpTypePointer Uniform %block
%in_uv = OpVariable %pin Input
%out_pos = OpVariable %pout Output
%Material = OpVariable %pblock Uniform
%unnamed = OpVariable %pblock Uniform
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)";

std::string renamed(const std::vector<std::byte>& bytes, const std::vector<Rename>& renames) {
  const auto module = parse(test::view_of(bytes));
  if (!module) return "no module";
  const auto edit = rename(*module, renames);
  return edit ? listed(edit->bytes, {.friendly_names = false}) : std::string(id(edit.error().code));
}

std::string rebound(const std::vector<std::byte>& bytes, const std::vector<Rebind>& rebinds) {
  const auto module = parse(test::view_of(bytes));
  if (!module) return "no module";
  const auto edit = rebind(*module, rebinds);
  return edit ? listed(edit->bytes, {.friendly_names = false}) : std::string(id(edit.error().code));
}

/// The listing with one text in the place of another, everywhere.
std::string with(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

TEST(SpirvRename, RenamesEntryPointsAndTheirFunction) {
  const auto bytes = assembled(kText);
  const std::string before = listed(bytes, {.friendly_names = false});
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "main", "shade"}}), with(before, "\"main\"", "\"shade\""));
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "main", "main"}}), before);
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "", "shade"}}), "bad-value") << "there are two";
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "other", "shade"}}), "missing");
}

TEST(SpirvRename, RenamesInputsWithTheirSemantic) {
  const auto bytes = assembled(kText);
  const std::string before = listed(bytes, {.friendly_names = false});
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "texcoord0", "UV1"}}), with(before, "TEXCOORD0", "UV1"));
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "in.var.TEXCOORD0", "uv"}}), with(before, "in.var.TEXCOORD0", "uv"));
  EXPECT_EQ(renamed(bytes, {{NameKind::output, "texcoord0", "UV1"}}), "missing");
  // a name alone is that of all indexes, and keeps them
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "TEXCOORD", "UV"}}), with(before, "TEXCOORD0", "UV0"));
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "TEXCOORD0", "UV"}}), with(before, "TEXCOORD0", "UV0"));
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "TEXCOORD", "UV4294967296"}}), "bad-value");
}

TEST(SpirvRename, RenamesResourcesWithTheBlockThatIsCalledAfterThem) {
  const auto bytes = assembled(kText);
  const std::string before = listed(bytes, {.friendly_names = false});
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", "Surface"}}), with(before, "Material\"", "Surface\""));
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "Material.tint", "colour"}}), with(before, "\"tint\"", "\"colour\""));
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "tint", "mode"}, {NameKind::variable, "mode", "tint"}}),
            with(with(with(before, "\"tint\"", "\"#\""), "\"mode\"", "\"tint\""), "\"#\"", "\"mode\""));
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "tint", "mode"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", ""}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "Material.tint", "Material.colour"}}), with(before, "\"tint\"", "\"colour\""));
  for (const char* const name : {"u.colour", "x[2]", "Other.tint", "2x"})
    EXPECT_EQ(renamed(bytes, {{NameKind::variable, "Material.tint", name}}), "bad-value") << name;
}

TEST(SpirvRename, RefusesTwoNamesForOneThing) {
  const auto bytes = assembled(kText);
  const std::string before = listed(bytes, {.friendly_names = false});
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", "a"}, {NameKind::resource, "Material", "b"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "tint", "a"}, {NameKind::variable, "Material.tint", "b"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "tint", "a"}, {NameKind::variable, "Material.tint", "a"}}),
            with(before, "\"tint\"", "\"a\""));
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "TEXCOORD0", "UV0"}, {NameKind::input, "texcoord0", "UV1"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "main", "a"}, {NameKind::entry, "main", "b"}}), "bad-value");
}

TEST(SpirvRename, RefusesOneNameForTwoThings) {
  const auto bytes = assembled(R"(OpCapability Shader
OpExtension "SPV_GOOGLE_hlsl_functionality1"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %u %v
OpName %albedo "albedo"
OpName %mode "mode"
OpDecorate %mode SpecId 1
OpDecorate %albedo Binding 0
OpDecorate %10 Binding 1
OpDecorate %11 Binding 2
OpDecorateString %u UserSemantic "A0"
OpDecorateString %v UserSemantic "B0"
OpDecorate %u Location 0
OpDecorate %v Location 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%mode = OpSpecConstant %float 0
%sampler = OpTypeSampler
%pointer = OpTypePointer UniformConstant %sampler
%pin = OpTypePointer Input %float
%u = OpVariable %pin Input
%v = OpVariable %pin Input
%albedo = OpVariable %pointer UniformConstant
%10 = OpVariable %pointer UniformConstant
%11 = OpVariable %pointer UniformConstant
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)",
                               {.numbering = Numbering::preserve});
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "albedo", "mode"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "mode", "albedo"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "_10", "a"}, {NameKind::resource, "_11", "a"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "A0", "b0"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "A0", "UV"}, {NameKind::input, "B0", "uv0"}}), "bad-value");
  const std::string swapped = renamed(bytes, {{NameKind::resource, "albedo", "mode"}, {NameKind::variable, "mode", "albedo"}});
  EXPECT_NE(swapped.find("\"albedo\""), std::string::npos) << swapped;
}

TEST(SpirvRename, RefusesWhatIsNoName) {
  const auto bytes = assembled(kText);
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", "a b;c"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::variable, "Material.tint", "9"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::entry, "main", "main 2"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::input, "TEXCOORD0", "SV_Position"}}), "bad-value");
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", "@"}}), "bad-value");
  EXPECT_NE(renamed(bytes, {{NameKind::resource, "Material", "@Material"}}), "bad-value");
  EXPECT_NE(renamed(bytes, {{NameKind::entry, "main", "lighting::main"}}), "bad-value");
}

TEST(SpirvRename, RefusesNamesOfBuiltInsAndThoseWithoutRoom) {
  const auto bytes = assembled(kText);
  const auto module = parse(test::view_of(bytes));
  ASSERT_TRUE(module);
  for (const Variable& v : interface_of(*module).variables)
    if (v.storage == StorageClass::output) {
      EXPECT_EQ(renamed(bytes, {{NameKind::output, '_' + std::to_string(v.id), "place"}}), "bad-value");
    }
  EXPECT_EQ(renamed(bytes, {{NameKind::resource, "Material", std::string(300000, 'x')}}), "limit");
}

TEST(SpirvRebind, MovesBindingsAndSets) {
  const auto bytes = assembled(kText);
  const std::string before = listed(bytes, {.friendly_names = false});
  EXPECT_EQ(rebound(bytes, {{0, 3, 0, 7, {}}}), with(before, "Binding 3", "Binding 7"));
  EXPECT_EQ(rebound(bytes, {{0, 3, 0, 3, 2}}), with(before, "DescriptorSet 0", "DescriptorSet 2"));
  EXPECT_EQ(rebound(bytes, {{0, 3, 0, 4, {}}, {0, 4, 0, 3, {}}}),
            with(with(with(before, "Binding 3", "Binding #"), "Binding 4", "Binding 3"), "Binding #", "Binding 4"));
  // one without a set gets it
  const std::string moved = rebound(bytes, {{0, 4, 0, 4, 1}});
  EXPECT_NE(moved.find("DescriptorSet 1"), std::string::npos) << moved;
  EXPECT_EQ(rebound(bytes, {{0, 3, 0, 4, {}}}), "bad-value");
  EXPECT_EQ(rebound(bytes, {{0, 9, 0, 4, {}}}), "missing");
  EXPECT_EQ(rebound(bytes, {{0, 3, 0, 8, {}}, {0, 3, 0, 9, {}}}), "bad-value");
}

TEST(SpirvRebind, KeepsTheByteOrder) {
  // OpDecorate %1 Binding 2, and a variable %1
  const auto big =
      test::module_of({test::head(71, 4), 1, 33, 2, test::head(19, 2), 2, test::head(32, 4), 3, 0, 2, test::head(59, 4), 3, 1, 0}, true);
  const auto module = parse(test::view_of(big));
  ASSERT_TRUE(module);
  const auto edit = rebind(*module, std::vector<Rebind>{{0, 2, 0, 5, {}}});
  ASSERT_TRUE(edit) << to_string(edit.error());
  auto wanted = big;
  wanted[kHeaderBytes + 15] = std::byte{5};
  EXPECT_TRUE(edit->bytes == wanted);
}

}  // namespace

}  // namespace unshade::spirv
