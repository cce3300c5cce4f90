// Entry points: signatures and the facts of their stages, from metadata and PSV0.
#include <algorithm>
#include <array>
#include <utility>

#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/program/semantics.hpp>

#include "shader/reflect/dxil/definitions.hpp"
#include "shader/reflect/set_if_undefined.hpp"

namespace unshade::shader::reflection {

namespace {

using dxcontainer::ComponentType;
using dxil::SemanticKind;

/// The type of a register whose 16 bits are a minimum.
ComponentType widened(ComponentType type) {
  switch (type) {
    case ComponentType::sint16: return ComponentType::sint32;
    case ComponentType::uint16: return ComponentType::uint32;
    case ComponentType::float16: return ComponentType::float32;
    default: return type;
  }
}

void set_type(SignatureElement& element, dxil::ComponentType type, bool minimum_precision) {
  const dxil::ComponentTypeInfo& info = dxil::component_type_info(type);
  element.component_type = minimum_precision ? widened(info.held) : info.held;
  if (minimum_precision) element.min_precision = info.precision;
}

std::uint8_t mask_of(std::uint32_t columns, std::uint32_t start) {
  return static_cast<std::uint8_t>((((1U << std::min(columns, 4U)) - 1) << std::min(start, 3U)) & 0xf);
}

/// Whose signature it is.
struct SignatureOf {
  const dxil::ProgramMetadata& metadata;
  dxil::ShaderKind kind;
  TessellatorDomain domain;
};

std::vector<SignatureElement> elements_of(const std::vector<dxil::MetadataElement>& from, dxil::SignatureSide side, const SignatureOf& of,
                                          ReflectionBudget& budget) {
  std::vector<SignatureElement> elements;
  for (const dxil::MetadataElement& m : from) {
    for (std::size_t row = 0; row < m.semantic_indexes.size() && budget.spend(m.name); ++row) {
      SignatureElement& element = elements.emplace_back();
      element.semantic = dxil::semantic_name(m, of.kind, side);
      element.semantic_index = m.semantic_indexes[row];
      element.register_index = m.allocated() ? static_cast<std::uint32_t>(m.start_row) + static_cast<std::uint32_t>(row) : kNoRegister;
      element.stream = m.stream;
      element.system_value = dxil::program::system_value(m.semantic, of.domain);
      element.interpolation = m.interpolation;
      element.mask = m.mask();
      element.used_mask = m.used_mask();
      set_type(element, m.component_type, of.metadata.minimum_precision());
    }
  }
  return elements;
}

std::vector<SignatureElement> elements_of(const std::vector<dxil::PsvSignatureElement>& from, const dxil::Psv& psv,
                                          ReflectionBudget& budget) {
  std::vector<SignatureElement> elements;
  for (const dxil::PsvSignatureElement& p : from) {
    const std::string_view name = p.semantic_name.text.empty() ? dxc_text(p.semantic_kind) : p.semantic_name.text;
    const auto indexes = psv.indexes_of(p);
    for (std::size_t row = 0; row < indexes.size() && budget.spend(name); ++row) {
      SignatureElement& element = elements.emplace_back();
      element.semantic = name;
      element.semantic_index = indexes[row];
      element.register_index = p.allocated() ? p.start_row + static_cast<std::uint32_t>(row) : kNoRegister;
      element.stream = p.stream();
      element.system_value = dxil::program::system_value(p.semantic_kind, psv.info.stage.tessellator_domain);
      element.component_type = p.component_type;
      element.interpolation = p.interpolation;
      // Nothing here says what is read or written.
      element.mask = element.used_mask = mask_of(p.columns(), p.start_column());
    }
  }
  return elements;
}

}  // namespace

EntryPoint entry_of(const dxil::ProgramMetadata& metadata, const dxil::EntryPoint& from, ReflectionBudget& budget) {
  const dxil::EntryProperties properties = dxil::read_entry_properties(metadata, from);
  EntryPoint entry;
  entry.stage = stage_of(properties.kind);
  if (budget.spend(from.name)) entry.name = from.name;
  entry.required_features = dxil::features_of_flags(from.flags) & ~kRequiresEarlyDepthStencil;
  const bool early = (from.flags & dxil::kForceEarlyDepthStencil) != 0;
  if (early) entry.required_features |= kRequiresEarlyDepthStencil;
  entry.uses_view_id = (from.flags & dxil::shader_flag::kViewId) != 0;
  entry.thread_group = properties.thread_group;
  entry.payload_bytes = properties.payload_bytes;
  entry.attribute_bytes = properties.attribute_bytes;
  if (properties.wave_size) entry.wave_size = {properties.wave_size->min, properties.wave_size->max, properties.wave_size->preferred};
  if (properties.mesh) entry.mesh = {properties.mesh->topology, properties.mesh->max_vertices, properties.mesh->max_primitives};
  if (properties.geometry) {
    Geometry& geometry = entry.geometry.emplace();
    geometry.input_primitive = properties.geometry->input_primitive;
    geometry.output_topology = properties.geometry->output_topology;
    geometry.max_vertex_count = properties.geometry->max_vertex_count;
    geometry.instance_count = properties.geometry->instance_count;
    geometry.streams = properties.geometry->active_streams;
  }
  if (properties.hull) {
    Tessellation& tessellation = entry.tessellation.emplace();
    tessellation.domain = properties.hull->domain;
    tessellation.partitioning = properties.hull->partitioning;
    tessellation.output = properties.hull->output;
    tessellation.input_control_points = properties.hull->input_control_points;
    tessellation.output_control_points = properties.hull->output_control_points;
    tessellation.max_tess_factor = properties.hull->max_tess_factor;
  } else if (properties.domain) {
    Tessellation& tessellation = entry.tessellation.emplace();
    tessellation.domain = properties.domain->domain;
    tessellation.input_control_points = properties.domain->input_control_points;
  }
  if (entry.stage == Stage::pixel) {
    Pixel& pixel = entry.pixel.emplace();
    pixel.early_depth_stencil = early;
    for (const dxil::MetadataElement& element : from.outputs) {
      switch (element.semantic) {
        case SemanticKind::depth:
        case SemanticKind::depth_less_equal:
        case SemanticKind::depth_greater_equal: pixel.writes_depth = true; break;
        case SemanticKind::coverage: pixel.writes_coverage = true; break;
        case SemanticKind::stencil_ref: pixel.writes_stencil_ref = true; break;
        default: break;
      }
    }
  }
  const TessellatorDomain domain = entry.tessellation ? entry.tessellation->domain : TessellatorDomain::undefined;
  const SignatureOf of{metadata, properties.kind, domain};
  entry.inputs = elements_of(from.inputs, dxil::SignatureSide::input, of, budget);
  entry.outputs = elements_of(from.outputs, dxil::SignatureSide::output, of, budget);
  entry.patch_constants = elements_of(from.patch_or_primitives, dxil::SignatureSide::patch_or_primitives, of, budget);
  return entry;
}

void add_signatures(EntryPoint& entry, const dxil::Psv& psv, ReflectionBudget& budget) {
  entry.inputs = elements_of(psv.inputs, psv, budget);
  entry.outputs = elements_of(psv.outputs, psv, budget);
  entry.patch_constants = elements_of(psv.patch_or_primitives, psv, budget);
}

void add_runtime_info(EntryPoint& entry, const dxil::Psv& psv) {
  const dxil::PsvRuntimeInfo& info = psv.info;
  if (entry.stage == Stage::none) entry.stage = stage_of(info.kind);
  if (entry.name.empty()) entry.name = info.entry_name.text;
  if (info.uses_view_id != 0) entry.uses_view_id = true;
  constexpr std::uint32_t kAnyLanes = 0xffff'ffff;
  if (!entry.wave_size && (info.min_wave_lanes != 0 || info.max_wave_lanes != kAnyLanes)) {
    WaveSize& size = entry.wave_size.emplace();
    size.min = info.min_wave_lanes;
    if (info.max_wave_lanes != info.min_wave_lanes) size.max = info.max_wave_lanes;
  }
  constexpr unsigned kThreadsVersion = 2;
  constexpr unsigned kGroupSharedVersion = 4;
  switch (entry.stage) {
    case Stage::pixel: {
      if (!entry.pixel) entry.pixel.emplace();
      if (info.stage.depth_output != 0) entry.pixel->writes_depth = true;
      entry.pixel->sample_frequency = info.stage.sample_frequency != 0;
      break;
    }
    case Stage::geometry: {
      if (!entry.geometry) entry.geometry.emplace();
      Geometry& geometry = *entry.geometry;
      set_if_undefined(geometry.input_primitive, info.stage.input_primitive);
      set_if_undefined(geometry.output_topology, info.stage.output_topology);
      set_if_undefined(geometry.max_vertex_count, std::uint32_t{info.max_vertex_count});
      set_if_undefined(geometry.streams, info.stage.output_stream_mask);
      break;
    }
    case Stage::hull:
    case Stage::domain: {
      if (!entry.tessellation) entry.tessellation.emplace();
      Tessellation& tessellation = *entry.tessellation;
      set_if_undefined(tessellation.domain, info.stage.tessellator_domain);
      set_if_undefined(tessellation.output, info.stage.tessellator_output);
      set_if_undefined(tessellation.input_control_points, info.stage.input_control_point_count);
      set_if_undefined(tessellation.output_control_points, info.stage.output_control_point_count);
      break;
    }
    case Stage::mesh:
      if (!entry.mesh) entry.mesh = {info.mesh_topology, info.stage.max_output_vertices, info.stage.max_output_primitives};
      entry.group_shared_bytes = info.stage.group_shared_bytes;
      [[fallthrough]];
    case Stage::amplification:
      if (!entry.payload_bytes) entry.payload_bytes = info.stage.payload_bytes;
      [[fallthrough]];
    case Stage::compute:
      if (!entry.thread_group && info.version() >= kThreadsVersion) entry.thread_group = info.num_threads;
      if (info.version() >= kGroupSharedVersion) entry.group_shared_bytes = info.group_shared_memory_bytes;
      break;
    default: break;
  }
}

}  // namespace unshade::shader::reflection
