#include <algorithm>
#include <string_view>

#include <unshade/picture/sixel.hpp>
#include <unshade/present/drawn.hpp>

namespace unshade::present {

namespace {

void print_color(Text& out, std::string_view kind, const picture::Color& color) {
  out << "\x1b[" << kind << ";2";
  for (const std::uint32_t part : color) {
    out << ';';
    out.dec(part);
  }
  out << 'm';
}

}  // namespace

void print_picture(const picture::Picture& picture, std::uint32_t columns, Printer& out) {
  constexpr std::string_view kDense = " .:-=+*#%@";
  const std::uint32_t step = std::max(1U, (picture.width + columns - 1) / std::max(1U, columns));
  for (std::uint32_t y = 0; y < picture.height; y += 2 * step) {
    for (std::uint32_t x = 0; x < picture.width; x += step) {
      const std::uint32_t right = std::min(picture.width, x + step);
      const std::uint32_t middle = std::min(picture.height, y + step);
      const picture::Color upper = picture::mean_color(picture, x, y, right, middle);
      const picture::Color lower = picture::mean_color(picture, x, middle, right, std::min(picture.height, y + 2 * step));
      if (out.color()) {
        print_color(out.text, "38", upper);
        print_color(out.text, "48", lower);
        out.text << "\u2580";
        continue;
      }
      std::uint32_t bright = 0;  // of 255 * 20: green counts most
      for (const picture::Color& one : {upper, lower}) bright += one[0] * 3 + one[1] * 6 + one[2];
      out.text << kDense[std::min<std::size_t>(kDense.size() - 1, bright * kDense.size() / (255 * 20))];
    }
    if (out.color()) out.text << "\x1b[0m";
    out.text << '\n';
    if (!out.keep_going()) return;
  }
}

}  // namespace unshade::present
