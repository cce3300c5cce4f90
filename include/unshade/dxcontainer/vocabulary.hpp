// Direct3D's enumerations, which DXBC, DXIL and reports share; made from vocabulary.def.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/tree.hpp>

namespace unshade::dxcontainer {

/// The last register, and the number of registers, of an unbounded range.
inline constexpr std::uint32_t kUnbounded = 0xffff'ffff;

// Of each: the name of a value in reports, its word in the tables of fxc's listing and in dxc's listing, all empty if it has none; how
// documents of DXBC's parts name it, and those of DXIL's.
#define DX_ENUM(type, underlying, text, part_text) enum class type : underlying {
#define DX_VALUE(id, number, name, part, token, fxc, dxc, llvm) id = (number),
#define DX_END(type)                     \
  }                                      \
  ;                                      \
  std::string_view id(type value);       \
  std::string_view fxc_text(type value); \
  std::string_view dxc_text(type value); \
  const FieldType& field_type(type);     \
  const FieldType& part_field_type(type);
#include <unshade/dxcontainer/vocabulary.def>

/// Vertices of a primitive that a geometry or hull shader reads; 0 if it is undefined.
constexpr std::uint32_t vertices_of(InputPrimitive primitive) {
  switch (primitive) {
    case InputPrimitive::point: return 1;
    case InputPrimitive::line: return 2;
    case InputPrimitive::triangle: return 3;
    case InputPrimitive::line_adjacency: return 4;
    case InputPrimitive::triangle_adjacency: return 6;
    default: break;
  }
  const auto number = static_cast<std::uint32_t>(primitive), first = static_cast<std::uint32_t>(InputPrimitive::patch_1);
  return number >= first && number < first + 32 ? number - first + 1 : 0;
}

/// An output of pixel shaders that replaces the interpolated depth.
constexpr bool is_depth(SemanticKind kind) {
  return kind == SemanticKind::depth || kind == SemanticKind::depth_less_equal || kind == SemanticKind::depth_greater_equal;
}
/// The letters of a register of this kind: `cb`, `s`, `t`, `u`; empty for what only Vulkan has. Upper case is what shader model 5.1 puts
/// before an id.
std::string_view register_letters(ResourceKind kind);
/// The HLSL type of a resource of this dimension, without its angle brackets: `Texture2DArray`.
std::string_view hlsl_word(ResourceDimension dimension);
constexpr bool is_cube(ResourceDimension dimension) {
  return dimension == ResourceDimension::texture_cube || dimension == ResourceDimension::texture_cube_array;
}
constexpr bool is_multisampled(ResourceDimension dimension) {
  return dimension == ResourceDimension::texture2d_ms || dimension == ResourceDimension::texture2d_ms_array;
}
constexpr bool is_array(ResourceDimension dimension) {
  return dimension == ResourceDimension::texture1d_array || dimension == ResourceDimension::texture2d_array ||
         dimension == ResourceDimension::texture2d_ms_array || dimension == ResourceDimension::texture_cube_array;
}
/// How HLSL spells a type's base: `float`, `min16uint`, `Texture2D`.
inline std::string_view hlsl_word(BaseType type) { return fxc_text(type); }

}  // namespace unshade::dxcontainer
