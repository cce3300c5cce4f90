// Which instructions declare what the application binds.
#pragma once

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc {

/// Whether an instruction declares a constant buffer, sampler, resource or UAV: operand 0 is its register.
constexpr bool declares_binding(Opcode opcode) {
  switch (opcode) {
    case Opcode::dcl_constantbuffer:
    case Opcode::dcl_sampler:
    case Opcode::dcl_resource:
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_typed:
    case Opcode::dcl_uav_raw:
    case Opcode::dcl_uav_structured: return true;
    default: return false;
  }
}

}  // namespace unshade::dxbc
