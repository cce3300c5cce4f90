#include <algorithm>
#include <cstddef>

#include <unshade/core/bits/nearest.hpp>
#include <unshade/present/heat.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {
namespace {

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
      print_value(Value::real(static_cast<float>(nearest_integral(sum.find("mean")->as_real()->wide * 1000) / 1000)), out.text);
    }
  }
  if (const Value* const total = sum.find("total")) {
    out.text << ", total ";
    print_value(*total, out.text);
  }
  out.text << '\n';
}

}  // namespace

void print_heat(const scene::Drawn& drawn, const scene::Drawn::Target& target, std::span<const PixelAt> pixels, Printer& out) {
  const draw::HeatRow& row = draw::info(target.heat->kind);
  const draw::HeatSum sum = draw::sum_of(*target.heat);
  out.paint(Paint::heading);
  print_safely(out.text, target.name);
  out.paint(Paint::plain);
  out.text << ": " << row.counted << '\n';
  out.text << "  ";
  print_sum(heat_sum(row, sum), out);
  if (sum.pixels != 0) {
    out.text << "  black: none";
    constexpr unsigned kSteps = 4;
    constexpr std::string_view kNames[] = {"violet", "blue", "teal", "green", "yellow"};
    for (unsigned step = sum.most > sum.least ? 0 : kSteps; step <= kSteps; ++step) {
      const double share = static_cast<double>(step) / kSteps;
      out.text << ", ";
      if (out.color()) {
        out.text << "\x1b[38;2";
        for (const std::uint8_t part : heat_shade(share)) (out.text << ';').dec(part);
        out.text << "m\u2588\u2588\x1b[0m ";
      }
      out.text << kNames[step] << ": ";
      print_value(Value::real(sum.least + share * (sum.most - sum.least)), out.text);
    }
    out.text << '\n';
  }
  each_heated_pass(drawn, target, [&](const scene::Drawn::Pass& pass) {
    out.text << "  ";
    print_safely(out.text, pass.name);
    out.text << ": ";
    print_sum(heat_sum(row, *pass.heat), out);
  });
  for (const PixelAt& place : pixels) {
    const auto count = heat_count(*target.heat, place);
    if (!count) continue;
    (out.text << row.id << ' ').dec(place.first) << ',';
    out.text.dec(place.second) << ": ";
    if (*count == 0) {
      out.text << "none\n";
      continue;
    }
    print_value(heat_number(row, row.number(*count)), out.text);
    out.text << '\n';
  }
}

}  // namespace unshade::present
