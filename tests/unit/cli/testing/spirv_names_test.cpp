// Modules of SPIR-V in suites and comparisons: inputs and outputs by the names that reflection prints, matrices of HLSL, interfaces by
// location and built-in.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "support/command.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

constexpr std::string_view kNames = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %color %m %w %id %b %mm %vs %place
OpName %color "color"
OpName %m "m"
OpName %w "w"
OpName %id "number"
OpName %b "b"
OpName %mm "mm"
OpName %VS "VS"
OpMemberName %VS 0 "normal"
OpMemberName %VS 1 "uv"
OpName %vs "vs"
OpDecorate %color Location 1
OpDecorate %m Location 2
OpDecorate %w Location 5
OpDecorate %id BuiltIn VertexIndex
OpDecorate %b Location 1
OpDecorate %mm Location 2
OpDecorate %VS Block
OpDecorate %vs Location 6
OpDecorate %place BuiltIn Position
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%i32 = OpTypeInt 32 1
%u32 = OpTypeInt 32 0
%v2 = OpTypeVector %f32 2
%v3 = OpTypeVector %f32 3
%v4 = OpTypeVector %f32 4
%m3 = OpTypeMatrix %v3 3
%two = OpConstant %u32 2
%i0 = OpConstant %i32 0
%i1 = OpConstant %i32 1
%w2 = OpTypeArray %f32 %two
%VS = OpTypeStruct %v3 %v2
%in_v4 = OpTypePointer Input %v4
%in_m3 = OpTypePointer Input %m3
%in_w2 = OpTypePointer Input %w2
%in_i32 = OpTypePointer Input %i32
%in_v3 = OpTypePointer Input %v3
%out_v4 = OpTypePointer Output %v4
%out_m3 = OpTypePointer Output %m3
%out_VS = OpTypePointer Output %VS
%out_v3 = OpTypePointer Output %v3
%out_v2 = OpTypePointer Output %v2
%color = OpVariable %in_v4 Input
%m = OpVariable %in_m3 Input
%w = OpVariable %in_w2 Input
%id = OpVariable %in_i32 Input
%b = OpVariable %out_v4 Output
%mm = OpVariable %out_m3 Output
%vs = OpVariable %out_VS Output
%place = OpVariable %out_v4 Output
%main = OpFunction %void None %fn
%l = OpLabel
%c = OpLoad %v4 %color
OpStore %b %c
%mv = OpLoad %m3 %m
OpStore %mm %mv
%column = OpAccessChain %in_v3 %m %i1
%cv = OpLoad %v3 %column
%normal = OpAccessChain %out_v3 %vs %i0
OpStore %normal %cv
%wv = OpLoad %w2 %w
%w0 = OpCompositeExtract %f32 %wv 0
%w1 = OpCompositeExtract %f32 %wv 1
%uvv = OpCompositeConstruct %v2 %w0 %w1
%uv = OpAccessChain %out_v2 %vs %i1
OpStore %uv %uvv
%n = OpLoad %i32 %id
%nf = OpConvertSToF %f32 %n
%nv = OpCompositeConstruct %v4 %nf %nf %nf %nf
OpStore %place %nv
OpReturn
OpFunctionEnd
)";

// float4x3 m; float3 main(float4 p : P) : A { return mul(p, m); }, and as DXC names it, p is at a location above 0
constexpr std::string_view kHlsl = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %p %o %place
OpSource HLSL 600
OpName %C "type.C"
OpMemberName %C 0 "m"
OpName %c "C"
OpName %p "in.var.P"
OpName %o "out.var.A1"
OpDecorate %p Location 3
OpDecorate %o Location 2
OpDecorate %place BuiltIn Position
OpDecorate %c DescriptorSet 0
OpDecorate %c Binding 0
OpDecorate %C Block
OpMemberDecorate %C 0 Offset 0
OpMemberDecorate %C 0 MatrixStride 16
OpMemberDecorate %C 0 RowMajor
%void = OpTypeVoid
%fn = OpTypeFunction %void
%i32 = OpTypeInt 32 1
%i0 = OpConstant %i32 0
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %f32 3
%v4 = OpTypeVector %f32 4
%m43 = OpTypeMatrix %v3 4
%C = OpTypeStruct %m43
%pC = OpTypePointer Uniform %C
%pM = OpTypePointer Uniform %m43
%pi = OpTypePointer Input %v4
%po = OpTypePointer Output %v3
%pp = OpTypePointer Output %v4
%c = OpVariable %pC Uniform
%p = OpVariable %pi Input
%o = OpVariable %po Output
%place = OpVariable %pp Output
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpLoad %v4 %p
%q = OpAccessChain %pM %c %i0
%m = OpLoad %m43 %q
%y = OpMatrixTimesVector %v3 %m %x
OpStore %o %y
OpStore %place %x
OpReturn
OpFunctionEnd
)";

