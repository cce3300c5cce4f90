// NonSemantic.DebugPrintf.
#include <unshade/ir/lower_spirv.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/core/limits.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/spirv/assembler.hpp>

#include "support/files.hpp"

namespace unshade::ir {
namespace {

constexpr std::string_view kTypes = R"(
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 1
%f32 = OpTypeFloat 32
%f16 = OpTypeFloat 16
%v3 = OpTypeVector %f32 3
%m2 = OpTypeMatrix %v3 2
%fn = OpTypeFunction %void
%c7 = OpConstant %u32 7
%l9 = OpConstant %i64 9
%f1 = OpConstant %f32 1
%h1 = OpConstant %f16 1
%yes = OpConstantTrue %bool
%vec = OpConstantComposite %v3 %f1 %f1 %f1
%mat = OpConstantComposite %m2 %vec %vec
%private = OpTypePointer Private %u32
%variable = OpVariable %private Private
)";

Result<Module> lowered(const std::string& strings, const std::string& body, std::string_view functions = "") {
  const auto bytes = spirv::assemble(
      "OpCapability Shader\nOpCapability Int64\nOpCapability Float16\n"
      "OpExtension \"SPV_KHR_non_semantic_info\"\n%p = OpExtInstImport \"NonSemantic.DebugPrintf\"\n" +
      std::string(kTypes.substr(0, kTypes.find("%void"))) + strings + std::string(kTypes.substr(kTypes.find("%void"))) +
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n" + body + "OpReturn\nOpFunctionEnd\n" + std::string(functions));
  if (!bytes) return bytes.error();
  const auto module = spirv::parse(test::view_of(*bytes));
  if (!module) return module.error();
  auto made = lower(*module);
  if (made) {
    for (const auto& finding : findings_of(*made)) ADD_FAILURE() << to_string(finding) << '\n' << print(*made);
  }
  return made;
}

// The messages of a module and what prints them.
std::string lines_of(const Result<Module>& module) {
  if (!module) return to_string(module.error());
  const std::string text = print(*module);
  std::string made;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    line = line.substr(0, line.find(" !"));
    if (line.starts_with("message") || line.starts_with("  print")) made.append(line) += '\n';
  }
  return made;
}

std::string printed(const std::string& format, const std::string& operands) {
  return lines_of(lowered("%s = OpString \"" + format + "\"\n%word = OpString \"50% w\"\n",
                          "%x = OpExtInst %void %p DebugPrintf %s " + operands + "\n"));
}

TEST(SpirvMessages, BecomePrint) {
  EXPECT_EQ(printed("a %d %1.2v3f", "%c7 %vec"),
            "message @0 printf text \"a %d %1.2v3f\" types 4 i32 f32 f32 f32\n  print @0 7:i32 1.0:f32 1.0:f32 1.0:f32\n");
  EXPECT_EQ(printed("%d %f", "%yes %h1"), "message @0 printf text \"%d %f\" types 2 b1 f16\n  print @0 true:b1 0x3c00:f16\n");
  EXPECT_EQ(printed("none", ""), "message @0 printf text \"none\"\n  print @0\n");
}

TEST(SpirvMessages, TakeTheSizeOfTheArgument) {
  EXPECT_EQ(printed("%ul %lu %u", "%l9 %l9 %l9"),
            "message @0 printf text \"%u %u %u\" types 3 i64 i64 i64\n  print @0 9:i64 9:i64 9:i64\n");
  EXPECT_EQ(printed("%ul", "%c7"), "message @0 printf text \"%ul\" types 1 i32\n  print @0 7:i32\n");
  // a vector is shown whole
  EXPECT_EQ(printed("%f", "%vec"), "message @0 printf text \"%v3f\" types 3 f32 f32 f32\n  print @0 1.0:f32 1.0:f32 1.0:f32\n");
  EXPECT_EQ(printed("%v4d", "%c7"), "message @0 printf text \"%d\" types 1 i32\n  print @0 7:i32\n");
}

TEST(SpirvMessages, HoldTexts) {
  const std::string text(300, 'a');
  EXPECT_EQ(lines_of(lowered("%s = OpString \"%s\"\n%t = OpString \"" + text + "\"\n", "%x = OpExtInst %void %p DebugPrintf %s %t\n")),
            "message @0 printf text \"" + text + "\"\n  print @0\n");
  EXPECT_EQ(printed("[%s] %7s|%-7s|%.2s", "%word %word %word %word"),
            "message @0 printf text \"[50%% w]   50%% w|50%% w  |50\"\n  print @0\n");
}

// Too few and too many arguments, unknown letters, arguments that cannot be shown: never an error.
TEST(SpirvMessages, ShowConversionsWithoutAnArgumentAsText) {
  EXPECT_EQ(printed("%d %d", "%c7"), "message @0 printf text \"%d %%d\" types 1 i32\n  print @0 7:i32\n");
  EXPECT_EQ(printed("%y %d", "%c7 %c7"), "message @0 printf text \"%%y %d\" types 1 i32\n  print @0 7:i32\n");
  EXPECT_EQ(printed("%d %d %d %d", "%variable %mat %u32 %c7"), "message @0 printf text \"%%d %%d %%d %d\" types 1 i32\n  print @0 7:i32\n");
  EXPECT_EQ(printed("%s %d", "%c7 %word"), "message @0 printf text \"%%s %%d\"\n  print @0\n");
  EXPECT_EQ(printed("%", ""), "message @0 printf text \"%%\"\n  print @0\n");
  // a format that is no OpString: there is nothing to show
  EXPECT_EQ(lines_of(lowered("", "%x = OpExtInst %void %p DebugPrintf %c7 %c7\n")), "");
}

TEST(SpirvMessages, AreCutOff) {
  const std::string part(limits::kMessageCharacters - 1, 'a');
  EXPECT_EQ(printed(part + "%d", "%c7"),
            "message @0 printf text \"" + part.substr(0, limits::kMessageCharacters - 3) + "...\"\n  print @0\n");
  // many texts of one word: all messages together have a limit
  std::string strings = "%word = OpString \"" + std::string(limits::kMessageCharacters - 10, 'b') + "\"\n", body;
  const std::size_t count = limits::kMessageBytes / (limits::kMessageCharacters - 10) + 10;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = "s" + std::to_string(k);
    strings += "%" + name + " = OpString \"%s" + std::to_string(k) + "%d\"\n";
    body += "%x" + name + " = OpExtInst %void %p DebugPrintf %" + name + " %word %c7\n";
  }
  const auto module = lowered(strings, body);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(module->messages.back().text, "...");
  EXPECT_TRUE(module->messages.back().types.empty());
  std::size_t bytes = 0;
  for (const MessageFormat& message : module->messages) bytes += message.text.size();
  EXPECT_LE(bytes, limits::kMessageBytes + 3);
  EXPECT_LT(module->messages.size(), count);
}

// Each message is there once, wherever it is printed.
TEST(SpirvMessages, AreSharedByCalls) {
  const auto module =
      lowered("%s = OpString \"%d\"\n", "%a = OpFunctionCall %void %f\n%b = OpFunctionCall %void %f\n",
              "%f = OpFunction %void None %fn\n%fe = OpLabel\n%x = OpExtInst %void %p DebugPrintf %s %c7\nOpReturn\nOpFunctionEnd\n");
  EXPECT_EQ(lines_of(module), "message @0 printf text \"%d\" types 1 i32\n  print @0 7:i32\n  print @0 7:i32\n");
}

}  // namespace
}  // namespace unshade::ir
