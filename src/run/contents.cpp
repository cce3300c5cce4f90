#include <unshade/run/contents.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/values.hpp>

#include "run/arrays.hpp"

namespace unshade::run {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

namespace {

/// Sizes of textures: those of Direct3D. src: d3d12.h, D3D12_REQ_*
struct TextureLimit {
  std::string_view field;
  std::uint32_t texel::Descriptor::* size;
  std::uint32_t most;
};
constexpr TextureLimit kTextureLimits[] = {
    {"width", &texel::Descriptor::width, 16384}, {"height", &texel::Descriptor::height, 16384},
    {"depth", &texel::Descriptor::depth, 2048},  {"layers", &texel::Descriptor::layers, 16384},
    {"levels", &texel::Descriptor::levels, 15},  {"samples", &texel::Descriptor::samples, 32},
};

constexpr std::string_view kResourceFields[] = {"format",  "stride",  "raw",   "width",  "height", "depth",  "layers",  "levels",
                                                "samples", "size",    "hex",   "bytes",  "words",  "values", "csv",     "npy",
                                                "file",    "counter", "class", "mapped", "image",  "region", "feedback"};

constexpr std::string_view kLanesFields[] = {"csv", "obj", "names"};

constexpr std::string_view kContents[] = {"hex", "bytes", "words", "values", "csv", "npy", "file"};

void append(std::vector<std::byte>& bytes, std::uint64_t bits, unsigned size) {
  for (unsigned k = 0; k < size; ++k) bytes.push_back(static_cast<std::byte>(bits >> (8 * k)));
}

/// Appends numbers by a format, a texel at a time; without one, as f32.
class NumberWriter {
 public:
  NumberWriter(const texel::Format& format, std::vector<std::byte>& to) : format_(format), to_(to) {
    for (unsigned k = 0; k < 4; ++k) {
      if (format.has(k)) order_[components_++] = k;
    }
  }
  Result<void> put(const Value& value, std::string_view path) {
    if (format_.block != texel::Block::none)
      return fault(value, std::string(path), "the format is block-compressed: give hex, words or a file instead of values");
    auto bits = bits_of(value, components_ != 0 && format_.is_integer() ? ir::Type::i32 : ir::Type::f32, path);
    if (!bits) return std::move(bits).error();
    if (components_ == 0) {
      append(to_, *bits, 4);
      return {};
    }
    if (auto done = check_fits(value, order_[filled_], static_cast<std::uint32_t>(*bits), path); !done) return done;
    texel_[order_[filled_++]] = static_cast<std::uint32_t>(*bits);
    if (filled_ < components_) return {};
    filled_ = 0;
    to_.resize(to_.size() + format_.bytes());
    texel::store_texel(format_, texel_, to_.data() + to_.size() - format_.bytes());
    return {};
  }
  /// Refuses a texel of which numbers are missing.
  Result<void> finish(const Value& at, std::string_view path) const {
    if (filled_ == 0) return {};
    return fault(at, std::string(path),
                 "the last texel has " + std::to_string(filled_) + " of the " + std::to_string(components_) + " numbers of the format");
  }