class SpirvNames : public ::testing::Test {
 protected:
  SpirvNames() : folder_(std::filesystem::temp_directory_path() / ("unshade-spirv-names-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SpirvNames() override { std::filesystem::remove_all(folder_); }

  std::string add(std::string_view name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).generic_string();
  }
  std::string path(std::string_view name) const { return (folder_ / name).generic_string(); }
  /// The module of a listing.
  std::string module(std::string_view name, std::string_view text) const {
    const std::string made = path(std::string(name) + ".spv");
    const auto outcome = run_command({"as", add(std::string(name) + ".spvasm", text), "-o", made});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return made;
  }
  /// The verdict of a case of the shader; if it fails, why.
  std::string judged(std::string_view shader, std::string_view lines) const {
    add("s.spvasm", shader);
    const auto outcome = run_command({"test", add("s.test.toml", "shader = 's.spvasm'\n[[case]]\n" + std::string(lines) + '\n')});
    if (outcome.out.starts_with("passed")) return "passed";
    const std::size_t line = outcome.out.find('\n') + 1;
    const std::size_t start = outcome.out.find(": ", line) + 2;
    return outcome.out.substr(start, outcome.out.find('\n', start) - start);
  }

  std::filesystem::path folder_;
};

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string made(text);
  made.replace(made.find(what), what.size(), with);
  return made;
}

TEST_F(SpirvNames, AreThoseOfReflection) {
  const auto of = [&](std::string_view inputs, std::string_view outputs) {
    return judged(kNames, "lanes = [{" + std::string(inputs) + "}]\nexpect.lanes = {" + std::string(outputs) + '}');
  };
  EXPECT_EQ(of("color = [1, 2, 3, 4]", "b = [1, 2, 3, 4]"), "passed");
  EXPECT_EQ(of("location1 = [1, 2, 3, 4]", "location1 = [1, 2, 3, 4], o1 = [1, 2, 3, 4], Color = 0"),
            "lane 0, Color: the shader has no output of this name");
  EXPECT_EQ(of("v1 = [1, 2, 3, 4]", "location1 = [1, 2, 3, 4], o1 = [1, 2, 3, 4], B = [1, 2, 3, 4]"), "passed");
  // matrices and arrays as a whole, and by rows
  EXPECT_EQ(of("m = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "mm = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], \"mm[2]\" = [7, 8, 9]"), "passed");
  EXPECT_EQ(of("m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]", "mm = [1, 2, 3, 4, 5, 6, 7, 8, 9]"), "passed");
  EXPECT_EQ(of("\"m[1]\" = [4, 5, 6]", "mm = [0, 0, 0, 4, 5, 6, 0, 0, 0]"), "passed");
  EXPECT_EQ(of("w = [10, 11]", "\"vs.uv\" = [10, 11]"), "passed");
  EXPECT_EQ(of("w = [10, 11, 12]", "uv = [10, 11]"), "lanes[0]/w: found 3 numbers, the input has 2");
  EXPECT_EQ(of("m = [[1], [2], [3], [4]]", "mm = 0"), "lanes[0]/m: found 4 rows, the input has 3");
  // members with their block and without
  EXPECT_EQ(of("\"m[1]\" = [4, 5, 6]", "\"vs.normal\" = [4, 5, 6], normal = [4, 5, 6], location6 = [4, 5, 6]"), "passed");
  // built-ins
  EXPECT_EQ(of("number = 5", "Position = 5, gl_Position = 5, SV_Position = 5"), "passed");
  EXPECT_EQ(of("SV_VertexID = 6", "Position = 6"), "passed");
  EXPECT_EQ(of("vertex_id = 7", "Position = 7"), "passed");
}

TEST_F(SpirvNames, AreInResultsWithoutTheirLocations) {
  const auto outcome = run_command({"run", module("names", kNames)});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const std::string_view line : {"\n  b = ", "\n  mm[0] = ", "\n  mm[2] = ", "\n  vs.normal = ", "\n  Position = "})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << outcome.out;
}

