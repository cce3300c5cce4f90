#include "suite/equivalence/samplers.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <unshade/run/places.hpp>

namespace unshade::suite::equivalence {

const dxcontainer::StaticSampler* static_sampler(const dxcontainer::RootSignature* root, const ir::Resource& resource,
                                                 std::uint32_t index) {
  if (root == nullptr || resource.in_set) return nullptr;
  const run::Place place = run::place_of(resource, index);
  const auto found = std::ranges::find_if(root->static_samplers, [&](const dxcontainer::StaticSampler& one) {
    return one.space == place.space && one.shader_register == place.number;
  });
  return found == root->static_samplers.end() ? nullptr : &*found;
}

Value any_sampler(bool compares, Numbers& numbers) {
  constexpr std::string_view kFilters[] = {"linear", "point"};
  constexpr std::string_view kAddresses[] = {"clamp", "wrap", "mirror", "border"};
  constexpr std::string_view kComparisons[] = {"less_equal", "greater", "less", "greater_equal"};
  const auto one_of = [&](std::span<const std::string_view> words) {
    return Value::text(words[numbers.below(static_cast<std::uint32_t>(words.size()))]);
  };
  Value made = Value::map();
  made.add("filter", one_of(kFilters));
  made.add("address", one_of(kAddresses));
  if (compares) made.add("comparison", one_of(kComparisons));
  return made;
}

}  // namespace unshade::suite::equivalence
