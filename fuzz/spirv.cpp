// Properties of SPIR-V modules and their assembly text.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

/// What is wrong with the module that a listing gives, which has to be `bytes`.
std::string reassembled(const spirv::Module& module, const spirv::ListingOptions& options) {
  Text text;
  spirv::list_module(module, text, options);
  const auto made = spirv::assemble(text.view());
  if (!made) return "its listing is refused: " + to_string(made.error());
  const auto bytes = module.bytes().bytes();
  if (made->size() != bytes.size() || !std::equal(bytes.begin(), bytes.end(), made->begin())) return "its listing gives another module";
  return {};
}

}  // namespace

std::string spirv_parse(View file) {
  const auto module = spirv::parse(file);
  Tree tree(file);
  spirv::record_module(file, tree, 0);
  tree.fill_gaps({});
  if (tree.coverage().total != file.size()) return "a tree that does not cover the file";
  if (!module) {
    if (module.error().path.empty() || module.error().message.empty()) return "an error that says nothing";
    return module.error().offset > file.file_offset() + file.size() ? "an error beyond the file" : "";
  }
  const spirv::IdTable ids(*module);
  std::vector<spirv::Operand> operands;
  std::uint32_t count = 0;
  for (const spirv::Instruction instruction : *module) {
    ++count;
    const spirv::Decoded decoded = spirv::decode_operands(instruction, ids, operands);
    std::uint32_t at = 1;
    for (const spirv::Operand& operand : operands) {
      if (operand.word != at || operand.words == 0) return "operands with a gap between them";
      at += operand.words;
    }
    if (decoded != spirv::Decoded::too_short && at != instruction.word_count()) return "words without an operand";
    if (at > instruction.word_count()) return "operands beyond their instruction";
  }
  return count == module->instruction_count() ? "" : "another number of instructions";
}

std::string spirv_list(View file) {
  const auto module = spirv::parse(file);
  if (!module) return {};
  for (unsigned variant = 0; variant < 16; ++variant) {
    Text text;
    spirv::list_module(*module, text,
                       {.friendly_names = (variant & 1) == 0,
                        .indent = (variant & 2) == 0,
                        .offsets = (variant & 4) != 0,
                        .comments = (variant & 4) != 0,
                        .exact = (variant & 8) != 0});
    if (text.size() > kTextPerByte * file.size() + kTextBase) return "a listing out of proportion";
  }
  return {};
}

std::string spirv_assemble(View file) {
  for (const auto numbering : {spirv::Numbering::automatic, spirv::Numbering::preserve, spirv::Numbering::renumber}) {
    const auto made = spirv::assemble(file.text(), {.numbering = numbering});
    if (!made) {
      if (made.error().offset > file.size() || made.error().path.find(':') == std::string::npos) return "an error without a place";
      continue;
    }
    if (made->size() > kTextPerByte * file.size() + kTextBase) return "a module out of proportion";
    // Words that the text gives as they are may make instructions of any length.
    if (const auto module = spirv::parse(view_of(*made)))
      if (auto fault = reassembled(*module, {.exact = true}); !fault.empty()) return fault;
  }
  return {};
}

std::string spirv_roundtrip(View file) {
  const auto module = spirv::parse(file);
  if (!module) return {};
  if (auto fault = reassembled(*module, {.exact = true}); !fault.empty()) return fault;
  return reassembled(*module, {.friendly_names = false, .indent = false, .offsets = true, .comments = true, .exact = true});
}

}  // namespace unshade::fuzz
