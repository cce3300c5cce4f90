// Checks what every DXContainer has: header, part index, digest, signatures, feature flags.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/root_signature.hpp>

#include "core/findings.hpp"

namespace unshade::dxcontainer {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include "dxcontainer/rules.def"
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks header, index, digest and the parts that this room reads. `file` begins like a container (is_container). The container, or
/// nothing if it could not be read.
std::optional<Container> validate_container(View file, Findings& findings);

/// Checks a root signature by itself. Paths are those of its fields (`parameters[1]/ranges[0]/count`), without that of the part; there are
/// no offsets.
std::vector<Diagnostic> check_root_signature(const RootSignature& root);
/// The same for one that stands in a file: findings stand at the fields.
void validate_root_signature(const Part& part, const RootSignature& root, Findings& findings);

/// Notes that a part could not be read; for the rooms that read it.
void add_unreadable(const Error& error, Findings& findings);

/// `ISGN`, or the FourCC itself if it is unknown.
std::string part_label(const Part& part);

}  // namespace unshade::dxcontainer
