#include "cli/unpack/gzip.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/unpack/archive.hpp"
#include "cli/unpack/cursor.hpp"
#include "cli/unpack/feed.hpp"
#include "cli/unpack/streams.hpp"

namespace unshade::cli::unpack {

namespace {

/// A feed to which bytes can be given back.
class GivenBackFeed final : public Feed {
 public:
  explicit GivenBackFeed(Feed& rest) : rest_(&rest) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t again = std::min(bytes, given_.size() - at_);
    std::copy_n(given_.begin() + static_cast<std::ptrdiff_t>(at_), again, into);
    at_ += again;
    return again == bytes ? again : again + rest_->read(into + again, bytes - again);
  }
  void give_back(std::span<const std::byte> bytes) {
    std::vector<std::byte> given(bytes.begin(), bytes.end());
    given.insert(given.end(), given_.begin() + static_cast<std::ptrdiff_t>(at_), given_.end());
    given_ = std::move(given);
    at_ = 0;
  }

 private:
  Feed* rest_;
  std::vector<std::byte> given_;
  std::size_t at_ = 0;
};

/// The content of all streams.
class GzipFeed final : public Feed {
 public:
  GzipFeed(Feed& packed, Budget& budget, const StreamForm& form) : packed_(packed), budget_(&budget), form_(&form) { begin(); }

  std::size_t read(std::byte* into, std::size_t bytes) override {
    std::size_t got = 0;
    while (stream_ && got < bytes) {
      got += stream_->read(into + got, bytes - got);
      if (stream_->ended()) {
        end_stream();
      } else if (got < bytes) {
        break;  // it is damaged
      }
    }
    return got;
  }

  /// The stream that cannot be read on; null if all were.
  const StreamFeed* damaged() const { return stream_ ? &*stream_ : nullptr; }
  /// Packed bytes up to the end of the last stream or the damage.
  std::uint64_t offset() const { return offset_ + (stream_ ? stream_->packed_bytes() : 0); }
  /// What lies there.
  Feed& rest() { return packed_; }

 private:
  void begin() { stream_.emplace(*form_, packed_, *budget_); }
  void end_stream() {
    offset_ += stream_->packed_bytes();
    packed_.give_back(stream_->unused());
    stream_.reset();
    std::array<std::byte, kStreamHead> head;
    std::size_t size = 0;
    for (std::size_t got = 1; got != 0 && size < head.size(); size += got) got = packed_.read(head.data() + size, head.size() - size);
    const std::span<const std::byte> next(head.data(), size);
    packed_.give_back(next);
    if (form_->begins(View(next))) begin();
  }

  GivenBackFeed packed_;
  Budget* budget_;
  const StreamForm* form_;
  std::optional<StreamFeed> stream_;
  std::uint64_t offset_ = 0;
};

/// What is wrong with a stream, in zlib's words where there are no better ones.
std::string fault_of(const StreamFeed& stream) {
  if (stream.is_cut()) return "the stream ends before its checksum";
  const std::string_view fault = stream.fault();
  if (fault == "incorrect data check") return "the checksum of the content is wrong";
  if (fault == "incorrect length check") return "the stated size of the content is wrong";
  return "the stream is damaged: " + std::string(fault.empty() ? "it cannot be read on" : fault);
}

}  // namespace

void read_gzip(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  const StreamForm* const form = find_stream_form("gzip");
  GzipFeed content(packed, budget, *form);
  reader.member({{std::string(form->id)}, {}}, content);
  // to the checksum, wherever a format inside has its end
  for (std::array<std::byte, 4096> rest; content.read(rest.data(), rest.size()) != 0;) {
  }
  if (const StreamFeed* const damaged = content.damaged()) {
    if (budget.spent()) return reader.fault({ErrorCode::limit, content.offset(), "gzip", std::string(kBudgetSpent)});
    return reader.fault({damaged->is_cut() ? ErrorCode::truncated : ErrorCode::bad_value, content.offset(), "gzip", fault_of(*damaged)});
  }
  if (reader.rest) reader.rest(content.offset(), content.rest());
}

}  // namespace unshade::cli::unpack
