#include <unshade/dxil/entry_properties.hpp>

#include <algorithm>
#include <bit>

#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil {

namespace {

// src: DXC DxilMetadataHelper.h, the tags of extended properties and the fields of their lists
namespace tag {
constexpr std::uint64_t kGeometry = 1, kDomain = 2, kHull = 3, kThreads = 4, kPayloadBytes = 6, kAttributeBytes = 7, kKind = 8, kMesh = 9,
                        kAmplification = 10, kWaveSize = 11, kRootSignature = 12, kWaveSizeRange = 23;
}  // namespace tag

/// No list has more than some 20 tags.
constexpr std::size_t kMostTags = 64;

/// Counters that DXC writes; no list has more. src: DXC DxilCounters.h
constexpr std::size_t kMostCounters = 64;

std::array<std::uint32_t, 3> triple_of(const MetadataTuple& tuple) { return {tuple.u32(0), tuple.u32(1), tuple.u32(2)}; }

float real_at(const MetadataTuple& tuple, std::size_t i) {
  const Constant* const constant = tuple.constant(i);
  return constant != nullptr && constant->kind == ConstantKind::real ? std::bit_cast<float>(static_cast<std::uint32_t>(constant->bits)) : 0;
}

/// A bit of an entry's flags and the bit of SFI0 that it stands for.
struct FlagFeature {
  unsigned flag;
  unsigned feature;
};
constexpr unsigned kLowPrecisionFlag = 5;
constexpr unsigned kMinimumPrecision = 4;
constexpr unsigned kNativeLowPrecision = 18;
constexpr FlagFeature kFlagFeatures[] = {
    {2, 0},    // doubles
    {6, 5},    // 11_1_double_extensions
    {7, 6},    // 11_1_shader_extensions
    {9, 13},   // viewport_and_rt_array_index_from_any_shader_feeding_rasterizer
    {10, 10},  // inner_coverage
    {11, 9},   // stencil_ref
    {12, 8},   // tiled_resources
    {13, 11},  // typed_uav_load_additional_formats
    {14, 7},   // level_9_comparison_filtering
    {15, 3},   // 64_uavs
    {16, 2},   // uavs_at_every_stage
    {17, 1},   // compute_shaders_plus_raw_and_structured_buffers_via_shader_4_x
    {18, 12},  // rovs
    {19, 14},  // wave_ops
    {20, 15},  // int64_ops
    {21, 16},  // view_id
    {22, 17},  // barycentrics
    {24, 19},  // shading_rate
    {25, 20},  // raytracing_tier_1_1
    {26, 21},  // sampler_feedback
    {27, 22},  // atomic_int64_on_typed_resource
    {28, 23},  // atomic_int64_on_group_shared
    {29, 24},  // derivatives_in_mesh_and_amplification_shaders
    {30, 25},  // resource_descriptor_heap_indexing
    {31, 26},  // sampler_descriptor_heap_indexing
    {32, 28},  // atomic_int64_on_heap_resource
    {34, 29},  // advanced_texture_ops
    {35, 30},  // writeable_msaa_textures
    {37, 31},  // sample_cmp_gradient_or_bias
    {38, 32},  // extended_command_info
    {39, 40},  // uses_derivatives
    {40, 41},  // requires_group
};

}  // namespace

