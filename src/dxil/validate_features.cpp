// What the code of a module uses, against the flags that it states.
// src: DXC lib/DXIL/DxilShaderFlags.cpp, CollectShaderFlags; lib/DXIL/DxilModule.cpp, CollectShaderFlagsForModule
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>

#include "dxil/validate_handles.hpp"
#include "dxil/validate_module.hpp"

namespace unshade::dxil {

namespace {

// Flags of an entry. src: DXC include/dxc/DXIL/DxilShaderFlags.h
constexpr std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }
constexpr std::uint64_t kDoubles = bit(2), kRawAndStructured = bit(4), kLowPrecision = bit(5), kDoubleExtensions = bit(6), kMsad = bit(7),
                        kViewportOrTarget = bit(9), kInnerCoverage = bit(10), kStencilRef = bit(11), kTiledResources = bit(12),
                        kTypedLoads = bit(13), k64Uavs = bit(15), kUavsAtEveryStage = bit(16), kRovs = bit(18), kWaveOps = bit(19),
                        kInt64 = bit(20), kViewId = bit(21), kBarycentrics = bit(22), kShadingRate = bit(24), kRaytracing11 = bit(25),
                        kFeedback = bit(26), kAtomic64Typed = bit(27), kAtomic64Group = bit(28), kMeshDerivatives = bit(29),
                        kResourceHeap = bit(30), kSamplerHeap = bit(31), kAtomic64Heap = bit(32), kAdvancedTextures = bit(34),
                        kMsaaWrites = bit(35), kSampleCmpGradient = bit(37), kCommandInfo = bit(38);
/// What a validator works out itself. Whether resources may alias is left out: that is an option, not a use.
constexpr std::uint64_t kComputed = kDoubles | kRawAndStructured | kLowPrecision | kDoubleExtensions | kMsad | kViewportOrTarget |
                                    kInnerCoverage | kStencilRef | kTiledResources | kTypedLoads | k64Uavs | kUavsAtEveryStage | kWaveOps |
                                    kInt64 | kViewId | kBarycentrics | kShadingRate | kRaytracing11 | kFeedback | kAtomic64Typed |
                                    kAtomic64Group | kMeshDerivatives | kResourceHeap | kSamplerHeap | kAtomic64Heap | kAdvancedTextures |
                                    kMsaaWrites | kSampleCmpGradient | kCommandInfo;

struct FlagName {
  std::uint64_t flag;
  std::string_view text;
};
constexpr FlagName kNames[] = {
    {kDoubles, "doubles"},
    {kRawAndStructured, "raw and structured buffers"},
    {kLowPrecision, "low precision"},
    {kDoubleExtensions, "extended doubles"},
    {kMsad, "msad"},
    {kViewportOrTarget, "viewport or render target array index"},
    {kInnerCoverage, "inner coverage"},
    {kStencilRef, "stencil reference"},
    {kTiledResources, "tiled resources"},
    {kTypedLoads, "typed loads of more formats"},
    {k64Uavs, "more than 8 unordered access views"},
    {kUavsAtEveryStage, "unordered access views at every stage"},
    {kWaveOps, "wave operations"},
    {kInt64, "64-bit integers"},
    {kViewId, "view id"},
    {kBarycentrics, "barycentrics"},
    {kShadingRate, "shading rate"},
    {kRaytracing11, "raytracing tier 1.1"},
    {kFeedback, "sampler feedback"},
    {kAtomic64Typed, "64-bit atomics on typed resources"},
    {kAtomic64Group, "64-bit atomics on group memory"},
    {kMeshDerivatives, "derivatives in mesh and amplification shaders"},
    {kResourceHeap, "resource heap indexing"},
    {kSamplerHeap, "sampler heap indexing"},
    {kAtomic64Heap, "64-bit atomics on heap resources"},
    {kAdvancedTextures, "advanced texture operations"},
    {kMsaaWrites, "writes to multisampled textures"},
    {kSampleCmpGradient, "comparing samples with gradient or bias"},
    {kCommandInfo, "extended command info"},
};

/// Operands before the first parameter.
constexpr std::size_t kBefore = 2;
/// More views than that need a feature.
constexpr std::uint64_t kFewUavs = 8;

class FeatureCollector {
 public:
  explicit FeatureCollector(const ModuleCheck& check) : c_(check), m_(check.module), handles_(check) {}

  std::uint64_t collect() {
    for (const Body& body : m_.bodies) {
      body_ = &body;
      for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) look_at(m_.instructions[k]);
    }
    for (const EntryPoint& entry : c_.program.entries)
      if (entry.function != kNone) look_at(entry);
    look_at_resources();
    return flags_;
  }

