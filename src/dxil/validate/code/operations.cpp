// Calls of `dx.op.` functions: whether there is such an operation, with these types, in this shader model and stage, and what its operands
// have to be.
// src: DXC lib/DxilValidation/DxilValidation.cpp; utils/hct/hctdb.py for operands that are constants
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

#include "dxil/program/function_requirements.hpp"
#include "dxil/program/nodes.hpp"
#include "dxil/program/operation_types.hpp"
#include "dxil/validate/code/matrices.hpp"
#include "dxil/validate/code/resource_operations.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

/// Bits of opcodes that are not final; they come with the next shader model. src: DXC DxilConstants.h, ExperimentalOps
constexpr std::uint32_t kExperimental = 0x8000'0000;
constexpr std::uint32_t kReleasedMinor = 9;
/// Bits of the mode of a barrier. src: DXC DxilConstants.h, BarrierMode
constexpr std::uint64_t kGlobalUav = 2, kGroupUav = 4, kGroupMemory = 8;

/// Parameters that are constants whatever the code does.
struct ConstantParameter {
  Operation operation;
  std::string_view parameter;
};
constexpr ConstantParameter kConstants[] = {
    {Operation::load_input, "inputSigId"},
    {Operation::load_input, "colIndex"},
    {Operation::store_output, "outputSigId"},
    {Operation::store_output, "colIndex"},
    {Operation::eval_snapped, "inputSigId"},
    {Operation::eval_snapped, "inputColIndex"},
    {Operation::eval_sample_index, "inputSigId"},
    {Operation::eval_sample_index, "inputColIndex"},
    {Operation::eval_centroid, "inputSigId"},
    {Operation::eval_centroid, "inputColIndex"},
    {Operation::attribute_at_vertex, "inputSigId"},
    {Operation::attribute_at_vertex, "inputColIndex"},
    {Operation::load_output_control_point, "inputSigId"},
    {Operation::load_output_control_point, "col"},
    {Operation::load_patch_constant, "inputSigId"},
    {Operation::load_patch_constant, "col"},
    {Operation::store_patch_constant, "outputSigID"},
    {Operation::store_patch_constant, "col"},
    {Operation::store_vertex_output, "outputSigId"},
    {Operation::store_vertex_output, "colIndex"},
    {Operation::store_primitive_output, "outputSigId"},
    {Operation::store_primitive_output, "colIndex"},
    {Operation::create_handle, "resourceClass"},
    {Operation::create_handle, "nonUniformIndex"},
    {Operation::cbuffer_load, "alignment"},
    {Operation::barrier, "barrierMode"},
    {Operation::domain_location, "component"},
    {Operation::buffer_update_counter, "inc"},
    {Operation::texture_store, "mask"},
    {Operation::buffer_store, "mask"},
    {Operation::raw_buffer_load, "mask"},
    {Operation::raw_buffer_store, "mask"},
    {Operation::texture_store_sample, "mask"},
    {Operation::emit_stream, "streamId"},
    {Operation::cut_stream, "streamId"},
    {Operation::emit_then_cut_stream, "streamId"},
    {Operation::wave_active_op, "op"},
    {Operation::wave_active_op, "sop"},
    {Operation::wave_active_bit, "op"},
    {Operation::wave_prefix_op, "op"},
    {Operation::wave_prefix_op, "sop"},
    {Operation::wave_multi_prefix_op, "op"},
    {Operation::wave_multi_prefix_op, "sop"},
    {Operation::quad_op, "op"},
    {Operation::quad_vote, "op"},
    {Operation::annotate_handle, "props"},
    {Operation::create_handle_from_binding, "bind"},
    {Operation::create_handle_from_binding, "nonUniformIndex"},
    {Operation::create_handle_from_heap, "samplerHeap"},
    {Operation::create_handle_from_heap, "nonUniformIndex"},
    {Operation::allocate_node_output_records, "perThread"},
    {Operation::increment_output_count, "perThread"},
    {Operation::annotate_node_handle, "props"},
    {Operation::annotate_node_record_handle, "props"},
};

