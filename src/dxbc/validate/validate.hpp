// Checks the parts of a DXBC container against each other and each for itself: token program, signatures, resource definitions, statistics.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <unshade/core/diagnostic.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "core/findings.hpp"
#include "dxbc/program/facts.hpp"

namespace unshade::dxbc::validate {

namespace rules {
#define UNSHADE_RULE(name, id, severity, summary) inline constexpr Rule name{id, Severity::severity, summary};
#include "dxbc/validate/rules.def"
#undef UNSHADE_RULE
}  // namespace rules

/// The rules of this room, by id.
std::span<const Rule* const> validation_rules();

/// Checks everything that this room reads. Containers without a token program are checked as far as their parts go; the parts of a DXIL
/// container that share a FourCC with those of DXBC are left alone with `is_dxil`.
void check_parts(const dxcontainer::Container& container, bool is_dxil, Findings& findings);

/// For messages.
inline std::string number(std::uint64_t value) { return std::to_string(value); }

/// Checks the instructions of a level 9 program.
void check_level9(const dxcontainer::Part& part, const Level9& level9, Findings& findings);
/// Checks a program by itself. The facts are what collect_facts() gives.
program::ProgramFacts check_program(const dxcontainer::Part& part, const Program& program, Findings& findings);
/// Checks its declarations against the root signature in RTS0, which the container must have.
void check_root_bindings(const dxcontainer::Container& container, const dxcontainer::Part& program_part, const Program& program,
                         const program::ProgramFacts& facts, Findings& findings);

}  // namespace unshade::dxbc::validate
