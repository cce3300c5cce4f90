// Files of gzip: streams one after the other, whose contents are one.
#pragma once

namespace unshade::cli::unpack {

class Budget;
class Feed;
struct ArchiveReader;

/// See Packing::read. The checksum of each stream is compared, which libarchive does not do.
void read_gzip(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::cli::unpack
