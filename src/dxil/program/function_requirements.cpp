// The requirements of each function's code: flags, the least shader model, stages, memory of the group.
// src: DXC lib/DXIL/DxilShaderFlags.cpp, CollectShaderFlags; lib/DXIL/DxilModule.cpp, ComputeShaderCompatInfo
#include "dxil/program/function_requirements.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/layout.hpp>
#include <unshade/dxil/program/handles.hpp>

namespace unshade::dxil::program {

namespace {

using namespace used_flag;

/// What adding up the memory of the group may cost besides the size of the code.
constexpr std::size_t kStepsOfGroupMemory = std::size_t{1} << 20;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;
class FlagCollector {
 public:
  explicit FlagCollector(const ProgramQuery& query) : q_(query), m_(query.module), handles_(query) {}

  /// Flags of a function; `entry` if it is one.
  void collect(const Body& body, const EntryPoint* entry, FunctionRequirements& out) {
    body_ = &body;
    flags_ = doubtful_ = 0;
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) look_at(m_.instructions[k]);
    if (entry != nullptr) look_at(*entry);
    // Before version 1.8, writes to multisampled textures were those that resources allow.
    if (!q_.has_validator(8))
      for (const ProgramResource& r : q_.program.unordered_access)
        if (is_multisampled(r.kind)) flags_ |= kMsaaWrites;
    if (!q_.has_validator(8)) flags_ &= ~(kDerivatives | kGroup);
    out.flags = flags_;
    out.doubtful = doubtful_;
  }

 private:
  void look_at(const Instruction& i) {
    std::optional<Call> call;
    if (i.opcode == Opcode::call) {
      const std::uint32_t callee = q_.callee_of(*body_, i);
      if (callee == kNone || !is_operation_name(q_.name_of(m_.functions[callee]))) return;
      call = call_of(q_, *body_, i);
    }
    const std::uint64_t types = types_of(i);
    flags_ |= types;
    if ((types & kDoubles) != 0) {
      switch (i.opcode) {
        case Opcode::fdiv:
        case Opcode::uitofp:
        case Opcode::sitofp:
        case Opcode::fptoui:
        case Opcode::fptosi: flags_ |= kDoubleExtensions; break;
        default: break;
      }
    }
    if ((types & kInt64) != 0 && (i.opcode == Opcode::cmpxchg || i.opcode == Opcode::atomicrmw)) flags_ |= kAtomic64Group;
    if (call) look_at(*call, types);
  }

  std::uint64_t flags_of(std::uint32_t type) const {
    const Type& t = q_.type(type);
    switch (t.kind) {
      case TypeKind::double_: return kDoubles;
      case TypeKind::half: return kLowPrecision;
      case TypeKind::pointer: return t.number == kGroupSharedSpace ? kGroup : 0;
      case TypeKind::integer: return t.number == 64 ? kInt64 : t.number == 16 ? kLowPrecision : 0;
      default: return 0;
    }
  }

