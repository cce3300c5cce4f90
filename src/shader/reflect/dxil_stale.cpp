#include "shader/reflect/dxil_stale.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include <unshade/dxil/entry_properties.hpp>

#include "dxil/program/part_vocabulary.hpp"

namespace unshade::shader::reflection {

namespace {

bool states_otherwise(const std::vector<dxil::MetadataElement>& elements, const std::vector<dxil::PsvSignatureElement>& stated) {
  if (elements.size() != stated.size()) return true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const dxil::MetadataElement& e = elements[i];
    const dxil::PsvSignatureElement& s = stated[i];
    if (e.semantic != s.semantic_kind || e.interpolation != s.interpolation || e.rows != s.rows) return true;
    if (e.semantic == dxil::SemanticKind::arbitrary && e.name != s.semantic_name.text) return true;
  }
  return false;
}

bool states_otherwise(const dxil::ProgramMetadata& reflection, const dxil::Psv& psv) {
  const auto resources = dxil::program::resources_in_order(reflection);
  if (resources.size() != psv.resources.size()) return true;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const dxil::PsvResource& stated = psv.resources[i];
    if (stated.type != dxil::program::psv_type(*resources[i]) || stated.space != resources[i]->space ||
        stated.lower_bound != resources[i]->lower_bound || stated.upper_bound != dxil::program::last_register_of(*resources[i]))
      return true;
  }
  if (reflection.entries.empty()) return false;
  const dxil::EntryPoint& entry = reflection.entries[0];
  const dxil::EntryProperties p = dxil::read_entry_properties(reflection, entry);
  const dxil::PsvRuntimeInfo& info = psv.info;
  if (info.version() >= 1 && (states_otherwise(entry.inputs, psv.inputs) || states_otherwise(entry.outputs, psv.outputs) ||
                              states_otherwise(entry.patch_or_primitives, psv.patch_or_primitives)))
    return true;
  if (p.hull && (info.stage.input_control_point_count != p.hull->input_control_points ||
                 info.stage.output_control_point_count != p.hull->output_control_points ||
                 info.stage.tessellator_domain != p.hull->domain || info.stage.tessellator_output != p.hull->output))
    return true;
  if (p.domain &&
      (info.stage.input_control_point_count != p.domain->input_control_points || info.stage.tessellator_domain != p.domain->domain))
    return true;
  if (p.geometry &&
      (info.stage.input_primitive != p.geometry->input_primitive || info.stage.output_topology != p.geometry->output_topology ||
       (info.version() >= 1 && info.max_vertex_count != p.geometry->max_vertex_count)))
    return true;
  if (p.mesh && (info.stage.max_output_vertices != p.mesh->max_vertices || info.stage.max_output_primitives != p.mesh->max_primitives))
    return true;
  const bool has_payload = p.kind == dxil::ShaderKind::mesh || p.kind == dxil::ShaderKind::amplification;
  if (has_payload && info.stage.payload_bytes != p.payload_bytes.value_or(0)) return true;
  return p.thread_group && info.version() >= 2 && info.num_threads != *p.thread_group;
}

bool states_otherwise(const dxil::ProgramMetadata& reflection, const dxil::Rdat& rdat) {
  std::map<std::string_view, const dxil::EntryPoint*> entries;
  for (const dxil::EntryPoint& entry : reflection.entries)
    if (!entry.name.empty()) entries.emplace(entry.name, &entry);
  for (const dxil::RdatFunction& function : rdat.functions.rows) {
    const auto entry = entries.find(function.name.text);
    if (entry == entries.end()) continue;
    const dxil::EntryProperties p = dxil::read_entry_properties(reflection, *entry->second);
    if ((p.payload_bytes && *p.payload_bytes != function.payload_bytes) ||
        (p.attribute_bytes && *p.attribute_bytes != function.attribute_bytes))
      return true;
  }
  return false;
}

void take_registers(std::vector<dxil::ProgramResource>& resources, const std::vector<dxil::ProgramResource>& program) {
  std::map<std::uint32_t, const dxil::ProgramResource*> by_id;
  for (const dxil::ProgramResource& resource : program) by_id.emplace(resource.id, &resource);
  for (dxil::ProgramResource& resource : resources) {
    const auto found = by_id.find(resource.id);
    if (found == by_id.end()) continue;
    resource.space = found->second->space;
    resource.lower_bound = found->second->lower_bound;
    resource.count = found->second->count;
  }
}

}  // namespace

bool states_otherwise(const dxil::ProgramMetadata& reflection, const dxil::Psv* psv, const dxil::Rdat* rdat) {
  return (psv != nullptr && states_otherwise(reflection, *psv)) || (rdat != nullptr && states_otherwise(reflection, *rdat));
}

void take_registers(dxil::ProgramMetadata& reflection, const dxil::ProgramMetadata& program) {
  take_registers(reflection.shader_resources, program.shader_resources);
  take_registers(reflection.unordered_access, program.unordered_access);
  take_registers(reflection.constant_buffers, program.constant_buffers);
  take_registers(reflection.samplers, program.samplers);
}

}  // namespace unshade::shader::reflection