 private:
  /// Refuses numbers that a store would clamp, but for those of formats whose numbers are parts of 1.
  Result<void> check_fits(const Value& value, unsigned component, std::uint32_t bits, std::string_view path) const {
    const unsigned width = format_.components[component].bits;
    if (width >= 32) return {};
    const auto refuse = [&](const std::string& bounds) {
      return fault(
          value, std::string(path),
          run::found(value) + " does not fit into " + std::string(texel::format_name(texel::format_number(format_))) + ": " + bounds);
    };
    using texel::Encoding;
    if (format_.is_integer()) {
      const std::int64_t most = (std::int64_t{1} << (format_.encoding == Encoding::sint ? width - 1 : width)) - 1;
      const std::int64_t least = format_.encoding == Encoding::sint ? -most - 1 : 0;
      const std::int64_t number = is_below_zero(value) ? std::int64_t{static_cast<std::int32_t>(bits)} : std::int64_t{bits};
      return number >= least && number <= most ? Result<void>() : refuse(std::to_string(least) + " to " + std::to_string(most));
    }
    if (format_.encoding == Encoding::unorm || format_.encoding == Encoding::snorm || format_.encoding == Encoding::xr_bias) return {};
    const auto number = std::bit_cast<float>(bits);
    const float stored = through_store(component, number);
    const float most = through_store(component, std::numeric_limits<float>::max());
    // beside what the largest float becomes, half a step of a float of 16 bits
    const bool fits = std::isnan(number) ? std::isnan(stored)
                      : std::isinf(number)
                          ? stored == number
                          : std::abs(double{number}) <= double{most} * (1 + 0x1p-12) && (number >= 0 || std::signbit(stored));
    if (fits) return {};
    Text text;
    text << (through_store(component, -1) == -1 ? "at most " : "0 to ");
    text.shortest(double{most});
    if (!std::isfinite(number))
      text << (std::isinf(through_store(component, std::numeric_limits<float>::infinity()))
                   ? ", infinity or NaN"
                   : ", and the format has no infinity and no NaN");
    return refuse(text.str());
  }
  /// What a number becomes that is stored in a component.
  float through_store(unsigned component, float number) const {
    std::array<std::uint32_t, 4> texel{};
    std::array<std::byte, 16> memory{};
    texel[component] = std::bit_cast<std::uint32_t>(number);
    texel::store_texel(format_, texel, memory.data());
    return std::bit_cast<float>(texel::load_texel(format_, memory.data())[component]);
  }
  static bool is_below_zero(const Value& value) {
    if (const Real* const real = value.as_real()) return real->wide < 0;
    return value.as_integer() != nullptr && value.as_integer()->negative;
  }

