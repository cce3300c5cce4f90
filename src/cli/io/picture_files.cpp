#include "cli/io/picture_files.hpp"

#include <algorithm>
#include <iterator>

#include "cli/io/exr.hpp"
#include "cli/io/png.hpp"

namespace unshade::cli {
namespace {

constexpr PictureFile kPictureFiles[] = {
    {"png", write_png, true},
    {"dds", [](const run::Picture& picture) -> Result<std::vector<std::byte>> { return run::write_dds(picture); }},
    {"exr", write_exr},
};

}  // namespace

std::span<const PictureFile> picture_files() { return kPictureFiles; }

Result<run::Picture> read_picture_file(std::span<const std::byte> file) { return is_exr(file) ? read_exr(file) : read_png(file); }

const PictureFile* picture_file_of(std::string_view name) {
  const auto* const found = std::ranges::find_if(kPictureFiles, [&](const PictureFile& one) {
    return name.size() > one.id.size() && name.ends_with(one.id) && name[name.size() - one.id.size() - 1] == '.';
  });
  return found == std::end(kPictureFiles) ? nullptr : found;
}

}  // namespace unshade::cli
