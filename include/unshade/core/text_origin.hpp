// Where the lines of a listing come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unshade {

/// An instruction in a listing and in the file.
struct TextOrigin {
  std::size_t text = 0;      ///< where its line begins: bytes from the start of the text
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::uint32_t size = 0;    ///< bytes
};

/// In the order of the text.
using TextOrigins = std::vector<TextOrigin>;

}  // namespace unshade
