// The database writer allocates blocks as its streams grow, so that only their numbers say where things lie: they are fields here, not
// hints. The rest follows. observed, in all 76 parts of the corpus: of the two free block maps the first says that nothing from block 6 on
// is in use, the second that blocks 3 to 5 and those behind the last one are free; unused blocks 4 and 5 keep an older state.
#include "dxbc/spdb_document.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/msf.hpp>

#include "core/value_fields.hpp"
#include "dxcontainer/msf_layout.hpp"

namespace unshade::dxbc {

namespace {

using dxcontainer::PartContext;

constexpr std::uint32_t kFirstMapBlock = 1;
constexpr std::uint32_t kSecondMapBlock = 2;
constexpr std::uint32_t kFirstUnused = 6;  ///< of an empty database
constexpr std::uint32_t kFirstFreed = 3;

struct Stream {
  bool is_absent = false;
  std::vector<std::uint32_t> blocks;
  View bytes;
  View slack;  ///< what an older state left in the last block
};

/// A block that no stream has.
struct OldBlock {
  std::uint32_t block = 0;
  View bytes;  ///< without zeros at its end
};

struct Database {
  std::uint32_t block_bytes = 512;
  std::uint32_t block_count = 0;
  std::uint32_t free_block_map = kSecondMapBlock;
  std::vector<std::uint32_t> directory_map_blocks;
  std::vector<std::uint32_t> directory_blocks;
  std::vector<Stream> streams;
  std::vector<OldBlock> old_blocks;
};

template <class Archive>
void describe(Archive& a, Stream& s) {
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
void describe(Archive& a, OldBlock& o) {
  a.u32("block", o.block);
  a.raw("bytes", o.bytes, o.bytes.size());
}

template <class Archive>
void describe(Archive& a, Database& d) {
  a.u32("block_bytes", d.block_bytes);
  a.u32("block_count", d.block_count);
  a.u32("free_block_map", d.free_block_map);
  a.u32_list("directory_map_blocks", d.directory_map_blocks);
  a.u32_list("directory_blocks", d.directory_blocks);
  a.records("streams", d.streams, 0, 0);
  a.records("old_blocks", d.old_blocks, 0, 0);
}

View without_zeros(View bytes) { return bytes.clamped(0, bytes.text().find_last_not_of('\0') + 1); }

void append_word(std::vector<std::byte>& to, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) to.push_back(static_cast<std::byte>(word >> (8 * i)));
}

/// The file while it is made: everything goes to blocks.
class Blocks {
 public:
  Blocks(std::uint32_t block_bytes, std::uint32_t count) : block_bytes_(block_bytes), file_(std::size_t{block_bytes} * count) {}

  /// False where there are too few blocks, or one does not exist.
  bool put(const std::vector<std::uint32_t>& blocks, std::span<const std::byte> bytes) {
    if (blocks.size() < (bytes.size() + block_bytes_ - 1) / block_bytes_) return false;
    for (const std::uint32_t block : blocks) {
      if (block >= file_.size() / block_bytes_) return false;
      last_ = std::max(last_, block);
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), block_bytes_));
      std::copy(piece.begin(), piece.end(), file_.begin() + static_cast<std::ptrdiff_t>(std::size_t{block} * block_bytes_));
      bytes = bytes.subspan(piece.size());
    }
    return true;
  }
  template <class IsFree>
  void put_map(std::uint32_t block, IsFree&& is_free) {
    std::vector<std::byte> map(block_bytes_);
    for (std::uint32_t i = 0; i < 8 * block_bytes_; ++i)
      if (is_free(i)) map[i / 8] |= std::byte{1} << (i % 8);
    put({block}, map);
  }
  std::uint32_t last() const { return last_; }
  std::vector<std::byte> take() { return std::move(file_); }

 private:
  std::uint32_t block_bytes_;
  std::vector<std::byte> file_;
  std::uint32_t last_ = 0;
};

}  // namespace

