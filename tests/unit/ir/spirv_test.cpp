#include <unshade/ir/lower_spirv.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/module.hpp>

#include "support/files.hpp"
#include "support/two_outputs.hpp"

namespace unshade::ir {
namespace {

// A compute shader around a body: %in and %out are arrays of u32 in storage buffers, %at its place in them, %x = in[at].
constexpr std::string_view kHead = R"(
OpCapability Shader
OpCapability GroupNonUniform
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpName %x "x"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 16
OpDecorate %block Block
OpDecorate %in DescriptorSet 1
OpDecorate %in Binding 2
OpDecorate %in NonWritable
OpDecorate %out DescriptorSet 1
OpDecorate %out Binding 3
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %u32 3
%v2f = OpTypeVector %f32 2
%array = OpTypeRuntimeArray %u32
%block = OpTypeStruct %array
%p_block = OpTypePointer StorageBuffer %block
%p_u32 = OpTypePointer StorageBuffer %u32
%p_in = OpTypePointer Input %v3
%p_function = OpTypePointer Function %u32
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c264 = OpConstant %u32 264
%f1 = OpConstant %f32 1
%fn = OpTypeFunction %void
%fn_pointer = OpTypeFunction %u32 %p_function
%id = OpVariable %p_in Input
%in = OpVariable %p_block StorageBuffer
%out = OpVariable %p_block StorageBuffer
)";
constexpr std::string_view kMain = R"(
%main = OpFunction %void None %fn
%entry = OpLabel
%local = OpVariable %p_function Function
%ids = OpLoad %v3 %id
%at = OpCompositeExtract %u32 %ids 0
%from = OpAccessChain %p_u32 %in %c0 %at
%to = OpAccessChain %p_u32 %out %c0 %at
%x = OpLoad %u32 %from
)";
constexpr std::string_view kEnd = R"(
OpReturn
OpFunctionEnd
)";

Result<Module> lowered(std::string_view body, std::string_view functions = "", std::string_view capability = "",
                       std::string_view size = "8 1 1", const SpirvOptions& options = {}) {
  std::string head(kHead);
  head.replace(head.find("8 1 1"), 5, size);
  const auto bytes =
      spirv::assemble(std::string(capability) + head + std::string(functions) + std::string(kMain) + std::string(body) + std::string(kEnd));
  EXPECT_TRUE(bytes) << to_string(bytes.error());
  if (!bytes) return bytes.error();
  const auto module = spirv::parse(test::view_of(*bytes));
  EXPECT_TRUE(module);
  auto made = lower(*module, options);
  if (made) {
    for (const auto& finding : findings_of(*made)) ADD_FAILURE() << to_string(finding) << '\n' << print(*made);
  }
  return made;
}

std::size_t count(const Module& module, Op op) {
  const Function& function = module.functions[0];
  std::size_t found = 0;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) found += function.insts[id].op == op ? 1 : 0;
  }
  return found;
}

TEST(LowerSpirv, ReadsAndWritesStorageBuffersByBytes) {
  const auto module = lowered("OpStore %to %x");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->stage, Stage::compute);
  EXPECT_EQ(module->info.group_size[0], 8U);
  EXPECT_EQ(module->modes.denorm32, Denormals::preserve);
  ASSERT_EQ(module->resources.size(), 2U);
  EXPECT_EQ(module->resources[0].kind, dxcontainer::ResourceKind::byte_address);
  EXPECT_EQ(module->resources[0].space, 1U);
  EXPECT_EQ(module->resources[0].first_register, 2U);
  EXPECT_EQ(module->resources[1].kind, dxcontainer::ResourceKind::uav_byte_address);
  const std::string text = print(*module);
  EXPECT_NE(text.find("%x = buffer_load i32"), std::string::npos) << text;
  EXPECT_NE(text.find("16"), std::string::npos) << text;
  EXPECT_EQ(count(*module, Op::buffer_store), 1U);
}

