// Checks SHBIN files: structure, and the hazards that hang or mislead the hardware.
#pragma once

#include <span>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/view.hpp>

namespace unshade::pica {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/pica/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// All findings of a file that begins with DVLB or DVOJ, in the order of their offsets.
std::vector<Diagnostic> check_file(View file);

}  // namespace unshade::pica
