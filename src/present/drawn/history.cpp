#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/value.hpp>
#include <unshade/present/drawn.hpp>
#include <unshade/present/run/run.hpp>
#include <unshade/present/value.hpp>

namespace unshade::present {
namespace {

void print_change(std::string_view name, const Value& change, Printer& out) {
  const Value::List& list = *change.as_list();
  (out.text << "  ").left(name, 12) << (name.size() < 12 ? "" : " ");
  print_value(list[0], out.text);
  out.text << " -> ";
  print_value(list[1], out.text);
  out.text << '\n';
}

}  // namespace

void print_history(const scene::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, const TracedEvent* traced, Printer& out) {
  out.paint(Paint::heading);
  print_safely(out.text, drawn.targets[target].name);
  out.text << ' ';
  out.text.dec(place.x) << ',';
  out.text.dec(place.y);
  if (place.sample) (out.text << ", sample ").dec(*place.sample);
  out.paint(Paint::plain);
  out.text << '\n';
  std::size_t count = 0;
  each_event(drawn, target, [&](const Value& event, const scene::Drawn::Pass& pass) {
    ++count;
    if (traced != nullptr && traced->number != count) return;
    out.text.dec(count) << ": ";
    print_safely(out.text, pass.name);
    out.text << ", primitive ";
    print_value(*event.find("primitive"), out.text);
    out.text << (*event.find("front")->as_boolean() ? ", front: " : ", back: ");
    const std::string& fate = *event.find("fate")->as_text();
    out.painted(fate == "written" ? Paint::value : Paint::warning, fate);
    out.text << '\n';
    const auto line = [&](std::string_view name, const Value& value) {
      (out.text << "  ").left(name, 12) << (name.size() < 12 ? "" : " ");
      print_value(value, out.text);
      out.text << '\n';
    };
    line("corners", *event.find("corners"));
    if (const Value* const inputs = event.find("inputs"))
      for (const Value::Member& input : *inputs->as_map()) line(input.key, input.value);
    // of the target that is asked of; of depth, beside what its pass has as the first of colors
    const auto of_colors = std::ranges::find(pass.colors, target);
    const auto slot = of_colors == pass.colors.end() ? std::size_t{0} : static_cast<std::size_t>(of_colors - pass.colors.begin());
    if (const Value* const outputs = event.find("outputs")) line("output", (*outputs->as_list())[slot]);
    if (const Value* const depth = event.find("depth")) line("depth", *depth);
    if (const Value* const change = event.find("depth_target")) print_change("in target", *change, out);
    if (const Value* const change = event.find("stencil_target")) print_change("stencil", *change, out);
    if (const Value* const targets = event.find("targets")) print_change("color", (*targets->as_list())[slot], out);
    if (traced == nullptr) return;
    for (const Value& step : traced->steps) print_step(step, out);
  });
  if (count == 0) out.text << "no primitive reaches this pixel\n";
  for (const scene::Drawn::Pass& pass : drawn.passes)
    if (pass.history_is_cut && pass.has_target(target)) out.text << "more primitives reach it than are kept\n";
}

}  // namespace unshade::present