  std::uint64_t types_of(const Instruction& i) const {
    std::uint64_t flags = flags_of(i.type);
    // Taking vectors apart and putting them together asks for nothing.
    if (i.opcode == Opcode::extractelement || i.opcode == Opcode::insertelement) return flags & kGroup;
    for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t operand) { flags |= flags_of(q_.type_of(*body_, operand)); });
    return flags;
  }

  static bool has_variable_offsets(const Call& call) {
    const std::size_t first = call.position("offset0");
    return !call.is_constant(first) || !call.is_constant(first + 1) || !call.is_constant(first + 2);
  }
  /// Whether the last argument, the least level or the level itself, is anything but 0.
  bool has_clamp(const Call& call) const {
    const Constant* const clamp = q_.constant_of(body_, call.argument_at(call.size() - 1));
    if (clamp == nullptr) return true;
    return clamp->kind != ConstantKind::undef && clamp->kind != ConstantKind::null && clamp->bits != 0;
  }

  void look_at(const Call& call, std::uint64_t types) {
    using enum Operation;
    const Operation code = call.operation();
    const bool is_feedback = call.row().has(operation_trait::feedback);
    if (call.row().has(operation_trait::wave)) flags_ |= kWaveOps;
    if (is_feedback && q_.has_validator(9)) flags_ |= kFeedback;
    if (call.row().has(operation_trait::gradient) && !is_feedback) {
      flags_ |= kDerivatives;
      if (q_.program.kind == ShaderKind::mesh || q_.program.kind == ShaderKind::amplification) flags_ |= kMeshDerivatives;
    }
    // From validator version 1.8 on a clamp of the level counts as a tiled resource.
    const auto clamp = [&] {
      if (q_.has_validator(8) && has_clamp(call)) flags_ |= kTiledResources;
      // observed: dxc forgets the flag when a sample without it follows.
      const bool compares = code == sample_cmp_grad || code == sample_cmp_bias;
      if (!compares && (flags_ & kSampleCmpGradient) != 0) doubtful_ |= kSampleCmpGradient;
    };
    switch (code) {
      case check_access_fully_mapped: flags_ |= kTiledResources; break;
      case msad: flags_ |= kMsad; break;
      case fma:
        if ((types & kDoubles) != 0) flags_ |= kDoubleExtensions;
        break;
      case texture_load:
        if (has_variable_offsets(call)) flags_ |= kAdvancedTextures;
        look_at_load(call);
        break;
      case buffer_load: look_at_load(call); break;
      case inner_coverage: flags_ |= kInnerCoverage; break;
      case view_id: flags_ |= kViewId; break;
      case allocate_ray_query:
      case allocate_ray_query2:
      case geometry_index: flags_ |= kRaytracing11; break;
      case attribute_at_vertex:
        if (q_.has_validator(6)) flags_ |= kBarycentrics;
        break;
      case atomic_bin_op:
      case atomic_compare_exchange:
        if ((types & kInt64) != 0) look_at_atomic(call);
        break;
      case sample_level:
      case sample_cmp_level_zero:
        if (has_variable_offsets(call)) flags_ |= kAdvancedTextures;
        break;
      case sample_cmp_grad:
      case sample_cmp_bias: flags_ |= kSampleCmpGradient; [[fallthrough]];
      case sample_grad:
      case sample:
      case sample_bias:
      case sample_cmp:
        if (has_variable_offsets(call)) flags_ |= kAdvancedTextures;
        clamp();
        break;
      case create_handle_from_heap: flags_ |= call.constant("samplerHeap").value_or(0) != 0 ? kSamplerHeap : kResourceHeap; break;
      case texture_store_sample: flags_ |= kMsaaWrites | kAdvancedTextures; break;
      case create_handle:
      case create_handle_for_lib:
      case annotate_handle: break;
      case sample_cmp_level:
      case texture_gather_raw: flags_ |= kAdvancedTextures; break;
      case start_vertex_location:
      case start_instance_location: flags_ |= kCommandInfo; break;
      case barrier:
      case barrier_by_memory_type:
      case barrier_by_memory_handle:
      case barrier_by_node_record_handle:
        if (requirements_of_barrier(call).group) flags_ |= kGroup;
        break;
      case get_group_wave_index:
      case get_group_wave_count: flags_ |= kGroup; break;
      default: break;
    }
    if (q_.has_validator(8) && (code == annotate_handle || code == create_handle || code == create_handle_for_lib)) {
      const std::uint32_t made = call.instruction().value;
      const auto view = made != kNone ? handles_.find(*body_, made) : std::nullopt;
      if (view && view->resource_class == ResourceClass::uav && is_multisampled(view->kind)) flags_ |= kMsaaWrites;
    }
  }

  void look_at_load(const Call& call) {
    const auto view = handles_.find(*body_, call.argument_at(0));
    if (!view) {
      doubtful_ |= kTypedLoads;
      return;
    }
    if (view->resource_class != ResourceClass::uav) return;
    // Validators of version 1.0 take every load for one of several components.
    const bool first_version = !q_.has_validator(1);
    if (first_version) {
      flags_ |= kTypedLoads;
    } else if (is_typed(view->kind)) {
      if (view->component_count > 1) flags_ |= kTypedLoads;
      if (view->component_count == 0) doubtful_ |= kTypedLoads;
    }
  }

  void look_at_atomic(const Call& call) {
    const auto view = handles_.find(*body_, call.argument_at(0));
    if (!view) {
      doubtful_ |= kAtomic64Typed | kAtomic64Heap;
      return;
    }
    if (is_typed(view->kind)) flags_ |= kAtomic64Typed;
    if (view->from_heap) flags_ |= kAtomic64Heap;
  }

  void look_at(const EntryPoint& entry) {
    const ShaderKind kind = read_entry_properties(q_.program, entry).kind;
    const bool patches = kind == ShaderKind::hull || kind == ShaderKind::domain;
    const bool inputs = kind == ShaderKind::geometry || (q_.has_validator(4) && patches);
    const bool outputs = kind == ShaderKind::vertex || patches;
    const auto look = [&](const std::vector<MetadataElement>& list, bool indexes, bool is_output) {
      for (const MetadataElement& e : list) {
        switch (e.semantic) {
          case SemanticKind::viewport_array_index:
          case SemanticKind::render_target_array_index:
            if (indexes) flags_ |= kViewportOrTarget;
            break;
          case SemanticKind::shading_rate: flags_ |= kShadingRate; break;
          case SemanticKind::barycentrics:
            if (!is_output && q_.has_validator(6)) flags_ |= kBarycentrics;
            break;
          case SemanticKind::stencil_ref:
            if (is_output && kind == ShaderKind::pixel) flags_ |= kStencilRef;
            break;
          case SemanticKind::inner_coverage:
            if (is_output && kind == ShaderKind::pixel) flags_ |= kInnerCoverage;
            break;
          default: break;
        }
      }
    };
    look(entry.inputs, inputs, false);
    look(entry.outputs, outputs, true);
  }

 private:
  const ProgramQuery& q_;
  const Module& m_;
  HandleFinder handles_;
  const Body* body_ = nullptr;
  std::uint64_t flags_ = 0;
  std::uint64_t doubtful_ = 0;
};

