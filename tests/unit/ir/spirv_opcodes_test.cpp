// tests/data/spirv/opcode_classes.txt says of every opcode of SPIR-V what the project does with it: lists it, assembles it, shows it in the
// interface, lowers it. UNSHADE_BLESS=1 writes the file anew; an opcode that changes its class is to be looked at.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>

#include "ir/spirv/function.hpp"
#include "support/files.hpp"
#include "unit/spirv/spirv_builder.hpp"

namespace unshade::ir::lower_spirv {

namespace {

using spirv::OperandKind;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kInteger = 1, kImport = 2, kConstant = 3, kResult = 50;

/// A type, a set of extended instructions and a constant, for the operands of what follows.
Words preamble() {
  return {test::head(21, 4), kInteger, 32,        0, test::head(11, 6), kImport, 0x4c534c47, 0x6474732e, 0x3035342e, 0,
          test::head(43, 4), kInteger, kConstant, 0};
}

/// Puts one operand for each rule: ids of the preamble, the first enumerant.
void put(Words& words, std::span<const spirv::OperandRule> rules, std::uint32_t id) {
  for (const spirv::OperandRule& rule : rules) {
    switch (rule.kind) {
      case OperandKind::id_result_type: words.push_back(kInteger); break;
      case OperandKind::id_result: words.push_back(kResult); break;
      case OperandKind::id_ref: words.push_back(id); break;
      case OperandKind::id_scope:
      case OperandKind::id_memory_semantics: words.push_back(kConstant); break;
      case OperandKind::literal_integer:
      case OperandKind::literal_number: words.push_back(9); break;
      case OperandKind::literal_float: words.push_back(0x3f80'0000); break;
      case OperandKind::literal_string: words.push_back('x'); break;
      case OperandKind::extended_instruction:
        words.push_back(1);
        put(words, spirv::find_extended(spirv::ExtendedSet::GlslStd450, 1)->operands, kConstant);
        break;
      case OperandKind::spec_constant_opcode:
        words.push_back(static_cast<std::uint32_t>(spirv::Opcode::s_negate));
        words.push_back(kConstant);
        break;
      case OperandKind::pair_literal_id: words.insert(words.end(), {9, kConstant}); break;
      case OperandKind::pair_id_literal: words.insert(words.end(), {kConstant, 9}); break;
      case OperandKind::pair_id_id: words.insert(words.end(), {kConstant, kConstant}); break;
      default: {
        const spirv::Enumerant& first = spirv::enumerants(rule.kind).front();
        words.push_back(first.value);
        put(words, first.operands, id);
        break;
      }
    }
  }
}

std::vector<std::byte> module_of(const Words& rest) {
  Words words{spirv::kMagic, 0x10600, 0, 100, 0};
  for (const Words& part : {preamble(), rest}) words.insert(words.end(), part.begin(), part.end());
  std::vector<std::byte> bytes;
  for (const std::uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift));
  return bytes;
}

/// What an interface shows, as a text that differs if it shows more.
std::string shown(const std::vector<std::byte>& bytes) {
  const auto module = spirv::parse(test::view_of(bytes));
  if (!module) return "not read";
  const spirv::Interface interface = spirv::interface_of(*module);
  std::ostringstream text;
  text << interface.capabilities.size() << ' ' << interface.extensions.size() << ' ' << interface.instruction_sets.size() << ' '
       << static_cast<unsigned>(interface.addressing) << static_cast<unsigned>(interface.memory) << ' ' << interface.constants.size() << ' '
       << interface.variables.size() << ' ' << interface.decorations.size();
  for (const spirv::Type& type : interface.types)
    if (type.kind != spirv::TypeKind::other) text << ' ' << static_cast<unsigned>(type.kind) << type.name;
  for (const spirv::EntryPoint& entry : interface.entry_points) text << " entry" << entry.modes.size();
  return text.str();
}

/// An instruction with all of its operands, and without what may be missing.
Words instruction_of(const spirv::OpcodeInfo& info) {
  const bool is_of_type = info.group == spirv::OpcodeGroup::type_declaration || info.group == spirv::OpcodeGroup::annotation ||
                          info.group == spirv::OpcodeGroup::debug;
  Words words{0};
  put(words, info.operands, spirv::is_extended(info.opcode) ? kImport : is_of_type ? kInteger : kConstant);
  words[0] = test::head(static_cast<unsigned>(info.opcode), static_cast<unsigned>(words.size()));
  return words;
}

std::string lowered(const spirv::OpcodeInfo& info) {
  const Meaning meaning = meaning_of(info.opcode);
  if (meaning == Meaning::nothing) return "nothing";
  if (meaning != Meaning::unsupported) return "lowers";
  return info.section == spirv::Section::functions && info.group != spirv::OpcodeGroup::debug && info.opcode != spirv::Opcode::function &&
                 info.opcode != spirv::Opcode::function_end && info.opcode != spirv::Opcode::function_parameter
             ? "refuses"
             : "declares";
}

struct Row {
  std::string text, lists, assembles, reflects, lowers;
};

std::vector<Row> rows() {
  std::vector<Row> made;
  for (std::uint32_t code = 0; code < 0x1'0000; ++code) {
    const spirv::OpcodeInfo* const info = spirv::find_opcode(code);
    if (info == nullptr) continue;
    // modes are shown with the entry point that they are of
    Words words;
    if (info->section == spirv::Section::execution_modes) words = {test::head(15, 5), 5, kConstant, 'm', kConstant};
    const std::string before = shown(module_of(words));
    const Words own = instruction_of(*info);
    words.insert(words.end(), own.begin(), own.end());
    const auto bytes = module_of(words);
    const std::string listing = test::listed(bytes, {.friendly_names = false, .exact = true});
    const bool lists = listing.find("!0x") == std::string::npos;
    const auto again = spirv::assemble(listing);
    made.push_back({std::string(info->text), lists ? "lists" : "-", again && *again == bytes ? "assembles" : "-",
                    shown(bytes) != before ? "reflects" : "-", lowered(*info)});
  }
  return made;
}

std::string text_of(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += row.text + ' ' + row.lists + ' ' + row.assembles + ' ' + row.reflects + ' ' + row.lowers + '\n';
  return text;
}

std::filesystem::path classes() { return test::source_dir() / "tests/data/spirv/opcode_classes.txt"; }

TEST(SpirvOpcodes, KeepTheirClasses) {
  const std::string found = text_of(rows());
  if (std::getenv("UNSHADE_BLESS") != nullptr) return static_cast<void>(std::ofstream(classes(), std::ios::binary) << found);
  std::istringstream expected(test::read_text(classes()));
  std::istringstream lines(found);
  std::string was;
  for (std::string is; std::getline(lines, is);) {
    std::getline(expected, was);
    EXPECT_EQ(is, was);
  }
  EXPECT_FALSE(std::getline(expected, was)) << "no more: " << was;
}

TEST(SpirvOpcodes, AllListAndAssemble) {
  for (const Row& row : rows()) {
    EXPECT_EQ(row.lists, "lists") << row.text;
    EXPECT_EQ(row.assembles, "assembles") << row.text;
  }
}

// The page states how many.
TEST(SpirvOpcodes, AreCountedByThePage) {
  std::map<std::string, unsigned> counts;
  unsigned reflected = 0;
  const std::vector<Row> all = rows();
  for (const Row& row : all) {
    ++counts[row.lowers];
    reflected += row.reflects == "reflects";
  }
  const std::string page = test::read_text(test::source_dir() / "docs/reference/formats/spirv.md");
  const std::string counted = "| " + std::to_string(all.size()) + " | " + std::to_string(all.size()) + " | " + std::to_string(reflected) +
                              " | " + std::to_string(counts["lowers"]) + " | " + std::to_string(counts["nothing"]) + " | " +
                              std::to_string(counts["declares"]) + " | " + std::to_string(counts["refuses"]) + " |";
  EXPECT_NE(page.find(counted), std::string::npos) << counted;
}

// Names that other releases of the headers have.
TEST(SpirvOpcodes, EveryNameAssemblesToItsOpcode) {
  constexpr struct {
    std::uint32_t code;
    std::string_view text;
  } kNames[] = {
#define SPIRV_OP(code, id, text, group, since, capabilities, operands) {code, text},
#include <unshade/spirv/opcodes.def>
#undef SPIRV_OP
  };
  for (const auto& row : kNames) {
    const spirv::OpcodeInfo* const info = spirv::find_opcode(row.text);
    ASSERT_NE(info, nullptr) << row.text;
    EXPECT_EQ(static_cast<std::uint32_t>(info->opcode), row.code) << row.text;
  }
}

/// An instruction's words, through text and back; where its last enumerant of a kind has several names, by this one.
void expect_text(Words words, std::uint32_t code, OperandKind kind, const spirv::Enumerant& enumerant) {
  words[0] = test::head(code, static_cast<unsigned>(words.size()));
  const auto bytes = module_of(words);
  std::string listing = test::listed(bytes, {.friendly_names = false, .exact = true});
  EXPECT_EQ(listing.find("!0x"), std::string::npos) << listing;
  const spirv::Enumerant* const first = spirv::find_enumerant(kind, enumerant.value);
  if (first != nullptr && first->text != enumerant.text) {
    const std::size_t place = listing.rfind(' ' + std::string(first->text));
    ASSERT_NE(place, std::string::npos) << listing;
    listing.replace(place + 1, first->text.size(), enumerant.text);
  }
  const auto again = spirv::assemble(listing);
  EXPECT_TRUE(again && *again == bytes) << listing;
}

// Those of instructions, and those that follow them. Of sets of debug information they are ids, or in no core instruction.
TEST(SpirvOpcodes, EveryEnumerantListsAndAssembles) {
  std::set<OperandKind> seen;
  const auto is_new = [&](OperandKind kind) { return spirv::is_enumeration(kind) && seen.insert(kind).second; };
  for (std::uint32_t code = 0; code < 0x1'0000; ++code) {
    const spirv::OpcodeInfo* const info = spirv::find_opcode(code);
    if (info == nullptr || spirv::is_extended(info->opcode)) continue;
    for (std::size_t at = 0; at < info->operands.size(); ++at) {
      const OperandKind kind = info->operands[at].kind;
      if (!is_new(kind)) continue;
      for (const spirv::Enumerant& enumerant : spirv::enumerants(kind)) {
        Words before{0};
        put(before, info->operands.first(at), kConstant);
        before.push_back(enumerant.value);
        Words words = before;
        put(words, enumerant.operands, kConstant);
        put(words, info->operands.subspan(at + 1), kConstant);
        expect_text(words, code, kind, enumerant);
        for (std::size_t inner = 0; inner < enumerant.operands.size(); ++inner) {
          const OperandKind inner_kind = enumerant.operands[inner].kind;
          if (!is_new(inner_kind)) continue;
          for (const spirv::Enumerant& one : spirv::enumerants(inner_kind)) {
            words = before;
            put(words, enumerant.operands.first(inner), kConstant);
            words.push_back(one.value);
            put(words, one.operands, kConstant);
            put(words, enumerant.operands.subspan(inner + 1), kConstant);
            put(words, info->operands.subspan(at + 1), kConstant);
            expect_text(words, code, inner_kind, one);
          }
        }
      }
    }
  }
  for (const OperandKind kind :
       {OperandKind::capability, OperandKind::decoration, OperandKind::built_in, OperandKind::storage_class, OperandKind::fp_encoding,
        OperandKind::memory_access, OperandKind::execution_mode, OperandKind::fp_rounding_mode, OperandKind::tensor_operands})
    EXPECT_TRUE(seen.contains(kind)) << spirv::text_of(kind);
}

}  // namespace

}  // namespace unshade::ir::lower_spirv
