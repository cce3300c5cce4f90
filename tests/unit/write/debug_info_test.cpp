// Lines, names and texts of translated modules.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/translate.hpp>

#include "support/files.hpp"
#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

using spirv::Opcode;
using DebugInstruction = spirv::extended::ShaderDebugInfo100;

std::string text_at(const spirv::Instruction& instruction, std::uint32_t word) {
  std::string made;
  for (std::uint32_t at = word; at < instruction.word_count(); ++at) {
    for (unsigned k = 0; k < 4; ++k) {
      const char c = static_cast<char>(instruction.word(at) >> (8 * k) & 0xff);
      if (c == 0) return made;
      made += c;
    }
  }
  return made;
}

/// A shader of the samples, translated with debug information.
struct Translated {
  std::vector<std::byte> bytes;
  std::vector<std::string> lines;  ///< of the listing
  std::string listing;

  Translated(const char* sample, DebugInfo debug, std::optional<ShadingLanguage> language = std::nullopt) {
    const auto file = unshade::test::read_bytes(unshade::test::source_dir() / "tests/data" / sample);
    const auto opened = shader::open(View(file));
    TranslateOptions options;
    options.spirv.debug = debug;
    options.debug_language = language;
    options.file_name = "sample";
    auto made = to_spirv(*opened, options);
    if (!made) {
      ADD_FAILURE() << sample << ": " << to_string(made.error());
      return;
    }
    bytes = std::move(made->bytes);
    EXPECT_EQ(write::test::invalid(View(bytes)), "") << sample;
    Text text;
    EXPECT_TRUE(shader::disassemble(*opened, text));
    listing = text.str();
    for_each_line(listing, [&](std::string_view line) { lines.emplace_back(trimmed(line)); });
  }
  template <class Visit>
  void for_each(Visit visit) const {
    const auto module = spirv::parse(View(bytes));
    ASSERT_TRUE(module);
    for (const spirv::Instruction instruction : *module) visit(instruction);
  }
  /// Texts of the lines that OpLine names.
  std::set<std::string> named_lines() const {
    std::set<std::string> found;
    for_each([&](const spirv::Instruction& instruction) {
      if (instruction.opcode() != Opcode::line) return;
      const std::uint32_t line = instruction.word(2);
      ASSERT_TRUE(line != 0 && line <= lines.size()) << line;
      found.insert(lines[line - 1]);
    });
    return found;
  }
};

TEST(TranslatedLines, AreThoseOfInstructionsInTheListing) {
  const auto dxbc = Translated("dxbc/textured_ps_5_0.dxbc", DebugInfo::lines).named_lines();
  EXPECT_TRUE(std::ranges::any_of(dxbc, [](const std::string& line) { return line.starts_with("sample"); }));
  for (const std::string& line : dxbc) EXPECT_FALSE(line.empty() || line.starts_with("//") || line.starts_with("dcl_")) << line;
  const auto dxil = Translated("dxil/textured_ps_6_6.dxil", DebugInfo::lines).named_lines();
  EXPECT_TRUE(std::ranges::any_of(dxil, [](const std::string& line) { return line.find("@dx.op.sample") != std::string::npos; }));
  for (const std::string& line : dxil)
    EXPECT_TRUE(line.starts_with('%') || line.starts_with("call") || line.starts_with("br") || line.starts_with("ret")) << line;
  const auto pica = Translated("pica/skin.v.shbin", DebugInfo::lines).named_lines();
  EXPECT_TRUE(std::ranges::any_of(pica, [](const std::string& line) { return line.starts_with("dp4"); }));
  // each function of a hull shader has its own
  const auto hull = Translated("dxil/tessellate_hs_6_5.dxil", DebugInfo::lines).named_lines();
  EXPECT_TRUE(
      std::ranges::any_of(hull, [](const std::string& line) { return line.find("@dx.op.storePatchConstant") != std::string::npos; }));
}

TEST(TranslatedLines, NameOneFileAfterTheShader) {
  std::vector<std::string> files;
  Translated("dxbc/grid_cs_5_0.dxbc", DebugInfo::lines).for_each([&](const spirv::Instruction& instruction) {
    if (instruction.opcode() == Opcode::string) files.push_back(text_at(instruction, 2));
  });
  EXPECT_EQ(files, std::vector<std::string>{"sample.asm"});
}

TEST(TranslatedNames, AreRegistersThatValuesAreWrittenTo) {
  std::set<std::string> names;
  Translated("dxbc/grid_cs_5_0.dxbc", DebugInfo::lines).for_each([&](const spirv::Instruction& instruction) {
    if (instruction.opcode() == Opcode::name) names.insert(text_at(instruction, 2));
  });
  EXPECT_TRUE(names.contains("r0.x")) << ::testing::PrintToString(names);
}

