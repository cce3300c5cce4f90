// Compares a container's parts with the metadata of its module.
// src: DXC lib/DxilValidation/DxilContainerValidation.cpp, PSVContentVerifier, VerifyFeatureInfoMatches
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/psv.hpp>

#include "dxil/derive/steps.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "dxil/program/part_vocabulary.hpp"
#include "dxil/validate/against_module.hpp"

namespace unshade::dxil::validate {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

constexpr std::uint32_t kAnyLanes = 0xffff'ffff;

// --- PSV0
// ------------------------------------------------------------------------------------------------------------------------------------

void check_psv_resources(const PartChecker& c, const Psv& psv) {
  const auto all = program::resources_in_order(c.check.program);
  if (all.size() != psv.resources.size())
    return c.add("resources", std::to_string(psv.resources.size()) + ", but " + std::to_string(all.size()) + " in the module");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PsvResource& r = psv.resources[i];
    const std::string path = "resources[" + std::to_string(i) + ']';
    c.same(path + "/type", r.type, program::psv_type(*all[i]));
    c.same(path + "/space", r.space, all[i]->space);
    c.same(path + "/lower_bound", r.lower_bound, all[i]->lower_bound);
    c.same(path + "/upper_bound", r.upper_bound, program::last_register_of(*all[i]));
    if (psv.info.version() < 2) continue;
    c.same(path + "/kind", r.kind, all[i]->kind);
    c.same(path + "/flags", r.flags, all[i]->atomic_64 ? program::kUsedByAtomic64 : 0);
  }
}

void check_psv_elements(const PartChecker& c, const Psv& psv, const std::vector<PsvSignatureElement>& stated,
                        const std::vector<MetadataElement>& elements, const char* name) {
  if (stated.size() != elements.size())
    return c.add(name, std::to_string(stated.size()) + ", but " + std::to_string(elements.size()) + " in the module");
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const PsvSignatureElement& s = stated[i];
    const MetadataElement& e = elements[i];
    const std::string path = std::string(name) + '[' + std::to_string(i) + ']';
    const auto indexes = psv.indexes_of(s);
    // Long names are shared by offset: what is compared of them is bounded.
    constexpr std::size_t kCompared = 256;
    if (e.semantic == SemanticKind::arbitrary && std::string_view(s.semantic_name.text).substr(0, kCompared) != e.name.substr(0, kCompared))
      c.differs(path + "/semantic_name", shown_text(s.semantic_name.text), shown_text(e.name));
    c.same(path + "/semantic_kind", s.semantic_kind, e.semantic);
    c.same(path + "/rows", std::uint32_t{s.rows}, e.rows);
    c.same(path + "/columns", s.columns(), std::uint32_t{e.columns});
    c.same(path + "/interpolation", s.interpolation, e.interpolation);
    c.same(path + "/stream", s.stream(), e.stream);
    c.same_mask(path + "/dynamic_mask", s.dynamic_mask(), std::uint32_t{e.dynamic_mask} & 0xf);
    // Validators before version 1.5 had no type for i1.
    const bool open_type = e.component_type == ComponentType::i1 && !c.check.has_validator(5);
    if (!open_type) c.same(path + "/component_type", s.component_type, component_type_info(e.component_type).stated);
    if (s.allocated() != (e.start_row >= 0)) {
      c.same(path + "/allocated", s.allocated(), e.start_row >= 0);
    } else if (s.allocated() &&
               (s.start_row != static_cast<std::uint32_t>(e.start_row) || s.start_column() != static_cast<std::uint32_t>(e.start_column))) {
      const auto place = [](std::uint64_t row, std::uint64_t column) {
        return "row " + std::to_string(row) + ", column " + std::to_string(column);
      };
      c.differs(path + "/start_row", place(s.start_row, s.start_column()),
                place(static_cast<std::uint32_t>(e.start_row), static_cast<std::uint32_t>(e.start_column)));
    }
    // observed in 7 mesh shaders: the module has more indexes than rows.
    if (indexes.size() > e.semantic_indexes.size() || !std::equal(indexes.begin(), indexes.end(), e.semantic_indexes.begin()))
      c.differs(path + "/semantic_indexes", shown_list(indexes), shown_list(e.semantic_indexes));
  }
}