  const texel::Format& format_;
  std::vector<std::byte>& to_;
  std::array<std::uint32_t, 4> texel_{};
  std::array<unsigned, 4> order_{};  ///< components that the format has
  unsigned components_ = 0;
  unsigned filled_ = 0;
};

/// Whether the items of an array lie in memory as the components of a format do.
bool is_stored_as(const Array& array, const texel::Format& format) {
  if ((array.kind == 'f') != (format.encoding == texel::Encoding::float_)) return false;
  return std::ranges::all_of(format.components, [&](const auto& one) { return one.bits == 0 || one.bits == array.item_bytes * 8; });
}

}  // namespace

const Value::Member* content_of(const Value& given) {
  const auto found = std::ranges::find_if(
      *given.as_map(), [](const Value::Member& one) { return std::ranges::find(kContents, one.key) != std::end(kContents); });
  return found == given.as_map()->end() ? nullptr : &*found;
}

Result<std::vector<std::byte>> read_named(const RunOptions& options, const Value& path, std::string_view field) {
  if (path.as_text() == nullptr || options.read_file == nullptr) return fault(path, std::string(field), "expected the path of a file");
  auto read = options.read_file(options.self, *path.as_text());
  if (!read) return fault(path, std::string(field), std::move(read).error().message, read.error().code);
  return read;
}

Result<void> check_one_content(const Value& given) {
  const Value::Member* first = nullptr;
  for (const Value::Member& member : *given.as_map()) {
    if (std::ranges::find(kContents, member.key) == std::end(kContents)) continue;
    if (first != nullptr)
      return Error{ErrorCode::bad_value, member.key_offset, member.key,
                   '`' + first->key + "` and `" + member.key + "` are mutually exclusive"};
    first = &member;
  }
  return {};
}

Result<std::vector<std::byte>> bytes_of(const Value& given, const texel::Format& format, const RunOptions& options) {
  if (auto done = check_one_content(given); !done) return std::move(done).error();
  std::vector<std::byte> bytes;
  if (const Value* const hex = given.find("hex")) {
    const std::string* const text = hex->as_text();
    if (text == nullptr || !from_hex(*text, bytes)) return fault(*hex, "hex", "expected pairs of hexadecimal digits");
    return bytes;
  }
  if (const Value* const raw = given.find("bytes"); raw != nullptr && raw->as_bytes() != nullptr) return *raw->as_bytes();
  if (const Value* const words = given.find("words")) {
    if (words->as_list() == nullptr) return fault(*words, "words", "expected a list of whole numbers");
    for (const Value& word : *words->as_list()) {
      auto bits = bits_of(word, ir::Type::i32, "words");
      if (!bits) return std::move(bits).error();
      append(bytes, *bits, 4);
    }
    return bytes;
  }
  NumberWriter numbers(format, bytes);
  if (const Value* const values = given.find("values")) {
    if (values->as_list() == nullptr) return fault(*values, "values", "expected a list of numbers");
    for (const Value& one : *values->as_list()) {
      if (auto done = numbers.put(one, "values"); !done) return std::move(done).error();
    }
    if (auto done = numbers.finish(*values, "values"); !done) return std::move(done).error();
    return bytes;
  }
  if (const Value* const csv = given.find("csv")) {
    auto file = read_named(options, *csv, "csv");
    if (!file) return file;
    const auto table = read_csv(View(*file).text());
    if (!table) return fault(*csv, "csv", table.error().message, table.error().code);
    for (const Value& cell : table->cells) {
      if (auto done = numbers.put(cell, "csv"); !done) return fault(*csv, "csv", done.error().message);
    }
    if (auto done = numbers.finish(*csv, "csv"); !done) return std::move(done).error();
    return bytes;
  }
  if (const Value* const npy = given.find("npy")) {
    auto file = read_named(options, *npy, "npy");
    if (!file) return file;
    const auto array = read_npy(*file);
    if (!array) {
      const Error& error = array.error();
      return fault(*npy, "npy", (error.path.empty() ? "" : error.path + ": ") + error.message, code_of_file(error.code));
    }
    if (format.bytes() == 0 || is_stored_as(*array, format)) return std::vector<std::byte>(array->bytes.begin(), array->bytes.end());
    for (std::uint64_t k = 0; k < array->count(); ++k) {
      if (auto done = numbers.put(array->at(k), "npy"); !done) return fault(*npy, "npy", done.error().message);
    }
    if (auto done = numbers.finish(*npy, "npy"); !done) return std::move(done).error();
    return bytes;
  }
  if (const Value* const file = given.find("file")) return read_named(options, *file, "file");
  return bytes;
}

Result<picture::Picture> read_image(const RunOptions& options, const Value& path) {
  auto file = read_named(options, path, "image");
  if (!file) return std::move(file).error();
  auto picture = picture::read_dds(*file);
  if (!picture && picture.error().code == ErrorCode::bad_magic && options.read_picture != nullptr)
    picture = options.read_picture(options.self, *file);
  if (!picture) return fault(path, "image", picture.error().message, code_of_file(picture.error().code));
  return picture;
}

// --- resources --------------------------------------------------------------------------------------------------------------------------

namespace {

std::uint32_t field(const Value& given, std::string_view name, std::uint32_t otherwise, std::optional<Error>& error) {
  const Value* const found = given.find(name);
  if (found == nullptr) return otherwise;
  auto number = number_of(*found, name);
  if (!number && !error) error = std::move(number).error();
  return number ? *number : otherwise;
}

// The bytes of a picture, whose size and format `to` takes; of a format that is given, the texels must be as large.
Result<std::vector<std::byte>> image_bytes(const Value& path, const RunOptions& options, texel::Descriptor& to) {
  auto picture = read_image(options, path);
  if (!picture) return std::move(picture).error();
  const texel::Format format = *texel::find_format(texel::format_name(picture->format));
  if (to.format.bytes() == 0) to.format = format;
  if (to.format.bytes() != format.bytes() || to.format.block_width() != format.block_width())
    return fault(
        path, "image",
        "texels of the picture are " + std::string(texel::format_name(picture->format)) + ", which has another size than `format`");
  to.width = picture->width;
  to.height = picture->height;
  to.depth = picture->depth;
  to.layers = picture->layers;
  to.levels = picture->levels;
  return std::move(picture->bytes);
}

// A picture has a size and contents of its own.
Result<void> check_alone(const Value& image, const Value& given) {
  const auto with = [&](std::string_view field) {
    return fault(image, "image", "`image` and `" + std::string(field) + "` are mutually exclusive");
  };
  if (const Value::Member* const content = content_of(given)) return with(content->key);
  for (const TextureLimit& limit : kTextureLimits)
    if (given.find(limit.field) != nullptr) return with(limit.field);
  return given.find("size") == nullptr ? Result<void>() : Result<void>(with("size"));
}

// A feedback map, if the shader or the case says so. `to` has the sizes of the texture that it is paired with.
Result<void> be_feedback_map(const Value& given, const Declared& declared, texel::Descriptor& to) {
  using dxcontainer::SamplerFeedback;
  const Value* const kind = given.find("feedback");
  const Value* const region = given.find("region");
  auto feedback = declared.feedback;
  if (kind != nullptr) {
    constexpr SamplerFeedback kKinds[] = {SamplerFeedback::min_mip, SamplerFeedback::mip_region_used};
    const std::string* const text = kind->as_text();
    const auto* const known = std::ranges::find_if(kKinds, [&](SamplerFeedback one) { return text != nullptr && id(one) == *text; });
    if (known == std::end(kKinds)) return fault(*kind, "feedback", "expected min_mip or mip_region_used");
    if (feedback && *feedback != *known)
      return fault(*kind, "feedback", "the shader declares a feedback map of " + std::string(id(*feedback)));
    feedback = *known;
  }
  if (!feedback) {
    if (region != nullptr)
      return fault(*region, "region", "only feedback maps have regions: `feedback` must be min_mip or mip_region_used");
    return {};
  }
  if (const Value* const format = given.find("format")) return fault(*format, "format", "the texels of a feedback map are of R8_UINT");
  if (!to.is_texture()) return fault(given, "width", "a feedback map must have the sizes of its paired texture", ErrorCode::missing);
  std::array<std::uint32_t, 2> texels = kFinestRegion;
  if (region != nullptr) {
    const Value::List* const list = region->as_list();
    if (list == nullptr || list->size() != 2) return fault(*region, "region", "expected two numbers: texels in width and height");
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto number = number_of((*list)[axis], "region");
      if (!number) return number.error();
      texels[axis] = *number;
    }
  }
  // src: Direct3D sampler feedback specification, "Mip region constraints"
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (!std::has_single_bit(texels[axis]) || texels[axis] < kFinestRegion[axis] || texels[axis] > (axis == 0 ? to.width : to.height) / 2)
      return fault(region == nullptr ? given : *region, "region",
                   "regions must be powers of 2, of at least 4 texels and at most half of the texture's");
  }
  texel::make_feedback_map(to, *feedback, texels);
  return {};
}

}  // namespace

