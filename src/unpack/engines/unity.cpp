#include "unpack/engines/unity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>

#include "unpack/streams/blocks.hpp"
#include "unpack/streams/cursor.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

constexpr std::size_t kMostVersionText = 64;
constexpr std::uint32_t kMostUnityInfo = 1U << 26;   // bytes of the list of blocks and files, unpacked
constexpr std::uint32_t kMostUnityBlock = 1U << 28;  // bytes of a block of LZ4, unpacked
constexpr std::uint32_t kFirstFormat = 6;
constexpr std::uint32_t kLastFormat = 8;
/// Since this format what follows the header begins at a multiple of 16.
constexpr std::uint32_t kFirstAligned = 7;
// flags of the bundle
constexpr std::uint32_t kCompression = 0x3f;
constexpr std::uint32_t kInfoAtEnd = 0x80;
/// Of Unity since 2020.3.34, 2021.3.2 and 2022.1.1: blocks begin at a multiple of 16. Before, and in China, it is encryption.
constexpr std::uint32_t kPaddedBlocks = 0x200;
constexpr std::uint32_t kEncrypted = 0x1400;

enum class UnityCompression : std::uint32_t { none = 0, lzma = 1, lz4 = 2, lz4_high = 3 };

std::uint64_t big_endian(View bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | *bytes.u8(at + i);
  return value;
}

/// A field after the other, of numbers with the highest byte first.
class Fields {
 public:
  explicit Fields(View bytes) : bytes_(bytes) {}

  std::uint64_t number(std::size_t size) {
    if (!bytes_.holds(at_, size)) {
      is_whole_ = false;
      return 0;
    }
    at_ += size;
    return big_endian(bytes_, at_ - size, size);
  }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::string text() {
    const auto text = bytes_.c_string(at_);
    is_whole_ = is_whole_ && text;
    if (!text) return {};
    at_ += text->size() + 1;
    return std::string(*text);
  }
  void skip(std::size_t size) {
    is_whole_ = is_whole_ && bytes_.holds(at_, size);
    at_ += size;
  }
  std::size_t left() const { return bytes_.left(at_); }
  bool is_whole() const { return is_whole_; }

 private:
  View bytes_;
  std::size_t at_ = 0;
  bool is_whole_ = true;
};

struct Block {
  std::uint32_t bytes = 0;
  std::uint32_t packed_bytes = 0;
  UnityCompression compression = UnityCompression::none;
};
struct Node {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string name;
};

/// Some bytes of a cursor.
class PartFeed final : public Feed {
 public:
  PartFeed(Cursor& cursor, std::uint64_t bytes) : cursor_(&cursor), left_(bytes) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t got = cursor_->read_some(into, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_)));
    left_ -= got;
    return got;
  }
  bool skip_rest() { return cursor_->skip(std::exchange(left_, 0)); }

 private:
  Cursor* cursor_;
  std::uint64_t left_;
};

/// LZMA as Unity stores it: the properties, and no size, which is known from elsewhere.
class LzmaBlock {
 public:
  LzmaBlock(Cursor& cursor, const Block& block, Budget& budget) : packed_(cursor, block.packed_bytes), properties_(), left_(block.bytes) {
    std::array<std::byte, kLzmaHead> head{};
    is_good_ = packed_.read(head.data(), kLzmaProperties) == kLzmaProperties;
    for (std::size_t i = 0; i < 8; ++i) head[kLzmaProperties + i] = static_cast<std::byte>(std::uint64_t{block.bytes} >> (8 * i) & 0xff);
    properties_ = head;
    replayed_ = std::make_unique<ReplayedFeed>(View(properties_), packed_);
    const StreamForm* const form = lzma_form();
    is_good_ = is_good_ && form != nullptr;
    if (is_good_) stream_ = std::make_unique<StreamFeed>(*form, *replayed_, budget);
  }

  std::size_t read(std::byte* into, std::size_t bytes) {
    if (!is_good_) return 0;
    const std::size_t got = stream_->read(into, std::min<std::size_t>(bytes, left_));
    left_ -= static_cast<std::uint32_t>(got);
    return got;
  }
  bool ended() const { return left_ == 0; }
  bool finish() { return packed_.skip_rest(); }

