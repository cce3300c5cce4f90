// DXBC at the front door.
#include <algorithm>
#include <string_view>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/shader/code.hpp>

#include "core/characters.hpp"
#include "dxbc/container/document.hpp"
#include "dxbc/container/listing.hpp"
#include "dxbc/level9/sm2_assemble.hpp"
#include "dxbc/program/counts.hpp"
#include "dxbc/validate/validate.hpp"
#include "dxcontainer/part_document.hpp"
#include "dxcontainer/validate.hpp"
#include "shader/document/document.hpp"
#include "shader/edit/edits.hpp"
#include "shader/edit/resource_definitions.hpp"
#include "shader/family/container.hpp"
#include "shader/family/family.hpp"
#include "shader/reflect/dxbc.hpp"
#include "shader/sources/lines.hpp"
#include "shader/sources/sources.hpp"

namespace unshade::shader::family {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

bool record_dxbc_family_part(const dxcontainer::Container&, const Part& part, Tree& tree, std::uint32_t group) {
  const dxcontainer::PartFunctions* const functions = dxbc::container::find_part_functions(part.fourcc);
  if (functions == nullptr) return record_shared_part(part, tree, group);
  functions->record(part, {}, tree, group);
  return true;
}

void annotate_dxbc(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions) {
  annotate_container(shader, tree, regions, record_dxbc_family_part);
}

const Part* find_debug_part(const dxcontainer::Container& container) {
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return &part;
  return nullptr;
}

Result<void> disassemble_dxbc(const Shader& shader, Text& out, const ListingOptions& options) {
  dxbc::container::ContainerListingOptions how;
  how.fxc = options.fxc;
  how.header = options.header;
  how.offsets = options.offsets;
  how.bytes = options.bytes;
  how.exact_floats = options.exact_floats;
  how.exact = options.exact;
  how.origins = options.origins;
  how.lines = options.lines;
  return dxbc::container::list_container(*shader.container(), out, how);
}

Result<void> list_dxbc_sources(const Shader& shader, Text& out, dxil::Inflate) {
  const Part* const part = find_debug_part(*shader.container());
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file has no debug part"};
  const auto debug = dxbc::parse_debug_info(*part);
  if (!debug) return debug.error();
  dxbc::append_sources(out, *debug);
  return {};
}

/// The token program, or of a container without one the Direct3D 9 program of its level 9 part.
Result<ir::Module> lower_dxbc(const Shader& shader, const LowerOptions& options) {
  const dxcontainer::Container& container = *shader.container();
  const bool is_level9 =
      container.find(dxcontainer::PartRole::tokens) == nullptr && container.find(dxcontainer::PartRole::level9) != nullptr;
  const ir::DxbcOptions how{.keep_copies = options.keep_copies};
  return is_level9 ? ir::lower_level9(container, how) : ir::lower_token_program(container, how);
}

Result<std::vector<std::string>> dxbc_instruction_lines(const Shader& shader, std::string_view) {
  const dxcontainer::Container& container = *shader.container();
  std::vector<std::string> lines;
  Text text;
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    if (auto done = dxbc::list_program(*program, "program", text, {.offsets = true}); !done) return std::move(done).error();
    // `0x0004f4  mov r0.xyzw, v3.xyzw`; the lines of a table have no offset
    for_each_line(text.view(), [&](std::string_view line) {
      if (line.starts_with("0x")) lines.emplace_back(line.substr(std::min(line.find("  ") + 2, line.size())));
    });
    return lines;
  }
  const Part* const part = container.find(dxcontainer::PartRole::level9);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  const auto level9 = dxbc::parse_level9(*part);
  if (!level9) return level9.error();
  static_cast<void>(dxbc::sm2::print_program(text, level9->program));
  if (text.view().empty())
    return Error{ErrorCode::bad_value, level9->program.file_offset(), "version", "expected a vertex or pixel shader of model 1 to 3"};
  // `vs_2_x`, instructions, `comment 43544142`
  bool is_version = true;
  for_each_line(text.view(), [&](std::string_view line) {
    if (!std::exchange(is_version, false) && !line.starts_with("comment ")) lines.emplace_back(line);
  });
  return lines;
}

/// The table of Direct3D 9 in the numbers of opcodes.
constexpr std::uint32_t kLevel9Opcodes = 0x10000;

