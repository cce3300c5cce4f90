// Checks the parts of a DXBC container against each other and each for itself: token program, signatures, resource definitions, statistics.
#pragma once

#include <span>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc::validate {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/dxbc/validate/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks everything that this room reads. Containers without a token program are checked as far as their parts go; the parts of a DXIL
/// container that share a FourCC with those of DXBC are left alone with `is_dxil`.
void check_parts(const dxcontainer::Container& container, bool is_dxil, Findings& findings);

}  // namespace unshade::dxbc::validate
