// Parts of DXBC as documents.
#pragma once

#include "dxcontainer/part_document.hpp"

namespace unshade::dxbc::container {

/// Resource definitions, statistics, class linkage, level 9 (its program as bytes), token programs (as assembly text). Null if this room
/// has no description of the part that goes both ways.
const dxcontainer::PartDocument* find_part_document(std::uint32_t fourcc);

}  // namespace unshade::dxbc::container
