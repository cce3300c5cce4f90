// What the listing calls resources and their components.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// `Texture2D`, as in the comments of handles; empty for kinds that have none.
std::string_view resource_type_text(ResourceKind kind);
/// `2d`, as in the table of resources.
std::string_view resource_dimension_text(ResourceKind kind);
/// `F32`, as in the comments of handles; empty for those that a resource cannot have.
std::string_view component_type_text(std::uint32_t type);
/// `f32`, as in the table of resources.
std::string_view component_format_text(std::uint32_t type);
/// `float`, as in layouts; half and 16-bit integers as `min16float` and its like if they are of minimum precision.
std::string_view component_hlsl_text(std::uint32_t type, bool minimum_precision);

}  // namespace unshade::dxil
