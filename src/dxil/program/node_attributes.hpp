// The runtime data of a node and of its inputs and outputs, as lists of attributes. src: DXC RDAT_LibraryTypes.inl;
// DxilContainerAssembler.cpp, AddShaderNodeInfo, AddIONodes
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <unshade/dxil/entry_properties.hpp>

#include "dxil/program/nodes.hpp"

namespace unshade::dxil::program {

/// One of the three has the value, by the kind.
struct NodeAttribute {
  std::uint32_t kind = 0;  ///< a NodeFunctionAttribute or NodeIoAttribute
  std::uint32_t value = 0;
  NodeName name{};
  std::array<std::uint32_t, 3> three{};
};

/// In dxc's order.
std::vector<NodeAttribute> attributes_of(const NodeProperties& node, const EntryProperties& properties);
std::vector<NodeAttribute> attributes_of(const NodeIoProperties& io);

}  // namespace unshade::dxil::program
