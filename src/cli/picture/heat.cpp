#include "cli/picture/heat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>

#include <unshade/vm/formats.hpp>

#include "cli/print/values.hpp"
#include "cli/yaml/yaml.hpp"

namespace unshade::cli::print {
namespace {

using Shade = std::array<std::uint8_t, 3>;

/// Ever brighter, for eyes that see no red or no green too. src: matplotlib, `viridis`, each 32nd color
constexpr Shade kShades[] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                             {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};

/// `share`: from 0 to 1.
Shade shade_of(double share) {
  const double at = share * (std::size(kShades) - 1);
  const auto first = std::min(static_cast<std::size_t>(at), std::size(kShades) - 2);
  const double rest = at - static_cast<double>(first);
  Shade made{};
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k] = static_cast<std::uint8_t>(std::lround(kShades[first][k] + rest * (kShades[first + 1][k] - kShades[first][k])));
  return made;
}

double share_of(double number, const draw::HeatSum& sum) {
  return sum.most > sum.least ? (number - sum.least) / (sum.most - sum.least) : 1;
}

shader::Picture empty_picture(const draw::Heat& heat, std::string_view format) {
  shader::Picture made;
  made.format = vm::format_number(format);
  made.width = heat.width;
  made.height = heat.height;
  made.bytes.resize(heat.counts.size() * 4);
  return made;
}

std::optional<std::uint32_t> count_at(const draw::Heat& heat, const Pixel& place) {
  if (place.first >= heat.width || place.second >= heat.height) return std::nullopt;
  return heat.counts[std::size_t{place.second} * heat.width + place.first];
}

// Whole numbers without a point.
Value number_value(const draw::HeatRow& row, double number) {
  return row.parts == 1 ? Value::integer(static_cast<std::uint64_t>(number)) : Value::real(number);
}

// `pixels`, and if there are any, `least`, `most`, `mean` and, of what can be added up, `total`.
Value sum_value(const draw::HeatRow& row, const draw::HeatSum& sum) {
  Value made = Value::map();
  made.add("pixels", Value::integer(sum.pixels));
  if (sum.pixels == 0) return made;
  made.add("least", number_value(row, sum.least));
  made.add("most", number_value(row, sum.most));
  made.add("mean", Value::real(sum.total / static_cast<double>(sum.pixels)));
  if (!row.takes_largest) made.add("total", number_value(row, sum.total));
  return made;
}

void print_sum(const Value& sum, Printer& out) {
  print_value(*sum.find("pixels"), out.text);
  out.text << " pixels";
  const Value* const least = sum.find("least");
  if (least != nullptr) {
    const Value& most = *sum.find("most");
    out.text << (*least == most ? ", each " : ", ");
    print_value(*least, out.text);
    if (!(*least == most)) {
      out.text << " to ";
      print_value(most, out.text);
      out.text << ", mean ";
      print_value(Value::real(static_cast<float>(std::round(sum.find("mean")->as_real()->wide * 1000) / 1000)), out.text);
    }
  }
  if (const Value* const total = sum.find("total")) {
    out.text << ", total ";
    print_value(*total, out.text);
  }
  out.text << '\n';
}

// Calls `visit(pass)` for passes that draw into the target first.
template <class Visit>
void each_pass(const suite::Drawn& drawn, const suite::Drawn::Target& target, Visit visit) {
  for (const suite::Drawn::Pass& pass : drawn.passes)
    if (pass.heat && pass.target && &drawn.targets[*pass.target] == &target) visit(pass);
}

}  // namespace

shader::Picture colored(const draw::Heat& heat) {
  const draw::HeatRow& row = draw::info(heat.kind);
  const draw::HeatSum sum = draw::sum_of(heat);
  shader::Picture made = empty_picture(heat, "R8G8B8A8_UNORM");
  for (std::size_t pixel = 0; pixel < heat.counts.size(); ++pixel) {
    const Shade shade = heat.counts[pixel] == 0 ? Shade{} : shade_of(share_of(row.number(heat.counts[pixel]), sum));
    for (std::size_t k = 0; k < shade.size(); ++k) made.bytes[pixel * 4 + k] = std::byte{shade[k]};
    made.bytes[pixel * 4 + 3] = std::byte{0xff};
  }
  return made;
}

