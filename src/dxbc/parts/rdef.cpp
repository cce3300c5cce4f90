#include <unshade/dxbc/rdef.hpp>

#include <array>
#include <span>

#include "core/archive/reader.hpp"
#include "core/archive/writer.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/text_table.hpp"

namespace unshade::dxbc {

namespace {

// One table per enumeration: value, name for reports, word of fxc's listing.

constexpr parts::TextRow kTargets[] = {
    {0x4353, "compute", "cs"}, {0x4453, "domain", "ds"},   {0x4658, "effect", "fx"}, {0x4753, "geometry", "gs"},
    {0x4853, "hull", "hs"},    {0x4c46, "library", "lib"}, {0xfffe, "vertex", "vs"}, {0xffff, "pixel", "ps"},
};

constexpr parts::TextRow kBufferKinds[] = {
    {0, "cbuffer", "cbuffer"},
    {1, "tbuffer", "tbuffer"},
    {2, "interface_pointers", "interfaces"},
    {3, "resource_bind_info", "Resource bind info for"},
};

constexpr parts::TextRow kVariableClasses[] = {
    {0, "scalar", ""}, {1, "vector", ""},       {2, "matrix_rows", "row_major "}, {3, "matrix_columns", ""},
    {4, "object", ""}, {5, "struct", "struct"}, {6, "interface_class", ""},       {7, "interface_pointer", "interface "},
};

constexpr parts::TextRow kVariableTypes[] = {
    {0, "void", "void"},
    {1, "bool", "bool"},
    {2, "int", "int"},
    {3, "float", "float"},
    {4, "string", "string"},
    {5, "texture", "texture"},
    {6, "texture1d", "Texture1D"},
    {7, "texture2d", "Texture2D"},
    {8, "texture3d", "Texture3D"},
    {9, "texture_cube", "TextureCube"},
    {10, "sampler", "sampler"},
    {11, "sampler1d", "sampler1D"},
    {12, "sampler2d", "sampler2D"},
    {13, "sampler3d", "sampler3D"},
    {14, "sampler_cube", "samplerCUBE"},
    {15, "pixel_shader", "PixelShader"},
    {16, "vertex_shader", "VertexShader"},
    {17, "pixel_fragment", "pixelfragment"},
    {18, "vertex_fragment", "vertexfragment"},
    {19, "uint", "uint"},
    {20, "uint8", "uint8"},
    {21, "geometry_shader", "GeometryShader"},
    {22, "rasterizer", "RasterizerState"},
    {23, "depth_stencil", "DepthStencilState"},
    {24, "blend", "BlendState"},
    {25, "buffer", "Buffer"},
    {26, "cbuffer", "cbuffer"},
    {27, "tbuffer", "tbuffer"},
    {28, "texture1d_array", "Texture1DArray"},
    {29, "texture2d_array", "Texture2DArray"},
    {30, "render_target_view", "RenderTargetView"},
    {31, "depth_stencil_view", "DepthStencilView"},
    {32, "texture2d_ms", "Texture2DMS"},
    {33, "texture2d_ms_array", "Texture2DMSArray"},
    {34, "texture_cube_array", "TextureCubeArray"},
    {35, "hull_shader", "HullShader"},
    {36, "domain_shader", "DomainShader"},
    {37, "interface_pointer", "interface"},
    {38, "compute_shader", "ComputeShader"},
    {39, "double", "double"},
    {40, "rw_texture1d", "RWTexture1D"},
    {41, "rw_texture1d_array", "RWTexture1DArray"},
    {42, "rw_texture2d", "RWTexture2D"},
    {43, "rw_texture2d_array", "RWTexture2DArray"},
    {44, "rw_texture3d", "RWTexture3D"},
    {45, "rw_buffer", "RWBuffer"},
    {46, "byte_address_buffer", "ByteAddressBuffer"},
    {47, "rw_byte_address_buffer", "RWByteAddressBuffer"},
    {48, "structured_buffer", "StructuredBuffer"},
    {49, "rw_structured_buffer", "RWStructuredBuffer"},
    {50, "append_structured_buffer", "AppendStructuredBuffer"},
    {51, "consume_structured_buffer", "ConsumeStructuredBuffer"},
    {52, "min8float", "min8float"},
    {53, "min10float", "min10float"},
    {54, "min16float", "min16float"},
    {55, "min12int", "min12int"},
    {56, "min16int", "min16int"},
    {57, "min16uint", "min16uint"},
};

constexpr parts::TextRow kResourceKinds[] = {
    {0, "cbuffer", "cbuffer"},      {1, "tbuffer", "tbuffer"},    {2, "texture", "texture"},    {3, "sampler", "sampler"},
    {4, "uav_typed", "UAV"},        {5, "structured", "texture"}, {6, "uav_structured", "UAV"}, {7, "byte_address", "texture"},
    {8, "uav_byte_address", "UAV"}, {9, "uav_append", "UAV"},     {10, "uav_consume", "UAV"},   {11, "uav_structured_with_counter", "UAV"},
};

constexpr parts::TextRow kReturnTypes[] = {
    {0, "none", "NA"},     {1, "unorm", "unorm"},   {2, "snorm", "snorm"},
    {3, "sint", "sint"},   {4, "uint", "uint"},     {5, "float", "float"},
    {6, "mixed", "mixed"}, {7, "double", "double"}, {8, "continued", "<continued>"},
};

constexpr parts::TextRow kDimensions[] = {
    {0, "unknown", "NA"},
    {1, "buffer", "buf"},
    {2, "texture1d", "1d"},
    {3, "texture1d_array", "1darray"},
    {4, "texture2d", "2d"},
    {5, "texture2d_array", "2darray"},
    {6, "texture2d_ms", "2dMS"},
    {7, "texture2d_ms_array", "2darrayMS"},
    {8, "texture3d", "3d"},
    {9, "texture_cube", "cube"},
    {10, "texture_cube_array", "cubearray"},
    {11, "raw_buffer", "r/o"},
};

constexpr auto kTargetIds = parts::ids_of(kTargets);
constexpr auto kBufferKindIds = parts::ids_of(kBufferKinds);
constexpr auto kVariableClassIds = parts::ids_of(kVariableClasses);
constexpr auto kVariableTypeIds = parts::ids_of(kVariableTypes);
constexpr auto kResourceKindIds = parts::ids_of(kResourceKinds);
constexpr auto kReturnTypeIds = parts::ids_of(kReturnTypes);
constexpr auto kDimensionIds = parts::ids_of(kDimensions);

constexpr NameTable kTargetNames{kTargetIds};
constexpr NameTable kBufferKindNames{kBufferKindIds};
constexpr NameTable kVariableClassNames{kVariableClassIds};
constexpr NameTable kVariableTypeNames{kVariableTypeIds};
constexpr NameTable kResourceKindNames{kResourceKindIds};
constexpr NameTable kReturnTypeNames{kReturnTypeIds};
constexpr NameTable kDimensionNames{kDimensionIds};

constexpr FieldType kTargetType{FieldKind::enumeration, "target", &kTargetNames};
constexpr FieldType kBufferKindType{FieldKind::enumeration, "buffer kind", &kBufferKindNames};
constexpr FieldType kVariableClassType{FieldKind::enumeration, "variable class", &kVariableClassNames};
constexpr FieldType kVariableTypeType{FieldKind::enumeration, "variable type", &kVariableTypeNames};
constexpr FieldType kResourceKindType{FieldKind::enumeration, "resource kind", &kResourceKindNames};
constexpr FieldType kReturnTypeType{FieldKind::enumeration, "return type", &kReturnTypeNames};
constexpr FieldType kDimensionType{FieldKind::enumeration, "resource dimension", &kDimensionNames};

// src: d3dcompiler.h, D3DCOMPILE_*
constexpr NamedValue kCompileFlagBits[] = {
    {0x1, "debug"},
    {0x2, "skip_validation"},
    {0x4, "skip_optimization"},
    {0x8, "pack_matrix_row_major"},
    {0x10, "pack_matrix_column_major"},
    {0x20, "partial_precision"},
    {0x40, "force_vs_software_no_opt"},
    {0x80, "force_ps_software_no_opt"},
    {0x100, "no_preshader"},
    {0x200, "avoid_flow_control"},
    {0x400, "prefer_flow_control"},
    {0x800, "enable_strictness"},
    {0x1000, "enable_backwards_compatibility"},
    {0x2000, "ieee_strictness"},
    {0x4000, "optimization_level0"},
    {0x8000, "optimization_level3"},
    {0x40000, "warnings_are_errors"},
    {0x80000, "resources_may_alias"},
    {0x100000, "enable_unbounded_descriptor_tables"},
    {0x200000, "all_resources_bound"},
};
constexpr NameTable kCompileFlagNames{kCompileFlagBits};

// src: d3dcommon.h, D3D_SHADER_CBUFFER_FLAGS, D3D_SHADER_VARIABLE_FLAGS, D3D_SHADER_INPUT_FLAGS
constexpr NamedValue kBufferFlagBits[] = {{kBufferUserPacked, "user_packed"}};
constexpr NameTable kBufferFlagNames{kBufferFlagBits};
constexpr NamedValue kVariableFlagBits[] = {{kVariableUserPacked, "user_packed"},
                                            {kVariableUsed, "used"},
                                            {kVariableInterfacePointer, "interface_pointer"},
                                            {kVariableInterfaceParameter, "interface_parameter"}};
constexpr NameTable kVariableFlagNames{kVariableFlagBits};
constexpr NamedValue kBindingFlagBits[] = {{kBindingUserPacked, "user_packed"},
                                           {kBindingComparisonSampler, "comparison_sampler"},
                                           {0x4, "texture_component_0"},
                                           {0x8, "texture_component_1"},
                                           {kBindingUnused, "unused"}};
constexpr NameTable kBindingFlagNames{kBindingFlagBits};

/// Whether a table of `count` variables, `stride` bytes each, reads as one: names and types lie within the part, and the variables that
/// follow one another do not go back.
bool reads_as_variables(View part, std::size_t at, std::size_t count, std::size_t stride) {
  if (count > part.left(at) / stride) return false;
  std::uint32_t previous = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = at + i * stride;
    const auto name = part.load_unchecked<std::uint32_t>(record);
    const auto offset = part.load_unchecked<std::uint32_t>(record + 4);
    const auto type = part.load_unchecked<std::uint32_t>(record + 16);
    if (name == 0 || name >= part.size() || type == 0 || type >= part.size() || offset < previous) return false;
    previous = offset;
  }
  return true;
}

}  // namespace

