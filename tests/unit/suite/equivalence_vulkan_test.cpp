// Shaders of Direct3D and the PICA200 against shaders of Vulkan, which have the same interface in another form.
#include <unshade/suite/equivalence.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>

namespace unshade::suite {
namespace {

run::Runnable of_ir(std::string_view text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto made = run::prepare(std::move(*module));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

run::Runnable of_file(const std::vector<std::byte>& file) {
  auto made = run::prepare(*shader::open(View(file)));
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

/// `entry`: `Fragment %main "main" %in %out` and modes; `declarations` after the types.
run::Runnable of_spirv(std::string_view entry, std::string_view decorations, std::string_view declarations, std::string_view code) {
  const auto made = spirv::assemble(
      "OpCapability Shader\nOpCapability ClipDistance\nOpCapability DrawParameters\nOpCapability Tessellation\n"
      "OpMemoryModel Logical GLSL450\nOpEntryPoint " +
      std::string(entry) + '\n' + std::string(decorations) + R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%in_f = OpTypePointer Input %float
%in_u = OpTypePointer Input %uint
%in_b = OpTypePointer Input %bool
%in_4 = OpTypePointer Input %v4
%out_f = OpTypePointer Output %float
%out_u = OpTypePointer Output %uint
%out_4 = OpTypePointer Output %v4
)" + std::string(declarations) +
      "%main = OpFunction %void None %fn\n%label = OpLabel\n" + std::string(code) + "OpReturn\nOpFunctionEnd\n");
  EXPECT_TRUE(made) << to_string(made.error());
  return of_file(*made);
}

Equivalence compared(const run::Runnable& a, const run::Runnable& b, const Value& given = Value::map()) {
  EquivalenceOptions options;
  options.random = given.as_map()->empty() ? 8 : 0;
  auto done = compare({"a", a}, {"b", b}, given, options);
  EXPECT_TRUE(done) << to_string(done.error());
  return *done;
}

/// Whether two are equal, whichever is the first.
void expect_equal(const run::Runnable& a, const run::Runnable& b) {
  for (const auto& [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const Equivalence done = compared(*first, *second);
    EXPECT_TRUE(done.equal()) << (done.mismatches.empty() ? done.difference ? done.difference->what : "nothing ran" : done.mismatches[0]);
  }
}
void expect_different(const run::Runnable& a, const run::Runnable& b) {
  for (const auto& [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const Equivalence done = compared(*first, *second);
    EXPECT_TRUE(done.difference) << (done.mismatches.empty() ? "no difference" : done.mismatches[0]);
  }
}

constexpr std::string_view kPixel = R"(stage pixel
input "SV_Position" system_value position type f32 register 0 columns 4
input "SV_IsFrontFace" system_value is_front_face type i32 register 1 columns 1
output "SV_Target" system_value target type f32 register 0 columns 1

function @main {
^0:
  %p = input f32 in0.y
  %f = input i32 in1.x
  %b = ine i32 %f 0
  %r = select f32 %b %p 2.0
  output f32 out0.x %r
  return
}
)";

run::Runnable fragment(std::string_view component) {
  return of_spirv("Fragment %main \"main\" %at %front %color\nOpExecutionMode %main OriginUpperLeft",
                  "OpDecorate %at BuiltIn FragCoord\nOpDecorate %front BuiltIn FrontFacing\nOpDecorate %color Location 0\n",
                  "%at = OpVariable %in_4 Input\n%front = OpVariable %in_b Input\n%color = OpVariable %out_f Output\n",
                  "%p = OpAccessChain %in_f %at %" + std::string(component) +
                      "\n%y = OpLoad %float %p\n%b = OpLoad %bool %front\n%r = OpSelect %float %b %y %f2\nOpStore %color %r\n");
}

TEST(EquivalenceVulkan, SystemValuesAreElementsOrBuiltIns) {
  expect_equal(of_ir(kPixel), fragment("u1"));
  expect_different(of_ir(kPixel), fragment("u0"));
}

// Numbers of a case reach both, in both directions.
TEST(EquivalenceVulkan, SystemValuesOfACase) {
  const auto given = [](std::string_view position, std::string_view front, Value truth) {
    Value at = Value::list();
    for (const unsigned number : {3U, 5U, 0U, 1U}) at.push(Value::integer(number));
    Value lane = Value::map(), lanes = Value::list(), made = Value::map();
    lane.add(position, std::move(at));
    lane.add(front, std::move(truth));
    lanes.push(std::move(lane));
    made.add("lanes", std::move(lanes));
    return made;
  };
  const run::Runnable pixel = of_ir(kPixel);
  const Value of_elements = given("SV_Position", "SV_IsFrontFace", Value::integer(0xffff'ffffU));
  EXPECT_TRUE(compared(pixel, fragment("u1"), of_elements).equal());
  const Equivalence first = compared(pixel, fragment("u0"), of_elements);
  ASSERT_TRUE(first.difference);
  EXPECT_EQ(first.difference->values[0] + ' ' + first.difference->values[1], "5.0 3.0");
  const Value of_built_ins = given("position", "front_face", Value::boolean(true));
  EXPECT_TRUE(compared(fragment("u1"), pixel, of_built_ins).equal());
  const Equivalence second = compared(fragment("u0"), pixel, of_built_ins);
  ASSERT_TRUE(second.difference);
  EXPECT_EQ(second.difference->values[0] + ' ' + second.difference->values[1], "3.0 5.0");
}

// Of vertices Direct3D counts without the base vertex.
TEST(EquivalenceVulkan, VerticesAreCountedFromABase) {
  const run::Runnable vertex = of_ir(R"(stage vertex
input "SV_VertexID" system_value vertex_id type i32 register 0 columns 1
output "COUNT" type i32 register 0 columns 1

function @main {
^0:
  %v = input i32 in0.x
  output i32 out0.x %v
  return
}
)");
  const auto of_vulkan = [](std::string_view operation) {
    return of_spirv(
        "Vertex %main \"main\" %vertex %base %count",
        "OpName %count \"COUNT\"\nOpDecorate %vertex BuiltIn VertexIndex\nOpDecorate %base BuiltIn BaseVertex\n"
        "OpDecorate %count Location 0\n",
        "%vertex = OpVariable %in_u Input\n%base = OpVariable %in_u Input\n%count = OpVariable %out_u Output\n",
        "%v = OpLoad %uint %vertex\n%b = OpLoad %uint %base\n%r = " + std::string(operation) + " %uint %v %b\nOpStore %count %r\n");
  };
  expect_equal(vertex, of_vulkan("OpISub"));
  expect_different(vertex, of_vulkan("OpIMul"));
}

// Vectors in Direct3D, an array of numbers in Vulkan.
TEST(EquivalenceVulkan, ClipDistancesAreOneByOne) {
  const run::Runnable vertex = of_ir(R"(stage vertex
output "SV_ClipDistance" system_value clip_distance type f32 register 0 columns 2
output "SV_ClipDistance" index 1 system_value clip_distance type f32 register 1 columns 1

function @main {
^0:
  output f32 out0.x 0.0
  output f32 out0.y 1.0
  output f32 out1.x 2.0
  return
}
)");
  const auto of_vulkan = [](std::string_view last) {
    return of_spirv("Vertex %main \"main\" %distances", "OpDecorate %distances BuiltIn ClipDistance\n",
                    "%u3 = OpConstant %uint 3\n%f0 = OpConstant %float 0\n%all = OpTypeArray %float %u3\n"
                    "%out_all = OpTypePointer Output %all\n%distances = OpVariable %out_all Output\n",
                    "%p0 = OpAccessChain %out_f %distances %u0\nOpStore %p0 %f0\n%p1 = OpAccessChain %out_f %distances %u1\n"
                    "OpStore %p1 %f1\n%p2 = OpAccessChain %out_f %distances %u2\nOpStore %p2 %" +
                        std::string(last) + '\n');
  };
  expect_equal(vertex, of_vulkan("f2"));
  const Equivalence done = compared(vertex, of_vulkan("f1"));
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->what, "lane 0: SV_ClipDistance1.x");
}

/// Writes the second word of the second element of a storage buffer. `element`: the type of its elements: `struct` or `words`.
run::Runnable reads_storage(std::string_view element, std::string_view index, std::string_view name) {
  return of_spirv("GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1",
                  "OpName %items \"" + std::string(name) +
                      "\"\nOpName %made \"made\"\nOpDecorate %words ArrayStride 4\nOpDecorate %runtime ArrayStride 8\n"
                      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 0 NonWritable\n"
                      "OpDecorate %items DescriptorSet 0\nOpDecorate %items Binding 7\nOpDecorate %plain ArrayStride 4\n"
                      "OpDecorate %out Block\nOpMemberDecorate %out 0 Offset 0\nOpDecorate %made DescriptorSet 0\n"
                      "OpDecorate %made Binding 8\n",
                  "%words = OpTypeArray %uint %u2\n%struct = OpTypeStruct %words\n%runtime = OpTypeRuntimeArray %" + std::string(element) +
                      "\n%block = OpTypeStruct %runtime\n"
                      "%p_block = OpTypePointer StorageBuffer %block\n%items = OpVariable %p_block StorageBuffer\n"
                      "%plain = OpTypeRuntimeArray %uint\n%out = OpTypeStruct %plain\n%p_out = OpTypePointer StorageBuffer %out\n"
                      "%made = OpVariable %p_out StorageBuffer\n%p_word = OpTypePointer StorageBuffer %uint\n",
                  "%from = OpAccessChain %p_word %items %u0 " + std::string(index) +
                      " %u1\n%v = OpLoad %uint %from\n%to = OpAccessChain %p_word %made %u0 %u0\nOpStore %to %v\n");
}

std::string structured(std::string_view items, std::string_view stride = "8", std::string_view place = "register 0") {
  return "stage compute\ninfo group_size 1 1 1\nresource @items " + std::string(items) + " structured dimension buffer " +
         std::string(place) + " stride " + std::string(stride) + R"(
resource @made uav_byte_address dimension raw_buffer register 0

function @main {
^0:
  %0 = handle @items 0
  %2 = buffer_load i32 structured offset %0 1 4
  %1 = handle @made 0
  buffer_store i32 raw %1 0 %2
  return
}
)";
}

TEST(EquivalenceVulkan, ElementsOfStructuredBuffersAreStructsOrArrays) {
  const run::Runnable items = of_ir(structured("\"items\""));
  expect_equal(items, reads_storage("struct", "%u1 %u0", "items"));
  expect_different(items, reads_storage("struct", "%u2 %u0", "items"));
  expect_equal(items, reads_storage("words", "%u1", "items"));
  const Equivalence done = compared(of_ir(structured("\"items\"", "12")), reads_storage("struct", "%u1 %u0", "items"));
  EXPECT_EQ(done.mismatches, std::vector<std::string>{"resource `t0 items`: buffer with a stride of 12 in a, raw_buffer in b"});
}

TEST(EquivalenceVulkan, ResourcesWithoutANameAreCalledByTheirRegisters) {
  expect_equal(of_ir(structured("\"\"")), reads_storage("struct", "%u1 %u0", "t0"));
  expect_different(of_ir(structured("\"\"")), reads_storage("struct", "%u2 %u0", "t0"));
  const Equivalence done = compared(of_ir(structured("\"\"")), reads_storage("struct", "%u1 %u0", "t1"));
  EXPECT_EQ(done.mismatches,
            (std::vector<std::string>{"a has the resource `t0`, which b lacks", "b has the resource `t7 t1`, which a lacks"}));
}

// In Vulkan the elements of an array have one binding.
TEST(EquivalenceVulkan, ArraysWithoutANameAreMatchedByWhereTheyAre) {
  const auto reads = [](std::string_view more) { return of_ir(structured("\"\"", "8", "register 3 count 2" + std::string(more))); };
  expect_equal(reads(""), reads(" in_set"));
}

/// Counts for each thread. `counter`: the name of the buffer that counts.
run::Runnable counts_in_storage(std::string_view counter, std::string_view operation) {
  return of_spirv("GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 8 1 1",
                  "OpName %made \"made\"\nOpName %counts \"" + std::string(counter) +
                      "\"\nOpDecorate %id BuiltIn LocalInvocationIndex\nOpDecorate %runtime ArrayStride 4\nOpDecorate %block Block\n"
                      "OpMemberDecorate %block 0 Offset 0\nOpDecorate %made DescriptorSet 0\nOpDecorate %made Binding 0\n"
                      "OpDecorate %one Block\nOpMemberDecorate %one 0 Offset 0\nOpDecorate %counts DescriptorSet 0\n"
                      "OpDecorate %counts Binding 1\n",
                  "%runtime = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %runtime\n"
                  "%p_block = OpTypePointer StorageBuffer %block\n%made = OpVariable %p_block StorageBuffer\n%one = OpTypeStruct %uint\n"
                  "%p_one = OpTypePointer StorageBuffer %one\n%counts = OpVariable %p_one StorageBuffer\n"
                  "%p_word = OpTypePointer StorageBuffer %uint\n%id = OpVariable %in_u Input\n",
                  "%c = OpAccessChain %p_word %counts %u0\n%old = " + std::string(operation) +
                      " %uint %c %u1 %u0 %u1\n%v = OpLoad %uint %id\n%to = OpAccessChain %p_word %made %u0 %old\nOpStore %to %v\n");
}

TEST(EquivalenceVulkan, CountersAreBuffersOfTheirOwn) {
  const run::Runnable appends = of_ir(R"(stage compute
info group_size 8 1 1
resource @made uav_structured_with_counter dimension buffer register 0 stride 4

function @main {
^0:
  %0 = handle @made 0
  %1 = counter up %0
  %2 = builtin i32 local_index
  buffer_store i32 structured offset %0 %1 0 %2
  return
}
)");
  expect_equal(appends, counts_in_storage("counter.var.made", "OpAtomicIAdd"));
  expect_equal(appends, counts_in_storage("made@count", "OpAtomicIAdd"));
  expect_different(appends, counts_in_storage("counter.var.made", "OpAtomicISub"));
  const Equivalence done = compared(appends, counts_in_storage("other", "OpAtomicIAdd"));
  EXPECT_EQ(done.mismatches, std::vector<std::string>{"b has the resource `u1 other`, which a lacks"});
}

/// Adds a constant to an attribute: `scale` is the first register of real numbers.
run::Runnable of_pica(std::string_view sum) {
  const std::string text = ".fvec scale\n.constf two(2.0, 2.0, 2.0, 2.0)\n.out pos position\n.in a\n.proc main\n  mov r1, a\n  " +
                           std::string(sum) + "\n  end\n.end\n";
  const pica::Source source{"test.pica", text};
  const pica::Assembly made = pica::assemble({&source, 1});
  EXPECT_TRUE(made.ok) << (made.messages.empty() ? "" : made.messages[0].text);
  return of_file(pica::write_assembly(made));
}

run::Runnable of_uniforms(std::string_view index) {
  return of_spirv("Vertex %main \"main\" %a %position",
                  "OpName %a \"a\"\nOpName %uniforms \"uniforms\"\nOpDecorate %a Location 0\nOpDecorate %position BuiltIn Position\n"
                  "OpDecorate %vectors ArrayStride 16\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
                  "OpDecorate %uniforms DescriptorSet 0\nOpDecorate %uniforms Binding 0\n",
                  "%u104 = OpConstant %uint 104\n%last = OpConstant %uint 95\n%vectors = OpTypeArray %v4 %u104\n"
                  "%block = OpTypeStruct %vectors\n%p_block = OpTypePointer Uniform %block\n%uniforms = OpVariable %p_block Uniform\n"
                  "%p_v4 = OpTypePointer Uniform %v4\n%a = OpVariable %in_4 Input\n%position = OpVariable %out_4 Output\n",
                  "%x = OpLoad %v4 %a\n%p = OpAccessChain %p_v4 %uniforms %u0 %" + std::string(index) +
                      "\n%y = OpLoad %v4 %p\n%r = OpFAdd %v4 %x %y\nOpStore %position %r\n");
}

// Registers that the program gives a value have it in both; other constants are generated, or those of a case, by name.
TEST(EquivalenceVulkan, ConstantsWithoutCommonNamesAreGivenByBytes) {
  expect_equal(of_pica("add pos, scale, r1"), of_uniforms("u0"));
  expect_equal(of_pica("add pos, two, r1"), of_uniforms("last"));
  expect_different(of_pica("add pos, scale, r1"), of_uniforms("u1"));
  Value numbers = Value::list(), constants = Value::map(), lane = Value::map(), lanes = Value::list(), given = Value::map();
  for (const unsigned number : {3U, 5U, 7U, 9U}) numbers.push(Value::integer(number));
  lane.add("a", numbers);
  constants.add("scale", std::move(numbers));
  lanes.push(std::move(lane));
  given.add("constants", std::move(constants));
  given.add("lanes", std::move(lanes));
  EXPECT_TRUE(compared(of_pica("add pos, scale, r1"), of_uniforms("u0"), given).equal());
  EXPECT_TRUE(compared(of_pica("add pos, two, r1"), of_uniforms("last"), given).equal());
  const Equivalence done = compared(of_pica("add pos, scale, r1"), of_uniforms("u1"), given);
  ASSERT_TRUE(done.difference);
  EXPECT_EQ(done.difference->values[0] + ' ' + done.difference->values[1], "6.0 3.0");
}

// What the program defines may be a constant of the other's code.
TEST(EquivalenceVulkan, ConstantsOfTheProgramMayBeInTheCode) {
  const run::Runnable adds =
      of_spirv("Vertex %main \"main\" %a %position", "OpName %a \"a\"\nOpDecorate %a Location 0\nOpDecorate %position BuiltIn Position\n",
               "%twos = OpConstantComposite %v4 %f2 %f2 %f2 %f2\n%a = OpVariable %in_4 Input\n%position = OpVariable %out_4 Output\n",
               "%x = OpLoad %v4 %a\n%r = OpFAdd %v4 %x %twos\nOpStore %position %r\n");
  expect_equal(of_pica("add pos, two, r1"), adds);
  expect_different(of_pica("add pos, scale, r1"), adds);
}

// Names may be those of registers that the program defines: they keep their values.
TEST(EquivalenceVulkan, ConstantsOfTheProgramAreNotGenerated) {
  const run::Runnable adds =
      of_spirv("Vertex %main \"main\" %a %position",
               "OpName %a \"a\"\nOpName %uniforms \"uniforms\"\nOpMemberName %block 0 \"c95\"\nOpDecorate %a Location 0\n"
               "OpDecorate %position BuiltIn Position\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 1520\n"
               "OpDecorate %uniforms DescriptorSet 0\nOpDecorate %uniforms Binding 0\n",
               "%twos = OpConstantComposite %v4 %f2 %f2 %f2 %f2\n%block = OpTypeStruct %v4\n%p_block = OpTypePointer Uniform %block\n"
               "%uniforms = OpVariable %p_block Uniform\n%p_v4 = OpTypePointer Uniform %v4\n%f0 = OpConstant %float 0\n"
               "%a = OpVariable %in_4 Input\n%position = OpVariable %out_4 Output\n",
               "%x = OpLoad %v4 %a\n%r = OpFAdd %v4 %x %twos\nOpStore %position %r\n");
  expect_equal(of_pica("add pos, two, r1"), adds);
}

// Of a sampler of Vulkan no one says whether it compares.
TEST(EquivalenceVulkan, SamplersCompareIfThoseOfOneShaderDo) {
  const auto samples = [](std::string_view kind, std::string_view component) {
    return of_ir(
        "stage pixel\ninput \"TEXCOORD\" type f32 register 0 columns 2\noutput \"SV_Target\" type f32 register 0 columns 1\n"
        "resource @map texture dimension texture2d returns float register 0\nresource @how sampler register 0" +
        std::string(kind) +
        "\nfunction @main {\n^0:\n  %x = input f32 in0.x\n  %t = handle @map 0\n  %s = handle @how 0\n"
        "  %v = sample f32 x4 texture2d lod %t %s %x %x 0.0\n  %r = get f32 " +
        std::string(component) + " %v\n  output f32 out0.x %r\n  return\n}\n");
  };
  const Equivalence done = compared(samples("", "0"), samples(" comparison", "1"));
  ASSERT_TRUE(done.difference);
  EXPECT_NE(done.difference->inputs.find("samplers")->find("s0")->find("comparison"), nullptr);
}

// Vulkan has four outer factors for each domain, of which lines need two.
TEST(EquivalenceVulkan, FactorsThatTheDomainDoesNotNeedHaveNoEffect) {
  const auto factors = [](std::string_view detail) {
    return of_ir(R"(stage hull
info input_points 1 output_points 1 domain isoline partitioning integer tessellator_output line
patch "SV_TessFactor" system_value final_line_detail_tessfactor type f32 register 0 columns 1
patch "SV_TessFactor" index 1 system_value final_line_density_tessfactor type f32 register 1 columns 1

function @patch_constant {
^0:
  output f32 patch0.x )" +
                 std::string(detail) + "\n  output f32 patch1.x 1.0\n  return\n}\n");
  };
  std::string stores;
  for (const std::string at : {"0", "1", "2", "3"})
    stores += "%p" + at + " = OpAccessChain %out_f %outer %u" + at + "\nOpStore %p" + at + (at == "0" ? " %f1\n" : " %f2\n");
  const run::Runnable of_vulkan = of_spirv("TessellationControl %main \"main\" %outer\nOpExecutionMode %main OutputVertices 1",
                                           "OpDecorate %outer BuiltIn TessLevelOuter\nOpDecorate %outer Patch\n",
                                           "%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n%all = OpTypeArray %float %u4\n"
                                           "%out_all = OpTypePointer Output %all\n%outer = OpVariable %out_all Output\n",
                                           stores);
  expect_equal(factors("2.0"), of_vulkan);
  expect_different(factors("1.0"), of_vulkan);
}

// glslang makes elements of one semantic of an array of HLSL: rows of one element in Direct3D.
TEST(EquivalenceVulkan, ElementsOfAnArrayAreRowsOfAnElement) {
  const auto reads = [](std::string_view inputs, std::string_view value) {
    return of_ir("stage vertex\n" + std::string(inputs) + "output \"SUM\" type f32 register 0 columns 1\n\nfunction @main {\n^0:\n" +
                 std::string(value) + "  output f32 out0.x %v\n  return\n}\n");
  };
  const run::Runnable rows = reads("input \"COLOR\" type f32 register 0 rows 2\n", "  %v = input f32 in0.x row 1\n");
  const std::string_view elements =
      "input \"COLOR\" type f32 register 0 variable \"input.color[0]\"\n"
      "input \"COLOR\" type f32 register 1 variable \"input.color[1]\"\n";
  expect_equal(rows, reads(elements, "  %v = input f32 in1.x\n"));
  EXPECT_FALSE(compared(rows, reads(elements, "  %v = input f32 in0.x\n")).equal());
}

// Both run in waves that both allow.
TEST(EquivalenceVulkan, WavesAreOfASizeThatBothAllow) {
  const auto asks = [](std::string_view modes) {
    return of_ir("stage compute\ninfo group_size 64 1 1\n" + std::string(modes) +
                 "resource @made uav_byte_address dimension raw_buffer register 0\n\nfunction @main {\n^0:\n  %0 = handle @made 0\n"
                 "  %1 = builtin i32 wave_size\n  buffer_store i32 raw %0 0 %1\n  return\n}\n");
  };
  expect_equal(asks("modes wave_min 16 wave_max 16\n"), asks(""));
  expect_equal(asks("modes wave_min 64\n"), asks(""));
}

// What allows any treatment of denormals has that of the other.
TEST(EquivalenceVulkan, DenormalsAreThoseOfTheShaderThatStatesThem) {
  const auto halves = [](std::string_view modes) {
    return of_ir("stage vertex\n" + std::string(modes) + R"(input "COUNT" type i32 register 0 columns 1
output "COUNT" type f32 register 0 columns 1

function @main {
^0:
  %x = input i32 in0.x
  %f = u_to_f f32 %x
  %g = fmul f32 %f 1e-30
  %r = fmul f32 %g 1e-10
  output f32 out0.x %r
  return
}
)");
  };
  const run::Runnable any = halves(""), flush = halves("modes denorm32 flush\n"), preserve = halves("modes denorm32 preserve\n");
  expect_equal(any, flush);
  expect_equal(any, preserve);
  expect_different(flush, preserve);
}

}  // namespace
}  // namespace unshade::suite
