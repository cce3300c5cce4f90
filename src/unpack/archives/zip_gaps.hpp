// Members of a zip that its directory does not have.
#pragma once

#include <cstddef>
#include <string>

#include <unshade/unpack/archive.hpp>
#include <unshade/unpack/feed.hpp>

namespace unshade::unpack {

/// See Packing::read_gap. Reads the members whose local headers lie in the gap: those of archives before the last one in the same file, and
/// those that were taken out of the directory alone.
void read_zip_gap(Feed& packed, const Range& gap, Budget& budget, const ArchiveReader& reader);

/// A feed that is watched for local headers.
class WatchedFeed final : public Feed {
 public:
  explicit WatchedFeed(Feed& feed) : feed_(&feed) {}

  std::size_t read(std::byte* into, std::size_t bytes) override;
  bool has_header() const { return has_header_; }

 private:
  Feed* feed_;
  std::string last_;  // the bytes in which a header may have begun
  bool has_header_ = false;
};

}  // namespace unshade::unpack
