// SHBIN at the front door.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/lower_pica.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

#include "core/characters.hpp"
#include "core/little_endian.hpp"
#include "core/numbers.hpp"
#include "pica/validate.hpp"
#include "shader/document/document.hpp"
#include "shader/edit/edits.hpp"
#include "shader/family/family.hpp"
#include "shader/reflect/pica.hpp"
#include "shader/sources/lines.hpp"

namespace unshade::shader::family {

namespace {

using dxcontainer::fourcc;

bool claims_pica(Shader& shader) {
  const auto first = shader.file.u32(0);
  // DVOB: a misprint of DVOJ in one document, refused by name
  return first == fourcc("DVLB") || first == fourcc("DVOJ") || first == fourcc("DVOB");
}

Result<void> open_pica(Shader& shader) {
  const auto keep = [&](auto parsed) -> Result<void> {
    if (!parsed) return std::move(parsed).error();
    shader.content = *std::move(parsed);
    return {};
  };
  return pica::is_shbin(shader.file) ? keep(pica::parse_shbin(shader.file)) : keep(pica::parse_object(shader.file));
}

// Read as far as it goes, whether it opens or not.
void annotate_pica(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { pica::record_shbin(shader.file, tree, 0); }

Result<void> disassemble_pica(const Shader& shader, Text& out, const ListingOptions& options) {
  pica::ListingOptions pica_options;
  pica_options.offsets = options.offsets;
  pica_options.bytes = options.bytes;
  pica_options.header = options.header;
  pica_options.descriptors = options.exact;
  pica_options.lines = options.lines != LineDirectives::never;
  pica_options.file_offset = shader.file.file_offset();
  pica_options.origins = options.origins;
  if (const auto* const object = std::get_if<pica::Object>(&shader.content))
    pica::list_object(*object, out, pica_options);
  else
    pica::list_shbin(std::get<pica::Shbin>(shader.content), out, pica_options);
  return {};
}

Result<ir::Module> lower_pica(const Shader& shader, const LowerOptions& options) {
  const auto* const shbin = std::get_if<pica::Shbin>(&shader.content);
  if (shbin == nullptr) {
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "an object must be linked before it can be lowered"};
  }
  std::size_t executable = options.executable;
  if (const std::string_view entry = options.entry; !entry.empty()) {
    const auto number = as_number<std::size_t>(entry);
    if (!number || *number >= shbin->executables.size()) {
      return Error{
          ErrorCode::missing, shader.file.file_offset(), "executables",
          "there is no executable `" + std::string(entry) + "`: expected a number below " + std::to_string(shbin->executables.size())};
    }
    executable = *number;
  }
  return ir::lower(*shbin, executable, {.f24 = options.f24, .keep_copies = options.keep_copies});
}

Result<std::vector<std::string>> pica_instruction_lines(const Shader& shader, std::string_view) {
  Text text;
  ListingOptions options;
  options.offsets = true;
  options.lines = LineDirectives::never;
  if (auto done = disassemble_pica(shader, text, options); !done) return std::move(done).error();
  // `add r3, c95, r1 {0}   ; 0x00000034`: the first word has the least offset
  std::vector<std::pair<std::uint32_t, std::string_view>> words;
  for_each_line(text.view(), [&](std::string_view line) {
    constexpr std::string_view kComment = " ; 0x";
    const auto at = line.rfind(kComment);
    if (!line.starts_with('\t') || at == std::string_view::npos) return;
    std::uint32_t offset = 0;
    const std::string_view digits = line.substr(at + kComment.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16);
    words.emplace_back(offset, trimmed(line.substr(0, at)));
  });
  std::vector<std::string> lines;
  if (words.empty()) return lines;
  const std::uint32_t first = std::ranges::min(words, {}, [](const auto& word) { return word.first; }).first;
  for (const auto& [offset, line] : words) {
    const std::uint32_t word = (offset - first) / 4;
    if (lines.size() <= word) lines.resize(word + std::size_t{1});
    lines[word] = line;
  }
  return lines;
}

Result<std::vector<std::byte>> pica_code(const Shader& shader) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& code, const auto& descriptors) {
    append_all_little_endian<std::uint32_t>(bytes, code);
    for (const pica::Descriptor& descriptor : descriptors) append_little_endian(bytes, descriptor.bits);
  };
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) {
    add(object->code, object->descriptors);
  } else {
    const auto& shbin = std::get<pica::Shbin>(shader.content);
    add(shbin.program.code, shbin.program.descriptors);
  }
  return bytes;
}

