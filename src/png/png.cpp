#include <unshade/png/png.hpp>

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <string>
#include <vector>

namespace unshade::png {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26;
constexpr std::uint32_t kUnorm = 28;  // R8G8B8A8_UNORM

// Frees what libpng holds of a picture that is written.
class Image {
 public:
  Image() { image.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&image); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  Error error() const { return {ErrorCode::bad_value, 0, "", std::string("libpng: ") + image.message}; }

  png_image image{};
};

// A picture that is read as it is stored: libpng's functions for whole pictures would convert 16 bits and other gammas to sRGB.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> file)
      : rest_(file), png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {})) {
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Width and height.
  bool head(std::uint32_t& width, std::uint32_t& height) {
    if (info_ == nullptr) return false;
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, this, read);
    png_read_info(png_, info_);
    width = png_get_image_width(png_, info_);
    height = png_get_image_height(png_, info_);
    return true;
  }
  /// Four bytes for each pixel; `rows`: where they go.
  bool pixels(std::span<png_bytep> rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);
    png_set_scale_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != std::size_t{4} * png_get_image_width(png_, info_)) png_error(png_, "unexpected row size");
    png_read_image(png_, rows.data());
    return true;
  }
  Error error() const { return {ErrorCode::bad_value, 0, "", "libpng: " + message_}; }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    static_cast<Reader*>(png_get_error_ptr(png))->message_ = message;
    png_longjmp(png, 1);
  }
  static void read(png_structp png, png_bytep to, png_size_t count) {
    auto& rest = static_cast<Reader*>(png_get_io_ptr(png))->rest_;
    if (count > rest.size()) png_error(png, "the file ends before the picture does");
    std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
  }

  std::span<const std::byte> rest_;
  std::string message_ = "out of memory";
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

Result<picture::Picture> read_png(std::span<const std::byte> file) {
  constexpr std::size_t kMagic = 8;
  if (file.size() < kMagic || png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, kMagic) != 0)
    return Error{ErrorCode::bad_magic, 0, "", "not a PNG file"};
  Reader reader(file);
  picture::Picture picture;
  picture.format = kUnorm;
  if (!reader.head(picture.width, picture.height)) return reader.error();
  if (std::uint64_t{picture.width} * picture.height > kMostPixels)
    return Error{ErrorCode::limit, 0, "size", "the picture has more than 2^26 pixels"};
  picture.bytes.resize(std::size_t{picture.width} * picture.height * 4);
  std::vector<png_bytep> rows(picture.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = reinterpret_cast<png_bytep>(picture.bytes.data() + y * picture.width * 4);
  if (!reader.pixels(rows)) return reader.error();
  return picture;
}

Result<std::vector<std::byte>> write_png(const picture::Picture& picture) {
  const auto pixels = picture::as_rgba8(picture);
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

}  // namespace unshade::png