Result<void> take(std::uint64_t bytes, const RunOptions& options, std::uint64_t& taken) {
  if (bytes <= options.memory - taken) {
    taken += bytes;
    return {};
  }
  return Error{ErrorCode::limit, 0, "", "all resources together may have " + std::to_string(options.memory) + " bytes"};
}

bool has_texels(const ir::Resource& resource) {
  const bool is_typed = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
  return is_typed && resource.stride == 0 && resource.dimension != dxcontainer::ResourceDimension::raw_buffer;
}

Declared declared(const ir::Resource& resource) {
  Declared made{resource.stride, {}};
  if (resource.kind == ResourceKind::uav_feedback) made.feedback = resource.feedback;
  return made;
}

Result<Described> described(const Value& given, const Declared& declared, const RunOptions& options, std::uint64_t& taken) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map, found " + std::string(id(given.kind())));
  for (const Value::Member& one : *given.as_map()) {
    if (std::ranges::find(kResourceFields, one.key) == std::end(kResourceFields)) {
      return Error{ErrorCode::bad_value, one.key_offset, one.key,
                   with_nearest("a resource has no field of this name", one.key, kResourceFields)};
    }
  }
  Described own;
  texel::Descriptor& made = own.view;
  std::optional<Error> error;
  if (const Value* const format = given.find("format")) {
    const auto known = format->as_text() == nullptr ? std::nullopt : texel::find_format(*format->as_text());
    if (!known)
      return fault(*format, "format",
                   "expected the name of a DXGI format, such as R32G32_FLOAT, found " +
                       (format->as_text() != nullptr ? '`' + *format->as_text() + '`' : std::string(id(format->kind()))));
    made.format = *known;
  }
  if (const Value* const raw = given.find("raw"); raw != nullptr && raw->as_boolean() == nullptr)
    return fault(*raw, "raw", "expected true or false");
  if (const Value* const letter = given.find("class")) {
    constexpr std::string_view kClasses[] = {"t", "u", "b", "s"};
    if (letter->as_text() == nullptr || std::ranges::find(kClasses, *letter->as_text()) == std::end(kClasses))
      return fault(*letter, "class", "expected t, u, b or s, found " + found(*letter));
  }
  made.stride = field(given, "stride", declared.stride, error);
  for (const TextureLimit& limit : kTextureLimits) {
    const bool is_width = limit.size == &texel::Descriptor::width;
    made.*limit.size = std::max(is_width ? 0U : 1U, field(given, limit.field, is_width ? 0 : 1, error));
    if (made.*limit.size > limit.most)
      return fault(*given.find(limit.field), std::string(limit.field), "at most " + std::to_string(limit.most), ErrorCode::limit);
  }
  if (const Value* const samples = given.find("samples"); samples != nullptr && !error && !std::has_single_bit(made.samples))
    return fault(*samples, "samples", "expected 1, 2, 4, 8, 16 or 32, found " + std::to_string(made.samples));
  // without a width, `levels` and the others describe nothing
  const auto most_levels = static_cast<std::uint32_t>(std::bit_width(std::max({made.width, made.height, made.depth})));
  if (const Value* const levels = given.find("levels"); levels != nullptr && !error && made.width != 0 && made.levels > most_levels)
    return fault(*levels, "levels",
                 "a texture of this size has at most " + std::to_string(most_levels) + " levels, found " + std::to_string(made.levels));
  const Value* const image = given.find("image");
  if (made.width != 0 && made.format.bytes() == 0 && image == nullptr && !declared.feedback && given.find("feedback") == nullptr && !error)
    return fault(given, "format", "a texture must have a format", ErrorCode::missing);
  std::uint64_t size = field(given, "size", 0, error);
  if (given.find("counter") != nullptr) own.counter = field(given, "counter", 0, error);
  if (given.find("mapped") != nullptr) made.mapped = field(given, "mapped", 0, error);
  if (error) return std::move(*error);
  if (auto done = be_feedback_map(given, declared, made); !done) return std::move(done).error();
  if (image != nullptr) {
    if (auto done = check_alone(*image, given); !done) return std::move(done).error();
  }
  auto bytes = image != nullptr ? image_bytes(*image, options, made) : bytes_of(given, made.format, options);
  if (!bytes) return std::move(bytes).error();
  const bool is_texels = !made.is_texture() && made.format.bytes() != 0 && made.format.block == texel::Block::none;
  if (is_texels && std::max<std::uint64_t>(bytes->size(), size) % made.format.bytes() != 0) {
    const Value::Member* const content = bytes->size() > size ? content_of(given) : nullptr;
    const Value* const place = content != nullptr ? &content->value : given.find("size");
    return fault(place == nullptr ? given : *place, content != nullptr ? content->key : "size",
                 std::to_string(std::max<std::uint64_t>(bytes->size(), size)) + " bytes are not a multiple of the " +
                     std::to_string(made.format.bytes()) + " of a texel");
  }
  if (made.is_texture()) size = texel::texture_bytes(made);
  if (bytes->size() > size && (made.is_texture() || given.find("size") != nullptr)) {
    const Value::Member* const content = content_of(given);
    const Value& place = content == nullptr ? given : content->value;
    return fault(place, content == nullptr ? "" : content->key,
                 std::to_string(bytes->size()) + " bytes, the " + (made.is_texture() ? "texture has " : "size is ") + std::to_string(size));
  }
  if (auto done = take(std::max<std::uint64_t>(bytes->size(), size), options, taken); !done)
    return fault(given, bytes->size() < size ? "size" : "", std::move(done).error().message, ErrorCode::limit);
  if (bytes->size() < size) bytes->resize(size, made.feedback ? texel::cleared_feedback(*made.feedback) : std::byte{});
  own.bytes = std::move(*bytes);
  return own;
}

