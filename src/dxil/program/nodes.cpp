// src: DXC lib/DXIL/DxilMetadataHelper.cpp
#include "dxil/program/nodes.hpp"

#include <algorithm>
#include <cstddef>

#include "dxil/program/property_tags.hpp"

namespace unshade::dxil::program {

namespace {

// Tags of inputs and outputs, and of their records. src: DXC DxilMetadataHelper.h
namespace tag {
constexpr std::uint64_t kIoId = 0, kIoFlags = 1, kIoRecord = 2, kIoMaxRecords = 3, kIoSharesWith = 4, kIoArraySize = 5, kIoSparse = 6;
constexpr std::uint64_t kRecordBytes = 0, kRecordGrid = 1, kRecordAlignment = 2;
}  // namespace tag

/// No shader has so many nodes.
constexpr std::size_t kMostNodes = 256;

NodeName name_of(const module::MetadataTuple& tuple) { return {tuple.text(0), tuple.u32(1)}; }

NodeIoProperties read_io(const module::MetadataTuple& list) {
  NodeIoProperties io;
  for_each_tag(list, [&](std::uint64_t found, std::size_t at) {
    switch (found) {
      case tag::kIoId: io.id = name_of(list.tuple(at)); break;
      case tag::kIoFlags: io.flags = list.u32(at); break;
      case tag::kIoMaxRecords: io.max_records = list.u32(at); break;
      case tag::kIoSharesWith: io.shares_records_with = list.u32(at); break;
      case tag::kIoArraySize: io.array_size = list.u32(at); break;
      case tag::kIoSparse: io.sparse = list.u32(at) != 0; break;
      case tag::kIoRecord: {
        const module::MetadataTuple record = list.tuple(at);
        for_each_tag(record, [&](std::uint64_t field, std::size_t place) {
          if (field == tag::kRecordBytes) io.record_bytes = record.u32(place);
          if (field == tag::kRecordAlignment) io.record_alignment = record.u32(place);
          if (field == tag::kRecordGrid) {
            const auto grid = triple_of(record.tuple(place));
            io.grid = {grid[0], grid[1], grid[2]};
          }
        });
        break;
      }
      default: break;
    }
  });
  return io;
}

std::vector<NodeIoProperties> read_ios(const module::MetadataTuple& list) {
  std::vector<NodeIoProperties> out;
  for (std::size_t i = 0; i < std::min(list.size(), kMostNodes); ++i) out.push_back(read_io(list.tuple(i)));
  return out;
}

}  // namespace

std::optional<NodeProperties> read_node_properties(const ProgramMetadata& metadata, const EntryPoint& entry) {
  if (entry.properties == kNone) return std::nullopt;
  const module::MetadataTuple list = module::MetadataTuple::of(*metadata.module, &metadata.module->metadata[entry.properties]);
  NodeProperties node;
  for_each_tag(list, [&](std::uint64_t found, std::size_t at) {
    switch (found) {
      case property_tag::kNodeLaunch: node.launch = static_cast<NodeLaunch>(list.u32(at)); break;
      case property_tag::kProgramEntry: node.is_program_entry = list.u32(at) != 0; break;
      case property_tag::kNodeId: node.id = name_of(list.tuple(at)); break;
      case property_tag::kLocalRootArguments: node.local_root_arguments_index = list.u32(at); break;
      case property_tag::kShareInputOf: node.shares_input_of = name_of(list.tuple(at)); break;
      case property_tag::kDispatchGrid: node.dispatch_grid = triple_of(list.tuple(at)); break;
      case property_tag::kMaxDispatchGrid: node.max_dispatch_grid = triple_of(list.tuple(at)); break;
      case property_tag::kRecursionDepth: node.max_recursion_depth = list.u32(at); break;
      case property_tag::kNodeInputs: node.inputs = read_ios(list.tuple(at)); break;
      case property_tag::kNodeOutputs: node.outputs = read_ios(list.tuple(at)); break;
      default: break;
    }
  });
  if (node.launch == NodeLaunch::none) return std::nullopt;
  return node;
}

}  // namespace unshade::dxil::program