TEST(LowerSpirv, CopiesFunctionsToTheirCallsWithPointers) {
  constexpr std::string_view kFunction = R"(
%pick = OpFunction %u32 None %fn_pointer
%p = OpFunctionParameter %p_function
%pick_entry = OpLabel
%v = OpLoad %u32 %p
%odd = OpINotEqual %bool %v %c0
OpSelectionMerge %pick_merge None
OpBranchConditional %odd %yes %pick_merge
%yes = OpLabel
OpReturnValue %c1
%pick_merge = OpLabel
OpReturnValue %c2
OpFunctionEnd
)";
  const auto module = lowered(R"(
OpStore %local %x
%a = OpFunctionCall %u32 %pick %local
%b = OpFunctionCall %u32 %pick %local
%sum = OpIAdd %u32 %a %b
OpStore %to %sum)",
                              kFunction);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->functions.size(), 1U);
  EXPECT_EQ(count(*module, Op::phi), 2U);
  EXPECT_EQ(count(*module, Op::branch), 2U);
  ASSERT_EQ(module->variables.size(), 1U);
  EXPECT_EQ(module->variables[0].bytes, 4U);
}

// Functions of numbers stay; those of pointers, and those that end the invocation, are copied to their calls.
TEST(LowerSpirv, KeepsCalls) {
  constexpr std::string_view kFunctions = R"(
OpName %twice "twice"
%fn_value = OpTypeFunction %u32 %u32
%fn_vector = OpTypeFunction %v3 %v3 %u32
%twice = OpFunction %u32 None %fn_value
%a = OpFunctionParameter %u32
%twice_entry = OpLabel
%doubled = OpIAdd %u32 %a %a
OpReturnValue %doubled
OpFunctionEnd
%vector = OpFunction %v3 None %fn_vector
%b = OpFunctionParameter %v3
%c = OpFunctionParameter %u32
%vector_entry = OpLabel
%d = OpFunctionCall %u32 %twice %c
%e = OpCompositeInsert %v3 %d %b 1
OpReturnValue %e
OpFunctionEnd
%pick = OpFunction %u32 None %fn_pointer
%p = OpFunctionParameter %p_function
%pick_entry = OpLabel
%v = OpLoad %u32 %p
%w = OpFunctionCall %u32 %twice %v
OpReturnValue %w
OpFunctionEnd
%ends = OpFunction %u32 None %fn_value
%f = OpFunctionParameter %u32
%ends_entry = OpLabel
OpTerminateInvocation
OpFunctionEnd
)";
  const std::string kBody = R"(
OpStore %local %x
%g = OpFunctionCall %v3 %vector %ids %x
%h = OpFunctionCall %u32 %pick %local
%i = OpCompositeExtract %u32 %g 1
%sum = OpIAdd %u32 %h %i
OpStore %to %sum
)";
  const auto inlined = lowered(kBody, kFunctions);
  ASSERT_TRUE(inlined) << to_string(inlined.error());
  EXPECT_EQ(inlined->functions.size(), 1U);
  auto kept = lowered(kBody, kFunctions, "", "8 1 1", {.keep_calls = true});
  ASSERT_TRUE(kept) << to_string(kept.error());
  ASSERT_EQ(kept->functions.size(), 3U);
  EXPECT_EQ(count(*kept, Op::call), 2U);  // that in `pick` too
  EXPECT_EQ(kept->functions[1].parameters.size(), 4U);
  EXPECT_EQ(kept->functions[1].results.size(), 3U);
  EXPECT_EQ(kept->functions[2].name, "twice");
  const auto calls = passes::inline_calls(*kept);
  ASSERT_TRUE(calls) << to_string(calls.error());
  EXPECT_EQ(*calls, 3U);
  EXPECT_EQ(count(*kept, Op::iadd), count(*inlined, Op::iadd));
  const auto ending = lowered("%j = OpFunctionCall %u32 %ends %x\n", kFunctions, "", "8 1 1", {.keep_calls = true});
  ASSERT_TRUE(ending) << to_string(ending.error());
  EXPECT_EQ(ending->functions.size(), 1U);
}

