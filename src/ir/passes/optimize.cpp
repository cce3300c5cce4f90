#include <unshade/ir/passes.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/ir/verify.hpp>

#include "ir/rules.hpp"
#include "ir/validation_key.hpp"

namespace unshade::ir {
namespace {

template <auto Run>
Result<std::size_t> run(Module& module) {
  return Run(module);
}

constexpr Pass kPasses[] = {
#define UNSHADE_PASS(name, needs, summary) {#name, Pass::Needs::needs, summary, run<passes::name>},
#include <unshade/ir/passes.def>
#undef UNSHADE_PASS
};

consteval const Pass* row(std::string_view name) {
  for (const Pass& pass : kPasses)
    if (pass.name == name) return &pass;
  return nullptr;
}

constexpr const Pass* kOptimizing[] = {
    row("promote_variables"), row("fold_constants"), row("simplify_flow"), row("retype_phis"),     row("fold_constants"),
    row("common_values"),     row("remove_dead"),    row("hoist_uniform"), row("canonical_loops"),
};
static_assert(std::ranges::find(kOptimizing, nullptr) == std::end(kOptimizing));

/// Times that level 2 unrolls loops: those around what became copies before.
constexpr unsigned kMostUnrolled = 3;

/// What canonical form mends.
constexpr const Rule* kCanonicalRules[] = {&rules::kBlockOrder, &rules::kExitPhi, &rules::kLatch, &rules::kLoopRange, &rules::kReachable};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }
std::span<const Pass* const> optimizing_passes() { return kOptimizing; }

std::optional<Error> unfit_for(const Pass& pass, const Module& module) {
  for (const Diagnostic& finding : findings_of(module)) {
    const bool mends =
        pass.needs == Pass::Needs::uncanonical && std::ranges::find(kCanonicalRules, finding.rule) != std::end(kCanonicalRules);
    if (!mends) return not_valid(finding);
  }
  return std::nullopt;
}

Validated<Module> optimize(Validated<Module> module, unsigned level) {
  const ValidationKey<Module> key;
  Module made = std::move(module).take(key);
  if (level == 0) {
    canonicalize(made);
  } else {
    const auto run_all = [&] {
      for (const Pass* pass : kOptimizing) (void)pass->run(made);  // none of these fails
    };
    run_all();
    // a loop whose rounds are known may make known those of the one around it
    for (unsigned depth = 0; level >= 2 && depth < kMostUnrolled && passes::unroll_loops(made) != 0; ++depth) run_all();
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
