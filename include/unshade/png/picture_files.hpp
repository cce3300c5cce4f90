// Files of pictures: read by their first bytes, written by the ending of their names.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::png {

struct PictureFile {
  std::string_view id;  ///< `png`: the ending without its point
  Result<std::vector<std::byte>> (*write)(const picture::Picture& picture);
  bool is_colored = false;  ///< made to be looked at: numbers must become colors
};

std::span<const PictureFile> picture_files();
/// A PNG or EXR file, by its first bytes. Errors: those of read_png() and picture::read_exr().
Result<picture::Picture> read_picture_file(std::span<const std::byte> file);
/// By the name of a file, or null.
const PictureFile* picture_file_of(std::string_view name);

}  // namespace unshade::png
