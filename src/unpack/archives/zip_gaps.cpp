#include "unpack/archives/zip_gaps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>

#include "unpack/streams/cursor.hpp"

namespace unshade::unpack {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kGapPiece = std::size_t{1} << 16;
/// What it takes of the budget to open an archive, however small.
constexpr std::uint64_t kOpening = std::uint64_t{1} << 16;

/// src: PKWARE's APPNOTE.TXT, 4.3.7
constexpr std::size_t kLocalHeader = 30;
constexpr std::string_view kLocalMagic = "PK\x03\x04"sv;
constexpr std::uint8_t kMostVersion = 63;  // needed to extract: 6.3

struct LocalHeader {
  std::uint64_t at = 0;
  std::uint64_t data = 0;  ///< where it ends
};

std::size_t read_at(Feed& packed, std::uint64_t at, std::byte* into, std::size_t bytes) {
  packed.seek(at);
  std::size_t size = 0;
  for (std::size_t got = 1; got != 0 && size < bytes; size += got) got = packed.read(into + size, bytes - size);
  return size;
}

/// The first local header that is whole in some bytes; what it says of its size is not checked.
std::size_t find_header(View bytes, std::size_t at = 0) {
  for (; (at = bytes.text().find(kLocalMagic, at)) != std::string_view::npos && bytes.holds(at, kLocalHeader); ++at)
    if (*bytes.u8(at + 4) <= kMostVersion && *bytes.u16(at + 26) != 0) return at;
  return std::string_view::npos;
}

/// The first local header at or after an offset that ends in the gap.
std::optional<LocalHeader> next_header(Feed& packed, std::uint64_t at, std::uint64_t end) {
  if (end < kLocalHeader || at > end - kLocalHeader) return std::nullopt;
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(kGapPiece, end - at)));
  while (end - at >= kLocalHeader) {
    const std::size_t asked = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - at));
    const View bytes = View(piece).clamped(0, read_at(packed, at, piece.data(), asked));
    for (std::size_t i = 0; (i = find_header(bytes, i)) != std::string_view::npos; ++i) {
      const std::uint64_t data = at + i + kLocalHeader + *bytes.u16(i + 26) + *bytes.u16(i + 28);
      if (data <= end) return LocalHeader{at + i, data};
    }
    if (bytes.size() < asked || asked == end - at) break;
    at += asked - (kLocalHeader - 1);
  }
  return std::nullopt;
}

/// A gap from a local header on, and the record that ends an archive: where a file ends without one, the archive is damaged.
class GapFeed final : public Feed {
 public:
  GapFeed(Feed& packed, std::uint64_t at, std::uint64_t end) : packed_(&packed), left_(end - at) {
    packed.seek(at);
    std::memcpy(last_.data(), "PK\x05\x06", 4);
  }

  std::size_t read(std::byte* into, std::size_t bytes) override {
    if (left_ != 0) {
      const std::size_t got = packed_->read(into, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_)));
      left_ = got == 0 ? 0 : left_ - got;
      if (got != 0) return got;
    }
    const std::size_t got = std::min(bytes, last_.size() - sent_);
    std::copy_n(last_.begin() + static_cast<std::ptrdiff_t>(sent_), got, into);
    sent_ += got;
    return got;
  }

 private:
  Feed* packed_;
  std::uint64_t left_;
  std::array<std::byte, 22> last_{};
  std::size_t sent_ = 0;
};

/// Reads what begins at a local header. Returns where it ends; nothing after a fault.
std::optional<std::uint64_t> read_from(Feed& packed, std::uint64_t at, std::uint64_t end, Budget& budget, const ArchiveReader& reader) {
  std::optional<std::uint64_t> next;
  ArchiveReader inner;
  inner.member = reader.member;
  inner.fault = [&](Error error) {
    error.offset += at;
    reader.fault(error);
  };
  inner.rest = [&](std::uint64_t offset, Feed&) { next = at + std::max<std::uint64_t>(offset, kLocalHeader); };
  inner.covers = [&](std::uint64_t from, std::uint64_t to) { reader.covers(std::min(at + from, end), std::min(at + to, end)); };
  GapFeed feed(packed, at, end);
  read_archive(feed, budget, inner);
  return next;
}

}  // namespace

std::size_t WatchedFeed::read(std::byte* into, std::size_t bytes) {
  const std::size_t got = feed_->read(into, bytes);
  if (has_header_) return got;
  const std::string_view text(reinterpret_cast<const char*>(into), got);
  last_.append(text.substr(0, kLocalHeader));  // one that begins in what was read before ends here
  has_header_ = find_header(View(std::as_bytes(std::span(last_)))) != std::string_view::npos ||
                find_header(View(std::span(into, got))) != std::string_view::npos;
  if (got > kLocalHeader) last_ = text.substr(got - kLocalHeader);
  last_.erase(0, last_.size() - std::min(last_.size(), kLocalHeader - 1));
  return got;
}

void read_zip_gap(Feed& packed, const Range& gap, Budget& budget, const ArchiveReader& reader) {
  std::uint64_t end = gap.end;  // or where the header of the member begins that ends the gap
  std::optional<LocalHeader> header = next_header(packed, gap.begin, end);
  for (std::optional<LocalHeader> last = header; last; last = next_header(packed, last->at + 1, gap.end)) {
    if (last->data != gap.end) continue;
    end = last->at;
    reader.covers(last->at, last->data);
    break;
  }
  while (header && header->data <= end) {
    if (!budget.take(kOpening)) return reader.fault({ErrorCode::limit, header->at, {}, std::string(kBudgetSpent)});
    const auto next = read_from(packed, header->at, end, budget, reader);
    if (!next) return;
    header = next_header(packed, *next, end);
  }
}

}  // namespace unshade::unpack