TEST(LowerSpirv, SaysWhatMemoryAndImagesHold) {
  const auto module =
      lowered("%read_image = OpLoad %image_type %image\n%read_g = OpLoad %v2s %g\n%read_m = OpLoad %mixed %m\nOpStore %to %x\n", R"(
OpDecorate %image DescriptorSet 1
OpDecorate %image Binding 4
OpDecorateId %out CounterBuffer %in
%image_type = OpTypeImage %f32 2D 0 0 0 2 Rg16f
%p_image = OpTypePointer UniformConstant %image_type
%image = OpVariable %p_image UniformConstant
%c5 = OpConstant %u32 5
%v2s = OpTypeArray %v2f %c5
%mixed = OpTypeStruct %f32 %u32
%p_v2s = OpTypePointer Workgroup %v2s
%p_mixed = OpTypePointer Private %mixed
%g = OpVariable %p_v2s Workgroup
%m = OpVariable %p_mixed Private
)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->entry, "main");
  ASSERT_EQ(module->resources.size(), 3U);
  EXPECT_EQ(module->resources[2].format, ImageFormat::rg16f);
  EXPECT_EQ(module->resources[1].counter, 0U);
  EXPECT_TRUE(has_counter(module->resources[1]));
  EXPECT_FALSE(has_counter(module->resources[0]));
  ASSERT_EQ(module->variables.size(), 3U);
  EXPECT_EQ(module->variables[0].element, Type::f32);
  EXPECT_EQ(module->variables[0].stride, 8U);
  EXPECT_EQ(module->variables[1].element, Type::void_);
  EXPECT_EQ(module->variables[1].stride, 0U);
}

TEST(LowerSpirv, NumbersComponents) {
  const auto module = lowered("%y = OpIAdd %v3 %ids %ids\n%z = OpCompositeExtract %u32 %y 2\nOpStore %to %z\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const Function& function = module->functions[0];
  std::vector<unsigned> found;
  for (Id id = 0; id < function.insts.size(); ++id)
    if (function.insts[id].op == Op::iadd && function.sources[id].group == function.sources[id].instruction &&
        function.sources[id].component != kNoComponent)
      found.push_back(function.sources[id].component);
  EXPECT_EQ(found, (std::vector<unsigned>{0, 1, 2}));
}

TEST(LowerSpirv, RefusesRecursion) {
  const auto module = lowered("%r = OpFunctionCall %u32 %again %local\n", R"(
%again = OpFunction %u32 None %fn_pointer
%q = OpFunctionParameter %p_function
%again_entry = OpLabel
%w = OpFunctionCall %u32 %again %q
OpReturnValue %w
OpFunctionEnd
)");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::unsupported);
}

// The functions in the order of the file, each of which calls the one before it sixteen times.
TEST(LowerSpirv, BoundsInlining) {
  const auto called = [](unsigned levels) {
    std::string functions;
    for (unsigned level = 0; level <= levels; ++level) {
      const std::string name = "%f" + std::to_string(level);
      functions += name + " = OpFunction %void None %fn\n" + name + "_entry = OpLabel\n";
      for (unsigned call = 0; call < 16 && level != 0; ++call)
        functions += name + '_' + std::to_string(call) + " = OpFunctionCall %void %f" + std::to_string(level - 1) + '\n';
      functions += "OpReturn\nOpFunctionEnd\n";
    }
    return lowered("%r = OpFunctionCall %void %f" + std::to_string(levels) + '\n', functions);
  };
  EXPECT_TRUE(called(3));
  const auto refused = called(4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()), "error[limit]: main: the program has too many instructions once functions are inlined");
}