Result<Value> spdb_to_value(const dxcontainer::Part& part, const PartContext&, Places places) {
  const auto msf = dxcontainer::parse_msf(part.data);
  if (!msf) return msf.error();
  Database d;
  d.block_bytes = msf->block_bytes;
  d.block_count = msf->block_count;
  d.free_block_map = msf->free_block_map;
  d.directory_map_blocks = msf->directory_map.blocks;
  d.directory_blocks = msf->directory.blocks;
  std::vector<bool> used(part.data.size() / d.block_bytes + 1);
  const auto use = [&](const std::vector<std::uint32_t>& blocks) {
    for (const std::uint32_t block : blocks)
      if (block < used.size()) used[block] = true;
  };
  use({0, kFirstMapBlock, kSecondMapBlock});
  use(d.directory_map_blocks);
  use(d.directory_blocks);
  std::vector<dxcontainer::MsfBytes> bytes;  // a stream in one piece borrows nothing that moves
  bytes.reserve(msf->streams.size());
  for (const dxcontainer::MsfStream& stream : msf->streams) {
    use(stream.blocks);
    Stream made;
    made.is_absent = stream.absent;
    made.blocks = stream.blocks;
    made.bytes = bytes.emplace_back(msf->bytes(stream)).view();
    if (const std::size_t in_last = stream.size % d.block_bytes; in_last != 0 && !stream.blocks.empty())
      made.slack = without_zeros(part.data.clamped(std::size_t{stream.blocks.back()} * d.block_bytes + in_last, d.block_bytes - in_last));
    d.streams.push_back(std::move(made));
  }
  for (std::uint32_t block = 0; block < part.data.size() / d.block_bytes; ++block) {
    const View old = without_zeros(part.data.clamped(std::size_t{block} * d.block_bytes, d.block_bytes));
    if (!used[block] && !old.empty()) d.old_blocks.push_back({block, old});
  }
  return value_of(d, places);
}

Result<std::vector<std::byte>> spdb_from_value(const PartContext& context, const Value& value) {
  Database d;
  ValueStore store;
  if (auto read = read_value(value, store, d); !read) return std::move(read).error();
  const auto fail = [&](ErrorCode code, std::string path, const char* message) {
    return Error{code, value.text_offset, std::move(path), message};
  };
  constexpr std::uint32_t kLeast = 512;
  constexpr std::uint32_t kMost = 32768;
  if (d.block_bytes < kLeast || d.block_bytes > kMost || (d.block_bytes & (d.block_bytes - 1)) != 0)
    return fail(ErrorCode::bad_value, "block_bytes", "not a power of two from 512 to 32768");
  if (std::uint64_t{d.block_bytes} * d.block_count > context.most) return dxcontainer::too_large(value);
  if (d.block_count < kFirstFreed) return fail(ErrorCode::bad_value, "block_count", "too few blocks for a database");

  std::vector<std::byte> directory;
  append_word(directory, static_cast<std::uint32_t>(d.streams.size()));
  for (const Stream& stream : d.streams)
    append_word(directory, stream.is_absent ? dxcontainer::kAbsentStream : static_cast<std::uint32_t>(stream.bytes.size()));
  for (const Stream& stream : d.streams)
    for (const std::uint32_t block : stream.blocks) append_word(directory, block);
  std::vector<std::byte> map;
  for (const std::uint32_t block : d.directory_blocks) append_word(map, block);
  std::vector<std::byte> superblock(dxcontainer::kMsfMagic.size());
  std::memcpy(superblock.data(), dxcontainer::kMsfMagic.data(), superblock.size());
  for (const std::uint32_t word :
       {d.block_bytes, d.free_block_map, d.block_count, static_cast<std::uint32_t>(directory.size()), std::uint32_t{0}})
    append_word(superblock, word);
  for (const std::uint32_t block : d.directory_map_blocks) append_word(superblock, block);

  Blocks blocks(d.block_bytes, d.block_count);
  const auto no_room = [&](std::string path) { return fail(ErrorCode::out_of_range, std::move(path), "the blocks do not hold it"); };
  for (std::size_t i = 0; i < d.streams.size(); ++i) {
    const Stream& stream = d.streams[i];
    std::vector<std::byte> bytes(stream.bytes.bytes().begin(), stream.bytes.bytes().end());
    bytes.insert(bytes.end(), stream.slack.bytes().begin(), stream.slack.bytes().end());
    if (!blocks.put(stream.blocks, bytes)) return no_room("streams[" + std::to_string(i) + "]/blocks");
  }
  if (!blocks.put(d.directory_blocks, directory)) return no_room("directory_blocks");
  if (!blocks.put(d.directory_map_blocks, map)) return no_room("directory_map_blocks");
  const std::uint32_t last = blocks.last();
  for (const OldBlock& old : d.old_blocks)
    if (!blocks.put({old.block}, old.bytes.bytes())) return no_room("old_blocks");
  if (!blocks.put({0}, superblock)) return no_room("directory_map_blocks");
  blocks.put_map(kFirstMapBlock, [](std::uint32_t block) { return block >= kFirstUnused; });
  blocks.put_map(kSecondMapBlock, [&](std::uint32_t block) { return (block >= kFirstFreed && block < kFirstUnused) || block > last; });
  return blocks.take();
}

}  // namespace unshade::dxbc
