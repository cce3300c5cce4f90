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

/// Signatures that an operation reads or writes, and where its operands say which element.
enum class SignatureOf { input, output, patch_or_primitive };

class OperationChecker {
 public:
  explicit OperationChecker(const ModuleCheck& check)
      : c_(check), m_(check.module), types_(check), resources_(check), kinds_(kinds_of_functions(check)) {
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
  void add(const Rule& rule, const OperationInfo& row, std::string_view what) const {
    add(rule, std::string(row.text) + ": " + std::string(what));
  }

  void add(const Rule& rule, const Call& call, std::string_view what) const { add(rule, call.row(), what); }

  void check_call(const Instruction& i) {
    const std::uint32_t callee = c_.callee_of(*body_, i);
    if (callee == kNone) return;
    const std::string_view name = c_.name_of(m_.functions[callee]);
    if (!is_operation_name(name) || i.operands.count < 2) return;
    const auto code = c_.integer_of(body_, m_.operands[i.operands.first + std::size_t{1}]);
    if (!code) return add(rules::kInstrOpConst, "the opcode is not a constant");
    const OperationInfo* const info = find_operation(static_cast<std::uint32_t>(*code));
    if (info == nullptr) return add(rules::kInstrIllegalDxilOpcode, "opcode " + std::to_string(*code));
    if ((info->code & kExperimental) != 0 && c_.program.minor <= kReleasedMinor)
      return add(rules::kInstrExpDxilOpcodeRequiresExpSm, *info, "in shader model 6." + std::to_string(c_.program.minor));
    if (info->function == "reserved") return add(rules::kInstrOpcodeReserved, *info, "reserved opcode");
    if (!check_use(*info, callee, name)) return;
    if (const auto call = call_of(c_, *body_, i)) check_operands(*call);
  }

  /// Checks that have the same result for every call of a function with an opcode from a stage.
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
    } else if (!info.may_be_in(kind_)) {
      add(rules::kSmOpcode, info, "not in a function of kind " + std::string(id(kind_)));
    } else if (info.has(operation_trait::gradient) && is_like_compute() && !c_.has_model(6)) {
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

  void check_operands(const Call& call) {
    for (std::size_t k = 0; k < call.row().parameter_count; ++k) {
      if ((call.row().constants >> k & 1) == 0) continue;
      const Constant* const constant = c_.constant_of(body_, call.argument(k));
      if (constant == nullptr || constant->kind == ConstantKind::undef)
        return add(rules::kInstrOpConst, call, "parameter " + std::to_string(k) + " is not a constant");
    }
    using enum Operation;
    const auto code = call.operation();
    if (code != annotate_handle && code != annotate_node_handle && code != annotate_node_record_handle && code != create_handle_for_lib)
      resources_.check_handles(at_, call);
    switch (code) {
      case load_input:
        check_element(call, SignatureOf::input);
        check_vertex(call);
        break;
      case eval_snapped:
      case eval_sample_index:
      case eval_centroid:
        if (const MetadataElement* e = check_element(call, SignatureOf::input)) {
          if (e->interpolation < Interpolation::linear || e->interpolation >= Interpolation::invalid)
            add(rules::kInstrEvalInterpolationMode, call, "the input is not interpolated");
          if (e->semantic == SemanticKind::position) add(rules::kInstrCannotPullPosition, call, "the input is a position");
        }
        break;
      case attribute_at_vertex:
        if (const MetadataElement* e = check_element(call, SignatureOf::input))
          if (e->interpolation != Interpolation::constant)
            add(rules::kInstrAttributeAtVertexNoInterpolation, call, "the input is interpolated");
        break;
      case store_output:
      case store_vertex_output: check_element(call, SignatureOf::output); break;
      case load_output_control_point:
        if (place_ != nullptr && kind_ == ShaderKind::hull && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, call, "outside the patch constant function");
        if (kind_ == ShaderKind::hull) check_element(call, SignatureOf::output);
        break;
      case store_primitive_output:
      case load_patch_constant: check_element(call, SignatureOf::patch_or_primitive); break;
      case store_patch_constant:
        if (place_ != nullptr && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, call, "outside the patch constant function");
        check_element(call, SignatureOf::patch_or_primitive);
        break;
      case output_control_point_id:
        if (place_ != nullptr && place_->of_patch_constants) add(rules::kSmOpcodeInInvalidFunction, call, "in the patch constant function");
        break;
      case domain_location: check_domain_location(call); break;
      case emit_stream:
      case cut_stream:
      case emit_then_cut_stream: check_stream(call); break;
      case create_handle_for_lib:
        // Shaders of 6.6 on may have it in modules that are linked later. src: DXC DxilValidation.cpp
        if (!c_.is_library()) add(rules::kSmOpcodeInInvalidFunction, call, "outside a library");
        break;
      case create_handle:
        if (c_.is_library() || c_.program.dxil_minor > 5)
          add(rules::kSmOpcodeInInvalidFunction, call, "in a library, or in shader model 6.6 or later");
        resources_.check_maker(at_, call);
        break;
      case create_handle_from_binding: resources_.check_maker(at_, call); break;
      case Operation::barrier: check_barrier(call); break;
      case barrier_by_memory_type:
      case barrier_by_memory_handle:
      case barrier_by_node_record_handle: check_flags_of_barrier(call); break;
      case thread_id:
      case group_id:
      case thread_id_in_group:
      case flattened_thread_id_in_group: check_launch(call); break;
      case Operation::coverage: counts_.coverage = true; break;
      case Operation::inner_coverage: counts_.inner_coverage = true; break;
      case set_mesh_output_counts:
        if (++counts_.set_mesh_output_counts > 1) add(rules::kInstrMultipleSetMeshOutputCounts, call, "called again");
        break;
      case get_mesh_payload:
        if (++counts_.get_mesh_payload > 1) add(rules::kInstrMultipleGetMeshPayload, call, "called again");
        break;
      case dispatch_mesh:
        if (++counts_.dispatch_mesh > 1) add(rules::kInstrNotOnceDispatchMesh, call, "called again");
        break;
      case Operation::asin:
      case Operation::acos:
      case Operation::log: check_finite(call); break;
      case deriv_coarse_x:
      case deriv_coarse_y:
      case deriv_fine_x:
      case deriv_fine_y:
        if (const auto value = call.real(0); value && std::isinf(*value))
          add(rules::kInstrNoIndefiniteDsxy, call, "the operand is infinite");
        break;
      case allocate_ray_query:
      case allocate_ray_query2: check_ray_flags(call); break;
      default:
        if (MatrixOperationChecker::is_one(call.row())) {
          if (!matrices_) matrices_.emplace(c_);
          matrices_->check(at_, call);
        } else if (!check_rays(call)) {
          resources_.check(at_, call);
        }
        break;
    }
    if (counts_.coverage && counts_.inner_coverage) {
      add(rules::kSmPsCoverageAndInnerCoverage, call, "both kinds of coverage are read");
      counts_.coverage = false;
    }
  }

  // --- signatures ---------------------------------------------------------------------------------------------------------------------
  const MetadataElement* check_element(const Call& call, SignatureOf which) {
    // Of all operations on elements, whose rows have several names for them.
    constexpr std::size_t kElement = 0, kRow = 1, kColumn = 2;
    if (place_ == nullptr) {
      if (c_.is_library()) return nullptr;
      add(rules::kInstrSignatureOperationNotInEntry, call, "in a function that is not an entry point");
      return nullptr;
    }
    const EntryPoint& entry = c_.program.entries[place_->entry];
    const auto& list = which == SignatureOf::input    ? entry.inputs
                       : which == SignatureOf::output ? entry.outputs
                                                      : entry.patch_or_primitives;
    const auto element_id = call.constant(kElement);
    if (!element_id) return nullptr;
    if (*element_id >= list.size()) {
      add(rules::kInstrOpConstRange, call, "element " + std::to_string(*element_id) + " of " + std::to_string(list.size()));
      return nullptr;
    }
    const MetadataElement& e = list[static_cast<std::size_t>(*element_id)];
    const auto row = call.constant(kRow);
    const auto column = call.constant(kColumn);
    if ((row && *row >= e.rows) || (column && *column >= e.columns))
      add(rules::kInstrOperandRange, call,
          "row " + std::to_string(row.value_or(0)) + ", column " + std::to_string(column.value_or(0)) + " of " + std::to_string(e.rows) +
              " rows of " + std::to_string(e.columns));
    return &e;
  }

  void check_domain_location(const Call& call) {
    if (place_ == nullptr || !properties_[place_->properties].domain) return;
    const std::uint64_t components = properties_[place_->properties].domain->domain == TessellatorDomain::quad ? 2 : 3;
    if (const auto component = call.constant("component"); component && *component >= components)
      add(rules::kSmDomainLocationIdxOob, call, "component " + std::to_string(*component) + " of " + std::to_string(components));
  }

  void check_stream(const Call& call) {
    if (place_ == nullptr || !properties_[place_->properties].geometry) return;
    const std::uint32_t streams = properties_[place_->properties].geometry->active_streams;
    if (const auto stream = call.constant("streamId"); stream && (*stream >= kStreamCount || (streams >> *stream & 1) == 0))
      add(rules::kInstrOperandRange, call, "stream " + std::to_string(*stream) + " is not declared");
  }

  /// The vertex of an input: of a primitive or a patch, and none elsewhere.
  void check_vertex(const Call& call) {
    if (place_ == nullptr) return;
    if (kind_ == ShaderKind::vertex || kind_ == ShaderKind::pixel) {
      if (!call.is_undefined("gsVertexAxis")) add(rules::kSmOperand, call, "the vertex operand is defined, expected undef");
      return;
    }
    const EntryProperties& p = properties_[place_->properties];
    const auto vertex = call.constant("gsVertexAxis");
    const std::uint64_t vertices = p.geometry ? vertices_of(p.geometry->input_primitive)
                                   : p.domain ? p.domain->input_control_points
                                   : p.hull   ? p.hull->input_control_points
                                              : 0;
    if (vertex && *vertex >= vertices)
      add(rules::kInstrOperandRange, call, "vertex " + std::to_string(*vertex) + " of " + std::to_string(vertices));
  }

  // --- nodes and barriers -------------------------------------------------------------------------------------------------------------
  /// Grids have ids of groups and threads, groups have those of threads.
  void check_launch(const Call& call) {
    if (kind_ != ShaderKind::node || place_ == nullptr || place_->of_patch_constants) return;
    const auto node = program::read_node_properties(c_.program, c_.program.entries[place_->entry]);
    const NodeLaunch launch = node ? node->launch : NodeLaunch::none;
    const auto code = call.operation();
    const bool in_group = code == Operation::thread_id_in_group || code == Operation::flattened_thread_id_in_group;
    if (launch != NodeLaunch::broadcasting && !(in_group && launch == NodeLaunch::coalescing))
      add(rules::kInstrSvConflictingLaunchMode, call, "in a node with launch mode " + std::string(id(launch)));
  }

  // src: DXC DxilConstants.h, MemoryTypeFlag, BarrierSemanticFlag
  void check_flags_of_barrier(const Call& call) {
    constexpr std::uint64_t kAllMemory = 0xf, kSemantics = 0xf, kSemanticsBefore6_9 = 0x7;
    const auto flags = [&](std::size_t parameter, std::uint64_t known) {
      const auto value = call.constant(parameter);
      if (!value)
        return add(rules::kInstrBarrierNonConstantFlagArgument, call, "parameter " + std::to_string(parameter) + " is not a constant");
      if ((*value & ~known) != 0) add(rules::kInstrBarrierFlagInvalid, call, "flags " + std::to_string(*value));
    };
    const auto code = call.operation();
    if (code == Operation::barrier_by_memory_type) flags(0, kAllMemory);
    flags(1, c_.program.dxil_minor >= 9 ? kSemantics : kSemanticsBefore6_9);
    const program::BarrierRequirements needs = program::requirements_of_barrier(call);
    const bool of_library = kind_ == ShaderKind::library;
    if (needs.node && kind_ != ShaderKind::node && !of_library) add(rules::kInstrBarrierRequiresNode, call, "on node record memory");
    if (needs.group && !is_like_compute() && !of_library) add(rules::kInstrBarrierModeForNonCs, call, "on a thread group");
  }

  // --- rays ---------------------------------------------------------------------------------------------------------------------------
  void in_range(const Call& call, std::size_t parameter, std::uint64_t last) {
    const auto value = call.constant(parameter);
    if (!value) return add(rules::kInstrOpConst, call, "parameter " + std::to_string(parameter) + " is not a constant");
    if (*value > last) add(rules::kInstrOperandRange, call, "parameter " + std::to_string(parameter) + " is " + std::to_string(*value));
  }

  /// Operations on hits. False for others.
  bool check_rays(const Call& call) {
    using enum Operation;
    const auto code = call.operation();
    const auto defined = [&](std::size_t first) {
      for (std::size_t k = first; k < call.size(); ++k)
        if (call.is_undefined(k)) return add(rules::kInstrNoReadingUninitialized, call, "parameter " + std::to_string(k) + " is undefined");
    };
    const bool takes_hit = call.row().types.find(" hit_object") != std::string_view::npos;
    if (takes_hit && call.is_undefined(0)) add(rules::kInstrUndefHitObject, call, "the hit object is undefined");
    switch (code) {
      case maybe_reorder_thread: {
        const auto bits = call.constant("numCoherenceHintBitsFromLSB");
        const bool no_count = call.is_undefined("numCoherenceHintBitsFromLSB");
        if (no_count || (bits && *bits != 0 && call.is_undefined("coherenceHint")))
          add(rules::kInstrMayReorderThreadUndefCoherenceHintParam, call, "the coherence hint is undefined");
        break;
      }
      case hit_object_load_local_root_table_constant:
        defined(1);
        if (const auto offset = call.constant("offset"); offset && *offset % 4 != 0)
          add(rules::kInstrParamMultiple, call, "offset " + std::to_string(*offset) + " is not a multiple of 4");
        break;
      case hit_object_set_shader_table_index:
      case hit_object_invoke: defined(1); break;
      case hit_object_object_ray_direction:
      case hit_object_object_ray_origin:
      case hit_object_world_ray_direction:
      case hit_object_world_ray_origin: in_range(call, 1, 2); break;
      case hit_object_world_to_object_3x4:
      case hit_object_object_to_world_3x4:
        in_range(call, 1, 2);
        in_range(call, 2, 3);
        break;
      case hit_object_make_miss:
        if (call.is_undefined("RayFlags") || call.is_undefined("MissShaderIndex"))
          add(rules::kInstrNoReadingUninitialized, call, "the flags or an index are undefined");
        break;
      case hit_object_from_ray_query:
      case hit_object_from_ray_query_with_attrs: defined(0); break;
      case hit_object_trace_ray: defined(1); return false;
      default: return takes_hit;
    }
    return true;
  }

  // --- others -------------------------------------------------------------------------------------------------------------------------
  void check_barrier(const Call& call) {
    const std::uint64_t mode = call.constant("barrierMode").value_or(0);
    if (is_like_compute() || kind_ == ShaderKind::library) {
      if ((mode & kGlobalUav) != 0 && (mode & kGroupUav) != 0)
        add(rules::kInstrBarrierModeUselessUGroup, call, "mode " + std::to_string(mode));
      if ((mode & (kGlobalUav | kGroupUav | kGroupMemory)) == 0)
        add(rules::kInstrBarrierModeNoMemory, call, "mode " + std::to_string(mode));
    } else if (mode != kGlobalUav) {
      add(rules::kInstrBarrierModeForNonCs, call, "mode " + std::to_string(mode));
    }
  }

  void check_finite(const Call& call) {
    const auto value = call.real(0);
    if (!value || !std::isinf(*value)) return;
    const auto code = call.operation();
    const Rule& rule = code == Operation::asin   ? rules::kInstrNoIndefiniteAsin
                       : code == Operation::acos ? rules::kInstrNoIndefiniteAcos
                                                 : rules::kInstrNoIndefiniteLog;
    add(rule, call, "the operand is infinite");
  }

  void check_ray_flags(const Call& call) {
    const bool two = call.operation() == Operation::allocate_ray_query2;
    for (std::size_t k = 0; k < (two ? 2U : 1U); ++k)
      if (!call.is_constant(k))
        return add(two ? rules::kDeclAllocateRayQuery2FlagsAreConst : rules::kDeclAllocateRayQueryFlagsAreConst, call,
                   "the flags are not constant");
    // src: DXC DxilConstants.h, RayFlag::ForceOMM2State, RayQueryFlag::AllowOpacityMicromaps
    constexpr std::uint64_t kForceTwoStates = 0x400, kAllowMicromaps = 1;
    if (two && (call.constant(0).value_or(0) & kForceTwoStates) != 0 && (call.constant(1).value_or(0) & kAllowMicromaps) == 0)
      add(rules::kDeclAllowOpacityMicromapsExpectedGivenForceOmm2State, call, "ForceOMM2State without AllowOpacityMicromaps");
  }

  const ModuleCheck& c_;
  const Module& m_;
  program::OperationTypes types_;
  ResourceOperationChecker resources_;
  std::optional<MatrixOperationChecker> matrices_;  ///< made when a module has such operations
  std::vector<ShaderKind> kinds_;
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

void check_operations(const ModuleCheck& check) { OperationChecker(check).check(); }

}  // namespace unshade::dxil::validate
