#include "shader/reflect/spirv/modes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "shader/reflect/spirv/words.hpp"

namespace unshade::shader::reflection {
namespace {

using dxcontainer::SystemValue;
using spirv::BuiltIn;
using spirv::ExecutionMode;

bool runs_in_groups(Stage stage) {
  return stage == Stage::compute || stage == Stage::kernel || stage == Stage::mesh || stage == Stage::amplification;
}

/// kNone if it is no specialization constant.
std::uint32_t spec_id(const spirv::Interface& module, std::uint32_t place) {
  if (place >= module.constants.size() || !module.constants[place].is_spec) return kNone;
  return module.of(module.constants[place]).spec_id.value_or(kNone);
}

/// A literal, or of a constant its value; of a specialization constant its id, as no value is final.
std::string operand_text(const spirv::Interface& module, const spirv::EntryPointMode& mode, std::uint32_t operand) {
  if (!mode.are_ids) return std::to_string(operand);
  const std::uint32_t place = module.find_constant(operand);
  if (const std::uint32_t id = spec_id(module, place); id != kNone) return "SpecId(" + std::to_string(id) + ')';
  if (place == spirv::kNone || !module.constants[place].has_value) return '%' + std::to_string(operand);
  return std::to_string(module.constants[place].value);
}

void set_input(EntryPoint& entry, InputPrimitive primitive) {
  if (entry.geometry) entry.geometry->input_primitive = primitive;
}

void apply(const spirv::Interface& module, const spirv::EntryPointMode& mode, EntryPoint& entry) {
  const auto operand = [&](std::size_t i) -> std::uint32_t {
    if (i >= mode.operands.size()) return 0;
    if (!mode.are_ids) return mode.operands[i];
    const std::uint32_t place = module.find_constant(mode.operands[i]);
    return place != spirv::kNone ? static_cast<std::uint32_t>(module.constants[place].value) : 0;
  };
  switch (mode.mode) {
    case ExecutionMode::local_size:
    case ExecutionMode::local_size_id:
      entry.thread_group = std::array<std::uint32_t, 3>{operand(0), operand(1), operand(2)};
      for (std::size_t i = 0; mode.are_ids && i < std::min<std::size_t>(3, mode.operands.size()); ++i)
        entry.thread_group_constants[i] = spec_id(module, module.find_constant(mode.operands[i]));
      break;
    case ExecutionMode::early_fragment_tests:
      if (entry.pixel) entry.pixel->early_depth_stencil = true;
      break;
    case ExecutionMode::invocations:
      if (entry.geometry) entry.geometry->instance_count = operand(0);
      break;
    case ExecutionMode::input_points: set_input(entry, InputPrimitive::point); break;
    case ExecutionMode::input_lines: set_input(entry, InputPrimitive::line); break;
    case ExecutionMode::input_lines_adjacency: set_input(entry, InputPrimitive::line_adjacency); break;
    case ExecutionMode::input_triangles_adjacency: set_input(entry, InputPrimitive::triangle_adjacency); break;
    case ExecutionMode::triangles:
      set_input(entry, InputPrimitive::triangle);
      if (entry.tessellation) entry.tessellation->domain = TessellatorDomain::triangle;
      break;
    case ExecutionMode::quads:
      if (entry.tessellation) entry.tessellation->domain = TessellatorDomain::quad;
      break;
    case ExecutionMode::isolines:
      if (entry.tessellation) entry.tessellation->domain = TessellatorDomain::isoline;
      break;
    case ExecutionMode::output_vertices:
      if (entry.geometry) entry.geometry->max_vertex_count = operand(0);
      if (entry.tessellation) entry.tessellation->output_control_points = operand(0);
      if (entry.mesh) entry.mesh->max_vertices = operand(0);
      break;
    case ExecutionMode::output_primitives_ext:
      if (entry.mesh) entry.mesh->max_primitives = operand(0);
      break;
    case ExecutionMode::output_lines_ext:
      if (entry.mesh) entry.mesh->topology = MeshTopology::line;
      break;
    case ExecutionMode::output_triangles_ext:
      if (entry.mesh) entry.mesh->topology = MeshTopology::triangle;
      break;
    case ExecutionMode::output_points:
      if (entry.geometry) entry.geometry->output_topology = OutputTopology::point_list;
      break;
    case ExecutionMode::output_line_strip:
      if (entry.geometry) entry.geometry->output_topology = OutputTopology::line_strip;
      break;
    case ExecutionMode::output_triangle_strip:
      if (entry.geometry) entry.geometry->output_topology = OutputTopology::triangle_strip;
      break;
    case ExecutionMode::spacing_equal:
      if (entry.tessellation) entry.tessellation->partitioning = TessellatorPartitioning::integer;
      break;
    case ExecutionMode::spacing_fractional_even:
      if (entry.tessellation) entry.tessellation->partitioning = TessellatorPartitioning::fractional_even;
      break;
    case ExecutionMode::spacing_fractional_odd:
      if (entry.tessellation) entry.tessellation->partitioning = TessellatorPartitioning::fractional_odd;
      break;
    case ExecutionMode::vertex_order_cw:
      if (entry.tessellation) entry.tessellation->output = TessellatorOutput::triangle_clockwise;
      break;
    case ExecutionMode::vertex_order_ccw:
      if (entry.tessellation) entry.tessellation->output = TessellatorOutput::triangle_counter_clockwise;
      break;
    case ExecutionMode::point_mode:
      if (entry.tessellation) entry.tessellation->output = TessellatorOutput::point;
      break;
    default: break;
  }
}

}  // namespace

void add_modes(const spirv::Interface& module, const spirv::EntryPoint& from, EntryPoint& entry) {
  if (entry.stage == Stage::pixel) entry.pixel.emplace();
  if (entry.stage == Stage::mesh) entry.mesh.emplace();
  if (entry.stage == Stage::geometry) entry.geometry.emplace();
  if (entry.stage == Stage::hull || entry.stage == Stage::domain) entry.tessellation.emplace();
  for (const spirv::EntryPointMode& mode : from.modes) {
    std::string text = declared_text(module, spirv::OperandKind::execution_mode, static_cast<std::uint32_t>(mode.mode));
    for (const std::uint32_t operand : mode.operands) text += ' ' + operand_text(module, mode, operand);
    entry.execution_modes.push_back(std::move(text));
    apply(module, mode, entry);
  }
  // A constant with this built-in overrides the mode.
  for (const spirv::Constant& constant : module.constants) {
    if (module.of(constant).builtin != BuiltIn::workgroup_size || constant.parts.size() != 3 || !runs_in_groups(entry.stage)) continue;
    std::array<std::uint32_t, 3> size{};
    for (std::size_t i = 0; i < 3; ++i)
      if (constant.parts[i] < module.constants.size()) {
        size[i] = static_cast<std::uint32_t>(module.constants[constant.parts[i]].value);
        entry.thread_group_constants[i] = spec_id(module, constant.parts[i]);
      }
    entry.thread_group = size;
  }
  if (entry.geometry)
    for (const SignatureElement& element : entry.outputs)
      if (element.stream < 4) entry.geometry->streams |= 1U << element.stream;
  if (entry.pixel) {
    for (const SignatureElement& element : entry.inputs)
      if (element.system_value == SystemValue::sample_index || element.built_in == "SamplePosition" ||
          element.interpolation == Interpolation::linear_sample || element.interpolation == Interpolation::linear_noperspective_sample)
        entry.pixel->sample_frequency = true;
    for (const SignatureElement& element : entry.outputs) {
      entry.pixel->writes_depth |= element.system_value == SystemValue::depth;
      entry.pixel->writes_coverage |= element.system_value == SystemValue::coverage;
      entry.pixel->writes_stencil_ref |= element.system_value == SystemValue::stencil_ref;
    }
  }
}

}  // namespace unshade::shader::reflection