constexpr FieldType kCompileFlags{FieldKind::flags, "compile flags", &kCompileFlagNames};
constexpr FieldType kBufferFlags{FieldKind::flags, "buffer flags", &kBufferFlagNames};
constexpr FieldType kVariableFlags{FieldKind::flags, "variable flags", &kVariableFlagNames};
constexpr FieldType kBindingFlags{FieldKind::flags, "binding flags", &kBindingFlagNames};

const FieldType& field_type(RdefTarget) { return kTargetType; }
const FieldType& field_type(BufferKind) { return kBufferKindType; }
const FieldType& field_type(VariableClass) { return kVariableClassType; }
const FieldType& field_type(VariableType) { return kVariableTypeType; }
const FieldType& field_type(ResourceKind) { return kResourceKindType; }
const FieldType& field_type(ReturnType) { return kReturnTypeType; }
const FieldType& field_type(ResourceDimension) { return kDimensionType; }

std::string_view id(RdefTarget target) { return parts::find_row(kTargets, target).id; }
std::string_view id(BufferKind kind) { return parts::find_row(kBufferKinds, kind).id; }
std::string_view id(VariableClass variable_class) { return parts::find_row(kVariableClasses, variable_class).id; }
std::string_view id(VariableType type) { return parts::find_row(kVariableTypes, type).id; }
std::string_view id(ResourceKind kind) { return parts::find_row(kResourceKinds, kind).id; }
std::string_view id(ReturnType type) { return parts::find_row(kReturnTypes, type).id; }
std::string_view id(ResourceDimension dimension) { return parts::find_row(kDimensions, dimension).id; }

