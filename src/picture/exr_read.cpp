// Reads pictures in OpenEXR. src: openexr.com, "OpenEXR File Layout"; compression: OpenEXRCore's internal_zip.c and internal_rle.c
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/inflate.hpp>
#include <unshade/picture/exr.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::picture {
namespace {

constexpr std::uint64_t kMostExrBytes = std::uint64_t{1} << 30;
/// More than any compression makes of a byte.
constexpr std::uint64_t kMostPerByte = 1040;

enum class Compression : std::uint8_t { none, rle, zips, zip };
constexpr std::string_view kCompressions[] = {"NONE", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"};

/// A channel as it lies in each line.
struct Channel {
  enum class Type : std::uint8_t { whole, half, real };
  Type type = Type::real;
  std::optional<unsigned> component;  ///< of the picture; none: it is left out
  std::size_t bytes() const { return type == Type::half ? 2 : 4; }
};

class ExrReader {
 public:
  explicit ExrReader(std::span<const std::byte> file) : file_(file) {}
  Result<Picture> read();

 private:
  Error fault(ErrorCode code, std::string path, std::string message) const { return {code, at_, std::move(path), std::move(message)}; }
  bool has(std::uint64_t count) const { return count <= file_.size() - at_; }
  std::uint32_t word_at(std::size_t at) const {
    std::uint32_t made = 0;
    for (unsigned k = 0; k < 4; ++k) made |= std::to_integer<std::uint32_t>(file_[at + k]) << (8 * k);
    return made;
  }
  Result<std::uint32_t> word(std::string_view what);
  Result<std::string_view> text(std::string_view what);
  Result<void> header();
  Result<void> attribute(std::string_view name, std::size_t end);
  Result<void> channels(std::size_t end);
  Result<void> lines(Picture& picture);
  Result<void> block(std::uint32_t first, std::uint32_t count, std::span<const std::byte> data, Picture& picture);
  std::size_t line_bytes() const {
    std::size_t made = 0;
    for (const Channel& one : channels_) made += width_ * one.bytes();
    return made;
  }

  std::span<const std::byte> file_;
  std::size_t at_ = 0;
  std::vector<Channel> channels_;
  std::optional<Compression> compression_;
  std::optional<std::array<std::int32_t, 4>> window_;
  std::size_t width_ = 0, height_ = 0;
  unsigned components_ = 0;  ///< of the picture
};

Result<std::uint32_t> ExrReader::word(std::string_view what) {
  if (!has(4)) return fault(ErrorCode::truncated, std::string(what), "4 bytes needed, " + std::to_string(file_.size() - at_) + " left");
  at_ += 4;
  return word_at(at_ - 4);
}

Result<std::string_view> ExrReader::text(std::string_view what) {
  constexpr std::size_t kMost = 256;
  const std::string_view rest(reinterpret_cast<const char*>(file_.data()) + at_, std::min(file_.size() - at_, kMost));
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return fault(ErrorCode::truncated, std::string(what), "the name has no end");
  at_ += end + 1;
  return rest.substr(0, end);
}

Result<void> ExrReader::channels(std::size_t end) {
  // of the picture: colors, brightness or depth
  constexpr std::pair<std::string_view, unsigned> kNames[] = {{"R", 0}, {"G", 1}, {"B", 2}, {"A", 3}, {"Y", 0}, {"Z", 0}};
  unsigned taken = 0;
  for (;;) {
    const auto name = text("channels");
    if (!name) return name.error();
    if (name->empty()) break;
    const std::string path = "channels/" + std::string(*name);
    if (end < at_ || end - at_ < 16) return fault(ErrorCode::truncated, path, "the list ends within the channel");
    const std::uint32_t type = word_at(at_);
    if (type > 2) return fault(ErrorCode::bad_value, path, "expected pixel type 0 to 2, found " + std::to_string(type));
    if (word_at(at_ + 8) != 1 || word_at(at_ + 12) != 1) return fault(ErrorCode::bad_value, path, "subsampled channels are not supported");
    at_ += 16;
    Channel made{static_cast<Channel::Type>(type), std::nullopt};
    for (const auto& [known, component] : kNames) {
      if (known != *name || (taken >> component & 1) != 0) continue;
      made.component = component;
      taken |= 1U << component;
    }
    channels_.push_back(made);
  }
  if (taken == 0) return fault(ErrorCode::bad_value, "channels", "expected channels R, G, B, A, Y or Z");
  components_ = static_cast<unsigned>(std::bit_width(taken));
  if (components_ == 3) components_ = 4;
  return {};
}

Result<void> ExrReader::attribute(std::string_view name, std::size_t end) {
  const auto needs = [&](std::size_t size) { return end - at_ == size; };
  if (name == "channels") return channels(end);
  if (name == "compression") {
    if (!needs(1)) return fault(ErrorCode::bad_value, "compression", "expected 1 byte");
    const auto kind = std::to_integer<std::size_t>(file_[at_]);
    if (kind > static_cast<std::size_t>(Compression::zip))
      return fault(
          ErrorCode::bad_value, "compression",
          kind < std::size(kCompressions) ? "the compression " + std::string(kCompressions[kind]) : "compression " + std::to_string(kind));
    compression_ = static_cast<Compression>(kind);
  } else if (name == "dataWindow") {
    if (!needs(16)) return fault(ErrorCode::bad_value, "dataWindow", "expected 16 bytes");
    window_.emplace();
    for (std::size_t k = 0; k < 4; ++k) (*window_)[k] = static_cast<std::int32_t>(word_at(at_ + 4 * k));
  }
  return {};
}

Result<void> ExrReader::header() {
  constexpr std::uint32_t kTiled = 0x200, kDeep = 0x800, kParts = 0x1000;
  if (file_.size() < 8 || word_at(0) != 20000630) return fault(ErrorCode::bad_magic, "magic", "not an OpenEXR file");
  const std::uint32_t version = word_at(4);
  at_ = 4;
  if ((version & 0xff) != 2) return fault(ErrorCode::bad_value, "version", "expected version 2, found " + std::to_string(version & 0xff));
  if ((version & kTiled) != 0) return fault(ErrorCode::bad_value, "version", "tiled pictures are not supported");
  if ((version & (kDeep | kParts)) != 0) return fault(ErrorCode::bad_value, "version", "multi-part and deep files are not supported");
  at_ = 8;
  for (;;) {
    const auto name = text("header");
    if (!name) return name.error();
    if (name->empty()) break;
    if (const auto type = text(*name); !type) return type.error();
    const auto size = word(*name);
    if (!size) return size.error();
    if (!has(*size))
      return fault(ErrorCode::truncated, std::string(*name),
                   std::to_string(*size) + " bytes needed, " + std::to_string(file_.size() - at_) + " left");
    const std::size_t end = at_ + *size;
    if (auto done = attribute(*name, end); !done) return done;
    at_ = end;
  }
  if (channels_.empty()) return fault(ErrorCode::missing, "channels", "the header must have this attribute");
  if (!compression_) return fault(ErrorCode::missing, "compression", "the header must have this attribute");
  if (!window_) return fault(ErrorCode::missing, "dataWindow", "the header must have this attribute");
  const std::int64_t width = std::int64_t{(*window_)[2]} - (*window_)[0] + 1;
  const std::int64_t height = std::int64_t{(*window_)[3]} - (*window_)[1] + 1;
  if (width <= 0 || height <= 0) return fault(ErrorCode::bad_value, "dataWindow", "the picture has no pixels");
  constexpr std::int64_t kMostSize = 1 << 16;
  if (width > kMostSize || height > kMostSize) return fault(ErrorCode::limit, "dataWindow", "the picture is larger than 65536 pixels");
  width_ = static_cast<std::size_t>(width);
  height_ = static_cast<std::size_t>(height);
  const std::uint64_t pixels = std::uint64_t{width_} * height_;
  if (pixels * components_ * 4 > kMostExrBytes) return fault(ErrorCode::limit, "dataWindow", "the picture is larger than 1 GiB");
  if (line_bytes() * height_ / kMostPerByte > file_.size())
    return fault(ErrorCode::truncated, "dataWindow", "the file is too short for " + std::to_string(pixels) + " pixels");
  return {};
}

// What compressions take apart before they pack it: differences of bytes, and every other byte.
std::vector<std::byte> put_together(std::vector<std::byte> bytes) {
  for (std::size_t k = 1; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[k - 1]) + std::to_integer<unsigned>(bytes[k]) - 128);
  std::vector<std::byte> made(bytes.size());
  const std::size_t half = (bytes.size() + 1) / 2;
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = bytes[k / 2 + (k % 2 == 0 ? 0 : half)];
  return made;
}

// Runs: a count of bytes that are the same, or negative of bytes as they are. False if they do not make `out`.
bool unpack_runs(std::span<const std::byte> from, std::span<std::byte> out) {
  std::size_t made = 0;
  for (std::size_t at = 0; at < from.size();) {
    const int count = static_cast<std::int8_t>(std::to_integer<std::uint8_t>(from[at++]));
    const auto bytes = static_cast<std::size_t>(count < 0 ? -count : count + 1);
    if (bytes > out.size() - made || (count < 0 ? bytes : 1) > from.size() - at) return false;
    for (std::size_t k = 0; k < bytes; ++k) out[made + k] = from[at + (count < 0 ? k : 0)];
    at += count < 0 ? bytes : 1;
    made += bytes;
  }
  return made == out.size();
}

Result<void> ExrReader::block(std::uint32_t first, std::uint32_t count, std::span<const std::byte> data, Picture& picture) {
  std::vector<std::byte> unpacked(line_bytes() * count);
  std::span<const std::byte> lines = data;
  if (*compression_ != Compression::none && data.size() < unpacked.size()) {  // else it is as it is
    const bool good = *compression_ == Compression::rle ? unpack_runs(data, unpacked) : inflate_zlib(data, unpacked);
    if (!good) return fault(ErrorCode::bad_value, "lines", "the data of line " + std::to_string(first) + " cannot be unpacked");
    unpacked = put_together(std::move(unpacked));
    lines = unpacked;
  } else if (data.size() != unpacked.size()) {
    return fault(
        ErrorCode::bad_value, "lines",
        "line " + std::to_string(first) + " has " + std::to_string(data.size()) + " bytes, expected " + std::to_string(unpacked.size()));
  }
  const texel::Format half = *texel::find_format("R16_FLOAT");
  const bool is_whole = texel::find_format(texel::format_name(picture.format))->is_integer();
  std::size_t at = 0;
  for (std::size_t y = first; y < first + count; ++y) {
    for (const Channel& channel : channels_) {
      for (std::size_t x = 0; x < width_; ++x, at += channel.bytes()) {
        if (!channel.component) continue;
        std::uint32_t bits = 0;
        if (channel.type == Channel::Type::half) {
          bits = texel::load_texel(half, lines.data() + at)[0];
        } else {
          std::memcpy(&bits, lines.data() + at, 4);
          if (channel.type == Channel::Type::whole && !is_whole) bits = std::bit_cast<std::uint32_t>(static_cast<float>(bits));
        }
        std::memcpy(picture.bytes.data() + ((y * width_ + x) * components_ + *channel.component) * 4, &bits, 4);
      }
    }
  }
  return {};
}

Result<void> ExrReader::lines(Picture& picture) {
  const std::uint32_t each = *compression_ == Compression::zip ? 16 : 1;
  const std::size_t blocks = (height_ + each - 1) / each;
  if (!has(std::uint64_t{blocks} * 8))
    return fault(ErrorCode::truncated, "offsets",
                 std::to_string(blocks * 8) + " bytes needed, " + std::to_string(file_.size() - at_) + " left");
  const std::size_t offsets = at_;
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::uint64_t offset = word_at(offsets + 8 * k) | std::uint64_t{word_at(offsets + 8 * k + 4)} << 32;
    at_ = offsets + 8 * k;
    if (offset > file_.size() || file_.size() - offset < 8)
      return fault(ErrorCode::out_of_range, "offsets", "offset " + std::to_string(offset) + " is beyond the end of the file");
    at_ = static_cast<std::size_t>(offset);
    const std::int64_t y = std::int64_t{static_cast<std::int32_t>(word_at(at_))} - (*window_)[1];
    const std::uint32_t size = word_at(at_ + 4);
    if (y < 0 || y >= static_cast<std::int64_t>(height_) || y % each != 0)
      return fault(ErrorCode::bad_value, "lines", "the data is of a line outside of the picture");
    at_ += 8;
    if (!has(size))
      return fault(ErrorCode::truncated, "lines", std::to_string(size) + " bytes needed, " + std::to_string(file_.size() - at_) + " left");
    const auto first = static_cast<std::uint32_t>(y);
    const std::uint32_t count = std::min(each, static_cast<std::uint32_t>(height_) - first);
    if (auto done = block(first, count, file_.subspan(at_, size), picture); !done) return done;
  }
  return {};
}

