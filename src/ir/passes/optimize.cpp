#include <unshade/ir/passes.hpp>

#include <string>
#include <utility>

#include <unshade/ir/verify.hpp>

#include "core/validation_key.hpp"

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

std::vector<PassCount> optimize(Module& module, unsigned level) {
  std::vector<PassCount> counts;
  if (level == 0) {
    canonicalize(module);
    return counts;
  }
  for (const Pass& pass : kPasses) counts.push_back({pass.name, pass.run(module)});
  return counts;
}

Result<Validated<Module>> optimize_and_verify(Module module, unsigned level) {
  optimize(module, level);
  const auto findings = findings_of(module);
  if (findings.empty()) return Validated<Module>(ValidationKey(), std::move(module));
  const Diagnostic& first = findings.front();
  return Error{ErrorCode::bad_value, 0, first.path, "the module is not valid: " + std::string(first.rule->id) + ": " + first.message};
}

}  // namespace unshade::ir
