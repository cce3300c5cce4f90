// Calls of `dx.op.` functions: whether there is such an operation, with these types, in this shader model and stage, and what its operands
// have to be.
// src: DXC lib/DxilValidation/DxilValidation.cpp; utils/hct/hctdb.py for operands that are constants
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <unordered_set>
#include <vector>

#include "dxil/validate_handles.hpp"
#include "dxil/validate_module.hpp"
#include "dxil/validate_operation_types.hpp"

namespace unshade::dxil {

namespace {

/// Operands before the first parameter: the function and the opcode.
constexpr std::size_t kBefore = 2;
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
    {Operation::barrier_by_memory_type, "MemoryTypeFlags"},
    {Operation::barrier_by_memory_type, "SemanticFlags"},
    {Operation::barrier_by_memory_handle, "SemanticFlags"},
    {Operation::barrier_by_node_record_handle, "SemanticFlags"},
    {Operation::annotate_node_handle, "props"},
    {Operation::annotate_node_record_handle, "props"},
};

/// The number of a parameter behind the opcode, or nothing.
std::optional<std::size_t> parameter_of(const OperationInfo& row, std::string_view name) {
  std::string_view left = row.parameters;
  for (std::size_t i = 0; !left.empty(); ++i) {
    const std::size_t comma = std::min(left.find(','), left.size());
    if (left.substr(0, comma) == name) return i;
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  return std::nullopt;
}

struct StageWord {
  std::string_view word;
  ShaderKind kind;
};
constexpr StageWord kStageWords[] = {
    {"vs", ShaderKind::vertex},
    {"ps", ShaderKind::pixel},
    {"gs", ShaderKind::geometry},
    {"hs", ShaderKind::hull},
    {"ds", ShaderKind::domain},
    {"cs", ShaderKind::compute},
    {"ms", ShaderKind::mesh},
    {"as", ShaderKind::amplification},
    {"lib", ShaderKind::library},
    {"node", ShaderKind::node},
    {"rgen", ShaderKind::ray_generation},
    {"isect", ShaderKind::intersection},
    {"ahit", ShaderKind::any_hit},
    {"chit", ShaderKind::closest_hit},
    {"miss", ShaderKind::miss},
    {"call", ShaderKind::callable},
};

bool allows(std::string_view stages, ShaderKind kind) {
  if (stages == "any") return true;
  while (!stages.empty()) {
    const std::size_t blank = std::min(stages.find(' '), stages.size());
    for (const StageWord& row : kStageWords)
      if (row.kind == kind && row.word == stages.substr(0, blank)) return true;
    stages.remove_prefix(std::min(blank + 1, stages.size()));
  }
  return false;
}

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
        handles_(check),
        kinds_(kinds_of_functions(check)),
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
        if (m_.instructions[at_].opcode == Opcode::call) check_call(m_.instructions[at_]);
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
    if (!is_operation_name(name) || i.operands.count < kBefore) return;
    const auto code = c_.integer_of(body_, m_.operands[i.operands.first + std::size_t{1}]);
    if (!code) return add(rules::kInstrOpConst, "the opcode is no constant");
    const OperationInfo* const info = find_operation(static_cast<std::uint32_t>(*code));
    if (info == nullptr) return add(rules::kInstrIllegalDxilOpcode, "opcode " + std::to_string(*code));
    if ((info->code & kExperimental) != 0 && c_.program.minor <= kReleasedMinor)
      return add(rules::kInstrExpDxilOpcodeRequiresExpSm, *info, "in shader model 6." + std::to_string(c_.program.minor));
    if (info->function == "reserved") return add(rules::kInstrOpcodeReserved, *info, "stands for nothing");
    if (!check_use(*info, callee, name)) return;
    check_operands(*info, i);
  }

