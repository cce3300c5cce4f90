// Pictures against pictures, within bounds.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

using run::fault;

/// Of a channel of 8 bits.
constexpr double kMostStep = 255;

std::string rounded(double value) {
  Text text;
  text.shortest(static_cast<float>(value));
  if (text.view().ends_with(".0")) text.truncate(text.size() - 2);
  return text.str();
}

Result<double> bound(const Value& value, std::string_view field, double most) {
  const Real* const real = value.as_real();
  const Integer* const whole = value.as_integer();
  const double made = real != nullptr ? real->wide : whole != nullptr && !whole->negative ? static_cast<double>(whole->magnitude) : -1;
  if (!(made >= 0 && made <= most)) return fault(value, std::string(field), "expected a number from 0 to " + rounded(most));
  return made;
}

}  // namespace

Result<PictureBounds> picture_bounds_of(const Value& map) {
  PictureBounds made;
  if (const Value* const channel = map.find("channel")) {
    const Value::List* const list = channel->as_list();
    if (list != nullptr && list->size() != 4) return fault(*channel, "channel", "expected a number, or four of them");
    for (std::size_t k = 0; k < 4; ++k) {
      const auto one = bound(list == nullptr ? *channel : (*list)[k], "channel", kMostStep);
      if (!one) return one.error();
      made.channel[k] = *one;
    }
  }
  if (const Value* const share = map.find("share")) {
    const auto one = bound(*share, "share", 1);
    if (!one) return one.error();
    made.share = *one;
  }
  if (const Value* const mean = map.find("mean")) {
    const auto one = bound(*mean, "mean", kMostStep);
    if (!one) return one.error();
    made.mean = *one;
  }
  return made;
}

std::optional<Mismatch> compared(const picture::Picture& actual, const picture::Picture& expected, const PictureBounds& bounds,
                                 picture::Picture& difference) {
  const auto size = [](const picture::Picture& one) { return std::to_string(one.width) + " by " + std::to_string(one.height) + " pixels"; };
  if (actual.width != expected.width || actual.height != expected.height) return Mismatch{size(expected), size(actual)};
  difference = actual;
  const std::size_t pixels = actual.bytes.size() / 4;
  std::size_t far = 0;
  std::size_t first = 0;
  int largest = 0;
  double sum = 0;
  for (std::size_t at = 0; at < pixels; ++at) {
    bool is_far = false;
    for (std::size_t k = 0; k < 4; ++k) {
      const int distance = std::abs(std::to_integer<int>(actual.bytes[at * 4 + k]) - std::to_integer<int>(expected.bytes[at * 4 + k]));
      difference.bytes[at * 4 + k] = static_cast<std::byte>(distance);
      is_far = is_far || distance > bounds.channel[k];
      largest = std::max(largest, distance);
      sum += distance;
    }
    if (is_far && far++ == 0) first = at;
  }
  const double mean = pixels == 0 ? 0 : sum / static_cast<double>(pixels * 4);
  const bool too_many = static_cast<double>(far) > bounds.share * static_cast<double>(pixels);
  const bool too_much = bounds.mean && mean > *bounds.mean;
  if (!too_many && !too_much) return std::nullopt;
  // the largest difference becomes white; what differs in alpha alone is seen too
  for (std::size_t at = 0; at < pixels; ++at) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int distance = std::max(std::to_integer<int>(difference.bytes[at * 4 + k]), std::to_integer<int>(difference.bytes[at * 4 + 3]));
      difference.bytes[at * 4 + k] = static_cast<std::byte>(distance * 255 / std::max(1, largest));
    }
    difference.bytes[at * 4 + 3] = std::byte{255};
  }
  if (!too_many) return Mismatch{"a mean difference of at most " + rounded(*bounds.mean), rounded(mean)};
  std::string channels = rounded(bounds.channel[0]);
  for (std::size_t k = 1; k < 4 && std::ranges::count(bounds.channel, bounds.channel[0]) != 4; ++k)
    channels += ' ' + rounded(bounds.channel[k]);
  return Mismatch{"at most " + rounded(bounds.share * 100) + " % of the pixels more than " + channels + " of 255 away",
                  std::to_string(far) + " of " + std::to_string(pixels) + " pixels, the first at " + std::to_string(first % actual.width) +
                      ' ' + std::to_string(first / actual.width) + ", the farthest " + std::to_string(largest) + " away"};
}

Result<picture::Picture> resource_picture(const Value& image, const Value& expected, const Value* given,
                                          std::span<const std::byte> memory) {
  const auto said = [&](std::string_view field) {
    const Value* const own = expected.find(field);
    return own != nullptr || given == nullptr ? own : given->find(field);
  };
  picture::Picture raw;
  const Value* const format = said("format");
  raw.format = format == nullptr || format->as_text() == nullptr ? 0 : texel::format_number(*format->as_text());
  const auto texel = texel::find_format(texel::format_name(raw.format));
  if (!texel || texel->is_integer()) return fault(image, "image", "the resource must have a DXGI format of floats or normalized numbers");
  for (const auto& [field, size] : {std::pair("width", &picture::Picture::width), std::pair("height", &picture::Picture::height)}) {
    const Value* const value = said(field);
    if (value == nullptr) continue;
    const auto number = run::number_of(*value, field);
    if (!number) return number.error();
    if (*number == 0 || *number > 16384) return fault(*value, field, "expected 1 to 16384");
    raw.*size = *number;
  }
  const std::uint64_t bytes = picture::picture_bytes(raw);
  if (bytes > memory.size()) return fault(image, "image", "the resource is smaller than its picture");
  raw.bytes.assign(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(bytes));
  auto made = picture::as_rgba8(raw);
  if (!made) return fault(image, "image", made.error().message, made.error().code);
  return made;
}

}  // namespace unshade::suite::cases
