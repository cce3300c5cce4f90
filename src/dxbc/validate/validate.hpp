// What the checks of a DXBC container share.
#pragma once

#include <cstdint>
#include <string>

#include <unshade/core/findings.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/validate/check.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc::validate {

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
