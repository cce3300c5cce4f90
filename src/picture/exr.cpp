#include <unshade/picture/exr.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

#include <unshade/texel/formats.hpp>

namespace unshade::picture {
namespace {

class ExrWriter {
 public:
  std::vector<std::byte> bytes;

  void text(std::string_view text) {
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back({});
  }
  void byte(unsigned value) { bytes.push_back(static_cast<std::byte>(value)); }
  void word(std::uint32_t value) {
    for (unsigned k = 0; k < 4; ++k) byte(value >> (8 * k) & 0xff);
  }
  void real(float value) { word(std::bit_cast<std::uint32_t>(value)); }
  void attribute(std::string_view name, std::string_view type, std::uint32_t size) {
    text(name);
    text(type);
    word(size);
  }
};

}  // namespace

Result<std::vector<std::byte>> write_exr(const Picture& picture) {
  constexpr std::uint32_t kMagic = 20000630, kVersion = 2, kUint = 0, kFloat = 2;
  constexpr std::string_view kNames[] = {"R", "G", "B", "A"};
  const auto format = texel::find_format(texel::format_name(picture.format));
  if (!format || format->block != texel::Block::none)
    return Error{ErrorCode::bad_value, 0, "format", "block-compressed formats cannot be written as OpenEXR"};
  std::vector<unsigned> channels;  // in the order of their names
  for (const unsigned k : {3U, 2U, 1U, 0U})
    if (format->has(k)) channels.push_back(k);

  ExrWriter file;
  file.word(kMagic);
  file.word(kVersion);
  constexpr std::uint32_t kChannelBytes = 2 + 16;
  file.attribute("channels", "chlist", static_cast<std::uint32_t>(channels.size()) * kChannelBytes + 1);
  for (const unsigned k : channels) {
    file.text(kNames[k]);
    file.word(format->is_integer() ? kUint : kFloat);
    file.word(0);  // not perceptually linear
    file.word(1);
    file.word(1);
  }
  file.byte(0);
  file.attribute("compression", "compression", 1);
  file.byte(0);
  for (const std::string_view window : {"dataWindow", "displayWindow"}) {
    file.attribute(window, "box2i", 16);
    for (const std::uint32_t edge : {0U, 0U, picture.width - 1, picture.height - 1}) file.word(edge);
  }
  file.attribute("lineOrder", "lineOrder", 1);
  file.byte(0);
  file.attribute("pixelAspectRatio", "float", 4);
  file.real(1);
  file.attribute("screenWindowCenter", "v2f", 8);
  file.real(0);
  file.real(0);
  file.attribute("screenWindowWidth", "float", 4);
  file.real(1);
  file.byte(0);

  const std::uint64_t line_bytes = std::uint64_t{picture.width} * channels.size() * 4;
  const std::uint64_t first = file.bytes.size() + std::uint64_t{picture.height} * 8;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    const std::uint64_t offset = first + y * (line_bytes + 8);
    file.word(static_cast<std::uint32_t>(offset));
    file.word(static_cast<std::uint32_t>(offset >> 32));
  }
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    file.word(y);
    file.word(static_cast<std::uint32_t>(line_bytes));
    for (const unsigned k : channels) {
      for (std::uint32_t x = 0; x < picture.width; ++x) {
        const std::size_t at = (std::size_t{y} * picture.width + x) * format->bytes();
        file.word(texel::load_texel(*format, picture.bytes.data() + at)[k]);
      }
    }
  }
  return std::move(file.bytes);
}

}  // namespace unshade::picture
