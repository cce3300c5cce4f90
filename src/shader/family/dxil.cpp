// DXIL at the front door: containers, program databases with a container inside, and bitcode alone.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/call.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/operations.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/query.hpp>
#include <unshade/ir/lower_dxil.hpp>
#include <unshade/ir/text.hpp>

#include "core/characters.hpp"
#include "dxcontainer/validate.hpp"
#include "dxil/validate/validate.hpp"
#include "shader/document/document.hpp"
#include "shader/edit/edits.hpp"
#include "shader/family/container.hpp"
#include "shader/family/family.hpp"
#include "shader/reflect/dxil/dxil.hpp"
#include "shader/sources/lines.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::family {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::PdbContainer;

namespace {

/// The modules of the shader, for those who read parts of its file.
dxil::ModuleSource source_of(const Shader& shader) {
  return {[](const void* self, View bitcode) { return static_cast<const Shader*>(self)->module(bitcode); }, &shader};
}

bool claims_dxil(Shader& shader) {
  if (dxil::find_bitcode(shader.file)) {
    shader.content = Bitcode{shader.file};
    return true;
  }
  if (dxcontainer::is_msf(shader.file)) {
    auto pdb = dxcontainer::find_container_in_pdb(shader.file);
    if (!pdb) return false;
    shader.content = Database{std::make_shared<const PdbContainer>(*std::move(pdb)), {}};
    return true;
  }
  if (!dxcontainer::is_container(shader.file) || !open_container(shader)) return false;
  // one whose parts say bitcode
  return shader.container()->find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("PSV0"), fourcc("RDAT"), fourcc("ILDN"), fourcc("PDBI")}) !=
         nullptr;
}

Result<void> open_dxil(Shader& shader) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::check_module_extent(bitcode->bytes);
  auto* const database = std::get_if<Database>(&shader.content);
  if (database == nullptr) return open_container(shader);
  auto container = dxcontainer::parse_container(database->pdb->view());
  if (!container) {
    Error error = std::move(container).error();
    error.offset = database->pdb->file_offset(error.offset);
    return error;
  }
  database->container = *std::move(container);
  return {};
}

bool record_dxil_family_part(const Container& container, const Part& part, Tree& tree, std::uint32_t group) {
  return dxil::record_dxil_part(part, dxil::program_kind(container), tree, group) || record_shared_part(part, tree, group);
}

void annotate_dxil(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::record_bitcode(bitcode->bytes, tree, 0);
  const PdbContainer* const pdb = shader.pdb();
  if (pdb == nullptr) return annotate_container(shader, tree, regions, record_dxil_family_part);
  const auto group = tree.add({"pdb", &kGroup, 0, static_cast<std::uint32_t>(shader.file.file_offset()), 0, kNoIndex, 0});
  dxcontainer::record_pdb(*pdb, tree, group);
  Shader nested;
  nested.file = pdb->view();
  if (pdb->in_one_piece()) return annotate_container(nested, tree, regions, record_dxil_family_part);
  Tree inner(nested.file);
  std::vector<Tree::Region> inner_regions;
  annotate_container(nested, inner, inner_regions, record_dxil_family_part);
  inner.fill_gaps(inner_regions);
  dxcontainer::graft_stream(std::move(inner), pdb->msf(), pdb->msf().streams[pdb->stream()], tree, 0);
}

Result<void> list_bitcode(const Shader& shader, Text& out) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::list_bitcode(bitcode->bytes, out);
  const Part* const part = shader.container()->find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("STAT")});
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no bitcode"};
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  return dxil::list_bitcode(program->bitcode, out);
}

/// The bitcode of the program: the file's, or that of its part. `listed`: the one with debug information, if there is one.
Result<View> program_bitcode(const Shader& shader, bool listed = false) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return bitcode->bytes;
  const Container& container = *shader.container();
  const Part* const part =
      listed ? container.find_any({fourcc("ILDB"), fourcc("DXIL")}) : container.find_any({fourcc("DXIL"), fourcc("ILDB")});
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no bitcode"};
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  return program->bitcode;
}

Result<ir::Module> lower_bitcode(const Shader& shader, const Result<View>& bitcode, const ir::DxilOptions& how) {
  if (!bitcode) return bitcode.error();
  const auto module = shader.module(*bitcode);
  if (!module) return module.error();
  return ir::lower(**module, how);
}