// --- stages and shader models ---------------------------------------------------------------------------------------------------------

constexpr std::uint32_t stage_bit(ShaderKind kind) { return 1U << static_cast<std::uint32_t>(kind); }
constexpr std::uint32_t kAllStages = stage_bit(ShaderKind::invalid) - 1;
constexpr std::uint32_t kGroupStages =
    stage_bit(ShaderKind::compute) | stage_bit(ShaderKind::mesh) | stage_bit(ShaderKind::amplification) | stage_bit(ShaderKind::node);

class CompatibilityCollector {
 public:
  explicit CompatibilityCollector(const ProgramQuery& query) : q_(query), m_(query.module) {}

  void collect(const Body& body, FunctionRequirements& out) {
    out.stages = kAllStages;
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
      if (const auto call = call_of(q_, body, m_.instructions[k])) look_at(*call, out);
    }
  }

 private:
  void look_at(const Call& call, FunctionRequirements& out) const {
    using namespace operation_trait;
    const Operation code = call.operation();
    const OperationInfo& row = call.row();
    const bool translates = q_.is_library();
    std::uint32_t minor = translates && row.has(translated) ? 0 : static_cast<std::uint32_t>(row.since);
    std::uint32_t stages = row.stage_bits;
    if (!q_.has_validator(8) && row.has(gradient) && !row.has(feedback) && code != Operation::sample_cmp_bias) {
      stages &= ~(kGroupStages & ~stage_bit(ShaderKind::node));
    } else if (!q_.has_validator(5)) {
      if (row.has(wave)) stages = stage_bit(ShaderKind::mesh) - 1;
    } else if (row.has(barrier)) {
      const BarrierRequirements needs = requirements_of_barrier(call);
      if (translates && code == Operation::barrier_by_memory_type && needs.is_of_6_8) minor = 8;
      const std::uint32_t library = stage_bit(ShaderKind::library);
      if (needs.reorder) {
        minor = 9;
        stages &= library | stage_bit(ShaderKind::ray_generation);
      } else if (needs.node) {
        stages &= library | stage_bit(ShaderKind::node);
      } else if (needs.group) {
        stages &= library | kGroupStages;
      }
    } else if (code == Operation::atomic_bin_op || code == Operation::atomic_compare_exchange) {
      if (q_.is_integer(call.instruction().type, 64)) minor = 6;
    } else if (translates && q_.program.validator_major == 1 && q_.program.validator_minor == 6 &&
               (code == Operation::annotate_handle || code == Operation::create_handle_from_binding)) {
      minor = 6;
    }
    out.min_minor = std::max(out.min_minor, minor);
    out.stages &= stages;
  }

  const ProgramQuery& q_;
  const Module& m_;
};

/// The last stage that validators of the module's version know. src: DXC DxilConstants.h, ShaderKind
std::uint32_t known_stages(const ProgramQuery& query) {
  const ShaderKind last = !query.has_validator(5)   ? ShaderKind::callable
                          : !query.has_validator(8) ? ShaderKind::amplification
                                                    : ShaderKind::node;
  return 2 * stage_bit(last) - 1;
}

