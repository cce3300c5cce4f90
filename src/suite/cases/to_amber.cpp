// Cases as scripts of Amber. src: google/amber:docs/amber_script.md
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "core/rounding.hpp"
#include "shader/run/bindings.hpp"
#include "shader/run/type_layout.hpp"
#include "suite/amber/types.hpp"
#include "suite/cases/amber_writer.hpp"

namespace unshade::suite::cases {
namespace {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using Kind = NumberType::Kind;
using shader::runner::Bindings;
using Writer = AmberWriter;
using Data = AmberWriter::Data;

/// Between options that are on lines of their own.
constexpr std::string_view kContinued = " \\\n  ";
/// Numbers on a line.
constexpr std::size_t kRow = 16;
constexpr std::uint32_t kPushConstants = 0xffff'ffff;

/// The type of a number that is no texel.
std::string_view word_of(const NumberType& type) {
  constexpr struct {
    Kind kind;
    std::uint8_t bytes;
    std::string_view word;
  } kRows[] = {
      {Kind::real, 2, "float16"}, {Kind::real, 4, "float"},  {Kind::real, 8, "double"}, {Kind::uint, 1, "uint8"},
      {Kind::uint, 2, "uint16"},  {Kind::uint, 4, "uint32"}, {Kind::uint, 8, "uint64"}, {Kind::sint, 1, "int8"},
      {Kind::sint, 2, "int16"},   {Kind::sint, 4, "int32"},  {Kind::sint, 8, "int64"},  {Kind::boolean, 4, "uint32"},
  };
  const auto* const row = std::ranges::find_if(kRows, [&](const auto& one) { return one.kind == type.kind && one.bytes == type.bytes; });
  return row == std::end(kRows) ? std::string_view() : row->word;
}

/// Vulkan's name of a format, as the reader of scripts knows it; empty if there is none whose components are whole bytes.
std::string format_word(const vm::Format& format) {
  for (const auto& component : format.components)
    if (component.bits % 8 != 0 || component.bits == 24) return {};
  std::string name(vm::format_name(vm::format_number(format)));
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {{"_UNORM_SRGB", "_SRGB"}, {"_FLOAT", "_SFLOAT"}};
  for (const auto& [ours, vulkans] : kEndings) {
    if (name.ends_with(ours)) name.replace(name.size() - ours.size(), ours.size(), vulkans);
  }
  const auto known = amber::parse_format(name);
  return known && *known == format ? name : std::string();
}

/// A number of a texel as Amber has it: components of real numbers that are no floats are their bits.
NumberType stored_type(const NumberType& type) {
  if (type.format == nullptr) return type;
  const vm::Encoding encoding = type.format->encoding;
  const Kind kind = encoding == vm::Encoding::float_                                    ? Kind::real
                    : encoding == vm::Encoding::snorm || encoding == vm::Encoding::sint ? Kind::sint
                                                                                        : Kind::uint;
  return {kind, static_cast<std::uint8_t>(type.format->components[type.component].bits / 8)};
}

/// The distance of so many units in the last place from a float.
double width_of_ulps(const Number& number, double ulps) {
  const int digits = number.type.bytes == 8 ? 52 : number.type.bytes == 4 ? 23 : 10;
  const int least = number.type.bytes == 8 ? -1022 : number.type.bytes == 4 ? -126 : -14;
  const int exponent = number.real == 0 ? least : std::max(std::ilogb(number.real), least);
  return std::ldexp(ulps, exponent - digits);
}

}  // namespace

Error cannot(std::string what) { return {ErrorCode::unsupported, 0, "", std::move(what)}; }

std::string real_text(double value, bool single) {
  Text text;
  if (single) {
    text.shortest(static_cast<float>(value));
  } else {
    text.shortest(value);
  }
  std::string made = text.str();
  // without a point it would be a whole number. src: google/amber:src/tokenizer.cc
  if (made.find('.') == std::string::npos) made.insert(std::min(made.find('e'), made.size()), ".0");
  return made;
}

// What of a case Amber has no word for.
Result<void> Writer::refuse() const {
  const bool has_points = ir_.stage == Stage::pixel;
  if (ir_.stage != Stage::compute && !has_points)
    return cannot("a case runs lanes of a " + std::string(id(ir_.stage)) + " shader alone, which Amber has no command for");
  if (const std::string why = has_points ? why_not_points(ir_) : std::string(); !why.empty()) return cannot("lanes as points: " + why);
  if (case_.check) return cannot("`check`: Amber does not look at accesses");
  for (const Value::Member& member : case_.expect.as_map() == nullptr ? Value::Map{} : *case_.expect.as_map()) {
    if (member.key == "resources" || (has_points && member.key == "lanes")) continue;
    if (member.key == "stop" && member.value.as_text() != nullptr && *member.value.as_text() == "finished") continue;
    if (member.key == "ulp" || member.key == "absolute" || member.key == "relative" || member.key == "exact") continue;
    return cannot("`expect." + member.key + "`: Amber compares buffers alone");
  }
  return {};
}

Result<void> Writer::shader() {
  const auto module = spirv::parse(module_);
  if (!module) return module.error();
  Text listing;
  spirv::list_module(*module, listing, {.indent = false, .header = false});
  std::string_view rest = listing.view();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (rest.substr(0, end).find_first_not_of(" \t") != std::string_view::npos && rest.substr(rest.find_first_not_of(" \t"), 3) == "END")
      return cannot("the shader's assembly has a line that begins with END");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  shader_ << "SHADER " << (ir_.stage == Stage::compute ? "compute" : "fragment") << " shader SPIRV-ASM TARGET_ENV spv";
  shader_.dec(module->header().major()) << '.';
  shader_.dec(module->header().minor()) << '\n' << listing.view() << "END\n\n";
  return {};
}

// The one that the case names, else the first.
Result<std::string> Writer::entry_point() const {
  if (!case_.entry.empty()) return case_.entry;
  const auto module = spirv::parse(module_);
  if (!module) return module.error();
  for (const spirv::Instruction one : *module)
    if (one.opcode() == spirv::Opcode::entry_point) return spirv::literal_string(one, 3);
  return cannot("the module has no entry point");
}

// Which resource an expectation is of.
Result<void> Writer::find_expected(const Bindings& bindings) {
  const Value* const all = case_.expect.find("resources");
  if (all == nullptr) return {};
  if (all->as_map() == nullptr) return cannot("`expect.resources` is not a map");
  for (const Value::Member& member : *all->as_map()) {
    const auto key = bindings.key_named(member);
    if (!key) return cannot("the shader has no resource " + member.key);
    if (!expected_.try_emplace(*key, Expected{&member.value, member.key}).second) return cannot("resource " + *key + " is expected twice");
  }
  return {};
}

Result<Data> Writer::data_of(const Buffer& buffer) {
  Data made;
  const bool is_texels = buffer.resource->kind == ResourceKind::texture || buffer.resource->kind == ResourceKind::uav_typed;
  const auto found = expected_.find(buffer.key);
  const Value* const given =
      given_resource(case_, buffer.key, found == expected_.end() ? std::string_view() : found->second.name, buffer.resource->name);
  const auto as_texels = [&](const vm::Format& format) -> Result<Data> {
    made.type = format_word(format);
    if (made.type.empty()) return cannot(what(buffer) + ": Amber does not have its format");
    made.is_format = true;
    Value wanted = Value::map();
    wanted.add("format", Value::text(vm::format_name(vm::format_number(format))));
    auto layout = layout_of(wanted, nullptr, false);
    if (!layout) return std::move(layout).error();
    made.layout = std::move(*layout);
    return made;
  };
  if (is_texels && buffer.view->format.bytes() == 0) return cannot(what(buffer) + ": the case gives it no format");
  if (is_texels) return as_texels(buffer.view->format);
  if (found == expected_.end()) {
    const bool is_words = buffer.view->bytes.size() % 4 == 0;
    made.layout.add({Kind::uint, static_cast<std::uint8_t>(is_words ? 4 : 1)});
  } else {
    auto layout = layout_of(*found->second.value, given, false);
    if (!layout) return std::move(layout).error();
    made.layout = std::move(*layout);
  }
  if (made.layout.format) return as_texels(vm::Format(*made.layout.format));
  const NumberType& first = made.layout.parts.front();
  const bool is_uniform =
      std::ranges::all_of(made.layout.parts, [&](const NumberType& one) { return one.kind == first.kind && one.bytes == first.bytes; });
  if (!is_uniform) return cannot(what(buffer) + ": elements of several types");
  made.type = word_of(first);
  Layout plain;
  plain.add(first);
  made.layout = std::move(plain);
  return made;
}

Result<std::string> Writer::number_text(const Number& number, const std::string& name) const {
  const NumberType stored = stored_type(number.type);
  if (stored.kind == Kind::real) {
    if (!std::isfinite(number.real)) return cannot(name + ": Amber's numbers are finite");
    std::string text = real_text(number.real, stored.bytes != 8);
    return number.real == 0 && std::signbit(number.real) ? "-0.0" : text;
  }
  std::uint64_t bits = number.bits;
  if (number.type.kind == Kind::texel) {
    std::array<std::uint32_t, 4> texel{};
    std::array<std::byte, 16> memory{};
    texel[number.type.component] = std::bit_cast<std::uint32_t>(static_cast<float>(number.real));
    vm::store_texel(*number.type.format, texel, memory.data());
    bits = 0;
    std::memcpy(&bits, memory.data() + number.type.format->components[number.type.component].first / 8, stored.bytes);
  }
  const Number whole = whole_number(bits, stored);
  return stored.kind == Kind::sint ? std::to_string(static_cast<std::int64_t>(whole.bits)) : std::to_string(whole.bits);
}

Result<void> Writer::buffer(const Buffer& buffer) {
  const auto data = data_of(buffer);
  if (!data) return data.error();
  const vm::Descriptor& view = *buffer.view;
  if (view.is_texture() && (view.levels > 1 || view.layers > 1 || view.samples > 1))
    return cannot(what(buffer) + ": images of Amber have one level and layer here");
  const std::size_t parts = data->layout.parts.size();
  const std::size_t count = data->layout.count(view.bytes.size());
  if (count == 0 || view.bytes.size() % data->layout.stride != 0)
    return cannot(what(buffer) + ": its " + std::to_string(view.bytes.size()) + " bytes are not a number of elements");
  const bool is_zero = std::ranges::all_of(view.bytes, [](std::byte one) { return one == std::byte{}; });
  buffers_ << (view.is_texture() ? "IMAGE " : "BUFFER ") << buffer.name
           << (data->is_format && view.is_texture() ? " FORMAT " : " DATA_TYPE ") << data->type;
  if (view.is_texture()) {
    const bool is_deep = buffer.resource->dimension == ResourceDimension::texture3d;
    const bool is_flat = buffer.resource->dimension == ResourceDimension::texture1d;
    buffers_ << (is_deep ? " DIM_3D WIDTH " : is_flat ? " DIM_1D WIDTH " : " DIM_2D WIDTH ");
    buffers_.dec(view.width);
    if (!is_flat) (buffers_ << " HEIGHT ").dec(view.height);
    if (is_deep) (buffers_ << " DEPTH ").dec(view.depth);
  } else if (is_zero) {
    (buffers_ << " SIZE ").dec(count / parts);
  }
  if (is_zero) {
    buffers_ << " FILL 0\n";
  } else {
    buffers_ << " DATA";
    // in the order in which they lie in memory
    std::vector<std::size_t> order(parts);
    for (std::size_t k = 0; k < parts; ++k) order[k] = k;
    if (data->layout.format) {
      const auto& components = data->layout.format->components;
      std::ranges::sort(order, {}, [&](std::size_t k) { return components[data->layout.parts[k].component].first; });
    }
    for (std::size_t k = 0; k < count; ++k) {
      auto text = number_text(data->layout.load(view.bytes, k / parts * parts + order[k % parts]), what(buffer));
      if (!text) return std::move(text).error();
      buffers_ << (k % kRow == 0 ? "\n  " : " ") << *text;
    }
    buffers_ << "\nEND\n";
  }
  if (expected_.contains(buffer.key)) return expectations(buffer, *data);
  return {};
}

// --- expectations ------------------------------------------------------------------------------------------------------------------------

void Writer::end_comparison() {
  if (!open_how_.empty()) expects_ << '\n';
  open_how_.clear();
}

void Writer::compare(const Buffer& buffer, std::size_t offset, std::string_view how, std::string_view number, std::string_view tolerance) {
  if (open_how_ != how || open_tolerance_ != tolerance || open_next_ != offset || open_buffer_ != buffer.name || !tolerance.empty()) {
    end_comparison();
    (expects_ << "EXPECT " << buffer.name << " IDX ").dec(offset);
    if (!tolerance.empty()) expects_ << " TOLERANCE " << tolerance;
    expects_ << ' ' << how;
    open_how_ = how;
    open_tolerance_ = tolerance;
    open_buffer_ = buffer.name;
  }
  expects_ << ' ' << number;
}

Result<void> Writer::expectation(const Buffer& buffer, const Data& data, std::size_t number, const Value& expected,
                                 const Tolerance& inherited, std::size_t start) {
  const std::size_t parts = data.layout.parts.size();
  const NumberType& type = data.layout.parts[number % parts];
  const NumberType stored = stored_type(type);
  std::size_t offset = start + number / parts * data.layout.stride;
  offset += data.layout.format ? data.layout.format->components[type.component].first / 8 : data.layout.offsets[number % parts];
  const auto text_of = [&](double value) {
    return number_text(type.kind == Kind::real || type.kind == Kind::texel
                           ? real_number(value, type)
                           : whole_number(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), type),
                       what(buffer));
  };
  const Value* const inner = expected.find("value");
  const auto tolerance = inner == nullptr ? Result<Tolerance>(inherited) : tolerance_of(expected, inherited);
  if (!tolerance) return tolerance.error();
  const Value& wanted = inner == nullptr ? expected : *inner;
  if (const std::string* const text = wanted.as_text(); text != nullptr) {
    using Is = Condition::Is;
    constexpr std::pair<Is, std::string_view> kSigns[] = {{Is::eq, "EQ"}, {Is::ne, "NE"}, {Is::lt, "LT"},
                                                          {Is::le, "LE"}, {Is::gt, "GT"}, {Is::ge, "GE"}};
    const auto conditions = conditions_of(*text);
    if (!conditions) return cannot(what(buffer) + ": `" + *text + "` is no condition");
    for (const Condition& one : *conditions) {
      if (one.is == Is::any) continue;
      const auto* const sign = std::ranges::find(kSigns, one.is, [](const auto& row) { return row.first; });
      const bool is_exact = type.kind != Kind::texel && (type.kind == Kind::real || one.value == std::floor(one.value));
      if (sign == std::end(kSigns) || !is_exact) return cannot(what(buffer) + ": the condition `" + *text + '`');
      const auto bound = text_of(one.value);
      if (!bound) return bound.error();
      compare(buffer, offset, sign->second, *bound);
      open_next_ = offset + stored.bytes;
    }
    return {};
  }
  const auto value = expected_number(wanted, type);
  if (!value) return value.error();
  if (tolerance->exact && stored.kind == Kind::real) return cannot(what(buffer) + ": `exact`: Amber does not compare the bits of floats");
  if (type.kind == Kind::boolean) return cannot(what(buffer) + ": `bool`");
  // The widest of the bounds, as one that is absolute.
  double bound = std::max(tolerance->absolute, tolerance->relative * std::abs(value->real));
  if (type.kind == Kind::texel) {
    const double steps = std::ldexp(1.0, 8 * stored.bytes - (stored.kind == Kind::sint ? 1 : 0)) - 1;
    bound = std::max(bound * steps, tolerance->ulp);
  } else if (tolerance->ulp > 0) {
    bound = std::max(bound, stored.kind == Kind::real ? width_of_ulps(*value, tolerance->ulp) : tolerance->ulp);
  }
  const auto number_as_text = number_text(*value, what(buffer));
  if (!number_as_text) return number_as_text.error();
  compare(buffer, offset, "EQ", *number_as_text, bound > 0 ? real_text(bound, false) : std::string());
  open_next_ = offset + stored.bytes;
  return {};
}