/// What a module computes, without names and places in its listing.
std::string computation_of(ir::Module module) {
  for (ir::Function& function : module.functions) {
    function.names.clear();
    function.sources.clear();
  }
  for (ir::Resource& resource : module.resources) resource.name.clear();
  for (ir::Variable& variable : module.variables) variable.name.clear();
  Text text;
  ir::print(module, text);
  return text.str();
}

/// The program that is stepped through: listings show the one in ILDB if there is one. It must compute what the one that runs does.
Result<ir::Module> lower_listed(const Shader& shader, const ir::DxilOptions& how) {
  const Container* const container = shader.container();
  const Part* const debug = container != nullptr ? container->find(fourcc("ILDB")) : nullptr;
  if (debug == nullptr || container->find(fourcc("DXIL")) == nullptr) return lower_bitcode(shader, program_bitcode(shader, true), how);
  auto runs = lower_bitcode(shader, program_bitcode(shader), how);
  if (!runs) return runs;
  auto listed = lower_bitcode(shader, program_bitcode(shader, true), how);
  if (!listed || computation_of(*std::move(runs)) == computation_of(*listed)) return listed;
  return Error{ErrorCode::bad_value, container->file.file_offset() + debug->offset, "ILDB",
               "the program in ILDB differs from the one in DXIL, which runs"};
}

Result<ir::Module> lower_dxil(const Shader& shader, const LowerOptions& options) {
  const ir::DxilOptions how{.entry = options.entry, .keep_copies = options.keep_copies};
  return options.keep_copies ? lower_listed(shader, how) : lower_bitcode(shader, program_bitcode(shader), how);
}

Result<std::vector<std::byte>> dxil_code(const Shader& shader) {
  const auto* const bitcode = std::get_if<Bitcode>(&shader.content);
  if (bitcode == nullptr) return container_code(shader);
  return std::vector<std::byte>(bitcode->bytes.bytes().begin(), bitcode->bytes.bytes().end());
}

/// The operations of DXIL in the numbers of opcodes.
constexpr std::uint32_t kOperationOpcodes = 0x10000;
const char* const kOperationPrefix = "dx.op.";

Result<std::vector<std::uint32_t>> dxil_opcodes(const Shader& shader) {
  const auto bitcode = program_bitcode(shader);
  if (!bitcode) return bitcode.error();
  const auto parsed = shader.module(*bitcode);
  if (!parsed) return parsed.error();
  const dxil::Module& module = **parsed;
  const dxil::ModuleQuery query{module};
  std::vector<std::uint32_t> opcodes;
  for (const dxil::Body& body : module.bodies) {
    for (std::uint32_t i = 0; i < body.instructions.count; ++i) {
      const dxil::Instruction& instruction = module.instructions[body.instructions.first + i];
      const auto operation = dxil::opcode_of(query, body, instruction);
      opcodes.push_back(operation ? kOperationOpcodes | (*operation & 0xffff) : static_cast<std::uint32_t>(instruction.opcode));
    }
  }
  return opcodes;
}

std::string dxil_opcode_text(std::uint32_t opcode) {
  if (opcode >= kOperationOpcodes) {
    const dxil::OperationInfo* const info = dxil::find_operation(opcode & 0xffff);
    return info != nullptr ? kOperationPrefix + std::string(info->text) : std::string();
  }
  return opcode < static_cast<std::uint32_t>(dxil::Opcode::invalid) ? std::string(text(static_cast<dxil::Opcode>(opcode))) : std::string();
}

// The call names the function, which several operations share, and its overload; the comment behind it the operation.
std::vector<std::string> dxil_opcodes_listed_as(std::string_view pattern) {
  const std::string_view prefix = kOperationPrefix;
  if (pattern.starts_with('@')) pattern.remove_prefix(1);
  pattern = pattern.substr(0, pattern.find('('));
  if (pattern.starts_with(prefix)) pattern = pattern.substr(0, pattern.find('.', prefix.size()));
  std::vector<std::string> texts;
  for (const dxil::OperationInfo& info : dxil::operations())
    if (fits_pattern(kOperationPrefix + std::string(info.function), pattern) || fits_pattern(info.text, pattern))
      texts.push_back(kOperationPrefix + std::string(info.text));
  return texts;
}