Result<void> check_shape(const Value& given, const ir::Resource& resource, const texel::Descriptor& view) {
  if (resource.stride == 0 && resource.dimension == ResourceDimension::unknown) return {};
  std::optional<Error> error;
  // `who`: the resources that have a field, if this is none of them
  const std::string* const name = given.as_text();  // of a scene's resource, which has the sizes of `view`
  const auto refuse = [&](std::string_view field, std::string_view who, std::string_view what) {
    if (name != nullptr) {
      const auto* const size = std::ranges::find(kTextureLimits, field, &TextureLimit::field);
      if (size != std::end(kTextureLimits) && view.*size->size > (field == "width" ? 0U : 1U) && !error)
        error = fault(given, "",
                      "only " + std::string(who) + " have `" + std::string(field) + "`, as `" + *name + "` has, and this resource is " +
                          std::string(what));
      return;
    }
    const Value* const value = given.find(field);
    const Integer* const number = value == nullptr ? nullptr : value->as_integer();
    const bool* const truth = value == nullptr ? nullptr : value->as_boolean();
    const bool says = (number != nullptr && number->magnitude > 1) || (truth != nullptr && *truth);
    if (says && !error)
      error = fault(*value, std::string(field),
                    "only " + std::string(who) + " have `" + std::string(field) + "`, and this resource is " + std::string(what));
  };
  if (is_buffer(resource)) {
    for (const std::string_view field : {"width", "height", "depth", "layers", "levels", "samples"}) refuse(field, "textures", "a buffer");
  } else {
    const ir::TextureExtra shape(resource.dimension);
    const bool is_multisampled = dxcontainer::is_multisampled(resource.dimension);
    const bool is_cube = dxcontainer::is_cube(resource.dimension);
    const std::string what = "a " + std::string(id(resource.dimension));
    for (const std::string_view field : {"stride", "raw"}) refuse(field, "buffers", what);
    if (resource.dimension != ResourceDimension::texture3d) refuse("depth", "3D textures", what);
    if (!is_multisampled) refuse("samples", "multisampled textures", what);
    if (is_multisampled) refuse("levels", "textures with one sample", what);
    if (!shape.is_array() && !is_cube) refuse("layers", "arrays and cubes", what);
    if (shape.dimension_count() < 2 && !is_cube) refuse("height", "2D and 3D textures", what);
    if (error) return std::move(*error);
    if (!view.is_texture() && name != nullptr) return fault(given, "", '`' + *name + "` is a buffer, and this resource is " + what);
    if (!view.is_texture()) return fault(given, "width", what + " must have a width, as it has in texels", ErrorCode::missing);
    if (is_cube && view.layers % 6 != 0) {
      const Value* const layers = given.find("layers");
      return fault(layers == nullptr ? given : *layers, name != nullptr ? "" : "layers",
                   what + " has six layers for each cube, one for each face; found " + std::to_string(view.layers));
    }
  }
  if (error) return std::move(*error);
  return {};
}

