// From a tree back to edges, and whether they are those of the function.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/findings.hpp>
#include <unshade/ir/structure.hpp>

#include "ir/flow.hpp"
#include "ir/rules.hpp"
#include "ir/structure/tree.hpp"

namespace unshade::ir {
namespace structure {
namespace {

constexpr bool holds_others(NodeKind kind) { return is_body(kind) || kind == NodeKind::if_ || kind == NodeKind::switch_; }
constexpr bool leaves(NodeKind kind) { return kind == NodeKind::break_ || kind == NodeKind::continue_ || kind == NodeKind::return_; }
constexpr bool is_start(NodeKind kind) { return kind == NodeKind::block || is_round(kind); }

/// Where each place of a tree goes on.
class Ways {
 public:
  explicit Ways(const Structure& tree) : nodes_(tree.nodes), labels_(tree.labels), after_(nodes_.size(), kNone) {
    first_.resize(nodes_.size());
    for (std::uint32_t at = size(); at-- > 0;) first_[at] = is_round(nodes_[at].kind) ? first_[at + std::size_t{1}] : at;
    for (std::uint32_t at = 0; at < size(); ++at) after_[at] = has_sibling(at) ? start_of(nodes_[at].end) : end_of(nodes_[at].parent);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  /// The block that runs after a node.
  BlockId after(std::uint32_t at) const { return after_[at]; }
  /// The block that a node begins with.
  BlockId start_of(std::uint32_t at) const {
    const Node& node = nodes_[first_[at]];
    switch (node.kind) {
      case NodeKind::break_: return after_[node.target];
      case NodeKind::continue_: return nodes_[node.target].latch;
      default: return node.block;
    }
  }
  bool has_sibling(std::uint32_t at) const {
    return nodes_[at].end < (nodes_[at].parent == kNone ? size() : nodes_[nodes_[at].parent].end);
  }

  void add_edges(std::uint32_t at, std::vector<StructureEdge>& edges) const {
    const BlockId from = nodes_[at].block;
    const std::uint32_t next = nodes_[at].end;
    const NodeKind kind = has_sibling(at) ? nodes_[next].kind : NodeKind::block;
    if (kind == NodeKind::if_) {
      BlockId yes = after_[next], no = yes;
      for (std::uint32_t arm = next + 1; arm < nodes_[next].end; arm = nodes_[arm].end)
        (nodes_[arm].kind == NodeKind::then_ ? yes : no) = start_of_body(arm);
      edges.push_back({from, 1, yes});
      edges.push_back({from, 2, no});
    } else if (kind == NodeKind::switch_) {
      for (std::uint32_t arm = next + 1; arm < nodes_[next].end; arm = nodes_[arm].end) {
        const BlockId to = start_of_body(arm);
        for (std::uint32_t label = 0; label < nodes_[arm].label_count; ++label)
          edges.push_back({from, labels_[nodes_[arm].first_label + std::size_t{label}], to});
      }
    } else if (kind != NodeKind::return_ || nodes_[next].block != from) {
      edges.push_back({from, 0, after_[at]});
    }
  }

 private:
  BlockId start_of_body(std::uint32_t arm) const { return nodes_[arm].end == arm + 1 ? after_[nodes_[arm].parent] : start_of(arm + 1); }
  BlockId end_of(std::uint32_t body) const {
    if (body == kNone) return kNone;
    if (nodes_[body].kind == NodeKind::loop) return nodes_[body].block;
    return after_[is_round(nodes_[body].kind) || !is_body(nodes_[body].kind) ? body : nodes_[body].parent];
  }

  const std::vector<Node>& nodes_;
  const std::vector<std::uint32_t>& labels_;
  std::vector<std::uint32_t> first_;  ///< of a loop or region, the node without one that it begins with
  std::vector<BlockId> after_;
};

/// What is wrong with the form of a tree, and where; whatever its numbers are.
class Form {
 public:
  explicit Form(const Structure& tree) : nodes_(tree.nodes), labels_(tree.labels.size()) {}