Result<void> disassemble_dxil(const Shader& shader, Text& out, const ListingOptions& options) {
  if (options.bitcode) return list_bitcode(shader, out);
  dxil::ListingOptions how;
  how.dxc = options.dxc;
  how.sections = options.header;
  how.exact = options.exact;
  how.origins = options.origins;
  how.modules = source_of(shader);
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::disassemble(bitcode->bytes, out, how);
  if (auto done = dxil::disassemble(*shader.container(), out, how); !done) return done;
  if (options.origins != nullptr && shader.pdb() != nullptr)
    for (TextOrigin& origin : *options.origins) origin.offset = shader.pdb()->file_offset(origin.offset);
  return {};
}

/// What the module states of the compiler.
void set_compiler(const dxil::Module& module, Summary& summary) { summary.creator = dxil::creator_of(module); }

void summarize_dxil(const Shader& shader, Summary& summary) {
  const auto set_profile = [&](dxil::ShaderKind kind, std::uint32_t major, std::uint32_t minor) {
    if (dxil::profile_prefix(kind).empty()) return;
    summary.stage = dxil::id(kind);
    Text profile;
    profile << dxil::profile_prefix(kind) << '_';
    profile.dec(major) << '_';
    profile.dec(minor);
    summary.profile = profile.str();
  };
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) {
    const auto module = shader.module(bitcode->bytes);
    if (!module) return;
    const auto metadata = dxil::read_program_metadata(**module);
    if (metadata.present) set_profile(metadata.kind, metadata.major, metadata.minor);
    set_compiler(**module, summary);
    return;
  }
  const Container& container = *shader.container();
  summarize_container(container, summary);
  const Part* const part = container.find_any({fourcc("DXIL"), fourcc("ILDB")});
  const auto program = part == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*part);
  if (part != nullptr && program) set_profile(program->kind(), program->major(), program->minor());
  // Reflection's module says the same without the code.
  const Part* const statistics = container.find(fourcc("STAT"));
  const auto reflection = statistics == nullptr ? Result<dxil::Program>(dxil::Program()) : dxil::parse_program(*statistics);
  const View bitcode = reflection && !reflection->bitcode.empty() ? reflection->bitcode : program ? program->bitcode : View();
  if (bitcode.empty()) return;
  if (const auto module = shader.module(bitcode)) set_compiler(**module, summary);
}

void check_container(View file, const dxil::ModuleSource& modules, Findings& findings) {
  if (const auto container = dxcontainer::check_container(file, findings)) dxil::validate::check_parts(*container, findings, modules);
}

void check_dxil(const Shader& shader, Findings& findings) {
  const dxil::ModuleSource modules = source_of(shader);
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content))
    return dxil::validate::check_bitcode(bitcode->bytes, findings, modules);
  const PdbContainer* const pdb = shader.pdb();
  if (pdb == nullptr) return check_container(shader.file, modules, findings);
  if (pdb->in_one_piece()) return check_container(pdb->view(), modules, findings);
  Findings inner(shader.file.size());
  check_container(pdb->view(), modules, inner);
  for (Diagnostic& d : inner.take()) findings.add(*d.rule, pdb->file_offset(d.offset), std::move(d.path), std::move(d.message));
}

bool is_llvm(std::string_view line) {
  for (const std::string_view word : {"target datalayout", "target triple", "source_filename", "define ", "declare ", "attributes #"})
    if (line.starts_with(word)) return true;
  const auto holds = [&](std::string_view text) { return line.find(text) != std::string_view::npos; };
  if (line[0] == '%') return holds("= type ");
  if (line[0] == '@') return holds(" = ");
  return line[0] == '!' && (holds("= !{") || holds("= distinct !{"));
}

Assembly assemble_dxil(std::string_view text, const AssembleOptions& options) {
  Assembly made;
  if (!options.into) {
    made = options.container ? dxil::assemble_container(text) : dxil::assemble(text);
  } else {
    const auto container = dxcontainer::parse_container(*options.into);
    if (!container) {
      Assembly failed;
      failed.messages.push_back({Severity::error, id(container.error().code), 0, 0, "the container: " + container.error().message});
      return failed;
    }
    made = dxil::assemble_into(text, *container);
  }
  for (std::string& note : made.notes) made.messages.push_back({Severity::note, "as", 0, 0, std::move(note)});
  made.notes.clear();
  return made;
}