Result<void> Writer::expectations(const Buffer& buffer, const Data& data) {
  const Value& expected = *expected_.at(buffer.key).value;
  if (expected.as_map() == nullptr) return cannot(what(buffer) + ": what is expected is not a map");
  for (const std::string_view field : {"counter", "unordered", "image"}) {
    const Value* const found = expected.find(field);
    if (found != nullptr && !(found->as_boolean() != nullptr && !*found->as_boolean()))
      return cannot(what(buffer) + ": `" + std::string(field) + '`');
  }
  const auto of_case = this->tolerance();
  if (!of_case) return of_case.error();
  const auto tolerance = tolerance_of(expected, *of_case);
  if (!tolerance) return tolerance.error();
  std::size_t start = 0;
  if (const Value* const offset = expected.find("offset")) {
    const auto from = shader::runner::number_of(*offset, "offset");
    if (!from) return from.error();
    start = *from;
  }
  if (start % data.layout.stride != 0) return cannot(what(buffer) + ": `offset` is inside of an element");
  const std::size_t size = buffer.view->bytes.size();
  const std::size_t count = start < size ? data.layout.count(size - start) : 0;
  const Value* values = expected.find("values");
  if (values == nullptr) values = expected.find("words");
  if (values != nullptr) {
    std::vector<const Value*> wanted;
    shader::runner::flatten(*values, wanted);
    const bool all = values->as_list() == nullptr;
    if (wanted.empty() || (!all && wanted.size() > count)) return cannot(what(buffer) + ": as many numbers as are expected");
    for (std::size_t k = 0; k < (all ? count : wanted.size()); ++k)
      if (auto done = expectation(buffer, data, k, *wanted[all ? 0 : k], *tolerance, start); !done) return done;
  }
  for (const std::string_view field : kData) {
    if (expected.find(field) == nullptr) continue;
    const auto bytes = shader::runner::bytes_of(expected, data.layout.format ? *data.layout.format : vm::Format{}, options_);
    if (!bytes) return bytes.error();
    const std::size_t numbers = data.layout.count(bytes->size());
    if (numbers > count) return cannot(what(buffer) + ": as many numbers as are expected");
    for (std::size_t k = 0; k < numbers; ++k) {
      const Number one = data.layout.load(*bytes, k);
      const bool is_real = one.type.kind == Kind::real || one.type.kind == Kind::texel;
      const Value value = is_real ? Value::real(Real{one.real, static_cast<float>(one.real), false}) : Value::integer(one.bits);
      if (auto done = expectation(buffer, data, k, value, *tolerance, start); !done) return done;
    }
  }
  end_comparison();
  return {};
}