/// Parameters of an operation that are constants, a bit each.
std::uint64_t constants_of(const OperationInfo& info) {
  std::uint64_t constants = 0;
  for (const ConstantParameter& row : kConstants) {
    if (static_cast<std::uint32_t>(row.operation) != info.code) continue;
    if (const auto parameter = parameter_of(info, row.parameter)) constants |= std::uint64_t{1} << *parameter;
  }
  return constants;
}

/// Signatures that an operation reads or writes, and where its operands say which element.
enum class SignatureOf { input, output, patch_or_primitive };

class OperationChecker {
 public:
  explicit OperationChecker(const ModuleCheck& check)
      : c_(check),
        m_(check.module),
        types_(check),
        resources_(check),
        kinds_(program::kinds_of_functions(check)),
        constants_(operations().size(), kNotAsked) {
    for (std::size_t i = 0; i < c_.program.entries.size(); ++i) {
      const EntryPoint& entry = c_.program.entries[i];
      if (entry.function == kNone) continue;
      properties_.push_back(read_entry_properties(c_.program, entry));
      entries_.push_back({entry.function, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(properties_.size() - 1), false});
      const std::uint32_t patch = properties_.back().patch_constant_function;
      if (patch != kNone) entries_.push_back({patch, entries_.back().entry, entries_.back().properties, true});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Place& a, const Place& b) { return a.function < b.function; });
  }

  void check() {
    for (const Body& body : m_.bodies) {
      body_ = &body;
      kind_ = kinds_[body.function];
      place_ = nullptr;
      const auto found = std::lower_bound(entries_.begin(), entries_.end(), body.function,
                                          [](const Place& p, std::uint32_t function) { return p.function < function; });
      if (found != entries_.end() && found->function == body.function) place_ = &*found;
      counts_ = {};
      for (at_ = body.instructions.first; at_ < body.instructions.end(); ++at_)
        if (m_.instructions[at_].opcode == Opcode::call) {
          check_call(m_.instructions[at_]);
        } else if (m_.instructions[at_].opcode == Opcode::extractvalue) {
          resources_.check_part(body, at_, m_.instructions[at_]);
        }
    }
  }

 private:
  /// A function that stands for an entry, or computes its patch constants.
  struct Place {
    std::uint32_t function;
    std::uint32_t entry;
    std::uint32_t properties;
    bool of_patch_constants;
  };
  struct Counts {
    unsigned set_mesh_output_counts = 0, get_mesh_payload = 0, dispatch_mesh = 0;
    bool coverage = false, inner_coverage = false;
  };

  static std::size_t index_of(const OperationInfo& info) { return static_cast<std::size_t>(&info - operations().data()); }

  void add(const Rule& rule, std::string message) const { c_.add(rule, *body_, at_, std::move(message)); }
  void add(const Rule& rule, const OperationInfo& info, std::string_view what) const {
    add(rule, std::string(info.text) + ": " + std::string(what));
  }

  void check_call(const Instruction& i) {
    const std::uint32_t callee = c_.callee_of(*body_, i);
    if (callee == kNone) return;
    const std::string_view name = c_.name_of(m_.functions[callee]);
    if (!program::is_operation_name(name) || i.operands.count < program::kFirstParameter) return;
    const auto code = c_.integer_of(body_, m_.operands[i.operands.first + std::size_t{1}]);
    if (!code) return add(rules::kInstrOpConst, "the opcode is not a constant");
    const OperationInfo* const info = find_operation(static_cast<std::uint32_t>(*code));
    if (info == nullptr) return add(rules::kInstrIllegalDxilOpcode, "opcode " + std::to_string(*code));
    if ((info->code & kExperimental) != 0 && c_.program.minor <= kReleasedMinor)
      return add(rules::kInstrExpDxilOpcodeRequiresExpSm, *info, "in shader model 6." + std::to_string(c_.program.minor));
    if (info->function == "reserved") return add(rules::kInstrOpcodeReserved, *info, "reserved opcode");
    if (!check_use(*info, callee, name)) return;
    check_operands(*info, i);
  }

  /// What is the same for every call of a function with an opcode from a stage.
  bool check_use(const OperationInfo& info, std::uint32_t callee, std::string_view name) {
    const std::uint64_t key = std::uint64_t{callee} << 24 | index_of(info) << 8 | static_cast<std::uint64_t>(kind_);
    if (good_.contains(key)) return true;
    const std::string_view base = name.substr(std::string_view("dx.op.").size());
    if (!base.starts_with(info.function) || (base.size() > info.function.size() && base[info.function.size()] != '.')) {
      const std::size_t overload = base.find('.');
      add(rules::kInstrIllegalDxilOpFunction, info,
          "must be called by dx.op." + std::string(info.function) +
              (overload == std::string_view::npos ? std::string() : std::string(base.substr(overload))) + ", found " + std::string(name));
      return false;
    }
    switch (types_.check(info, m_.functions[callee].type)) {
      case program::OperationTypes::Outcome::fits: break;
      case program::OperationTypes::Outcome::wrong_overload: add(rules::kInstrOload, info, "invalid overload type"); return false;
      case program::OperationTypes::Outcome::wrong_types:
        add(rules::kInstrCallOload, info, "the function's type does not match the operation");
        return false;
    }
    const std::uint32_t since = static_cast<std::uint32_t>(info.since);
    if (!c_.has_model(since)) {
      add(rules::kSmOpcode, info, "requires shader model 6." + std::to_string(since));
    } else if ((program::stages_of(info) >> static_cast<std::uint32_t>(kind_) & 1) == 0) {
      add(rules::kSmOpcode, info, "not in a function of kind " + std::string(id(kind_)));
    } else if (program::is_gradient(static_cast<Operation>(info.code)) && is_like_compute() && !c_.has_model(6)) {
      add(rules::kSmIncompatibleDerivInComputeShaderModel, info, "in shader model 6." + std::to_string(c_.program.minor));
    } else {
      check_model_of_types(info);
      good_.insert(key);
      return true;
    }
    return false;
  }

  bool is_like_compute() const {
    return kind_ == ShaderKind::compute || kind_ == ShaderKind::mesh || kind_ == ShaderKind::amplification || kind_ == ShaderKind::node;
  }

  void check_model_of_types(const OperationInfo& info) const {
    const auto code = static_cast<Operation>(info.code);
    const bool raw = code == Operation::raw_buffer_load || code == Operation::raw_buffer_store;
    const std::uint32_t overload = types_.overload();
    if (overload == kNone) return;
    if (raw && !c_.has_model(3) && (c_.is_integer(overload, 64) || c_.is(overload, TypeKind::double_)))
      add(rules::kSm64bitRawBufferLoadStore, info, "a 64-bit access before shader model 6.3");
    const bool special =
        code == Operation::is_nan || code == Operation::is_inf || code == Operation::is_finite || code == Operation::is_normal;
    if (special && !c_.has_model(9) && c_.is(overload, TypeKind::half))
      add(rules::kSmIsSpecialFloat, info, "half overload before shader model 6.9");
  }

  std::uint32_t operand(const Instruction& i, std::size_t parameter) const {
    return m_.operands[i.operands.first + program::kFirstParameter + parameter];
  }
  std::optional<std::uint64_t> integer(const Instruction& i, std::size_t parameter) const {
    return program::kFirstParameter + parameter < i.operands.count ? c_.integer_of(body_, operand(i, parameter)) : std::nullopt;
  }
  std::optional<float> real(const Instruction& i, std::size_t parameter) const {
    const Constant* const constant = c_.constant_of(body_, operand(i, parameter));
    if (constant == nullptr || constant->kind != ConstantKind::real || !c_.is(constant->type, TypeKind::float_)) return std::nullopt;
    return std::bit_cast<float>(static_cast<std::uint32_t>(constant->bits));
  }

  void check_operands(const OperationInfo& info, const Instruction& i) {
    std::uint64_t& constants = constants_[index_of(info)];
    if (constants == kNotAsked) constants = constants_of(info);
    for (std::size_t k = 0; constants >> k != 0 && program::kFirstParameter + k < i.operands.count; ++k) {
      if ((constants >> k & 1) == 0) continue;
      const Constant* const constant = c_.constant_of(body_, operand(i, k));
      if (constant == nullptr || constant->kind == ConstantKind::undef)
        return add(rules::kInstrOpConst, info, "parameter " + std::to_string(k) + " is not a constant");
    }
    using enum Operation;
    const auto code = static_cast<Operation>(info.code);
    if (code != annotate_handle && code != annotate_node_handle && code != annotate_node_record_handle && code != create_handle_for_lib)
      resources_.check_handles(*body_, at_, info, i);
    switch (code) {
      case load_input:
        check_element(info, i, SignatureOf::input);
        check_vertex(info, i);
        break;
      case eval_snapped:
      case eval_sample_index:
      case eval_centroid:
        if (const MetadataElement* e = check_element(info, i, SignatureOf::input)) {
          if (e->interpolation < Interpolation::linear || e->interpolation >= Interpolation::invalid)
            add(rules::kInstrEvalInterpolationMode, info, "the input is not interpolated");
          if (e->semantic == SemanticKind::position) add(rules::kInstrCannotPullPosition, info, "the input is a position");
        }
        break;
      case attribute_at_vertex:
        if (const MetadataElement* e = check_element(info, i, SignatureOf::input))
          if (e->interpolation != Interpolation::constant)
            add(rules::kInstrAttributeAtVertexNoInterpolation, info, "the input is interpolated");
        break;
      case store_output:
      case store_vertex_output: check_element(info, i, SignatureOf::output); break;
      case load_output_control_point:
        if (place_ != nullptr && kind_ == ShaderKind::hull && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, info, "outside the patch constant function");
        if (kind_ == ShaderKind::hull) check_element(info, i, SignatureOf::output);
        break;
      case store_primitive_output:
      case load_patch_constant: check_element(info, i, SignatureOf::patch_or_primitive); break;
      case store_patch_constant:
        if (place_ != nullptr && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, info, "outside the patch constant function");
        check_element(info, i, SignatureOf::patch_or_primitive);
        break;
      case output_control_point_id:
        if (place_ != nullptr && place_->of_patch_constants) add(rules::kSmOpcodeInInvalidFunction, info, "in the patch constant function");
        break;
      case domain_location: check_domain_location(info, i); break;
      case emit_stream:
      case cut_stream:
      case emit_then_cut_stream: check_stream(info, i); break;
      case create_handle_for_lib:
        // Shaders of 6.6 on may have it in modules that are linked later. src: DXC DxilValidation.cpp
        if (!c_.is_library()) add(rules::kSmOpcodeInInvalidFunction, info, "outside a library");
        break;
      case create_handle:
        if (c_.is_library() || c_.program.dxil_minor > 5)
          add(rules::kSmOpcodeInInvalidFunction, info, "in a library, or in shader model 6.6 or later");
        resources_.check_maker(*body_, at_, info, i);
        break;
      case create_handle_from_binding: resources_.check_maker(*body_, at_, info, i); break;
      case Operation::barrier: check_barrier(info, i); break;
      case barrier_by_memory_type:
      case barrier_by_memory_handle:
      case barrier_by_node_record_handle: check_flags_of_barrier(info, i); break;
      case thread_id:
      case group_id:
      case thread_id_in_group:
      case flattened_thread_id_in_group: check_launch(info); break;
      case Operation::coverage: counts_.coverage = true; break;
      case Operation::inner_coverage: counts_.inner_coverage = true; break;
      case set_mesh_output_counts:
        if (++counts_.set_mesh_output_counts > 1) add(rules::kInstrMultipleSetMeshOutputCounts, info, "called again");
        break;
      case get_mesh_payload:
        if (++counts_.get_mesh_payload > 1) add(rules::kInstrMultipleGetMeshPayload, info, "called again");
        break;
      case dispatch_mesh:
        if (++counts_.dispatch_mesh > 1) add(rules::kInstrNotOnceDispatchMesh, info, "called again");
        break;
      case Operation::asin:
      case Operation::acos:
      case Operation::log: check_finite(info, i); break;
      case deriv_coarse_x:
      case deriv_coarse_y:
      case deriv_fine_x:
      case deriv_fine_y:
        if (const auto value = real(i, 0); value && std::isinf(*value)) add(rules::kInstrNoIndefiniteDsxy, info, "the operand is infinite");
        break;
      case allocate_ray_query:
      case allocate_ray_query2: check_ray_flags(info, i); break;
      default:
        if (MatrixOperationChecker::is_one(info)) {
          if (!matrices_) matrices_.emplace(c_);
          matrices_->check(*body_, at_, info, i);
        } else if (!check_rays(info, i)) {
          resources_.check(*body_, at_, info, i);
        }
        break;
    }
    if (counts_.coverage && counts_.inner_coverage) {
      add(rules::kSmPsCoverageAndInnerCoverage, info, "both kinds of coverage are read");
      counts_.coverage = false;
    }
  }

  // --- signatures ---------------------------------------------------------------------------------------------------------------------
  const MetadataElement* check_element(const OperationInfo& info, const Instruction& i, SignatureOf which) {
    if (place_ == nullptr) {
      if (c_.is_library()) return nullptr;
      add(rules::kInstrSignatureOperationNotInEntry, info, "in a function that is not an entry point");
      return nullptr;
    }
    const EntryPoint& entry = c_.program.entries[place_->entry];
    const auto& list = which == SignatureOf::input    ? entry.inputs
                       : which == SignatureOf::output ? entry.outputs
                                                      : entry.patch_or_primitives;
    const auto element_id = integer(i, 0);
    if (!element_id) return nullptr;
    if (*element_id >= list.size()) {
      add(rules::kInstrOpConstRange, info, "element " + std::to_string(*element_id) + " of " + std::to_string(list.size()));
      return nullptr;
    }
    const MetadataElement& e = list[static_cast<std::size_t>(*element_id)];
    const auto row = integer(i, 1);
    const auto column = integer(i, 2);
    if ((row && *row >= e.rows) || (column && *column >= e.columns))
      add(rules::kInstrOperandRange, info,
          "row " + std::to_string(row.value_or(0)) + ", column " + std::to_string(column.value_or(0)) + " of " + std::to_string(e.rows) +
              " rows of " + std::to_string(e.columns));
    return &e;
  }

  void check_domain_location(const OperationInfo& info, const Instruction& i) {
    if (place_ == nullptr || !properties_[place_->properties].domain) return;
    const std::uint64_t components = properties_[place_->properties].domain->domain == TessellatorDomain::quad ? 2 : 3;
    if (const auto component = integer(i, 0); component && *component >= components)
      add(rules::kSmDomainLocationIdxOob, info, "component " + std::to_string(*component) + " of " + std::to_string(components));
  }

  void check_stream(const OperationInfo& info, const Instruction& i) {
    if (place_ == nullptr || !properties_[place_->properties].geometry) return;
    const std::uint32_t streams = properties_[place_->properties].geometry->active_streams;
    if (const auto stream = integer(i, 0); stream && (*stream >= kStreamCount || (streams >> *stream & 1) == 0))
      add(rules::kInstrOperandRange, info, "stream " + std::to_string(*stream) + " is not declared");
  }

  /// The vertex of an input: of a primitive or a patch, and none elsewhere.
  void check_vertex(const OperationInfo& info, const Instruction& i) {
    constexpr std::size_t kVertex = 3;
    if (place_ == nullptr) return;
    if (kind_ == ShaderKind::vertex || kind_ == ShaderKind::pixel) {
      if (!c_.is_undef(*body_, operand(i, kVertex))) add(rules::kSmOperand, info, "the vertex operand is not undef");
      return;
    }
    const EntryProperties& p = properties_[place_->properties];
    const auto vertex = integer(i, kVertex);
    const std::uint64_t vertices = p.geometry ? vertices_of(p.geometry->input_primitive)
                                   : p.domain ? p.domain->input_control_points
                                   : p.hull   ? p.hull->input_control_points
                                              : 0;
    if (vertex && *vertex >= vertices)
      add(rules::kInstrOperandRange, info, "vertex " + std::to_string(*vertex) + " of " + std::to_string(vertices));
  }

  static std::uint64_t vertices_of(InputPrimitive primitive) {
    const auto number = static_cast<std::uint32_t>(primitive);
    constexpr std::uint32_t kFirstPatch = 8, kLastPatch = 39;
    if (number >= kFirstPatch && number <= kLastPatch) return number - kFirstPatch + 1;
    switch (number) {
      case 1:
      case 2:
      case 3: return number;
      case 6: return 4;
      case 7: return 6;
      default: return 0;
    }
  }

  // --- nodes and barriers -------------------------------------------------------------------------------------------------------------
  /// Grids have ids of groups and threads, groups have those of threads.
  void check_launch(const OperationInfo& info) {
    if (kind_ != ShaderKind::node || place_ == nullptr || place_->of_patch_constants) return;
    const auto node = program::read_node_properties(c_.program, c_.program.entries[place_->entry]);
    const NodeLaunch launch = node ? node->launch : NodeLaunch::none;
    const auto code = static_cast<Operation>(info.code);
    const bool in_group = code == Operation::thread_id_in_group || code == Operation::flattened_thread_id_in_group;
    if (launch != NodeLaunch::broadcasting && !(in_group && launch == NodeLaunch::coalescing))
      add(rules::kInstrSvConflictingLaunchMode, info, "in a node with launch mode " + std::string(id(launch)));
  }

  // src: DXC DxilConstants.h, MemoryTypeFlag, BarrierSemanticFlag
  void check_flags_of_barrier(const OperationInfo& info, const Instruction& i) {
    constexpr std::uint64_t kAllMemory = 0xf, kSemantics = 0xf, kSemanticsBefore6_9 = 0x7;
    const auto flags = [&](std::size_t parameter, std::uint64_t known) {
      const auto value = integer(i, parameter);
      if (!value)
        return add(rules::kInstrBarrierNonConstantFlagArgument, info, "parameter " + std::to_string(parameter) + " is not a constant");
      if ((*value & ~known) != 0) add(rules::kInstrBarrierFlagInvalid, info, "flags " + std::to_string(*value));
    };
    const auto code = static_cast<Operation>(info.code);
    if (code == Operation::barrier_by_memory_type) flags(0, kAllMemory);
    flags(1, c_.program.dxil_minor >= 9 ? kSemantics : kSemanticsBefore6_9);
    const program::BarrierRequirements needs = program::requirements_of_barrier(c_, *body_, i, code);
    const bool of_library = kind_ == ShaderKind::library;
    if (needs.node && kind_ != ShaderKind::node && !of_library) add(rules::kInstrBarrierRequiresNode, info, "on node record memory");
    if (needs.group && !is_like_compute() && !of_library) add(rules::kInstrBarrierModeForNonCs, info, "on a thread group");
  }

  // --- rays ---------------------------------------------------------------------------------------------------------------------------
  bool undef(const Instruction& i, std::size_t parameter) const { return c_.is_undef(*body_, operand(i, parameter)); }

  void in_range(const OperationInfo& info, const Instruction& i, std::size_t parameter, std::uint64_t last) {
    const auto value = integer(i, parameter);
    if (!value) return add(rules::kInstrOpConst, info, "parameter " + std::to_string(parameter) + " is not a constant");
    if (*value > last) add(rules::kInstrOperandRange, info, "parameter " + std::to_string(parameter) + " is " + std::to_string(*value));
  }

  /// Operations on hits. False for others.
  bool check_rays(const OperationInfo& info, const Instruction& i) {
    using enum Operation;
    const auto code = static_cast<Operation>(info.code);
    const auto defined = [&](std::size_t first) {
      for (std::size_t k = first; program::kFirstParameter + k < i.operands.count; ++k)
        if (undef(i, k)) return add(rules::kInstrNoReadingUninitialized, info, "parameter " + std::to_string(k) + " is undefined");
    };
    const bool takes_hit = info.types.find(" hit_object") != std::string_view::npos;
    if (takes_hit && undef(i, 0)) add(rules::kInstrUndefHitObject, info, "the hit object is undefined");
    switch (code) {
      case maybe_reorder_thread: {
        const auto bits = integer(i, 2);
        if (undef(i, 2) || (bits && *bits != 0 && undef(i, 1)))
          add(rules::kInstrMayReorderThreadUndefCoherenceHintParam, info, "the coherence hint is undefined");
        break;
      }
      case hit_object_load_local_root_table_constant:
        defined(1);
        if (const auto offset = integer(i, 1); offset && *offset % 4 != 0)
          add(rules::kInstrParamMultiple, info, "offset " + std::to_string(*offset) + " is not a multiple of 4");
        break;
      case hit_object_set_shader_table_index:
      case hit_object_invoke: defined(1); break;
      case hit_object_object_ray_direction:
      case hit_object_object_ray_origin:
      case hit_object_world_ray_direction:
      case hit_object_world_ray_origin: in_range(info, i, 1, 2); break;
      case hit_object_world_to_object_3x4:
      case hit_object_object_to_world_3x4:
        in_range(info, i, 1, 2);
        in_range(info, i, 2, 3);
        break;
      case hit_object_make_miss:
        if (undef(i, 0) || undef(i, 1)) add(rules::kInstrNoReadingUninitialized, info, "the flags or an index are undefined");
        break;
      case hit_object_from_ray_query:
      case hit_object_from_ray_query_with_attrs: defined(0); break;
      case hit_object_trace_ray: defined(1); return false;
      default: return takes_hit;
    }
    return true;
  }

  // --- others -------------------------------------------------------------------------------------------------------------------------
  void check_barrier(const OperationInfo& info, const Instruction& i) {
    const std::uint64_t mode = integer(i, 0).value_or(0);
    if (is_like_compute() || kind_ == ShaderKind::library) {
      if ((mode & kGlobalUav) != 0 && (mode & kGroupUav) != 0)
        add(rules::kInstrBarrierModeUselessUGroup, info, "mode " + std::to_string(mode));
      if ((mode & (kGlobalUav | kGroupUav | kGroupMemory)) == 0)
        add(rules::kInstrBarrierModeNoMemory, info, "mode " + std::to_string(mode));
    } else if (mode != kGlobalUav) {
      add(rules::kInstrBarrierModeForNonCs, info, "mode " + std::to_string(mode));
    }
  }

  void check_finite(const OperationInfo& info, const Instruction& i) {
    const auto value = real(i, 0);
    if (!value || !std::isinf(*value)) return;
    const auto code = static_cast<Operation>(info.code);
    const Rule& rule = code == Operation::asin   ? rules::kInstrNoIndefiniteAsin
                       : code == Operation::acos ? rules::kInstrNoIndefiniteAcos
                                                 : rules::kInstrNoIndefiniteLog;
    add(rule, info, "the operand is infinite");
  }

  void check_ray_flags(const OperationInfo& info, const Instruction& i) {
    const bool two = static_cast<Operation>(info.code) == Operation::allocate_ray_query2;
    for (std::size_t k = 0; k < (two ? 2U : 1U); ++k)
      if (c_.constant_of(body_, operand(i, k)) == nullptr)
        return add(two ? rules::kDeclAllocateRayQuery2FlagsAreConst : rules::kDeclAllocateRayQueryFlagsAreConst, info,
                   "the flags are not constant");
    // src: DXC DxilConstants.h, RayFlag::ForceOMM2State, RayQueryFlag::AllowOpacityMicromaps
    constexpr std::uint64_t kForceTwoStates = 0x400, kAllowMicromaps = 1;
    if (two && (integer(i, 0).value_or(0) & kForceTwoStates) != 0 && (integer(i, 1).value_or(0) & kAllowMicromaps) == 0)
      add(rules::kDeclAllowOpacityMicromapsExpectedGivenForceOmm2State, info, "ForceOMM2State without AllowOpacityMicromaps");
  }

  const ModuleCheck& c_;
  const Module& m_;
  program::OperationTypes types_;
  ResourceOperationChecker resources_;
  std::optional<MatrixOperationChecker> matrices_;  ///< made when a module has such operations
  std::vector<ShaderKind> kinds_;
  static constexpr std::uint64_t kNotAsked = ~std::uint64_t{0};
  std::vector<std::uint64_t> constants_;  ///< by row: constants_of() those that were met
  std::vector<EntryProperties> properties_;
  std::vector<Place> entries_;  ///< by function
  std::unordered_set<std::uint64_t> good_;

  const Body* body_ = nullptr;
  const Place* place_ = nullptr;
  ShaderKind kind_ = ShaderKind::invalid;
  std::uint32_t at_ = 0;
  Counts counts_;
};

}  // namespace

void validate_operations(const ModuleCheck& check) { OperationChecker(check).check(); }

}  // namespace unshade::dxil::validate
