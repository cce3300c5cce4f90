// The algorithm of Lengauer and Tarjan in its simple form: O(edges * log blocks) whatever the graph, and no recursion.
// src: T. Lengauer, R. E. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", 1979
#include "dxil/module/dominance.hpp"

#include <cstddef>

namespace unshade::dxil::module {

void Dominance::examine(const Module& module, const Body& body) {
  find_edges(module, body);
  number_blocks(module, body);
  count_below();
  find_dominators();
  number_tree();
}

namespace {

const Instruction* terminator_of(const Module& module, const Block& block) {
  return block.instructions.empty() ? nullptr : &module.instructions[block.instructions.end() - 1];
}

}  // namespace

void Dominance::find_edges(const Module& module, const Body& body) {
  const std::uint32_t count = body.blocks.count;
  first_edge_.assign(count + std::size_t{1}, 0);
  const auto each_edge = [&](auto&& visit) {
    for (std::uint32_t block = 0; block < count; ++block)
      if (const Instruction* end = terminator_of(module, module.blocks[body.blocks.first + block]); end != nullptr)
        for_each_successor(module, *end, [&](std::uint32_t to) { visit(block, to); });
  };
  each_edge([&](std::uint32_t, std::uint32_t to) { ++first_edge_[to + std::size_t{1}]; });
  for (std::uint32_t block = 0; block < count; ++block) first_edge_[block + std::size_t{1}] += first_edge_[block];
  edges_.resize(first_edge_[count]);
  cursor_.assign(first_edge_.begin(), first_edge_.end());
  each_edge([&](std::uint32_t from, std::uint32_t to) { edges_[cursor_[to]++] = from; });
}

void Dominance::number_blocks(const Module& module, const Body& body) {
  const std::uint32_t count = body.blocks.count;
  number_.assign(count, kNone);
  order_.clear();
  parent_.clear();
  // Blocks to come, each with the number of the block that named it.
  stack_.assign({0, kNone});
  while (!stack_.empty() && count != 0) {
    const std::uint32_t parent = stack_.back();
    stack_.pop_back();
    const std::uint32_t block = stack_.back();
    stack_.pop_back();
    if (number_[block] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(order_.size());
    number_[block] = number;
    order_.push_back(block);
    parent_.push_back(parent);
    if (const Instruction* end = terminator_of(module, module.blocks[body.blocks.first + block]); end != nullptr)
      for_each_successor(module, *end, [&](std::uint32_t to) {
        if (number_[to] == kNone) stack_.insert(stack_.end(), {to, number});
      });
  }
}

// A block has a higher number than what it was found from, and a stretch of numbers holds all below one.
void Dominance::count_below() {
  const auto count = static_cast<std::uint32_t>(order_.size());
  below_.assign(count, 1);
  for (std::uint32_t w = count; w-- > 1;) below_[parent_[w]] += below_[w];
}

// The vertex of least semidominator on the way up the forest, whose paths get shorter by it.
std::uint32_t Dominance::evaluate(std::uint32_t vertex) {
  if (ancestor_[vertex] == kNone) return vertex;
  stack_.clear();
  for (std::uint32_t v = vertex; ancestor_[ancestor_[v]] != kNone; v = ancestor_[v]) stack_.push_back(v);
  while (!stack_.empty()) {
    const std::uint32_t v = stack_.back();
    stack_.pop_back();
    const std::uint32_t up = ancestor_[v];
    if (semi_[label_[up]] < semi_[label_[v]]) label_[v] = label_[up];
    ancestor_[v] = ancestor_[up];
  }
  return label_[vertex];
}

void Dominance::find_dominators() {
  const auto count = static_cast<std::uint32_t>(order_.size());
  semi_.resize(count);
  label_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) semi_[v] = label_[v] = v;
  ancestor_.assign(count, kNone);
  bucket_.assign(count, kNone);
  next_in_bucket_.assign(count, kNone);
  idom_.assign(count, kNone);
  for (std::uint32_t w = count; w-- > 1;) {
    for (const std::uint32_t from : predecessors(order_[w])) {
      if (number_[from] == kNone) continue;
      const std::uint32_t u = evaluate(number_[from]);
      if (semi_[u] < semi_[w]) semi_[w] = semi_[u];
    }
    next_in_bucket_[w] = bucket_[semi_[w]];
    bucket_[semi_[w]] = w;
    const std::uint32_t parent = parent_[w];
    ancestor_[w] = parent;
    for (std::uint32_t v = bucket_[parent]; v != kNone; v = next_in_bucket_[v]) {
      const std::uint32_t u = evaluate(v);
      idom_[v] = semi_[u] < semi_[v] ? u : parent;
    }
    bucket_[parent] = kNone;
  }
  for (std::uint32_t w = 1; w < count; ++w)
    if (idom_[w] != semi_[w]) idom_[w] = idom_[idom_[w]];
  dominator_.assign(number_.size(), kNone);
  for (std::uint32_t w = 1; w < count; ++w) dominator_[order_[w]] = order_[idom_[w]];
}

// An interval for each block that holds the intervals of those it dominates. A dominator has a lower number than what it dominates: sizes
// of subtrees add up from the last number on, and places follow from the first one on.
void Dominance::number_tree() {
  const auto count = static_cast<std::uint32_t>(order_.size());
  std::vector<std::uint32_t>& size = cursor_;
  size.assign(count, 1);
  for (std::uint32_t w = count; w-- > 1;) size[idom_[w]] += size[w];
  enter_.assign(number_.size(), 0);
  leave_.assign(number_.size(), 0);
  // `label_` now: the next free place within a subtree.
  for (std::uint32_t w = 0; w < count; ++w) {
    std::uint32_t place = 0;
    if (w != 0) {
      place = label_[idom_[w]];
      label_[idom_[w]] += size[w];
    }
    label_[w] = place + 1;
    enter_[order_[w]] = place;
    leave_[order_[w]] = place + size[w] - 1;
  }
}

}  // namespace unshade::dxil::module