  /// What is the same for every call of a function with an opcode from a stage.
  bool check_use(const OperationInfo& info, std::uint32_t callee, std::string_view name) {
    const std::uint64_t key = std::uint64_t{callee} << 24 | index_of(info) << 8 | static_cast<std::uint64_t>(kind_);
    if (good_.contains(key)) return true;
    const std::string_view base = name.substr(std::string_view("dx.op.").size());
    if (!base.starts_with(info.function) || (base.size() > info.function.size() && base[info.function.size()] != '.')) {
      add(rules::kInstrIllegalDxilOpFunction, info, "is no operation of this function");
      return false;
    }
    switch (types_.check(info, m_.functions[callee].type)) {
      case OperationTypes::Outcome::fits: break;
      case OperationTypes::Outcome::wrong_overload: add(rules::kInstrOload, info, "not for this type"); return false;
      case OperationTypes::Outcome::wrong_types: add(rules::kInstrCallOload, info, "the function has other parameters"); return false;
    }
    const std::uint32_t since = static_cast<std::uint32_t>(info.since);
    if (!c_.has_model(since)) {
      add(rules::kSmOpcode, info, "came with shader model 6." + std::to_string(since));
    } else if (!allows(info.stages, kind_)) {
      add(rules::kSmOpcode, info, "not in a function of kind " + std::string(id(kind_)));
    } else if (is_gradient(static_cast<Operation>(info.code)) && is_like_compute() && !c_.has_model(6)) {
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
      add(rules::kSm64bitRawBufferLoadStore, info, "64 bits wide before shader model 6.3");
    const bool special =
        code == Operation::is_nan || code == Operation::is_inf || code == Operation::is_finite || code == Operation::is_normal;
    if (special && !c_.has_model(9) && c_.is(overload, TypeKind::half))
      add(rules::kSmIsSpecialFloat, info, "of half before shader model 6.9");
  }

  std::uint32_t operand(const Instruction& i, std::size_t parameter) const { return m_.operands[i.operands.first + kBefore + parameter]; }
  std::optional<std::uint64_t> integer(const Instruction& i, std::size_t parameter) const {
    return kBefore + parameter < i.operands.count ? c_.integer_of(body_, operand(i, parameter)) : std::nullopt;
  }
  std::optional<float> real(const Instruction& i, std::size_t parameter) const {
    const Constant* const constant = c_.constant_of(body_, operand(i, parameter));
    if (constant == nullptr || constant->kind != ConstantKind::real || !c_.is(constant->type, TypeKind::float_)) return std::nullopt;
    return std::bit_cast<float>(static_cast<std::uint32_t>(constant->bits));
  }

  void check_operands(const OperationInfo& info, const Instruction& i) {
    std::uint64_t& constants = constants_[index_of(info)];
    if (constants == kNotAsked) constants = constants_of(info);
    for (std::size_t k = 0; constants >> k != 0 && kBefore + k < i.operands.count; ++k) {
      if ((constants >> k & 1) == 0) continue;
      const Constant* const constant = c_.constant_of(body_, operand(i, k));
      if (constant == nullptr || constant->kind == ConstantKind::undef)
        return add(rules::kInstrOpConst, info, "parameter " + std::to_string(k) + " is no constant");
    }
    using enum Operation;
    const auto code = static_cast<Operation>(info.code);
    switch (code) {
      case load_input: check_element(info, i, SignatureOf::input); break;
      case eval_snapped:
      case eval_sample_index:
      case eval_centroid:
        if (const MetadataElement* e = check_element(info, i, SignatureOf::input)) {
          if (e->interpolation < InterpolationMode::linear || e->interpolation >= InterpolationMode::invalid)
            add(rules::kInstrEvalInterpolationMode, info, "the input is not interpolated");
          if (e->semantic == SemanticKind::position) add(rules::kInstrCannotPullPosition, info, "of a position");
        }
        break;
      case attribute_at_vertex:
        if (const MetadataElement* e = check_element(info, i, SignatureOf::input))
          if (e->interpolation != InterpolationMode::constant)
            add(rules::kInstrAttributeAtVertexNoInterpolation, info, "the input is interpolated");
        break;
      case store_output:
      case store_vertex_output: check_element(info, i, SignatureOf::output); break;
      case load_output_control_point:
        if (place_ != nullptr && kind_ == ShaderKind::hull && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, info, "outside of the function of patch constants");
        if (kind_ == ShaderKind::hull) check_element(info, i, SignatureOf::output);
        break;
      case store_primitive_output:
      case load_patch_constant: check_element(info, i, SignatureOf::patch_or_primitive); break;
      case store_patch_constant:
        if (place_ != nullptr && !place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, info, "outside of the function of patch constants");
        check_element(info, i, SignatureOf::patch_or_primitive);
        break;
      case output_control_point_id:
        if (place_ != nullptr && place_->of_patch_constants)
          add(rules::kSmOpcodeInInvalidFunction, info, "in the function of patch constants");
        break;
      case domain_location: check_domain_location(info, i); break;
      case emit_stream:
      case cut_stream:
      case emit_then_cut_stream: check_stream(info, i); break;
      case create_handle_for_lib:
        // Shaders of 6.6 on may have it in modules that are linked later. src: DXC DxilValidation.cpp
        if (!c_.is_library()) add(rules::kSmOpcodeInInvalidFunction, info, "outside of a library");
        break;
      case Operation::barrier: check_barrier(info, i); break;
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
        if (const auto value = real(i, 0); value && std::isinf(*value)) add(rules::kInstrNoIndefiniteDsxy, info, "of an infinite constant");
        break;
      case allocate_ray_query:
      case allocate_ray_query2: check_ray_flags(info, i); break;
      default: check_resource_operation(info, i); break;
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
      add(rules::kInstrSignatureOperationNotInEntry, info, "in a function that is no entry");
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
    add(rule, info, "of an infinite constant");
  }

  void check_ray_flags(const OperationInfo& info, const Instruction& i) {
    const bool two = static_cast<Operation>(info.code) == Operation::allocate_ray_query2;
    for (std::size_t k = 0; k < (two ? 2U : 1U); ++k)
      if (c_.constant_of(body_, operand(i, k)) == nullptr)
        return add(two ? rules::kDeclAllocateRayQuery2FlagsAreConst : rules::kDeclAllocateRayQueryFlagsAreConst, info,
                   "flags that are no constant");
  }

  // --- resources ----------------------------------------------------------------------------------------------------------------------
  void check_resource_operation(const OperationInfo& info, const Instruction& i) {
    using enum Operation;
    switch (static_cast<Operation>(info.code)) {
      case sample:
      case sample_bias:
      case sample_level:
      case sample_grad: check_sample(info, i, false); break;
      case sample_cmp:
      case sample_cmp_level_zero:
      case sample_cmp_level:
      case sample_cmp_bias:
      case sample_cmp_grad: check_sample(info, i, true); break;
      case texture_gather:
      case texture_gather_cmp: check_sampler(info, i, static_cast<Operation>(info.code) == texture_gather_cmp); break;
      case texture_load: check_texture_load(info, i); break;
      case texture_store: check_store(info, i, 4); break;
      case buffer_store: check_store(info, i, 3); break;
      case raw_buffer_store: check_store(info, i, 3); break;
      case buffer_load:
      case raw_buffer_load:
      case raw_buffer_vector_load:
      case raw_buffer_vector_store: check_buffer(info, i); break;
      case cbuffer_load:
      case cbuffer_load_legacy: check_constant_buffer(info, i); break;
      case buffer_update_counter:
        if (const auto handle = handles_.find(*body_, operand(i, 0))) {
          if (handle->resource_class != ResourceClass::uav) {
            add(rules::kInstrBufferUpdateCounterOnUav, info, "not an unordered access view");
          } else if (handle->kind != ResourceKind::structured_buffer) {
            add(rules::kSmCounterOnlyOnStructBuf, info, "not a structured buffer");
          } else if (!handle->has_counter) {
            add(rules::kInstrBufferUpdateCounterOnResHasCounter, info, "a buffer without a counter");
          }
        }
        break;
      default: break;
    }
    const auto alignment = info.function.starts_with("rawBuffer") ? parameter_of(info, "alignment") : std::nullopt;
    if (alignment && !integer(i, *alignment)) add(rules::kInstrConstAlignForRawBuf, info, "the alignment is no constant");
  }

  static bool is_sampled(ResourceKind kind) {
    return kind >= ResourceKind::texture1d && kind <= ResourceKind::texture_cube_array && !is_multisampled(kind);
  }

  void check_sampler(const OperationInfo& info, const Instruction& i, bool comparison) {
    if (const auto view = handles_.find(*body_, operand(i, 0)); view && view->resource_class != ResourceClass::srv)
      add(rules::kInstrResourceClassForSamplerGather, info, "not of a shader resource view");
    const auto sampler = handles_.find(*body_, operand(i, 1));
    if (!sampler) return;
    const bool fits = sampler->resource_class == ResourceClass::sampler && sampler->is_comparison_sampler == comparison;
    if (!fits)
      add(comparison ? rules::kInstrSamplerModeForSampleC : rules::kInstrSamplerModeForSample, info, "the sampler has another mode");
  }

  void check_sample(const OperationInfo& info, const Instruction& i, bool comparison) {
    check_sampler(info, i, comparison);
    if (const auto view = handles_.find(*body_, operand(i, 0));
        view && view->resource_class == ResourceClass::srv && !is_sampled(view->kind))
      add(comparison ? rules::kInstrResourceKindForSampleC : rules::kInstrResourceKindForSample, info, "of " + std::string(id(view->kind)));
    constexpr std::size_t kOffsets = 6;
    check_offsets(info, i, kOffsets);
    if (const auto bias = parameter_of(info, "bias"))
      if (const auto value = real(i, *bias); value && (*value < kLeastBias || *value > kMostBias))
        add(rules::kInstrImmBiasForSampleB, info, "a bias out of range");
  }

  // From shader model 6.7 on offsets may be anything.
  void check_offsets(const OperationInfo& info, const Instruction& i, std::size_t first) {
    if (c_.has_model(7)) return;
    for (std::size_t k = first; k < first + 3; ++k) {
      if (c_.is_undef(*body_, operand(i, k))) continue;
      const auto offset = integer(i, k);
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(offset.value_or(0)));
      if (!offset || value < -8 || value > 7) return add(rules::kInstrTextureOffset, info, "an offset that is no constant from -8 to 7");
    }
  }

  void check_texture_load(const OperationInfo& info, const Instruction& i) {
    const auto view = handles_.find(*body_, operand(i, 0));
    constexpr std::size_t kLevel = 1, kOffsets = 5;
    if (view) {
      if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav)
        add(rules::kInstrResourceClassForLoad, info, "of " + std::string(id(view->resource_class)));
      const bool is_texture = view->kind >= ResourceKind::texture1d && view->kind <= ResourceKind::texture2d_ms_array &&
                              view->kind != ResourceKind::texture_cube;
      if (!is_texture) add(rules::kInstrResourceKindForTextureLoad, info, "of " + std::string(id(view->kind)));
      const bool no_level = c_.is_undef(*body_, operand(i, kLevel));
      if (is_multisampled(view->kind) && no_level) add(rules::kInstrSampleIndexForLoad2Dms, info, "without a sample");
      if (view->resource_class == ResourceClass::uav) {
        if (!no_level && !is_multisampled(view->kind)) add(rules::kInstrMipOnUavLoad, info, "with a mip level");
        for (std::size_t k = kOffsets; k < kOffsets + 3; ++k)
          if (!c_.is_undef(*body_, operand(i, k))) return add(rules::kInstrOffsetOnUavLoad, info, "with an offset");
      }
    }
    check_offsets(info, i, kOffsets);
  }

