// VBC files at the front door.
#include <utility>

#include <unshade/vbc/file.hpp>
#include <unshade/vbc/listing.hpp>
#include <vector>

#include "shader/document/document.hpp"
#include "shader/edit/edits.hpp"
#include "shader/family/assembly.hpp"
#include "shader/family/family.hpp"
#include "shader/family/spirv.hpp"
#include "shader/reflect/vbc.hpp"
#include "shader/sources/lines.hpp"
#include "shader/sources/sources.hpp"
#include "vbc/validate.hpp"

namespace unshade::shader::family {

namespace {

Result<void> open_vbc(Shader& shader) {
  auto file = vbc::parse(shader.file);
  if (!file) return std::move(file).error();
  shader.content = *std::move(file);
  return {};
}

void annotate_vbc(Shader& shader, Tree& tree, std::vector<Tree::Region>&) { vbc::record(shader.file, tree, 0); }

Result<void> disassemble_vbc(const Shader& shader, Text& out, const ListingOptions& options) {
  vbc::ListingOptions how;
  how.tables = options.header;
  how.spirv = spirv_options(options);
  // The header of each stage's text is what lets it assemble; the file's own tables are what --no-header leaves out.
  how.spirv.header = true;
  how.spirv.exact = true;
  how.origins = options.origins;
  vbc::list_file(std::get<vbc::File>(shader.content), out, how);
  if (options.origins != nullptr)
    for (TextOrigin& origin : *options.origins) origin.offset += shader.file.file_offset();
  return {};
}

void summarize_vbc(const Shader& shader, Summary& summary) {
  const auto& file = std::get<vbc::File>(shader.content);
  summary.profile = file.form.layout == vbc::Layout::current ? "VBC 1" : "VBC 1 (" + std::string(id(file.form.layout)) + ')';
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    if (file.stages[i].empty()) continue;
    const std::string_view stage = id(static_cast<vbc::Stage>(i));
    summary.parts.push_back({std::string(stage), static_cast<std::uint32_t>(shader.file.file_offset() + file.places.stages[i]),
                             static_cast<std::uint32_t>(file.stages[i].size())});
    (summary.stage += summary.stage.empty() ? "" : "+") += stage;
  }
}

void check_vbc(const Shader& shader, Findings& findings) {
  for (Diagnostic& d : vbc::check_file(shader.file)) findings.add(*d.rule, d.offset, std::move(d.path), std::move(d.message));
}

Result<void> list_vbc_code(const Shader& shader, Text& out) {
  return disassemble_vbc(shader, out, {});  // the directives in front belong to the program
}

bool begins_vbc_text(std::string_view line) { return line == ".vbc" || line.starts_with(".vbc "); }

Assembly assemble_vbc(std::string_view text, const AssembleOptions&) {
  const auto made = vbc::assemble(text);
  if (!made) return assembly_of(made.error());
  return assembly_of(vbc::write(*made));
}

/// A VBC is made for Vulkan 1.2 with scalar blocks. src: docs/reference/formats/vbc.md
Result<std::vector<ModuleBytes>> vbc_modules(const Shader& shader) {
  std::vector<ModuleBytes> modules;
  const auto& file = std::get<vbc::File>(shader.content);
  for (std::size_t i = 0; i < vbc::kStages; ++i)
    if (!file.stages[i].empty())
      modules.push_back(
          {id(static_cast<vbc::Stage>(i)), shader.file.clamped(file.places.stages[i], file.stages[i].size()), "vulkan1.2", true});
  return modules;
}

}  // namespace

const FamilyRow kVbcFamily{
    .family = Family::vbc,
    .id = "vbc",
    .traits = {.file_suffix = ".vbc",
               .holds_stages = true,
               .api = GraphicsApi::vulkan,
               .lists_offsets = true,
               .lists_like_spirv = true,
               .has_descriptor_sets = true,
               .has_slots = true},
    .parts_are_code = true,
    .code = {list_vbc_code, diff::Syntax::spirv},
    .claims = [](Shader& shader) { return vbc::is_vbc(shader.file); },
    .open = open_vbc,
    .annotate = annotate_vbc,
    .disassemble = disassemble_vbc,
    .list_sources = sources::list,
    .summarize = summarize_vbc,
    .reflect = reflection::reflect_vbc,
    .lower = lower_spirv,
    .code_bytes = spirv_code,
    .opcodes = spirv_opcodes,
    .opcode_text = spirv_opcode_text,
    .instruction_lines = spirv_instruction_lines,
    .source_lines = sources::lines_in_modules,
    .listed_lines = sources::listed_in_modules,
    .modules = vbc_modules,
    .begins_text = begins_vbc_text,
    .assemble = assemble_vbc,
    .sources = sources::in_modules,
    .embed_sources = sources::embed_in_vbc,
    .validate = check_vbc,
    .make_document = document::make_vbc,
    .build_document = document::build_vbc,
    .strip = edit::strip_vbc,
    .rename = edit::rename_vbc,
    .rebind = edit::rebind_vbc,
};

}  // namespace unshade::shader::family
