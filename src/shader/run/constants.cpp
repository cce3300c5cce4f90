// Constants by name, and the resources that no case gives.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include <unshade/ir/lower_pica.hpp>

#include "core/spelling.hpp"
#include "shader/run/bindings.hpp"
#include "shader/run/type_layout.hpp"

namespace unshade::shader::runner {

using dxcontainer::ResourceKind;

std::optional<ConstantPlace> constants_in(const ir::Resource& resource, const Resource* row, const Buffer& buffer,
                                          const Reflection& reflection) {
  if (resource.kind != ResourceKind::cbuffer && resource.kind != ResourceKind::push_constants) return std::nullopt;
  if (!traits_of(reflection.family).has_uniform_registers) {
    // a block of Vulkan may have another name than its variable
    const bool is_of_row = row != nullptr && row->buffer < reflection.buffers.size() && &reflection.buffers[row->buffer] == &buffer;
    return is_of_row || resource.name == buffer.name ? std::optional(ConstantPlace{}) : std::nullopt;
  }
  // one buffer of the machine holds the registers of all three kinds
  namespace uniforms = ir::pica_uniforms;
  if (buffer.name.ends_with('c')) return ConstantPlace{uniforms::real(0, 0), 1, 16};
  if (buffer.name.ends_with('i')) return ConstantPlace{uniforms::integer(0, 0), 1, 16, 0xff};
  return ConstantPlace{uniforms::boolean(0), 4, 4};
}

template <class F>
bool Bindings::find_constant(std::string_view name, F&& visit) const {
  if (options_.reflection == nullptr) return false;
  for (std::size_t b = 0; b < variables_.size(); ++b) {
    const Buffer& buffer = options_.reflection->buffers[b];
    const auto variable = variables_[b].find(buffer.variables, name, &Variable::name);
    if (!variable) continue;
    for (std::size_t row = 0; row < module_.resources.size(); ++row) {
      const ir::Resource& resource = module_.resources[row];
      const auto place = constants_in(resource, row_of(resource), buffer, *options_.reflection);
      if (place && visit(row, *place, buffer, buffer.variables[*variable])) return true;
    }
  }
  return false;
}

bool Bindings::has_constant(std::string_view name) const {
  if (register_named(options_, name)) return true;
  return find_constant(name, [](std::size_t, const ConstantPlace&, const Buffer&, const Variable&) { return true; });
}

namespace {

Result<void> check_range(const Value& value, std::uint32_t most) {
  std::vector<const Value*> numbers;
  flatten(value, numbers);
  for (const Value* const one : numbers) {
    const auto bits = bits_of(*one, ir::Type::i64, "");
    if (bits && *bits > most) return fault(*one, "", "the numbers of the register must be from 0 to " + std::to_string(most));
  }
  return {};
}

}  // namespace

Result<void> Bindings::set_constants(const Value& constants) {
  if (constants.as_map() == nullptr) return fault(constants, "constants", "expected a map of variables");
  std::map<std::uint32_t, TypeLayout> layouts;  // by stride
  const auto set = [&](const Value::Member& member, std::size_t row, const ConstantPlace& place, const Buffer& buffer,
                       const Variable& variable, const TypeLayout& layout) -> Result<void> {
    const auto within = [&](Result<void> done) { return std::move(done).error().within("constants/" + member.key); };
    if (place.most != 0) {
      if (auto done = check_range(member.value, place.most); !done) return within(std::move(done));
    }
    const ir::Resource& resource = module_.resources[row];
    const Binding binding{row, 0};
    Memory& memory = memory_of(binding, key_of(resource, 0));
    const std::size_t needed = std::max<std::size_t>(place.base != 0 ? resource.bytes : buffer.size, resource.initial.size());
    if (memory.bytes.size() < needed) {
      const bool is_new = memory.bytes.empty();
      if (auto done = resize(memory.bytes, needed); !done) return done;
      if (is_new) std::ranges::copy(resource.initial, memory.bytes.begin());
    }
    if (auto done = layout.put(member.value, variable.type, place.base + variable.offset / place.packed, memory.bytes); !done)
      return within(std::move(done));
    const auto to = descriptor(binding, resources_.heap);
    if (!to) return to.error();
    (*to)->bytes = memory.bytes;
    return {};
  };
  for (const Value::Member& member : *constants.as_map()) {
    Result<void> done;
    const bool is_found =
        find_constant(member.key, [&](std::size_t row, const ConstantPlace& place, const Buffer& buffer, const Variable& variable) {
          const TypeLayout& layout =
              layouts.try_emplace(place.stride, *options_.reflection, Packing::registers, place.stride).first->second;
          done = set(member, row, place, buffer, variable, layout);
          return true;
        });
    if (!done) return done;
    if (is_found) continue;
    if (const auto own = register_named(options_, member.key)) {
      for (std::size_t row = 0; row < module_.resources.size(); ++row) {
        const auto place = constants_in(module_.resources[row], nullptr, *own->buffer, *own->reflection);
        if (!place) continue;
        done = set(member, row, *place, *own->buffer, *own->variable, TypeLayout(*own->reflection, Packing::registers, place->stride));
        if (!done) return done;
      }
      continue;
    }
    Nearest nearest(member.key);
    for (std::size_t b = 0; options_.reflection != nullptr && b < options_.reflection->buffers.size(); ++b) {
      for (const Variable& variable : options_.reflection->buffers[b].variables) nearest.consider(variable.name);
    }
    return Error{ErrorCode::missing, member.key_offset, "constants/" + member.key,
                 "no constant buffer has a variable of this name" + nearest.question()};
  }
  return {};
}

Result<void> Bindings::bind_initials() {
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    if (resource.initial.empty() || !resources_.rows[row].empty()) continue;
    const Binding binding{row, 0};
    Memory& memory = memory_of(binding, key_of(resource, 0));
    if (auto done = resize(memory.bytes, std::max<std::size_t>(resource.bytes, resource.initial.size())); !done) return done;
    std::ranges::copy(resource.initial, memory.bytes.begin());
    const auto to = descriptor(binding, resources_.heap);
    if (!to) return to.error();
    (*to)->bytes = memory.bytes;
  }
  return {};
}

