// The descriptions of MSF 7.00.
#pragma once

#include <cstdint>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/dxcontainer/msf.hpp>

namespace unshade::dxcontainer::pdb {

/// Block 0. Bytes: 52, then the block numbers of the directory map.
struct Superblock {
  View magic;
  std::uint32_t block_bytes = 0;
  std::uint32_t free_block_map = 0;
  std::uint32_t block_count = 0;
  std::uint32_t directory_bytes = 0;
  std::uint32_t unknown = 0;
  View directory_map_blocks;

  /// Blocks that `bytes` take.
  std::uint32_t blocks_for(std::uint64_t bytes) const {
    return block_bytes == 0 ? 0 : static_cast<std::uint32_t>((bytes + block_bytes - 1) / block_bytes);
  }
};

template <class Archive>
void describe(Archive& a, Superblock& s) {
  a.raw("magic", s.magic, kMsfMagic.size(), kText);
  if (a.ok() && Archive::kReads && s.magic.text() != kMsfMagic) a.fail_at(ErrorCode::bad_magic, 0, "magic", "not an MSF 7.00 file");
  a.u32("block_bytes", s.block_bytes);
  if (a.ok() && Archive::kReads && (s.block_bytes < 512 || s.block_bytes > 32768 || (s.block_bytes & (s.block_bytes - 1)) != 0))
    a.fail_at(ErrorCode::bad_value, kMsfMagic.size(), "block_bytes", "expected a power of two from 512 to 32768");
  a.u32("free_block_map", s.free_block_map);
  a.u32("block_count", s.block_count);
  a.u32("directory_bytes", s.directory_bytes);
  a.u32("reserved", s.unknown);
  const std::size_t map_blocks = s.blocks_for(std::uint64_t{s.blocks_for(s.directory_bytes)} * 4);
  u32_list(a, "directory_map_blocks", s.directory_map_blocks, map_blocks);
}

/// Size of a stream that was deleted.
inline constexpr std::uint32_t kAbsentStream = 0xffff'ffff;

/// The stream directory: u32 count, u32 size of each, then the block numbers of each.
struct Directory {
  std::uint32_t stream_count = 0;
  View sizes;
  View blocks;
};

template <class Archive>
void describe(Archive& a, Directory& d, std::uint32_t block_bytes) {
  counted(a, "stream_count", d.stream_count, "stream_sizes");
  u32_list(a, "stream_sizes", d.sizes, d.stream_count);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < d.sizes.size() / 4; ++i) {
    const std::uint32_t size = list_u32(d.sizes, i);
    if (size != kAbsentStream) count += (std::uint64_t{size} + block_bytes - 1) / block_bytes;
  }
  u32_list(a, "stream_blocks", d.blocks, static_cast<std::size_t>(count));
}

}  // namespace unshade::dxcontainer::pdb