std::string_view fxc_text(BufferKind kind) { return parts::find_row(kBufferKinds, kind).fxc; }
std::string_view fxc_text(VariableType type) { return parts::find_row(kVariableTypes, type).fxc; }
std::string_view fxc_text(ResourceKind kind) { return parts::find_row(kResourceKinds, kind).fxc; }
std::string_view fxc_text(ReturnType type) { return parts::find_row(kReturnTypes, type).fxc; }
std::string_view fxc_text(ResourceDimension dimension) { return parts::find_row(kDimensions, dimension).fxc; }

std::string_view register_letters(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::cbuffer: return "cb";
    case ResourceKind::sampler: return "s";
    case ResourceKind::tbuffer:
    case ResourceKind::texture:
    case ResourceKind::structured:
    case ResourceKind::byte_address: return "t";
    default: return "u";
  }
}

RdefStrides rdef_strides(View part) {
  RdefStrides strides;
  const auto magic = part.u32(28);
  const auto header = part.u32(32);
  if ((magic == kRdefMagic50 || magic == kRdefMagic51) && header.value_or(0) >= 60 && part.holds(0, 60)) {
    strides.header = *header;
    strides.constant_buffer = part.load_unchecked<std::uint32_t>(36);
    strides.binding = part.load_unchecked<std::uint32_t>(40);
    strides.variable = part.load_unchecked<std::uint32_t>(44);
    strides.type = part.load_unchecked<std::uint32_t>(48);
    strides.member = part.load_unchecked<std::uint32_t>(52);
    return strides;
  }
  // Some files of shader model 4 use the longer variables of 5.0 without saying so: it shows where a buffer has more than one.
  const std::size_t buffers = part.u32(4).value_or(0);
  const std::size_t count = part.u32(0).value_or(0);
  for (std::size_t i = 0; i < count && part.holds(buffers + i * strides.constant_buffer, strides.constant_buffer); ++i) {
    const std::size_t buffer = buffers + i * strides.constant_buffer;
    const auto variables = part.load_unchecked<std::uint32_t>(buffer + 4);
    const auto table = part.load_unchecked<std::uint32_t>(buffer + 8);
    if (variables < 2) continue;
    if (!reads_as_variables(part, table, 2, 24) && reads_as_variables(part, table, variables, 40)) strides.variable = 40;
    break;
  }
  return strides;
}

RdefStrides standard_strides(std::uint32_t magic) {
  if (magic == kRdefMagic50) return {60, 24, 32, 40, 36, 12};
  if (magic == kRdefMagic51) return {60, 24, 40, 40, 36, 12};
  return {};
}

Result<Rdef> parse_rdef(const dxcontainer::Part& part) {
  Rdef rdef;
  if (auto read = read_part(part.data, part.name(), rdef); !read) return std::move(read).error();
  return rdef;
}

void record_rdef(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  Rdef rdef;
  record_part(part.data, part.name(), tree, group, rdef);
}

std::vector<std::byte> write_rdef(const Rdef& rdef) { return write_part(rdef); }

}  // namespace unshade::dxbc