// What instructions on arrays become is in proportion to the program: values, and operands of phis.
TEST(LowerSpirv, BoundsWhatArraysBecome) {
  constexpr std::string_view kTypes = "%n = OpConstant %u32 4096\n%many = OpTypeArray %u32 %n\n%zeros = OpConstantNull %many\n";
  constexpr std::string_view kMessage =
      "error[limit]: main: the program has too many instructions or operands once it is lowered to the IR";
  const auto inserts = [&](unsigned count) {
    std::string body = "%w0 = OpCompositeInsert %many %x %zeros 0\n";
    for (unsigned at = 1; at < count; ++at) {
      const std::string number = std::to_string(at);
      body += "%w" + number + " = OpCompositeInsert %many %x %w" + std::to_string(at - 1) + ' ' + number + '\n';
    }
    return lowered(body, kTypes);
  };
  EXPECT_TRUE(inserts(500));
  const auto values = inserts(2000);
  ASSERT_FALSE(values);
  EXPECT_EQ(to_string(values.error()).substr(to_string(values.error()).find("error")), kMessage);
  const auto phis = [&](unsigned predecessors) {
    std::string body = "OpSelectionMerge %merge None\nOpSwitch %x %b0", blocks, origins;
    for (unsigned at = 0; at < predecessors; ++at) {
      const std::string block = " %b" + std::to_string(at);
      if (at != 0) body += ' ' + std::to_string(at) + block;
      blocks += block + " = OpLabel\nOpBranch %merge\n";
      origins += " %zeros" + block;
    }
    return lowered(body + '\n' + blocks + "%merge = OpLabel\n%p = OpPhi %many" + origins + '\n', kTypes);
  };
  EXPECT_TRUE(phis(200));
  const auto operands = phis(2000);
  ASSERT_FALSE(operands);
  EXPECT_EQ(to_string(operands.error()).substr(to_string(operands.error()).find("error")), kMessage);
}

TEST(LowerSpirv, ChoosesPointersAsHandleAndOffset) {
  const auto module = lowered(
      "%from_in = OpAccessChain %p_u32 %in %c0 %c1\n%is = OpIEqual %bool %x %c0\n"
      "%p = OpSelect %p_u32 %is %from_in %to\nOpStore %p %c2\n",
      "", "OpCapability VariablePointers");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::select), 2U);
  EXPECT_EQ(count(*module, Op::buffer_store), 1U);
}

TEST(LowerSpirv, EndsABlockAtEachBarrier) {
  const auto module = lowered("OpControlBarrier %c2 %c2 %c264\nOpStore %to %x");
  ASSERT_TRUE(module) << to_string(module.error());
  const Function& function = module->functions[0];
  ASSERT_EQ(count(*module, Op::barrier), 1U);
  for (Id id = 0; id < function.insts.size(); ++id) {
    if (function.insts[id].op != Op::barrier) continue;
    EXPECT_EQ(function.insts[id].extra, kSyncGroup | kGroupMemory);
  }
}

TEST(LowerSpirv, TellsOrderedFromUnorderedComparisons) {
  const auto comparisons = [](std::string_view opcode) {
    const auto module =
        lowered("%f = OpBitcast %f32 %x\n%b = " + std::string(opcode) + " %bool %f %f1\n%r = OpSelect %u32 %b %c1 %c0\nOpStore %to %r");
    EXPECT_TRUE(module);
    std::string found;
    for (const Op op : {Op::flt, Op::fle, Op::feq, Op::fne, Op::funord, Op::inot, Op::iand, Op::ior}) {
      for (std::size_t k = 0; k < count(*module, op); ++k) found += std::string(info(op).text) + ' ';
    }
    return found;
  };
  EXPECT_EQ(comparisons("OpFOrdLessThan"), "flt ");
  EXPECT_EQ(comparisons("OpFUnordLessThan"), "fle inot ");
  EXPECT_EQ(comparisons("OpFOrdNotEqual"), "fne funord inot iand ");
  EXPECT_EQ(comparisons("OpFUnordNotEqual"), "fne ");
  EXPECT_EQ(comparisons("OpFUnordEqual"), "feq funord ior ");
}

TEST(LowerSpirv, ExpandsFunctionsOfVectors) {
  const auto module = lowered(R"(
%f = OpBitcast %f32 %x
%v = OpCompositeConstruct %v2f %f %f1
%length = OpExtInst %f32 %glsl Length %v
%r = OpBitcast %u32 %length
OpStore %to %r)");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::fmul), 2U);
  EXPECT_EQ(count(*module, Op::fadd), 1U);
  EXPECT_EQ(count(*module, Op::fsqrt), 1U);
}

