#include "unpack/engines/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>

#include "unpack/streams/cursor.hpp"

#if defined(UNSHADE_HAS_ARCHIVES)
#include <lz4.h>
#include <zstd.h>
#endif

namespace unshade::unpack {

namespace {

constexpr std::uint32_t kMostHeader = 1U << 26;  // bytes, with the thumbnail
constexpr std::uint32_t kMostName = 1U << 12;    // characters of a section's name
constexpr unsigned kMostSections = 1024;
/// Captures before 1.0 have another form.
constexpr std::uint32_t kFirstVersion = 0x100;
constexpr std::size_t kSectionHead = 40;
// flags of a section
constexpr std::uint32_t kLz4 = 0x2;
constexpr std::uint32_t kZstd = 0x4;
/// What a block holds at most: LZ4's were of 64 KiB in older versions, and are of 1 MiB; those of zstd are of 128 KiB.
constexpr std::size_t kMostBlock = std::size_t{1} << 20;
constexpr std::size_t kMostPackedBlock = kMostBlock + kMostBlock / 255 + 16;

/// What a section holds.
class SectionFeed final : public Feed {
 public:
  SectionFeed(Cursor& cursor, std::uint64_t packed, std::uint32_t flags, Budget& budget)
      : cursor_(cursor), left_(packed), flags_(flags), budget_(budget) {}

  std::string fault;

  std::size_t read(std::byte* into, std::size_t bytes) override {
    std::size_t got = 0;
    while (got < bytes && fault.empty()) {
      if (at_ == block_.size() && !next_block()) break;
      const std::size_t count = std::min(bytes - got, block_.size() - at_);
      std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(at_), count, into + got);
      at_ += count;
      got += count;
    }
    return got;
  }
  /// Goes to the end of the section in the file.
  bool finish() { return cursor_.skip(std::exchange(left_, 0)); }

 private:
  bool fail(std::string_view message) {
    if (fault.empty()) fault = message;
    block_.clear();
    at_ = 0;
    return false;
  }

  bool next_block() {
    if (left_ == 0) return false;
    const bool is_packed = (flags_ & (kLz4 | kZstd)) != 0;
    std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kMostBlock));
    if (is_packed) {
      std::array<std::byte, 4> head;
      if (left_ < head.size() || !cursor_.read(head.data(), head.size())) return fail("a block of the section is cut off");
      left_ -= head.size();
      size = View(head).load_unchecked<std::uint32_t>(0);
      if (size > left_ || size > kMostPackedBlock) return fail("a block of the section states more bytes than it may have");
    }
    packed_.resize(size);
    if (!cursor_.read(packed_.data(), size)) return fail("a block of the section is cut off");
    left_ -= size;
    at_ = 0;
    if (!is_packed) {
      block_.swap(packed_);
    } else if (!unpack()) {
      return fail("a block of the section cannot be unpacked");
    }
    return !block_.empty() && budget_.take(block_.size() + 1) ? true : fail(budget_.spent() ? "" : "a block of the section is empty");
  }

#if defined(UNSHADE_HAS_ARCHIVES)
  bool unpack() {
    if ((flags_ & kLz4) != 0) {
      // each block looks back into the one before
      before_.swap(block_);
      block_.resize(kMostBlock);
      const int size = LZ4_decompress_safe_usingDict(reinterpret_cast<const char*>(packed_.data()), reinterpret_cast<char*>(block_.data()),
                                                     static_cast<int>(packed_.size()), static_cast<int>(block_.size()),
                                                     reinterpret_cast<const char*>(before_.data()), static_cast<int>(before_.size()));
      block_.resize(static_cast<std::size_t>(std::max(size, 0)));
      return size > 0;
    }
    block_.resize(kMostBlock);
    const std::size_t size = ZSTD_decompress(block_.data(), block_.size(), packed_.data(), packed_.size());
    const bool is_good = ZSTD_isError(size) == 0;
    block_.resize(is_good ? size : 0);
    return is_good;
  }
#else
  bool unpack() { return false; }
#endif

  Cursor& cursor_;
  std::uint64_t left_;  // packed bytes
  std::uint32_t flags_;
  Budget& budget_;
  std::vector<std::byte> packed_, block_, before_;
  std::size_t at_ = 0;  // in block_
};

/// Up to the first section. False: a fault was told.
bool read_head(Cursor& cursor, const ArchiveReader& reader) {
  const auto cut = [&] {
    reader.fault(fault_at(ErrorCode::truncated, cursor, {}, "the header of the capture is cut off"));
    return false;
  };
  std::array<std::byte, 32> head;
  if (!cursor.read(head.data(), head.size())) return cut();
  const View view(head);
  const auto version = view.load_unchecked<std::uint32_t>(8);
  const auto length = view.load_unchecked<std::uint32_t>(12);
  if (version < kFirstVersion) {
    reader.fault(fault_at(ErrorCode::unsupported, cursor, {}, "the capture is of a RenderDoc before 1.0"));
    return false;
  }
  if (length < head.size() || length > kMostHeader) {
    Text text;
    (text << "the header of the capture states ").dec(length) << " bytes";
    reader.fault(fault_at(ErrorCode::bad_value, cursor, {}, text.view()));
    return false;
  }
  // the rest of the header has the thumbnail and what the capture was made by; its length covers both
  return cursor.skip(length - head.size()) ? true : cut();
}

}  // namespace

void read_capture(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  Cursor cursor(packed);
  if (!read_head(cursor, reader)) return;
  for (unsigned number = 0; number < kMostSections; ++number) {
    std::array<std::byte, kSectionHead> head;
    if (!cursor.read(head.data(), 1)) return;  // the end
    if (head[0] != std::byte{0}) return reader.fault(fault_at(ErrorCode::unsupported, cursor, {}, "text sections are not supported"));
    if (!cursor.read(head.data() + 1, head.size() - 1))
      return reader.fault(fault_at(ErrorCode::truncated, cursor, {}, "the header of a section is cut off"));
    const View view(head);
    const auto size = *view.load<std::uint64_t>(8);
    const auto flags = view.load_unchecked<std::uint32_t>(32);
    const auto name_size = view.load_unchecked<std::uint32_t>(36);
    if (name_size > kMostName) return reader.fault(fault_at(ErrorCode::limit, cursor, {}, "the name of a section is too long"));
    std::vector<std::byte> name(name_size);
    if (!cursor.read(name.data(), name.size()))
      return reader.fault(fault_at(ErrorCode::truncated, cursor, {}, "the name of a section is cut off"));
    std::string text(View(name).text());
    text.resize(std::min(text.find('\0'), text.size()));
    Member member{{"rdc"}, text};
    if ((flags & kLz4) != 0) member.forms.emplace_back("lz4");
    if ((flags & kZstd) != 0) member.forms.emplace_back("zstd");
    if (member.name.empty()) member.name = "section" + std::to_string(number);
    SectionFeed feed(cursor, size, flags, budget);
    const bool go_on = reader.member(member, feed);
    if (budget.spent()) return reader.fault(fault_at(ErrorCode::limit, cursor, member.name, kBudgetSpent));
    if (!feed.fault.empty()) reader.fault(fault_at(ErrorCode::bad_value, cursor, member.name, feed.fault));
    if (!go_on) return;
    if (!feed.finish()) return reader.fault(fault_at(ErrorCode::truncated, cursor, member.name, "the section is cut off"));
  }
}

}  // namespace unshade::unpack
