#include <unshade/present/heat.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>

#include <unshade/core/bits/nearest.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/present/value.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::present {
namespace {

using Shade = std::array<std::uint8_t, 3>;

/// Ever brighter, for eyes that see no red or no green too. src: matplotlib, `viridis`, each 32nd color
constexpr Shade kShades[] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                             {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};

double share_of(double number, const draw::HeatSum& sum) {
  return sum.most > sum.least ? (number - sum.least) / (sum.most - sum.least) : 1;
}

picture::Picture empty_picture(const draw::Heat& heat, std::string_view format) {
  picture::Picture made;
  made.format = texel::format_number(format);
  made.width = heat.width;
  made.height = heat.height;
  made.bytes.resize(heat.counts.size() * 4);
  return made;
}

}  // namespace

std::array<std::uint8_t, 3> heat_shade(double share) {
  const double at = share * (std::size(kShades) - 1);
  const auto first = std::min(static_cast<std::size_t>(at), std::size(kShades) - 2);
  const double rest = at - static_cast<double>(first);
  Shade made{};
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k] = static_cast<std::uint8_t>(nearest_integral(kShades[first][k] + rest * (kShades[first + 1][k] - kShades[first][k])));
  return made;
}

std::optional<std::uint32_t> heat_count(const draw::Heat& heat, const PixelAt& place) {
  if (place.first >= heat.width || place.second >= heat.height) return std::nullopt;
  return heat.counts[std::size_t{place.second} * heat.width + place.first];
}

Value heat_number(const draw::HeatRow& row, double number) {
  return row.parts == 1 ? Value::integer(static_cast<std::uint64_t>(number)) : Value::real(number);
}

Value heat_sum(const draw::HeatRow& row, const draw::HeatSum& sum) {
  Value made = Value::map();
  made.add("pixels", Value::integer(sum.pixels));
  if (sum.pixels == 0) return made;
  made.add("least", heat_number(row, sum.least));
  made.add("most", heat_number(row, sum.most));
  made.add("mean", Value::real(sum.total / static_cast<double>(sum.pixels)));
  if (!row.takes_largest) made.add("total", heat_number(row, sum.total));
  return made;
}

void each_heated_pass(const scene::Drawn& drawn, const scene::Drawn::Target& target,
                      const std::function<void(const scene::Drawn::Pass& pass)>& visit) {
  for (const scene::Drawn::Pass& pass : drawn.passes)
    if (pass.heat && pass.target && &drawn.targets[*pass.target] == &target) visit(pass);
}

picture::Picture heat_colors(const draw::Heat& heat) {
  const draw::HeatRow& row = draw::info(heat.kind);
  const draw::HeatSum sum = draw::sum_of(heat);
  picture::Picture made = empty_picture(heat, "R8G8B8A8_UNORM");
  for (std::size_t pixel = 0; pixel < heat.counts.size(); ++pixel) {
    const Shade shade = heat.counts[pixel] == 0 ? Shade{} : heat_shade(share_of(row.number(heat.counts[pixel]), sum));
    for (std::size_t k = 0; k < shade.size(); ++k) made.bytes[pixel * 4 + k] = std::byte{shade[k]};
    made.bytes[pixel * 4 + 3] = std::byte{0xff};
  }
  return made;
}

picture::Picture heat_numbers(const draw::Heat& heat) {
  const draw::HeatRow& row = draw::info(heat.kind);
  const bool is_whole = row.parts == 1;
  picture::Picture made = empty_picture(heat, is_whole ? "R32_UINT" : "R32_FLOAT");
  for (std::size_t pixel = 0; pixel < heat.counts.size(); ++pixel) {
    const std::uint32_t count = heat.counts[pixel];
    const std::uint32_t bits = is_whole ? count : std::bit_cast<std::uint32_t>(count == 0 ? -1.0F : static_cast<float>(row.number(count)));
    for (unsigned byte = 0; byte < 4; ++byte) made.bytes[pixel * 4 + byte] = static_cast<std::byte>(bits >> (8 * byte) & 0xff);
  }
  return made;
}

void write_heat(const scene::Drawn& drawn, const scene::Drawn::Target& target, std::span<const PixelAt> pixels, Json& json) {
  const draw::HeatRow& row = draw::info(target.heat->kind);
  const auto write_sum = [&](const draw::HeatSum& sum) {
    const Value made = heat_sum(row, sum);
    for (const Value::Member& member : *made.as_map()) {
      json.key(member.key);
      write_value(member.value, json);
    }
  };
  json.begin_object();
  json.member("kind", row.id);
  json.member("target", target.name);
  write_sum(draw::sum_of(*target.heat));
  json.key("passes");
  json.begin_array();
  each_heated_pass(drawn, target, [&](const scene::Drawn::Pass& pass) {
    json.begin_object();
    json.member("name", pass.name);
    write_sum(*pass.heat);
    json.end_object();
  });
  json.end_array();
  if (!pixels.empty()) {
    json.key("at");
    json.begin_array();
    for (const PixelAt& place : pixels) {
      const auto count = heat_count(*target.heat, place);
      if (!count) continue;
      json.begin_object();
      json.member("x", std::uint64_t{place.first});
      json.member("y", std::uint64_t{place.second});
      if (*count != 0) {
        json.key("number");
        write_value(heat_number(row, row.number(*count)), json);
      }
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace unshade::present
