// What names of resources and constants mean: elements of arrays, variables that share a binding, names that several have.
#include <string>
#include <string_view>

#include <unshade/ir/text.hpp>

#include "run_support.hpp"

namespace unshade::run {
namespace {

using run_test::fault_of;
using run_test::made_by_text;
using run_test::map_of;
using run_test::words_of_case;

constexpr std::string_view kCompute = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)";
constexpr std::string_view kTypes = R"(%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u11 = OpConstant %uint 11
%u22 = OpConstant %uint 22
)";

std::string module_of(std::string_view names, std::string_view declarations, std::string_view code) {
  return std::string(kCompute) + std::string(names) + std::string(kTypes) + std::string(declarations) +
         "%main = OpFunction %void None %function\n%entry = OpLabel\n" + std::string(code) + "OpReturn\nOpFunctionEnd\n";
}

/// cells[2][3] at binding 2, its neighbour at binding 3, and seen in set 1: seen[0] = cells[1][2], which was just stored, and seen[1] is
/// that of the numbers in seen[2] and seen[3].
std::string cells_of(std::string_view decorations = "") {
  return module_of(
      "OpName %cells \"cells\"\nOpName %next \"next\"\nOpName %seen \"seen\"\nOpDecorate %Block BufferBlock\n"
      "OpMemberDecorate %Block 0 Offset 0\nOpDecorate %words ArrayStride 4\nOpDecorate %cells DescriptorSet 0\nOpDecorate %cells Binding "
      "2\n"
      "OpDecorate %next DescriptorSet 0\nOpDecorate %next Binding 3\nOpDecorate %seen DescriptorSet 1\nOpDecorate %seen Binding 0\n" +
          std::string(decorations),
      R"(%words = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %words
%row = OpTypeArray %Block %u3
%table = OpTypeArray %row %u2
%of_table = OpTypePointer Uniform %table
%of_block = OpTypePointer Uniform %Block
%of_uint = OpTypePointer Uniform %uint
%cells = OpVariable %of_table Uniform
%next = OpVariable %of_block Uniform
%seen = OpVariable %of_block Uniform
)",
      R"(%cell = OpAccessChain %of_uint %cells %u1 %u2 %u0 %u0
OpStore %cell %u11
%neighbour = OpAccessChain %of_uint %next %u0 %u0
OpStore %neighbour %u22
%stored = OpLoad %uint %cell
%first = OpAccessChain %of_uint %seen %u0 %u0
OpStore %first %stored
%third = OpAccessChain %of_uint %seen %u0 %u2
%i = OpLoad %uint %third
%fourth = OpAccessChain %of_uint %seen %u0 %u3
%j = OpLoad %uint %fourth
%chosen = OpAccessChain %of_uint %cells %i %j %u0 %u0
%other = OpLoad %uint %chosen
%second = OpAccessChain %of_uint %seen %u0 %u1
OpStore %second %other
)");
}

std::string hex_of(const Value& result, std::string_view name) {
  const Value::Member* const found = find_resource(result, name);
  return found == nullptr ? "none" : found->value.find("hex")->as_text()->substr(0, 16);
}

TEST(Bindings, ElementsOfVulkanShareTheBinding) {
  // without a case, all elements that may be accessed have memory
  const Value made = made_by_text(cells_of(), Value::map());
  EXPECT_EQ(hex_of(made, "seen").substr(0, 8), "0b000000");
  EXPECT_EQ(hex_of(made, "cells[1][2]").substr(0, 8), "0b000000");
  EXPECT_EQ(hex_of(made, "next").substr(0, 8), "16000000");
  EXPECT_EQ(made.find("resources")->as_map()->size(), 8U);
  const Value::Member* const cell = find_resource(made, "set 0, binding 2[1][2]");
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->key, "u2[1][2]");
  EXPECT_EQ(*cell->value.find("name")->as_text(), "cells[1][2]");
  EXPECT_EQ(cell->value.find("binding")->as_integer()->magnitude, 2U);
  EXPECT_EQ(cell->value.find("element")->as_integer()->magnitude, 5U);
  EXPECT_EQ(find_resource(made, "u7"), nullptr);
}