/// The program itself, not the one with debug information that may be beside it.
Result<void> list_dxil_code(const Shader& shader, Text& out) {
  const Container* const container = shader.container();
  const Part* const part = container != nullptr ? container->find_any({fourcc("DXIL"), fourcc("ILDB")}) : nullptr;
  if (part == nullptr) {
    ListingOptions options;
    options.lines = LineDirectives::never;
    options.header = false;
    return disassemble_dxil(shader, out, options);
  }
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  const auto module = shader.module(program->bitcode);
  if (!module) return module.error();
  return dxil::list_module(**module, program->bitcode.size(), out, {.comments = false});
}

std::vector<std::string> lines_of_function(std::string_view listing, std::string_view function) {
  const std::string plain = " @" + std::string(function) + '(';
  const std::string quoted = " @\"" + std::string(function) + "\"(";
  std::vector<std::string> lines;
  bool inside = false;
  for_each_line(listing, [&](std::string_view line) {
    if (line.starts_with("define ")) inside = line.find(plain) != std::string_view::npos || line.find(quoted) != std::string_view::npos;
    if (line == "}") inside = false;
    // cases of a switch are on lines of their own
    const bool begins = line.size() > 2 && line.starts_with("  ") && line[2] != ' ' && line[2] != ']' && line[2] != ';';
    if (inside && begins) lines.emplace_back(trimmed(line));
  });
  return lines;
}

Result<std::vector<std::string>> dxil_instruction_lines(const Shader& shader, std::string_view function) {
  Text text;
  if (auto done = list_dxil_code(shader, text); !done) return std::move(done).error();
  return lines_of_function(text.view(), function);
}

/// What a hull shader's functions, which the IR names by what they are, are called in the module.
std::string name_in_module(const dxil::Module& module, std::string_view function) {
  const bool is_patch = function == "patch_constant";
  if (!is_patch && function != "control_point") return std::string(function);
  const dxil::ProgramMetadata program = dxil::read_program_metadata(module);
  for (const dxil::EntryPoint& entry : program.entries) {
    const std::uint32_t patch = dxil::read_entry_properties(program, entry).patch_constant_function;
    const std::uint32_t found = is_patch ? patch : entry.function;
    if (patch != dxil::kNone && found < module.functions.size())
      return std::string(module.text(module.values[module.functions[found].value].name));
  }
  return std::string(function);
}

Result<SteppedLines> dxil_stepped_lines(const Shader& shader, std::string_view function) {
  const auto bitcode = program_bitcode(shader, true);
  if (!bitcode) return bitcode.error();
  const auto module = shader.module(*bitcode);
  if (!module) return module.error();
  Text text;
  if (auto done = dxil::list_module(**module, bitcode->size(), text, {.comments = false}); !done) return std::move(done).error();
  SteppedLines made{name_in_module(**module, function), {}};
  made.lines = lines_of_function(text.view(), made.function);
  return made;
}

}  // namespace

const FamilyRow kDxilFamily{
    .family = Family::dxil,
    .id = "dxil",
    .traits = {.file_suffix = ".dxil",
               .listing_suffix = ".ll",
               .lists_as_dxc = true,
               .lists_bitcode = true,
               .reflects_functions = true,
               .assembles_containers = true},
    .blank_line_after_listing = true,
    .code = {list_dxil_code, diff::Syntax::llvm},
    .claims = claims_dxil,
    .open = open_dxil,
    .annotate = annotate_dxil,
    .disassemble = disassemble_dxil,
    .list_sources = sources::list,
    .summarize = summarize_dxil,
    .reflect = reflection::reflect_dxil,
    .lower = lower_dxil,
    .code_bytes = dxil_code,
    .opcodes = dxil_opcodes,
    .opcode_text = dxil_opcode_text,
    .opcodes_listed_as = dxil_opcodes_listed_as,
    .instruction_lines = dxil_instruction_lines,
    .stepped_lines = dxil_stepped_lines,
    .source_lines = sources::lines_in_dxil,
    .listed_lines = sources::listed_in_dxil,
    .parts = &document::kDxilParts,
    .begins_text = is_llvm,
    .assemble = assemble_dxil,
    .sources = sources::in_dxil,
    .embed_sources = sources::embed_in_dxil,
    .validate = check_dxil,
    .make_document = document::make_dxil,
    .build_document = document::build_dxil,
    .strip = edit::strip_dxil,
    .rename = edit::rename_dxil,
    .rebind = edit::rebind_dxil,
    .sign = edit::sign_container,
    .change_parts = edit::change_container_parts,
};

}  // namespace unshade::shader::family
