// DXBC at the front door.
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/expression.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/as_container.hpp"
#include "dxbc/effect_listing.hpp"
#include "dxbc/level9_listing.hpp"
#include "dxbc/listing_header.hpp"
#include "dxbc/validate.hpp"
#include "dxcontainer/validate.hpp"
#include "shader/edit_container.hpp"
#include "shader/edit_names.hpp"
#include "shader/family.hpp"
#include "shader/family_container.hpp"
#include "shader/reflect_dxbc.hpp"

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

RecordPart recorder_of(const Part& part) {
  if (const RecordPart record = shared_recorder(part); record != nullptr) return record;
  if (dxbc::is_level9(part.fourcc)) return dxbc::record_level9;
  if (dxbc::is_debug_part(part.fourcc)) return dxbc::record_debug_info;
  switch (part.fourcc) {
    case fourcc("SHDR"):
    case fourcc("SHEX"): return dxbc::record_program;
    case fourcc("RDEF"): return dxbc::record_rdef;
    case fourcc("IFCE"): return dxbc::record_class_linkage;
    case fourcc("STAT"): return dxbc::record_statistics;
    case fourcc("FX10"): return dxbc::record_effect;
    case fourcc("CTAB"):
    case fourcc("CLI4"):
    case fourcc("FXLC"): return dxbc::record_expression_part;
    default: return dxcontainer::find_part_kind(part.fourcc) != nullptr ? record_opaque : nullptr;
  }
}

bool record_part(const dxcontainer::Container&, const Part& part, Tree& tree, std::uint32_t group) {
  const RecordPart record = recorder_of(part);
  if (record != nullptr) record(part, tree, group);
  return record != nullptr;
}

void annotate_dxbc(View file, Tree& tree, std::vector<Tree::Region>& regions) { annotate_container(file, tree, regions, record_part); }

// Characters that the tables of most files need.
constexpr std::size_t kTableRoom = 6144;

const Part* find_debug_part(const dxcontainer::Container& container) {
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return &part;
  return nullptr;
}

Result<void> disassemble_dxbc(const Shader& shader, Text& out, const ListingOptions& options);

/// A shader of an effect.
Result<void> list_effect_shader(View container, Text& out, const void* user) {
  Shader inner;
  inner.family = Family::dxbc;
  inner.file = container;
  if (auto opened = open_container(inner); !opened) return opened;
  if (inner.container.find(fourcc("FX10")) != nullptr)
    return Error{ErrorCode::unsupported, container.file_offset(), "shaders", "effects in effects are not listed"};
  return disassemble_dxbc(inner, out, *static_cast<const ListingOptions*>(user));
}

Result<void> disassemble_dxbc(const Shader& shader, Text& out, const ListingOptions& options) {
  const auto& container = shader.container;
  if (const Part* const part = container.find(fourcc("FX10"))) {
    const auto effect = dxbc::parse_effect(*part);
    if (!effect) return effect.error();
    return dxbc::list_effect(*effect, out, {list_effect_shader, &options});
  }
  const Part* const code = container.find_any({fourcc("SHEX"), fourcc("SHDR")});
  const Part* const debug_part = options.lines == LineDirectives::never ? nullptr : find_debug_part(container);
  const Part* level9 = nullptr;
  for (const Part& part : container.parts) {
    if (!dxbc::is_level9(part.fourcc)) continue;
    if (level9 == nullptr || part.fourcc == fourcc("Aon9")) level9 = &part;
  }
  if (code == nullptr && level9 == nullptr &&
      container.find_any({fourcc("RDEF"), fourcc("ISGN"), fourcc("OSGN"), fourcc("ISG1"), fourcc("OSG1")}) == nullptr)
    return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container holds no token program"};

  auto tables = dxbc::read_listing_tables(container);
  if (!tables) return std::move(tables).error();
  const dxbc::FxcVersion version = options.fxc ? *options.fxc : dxbc::default_fxc_version(*tables);
  out.grow(kTableRoom + (code != nullptr ? 2 * code->data.size() : 0));  // observed: two characters to a byte of code
  const std::size_t start = out.size();
  // Whatever assembling the text would not give back.
  const auto print_rest = [&] {
    if (options.exact && options.header && !options.offsets && !options.bytes) dxbc::print_part_statements(out, start, container);
  };
  if (options.header) {
    dxbc::print_listing_tables(out, *tables, version);
    if (level9 != nullptr) {
      const auto parsed = dxbc::parse_level9(*level9);
      if (!parsed) return parsed.error();
      dxbc::Level9ListingOptions level9_options;
      level9_options.fourcc = level9->fourcc;
      level9_options.line_directives =
          options.lines == LineDirectives::always || (options.lines == LineDirectives::automatic && debug_part != nullptr);
      out << "//\n";  // sets the block off from the tables
      dxbc::print_level9(out, *parsed, level9_options);
    }
  }
  if (code == nullptr) {
    print_rest();
    return {};
  }

  const auto program = dxbc::parse_program(*code);
  if (!program) return program.error();
  dxbc::ProgramListingOptions program_options;
  program_options.fxc = version;
  program_options.offsets = options.offsets;
  program_options.bytes = options.bytes;
  program_options.exact_floats = options.exact || options.exact_floats;
  if (debug_part != nullptr) {
    const auto debug = dxbc::parse_debug_info(*debug_part, dxbc::DebugDetail::lines);
    if (!debug) return debug.error();
    dxbc::DebugCursor cursor(*debug);
    program_options.debug = &cursor;
    if (auto listed = dxbc::list_program(*program, code->name(), out, program_options); !listed) return listed;
  } else if (auto listed = dxbc::list_program(*program, code->name(), out, program_options); !listed) {
    return listed;
  }
  dxbc::print_slot_count(out, *tables);
  print_rest();
  return {};
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
  if (const auto container = dxcontainer::validate_container(file, findings)) dxbc::validate_parts(*container, false, findings);
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
    .reflect = reflect_dxbc,
    .validate = validate_dxbc,
    .strip = strip_container,
    .rename = rename_dxbc,
    .rebind = rebind_dxbc,
};

}  // namespace unshade::shader
