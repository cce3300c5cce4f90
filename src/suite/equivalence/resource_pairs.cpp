// Resources of two shaders, matched with each other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unshade/core/text/identifiers.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/run.hpp>

#include "suite/equivalence/sides.hpp"

namespace unshade::suite::equivalence {
namespace {

using run::key_of;

std::string shown(const ir::Resource& resource) {
  std::string made = key_of(resource, 0);
  if (!resource.name.empty() && resource.name != made) made += ' ' + resource.name;
  return made;
}

// Whether a resource of Vulkan is bound in the same place, which several may be: a texture and its sampler, or Aliased blocks.
bool is_same_binding(const ir::Resource& a, const ir::Resource& b) {
  const auto group = [](const ir::Resource& one) {
    const char letter = run::letter_of(one.kind);
    return letter == 'u' ? 't' : letter;  // whether a buffer is written may be left open
  };
  return group(a) == group(b) && a.space == b.space && a.first_register == b.first_register;
}

/// Bytes from an element to the next of the array that a storage buffer of SPIR-V ends with; 0 if it has none, or no one says.
std::uint32_t stride_of_storage(const Side& side, const ir::Resource& resource) {
  const shader::Reflection* const reflection = side.subject.shader.reflection();
  const shader::Resource* const row = reflection == nullptr ? nullptr : run::row_of(resource, *reflection);
  if (row == nullptr || row->buffer >= reflection->buffers.size() || reflection->buffers[row->buffer].variables.empty()) return 0;
  const std::uint32_t number = reflection->buffers[row->buffer].variables.back().type;
  if (number >= reflection->types.size()) return 0;
  const shader::Type& type = reflection->types[number];
  if (type.dimensions.size() < 2) return type.array_stride;
  if (!type.outer_strides.empty()) return type.outer_strides.front();
  return std::accumulate(type.dimensions.begin() + 1, type.dimensions.end(), type.array_stride, std::multiplies<>());
}

/// Whether both are buffers of bytes, or one is a storage buffer of elements as the other, a structured buffer, has them.
bool are_same_bytes(const Side& a, const ir::Resource& of_a, const Side& b, const ir::Resource& of_b) {
  if (run::is_raw(of_a) && run::is_raw(of_b)) return true;
  if (run::is_raw(of_a)) return of_b.stride != 0 && stride_of_storage(a, of_a) == of_b.stride;
  return run::is_raw(of_b) && of_a.stride != 0 && stride_of_storage(b, of_b) == of_a.stride;
}

/// Ways in which resources are matched where names are an interface. Each is tried for all before the next.
enum class By : std::uint8_t { name, identifier, name_of_register, place };

/// Whether the file of one, which has no name, calls the other by its register: `t0`, `u1,space2`.
bool is_called_by_register(const ir::Resource& one, const ir::Resource& other) {
  return one.name.empty() && !other.name.empty() && run::element_by_key(one, run::Spoken(other.name)) == 0U;
}

/// Whether source code says the name of one, which is no identifier (`$Globals`), as the other is called.
bool is_written_as(const ir::Resource& one, const ir::Resource& other) {
  return std::ranges::any_of(std::array{ShadingLanguage::hlsl, ShadingLanguage::glsl}, [&](ShadingLanguage language) {
    return !may_be_identifier(language, one.name) && identifier_like(language, one.name) == other.name;
  });
}

/// What was added to the register of a resource to make its binding.
std::uint32_t shift_of(const ir::Resource& resource, const std::optional<SourceBindings>& source) {
  if (!source) return 0;
  switch (run::letter_of(resource.kind)) {
    case 'b': return source->constants;
    case 's': return source->samplers;
    case 'u': return source->uavs;
    default: return source->textures;
  }
}

bool is_same(By by, const ir::Resource& a, const ir::Resource& b, const std::optional<SourceBindings>& source) {
  if (run::letter_of(a.kind) != run::letter_of(b.kind)) return false;
  switch (by) {
    case By::name: return !a.name.empty() && a.name == b.name;
    case By::identifier: return !a.name.empty() && !b.name.empty() && (is_written_as(a, b) || is_written_as(b, a));
    case By::name_of_register: return is_called_by_register(a, b) || is_called_by_register(b, a);
    case By::place: break;
  }
  return a.space == b.space && a.first_register + shift_of(a, source) == b.first_register;
}

/// The same of Vulkan: of several at one binding, first those of one shape, since names are debug information.
bool is_same_in_vulkan(By by, const ir::Resource& a, const ir::Resource& b) {
  const bool is_same_shape = a.kind == b.kind && a.dimension == b.dimension;
  return is_same_binding(a, b) && (by == By::place || is_same_shape);
}

/// The buffer of Vulkan that counts for another, as compilers of HLSL call it: glslang, then DXC.
const ir::Resource* counter_of(const Side& side, const ir::Resource& resource) {
  if (!is_of_vulkan(side) || resource.name.empty()) return nullptr;
  for (const ir::Resource& one : side.subject.shader.module().resources)
    if (!one.heap && (one.name == resource.name + "@count" || one.name == "counter.var." + resource.name)) return &one;
  return nullptr;
}

/// The same of a buffer of Direct3D with which the other shader does nothing else, so that its own compiler dropped it.
const ir::Resource* counter_of_dropped(const Side& side, const ir::Resource& resource) {
  ir::Resource called = resource;
  if (called.name.empty())
    called.name = 'u' + std::to_string(resource.first_register) + (resource.space == 0 ? "" : "_space" + std::to_string(resource.space));
  return counter_of(side, called);
}

/// Whether constants of a buffer cannot be given by the names of variables: the shaders have none in common.
bool has_no_common_names(const Side& a, const ir::Resource& of_a, const Side& b, const ir::Resource& of_b) {
  if (run::letter_of(of_a.kind) != 'b') return false;
  const auto names = [](const Side& side, const ir::Resource& resource) {
    std::set<std::string_view> made;
    const shader::Reflection* const reflection = side.subject.shader.reflection();
    if (reflection == nullptr || reflection->rebuilt) return made;
    for (const shader::Buffer& buffer : reflection->buffers)
      if (run::constants_in(resource, run::row_of(resource, *reflection), buffer, *reflection))
        for (const shader::Variable& variable : buffer.variables) made.insert(variable.name);
    return made;
  };
  const std::set<std::string_view> first = names(a, of_a), second = names(b, of_b);
  return std::ranges::none_of(first, [&](std::string_view name) { return second.contains(name); });
}

/// The resources of a shader that have a partner, or need none.
class Partners {
 public:
  explicit Partners(const Side& side) : side_(side), all_(side.subject.shader.module().resources), known_(all_.size()) {}
  void know(const ir::Resource& one) { known_[number(one)] = true; }
  bool is_known(const ir::Resource& one) const { return known_[number(one)]; }
  bool is_used(const ir::Resource& one) const {
    return !one.heap && side_.mentioned.resources.contains(static_cast<std::uint32_t>(number(one)));
  }
  /// What the code uses and is not known. In Vulkan several variables may be of one resource.
  std::vector<const ir::Resource*> unknown() const {
    std::vector<const ir::Resource*> made;
    for (const ir::Resource& one : all_) {
      const bool is_alias = std::ranges::any_of(all_, [&](const ir::Resource& other) {
        return is_known(other) && other.in_set && !other.heap && run::place_of(other, 0) == run::place_of(one, 0);
      });
      // constants that a program for the PICA200 defines may be part of the other's code
      if (!is_known(one) && !is_alias && one.initial.empty() && is_used(one)) made.push_back(&one);
    }
    return made;
  }

