#include "shader/sources/lines.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/sm2.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/query.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::shader::sources {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Error no_lines(const Shader& shader) {
  return {ErrorCode::missing, shader.file.file_offset(), "sources",
          "the file has no line information: compile it with debug information (/Zi, -g)"};
}

/// Gives files their numbers, in the order in which they come.
class Files {
 public:
  explicit Files(SourceLines& to) : to_(to) {}
  std::uint32_t number(std::string_view name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    const auto made = static_cast<std::uint32_t>(to_.files.size());
    numbers_.emplace(name, made);
    to_.files.emplace_back(name);
    return made;
  }

 private:
  SourceLines& to_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

Result<SourceLines> or_none(const Shader& shader, SourceLines made) {
  if (made.files.empty()) return no_lines(shader);
  return made;
}

// --- DXIL --------------------------------------------------------------------------------------------------------------------------------

/// The file of a scope: the operand of blocks and functions that names it. Blocks lie in blocks that name it too.
const dxil::Metadata* file_of(const dxil::Module& module, std::uint32_t scope) {
  // src: debug_nodes.def: DILexicalBlock, DILexicalBlockFile and DISubprogram
  constexpr std::size_t kBlockFile = 2, kSubprogramFile = 4;
  if (scope >= module.metadata.size()) return nullptr;
  const dxil::Metadata& node = module.metadata[scope];
  const bool is_function = node.kind == dxil::MetadataKind::subprogram;
  if (!is_function && node.kind != dxil::MetadataKind::lexical_block && node.kind != dxil::MetadataKind::lexical_block_file) return nullptr;
  const auto operands = module.metadata_operands_of(node.operands);
  const std::size_t at = is_function ? kSubprogramFile : kBlockFile;
  if (at >= operands.size() || operands[at] == 0 || operands[at] - 1 >= module.metadata.size()) return nullptr;
  const dxil::Metadata& file = module.metadata[operands[at] - 1];
  return file.kind == dxil::MetadataKind::file ? &file : nullptr;
}

std::string_view name_of_file(const dxil::Module& module, const dxil::Metadata& file) {
  const auto operands = module.metadata_operands_of(file.operands);
  if (operands.size() < 2 || operands[1] == 0 || operands[1] - 1 >= module.metadata.size()) return {};
  const dxil::Metadata& name = module.metadata[operands[1] - 1];
  return name.kind == dxil::MetadataKind::string ? module.string_of(name) : std::string_view();
}

/// Whether a call tells of variables, and computes nothing.
bool is_debug_call(const dxil::ModuleQuery& query, const dxil::Body& body, const dxil::Instruction& one) {
  if (one.opcode != dxil::Opcode::call) return false;
  const std::uint32_t callee = query.callee_of(body, one);
  return callee != dxil::kNone && query.name_of(query.module.functions[callee]).starts_with("llvm.dbg.");
}

SourceLines::Place place_of(const dxil::Module& module, const dxil::Instruction& one, Files& files) {
  if (one.location == dxil::kNone) return {};
  const dxil::Location& location = module.locations[one.location];
  const dxil::Metadata* const file = location.line == 0 ? nullptr : file_of(module, location.scope);
  return file != nullptr ? SourceLines::Place{files.number(name_of_file(module, *file)), location.line} : SourceLines::Place{};
}

struct DxilLines {
  SourceLines lines;
  std::vector<bool> is_debug;  ///< by instruction
};
Result<DxilLines> lines_of(const Shader& shader, View bitcode, std::string_view function) {
  const auto read = shader.module(bitcode);
  if (!read) return read.error();
  const dxil::Module& module = **read;
  DxilLines made;
  Files files(made.lines);
  const dxil::ModuleQuery query{module};
  for (const dxil::Body& body : module.bodies) {
    if (query.name_of(module.functions[body.function]) != function) continue;
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
      const dxil::Instruction& one = module.instructions[k];
      made.is_debug.push_back(is_debug_call(query, body, one));
      made.lines.places.push_back(place_of(module, one, files));
    }
    return made;
  }
  return no_lines(shader);
}

}  // namespace

