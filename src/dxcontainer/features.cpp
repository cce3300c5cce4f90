#include <unshade/dxcontainer/features.hpp>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

namespace unshade::dxcontainer {

namespace {

constexpr Feature kFeatures[] = {
    {0, "doubles", "Double-precision floating point"},
    {1, "compute_shaders_plus_raw_and_structured_buffers_via_shader_4_x", "Raw and Structured buffers"},
    {2, "uavs_at_every_stage", "UAVs at every shader stage"},
    {3, "64_uavs", "64 UAV slots"},
    {4, "minimum_precision", "Minimum-precision data types"},
    {5, "11_1_double_extensions", "Double-precision extensions for 11.1"},
    {6, "11_1_shader_extensions", "Shader extensions for 11.1"},
    {7, "level_9_comparison_filtering", "Comparison filtering for feature level 9"},
    {8, "tiled_resources", "Tiled resources"},
    {9, "stencil_ref", "PS Output Stencil Ref"},
    {10, "inner_coverage", "PS Inner Coverage"},
    {11, "typed_uav_load_additional_formats", "Typed UAV Load Additional Formats"},
    {12, "rovs", "Raster Ordered UAVs"},
    {13, "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer",
     "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer"},
    {14, "wave_ops", "Wave level operations"},
    {15, "int64_ops", "64-Bit integer"},
    {16, "view_id", "View Instancing"},
    {17, "barycentrics", "Barycentrics"},
    {18, "native_low_precision", "Use native low precision"},
    {19, "shading_rate", "Shading Rate"},
    {20, "raytracing_tier_1_1", "Raytracing tier 1.1 features"},
    {21, "sampler_feedback", "Sampler feedback"},
    {22, "atomic_int64_on_typed_resource", "64-bit Atomics on Typed Resources"},
    {23, "atomic_int64_on_group_shared", "64-bit Atomics on Group Shared"},
    {24, "derivatives_in_mesh_and_amplification_shaders", "Derivatives in mesh and amplification shaders"},
    {25, "resource_descriptor_heap_indexing", "Resource descriptor heap indexing"},
    {26, "sampler_descriptor_heap_indexing", "Sampler descriptor heap indexing"},
    {27, "reserved_27", "Wave Matrix"},
    {28, "atomic_int64_on_heap_resource", "64-bit Atomics on Heap Resources"},
    {29, "advanced_texture_ops", "Advanced Texture Ops"},
    {30, "writeable_msaa_textures", "Writeable MSAA Textures"},
    {31, "sample_cmp_gradient_or_bias", "SampleCmp with gradient or bias"},
    {32, "extended_command_info", "Extended command info"},
    // kFirstOptionalFeature
    {40, "uses_derivatives", "Function uses derivatives"},
    {41, "requires_group", "Function requires visible group"},
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

std::vector<std::byte> write_features(std::uint64_t flags) {
  FeatureInfo info{flags};
  Writer writer(std::byte{0});
  describe(writer, info);
  return writer.finish(static_cast<std::uint32_t>(writer.position()));
}

void record_features(const Part& part, Tree& tree, std::uint32_t group) { record_model<FeatureInfo>(part, tree, group); }

}  // namespace unshade::dxcontainer
