// What this room does with parts of DXIL.
#pragma once

#include <unshade/dxcontainer/part_document.hpp>

namespace unshade::dxil::parts {

/// Programs (in documents their bitcode as bytes), pipeline state validation, runtime data, hash, names, sources. Null if this room does
/// not describe the part.
const dxcontainer::PartFunctions* find_part_functions(std::uint32_t fourcc);

}  // namespace unshade::dxil::parts
