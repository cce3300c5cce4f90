// What resources hold: numbers by a format, bytes, files.
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

#include <unshade/core/text.hpp>
#include <unshade/shader/picture.hpp>

#include "shader/run/arrays.hpp"
#include "shader/run/bindings.hpp"
#include "shader/run/data.hpp"

namespace unshade::shader::runner {

using dxcontainer::ResourceDimension;

namespace {

constexpr std::string_view kContents[] = {"hex", "bytes", "words", "values", "csv", "npy", "file"};

void append(std::vector<std::byte>& bytes, std::uint64_t bits, unsigned size) {
  for (unsigned k = 0; k < size; ++k) bytes.push_back(static_cast<std::byte>(bits >> (8 * k)));
}

/// Appends numbers by a format, a texel at a time; without one, as f32.
class NumberWriter {
 public:
  NumberWriter(const vm::Format& format, std::vector<std::byte>& to) : format_(format), to_(to) {
    for (unsigned k = 0; k < 4; ++k) {
      if (format.has(k)) order_[components_++] = k;
    }
  }
  Result<void> put(const Value& value, std::string_view path) {
    if (format_.block != vm::Block::none)
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
    vm::store_texel(format_, texel_, to_.data() + to_.size() - format_.bytes());
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
      return fault(value, std::string(path),
                   runner::found(value) + " does not fit into " + std::string(vm::format_name(vm::format_number(format_))) + ": " + bounds);
    };
    using vm::Encoding;
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
    vm::store_texel(format_, texel, memory.data());
    return std::bit_cast<float>(vm::load_texel(format_, memory.data())[component]);
  }
  static bool is_below_zero(const Value& value) {
    if (const Real* const real = value.as_real()) return real->wide < 0;
    return value.as_integer() != nullptr && value.as_integer()->negative;
  }

  const vm::Format& format_;
  std::vector<std::byte>& to_;
  std::array<std::uint32_t, 4> texel_{};
  std::array<unsigned, 4> order_{};  ///< components that the format has
  unsigned components_ = 0;
  unsigned filled_ = 0;
};

/// Whether the items of an array lie in memory as the components of a format do.
bool is_stored_as(const Array& array, const vm::Format& format) {
  if ((array.kind == 'f') != (format.encoding == vm::Encoding::float_)) return false;
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

Result<std::vector<std::byte>> bytes_of(const Value& given, const vm::Format& format, const RunOptions& options) {
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

Result<Picture> read_image(const RunOptions& options, const Value& path) {
  auto file = read_named(options, path, "image");
  if (!file) return std::move(file).error();
  auto picture = read_dds(*file);
  if (!picture && picture.error().code == ErrorCode::bad_magic && options.read_picture != nullptr)
    picture = options.read_picture(options.self, *file);
  if (!picture) return fault(path, "image", picture.error().message, code_of_file(picture.error().code));
  return picture;
}

// --- fields of resources of one kind ---------------------------------------------------------------------------------------------------

namespace {

// In Direct3D, by resource: what is declared with a counter, and what the code counts with, since append buffers of DXBC are not.
std::vector<bool> with_counters(const ir::Module& module) {
  using dxcontainer::ResourceKind;
  std::vector<bool> made;
  for (const ir::Resource& one : module.resources)
    made.push_back(one.kind == ResourceKind::uav_structured_with_counter || one.kind == ResourceKind::uav_append ||
                   one.kind == ResourceKind::uav_consume);
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        if (function.insts[id].op != ir::Op::counter) continue;
        const ir::Inst& handle = function.insts[function.operands_of(id)[0]];
        if (handle.op == ir::Op::handle) made[handle.extra] = true;
      }
    }
  }
  return made;
}

}  // namespace

// What compilers of HLSL call the buffer that counts for another: glslang, then DXC.
// src: glslang:glslang/HLSL/hlslParseHelper.cpp, getStructBufferCounter(); DXC docs/SPIR-V.rst, "Append/Consume Structured Buffers"
std::optional<std::size_t> Bindings::row_of_counter(const ir::Resource& resource) const {
  const auto name_of_row = [](const ir::Resource& one) {
    return one.heap || one.kind == dxcontainer::ResourceKind::sampler ? std::string_view() : std::string_view(one.name);
  };
  for (const std::string& name : {resource.name + "@count", "counter.var." + resource.name})
    if (const auto row = names_.find(module_.resources, name, name_of_row); row && !resource.name.empty()) return row;
  return std::nullopt;
}

Result<void> Bindings::give_counter(const Value& given, const ir::Resource& resource, Memory& memory) {
  const Value& place = *given.find("counter");
  if (!resource.in_set) {
    if (with_counters_.empty()) with_counters_ = with_counters(module_);
    if (with_counters_[static_cast<std::size_t>(&resource - module_.resources.data())]) return {};
    return fault(place, "counter", "the resource has no counter: only buffers that append, consume or count have one");
  }
  const auto row = row_of_counter(resource);
  if (!row)
    return fault(
        place, "counter",
        "the shader has no counter for this buffer; in SPIR-V that is a storage buffer of its own, `NAME@count` or `counter.var.NAME`");
  const Binding binding{static_cast<std::uint32_t>(*row), memory.binding.index};
  const auto [other, is_first] = counted_.try_emplace(place_of(binding), &memory);
  if (!is_first && other->second->counter != memory.counter)
    return fault(place, "counter", "the counter of `" + other->second->key + "` is the same buffer, and the case gives it another value");
  if (is_first && memory_at_.contains(place_of(binding)))
    return fault(place, "counter", "`" + module_.resources[*row].name + "` is this counter, and the case gives it, too");
  Memory& words = memory_of(binding);
  words.bytes.resize(4);
  std::memcpy(words.bytes.data(), &memory.counter, 4);
  memory.counter_at = binding;
  return at_place(binding, [&](vm::Descriptor& to, const ir::Resource*) { to.bytes = words.bytes; });
}

std::uint32_t Bindings::counter_of(const Memory& memory) const {
  if (!memory.counter_at) return memory.counter;
  std::uint32_t count = 0;
  const auto words = memory_at_.find(place_of(*memory.counter_at));
  if (words != memory_at_.end() && words->second->bytes.size() >= 4) std::memcpy(&count, words->second->bytes.data(), 4);
  return count;
}

Result<void> check_shape(const Value& given, const ir::Resource& resource) {
  if (resource.stride == 0 && resource.dimension == ResourceDimension::unknown) return {};
  std::optional<Error> error;
  // `who`: the resources that have a field, if this is none of them
  const auto refuse = [&](std::string_view field, std::string_view who, std::string_view what) {
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
  }
  if (error) return std::move(*error);
  return {};
}

}  // namespace unshade::shader::runner
