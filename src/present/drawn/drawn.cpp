#include <unshade/present/drawn.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <unshade/picture/picture.hpp>
#include <unshade/present/heat.hpp>
#include <unshade/present/schemas.hpp>
#include <unshade/present/value.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::present {
namespace {

Value real(float value) {
  return std::isfinite(value) ? Value::real(value) : Value::text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

// A component of 32 bits, as a load gives it or a shader wrote it.
Value component(std::uint32_t bits, const std::optional<texel::Format>& format) {
  if (!format || !format->is_integer()) return real(std::bit_cast<float>(bits));
  return format->encoding == texel::Encoding::sint ? Value::signed_integer(static_cast<std::int32_t>(bits)) : Value::integer(bits);
}

// The components that a target has.
Value texel(const std::array<std::uint32_t, 4>& loaded, const std::optional<texel::Format>& format) {
  Value made = Value::list();
  for (unsigned k = 0; k < 4; ++k) {
    if (format && !format->has(k)) continue;
    made.push(component(loaded[k], format));
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
        values.push(run::shown(element.type == ir::Type::b1 ? ir::Type::i32 : element.type, element.is_signed, event.inputs[first]));
      made.add(run::semantic_key(element, row), std::move(values));
    }
  }
  return made;
}

// An event as a document: what is printed, too.
Value shown(const draw::HistoryEvent& event, const scene::Drawn::Pass& pass, std::size_t number_of, const scene::Drawn& drawn,
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
  const auto format = [&](std::size_t k) -> std::optional<texel::Format> {
    return k < pass.colors.size() ? texel::find_format(drawn.targets[pass.colors[k]].format) : std::nullopt;
  };
  if (!event.outputs.empty()) {
    Value outputs = Value::list();
    for (std::size_t k = 0; k < event.outputs.size(); ++k) {
      const auto of = format(k);
      Value one = Value::list();
      for (const std::uint32_t bits : event.outputs[k]) one.push(component(bits, of));
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

void write_statistics(const unshade::draw::Statistics& statistics, Json& json) {
  json.begin_object();
  for (const unshade::draw::StatisticsRow& row : unshade::draw::statistics_rows()) json.member(row.name, statistics.*row.count);
  json.end_object();
}

void write_history(const scene::Drawn& drawn, std::size_t target, const TracedEvent* traced, Json& json) {
  json.begin_array();
  std::size_t count = 0;
  each_event(drawn, target, [&](const Value& event, const scene::Drawn::Pass&) {
    if (traced != nullptr && traced->number != ++count) return;
    Value whole = event;
    if (traced != nullptr) whole.add("trace", Value::list(traced->steps));
    write_value(whole, json);
  });
  json.end_array();
}

}  // namespace

std::optional<Texel> texel_at(const picture::Picture& picture, const PixelAt& pixel) {
  const auto format = texel::find_format(texel::format_name(picture.format));
  if (!format || pixel.first >= picture.width || pixel.second >= picture.height) return std::nullopt;
  const std::size_t at = (std::size_t{pixel.second} * picture.width + pixel.first) * format->bytes();
  const auto bits = texel::load_texel(*format, picture.bytes.data() + at);
  return Texel{texel(bits, format), std::span(picture.bytes).subspan(at, format->bytes())};
}

void each_event(const scene::Drawn& drawn, std::size_t target,
                const std::function<void(const Value& event, const scene::Drawn::Pass& pass)>& visit) {
  std::size_t event_number = 0;
  for (std::size_t number_of = 0; number_of < drawn.passes.size(); ++number_of) {
    const scene::Drawn::Pass& pass = drawn.passes[number_of];
    if (!pass.has_target(target)) continue;
    for (const draw::HistoryEvent& event : pass.history) visit(shown(event, pass, number_of, drawn, ++event_number), pass);
  }
}

void write_drawn(const scene::Drawn& drawn, const DrawnParts& parts, Json& json) {
  begin_document(Schema::draw, json);
  json.key("targets");
  json.begin_array();
  for (std::size_t k = 0; k < drawn.targets.size(); ++k) {
    const scene::Drawn::Target& one = drawn.targets[k];
    json.begin_object();
    json.member("name", one.name);
    json.member("format", one.format);
    json.member("width", std::uint64_t{one.picture.width});
    json.member("height", std::uint64_t{one.picture.height});
    json.member("layers", std::uint64_t{one.picture.layers});
    json.member("samples", std::uint64_t{one.samples});
    json.member("shown", k == drawn.shown);
    json.end_object();
  }
  json.end_array();
  json.objects("passes", drawn.passes, [&](const scene::Drawn::Pass& one) {
    json.member("name", one.name);
    json.member("operations", one.operations);
    json.member("skipped", one.is_skipped);
    if (!one.not_given.empty()) {
      json.objects("not_given", one.not_given, [&](const scene::Drawn::Pass::NotGiven& of) {
        json.member("stage", of.stage);
        json.array("constants", of.names, [&](const std::string& name) { json.string(name); });
      });
    }
    for (const auto& [key, texts] : {std::pair("mismatches", &one.mismatches),
                                     {"vulkan_mismatches", &one.vulkan_mismatches},
                                     {"format_mismatches", &one.format_mismatches}})
      if (!texts->empty()) json.array(key, *texts, [&](const std::string& text) { json.string(text); });
    json.key("statistics");
    write_statistics(one.statistics, json);
  });
  if (!drawn.queries.as_map()->empty()) {
    json.key("queries");
    write_value(drawn.queries, json);
  }
  if (!parts.pixels.empty()) {
    json.key("pixels");
    json.begin_array();
    for (const PixelAt& pixel : parts.pixels) {
      for (const scene::Drawn::Target& one : drawn.targets) {
        const auto texel = texel_at(one.picture, pixel);
        if (!texel) continue;
        json.begin_object();
        json.member("target", one.name);
        json.member("x", std::uint64_t{pixel.first});
        json.member("y", std::uint64_t{pixel.second});
        json.key("value");
        write_value(texel->value, json);
        json.bytes("hex", texel->bytes);
        json.end_object();
      }
    }
    json.end_array();
  }
  if (parts.history) {
    json.key("history");
    write_history(drawn, *parts.history, parts.traced, json);
  }
  if (parts.heat != nullptr) {
    json.key("heat");
    write_heat(drawn, *parts.heat, parts.pixels, json);
  }
  if (parts.resources) {
    json.objects("resources", drawn.resources, [&](const scene::Drawn::Resource& one) {
      json.member("name", one.name);
      json.member("counter", std::uint64_t{one.counter});
      if (one.filled) json.member("filled", *one.filled);
      json.bytes("hex", one.bytes);
    });
  }
  end_document(json);
}

}  // namespace unshade::present