Result<SourceLines> lines_in_dxbc(const Shader& shader, std::string_view) {
  const dxcontainer::Container& container = *shader.container();
  const Part* debug_part = nullptr;
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) debug_part = &part;
  const Part* const code = container.find(dxcontainer::PartRole::tokens);
  if (debug_part == nullptr || code == nullptr) return no_lines(shader);
  const auto debug = dxbc::parse_debug_info(*debug_part, dxbc::DebugDetail::lines);
  if (!debug) return debug.error();
  const auto program = dxbc::parse_program(*code);
  if (!program) return program.error();
  SourceLines made;
  Files files(made);
  dxbc::Decoder decoder(*program);
  dxbc::Instruction one;
  std::size_t next = 0;
  std::uint32_t number = 0;
  while (!decoder.at_end()) {
    if (!decoder.next(one)) return decoder.error();
    SourceLines::Place& place = made.places.emplace_back();
    made.offsets.push_back(one.bytes.file_offset());
    const bool runs = one.info != nullptr && one.info->counted != dxbc::Counted::dcl && one.opcode() != dxbc::Opcode::customdata;
    if (!runs) continue;
    const std::uint32_t key = debug->lines_by_instruction ? number++ : 4 * one.first_token;
    while (next < debug->lines.size() && debug->lines[next].code_offset < key) ++next;
    if (next == debug->lines.size() || debug->lines[next].code_offset != key) continue;
    const dxbc::LineEntry& entry = debug->lines[next];
    if (entry.file < debug->files.size()) place = {files.number(debug->files[entry.file].name), entry.line};
  }
  return or_none(shader, std::move(made));
}

Result<SourceLines> lines_in_dxil(const Shader& shader, std::string_view function) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) {
    auto made = lines_of(shader, bitcode->bytes, function);
    return made ? or_none(shader, std::move(made->lines)) : Result<SourceLines>(std::move(made).error());
  }
  std::optional<DxilLines> own;
  for (const std::uint32_t kind : {fourcc("DXIL"), fourcc("ILDB")}) {
    const Part* const part = shader.container()->find(kind);
    if (part == nullptr) continue;
    const auto program = dxil::parse_program(*part);
    if (!program) return program.error();
    auto made = lines_of(shader, program->bitcode, function);
    if (!made) return std::move(made).error();
    if (!own) {
      if (!made->lines.files.empty()) return std::move(made->lines);
      own = std::move(*made);
      continue;
    }
    // The same program with debug information: calls that tell of variables are in neither or in this one alone.
    SourceLines same;
    same.files = made->lines.files;
    std::size_t from = 0;
    for (std::size_t k = 0; k < own->is_debug.size(); ++k) {
      while (from < made->is_debug.size() && made->is_debug[from] && !own->is_debug[k]) ++from;
      same.places.push_back(from < made->lines.places.size() ? made->lines.places[from] : SourceLines::Place{});
      ++from;
    }
    while (from < made->is_debug.size() && made->is_debug[from]) ++from;
    return from == made->is_debug.size() ? or_none(shader, std::move(same)) : no_lines(shader);
  }
  return own ? or_none(shader, std::move(own->lines)) : no_lines(shader);
}

namespace {

void add_lines(const spirv::Module& module, SourceLines& made, Files& files) {
  const spirv::IdTable ids(module);
  std::string buffer;
  const auto name_of = [&](std::uint32_t id) {
    const auto text = ids.definition(id);
    return text && text->opcode() == spirv::Opcode::string ? spirv::literal_string(*text, 2, buffer) : std::string_view();
  };
  // words of OpExtInst: result type, result, set, number, operands
  constexpr std::uint32_t kSet = 3, kNumber = 4, kFirst = 5;
  using DebugInfo = spirv::extended::ShaderDebugInfo100;
  SourceLines::Place at;
  for (const spirv::Instruction one : module) {
    switch (one.opcode()) {
      case spirv::Opcode::line: at = {files.number(name_of(one.word(1))), one.word(2)}; break;
      case spirv::Opcode::no_line:
      case spirv::Opcode::function_end:
      case spirv::Opcode::label: at = {}; break;
      case spirv::Opcode::ext_inst:
      case spirv::Opcode::ext_inst_with_forward_refs_khr: {
        if (ids.set(one.word(kSet)) != spirv::ExtendedSet::ShaderDebugInfo100) break;
        const auto what = static_cast<DebugInfo>(one.word(kNumber));
        if (what == DebugInfo::debug_no_line) at = {};
        if (what != DebugInfo::debug_line) break;
        const auto from = ids.definition(one.word(kFirst));
        const auto number = ids.definition(one.word(kFirst + 1));
        if (!from || !number || static_cast<DebugInfo>(from->word(kNumber)) != DebugInfo::debug_source ||
            number->opcode() != spirv::Opcode::constant)
          break;
        at = {files.number(name_of(from->word(kFirst))), number->word(3)};
        break;
      }
      default: break;
    }
    made.places.push_back(at);
    made.offsets.push_back(module.file_offset(one));
  }
}

}  // namespace