// What the suite and the case say.
Result<Tolerance> Writer::tolerance() const {
  const auto of_suite = tolerance_of(case_.tolerance, Tolerance{});
  return of_suite && case_.expect.as_map() != nullptr ? tolerance_of(case_.expect, *of_suite) : of_suite;
}

// --- bindings ----------------------------------------------------------------------------------------------------------------------------

Result<std::string> Writer::sampler(const vm::Sampler& state, bool compares) {
  if (state.anisotropic) return cannot("a sampler: anisotropic filters");
  if (state.blending != vm::Blending::average) return cannot("a sampler: `reduction`");
  if (state.lod_bias != 0) return cannot("a sampler: `lod_bias`");
  constexpr std::string_view kFilters[] = {"nearest", "linear"};
  constexpr std::string_view kModes[] = {"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border", "mirrored_clamp_to_edge"};
  constexpr std::string_view kComparisons[] = {"never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
                                               "always"};
  constexpr std::pair<std::array<float, 4>, std::string_view> kBorders[] = {
      {{0, 0, 0, 0}, "float_transparent_black"}, {{0, 0, 0, 1}, "float_opaque_black"}, {{1, 1, 1, 1}, "float_opaque_white"}};
  Text made;
  made << " MAG_FILTER " << kFilters[static_cast<std::size_t>(state.mag)] << " MIN_FILTER "
       << kFilters[static_cast<std::size_t>(state.min)];
  bool has_border = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made << (axis == 0 ? kContinued : " ") << "ADDRESS_MODE_" << "UVW"[axis] << ' '
         << kModes[static_cast<std::size_t>(state.address[axis])];
    has_border = has_border || state.address[axis] == vm::AddressMode::border;
  }
  if (has_border) {
    const auto* const border = std::ranges::find(kBorders, state.border, [](const auto& row) { return row.first; });
    if (border == std::end(kBorders)) return cannot("a sampler: Amber's borders are transparent black, black or white");
    made << kContinued << "BORDER_COLOR " << border->second;
  }
  if (state.normalized) {
    // images have one level: only whether it is magnified or not depends on these
    constexpr float kMostLevels = 16;
    made << kContinued << "MIN_LOD " << real_text(static_cast<double>(std::clamp(state.min_lod, 0.0F, kMostLevels)), true) << " MAX_LOD "
         << real_text(static_cast<double>(std::clamp(state.max_lod, 0.0F, kMostLevels)), true);
  } else {
    made << " UNNORMALIZED_COORDS";
  }
  if (compares) made << kContinued << "COMPARE on COMPARE_OP " << kComparisons[static_cast<std::size_t>(state.comparison)];
  return made.str();
}

