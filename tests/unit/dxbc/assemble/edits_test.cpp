// Text beside bytes, and edits of listings: nothing that a person changes may be lost without a word.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "support/container.hpp"
#include "support/dxbc_edits.hpp"
#include "support/files.hpp"

namespace unshade::dxbc {

namespace {

using dxcontainer::fourcc;
using test::sample;
using test::view_of;

std::string with(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The line and id of the first message.
std::string fault(std::string_view text) {
  const auto assembly = assemble(text);
  if (assembly.ok) return "none";
  if (assembly.messages.empty()) return "no message";
  const auto& message = assembly.messages[0];
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < message.line; ++line) at = text.find('\n', at) + 1;
  return std::string(message.id) + ": " + std::string(text.substr(at, text.find('\n', at) - at));
}

const std::string& textured() {
  static const std::string text = test::dxbc_listing::exact_listing_of(sample("textured_ps_5_0.dxbc"));
  return text;
}

TEST(AssemblerEdits, ProgramsThatWineCallsShdrAreAssembled) {
  EXPECT_EQ(textured().find(".part SHDR {"), std::string::npos);
  const auto assembly = assemble(with(textured(), "dcl_temps 5", "dcl_temps 20"));
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  EXPECT_EQ(test::dxbc_listing::exact_listing_of(assembly.file), with(textured(), "dcl_temps 5", "dcl_temps 20"));
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  EXPECT_NE(container->find(fourcc("SHDR")), nullptr);
}

TEST(AssemblerEdits, NamesOfPartsThatAreNoWordsAreNumbers) {
  const std::string text = textured() + ".part 0x20434241 { 01020304 }\n.part 0x12 { 05060708 }\n.part 0x000000ff { 090a0b0c }\n";
  const auto assembly = assemble(text);
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  EXPECT_NE(container->find(fourcc("ABC ")), nullptr);
  EXPECT_NE(container->find(fourcc("0x12")), nullptr);
  EXPECT_NE(container->find(0xff), nullptr);
  const std::string listing = test::dxbc_listing::exact_listing_of(assembly.file);
  EXPECT_NE(listing.find("\n.part 0x20434241 {\n  01020304\n}\n.part 0x12 {\n"), std::string::npos);
  const auto again = assemble(listing);
  ASSERT_TRUE(again.ok) << to_string(again.messages[0]);
  EXPECT_EQ(again.file, assembly.file);
  EXPECT_EQ(fault(textured() + ".part 0x2043424 { 00 }\n"), "as.part: .part 0x2043424 { 00 }");
}

TEST(AssemblerEdits, BytesHaveTheLinesOfTheirStatements) {
  const auto assembly = assemble("ps_5_0\ndcl_output o0.x\ndcl_temps 1\n\nmov r0.x, l(1.0)\nmov o0.x, r0.x\nret\n");
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  const auto& part = *container->find(dxcontainer::PartRole::tokens);
  const auto program = parse_program(part);
  ASSERT_TRUE(program.has_value());
  std::vector<std::uint32_t> lines;
  Decoder decoder(*program);
  for (Instruction instruction; !decoder.at_end() && decoder.next(instruction);)
    lines.push_back(origin_at(assembly.origins, instruction.bytes.file_offset()).line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{2, 3, 5, 6, 7}));
  EXPECT_EQ(origin_at(assembly.origins, 0).line, 0U);
  EXPECT_EQ(origin_at(assembly.origins, part.data.file_offset()).line, 0U);  // the version token
  EXPECT_EQ(origin_at(assembly.origins, part.data.file_offset() + part.data.size()).line, 0U);
}

TEST(AssemblerEdits, CountsThatTheTextStates) {
  const auto assembly = assemble(with(textured(), ".statistic mov_instruction_count 63", ".statistic mov_instruction_count 7"));
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  const auto* const part = container->find(fourcc("STAT"));
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(parse_statistics(*part)->mov_instruction_count, 7U);
  EXPECT_EQ(fault(with(textured(), "mov_instruction_count", "move_count")), "as.unknown-word: .statistic move_count 63");
  EXPECT_EQ(fault(with(textured(), "Approximately 116", "Approximately 117")),
            "as.disagreement: // Approximately 117 instruction slots used");
}

TEST(AssemblerEdits, TablesMustSayWhatTheBytesOfTheirPartsSay) {
  const std::string& text = textured();
  for (const std::string_view part : {".part ISGN {", ".part RDEF {"}) ASSERT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(fault(with(text, "cb1      1 ", "cb2      1 ")),
            "as.disagreement: // Material                          cbuffer      NA          NA            cb2      1 ");
  EXPECT_EQ(fault(with(text, "// WORLD ", "// VIEW  ")),
            "as.disagreement: // VIEW                     0   xyz         2     NONE   float   xyz ");
  EXPECT_EQ(fault(with(text, "float alphaCutoff;", "float alphaLimit; ")),
            "as.disagreement: //   float alphaLimit;                  // Offset:   16 Size:     4");
  EXPECT_EQ(fault(with(text, "vkd3d-shader 1.14", "vkd3d-shader 1.15")),
            "as.disagreement: // Generated by vkd3d-shader 1.15 (Wine bundled)");
  EXPECT_EQ(fault(with(text, "// Input signature:", "// Inputs signature:")), "as.table-row: // Inputs signature:");
  // other blanks and left out tables are no edit
  EXPECT_TRUE(assemble(with(text, "// WORLD                    0", "// WORLD 0")).ok);
  EXPECT_TRUE(assemble(text.substr(text.find("ps_5_0"))).ok);
  // a table whose part the statements leave out
  const std::string without = with(text, ".part OSGN {", ".part OSGX {");
  EXPECT_EQ(fault(without), "as.disagreement: // Output signature:");
  // a part that cannot be read is compared with nothing
  EXPECT_EQ(fault(with(text, ".part RDEF {\n  01000000", ".part RDEF {\n  01000001")), "as.disagreement: .part RDEF {");
}

TEST(AssemblerEdits, ProgramsMustBeThatOfTheirBytes) {
  const std::string text =
      "ps_4_0\n"
      "dcl_output o0.xyzw\n"
      "mov o0.xyzw, l(0,0,0,0)\n"
      "ret \n"
      "// Approximately 0 instruction slots used\n";
  const auto plain = assemble(text);
  ASSERT_TRUE(plain.ok) << to_string(plain.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(plain.file));
  ASSERT_TRUE(container.has_value());
  Text bytes;
  bytes << ".part SHDR {";
  for (const std::byte b : container->parts[0].data.bytes()) bytes.hex(static_cast<std::uint8_t>(b), 2);
  bytes << "}\n";
  EXPECT_EQ(assemble(text + bytes.str()).file, plain.file);
  EXPECT_EQ(fault(with(text, "l(0,0,0,0)", "l(0,0,0,1)") + bytes.str()), "as.disagreement: mov o0.xyzw, l(0,0,0,1)");
  EXPECT_EQ(fault(with(text, "ps_4_0", "ps_4_1") + bytes.str()), "as.disagreement: ps_4_1");
  EXPECT_EQ(fault(text + ".part PRIV { 00 }\n"), "as.disagreement: ps_4_0");
  // without STAT among the parts nothing has this count
  EXPECT_EQ(fault(with(text, "Approximately 0", "Approximately 5") + bytes.str()),
            "as.disagreement: // Approximately 5 instruction slots used");
}

TEST(AssemblerEdits, SemanticsWithBlanks) {
  const auto row = [](std::string_view name) {
    return "// Input signature:\n//\n// " + std::string(name) + "   2   xy          1     NONE   float   xy  \n//\nps_4_0\nret\n";
  };
  const auto assembly = assemble(row("MY OWN 7 NAME"));
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const std::string listing = test::dxbc_listing::exact_listing_of(assembly.file);
  EXPECT_NE(listing.find("// MY OWN 7 NAME            2   xy "), std::string::npos) << listing;
  EXPECT_EQ(assemble(listing).file, assembly.file);
  EXPECT_EQ(fault(row("MY OWN SEVENTH NAME OF ALL THESE MANY NAMES")).substr(0, 12), "as.table-row");
}

TEST(AssemblerEdits, CommentsBehindTokens) {
  EXPECT_EQ(fault("ps_5_0\n.tokens 0x01040015  // else\n"), "as.disagreement: .tokens 0x01040015  // else");
  EXPECT_EQ(fault("ps_5_0\n.tokens 0x01040015  // endif\n"), "none");
  EXPECT_EQ(fault("ps_5_0\n.tokens 0x01040015\n"), "none");
  EXPECT_EQ(fault(".version 0x80000050 // ps_4_0\nret\n"), "as.disagreement: .version 0x80000050 // ps_4_0");
}

constexpr std::string_view kBound =
    "// Buffer Definitions:\n//\n// cbuffer Own\n// {\n//\n//   float4 tint;                       // Offset:    0 Size:    16\n//\n// "
    "}\n//\n"
    "// Resource Bindings:\n//\n"
    "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
    "// ------------------------------ ---------- ------- ----------- -------------- ------\n"
    "// tex                               texture  float4          2d             t0      1\n"
    "// Own                               cbuffer      NA          NA            cb0      1\n//\n"
    "// Input signature:\n//\n"
    "// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// COLOR                    0   xyzw        0     NONE   float   xyzw\n"
    "// TEXCOORD                 0   xy          1     NONE   float   xy\n//\n"
    "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xy\nret\n"
    "// Approximately 1 instruction slots used\n";

TEST(AssemblerEdits, RowsAfterTheEndOfATableAreFaults) {
  const std::string text(kBound);
  EXPECT_EQ(fault(text), "none");
  EXPECT_EQ(fault(with(text, "// Own      ", "//\n// Own      ")),
            "as.table-row: // Own                               cbuffer      NA          NA            cb0      1");
  EXPECT_EQ(fault(with(text, "// TEXCOORD", "//\n// TEXCOORD")),
            "as.table-row: // TEXCOORD                 0   xy          1     NONE   float   xy");
  EXPECT_EQ(fault(with(text, "// Input signature:", "// any words of a person\n//\n// Input signature:")), "none");
}

TEST(AssemblerEdits, RowsAfterTheEndOfATableAreFaultsEvenWithAFault) {
  const auto fault_with = [](std::string_view row) {
    return fault(with(std::string(kBound), "ps_5_0", "// " + std::string(row) + "\nps_5_0"));
  };
  for (const std::string_view row : {
           "MY OWN NAME   0   xyzw  1  NONE  float  xyzw",
           "COLOR         0   xyzw  1  NONE  flot   xyzw",
           "COLOR         0   xyzw  1  NONE  float  xyzw more",
           "COLOR         0   xyzw  1  NUN   float  xyzw",
           "COLOR         0   xyzq  1  NONE  float  xyzw",
           "COLOR         O   x  w  1  NONE  float  xyzw",
           "COLOR         0   x y   l  NONE  float",
           "MY OWN NAME   0   N/A   oDepth  DEPTH  flot  YES",
           "tex           texture  flot4   2d   t0    1",
           "tex           textur   float4  2d   t0    1",
           "tex           texture  float4  2d   t0    1  1",
           "tex           texture  float4  2d   T0  tO    1",
           "tex   slow    texture  float4  2dMS4  t0    unbounded",
           "data          UAV      struct  r/w+cnt  u0,space1  one",
       })
    EXPECT_EQ(fault_with(row), "as.table-row: // " + std::string(row));
  for (const std::string_view row : {
           "the matrix is 4 x 4 float",
           "a 4 x 4 matrix of float, 0",
           "TODO: the weights are 1 2 3 4",
           "tex is a texture, float4 2d, in t0",
           "texture float4 2d",
           "POS and NONE and float are words",
       })
    EXPECT_EQ(fault_with(row), "none") << row;
}

TEST(AssemblerEdits, TablesAreAboveTheProfile) {
  const std::string text = with(std::string(kBound), "ps_5_0\n", "");
  EXPECT_EQ(fault("ps_5_0\n" + text).substr(0, 17), "as.table-row: // ");
  for (const std::string_view line :
       {"Buffer Definitions: ", "Resource Bindings:", "Input signature:", "Patch Constant signature:", "Available Class Types:",
        "Interface slots, 2 total:", "Tessellation Domain   # of control points", "Note: shader requires additional functionality:",
        "TEXCOORD                 1   xy          1     NONE   float   xy", "Generated by vkd3d", "| Type ID  |   0     |0",
        "float4 a;                          // Offset:    0 Size:    16", "Name                 Index   Mask"}) {
    std::string row("// ");
    row += line.substr(0, line.find_last_not_of(' ') + 1);
    EXPECT_EQ(fault(with(std::string(kBound), "ret\n", "ret\n  " + row + '\n')), "as.table-row:   " + row);
  }
  for (const std::string_view line : {"{", "} // main", "the input is drawn here: 1 2 3", "lane 0 x of the float", "adds 4 w on top, float",
                                      "register 0 x only - float", "Interface slots, see above", "Tessellation Domain is quad here"})
    EXPECT_EQ(fault(with(std::string(kBound), "ret\n", "// " + std::string(line) + "\nret\n")), "none") << line;
}

TEST(AssemblerEdits, RowsOfClassesAfterTheEndOfTheirTableAreFaults) {
  const auto fault_with = [](std::string_view title, std::string_view row) {
    return fault("// " + std::string(title) + "\n//\n// Name  ID\n// A 0 1 0 0 0\n//\n// " + std::string(row) + "\nps_5_0\nret\n");
  };
  EXPECT_EQ(fault_with("Available Class Instances:", "B 0 1 O 0 -"), "as.table-row: // B 0 1 O 0 -");
  EXPECT_EQ(fault_with("Available Class Instances:", "B 0 1 words 0 words"), "none");
}

constexpr std::string_view kStructs =
    "// Buffer Definitions:\n//\n// cbuffer Own\n// {\n//\n"
    "//   float2 f;                          // Offset:    0 Size:     8\n"
    "//   struct S\n//   {\n//\n"
    "//       double x;                      // Offset:   16\n"
    "//       float y;                       // Offset:   24\n//\n"
    "//   } s;                               // Offset:   16 Size:    12\n//\n// }\n//\n"
    "ps_5_0\nret\n";

TEST(AssemblerEdits, BuffersHaveBothBraces) {
  EXPECT_EQ(fault(with(std::string(kStructs), "// {\n", "")), "as.table-row: // cbuffer Own");
  EXPECT_EQ(fault("// Buffer Definitions:\n//\n// cbuffer Own\n//\n// }\n//\nps_5_0\nret\n"), "as.table-row: // cbuffer Own");
  EXPECT_EQ(fault("// Buffer Definitions:\n//\n// }\n//\nps_5_0\nret\n"), "as.table-row: // }");
  EXPECT_EQ(fault(with(std::string(kStructs), "// }\n//\nps", "// }\n//\n// cbuffer layouts: see common.hlsl\n//\nps")), "none");
}

TEST(AssemblerEdits, LinesOfBuffersHaveOneDeclarationAndItsPlace) {
  const std::string text(kStructs);
  EXPECT_EQ(fault(text), "none");
  const auto message = [&](std::string_view from, std::string_view to) {
    const auto assembly = assemble(with(text, from, to));
    return assembly.ok || assembly.messages.empty() ? "none" : to_string(assembly.messages[0]);
  };
  constexpr std::string_view kPlace = "`// Offset:` and a number after the declaration, found ";
  const auto place = [&](std::string_view at, std::string_view found) {
    return std::string(at) + ": error[as.table-row]: expected " + std::string(kPlace) + std::string(found);
  };
  EXPECT_EQ(message("float2 f; ", "float2 f; float2 g; "), place("6:16", "`float2`"));
  EXPECT_EQ(message("float2 f; ", "float2 f; junk "), place("6:16", "`junk`"));
  EXPECT_EQ(message("double x; ", "double x; float z; "), place("10:20", "`float`"));
  EXPECT_EQ(message("} s; ", "} s; } other; "), place("13:11", "`}`"));
  EXPECT_EQ(message("float2 f;                          // Offset:    0", "float2 f;"), place("6:16", "`Size:`"));
  EXPECT_EQ(message("    0 Size:     8", "    0"), "6:56: error[as.table-row]: expected `Size:` and a number, found the end of the line");
  EXPECT_EQ(message("   24\n", "   24 Size: 77 [unused]\n"),
            "11:57: error[as.table-row]: expected the end of the line, as members have no size, found `Size:`");
  EXPECT_EQ(message("Size:    12", "Size:    12 [unused] [unused]"),
            "13:78: error[as.table-row]: expected the end of the line, found `[unused]`");
  EXPECT_EQ(message("Size:    12", "Size:    12 unused"),
            "13:69: error[as.table-row]: expected `[unused]` or the end of the line, found `unused`");
  EXPECT_EQ(message("//   float2 f;", "//   = 0x3f800000\n//   float2 f;"),
            "6:6: error[as.table-row]: expected a variable before its default value, found `=`");
  EXPECT_EQ(message("f; ", "f[65536]; "), "6:14: error[as.table-row]: expected a number of elements from 2 to 65535, found `[65536];`");
  EXPECT_EQ(message("f; ", "f[1]; "), "6:14: error[as.table-row]: expected a number of elements from 2 to 65535, found `[1];`");
}

TEST(AssemblerEdits, MembersBeginWithTheirStructOrAfterIt) {
  const std::string text(kStructs);
  const auto moved = [&](std::string_view offset) { return assemble(with(text, "// Offset:   16 Size:", std::string(offset) + " Size:")); };
  const auto below = moved("// Offset:   64");
  ASSERT_FALSE(below.messages.empty());
  EXPECT_EQ(to_string(below.messages[0]), "10:17: error[as.table-row]: the member's offset, 16, is below that of its struct, 64");
  const auto offset_of_y = [](const Assembly& assembly) -> std::uint32_t {
    const auto container = dxcontainer::parse_container(view_of(assembly.file));
    if (!assembly.ok || !container) return 0;
    return parse_rdef(*container->find(fourcc("RDEF")))->types.back().members[1].offset;
  };
  EXPECT_EQ(offset_of_y(assemble(text)), 8U);
  EXPECT_EQ(offset_of_y(moved("// Offset:    8")), 16U);
  // without a place the members have those of the struct
  const auto unplaced = moved("// Offset:  N/A");
  EXPECT_EQ(offset_of_y(unplaced), 24U);
  EXPECT_NE(test::dxbc_listing::exact_listing_of(unplaced.file).find("float y;                       // Offset:   24\n"),
            std::string::npos);
}

TEST(AssemblerEdits, WhatIsGivenTwiceIsAFault) {
  const std::string text(kBound);
  EXPECT_EQ(fault(with(text, "ps_5_0", "// Input signature:\n//\n// no Input\nps_5_0")), "as.table-row: // Input signature:");
  EXPECT_EQ(fault(with(text, "ps_5_0", "// Resource Bindings:\n//\nps_5_0")), "as.table-row: // Resource Bindings:");
  for (const char* statement : {".compile_flags 5\n", ".packed 0\n", ".statistic mov_instruction_count 2\n", ".after { 00 }\n",
                                ".trailing { 00\n 01 }\n", ".digest { 00000000 00000000 00000000 00000000 }\n"})
    EXPECT_EQ(fault(text + statement + statement).substr(0, 10), "as.syntax:") << statement;
}

TEST(AssemblerEdits, TabsAreBlanks) {
  const std::string text(kBound);
  const auto plain = assemble(text);
  EXPECT_TRUE(plain.ok && assemble(with(text, "// TEXCOORD   ", "//\tTEXCOORD\t")).file == plain.file);
  EXPECT_TRUE(assemble(with(text, "// tex    ", "//\ttex\t")).file == plain.file);
  EXPECT_TRUE(assemble(with(text, "float4 tint;                       // Offset:    0 Size:    16",
                            "float4 tint; \t// Offset: 0 Size: 16\t[unused]\t"))
                  .ok);
  const auto expected = assemble(with(text, "// Offset:    0 Size:    16", "// Offset:   32 Size:    64 [unused]"));
  for (const char* const row :
       {"//\tOffset: 32 Size: 64 [unused]", "// Offset:\t32\tSize: 64 [unused]", "// Offset: 32 \t Size:\t64\t[unused]"}) {
    const auto tabs = assemble(with(text, "// Offset:    0 Size:    16", row));
    EXPECT_TRUE(tabs.ok && tabs.file == expected.file) << row;
  }
  const auto misspelt = assemble(with(text, "// Offset:    0 Size:    16", "// Offset: 0 Sise: 16"));
  ASSERT_FALSE(misspelt.messages.empty());
  EXPECT_EQ(misspelt.messages[0].text, "expected `Size:` and a number, found `Sise:`");
  EXPECT_EQ(fault(with(text, "float4 tint", "float4 \ttint")).substr(0, 13), "as.table-row:");
}

TEST(AssemblerEdits, StatementsAboutPartsThatAreNotThere) {
  EXPECT_EQ(fault("ps_5_0\nret\n.compile_flags 5\n"), "as.disagreement: .compile_flags 5");
  EXPECT_EQ(fault("ps_4_0\nret\n.statistic movc_instruction_count 5\n.part SHDR\n"),
            "as.disagreement: .statistic movc_instruction_count 5");
  EXPECT_EQ(fault("ps_5_0\nret\n.packed\n"), "as.disagreement: .packed");
  // beside parts without a program
  const std::string effect = test::dxbc_listing::exact_listing_of(test::container_of({{fourcc("FX10"), write_effect({})}}));
  EXPECT_EQ(fault(effect), "none");
  for (const char* statement : {".compile_flags 5", ".packed", ".statistic movc_instruction_count 5"}) {
    EXPECT_EQ(fault(".part PRIV { 00 }\n" + std::string(statement) + '\n'), "as.disagreement: " + std::string(statement));
    EXPECT_EQ(fault(effect + std::string(statement) + '\n'), "as.disagreement: " + std::string(statement));
  }
  // beside the bytes of STAT
  std::string bytes = ".part SHDR\n.part STAT { 01000000";
  for (int i = 1; i < 29; ++i) bytes += "00000000";
  bytes += " }\n";
  EXPECT_EQ(fault("ps_4_0\nret\n.statistic instruction_count 1\n" + bytes), "none");
  EXPECT_EQ(fault("ps_4_0\nret\n.statistic instruction_count 2\n" + bytes), "as.disagreement: .statistic instruction_count 2");
}

TEST(AssemblerEdits, NoEditIsLost) {
  const char* const all = std::getenv("UNSHADE_ALL_EDITS");
  constexpr std::size_t kEditsPerSample = 150;
  std::size_t file_number = 0;
  for (const auto& path : test::files_below(test::source_dir() / "tests/data/dxbc", ".dxbc")) {
    const std::string text = test::dxbc_listing::exact_listing_of(test::read_bytes(path));
    const auto edits = test::dxbc_listing::listing_edits(text);
    const std::size_t step = all != nullptr ? 1 : std::max<std::size_t>(1, edits.size() / kEditsPerSample);
    for (std::size_t i = all != nullptr ? 0 : file_number % step; i < edits.size(); i += step) {
      const auto fault = test::dxbc_listing::fault_of_edit(text, edits[i]);
      EXPECT_FALSE(fault.has_value()) << path.filename() << ": " << *fault;
    }
    ++file_number;
  }
  EXPECT_GT(file_number, 0U);
}

}  // namespace

}  // namespace unshade::dxbc
