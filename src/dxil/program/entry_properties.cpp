#include <unshade/dxil/entry_properties.hpp>

#include <algorithm>
#include <bit>

#include "dxil/program/property_tags.hpp"

namespace unshade::dxil::program {

namespace {

// src: DXC DxilMetadataHelper.h, the fields of the lists of extended properties

/// Counters that DXC writes; no list has more. src: DXC DxilCounters.h
constexpr std::size_t kMostCounters = 64;

float real_at(const module::MetadataTuple& tuple, std::size_t i) {
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

}  // namespace unshade::dxil::program

namespace unshade::dxil {

EntryProperties read_entry_properties(const ProgramMetadata& metadata, const EntryPoint& entry) {
  EntryProperties out;
  out.kind = metadata.kind;
  if (entry.properties == kNone) return out;
  const module::MetadataTuple list = module::MetadataTuple::of(*metadata.module, &metadata.module->metadata[entry.properties]);
  const std::size_t tags = std::min(list.size() / 2, program::kMostTags);
  for (std::size_t i = 0; i < 2 * tags; i += 2) {
    const module::MetadataTuple value = list.tuple(i + 1);
    switch (list.integer(i).value_or(~std::uint64_t{0})) {
      case program::property_tag::kGeometry:
        out.geometry = {static_cast<InputPrimitive>(value.u32(0)), value.u32(1), value.u32(2), static_cast<OutputTopology>(value.u32(3)),
                        value.u32(4)};
        break;
      case program::property_tag::kDomain: out.domain = {static_cast<TessellatorDomain>(value.u32(0)), value.u32(1)}; break;
      case program::property_tag::kHull:
        if (const std::uint32_t id = value.value(0);
            id < metadata.module->values.size() && metadata.module->values[id].kind == ValueKind::function)
          out.patch_constant_function = metadata.module->values[id].index;
        out.hull = {value.u32(1),
                    value.u32(2),
                    static_cast<TessellatorDomain>(value.u32(3)),
                    static_cast<TessellatorPartitioning>(value.u32(4)),
                    static_cast<TessellatorOutput>(value.u32(5)),
                    program::real_at(value, 6)};
        break;
      case program::property_tag::kThreads: out.thread_group = program::triple_of(value); break;
      case program::property_tag::kPayloadBytes: out.payload_bytes = list.u32(i + 1); break;
      case program::property_tag::kAttributeBytes: out.attribute_bytes = list.u32(i + 1); break;
      case program::property_tag::kKind: out.kind = static_cast<ShaderKind>(list.u32(i + 1)); break;
      case program::property_tag::kMesh:
        out.thread_group = program::triple_of(value.tuple(0));
        out.mesh = {value.u32(1), value.u32(2), static_cast<MeshTopology>(value.u32(3))};
        out.payload_bytes = value.u32(4);
        break;
      case program::property_tag::kAmplification:
        out.thread_group = program::triple_of(value.tuple(0));
        out.payload_bytes = value.u32(1);
        break;
      case program::property_tag::kWaveSize: out.wave_size = {value.u32(0), 0, 0}; break;
      case program::property_tag::kWaveSizeRange: out.wave_size = {value.u32(0), value.u32(1), value.u32(2)}; break;
      case program::property_tag::kRootSignature: out.has_root_signature = true; break;
      default: break;
    }
  }
  return out;
}

std::uint64_t features_of_flags(std::uint64_t shader_flags) {
  std::uint64_t features = 0;
  for (const program::FlagFeature& row : program::kFlagFeatures)
    if ((shader_flags >> row.flag & 1) != 0) features |= std::uint64_t{1} << row.feature;
  if ((shader_flags >> program::kLowPrecisionFlag & 1) != 0)
    features |= std::uint64_t{1} << ((shader_flags & shader_flag::kNativeLowPrecision) != 0 ? program::kNativeLowPrecision
                                                                                            : program::kMinimumPrecision);
  return features;
}

std::vector<Counter> read_counters(const Module& module) {
  std::vector<Counter> counters;
  module::for_each_tuple(module, "dx.counters", [&](const module::MetadataTuple& tuple) {
    for (std::size_t i = 0; i + 1 < tuple.size() && counters.size() < program::kMostCounters; i += 2)
      counters.push_back({tuple.text(i), tuple.u32(i + 1)});
  });
  return counters;
}

ModuleSources read_sources(const Module& module) {
  ModuleSources sources;
  module::for_each_tuple(module, "dx.source.contents", [&](const module::MetadataTuple& file) {
    if (file.size() >= 2) sources.files.push_back({file.text(0), file.text(1)});
  });
  module::for_each_tuple(module, "dx.source.mainFileName", [&](const module::MetadataTuple& name) { sources.main_file = name.text(0); });
  const auto texts = [&](std::string_view list, std::vector<std::string_view>& to) {
    module::for_each_tuple(module, list, [&](const module::MetadataTuple& tuple) {
      for (std::size_t i = 0; i < tuple.size(); ++i) to.push_back(tuple.text(i));
    });
  };
  texts("dx.source.args", sources.arguments);
  texts("dx.source.defines", sources.defines);
  return sources;
}

std::string_view creator_of(const Module& module) {
  const NamedMetadata* const list = module::find_named_metadata(module, "llvm.ident");
  if (list == nullptr || list->nodes.empty()) return {};
  return module::MetadataTuple::of(module, &module.metadata[module.metadata_operands_of(list->nodes)[0]]).text(0);
}

}  // namespace unshade::dxil