Result<std::vector<std::uint32_t>> dxbc_opcodes(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  std::vector<std::uint32_t> opcodes;
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    dxbc::Decoder decoder(*program);
    dxbc::Instruction instruction;
    while (!decoder.at_end()) {
      if (!decoder.next(instruction)) return decoder.error();
      if (instruction.info == nullptr || instruction.info->counted != dxbc::Counted::dcl) opcodes.push_back(instruction.code);
    }
    return opcodes;
  }
  const Part* const part = container.find(dxcontainer::PartRole::level9);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  const auto level9 = dxbc::parse_level9(*part);
  if (!level9) return level9.error();
  dxbc::sm2::Cursor cursor(level9->program);
  dxbc::sm2::Instruction instruction;
  while (cursor.next(instruction)) {
    const bool is_declaration = instruction.info != nullptr && (instruction.info->declares() || instruction.info->defines());
    if (!instruction.is_comment() && !is_declaration) opcodes.push_back(kLevel9Opcodes | instruction.code());
  }
  return opcodes;
}

/// As fxc counts, also where it states no count. An effect has what its shaders have.
Result<std::uint64_t> count_dxbc_instructions(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  if (const Part* const code = container.find(dxcontainer::PartRole::tokens)) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    dxbc::Decoder decoder(*program);
    dxbc::Instruction instruction;
    dxbc::Statistics counted;
    dxbc::program::ArithmeticCounts arithmetic;
    std::uint64_t unknown = 0;
    while (!decoder.at_end()) {
      if (!decoder.next(instruction)) return decoder.error();
      if (instruction.info == nullptr) {
        ++unknown;
      } else {
        dxbc::program::count_instruction(instruction, counted, arithmetic);
      }
    }
    return counted.instruction_count + unknown;
  }
  if (const Part* const part = container.find(fourcc("FX10"))) {
    const auto effect = dxbc::parse_effect(*part);
    if (!effect) return effect.error();
    const std::vector<dxbc::EffectShaderPlace> shaders = dxbc::shaders_of(*effect);
    if (shaders.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the effect has no shaders"};
    std::uint64_t all = 0;
    for (const dxbc::EffectShaderPlace& place : shaders) {
      const auto opened = open(place.bytes);
      if (!opened) return opened.error();
      if (opened->container() != nullptr && opened->container()->find(fourcc("FX10")) != nullptr)
        return Error{ErrorCode::bad_value, place.bytes.file_offset(), place.name, "expected a shader, found an effect"};
      const auto count = instruction_count(*opened);
      if (!count) return count.error();
      all += *count;
    }
    return all;
  }
  const auto level9 = dxbc_opcodes(shader);
  if (!level9) return level9.error();
  return std::uint64_t{level9->size()};
}

std::string dxbc_opcode_text(std::uint32_t opcode) {
  if (opcode >= kLevel9Opcodes) {
    const dxbc::sm2::OpcodeInfo* const info = dxbc::sm2::find_opcode(opcode & 0xffff);
    return info != nullptr ? std::string(info->text) : std::string();
  }
  const dxbc::OpcodeInfo* const info = dxbc::find_opcode(opcode);
  return info != nullptr ? std::string(info->text) : std::string();
}

