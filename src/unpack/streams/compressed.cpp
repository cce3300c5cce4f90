#include "unpack/streams/compressed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/unpack/archive.hpp>
#include <unshade/unpack/feed.hpp>
#include "unpack/streams/cursor.hpp"
#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

/// src: RFC 8878, 3.1.2; LZ4's lz4_Frame_format.md has the same ones
bool is_skippable(View from) { return (from.u32(0).value_or(0) & 0xfffffff0) == 0x184d2a50; }

struct FileForm {
  std::string_view stream;       ///< its name among the forms of streams
  bool has_skippable = false;    ///< frames without content may lie before, between and after the streams
  std::size_t padding_unit = 0;  ///< zeros may lie between the streams, a multiple of so many bytes
};
constexpr FileForm kGzipFile{"gzip"};
constexpr FileForm kXzFile{"xz", false, 4};  // src: xz-file-format.txt, 2.2
constexpr FileForm kZstdFile{"zstd", true};
constexpr FileForm kLz4File{"lz4", true};

/// The content of all streams.
class StreamsFeed final : public Feed {
 public:
  StreamsFeed(Feed& packed, Budget& budget, const FileForm& form, const StreamForm& stream_form)
      : form_(&form), stream_form_(&stream_form), stream_(stream_form, packed, budget) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    std::size_t got = 0;
    while (got < bytes) {
      got += stream_.read(into + got, bytes - got);
      if (!stream_.ended() || !follows() || !stream_.go_on()) break;
    }
    return got;
  }

  /// The last stream: if it has not ended, it cannot be read on.
  const StreamFeed& last() const { return stream_; }

 private:
  /// Whether a stream follows the one that ended. Passes over padding, in which nothing is found.
  bool follows() {
    View next = stream_.behind(kStreamHead);
    while (form_->padding_unit != 0 && next.size() >= form_->padding_unit &&
           std::ranges::all_of(next.bytes().first(form_->padding_unit), [](std::byte b) { return b == std::byte{}; })) {
      stream_.pass(form_->padding_unit);
      next = stream_.behind(kStreamHead);
    }
    return stream_form_->begins(next) || (form_->has_skippable && is_skippable(next));
  }

  const FileForm* form_;
  const StreamForm* stream_form_;
  StreamFeed stream_;
};

/// What is wrong with a stream, in the words of its library where there are no better ones.
std::string fault_of(const StreamFeed& stream) {
  if (stream.is_cut()) return "the stream is truncated";
  const std::string_view fault = stream.fault();
  if (fault == "incorrect data check") return "the checksum of the content is wrong";
  if (fault == "incorrect length check") return "the stated size of the content is wrong";
  return fault.empty() ? "the stream is damaged" : "the stream cannot be unpacked: " + std::string(fault);
}

void read_streams(const FileForm& form, Feed& packed, Budget& budget, const ArchiveReader& reader) {
  const StreamForm* const stream_form = find_stream_form(form.stream);
  if (stream_form == nullptr) return read_compressed(packed, budget, reader);  // which says what is missing
  StreamsFeed content(packed, budget, form, *stream_form);
  reader.member({{std::string(form.stream)}, {}}, content);
  // to the checksum, wherever a format inside has its end
  for (std::array<std::byte, 4096> rest; content.read(rest.data(), rest.size()) != 0;) {
  }
  const StreamFeed& last = content.last();
  if (!last.ended()) {
    const std::string path(form.stream);
    if (budget.spent()) return reader.fault({ErrorCode::limit, last.packed_bytes(), path, std::string(kBudgetSpent)});
    reader.fault({last.is_cut() ? ErrorCode::truncated : ErrorCode::bad_value, last.packed_bytes(), path, fault_of(last)});
  }
  if (!reader.rest) return;
  ReplayedFeed rest(View(last.unused()), packed);
  reader.rest(last.packed_bytes(), rest);
}

bool begins_behind_skippable(View head, const FileForm& form) {
  std::uint64_t at = 0;
  const auto from = [&] { return head.clamped(static_cast<std::size_t>(at), kStreamHead); };
  while (at < head.size() && is_skippable(from())) at += 8 + std::uint64_t{from().u32(4).value_or(0)};
  const StreamForm* const stream_form = find_stream_form(form.stream);
  return at != 0 && at < head.size() && stream_form != nullptr && stream_form->begins(from());
}

}  // namespace

void read_gzip(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_streams(kGzipFile, packed, budget, reader); }
void read_xz(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_streams(kXzFile, packed, budget, reader); }
void read_zstd(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_streams(kZstdFile, packed, budget, reader); }
void read_lz4(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_streams(kLz4File, packed, budget, reader); }

bool is_zstd_behind_skippable(View head) { return begins_behind_skippable(head, kZstdFile); }
bool is_lz4_behind_skippable(View head) { return begins_behind_skippable(head, kLz4File); }

}  // namespace unshade::unpack
