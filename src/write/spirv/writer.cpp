#include "write/spirv/writer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <unshade/ir/hull.hpp>

namespace unshade::write::spirv_writer {

using spirv::ExecutionMode;
using spirv::ExecutionModel;

Writer::Writer(const ir::Structured& in, const shader::Reflection* reflection, const SpirvOptions& chosen)
    : out(chosen.version),
      module(*in.module),
      options(chosen),
      in_(in),
      reflection_(reflection),
      bound_(module.resources.size(), kNotBound),
      overlaps_(module.variables.size(), false),
      locations_(module),
      places_(module, chosen.binding) {}

Word Writer::type_of(Type type) {
  Word& made = types_[static_cast<std::size_t>(type)];
  if (made == 0) made = new_type_of(type);
  return made;
}

Word Writer::new_type_of(Type type) {
  switch (type) {
    case Type::b1: return out.bool_type();
    case Type::i8:
    case Type::i16:
    case Type::i32:
    case Type::i64: return out.int_type(ir::bit_width(type));
    case Type::f16: return out.float_type(16);
    case Type::f24:
    case Type::f32: return out.float_type(32);
    case Type::f64: return out.float_type(64);
    case Type::void_:
    case Type::handle: break;
  }
  return out.void_type();
}

Word Writer::constant_of(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::b1: return out.bool_constant(bits != 0);
    // constants of less than 32 bits are in a word: of integers without a sign zero-extended
    case Type::i8: return out.constant(type_of(type), 8, bits & 0xff);
    case Type::i16:
    case Type::f16: return out.constant(type_of(type), 16, bits & 0xffff);
    case Type::f24: return out.constant(type_of(type), 32, bits);
    default: return out.constant(type_of(type), ir::bit_width(type), bits);
  }
}

Variable Writer::declare(Word type, StorageClass storage, std::string_view name, Word initializer) {
  const Variable made{out.variable(out.pointer_type(storage, type), storage, initializer), type, storage};
  out.name(made.id, name);
  const bool is_listed = storage == StorageClass::input || storage == StorageClass::output || out.version() >= 0x0001'0400;
  if (is_listed) interface_.push_back(made.id);
  return made;
}

