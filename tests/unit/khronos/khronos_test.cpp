// SPIRV-Tools and SPIRV-Cross behind our own functions.
#include <gtest/gtest.h>

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

TEST(KhronosValidate, findings_point_to_the_instruction) {
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

TEST(KhronosValidate, what_is_valid_has_no_findings) {
  const auto module = stage("textured.vbc", vbc::Stage::vertex);
  EXPECT_TRUE(validate_module(view_of(module), {.environment = "vulkan1.2", .scalar_block_layout = true}).empty());
}

TEST(KhronosValidate, a_module_that_cannot_be_read_is_an_error) {
  auto module = stage("minimal.vbc", vbc::Stage::vertex);
  module.resize(module.size() - 2);
  const auto found = validate_module(view_of(module));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->severity, Severity::error);
}

TEST(KhronosValidate, environments_have_names) {
  EXPECT_TRUE(is_environment("vulkan1.2"));
  EXPECT_FALSE(is_environment("vulkan9"));
}

TEST(KhronosDecompile, says_a_stage_in_each_language) {
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

TEST(KhronosDecompile, refuses_what_is_not_valid_at_its_place) {
  const auto source = decompile(view_of(assembled(kAddsFloatsAsIntegers)));
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::bad_value);
  EXPECT_EQ(source.error().path, "instructions[11]");
}

TEST(KhronosDecompile, an_entry_point_that_is_not_there_is_missing) {
  const auto module = stage("minimal.vbc", vbc::Stage::vertex);
  const auto source = decompile(view_of(module), {.entry_point = "other"});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::missing);
}

TEST(KhronosDecompile, languages_have_names) {
  for (const auto language : {Language::glsl, Language::hlsl, Language::msl}) EXPECT_EQ(find_language(id(language)), language);
  EXPECT_FALSE(find_language("wgsl"));
}

}  // namespace

}  // namespace unshade::khronos
