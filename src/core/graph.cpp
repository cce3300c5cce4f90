// Dominators: the algorithm of Lengauer and Tarjan in its simple form. That of Cooper, Harvey and Kennedy is shorter, but takes quadratic
// time for graphs that a file can be made to have.
// src: T. Lengauer, R. E. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", 1979
// Loops: inner ones first, each then a single node. src: R. E. Tarjan, "Testing Flow Graph Reducibility", 1974
#include <unshade/core/graph.hpp>

namespace unshade {

void Graph::Ends::allocate() {
  for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
  ends.resize(first.back());
}

void Dominators::examine(const Graph& graph) {
  search(graph);
  find_dominators(graph);
  number_tree();
}

void Dominators::search(const Graph& graph) {
  number_.assign(graph.nodes(), kNone);
  order_.clear();
  parent_.clear();
  // Nodes to come, each with the number of the node that named it.
  if (graph.nodes() != 0) stack_.assign({0, kNone});
  while (!stack_.empty()) {
    const std::uint32_t parent = stack_.back();
    stack_.pop_back();
    const std::uint32_t node = stack_.back();
    stack_.pop_back();
    if (number_[node] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(order_.size());
    number_[node] = number;
    order_.push_back(node);
    parent_.push_back(parent);
    for (const std::uint32_t to : graph.successors(node))
      if (number_[to] == kNone) stack_.insert(stack_.end(), {to, number});
  }
  // A node has a higher number than what it was found from, and a range of numbers holds all below one.
  const auto count = static_cast<std::uint32_t>(order_.size());
  below_.assign(count, 1);
  for (std::uint32_t w = count; w-- > 1;) below_[parent_[w]] += below_[w];
}

// When the search leaves a node it has left all with lower numbers but those above it, and all below.
std::vector<std::uint32_t> Dominators::reverse_postorder() const {
  const auto count = static_cast<std::uint32_t>(order_.size());
  std::vector<std::uint32_t> above(count), nodes(count);
  for (std::uint32_t w = 0; w < count; ++w) {
    above[w] = w == 0 ? 0 : above[parent_[w]] + 1;
    nodes[count - (w - above[w] + below_[w])] = order_[w];
  }
  return nodes;
}

// The vertex of least semidominator on the path up the forest, whose paths get shorter by it.
std::uint32_t Dominators::evaluate(std::uint32_t vertex) {
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

void Dominators::find_dominators(const Graph& graph) {
  const auto count = static_cast<std::uint32_t>(order_.size());
  semi_.resize(count);
  label_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) semi_[v] = label_[v] = v;
  ancestor_.assign(count, kNone);
  bucket_.assign(count, kNone);
  next_in_bucket_.assign(count, kNone);
  idom_.assign(count, kNone);
  for (std::uint32_t w = count; w-- > 1;) {
    for (const std::uint32_t from : graph.predecessors(order_[w])) {
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

// An interval for each node that holds the intervals of those it dominates. A dominator has a lower number than what it dominates: sizes
// of subtrees add up from the last number on, and places follow from the first one on.
void Dominators::number_tree() {
  const auto count = static_cast<std::uint32_t>(order_.size());
  std::vector<std::uint32_t>& size = places_;
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

void Loops::find(const Graph& graph, const Dominators& dominators) {
  irreducible_.reset();
  back_edges_.clear();
  enclosing_.assign(graph.nodes(), kNone);
  is_header_.assign(graph.nodes(), false);
  for (const std::uint32_t header : dominators.search_order()) {
    for (const std::uint32_t from : graph.predecessors(header)) {
      if (!dominators.reachable(from) || !dominators.is_above(header, from)) continue;
      if (dominators.dominates(header, from)) {
        back_edges_.push_back({from, header});
        is_header_[header] = true;
      } else if (!irreducible_) {
        irreducible_ = Graph::Edge{from, header};
      }
    }
  }
  // Outermost loop found so far that a node is in, with shortcuts, which end at a node that is in none.
  std::vector<std::uint32_t> outer(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) outer[node] = node;
  const auto outermost = [&](std::uint32_t node) {
    while (outer[node] != node) node = outer[node] = outer[outer[node]];
    return node;
  };
  std::vector<std::uint32_t> work;
  for (std::size_t k = back_edges_.size(); k-- > 0;) {
    const std::uint32_t header = back_edges_[k].to;
    for (work.assign(1, back_edges_[k].from); !work.empty();) {
      const std::uint32_t node = outermost(work.back());
      work.pop_back();
      if (node == header) continue;
      outer[node] = enclosing_[node] = header;
      for (const std::uint32_t from : graph.predecessors(node))
        if (dominators.reachable(from) && dominators.dominates(header, from)) work.push_back(from);
    }
  }
}

}  // namespace unshade
