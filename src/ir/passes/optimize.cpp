#include <unshade/ir/passes.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <unshade/ir/verify.hpp>

#include "ir/validation_key.hpp"

namespace unshade::ir {
namespace {

constexpr Pass kPasses[] = {
    {"promote_variables", passes::promote_variables},
    {"fold_constants", passes::fold_constants},
    {"simplify_flow", passes::simplify_flow},
    {"retype_phis", passes::retype_phis},
    {"fold_constants", passes::fold_constants},
    {"common_values", passes::common_values},
    {"remove_dead", passes::remove_dead},
    {"hoist_uniform", passes::hoist_uniform},
    {"canonical_loops", passes::canonical_loops},
};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

Validated<Module> optimize(Validated<Module> module, unsigned level) {
  const ValidationKey<Module> key;
  Module made = std::move(module).take(key);
  if (level == 0) {
    canonicalize(made);
  } else {
    for (const Pass& pass : kPasses) pass.run(made);
  }
  assert(findings_of(made).empty());  // a pass broke it
  return {key, std::move(made)};
}

Validated<Module> name_resources(Validated<Module> module, std::span<const std::string> names) {
  const ValidationKey<Module> key;
  Module made = std::move(module).take(key);
  for (std::size_t row = 0; row < std::min(names.size(), made.resources.size()); ++row)
    if (made.resources[row].name.empty()) made.resources[row].name = names[row];
  return {key, std::move(made)};  // no rule is about names
}

}  // namespace unshade::ir
