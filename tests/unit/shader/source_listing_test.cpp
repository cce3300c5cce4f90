// Listings with the lines of the sources between the instructions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/pica/assembler.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/spirv/assembler.hpp>

#include "support/files.hpp"
#include "unit/support/dxbc_builder.hpp"

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

/// ps_2_0 in a level 9 part alone: a mov of line 7 and one of line 9 of a.fx; `files`: how many the debug comment counts.
std::vector<std::byte> level9_program(std::uint32_t files) {
  constexpr std::uint32_t kDebug = 0x47554244;
  constexpr std::uint32_t kHeader = 40, kName = kHeader, kFiles = kName + 8, kLines = kFiles + 4, kBytes = kLines + 16;
  constexpr std::uint32_t kCode = 4 + 8 + kBytes;  // behind the version, the comment's token and its FourCC
  test::Words program{0xffff0200, 0xfffe | (kBytes / 4 + 1) << 16, kDebug};
  program.insert(program.end(), {kHeader, 0, 0, files, kFiles, 2, kLines, 0, kBytes, 0});
  program.insert(program.end(), {0x78662e61, 0});  // "a.fx"
  program.insert(program.end(), {kName, 7, kCode, 9, kCode + 12});
  for (int i = 0; i < 2; ++i) program.insert(program.end(), {0x02000001, 0x800f0000, 0xa0e40000});  // mov r0, c0
  program.push_back(0x0000ffff);
  const auto bytes = static_cast<std::uint32_t>(4 * program.size());
  constexpr std::uint32_t kTables = 36;
  test::Words part{kTables + bytes, program.front(), bytes, kTables};
  part.insert(part.end(), 5, kTables << 16);  // tables of no entries
  part.insert(part.end(), program.begin(), program.end());
  return test::build_container({{dxcontainer::fourcc("Aon9"), test::bytes_of(part)}});
}

TEST(SourceListing, OfLevel9FromItsDebugComment) {
  const auto file = level9_program(1);
  const auto mixed = listed(file, true);
  ASSERT_TRUE(mixed) << to_string(mixed.error());
  EXPECT_EQ(lines_with(*mixed, "// a.fx:"), (std::vector<std::string>{"// a.fx:7", "// a.fx:9"})) << *mixed;
  EXPECT_LT(mixed->find("// a.fx:7"), mixed->find("mov r0"));
  EXPECT_GT(mixed->find("// a.fx:9"), mixed->find("mov r0"));
  const auto nowhere = listed(level9_program(0), true);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::missing);
}

TEST(SourceListing, WithoutDebugInformationIsAnError) {
  const auto mixed = listed(test::sample("textured_ps_5_0.dxbc"), true);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, ErrorCode::missing);
  EXPECT_EQ(mixed.error().path, "sources");
}

}  // namespace
}  // namespace unshade::shader
