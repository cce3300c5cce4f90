// Names and types of resources in the listing.
#pragma once

#include <string_view>

#include <unshade/dxil/enums.hpp>

namespace unshade::dxil::listing {

/// `Texture2D`, as in the comments of handles; empty for kinds that have none.
std::string_view resource_type_text(ResourceKind kind);
/// `2d`, as in the table of resources.
std::string_view resource_dimension_text(ResourceKind kind);

}  // namespace unshade::dxil::listing