 private:
  PartFeed packed_;
  std::array<std::byte, kLzmaHead> properties_;
  std::unique_ptr<ReplayedFeed> replayed_;
  std::unique_ptr<StreamFeed> stream_;
  std::uint32_t left_;
  bool is_good_ = false;
};

/// The content of all blocks.
class BlocksFeed final : public Feed {
 public:
  BlocksFeed(Cursor& cursor, std::vector<Block> blocks, Budget& budget) : cursor_(&cursor), blocks_(std::move(blocks)), budget_(&budget) {}

  std::string fault;

  std::size_t read(std::byte* into, std::size_t bytes) override {
    std::size_t got = 0;
    while (got < bytes && fault.empty()) {
      if (lzma_ != nullptr) {
        const std::size_t count = lzma_->read(into + got, bytes - got);
        got += count;
        if (!lzma_->ended() && count == 0) fail("an LZMA block cannot be decompressed");
        if (lzma_->ended() && !lzma_->finish()) fail("a block is cut off");
        if (lzma_->ended()) lzma_ = nullptr;
        continue;
      }
      if (at_ == block_.size() && !next_block()) break;
      const std::size_t count = std::min(bytes - got, block_.size() - at_);
      std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(at_), count, into + got);
      at_ += count;
      got += count;
    }
    offset_ += got;
    return got;
  }
  std::uint64_t offset() const { return offset_; }

 private:
  bool fail(std::string_view message) {
    if (fault.empty() && !budget_->spent()) fault = message;
    return false;
  }

  bool next_block() {
    block_.clear();
    at_ = 0;
    if (number_ == blocks_.size()) return false;
    const Block& block = blocks_[number_++];
    if (block.bytes == 0) return cursor_->skip(block.packed_bytes) ? next_block() : fail("a block is cut off");
    if (block.compression == UnityCompression::lzma) {
      lzma_ = std::make_unique<LzmaBlock>(*cursor_, block, *budget_);
      return true;
    }
    const bool is_packed = block.compression != UnityCompression::none;
    if (!is_packed && block.bytes != block.packed_bytes) return fail("the compressed and decompressed sizes of a stored block differ");
    // as much as there is of what the block states
    constexpr std::size_t kStep = std::size_t{1} << 20;
    packed_.clear();
    while (packed_.size() < block.packed_bytes) {
      const std::size_t before = packed_.size();
      packed_.resize(std::min<std::size_t>(block.packed_bytes, before + kStep));
      if (!cursor_->read(packed_.data() + before, packed_.size() - before)) return fail("a block is cut off");
    }
    if (!is_packed) {
      block_.swap(packed_);
    } else {
      // what LZ4 makes of so many bytes at most
      block_.resize(block.bytes <= kMostUnityBlock && block.bytes / 255 <= packed_.size() ? block.bytes : 0);
      if (block_.empty() || !unpack_lz4_block(View(packed_), block_)) {
        block_.clear();
        return fail("a block of LZ4 cannot be unpacked");
      }
    }
    if (budget_->take(block_.size())) return true;
    block_.clear();
    return false;
  }

  Cursor* cursor_;
  std::vector<Block> blocks_;
  Budget* budget_;
  std::size_t number_ = 0;
  std::vector<std::byte> packed_, block_;
  std::unique_ptr<LzmaBlock> lzma_;
  std::size_t at_ = 0;        // in block_
  std::uint64_t offset_ = 0;  // of all blocks
};

/// A range of what the blocks hold.
class NodeFeed final : public Feed {
 public:
  NodeFeed(BlocksFeed& blocks, std::uint64_t bytes) : blocks_(&blocks), left_(bytes) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t got = blocks_->read(into, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_)));
    left_ -= got;
    return got;
  }

 private:
  BlocksFeed* blocks_;
  std::uint64_t left_;
};

struct BundleHeader {
  std::uint32_t format = 0;
  std::string revision;
  std::uint32_t packed_info = 0;
  std::uint32_t info = 0;
  std::uint32_t flags = 0;
  std::uint64_t end = 0;
};

