#include "write/spirv/debug_info.hpp"

#include <algorithm>

#include <unshade/ir/analysis/names.hpp>

namespace unshade::write::spirv_writer {

namespace {

constexpr Word kVersion = 100, kDwarfVersion = 4;
constexpr Word kPublic = 3;  ///< DebugInfoFlags

// A text in pieces that instructions have room for, at ends of lines where it has any.
std::string_view first_piece(std::string_view text) {
  if (text.size() <= ModuleWriter::kMostText) return text;
  const std::size_t end = text.rfind('\n', ModuleWriter::kMostText - 1);
  return text.substr(0, end == std::string_view::npos ? ModuleWriter::kMostText : end + 1);
}

spirv::SourceLanguage language_of(const DebugSource& text) {
  if (!text.language) return spirv::SourceLanguage::unknown;
  return *text.language == ShadingLanguage::hlsl ? spirv::SourceLanguage::hlsl : spirv::SourceLanguage::glsl;
}

}  // namespace

DebugText::DebugText(const DebugSource& text, DebugInfo how, ModuleWriter& out) : text_(&text), out_(&out), file_(out.string(text.file)) {
  const spirv::SourceLanguage language = language_of(text);
  if (how == DebugInfo::lines) {
    out.source(language, file_);
    return;
  }
  if (out.version() < 0x0001'0600) out.extension("SPV_KHR_non_semantic_info");
  set_ = out.set("NonSemantic.Shader.DebugInfo.100");
  std::string_view rest = text.text;
  const std::string_view first = first_piece(rest);
  source_ = global(Instruction::debug_source, {file_, out.string(first)});
  for (rest.remove_prefix(first.size()); !rest.empty();) {
    const std::string_view piece = first_piece(rest);
    global(Instruction::debug_source_continued, {out.string(piece)});
    rest.remove_prefix(piece.size());
  }
  unit_ = global(Instruction::debug_compilation_unit, {out.u32(kVersion), out.u32(kDwarfVersion), source_, out.u32(word(language))});
}

Word DebugText::global(Instruction what, std::initializer_list<Word> operands) {
  return out_->extended(set_, word(what), std::span(operands.begin(), operands.size()));
}

void DebugText::effect(Section& body, Instruction what, std::initializer_list<Word> operands) {
  std::vector<Word> words{out_->void_type(), out_->fresh(), set_, word(what)};
  words.insert(words.end(), operands);
  body.put(Opcode::ext_inst, words);
}

Word DebugText::function(std::size_t number, std::string_view name) {
  if (!is_for_debuggers()) return 0;
  std::uint32_t first = 0;  // of the lines that it has
  if (number < text_->lines.size())
    for (const std::uint32_t line : text_->lines[number])
      if (line != 0 && (first == 0 || line < first)) first = line;
  const Word line = out_->u32(std::max(first, 1U)), column = out_->u32(1), flags = out_->u32(kPublic);
  const Word type = global(Instruction::debug_type_function, {flags, out_->void_type()});
  const Word called = out_->string(name);
  const Word made = global(Instruction::debug_function, {called, type, source_, line, column, unit_, called, flags, line});
  if (first_function_ == 0) first_function_ = made;
  return made;
}

void DebugText::define_function(Section& body, Word function, Word id) {
  if (is_for_debuggers()) effect(body, Instruction::debug_function_definition, {function, id});
}

void DebugText::scope(Section& body, Word function) {
  if (is_for_debuggers()) effect(body, Instruction::debug_scope, {function});
}

void DebugText::line(Section& body, std::uint32_t line) {
  if (!is_for_debuggers()) return body.put(Opcode::line, {file_, line, 0});
  // columns from 1; the whole line
  const Word number = out_->u32(line), first = out_->u32(1);
  effect(body, Instruction::debug_line, {source_, number, number, first, first});
}

std::uint32_t DebugText::line_of(std::size_t number, const ir::Function& function, ir::Id id) const {
  if (number >= text_->lines.size() || id >= function.sources.size()) return 0;
  const std::uint32_t instruction = function.sources[id].instruction;
  return instruction < text_->lines[number].size() ? text_->lines[number][instruction] : 0;
}

std::string DebugText::register_of(const ir::Function& function, ir::Id id) const {
  return ir::register_name(function, id, text_->registers);
}

void DebugText::finish() {
  if (!is_for_debuggers() || first_function_ == 0) return;
  global(Instruction::debug_entry_point, {first_function_, unit_, out_->string("unshade translate"), out_->string("")});
}

}  // namespace unshade::write::spirv_writer
