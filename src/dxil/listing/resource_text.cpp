#include "dxil/listing/resource_text.hpp"

#include <cstddef>
#include <iterator>

namespace unshade::dxil {

namespace {

/// By ResourceKind. src: DXC DxilResourceBase.cpp, dxcdisassembler.cpp
struct KindText {
  std::string_view type;
  std::string_view dimension;
};
constexpr KindText kKinds[] = {
    {"", "invalid"},
    {"Texture1D", "1d"},
    {"Texture2D", "2d"},
    {"Texture2DMS", "2dMS"},
    {"Texture3D", "3d"},
    {"TextureCube", "cube"},
    {"Texture1DArray", "1darray"},
    {"Texture2DArray", "2darray"},
    {"Texture2DMSArray", "2darrayMS"},
    {"TextureCubeArray", "cubearray"},
    {"TypedBuffer", "buf"},
    {"ByteAddressBuffer", "rawbuf"},
    {"StructuredBuffer", "structbuf"},
    {"CBuffer", "cbuffer"},
    {"Sampler", "sampler"},
    {"TBuffer", "tbuffer"},
    {"RTAccelerationStructure", "ras"},
    {"FeedbackTexture2D", "fbtex2d"},
    {"FeedbackTexture2DArray", "fbtex2darray"},
};

/// By ComponentType. src: DXC DxilCompType.cpp, dxcdisassembler.cpp
struct ComponentText {
  std::string_view type;  ///< empty: a resource cannot have it
  std::string_view format;
  std::string_view hlsl;
  std::string_view minimum_precision;
};
constexpr ComponentText kComponents[] = {
    {"", "invalid", "unknown", "unknown"},
    {"I1", "i1", "bool", "bool"},
    {"I16", "i16", "int16_t", "min16i"},
    {"U16", "u16", "uint16_t", "min16ui"},
    {"I32", "i32", "int", "int"},
    {"U32", "u32", "uint", "uint"},
    {"I64", "i64", "int64_t", "int64_t"},
    {"U64", "u64", "uint64_t", "uint64_t"},
    {"F16", "f16", "half", "min16float"},
    {"F32", "f32", "float", "float"},
    {"F64", "f64", "double", "double"},
    {"SNormF16", "snorm_f16", "snorm_half", "snorm_min16f"},
    {"UNormF16", "unorm_f16", "unorm_half", "unorm_min16f"},
    {"SNormF32", "snorm_f32", "snorm_float", "snorm_float"},
    {"UNormF32", "unorm_f32", "unorm_float", "unorm_float"},
    {"SNormF64", "snorm_f64", "snorm_double", "snorm_double"},
    {"UNormF64", "unorm_f64", "unorm_double", "unorm_double"},
    {"", "p32i8", "int8_t_packed", "int8_t_packed"},
    {"", "p32u8", "uint8_t_packed", "uint8_t_packed"},
};

const KindText& kind_text(ResourceKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return kKinds[index < std::size(kKinds) ? index : 0];
}
const ComponentText& component_text(std::uint32_t type) { return kComponents[type < std::size(kComponents) ? type : 0]; }

}  // namespace

std::string_view resource_type_text(ResourceKind kind) { return kind_text(kind).type; }
std::string_view resource_dimension_text(ResourceKind kind) { return kind_text(kind).dimension; }
std::string_view component_type_text(std::uint32_t type) { return component_text(type).type; }
std::string_view component_format_text(std::uint32_t type) { return component_text(type).format; }
std::string_view component_hlsl_text(std::uint32_t type, bool minimum_precision) {
  const ComponentText& text = component_text(type);
  return minimum_precision ? text.minimum_precision : text.hlsl;
}

}  // namespace unshade::dxil