  // `values`: the number of the first of four values; the mask follows.
  void check_store(const OperationInfo& info, const Instruction& i, std::size_t values) {
    const auto view = handles_.find(*body_, operand(i, 0));
    const auto code = static_cast<Operation>(info.code);
    if (view) {
      if (view->resource_class != ResourceClass::uav)
        add(rules::kInstrResourceClassForUavStore, info, "to " + std::string(id(view->resource_class)));
      const bool is_texture = view->kind >= ResourceKind::texture1d && view->kind <= ResourceKind::texture2d_ms_array;
      if (code == Operation::texture_store && !is_texture)
        add(rules::kInstrResourceKindForTextureStore, info, "to " + std::string(id(view->kind)));
      if (code != Operation::texture_store) check_buffer_kind(info, i, *view);
    }
    const std::uint64_t mask = integer(i, values + 4).value_or(0);
    const bool is_typed_view = view && is_typed(view->kind);
    constexpr std::uint64_t kAll = 0xf;
    if (is_typed_view && mask != kAll) add(rules::kInstrWriteMaskForTypedUavStore, info, "mask " + std::to_string(mask));
    if (mask != 0xf && mask != 0x7 && mask != 0x3 && mask != 0x1)
      add(rules::kInstrWriteMaskGapForUav, info, "mask " + std::to_string(mask));
    std::uint64_t given = 0;
    for (std::size_t k = 0; k < 4; ++k)
      if (!c_.is_undef(*body_, operand(i, values + k))) given |= std::uint64_t{1} << k;
    if ((mask & ~given) != 0) {
      add(rules::kInstrUndefinedValueForUavStore, info, "writes a value that is not given");
    } else if (mask != given) {
      add(rules::kInstrWriteMaskMatchValueForUavStore, info, "mask " + std::to_string(mask) + " for values " + std::to_string(given));
    }
  }