TEST(Bindings, AnElementHasSeveralSpellings) {
  for (const char* const cell : {"cells[0][1]", "u2[0][1]", "set 0, binding 2[0][1]", "set 0 binding 2[0][1]"}) {
    for (const char* const seen : {"seen", "u0,space1", "set 1, binding 0"}) {
      const Value resources = map_of({{cell, words_of_case({5})},
                                      {seen, words_of_case({0, 0, 0, 1})},
                                      {"u3", words_of_case({7})},
                                      {"cells[1][2]", words_of_case({1})}});
      const Value made = made_by_text(cells_of(), map_of({{"resources", resources}}));
      EXPECT_EQ(hex_of(made, seen), "0b00000005000000") << cell << ' ' << seen;
      EXPECT_EQ(hex_of(made, cell), "05000000") << cell;
      EXPECT_EQ(hex_of(made, "next"), "16000000");
    }
  }
  EXPECT_EQ(fault_of(cells_of(), map_of({{"resources", map_of({{"cells[2][0]", words_of_case({5})}})}})),
            "resources/cells[2][0]: `cells` is an array: expected 2 indexes, below 2 and below 3");
  EXPECT_EQ(fault_of(cells_of(), map_of({{"resources", map_of({{"u2[4]", words_of_case({5})}})}})),
            "resources/u2[4]: `u2` is an array: expected 2 indexes, below 2 and below 3");
  EXPECT_EQ(fault_of(cells_of(), map_of({{"resources", map_of({{"u3", words_of_case({5})}, {"next", words_of_case({5})}})}})),
            "resources/next: the same binding as `u3`: it must have one name in the case and its suite");
}

TEST(Bindings, VariablesOfOneBindingShareTheirMemory) {
  // `next` is element [1] of an array that begins where it is not, and `seen` is read through another type
  const std::string text = module_of(
      "OpName %number \"number\"\nOpName %bits \"bits\"\nOpName %seen \"seen\"\nOpDecorate %Floats BufferBlock\n"
      "OpMemberDecorate %Floats 0 Offset 0\nOpDecorate %Block BufferBlock\nOpMemberDecorate %Block 0 Offset 0\n"
      "OpDecorate %number DescriptorSet 0\nOpDecorate %number Binding 4\nOpDecorate %bits DescriptorSet 0\nOpDecorate %bits Binding 4\n"
      "OpDecorate %bits NonWritable\nOpDecorate %bits Aliased\nOpDecorate %number Aliased\nOpDecorate %seen DescriptorSet 0\n"
      "OpDecorate %seen Binding 5\n",
      R"(%two = OpConstant %float 2
%Floats = OpTypeStruct %float
%Block = OpTypeStruct %uint
%of_floats = OpTypePointer Uniform %Floats
%of_block = OpTypePointer Uniform %Block
%of_float = OpTypePointer Uniform %float
%of_uint = OpTypePointer Uniform %uint
%bits = OpVariable %of_block Uniform
%number = OpVariable %of_floats Uniform
%seen = OpVariable %of_block Uniform
)",
      R"(%at = OpAccessChain %of_float %number %u0
%old = OpLoad %float %at
%new = OpFMul %float %old %two
OpStore %at %new
%same = OpAccessChain %of_uint %bits %u0
%word = OpLoad %uint %same
%to = OpAccessChain %of_uint %seen %u0
OpStore %to %word
)");
  for (const char* const name : {"number", "bits", "u4", "t4", "set 0, binding 4"}) {
    const Value made =
        made_by_text(text, map_of({{"resources", map_of({{name, words_of_case({0x40000000})}, {"seen", words_of_case({0})}})}}));
    EXPECT_EQ(hex_of(made, "seen"), "00008040") << name;
    EXPECT_EQ(made.find("resources")->as_map()->size(), 2U);
    EXPECT_EQ(hex_of(made, "u4"), "00008040");
  }
  EXPECT_EQ(fault_of(text, map_of({{"resources", map_of({{"bits", words_of_case({1})}, {"number", words_of_case({1})}})}})),
            "resources/number: the same binding as `bits`: it must have one name in the case and its suite");
}