 private:
  void look_at(const Instruction& i) {
    const OperationInfo* operation = nullptr;
    if (i.opcode == Opcode::call) {
      const std::uint32_t callee = c_.callee_of(*body_, i);
      if (callee == kNone || !is_operation_name(c_.name_of(m_.functions[callee]))) return;
      operation = operation_of(c_, *body_, i);
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
    if (operation != nullptr) look_at(*operation, i, types);
  }

  std::uint64_t flags_of(std::uint32_t type) const {
    const Type& t = c_.type(type);
    switch (t.kind) {
      case TypeKind::double_: return kDoubles;
      case TypeKind::half: return kLowPrecision;
      case TypeKind::integer: return t.number == 64 ? kInt64 : t.number == 16 ? kLowPrecision : 0;
      default: return 0;
    }
  }

  std::uint64_t types_of(const Instruction& i) const {
    std::uint64_t flags = flags_of(i.type);
    if (i.opcode == Opcode::extractelement || i.opcode == Opcode::insertelement) return flags;
    for_each_value_operand(m_, i, [&](std::size_t, std::uint32_t operand) { flags |= flags_of(c_.type_of(*body_, operand)); });
    return flags;
  }

  std::uint32_t operand(const Instruction& i, std::size_t parameter) const { return m_.operands[i.operands.first + kBefore + parameter]; }
  bool is_constant(const Instruction& i, std::size_t parameter) const { return c_.constant_of(body_, operand(i, parameter)) != nullptr; }

  bool has_variable_offsets(const Instruction& i) const {
    constexpr std::size_t kOffsets = 6;
    return !is_constant(i, kOffsets) || !is_constant(i, kOffsets + 1) || !is_constant(i, kOffsets + 2);
  }
  bool has_clamp(const Instruction& i) const {
    const Constant* const clamp = c_.constant_of(body_, m_.operands[i.operands.end() - 1]);
    if (clamp == nullptr) return true;
    return clamp->kind != ConstantKind::undef && clamp->kind != ConstantKind::null && clamp->bits != 0;
  }

  void look_at(const OperationInfo& info, const Instruction& i, std::uint64_t types) {
    using enum Operation;
    const auto code = static_cast<Operation>(info.code);
    if (is_wave(code)) flags_ |= kWaveOps;
    if (is_feedback(code) && c_.has_validator(9)) flags_ |= kFeedback;
    if (is_gradient(code) && !is_feedback(code) && (c_.program.kind == ShaderKind::mesh || c_.program.kind == ShaderKind::amplification))
      flags_ |= kMeshDerivatives;
    // From validator version 1.8 on a clamp of the level counts as a tiled resource.
    const auto clamp = [&] {
      if (c_.has_validator(8) && has_clamp(i)) flags_ |= kTiledResources;
    };
    switch (code) {
      case check_access_fully_mapped: flags_ |= kTiledResources; break;
      case msad: flags_ |= kMsad; break;
      case fma:
        if ((types & kDoubles) != 0) flags_ |= kDoubleExtensions;
        break;
      case texture_load: {
        constexpr std::size_t kOffsets = 5;
        if (!is_constant(i, kOffsets) || !is_constant(i, kOffsets + 1) || !is_constant(i, kOffsets + 2)) flags_ |= kAdvancedTextures;
        look_at_load(i);
        break;
      }
      case buffer_load: look_at_load(i); break;
      case inner_coverage: flags_ |= kInnerCoverage; break;
      case view_id: flags_ |= kViewId; break;
      case allocate_ray_query:
      case allocate_ray_query2:
      case geometry_index: flags_ |= kRaytracing11; break;
      case attribute_at_vertex:
        if (c_.has_validator(6)) flags_ |= kBarycentrics;
        break;
      case atomic_bin_op:
      case atomic_compare_exchange:
        if ((types & kInt64) != 0) look_at_atomic(i);
        break;
      case sample_level:
      case sample_cmp_level_zero:
        if (has_variable_offsets(i)) flags_ |= kAdvancedTextures;
        break;
      case sample_cmp_grad:
      case sample_cmp_bias: flags_ |= kSampleCmpGradient; [[fallthrough]];
      case sample_grad:
      case sample:
      case sample_bias:
      case sample_cmp:
        if (has_variable_offsets(i)) flags_ |= kAdvancedTextures;
        clamp();
        break;
      case create_handle_from_heap: flags_ |= c_.integer_of(body_, operand(i, 1)).value_or(0) != 0 ? kSamplerHeap : kResourceHeap; break;
      case texture_store_sample: flags_ |= kMsaaWrites | kAdvancedTextures; break;
      case create_handle:
      case create_handle_for_lib:
      case annotate_handle: break;
      case sample_cmp_level:
      case texture_gather_raw: flags_ |= kAdvancedTextures; break;
      case start_vertex_location:
      case start_instance_location: flags_ |= kCommandInfo; break;
      default: break;
    }
    if (c_.has_validator(8) && (code == annotate_handle || code == create_handle || code == create_handle_for_lib)) {
      const Value& made = m_.value(body_, i.value == kNone ? 0 : i.value);
      const auto view = made.kind == ValueKind::instruction ? handles_.find(*body_, i.value) : std::nullopt;
      if (view && view->resource_class == ResourceClass::uav && is_multisampled(view->kind)) flags_ |= kMsaaWrites;
    }
  }

  void look_at_load(const Instruction& i) {
    const auto view = handles_.find(*body_, operand(i, 0));
    if (!view) {
      doubtful_ |= kTypedLoads;
      return;
    }
    if (view->resource_class != ResourceClass::uav) return;
    // Validators of version 1.0 take every load for one of several components.
    const bool first_version = !c_.has_validator(1);
    if (first_version) {
      flags_ |= kTypedLoads;
    } else if (is_typed(view->kind)) {
      if (view->component_count > 1) flags_ |= kTypedLoads;
      if (view->component_count == 0) doubtful_ |= kTypedLoads;
    }
  }

  void look_at_atomic(const Instruction& i) {
    const auto view = handles_.find(*body_, operand(i, 0));
    if (!view) {
      doubtful_ |= kAtomic64Typed | kAtomic64Heap;
      return;
    }
    if (is_typed(view->kind)) flags_ |= kAtomic64Typed;
    if (view->from_heap) flags_ |= kAtomic64Heap;
  }

  void look_at(const EntryPoint& entry) {
    const ShaderKind kind = read_entry_properties(c_.program, entry).kind;
    const bool patches = kind == ShaderKind::hull || kind == ShaderKind::domain;
    const bool inputs = kind == ShaderKind::geometry || (c_.has_validator(4) && patches);
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
            if (!is_output && c_.has_validator(6)) flags_ |= kBarycentrics;
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

  void look_at_resources() {
    const ProgramMetadata& p = c_.program;
    std::uint64_t views = 0;
    for (const ProgramResource& r : p.unordered_access) {
      views += std::min<std::uint64_t>(r.count, kFewUavs + 1);
      if (r.raster_ordered) flags_ |= kRovs;
      if (!c_.has_validator(8) && is_multisampled(r.kind)) flags_ |= kMsaaWrites;
    }
    if ((c_.has_validator(6) ? views : p.unordered_access.size()) > kFewUavs) flags_ |= k64Uavs;
    const bool is_first =
        p.kind == ShaderKind::vertex || p.kind == ShaderKind::hull || p.kind == ShaderKind::domain || p.kind == ShaderKind::geometry;
    const bool elsewhere = c_.has_validator(8) ? is_first : p.kind != ShaderKind::compute && p.kind != ShaderKind::pixel;
    if (views != 0 && elsewhere) flags_ |= kUavsAtEveryStage;
    for (const auto* list : {&p.shader_resources, &p.unordered_access})
      for (const ProgramResource& r : *list)
        if (r.kind == ResourceKind::raw_buffer || r.kind == ResourceKind::structured_buffer) flags_ |= kRawAndStructured;
  }

 public:
  /// What cannot be told: handles that come from several places.
  std::uint64_t doubtful() const { return doubtful_; }

 private:
  const ModuleCheck& c_;
  const Module& m_;
  HandleFinder handles_;
  const Body* body_ = nullptr;
  std::uint64_t flags_ = 0;
  std::uint64_t doubtful_ = 0;
};

}  // namespace

void validate_features(const ModuleCheck& check) {
  const ProgramMetadata& p = check.program;
  if (p.entries.empty()) return;
  FeatureCollector collector(check);
  std::uint64_t used = collector.collect();
  // Those of a library are stated by the entry that stands for all of it.
  const std::uint64_t stated = p.entries[0].flags;
  std::uint64_t doubtful = collector.doubtful();
  // Validators of versions 1.5 to 1.7 set the flag for subobjects, which are no longer in the module.
  if (check.has_validator(5) && !check.has_validator(8)) doubtful |= kRaytracing11;
  const std::uint64_t differ = (used ^ stated) & kComputed & ~doubtful;
  const auto list = [&](std::uint64_t flags) {
    Text text;
    for (const FlagName& row : kNames)
      if ((flags & row.flag) != 0) text << (text.empty() ? "" : ", ") << row.text;
    return text.str();
  };
  if ((differ & used) != 0) check.add(rules::kMetaFlagsUsage, "dx.entryPoints[0]/flags", "not stated: " + list(differ & used));
  if ((differ & stated) != 0)
    check.add(rules::kMetaFlagsUsage, "dx.entryPoints[0]/flags", "stated, but not used: " + list(differ & stated));
}

}  // namespace unshade::dxil
