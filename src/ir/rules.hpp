// The rules of rules.def by name.
#pragma once

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>

namespace unshade::ir::rules {

#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include "ir/rules.def"
#undef UNSHADE_RULE

}  // namespace unshade::ir::rules

namespace unshade::ir {

/// The error for a module with a finding.
Error not_valid(const Diagnostic& finding);

}  // namespace unshade::ir
