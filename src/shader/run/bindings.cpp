#include "shader/run/bindings.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/shader/picture.hpp>

#include "core/numbers.hpp"
#include "shader/run/arrays.hpp"
#include "shader/run/data.hpp"
#include "shader/run/samplers.hpp"
#include "shader/run/type_layout.hpp"

namespace unshade::shader::runner {
namespace {

using dxcontainer::ResourceKind;

/// Sizes of textures: those of Direct3D. src: d3d12.h, D3D12_REQ_*
struct TextureLimit {
  std::string_view field;
  std::uint32_t vm::Descriptor::* size;
  std::uint32_t most;
};
constexpr TextureLimit kTextureLimits[] = {
    {"width", &vm::Descriptor::width, 16384},   {"height", &vm::Descriptor::height, 16384}, {"depth", &vm::Descriptor::depth, 2048},
    {"layers", &vm::Descriptor::layers, 16384}, {"levels", &vm::Descriptor::levels, 15},    {"samples", &vm::Descriptor::samples, 32},
};

std::uint32_t field(const Value& given, std::string_view name, std::uint32_t otherwise, std::optional<Error>& error) {
  const Value* const found = given.find(name);
  if (found == nullptr) return otherwise;
  auto number = number_of(*found, name);
  if (!number && !error) error = std::move(number).error();
  return number ? *number : otherwise;
}

constexpr std::string_view kResourceFields[] = {"format",  "stride",  "raw",   "width",  "height", "depth",  "layers",  "levels",
                                                "samples", "size",    "hex",   "bytes",  "words",  "values", "csv",     "npy",
                                                "file",    "counter", "class", "mapped", "image",  "region", "feedback"};

Result<void> take(std::uint64_t bytes, const RunOptions& options, std::uint64_t& taken) {
  if (bytes <= options.memory - taken) {
    taken += bytes;
    return {};
  }
  return Error{ErrorCode::limit, 0, "", "all resources together may have " + std::to_string(options.memory) + " bytes"};
}

}  // namespace

Error fault(const Value& at, std::string path, std::string message, ErrorCode code) {
  return {code, at.text_offset, std::move(path), std::move(message)};
}

Result<std::uint32_t> number_of(const Value& value, std::string_view path) {
  const Integer* const number = value.as_integer();
  if (number == nullptr || number->negative || number->magnitude > 0xffff'ffff) {
    return fault(value, std::string(path), "expected a whole number from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(number->magnitude);
}

std::span<const std::string_view> resource_fields() { return kResourceFields; }

Result<Binding> Bindings::find(const Value::Member& member, Kind kind) const {
  const Spoken text(member.key);
  const std::string path = (kind == Kind::sampler ? "samplers/" : "resources/") + member.key;
  if (text.key && text.key->letter == 'h') return Binding{Binding::kHeap, text.key->number};
  const auto is_wanted = [&](const ir::Resource& resource) { return (resource.kind == ResourceKind::sampler) == (kind == Kind::sampler); };
  // by where it is bound
  const BoundResources::Named named = bound_.named(text);
  std::optional<Binding> found;
  for (const Binding& one : named.elements) {
    const ir::Resource& resource = module_.resources[one.row];
    if (!found || (!is_wanted(module_.resources[found->row]) && is_wanted(resource))) {
      found = one;
    } else if (is_wanted(resource) == is_wanted(module_.resources[found->row]) && place_of(one) != place_of(*found)) {
      return Error{ErrorCode::bad_value, member.key_offset, path,
                   "several resources are bound there: `" + runner::key_of(module_.resources[found->row], found->index) + "` and `" +
                       runner::key_of(resource, one.index) + '`'};
    }
  }
  if (found) return *found;
  // by name
  for (const bool wanted : {true, false}) {
    NameIndex& names = wanted == (kind == Kind::sampler) ? sampler_names_ : names_;
    const auto own_name = [&](const ir::Resource& resource) {
      return resource.heap || is_wanted(resource) != wanted ? std::string_view() : std::string_view(resource.name);
    };
    for (const std::string_view name : {text.whole, text.base}) {
      const auto row = name.empty() ? std::nullopt : names.find(module_.resources, name, own_name);
      if (!row) continue;
      const auto element = element_by_name(module_.resources[*row], text);
      for (auto other = names.next(*row); element && other; other = names.next(*other)) {
        const ir::Resource& same = module_.resources[*other];
        if (runner::place_of(same, 0) != runner::place_of(module_.resources[*row], 0))
          return Error{ErrorCode::bad_value, member.key_offset, path,
                       "several resources have this name: `" + shown_place(module_.resources[*row], *element) + "` and `" +
                           shown_place(same, *element) + '`'};
      }
      if (element) return Binding{*row, *element};
      // the program may declare a part of an array
      const auto known = in_reflection(member, text, kind);
      if (!known) return known.error();
      if (*known) return **known;
      return Error{ErrorCode::missing, member.key_offset, path, no_element(module_.resources[*row], name)};
    }
  }
  const auto known = in_reflection(member, text, kind);
  if (!known) return known.error();
  if (*known) return **known;
  if (!named.out_of_bounds.empty())
    return Error{ErrorCode::missing, member.key_offset, path, no_element(module_.resources[named.out_of_bounds.back()], text.base)};
  if (text.key) return Binding{Binding::kUnused, static_cast<std::uint32_t>(memories_.size())};
  Nearest nearest(member.key);
  for (const ir::Resource& resource : module_.resources) {
    nearest.consider(resource.name);
    nearest.consider(key_of(resource, 0));
  }
  for (std::size_t k = 0; options_.reflection != nullptr && k < options_.reflection->resources.size(); ++k)
    nearest.consider(options_.reflection->resources[k].name);
  return Error{ErrorCode::missing, member.key_offset, path, "the shader has no resource of this name" + nearest.question()};
}

Bindings::Bindings(const ir::Module& module, const RunOptions& options, const Shared* shared)
    : module_(module), bound_(module), options_(options), shared_(shared), resources_(vm::empty_resources(module)) {
  if (options.reflection == nullptr) return;
  rows_ = ResourceRows(*options.reflection);
  variables_.resize(options.reflection->buffers.size());
}

Result<void> Bindings::take(std::uint64_t bytes) { return runner::take(bytes, options_, taken_); }

Result<void> Bindings::resize(std::vector<std::byte>& memory, std::uint64_t bytes) {
  if (auto done = take(bytes - std::min<std::uint64_t>(bytes, memory.size())); !done) return done;
  memory.resize(bytes);
  return {};
}

Result<vm::Descriptor*> Bindings::descriptor(const Binding& binding, std::vector<vm::Descriptor>& heap) {
  if (binding.row == Binding::kUnused) return &unused_;
  auto& row = binding.row == Binding::kHeap ? heap : resources_.rows[binding.row];
  if (row.size() <= binding.index) {
    if (auto done = take((binding.index + std::uint64_t{1} - row.size()) * sizeof(vm::Descriptor)); !done) return std::move(done).error();
    row.resize(binding.index + std::size_t{1});
  }
  return &row[binding.index];
}

Place Bindings::place_of(const Binding& binding) const {
  if (binding.row == Binding::kHeap) return {Place::Type::heap, 0, binding.index, 0};
  if (binding.row == Binding::kUnused) return {Place::Type::unused, 0, binding.index, 0};
  return runner::place_of(module_.resources[binding.row], binding.index);
}

Result<void> Bindings::at_place(const Binding& binding, const std::function<void(vm::Descriptor&, const ir::Resource*)>& visit) {
  if (binding.row >= Binding::kUnused) {
    const auto to = descriptor(binding, resources_.heap);
    if (!to) return to.error();
    visit(**to, nullptr);
    return {};
  }
  for (const Binding& one : bound_.at(place_of(binding))) {
    const auto to = descriptor(one, resources_.heap);
    if (!to) return to.error();
    visit(**to, &module_.resources[one.row]);
  }
  return {};
}

Bindings::Memory& Bindings::memory_of(const Binding& binding, std::string_view unused_key) {
  const Place place = place_of(binding);
  Memory*& known = memory_at_[place];
  if (known != nullptr) return *known;
  Memory& made = memories_.emplace_back();
  known = &made;
  made.binding = binding;
  made.key = unused_key;
  if (binding.row >= Binding::kUnused) return made;
  if (const auto written = bound_.written_at(place)) {
    made.writable = true;
    made.binding = *written;
  }
  made.key = key_of(module_.resources[made.binding.row], made.binding.index);
  return made;
}

namespace {

// The bytes of a picture, whose size and format `to` takes; of a format that is given, the texels must be as large.
Result<std::vector<std::byte>> image_bytes(const Value& path, const RunOptions& options, vm::Descriptor& to) {
  auto picture = read_image(options, path);
  if (!picture) return std::move(picture).error();
  const vm::Format format = *vm::find_format(vm::format_name(picture->format));
  if (to.format.bytes() == 0) to.format = format;
  if (to.format.bytes() != format.bytes() || to.format.block_width() != format.block_width())
    return fault(path, "image", "the picture has texels of " + std::string(vm::format_name(picture->format)));
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

// Whether a shader reads or writes texels of a resource, whose format nothing but the case says.
bool has_texels(const ir::Resource& resource) {
  const bool is_typed = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
  return is_typed && resource.stride == 0 && resource.dimension != dxcontainer::ResourceDimension::raw_buffer;
}

// A feedback map, if the shader or the case says so. `to` has the sizes of the texture that it is paired with.
Result<void> be_feedback_map(const Value& given, const Declared& declared, vm::Descriptor& to) {
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
  vm::make_feedback_map(to, *feedback, texels);
  return {};
}

}  // namespace

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
  vm::Descriptor& made = own.view;
  std::optional<Error> error;
  if (const Value* const format = given.find("format")) {
    const auto known = format->as_text() == nullptr ? std::nullopt : vm::find_format(*format->as_text());
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
    const bool is_width = limit.size == &vm::Descriptor::width;
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
  const bool is_texels = !made.is_texture() && made.format.bytes() != 0 && made.format.block == vm::Block::none;
  if (is_texels && std::max<std::uint64_t>(bytes->size(), size) % made.format.bytes() != 0) {
    const Value::Member* const content = bytes->size() > size ? content_of(given) : nullptr;
    const Value* const place = content != nullptr ? &content->value : given.find("size");
    return fault(place == nullptr ? given : *place, content != nullptr ? content->key : "size",
                 std::to_string(std::max<std::uint64_t>(bytes->size(), size)) + " bytes are not a multiple of the " +
                     std::to_string(made.format.bytes()) + " of a texel");
  }
  if (made.is_texture()) size = vm::texture_bytes(made);
  if (bytes->size() > size && (made.is_texture() || given.find("size") != nullptr)) {
    const Value::Member* const content = content_of(given);
    const Value& place = content == nullptr ? given : content->value;
    return fault(place, content == nullptr ? "" : content->key,
                 std::to_string(bytes->size()) + " bytes, the " + (made.is_texture() ? "texture has " : "size is ") + std::to_string(size));
  }
  if (auto done = take(std::max<std::uint64_t>(bytes->size(), size), options, taken); !done)
    return fault(given, bytes->size() < size ? "size" : "", std::move(done).error().message, ErrorCode::limit);
  if (bytes->size() < size) bytes->resize(size, made.feedback ? vm::cleared_feedback(*made.feedback) : std::byte{});
  own.bytes = std::move(*bytes);
  return own;
}

Result<void> Bindings::bind_one(const Value::Member& member) {
  const auto place = find(member);
  if (!place) return place.error();
  const Value& given = member.value;
  const ir::Resource* const resource = place->row >= Binding::kUnused ? nullptr : &module_.resources[place->row];
  vm::Descriptor made;
  if (const std::string* const name = shared_ == nullptr ? nullptr : given.as_text()) {
    const auto known = shared_->find(*name);
    if (known == shared_->end()) {
      Nearest nearest(*name);
      for (const auto& one : *shared_) nearest.consider(one.first);
      return fault(given, "", "there is no resource or target `" + *name + '`' + nearest.question(), ErrorCode::missing);
    }
    made = known->second;
    if (made.stride == 0 && resource != nullptr) made.stride = resource->stride;
  } else {
    auto own = described(given, resource == nullptr ? Declared{} : declared(*resource), options_, taken_);
    if (!own) return std::move(own).error();
    if (resource != nullptr) {
      if (auto fits = check_shape(given, *resource); !fits) return fits;
    }
    const bool is_unused = place->row == Binding::kUnused;
    std::optional<Reflected> known;
    if (is_unused) {
      if (auto of_name = reflected(member, Spoken(member.key), Kind::resource)) known = std::move(*of_name);
    }
    const std::string key = known ? runner::key_of(known->resource, known->index) : member.key;
    if (const auto of = counted_.find(place_of(*place)); of != counted_.end())
      return fault(given, "", "this is the counter of `" + of->second->key + "`, which the case gives as `counter`");
    Memory& memory = memory_of(*place, key);
    memory.unused = std::move(known);
    memory.bytes = std::move(own->bytes);
    const std::string* const letter = given.find("class") == nullptr ? nullptr : given.find("class")->as_text();
    if (resource == nullptr) memory.writable = is_unused ? key.front() == 'u' : letter != nullptr && *letter == "u";
    memory.has_counter = own->counter.has_value();
    memory.counter = own->counter.value_or(0);
    if (resource != nullptr && memory.has_counter) {
      if (auto done = give_counter(given, *resource, memory); !done) return done;
    }
    made = own->view;
    made.bytes = memory.bytes;
    made.counter = memory.has_counter || memory.writable ? &memory.counter : nullptr;
  }
  if (resource != nullptr && letter_of(resource->kind) == 'b') constants_given_.insert(place_of(*place));
  bool lacks_format = false;
  const bool has_stride = given.find("stride") != nullptr || given.as_text() != nullptr;
  auto done = at_place(*place, [&](vm::Descriptor& to, const ir::Resource* row) {
    lacks_format = lacks_format || (row != nullptr && has_texels(*row) && made.format.bytes() == 0 && !made.bytes.empty());
    to = made;
    if (row != nullptr && !has_stride) to.stride = row->stride;
  });
  if (!done) return fault(given, "", done.error().message, done.error().code);
  if (lacks_format) return fault(given, "format", "the shader has texels of this resource: its format is missing", ErrorCode::missing);
  return {};
}

Result<std::string> Bindings::key_named(const Value::Member& member) const {
  const auto place = find(member);
  if (!place) return place.error();
  if (place->row >= Binding::kUnused) return Error{ErrorCode::missing, member.key_offset, member.key, "the shader does not use it"};
  return bound_.key_of(module_.resources[place->row], place->index);
}

Result<void> Bindings::bind_case(const Value& given) {
  if (const Value* const resources = given.find("resources")) {
    if (auto done = bind(*resources); !done) return done;
  }
  if (options_.root_signature != nullptr) bind_static_samplers(*options_.root_signature);
  if (const Value* const repeated = given.find("repeated_elements")) {
    auto number = number_of(*repeated, "repeated_elements");
    if (!number) return std::move(number).error();
    resources_.repeated_elements = *number;
  }
  if (const Value* const samplers = given.find("samplers")) {
    if (auto done = bind_samplers(*samplers); !done) return done;
  }
  if (const Value* const addresses = given.find("addresses")) {
    if (auto done = bind_addresses(*addresses); !done) return done;
  }
  if (const Value* const constants = given.find("constants")) {
    if (auto done = set_constants(*constants); !done) return done;
  }
  return given.find("resources") == nullptr && given.find("lanes") == nullptr ? make_up() : bind_initials();
}

Result<void> Bindings::check_bindings(const Value::Map& members, std::string_view path, Kind kind) const {
  std::map<Place, std::string_view> known;
  for (const Value::Member& member : members) {
    const auto found = find(member, kind);
    if (!found || found->row == Binding::kUnused) continue;
    const auto [other, added] = known.try_emplace(place_of(*found), member.key);
    if (!added)
      return Error{ErrorCode::bad_value, member.key_offset, std::string(path) + '/' + member.key,
                   "the same binding as `" + std::string(other->second) + "`: it must have one name in the case and its suite"};
  }
  return {};
}

Result<void> Bindings::bind(const Value& resources) {
  if (resources.as_map() == nullptr) return fault(resources, "resources", "expected a map, found " + std::string(id(resources.kind())));
  if (auto done = check_bindings(*resources.as_map(), "resources", Kind::resource); !done) return done;
  for (const Value::Member& member : *resources.as_map()) {
    if (auto done = bind_one(member); !done) {
      if (done.error().path.starts_with("resources/")) return done;
      return std::move(done).error().within("resources/" + member.key);
    }
  }
  return {};
}

void Bindings::bind_static_samplers(const dxcontainer::RootSignature& root) {
  for (const dxcontainer::StaticSampler& one : root.static_samplers) {
    for (const Binding& at : bound_.at({Place::Type::sampler, one.space, one.shader_register, 0})) {
      // a register that is too large to be kept stays the default
      if (const auto to = descriptor(at, resources_.sampler_heap)) (*to)->sampler = sampler_of(one);
    }
  }
}

Result<void> Bindings::bind_samplers(const Value& samplers) {
  if (samplers.as_map() == nullptr) return fault(samplers, "samplers", "expected a map, found " + std::string(id(samplers.kind())));
  if (auto done = check_bindings(*samplers.as_map(), "samplers", Kind::sampler); !done) return done;
  for (const Value::Member& member : *samplers.as_map()) {
    auto place = find(member, Kind::sampler);
    if (!place) return place.error();
    // a combined image sampler may be named by what its texture alone is called
    if (place->row < Binding::kUnused && module_.resources[place->row].in_set) {
      Place of = place_of(*place);
      of.type = Place::Type::sampler;
      if (const auto samplers_there = bound_.at(of); !samplers_there.empty()) *place = samplers_there.front();
    }
    if (place->row < Binding::kUnused && module_.resources[place->row].kind != ResourceKind::sampler)
      return Error{ErrorCode::bad_value, member.key_offset, "samplers/" + member.key, "the shader has no sampler of this name"};
    if (place->row >= Binding::kUnused) {
      const auto to = descriptor(*place, resources_.sampler_heap);
      if (!to) return fault(member.value, "samplers/" + member.key, to.error().message, to.error().code);
      auto made = sampler_of(member.value, (*to)->sampler);
      if (!made) return std::move(made).error().within("samplers/" + member.key);
      (*to)->sampler = *made;
      continue;
    }
    Result<void> wrong;
    auto done = at_place(*place, [&](vm::Descriptor& to, const ir::Resource*) {
      auto made = sampler_of(member.value, to.sampler);
      if (!made) {
        wrong = std::move(made).error().within("samplers/" + member.key);
      } else {
        to.sampler = *made;
      }
    });
    if (!done) return fault(member.value, "samplers/" + member.key, done.error().message, done.error().code);
    if (!wrong) return wrong;
  }
  return {};
}

// --- results ---------------------------------------------------------------------------------------------------------------------------

namespace {

// storage buffers of SPIR-V are byte address buffers in the IR, and counters of structured buffers are not in each reflection
using BoundAt = std::tuple<char, std::uint32_t, std::uint32_t>;
BoundAt bound_at(const Resource& row) {
  if (row.kind == ResourceKind::push_constants) return {0, kPushConstantSpace, 0};
  return {letter_of(row.kind), row.space, row.bind_point};
}
BoundAt bound_at(const ir::Resource& resource) {
  if (resource.space == kPushConstantSpace) return {0, kPushConstantSpace, 0};
  return {letter_of(resource.kind), resource.space, resource.first_register};
}

}  // namespace

ResourceRows::ResourceRows(const Reflection& reflection) {
  for (const Resource& row : reflection.resources) rows_[bound_at(row)].push_back(&row);
}

const Resource* ResourceRows::find(const ir::Resource& resource) const {
  const auto found = rows_.find(bound_at(resource));
  if (found == rows_.end()) return nullptr;
  const auto own = std::ranges::find(found->second, resource.name, &Resource::name);
  return own == found->second.end() ? found->second.front() : *own;
}

const Resource* row_of(const ir::Resource& resource, const Reflection& reflection) {
  const Resource* found = nullptr;
  for (const Resource& row : reflection.resources) {
    if (bound_at(row) != bound_at(resource)) continue;
    if (row.name == resource.name) return &row;
    if (found == nullptr) found = &row;
  }
  return found;
}

const vm::Descriptor* Bindings::view_of(const Memory& memory) const {
  if (memory.binding.row == Binding::kUnused) return nullptr;
  const auto& row = memory.binding.row == Binding::kHeap ? resources_.heap : resources_.rows[memory.binding.row];
  return memory.binding.index < row.size() ? &row[memory.binding.index] : nullptr;
}

// Of texels, or by the types that the reflection knows.
std::optional<Value> Bindings::values_of(const Memory& memory) const {
  if (memory.binding.row >= Binding::kUnused) return std::nullopt;
  const ir::Resource& resource = module_.resources[memory.binding.row];
  const Resource* const row = row_of(resource);
  if (resource.kind == ResourceKind::uav_typed || resource.kind == ResourceKind::uav_feedback)
    return texel_values(view_of(memory)->format, memory.bytes);
  return row == nullptr ? std::nullopt : typed_values(*options_.reflection, *row, memory.bytes);
}

std::string hex_of(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(bytes.size() * 2, '0');
  char* to = hex.data();
  for (const std::byte byte : bytes) {
    *to++ = kDigits[static_cast<unsigned>(byte) >> 4];
    *to++ = kDigits[static_cast<unsigned>(byte) & 15];
  }
  return hex;
}

void Bindings::add_constant_buffers(Value& to) const {
  for (const Memory& memory : memories_) {
    if (!memory.key.starts_with('b')) continue;
    Value one = Value::map();
    one.add("hex", Value::text(hex_of(memory.bytes)));
    to.add(memory.key, std::move(one));
  }
}

Value Bindings::results() const {
  Value all = Value::map();
  for (const Memory& memory : memories_) {
    if (!memory.writable) continue;
    Value one = Value::map();
    const bool is_used = memory.binding.row < Binding::kUnused;
    if (is_used || memory.unused) {
      const ir::Resource& resource = is_used ? module_.resources[memory.binding.row] : memory.unused->resource;
      const std::uint32_t index = is_used ? memory.binding.index : memory.unused->index;
      if (!resource.name.empty()) one.add("name", Value::text(name_of(resource, index)));
      if (resource.in_set) {
        one.add("set", Value::integer(resource.space));
        one.add("binding", Value::integer(resource.first_register));
        if (resource.count != 1) one.add("element", Value::integer(index));
      }
    }
    one.add("hex", Value::text(hex_of(memory.bytes)));
    if (const vm::Descriptor* const view = view_of(memory); view != nullptr && view->is_texture())
      one.add("width", Value::integer(view->width));
    if (auto values = memory.bytes.size() <= options_.values ? values_of(memory) : std::nullopt) one.add("values", std::move(*values));
    if (memory.has_counter) one.add("counter", Value::integer(counter_of(memory)));
    all.add(memory.key, std::move(one));
  }
  return all;
}

std::vector<ResultArray> Bindings::arrays() const {
  std::vector<ResultArray> all;
  for (const Memory& memory : memories_) {
    const vm::Descriptor* const view = view_of(memory);
    if (!memory.writable || view == nullptr) continue;
    const ir::Resource* const resource = memory.binding.row < Binding::kUnused ? &module_.resources[memory.binding.row] : nullptr;
    ResultArray& made = all.emplace_back();
    made.key = made.name = memory.key;
    if (resource != nullptr && !resource->name.empty()) {
      made.name = resource->name;
      if (resource->count != 1) made.name += '.' + std::to_string(memory.binding.index);
    }
    made.bytes = memory.bytes;
    const bool is_typed = resource != nullptr ? resource->kind == ResourceKind::uav_typed : view->stride == 0;
    if (view->is_texture() || is_typed) {
      shape_texels(*view, made);
    } else {
      const Resource* const row = resource == nullptr ? nullptr : row_of(*resource);
      shape_elements(view->stride, options_.reflection, row, made);
    }
    if (!memory.has_counter) continue;
    const std::string name = made.name + ".counter";
    all.push_back(words_of(name, {counter_of(memory)}, {1}));
  }
  return all;
}

}  // namespace unshade::shader::runner
