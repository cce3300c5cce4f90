// Nodes of work graphs: which inputs fit a launch. src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateNodeInputRecord
#include "dxil/program/nodes.hpp"

#include <cstddef>
#include <string>

#include <unshade/dxil/entry_properties.hpp>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

std::uint32_t records_of(NodeLaunch launch) {
  switch (launch) {
    case NodeLaunch::broadcasting: return program::node_io::kOfGrid;
    case NodeLaunch::coalescing: return program::node_io::kOfGroup;
    default: return program::node_io::kOfThread;
  }
}

}  // namespace

void check_nodes(const ModuleCheck& check) {
  for (std::size_t i = 0; i < check.program.entries.size(); ++i) {
    const EntryPoint& entry = check.program.entries[i];
    const auto node = entry.function == kNone ? std::nullopt : program::read_node_properties(check.program, entry);
    if (!node) continue;
    const std::string path = "dx.entryPoints[" + std::to_string(i) + ']';
    if (read_entry_properties(check.program, entry).kind == ShaderKind::compute)
      check.add(rules::kMetaComputeWithNode, path, "has launch mode " + std::string(id(node->launch)));
    if (node->inputs.size() > 1) check.add(rules::kDeclMultipleNodeInputs, path, std::to_string(node->inputs.size()) + " inputs");
    for (std::size_t k = 0; k < node->inputs.size(); ++k) {
      const std::uint32_t flags = node->inputs[k].flags;
      // An empty input may stand for none at all.
      constexpr std::uint32_t kEmptyInput = program::node_io::kInput | program::node_io::kEmpty;
      const bool is_empty = (flags & kEmptyInput) == kEmptyInput;
      if (!is_empty && (flags & program::node_io::kRecords) != records_of(node->launch))
        check.add(rules::kDeclNodeLaunchInputType, path + "/inputs[" + std::to_string(k) + ']',
                  "not valid for launch mode " + std::string(id(node->launch)));
    }
  }
}

}  // namespace unshade::dxil::validate
