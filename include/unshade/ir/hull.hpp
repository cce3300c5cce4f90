// What the functions of a hull shader compute.
#pragma once

#include <algorithm>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// Whether the last function of a hull shader computes patch constants alone. In SPIR-V one function gives control points and constants.
inline bool has_patch_constant_function(const Module& module) {
  if (module.stage != Stage::hull || module.functions.empty()) return false;
  const bool is_spirv = std::ranges::any_of(module.signatures.patch, [](const Element& one) { return !one.variable.empty(); });
  return module.functions.size() > 1 || (!is_spirv && module.functions.front().name == "patch_constant");
}

}  // namespace unshade::ir
