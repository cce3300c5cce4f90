#include <unshade/picture/sixel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace unshade::picture {
namespace {

constexpr std::uint32_t kBand = 6;  // rows that a character shows
constexpr std::size_t kMostColors = 256;

using Percents = std::array<std::uint8_t, 3>;

/// A number of a color for each pixel.
struct Indexed {
  std::uint32_t width = 0, height = 0;
  std::vector<Percents> colors;
  std::vector<std::uint8_t> pixels;
};

Percents percents_of(const Color& color) {
  Percents made{};
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = static_cast<std::uint8_t>((color[k] * 100 + 127) / 255);
  return made;
}

// False if there are too many colors.
bool index_exactly(const std::vector<Color>& pixels, Indexed& to) {
  std::map<Percents, std::uint8_t> known;
  for (const Color& pixel : pixels) {
    const Percents color = percents_of(pixel);
    const auto found = known.find(color);
    if (found == known.end() && to.colors.size() == kMostColors) return false;
    to.pixels.push_back(found == known.end() ? static_cast<std::uint8_t>(to.colors.size()) : found->second);
    if (found != known.end()) continue;
    known.emplace(color, to.pixels.back());
    to.colors.push_back(color);
  }
  return true;
}

// Six steps of each component; what is between two is some pixels of one and some of the other.
void index_in_patterns(const std::vector<Color>& pixels, Indexed& to) {
  constexpr std::uint32_t kSteps = 6;
  constexpr std::array<std::uint32_t, 16> kPattern{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  to.colors.clear();
  to.pixels.clear();
  for (std::uint32_t color = 0; color < kSteps * kSteps * kSteps; ++color)
    to.colors.push_back({static_cast<std::uint8_t>(color / (kSteps * kSteps) * 20), static_cast<std::uint8_t>(color / kSteps % kSteps * 20),
                         static_cast<std::uint8_t>(color % kSteps * 20)});
  for (std::size_t at = 0; at < pixels.size(); ++at) {
    const std::size_t x = at % to.width, y = at / to.width;
    const std::uint32_t threshold = kPattern[y % 4 * 4 + x % 4];
    std::uint32_t color = 0;
    for (const std::uint32_t part : pixels[at]) {
      const std::uint32_t scaled = part * (kSteps - 1);  // of 255 for a step
      color = color * kSteps + scaled / 255 + (scaled % 255 * 16 > threshold * 255 + 127 ? 1 : 0);
    }
    to.pixels.push_back(static_cast<std::uint8_t>(color));
  }
}

// A character as often as it follows itself.
void print_run(Text& out, std::uint32_t count, unsigned bits) {
  const char shown = static_cast<char>('?' + bits);
  if (count > 3) {
    (out << '!').dec(count) << shown;
  } else {
    out << std::string(count, shown);
  }
}

void print_band(const Indexed& picture, std::uint32_t top, Text& out) {
  const std::uint32_t rows = std::min(kBand, picture.height - top);
  const auto pixel = [&](std::uint32_t x, std::uint32_t row) { return picture.pixels[std::size_t{top + row} * picture.width + x]; };
  std::vector<bool> is_used(picture.colors.size());
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t x = 0; x < picture.width; ++x) is_used[pixel(x, row)] = true;
  for (std::size_t color = 0; color < is_used.size(); ++color) {
    if (!is_used[color]) continue;
    (out << '#').dec(color);
    std::uint32_t count = 0;
    unsigned last = 0;
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      unsigned bits = 0;
      for (std::uint32_t row = 0; row < rows; ++row) bits |= pixel(x, row) == color ? 1U << row : 0U;
      if (bits != last && count != 0) print_run(out, std::exchange(count, 0), last);
      last = bits;
      ++count;
    }
    if (last != 0) print_run(out, count, last);
    out << '$';
  }
  out << "-\n";
}

}  // namespace

Color mean_color(const Picture& picture, std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom) {
  std::array<std::uint64_t, 3> sum{};
  for (std::uint32_t y = top; y < bottom; ++y) {
    for (std::uint32_t x = left; x < right; ++x) {
      const std::byte* const pixel = picture.bytes.data() + (std::size_t{y} * picture.width + x) * 4;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += std::to_integer<std::uint64_t>(pixel[k]) * std::to_integer<std::uint64_t>(pixel[3]);
    }
  }
  const std::uint64_t pixels = std::uint64_t{right - left} * (bottom - top) * 255;
  Color made{};
  for (std::size_t k = 0; k < 3 && pixels != 0; ++k) made[k] = static_cast<std::uint32_t>((sum[k] + pixels / 2) / pixels);
  return made;
}

// src: VT330/VT340 Programmer Reference Manual 2, chapter 14
void write_sixel(const Picture& picture, std::uint32_t pixels, Text& out) {
  const std::uint32_t step = std::max(1U, (picture.width + pixels - 1) / std::max(1U, pixels));
  Indexed made;
  made.width = (picture.width + step - 1) / step;
  made.height = (picture.height + step - 1) / step;
  std::vector<Color> shown;
  for (std::uint32_t y = 0; y < picture.height; y += step)
    for (std::uint32_t x = 0; x < picture.width; x += step)
      shown.push_back(mean_color(picture, x, y, std::min(picture.width, x + step), std::min(picture.height, y + step)));
  if (!index_exactly(shown, made)) index_in_patterns(shown, made);
  (out << "\x1bP0;0q\"1;1;").dec(made.width) << ';';
  out.dec(made.height);
  for (std::size_t color = 0; color < made.colors.size(); ++color) {
    (out << '#').dec(color) << ";2";
    for (const std::uint8_t part : made.colors[color]) (out << ';').dec(part);
  }
  out << '\n';
  for (std::uint32_t top = 0; top < made.height; top += kBand) print_band(made, top, out);
  out << "\x1b\\\n";
}

}  // namespace unshade::picture