TEST(LowerSpirv, TakesLevelsAsTheInstructionSays) {
  constexpr std::string_view kTexture = R"(
%image = OpTypeImage %f32 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%p_sampled = OpTypePointer UniformConstant %sampled
%v4f = OpTypeVector %f32 4
%texture = OpVariable %p_sampled UniformConstant
)";
  const auto sample = [&](std::string_view instruction) {
    return lowered("%t = OpLoad %sampled %texture\n%place = OpCompositeConstruct %v2f %f1 %f1\n%s = " + std::string(instruction), kTexture);
  };
  const auto implicit = sample("OpImageSampleImplicitLod %v4f %t %place");
  ASSERT_TRUE(implicit) << to_string(implicit.error());
  EXPECT_EQ(count(*implicit, Op::sample_implicit), 1U);
  const auto explicit_level = sample("OpImageSampleExplicitLod %v4f %t %place Lod %f1");
  ASSERT_TRUE(explicit_level) << to_string(explicit_level.error());
  EXPECT_EQ(count(*explicit_level, Op::sample), 1U);
  for (const std::string_view wrong :
       {"OpImageSampleImplicitLod %v4f %t %place Lod %f1", "OpImageSampleExplicitLod %v4f %t %place Bias %f1"}) {
    const auto module = sample(wrong);
    ASSERT_FALSE(module) << wrong;
    EXPECT_EQ(module.error().code, ErrorCode::bad_value);
    EXPECT_NE(module.error().message.find("Lod"), std::string::npos) << module.error().message;
  }
}

TEST(LowerSpirv, ReadsHowQuadsLieInGroups) {
  const auto is_square = [&](std::string_view size, bool stated) {
    const auto module =
        lowered("OpStore %to %x", "", "", std::string(size) + (stated ? "\nOpExecutionMode %main DerivativeGroupQuadsNV" : ""));
    EXPECT_TRUE(module) << to_string(module.error());
    return module && module->info.square_quads;
  };
  EXPECT_TRUE(is_square("4 2 1", true));
  EXPECT_FALSE(is_square("4 2 1", false));
  EXPECT_FALSE(is_square("4 1 1", true));  // not valid
}

TEST(LowerSpirv, TellsTheSourcesOfBlendingApart) {
  for (const bool is_second_first : {false, true}) {
    const auto bytes = spirv::assemble(test::blended_outputs(is_second_first));
    ASSERT_TRUE(bytes) << to_string(bytes.error());
    const auto shader = spirv::parse(test::view_of(*bytes));
    ASSERT_TRUE(shader);
    const auto module = lower(*shader);
    ASSERT_TRUE(module) << to_string(module.error());
    const std::vector<Element>& outputs = module->signatures.output;
    ASSERT_EQ(outputs.size(), 2U);
    EXPECT_EQ(outputs[0].second_source, is_second_first);
    EXPECT_EQ(outputs[1].second_source, !is_second_first);
    for (const Element& output : outputs) EXPECT_EQ(output.first_register, 0U);
  }
}

// A truth among the inputs: how much of a pixel is covered is a number elsewhere.
TEST(LowerSpirv, ReadsWhetherPixelsAreFullyCovered) {
  const auto bytes = spirv::assemble(R"(OpCapability Shader
OpCapability FragmentFullyCoveredEXT
OpExtension "SPV_EXT_fragment_fully_covered"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %covered %color
OpExecutionMode %main OriginUpperLeft
OpDecorate %covered BuiltIn FullyCoveredEXT
OpDecorate %color Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%f32 = OpTypeFloat 32
%p_bool = OpTypePointer Input %bool
%p_f32 = OpTypePointer Output %f32
%zero = OpConstant %f32 0
%one = OpConstant %f32 1
%fn = OpTypeFunction %void
%covered = OpVariable %p_bool Input
%color = OpVariable %p_f32 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%is = OpLoad %bool %covered
%which = OpSelect %f32 %is %one %zero
OpStore %color %which
OpReturn
OpFunctionEnd
)");
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  const auto module = spirv::parse(View(*bytes));
  ASSERT_TRUE(module);
  const auto lowered = lower(*module, SpirvOptions{});
  ASSERT_TRUE(lowered) << to_string(lowered.error());
  EXPECT_TRUE(findings_of(*lowered).empty());
  const std::string text = print(*lowered);
  EXPECT_NE(text.find("builtin i32 inner_coverage"), std::string::npos) << text;
  EXPECT_NE(text.find("ine i32"), std::string::npos) << text;
}

