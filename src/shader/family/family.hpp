// What the front door asks of a family of shader binaries: one row each, so that open, dis, reflect and their like name no family.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/source_files.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/shader/traits.hpp>

#include "core/findings.hpp"
#include "shader/diff/code.hpp"
#include "shader/document/container.hpp"

namespace unshade::shader::family {

/// A null function: the family has none of it.
struct FamilyRow {
  Family family;
  std::string_view id;
  FamilyTraits traits{};
  /// Arrays of source text: what C calls an element, and whether files are made of words of 32 bits, which arrays then hold.
  SourceType element = SourceType::unsigned_char;
  bool is_words = false;
  bool blank_line_after_listing = false;  ///< in arrays of C, as the family's compiler writes them
  bool parts_are_code = false;            ///< what a summary lists as parts are stages, or code with what it needs
  diff::Code code{};
  /// Why no sources can be put into a file. Empty: they can.
  const char* holds_no_sources = "";
  /// Whether `shader.file` is this family's; reads no further than it must to know. What it has read by then it leaves in `shader`.
  bool (*claims)(Shader& shader) = nullptr;
  /// Checks the file, which the family claims, and fills what is not yet in `shader`. All below get what it has opened, unless they say so.
  Result<void> (*open)(Shader& shader) = nullptr;
  /// Names every byte as far as the file, which is claimed and need not be open, can be read; faults go to the tree. Gaps are filled by the
  /// caller with `regions`.
  void (*annotate)(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) = nullptr;
  Result<void> (*disassemble)(const Shader& shader, Text& out, const ListingOptions& options) = nullptr;
  Result<void> (*list_sources)(const Shader& shader, Text& out, dxil::Inflate inflate) = nullptr;
  void (*summarize)(const Shader& shader, Summary& summary) = nullptr;
  Result<Reflection> (*reflect)(const Shader& shader) = nullptr;
  /// What it makes is verified by the caller.
  Result<ir::Module> (*lower)(const Shader& shader, const LowerOptions& options) = nullptr;
  /// See code_bytes(), opcodes(), opcodes_listed_as() and opcode_text(), which gives an empty text for what is in no table.
  Result<std::vector<std::byte>> (*code_bytes)(const Shader& shader) = nullptr;
  Result<std::vector<std::uint32_t>> (*opcodes)(const Shader& shader) = nullptr;
  /// Where that is not the number of opcodes().
  Result<std::uint64_t> (*count_instructions)(const Shader& shader) = nullptr;
  std::string (*opcode_text)(std::uint32_t opcode) = nullptr;
  std::vector<std::string> (*opcodes_listed_as)(std::string_view pattern) = nullptr;
  /// See instruction_lines().
  Result<std::vector<std::string>> (*instruction_lines)(const Shader& shader, std::string_view function) = nullptr;
  /// See stepped_lines(); null: what is stepped through is what runs.
  Result<SteppedLines> (*stepped_lines)(const Shader& shader, std::string_view function) = nullptr;
  /// See source_lines().
  Result<SourceLines> (*source_lines)(const Shader& shader, std::string_view function) = nullptr;
  /// The same of the instructions that `disassemble` lists, with their offsets.
  Result<SourceLines> (*listed_lines)(const Shader& shader) = nullptr;
  std::string_view comment = ";";  ///< what begins a comment in listings
  /// What the parts of its containers are; null if it has no containers.
  const document::PartDialect* parts = nullptr;
  /// The SPIR-V modules in the file.
  Result<std::vector<ModuleBytes>> (*modules)(const Shader& shader) = nullptr;
  /// Whether a line, not blank, is one that texts of the family's language have and those of no other, comments included.
  bool (*begins_text)(std::string_view line) = nullptr;
  bool takes_other_texts = false;  ///< texts that no row's `begins_text` knows are in the family's language
  Assembly (*assemble)(std::string_view text, const AssembleOptions& options) = nullptr;
  Result<Sources> (*sources)(const Shader& shader, dxil::Inflate inflate) = nullptr;
  Result<Edited> (*embed_sources)(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate,
                                  dxil::Deflate deflate) = nullptr;
  /// What breaks the rules, the family's and its containers', in any order. The file is claimed; it need not be opened.
  void (*validate)(const Shader& shader, Findings& findings) = nullptr;
  /// Fills a map that has its schema and family already. What it makes need not be right: the caller checks it by building.
  Result<void> (*make_document)(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints) = nullptr;
  Result<std::vector<std::byte>> (*build_document)(const Value& document, std::uint64_t most, const BuildOptions& options) = nullptr;
  Result<Edited> (*strip)(const Shader& shader, const Strip& options) = nullptr;
  Result<Edited> (*rename)(const Shader& shader, std::span<const Rename> renames) = nullptr;
  Result<Edited> (*rebind)(const Shader& shader, std::span<const Rebind> rebinds) = nullptr;
  Result<Edited> (*sign)(const Shader& shader, Sign how, bool hash) = nullptr;
  Result<Edited> (*change_parts)(const Shader& shader, std::span<const PartChange> changes) = nullptr;
  Result<Edited> (*restore_definitions)(const Shader& shader, View definitions) = nullptr;
  Result<Edited> (*make_definitions)(const Shader& shader) = nullptr;
};

/// Calls `visit` with each line of a text.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

extern const FamilyRow kDxbcFamily;
extern const FamilyRow kDxilFamily;
extern const FamilyRow kPicaFamily;
extern const FamilyRow kSpirvFamily;
extern const FamilyRow kVbcFamily;

/// The rows, in the order in which they are asked whether they claim a file.
std::span<const FamilyRow* const> families();
/// The row of a family; that of `unknown` has no functions.
const FamilyRow& row_of(Family family);
inline const FamilyRow& row_of(const Shader& shader) { return row_of(shader.family); }
/// The file with its family, if one claims it, and with what that took to read.
Shader claim(View file);

}  // namespace unshade::shader::family
