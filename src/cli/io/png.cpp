#include "cli/io/png.hpp"

#include <png.h>

#include <cstring>
#include <string>

namespace unshade::cli {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26;
constexpr std::uint32_t kUnorm = 28;  // R8G8B8A8_UNORM

// Frees what libpng holds of a picture.
class Image {
 public:
  Image() { image.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&image); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  Error error() const { return {ErrorCode::bad_value, 0, "", std::string("libpng: ") + image.message}; }

  png_image image{};
};

}  // namespace

Result<shader::Picture> read_png(std::span<const std::byte> file) {
  constexpr std::size_t kMagic = 8;
  if (file.size() < kMagic || png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, kMagic) != 0)
    return Error{ErrorCode::bad_magic, 0, "", "not a PNG file"};
  Image made;
  if (png_image_begin_read_from_memory(&made.image, file.data(), file.size()) == 0) return made.error();
  shader::Picture picture;
  picture.format = kUnorm;
  picture.width = made.image.width;
  picture.height = made.image.height;
  if (std::uint64_t{picture.width} * picture.height > kMostPixels)
    return Error{ErrorCode::limit, 0, "size", "the picture has more than 2^26 pixels"};
  made.image.format = PNG_FORMAT_RGBA;
  picture.bytes.resize(std::size_t{picture.width} * picture.height * 4);
  if (png_image_finish_read(&made.image, nullptr, picture.bytes.data(), 0, nullptr) == 0) return made.error();
  return picture;
}

Result<std::vector<std::byte>> write_png(const shader::Picture& picture) {
  const auto pixels = shader::as_rgba8(picture);
  if (!pixels) return pixels.error();
  Image made;
  made.image.width = picture.width;
  made.image.height = picture.height;
  made.image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&made.image, nullptr, &size, 0, pixels->bytes.data(), 0, nullptr) == 0) return made.error();
  std::vector<std::byte> file(size);
  if (png_image_write_to_memory(&made.image, file.data(), &size, 0, pixels->bytes.data(), 0, nullptr) == 0) return made.error();
  file.resize(size);
  return file;
}

}  // namespace unshade::cli
