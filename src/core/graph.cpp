// Dominators: the algorithm of Lengauer and Tarjan in its simple form. That of Cooper, Harvey and Kennedy is shorter, but takes quadratic
// time for graphs that a file can be made to have.
// src: T. Lengauer, R. E. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", 1979
// Loops: inner ones first, each then a single node. src: R. E. Tarjan, "Testing Flow Graph Reducibility", 1974
#include <unshade/core/graph.hpp>

#include <utility>

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
  nodes_.assign(graph.nodes(), {});
  order_.clear();
  order_.reserve(graph.nodes());
  vertices_.clear();
  vertices_.reserve(graph.nodes());
  // Nodes to come, each with the number of the node that named it.
  if (graph.nodes() != 0) stack_.assign({0, kNone});
  while (!stack_.empty()) {
    const std::uint32_t parent = stack_.back();
    stack_.pop_back();
    const std::uint32_t node = stack_.back();
    stack_.pop_back();
    if (nodes_[node].number != kNone) continue;
    const auto number = static_cast<std::uint32_t>(order_.size());
    nodes_[node].number = number;
    order_.push_back(node);
    vertices_.push_back({.parent = parent, .semi = number, .label = number});
    for (const std::uint32_t to : graph.successors(node))
      if (nodes_[to].number == kNone) stack_.insert(stack_.end(), {to, number});
  }
  // A node has a higher number than what it was found from, and a range of numbers holds all below one.
  for (std::size_t w = vertices_.size(); w-- > 1;) vertices_[vertices_[w].parent].below += vertices_[w].below;
}

// When the search leaves a node it has left all with lower numbers but those above it, and all below.
std::vector<std::uint32_t> Dominators::reverse_postorder() const {
  const auto count = static_cast<std::uint32_t>(order_.size());
  std::vector<std::uint32_t> above(count), nodes(count);
  for (std::uint32_t w = 0; w < count; ++w) {
    above[w] = w == 0 ? 0 : above[vertices_[w].parent] + 1;
    nodes[count - (w - above[w] + vertices_[w].below)] = order_[w];
  }
  return nodes;
}

// The vertex of least semidominator on the path up the forest, whose paths get shorter by it.
std::uint32_t Dominators::evaluate(std::uint32_t vertex) {
  if (vertices_[vertex].ancestor == kNone) return vertex;
  stack_.clear();
  for (std::uint32_t v = vertex; vertices_[vertices_[v].ancestor].ancestor != kNone; v = vertices_[v].ancestor) stack_.push_back(v);
  while (!stack_.empty()) {
    Vertex& v = vertices_[stack_.back()];
    stack_.pop_back();
    const Vertex& up = vertices_[v.ancestor];
    if (vertices_[up.label].semi < vertices_[v.label].semi) v.label = up.label;
    v.ancestor = up.ancestor;
  }
  return vertices_[vertex].label;
}

void Dominators::find_dominators(const Graph& graph) {
  const auto count = static_cast<std::uint32_t>(order_.size());
  for (std::uint32_t w = count; w-- > 1;) {
    Vertex& vertex = vertices_[w];
    for (const std::uint32_t from : graph.predecessors(order_[w])) {
      if (nodes_[from].number == kNone) continue;
      const std::uint32_t u = evaluate(nodes_[from].number);
      if (vertices_[u].semi < vertex.semi) vertex.semi = vertices_[u].semi;
    }
    vertex.next_in_bucket = std::exchange(vertices_[vertex.semi].bucket, w);
    vertex.ancestor = vertex.parent;
    for (std::uint32_t v = std::exchange(vertices_[vertex.parent].bucket, kNone); v != kNone; v = vertices_[v].next_in_bucket) {
      const std::uint32_t u = evaluate(v);
      vertices_[v].idom = vertices_[u].semi < vertices_[v].semi ? u : vertex.parent;
    }
  }
  for (std::uint32_t w = 1; w < count; ++w) {
    Vertex& vertex = vertices_[w];
    if (vertex.idom != vertex.semi) vertex.idom = vertices_[vertex.idom].idom;
    nodes_[order_[w]].dominator = order_[vertex.idom];
  }
}

// An interval for each node that holds the intervals of those it dominates. A dominator has a lower number than what it dominates: sizes
// of subtrees add up from the last number on, and places follow from the first one on.
void Dominators::number_tree() {
  for (std::size_t w = vertices_.size(); w-- > 1;) vertices_[vertices_[w].idom].size += vertices_[w].size;
  // `label` now: the next free place within a subtree.
  for (std::size_t w = 0; w < vertices_.size(); ++w) {
    Vertex& vertex = vertices_[w];
    std::uint32_t place = 0;
    if (w != 0) {
      place = vertices_[vertex.idom].label;
      vertices_[vertex.idom].label += vertex.size;
    }
    vertex.label = place + 1;
    nodes_[order_[w]].enter = place;
    nodes_[order_[w]].leave = place + vertex.size - 1;
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
  if (back_edges_.empty()) return;
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