/// Three blocks with a member `scale`, the first two of one type, and an array of two: their sum is stored.
std::string scales() {
  return module_of(
      "OpName %A \"A\"\nOpMemberName %A 0 \"scale\"\nOpName %B \"B\"\nOpMemberName %B 0 \"scale\"\nOpMemberName %B 1 \"own\"\nOpName %a "
      "\"a\"\n"
      "OpName %b \"b\"\nOpName %c \"c\"\nOpName %many \"many\"\nOpName %seen \"seen\"\nOpDecorate %A Block\nOpDecorate %B Block\n"
      "OpDecorate %Out BufferBlock\nOpMemberDecorate %A 0 Offset 0\nOpMemberDecorate %B 0 Offset 0\nOpMemberDecorate %B 1 Offset 4\n"
      "OpMemberDecorate %Out 0 Offset 0\nOpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 0\nOpDecorate %b DescriptorSet 0\n"
      "OpDecorate %b Binding 1\nOpDecorate %c DescriptorSet 0\nOpDecorate %c Binding 2\nOpDecorate %many DescriptorSet 0\n"
      "OpDecorate %many Binding 3\nOpDecorate %seen DescriptorSet 0\nOpDecorate %seen Binding 9\nOpDecorate %uints ArrayStride 4\n",
      R"(%u5 = OpConstant %uint 5
%uints = OpTypeArray %uint %u5
%A = OpTypeStruct %uint
%B = OpTypeStruct %uint %uint
%Out = OpTypeStruct %uints
%As = OpTypeArray %A %u2
%of_a = OpTypePointer Uniform %A
%of_b = OpTypePointer Uniform %B
%of_as = OpTypePointer Uniform %As
%of_out = OpTypePointer Uniform %Out
%of_uint = OpTypePointer Uniform %uint
%a = OpVariable %of_a Uniform
%b = OpVariable %of_a Uniform
%c = OpVariable %of_b Uniform
%many = OpVariable %of_as Uniform
%seen = OpVariable %of_out Uniform
)",
      R"(%pa = OpAccessChain %of_uint %a %u0
%va = OpLoad %uint %pa
%pb = OpAccessChain %of_uint %b %u0
%vb = OpLoad %uint %pb
%pc = OpAccessChain %of_uint %c %u0
%vc = OpLoad %uint %pc
%pd = OpAccessChain %of_uint %many %u1 %u0
%vd = OpLoad %uint %pd
%pe = OpAccessChain %of_uint %c %u1
%ve = OpLoad %uint %pe
%s1 = OpIAdd %uint %va %vb
%s2 = OpIAdd %uint %vc %vd
%s3 = OpIMul %uint %ve %s2
%sum = OpIAdd %uint %s1 %s3
%to = OpAccessChain %of_uint %seen %u0 %u0
OpStore %to %sum
)");
}

TEST(Bindings, AMemberOfSeveralBlocksHasItsFullName) {
  const auto given = [](std::initializer_list<std::pair<std::string_view, Value>> constants) {
    return map_of({{"constants", map_of(constants)}, {"resources", map_of({{"seen", words_of_case({0, 0, 0, 0, 0})}})}});
  };
  const auto number = [](unsigned value) { return Value::integer(value); };
  EXPECT_EQ(fault_of(scales(), given({{"scale", number(3)}})),
            "constants/scale: several constants have this name: `a.scale`, `b.scale`, `B.scale`, `many[0].scale` or `many[1].scale`");
  EXPECT_EQ(fault_of(scales(), given({{"A.scale", number(3)}})),
            "constants/A.scale: several constants have this name: `a.scale`, `b.scale`, `many[0].scale` or `many[1].scale`");
  EXPECT_EQ(fault_of(scales(), given({{"a.scales", number(3)}})), "constants/a.scales: no constant buffer has a variable of this name");
  const Value made = made_by_text(
      scales(),
      given({{"a.scale", number(1)}, {"b1.scale", number(2)}, {"B.scale", number(3)}, {"many[1].scale", number(4)}, {"own", number(10)}}));
  EXPECT_EQ(hex_of(made, "seen").substr(0, 8), "49000000");
  const Value other = made_by_text(scales(), given({{"set 0, binding 0.scale", number(1)}, {"c.own", number(1)}, {"c.scale", number(5)}}));
  EXPECT_EQ(hex_of(other, "seen").substr(0, 8), "06000000");
}

