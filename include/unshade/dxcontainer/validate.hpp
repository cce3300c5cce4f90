// Checks what every DXContainer has: header, part index, digest, signatures, feature flags.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include <unshade/dxcontainer/rules.def>
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks header, index, digest and the parts that this room reads. `file` begins like a container (is_container). The container, or
/// nothing if it could not be read.
std::optional<Container> check_container(View file, Findings& findings);

/// Notes that a part could not be read; for the rooms that read it.
void add_unreadable(const Error& error, Findings& findings);

/// `ISGN`, or the FourCC itself if it is unknown.
std::string part_label(const Part& part);

}  // namespace unshade::dxcontainer