void check_psv_stage(const PartChecker& c, const Psv& psv, const EntryProperties& p) {
  const PsvRuntimeInfo& info = psv.info;
  const PsvStageInfo& stage = info.stage;
  const std::string at = "runtime_info/";
  if (info.version() >= 1) c.same(at + "kind", info.kind, p.kind);
  if (p.geometry) {
    c.same(at + "stage/input_primitive", stage.input_primitive, p.geometry->input_primitive);
    c.same(at + "stage/output_topology", stage.output_topology, p.geometry->output_topology);
    c.same(at + "stage/output_stream_mask", stage.output_stream_mask, p.geometry->active_streams);
    if (info.version() >= 1) c.same(at + "max_vertex_count", std::uint32_t{info.max_vertex_count}, p.geometry->max_vertex_count);
  }
  if (p.domain) {
    c.same(at + "stage/input_control_point_count", stage.input_control_point_count, p.domain->input_control_points);
    c.same(at + "stage/tessellator_domain", stage.tessellator_domain, p.domain->domain);
  }
  if (p.hull) {
    c.same(at + "stage/input_control_point_count", stage.input_control_point_count, p.hull->input_control_points);
    c.same(at + "stage/output_control_point_count", stage.output_control_point_count, p.hull->output_control_points);
    c.same(at + "stage/tessellator_domain", stage.tessellator_domain, p.hull->domain);
    c.same(at + "stage/tessellator_output", stage.tessellator_output, p.hull->output);
  }
  if (p.mesh) {
    c.same(at + "stage/max_output_vertices", std::uint32_t{stage.max_output_vertices}, p.mesh->max_vertices);
    c.same(at + "stage/max_output_primitives", std::uint32_t{stage.max_output_primitives}, p.mesh->max_primitives);
    if (info.version() >= 1) c.same(at + "mesh_topology", info.mesh_topology, p.mesh->topology);
  }
  if (p.kind == ShaderKind::mesh || p.kind == ShaderKind::amplification)
    c.same(at + "stage/payload_bytes", stage.payload_bytes, p.payload_bytes.value_or(0));
  if (p.thread_group && info.version() >= 2 && info.num_threads != *p.thread_group)
    c.differs(at + "num_threads_x", shown_size(info.num_threads), shown_size(*p.thread_group));
  const WaveSize lanes = p.wave_size.value_or(WaveSize{});
  c.same(at + "min_wave_lanes", info.min_wave_lanes, lanes.min);
  c.same(at + "max_wave_lanes", info.max_wave_lanes, lanes.max != 0 ? lanes.max : lanes.min != 0 ? lanes.min : kAnyLanes);
}

/// Which outputs depend on which inputs and on the view id: the part has what the module states, in tables of whole registers.
void check_psv_tables(const PartChecker& c, const Psv& psv, const Psv& made) {
  const auto same = [&](const std::string& path, View stated, View is) {
    if (!std::ranges::equal(stated.bytes(), is.bytes()))
      c.add(path, shown_difference(stated.bytes(), is.bytes()) + " in the view id state of the module");
  };
  for (std::size_t i = 0; i < kStreamCount; ++i) {
    same("view_id_outputs[" + std::to_string(i) + ']', psv.view_id_outputs[i].bytes, made.view_id_outputs[i].bytes);
    same("input_outputs[" + std::to_string(i) + ']', psv.input_outputs[i].bytes, made.input_outputs[i].bytes);
  }
  same("view_id_patch_or_primitives", psv.view_id_patch_or_primitives.bytes, made.view_id_patch_or_primitives.bytes);
  same("input_patch_constants", psv.input_patch_constants.bytes, made.input_patch_constants.bytes);
  same("patch_constant_outputs", psv.patch_constant_outputs.bytes, made.patch_constant_outputs.bytes);
}

