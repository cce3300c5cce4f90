// Compressed files that are streams one after the other, whose contents are one.
#pragma once

#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade::cli::unpack {

class Budget;
class Feed;
struct ArchiveReader;

/// What a frame of LZ4's older form begins with.
inline constexpr std::string_view kOlderLz4{"\x02\x21\x4c\x18"};

/// See Packing::read. Checksums of streams are compared. What lies behind the last stream, or behind damage, is handed on as the rest.
void read_gzip(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_xz(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_zstd(Feed& packed, Budget& budget, const ArchiveReader& reader);
void read_lz4(Feed& packed, Budget& budget, const ArchiveReader& reader);

/// See Packing::is: frames that are to be skipped, and behind them one of zstd or of LZ4.
bool is_zstd_behind_skippable(View head);
bool is_lz4_behind_skippable(View head);

}  // namespace unshade::cli::unpack