TEST_F(SpirvNames, OfNoInputAreErrors) {
  const std::string module_path = module("names", kNames);
  const auto of = [&](std::string_view lane) {
    const auto outcome = run_command({"run", module_path, add("c.toml", "lanes = [{" + std::string(lane) + "}]\n")});
    EXPECT_EQ(outcome.exit, 1) << lane;
    return outcome.err;
  };
  EXPECT_NE(of("colour = 1").find("lanes[0]/colour: the shader has no input of this name; did you mean `color`?"), std::string::npos);
  EXPECT_NE(of("color1 = 1").find("lanes[0]/color1: the shader has no input of this name"), std::string::npos);
  EXPECT_NE(of("tangent = 1").find("lanes[0]/tangent: the shader has no input of this name"), std::string::npos);
  EXPECT_NE(of("vertices = [{tangent = 1}]").find("tangent: the shader has no input of this name"), std::string::npos);
}

TEST_F(SpirvNames, OfHlslAreThoseOfTheSource) {
  const std::string_view kCase = "constants.m = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]\n";
  EXPECT_EQ(
      judged(kHlsl, std::string(kCase) + "lanes = [{P = [1, 0, 0, 0]}, {p0 = [0, 0, 0, 1]}]\n"
                                         "expect.lanes = [{A1 = [1, 2, 3], SV_Position = [1, 0, 0, 0]}, {\"out.var.A1\" = [10, 11, 12]}]"),
      "passed");
  // of GLSL, rows are those of SPIR-V
  const std::string glsl = replaced(kHlsl, "OpSource HLSL 600", "OpSource GLSL 450");
  EXPECT_EQ(judged(glsl,
                   "constants.m = [[1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12]]\nlanes = [{P = [0, 0, 0, 1]}]\n"
                   "expect.lanes = {A1 = [10, 11, 12]}"),
            "passed");
}

TEST_F(SpirvNames, OfHlslReflectTheMatricesOfTheSource) {
  EXPECT_NE(run_command({"reflect", "--hlsl", module("m", kHlsl)}).out.find("\n  float4x3 m;"), std::string::npos);
  const std::string row_major = replaced(kHlsl, " RowMajor", " ColMajor");
  EXPECT_NE(run_command({"reflect", "--hlsl", module("m", row_major)}).out.find("row_major float4x3 m"), std::string::npos);
  const std::string glsl = replaced(kHlsl, "OpSource HLSL 600", "OpSource GLSL 450");
  EXPECT_NE(run_command({"reflect", "--hlsl", module("m", glsl)}).out.find("row_major float3x4 m"), std::string::npos);
  // DXC's modules say so without OpSource
  const std::string stripped =
      "; SPIR-V\n; Version: 1.0\n; Generator: Google spiregg; 0\n; Bound: 30\n; Schema: 0\n" + replaced(kHlsl, "OpSource HLSL 600\n", "");
  EXPECT_NE(run_command({"reflect", "--hlsl", module("m", stripped)}).out.find("\n  float4x3 m;"), std::string::npos);
}

TEST_F(SpirvNames, AreNoPartOfInterfaces) {
  const std::string names = module("names", kNames);
  const std::string stripped = path("stripped.spv");
  ASSERT_EQ(run_command({"strip", "--debug", names, "-o", stripped}).exit, 0);
  for (const auto& [a, b] : {std::pair(names, stripped), std::pair(stripped, names)}) {
    const auto outcome = run_command({"run", "--against", a, b});
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  }
  // the names of two outputs changed places, and a case has those of the first
  const std::string other =
      module("other", replaced(replaced(kNames, "OpName %b \"b\"", "OpName %b \"mm\""), "OpName %mm \"mm\"", "OpName %mm \"b\""));
  const std::string given = add("c.toml", "lanes = [{color = [1, 2, 3, 4], m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}]\n");
  EXPECT_EQ(run_command({"run", "--against", other, names, given}).exit, 0);
  EXPECT_EQ(run_command({"run", "--against", stripped, names, given}).exit, 0);
  // another location, another input
  const std::string moved = module("moved", replaced(kNames, "OpDecorate %w Location 5", "OpDecorate %w Location 7"));
  EXPECT_EQ(run_command({"run", "--against", moved, names}).exit, 1);
  const std::string swapped = module("swapped", replaced(kNames, "OpStore %mm %mv", "%z = OpTranspose %m3 %mv\nOpStore %mm %z"));
  const auto differs = run_command({"run", "--against", swapped, names});
  EXPECT_EQ(differs.exit, 1);
  EXPECT_NE(differs.out.find("mm[0].y"), std::string::npos) << differs.out;
}