/// Whether flag 0x200 is padding of blocks in this version of Unity: `2021.3.2f1`.
bool pads_blocks(std::string_view revision) {
  std::array<unsigned, 3> version{};
  std::size_t part = 0;
  for (const char c : revision) {
    if (c == '.' && ++part < version.size()) continue;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || part == version.size()) break;
    version[part] = std::min(10 * version[part] + static_cast<unsigned>(c - '0'), 100'000U);
  }
  constexpr std::array<std::array<unsigned, 3>, 3> kFirst{{{2020, 3, 34}, {2021, 3, 2}, {2022, 1, 1}}};
  for (const auto& first : kFirst)
    if (version[0] == first[0]) return version >= first;
  return version[0] > 2022;
}

std::optional<BundleHeader> read_bundle_header(Cursor& cursor, const ArchiveReader& reader) {
  constexpr std::size_t kMagic = 8;
  std::vector<std::byte> head(kMagic + 4 + 2 * kMostVersionText + 20);
  head.resize(cursor.read_some(head.data(), head.size()));
  Fields fields{View(head)};
  fields.skip(kMagic);
  BundleHeader header;
  header.format = fields.u32();
  fields.text();
  header.revision = fields.text();
  fields.skip(8);  // the size of the bundle
  header.packed_info = fields.u32();
  header.info = fields.u32();
  header.flags = fields.u32();
  header.end = head.size() - fields.left();
  const auto fail = [&](ErrorCode code, std::string_view message) {
    reader.fault(fault_at(code, cursor, {}, message));
    return std::nullopt;
  };
  if (!fields.is_whole()) return fail(ErrorCode::truncated, "the header of the bundle is cut off, or its version of Unity is too long");
  if (header.format < kFirstFormat || header.format > kLastFormat) {
    Text text;
    (text << "bundles of format ").dec(header.format) << " are not supported, only 6 to 8";
    return fail(ErrorCode::unsupported, text.view());
  }
  if ((header.flags & kEncrypted) != 0 || ((header.flags & kPaddedBlocks) != 0 && !pads_blocks(header.revision)))
    return fail(ErrorCode::unsupported, "the bundle is encrypted");
  if (header.packed_info > kMostUnityInfo || header.info > kMostUnityInfo)
    return fail(ErrorCode::limit, "the list of files states too many bytes");
  return header;
}

/// The list of blocks and files.
std::optional<std::vector<std::byte>> read_bundle_info(Cursor& cursor, const BundleHeader& header, Budget& budget) {
  std::vector<std::byte> packed(header.packed_info);
  if (!cursor.read(packed.data(), packed.size())) return std::nullopt;
  MemoryFeed memory{View(packed)};
  Cursor source(memory);
  const auto compression = static_cast<UnityCompression>(header.flags & kCompression);
  if (compression == UnityCompression::none && header.info != header.packed_info) return std::nullopt;
  BlocksFeed content(source, {{header.info, header.packed_info, compression}}, budget);
  std::vector<std::byte> info;
  constexpr std::size_t kStep = std::size_t{1} << 16;
  while (info.size() < header.info) {
    const std::size_t before = info.size();
    info.resize(std::min<std::size_t>(header.info, before + kStep));
    const std::size_t got = content.read(info.data() + before, info.size() - before);
    if (got != info.size() - before) return std::nullopt;
  }
  return info;
}

bool is_known(UnityCompression compression) { return compression <= UnityCompression::lz4_high; }

/// Blocks and files of a list. False: it is damaged.
bool parse_bundle_info(View info, std::vector<Block>& blocks, std::vector<Node>& nodes) {
  Fields fields(info);
  fields.skip(16);  // a hash of the content
  const std::uint32_t block_count = fields.u32();
  constexpr std::size_t kBlockBytes = 10;
  if (block_count > fields.left() / kBlockBytes) return false;
  for (std::uint32_t i = 0; i < block_count; ++i) {
    Block block;
    block.bytes = fields.u32();
    block.packed_bytes = fields.u32();
    block.compression = static_cast<UnityCompression>(fields.number(2) & kCompression);
    blocks.push_back(block);
  }
  const std::uint32_t node_count = fields.u32();
  constexpr std::size_t kLeastNode = 21;
  if (node_count > fields.left() / kLeastNode) return false;
  for (std::uint32_t i = 0; i < node_count; ++i) {
    Node node;
    node.offset = fields.number(8);
    node.bytes = fields.number(8);
    fields.skip(4);
    node.name = fields.text();
    nodes.push_back(std::move(node));
  }
  std::stable_sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.offset < b.offset; });
  return fields.is_whole();
}

}  // namespace