shader::Picture numbers_of(const draw::Heat& heat) {
  const draw::HeatRow& row = draw::info(heat.kind);
  const bool is_whole = row.parts == 1;
  shader::Picture made = empty_picture(heat, is_whole ? "R32_UINT" : "R32_FLOAT");
  for (std::size_t pixel = 0; pixel < heat.counts.size(); ++pixel) {
    const std::uint32_t count = heat.counts[pixel];
    const std::uint32_t bits = is_whole ? count : std::bit_cast<std::uint32_t>(count == 0 ? -1.0F : static_cast<float>(row.number(count)));
    for (unsigned byte = 0; byte < 4; ++byte) made.bytes[pixel * 4 + byte] = static_cast<std::byte>(bits >> (8 * byte) & 0xff);
  }
  return made;
}

void print_heat(const suite::Drawn& drawn, const suite::Drawn::Target& target, std::span<const Pixel> pixels, Printer& out) {
  const draw::HeatRow& row = draw::info(target.heat->kind);
  const draw::HeatSum sum = draw::sum_of(*target.heat);
  out.paint(Paint::heading);
  print_safely(out.text, target.name);
  out.paint(Paint::plain);
  out.text << ": " << row.counted << '\n';
  out.text << "  ";
  print_sum(sum_value(row, sum), out);
  if (sum.pixels != 0) {
    out.text << "  black: none";
    constexpr unsigned kSteps = 4;
    constexpr std::string_view kNames[] = {"violet", "blue", "teal", "green", "yellow"};
    for (unsigned step = sum.most > sum.least ? 0 : kSteps; step <= kSteps; ++step) {
      const double share = static_cast<double>(step) / kSteps;
      out.text << ", ";
      if (out.color()) {
        out.text << "\x1b[38;2";
        for (const std::uint8_t part : shade_of(share)) (out.text << ';').dec(part);
        out.text << "m\u2588\u2588\x1b[0m ";
      }
      out.text << kNames[step] << ": ";
      print_value(Value::real(sum.least + share * (sum.most - sum.least)), out.text);
    }
    out.text << '\n';
  }
  each_pass(drawn, target, [&](const suite::Drawn::Pass& pass) {
    out.text << "  ";
    print_safely(out.text, pass.name);
    out.text << ": ";
    print_sum(sum_value(row, *pass.heat), out);
  });
  for (const Pixel& place : pixels) {
    const auto count = count_at(*target.heat, place);
    if (!count) continue;
    (out.text << row.id << ' ').dec(place.first) << ',';
    out.text.dec(place.second) << ": ";
    if (*count == 0) {
      out.text << "none\n";
      continue;
    }
    print_value(number_value(row, row.number(*count)), out.text);
    out.text << '\n';
  }
}

void write_heat(const suite::Drawn& drawn, const suite::Drawn::Target& target, std::span<const Pixel> pixels, Json& json) {
  const draw::HeatRow& row = draw::info(target.heat->kind);
  const auto write_sum = [&](const draw::HeatSum& sum) {
    const Value made = sum_value(row, sum);
    for (const Value::Member& member : *made.as_map()) {
      json.key(member.key);
      yaml::write_value(member.value, json);
    }
  };
  json.begin_object();
  json.member("kind", row.id);
  json.member("target", target.name);
  write_sum(draw::sum_of(*target.heat));
  json.key("passes");
  json.begin_array();
  each_pass(drawn, target, [&](const suite::Drawn::Pass& pass) {
    json.begin_object();
    json.member("name", pass.name);
    write_sum(*pass.heat);
    json.end_object();
  });
  json.end_array();
  if (!pixels.empty()) {
    json.key("at");
    json.begin_array();
    for (const Pixel& place : pixels) {
      const auto count = count_at(*target.heat, place);
      if (!count) continue;
      json.begin_object();
      json.member("x", std::uint64_t{place.first});
      json.member("y", std::uint64_t{place.second});
      if (*count != 0) {
        json.key("number");
        yaml::write_value(number_value(row, row.number(*count)), json);
      }
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace unshade::cli::print
