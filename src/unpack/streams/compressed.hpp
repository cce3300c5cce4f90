// Compressed files that are streams one after the other, whose contents are one.
#pragma once

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Budget;
class Feed;
struct ArchiveReader;

/// See Packing::read. Checksums of streams are compared. What lies after the last stream, or after damage, is handed on as the rest:
/// of a legacy frame of LZ4, what begins with the damaged block.
void read_gzip(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_xz(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_zstd(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_lz4(Feed& packed, Budget& budget, const ArchiveReader& reader);

/// See Packing::is: frames that are to be skipped, and after them one of zstd or of LZ4.
bool is_zstd_behind_skippable(View head);
bool is_lz4_behind_skippable(View head);

}  // namespace unshade::unpack