Result<std::vector<std::uint32_t>> pica_opcodes(const Shader& shader) {
  const auto* const object = std::get_if<pica::Object>(&shader.content);
  const auto& code = object != nullptr ? object->code : std::get<pica::Shbin>(shader.content).program.code;
  std::vector<std::uint32_t> opcodes;
  opcodes.reserve(code.size());
  for (const std::uint32_t word : code) opcodes.push_back(static_cast<std::uint32_t>(pica::decode(word).opcode));
  return opcodes;
}

std::string pica_opcode_text(std::uint32_t opcode) {
  return opcode < static_cast<std::uint32_t>(pica::Opcode::unknown) ? std::string(pica::info(static_cast<pica::Opcode>(opcode)).text)
                                                                    : std::string();
}

// Every structure is a part; the stage is that of all executables, or both.
void summarize_pica(const Shader& shader, Summary& summary) {
  const auto part = [&](std::string name, std::uint64_t offset, std::uint64_t size) {
    summary.parts.push_back(
        {std::move(name), static_cast<std::uint32_t>(shader.file.file_offset() + offset), static_cast<std::uint32_t>(size)});
  };
  const auto add_stage = [&](pica::Stage stage) {
    const std::string_view name = pica::id(stage);
    const std::string_view prefix = stage == pica::Stage::geometry ? "gs" : "vs";
    if (summary.profile.find(prefix) == std::string::npos) summary.profile += (summary.profile.empty() ? "" : "+") + std::string(prefix);
    if (summary.stage.find(name) == std::string::npos) summary.stage += (summary.stage.empty() ? "" : "+") + std::string(name);
  };
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) {
    add_stage(object->stage);
    part("DVOJ", 0, shader.file.size());
  } else if (const auto* const shbin = std::get_if<pica::Shbin>(&shader.content)) {
    const std::uint64_t program = 8 + 4 * std::uint64_t{shbin->executables.size()};
    part("DVLP", program, shbin->program.header_bytes + 4 * shbin->program.code.size() + 8 * shbin->program.descriptors.size());
    for (const pica::Executable& e : shbin->executables) {
      add_stage(e.stage);
      part("DVLE", e.offset,
           pica::Executable::kHeaderBytes + 20 * e.constants.size() + 16 * e.labels.size() + 8 * e.outputs.size() + 8 * e.uniforms.size() +
               e.symbols.size());
    }
  }
}

void check_pica(const Shader& shader, Findings& findings) {
  for (Diagnostic& d : pica::check_file(shader.file)) findings.add(*d.rule, d.offset, std::move(d.path), std::move(d.message));
}

Assembly assemble_pica(std::string_view text, const AssembleOptions&) {
  const pica::Source source{"", text};
  pica::Assembly made = pica::assemble({&source, 1});
  return {made.ok, made.ok ? pica::write_assembly(made) : std::vector<std::byte>{}, std::move(made.messages)};
}

Result<void> list_pica_code(const Shader& shader, Text& out) {
  ListingOptions options;
  options.lines = LineDirectives::never;  // the directives in front belong to the program
  options.exact = true;
  return disassemble_pica(shader, out, options);
}

}  // namespace

const FamilyRow kPicaFamily{
    .family = Family::pica,
    .id = "pica",
    .traits = {.file_suffix = ".shbin",
               .listing_suffix = ".pica",
               .links = true,
               .api = GraphicsApi::pica,
               .has_uniform_registers = true,
               .lists_offsets = true,
               .lists_bytes = true,
               .assembles_sources = true},
    .is_words = true,
    .parts_are_code = true,
    .code = {list_pica_code, diff::Syntax::pica},
    .holds_no_sources = "SHBIN files and objects cannot contain sources: their line tables only name files",
    .claims = claims_pica,
    .open = open_pica,
    .annotate = annotate_pica,
    .disassemble = disassemble_pica,
    .list_sources = nullptr,
    .summarize = summarize_pica,
    .reflect = reflection::reflect_pica,
    .lower = lower_pica,
    .code_bytes = pica_code,
    .opcodes = pica_opcodes,
    .opcode_text = pica_opcode_text,
    .instruction_lines = pica_instruction_lines,
    .source_lines = sources::lines_in_shbin,
    .listed_lines = sources::listed_in_shbin,
    .takes_other_texts = true,
    .assemble = assemble_pica,
    .validate = check_pica,
    .make_document = document::make_pica,
    .build_document = document::build_pica,
    .strip = edit::strip_pica,
    .rename = edit::rename_pica,
    .rebind = edit::rebind_pica,
};

}  // namespace unshade::shader::family