// What is a block of several variables in Vulkan is one variable, a struct, in Direct3D: a case says both ways of both.
TEST(Bindings, MembersAreGivenAloneOrAsAMap) {
  const auto scale = [](unsigned value) { return map_of({{"scale", Value::integer(value)}}); };
  const Value given = map_of(
      {{"constants", map_of({{"a", scale(1)}, {"b1", scale(2)}, {"B", scale(3)}, {"many[1]", scale(4)}, {"own", Value::integer(10)}})},
       {"resources", map_of({{"seen", words_of_case({0, 0, 0, 0, 0})}})}});
  EXPECT_EQ(hex_of(made_by_text(scales(), given), "seen").substr(0, 8), "49000000");

  constexpr std::string_view kText = R"(//
// Buffer Definitions:
//
// cbuffer light
// {
//
//   struct Light
//   {
//
//       float4 tint;                   // Offset:    0
//       float gain;                    // Offset:   16
//
//   } light;                           // Offset:    0 Size:    20
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// light                             cbuffer      NA          NA            cb0      1
//
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_output o0.xyzw
mul o0.xyzw, cb0[0].xyzw, cb0[1].xxxx
ret
)";
  const Value tint = run_test::list_of({Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4)});
  const auto of = [&](Value constants) {
    return run_test::text_of(
        made_by_text(kText, map_of({{"constants", std::move(constants)}, {"lanes", run_test::list_of({Value::map()})}})), "lanes", 0,
        "SV_Target");
  };
  EXPECT_EQ(of(map_of({{"light", map_of({{"tint", tint}, {"gain", Value::integer(2)}})}})), "2 4 6 8");
  EXPECT_EQ(of(map_of({{"light.tint", tint}, {"light.gain", Value::integer(2)}})), "2 4 6 8");
  EXPECT_EQ(of(map_of({{"light", map_of({{"gain", Value::integer(2)}})}, {"light.tint", tint}})), "2 4 6 8");
  EXPECT_EQ(fault_of(kText, map_of({{"constants", map_of({{"light", map_of({{"tint", tint}})}, {"light.tint", tint}})}})),
            "constants/light.tint: `light.tint` and `light` overlap: each value must be given once");
  const std::string far = "light" + std::string(20000, '.') + "tint";
  EXPECT_EQ(fault_of(kText, map_of({{"constants", map_of({{far, tint}})}})).substr(0, 16), "constants/light.");
}

TEST(Bindings, AConstantHasOneName) {
  const auto given = map_of({{"constants", map_of({{"a.scale", Value::integer(1)}, {"set 0, binding 0.scale", Value::integer(2)}})}});
  EXPECT_EQ(fault_of(scales(), given),
            "constants/set 0, binding 0.scale: `set 0, binding 0.scale` and `a.scale` overlap: each value must be given once");
}

