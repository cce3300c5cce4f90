// What operations touch of memory: counted for a profile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::vm {

/// Bytes of resources and variables that one operation of a wave touches, and in how many ranges they lie, in the order of its lanes.
class Traffic {
 public:
  std::uint64_t bytes = 0;
  std::uint64_t ranges = 0;

  /// What is right behind the bytes before, or among them, is of their range.
  void touch(const std::byte* at, std::size_t count) {
    bytes += count;
    if (at < first_ || at > end_) {
      ++ranges;
      first_ = at;
      end_ = at;
    }
    if (at + count > end_) end_ = at + count;
  }

 private:
  const std::byte* first_ = nullptr;
  const std::byte* end_ = nullptr;
};

}  // namespace unshade::vm
