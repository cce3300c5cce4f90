#include "ir/structure/tree.hpp"

#include <algorithm>

namespace unshade::ir::structure {

std::uint32_t Tree::add(std::uint32_t parent, NodeKind kind, BlockId block) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  const std::uint32_t around = breakable_around(parent);
  nodes_.push_back({.kind = kind, .block = block, .around = around});
  Made& body = nodes_[parent];
  (body.last == kNone ? body.first : nodes_[body.last].next) = node;
  body.last = node;
  return node;
}

std::uint32_t Tree::enclose(std::uint32_t body, std::uint32_t after) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  Made region{.kind = NodeKind::once, .around = breakable_around(body)};
  region.first = std::exchange(after == kNone ? nodes_[body].first : nodes_[after].next, node);
  region.last = std::exchange(nodes_[body].last, node);
  nodes_.push_back(region);
  return node;
}

std::vector<std::uint32_t> Tree::in_order() {
  parents_.assign(nodes_.size(), kNone);
  std::vector<std::uint32_t> order;
  order.reserve(nodes_.size());
  for (std::uint32_t node = kRoot, parent = kNone; node != kNone;) {
    order.push_back(node);
    parents_[node] = parent;
    if (nodes_[node].first != kNone) {
      parent = std::exchange(node, nodes_[node].first);
      continue;
    }
    while (node != kNone && nodes_[node].next == kNone) node = parents_[node];
    if (node == kNone) break;
    parent = parents_[node];
    node = nodes_[node].next;
  }
  return order;
}

// Takes out blocks that only return after a node that nothing goes on after.
void Tree::drop_after(std::uint32_t node, const std::function<bool(BlockId)>& only_returns) {
  for (std::uint32_t after = nodes_[node].next; after != kNone; after = nodes_[node].next) {
    const Made& block = nodes_[after];
    const std::uint32_t end = block.next;
    const bool is_return =
        block.kind == NodeKind::block && end != kNone && nodes_[end].kind == NodeKind::return_ && nodes_[end].block == block.block;
    if (!is_return || !only_returns(block.block)) return;
    nodes_[node].next = nodes_[end].next;
    if (nodes_[node].next == kNone) nodes_[parents_[node]].last = node;
  }
}

// Puts an arm after its `if` where the other does not get there: of two such the larger.
void Tree::unnest(std::uint32_t node, const std::function<bool(BlockId)>& only_returns) {
  const std::uint32_t yes = nodes_[node].first, no = nodes_[node].last;
  const bool yes_falls = runs_off(yes), no_falls = runs_off(no);
  if (yes_falls && no_falls) return;
  const std::uint32_t moved = no_falls || (!yes_falls && sizes_[no] >= sizes_[yes]) ? no : yes;
  Made& arm = nodes_[moved];
  if (arm.first == kNone) return;
  const std::uint32_t last = arm.last;
  nodes_[last].next = std::exchange(nodes_[node].next, arm.first);
  if (nodes_[last].next == kNone) nodes_[parents_[node]].last = last;
  parents_[last] = parents_[node];
  arm.first = arm.last = kNone;
  if (!falls_[last]) drop_after(last, only_returns);
}

void Tree::find_ends(const std::function<bool(BlockId)>& only_returns) {
  const std::vector<std::uint32_t> order = in_order();
  falls_.assign(nodes_.size(), false);
  sizes_.assign(nodes_.size(), 1);
  for (const std::uint32_t node : order)
    if (nodes_[node].kind == NodeKind::break_) falls_[nodes_[node].target] = true;
  for (std::size_t at = order.size(); at-- > 1;) {
    const std::uint32_t node = order[at];
    const Made& made = nodes_[node];
    sizes_[parents_[node]] += sizes_[node];
    switch (made.kind) {
      case NodeKind::block: falls_[node] = true; break;
      case NodeKind::then_:
      case NodeKind::else_: falls_[node] = runs_off(node); break;
      case NodeKind::once: falls_[node] = falls_[node] || runs_off(node); break;
      case NodeKind::if_:
        unnest(node, only_returns);
        falls_[node] = runs_off(made.first) || runs_off(made.last);
        break;
      case NodeKind::switch_: break;  // its cases say
      case NodeKind::case_:
        if (runs_off(node)) falls_[parents_[node]] = true;
        falls_[node] = runs_off(node);
        break;
      case NodeKind::loop:
      case NodeKind::break_:
      case NodeKind::continue_:
      case NodeKind::return_: break;
    }
    if (!falls_[node] && is_body(nodes_[parents_[node]].kind)) drop_after(node, only_returns);
  }
}

Structure Tree::take(const std::function<bool(BlockId)>& only_returns) {
  find_ends(only_returns);
  Structure made;
  // Where each node stands; labels by node.
  std::vector<std::uint32_t> place(nodes_.size(), kNone), first_label(nodes_.size() + 1, 0);
  for (const auto& [node, label] : labels_) ++first_label[node + std::size_t{1}];
  for (std::size_t node = 1; node < first_label.size(); ++node) first_label[node] += first_label[node - 1];
  made.labels.resize(labels_.size());
  for (std::vector<std::uint32_t> next = first_label; const auto& [node, label] : labels_) made.labels[next[node]++] = label;

  // Loops, switches and regions around what a node holds, and of those what a `continue` leaves too.
  std::vector<std::uint32_t> breakables, rounds;
  for (const std::uint32_t node : in_order()) {
    const Made& from = nodes_[node];
    const bool is_arm = from.kind == NodeKind::then_ || from.kind == NodeKind::else_;
    if (node == kRoot || (is_arm && from.first == kNone)) continue;
    place[node] = static_cast<std::uint32_t>(made.nodes.size());
    Node to{.kind = from.kind, .block = from.block, .latch = from.latch};
    if (parents_[node] != kRoot) to.parent = place[parents_[node]];
    const std::uint32_t around = to.parent == kNone ? 0 : breakables[to.parent], rounds_around = to.parent == kNone ? 0 : rounds[to.parent];
    breakables.push_back(around + (is_breakable(to.kind) ? 1 : 0));
    rounds.push_back(rounds_around + (is_round(to.kind) ? 1 : 0));
    if (from.target != kNone) {
      to.target = place[from.target];
      to.crossed = to.kind == NodeKind::break_ ? around - breakables[to.target] : rounds_around - rounds[to.target];
    }
    if (to.kind == NodeKind::case_) {
      to.first_label = first_label[node];
      to.label_count = first_label[node + std::size_t{1}] - first_label[node];
    }
    made.nodes.push_back(to);
  }
  for (std::size_t at = made.nodes.size(); at-- > 0;) {
    Node& node = made.nodes[at];
    node.end = std::max(node.end, static_cast<std::uint32_t>(at + 1));
    if (node.parent != kNone) made.nodes[node.parent].end = std::max(made.nodes[node.parent].end, node.end);
  }
  return made;
}

}  // namespace unshade::ir::structure
