#include <unshade/shader/reflection.hpp>

#include <unshade/dxbc/rdef.hpp>

namespace unshade::shader {

namespace {

template <class E, std::size_t N>
std::string_view name_of(const std::string_view (&names)[N], E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view{};
}

constexpr std::string_view kFeatureLevels[] = {"unknown", "9_1", "9_3", "10_0", "10_1", "11_0", "11_1", "12_0"};

constexpr std::string_view kNodeRecords[] = {"none", "thread", "group", "dispatch"};

// src: DXC DxilConstants.h, NodeIOFlags
constexpr NamedValue kNodeFlags[] = {
    {0x1, "input"},
    {0x2, "output"},
    {0x4, "read_write"},
    {0x8, "empty_record"},
    {0x10, "array"},
    {0x100, "track_rw_input_sharing"},
    {0x200, "globally_coherent"},
};
constexpr NameTable kNodeFlagNames{kNodeFlags};

// src: d3d12shader.h, D3D_SHADER_REQUIRES_*
constexpr NamedValue kRequirements[] = {
    {0x1, "doubles"},
    {0x2, "early_depth_stencil"},
    {0x4, "uavs_at_every_stage"},
    {0x8, "64_uavs"},
    {0x10, "minimum_precision"},
    {0x20, "11_1_double_extensions"},
    {0x40, "11_1_shader_extensions"},
    {0x80, "level_9_comparison_filtering"},
    {0x100, "tiled_resources"},
    {0x200, "stencil_ref"},
    {0x400, "inner_coverage"},
    {0x800, "typed_uav_load_additional_formats"},
    {0x1000, "rovs"},
    {0x2000, "viewport_and_rt_array_index_from_any_shader_feeding_rasterizer"},
    {0x4000, "wave_ops"},
    {0x8000, "int64_ops"},
    {0x1'0000, "view_id"},
    {0x2'0000, "barycentrics"},
    {0x4'0000, "native_16bit_ops"},
    {0x8'0000, "shading_rate"},
    {0x10'0000, "raytracing_tier_1_1"},
    {0x20'0000, "sampler_feedback"},
    {0x40'0000, "atomic_int64_on_typed_resource"},
    {0x80'0000, "atomic_int64_on_group_shared"},
    {0x100'0000, "derivatives_in_mesh_and_amplification_shaders"},
    {0x200'0000, "resource_descriptor_heap_indexing"},
    {0x400'0000, "sampler_descriptor_heap_indexing"},
    {0x800'0000, "wave_mma"},
    {0x1000'0000, "atomic_int64_on_descriptor_heap_resource"},
    {0x2000'0000, "advanced_texture_ops"},
    {0x4000'0000, "writeable_msaa_textures"},
    {0x8000'0000, "sample_cmp_gradient_or_bias"},
};
constexpr NameTable kRequirementNames{kRequirements};

#define UNSHADE_COUNT(name) {#name, &Statistics::name}
constexpr StatisticField kStatisticFields[] = {
    UNSHADE_COUNT(instruction_count),
    UNSHADE_COUNT(temp_register_count),
    UNSHADE_COUNT(temp_array_count),
    UNSHADE_COUNT(define_count),
    UNSHADE_COUNT(declaration_count),
    UNSHADE_COUNT(texture_normal_instructions),
    UNSHADE_COUNT(texture_load_instructions),
    UNSHADE_COUNT(texture_comparison_instructions),
    UNSHADE_COUNT(texture_bias_instructions),
    UNSHADE_COUNT(texture_gradient_instructions),
    UNSHADE_COUNT(texture_gather_instructions),
    UNSHADE_COUNT(texture_lod_instructions),
    UNSHADE_COUNT(texture_store_instructions),
    UNSHADE_COUNT(float_instruction_count),
    UNSHADE_COUNT(int_instruction_count),
    UNSHADE_COUNT(uint_instruction_count),
    UNSHADE_COUNT(bitwise_instruction_count),
    UNSHADE_COUNT(conversion_instruction_count),
    UNSHADE_COUNT(mov_instruction_count),
    UNSHADE_COUNT(movc_instruction_count),
    UNSHADE_COUNT(static_flow_control_count),
    UNSHADE_COUNT(dynamic_flow_control_count),
    UNSHADE_COUNT(macro_instruction_count),
    UNSHADE_COUNT(array_instruction_count),
    UNSHADE_COUNT(cut_instruction_count),
    UNSHADE_COUNT(emit_instruction_count),
    UNSHADE_COUNT(barrier_instructions),
    UNSHADE_COUNT(interlocked_instructions),
};
#undef UNSHADE_COUNT
static_assert(sizeof(Statistics) == std::size(kStatisticFields) * sizeof(std::uint32_t), "a count without a name");

}  // namespace

std::uint64_t Type::element_offset(std::uint64_t element, std::uint64_t stride) const {
  std::uint64_t offset = 0;
  for (std::size_t dimension = outer_strides.size(); dimension != 0 && dimension < dimensions.size(); --dimension) {
    const std::uint64_t count = dimensions[dimension];
    if (count == 0) break;
    offset += element % count * stride;
    element /= count;
    stride = outer_strides[dimension - 1];
  }
  return offset + element * stride;
}

std::string_view id(FeatureLevel level) { return name_of(kFeatureLevels, level); }
std::string_view id(NodeRecords records) { return name_of(kNodeRecords, records); }

const NameTable& required_feature_names() { return kRequirementNames; }
const NameTable& node_flag_names() { return kNodeFlagNames; }
const NameTable& compile_flag_names() { return *dxbc::kCompileFlags.names; }
const NameTable& variable_flag_names() { return *dxbc::kVariableFlags.names; }
const NameTable& resource_flag_names() { return *dxbc::kBindingFlags.names; }
std::span<const StatisticField> statistic_fields() { return kStatisticFields; }

}  // namespace unshade::shader