  struct Fault {
    std::size_t node;
    std::string_view what;
  };
  std::optional<Fault> fault() {
    if (nodes_.size() >= kNone) return Fault{0, "too many nodes"};
    std::uint32_t parent = kNone;
    std::vector<std::uint32_t> loops, breakables;  // around what a node holds, of continues and breaks
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      while (parent != kNone && nodes_[parent].end <= at) parent = nodes_[parent].parent;
      const Node& node = nodes_[at];
      const std::size_t end = parent == kNone ? nodes_.size() : nodes_[parent].end;
      if (node.parent != parent || node.end <= at || node.end > end) return Fault{at, "the node does not lie within its parent"};
      if (!holds_others(node.kind) && node.end != at + 1) return Fault{at, "the node cannot hold others"};
      if (const auto what = fault_of_place(at); !what.empty()) return Fault{at, what};
      const std::uint32_t around = parent == kNone ? 0 : breakables[parent], rounds = parent == kNone ? 0 : loops[parent];
      breakables.push_back(around + (is_breakable(node.kind) ? 1 : 0));
      loops.push_back(rounds + (is_round(node.kind) ? 1 : 0));
      if (node.kind == NodeKind::break_ || node.kind == NodeKind::continue_) {
        const bool is_break = node.kind == NodeKind::break_;
        if (node.target >= at || nodes_[node.target].end <= at) return Fault{at, "the target is not around the node"};
        const Node& target = nodes_[node.target];
        if (is_break ? !is_breakable(target.kind) : target.kind != NodeKind::loop) return Fault{at, "the target has the wrong kind"};
        if (node.crossed != (is_break ? around - breakables[node.target] : rounds - loops[node.target]))
          return Fault{at, "the number of nodes that it leaves is wrong"};
      }
      if (holds_others(node.kind)) parent = at;
    }
    return std::nullopt;
  }

 private:
  std::string_view fault_of_place(std::uint32_t at) const {
    const Node& node = nodes_[at];
    const NodeKind around = node.parent == kNone ? NodeKind::once : nodes_[node.parent].kind;
    const bool is_first = node.parent == kNone ? at == 0 : node.parent + 1 == at;
    switch (node.kind) {
      case NodeKind::then_:
      case NodeKind::else_:
        if (around != NodeKind::if_) return "an arm outside of an if";
        if (!is_first && !(node.kind == NodeKind::else_ && nodes_[node.parent + std::size_t{1}].end == at &&
                           nodes_[node.parent + std::size_t{1}].kind == NodeKind::then_))
          return "an arm twice, or in the wrong order";
        return node.end == at + 1 ? "an arm that holds nothing" : "";
      case NodeKind::case_:
        if (around != NodeKind::switch_) return "a case outside of a switch";
        return node.first_label > labels_ || node.label_count > labels_ - node.first_label ? "labels beyond the end" : "";
      default: break;
    }
    if (!is_body(around)) return "a node that is no arm";
    // continues alone get to a latch there
    const bool is_latch = node.kind == NodeKind::block && around == NodeKind::loop && nodes_[node.parent].latch == node.block;
    if (!is_first && nodes_[at - 1].parent == node.parent && leaves(nodes_[at - 1].kind) && !is_latch) return "nothing leads to it";
    if (is_round(node.kind) && (node.end == at + 1 || !is_start(nodes_[at + std::size_t{1}].kind))) return "it does not begin with a block";
    const bool chooses = node.kind == NodeKind::if_ || node.kind == NodeKind::switch_;
    if (chooses && (is_first || nodes_[at - 1].kind != NodeKind::block || nodes_[at - 1].block != node.block))
      return "it is not after the block that chooses";
    return "";
  }

