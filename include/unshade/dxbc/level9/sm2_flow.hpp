// How instructions of Direct3D 9 divide a program into blocks.
#pragma once

#include <unshade/dxbc/program/flow.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc::sm2 {

program::Flow flow_of(const OpcodeInfo& row);

}  // namespace unshade::dxbc::sm2
