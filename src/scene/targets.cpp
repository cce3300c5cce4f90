// Targets of a scene: memory that is cleared and drawn into, and pictures of it.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <unshade/ir/numeric/nan.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;

constexpr std::uint32_t kMostPixelsOfRow = 16384;
constexpr std::uint32_t kMostTargetSamples = 16;

struct TargetFields {
  const Value* format = nullptr;
  const Value* clear = nullptr;
  std::uint32_t width = 0, height = 0, samples = 1, layers = 1;
};

template <std::uint32_t TargetFields::* member, std::uint32_t most>
Result<void> size_up_to(const Value& given, TargetFields& to) {
  const auto number = run::number_of(given, "");
  if (!number) return number.error();
  if (*number < 1 || *number > most)
    return fault(given, "", "expected a number from 1 to " + std::to_string(most),
                 *number > most ? ErrorCode::limit : ErrorCode::bad_value);
  to.*member = *number;
  return {};
}
constexpr Field<TargetFields> kTargetFields[] = {
    {"format",
     [](const Value& given, TargetFields& to) -> Result<void> {
       to.format = &given;
       return {};
     }},
    {"clear",
     [](const Value& given, TargetFields& to) -> Result<void> {
       to.clear = &given;
       return {};
     }},
    {"width", size_up_to<&TargetFields::width, kMostPixelsOfRow>},
    {"height", size_up_to<&TargetFields::height, kMostPixelsOfRow>},
    {"samples",
     [](const Value& given, TargetFields& to) -> Result<void> {
       if (auto done = size_up_to<&TargetFields::samples, kMostTargetSamples>(given, to); !done) return done;
       if (!std::has_single_bit(to.samples)) return fault(given, "", "expected 1, 2, 4, 8 or 16");
       return {};
     }},
    {"layers", size_up_to<&TargetFields::layers, 2048>},
};

struct ClearValue {
  float depth = 1;
  std::uint32_t stencil = 0;
};
constexpr Field<ClearValue> kClearFields[] = {
    {"Depth", [](const Value& given, ClearValue& to) { return run::read_real(given, to.depth); }},
    {"Stencil",
     [](const Value& given, ClearValue& to) -> Result<void> {
       const auto number = run::number_of(given, "");
       if (!number || *number > 0xff) return fault(given, "", "expected a whole number from 0 to 255");
       to.stencil = *number;
       return {};
     }},
};

// The bytes of a texel that is cleared.
Result<std::vector<std::byte>> cleared(const Value* given, const Target& target) {
  const texel::Format& format = target.view.texture.format;
  std::vector<std::byte> made(std::max(1U, format.bytes()));
  if (target.is_depth) {
    ClearValue value;
    if (given != nullptr && given->as_map() != nullptr) {
      if (auto done = run::read_fields(*given, kClearFields, "a clear value", value); !done) return std::move(done).error();
    } else if (given != nullptr) {
      if (auto done = run::read_real(*given, value.depth); !done) return std::move(done).error();
    }
    if (!(value.depth >= 0 && value.depth <= 1)) return fault(*given, "", "a depth must be from 0 to 1");
    texel::store_texel(format, {std::bit_cast<std::uint32_t>(value.depth)}, made.data());
    if (target.view.stencil_byte) made[*target.view.stencil_byte] = static_cast<std::byte>(value.stencil);
    return made;
  }
  if (given == nullptr) return made;
  const Value::List* const list = given->as_list();
  if (list == nullptr || list->size() > 4) return fault(*given, "", "expected a list of up to four numbers");
  std::array<std::uint32_t, 4> color{};
  for (std::size_t k = 0; k < list->size(); ++k) {
    const auto bits = run::bits_of((*list)[k], format.is_integer() ? ir::Type::i32 : ir::Type::f32, "");
    if (!bits) return bits.error();
    color[k] = static_cast<std::uint32_t>(*bits);
  }
  texel::store_texel(format, color, made.data());
  return made;
}

}  // namespace