  const std::vector<Node>& nodes_;
  std::size_t labels_;
};

class Checker {
 public:
  Checker(const Function& function, const Structure& structure, Findings& findings)
      : function_(function), structure_(structure), findings_(findings), flow_(function) {}

  void check() {
    if (const auto fault = Form(structure_).fault()) return add(fault->node, fault->what);
    for (std::size_t at = 0; at < structure_.nodes.size(); ++at) {
      const Node& node = structure_.nodes[at];
      const bool has_block = node.kind != NodeKind::once && node.kind != NodeKind::then_ && node.kind != NodeKind::else_;
      if (has_block && (node.block >= function_.blocks.size() || flow_.place[node.block] == kNone))
        return add(at, "a block that is missing");
    }
    const Ways ways(structure_);
    check_blocks(ways);
    if (!failed_) check_ranges();
    if (!failed_) check_edges(ways);
  }

 private:
  void add(std::size_t at, std::string_view what) {
    failed_ = true;
    const std::string name = function_.name.empty() ? "function" : function_.name;
    findings_.add(rules::kStructured, 0, name + "/nodes[" + std::to_string(at) + ']', std::string(what));
  }

  Op terminator(BlockId block) const {
    const Id last = function_.blocks[block].last;
    return last == kNone ? Op::undef : function_.insts[last].op;
  }
  bool ends_function(BlockId block) const { return terminator(block) == Op::return_ || terminator(block) == Op::unreachable; }

  // Each block once, but for those that only return.
  void check_blocks(const Ways& ways) {
    node_of_.assign(function_.blocks.size(), kNone);
    std::vector<bool> returns(function_.blocks.size(), false);
    const auto& nodes = structure_.nodes;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      const Node& node = nodes[at];
      switch (node.kind) {
        case NodeKind::block:
          if (std::exchange(node_of_[node.block], at) != kNone) return add(at, "a block twice");
          if (ends_function(node.block) &&
              !(ways.has_sibling(at) && nodes[node.end].kind == NodeKind::return_ && nodes[node.end].block == node.block))
            return add(at, "a block that returns without a return");
          break;
        case NodeKind::return_: {
          Id id = function_.blocks[node.block].first;
          while (id != kNone && function_.insts[id].op == Op::phi) id = function_.next[id];
          const bool is_own = at != 0 && nodes[at - 1].kind == NodeKind::block && nodes[at - 1].block == node.block;
          if (!ends_function(node.block) || (!is_own && id != function_.blocks[node.block].last))
            return add(at, "a block that does more than return");
          returns[node.block] = true;
          break;
        }
        case NodeKind::break_:
          if (node.block != ways.after(node.target)) return add(at, "a break to another block");
          break;
        case NodeKind::continue_:
          if (node.block != nodes[node.target].latch) return add(at, "a continue to another block");
          break;
        case NodeKind::loop:
          if (node.block != ways.start_of(at)) return add(at, "a loop that begins with another block");
          break;
        default: break;
      }
    }
    for (const BlockId block : function_.order)
      if (node_of_[block] == kNone && !returns[block]) return add(0, "block ^" + std::to_string(block) + " is missing");
  }

  void check_ranges() {
    std::vector<std::uint32_t> loop_of(function_.blocks.size(), kNone);
    const auto& nodes = structure_.nodes;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      if (nodes[at].kind != NodeKind::loop) continue;
      if (std::exchange(loop_of[nodes[at].block], at) != kNone) return add(at, "a loop twice");
      const BlockId header = nodes[at].block;
      if (!flow_.loops.is_header(header) || nodes[at].latch != function_.order[flow_.end[header]])
        return add(at, "a loop with another latch");
      const std::uint32_t latch = node_of_[nodes[at].latch];
      if (latch == kNone || nodes[latch].parent != at) return add(at, "a loop that does not hold its latch");
    }
    const auto is_inside = [&](BlockId block, BlockId header) {
      if (header == kNone || node_of_[block] == kNone) return true;
      const std::uint32_t loop = loop_of[header];
      return loop != kNone && loop < node_of_[block] && node_of_[block] < nodes[loop].end;
    };
    for (const BlockId block : function_.order) {
      const bool is_header = flow_.loops.is_header(block);
      if (!is_inside(block, flow_.range[block]) || (is_header && !is_inside(block, flow_.outer[block])))
        return add(node_of_[block], "a block of a loop lies outside of the loop's node");
    }
  }

