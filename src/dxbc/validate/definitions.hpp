// RDEF against the program that it describes.
#pragma once

#include <cstdint>

#include <unshade/core/findings.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc::validate {

/// Where a token of a program's part is in the file.
inline std::uint64_t offset_of(const dxcontainer::Part& part, std::uint32_t token) {
  return part.data.file_offset() + std::uint64_t{4} * token;
}

/// `program_part`, `program`, `facts`: null if there is no program, or it cannot be read.
void check_rdef(const dxcontainer::Part& part, const dxcontainer::Part* program_part, const Program* program,
                const program::ProgramFacts* facts, Findings& findings);

}  // namespace unshade::dxbc::validate
