// SPIR-V modules at the front door.
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <vector>

#include "shader/document/document.hpp"
#include "shader/edit/edits.hpp"
#include "shader/family/assembly.hpp"
#include "shader/family/family.hpp"
#include "shader/family/spirv.hpp"
#include "shader/reflect/spirv.hpp"
#include "shader/sources/lines.hpp"
#include "shader/sources/sources.hpp"
#include "spirv/validate/validate.hpp"

namespace unshade::shader::family {

spirv::ListingOptions spirv_options(const ListingOptions& options) {
  return {
      .friendly_names = !options.raw_ids,
      .indent = options.indent,
      .header = options.header,
      .offsets = options.offsets,
      .comments = options.comments,
      .color = options.color,
      .exact = options.exact,
  };
}

namespace {

Result<void> open_spirv(Shader& shader) {
  auto module = spirv::parse(shader.file);
  if (!module) return std::move(module).error();
  shader.content = *module;
  return {};
}

Result<void> disassemble_spirv(const Shader& shader, Text& out, const ListingOptions& options) {
  spirv::ListingOptions how = spirv_options(options);
  how.origins = options.origins;
  spirv::list_module(std::get<spirv::Module>(shader.content), out, how);
  return {};
}

// Read as far as it goes, whether it opens or not.
void annotate_spirv(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { spirv::record_module(shader.file, tree, 0); }

void summarize_spirv(const Shader& shader, Summary& summary) {
  const auto& module = std::get<spirv::Module>(shader.content);
  summary.profile = "SPIR-V " + std::to_string(module.header().major()) + '.' + std::to_string(module.header().minor());
  summary.creator = reflection::generator_name(module.header());
  for (const spirv::Instruction instruction : module) {
    // Entry points are before all code.
    if (instruction.opcode() == spirv::Opcode::function) break;
    if (instruction.opcode() != spirv::Opcode::entry_point) continue;
    const std::string_view stage = id(spirv::stage_of(static_cast<spirv::ExecutionModel>(instruction.word(1))));
    if (summary.stage.find(stage) == std::string::npos) (summary.stage += summary.stage.empty() ? "" : "+") += stage;
  }
}

void check_spirv(const Shader& shader, Findings& findings) { spirv::check_module(shader.file, findings); }

Result<void> list_spirv_code(const Shader& shader, Text& out) {
  ListingOptions options;
  options.header = false;
  return disassemble_spirv(shader, out, options);
}

bool is_spirv(std::string_view line) {
  if (line.starts_with("; SPIR-V")) return true;
  if (line.starts_with("Op") && line.size() > 2 && line[2] >= 'A' && line[2] <= 'Z') return true;
  if (line.starts_with("!0x")) return true;
  return line.starts_with('%') && line.find("= Op") != std::string_view::npos;
}

Assembly assemble_spirv(std::string_view text, const AssembleOptions& options) {
  spirv::AssemblerOptions how;
  how.version = options.version;
  if (options.preserve_ids) how.numbering = spirv::Numbering::preserve;
  if (options.renumber_ids) how.numbering = spirv::Numbering::renumber;
  std::vector<ByteOrigin> origins;
  Assembly made = assembly_of(spirv::assemble(text, how, &origins));
  made.origins = std::move(origins);
  return made;
}

Result<std::vector<ModuleBytes>> spirv_modules(const Shader& shader) {
  return std::vector<ModuleBytes>{{.stage = {}, .bytes = shader.file}};
}

}  // namespace

Result<std::vector<std::string>> spirv_instruction_lines(const Shader& shader, std::string_view) {
  const auto modules = row_of(shader).modules(shader);
  if (!modules) return modules.error();
  if (modules->empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "stages", "the file has no code"};
  const auto module = spirv::parse(modules->front().bytes);
  if (!module) return module.error();
  Text listing;
  spirv::list_module(*module, listing, {.indent = false, .header = false});
  std::vector<std::string> lines;
  // texts may hold line ends
  std::string_view rest = listing.view();
  while (!rest.empty()) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < rest.size() && (quoted || rest[end] != '\n'); ++end) {
      if (rest[end] == '"') quoted = !quoted;
      if (quoted && rest[end] == '\\') ++end;
    }
    end = std::min(end, rest.size());
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

namespace {

/// Calls `visit(module)` with each module of a file, stripped of debug information and reflection.
template <class Visit>
Result<void> for_each_stripped(const Shader& shader, Visit visit) {
  const auto modules = row_of(shader).modules(shader);
  if (!modules) return modules.error();
  if (modules->empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "stages", "the file has no code"};
  for (const ModuleBytes& bytes : *modules) {
    const auto module = spirv::parse(bytes.bytes);
    if (!module) return module.error();
    const std::vector<std::byte> stripped = spirv::strip(*module, {.debug = true, .reflection = true});
    visit(*spirv::parse(View(stripped)));
  }
  return {};
}

/// The table of instructions of an extended set in the numbers of opcodes.
constexpr std::uint32_t extended_opcode(spirv::ExtendedSet set, std::uint32_t number) {
  return (static_cast<std::uint32_t>(set) + 1) << 16 | (number & 0xffff);
}

}  // namespace

Result<std::vector<std::byte>> spirv_code(const Shader& shader) {
  std::vector<std::byte> code;
  auto done = for_each_stripped(shader, [&](const spirv::Module& module) {
    const auto words = module.bytes().bytes().subspan(spirv::kHeaderBytes);
    code.insert(code.end(), words.begin(), words.end());
  });
  if (!done) return std::move(done).error();
  return code;
}

Result<std::vector<std::uint32_t>> spirv_opcodes(const Shader& shader) {
  std::vector<std::uint32_t> opcodes;
  auto done = for_each_stripped(shader, [&](const spirv::Module& module) {
    const spirv::IdTable ids(module);
    bool in_functions = false;
    for (const spirv::Instruction instruction : module) {
      in_functions = in_functions || instruction.opcode() == spirv::Opcode::function;
      if (!in_functions) continue;
      const bool is_extended = spirv::is_extended(instruction.opcode());
      opcodes.push_back(is_extended ? extended_opcode(ids.set(instruction.word(3)), instruction.word(4))
                                    : static_cast<std::uint32_t>(instruction.opcode()));
    }
  });
  if (!done) return std::move(done).error();
  return opcodes;
}

std::string spirv_opcode_text(std::uint32_t opcode) {
  if (opcode >> 16 == 0) {
    const spirv::OpcodeInfo* const info = spirv::find_opcode(opcode);
    return info != nullptr ? std::string(info->text) : std::string();
  }
  const spirv::ExtendedInfo* const info = spirv::find_extended(static_cast<spirv::ExtendedSet>((opcode >> 16) - 1), opcode & 0xffff);
  return info != nullptr ? std::string(info->text) : std::string();
}

Result<ir::Module> lower_spirv(const Shader& shader, const LowerOptions& options) {
  const auto modules = row_of(shader).modules(shader);
  if (!modules) return modules.error();
  if (modules->empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "stages", "the file has no code"};
  const auto module = spirv::parse(modules->front().bytes);
  if (!module) return module.error();
  return ir::lower(*module, {.entry = options.entry, .keep_copies = options.keep_copies});
}

const FamilyRow kSpirvFamily{
    .family = Family::spirv,
    .id = "spirv",
    .traits = {.file_suffix = ".spv",
               .listing_suffix = ".spvasm",
               .api = GraphicsApi::vulkan,
               .lists_offsets = true,
               .lists_like_spirv = true,
               .has_descriptor_sets = true},
    .is_words = true,
    .code = {list_spirv_code, diff::Syntax::spirv},
    .claims = [](Shader& shader) { return spirv::is_module(shader.file); },
    .open = open_spirv,
    .annotate = annotate_spirv,
    .disassemble = disassemble_spirv,
    .list_sources = sources::list,
    .summarize = summarize_spirv,
    .reflect = reflection::reflect_spirv,
    .lower = lower_spirv,
    .code_bytes = spirv_code,
    .opcodes = spirv_opcodes,
    .opcode_text = spirv_opcode_text,
    .instruction_lines = spirv_instruction_lines,
    .source_lines = sources::lines_in_modules,
    .listed_lines = sources::listed_in_modules,
    .modules = spirv_modules,
    .begins_text = is_spirv,
    .assemble = assemble_spirv,
    .sources = sources::in_modules,
    .embed_sources = sources::embed_in_spirv,
    .validate = check_spirv,
    .make_document = document::make_spirv,
    .build_document = document::build_spirv,
    .strip = edit::strip_spirv,
    .rename = edit::rename_spirv,
    .rebind = edit::rebind_spirv,
};

}  // namespace unshade::shader::family
