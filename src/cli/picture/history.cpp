#include "cli/picture/history.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include <unshade/core/value.hpp>
#include <unshade/vm/formats.hpp>

#include "cli/print/steps.hpp"
#include "cli/print/values.hpp"
#include "cli/yaml/yaml.hpp"

namespace unshade::cli::print {
namespace {

Value real(float value) {
  return std::isfinite(value) ? Value::real(value) : Value::text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

Value number(std::uint64_t bits, bool is_whole) {
  const auto low = static_cast<std::uint32_t>(bits);
  return is_whole ? Value::integer(low) : real(std::bit_cast<float>(low));
}

// The components that a target has.
Value texel(const std::array<std::uint32_t, 4>& loaded, const std::optional<vm::Format>& format) {
  Value made = Value::list();
  for (unsigned k = 0; k < 4; ++k) {
    if (format && !format->has(k)) continue;
    made.push(number(loaded[k], format && format->is_integer()));
  }
  return made;
}

// By semantic.
Value inputs_of(const draw::HistoryEvent& event, const std::vector<ir::Element>& elements) {
  Value made = Value::map();
  std::size_t first = 0;
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      Value values = Value::list();
      for (std::uint32_t k = 0; k < element.columns && first < event.inputs.size(); ++k, ++first)
        values.push(number(event.inputs[first], !ir::is_float(element.type)));
      const std::uint32_t index = element.semantic_index + row;
      made.add(element.semantic + (index == 0 ? "" : std::to_string(index)), std::move(values));
    }
  }
  return made;
}

// An event as a document: what is printed, too.
Value shown(const draw::HistoryEvent& event, const suite::Drawn::Pass& pass, std::size_t number_of, const suite::Drawn& drawn,
            std::size_t event_number) {
  Value made = Value::map();
  made.add("event", Value::integer(event_number));
  made.add("pass", Value::integer(number_of));
  made.add("primitive", Value::integer(event.primitive));
  made.add("fate", Value::text(draw::id(event.fate)));
  made.add("front", Value::boolean(event.is_front));
  Value corners = Value::list();
  for (const auto& [x, y] : event.corners) corners.push(Value::list({Value::real(x), Value::real(y)}));
  made.add("corners", std::move(corners));
  made.add("covered", Value::integer(event.covered));
  made.add("landed", Value::integer(event.landed));
  made.add("sample", Value::integer(event.sample));
  if (!event.inputs.empty()) made.add("inputs", inputs_of(event, pass.pixel_inputs));
  const auto format = [&](std::size_t k) -> std::optional<vm::Format> {
    return k == 0 && pass.target ? vm::find_format(drawn.targets[*pass.target].format) : std::nullopt;
  };
  if (!event.outputs.empty()) {
    Value outputs = Value::list();
    for (std::size_t k = 0; k < event.outputs.size(); ++k) {
      const auto of = format(k);
      Value one = Value::list();
      for (const std::uint32_t bits : event.outputs[k]) one.push(number(bits, of && of->is_integer()));
      outputs.push(std::move(one));
    }
    made.add("outputs", std::move(outputs));
  }
  if (event.depth) made.add("depth", real(*event.depth));
  if (event.depth_target) made.add("depth_target", Value::list({real(event.depth_target->before), real(event.depth_target->after)}));
  if (event.stencil_target)
    made.add("stencil_target", Value::list({Value::integer(event.stencil_target->before), Value::integer(event.stencil_target->after)}));
  if (!event.targets.empty()) {
    Value targets = Value::list();
    for (std::size_t k = 0; k < event.targets.size(); ++k)
      targets.push(Value::list({texel(event.targets[k].before, format(k)), texel(event.targets[k].after, format(k))}));
    made.add("targets", std::move(targets));
  }
  return made;
}

template <class Visit>
void each_event(const suite::Drawn& drawn, std::size_t target, Visit visit) {
  std::size_t event_number = 0;
  for (std::size_t number_of = 0; number_of < drawn.passes.size(); ++number_of) {
    const suite::Drawn::Pass& pass = drawn.passes[number_of];
    if (pass.target != target) continue;
    for (const draw::HistoryEvent& event : pass.history) visit(shown(event, pass, number_of, drawn, ++event_number), pass);
  }
}

void print_change(std::string_view name, const Value& change, Printer& out) {
  const Value::List& list = *change.as_list();
  (out.text << "  ").left(name, 12) << (name.size() < 12 ? "" : " ");
  print_value(list[0], out.text);
  out.text << " -> ";
  print_value(list[1], out.text);
  out.text << '\n';
}

}  // namespace

void print_history(const suite::Drawn& drawn, std::size_t target, const draw::PixelPlace& place, const std::optional<TracedEvent>& traced,
                   Printer& out) {
  out.paint(Paint::heading);
  print_safely(out.text, drawn.targets[target].name);
  out.text << ' ';
  out.text.dec(place.x) << ',';
  out.text.dec(place.y);
  if (place.sample) (out.text << ", sample ").dec(*place.sample);
  out.paint(Paint::plain);
  out.text << '\n';
  std::size_t count = 0;
  each_event(drawn, target, [&](const Value& event, const suite::Drawn::Pass& pass) {
    ++count;
    if (traced && traced->number != count) return;
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
    if (const Value* const outputs = event.find("outputs")) line("output", (*outputs->as_list())[0]);
    if (const Value* const depth = event.find("depth")) line("depth", *depth);
    if (const Value* const change = event.find("depth_target")) print_change("in target", *change, out);
    if (const Value* const change = event.find("stencil_target")) print_change("stencil", *change, out);
    if (const Value* const targets = event.find("targets")) print_change("color", (*targets->as_list())[0], out);
    if (!traced) return;
    for (const Value& step : traced->steps) print_step(step, out);
  });
  if (count == 0) out.text << "no primitive reaches this pixel\n";
  for (const suite::Drawn::Pass& pass : drawn.passes)
    if (pass.history_is_cut && pass.target == target) out.text << "more primitives than are kept\n";
}

std::optional<EventPlace> find_event(const suite::Drawn& drawn, std::size_t target, std::size_t number) {
  std::size_t first = 1;
  for (std::size_t pass = 0; pass < drawn.passes.size(); ++pass) {
    const auto& events = drawn.passes[pass].history;
    if (drawn.passes[pass].target != target) continue;
    if (number >= first && number - first < events.size()) return EventPlace{pass, number - first, !events[number - first].outputs.empty()};
    first += events.size();
  }
  return std::nullopt;
}

void write_history(const suite::Drawn& drawn, std::size_t target, const std::optional<TracedEvent>& traced, Json& json) {
  json.begin_array();
  std::size_t count = 0;
  each_event(drawn, target, [&](const Value& event, const suite::Drawn::Pass&) {
    if (traced && traced->number != ++count) return;
    Value whole = event;
    if (traced) whole.add("trace", Value::list(traced->steps));
    yaml::write_value(whole, json);
  });
  json.end_array();
}

}  // namespace unshade::cli::print
