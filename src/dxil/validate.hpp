// Checks the parts of a DXIL container, each for itself and against each other, without looking into the bitcode.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <unshade/core/diagnostic.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/psv.hpp>

#include "core/findings.hpp"

namespace unshade::dxil {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include "dxil/rules.def"
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks everything but bitcode. The container is DXIL.
void validate_parts(const dxcontainer::Container& container, Findings& findings);

// What validate_parts() is made of.
void validate_psv(const dxcontainer::Container& container, const dxcontainer::Part& part, ShaderKind kind, Findings& findings);
void validate_root_bindings(const dxcontainer::Part& root_part, const dxcontainer::Part& psv_part, const Psv& psv, ShaderKind kind,
                            Findings& findings);
void validate_rdat(const dxcontainer::Part& part, Findings& findings);

/// Where in the file the resources of PSV0 begin, `index` of them in.
std::uint64_t psv_resource_offset(const dxcontainer::Part& part, const Psv& psv, std::size_t index);

}  // namespace unshade::dxil
