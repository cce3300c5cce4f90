// The properties of an entry point that is a node of a work graph.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/metadata.hpp>

namespace unshade::dxil::program {

/// Bits of NodeIoProperties::flags. src: DXC DxilConstants.h, NodeIOFlags
namespace node_io {
inline constexpr std::uint32_t kInput = 0x1, kOutput = 0x2, kEmpty = 0x8;
inline constexpr std::uint32_t kRecords = 0x60;  ///< what a record is of: 0x20 a thread, 0x40 a group, 0x60 a grid
inline constexpr std::uint32_t kOfThread = 0x20, kOfGroup = 0x40, kOfGrid = 0x60;
}  // namespace node_io

struct NodeName {
  std::string_view name;
  std::uint32_t index = 0;
  bool operator==(const NodeName&) const = default;
};

/// Where a record says how many groups to start.
struct NodeGrid {
  std::uint32_t offset = 0;  ///< in bytes
  std::uint32_t component_type = 0;
  std::uint32_t components = 0;
};

struct NodeIoProperties {
  std::uint32_t flags = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t record_alignment = 0;
  std::optional<NodeGrid> grid;
  std::uint32_t max_records = 0;
  std::optional<std::uint32_t> shares_records_with;  ///< number of the output
  std::uint32_t array_size = 0;
  bool sparse = false;
  NodeName id;

  bool is_input() const { return (flags & node_io::kInput) != 0; }
  /// An output that other nodes take; records that were made of one are none.
  bool is_output_node() const { return (flags & node_io::kOutput) != 0 && (flags & node_io::kRecords) == 0; }
};

struct NodeProperties {
  NodeLaunch launch = NodeLaunch::none;
  bool is_program_entry = false;
  NodeName id;
  std::optional<std::uint32_t> local_root_arguments_index;
  NodeName shares_input_of;
  std::array<std::uint32_t, 3> dispatch_grid{};
  std::array<std::uint32_t, 3> max_dispatch_grid{};
  std::uint32_t max_recursion_depth = 0;
  std::vector<NodeIoProperties> inputs, outputs;
};

/// Nothing of an entry that is no node.
std::optional<NodeProperties> read_node_properties(const ProgramMetadata& metadata, const EntryPoint& entry);

}  // namespace unshade::dxil::program
