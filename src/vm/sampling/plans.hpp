// Textures with their samplers as wide.hpp reads them, made once for each operation that samples.
#pragma once

#include <optional>
#include <vector>

#include <unshade/vm/resources.hpp>

#include "vm/sampling/wide.hpp"

namespace unshade::vm::sampling {

/// Nothing if the texture or the sampler has what the wide way leaves to sample(): other dimensions than two, integers, anisotropy, minimum
/// and maximum, several samples, texels without memory.
std::optional<WidePlan> plan_of(const texel::Descriptor& texture, const texel::Sampler& sampler);

/// Plans of the operations of a program, as long as its descriptors do not change.
class Plans {
 public:
  explicit Plans(std::size_t operations) : known_(operations) {}
  /// Null if there is none.
  const WidePlan* find(std::size_t operation, const texel::Descriptor& texture, const texel::Sampler& sampler) {
    Known& known = known_[operation];
    if (known.texture != &texture || known.sampler != &sampler) known = {&texture, &sampler, plan_of(texture, sampler)};
    return known.plan ? &*known.plan : nullptr;
  }

 private:
  struct Known {
    const texel::Descriptor* texture = nullptr;
    const texel::Sampler* sampler = nullptr;
    std::optional<WidePlan> plan;
  };
  std::vector<Known> known_;
};

}  // namespace unshade::vm::sampling