vm::Descriptor Writer::zeros(const ir::Resource& resource) {
  vm::Descriptor made;
  const shader::Reflection* const reflection = runnable_.reflection();
  const shader::Resource* const row = reflection == nullptr ? nullptr : shader::runner::row_of(resource, *reflection);
  if (resource.kind != ResourceKind::cbuffer || row == nullptr || row->buffer >= reflection->buffers.size()) return made;
  made.bytes = zeros_.emplace_back(round_up(reflection->buffers[row->buffer].size, std::uint32_t{4}));
  return made;
}

Result<void> Writer::resources(vm::Resources& bound) {
  const auto place = [](const ir::Resource& resource) { return std::pair(resource.space, resource.first_register); };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> samplers;
  for (std::size_t row = 0; row < ir_.resources.size(); ++row) {
    const ir::Resource& resource = ir_.resources[row];
    if (resource.kind != ResourceKind::sampler) continue;
    if (resource.heap || resource.count != 1) return cannot("arrays of samplers");
    const auto state = sampler(bound.rows[row].empty() ? vm::Sampler{} : bound.rows[row][0].sampler, resource.comparison);
    if (!state) return state.error();
    const std::string name = "sampler" + std::to_string(samplers.size());
    buffers_ << "SAMPLER " << name << *state << '\n';
    samplers[place(resource)] = name;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> combined;
  std::size_t number = 0;
  for (std::size_t row = 0; row < ir_.resources.size(); ++row) {
    const ir::Resource& resource = ir_.resources[row];
    if (resource.kind == ResourceKind::sampler) continue;
    const std::string key = shader::runner::key_of(resource, 0);
    if (resource.heap || resource.count != 1) return cannot(name_of(resource) + ": arrays of resources");
    const bool is_given = !bound.rows[row].empty() && !bound.rows[row][0].bytes.empty();
    const vm::Descriptor view = is_given ? bound.rows[row][0] : zeros(resource);
    if (view.bytes.empty()) return cannot(name_of(resource) + ": the case does not give it, and Amber must bind all");
    const Buffer one{"buffer" + std::to_string(number++), key, &resource, &view};
    if (auto done = buffer(one); !done) return done;
    bindings_ << "  BIND BUFFER " << one.name << " AS ";
    if (resource.space == kPushConstants) {
      bindings_ << "push_constant\n";
      continue;
    }
    const bool is_buffer = resource.dimension == ResourceDimension::buffer || resource.dimension == ResourceDimension::raw_buffer ||
                           resource.dimension == ResourceDimension::unknown;
    const auto with = samplers.find(place(resource));
    switch (resource.kind) {
      case ResourceKind::cbuffer: bindings_ << "uniform"; break;
      case ResourceKind::texture:
        if (with != samplers.end()) {
          bindings_ << "combined_image_sampler SAMPLER " << with->second;
          combined.insert(place(resource));
        } else {
          bindings_ << (is_buffer ? "uniform_texel_buffer" : "sampled_image");
        }
        break;
      case ResourceKind::uav_typed: bindings_ << (is_buffer ? "storage_texel_buffer" : "storage_image"); break;
      default: bindings_ << "storage"; break;
    }
    (bindings_ << " DESCRIPTOR_SET ").dec(resource.space);
    (bindings_ << " BINDING ").dec(resource.first_register) << '\n';
  }
  for (const auto& [where, name] : samplers) {
    if (combined.contains(where)) continue;
    (bindings_ << "  BIND SAMPLER " << name << " DESCRIPTOR_SET ").dec(where.first);
    (bindings_ << " BINDING ").dec(where.second) << '\n';
  }
  return {};
}

Result<std::string> Writer::write() {
  if (auto done = refuse(); !done) return std::move(done).error();
  if (auto done = shader(); !done) return std::move(done).error();
  shader::RunOptions options = options_;
  options.reflection = runnable_.reflection();
  Bindings bindings(ir_, options);
  if (auto done = bindings.bind_case(case_.given); !done) return std::move(done).error();
  if (auto done = find_expected(bindings); !done) return std::move(done).error();
  if (auto done = resources(bindings.resources()); !done) return std::move(done).error();
  const auto entry = entry_point();
  if (!entry) return entry.error();
  const bool has_points = ir_.stage == Stage::pixel;
  if (auto done = has_points ? lanes() : groups(); !done) return std::move(done).error();
  Text made;
  made << "#!amber\n# " << suite_.tests[test_].name << "\n\n" << shader_.view() << buffers_.view();
  made << (has_points ? "\nPIPELINE graphics pipeline\n  ATTACH points\n" : "\nPIPELINE compute pipeline\n")
       << "  ATTACH shader ENTRY_POINT " << *entry << '\n';
  if (const Value* const wave = case_.given.find("wave")) {
    const auto lanes = shader::runner::number_of(*wave, "wave");
    if (!lanes) return lanes.error();
    (made << "  SUBGROUP shader\n    REQUIRED_SIZE ").dec(*lanes) << "\n  END\n";
  }
  made << bindings_.view() << "END\n\n" << run_.view() << expects_.view();
  return made.str();
}

// How often the pipeline runs.
Result<void> Writer::groups() {
  run_ << "RUN pipeline";
  const Value* const grid = case_.given.find("grid");
  for (std::size_t k = 0; k < 3; ++k) {
    std::uint32_t groups = 1;
    if (grid != nullptr && grid->as_list() != nullptr && k < grid->as_list()->size()) {
      const auto number = shader::runner::number_of((*grid->as_list())[k], "grid");
      if (!number) return number.error();
      groups = *number;
    }
    (run_ << ' ').dec(groups);
  }
  run_ << '\n';
  return {};
}

Result<std::string> amber_script(const Suite& suite, std::size_t test, const Case& one, const shader::Runnable& shader, View module,
                                 const shader::RunOptions& options) {
  return Writer(suite, test, one, shader, module, options).write();
}

}  // namespace unshade::suite::cases