// In cases and in results.
TEST(Bindings, WhatIsSpelledAsABindingIsOne) {
  auto module = ir::parse(
      "stage compute\nresource @u0 uav_byte_address dimension buffer register 1\n"
      "resource @u1 uav_byte_address dimension buffer register 0\nresource @u7 uav_byte_address dimension buffer register 3\n"
      "\nfunction @main {\n^0:\n  %0 = handle @u0 0\n  buffer_store i32 raw %0 0 5\n  return\n}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const auto given = map_of({{"resources", map_of({{"u0", words_of_case({7})}, {"u1", words_of_case({9})}, {"u7", words_of_case({8})}})}});
  const auto done = execute(*std::move(module), given);
  ASSERT_TRUE(done) << to_string(done.error());
  const auto hex = [&](std::string_view name) {
    const Value::Member* const found = find_resource(*done, name);
    return found == nullptr ? "none" : *found->value.find("hex")->as_text();
  };
  EXPECT_EQ(hex("u0"), "07000000");
  EXPECT_EQ(hex("u1"), "05000000");
  // nothing is bound there: a name
  EXPECT_EQ(hex("u7"), "08000000");
  EXPECT_EQ(hex("u3"), "08000000");
}

// u0 is bound at u1: whether u0 means its name or the resource bound at u0 cannot be known.
TEST(Bindings, BindingsThatAreNamesOfOthersAreRefused) {
  constexpr std::string_view kText =
      "stage compute\nresource @u0 uav_byte_address dimension buffer register 1\n"
      "resource @first uav_byte_address dimension buffer register 0\n"
      "\nfunction @main {\n^0:\n  %0 = handle @u0 0\n  buffer_store i32 raw %0 0 5\n  return\n}\n";
  const auto fault = [&](std::initializer_list<std::string_view> names) {
    Value resources = Value::map();
    for (const std::string_view name : names) resources.add(std::string(name), words_of_case({7}));
    auto module = ir::parse(kText);
    const auto done = execute(*std::move(module), map_of({{"resources", resources}}));
    return done ? std::string("none") : to_string(done.error());
  };
  const std::string_view both = "must be written as `u0,space0` or `u1`";
  EXPECT_NE(fault({"u0"}).find(both), std::string::npos) << fault({"u0"});
  EXPECT_NE(fault({"u0", "first"}).find(both), std::string::npos) << fault({"u0", "first"});
  EXPECT_NE(fault({"first", "u0"}).find(both), std::string::npos) << fault({"first", "u0"});
  EXPECT_EQ(fault({"u0,space0"}), "none");
  EXPECT_EQ(fault({"u1"}), "none");
  EXPECT_EQ(fault({"u0", "u1"}), "none");
}

TEST(Bindings, CasesSetSpecializationConstants) {
  const std::string text = module_of(
      "OpName %Count \"Count\"\nOpName %Truth \"Truth\"\nOpName %seen \"seen\"\nOpDecorate %Count SpecId 7\nOpDecorate %Truth SpecId 2\n"
      "OpDecorate %Small SpecId 3\nOpDecorate %size SpecId 4\nOpDecorate %group BuiltIn WorkgroupSize\nOpDecorate %Out BufferBlock\n"
      "OpMemberDecorate %Out 0 Offset 0\nOpDecorate %words ArrayStride 4\nOpDecorate %seen DescriptorSet 0\nOpDecorate %seen Binding 0\n",
      R"(%bool = OpTypeBool
%v3uint = OpTypeVector %uint 3
%Count = OpSpecConstant %uint 2
%Truth = OpSpecConstantFalse %bool
%Small = OpSpecConstant %uint 1
%size = OpSpecConstant %uint 1
%group = OpSpecConstantComposite %v3uint %size %u1 %u1
%twice = OpSpecConstantOp %uint IMul %Count %u2
%words = OpTypeRuntimeArray %uint
%Out = OpTypeStruct %words
%of_out = OpTypePointer Uniform %Out
%of_uint = OpTypePointer Uniform %uint
%seen = OpVariable %of_out Uniform
)",
      R"(%chosen = OpSelect %uint %Truth %u11 %u22
%sum = OpIAdd %uint %twice %Small
%p0 = OpAccessChain %of_uint %seen %u0 %u0
%ignored = OpAtomicIAdd %uint %p0 %u1 %u0 %sum
%p1 = OpAccessChain %of_uint %seen %u0 %u1
OpStore %p1 %chosen
)");
  const auto given = [](std::initializer_list<std::pair<std::string_view, Value>> constants) {
    return map_of({{"constants", map_of(constants)}, {"resources", map_of({{"seen", words_of_case({0, 0})}})}});
  };
  EXPECT_EQ(hex_of(made_by_text(text, given({})), "seen"), "0500000016000000");
  EXPECT_EQ(
      hex_of(made_by_text(text, given({{"Count", Value::integer(5)}, {"Truth", Value::boolean(true)}, {"3", Value::integer(2)}})), "seen"),
      "0c0000000b000000");
  // the group is as large as a constant says
  EXPECT_EQ(hex_of(made_by_text(text, given({{"4", Value::integer(3)}})), "seen"), "0f00000016000000");
  EXPECT_EQ(fault_of(text, given({{"Count", Value::real(1.5)}})), "constants/Count: expected a whole number, found 1.5");
  EXPECT_EQ(fault_of(text, given({{"Count", Value::integer(1)}, {"7", Value::integer(1)}})),
            "constants/7: the specialization constant `7` is given twice");
  EXPECT_EQ(fault_of(text, given({{"Cont", Value::integer(1)}})),
            "constants/Cont: no constant buffer has a variable of this name; did you mean `Count`?");
}

TEST(Bindings, ElementsOfDirect3dHaveRegistersOfTheirOwn) {
  constexpr std::string_view kRange = R"(cs_5_1
dcl_globalFlags refactoringAllowed
dcl_uav_raw U0[4:7], space=1
dcl_uav_raw U1[8:8], space=1
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.x, vThreadID.x
store_raw U0[6].x, l(0), l(5)
store_raw U0[r0.x + 4].x, l(4), l(7)
store_raw U1[8].x, l(0), l(9)
ret
)";
  const Value made = made_by_text(kRange, Value::map());
  EXPECT_EQ(made.find("resources")->as_map()->size(), 5U);
  EXPECT_EQ(hex_of(made, "u6,space1").substr(0, 8), "05000000");
  EXPECT_EQ(hex_of(made, "u4,space1").substr(8), "07000000");
  EXPECT_EQ(hex_of(made, "u8,space1").substr(0, 8), "09000000");
  const Value one = made_by_text(kRange, map_of({{"resources", map_of({{"u4,space1[2]", words_of_case({1, 2})}})}}));
  EXPECT_EQ(hex_of(one, "u6,space1"), "0500000002000000");
}

