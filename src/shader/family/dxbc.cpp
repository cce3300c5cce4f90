// DXBC at the front door.
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/container/document.hpp"
#include "dxbc/container/listing.hpp"
#include "dxbc/validate/validate.hpp"
#include "dxcontainer/part_document.hpp"
#include "dxcontainer/validate.hpp"
#include "shader/document/document.hpp"
#include "shader/edit/container.hpp"
#include "shader/edit/names.hpp"
#include "shader/family/container.hpp"
#include "shader/family/family.hpp"
#include "shader/reflect/dxbc.hpp"

namespace unshade::shader::family {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

bool record_part(const dxcontainer::Container&, const Part& part, Tree& tree, std::uint32_t group) {
  const dxcontainer::PartFunctions* const functions = dxbc::container::find_part_functions(part.fourcc);
  if (functions == nullptr) return record_shared_part(part, tree, group);
  functions->record(part, {}, tree, group);
  return true;
}

void annotate_dxbc(View file, Tree& tree, std::vector<Tree::Region>& regions) { annotate_container(file, tree, regions, record_part); }

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
  how.lines = options.lines;
  return dxbc::container::list_container(shader.container, out, how);
}

Result<void> list_dxbc_sources(const Shader& shader, Text& out, dxil::Inflate) {
  const Part* const part = find_debug_part(shader.container);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file holds no debug part"};
  const auto debug = dxbc::parse_debug_info(*part);
  if (!debug) return debug.error();
  dxbc::append_sources(out, *debug);
  return {};
}

void summarize_dxbc(const Shader& shader, Summary& summary) {
  summarize_container(shader, summary);
  const auto& container = shader.container;
  if (const auto* code = container.find_any({fourcc("SHEX"), fourcc("SHDR")})) {
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
  if (const auto* part = container.find(fourcc("STAT"))) {
    if (const auto statistics = dxbc::parse_statistics(*part)) summary.instruction_count = statistics->instruction_count;
  }
}

void validate_dxbc(View file, Findings& findings) {
  if (const auto container = dxcontainer::validate_container(file, findings)) dxbc::validate::validate_parts(*container, false, findings);
}

}  // namespace

// Containers without any code count as DXBC.
const FamilyRow kDxbcFamily{
    .family = Family::dxbc,
    .id = "dxbc",
    .claims = [](Shader& shader) { return dxcontainer::is_container(shader.file); },
    .open = open_container,
    .annotate = annotate_dxbc,
    .disassemble = disassemble_dxbc,
    .list_sources = list_dxbc_sources,
    .summarize = summarize_dxbc,
    .reflect = reflection::reflect_dxbc,
    .validate = validate_dxbc,
    .make_document = document::make_dxbc,
    .build_document = document::build_dxbc,
    .strip = edit::strip_container,
    .rename = edit::rename_dxbc,
    .rebind = edit::rebind_dxbc,
};

}  // namespace unshade::shader::family