// --- resources that the case does not give
// ------------------------------------------------------------------------------------------------

namespace {

// What the type cannot hold begins again at 0.
void store_number(const TypeLayout::Component& component, std::uint64_t number) {
  const ir::Type type = component.scalar.type;
  // f16 holds all whole numbers of 11 bits
  const unsigned width = type == ir::Type::f16 ? 11 : ir::is_float(type) ? 64 : ir::bit_width(type);
  const auto bits = bits_of(Value::integer(number & ~std::uint64_t{0} >> (64 - width)), type, "");
  if (bits) store(component.scalar, *bits, component.memory);
}

// Of as many components as loads give.
vm::Format format_of(const ir::Resource& resource, const Resource* row) {
  constexpr std::string_view kFloats[] = {"R32_FLOAT", "R32G32_FLOAT", "R32G32B32_FLOAT", "R32G32B32A32_FLOAT"};
  constexpr std::string_view kUnsigned[] = {"R32_UINT", "R32G32_UINT", "R32G32B32_UINT", "R32G32B32A32_UINT"};
  constexpr std::string_view kSigned[] = {"R32_SINT", "R32G32_SINT", "R32G32B32_SINT", "R32G32B32A32_SINT"};
  const std::size_t components = row == nullptr || row->components == 0 ? 4 : std::min(row->components, 4U);
  const auto& names = resource.return_type == dxcontainer::ReturnType::uint   ? kUnsigned
                      : resource.return_type == dxcontainer::ReturnType::sint ? kSigned
                                                                              : kFloats;
  return *vm::find_format(names[components - 1]);
}

}  // namespace