/// Bytes of elements that the fields above are no more than parts of.
void check_psv_bits(const PartChecker& c, const std::vector<PsvSignatureElement>& stated, const std::vector<PsvSignatureElement>& made,
                    const char* name) {
  for (std::size_t i = 0; i < std::min(stated.size(), made.size()); ++i) {
    const std::string path = std::string(name) + '[' + std::to_string(i) + ']';
    c.same(path + "/column_bits", stated[i].column_bits, made[i].column_bits);
    c.same(path + "/stream_bits", stated[i].stream_bits, made[i].stream_bits);
    c.same(path + "/reserved", stated[i].reserved, made[i].reserved);
  }
}

void check_psv(const Part& part, const ModuleCheck& check) {
  const auto psv = parse_psv(part, check.program.kind);
  if (!psv || check.program.entries.empty()) return;
  const EntryPoint& entry = check.program.entries[0];
  const PartChecker c{part, check, rules::kPsv0Module};
  // Each validator knows one version, those of before 1.1 the oldest. src: DXC DxilPipelineStateValidation.cpp, GetPSVVersion
  const unsigned known = check.has_validator(10)  ? 4
                         : check.has_validator(8) ? 3
                         : check.has_validator(6) ? 2
                         : check.has_validator(1) ? 1
                                                  : 0;
  if (psv->info.version() != known) {
    const ProgramMetadata& p = check.program;
    const std::string validator =
        p.has_validator_version ? std::to_string(p.validator_major) + '.' + std::to_string(p.validator_minor) : std::string("1.0");
    c.add("runtime_info_bytes", "version " + std::to_string(psv->info.version()) + " (" + std::to_string(psv->info.size) +
                                    " bytes), but version " + std::to_string(known) + " (" + std::to_string(kPsvInfoBytes[known]) +
                                    " bytes) is what validator " + validator + " of the module knows");
  }
  check_psv_resources(c, *psv);
  check_psv_stage(c, *psv, read_entry_properties(check.program, entry));
  if (psv->info.version() >= 1) {
    check_psv_elements(c, *psv, psv->inputs, entry.inputs, "inputs");
    check_psv_elements(c, *psv, psv->outputs, entry.outputs, "outputs");
    check_psv_elements(c, *psv, psv->patch_or_primitives, entry.patch_or_primitives, "patch_or_primitives");
    c.same("runtime_info/uses_view_id", psv->info.uses_view_id != 0, (entry.flags & shader_flag::kViewId) != 0);
  }
  if (!derive::fits_view_id_state(check.program)) c.add("input_outputs", "!dx.viewIdState does not fit the signatures of the module");
  const std::vector<std::byte> derived = derive::derive_psv(check.program);
  const Part made_part{fourcc("PSV0"), 0, View(derived)};
  const auto made = parse_psv(made_part, check.program.kind);
  if (made && made->info.size == psv->info.size) {
    if (psv->info.version() >= 1) {
      check_psv_tables(c, *psv, *made);
      check_psv_bits(c, psv->inputs, made->inputs, "inputs");
      check_psv_bits(c, psv->outputs, made->outputs, "outputs");
      check_psv_bits(c, psv->patch_or_primitives, made->patch_or_primitives, "patch_or_primitives");
    }
    // What is after the thread group is compared elsewhere: a name has a place of its own in each part.
    const std::size_t compared = std::min<std::size_t>(psv->info.size, kPsvInfoBytes[2]);
    const auto stated = part.data.clamped(4, compared).bytes();
    const auto is = View(derived).clamped(4, compared).bytes();
    const auto differ = std::ranges::mismatch(stated, is).in1 - stated.begin();
    if (static_cast<std::size_t>(differ) != stated.size())
      c.add("runtime_info", shown_difference(stated, is) + " by the module", 4 + static_cast<std::uint64_t>(differ));
    if (psv->info.version() >= 4)
      c.same("runtime_info/group_shared_memory_bytes", psv->info.group_shared_memory_bytes, made->info.group_shared_memory_bytes);
  }
  if (psv->info.version() >= 3 && psv->info.entry_name.text != entry.name)
    c.differs("runtime_info/entry_name", shown_text(psv->info.entry_name.text), shown_text(entry.name));
}