  void check_buffer(const OperationInfo& info, const Instruction& i) {
    const auto view = handles_.find(*body_, operand(i, 0));
    if (!view) return;
    if (static_cast<Operation>(info.code) == Operation::raw_buffer_vector_store) {
      if (view->resource_class != ResourceClass::uav)
        add(rules::kInstrResourceClassForUavStore, info, "to " + std::string(id(view->resource_class)));
    } else if (view->resource_class != ResourceClass::srv && view->resource_class != ResourceClass::uav) {
      add(rules::kInstrResourceClassForLoad, info, "of " + std::string(id(view->resource_class)));
    }
    check_buffer_kind(info, i, *view);
  }

  void check_buffer_kind(const OperationInfo& info, const Instruction& i, const HandleResource& view) {
    constexpr std::size_t kOffset = 2;
    const bool no_offset = c_.is_undef(*body_, operand(i, kOffset));
    const bool raw = info.function.starts_with("rawBuffer");
    switch (view.kind) {
      case ResourceKind::typed_buffer:
      case ResourceKind::tbuffer:
        if (raw) return add(rules::kInstrResourceKindForBufferLoadStore, info, "with " + std::string(id(view.kind)));
        [[fallthrough]];
      case ResourceKind::raw_buffer:
        if (!no_offset) add(rules::kInstrCoordinateCountForRawTypedBuf, info, "with an offset");
        break;
      case ResourceKind::structured_buffer:
        if (no_offset) add(rules::kInstrCoordinateCountForStructBuf, info, "without an offset");
        break;
      default: add(rules::kInstrResourceKindForBufferLoadStore, info, "with " + std::string(id(view.kind))); break;
    }
  }

  void check_constant_buffer(const OperationInfo& info, const Instruction& i) {
    const auto buffer = handles_.find(*body_, operand(i, 0));
    if (!buffer) return;
    if (buffer->resource_class != ResourceClass::cbuffer)
      return add(rules::kInstrCbufferClassForCbufferHandle, info, "of " + std::string(id(buffer->resource_class)));
    constexpr std::uint64_t kRow = 16;
    const std::uint64_t unit = static_cast<Operation>(info.code) == Operation::cbuffer_load_legacy ? kRow : 1;
    if (const auto place = integer(i, 1); place && buffer->size != 0 && *place * unit >= buffer->size)
      add(rules::kInstrCbufferOutOfBound, info, "byte " + std::to_string(*place * unit) + " of " + std::to_string(buffer->size));
  }

  static constexpr float kLeastBias = -16.0F, kMostBias = 15.99F;  // src: D3D12_MIP_LOD_BIAS_MIN, _MAX

  const ModuleCheck& c_;
  const Module& m_;
  OperationTypes types_;
  HandleFinder handles_;
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

}  // namespace unshade::dxil
