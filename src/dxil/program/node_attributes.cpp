#include "dxil/program/node_attributes.hpp"

namespace unshade::dxil::program {

namespace {

/// Indexes are signed there, and none below 0 counts.
constexpr std::uint32_t kMostIndex = 0x7fff'ffff;

}  // namespace

std::vector<NodeAttribute> attributes_of(const NodeProperties& node, const EntryProperties& properties) {
  using enum NodeFunctionAttribute;
  std::vector<NodeAttribute> made;
  const auto add = [&](NodeFunctionAttribute kind, std::uint32_t value) { made.push_back({static_cast<std::uint32_t>(kind), value}); };
  const auto add_name = [&](NodeFunctionAttribute kind, const NodeName& name) {
    if (!name.name.empty()) made.push_back({static_cast<std::uint32_t>(kind), 0, name});
  };
  const auto add_three = [&](NodeFunctionAttribute kind, const std::array<std::uint32_t, 3>& three) {
    if (three != std::array<std::uint32_t, 3>{}) made.push_back({static_cast<std::uint32_t>(kind), 0, {}, three});
  };
  add_name(NodeFunctionAttribute::id, node.id);
  add_three(num_threads, properties.thread_group.value_or(std::array<std::uint32_t, 3>{}));
  if (node.local_root_arguments_index && *node.local_root_arguments_index <= kMostIndex)
    add(local_root_arguments_table_index, *node.local_root_arguments_index);
  add_name(share_input_of, node.shares_input_of);
  add_three(dispatch_grid, node.dispatch_grid);
  if (node.max_recursion_depth != 0) add(max_recursion_depth, node.max_recursion_depth);
  add_three(max_dispatch_grid, node.max_dispatch_grid);
  return made;
}

std::vector<NodeAttribute> attributes_of(const NodeIoProperties& io) {
  using enum NodeIoAttribute;
  std::vector<NodeAttribute> made;
  const auto add = [&](NodeIoAttribute kind, std::uint32_t value) { made.push_back({static_cast<std::uint32_t>(kind), value}); };
  if (io.is_output_node()) {
    made.push_back({static_cast<std::uint32_t>(output_id), 0, io.id});
    add(output_array_size, io.array_size);
    if (io.max_records != 0) {
      add(max_records, io.max_records);
    } else if (io.shares_records_with && *io.shares_records_with <= kMostIndex) {
      add(max_records_shared_with, *io.shares_records_with);
    }
    if (io.sparse) add(allow_sparse_nodes, 1);
  } else if (io.is_input() && io.max_records != 0) {
    add(max_records, io.max_records);
  }
  if (io.record_bytes == 0) return made;
  add(record_size, io.record_bytes);
  if (io.grid && io.grid->component_type != 0)
    add(record_dispatch_grid, (io.grid->offset & 0xffff) | ((io.grid->component_type << 2 | (io.grid->components & 3)) & 0xffff) << 16);
  if (io.record_alignment != 0) add(record_alignment, io.record_alignment);
  return made;
}

}  // namespace unshade::dxil::program
