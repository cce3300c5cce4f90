// Checks the parts of a DXIL container, each for itself and against each other, and the modules in them.
#pragma once

#include <span>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil::validate {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/dxil/validate/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks the parts of a DXIL container and its modules. `modules`: how bitcode becomes a module, by default parse_module().
void check_parts(const dxcontainer::Container& container, Findings& findings, const ModuleSource& modules = {});
/// Checks bitcode that is a file of its own: what LLVM asks of any module and, if it is one of DXIL, what DXIL asks.
void check_bitcode(View bitcode, Findings& findings, const ModuleSource& modules = {});

}  // namespace unshade::dxil::validate
