#include <unshade/run/bindings.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/image_format.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/samplers.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "run/arrays.hpp"

namespace unshade::run {
using dxcontainer::ResourceKind;

Bindings::Bindings(const ir::Module& module, const RunOptions& options, const Shared* shared)
    : module_(module), bound_(module), options_(options), shared_(shared), resources_(vm::empty_resources(module)) {
  if (options.reflection == nullptr) return;
  rows_ = ResourceRows(*options.reflection);
  variables_.resize(options.reflection->buffers.size());
}

Result<void> Bindings::take(std::uint64_t bytes) { return run::take(bytes, options_, taken_); }

Result<void> Bindings::resize(std::vector<std::byte>& memory, std::uint64_t bytes) {
  if (auto done = take(bytes - std::min<std::uint64_t>(bytes, memory.size())); !done) return done;
  memory.resize(bytes);
  return {};
}

Result<texel::Descriptor*> Bindings::descriptor(const Binding& binding, std::vector<texel::Descriptor>& heap) {
  if (binding.row == Binding::kUnused) return &unused_;
  auto& row = binding.row == Binding::kHeap ? heap : resources_.rows[binding.row];
  if (row.size() <= binding.index) {
    if (auto done = take((binding.index + std::uint64_t{1} - row.size()) * sizeof(texel::Descriptor)); !done)
      return std::move(done).error();
    row.resize(binding.index + std::size_t{1});
  }
  return &row[binding.index];
}

Place Bindings::place_of(const Binding& binding) const {
  if (binding.row == Binding::kHeap) return {Place::Type::heap, 0, binding.index, 0};
  if (binding.row == Binding::kUnused) return {Place::Type::unused, 0, binding.index, 0};
  return run::place_of(module_.resources[binding.row], binding.index);
}

Result<void> Bindings::at_place(const Binding& binding, const std::function<void(texel::Descriptor&, const ir::Resource*)>& visit) {
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

Result<void> Bindings::bind_one(const Value::Member& member) {
  const auto place = find(member);
  if (!place) return place.error();
  const Value& given = member.value;
  const ir::Resource* const resource = place->row >= Binding::kUnused ? nullptr : &module_.resources[place->row];
  texel::Descriptor made;
  if (const std::string* const name = shared_ == nullptr ? nullptr : given.as_text()) {
    const auto known = shared_->find(*name);
    if (known == shared_->end()) {
      Nearest nearest(*name);
      for (const auto& one : *shared_) nearest.consider(one.first);
      return fault(given, "", "there is no resource or target `" + *name + '`' + nearest.question(), ErrorCode::missing);
    }
    made = known->second;
    if (resource != nullptr) {
      if (auto fits = check_shape(given, *resource, made); !fits) return fits;
    }
    if (made.stride == 0 && resource != nullptr) made.stride = resource->stride;
  } else {
    auto own = described(given, resource == nullptr ? Declared{} : declared(*resource), options_, taken_);
    if (!own) return std::move(own).error();
    if (resource != nullptr) {
      if (auto fits = check_shape(given, *resource, own->view); !fits) return fits;
    }
    const bool is_unused = place->row == Binding::kUnused;
    std::optional<Reflected> known;
    if (is_unused) {
      if (auto of_name = reflected(member, Spoken(member.key), Kind::resource)) known = std::move(*of_name);
    }
    const std::string key = known ? run::key_of(known->resource, known->index) : member.key;
    if (const auto of = counted_.find(place_of(*place)); of != counted_.end())
      return fault(given, "", "this is the counter of `" + of->second->key + "`, which the case gives as `counter`");
    Memory& memory = memory_of(*place, key);
    memory.unused = std::move(known);
    memory.bytes = std::move(own->bytes);
    if (resource != nullptr) check_numbers(given, *place, memory.bytes);
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
  auto done = at_place(*place, [&](texel::Descriptor& to, const ir::Resource* row) {
    lacks_format = lacks_format || (row != nullptr && has_texels(*row) && made.format.bytes() == 0 && !made.bytes.empty());
    to = made;
    if (row != nullptr && !has_stride) to.stride = row->stride;
    if (row == nullptr || !made.is_texture()) return;
    if (const auto stencil = stencil_view(*row, made.format, given.as_text() != nullptr)) to.format = *stencil;
  });
  if (!done) return fault(given, "", done.error().message, done.error().code);
  if (lacks_format)
    return fault(given, "format", "the shader reads or writes texels: the case must state the format of this resource", ErrorCode::missing);
  return {};
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
    auto done = at_place(*place, [&](texel::Descriptor& to, const ir::Resource*) {
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

const texel::Descriptor* Bindings::view_of(const Memory& memory) const {
  if (memory.binding.row == Binding::kUnused) return nullptr;
  const auto& row = memory.binding.row == Binding::kHeap ? resources_.heap : resources_.rows[memory.binding.row];
  return memory.binding.index < row.size() ? &row[memory.binding.index] : nullptr;
}

// Of texels, or by the types that the reflection knows.
std::optional<Value> Bindings::values_of(const Memory& memory) const {
  if (memory.binding.row >= Binding::kUnused) return std::nullopt;
  const ir::Resource& resource = module_.resources[memory.binding.row];
  const shader::Resource* const row = row_of(resource);
  if (resource.kind == ResourceKind::uav_typed || resource.kind == ResourceKind::uav_feedback)
    return texel_values(view_of(memory)->format, memory.bytes);
  return row == nullptr ? std::nullopt : typed_values(*options_.reflection, *row, memory.bytes);
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
    const bool is_used = memory.binding.row < Binding::kUnused;
    const bool is_shown = options_.read_only && is_used && letter_of(module_.resources[memory.binding.row].kind) == 't';
    if (!memory.writable && !is_shown) continue;
    Value one = Value::map();
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
    if (const texel::Descriptor* const view = view_of(memory); view != nullptr && view->is_texture())
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
    const texel::Descriptor* const view = view_of(memory);
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
      const shader::Resource* const row = resource == nullptr ? nullptr : row_of(*resource);
      shape_elements(view->stride, options_.reflection, row, made);
    }
    if (!memory.has_counter) continue;
    const std::string name = made.name + ".counter";
    all.push_back(words_of(name, {counter_of(memory)}, {1}));
  }
  return all;
}

}  // namespace unshade::run