std::uint32_t least_minor_of(std::uint64_t flags, bool native_low_precision) {
  if ((flags & (kSampleCmpGradient | kCommandInfo)) != 0) return 8;
  if ((flags & (kAdvancedTextures | kMsaaWrites)) != 0) return 7;
  if ((flags & (kAtomic64Typed | kAtomic64Group | kAtomic64Heap | kResourceHeap | kSamplerHeap)) != 0) return 6;
  if ((flags & (kRaytracing11 | kFeedback)) != 0) return 5;
  if ((flags & kShadingRate) != 0) return 4;
  if ((flags & kLowPrecision) != 0 && native_low_precision) return 2;
  return (flags & (kViewId | kBarycentrics)) != 0 ? 1 : 0;
}

/// What becomes of the needs of a function when the stage is known; `entry` is null for functions of libraries.
void adjust(const ProgramQuery& query, const EntryProperties* entry, FunctionRequirements& needs) {
  const ShaderKind kind = entry != nullptr ? entry->kind : ShaderKind::library;
  needs.stages &= kind == ShaderKind::library ? known_stages(query) : kind < ShaderKind::invalid ? stage_bit(kind) : 0;
  const bool native_low_precision = !query.program.minimum_precision();
  const auto at_least = [&](std::uint32_t minor) { needs.min_minor = std::max(needs.min_minor, minor); };
  if (!query.has_validator(8)) {
    if (native_low_precision && (needs.flags & kLowPrecision) != 0) {
      at_least(2);
    } else if ((needs.flags & (kBarycentrics | kViewId)) != 0) {
      at_least(1);
    }
    return;
  }
  if (entry != nullptr) {
    const bool is_mesh = kind == ShaderKind::mesh || kind == ShaderKind::amplification;
    if ((needs.flags & kDerivatives) != 0 && (is_mesh || kind == ShaderKind::compute)) at_least(6);
    if ((needs.flags & kDerivatives) != 0 && is_mesh) needs.flags |= kMeshDerivatives;
    if (entry->wave_size && entry->wave_size->min != 0) at_least(entry->wave_size->max != 0 ? 8 : 6);
    if (is_mesh) at_least(5);
    if (kind >= ShaderKind::ray_generation && kind <= ShaderKind::callable) at_least(3);
    if (kind == ShaderKind::node) at_least(8);
  }
  at_least(least_minor_of(needs.flags, native_low_precision));
}

/// The requirements of callees are added to their callers.
void propagate(const Module& module, std::vector<FunctionRequirements>& needs) {
  const auto callees = callees_of_bodies(module);
  std::vector<std::vector<std::uint32_t>> callers(module.bodies.size());
  for (std::uint32_t caller = 0; caller < callees.size(); ++caller)
    for (const std::uint32_t callee : callees[caller]) callers[callee].push_back(caller);
  std::vector<std::uint32_t> work;
  for (std::uint32_t body = 0; body < callers.size(); ++body)
    if (!callers[body].empty()) work.push_back(body);
  // Needs only grow, by a few bits.
  while (!work.empty()) {
    const std::uint32_t body = work.back();
    work.pop_back();
    const FunctionRequirements& from = needs[module.bodies[body].function];
    for (const std::uint32_t caller : callers[body]) {
      FunctionRequirements& to = needs[module.bodies[caller].function];
      const FunctionRequirements before = to;
      to.flags |= from.flags;
      to.doubtful |= from.doubtful;
      to.min_minor = std::max(to.min_minor, from.min_minor);
      to.stages &= from.stages;
      const bool grew =
          to.flags != before.flags || to.doubtful != before.doubtful || to.min_minor != before.min_minor || to.stages != before.stages;
      if (grew && !callers[caller].empty()) work.push_back(caller);
    }
  }
}

}  // namespace

BarrierRequirements requirements_of_barrier(const Call& call) {
  // Bits of the mode, of memory and of semantics. src: DXC DxilConstants.h, BarrierMode, MemoryTypeFlag, BarrierSemanticFlag
  constexpr std::uint64_t kGlobalUavMode = 2;
  constexpr std::uint64_t kGroupMemory = 2, kLegacyMemory = 3, kNodeMemory = 12, kAllMemory = 15;
  constexpr std::uint64_t kGroupSemantics = 3, kLegacySemantics = 7, kReorder = 8;
  const Operation operation = call.operation();
  BarrierRequirements needs;
  if (operation == Operation::barrier) {
    const auto mode = call.constant("barrierMode");
    needs.group = mode && *mode != kGlobalUavMode;
    return needs;
  }
  const auto semantics = call.constant("SemanticFlags");
  if (semantics) needs.group = (*semantics & kGroupSemantics) != 0;
  if (semantics && operation != Operation::barrier_by_node_record_handle) needs.reorder = (*semantics & kReorder) != 0;
  needs.node = operation == Operation::barrier_by_node_record_handle;
  if (operation != Operation::barrier_by_memory_type) return needs;
  const std::uint64_t memory = call.constant("MemoryTypeFlags").value_or(0);
  // All of memory is what of it there is.
  if (memory != kAllMemory) {
    needs.group = needs.group || (memory & kGroupMemory) != 0;
    needs.node = (memory & kNodeMemory) != 0;
  }
  needs.is_of_6_8 = (semantics.value_or(0) & ~kLegacySemantics) != 0 || (memory != kAllMemory && (memory & ~kLegacyMemory) != 0);
  return needs;
}

