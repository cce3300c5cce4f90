// Choices that follow from an input, so that it tells all that happens.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/core/view.hpp>

namespace unshade::fuzz {

/// Numbers that follow from the bytes of a file. src: Marsaglia, "Xorshift RNGs" (2003)
class Random {
 public:
  explicit Random(View file) {
    for (const std::byte byte : file.bytes()) state_ = (state_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    state_ |= 1;
  }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::uint64_t below(std::uint64_t count) { return count == 0 ? 0 : next() % count; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace unshade::fuzz
