// Checks VBC files: their tables, and the tables against the SPIR-V.
#pragma once

#include <span>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/view.hpp>

namespace unshade::vbc {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/vbc/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// All findings of a file that begins with VBC, in no order. In proportion to the file.
std::vector<Diagnostic> check_file(View file);

}  // namespace unshade::vbc
