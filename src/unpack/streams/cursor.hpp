// A feed that is read field by field, and knows where it is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>

#include <unshade/unpack/feed.hpp>

namespace unshade::unpack {

class Cursor {
 public:
  explicit Cursor(Feed& feed) : feed_(&feed) {}

  std::uint64_t offset() const { return offset_; }
  /// Reads as many bytes as there are, up to `bytes`.
  std::size_t read_some(std::byte* into, std::size_t bytes) {
    std::size_t got = 0;
    while (got < bytes) {
      const std::size_t count = feed_->read(into + got, bytes - got);
      if (count == 0) break;
      got += count;
    }
    offset_ += got;
    return got;
  }
  bool read(std::byte* into, std::size_t bytes) { return read_some(into, bytes) == bytes; }
  bool skip(std::uint64_t bytes) {
    std::array<std::byte, 4096> passed;
    for (; bytes != 0; bytes -= std::min<std::uint64_t>(bytes, passed.size()))
      if (!read(passed.data(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes, passed.size())))) return false;
    return true;
  }
  /// Of a feed that can go anywhere.
  void seek(std::uint64_t offset) {
    feed_->seek(offset);
    offset_ = offset;
  }

 private:
  Feed* feed_;
  std::uint64_t offset_ = 0;
};

inline Error fault_at(ErrorCode code, const Cursor& cursor, std::string_view path, std::string_view message) {
  return {code, cursor.offset(), std::string(path), std::string(message)};
}

/// What a reader says when the budget is spent.
inline constexpr std::string_view kBudgetSpent = "unpacks to more than 256 times the size of the file: the rest is not searched";

}  // namespace unshade::unpack