/// The spellings of an instruction of Direct3D 9: comparisons, projections and result modifiers are in its token.
std::vector<std::string> level9_mnemonics(const dxbc::sm2::OpcodeInfo& info) {
  constexpr std::uint32_t kControls = 8;
  constexpr std::uint8_t kModifiers = 8;
  constexpr dxbc::sm2::Version kLast{0xffff'0300};
  std::vector<std::string> spellings;
  for (std::uint32_t control = 0; control < kControls; ++control) {
    for (std::uint8_t modifier = 0; modifier < kModifiers; ++modifier) {
      dxbc::sm2::Operands operands{};
      operands.count = 1;
      operands.items[0].is_destination = true;
      operands.items[0].result_modifier = modifier;
      Text text;
      dxbc::sm2::print(text, {0, info.code | control << 16, 1, &info, {}}, operands, kLast);
      spellings.emplace_back(text.view().substr(0, text.view().find(' ')));
    }
  }
  return spellings;
}

std::vector<std::string> dxbc_opcodes_listed_as(std::string_view pattern) {
  pattern = pattern.substr(0, pattern.find('('));
  std::vector<std::string> texts;
  const auto add = [&](std::string_view text, const std::vector<std::string>& spellings) {
    if (std::any_of(spellings.begin(), spellings.end(), [&](const std::string& one) { return fits_pattern(one, pattern); }))
      texts.emplace_back(text);
  };
  for (std::uint32_t code = 0; code < dxbc::opcode_table().size(); ++code) add(dxbc::opcode_table()[code].text, dxbc::mnemonics_of(code));
  constexpr std::uint32_t kLevel9Codes = 0x100;
  for (std::uint32_t code = 0; code < kLevel9Codes; ++code)
    if (const dxbc::sm2::OpcodeInfo* const info = dxbc::sm2::find_opcode(code)) add(info->text, level9_mnemonics(*info));
  return texts;
}

void summarize_dxbc(const Shader& shader, Summary& summary) {
  const dxcontainer::Container& container = *shader.container();
  summarize_container(container, summary);
  if (const auto* code = container.find(dxcontainer::PartRole::tokens)) {
    if (const auto program = dxbc::parse_program(*code)) {
      summary.stage = id(program->stage);
      Text profile;
      profile << dxbc::profile_prefix(program->stage) << '_';
      profile.dec(program->major) << '_';
      profile.dec(program->minor);
      summary.profile = profile.str();
    }
  }
  if (const auto* part = container.find(fourcc("FX10"))) {
    if (const auto effect = dxbc::parse_effect(*part)) {
      summary.stage = "effect";
      summary.profile = dxbc::field_type(effect->version).names->find(static_cast<std::uint32_t>(effect->version));
    }
  }
  if (const auto* part = container.find(fourcc("RDEF"))) {
    if (const auto rdef = dxbc::parse_rdef(*part)) summary.creator = rdef->creator.text;
  }
}

void check_dxbc(const Shader& shader, Findings& findings) {
  if (const auto container = dxcontainer::check_container(shader.file, findings)) dxbc::validate::check_parts(*container, false, findings);
}

/// `ps_5_0`
bool is_profile(std::string_view line) {
  return line.size() >= 6 && is_letter(line[0]) && line[1] == 's' && line[2] == '_' && is_digit(line[3]) && line[4] == '_' &&
         is_digit(line[5]);
}

bool begins_dxbc_text(std::string_view line) {
  // fxc's listings begin with tables in comments, RenderDoc's with the digest.
  for (const std::string_view start : {"// Generated by", "// Input signature", "// FX Version: ", "Shader hash "})
    if (line.starts_with(start)) return true;
  return is_profile(line);
}

Assembly assemble_dxbc(std::string_view text, const AssembleOptions&) { return dxbc::assemble(text); }

/// The version whose habits both listings follow, whatever the files name.
constexpr std::string_view kComparedFxc = "10.1";

ListingOptions code_options() {
  ListingOptions options;
  options.lines = LineDirectives::never;
  options.header = false;
  options.fxc = dxbc::parse_fxc_version(kComparedFxc);
  return options;
}

Result<void> list_dxbc_code(const Shader& shader, Text& out) {
  ListingOptions options = code_options();
  options.exact = true;  // a literal's digits are part of what it means
  return disassemble_dxbc(shader, out, options);
}

Result<void> list_dxbc_plainly(const Shader& shader, Text& out) { return disassemble_dxbc(shader, out, code_options()); }

}  // namespace

// Containers without any code count as DXBC.
const FamilyRow kDxbcFamily{
    .family = Family::dxbc,
    .id = "dxbc",
    .traits = {.file_suffix = ".dxbc", .listing_suffix = ".asm", .lists_as_fxc = true, .lists_offsets = true, .lists_bytes = true},
    .element = SourceType::byte,
    .code = {list_dxbc_code, diff::Syntax::fxc, list_dxbc_plainly},
    .holds_no_sources = "DXBC sources are part of SPDB or SDBG, whose line and symbol tables only the compiler makes (/Zi)",
    .claims = [](Shader& shader) { return dxcontainer::is_container(shader.file); },
    .open = open_container,
    .annotate = annotate_dxbc,
    .disassemble = disassemble_dxbc,
    .list_sources = list_dxbc_sources,
    .summarize = summarize_dxbc,
    .reflect = reflection::reflect_dxbc,
    .lower = lower_dxbc,
    .code_bytes = container_code,
    .opcodes = dxbc_opcodes,
    .count_instructions = count_dxbc_instructions,
    .opcode_text = dxbc_opcode_text,
    .opcodes_listed_as = dxbc_opcodes_listed_as,
    .instruction_lines = dxbc_instruction_lines,
    .source_lines = sources::lines_in_dxbc,
    .listed_lines = sources::listed_in_dxbc,
    .comment = "//",
    .parts = &document::kDxbcParts,
    .begins_text = begins_dxbc_text,
    .assemble = assemble_dxbc,
    .sources = sources::in_parts,
    .validate = check_dxbc,
    .make_document = document::make_dxbc,
    .build_document = document::build_dxbc,
    .strip = edit::strip_dxbc,
    .rename = edit::rename_dxbc,
    .rebind = edit::rebind_dxbc,
    .sign = edit::sign_container,
    .change_parts = edit::change_container_parts,
    .restore_definitions = edit::restore_dxbc_definitions,
    .make_definitions = edit::make_dxbc_definitions,
};

}  // namespace unshade::shader::family
