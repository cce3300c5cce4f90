#include <unshade/png/picture_files.hpp>

#include <algorithm>
#include <iterator>

#include <unshade/picture/exr.hpp>
#include <unshade/png/png.hpp>

namespace unshade::png {
namespace {

constexpr PictureFile kPictureFiles[] = {
    {"png", write_png, true},
    {"dds", [](const picture::Picture& picture) -> Result<std::vector<std::byte>> { return picture::write_dds(picture); }},
    {"exr", picture::write_exr},
};

}  // namespace

std::span<const PictureFile> picture_files() { return kPictureFiles; }

Result<picture::Picture> read_picture_file(std::span<const std::byte> file) {
  return picture::is_exr(file) ? picture::read_exr(file) : read_png(file);
}

const PictureFile* picture_file_of(std::string_view name) {
  const auto* const found = std::ranges::find_if(kPictureFiles, [&](const PictureFile& one) {
    return name.size() > one.id.size() && name.ends_with(one.id) && name[name.size() - one.id.size() - 1] == '.';
  });
  return found == std::end(kPictureFiles) ? nullptr : found;
}

}  // namespace unshade::png
