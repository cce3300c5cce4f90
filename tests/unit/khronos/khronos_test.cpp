// SPIRV-Tools and SPIRV-Cross behind our own functions.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include <unshade/khronos/decompile.hpp>
#include <unshade/khronos/validate.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "support/files.hpp"

namespace unshade::khronos {

namespace {

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}, 0); }

std::vector<std::byte> assembled(std::string_view text) {
  auto module = spirv::assemble(text, {});
  EXPECT_TRUE(module) << (module ? std::string() : to_string(module.error()));
  return module ? *module : std::vector<std::byte>{};
}

std::vector<std::byte> stage(std::string_view name, vbc::Stage which) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/vbc" / name);
  auto file = vbc::parse(view_of(bytes));
  EXPECT_TRUE(file);
  return file ? file->code(which) : std::vector<std::byte>{};
}

constexpr std::string_view kAddsFloatsAsIntegers = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%uint = OpTypeInt 32 0
%main = OpFunction %void None %fn
%label = OpLabel
%sum = OpIAdd %uint %one %one
OpReturn
OpFunctionEnd
)";

TEST(KhronosValidate, FindingsPointToTheInstruction) {
  const auto module = assembled(kAddsFloatsAsIntegers);
  // behind other bytes, as in a VBC
  const auto found = validate_module(View({module.data(), module.size()}, 1000));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->severity, Severity::error);
  EXPECT_EQ(found[0].path, "instructions[11]");
  const auto parsed = spirv::parse(View({module.data(), module.size()}, 1000));
  ASSERT_TRUE(parsed);
  std::uint64_t offset = 0;
  for (const spirv::Instruction instruction : *parsed)
    if (instruction.opcode() == spirv::Opcode::i_add) offset = parsed->file_offset(instruction);
  EXPECT_EQ(found[0].offset, offset);
  EXPECT_NE(offset, 0U);
}

TEST(KhronosValidate, WhatIsValidHasNoFindings) {
  const auto module = stage("textured.vbc", vbc::Stage::vertex);
  EXPECT_TRUE(validate_module(view_of(module), {.environment = "vulkan1.2", .scalar_block_layout = true}).empty());
}

TEST(KhronosValidate, AModuleThatCannotBeReadIsAnError) {
  auto module = stage("minimal.vbc", vbc::Stage::vertex);
  module.resize(module.size() - 2);
  const auto found = validate_module(view_of(module));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->severity, Severity::error);
}

TEST(KhronosValidate, EnvironmentsHaveNames) {
  EXPECT_TRUE(is_environment("vulkan1.2"));
  EXPECT_FALSE(is_environment("vulkan9"));
}

// --- what is newer than the library

/// The module of kAddsFloatsAsIntegers with lines before its second, among its types and in its function, and without its fault.
std::string with(std::string_view first, std::string_view types, std::string_view code) {
  std::string text(kAddsFloatsAsIntegers);
  text.erase(text.find("%sum"), text.find("OpReturn") - text.find("%sum"));
  text.insert(text.find("OpReturn"), code);
  text.insert(text.find("%main = OpFunction"), types);
  text.insert(text.find("OpMemoryModel"), first);
  return text;
}
struct Found {
  std::string rule;
  std::string path;
  std::string message;
};
std::vector<Found> found_in(const std::string& text) {
  const auto module = assembled(text);
  std::vector<Found> found;
  for (const Diagnostic& one : validate_module(view_of(module))) found.push_back({std::string(one.rule->id), one.path, one.message});
  return found;
}

// Each of these came after the oldest SPIRV-Tools that the room builds with; a library that knows them finds nothing newer in them.
TEST(KhronosValidate, WhatIsNewerIsANoteThatNamesIt) {
  const auto found = found_in(with("OpCapability FMAKHR\nOpExtension \"SPV_KHR_fma\"\n", "", "%sum = OpFmaKHR %float %one %one %one\n"));
  if (found.empty()) GTEST_SKIP() << "SPIRV-Tools knows SPV_KHR_fma";
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "khronos.newer");
  EXPECT_EQ(found[0].path, "instructions[1]");
  EXPECT_TRUE(found[0].message.starts_with("newer than SPIRV-Tools 20")) << found[0].message;
  EXPECT_NE(found[0].message.find(", which validates here: "), std::string::npos) << found[0].message;
  for (const char* name : {"OpCapability FMAKHR", "OpFmaKHR", "SPV_KHR_fma"})
    EXPECT_NE(found[0].message.find(name), std::string::npos) << found[0].message;
}

