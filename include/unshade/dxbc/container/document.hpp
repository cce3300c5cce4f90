// What this room does with parts of DXBC.
#pragma once

#include <unshade/dxcontainer/part_document.hpp>

namespace unshade::dxbc::container {

/// Resource definitions, statistics, class linkage, effects, debug information, level 9, token programs (in documents as assembly text).
/// Null if this room does not describe the part.
const dxcontainer::PartFunctions* find_part_functions(std::uint32_t fourcc);

}  // namespace unshade::dxbc::container
