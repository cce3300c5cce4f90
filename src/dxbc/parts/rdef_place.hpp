// Where fxc puts the things of an RDEF part.
#pragma once

#include <unshade/dxbc/rdef.hpp>

namespace unshade::dxbc {

/// Gives everything in the part that has no place yet the one that fxc would give it, if nothing has a place; else leaves it all to the
/// writer.
void place_as_fxc(Rdef& rdef);

}  // namespace unshade::dxbc
