// Checks SPIR-V modules by rules of their own: what readers of any kind rely on. Types and the control flow are left to spirv-val.
#pragma once

#include <span>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/spirv/validate/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Adds what breaks the rules, in the order of the bytes. In proportion to the module.
void check_module(View bytes, Findings& findings);
void check_module(const Module& module, Findings& findings);
/// What the columns of effects.def forbid: a part of check_module().
void check_effects(const Module& module, const IdTable& ids, Findings& findings);

}  // namespace unshade::spirv