TEST(KhronosValidate, AnEnumerantThatIsNewerHidesWhatDependsOnIt) {
  const auto found = found_in(with("OpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"\n",
                                   "%b16 = OpTypeFloat 16 BFloat16KHR\n%c = OpConstant %b16 1.5\n", ""));
  if (found.empty()) GTEST_SKIP() << "SPIRV-Tools knows SPV_KHR_bfloat16";
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "khronos.newer");
  EXPECT_EQ(found[0].message.find("OpConstant"), std::string::npos) << found[0].message;
}

TEST(KhronosValidate, AnExtensionThatIsNewerMakesErrorsWarnings) {
  const std::string fault = "%sum = OpIAdd %uint %one %one\n";
  const auto found = found_in(with("OpExtension \"SPV_KHR_maximal_reconvergence\"\n", "", fault));
  ASSERT_FALSE(found.empty());
  if (found.size() == 1) GTEST_SKIP() << "SPIRV-Tools knows SPV_KHR_maximal_reconvergence";
  EXPECT_EQ(found[0].rule, "khronos.newer");
  EXPECT_EQ(found[1].rule, "khronos.spirv-val-warning");
  EXPECT_EQ(found[1].path, "instructions[12]");
  EXPECT_EQ(found_in(with("OpExtension \"SPV_KHR_multiview\"\n", "", fault)).front().rule, "khronos.spirv-val");
}

TEST(KhronosValidate, EnumerantsOfDebugInformationDoNotMatter) {
  for (const char* source : {"OpSource Slang 1\n", "OpSource !0x3e7 1\n"}) {
    std::string valid = with("", "", "");
    valid.insert(valid.find("%void"), source);
    EXPECT_TRUE(found_in(valid).empty()) << source;
    // the rest is judged as ever
    std::string fault(kAddsFloatsAsIntegers);
    fault.insert(fault.find("%void"), source);
    const auto found = found_in(fault);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "khronos.spirv-val");
    EXPECT_EQ(found[0].path, "instructions[12]");
  }
}

TEST(KhronosValidate, WhatNobodyKnowsIsAnError) {
  for (const char* unknown : {"OpCapability !0xfff0\n", "!0x0002fff0 !0x00000001\n"}) {
    const auto found = found_in(with(unknown, "", ""));
    ASSERT_EQ(found.size(), 1U) << unknown;
    EXPECT_EQ(found[0].rule, "khronos.spirv-val");
    EXPECT_EQ(found[0].path, "instructions[1]");
  }
}

// --- what the libraries would not get through in a few seconds

constexpr std::string_view kHead = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)";
constexpr std::string_view kTypes = R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%one = OpConstant %float 1
)";
constexpr std::string_view kMain = R"(%main = OpFunction %void None %fn
%label = OpLabel
OpReturn
OpFunctionEnd
)";

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

/// The lines that `line` makes of each number below `count`, its text and the text of the next.
std::string repeated(unsigned count, const auto& line) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::string here = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    text += line(i, here, next);
  }
  return text;
}

/// The instruction at which both libraries refuse a module for a limit.
std::string refused_at(const std::string& text) {
  const auto module = assembled(text);
  const auto found = validate_module(View({module.data(), module.size()}, 1000));
  const auto source = decompile(View({module.data(), module.size()}, 1000));
  if (found.empty() && source) return "valid";
  if (found.size() != 1 || found[0].rule != &kLimit) return "another finding: " + (found.empty() ? "none" : found[0].message);
  if (source || source.error().code != ErrorCode::limit) return "decompiled";
  EXPECT_EQ(source.error().path, found[0].path);
  EXPECT_EQ(source.error().offset, found[0].offset);
  const auto parsed = spirv::parse(View({module.data(), module.size()}, 1000));
  std::uint32_t index = 0;
  for (const spirv::Instruction instruction : *parsed) {
    if (found[0].path == "instructions[" + std::to_string(index++) + ']') {
      EXPECT_EQ(parsed->file_offset(instruction), found[0].offset);
      return "Op" + std::string(instruction.info()->text) + ": " + found[0].message;
    }
  }
  return "no instruction: " + found[0].path;
}