TEST(TranslatedForDebuggers, HasTheListingAsSourceAndItsLines) {
  for (const char* const sample : {"dxbc/control_ps_5_0.dxbc", "dxil/tessellate_hs_6_5.dxil", "pica/skin.v.shbin"}) {
    const Translated made(sample, DebugInfo::source);
    std::map<std::uint32_t, std::string> strings;
    std::string source;
    unsigned functions = 0, scopes = 0, lines = 0;
    made.for_each([&](const spirv::Instruction& instruction) {
      EXPECT_NE(instruction.opcode(), Opcode::line);
      if (instruction.opcode() == Opcode::string) strings[instruction.word(1)] = text_at(instruction, 2);
      if (instruction.opcode() != Opcode::ext_inst) return;
      switch (static_cast<DebugInstruction>(instruction.word(4))) {
        case DebugInstruction::debug_source: source = strings[instruction.word(6)]; break;
        case DebugInstruction::debug_function_definition: ++functions; break;
        case DebugInstruction::debug_scope: ++scopes; break;
        case DebugInstruction::debug_line: ++lines; break;
        default: break;
      }
    });
    EXPECT_EQ(source, made.listing) << sample;
    EXPECT_GT(functions, 0U) << sample;
    EXPECT_GT(scopes, 0U) << sample;
    EXPECT_GT(lines, scopes / 2) << sample;
  }
}

// What debuggers show at a texture's sample is the line of the source that samples it.
TEST(TranslatedForDebuggers, HasSourceInALanguageAndItsLines) {
  for (const ShadingLanguage language : {ShadingLanguage::hlsl, ShadingLanguage::glsl}) {
    const bool is_hlsl = language == ShadingLanguage::hlsl;
    for (const char* const sample : {"dxbc/textured_ps_5_0.dxbc", "dxil/textured_ps_6_6.dxil"}) {
      const Translated made(sample, DebugInfo::source, language);
      const auto file = unshade::test::read_bytes(unshade::test::source_dir() / "tests/data" / sample);
      SourceOptions options;
      options.language = language;
      const auto written = to_source(*shader::open(View(file)), options);
      ASSERT_TRUE(written) << to_string(written.error());
      std::vector<std::string> of_source;
      for_each_line(written->text, [&](std::string_view line) { of_source.emplace_back(line); });
      std::map<std::uint32_t, std::string> strings;
      std::map<std::uint32_t, std::uint32_t> constants;
      std::string source, name;
      std::uint32_t language_number = 0, line = 0;
      std::set<std::string> sampled;
      made.for_each([&](const spirv::Instruction& instruction) {
        if (instruction.opcode() == Opcode::string) strings[instruction.word(1)] = text_at(instruction, 2);
        if (instruction.opcode() == Opcode::constant) constants[instruction.word(2)] = instruction.word(3);
        if (instruction.opcode() == Opcode::image_sample_implicit_lod) {
          ASSERT_TRUE(line != 0 && line <= of_source.size()) << line;
          sampled.insert(of_source[line - 1]);
        }
        if (instruction.opcode() != Opcode::ext_inst) return;
        const auto what = static_cast<DebugInstruction>(instruction.word(4));
        if (what == DebugInstruction::debug_source) name = strings[instruction.word(5)], source = strings[instruction.word(6)];
        if (what == DebugInstruction::debug_compilation_unit) language_number = constants[instruction.word(8)];
        if (what == DebugInstruction::debug_line) line = constants[instruction.word(6)];
      });
      EXPECT_EQ(source, written->text) << sample;
      EXPECT_EQ(name, is_hlsl ? "sample.hlsl" : "sample.glsl");
      EXPECT_EQ(language_number, static_cast<std::uint32_t>(is_hlsl ? spirv::SourceLanguage::hlsl : spirv::SourceLanguage::glsl));
      ASSERT_FALSE(sampled.empty()) << sample;
      for (const std::string& one : sampled)
        EXPECT_NE(one.find(is_hlsl ? ".Sample" : "texture"), std::string::npos) << sample << ": " << one;
    }
  }
}

// Instructions of SPIR-V have at most 65,535 words.
TEST(TranslatedForDebuggers, LongSourcesAreInPieces) {
  ir::Module module;
  module.stage = Stage::vertex;
  module.functions.emplace_back().name = "main";
  ir::Builder builder(module.functions[0]);
  builder.at(builder.block());
  builder.return_values();
  DebugSource source;
  source.file = "long";
  while (source.text.size() < 600'000) source.text += "a line that is followed by others like it\n";
  SpirvOptions options;
  options.debug = DebugInfo::source;
  options.source = &source;
  const auto bytes = test::translated(std::move(module), options);
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  EXPECT_EQ(test::invalid(View(*bytes)), "");
  const auto parsed = spirv::parse(View(*bytes));
  ASSERT_TRUE(parsed);
  std::map<std::uint32_t, std::string> strings;
  std::string joined;
  unsigned pieces = 0;
  for (const spirv::Instruction instruction : *parsed) {
    if (instruction.opcode() == Opcode::string) strings[instruction.word(1)] = text_at(instruction, 2);
    if (instruction.opcode() != Opcode::ext_inst) continue;
    const auto what = static_cast<DebugInstruction>(instruction.word(4));
    if (what == DebugInstruction::debug_source) joined += strings[instruction.word(6)];
    if (what == DebugInstruction::debug_source_continued) joined += strings[instruction.word(5)];
    pieces += what == DebugInstruction::debug_source_continued ? 1 : 0;
  }
  EXPECT_EQ(joined, source.text);
  EXPECT_EQ(pieces, 2U);
}

}  // namespace
}  // namespace unshade::write
