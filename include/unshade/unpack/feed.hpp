// Bytes that come one after the other, out of files and whatever holds other files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Feed {
 public:
  Feed() = default;
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  virtual ~Feed() = default;

  /// Reads up to so many bytes: fewer at the end, or after a fault, which whoever made the feed knows.
  virtual std::size_t read(std::byte* into, std::size_t bytes) = 0;
  /// The size, if the feed can go to any offset.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  virtual void seek(std::uint64_t) {}
};

class MemoryFeed final : public Feed {
 public:
  explicit MemoryFeed(View bytes) : bytes_(bytes) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const View next = bytes_.clamped(at_, bytes);
    if (next.size() != 0) std::memcpy(into, next.bytes().data(), next.size());
    at_ += next.size();
    return next.size();
  }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }
  void seek(std::uint64_t offset) override { at_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, bytes_.size())); }

 private:
  View bytes_;
  std::size_t at_ = 0;
};

/// Bytes that were read from a feed already, and the rest of it.
class ReplayedFeed final : public Feed {
 public:
  ReplayedFeed(View head, Feed& rest) : head_(head), rest_(&rest) {}

  std::size_t read(std::byte* into, std::size_t bytes) override {
    const std::size_t again = head_.read(into, bytes);
    return again == bytes ? again : again + rest_->read(into + again, bytes - again);
  }

 private:
  MemoryFeed head_;
  Feed* rest_;
};

/// How many bytes all that is unpacked of one file may have, so that a small one that unpacks to no end does not cost without end.
class Budget {
 public:
  explicit Budget(std::uint64_t packed) : left_(kAlways + kMostRatio * std::min(packed, ~std::uint64_t{0} / kMostRatio - kAlways)) {}

  static constexpr std::uint64_t kAlways = std::uint64_t{1} << 24;  ///< bytes, of the smallest file
  static constexpr std::uint64_t kMostRatio = 256;                  ///< bytes of each byte more

  bool take(std::uint64_t bytes) {
    const bool enough = bytes <= left_;
    left_ -= std::min(bytes, left_);
    return enough;
  }
  bool spent() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

}  // namespace unshade::unpack