std::string doubled_structs(unsigned depth) {
  return join({kHead, kTypes, "%s0 = OpTypeStruct %float %float\n",
               repeated(depth, [](unsigned, auto& i, auto& next) { return "%s" + next + " = OpTypeStruct %s" + i + " %s" + i + '\n'; }),
               kMain});
}

TEST(KhronosLimits, StructsThatExpand) {
  EXPECT_EQ(refused_at(doubled_structs(10)), "valid");
  EXPECT_EQ(refused_at(doubled_structs(60)), "OpTypeStruct: types and constants expand to more than 1048576 operands");
}

TEST(KhronosLimits, ArraysOfStructsAreLaidOutForEachPlaceIn16Bytes) {
  const auto nested = [](std::string_view stride) {
    return join(
        {kHead,
         repeated(8, [&](unsigned, auto&, auto& next) { return "OpDecorate %a" + next + " ArrayStride " + std::string(stride) + '\n'; }),
         kTypes, "%a0 = OpTypeArray %float %two\n%sixteen = OpConstant %uint 16\n",
         repeated(8,
                  [](unsigned, auto& i, auto& next) {
                    return "%t" + next + " = OpTypeStruct %a" + i + "\n%a" + next + " = OpTypeArray %t" + next + " %sixteen\n";
                  }),
         kMain});
  };
  EXPECT_EQ(refused_at(nested("16")), "valid");
  EXPECT_EQ(refused_at(nested("1")), "OpTypeArray: types and constants expand to more than 1048576 operands");
}

TEST(KhronosLimits, ConstantsThatExpand) {
  const auto constants = [](unsigned depth) {
    return join({kHead, kTypes, "%t0 = OpTypeArray %float %two\n%c0 = OpConstantComposite %t0 %one %one\n",
                 repeated(depth,
                          [](unsigned, auto& i, auto& next) {
                            return "%t" + next + " = OpTypeArray %t" + i + " %two\n%c" + next + " = OpConstantComposite %t" + next + " %c" +
                                   i + " %c" + i + '\n';
                          }),
                 kMain});
  };
  EXPECT_EQ(refused_at(constants(10)), "valid");
  EXPECT_EQ(refused_at(constants(40)), "OpConstantComposite: types and constants expand to more than 1048576 operands");
  EXPECT_EQ(refused_at(join(
                {kHead, kTypes, "%many = OpConstant %uint 2000000000\n%t = OpTypeArray %float %many\n%null = OpConstantNull %t\n", kMain})),
            "OpConstantNull: types and constants expand to more than 1048576 operands");
}

std::string calls(unsigned count, unsigned times) {
  return join({kHead, kTypes,
               "%main = OpFunction %void None %fn\n%label = OpLabel\n%call = OpFunctionCall %void %f0\nOpReturn\nOpFunctionEnd\n",
               repeated(count, [&](unsigned at, auto& i, auto& next) {
                 std::string text = "%f" + i + " = OpFunction %void None %fn\n%l" + i + " = OpLabel\n";
                 for (unsigned k = 0; k < times && at + 1 < count; ++k)
                   text += "%r" + i + '_' + std::to_string(k) + " = OpFunctionCall %void %f" + next + '\n';
                 return text + "OpReturn\nOpFunctionEnd\n";
               })});
}

TEST(KhronosLimits, CallsThatExpand) {
  EXPECT_EQ(refused_at(calls(10, 2)), "valid");
  EXPECT_EQ(refused_at(calls(40, 2)), "OpFunction: a function and its callees, counted once per call, have more than 8388608 instructions");
}

