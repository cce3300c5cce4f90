// Members of a zip that its directory does not have.
#pragma once

#include "cli/unpack/archive.hpp"

namespace unshade::cli::unpack {

/// See Packing::read_gap. Reads the members whose local headers lie in the gap: those of archives before the last one in the same file, and
/// those that were taken out of the directory alone.
void read_zip_gap(Feed& packed, const Range& gap, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::cli::unpack