TEST_F(SpirvNames, OfConstantsAreOfTheFirstShader) {
  const std::string own = module("own", kHlsl);
  const std::string stripped = path("stripped.spv");
  ASSERT_EQ(run_command({"strip", "--debug", own, "-o", stripped}).exit, 0);
  const std::string given = add("c.toml", "constants.m = [[1, 2, 3], [4, 5, 6]]\nlanes = [{P = [1, 2, 3, 4]}]\n");
  const auto outcome = run_command({"run", "--against", stripped, own, given, "--random", "4"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string other = module("other", replaced(kHlsl, " RowMajor", " ColMajor"));
  EXPECT_EQ(run_command({"run", "--against", other, own, given}).exit, 1);
}

constexpr std::string_view kDebug = R"(OpCapability Shader
%1 = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %o
%s = OpString "a.hlsl"
%e = OpString ""
OpDecorate %o Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%p = OpTypePointer Output %f32
%o = OpVariable %p Output
%f1 = OpConstant %f32 1
%src = OpExtInst %void %1 DebugSource %s
%cu = OpExtInst %void %1 DebugCompilationUnit 1 4 %src HLSL
%ft = OpExtInst %void %1 DebugTypeFunction FlagIsPublic %void
%df = OpExtInst %void %1 DebugFunction %s %ft %src 1 1 %cu %e FlagIsPublic 1 %main
%main = OpFunction %void None %fn
%l = OpLabel
%sc = OpExtInst %void %1 DebugScope %df
OpStore %o %f1
%ns = OpExtInst %void %1 DebugNoScope
OpReturn
OpFunctionEnd
)";

TEST_F(SpirvNames, OfDebugSetsHaveNoEffect) {
  EXPECT_EQ(judged(kDebug, "lanes = [{}]\nexpect.lanes = {o0 = 1}"), "passed");
  std::string plain = replaced(kDebug, "OpenCL.DebugInfo.100", "DebugInfo");
  plain = replaced(plain, "%cu = OpExtInst %void %1 DebugCompilationUnit 1 4 %src HLSL", "%cu = OpExtInst %void %1 DebugInfoNone");
  plain = replaced(plain, "%src = OpExtInst %void %1 DebugSource %s\n", "");
  plain = replaced(plain, "%ft = OpExtInst %void %1 DebugTypeFunction FlagIsPublic %void\n", "");
  plain = replaced(plain, "%df = OpExtInst %void %1 DebugFunction %s %ft %src 1 1 %cu %e FlagIsPublic 1 %main\n", "");
  plain = replaced(plain, "DebugScope %df", "DebugScope %cu");
  EXPECT_EQ(judged(plain, "lanes = [{}]\nexpect.lanes = {o0 = 1}"), "passed");
}

constexpr std::string_view kCopies = R"(OpCapability Shader
OpCapability VariablePointers
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpExtension "SPV_KHR_variable_pointers"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %a "a"
OpDecorate %S Block
OpMemberDecorate %S 0 Offset 0
OpMemberDecorate %S 1 Offset 4
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%bool = OpTypeBool
%true = OpConstantTrue %bool
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u7 = OpConstant %u32 7
%S = OpTypeStruct %u32 %u32
%pS = OpTypePointer StorageBuffer %S
%pu = OpTypePointer StorageBuffer %u32
%fu = OpTypePointer Function %u32
%a = OpVariable %pS StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%v = OpVariable %fu Function
%c = OpCopyObject %pS %a
%q = OpAccessChain %pu %c %u0
%r = OpCopyObject %pu %q
OpStore %r %u7
%vc = OpCopyObject %fu %v
OpStore %vc %u1
%one = OpLoad %u32 %v
%t = OpAccessChain %pu %a %u1
%chosen = OpSelect %pu %true %t %r
OpStore %chosen %one
OpReturn
OpFunctionEnd
)";

