#include <unshade/shader/reflection.hpp>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/parts/rdef_layout.hpp"

namespace unshade::shader {

namespace {

template <class E, std::size_t N>
std::string_view name_of(const std::string_view (&names)[N], E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view{};
}

constexpr std::string_view kStages[] = {"none",    "pixel",       "vertex", "geometry",      "hull",           "domain",
                                        "compute", "library",     "mesh",   "amplification", "ray_generation", "intersection",
                                        "any_hit", "closest_hit", "miss",   "callable",      "node",           "kernel"};

// What Direct3D has no number for, or dxbc no use.
constexpr NamedValue kOtherResourceKinds[] = {
    {12, "acceleration_structure"}, {13, "uav_feedback"},      {256, "combined_sampler"}, {257, "storage_buffer"},
    {258, "push_constants"},        {259, "input_attachment"}, {260, "shader_record"},
};
struct ScalarName {
  BaseType base;
  std::string_view id;
  std::string_view hlsl;  ///< as HLSL spells it; of what HLSL has not, as GLSL does
};
constexpr ScalarName kOtherScalars[] = {
    {BaseType::int16, "int16", "int16_t"},      {BaseType::uint16, "uint16", "uint16_t"}, {BaseType::float16, "float16", "float16_t"},
    {BaseType::int64, "int64", "int64_t"},      {BaseType::uint64, "uint64", "uint64_t"}, {BaseType::int8, "int8", "int8_t"},
    {BaseType::pointer, "pointer", "uint64_t"},
};
constexpr std::uint32_t kFirstVulkanKind = 256;

const ScalarName* find_scalar(BaseType base) {
  for (const ScalarName& scalar : kOtherScalars)
    if (scalar.base == base) return &scalar;
  return nullptr;
}
constexpr std::string_view kInterpolations[] = {
    "undefined",
    "constant",
    "linear",
    "linear_centroid",
    "linear_noperspective",
    "linear_noperspective_centroid",
    "linear_sample",
    "linear_noperspective_sample",
};
constexpr std::string_view kFeatureLevels[] = {"unknown", "9_1", "9_3", "10_0", "10_1", "11_0", "11_1", "12_0"};

constexpr std::string_view kMeshTopologies[] = {"undefined", "line", "triangle"};
constexpr std::string_view kNodeRecords[] = {"none", "thread", "group", "dispatch"};
constexpr std::string_view kNodeLaunches[] = {"none", "broadcasting", "coalescing", "thread", "mesh"};
/// D3D_SVC_BIT_FIELD, which fxc never had.
constexpr std::string_view kBitField = "bit_field";

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

std::string_view id(Stage stage) { return name_of(kStages, stage); }
std::string_view id(Interpolation interpolation) { return name_of(kInterpolations, interpolation); }
std::string_view id(FeatureLevel level) { return name_of(kFeatureLevels, level); }

// The numbers are Direct3D's in both rooms, so the names are those of the room that reads them.
std::string_view id(ResourceKind kind) {
  const std::string_view other = NameTable{kOtherResourceKinds}.find(static_cast<std::uint32_t>(kind));
  return other.empty() ? dxbc::id(static_cast<dxbc::ResourceKind>(kind)) : other;
}
std::string_view id(ReturnType type) { return dxbc::id(static_cast<dxbc::ReturnType>(type)); }
std::string_view id(ResourceDimension dimension) { return dxbc::id(static_cast<dxbc::ResourceDimension>(dimension)); }
std::string_view id(BufferKind kind) {
  const std::string_view other = NameTable{kOtherResourceKinds}.find(static_cast<std::uint32_t>(kind));
  return static_cast<std::uint32_t>(kind) >= kFirstVulkanKind ? other : dxbc::id(static_cast<dxbc::BufferKind>(kind));
}
std::string_view id(TypeClass type_class) {
  return type_class == TypeClass::bit_field ? kBitField : dxbc::id(static_cast<dxbc::VariableClass>(type_class));
}
std::string_view id(BaseType type) {
  const ScalarName* const other = find_scalar(type);
  return other != nullptr ? other->id : dxbc::id(static_cast<dxbc::VariableType>(type));
}
std::string_view id(InputPrimitive primitive) { return dxbc::id(static_cast<dxbc::InputPrimitive>(primitive)); }
std::string_view id(OutputTopology topology) { return dxbc::id(static_cast<dxbc::OutputTopology>(topology)); }
std::string_view id(TessellatorDomain domain) { return dxbc::id(static_cast<dxbc::TessellatorDomain>(domain)); }
std::string_view id(TessellatorOutput output) { return dxbc::id(static_cast<dxbc::TessellatorOutput>(output)); }
std::string_view id(TessellatorPartitioning partitioning) { return dxbc::id(static_cast<dxbc::TessellatorPartitioning>(partitioning)); }
std::string_view id(MeshTopology topology) { return name_of(kMeshTopologies, topology); }
std::string_view id(NodeRecords records) { return name_of(kNodeRecords, records); }
std::string_view id(NodeLaunch launch) { return name_of(kNodeLaunches, launch); }
std::string_view hlsl_word(BaseType type) {
  const ScalarName* const other = find_scalar(type);
  return other != nullptr ? other->hlsl : dxbc::fxc_text(static_cast<dxbc::VariableType>(type));
}
std::string_view register_letters(ResourceKind kind) {
  if (kind == ResourceKind::acceleration_structure) return "t";
  if (kind == ResourceKind::uav_feedback) return "u";
  if (static_cast<std::uint32_t>(kind) >= kFirstVulkanKind) return {};
  return dxbc::register_letters(static_cast<dxbc::ResourceKind>(kind));
}

const NameTable& required_feature_names() { return kRequirementNames; }
const NameTable& node_flag_names() { return kNodeFlagNames; }
const NameTable& compile_flag_names() { return *dxbc::kCompileFlags.names; }
const NameTable& variable_flag_names() { return *dxbc::kVariableFlags.names; }
const NameTable& resource_flag_names() { return *dxbc::kBindingFlags.names; }
std::span<const StatisticField> statistic_fields() { return kStatisticFields; }

}  // namespace unshade::shader