  void check_edges(const Ways& ways) {
    std::vector<bool> found(function_.operands.size(), false);
    std::vector<StructureEdge> edges;
    for (std::uint32_t at = 0; at < structure_.nodes.size(); ++at) {
      if (structure_.nodes[at].kind != NodeKind::block) continue;
      edges.clear();
      ways.add_edges(at, edges);
      const BlockId block = structure_.nodes[at].block;
      const Id last = function_.blocks[block].last;
      std::size_t named = 0;
      if (last != kNone)
        for (std::size_t label = 0; label < function_.insts[last].operand_count; ++label)
          named += is_block_operand(function_.insts[last].op, label) ? 1 : 0;
      if (edges.size() != named) return add(at, std::to_string(edges.size()) + " edges of " + std::to_string(named));
      for (const StructureEdge& edge : edges) {
        const auto operands = function_.operands_of(last);
        const bool names =
            edge.label < operands.size() && is_block_operand(function_.insts[last].op, edge.label) && operands[edge.label] == edge.to;
        if (!names || found[function_.insts[last].first_operand + edge.label]) {
          return add(at, "an edge to " + (edge.to == kNone ? "nowhere" : '^' + std::to_string(edge.to)) + " that ^" +
                             std::to_string(block) + " does not have");
        }
        found[function_.insts[last].first_operand + edge.label] = true;
      }
    }
  }

  const Function& function_;
  const Structure& structure_;
  Findings& findings_;
  const Flow flow_;
  std::vector<std::uint32_t> node_of_;  ///< of a block
  bool failed_ = false;
};

}  // namespace
}  // namespace structure

std::string_view text(NodeKind kind) {
  constexpr std::string_view kTexts[] = {"block", "if", "then", "else", "switch", "case", "loop", "once", "break", "continue", "return"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::vector<StructureEdge> flatten(const Structure& tree) {
  const structure::Ways ways(tree);
  std::vector<StructureEdge> edges;
  for (std::uint32_t at = 0; at < ways.size(); ++at)
    if (tree.nodes[at].kind == NodeKind::block) ways.add_edges(at, edges);
  return edges;
}

std::vector<Diagnostic> findings_of(const Function& function, const Structure& tree) {
  Findings findings(tree.nodes.size() * sizeof(Node));
  structure::Checker(function, tree, findings).check();
  return findings.take();
}

StructureCounts count(const Structure& tree) {
  StructureCounts counts;
  std::vector<std::uint32_t> depth;
  for (const Node& node : tree.nodes) {
    const bool is_deeper = structure::is_breakable(node.kind) || node.kind == NodeKind::if_;
    depth.push_back((node.parent == kNone ? 0 : depth[node.parent]) + (is_deeper ? 1 : 0));
    counts.depth = std::max<std::size_t>(counts.depth, depth.back());
    if (node.crossed != 0) ++counts.crossing;
    switch (node.kind) {
      case NodeKind::block: ++counts.blocks; break;
      case NodeKind::if_: ++counts.ifs; break;
      case NodeKind::loop: ++counts.loops; break;
      case NodeKind::switch_: ++counts.switches; break;
      case NodeKind::once: ++counts.onces; break;
      case NodeKind::break_: ++counts.breaks; break;
      case NodeKind::continue_: ++counts.continues; break;
      case NodeKind::return_: ++counts.returns; break;
      case NodeKind::then_:
      case NodeKind::else_:
      case NodeKind::case_: break;
    }
  }
  return counts;
}

}  // namespace unshade::ir