Result<Picture> ExrReader::read() {
  if (auto done = header(); !done) return std::move(done).error();
  const bool is_whole =
      std::ranges::all_of(channels_, [](const Channel& one) { return !one.component || one.type == Channel::Type::whole; });
  constexpr std::string_view kReal[] = {"R32_FLOAT", "R32G32_FLOAT", "", "R32G32B32A32_FLOAT"};
  constexpr std::string_view kWhole[] = {"R32_UINT", "R32G32_UINT", "", "R32G32B32A32_UINT"};
  Picture made;
  made.format = texel::format_number((is_whole ? kWhole : kReal)[components_ - 1]);
  made.width = static_cast<std::uint32_t>(width_);
  made.height = static_cast<std::uint32_t>(height_);
  made.bytes.resize(width_ * height_ * components_ * 4);
  // without alpha, all is opaque
  const bool has_alpha = std::ranges::any_of(channels_, [](const Channel& one) { return one.component == 3U; });
  const std::uint32_t one = is_whole ? 1 : std::bit_cast<std::uint32_t>(1.0F);
  for (std::size_t at = 12; components_ == 4 && !has_alpha && at < made.bytes.size(); at += 16)
    std::memcpy(made.bytes.data() + at, &one, 4);
  if (auto done = lines(made); !done) return std::move(done).error();
  return made;
}

}  // namespace

bool is_exr(std::span<const std::byte> file) {
  constexpr std::byte kMagic[] = {std::byte{0x76}, std::byte{0x2f}, std::byte{0x31}, std::byte{0x01}};
  return file.size() >= 4 && std::ranges::equal(file.first(4), kMagic);
}

Result<Picture> read_exr(std::span<const std::byte> file) { return ExrReader(file).read(); }

}  // namespace unshade::picture
