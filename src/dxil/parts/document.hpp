// Parts of DXIL as documents.
#pragma once

#include "dxcontainer/part_document.hpp"

namespace unshade::dxil {

/// Programs (their bitcode as bytes), pipeline state validation, hash, debug name, compiler version. Null if this room has no
/// description of the part that goes both ways.
const dxcontainer::PartDocument* find_part_document(std::uint32_t fourcc);

}  // namespace unshade::dxil
