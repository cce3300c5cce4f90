#include <unshade/core/nesting.hpp>

#include <algorithm>

namespace unshade {

void Nesting::examine(const Graph& graph) {
  const std::uint32_t count = graph.nodes();
  order_.clear();
  number_.assign(count, kNone);
  parents_.assign(count, kNone);
  places_.assign(count, Place::root);
  is_header_.assign(count, false);
  regions_.clear();
  region_.assign(count, kNone);
  regular_ = true;
  find_islands(graph);
  place_nodes(graph);
  find_regions(graph);
}

// What the entry reaches, then what the first node that it does not reach reaches of the rest, and so on.
void Nesting::find_islands(const Graph& graph) {
  const std::uint32_t count = graph.nodes();
  island_.assign(count, kNone);
  std::vector<std::uint32_t> stack;
  std::uint32_t island = 0;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (island_[root] != kNone) continue;
    stack.assign(1, root);
    island_[root] = island;
    while (!stack.empty()) {
      const std::uint32_t node = stack.back();
      stack.pop_back();
      for (const std::uint32_t to : graph.successors(node)) {
        if (island_[to] != kNone) continue;
        island_[to] = island;
        stack.push_back(to);
      }
    }
    ++island;
  }
}

void Nesting::place_nodes(const Graph& graph) {
  const std::uint32_t count = graph.nodes();
  // One graph of all islands, with a node in front that leads to each: dominators know nothing else of what cannot be reached.
  Graph joined;
  joined.build(count + 1, [&](auto&& add) {
    std::uint32_t islands = 0;
    for (std::uint32_t node = 0; node < count; ++node)
      if (island_[node] == islands) ++islands, add(0, node + 1);
    for (std::uint32_t node = 0; node < count; ++node)
      for (const std::uint32_t to : graph.successors(node))
        if (island_[to] == island_[node]) add(node + 1, to + 1);
  });
  Dominators dominators;
  dominators.examine(joined);
  Loops loops;
  loops.find(joined, dominators);
  for (const std::uint32_t node : dominators.reverse_postorder()) {
    if (node == 0) continue;
    number_[node - 1] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(node - 1);
  }
  enter_.resize(count);
  leave_.resize(count);

  const auto dominator = [&](std::uint32_t node) {
    const std::uint32_t above = dominators.immediate_dominator(node + 1);
    return above == 0 || above == kNone ? kNone : above - 1;
  };
  // How many nodes each dominates.
  std::vector<std::uint32_t> size(count, 1);
  for (std::size_t k = order_.size(); k-- > 0;)
    if (dominator(order_[k]) != kNone) size[dominator(order_[k])] += size[order_[k]];
  // By header: whether something comes after the loop, and what may.
  std::vector<bool> is_left(count, false);
  std::vector<std::uint32_t> ends(count, kNone);

  for (const std::uint32_t node : order_) {
    is_header_[node] = loops.is_header(node + 1);
    // the one node that leads forward to it, if it is one
    std::uint32_t from = kNone;
    bool is_one = true;
    for (const std::uint32_t before : graph.predecessors(node)) {
      if (island_[before] != island_[node]) {
        regular_ = false;
      } else if (number_[before] >= number_[node]) {
        if (!dominators.dominates(node + 1, before + 1)) regular_ = false;
      } else {
        is_one = is_one && (from == kNone || from == before);
        from = before;
      }
    }
    const std::uint32_t above = dominator(node);
    if (above == kNone) continue;
    parents_[node] = above;
    places_[node] = is_one && from == above ? Place::arm : Place::after;
    // the outermost loop that the dominator is in and the node is not
    const std::uint32_t around = is_header_[node] ? loops.enclosing(node + 1) : loops.header_of(node + 1);
    std::uint32_t left = loops.header_of(above + 1);
    if (left == around) continue;
    while (left != kNone && loops.enclosing(left) != around) left = loops.enclosing(left);
    if (left == kNone) continue;
    const std::uint32_t header = left - 1;
    if (places_[node] == Place::arm) {
      // Code that only leaves, such as what is in front of a break or return, stays where it is, unless it is how the loop ends.
      if (ends[header] == kNone || size[node] >= size[ends[header]]) ends[header] = node;
      continue;
    }
    is_left[header] = true;
    parents_[node] = header;
    places_[node] = Place::after_loop;
  }
  for (const std::uint32_t header : order_) {
    constexpr std::uint32_t kSmall = 2;
    if (ends[header] == kNone || (is_left[header] && size[ends[header]] <= kSmall)) continue;
    parents_[ends[header]] = header;
    places_[ends[header]] = Place::after_loop;
  }
  // A node's interval of numbers holds those of what it dominates.
  std::vector<std::uint32_t> next(count, 0);
  std::uint32_t free = 0;
  for (const std::uint32_t node : order_) {
    std::uint32_t& place = dominator(node) == kNone ? free : next[dominator(node)];
    enter_[node] = place;
    leave_[node] = place + size[node] - 1;
    next[node] = place + 1;
    place += size[node];
  }
}

Nesting::Way Nesting::way(std::uint32_t from, std::uint32_t to) const {
  if (island_[from] != island_[to]) return Way::irregular;
  if (number_[from] >= number_[to]) return enter_[to] <= enter_[from] && leave_[from] <= leave_[to] ? Way::back : Way::irregular;
  return places_[to] == Place::arm && parents_[to] == from ? Way::arm : Way::forward;
}

void Nesting::find_regions(const Graph& graph) {
  // By node: the region that it is in with all that belongs to it, and that of what comes after its arms.
  std::vector<std::uint32_t> outside(graph.nodes(), kNone), arms(graph.nodes(), kNone);
  const auto add = [&](bool is_loop, std::uint32_t head, std::uint32_t parent) {
    regions_.push_back({is_loop, head, parent});
    return static_cast<std::uint32_t>(regions_.size() - 1);
  };
  for (const std::uint32_t node : order_) {
    const std::uint32_t parent = parents_[node];
    switch (places_[node]) {
      case Place::root: break;
      case Place::arm: outside[node] = arms[parent]; break;
      case Place::after: outside[node] = region_[parent]; break;
      case Place::after_loop: outside[node] = outside[parent]; break;
    }
    region_[node] = is_header_[node] ? add(true, node, outside[node]) : outside[node];
    const auto to = graph.successors(node);
    const bool branches = std::any_of(to.begin(), to.end(), [&](std::uint32_t other) { return other != to[0]; });
    const bool has_arms = std::any_of(to.begin(), to.end(), [&](std::uint32_t other) { return way(node, other) == Way::arm; });
    arms[node] = branches && has_arms ? add(false, node, region_[node]) : region_[node];
  }
}

}  // namespace unshade