Result<Target> make_target(const Value::Member& member, const run::RunOptions& options, std::uint64_t& taken) {
  const Value& given = member.value;
  TargetFields fields;
  if (auto done = run::read_fields(given, kTargetFields, "a target", fields); !done) return std::move(done).error();
  for (const auto& [name, missing] :
       {std::pair{"format", fields.format == nullptr}, std::pair{"width", fields.width == 0}, std::pair{"height", fields.height == 0}})
    if (missing) return fault(given, name, "a target must have a format, a width and a height", ErrorCode::missing);
  Target made;
  made.name = member.key;
  const std::string* const format = fields.format->as_text();
  const auto depth = format == nullptr ? std::nullopt : draw::find_depth_stencil_format(*format);
  const auto color = format == nullptr ? std::nullopt : texel::find_format(*format);
  if (!color || color->block != texel::Block::none || texel::format_number(*format) == 0)
    return fault(*fields.format, "format", "expected the name of a DXGI format without blocks, such as R8G8B8A8_UNORM or D32_FLOAT");
  made.format = *format;
  made.is_depth = depth.has_value();
  if (depth) made.view = *depth;
  texel::Descriptor& texture = made.view.texture;
  texture.format = *color;
  texture.width = fields.width;
  texture.height = fields.height;
  texture.samples = fields.samples;
  texture.layers = fields.layers;
  auto texel = cleared(fields.clear, made);
  if (!texel) return std::move(texel).error().within("clear");
  const std::uint64_t size = texel::texture_bytes(texture);
  if (size > options.memory - taken)
    return fault(given, "", "targets and resources together may have " + std::to_string(options.memory) + " bytes", ErrorCode::limit);
  taken += size;
  made.bytes.resize(size);
  std::size_t filled = std::min(texel->size(), made.bytes.size());
  std::memcpy(made.bytes.data(), texel->data(), filled);
  while (filled != 0 && filled < made.bytes.size()) {
    const std::size_t more = std::min(filled, made.bytes.size() - filled);
    std::memcpy(made.bytes.data() + filled, made.bytes.data(), more);
    filled += more;
  }
  texture.bytes = made.bytes;
  return made;
}

Drawn::Target drawn_target(const Target& target) {
  const texel::Descriptor& from = target.view.texture;
  Drawn::Target made;
  made.name = target.name;
  made.format = target.format;
  made.samples = from.samples;
  made.is_depth = target.is_depth;
  made.picture.width = from.width;
  made.picture.height = from.height;
  made.picture.layers = from.layers;
  // depth as what a shader reads of it
  const unsigned depth_bits = target.is_depth ? from.format.components[0].bits : 0U;
  const std::string_view name = depth_bits == 0 ? std::string_view(target.format) : depth_bits == 16 ? "R16_UNORM" : "R32_FLOAT";
  const texel::Format format = *texel::find_format(name);
  made.picture.format = texel::format_number(name);
  if (from.samples == 1 && !target.is_depth) {
    made.picture.bytes = target.bytes;
    return made;
  }
  const std::size_t pixels = std::size_t{from.width} * from.height * from.layers;
  made.picture.bytes.resize(pixels * format.bytes());
  const unsigned samples = format.is_integer() || target.is_depth ? 1 : from.samples;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    const std::byte* const first = target.bytes.data() + pixel * from.samples * from.format.bytes();
    std::array<double, 4> sum{};
    std::array<std::uint32_t, 4> value{};
    for (unsigned sample = 0; sample < samples; ++sample) {
      value = texel::load_texel(from.format, first + std::size_t{sample} * from.format.bytes());
      for (std::size_t k = 0; k < 4; ++k) sum[k] += static_cast<double>(std::bit_cast<float>(value[k]));
    }
    for (std::size_t k = 0; k < 4 && samples != 1; ++k) value[k] = ir::numeric::canonical_bits(static_cast<float>(sum[k] / samples));
    texel::store_texel(format, value, made.picture.bytes.data() + pixel * format.bytes());
  }
  return made;
}

}  // namespace unshade::scene
