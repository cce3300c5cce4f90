#include <unshade/png/apng.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include <unshade/png/png.hpp>

namespace unshade::png {
namespace {

constexpr std::size_t kPixelBytes = 4, kMagicBytes = 8, kChunkHeadBytes = 8, kCheckBytes = 4;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 30;

void put(std::vector<std::byte>& to, std::uint64_t value, unsigned bytes) {
  for (unsigned k = bytes; k-- != 0;) to.push_back(static_cast<std::byte>(value >> (8 * k) & 0xff));
}

std::uint32_t number_at(std::span<const std::byte> file, std::size_t at) {
  std::uint32_t made = 0;
  for (std::size_t k = 0; k < 4; ++k) made = made << 8 | std::to_integer<std::uint32_t>(file[at + k]);
  return made;
}

void put_chunk(std::vector<std::byte>& to, std::string_view type, std::span<const std::byte> content) {
  put(to, content.size(), 4);
  const std::size_t first = to.size();
  for (const char letter : type) to.push_back(static_cast<std::byte>(letter));
  to.insert(to.end(), content.begin(), content.end());
  put(to, crc32(0, reinterpret_cast<const Bytef*>(to.data() + first), static_cast<uInt>(to.size() - first)), kCheckBytes);
}

// What libpng wrote: the chunks before the data, and the data of all its chunks.
struct Parts {
  std::span<const std::byte> head;
  std::vector<std::byte> data;
};
Parts parts_of(std::span<const std::byte> file) {
  Parts made;
  for (std::size_t at = kMagicBytes; at + kChunkHeadBytes + kCheckBytes <= file.size();) {
    const std::size_t size = number_at(file, at);
    const std::string_view type(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    if (type == "IDAT") {
      if (made.data.empty()) made.head = file.first(at);
      const auto content = file.subspan(at + kChunkHeadBytes, size);
      made.data.insert(made.data.end(), content.begin(), content.end());
    }
    at += kChunkHeadBytes + size + kCheckBytes;
  }
  return made;
}

// The rows and columns in which two pictures differ: left, top, right, bottom; a pixel if they are the same.
std::array<std::uint32_t, 4> difference(const picture::Picture& a, const picture::Picture& b) {
  std::array<std::uint32_t, 4> made{a.width, a.height, 0, 0};
  for (std::uint32_t y = 0; y < a.height; ++y) {
    const std::size_t row = std::size_t{y} * a.width * kPixelBytes;
    if (std::memcmp(a.bytes.data() + row, b.bytes.data() + row, a.width * kPixelBytes) == 0) continue;
    made[1] = std::min(made[1], y);
    made[3] = y + 1;
    for (std::uint32_t x = 0; x < a.width; ++x) {
      if (std::memcmp(a.bytes.data() + row + x * kPixelBytes, b.bytes.data() + row + x * kPixelBytes, kPixelBytes) == 0) continue;
      made[0] = std::min(made[0], x);
      made[2] = std::max(made[2], x + 1);
    }
  }
  return made[2] == 0 ? std::array<std::uint32_t, 4>{0, 0, 1, 1} : made;
}

picture::Picture part_of(const picture::Picture& from, std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom) {
  picture::Picture made;
  made.format = from.format;
  made.width = right - left;
  made.height = bottom - top;
  for (std::uint32_t y = top; y < bottom; ++y) {
    const auto row = std::span(from.bytes).subspan((std::size_t{y} * from.width + left) * kPixelBytes, made.width * kPixelBytes);
    made.bytes.insert(made.bytes.end(), row.begin(), row.end());
  }
  return made;
}

}  // namespace

Result<void> ApngWriter::add(const picture::Picture& picture) {
  auto pixels = picture::as_rgba8(picture);
  if (!pixels) return std::move(pixels).error();
  const bool is_first = frames_.empty();
  if (!is_first && (pixels->width != last_.width || pixels->height != last_.height))
    return Error{ErrorCode::bad_value, 0, "size", "all pictures of an animation must have the same size"};
  const auto [left, top, right, bottom] =
      is_first ? std::array<std::uint32_t, 4>{0, 0, pixels->width, pixels->height} : difference(*pixels, last_);
  const auto file = write_png(part_of(*pixels, left, top, right, bottom));
  if (!file) return file.error();
  Parts parts = parts_of(*file);
  if (is_first) head_.assign(parts.head.begin(), parts.head.end());
  bytes_ += parts.data.size();
  if (bytes_ > kMostFileBytes) return Error{ErrorCode::limit, 0, "size", "an animation must have at most 1 GiB"};
  frames_.push_back({left, top, right - left, bottom - top, std::move(parts.data)});
  last_ = std::move(*pixels);
  return {};
}

std::vector<std::byte> ApngWriter::finish() const {
  std::vector<std::byte> file = head_;
  std::vector<std::byte> content;
  put(content, frames_.size(), 4);
  put(content, plays_, 4);
  put_chunk(file, "acTL", content);
  std::uint32_t sequence = 0;
  for (const Frame& frame : frames_) {
    content.clear();
    for (const std::uint32_t number : {sequence++, frame.width, frame.height, frame.x, frame.y}) put(content, number, 4);
    put(content, 1, 2);
    put(content, fps_, 2);
    put(content, 0, 2);  // the picture stays, and the next replaces what it covers
    put_chunk(file, "fcTL", content);
    if (&frame == &frames_.front()) {
      put_chunk(file, "IDAT", frame.data);
      continue;
    }
    content.clear();
    put(content, sequence++, 4);
    content.insert(content.end(), frame.data.begin(), frame.data.end());
    put_chunk(file, "fdAT", content);
  }
  put_chunk(file, "IEND", {});
  return file;
}

}  // namespace unshade::png
