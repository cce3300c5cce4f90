// Counters of structured buffers, and what else belongs to resources of one kind alone.
#include <cstring>
#include <string>
#include <utility>

#include "shader/run/bindings.hpp"

namespace unshade::shader::runner {

using dxcontainer::ResourceDimension;

namespace {

// What compilers of HLSL call the buffer that counts for another: glslang, then DXC.
// src: glslang:glslang/HLSL/hlslParseHelper.cpp, getStructBufferCounter(); DXC docs/SPIR-V.rst, "Append/Consume Structured Buffers"
std::optional<std::size_t> row_of_counter(const ir::Module& module, const ir::Resource& resource) {
  if (resource.name.empty()) return std::nullopt;
  for (const std::string& name : {resource.name + "@count", "counter.var." + resource.name}) {
    for (std::size_t row = 0; row < module.resources.size(); ++row)
      if (module.resources[row].name == name) return row;
  }
  return std::nullopt;
}

}  // namespace

Result<void> Bindings::give_counter(const Value& given, const ir::Resource& resource, Memory& memory) {
  const Value& place = *given.find("counter");
  if (!resource.in_set) {
    if (resource.stride != 0) return {};
    return fault(place, "counter", "only structured buffers have counters");
  }
  const auto row = row_of_counter(module_, resource);
  if (!row) return fault(place, "counter", "no buffer of the shader counts for this one: in Vulkan, a counter is a resource of its own");
  const Binding binding{static_cast<std::uint32_t>(*row), 0};
  for (const Memory& other : memories_) {
    if (other.counter_at && place_of(*other.counter_at) == place_of(binding) && other.counter != memory.counter)
      return fault(place, "counter", "it is bound where the counter of `" + other.key + "` is, and has another number");
  }
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
  const auto refused = [&](std::string_view field, std::string_view who) {
    const Value* const value = given.find(field);
    const Integer* const number = value == nullptr ? nullptr : value->as_integer();
    const bool* const truth = value == nullptr ? nullptr : value->as_boolean();
    const bool says = (number != nullptr && number->magnitude > 1) || (truth != nullptr && *truth);
    return says ? std::optional(fault(*value, std::string(field), "only " + std::string(who))) : std::nullopt;
  };
  const bool is_buffer =
      resource.stride != 0 || resource.dimension == ResourceDimension::buffer || resource.dimension == ResourceDimension::raw_buffer;
  const bool is_texture = !is_buffer && resource.dimension != ResourceDimension::unknown;
  std::optional<Error> error;
  if (is_buffer) {
    for (const std::string_view field : {"width", "height", "depth", "layers", "levels", "samples"})
      if (!error) error = refused(field, "textures have it, and this is a buffer");
  } else if (is_texture) {
    for (const std::string_view field : {"stride", "raw"})
      if (!error) error = refused(field, "buffers have it, and this is a texture");
    if (!error && resource.dimension != ResourceDimension::texture3d) error = refused("depth", "3D textures have it");
    if (!error && !dxcontainer::is_multisampled(resource.dimension)) error = refused("samples", "multisampled textures have it");
  }
  if (error) return std::move(*error);
  return {};
}

}  // namespace unshade::shader::runner