std::vector<std::vector<std::uint32_t>> callees_of_bodies(const Module& module) {
  std::vector<std::vector<std::uint32_t>> callees(module.bodies.size());
  for (std::size_t b = 0; b < module.bodies.size(); ++b) {
    const Body& body = module.bodies[b];
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
      const Instruction& i = module.instructions[k];
      if (i.opcode != Opcode::call || i.operands.empty()) continue;
      const Value& callee = module.value(&body, module.operands[i.operands.first]);
      if (callee.kind == ValueKind::function && module.functions[callee.index].body != kNone)
        callees[b].push_back(module.functions[callee.index].body);
    }
    std::sort(callees[b].begin(), callees[b].end());
    callees[b].erase(std::unique(callees[b].begin(), callees[b].end()), callees[b].end());
  }
  return callees;
}

std::vector<FunctionRequirements> requirements_of_functions(const ProgramQuery& query) {
  const Module& m = query.module;
  std::vector<FunctionRequirements> needs(m.functions.size());
  std::vector<const EntryPoint*> entries(m.functions.size());
  for (const EntryPoint& entry : query.program.entries)
    if (entry.function != kNone) entries[entry.function] = &entry;
  FlagCollector flags(query);
  CompatibilityCollector compatibility(query);
  for (const Body& body : m.bodies) {
    flags.collect(body, entries[body.function], needs[body.function]);
    compatibility.collect(body, needs[body.function]);
  }
  if (query.has_validator(8)) propagate(m, needs);
  for (const Body& body : m.bodies) {
    const EntryPoint* const entry = entries[body.function];
    if (entry != nullptr) {
      const EntryProperties properties = read_entry_properties(query.program, *entry);
      adjust(query, &properties, needs[body.function]);
    } else {
      adjust(query, nullptr, needs[body.function]);
    }
  }
  return needs;
}

std::vector<std::uint64_t> group_bytes_of_functions(const ProgramQuery& query) {
  const Module& m = query.module;
  std::vector<std::uint64_t> bytes(m.functions.size());
  // Variables of the group, by value id.
  std::vector<std::uint32_t> variables;
  for (std::uint32_t g = 0; g < m.globals.size(); ++g)
    if (m.globals[g].address_space == kGroupSharedSpace) variables.push_back(g);
  if (variables.empty()) return bytes;
  std::vector<std::vector<std::uint32_t>> users(m.globals.size());
  for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k)
      for_each_value_operand(m, m.instructions[k], [&](std::size_t, std::uint32_t id) {
        const Value& root = query.constant_root_of(&body, id);
        if (root.kind != ValueKind::global || m.globals[root.index].address_space != kGroupSharedSpace) return;
        auto& list = users[root.index];
        if (list.empty() || list.back() != b) list.push_back(b);
      });
  }
  const auto callees = callees_of_bodies(m);
  std::vector<std::vector<std::uint32_t>> callers(m.bodies.size());
  for (std::uint32_t caller = 0; caller < callees.size(); ++caller)
    for (const std::uint32_t callee : callees[caller]) callers[callee].push_back(caller);
  TypeLayout layout(m);
  std::size_t budget = kStepsOfGroupMemory + m.instructions.size();
  std::vector<std::uint32_t> seen(m.bodies.size(), kNone);
  std::vector<std::uint32_t> work;
  for (const std::uint32_t g : variables) {
    const std::uint64_t size = layout.size_of(m.globals[g].type);
    work = users[g];
    while (!work.empty()) {
      const std::uint32_t body = work.back();
      work.pop_back();
      if (budget == 0) return {};
      --budget;
      if (seen[body] == g) continue;
      seen[body] = g;
      std::uint64_t& sum = bytes[m.bodies[body].function];
      sum = std::min(sum + std::min(size, kMostBytes), kMostBytes);
      if (callers[body].size() > budget) return {};
      budget -= callers[body].size();
      work.insert(work.end(), callers[body].begin(), callers[body].end());
    }
  }
  return bytes;
}

}  // namespace unshade::dxil::program