/// A list whose nodes have a number and the address of the next: their sum, and then the last one's number is 100.
constexpr std::string_view kList = R"(OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %Push "Push"
OpMemberName %Push 0 "list"
OpName %seen "seen"
OpDecorate %Push Block
OpMemberDecorate %Push 0 Offset 0
OpDecorate %Out Block
OpMemberDecorate %Out 0 Offset 0
OpDecorate %seen DescriptorSet 0
OpDecorate %seen Binding 0
OpDecorate %Node Block
OpMemberDecorate %Node 0 Offset 0
OpMemberDecorate %Node 1 Offset 8
OpTypeForwardPointer %of_node PhysicalStorageBuffer
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%bool = OpTypeBool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u100 = OpConstant %uint 100
%l0 = OpConstant %ulong 0
%Node = OpTypeStruct %uint %of_node
%of_node = OpTypePointer PhysicalStorageBuffer %Node
%in_node = OpTypePointer PhysicalStorageBuffer %uint
%next_of = OpTypePointer PhysicalStorageBuffer %of_node
%Push = OpTypeStruct %of_node
%Out = OpTypeStruct %uint
%of_push = OpTypePointer PushConstant %Push
%of_list = OpTypePointer PushConstant %of_node
%of_out = OpTypePointer StorageBuffer %Out
%of_uint = OpTypePointer StorageBuffer %uint
%push = OpVariable %of_push PushConstant
%seen = OpVariable %of_out StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%at = OpAccessChain %of_list %push %u0
%first = OpLoad %of_node %at
OpBranch %head
%head = OpLabel
%node = OpPhi %of_node %first %entry %next %body
%sum = OpPhi %uint %u0 %entry %more %body
OpLoopMerge %done %body None
OpBranch %body
%body = OpLabel
%number_at = OpAccessChain %in_node %node %u0
%number = OpLoad %uint %number_at Aligned 4
%more = OpIAdd %uint %sum %number
%next_at = OpAccessChain %next_of %node %u1
%next = OpLoad %of_node %next_at Aligned 8
%address = OpConvertPtrToU %ulong %next
%ends = OpIEqual %bool %address %l0
OpBranchConditional %ends %done %head
%done = OpLabel
OpStore %number_at %u100 Aligned 4
%to = OpAccessChain %of_uint %seen %u0
OpStore %to %more
OpReturn
OpFunctionEnd
)";

// HLSL's counters are buffers of their own in Vulkan: glslang calls them `made@count`, DXC `counter.var.made`.
TEST(Bindings, CountersAreGivenToWhatCounts) {
  const auto module_of = [](std::string_view counter) {
    return "stage compute\nresource @made uav_byte_address dimension raw_buffer register 0 in_set\nresource @count \"" +
           std::string(counter) +
           "\" uav_byte_address dimension raw_buffer register 1 in_set\nfunction @main {\n^0:\n  %b = handle @made 0\n  %c = handle @count "
           "0\n  %n = buffer_load i32 raw %c 0\n  %m = iadd i32 %n 1\n  buffer_store i32 raw %c 0 %m\n  buffer_store i32 raw %b 4 %n\n"
           "  return\n}\n";
  };
  const auto given = [](std::string_view name) {
    return map_of({{"resources", map_of({{name, map_of({{"size", Value::integer(8)}, {"counter", Value::integer(5)}})}})}});
  };
  for (const char* const counter : {"made@count", "counter.var.made"}) {
    auto module = ir::parse(module_of(counter));
    ASSERT_TRUE(module) << to_string(module.error());
    const auto done = execute(std::move(*module), given("made"));
    ASSERT_TRUE(done) << to_string(done.error());
    const Value& made = *done->find("resources")->find("u0");
    EXPECT_EQ(*made.find("hex")->as_text(), "0000000005000000");
    EXPECT_EQ(made.find("counter")->as_integer()->magnitude, 6U);
  }
  for (const bool first : {true, false}) {
    auto twice = ir::parse(module_of("made@count"));
    ASSERT_TRUE(twice) << to_string(twice.error());
    Value resources = Value::map();
    if (first) resources.add("made@count", words_of_case({3}));
    resources.add("made", map_of({{"size", Value::integer(8)}, {"counter", Value::integer(5)}}));
    if (!first) resources.add("made@count", words_of_case({3}));
    const auto done = execute(std::move(*twice), map_of({{"resources", std::move(resources)}}));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().path + ": " + done.error().message,
              first ? "resources/made/counter: `made@count` is this counter: the case must not set both"
                    : "resources/made@count: this is the counter of `u0`, which the case gives as `counter`");
  }
  auto other = ir::parse(module_of("other"));
  ASSERT_TRUE(other) << to_string(other.error());
  const auto refused = execute(std::move(*other), given("made"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path + ": " + refused.error().message,
            "resources/made/counter: the shader has no counter for this buffer; in SPIR-V that is a storage buffer of its own, "
            "`NAME@count` or `counter.var.NAME`");
}

