#include "write/places.hpp"

#include <algorithm>

#include <unshade/core/stage.hpp>

namespace unshade::write {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

namespace {

// Bindings of heaps in their set.
constexpr std::uint32_t kResourceHeap = 0, kSamplerHeap = 1, kCounterHeap = 2;

}  // namespace

bool is_uav(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::uav_typed:
    case ResourceKind::uav_structured:
    case ResourceKind::uav_byte_address:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume:
    case ResourceKind::uav_structured_with_counter:
    case ResourceKind::uav_feedback: return true;
    default: return false;
  }
}

char letter_of(ResourceKind kind) {
  return kind == ResourceKind::cbuffer ? 'b' : kind == ResourceKind::sampler ? 's' : is_uav(kind) ? 'u' : 't';
}

Places::Places(const ir::Module& module, const Binding& binding) : module_(module), binding_(binding) {
  std::uint32_t number = 0;
  for (const ir::Resource& resource : module.resources) {
    numbers_.push_back(number);
    if (resource.heap) continue;
    number += ir::has_counter(resource) ? 2 : 1;
    if (resource.space != kPushConstants) heap_set_ = std::max(heap_set_, resource.space + 1);
  }
  if (binding.model == BindingModel::vkd3d) heap_set_ = number == 0 ? 0 : 1;
  heap_set_ += binding.first_set;
  if (binding.heap_set) heap_set_ = *binding.heap_set;
}

// src: SDL 3, SDL_CreateGPUShader and SDL_CreateGPUComputePipeline
Place Places::of_sdl(const ir::Resource& resource) const {
  const char letter = letter_of(resource.kind);
  std::uint32_t set = 0;
  switch (module_.stage) {
    case Stage::vertex: set = letter == 'b' ? 1 : 0; break;
    case Stage::pixel: set = letter == 'b' ? 3 : 2; break;
    default: set = letter == 'b' ? 2 : letter == 'u' ? 1 : 0; break;
  }
  return {set, resource.first_register};
}

std::optional<std::string> Places::refused_by_sdl(const ir::Resource& resource) const {
  const auto lacks = [](const std::string& what) { return what + ", which SDL_GPU does not have"; };
  if (module_.stage != Stage::vertex && module_.stage != Stage::pixel && module_.stage != Stage::compute)
    return lacks("resources of " + std::string(id(module_.stage)) + " shaders");
  if (resource.heap) return lacks("resources of a descriptor heap");
  if (resource.count != 1) return lacks("arrays of resources");
  const bool is_typed = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
  if (resource.kind == ResourceKind::tbuffer || (is_typed && resource.dimension == ResourceDimension::buffer))
    return lacks("typed buffers");
  if (is_uav(resource.kind) && module_.stage != Stage::compute)
    return lacks("resources that " + std::string(id(module_.stage)) + " shaders write to");
  return std::nullopt;
}

Place Places::of(std::uint32_t resource) const {
  const ir::Resource& one = module_.resources[resource];
  if (one.in_set) return {one.space, one.first_register};
  if (one.heap) return {heap_set_, one.kind == ResourceKind::sampler ? kSamplerHeap : kResourceHeap};
  switch (binding_.model) {
    case BindingModel::sdl_gpu: return of_sdl(one);
    case BindingModel::vkd3d: return {binding_.first_set, numbers_[resource]};
    case BindingModel::registers: break;
  }
  const std::uint32_t set = binding_.first_set + one.space;
  switch (letter_of(one.kind)) {
    case 'b': return {set, one.first_register + binding_.cbuffer_shift};
    case 's': return {set, one.first_register + binding_.sampler_shift};
    case 'u': return {set, one.first_register + binding_.uav_shift};
    default: return {set, one.first_register + binding_.texture_shift};
  }
}

Place Places::of_counter(std::uint32_t resource) {
  const ir::Resource& one = module_.resources[resource];
  const Place buffer = of(resource);
  if (one.heap) return {buffer.set, kCounterHeap};
  if (binding_.model == BindingModel::vkd3d && !one.in_set) return {buffer.set, buffer.binding + 1};
  const auto found = counters_.find(resource);
  if (found != counters_.end()) return found->second;
  // the first binding behind those of the set
  std::uint32_t& next = next_[buffer.set];
  if (next == 0) {
    for (std::uint32_t other = 0; other < module_.resources.size(); ++other) {
      const Place place = of(other);
      if (place.set == buffer.set) next = std::max(next, place.binding + std::max(1U, module_.resources[other].count));
    }
  }
  return counters_.emplace(resource, Place{buffer.set, next++}).first->second;
}

// Of the source's own two that have one place there, and a texture with the sampler that is combined with it.
bool Places::shares(std::uint32_t one, std::uint32_t other) const {
  const ir::Resource& a = module_.resources[one];
  const ir::Resource& b = module_.resources[other];
  const char first = letter_of(a.kind), second = letter_of(b.kind);
  if ((a.in_set && b.in_set) || (a.heap && b.heap)) return true;
  if (first == second && a.space == b.space && a.first_register == b.first_register && !a.heap && !b.heap) return true;
  const bool is_pair = (first == 't' && second == 's') || (first == 's' && second == 't');
  const ir::Resource& texture = first == 't' ? a : b;
  return is_pair && texture.kind == ResourceKind::texture && texture.dimension != ResourceDimension::buffer;
}

std::optional<Error> Places::take(std::uint32_t resource, std::string_view name) {
  const ir::Resource& one = module_.resources[resource];
  if (binding_.model == BindingModel::sdl_gpu && !one.in_set)
    if (auto refused = refused_by_sdl(one)) return Error{ErrorCode::unsupported, 0, "", *std::move(refused)};
  const Place place = of(resource);
  auto& there = taken_[place];
  for (const auto& [other, called] : there) {
    if (other == resource || shares(resource, other)) continue;
    if (binding_.kinds_overlap && letter_of(one.kind) != letter_of(module_.resources[other].kind)) continue;
    return Error{ErrorCode::bad_value, 0, "",
                 "`" + called + "` and `" + std::string(name) + "` are both at set " + std::to_string(place.set) + ", binding " +
                     std::to_string(place.binding)};
  }
  there.emplace_back(resource, name);
  return std::nullopt;
}

}  // namespace unshade::write
