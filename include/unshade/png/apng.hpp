// Animated PNG. src: https://www.w3.org/TR/png-3, 11.3.6 "Animation information"
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::png {

/// Pictures of one size that follow each other. Readers that know no animations show the first.
class ApngWriter {
 public:
  /// `fps`: pictures in a second. `plays`: 0 without end.
  ApngWriter(std::uint32_t fps, std::uint32_t plays) : fps_(fps), plays_(plays) {}

  /// Adds a picture, of which only the part is kept that differs from the one before. Errors: bad_value for other sizes; those of
  /// write_png(); limit above 1 GiB.
  Result<void> add(const picture::Picture& picture);
  /// The file of at least one picture.
  std::vector<std::byte> finish() const;

 private:
  struct Frame {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
    std::vector<std::byte> data;  ///< compressed rows
  };
  std::uint32_t fps_, plays_;
  std::vector<std::byte> head_;  ///< the first picture's file up to its data
  std::vector<Frame> frames_;
  picture::Picture last_;  ///< in R8G8B8A8_UNORM
  std::uint64_t bytes_ = 0;
};

}  // namespace unshade::png
