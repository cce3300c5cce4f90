// The sections of a module, in which its instructions stand outside of functions.
#pragma once

#include <cstdint>

#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// The sections of a module, in their order. src: SPIR-V specification, "Logical Layout of a Module"
enum class Section : std::uint8_t {
  any,  ///< no place of its own
  capabilities,
  extensions,
  imports,
  memory_model,
  entry_points,
  execution_modes,
  sources,
  names,
  processes,
  annotations,
  definitions,  ///< types, constants, global variables
  functions,
};

/// Where an instruction outside of functions stands.
Section section_of(const OpcodeInfo& info);

/// Whether what belongs into a section has to precede this instruction at the latest.
bool is_behind(const Instruction& instruction, Section section);

}  // namespace unshade::spirv