TEST(LowerSpirv, GivesMembersTheStreamOfTheirBlock) {
  const auto bytes = spirv::assemble(test::streamed_block("1.5"));
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  const auto shader = spirv::parse(test::view_of(*bytes));
  ASSERT_TRUE(shader);
  const auto module = lower(*shader);
  ASSERT_TRUE(module) << to_string(module.error());
  const std::vector<Element>& outputs = module->signatures.output;
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].stream, 1U);
  EXPECT_EQ(outputs[1].stream, 0U);
}

// src: SPIR-V, OutputPoints and others: the mode is of an entry point, not of a stream
TEST(LowerSpirv, GivesAllStreamsTheTopologyOfTheirShader) {
  const auto of = [](std::string_view last) {
    const auto bytes = spirv::assemble(R"(
OpCapability Geometry
OpCapability GeometryStreams
OpMemoryModel Logical GLSL450
OpEntryPoint Geometry %main "main"
OpExecutionMode %main InputPoints
OpExecutionMode %main OutputLineStrip
OpExecutionMode %main OutputVertices 4
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%last = OpConstant %u32 )" + std::string(last) +
                                       R"(
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpEmitStreamVertex %last
OpEndStreamPrimitive %c0
OpReturn
OpFunctionEnd
)");
    const auto module = spirv::parse(test::view_of(*bytes));
    return lower(*module);
  };
  using dxcontainer::OutputTopology;
  const auto strips = [](std::size_t count) { return std::vector<OutputTopology>(count, OutputTopology::line_strip); };
  EXPECT_EQ(of("0")->info.stream_topologies, strips(1));
  EXPECT_EQ(of("2")->info.stream_topologies, strips(3));
  const auto wrong = of("4");
  ASSERT_FALSE(wrong);
  EXPECT_NE(to_string(wrong.error()).find("vertex streams are numbered from 0 to 3, found 4"), std::string::npos)
      << to_string(wrong.error());
}

TEST(LowerSpirv, NamesWhatIsNotSupported) {
  const auto module = lowered("%n = OpExtInst %u32 %glsl IMix %x %x %x\n");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::unsupported);
  EXPECT_NE(module.error().message.find("IMix"), std::string::npos) << module.error().message;
  EXPECT_NE(module.error().offset, 0U);
}

/// What the text of a module is, or its error.
std::string text_of(const Result<Module>& module) { return module ? print(*module) : to_string(module.error()); }

constexpr std::string_view kUntyped = R"(
%u_buffer = OpTypeUntypedPointerKHR StorageBuffer
%u_function = OpTypeUntypedPointerKHR Function
)";

TEST(LowerSpirv, UntypedPointersAreWhatTheyAreUsedAs) {
  const std::string_view body = R"(
%a = OpUntypedAccessChainKHR %u_buffer %block %in %c0 %c1
%y = OpLoad %u32 %a
%b = OpUntypedInBoundsAccessChainKHR %u_buffer %block %out %c0 %at
OpStore %b %y
%length = OpUntypedArrayLengthKHR %u32 %block %out 0
%old = OpAtomicIAdd %u32 %b %c1 %c0 %length
OpCopyMemory %b %to
)";
  const std::string_view typed = R"(
%a = OpAccessChain %p_u32 %in %c0 %c1
%y = OpLoad %u32 %a
%b = OpInBoundsAccessChain %p_u32 %out %c0 %at
OpStore %b %y
%length = OpArrayLength %u32 %out 0
%old = OpAtomicIAdd %u32 %b %c1 %c0 %length
OpCopyMemory %b %to
)";
  const auto untyped = lowered(body, kUntyped);
  ASSERT_TRUE(untyped) << to_string(untyped.error());
  EXPECT_EQ(print(*untyped), text_of(lowered(typed, kUntyped)));
}