// Variables whose bytes others have too.
void Writer::find_overlaps() {
  std::vector<std::uint32_t> order(module.variables.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto place = [&](std::uint32_t at) { return std::pair(module.variables[at].space, module.variables[at].offset); };
  std::ranges::stable_sort(order, {}, place);
  std::uint32_t widest = 0;  // that ends last
  for (std::size_t k = 0; k < order.size(); ++k) {
    const ir::Variable& one = module.variables[order[k]];
    const ir::Variable& before = module.variables[order[widest]];
    const bool is_first = k == 0 || before.space != one.space;
    const std::uint64_t end = std::uint64_t{before.offset} + before.bytes;
    if (!is_first && one.bytes != 0 && one.offset < end) overlaps_[order[k]] = overlaps_[order[widest]] = true;
    if (is_first || std::uint64_t{one.offset} + one.bytes > end) widest = static_cast<std::uint32_t>(k);
  }
}

const Variable& Writer::memory(std::uint32_t variable, std::uint32_t& words) {
  const ir::Variable& of = module.variables[variable];
  const auto found = memories_.find(variable);
  if (found != memories_.end()) {
    words = found->second.second;
    return found->second.first;
  }
  const std::uint32_t size = is_wide(variable) ? 8 : 4;
  words = std::max(1U, (of.bytes + size - 1) / size);
  if (overlaps_[variable]) unsupported("variables that share their memory, such as those that pointers to several of them address");
  const Word type = out.array_type(out.int_type(8 * size), words);
  const StorageClass storage = of.space == ir::Space::group     ? StorageClass::workgroup
                               : of.space == ir::Space::payload ? StorageClass::task_payload_workgroup_ext
                                                                : StorageClass::private_;
  Word initializer = 0;
  if (of.space == ir::Space::constant || (of.space == ir::Space::private_ && !of.initial.empty())) {
    std::vector<Word> parts;
    for (std::uint32_t at = 0; at < words; ++at) {
      std::uint32_t bits = 0;
      for (unsigned k = 0; k < 4 && 4 * std::size_t{at} + k < of.initial.size(); ++k)
        bits |= std::to_integer<std::uint32_t>(of.initial[4 * std::size_t{at} + k]) << (8 * k);
      parts.push_back(out.u32(bits));
    }
    initializer = out.composite_constant(type, parts);
  } else if (of.space == ir::Space::private_) {
    initializer = out.null_constant(type);
  }
  if (of.space == ir::Space::payload) out.capability(Capability::mesh_shading_ext);
  return memories_.emplace(variable, std::pair(declare(type, storage, of.name, initializer), words)).first->second.first;
}

Word Writer::specialization(const Specialization& constant) {
  Word& made = specialization_ids_[constant.id];
  if (made != 0) return made;
  specializations_.push_back(constant);
  made = out.specialization(out.int_type(32), constant.value);
  out.name(made, constant.name);
  out.decorate(made, Decoration::spec_id, {constant.id});
  return made;
}

const Variable& Writer::table(Word type, std::span<const Word> parts) {
  const Word initializer = out.composite_constant(type, parts);
  const auto found = tables_.find(initializer);
  if (found != tables_.end()) return found->second;
  return tables_.emplace(initializer, declare(type, StorageClass::private_, "", initializer)).first->second;
}

void Writer::uses_derivatives(bool has_control) {
  if (module.stage == Stage::mesh || module.stage == Stage::amplification)
    unsupported("derivatives in " + std::string(id(module.stage)) + " shaders");
  if (has_control) out.capability(Capability::derivative_control);
  has_derivatives_ = true;
}

void Writer::describe_entry() {
  const ir::StageInfo& info = module.info;
  const auto mode = [&](ExecutionMode which, std::initializer_list<Word> operands = {}) { out.execution_mode(entry, which, operands); };
  out.capability(Capability::shader);
  ExecutionModel model = ExecutionModel::gl_compute;
  switch (module.stage) {
    case Stage::vertex: model = ExecutionModel::vertex; break;
    case Stage::pixel:
      model = ExecutionModel::fragment;
      mode(ExecutionMode::origin_upper_left);
      if (module.modes.early_depth) mode(ExecutionMode::early_fragment_tests);
      for (const ir::Element& one : module.signatures.output) {
        if (one.system_value == SystemValue::depth || one.system_value == SystemValue::depth_greater_equal ||
            one.system_value == SystemValue::depth_less_equal)
          mode(ExecutionMode::depth_replacing);
        if (one.system_value == SystemValue::depth_greater_equal) mode(ExecutionMode::depth_greater);
        if (one.system_value == SystemValue::depth_less_equal) mode(ExecutionMode::depth_less);
        if (one.system_value == SystemValue::stencil_ref) mode(ExecutionMode::stencil_ref_replacing_ext);
      }
      break;
    case Stage::compute:
      mode(ExecutionMode::local_size, {info.group_size[0], info.group_size[1], info.group_size[2]});
      if (has_derivatives_) {
        out.extension("SPV_NV_compute_shader_derivatives");
        out.capability(info.square_quads ? Capability::compute_derivative_group_quads_khr
                                         : Capability::compute_derivative_group_linear_khr);
        mode(info.square_quads ? ExecutionMode::derivative_group_quads_khr : ExecutionMode::derivative_group_linear_khr);
      }
      break;
    case Stage::geometry: {
      model = ExecutionModel::geometry;
      out.capability(Capability::geometry);
      mode(ExecutionMode::invocations, {info.instances});
      mode(ExecutionMode::output_vertices, {most_vertices(in_)});
      switch (info.input_primitive) {
        case dxcontainer::InputPrimitive::undefined:
        case dxcontainer::InputPrimitive::point: mode(ExecutionMode::input_points); break;
        case dxcontainer::InputPrimitive::line: mode(ExecutionMode::input_lines); break;
        case dxcontainer::InputPrimitive::line_adjacency: mode(ExecutionMode::input_lines_adjacency); break;
        case dxcontainer::InputPrimitive::triangle: mode(ExecutionMode::triangles); break;
        case dxcontainer::InputPrimitive::triangle_adjacency: mode(ExecutionMode::input_triangles_adjacency); break;
        default: unsupported("a geometry shader that reads patches"); break;
      }
      const auto topology = info.stream_topologies.empty() ? dxcontainer::OutputTopology::triangle_strip : info.stream_topologies.front();
      mode(topology == dxcontainer::OutputTopology::point_list   ? ExecutionMode::output_points
           : topology == dxcontainer::OutputTopology::line_strip ? ExecutionMode::output_line_strip
                                                                 : ExecutionMode::output_triangle_strip);
      break;
    }
    case Stage::hull:
    case Stage::domain:
      model = module.stage == Stage::hull ? ExecutionModel::tessellation_control : ExecutionModel::tessellation_evaluation;
      out.capability(Capability::tessellation);
      mode(info.domain == dxcontainer::TessellatorDomain::triangle ? ExecutionMode::triangles
           : info.domain == dxcontainer::TessellatorDomain::quad   ? ExecutionMode::quads
                                                                   : ExecutionMode::isolines);
      if (module.stage == Stage::domain) break;
      mode(ExecutionMode::output_vertices, {std::max(1U, info.output_points)});
      mode(info.partitioning == dxcontainer::TessellatorPartitioning::fractional_odd    ? ExecutionMode::spacing_fractional_odd
           : info.partitioning == dxcontainer::TessellatorPartitioning::fractional_even ? ExecutionMode::spacing_fractional_even
                                                                                        : ExecutionMode::spacing_equal);
      if (info.tessellator_output == dxcontainer::TessellatorOutput::point) mode(ExecutionMode::point_mode);
      mode(info.tessellator_output == dxcontainer::TessellatorOutput::triangle_counter_clockwise ? ExecutionMode::vertex_order_ccw
                                                                                                 : ExecutionMode::vertex_order_cw);
      break;
    case Stage::mesh:
    case Stage::amplification:
      model = module.stage == Stage::mesh ? ExecutionModel::mesh_ext : ExecutionModel::task_ext;
      if (out.version() < 0x0001'0400) unsupported("mesh and amplification shaders for a Vulkan before 1.2");
      out.capability(Capability::mesh_shading_ext);
      out.extension("SPV_EXT_mesh_shader");
      mode(ExecutionMode::local_size, {info.group_size[0], info.group_size[1], info.group_size[2]});
      if (module.stage == Stage::amplification) break;
      mode(ExecutionMode::output_vertices, {std::max(1U, info.max_vertices)});
      mode(ExecutionMode::output_primitives_ext, {std::max(1U, info.max_primitives)});
      mode(info.mesh_topology == dxcontainer::MeshTopology::line       ? ExecutionMode::output_lines_ext
           : info.mesh_topology == dxcontainer::MeshTopology::triangle ? ExecutionMode::output_triangles_ext
                                                                       : ExecutionMode::output_points);
      break;
    default: unsupported("translating " + std::string(id(module.stage)) + " shaders"); break;
  }
  // where the source leaves it open, they are flushed by the interpreter
  if (is_exact() && module.modes.denorm32 != ir::Denormals::preserve) {
    out.capability(Capability::denorm_flush_to_zero);
    mode(ExecutionMode::denorm_flush_to_zero, {32});
    if (out.version() < 0x0001'0400) out.extension("SPV_KHR_float_controls");
  }
  out.entry_point(model, entry, "main", interface_);
}

// In Direct3D a function computes each control point, and another the constants of the patch from all of them.
void Writer::write_hull() {
  const Word nothing = out.void_type(), word32 = out.int_type(32), type = out.function_type(nothing);
  const bool has_points = module.functions.size() > 1;
  std::vector<Word> parts;
  for (std::size_t at = 0; at < module.functions.size() && !error_; ++at) {
    parts.push_back(out.fresh());
    out.name(parts.back(), module.functions[at].name);
    write_function(*this, module.functions[at], in_.trees[at], parts.back());
  }
  if (error_) return;
  bool is_bool = false;
  const Variable& number = builtin(ir::Builtin::control_point_id, is_bool);
  Section& body = out.functions();
  const auto result = [&](Opcode opcode, Word of, std::initializer_list<Word> operands) {
    const Word made = out.fresh();
    body.put(opcode, {of, made}, std::span(operands.begin(), operands.size()));
    return made;
  };
  body.put(Opcode::function, {nothing, entry, 0, type});
  body.put(Opcode::label, {out.fresh()});
  const Word own = result(Opcode::load, word32, {number.id});
  if (has_points) {
    result(Opcode::function_call, nothing, {parts[0]});
  } else {
    // control points pass through
    for (std::uint32_t at = 0; at < std::min(module.signatures.input.size(), module.signatures.output.size()); ++at) {
      const ElementPlace& from = element(ir::SignatureKind::input, at);
      const ElementPlace& to = element(ir::SignatureKind::output, at);
      if (!from.is_per_vertex || !to.is_per_vertex)
        return unsupported(
            "a hull shader that passes control points through, with inputs or outputs that are not arrays of control points");
      const Word of = out.element_of(to.variable.type);
      if (of != out.element_of(from.variable.type)) return unsupported("control points that pass through with other types");
      const Word source = result(Opcode::access_chain, out.pointer_type(StorageClass::input, of), {from.variable.id, own});
      const Word target = result(Opcode::access_chain, out.pointer_type(StorageClass::output, of), {to.variable.id, own});
      body.put(Opcode::store, {target, result(Opcode::load, of, {source})});
    }
  }
  // what is waited for in a patch orders its outputs too. src: Vulkan 1.3, "Tessellation Control Shader Execution"
  body.put(Opcode::control_barrier, {out.u32(word(spirv::Scope::workgroup)), out.u32(word(spirv::Scope::invocation)), out.u32(0)});
  const Word then = out.fresh(), after = out.fresh();
  const Word is_first = result(Opcode::i_equal, out.bool_type(), {own, out.u32(0)});
  body.put(Opcode::selection_merge, {after, 0});
  body.put(Opcode::branch_conditional, {is_first, then, after});
  body.put(Opcode::label, {then});
  result(Opcode::function_call, nothing, {parts.back()});
  body.put(Opcode::branch, {after});
  body.put(Opcode::label, {after});
  body.put(Opcode::return_, {});
  body.put(Opcode::function_end, {});
}

Result<SpirvModule> Writer::run() {
  entry = out.fresh();
  out.name(entry, "main");
  if (options.debug != DebugInfo::none && options.source != nullptr) debug.emplace(*options.source, options.debug, out);
  find_accesses();
  find_overlaps();
  find_names();
  // what the interface declares is there, used or not
  for (const ir::SignatureKind kind : {ir::SignatureKind::input, ir::SignatureKind::output, ir::SignatureKind::patch})
    for (std::uint32_t at = 0; at < module.signatures.of(kind).size(); ++at) element(kind, at);
  if (ir::has_patch_constant_function(module)) {
    write_hull();
  } else if (module.functions.size() != 1) {
    unsupported("a shader of several functions");
  } else {
    write_function(*this, module.functions.front(), in_.trees.front(), entry);
  }
  if (!error_) describe_entry();
  if (out.lacks_waves()) unsupported("wave and quad operations in Vulkan 1.0");
  if (debug) debug->finish();
  if (error_) return std::move(*error_).within(module.functions.empty() ? "" : module.functions.front().name);
  return SpirvModule{out.finish(), std::move(bindings_), std::move(specializations_)};
}

}  // namespace unshade::write::spirv_writer

namespace unshade::write {

Result<SpirvModule> to_spirv(const ir::Structured& module, const shader::Reflection* reflection, const SpirvOptions& options) {
  return spirv_writer::Writer(module, reflection, options).run();
}

}  // namespace unshade::write