Result<SourceLines> lines_in_modules(const Shader& shader, std::string_view function) {
  const auto module = module_with_entry(shader, function);
  if (!module) return module.error();
  SourceLines made;
  Files files(made);
  add_lines(*module, made, files);
  return or_none(shader, std::move(made));
}

Result<SourceLines> listed_in_modules(const Shader& shader) {
  const auto modules = modules_of(shader);
  if (!modules) return modules.error();
  SourceLines made;
  Files files(made);
  for (const ModuleBytes& bytes : *modules) {
    const auto module = spirv::parse(bytes.bytes);
    if (!module) return module.error();
    add_lines(*module, made, files);
  }
  return or_none(shader, std::move(made));
}

namespace {

/// Of a level 9 program, which a listing has before the other, from its own debug comment.
void add_level9_lines(const Shader& shader, SourceLines& made) {
  const auto* const container = shader.container();
  const Part* const part = container != nullptr ? container->find(dxcontainer::PartRole::level9) : nullptr;
  if (part == nullptr) return;
  const auto level9 = dxbc::parse_level9(*part);
  if (!level9) return;
  Files files(made);
  dxbc::sm2::Cursor cursor(level9->program);
  dxbc::sm2::Instruction instruction;
  while (cursor.next(instruction)) {
    if (!instruction.is_comment() || instruction.body.u32(0) != dxbc::sm2::kDebugComment) continue;
    const auto debug = dxbc::sm2::parse_debug_info(instruction.body);
    if (!debug) return;
    for (const dxbc::sm2::LineEntry& entry : debug->lines) {
      if (entry.file >= debug->files.size()) continue;
      made.places.push_back({files.number(debug->files[entry.file].name.text), entry.line});
      made.offsets.push_back(level9->program.file_offset() + entry.offset);
    }
    return;
  }
}

}  // namespace

Result<SourceLines> listed_in_dxbc(const Shader& shader) {
  auto made = lines_in_dxbc(shader, {});
  if (!made && made.error().code != ErrorCode::missing) return made;
  SourceLines all = made ? *std::move(made) : SourceLines{};
  add_level9_lines(shader, all);
  return or_none(shader, std::move(all));
}

Result<SourceLines> listed_in_dxil(const Shader& shader) {
  View bitcode;
  if (const auto* const bare = std::get_if<Bitcode>(&shader.content)) {
    bitcode = bare->bytes;
  } else {
    const Part* const part = shader.container()->find_any({fourcc("ILDB"), fourcc("DXIL")});
    if (part == nullptr) return no_lines(shader);
    const auto program = dxil::parse_program(*part);
    if (!program) return program.error();
    bitcode = program->bitcode;
  }
  const auto module = shader.module(bitcode);
  if (!module) return module.error();
  SourceLines made;
  Files files(made);
  for (const dxil::Instruction& one : (*module)->instructions) {
    made.places.push_back(place_of(**module, one, files));
    made.offsets.push_back(shader.pdb() != nullptr ? shader.pdb()->file_offset(one.offset) : one.offset);
  }
  return or_none(shader, std::move(made));
}

Result<SourceLines> lines_in_shbin(const Shader& shader, std::string_view) {
  const auto* const shbin = std::get_if<pica::Shbin>(&shader.content);
  if (shbin == nullptr) return no_lines(shader);
  SourceLines made;
  Files files(made);
  for (const pica::Line& line : shbin->program.lines) {
    const std::string_view name = shbin->program.file_name(line);
    SourceLines::Place& place = made.places.emplace_back();
    if (!name.empty() && line.number != 0) place = {files.number(name), line.number};
  }
  return or_none(shader, std::move(made));
}

Result<SourceLines> listed_in_shbin(const Shader& shader) {
  auto made = lines_in_shbin(shader, {});
  if (!made) return made;
  const auto& shbin = std::get<pica::Shbin>(shader.content);
  const std::uint64_t code =
      shader.file.file_offset() + pica::kDvlbHeaderBytes + 4 * std::uint64_t{shbin.executables.size()} + shbin.program.code.offset;
  for (std::size_t i = 0; i < made->places.size(); ++i) made->offsets.push_back(code + 4 * std::uint64_t{i});
  return made;
}

}  // namespace unshade::shader::sources
