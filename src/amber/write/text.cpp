// What suites say, in the words of Amber. src: google/amber:docs/amber_script.md
#include "amber/write/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/spirv/module.hpp>

#include "amber/types.hpp"
#include "amber/words.hpp"

namespace unshade::amber::writer {
namespace {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using Kind = suite::cases::NumberType::Kind;
using Data = AmberText::Data;

/// Between options that are on lines of their own.
constexpr std::string_view kContinued = " \\\n  ";
/// Numbers on a line.
constexpr std::size_t kRow = 16;
constexpr std::uint32_t kPushConstants = 0xffff'ffff;

/// The type of a number that is no texel.
std::string_view word_of(const suite::cases::NumberType& type) {
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

/// Whether all components are whole bytes, which scripts can write and compare.
bool has_whole_bytes(const texel::Format& format) {
  return std::ranges::all_of(format.components, [](const auto& one) { return one.bits % 8 == 0 && one.bits != 24; });
}

/// The feature that a capability needs of a device; empty: each has it, or Amber has no name for it.
std::string_view feature_of(spirv::Capability capability) {
  using enum spirv::Capability;
  switch (capability) {
    case geometry: return "geometryShader";
    case tessellation: return "tessellationShader";
    case float16: return "Float16Int8Features.shaderFloat16";
    case int8: return "Float16Int8Features.shaderInt8";
    case float64: return "shaderFloat64";
    case int64: return "shaderInt64";
    case int16: return "shaderInt16";
    case storage_buffer16_bit_access: return "Storage16BitFeatures.storageBuffer16BitAccess";
    case uniform_and_storage_buffer16_bit_access: return "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess";
    case storage_buffer8_bit_access: return "Storage8BitFeatures.storageBuffer8BitAccess";
    case uniform_and_storage_buffer8_bit_access: return "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess";
    case variable_pointers_storage_buffer: return "VariablePointerFeatures.variablePointersStorageBuffer";
    case variable_pointers: return "VariablePointerFeatures.variablePointers";
    case storage_image_read_without_format: return "shaderStorageImageReadWithoutFormat";
    case storage_image_write_without_format: return "shaderStorageImageWriteWithoutFormat";
    case image_gather_extended: return "shaderImageGatherExtended";
    case clip_distance: return "shaderClipDistance";
    case cull_distance: return "shaderCullDistance";
    case sample_rate_shading: return "sampleRateShading";
    default: return {};
  }
}

/// A number of a texel as Amber has it: components of real numbers that are no floats are their bits.
suite::cases::NumberType stored_type(const suite::cases::NumberType& type) {
  if (type.format == nullptr) return type;
  const texel::Encoding encoding = type.format->encoding;
  const Kind kind = encoding == texel::Encoding::float_                                       ? Kind::real
                    : encoding == texel::Encoding::snorm || encoding == texel::Encoding::sint ? Kind::sint
                                                                                              : Kind::uint;
  return {kind, static_cast<std::uint8_t>(type.format->components[type.component].bits / 8)};
}

/// The distance of so many units in the last place from a float.
double width_of_ulps(const suite::cases::Number& number, double ulps) {
  const int digits = number.type.bytes == 8 ? 52 : number.type.bytes == 4 ? 23 : 10;
  const int least = number.type.bytes == 8 ? -1022 : number.type.bytes == 4 ? -126 : -14;
  int exponent = least + 1;
  if (number.real != 0) static_cast<void>(std::frexp(number.real, &exponent));  // from 1/2 to 1 times 2^exponent
  return std::ldexp(ulps, std::max(exponent - 1, least) - digits);
}

}  // namespace

std::string in_line(std::string_view text) {
  std::string made(text);
  for (char& one : made)
    if (static_cast<unsigned char>(one) < ' ') one = ' ';
  while (made.ends_with('\\')) made.pop_back();  // it would continue the comment
  return made;
}

std::string vulkan_name(const texel::Format& format) {
  std::string name(texel::format_name(texel::format_number(format)));
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {{"_UNORM_SRGB", "_SRGB"}, {"_FLOAT", "_SFLOAT"}};
  for (const auto& [ours, vulkans] : kEndings) {
    if (name.ends_with(ours)) name.replace(name.size() - ours.size(), ours.size(), vulkans);
  }
  constexpr std::string_view kPacked[] = {"A2B10G10R10_UNORM_PACK32", "A2B10G10R10_UINT_PACK32", "B10G11R11_UFLOAT_PACK32",
                                          "E5B9G9R9_UFLOAT_PACK32",   "R5G6B5_UNORM_PACK16",     "A1R5G5B5_UNORM_PACK16"};
  for (const std::string_view packed : kPacked)
    if (parse_format(packed) == format) return std::string(packed);
  // Vulkan has no formats with unused bits, and none of alpha alone
  const unsigned width = format.components[0].bits;
  unsigned bits = 0;
  for (const auto& one : format.components) bits += one.bits == width ? one.bits : 0U;
  return width % 8 == 0 && width != 0 && bits == 8 * format.bytes() && parse_format(name) == format ? name : std::string();
}

Error cannot(std::string what) { return {ErrorCode::unsupported, 0, "", std::move(what)}; }

std::string real_text(double value, bool single) {
  std::string made = shown_number(value, single);
  // without a point it would be a whole number. src: google/amber:src/tokenizer.cc
  if (made.find('.') == std::string::npos) made.insert(std::min(made.find('e'), made.size()), ".0");
  return made;
}

// `assembly`: instead of the module's own.
Result<void> AmberText::add_shader(View bytes, Stage stage, std::string_view name, std::string_view assembly) {
  constexpr std::pair<Stage, std::string_view> kWords[] = {
      {Stage::compute, "compute"},
      {Stage::vertex, "vertex"},
      {Stage::hull, "tessellation_control"},
      {Stage::domain, "tessellation_evaluation"},
      {Stage::pixel, "fragment"},
      {Stage::geometry, "geometry"},
  };
  const auto module = spirv::parse(bytes);
  if (!module) return module.error();
  for (const spirv::Instruction one : *module) {
    if (one.opcode() != spirv::Opcode::capability) continue;
    const std::string_view feature = feature_of(static_cast<spirv::Capability>(one.word(1)));
    if (!feature.empty()) features_.emplace(feature);
  }
  Text listing;
  if (assembly.empty()) {
    spirv::list_module(*module, listing, {.indent = false, .header = false});
  } else {
    listing << assembly;
  }
  std::string_view rest = listing.view();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (rest.substr(0, end).find_first_not_of(" \t") != std::string_view::npos && rest.substr(rest.find_first_not_of(" \t"), 3) == "END")
      return cannot("the shader's assembly has a line that begins with END");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto* const word = std::ranges::find(kWords, stage, [](const auto& row) { return row.first; });
  if (word == std::end(kWords)) return cannot("Amber has no " + std::string(id(stage)) + " shaders");
  shaders_ << "SHADER " << word->second << ' ' << name << " SPIRV-ASM TARGET_ENV spv";
  shaders_.dec(module->header().major()) << '.';
  shaders_.dec(module->header().minor()) << '\n' << listing.view() << "END\n\n";
  return {};
}

std::string AmberText::requirements() const {
  std::string made;
  for (const std::string& one : features_) made += "DEVICE_FEATURE " + one + '\n';
  return made.empty() ? made : made + '\n';
}

// The one that is named, else the first.
Result<std::string> AmberText::entry_point(View bytes, std::string_view wanted) {
  if (!wanted.empty()) return std::string(wanted);
  const auto module = spirv::parse(bytes);
  if (!module) return module.error();
  for (const spirv::Instruction one : *module)
    if (one.opcode() == spirv::Opcode::entry_point) return spirv::literal_string(one, 3);
  return cannot("the module has no entry point");
}

Result<Data> AmberText::data_of(const Buffer& buffer) const {
  Data made;
  const auto as_texels = [&](const texel::Format& format) -> Result<Data> {
    made.type = has_whole_bytes(format) ? vulkan_name(format) : std::string();
    if (made.type.empty()) return cannot(buffer.what + ": Amber does not have this format");
    made.is_format = true;
    Value wanted = Value::map();
    wanted.add("format", Value::text(texel::format_name(texel::format_number(format))));
    auto layout = suite::cases::layout_of(wanted, nullptr, false);
    if (!layout) return std::move(layout).error();
    made.layout = std::move(*layout);
    return made;
  };
  if (buffer.is_texels && buffer.view->format.bytes() == 0) return cannot(buffer.what + ": the case does not state its format");
  if (buffer.is_texels) return as_texels(buffer.view->format);
  if (buffer.expected == nullptr) {
    const bool is_words = buffer.view->bytes.size() % 4 == 0;
    made.layout.add({Kind::uint, static_cast<std::uint8_t>(is_words ? 4 : 1)});
  } else {
    auto layout = suite::cases::layout_of(*buffer.expected, buffer.given, false);
    if (!layout) return std::move(layout).error();
    made.layout = std::move(*layout);
  }
  if (made.layout.format) return as_texels(texel::Format(*made.layout.format));
  const suite::cases::NumberType& first = made.layout.parts.front();
  const bool is_uniform = std::ranges::all_of(
      made.layout.parts, [&](const suite::cases::NumberType& one) { return one.kind == first.kind && one.bytes == first.bytes; });
  if (!is_uniform) return cannot(buffer.what + ": Amber cannot declare elements of several types");
  made.type = word_of(first);
  suite::cases::Layout plain;
  plain.add(first);
  made.layout = std::move(plain);
  return made;
}

Result<std::string> AmberText::number_text(const suite::cases::Number& number, const std::string& name) const {
  const suite::cases::NumberType stored = stored_type(number.type);
  if (stored.kind == Kind::real) {
    if (!std::isfinite(number.real)) return cannot(name + ": Amber cannot state NaN or infinity");
    std::string text = real_text(number.real, stored.bytes != 8);
    return number.real == 0 && std::signbit(number.real) ? "-0.0" : text;
  }
  std::uint64_t bits = number.bits;
  if (number.type.kind == Kind::texel) {
    std::array<std::uint32_t, 4> texel{};
    std::array<std::byte, 16> memory{};
    texel[number.type.component] = std::bit_cast<std::uint32_t>(static_cast<float>(number.real));
    texel::store_texel(*number.type.format, texel, memory.data());
    bits = 0;
    std::memcpy(&bits, memory.data() + number.type.format->components[number.type.component].first / 8, stored.bytes);
  }
  const suite::cases::Number whole = suite::cases::whole_number(bits, stored);
  return stored.kind == Kind::sint ? std::to_string(static_cast<std::int64_t>(whole.bits)) : std::to_string(whole.bits);
}

Result<void> AmberText::add_buffer(const Buffer& buffer) {
  const auto data = data_of(buffer);
  if (!data) return data.error();
  const texel::Descriptor& view = *buffer.view;
  if (view.is_texture() && (view.levels > 1 || view.layers > 1 || view.samples > 1))
    return cannot(buffer.what + ": the image must have one level and layer");
  const std::size_t parts = data->layout.parts.size();
  const std::size_t count = data->layout.count(view.bytes.size());
  if (count == 0 || view.bytes.size() % data->layout.stride != 0)
    return cannot(buffer.what + ": its " + std::to_string(view.bytes.size()) + " bytes are not a multiple of its element size");
  const bool is_zero = std::ranges::all_of(view.bytes, [](std::byte one) { return one == std::byte{}; });
  buffers_ << (view.is_texture() ? "IMAGE " : "BUFFER ") << buffer.name
           << (data->is_format && view.is_texture() ? " FORMAT " : " DATA_TYPE ") << data->type;
  if (view.is_texture()) {
    const bool is_deep = buffer.dimension == ResourceDimension::texture3d;
    const bool is_flat = buffer.dimension == ResourceDimension::texture1d;
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
      auto text = number_text(data->layout.load(view.bytes, k / parts * parts + order[k % parts]), buffer.what);
      if (!text) return std::move(text).error();
      buffers_ << (k % kRow == 0 ? "\n  " : " ") << *text;
    }
    buffers_ << "\nEND\n";
  }
  return buffer.expected == nullptr ? Result<void>() : expectations(buffer, *data);
}

// --- expectations ------------------------------------------------------------------------------------------------------------------------

void AmberText::end_comparison() {
  if (!open_how_.empty()) expects_ << '\n';
  open_how_.clear();
}

void AmberText::compare(const Buffer& buffer, std::size_t offset, std::string_view how, std::string_view number,
                        std::string_view tolerance) {
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

Result<void> AmberText::expectation(const Buffer& buffer, const Data& data, std::size_t number, const Value& expected,
                                    const suite::cases::Tolerance& inherited, std::size_t start) {
  const std::size_t parts = data.layout.parts.size();
  const suite::cases::NumberType& type = data.layout.parts[number % parts];
  const suite::cases::NumberType stored = stored_type(type);
  std::size_t offset = start + number / parts * data.layout.stride;
  offset += data.layout.format ? data.layout.format->components[type.component].first / 8 : data.layout.offsets[number % parts];
  // as the type has it, which may be another number
  const auto bound_of = [&](const suite::cases::Condition& bound) {
    if (type.kind == Kind::real) return suite::cases::real_number(bound.value, type);
    const double magnitude = std::abs(bound.value);
    const Integer whole =
        bound.whole.value_or(Integer{magnitude < 0x1p64 ? static_cast<std::uint64_t>(magnitude) : 0, bound.value < 0, false});
    return suite::cases::whole_number(whole.negative ? 0 - whole.magnitude : whole.magnitude, type);
  };
  const auto is_bound = [](suite::cases::Condition bound, const suite::cases::Number& as_held) {
    return std::ranges::all_of(std::array{suite::cases::Condition::Is::le, suite::cases::Condition::Is::ge},
                               [&](suite::cases::Condition::Is is) {
                                 bound.is = is;
                                 return suite::cases::holds(bound, as_held);
                               });
  };
  const Value* const inner = expected.find("value");
  const auto tolerance = inner == nullptr ? Result<suite::cases::Tolerance>(inherited) : suite::cases::tolerance_of(expected, inherited);
  if (!tolerance) return tolerance.error();
  const Value& wanted = inner == nullptr ? expected : *inner;
  if (const std::string* const text = wanted.as_text(); text != nullptr) {
    using Is = suite::cases::Condition::Is;
    constexpr std::pair<Is, std::string_view> kSigns[] = {{Is::eq, "EQ"}, {Is::ne, "NE"}, {Is::lt, "LT"},
                                                          {Is::le, "LE"}, {Is::gt, "GT"}, {Is::ge, "GE"}};
    const auto conditions = suite::cases::conditions_of(*text);
    if (!conditions) return cannot(buffer.what + ": `" + *text + "` is not a condition");
    for (const suite::cases::Condition& one : *conditions) {
      if (one.is == Is::any) continue;
      const auto* const sign = std::ranges::find(kSigns, one.is, [](const auto& row) { return row.first; });
      const bool is_exact = type.kind != Kind::texel && (type.kind == Kind::real || one.value == std::floor(one.value));
      if (sign == std::end(kSigns) || !is_exact) return cannot(buffer.what + ": Amber has no condition `" + *text + '`');
      const suite::cases::Number as_held = bound_of(one);
      if (!is_bound(one, as_held)) {
        // all integers of the type are on one side of a bound that is none of them
        if (type.kind != Kind::real && suite::cases::holds(one, as_held)) continue;
        return cannot(buffer.what + ": the bound of the condition `" + *text + "` is out of the range of the buffer's type");
      }
      const auto bound = number_text(as_held, buffer.what);
      if (!bound) return bound.error();
      compare(buffer, offset, sign->second, *bound);
      open_next_ = offset + stored.bytes;
    }
    return {};
  }
  const auto value = suite::cases::expected_number(wanted, type);
  if (!value) return value.error();
  if (tolerance->exact && stored.kind == Kind::real) return cannot(buffer.what + ": `exact`: Amber does not compare the bits of floats");
  if (type.kind == Kind::boolean) return cannot(buffer.what + ": values of type `bool`: Amber cannot compare them");
  // The widest of the bounds, as one that is absolute.
  double bound = std::max(tolerance->absolute, tolerance->relative * std::abs(value->real));
  if (type.kind == Kind::texel) {
    const double steps = std::ldexp(1.0, 8 * stored.bytes - (stored.kind == Kind::sint ? 1 : 0)) - 1;
    bound = std::max(bound * steps, tolerance->ulp);
  } else if (tolerance->ulp > 0) {
    bound = std::max(bound, stored.kind == Kind::real ? width_of_ulps(*value, tolerance->ulp) : tolerance->ulp);
  }
  const auto number_as_text = number_text(*value, buffer.what);
  if (!number_as_text) return number_as_text.error();
  compare(buffer, offset, "EQ", *number_as_text, bound > 0 ? real_text(bound, false) : std::string());
  open_next_ = offset + stored.bytes;
  return {};
}

Result<void> AmberText::expectations(const Buffer& buffer, const Data& data) {
  const Value& expected = *buffer.expected;
  if (expected.as_map() == nullptr) return cannot(buffer.what + ": the expectation must be a map");
  for (const std::string_view field : {"counter", "unordered"}) {
    const Value* const found = expected.find(field);
    if (found != nullptr && !(found->as_boolean() != nullptr && !*found->as_boolean()))
      return cannot(buffer.what + ": `" + std::string(field) + '`');
  }
  if (const Value* const image = expected.find("image"))
    if (auto done = picture(buffer, *image); !done) return done;
  const auto of_case = this->tolerance();
  if (!of_case) return of_case.error();
  const auto tolerance = suite::cases::tolerance_of(expected, *of_case);
  if (!tolerance) return tolerance.error();
  std::size_t start = 0;
  if (const Value* const offset = expected.find("offset")) {
    const auto from = run::number_of(*offset, "offset");
    if (!from) return from.error();
    start = *from;
  }
  if (start % data.layout.stride != 0) return cannot(buffer.what + ": `offset` must be a multiple of the element size");
  const std::size_t size = buffer.view->bytes.size();
  const std::size_t count = start < size ? data.layout.count(size - start) : 0;
  const Value* values = expected.find("values");
  if (values == nullptr) values = expected.find("words");
  if (values != nullptr) {
    std::vector<const Value*> wanted;
    run::flatten(*values, wanted);
    const bool all = values->as_list() == nullptr;
    if (wanted.empty() || count == 0 || (!all && wanted.size() > count))
      return cannot(buffer.what + ": expected 1 to " + std::to_string(count) + " values");
    for (std::size_t k = 0; k < (all ? count : wanted.size()); ++k)
      if (auto done = expectation(buffer, data, k, *wanted[all ? 0 : k], *tolerance, start); !done) return done;
  }
  for (const std::string_view field : suite::cases::kData) {
    if (expected.find(field) == nullptr) continue;
    const auto bytes = run::bytes_of(expected, data.layout.format ? *data.layout.format : texel::Format{}, options_);
    if (!bytes) return bytes.error();
    const std::size_t numbers = data.layout.count(bytes->size());
    if (numbers > count)
      return cannot(buffer.what + ": " + std::to_string(numbers) + " values are expected, the buffer has " + std::to_string(count));
    for (std::size_t k = 0; k < numbers; ++k) {
      const suite::cases::Number one = data.layout.load(*bytes, k);
      const bool is_real = one.type.kind == Kind::real || one.type.kind == Kind::texel;
      const Value value = is_real ? Value::real(Real{one.real, static_cast<float>(one.real), false}) : Value::integer(one.bits);
      if (auto done = expectation(buffer, data, k, value, *tolerance, start); !done) return done;
    }
  }
  end_comparison();
  return {};
}

// A target or texture of 8 bits against a golden picture, which becomes an image of the script.
Result<void> AmberText::picture(const Buffer& buffer, const Value& image) {
  constexpr std::size_t kMostPixels = std::size_t{1} << 20;
  const texel::Format& format = buffer.view->format;
  const bool is_rgba8 =
      buffer.is_texels && (format == *texel::find_format("R8G8B8A8_UNORM") || format == *texel::find_format("R8G8B8A8_UNORM_SRGB"));
  if (!is_rgba8) return cannot(buffer.what + ": `image`: Amber compares only R8G8B8A8 bit for bit");
  const auto bounds = suite::cases::picture_bounds_of(*buffer.expected);
  if (!bounds) return bounds.error();
  if (bounds->share != 0 || bounds->mean)
    return cannot(buffer.what + ": `" + (bounds->mean ? "mean" : "share") + "` of `image`: Amber compares each pixel");
  auto read = run::read_image(options_, image);
  if (!read) return std::move(read).error();
  const auto golden = picture::as_rgba8(*read);
  if (!golden) return golden.error();
  const std::size_t pixels = std::size_t{golden->width} * golden->height;
  if (golden->width != buffer.view->width || golden->height != buffer.view->height || pixels > kMostPixels)
    return cannot(buffer.what + ": `image` must have the size of the target and at most 2^20 pixels");
  const auto at = [&](std::size_t pixel, std::size_t component) { return std::to_integer<unsigned>(golden->bytes[4 * pixel + component]); };
  if (std::ranges::all_of(bounds->channel, [](double one) { return one < 1; })) {
    (buffers_ << "IMAGE " << buffer.name << "_golden FORMAT " << vulkan_name(format) << " DIM_2D WIDTH ").dec(golden->width);
    (buffers_ << " HEIGHT ").dec(golden->height) << " DATA";
    for (std::size_t k = 0; k < 4 * pixels; ++k) (buffers_ << (k % kRow == 0 ? "\n  " : " ")).dec(at(k / 4, k % 4));
    buffers_ << "\nEND\n";
    expects_ << "EXPECT " << buffer.name << " EQ_BUFFER " << buffer.name << "_golden\n";
    return {};
  }
  if (format.srgb) return cannot(buffer.what + ": `channel` of an sRGB target: Amber compares linear values");
  // colors of 0 to 255, whose tolerance is of 0 to 1; half a step more for what the division rounds
  std::string tolerance;
  for (const double one : bounds->channel) tolerance += (tolerance.empty() ? "" : " ") + real_text((std::floor(one) + 0.25) / 255, true);
  for (std::size_t pixel = 0; pixel < pixels;) {
    std::size_t end = pixel + 1;
    const auto is_same = [&](std::size_t k) { return at(pixel, k) == at(end, k); };
    while (end % golden->width != 0 && is_same(0) && is_same(1) && is_same(2) && is_same(3)) ++end;
    (expects_ << "EXPECT " << buffer.name << " IDX ").dec(pixel % golden->width) << ' ';
    expects_.dec(pixel / golden->width) << " SIZE ";
    expects_.dec(end - pixel) << " 1 TOLERANCE " << tolerance << " EQ_RGBA";
    for (std::size_t k = 0; k < 4; ++k) (expects_ << ' ').dec(at(pixel, k));
    expects_ << '\n';
    pixel = end;
  }
  return {};
}

// What the suite and the case say.
Result<suite::cases::Tolerance> AmberText::tolerance() const {
  const auto of_suite = suite::cases::tolerance_of(case_.tolerance, suite::cases::Tolerance{});
  return of_suite && case_.expect.as_map() != nullptr ? suite::cases::tolerance_of(case_.expect, *of_suite) : of_suite;
}

// --- bindings ----------------------------------------------------------------------------------------------------------------------------

Result<std::string> AmberText::sampler(const texel::Sampler& state, bool compares) const {
  if (state.anisotropic) return cannot("Amber has no anisotropic filtering");
  if (state.blending != texel::Blending::average) return cannot("a sampler has `reduction`, which Amber does not support");
  if (state.lod_bias != 0) return cannot("a sampler has `lod_bias`, which Amber does not support");
  Text made;
  made << " MAG_FILTER " << word_of(kFilters, state.mag) << " MIN_FILTER " << word_of(kFilters, state.min);
  bool has_border = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made << (axis == 0 ? kContinued : " ") << "ADDRESS_MODE_" << "UVW"[axis] << ' ' << word_of(kAddressModes, state.address[axis]);
    has_border = has_border || state.address[axis] == texel::AddressMode::border;
  }
  if (has_border) {
    const std::string_view border = word_of(kBorderColors, state.border);
    if (border.empty()) return cannot("the border color must be transparent black, opaque black or opaque white");
    made << kContinued << "BORDER_COLOR " << border;
  }
  if (state.normalized) {
    // images have one level: only whether it is magnified or not depends on these
    constexpr float kMostLevels = 16;
    made << kContinued << "MIN_LOD " << real_text(static_cast<double>(std::clamp(state.min_lod, 0.0F, kMostLevels)), true) << " MAX_LOD "
         << real_text(static_cast<double>(std::clamp(state.max_lod, 0.0F, kMostLevels)), true);
  } else {
    made << " UNNORMALIZED_COORDS";
  }
  if (compares) made << kContinued << "COMPARE on COMPARE_OP " << word_of(kCompareOps, state.comparison);
  return made.str();
}

texel::Descriptor AmberText::zeros(const ir::Resource& resource, const shader::Reflection* reflection) {
  texel::Descriptor made;
  const shader::Resource* const row = reflection == nullptr ? nullptr : run::row_of(resource, *reflection);
  if (resource.kind != ResourceKind::cbuffer || row == nullptr || row->buffer >= reflection->buffers.size()) return made;
  made.bytes = zeros_.emplace_back(round_up(reflection->buffers[row->buffer].size, std::uint32_t{4}));
  return made;
}

Result<void> AmberText::bind(const ir::Module& module, const vm::Resources& resources, const shader::Reflection* reflection,
                             const Declare& declare, Bound& bound) {
  const auto place = [](const ir::Resource& resource) { return Bound::Place(resource.space, resource.first_register); };
  for (std::size_t row = 0; row < module.resources.size(); ++row) {
    const ir::Resource& resource = module.resources[row];
    if (resource.kind != ResourceKind::sampler) continue;
    if (resource.heap || resource.count != 1) return cannot("Amber cannot bind arrays of samplers");
    const auto state = sampler(resources.rows[row].empty() ? texel::Sampler{} : resources.rows[row][0].sampler, resource.comparison);
    if (!state) return state.error();
    std::string& known = bound.samplers[place(resource)];
    if (!known.empty()) continue;
    known = "sampler" + std::to_string(samplers_++);
    buffers_ << "SAMPLER " << known << *state << '\n';
  }
  const run::BoundResources registers(module);
  for (std::size_t row = 0; row < module.resources.size(); ++row) {
    const ir::Resource& resource = module.resources[row];
    if (resource.kind == ResourceKind::sampler) continue;
    if (resource.heap || resource.count != 1) return cannot(name_of(resource) + ": Amber cannot bind arrays of resources");
    const bool is_given = !resources.rows[row].empty() && !resources.rows[row][0].bytes.empty();
    const texel::Descriptor view = is_given ? resources.rows[row][0] : zeros(resource, reflection);
    if (view.bytes.empty()) return cannot(name_of(resource) + ": the case does not give it, and Amber must bind every resource");
    if (const auto known = bound.buffers.find(place(resource)); known != bound.buffers.end()) {
      if (known->second.bytes.data() != view.bytes.data() && !std::ranges::equal(known->second.bytes, view.bytes))
        return cannot(name_of(resource) + ": the stages bind different contents; Amber binds the same to all stages");
      continue;
    }
    const auto name = declare(resource, registers.key_of(resource, 0), view);
    if (!name) return name.error();
    bound.buffers[place(resource)] = {*name, view.bytes};
    bindings_ << "  BIND BUFFER " << *name << " AS ";
    if (resource.space == kPushConstants) {
      bindings_ << "push_constant\n";
      continue;
    }
    const auto with = bound.samplers.find(place(resource));
    switch (resource.kind) {
      case ResourceKind::cbuffer: bindings_ << "uniform"; break;
      case ResourceKind::texture:
        if (with != bound.samplers.end()) {
          bindings_ << "combined_image_sampler SAMPLER " << with->second;
          bound.combined.insert(place(resource));
        } else {
          bindings_ << (run::is_buffer(resource) ? "uniform_texel_buffer" : "sampled_image");
        }
        break;
      case ResourceKind::uav_typed: bindings_ << (run::is_buffer(resource) ? "storage_texel_buffer" : "storage_image"); break;
      default: bindings_ << "storage"; break;
    }
    (bindings_ << " DESCRIPTOR_SET ").dec(resource.space);
    (bindings_ << " BINDING ").dec(resource.first_register) << '\n';
  }
  return {};
}

// Those that are not combined with an image.
void AmberText::bind_samplers(const Bound& bound) {
  for (const auto& [where, name] : bound.samplers) {
    if (bound.combined.contains(where)) continue;
    (bindings_ << "  BIND SAMPLER " << name << " DESCRIPTOR_SET ").dec(where.first);
    (bindings_ << " BINDING ").dec(where.second) << '\n';
  }
}

}  // namespace unshade::amber::writer