TEST(Bindings, ResourcesHaveNoFieldsOfOtherKinds) {
  constexpr std::string_view kText = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_uav_structured u1, 16
dcl_uav_typed_texture2d (float,float,float,float) u2
dcl_uav_structured_opc u3, 16
dcl_uav_structured u4, 16
dcl_uav_typed_texture1d (float,float,float,float) u5
dcl_temps 1
dcl_thread_group 1, 1, 1
store_structured u3.x, l(0), l(0), l(1)
imm_atomic_alloc r0.x, u4
store_structured u4.x, r0.x, l(0), l(1)
store_uav_typed u5.xyzw, l(0,0,0,0), l(1.0,1.0,1.0,1.0)
store_raw u0.x, l(0), l(1)
store_structured u1.x, l(0), l(0), l(1)
store_uav_typed u2.xyzw, l(0,0,0,0), l(1.0,1.0,1.0,1.0)
ret
)";
  const Assembly made = shader::assemble(shader::language_of(kText), kText);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  ASSERT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  ASSERT_TRUE(runnable) << to_string(runnable.error());
  const auto of = [&](std::string_view name, std::string_view field, Value value) -> std::string {
    Value map = Value::map();
    if (name == "u2" || name == "u5") {
      map.add("width", Value::integer(1));
      map.add("format", Value::text("R32_FLOAT"));
    } else {
      map.add("size", Value::integer(16));
    }
    map.add(field, std::move(value));
    const auto done = execute(*runnable, map_of({{"resources", map_of({{name, std::move(map)}})}}));
    return done ? "ran" : done.error().path + ": " + done.error().message;
  };
  for (const char* const name : {"u3", "u4"}) EXPECT_EQ(of(name, "counter", Value::integer(1)), "ran");
  for (const std::string name : {"u0", "u1", "u2"}) {
    EXPECT_EQ(of(name, "counter", Value::integer(1)),
              "resources/" + name + "/counter: the resource has no counter: only buffers that append, consume or count have one");
  }
  EXPECT_EQ(of("u2", "layers", Value::integer(2)),
            "resources/u2/layers: only arrays and cubes have `layers`, and this resource is a texture2d");
  EXPECT_EQ(of("u2", "layers", Value::integer(1)), "ran");
  EXPECT_EQ(of("u5", "height", Value::integer(2)),
            "resources/u5/height: only 2D and 3D textures have `height`, and this resource is a texture1d");
  EXPECT_EQ(of("u0", "layers", Value::integer(5)), "resources/u0/layers: only textures have `layers`, and this resource is a buffer");
  EXPECT_EQ(of("u1", "samples", Value::integer(4)), "resources/u1/samples: only textures have `samples`, and this resource is a buffer");
  EXPECT_EQ(of("u2", "stride", Value::integer(12)), "resources/u2/stride: only buffers have `stride`, and this resource is a texture2d");
  EXPECT_EQ(of("u2", "raw", Value::boolean(true)), "resources/u2/raw: only buffers have `raw`, and this resource is a texture2d");
  EXPECT_EQ(of("u2", "depth", Value::integer(4)), "resources/u2/depth: only 3D textures have `depth`, and this resource is a texture2d");
  EXPECT_EQ(of("u2", "samples", Value::integer(4)),
            "resources/u2/samples: only multisampled textures have `samples`, and this resource is a texture2d");
}