void read_unity_bundle(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  Cursor cursor(packed);
  const auto header = read_bundle_header(cursor, reader);
  if (!header) return;
  constexpr std::uint64_t kAlign = 16;
  const auto aligned = [](std::uint64_t offset) { return (offset + kAlign - 1) / kAlign * kAlign; };
  const std::uint64_t start = header->format >= kFirstAligned ? aligned(header->end) : header->end;
  const std::uint64_t size = packed.size().value_or(0);
  const auto damaged = [&](std::string_view message) { reader.fault(fault_at(ErrorCode::bad_value, cursor, {}, message)); };
  const bool at_end = (header->flags & kInfoAtEnd) != 0;
  if (header->packed_info > size || start > size) return damaged("the list of files is cut off");
  cursor.seek(at_end ? size - header->packed_info : start);
  const auto info = read_bundle_info(cursor, *header, budget);
  if (!info) return damaged("the list of files cannot be unpacked");
  std::vector<Block> blocks;
  std::vector<Node> nodes;
  if (!parse_bundle_info(View(*info), blocks, nodes)) return damaged("the list of files is cut off");
  if (!std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return is_known(block.compression); }))
    return reader.fault(fault_at(ErrorCode::unsupported, cursor, {}, "unsupported compression of a block (LZHAM, or unknown)"));
  std::uint64_t data = at_end ? start : start + header->packed_info;
  if ((header->flags & kPaddedBlocks) != 0) data = aligned(data);
  cursor.seek(data);
  BlocksFeed content(cursor, std::move(blocks), budget);
  Cursor place(content);
  for (const Node& node : nodes) {
    const Member member{{"unityfs"}, node.name.empty() ? "?" : node.name};
    const auto fail = [&](ErrorCode code, std::string_view message) { reader.fault(fault_at(code, cursor, member.name, message)); };
    if (node.offset < content.offset()) {
      fail(ErrorCode::bad_value, "the file overlaps the one before it");
      continue;
    }
    bool is_there = place.skip(node.offset - content.offset());
    bool go_on = true;
    if (is_there) {
      const std::uint64_t end = node.bytes > ~node.offset ? ~std::uint64_t{0} : node.offset + node.bytes;
      NodeFeed feed(content, node.bytes);
      go_on = reader.member(member, feed);
      is_there = place.skip(end - content.offset());
    }
    if (budget.spent()) return fail(ErrorCode::limit, kBudgetSpent);
    if (!content.fault.empty()) return fail(ErrorCode::bad_value, content.fault);
    if (!is_there) return fail(ErrorCode::truncated, "the file reaches beyond the blocks");
    if (!go_on) return;
  }
}

bool is_unity_serialized(View head) {
  constexpr std::uint64_t kFirstVersion = 9;
  constexpr std::uint64_t kFirst64 = 22;
  constexpr std::uint64_t kLastVersion = 64;
  constexpr std::size_t kLongHeader = 48;
  if (head.size() < kLongHeader + 8) return false;
  const std::uint64_t version = big_endian(head, 8, 4);
  if (version < kFirstVersion || version > kLastVersion) return false;
  const bool is_long = version >= kFirst64;
  const std::uint64_t metadata = is_long ? big_endian(head, 20, 4) : big_endian(head, 0, 4);
  const std::uint64_t size = is_long ? big_endian(head, 24, 8) : big_endian(head, 4, 4);
  const std::uint64_t data = is_long ? big_endian(head, 32, 8) : big_endian(head, 12, 4);
  if (metadata > size || data > size || *head.u8(16) > 1) return false;
  // `5.6.7f1`, `2022.3.10f1`
  const auto text = head.c_string(is_long ? kLongHeader : 20);
  if (!text || text->size() < 5 || text->size() > kMostVersionText || (*text)[0] < '1' || (*text)[0] > '9') return false;
  return std::count(text->begin(), text->end(), '.') >= 2 && std::all_of(text->begin(), text->end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
         });
}

}  // namespace unshade::unpack
