// The members of an SPDB document that describe the database around its streams.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxbc {

inline constexpr const char* kStreams = "streams";

struct SpdbStream {
  bool is_absent = false;
  std::vector<std::uint32_t> blocks;
  View bytes;
  View slack;  ///< bytes after the end of the data in the last block
};

/// A block that no stream has.
struct SpdbOldBlock {
  std::uint32_t block = 0;
  View bytes;  ///< without zeros at its end
};

struct SpdbFile {
  std::uint32_t block_bytes = 512;
  std::uint32_t block_count = 0;
  std::uint32_t free_block_map = 2;
  std::vector<std::uint32_t> directory_map_blocks;
  std::vector<std::uint32_t> directory_blocks;
  std::vector<SpdbStream> streams;
  std::vector<SpdbOldBlock> old_blocks;
};

template <class Archive>
void describe(Archive& a, SpdbStream& s) {
  auto absent = static_cast<std::uint32_t>(s.is_absent);
  if (kReadsValues<Archive> || s.is_absent) a.u32("absent", absent);
  s.is_absent = absent != 0;
  a.u32_list("blocks", s.blocks);
  // Sources are text.
  bool is_text = text_value(s.bytes.text()).as_text() != nullptr;
  if constexpr (kReadsValues<Archive>) is_text = a.has("text");
  a.raw(is_text ? "text" : "bytes", s.bytes, s.bytes.size(), is_text ? kText : kBytes);
  a.raw("slack", s.slack, s.slack.size());
}

template <class Archive>
void describe(Archive& a, SpdbOldBlock& o) {
  a.u32("block", o.block);
  a.raw("bytes", o.bytes, o.bytes.size());
}

template <class Archive>
void describe(Archive& a, SpdbFile& d) {
  a.u32("block_bytes", d.block_bytes);
  a.u32("block_count", d.block_count);
  a.u32("free_block_map", d.free_block_map);
  a.u32_list("directory_map_blocks", d.directory_map_blocks);
  a.u32_list("directory_blocks", d.directory_blocks);
  a.records(kStreams, d.streams, 0, 0);
  a.records("old_blocks", d.old_blocks, 0, 0);
}

}  // namespace unshade::dxbc
