#include "present/graph/tree.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>

namespace unshade::present::graph {

namespace {

using shader::FlowEdge;
using shader::FlowFunction;
using shader::FlowKind;

/// A function of the IR with such edges. The origin of a block's instructions is its number; blocks that canonical form adds have none.
ir::Module module_of(const FlowFunction& function) {
  ir::Module module;
  ir::Builder builder(module.functions.emplace_back());
  for (std::size_t block = 0; block < function.blocks.size(); ++block) builder.block();
  const ir::Id anything = builder.i32(0);
  std::size_t edge = 0;
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    builder.at(block);
    builder.from({block, ir::kNone});
    // no block does nothing but return
    builder.inst(ir::Op::demote, ir::Type::void_, {});
    const FlowEdge *yes = nullptr, *no = nullptr;
    std::vector<std::uint32_t> cases;
    for (; edge < function.edges.size() && function.edges[edge].from == block; ++edge) {
      const FlowEdge& one = function.edges[edge];
      if (one.kind == FlowKind::case_) {
        cases.insert(cases.end(), {builder.i32(static_cast<std::uint32_t>(cases.size())), one.to});
      } else {
        (one.kind == FlowKind::taken ? yes : no) = &one;
      }
    }
    if (!cases.empty()) {
      builder.switch_on(anything, no == nullptr ? cases[1] : no->to, cases);
    } else if (yes != nullptr && no != nullptr) {
      builder.branch(builder.b1(true), yes->to, no->to);
    } else if (yes != nullptr || no != nullptr) {
      builder.jump(yes != nullptr ? yes->to : no->to);
    } else {
      builder.return_values();
    }
  }
  ir::link_blocks(module.functions[0]);
  ir::canonicalize(module);
  return module;
}

class Writer {
 public:
  Writer(const FlowFunction& function, const ir::Function& made, const ir::Structure& tree, Json& json)
      : made_(made), tree_(tree), json_(json), cases_(function.blocks.size()) {
    for (const FlowEdge& edge : function.edges)
      if (edge.kind == FlowKind::case_) cases_[edge.from].push_back(&edge);
  }

  void write() {
    std::vector<std::uint32_t> place(tree_.nodes.size());
    json_.begin_array();
    std::uint32_t count = 0;
    for (std::size_t at = 0; at < tree_.nodes.size(); ++at) {
      const ir::Node& node = tree_.nodes[at];
      if (node.kind == ir::NodeKind::block && was_added(node.block)) continue;
      place[at] = count++;
      json_.begin_object();
      json_.member("kind", ir::text(node.kind));
      number_or_null("block", block_of(node.block));
      number_or_null("parent", node.parent == ir::kNone ? std::nullopt : std::optional(place[node.parent]));
      number_or_null("target", node.target == ir::kNone ? std::nullopt : std::optional(place[node.target]));
      json_.key("labels");
      write_labels(node);
      json_.end_object();
    }
    json_.end_array();
  }

 private:
  bool was_added(ir::BlockId block) const {
    const ir::Id last = made_.blocks[block].last;
    return last >= made_.sources.size() || made_.sources[last].instruction == ir::kNone;
  }
  /// The block of the listing; of one that was added, where it jumps.
  std::optional<std::uint32_t> block_of(ir::BlockId block) const {
    while (block != ir::kNone && was_added(block)) block = made_.operands_of(made_.blocks[block].last)[0];
    return block == ir::kNone ? std::nullopt : std::optional(made_.sources[made_.blocks[block].last].instruction);
  }
  void number_or_null(std::string_view name, std::optional<std::uint32_t> number) {
    json_.key(name);
    number ? json_.number(*number) : json_.null();
  }
  void write_labels(const ir::Node& node) {
    json_.begin_array();
    for (std::uint32_t at = 0; at < node.label_count; ++at) {
      const std::uint32_t label = tree_.labels[node.first_label + std::size_t{at}];
      const auto from = block_of(tree_.nodes[node.parent].block);
      const bool is_default = label == 1;
      if (!is_default && from && (label - 3) / 2 < cases_[*from].size()) json_.string(cases_[*from][(label - 3) / 2]->label);
      if (is_default) json_.string("default");
    }
    json_.end_array();
  }

  const ir::Function& made_;
  const ir::Structure& tree_;
  Json& json_;
  std::vector<std::vector<const FlowEdge*>> cases_;  ///< of a block
};

}  // namespace

void write_tree(const FlowFunction& function, Json& json) {
  const ir::Module module = module_of(function);
  const auto tree = ir::structure_of(module.functions[0]);
  if (!tree) return json.null();
  Writer(function, module.functions[0], *tree, json).write();
}

}  // namespace unshade::present::graph
