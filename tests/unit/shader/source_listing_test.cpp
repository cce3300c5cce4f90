// Listings with the lines of the sources between the instructions.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/spirv/assembler.hpp>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

using test::view_of;

Result<std::string> listed(const std::vector<std::byte>& file, bool with_sources, const ListingOptions& options = {}) {
  const auto shader = open(view_of(file));
  if (!shader) return shader.error();
  Text text;
  const auto done = with_sources ? disassemble_with_sources(*shader, text, options) : disassemble(*shader, text, options);
  if (!done) return done.error();
  return text.str();
}

/// The lines that begin, blanks aside, as a text does.
std::vector<std::string> lines_with(std::string_view text, std::string_view begin) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (line.substr(first).starts_with(begin)) found.emplace_back(line.substr(first));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

constexpr std::string_view kModule = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "dir/a.comp"
OpSource GLSL 450 %file "#version 450
void main() {
  float x = 1.0 + 2.0;
  x = x * x;
}
"
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%block = OpLabel
OpLine %file 3 0
%a = OpFAdd %float %one %one
%b = OpFAdd %float %a %one
OpLine %file 4 0
%c = OpFMul %float %b %b
OpLine %file 99 0
%d = OpFMul %float %c %b
OpReturn
OpFunctionEnd
)";

TEST(SourceListing, OfSpirvAndAssemblesAsBefore) {
  const auto made = assemble(Family::spirv, kModule);
  ASSERT_TRUE(made.ok) << made.messages.front().text;
  const auto plain = listed(made.file, false);
  const auto mixed = listed(made.file, true);
  ASSERT_TRUE(plain && mixed) << to_string(mixed.error());
  EXPECT_EQ(lines_with(*mixed, "; dir/a.comp:"),
            (std::vector<std::string>{"; dir/a.comp:3: float x = 1.0 + 2.0;", "; dir/a.comp:4: x = x * x;", "; dir/a.comp:99"}));
  // the line stands above the first instruction of it
  EXPECT_LT(mixed->find("; dir/a.comp:4"), mixed->find("OpFMul"));
  EXPECT_GT(mixed->find("; dir/a.comp:4"), mixed->rfind("OpFAdd"));
  const auto again = assemble(Family::spirv, *mixed, {.preserve_ids = true});
  const auto before = assemble(Family::spirv, *plain, {.preserve_ids = true});
  ASSERT_TRUE(again.ok && before.ok);
  EXPECT_EQ(again.file, before.file);
}

TEST(SourceListing, OfDxilFromIldb) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const auto mixed = listed(file, true);
  ASSERT_TRUE(mixed) << to_string(mixed.error());
  const auto lines = lines_with(*mixed, "; ");
  const auto told =
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.find(".hlsl:") != std::string::npos; });
  EXPECT_GT(told, 5) << *mixed;
  const auto with_text = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    const auto at = line.find(".hlsl:");
    return at != std::string::npos && line.find(": ", at) != std::string::npos;
  });
  EXPECT_EQ(with_text, told) << "the module has its source";
}

TEST(SourceListing, OfPicaFromTheLineTable) {
  const std::string_view source = ".proc main\n\tmov r0, v0\n\tadd r0, r0, v0\n\tend\n.end\n";
  pica::AssemblerOptions options;
  options.line_info = true;
  const auto made = pica::assemble(std::vector<pica::Source>{{"a.v.pica", source}}, options);
  ASSERT_TRUE(made.ok);
  const auto mixed = listed(pica::write_assembly(made), true);
  ASSERT_TRUE(mixed) << to_string(mixed.error());
  EXPECT_EQ(lines_with(*mixed, "; a.v.pica:"), (std::vector<std::string>{"; a.v.pica:2", "; a.v.pica:3", "; a.v.pica:4"})) << *mixed;
}

TEST(SourceListing, WithoutDebugInformationIsAnError) {
  const auto mixed = listed(test::sample("textured_ps_5_0.dxbc"), true);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, ErrorCode::missing);
  EXPECT_EQ(mixed.error().path, "sources");
}

}  // namespace
}  // namespace unshade::shader
