// What the columns `traits`, `lanes` and `access` of opcodes.def say about the operands of an instruction.
#pragma once

#include <cstdint>
#include <string>

#include <unshade/core/lanes.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>

namespace unshade::dxbc::program {

/// The D3D10_SB_RESOURCE_DIMENSION of a declared resource, UAV or group memory, raw and structured buffers among them; 0 of constant
/// buffers and samplers.
std::uint32_t dimension_number(const DeclaredBinding& declared);
/// That of group memory by its stride; 0: raw.
constexpr std::uint32_t memory_dimension(std::uint32_t stride) { return stride == 0 ? 11 : 12; }

/// What keeps an instruction from accessing a resource.
enum class AccessFault : std::uint8_t {
  none,
  layout,     ///< typed, raw and structured
  dimension,  ///< of a typed resource
};
/// `number`: dimension_number() of what is accessed; 0 if that is not known, where nothing is wrong.
AccessFault access_fault(const OpcodeInfo& info, std::uint32_t number);
/// `is a texture2dms, expected buffer, texture1d or texture2d`
std::string access_text(const OpcodeInfo& info, std::uint32_t number);
/// What is wrong with the dimension, stride and return types that an instruction states beside what is declared; empty: nothing.
std::string stated_fault(const Instruction& instruction, const DeclaredBinding& declared);
/// What is wrong with the texel offsets of an instruction; empty: nothing. `number` as in access_fault().
std::string offsets_fault(const Instruction& instruction, std::uint32_t number);

/// What an operand may not do with its components.
enum class LaneFault : std::uint8_t {
  none,
  mask,        ///< of a destination
  scalar,      ///< must name one component
  unselected,  ///< must select one
  pairs,       ///< must name the halves of doubles
};
LaneFault lane_fault(const Instruction& instruction, unsigned slot);
/// What the instruction expects instead: `one component`.
std::string_view lane_text(const Instruction& instruction, unsigned slot);

/// The modifiers that an operand may have: bits of Modifier.
Modifier modifiers_of(const OpcodeInfo& info, unsigned slot);

/// The components of its register that a source reads. `number`: dimension_number() of what the instruction accesses; 0 if that is not
/// known: then addresses read nothing.
WriteMask lanes_read(const Instruction& instruction, unsigned slot, std::uint32_t number);

}  // namespace unshade::dxbc::program
