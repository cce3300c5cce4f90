#include <unshade/dxcontainer/features.hpp>

#include "core/reader.hpp"

namespace unshade::dxcontainer {

namespace {

constexpr Feature kFeatures[] = {
    {0, "doubles"},
    {1, "compute_shaders_plus_raw_and_structured_buffers_via_shader_4_x"},
    {2, "uavs_at_every_stage"},
    {3, "64_uavs"},
    {4, "minimum_precision"},
    {5, "11_1_double_extensions"},
    {6, "11_1_shader_extensions"},
    {7, "level_9_comparison_filtering"},
    {8, "tiled_resources"},
    {9, "stencil_ref"},
    {10, "inner_coverage"},
    {11, "typed_uav_load_additional_formats"},
    {12, "rovs"},
    {13, "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer"},
    {14, "wave_ops"},
    {15, "int64_ops"},
    {16, "view_id"},
    {17, "barycentrics"},
    {18, "native_low_precision"},
    {19, "shading_rate"},
    {20, "raytracing_tier_1_1"},
    {21, "sampler_feedback"},
    {22, "atomic_int64_on_typed_resource"},
    {23, "atomic_int64_on_group_shared"},
    {24, "derivatives_in_mesh_and_amplification_shaders"},
    {25, "resource_descriptor_heap_indexing"},
    {26, "sampler_descriptor_heap_indexing"},
    {27, "reserved_27"},
    {28, "atomic_int64_on_heap_resource"},
    {29, "advanced_texture_ops"},
    {30, "writeable_msaa_textures"},
    {31, "sample_cmp_gradient_or_bias"},
    {32, "extended_command_info"},
    // From 40 on a runtime may ignore them.
    {40, "uses_derivatives"},
    {41, "requires_group"},
};

// 64 bits wide, so that the names of flags, 32 bits wide, do not fit: text of its own.
void print_features(Text& out, View bytes, std::uint32_t) {
  std::uint64_t value = little_endian(bytes.clamped(0, 8));
  if (value == 0) out << '0';
  bool first = true;
  for (const Feature& feature : kFeatures) {
    if ((value >> feature.bit & 1) == 0) continue;
    if (!first) out << '|';
    out << feature.id;
    first = false;
    value &= ~(std::uint64_t{1} << feature.bit);
  }
  if (value == 0) return;
  if (!first) out << '|';
  out << "0x";
  out.hex(value);
}

struct FeatureInfo {
  std::uint64_t flags = 0;
};

/// Bytes: 8. Source: DXC DxilContainer.h, DxilShaderFeatureInfo.
template <class Archive>
void describe(Archive& a, FeatureInfo& info) {
  a.u64("flags", info.flags, kFeatureFlags);
}

}  // namespace

const FieldType kFeatureFlags{FieldKind::custom, "feature flags", nullptr, {}, print_features};

std::span<const Feature> features() { return kFeatures; }

Result<std::uint64_t> parse_features(const Part& part) {
  FeatureInfo info;
  if (auto read = read_part(part.data, part.name(), info); !read) return std::move(read).error();
  return info.flags;
}

void record_features(const Part& part, Tree& tree, std::uint32_t group) {
  FeatureInfo info;
  record_part(part.data, part.name(), tree, group, info);
}

}  // namespace unshade::dxcontainer
