// Checks root signatures.
#pragma once

#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/findings.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/root_signature.hpp>

namespace unshade::dxcontainer::root_signature {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include "dxcontainer/root_signature/rules.def"
#undef UNSHADE_RULE
}  // namespace rules

/// Checks a root signature by itself. Paths are those of its fields (`parameters[1]/ranges[0]/count`), without that of the part; there are
/// no offsets.
std::vector<Diagnostic> check(const RootSignature& root);
/// The same for one in a file: findings have the offsets of the fields.
void validate(const Part& part, const RootSignature& root, Findings& findings);

}  // namespace unshade::dxcontainer::root_signature