TEST(KhronosLimits, CallsThatNest) {
  EXPECT_EQ(refused_at(calls(100, 1)), "valid");
  EXPECT_EQ(refused_at(calls(20'000, 1)), "OpFunction: calls are nested more than 1024 deep");
}

TEST(KhronosLimits, EqualNames) {
  const auto names = [](unsigned count) {
    return join(
        {kHead, repeated(count, [](unsigned at, auto& i, auto&) { return "OpName %" + i + (at % 2 != 0 ? "_ \"a.b\"\n" : "_ \"a-b\"\n"); }),
         kTypes, repeated(count, [](unsigned, auto& i, auto&) { return '%' + i + "_ = OpString \"\"\n"; }), kMain});
  };
  // OpString stands before names; where it does not, the validator says so, once it is asked.
  EXPECT_EQ(refused_at(names(60'000)), "OpName: more than 16777216 pairs of equal names");
  EXPECT_EQ(
      refused_at(join({kHead, kTypes,
                       repeated(60'000, [](unsigned, auto& i, auto&) { return "%p" + i + " = OpTypePointer Function %float\n"; }), kMain})),
      "OpTypePointer: more than 16777216 pairs of equal names");
}

TEST(KhronosLimits, NestedConstructsInAnyOrderOfBlocks) {
  const auto nested = [](unsigned count, bool merge_first) {
    std::string text = join({kHead, kTypes, "%main = OpFunction %void None %fn\n"});
    const auto merge = [](unsigned i) {
      const std::string label = std::to_string(i);
      return "%m" + label + " = OpLabel\n" + (i == 0 ? "OpReturn\n" : "OpBranch %m" + std::to_string(i - 1) + '\n');
    };
    for (unsigned i = 0; i < count; ++i) {
      const std::string at = std::to_string(i);
      text += "%b" + at + " = OpLabel\nOpSelectionMerge %m" + at + " None\nOpBranchConditional %true %b" + std::to_string(i + 1) + " %m" +
              at + '\n';
      if (merge_first) text += merge(i);
    }
    text += "%b" + std::to_string(count) + " = OpLabel\nOpBranch %m" + std::to_string(count - 1) + '\n';
    for (unsigned i = count; i-- > 0 && !merge_first;) text += merge(i);
    return text + "OpFunctionEnd\n";
  };
  EXPECT_EQ(refused_at(nested(20, false)), "valid");
  EXPECT_EQ(refused_at(nested(20, true)), "valid");
  EXPECT_EQ(refused_at(nested(500, false)), "OpLabel: constructs are nested more than 256 deep");
  EXPECT_EQ(refused_at(nested(500, true)), "OpLabel: constructs are nested more than 256 deep");
}

TEST(KhronosLimits, BlocksOfAFunction) {
  const auto text =
      join({kHead, kTypes, "%main = OpFunction %void None %fn\n%b0 = OpLabel\n",
            repeated(20'000, [](unsigned, auto&, auto& next) { return "OpBranch %b" + next + "\n%b" + next + " = OpLabel\n"; }),
            "OpReturn\nOpFunctionEnd\n"});
  EXPECT_EQ(refused_at(text), "OpLabel: the function has more than 16384 blocks");
}

TEST(KhronosLimits, DecorationGroups) {
  const auto text = join({kHead, repeated(2000, [](unsigned, auto& i, auto&) { return "OpDecorate %group Location " + i + '\n'; }),
                          "%group = OpDecorationGroup\n", "OpGroupDecorate %group",
                          repeated(2000, [](unsigned, auto&, auto&) { return std::string(" %float"); }), "\n", kTypes, kMain});
  EXPECT_EQ(refused_at(text), "OpGroupDecorate: decoration groups expand to more than 1048576 decorations");
}

TEST(KhronosDecompile, SaysAStageInEachLanguage) {
  const auto module = stage("textured.vbc", vbc::Stage::fragment);
  const std::pair<Language, std::string_view> wanted[] = {
      {Language::glsl, "layout(location = 0) out vec4"}, {Language::hlsl, "SV_Target0"}, {Language::msl, "#include <metal_stdlib>"}};
  for (const auto& [language, text] : wanted) {
    const auto source = decompile(view_of(module), {.language = language, .entry_point = {}});
    if (language != Language::glsl && !source) continue;  // not all that Vulkan binds can be said there
    ASSERT_TRUE(source) << to_string(source.error());
    EXPECT_NE(source->find(text), std::string::npos) << *source;
  }
}

TEST(KhronosDecompile, RefusesWhatIsNotValidAtItsPlace) {
  const auto source = decompile(view_of(assembled(kAddsFloatsAsIntegers)));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::bad_value);
  EXPECT_EQ(source.error().path, "instructions[11]");
}

TEST(KhronosDecompile, AnEntryPointThatIsNotThereIsMissing) {
  const auto module = stage("minimal.vbc", vbc::Stage::vertex);
  const auto source = decompile(view_of(module), {.entry_point = "other"});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::missing);
}

std::string glsl_of(std::string_view source, const DecompileOptions& options = {}) {
  const auto module = assembled(join({kHead, source, kTypes, kMain}));
  const auto text = decompile(view_of(module), options);
  return text ? *text : to_string(text.error());
}

TEST(KhronosDecompile, TakesTheVersionFromTheSource) {
  EXPECT_TRUE(glsl_of("").starts_with("#version 450\n"));
  EXPECT_TRUE(glsl_of("OpSource GLSL 460\n").starts_with("#version 460\n"));
  EXPECT_TRUE(glsl_of("OpSource ESSL 320\n").starts_with("#version 320 es\n"));
  EXPECT_TRUE(glsl_of("OpSource HLSL 600\n").starts_with("#version 450\n"));
  EXPECT_TRUE(glsl_of("OpSource ESSL 320\n", {.es = false, .entry_point = {}}).starts_with("#version 450\n"));
  EXPECT_TRUE(glsl_of("OpSource GLSL 460\n", {.es = true, .entry_point = {}}).starts_with("#version 310 es\n"));
  EXPECT_TRUE(glsl_of("OpSource GLSL 450\n", {.version = 430, .vulkan = false, .entry_point = {}}).starts_with("#version 430\n"));
}

TEST(KhronosDecompile, RefusesVersionsThatNoLanguageHas) {
  const auto module = assembled(join({kHead, kTypes, kMain}));
  for (const DecompileOptions& options : {DecompileOptions{.version = 9999999, .entry_point = {}},
                                          {.version = 310, .entry_point = {}},
                                          {.version = 450, .es = true, .entry_point = {}},
                                          {.language = Language::hlsl, .version = 7, .entry_point = {}},
                                          {.language = Language::msl, .version = 21, .entry_point = {}}}) {
    const auto text = decompile(view_of(module), options);
    ASSERT_FALSE(text) << options.version;
    EXPECT_EQ(text.error().code, ErrorCode::bad_value);
  }
  EXPECT_EQ(versions_of(Language::glsl, true).back(), 320U);
}

TEST(KhronosDecompile, KnowsTheVersionsOfLanguages) {
  EXPECT_TRUE(has_version({.language = Language::glsl, .version = 310})) << "without a switch, that of OpenGL ES";
  EXPECT_FALSE(has_version({.language = Language::glsl, .version = 310, .es = false}));
  EXPECT_TRUE(has_version({.language = Language::hlsl, .version = 50}));
  EXPECT_FALSE(has_version({.language = Language::hlsl, .version = 450}));
  EXPECT_EQ(known_versions(Language::hlsl).substr(0, 5), "hlsl ");
  EXPECT_NE(known_versions(Language::glsl).find(" 460, for OpenGL ES 100"), std::string::npos) << known_versions(Language::glsl);
}

TEST(KhronosDecompile, LanguagesHaveNames) {
  for (const auto language : {Language::glsl, Language::hlsl, Language::msl}) EXPECT_EQ(find_language(id(language)), language);
  EXPECT_FALSE(find_language("wgsl"));
}

}  // namespace

}  // namespace unshade::khronos