TEST_F(SpirvNames, PointersAreCopied) {
  EXPECT_EQ(judged(kCopies, "resources.a = {size = 8}\nexpect.resources.a = {values = [7, 1], type = 'u32'}"), "passed");
  // of variables of a function, none can be chosen
  const std::string wrong = replaced(kCopies, "%chosen = OpSelect %pu %true %t %r\nOpStore %chosen %one",
                                     "%chosen = OpSelect %fu %true %v %vc\nOpStore %chosen %one");
  const auto outcome = run_command({"run", module("wrong", kCopies), add("c.toml", "resources.a = {size = 8}\n")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  add("wrong.spvasm", wrong);
  ASSERT_EQ(run_command({"as", "--no-validate", path("wrong.spvasm"), "-o", path("wrong.spv")}).exit, 0);
  const auto refused = run_command({"run", path("wrong.spv")});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("OpSelect of pointers of this storage class is not supported"), std::string::npos) << refused.err;
}

TEST_F(SpirvNames, OfSeveralOutputsNameNone) {
  std::string text(kNames);
  text.replace(text.find("OpName %mm \"mm\""), 15, "OpName %mm \"b\"");
  text.replace(text.find("OpName %m \"m\""), 13, "OpName %m \"color\"");
  const std::string shader = add("several.spvasm", text);
  const auto of = [&](std::string_view fields) {
    const auto outcome =
        run_command({"test", add("several.test.toml", "shader = 'several.spvasm'\n[[case]]\nlanes = [{" + std::string(fields))});
    return outcome.out;
  };
  EXPECT_NE(of("}]\nexpect.lanes = {b = 0}").find("lane 0, b: several outputs have this name: `location1` or `location2`"),
            std::string::npos);
  EXPECT_NE(of("}]\nexpect.lanes = {\"b[1]\" = 0, \"b@1\" = 0, location1 = 0, location2 = 0}").find("1 passed"), std::string::npos);
  EXPECT_NE(of("color = 1}]").find("lanes[0]/color: several inputs have this name: `location1` or `location2`"), std::string::npos);
  EXPECT_NE(of("location1 = [5, 6, 7, 8], \"color[1]\" = [1, 2, 3]}]\nexpect.lanes = {location1 = [5, 6, 7, 8], \"b[1]\" = [1, 2, 3]}")
                .find("1 passed"),
            std::string::npos);
  const std::string module = (folder_ / "several.spv").generic_string();
  ASSERT_EQ(run_command({"as", shader, "-o", module}).exit, 0);
  const auto shown = run_command({"run", module}).out;
  EXPECT_NE(shown.find("b@1 = "), std::string::npos) << shown;
  EXPECT_NE(shown.find("b[1]@3 = "), std::string::npos) << shown;
  EXPECT_EQ(run_command({"run", module, "--against", module}).exit, 0);
}

// By location, an input whose name is a built-in's in one of two modules is given for both, and the built-in too.
TEST_F(SpirvNames, OfInputsMayBeThoseOfBuiltIns) {
  const auto made = [&](std::string_view name, std::string_view input) {
    std::string text(kNames);
    text.replace(text.find("OpName %color \"color\""), 21, "OpName %color \"" + std::string(input) + '"');
    const std::string module = (folder_ / name).generic_string();
    EXPECT_EQ(run_command({"as", add(std::string(name) + "asm", text), "-o", module}).exit, 0);
    return module;
  };
  const std::string plain = made("plain.spv", "color"), vertex = made("vertex.spv", "vertex_id"), same = made("same.spv", "VertexIndex");
  const std::string given = add("lane.toml", "lanes = [{location1 = [1, 2, 3, 4], built_ins = {vertex_id = 7}}]\n");
  for (const std::string& a : {plain, vertex, same}) {
    for (const std::string& b : {plain, vertex, same}) {
      const auto outcome = run_command({"run", a, given, "--against", b});
      EXPECT_EQ(outcome.exit, 0) << a << ' ' << b << outcome.out << outcome.err;
    }
    const auto shown = run_command({"run", a, given}).out;
    EXPECT_NE(shown.find("b = 1.0, 2.0, 3.0, 4.0"), std::string::npos) << shown;
    EXPECT_NE(shown.find("= 7.0, 7.0, 7.0, 7.0"), std::string::npos) << shown;
  }
  EXPECT_NE(run_command({"run", vertex, add("other.toml", "lanes = [{gl_VertexIndex = 3}]\n")}).out.find("= 3.0, 3.0, 3.0, 3.0"),
            std::string::npos);
}

}  // namespace
}  // namespace unshade::test