TEST(LowerSpirv, UntypedPointersToOtherTypesNeedALayout) {
  // the bits of a number in a buffer
  const auto bits = lowered(
      "%a = OpUntypedAccessChainKHR %u_buffer %block %in %c0 %c1\n%y = OpLoad %f32 %a\n%z = OpBitcast %u32 %y\nOpStore %to %z\n", kUntyped);
  ASSERT_TRUE(bits) << to_string(bits.error());
  EXPECT_NE(print(*bits).find("buffer_load f32"), std::string::npos) << print(*bits);
  constexpr std::string_view kVariable = "%l = OpUntypedVariableKHR %u_function Function %u32\n";
  std::string main(kMain);
  EXPECT_EQ(count(*bits, Op::buffer_store), 1U);
  const auto other = lowered(std::string(kVariable) + "OpStore %l %f1\n", kUntyped);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::unsupported);
  const auto same = lowered(std::string(kVariable) + "OpStore %l %x\n%y = OpLoad %u32 %l\nOpStore %to %y\n", kUntyped);
  EXPECT_TRUE(same) << text_of(same);
}

TEST(LowerSpirv, ReplicatesParts) {
  constexpr std::string_view kTypes = R"(
%v4 = OpTypeVector %u32 4
%two_v4 = OpTypeArray %v4 %c2
%same = OpConstantCompositeReplicateEXT %v4 %c2
%all = OpSpecConstantCompositeReplicateEXT %two_v4 %same
%each = OpConstantComposite %v4 %c2 %c2 %c2 %c2
%both = OpConstantComposite %two_v4 %each %each
)";
  const auto body = [](std::string_view constant, std::string_view composed) {
    return "%e = OpCompositeExtract %u32 %" + std::string(constant) + " 1 3\n%w = " + std::string(composed) +
           "\n%f = OpCompositeExtract %u32 %w 3\n%s = OpIAdd %u32 %e %f\nOpStore %to %s\n";
  };
  EXPECT_EQ(text_of(lowered(body("all", "OpCompositeConstructReplicateEXT %v4 %x"), kTypes)),
            text_of(lowered(body("both", "OpCompositeConstruct %v4 %x %x %x %x"), kTypes)));
}

TEST(LowerSpirv, HasOperationsForNewerOpcodes) {
  const auto module = lowered(R"(
%y = OpBitcast %f32 %x
%z = OpFmaKHR %f32 %y %f1 %f1
%f = OpFreezeKHR %f32 %z
%g = OpArithmeticFenceEXT %f32 %f
%is = OpFOrdLessThan %bool %g %f1
%all = OpGroupNonUniformQuadAllKHR %bool %is
%any = OpGroupNonUniformQuadAnyKHR %bool %all
%r = OpSelect %u32 %any %x %c0
OpStore %to %r
)",
                              "", "OpCapability QuadControlKHR");
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(count(*module, Op::ffma), 1U);
  EXPECT_EQ(count(*module, Op::quad_all), 1U);
  EXPECT_EQ(count(*module, Op::quad_any), 1U);
}

// Numbers with another encoding are not read as those of IEEE 754.
TEST(LowerSpirv, RefusesWhatHasNoOperationByName) {
  const auto message = [](std::string_view body, std::string_view functions) {
    const auto module = lowered(body, functions);
    EXPECT_FALSE(module);
    if (module) return print(*module);
    EXPECT_EQ(module.error().code, ErrorCode::unsupported) << to_string(module.error());
    EXPECT_NE(module.error().offset, 0U);
    return module.error().message;
  };
  EXPECT_NE(message("%y = OpFConvert %e4m3 %f1\n", "%e4m3 = OpTypeFloat 8 Float8E4M3EXT\n").find("OpTypeFloat 8 Float8E4M3EXT"),
            std::string::npos);
  EXPECT_NE(message("%m = OpCooperativeMatrixLengthKHR %u32 %cm\n", "%cm = OpTypeCooperativeMatrixKHR %f32 %c2 %c2 %c2 %c0\n")
                .find("OpCooperativeMatrixLengthKHR"),
            std::string::npos);
  EXPECT_NE(message("OpAbortKHR %u32 %x\n%unreached = OpLabel\n", "").find("OpAbortKHR"), std::string::npos);
}

}  // namespace
}  // namespace unshade::ir