void Bindings::make_up_constants(const ir::Resource& resource, std::span<std::byte> memory) const {
  if (options_.reflection == nullptr) return;
  const Resource* const row = row_of(resource);
  for (const Buffer& buffer : options_.reflection->buffers) {
    const auto place = constants_in(resource, row, buffer, *options_.reflection);
    if (!place || place->base != 0) continue;
    const TypeLayout layout(*options_.reflection, Packing::registers, place->stride);
    for (const Variable& variable : buffer.variables) {
      layout.each(variable.type, variable.offset, memory, [](const TypeLayout::Component& one) {
        const bool is_matrix = one.type.type_class == TypeClass::matrix_rows || one.type.type_class == TypeClass::matrix_columns;
        if (is_matrix && one.row == one.column) store_number(one, 1);
      });
      if (variable.offset <= memory.size() && variable.default_value.size() <= memory.size() - variable.offset)
        std::ranges::copy(variable.default_value, memory.begin() + variable.offset);
    }
  }
}

// As numbers of the type that loads give.
void Bindings::count_up(const ir::Resource& resource, const Resource* row, const vm::Format& format, std::span<std::byte> memory) const {
  std::uint64_t next = 0;
  if (resource.stride != 0 && row != nullptr && row->buffer < options_.reflection->buffers.size()) {
    const TypeLayout layout(*options_.reflection, Packing::tight);
    for (std::size_t at = 0; at + resource.stride <= memory.size(); at += resource.stride) {
      for (const Variable& variable : options_.reflection->buffers[row->buffer].variables) {
        layout.each(variable.type, variable.offset, memory.subspan(at, resource.stride),
                    [&](const TypeLayout::Component& one) { store_number(one, next++); });
      }
    }
  }
  if (next != 0) return;
  for (std::uint32_t k = 0; k < memory.size() / 4; ++k) {
    const std::uint32_t bits = format.is_integer() ? k : std::bit_cast<std::uint32_t>(static_cast<float>(k));
    std::memcpy(memory.data() + std::size_t{k} * 4, &bits, 4);
  }
}

Result<void> Bindings::make_up() {
  constexpr std::uint32_t kElements = 64;
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    const Binding binding{row, 0};
    if (resource.heap || resource.kind == ResourceKind::sampler || !resources_.rows[row].empty()) continue;
    vm::Descriptor made;
    Memory& memory = memory_of(binding, key_of(resource, 0));
    memory.writable = is_writable(resource.kind);
    if (letter_of(resource.kind) == 'b') {
      if (auto done = resize(memory.bytes, std::max<std::size_t>(resource.bytes != 0 ? resource.bytes : 4096, resource.initial.size()));
          !done)
        return done;
      make_up_constants(resource, memory.bytes);
      std::ranges::copy(resource.initial, memory.bytes.begin());
    } else {
      const Resource* const row_in_file = row_of(resource);
      made.format = format_of(resource, row_in_file);
      made.stride = resource.stride;
      const ir::TextureExtra shape(resource.dimension);
      if (resource.dimension != dxcontainer::ResourceDimension::buffer && resource.dimension != dxcontainer::ResourceDimension::unknown &&
          resource.dimension != dxcontainer::ResourceDimension::raw_buffer) {
        made.width = 8;
        made.height = shape.dimension_count() >= 2 ? 8 : 1;
        made.depth = resource.dimension == dxcontainer::ResourceDimension::texture3d ? 8 : 1;
        made.layers = dxcontainer::is_cube(resource.dimension) ? 6 : 1;
        const auto feedback = declared(resource).feedback;
        if (feedback) vm::make_feedback_map(made, *feedback, kFinestRegion);
        if (auto done = resize(memory.bytes, vm::texture_bytes(made)); !done) return done;
        if (feedback) std::ranges::fill(memory.bytes, vm::cleared_feedback(*feedback));
      } else {
        if (auto done = resize(memory.bytes, std::uint64_t{kElements} * (resource.stride != 0 ? resource.stride : 16)); !done) return done;
      }
      if (!memory.writable) count_up(resource, row_in_file, made.format, memory.bytes);
    }
    made.bytes = memory.bytes;
    made.counter = memory.writable ? &memory.counter : nullptr;
    const auto to = descriptor(binding, resources_.heap);
    if (!to) return to.error();
    **to = made;
  }
  return {};
}

}  // namespace unshade::shader::runner