std::span<const std::string_view> resource_fields() { return kResourceFields; }

// --- lanes ------------------------------------------------------------------------------------------------------------------------------

Result<Value> read_lanes(const Value& given, const RunOptions& options) {
  MeshNames names;
  for (const Value::Member& member : *given.as_map()) {
    if (std::ranges::find(kLanesFields, member.key) == std::end(kLanesFields))
      return Error{ErrorCode::bad_value, member.key_offset, "lanes/" + member.key,
                   with_nearest("lanes have no field of this name", member.key, kLanesFields)};
    if (member.key != "names") continue;
    if (member.value.as_map() == nullptr) return fault(member.value, "lanes/names", "expected a map of v, vt and vn");
    for (const Value::Member& name : *member.value.as_map()) {
      std::string* const to = name.key == "v" ? &names.v : name.key == "vt" ? &names.vt : name.key == "vn" ? &names.vn : nullptr;
      if (to == nullptr || name.value.as_text() == nullptr) return fault(name.value, "lanes/names", "expected a map of v, vt and vn");
      *to = *name.value.as_text();
    }
  }
  const Value* const csv = given.find("csv");
  const Value* const obj = given.find("obj");
  if (csv != nullptr && obj != nullptr) return fault(*obj, "lanes/obj", "`csv` and `obj` are mutually exclusive");
  const Value* const path = csv != nullptr ? csv : obj;
  if (path == nullptr) return fault(given, "lanes", "expected a list of maps, or a file: csv or obj");
  const std::string field = csv != nullptr ? "lanes/csv" : "lanes/obj";
  auto file = read_named(options, *path, field);
  if (!file) return std::move(file).error();
  const std::string_view text = View(*file).text();
  const auto table = csv != nullptr ? read_csv(text) : read_obj(text, names);
  if (!table) return fault(*path, field, table.error().message, table.error().code);
  if (table->columns.empty()) return fault(*path, field, "the first line of the file must name the inputs");
  Value made = Value::list();
  for (std::size_t row = 0; row < table->rows(); ++row) made.push(table->row(row));
  return made;
}

std::span<const std::string_view> lanes_fields() { return kLanesFields; }

}  // namespace unshade::run