// Without a size a texture would have no texels, and a cube of one layer one face.
TEST(Bindings, TexturesMustHaveASize) {
  constexpr std::string_view kText = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texturecube (unorm,unorm,unorm,unorm) t1
dcl_resource_buffer (uint,uint,uint,uint) t2
dcl_sampler s0, mode_default
dcl_uav_structured u0, 16
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw
store_structured u0.xyzw, l(0), l(0), r0.xyzw
sample_l_indexable(texturecube)(unorm,unorm,unorm,unorm) r0.xyzw, l(0,0,0,0), t1.xyzw, s0, l(0)
store_structured u0.xyzw, l(0), l(0), r0.xyzw
ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(0,0,0,0), t2.xyzw
store_structured u0.xyzw, l(0), l(0), r0.xyzw
ret
)";
  const auto of = [&](std::string_view name, std::string_view format, std::initializer_list<std::pair<std::string_view, unsigned>> sizes) {
    Value map = Value::map();
    map.add("format", Value::text(std::string(format)));
    for (const auto& [field, size] : sizes) map.add(field, Value::integer(size));
    return fault_of(kText, map_of({{"resources", map_of({{name, std::move(map)}})}}));
  };
  EXPECT_EQ(of("t0", "R32_FLOAT", {{"width", 2}, {"height", 2}}), "none");
  const std::string no_width = "resources/t0/width: a texture2d must have a width, as it has in texels";
  EXPECT_EQ(of("t0", "R32_FLOAT", {}), no_width);
  EXPECT_EQ(of("t0", "R32_FLOAT", {{"size", 16}}), no_width);
  EXPECT_EQ(of("t0", "R32_FLOAT", {{"width", 0}, {"height", 2}}), no_width);
  EXPECT_EQ(of("t1", "R8G8B8A8_UNORM", {{"width", 2}, {"height", 2}, {"layers", 6}}), "none");
  const std::string six = "resources/t1/layers: a texture_cube has six layers for each cube, one for each face; found ";
  EXPECT_EQ(of("t1", "R8G8B8A8_UNORM", {{"width", 2}, {"height", 2}}), six + "1");
  EXPECT_EQ(of("t1", "R8G8B8A8_UNORM", {{"width", 2}, {"height", 2}, {"layers", 8}}), six + "8");
  EXPECT_EQ(of("t2", "R32_SINT", {{"size", 16}}), "none");
}

// fxc declares the elements that the code uses, each by its register; RDEF has the array.
TEST(Bindings, ElementsThatTheCodeDoesNotUseHaveNames) {
  constexpr std::string_view kText = R"(//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// maps                              texture  float4          2d             t2      4
// made                                  UAV    byte         r/w             u0      1
//
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t3
dcl_uav_raw u0
dcl_temps 1
ld r0.xyzw, l(0,0,0,0), t3.xyzw
store_raw u0.x, l(0), r0.x
ret
)";
  const Assembly made = shader::assemble(shader::language_of(kText), kText);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  ASSERT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  ASSERT_TRUE(runnable) << to_string(runnable.error());
  const auto of = [&](std::string_view name) -> std::string {
    Value map = Value::map();
    map.add("width", Value::integer(1));
    map.add("height", Value::integer(1));
    map.add("format", Value::text("R32_UINT"));
    map.add("words", run_test::list_of_numbers({31}));
    Value resources = map_of({{"u0", map_of({{"size", Value::integer(4)}})}});
    resources.add(name, std::move(map));
    const auto done = execute(*runnable, map_of({{"resources", std::move(resources)}}));
    if (!done) return done.error().path + ": " + done.error().message;
    return *done->find("resources")->find("u0")->find("hex")->as_text();
  };
  EXPECT_EQ(of("maps[1]"), "1f000000");
  EXPECT_EQ(of("maps"), "00000000");
  EXPECT_EQ(of("maps[0]"), "00000000");
  EXPECT_EQ(of("maps[3]"), "00000000");
  EXPECT_EQ(of("maps[4]"), "resources/maps[4]: `maps` is an array: expected an index below 4");
  EXPECT_EQ(of("mops[0]"), "resources/mops[0]: the shader has no resource of this name; did you mean `maps[1]`?");
}

TEST(Bindings, CasesGiveBuffersAddresses) {
  const auto given = [](std::initializer_list<std::pair<std::string_view, Value>> addresses) {
    return map_of({{"constants", map_of({{"list", Value::integer(0x1'0000'0000)}})},
                   {"resources", map_of({{"seen", words_of_case({0})}})},
                   {"addresses", map_of(addresses)}});
  };
  const Value made =
      made_by_text(kList, given({{"0x20000", words_of_case({1, 1, 40, 0, 0, 0})}, {"0x100000000", words_of_case({2, 0, 0x20008, 0})}}));
  EXPECT_EQ(hex_of(made, "seen"), "2a000000");
  EXPECT_EQ(made.find("resources")->find("0x20000")->find("hex")->as_text()->substr(16, 8), "64000000");
  EXPECT_EQ(made.find("resources")->find("0x100000000")->find("hex")->as_text()->substr(0, 8), "02000000");
  // what has no buffer reads 0
  EXPECT_EQ(hex_of(made_by_text(kList, given({})), "seen"), "00000000");
  EXPECT_EQ(fault_of(kList, given({{"0x20000", words_of_case({1, 2})}, {"0x20004", words_of_case({1})}})),
            "addresses/0x20004: the buffer overlaps another one");
  EXPECT_EQ(fault_of(kList, given({{"list", words_of_case({1, 2})}})),
            "addresses/list: expected an address: a whole number of 64 bits above 0, such as 0x10000");
}

}  // namespace
}  // namespace unshade::run