 private:
  std::size_t number(const ir::Resource& one) const { return static_cast<std::size_t>(&one - all_.data()); }

  const Side& side_;
  const std::vector<ir::Resource>& all_;
  std::vector<bool> known_;
};

}  // namespace

void pair_resources(const Side& a, const Side& b, Pairing& pairing) {
  const auto& of_a = a.subject.shader.module().resources;
  const auto& of_b = b.subject.shader.module().resources;
  Partners known_to_a(a), known_to_b(b);
  std::vector<const ir::Resource*> partner(of_a.size(), nullptr);
  for (const By by : {By::name, By::identifier, By::name_of_register, By::place}) {
    for (std::size_t at = 0; at < of_a.size(); ++at) {
      if (partner[at] != nullptr || of_a[at].heap) continue;
      const auto other = std::ranges::find_if(of_b, [&](const ir::Resource& one) {
        if (known_to_b.is_known(one) || one.heap) return false;
        return pairing.is_vulkan ? is_same_in_vulkan(by, of_a[at], one) : is_same(by, of_a[at], one, pairing.source);
      });
      if (other == of_b.end()) continue;
      partner[at] = &*other;
      known_to_a.know(of_a[at]);
      known_to_b.know(*other);
    }
  }
  for (std::size_t at = 0; at < of_a.size(); ++at) {
    if (partner[at] == nullptr) continue;
    const ir::Resource& own = of_a[at];
    const ir::Resource& other = *partner[at];
    if (known_to_a.is_used(own) && known_to_b.is_used(other) && (own.dimension != other.dimension || own.stride != other.stride) &&
        !are_same_bytes(a, own, b, other)) {
      const auto shape = [](const ir::Resource& of) {
        return std::string(id(run::is_raw(of) ? dxcontainer::ResourceDimension::raw_buffer : of.dimension)) +
               (of.stride == 0 ? "" : " with a stride of " + std::to_string(of.stride));
      };
      if (shape(own) != shape(other)) {
        pairing.mismatches.push_back(differ(a, b, "resource `" + shown(own) + '`', shape(own), shape(other)));
        continue;
      }
    }
    ResourcePair pair{&own, &other};
    // two programs of the PICA200 define constants of their own
    pair.by_bytes = !pairing.is_vulkan && (own.initial.empty() || other.initial.empty()) &&
                    ((pairing.source && !own.initial.empty()) || has_no_common_names(a, own, b, other));
    // Direct3D counts beside the buffer, Vulkan in another
    for (const auto& [side, known, resource, others, code] :
         {std::tuple(&a, &known_to_a, &own, &other, &b.mentioned), std::tuple(&b, &known_to_b, &other, &own, &a.mentioned)}) {
      const ir::Resource* const counter = counter_of(*side, *resource);
      if (counter == nullptr || known->is_known(*counter)) continue;
      known->know(*counter);
      const auto& rows = (code == &a.mentioned ? a : b).subject.shader.module().resources;
      pair.has_counter = code->counters.contains(static_cast<std::uint32_t>(others - rows.data()));
    }
    pairing.resources.push_back(pair);
  }
  for (std::size_t at = 0; at < of_a.size(); ++at) {
    const auto number = static_cast<std::uint32_t>(at);
    if (partner[at] != nullptr || is_of_vulkan(a) || !a.mentioned.counters.contains(number) || a.mentioned.accessed.contains(number))
      continue;
    const ir::Resource* const counter = counter_of_dropped(b, of_a[at]);
    if (counter == nullptr || known_to_b.is_known(*counter)) continue;
    known_to_a.know(of_a[at]);
    known_to_b.know(*counter);
    ResourcePair pair{&of_a[at], counter};
    pair.has_counter = pair.counts = true;
    pairing.resources.push_back(pair);
  }
  for (const ir::Resource* const one : known_to_a.unknown()) pairing.mismatches.push_back(has_alone(a, b, "resource", shown(*one)));
  for (const ir::Resource* const one : known_to_b.unknown()) pairing.mismatches.push_back(has_alone(b, a, "resource", shown(*one)));
}

}  // namespace unshade::suite::equivalence