EntryProperties read_entry_properties(const ProgramMetadata& metadata, const EntryPoint& entry) {
  EntryProperties out;
  out.kind = metadata.kind;
  if (entry.properties == kNone) return out;
  const MetadataTuple list = MetadataTuple::of(*metadata.module, &metadata.module->metadata[entry.properties]);
  const std::size_t tags = std::min(list.size() / 2, kMostTags);
  for (std::size_t i = 0; i < 2 * tags; i += 2) {
    const MetadataTuple value = list.tuple(i + 1);
    switch (list.integer(i).value_or(~std::uint64_t{0})) {
      case tag::kGeometry:
        out.geometry = {static_cast<InputPrimitive>(value.u32(0)), value.u32(1), value.u32(2), static_cast<OutputTopology>(value.u32(3)),
                        value.u32(4)};
        break;
      case tag::kDomain: out.domain = {static_cast<TessellatorDomain>(value.u32(0)), value.u32(1)}; break;
      case tag::kHull:
        if (const std::uint32_t id = value.value(0);
            id < metadata.module->values.size() && metadata.module->values[id].kind == ValueKind::function)
          out.patch_constant_function = metadata.module->values[id].index;
        out.hull = {value.u32(1),
                    value.u32(2),
                    static_cast<TessellatorDomain>(value.u32(3)),
                    static_cast<TessellatorPartitioning>(value.u32(4)),
                    static_cast<TessellatorOutput>(value.u32(5)),
                    real_at(value, 6)};
        break;
      case tag::kThreads: out.thread_group = triple_of(value); break;
      case tag::kPayloadBytes: out.payload_bytes = list.u32(i + 1); break;
      case tag::kAttributeBytes: out.attribute_bytes = list.u32(i + 1); break;
      case tag::kKind: out.kind = static_cast<ShaderKind>(list.u32(i + 1)); break;
      case tag::kMesh:
        out.thread_group = triple_of(value.tuple(0));
        out.mesh = {value.u32(1), value.u32(2), static_cast<MeshTopology>(value.u32(3))};
        out.payload_bytes = value.u32(4);
        break;
      case tag::kAmplification:
        out.thread_group = triple_of(value.tuple(0));
        out.payload_bytes = value.u32(1);
        break;
      case tag::kWaveSize: out.wave_size = {value.u32(0), 0, 0}; break;
      case tag::kWaveSizeRange: out.wave_size = {value.u32(0), value.u32(1), value.u32(2)}; break;
      case tag::kRootSignature: out.has_root_signature = true; break;
      default: break;
    }
  }
  return out;
}

std::uint64_t features_of_flags(std::uint64_t shader_flags) {
  std::uint64_t features = 0;
  for (const FlagFeature& row : kFlagFeatures)
    if ((shader_flags >> row.flag & 1) != 0) features |= std::uint64_t{1} << row.feature;
  if ((shader_flags >> kLowPrecisionFlag & 1) != 0)
    features |= std::uint64_t{1} << ((shader_flags & shader_flag::kNativeLowPrecision) != 0 ? kNativeLowPrecision : kMinimumPrecision);
  return features;
}

std::vector<Counter> read_counters(const Module& module) {
  std::vector<Counter> counters;
  for_each_tuple(module, "dx.counters", [&](const MetadataTuple& tuple) {
    for (std::size_t i = 0; i + 1 < tuple.size() && counters.size() < kMostCounters; i += 2)
      counters.push_back({tuple.text(i), tuple.u32(i + 1)});
  });
  return counters;
}

ModuleSources read_sources(const Module& module) {
  ModuleSources sources;
  for_each_tuple(module, "dx.source.contents", [&](const MetadataTuple& file) {
    if (file.size() >= 2) sources.files.push_back({file.text(0), file.text(1)});
  });
  for_each_tuple(module, "dx.source.mainFileName", [&](const MetadataTuple& name) { sources.main_file = name.text(0); });
  const auto texts = [&](std::string_view list, std::vector<std::string_view>& to) {
    for_each_tuple(module, list, [&](const MetadataTuple& tuple) {
      for (std::size_t i = 0; i < tuple.size(); ++i) to.push_back(tuple.text(i));
    });
  };
  texts("dx.source.args", sources.arguments);
  texts("dx.source.defines", sources.defines);
  return sources;
}

std::string_view creator_of(const Module& module) {
  const NamedMetadata* const list = find_named_metadata(module, "llvm.ident");
  if (list == nullptr || list->nodes.empty()) return {};
  return MetadataTuple::of(module, &module.metadata[module.metadata_operands_of(list->nodes)[0]]).text(0);
}

}  // namespace unshade::dxil