// --- ISG1, OSG1, PSG1
// ------------------------------------------------------------------------------------------------------------------------------------

void check_signature(const Part& part, const ModuleCheck& check, const std::vector<MetadataElement>& elements, bool input) {
  const auto signature = dxcontainer::parse_signature(part);
  if (!signature) return;
  const PartChecker c{part, check, rules::kDxilSignatureUse};
  // Rows of elements with a register, by it; others cannot be told apart by it.
  for (std::size_t i = 0; i < signature->elements.size(); ++i) {
    const dxcontainer::SignatureElement& row = signature->elements[i];
    const auto found = std::find_if(elements.begin(), elements.end(), [&](const MetadataElement& e) {
      return e.allocated() && row.register_index >= static_cast<std::uint32_t>(e.start_row) &&
             row.register_index - static_cast<std::uint32_t>(e.start_row) < e.rows && e.stream == row.stream && e.mask() == row.mask;
    });
    if (found == elements.end()) continue;
    const std::uint8_t is = derive::stated_components(*found, input, check.has_validator(5));
    c.same_mask("elements[" + std::to_string(i) + "]/used_mask", row.used_mask, is);
  }
}

void check_signatures(const Container& container, const ModuleCheck& check) {
  if (check.program.entries.empty() || check.is_library()) return;
  const EntryPoint& entry = check.program.entries[0];
  if (const Part* part = container.find(fourcc("ISG1"))) check_signature(*part, check, entry.inputs, true);
  if (const Part* part = container.find(fourcc("OSG1"))) check_signature(*part, check, entry.outputs, false);
  // What a domain shader takes in is an input.
  if (const Part* part = container.find(fourcc("PSG1")))
    check_signature(*part, check, entry.patch_or_primitives, check.program.kind == ShaderKind::domain);
}

// --- SFI0
// ------------------------------------------------------------------------------------------------------------------------------------

void check_features(const Part& part, const ModuleCheck& check) {
  const auto stated = dxcontainer::parse_features(part);
  if (!stated || check.program.entries.empty()) return;
  // What functions need of their own kind is stated for functions.
  constexpr std::uint64_t kOfPrograms = (std::uint64_t{1} << dxcontainer::kFirstOptionalFeature) - 1;
  const std::uint64_t wanted = features_of_flags(check.program.entries[0].flags) & kOfPrograms;
  if ((*stated & kOfPrograms) == wanted) return;
  PartChecker{part, check, rules::kSfi0Module}.add(
      "flags", features_text(*stated & kOfPrograms) + ", but " + features_text(wanted) + " by the module's shader flags");
}

}  // namespace

std::string features_text(std::uint64_t features) {
  std::string text;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((features >> bit & 1) == 0) continue;
    if (!text.empty()) text += '|';
    const auto known = dxcontainer::features();
    const auto found = std::ranges::find(known, bit, &dxcontainer::Feature::bit);
    text += found == known.end() ? "bit " + std::to_string(bit) : std::string(found->id);
  }
  return text.empty() ? "none" : text;
}

void check_against_module(const Container& container, const Module& module, const ProgramMetadata& program, Findings& findings) {
  const ModuleCheck check{{{module}, program}, findings};
  if (const Part* part = container.find(fourcc("PSV0"))) check_psv(*part, check);
  check_signatures(container, check);
  if (const Part* part = container.find(fourcc("SFI0"))) check_features(*part, check);
  if (const Part* part = container.find(fourcc("RDAT"))) check_rdat_against_module(*part, check);
}

}  // namespace unshade::dxil::validate
