// A tree that is being made: nodes in lists, since some are enclosed or moved after they were made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <unshade/ir/structure.hpp>

namespace unshade::ir::structure {

/// Whether breaks leave a node.
constexpr bool is_breakable(NodeKind kind) { return kind == NodeKind::loop || kind == NodeKind::switch_ || kind == NodeKind::once; }
/// Whether a `continue` would have to leave a node as well.
constexpr bool is_round(NodeKind kind) { return kind == NodeKind::loop || kind == NodeKind::once; }
/// Whether a node holds nodes that run one after the other.
constexpr bool is_body(NodeKind kind) {
  return is_round(kind) || kind == NodeKind::then_ || kind == NodeKind::else_ || kind == NodeKind::case_;
}

class Tree {
 public:
  static constexpr std::uint32_t kRoot = 0;  ///< holds all others, and is not part of what is made

  struct Made {
    NodeKind kind = NodeKind::once;
    BlockId block = kNone;
    std::uint32_t first = kNone, last = kNone, next = kNone;  ///< that it holds; after it
    std::uint32_t target = kNone;
    BlockId latch = kNone;
    std::uint32_t around = kNone;  ///< the innermost node around it that breaks leave, as far as it was there already
  };

  Tree() : nodes_(1) {}

  Made& operator[](std::uint32_t node) { return nodes_[node]; }
  std::uint32_t last(std::uint32_t body) const { return nodes_[body].last; }
  /// The innermost node that breaks in a body leave, without those that are enclosed later.
  std::uint32_t breakable_around(std::uint32_t body) const {
    return body != kRoot && is_breakable(nodes_[body].kind) ? body : nodes_[body].around;
  }

  /// A node at the end of another.
  std::uint32_t add(std::uint32_t parent, NodeKind kind, BlockId block);
  void add_label(std::uint32_t node, std::uint32_t label) { labels_.emplace_back(node, label); }
  /// Puts what a body holds after one of its nodes, or all (kNone), into a region.
  std::uint32_t enclose(std::uint32_t body, std::uint32_t after);

  /// The tree without arms that need none: of an `if` whose one arm leads elsewhere, the other is put after it. `only_returns`: whether a
  /// block may be left out where nothing goes on to it.
  Structure take(const std::function<bool(BlockId)>& only_returns);

 private:
  /// All nodes, each after that which holds it; fills parents_.
  std::vector<std::uint32_t> in_order();
  void find_ends(const std::function<bool(BlockId)>& only_returns);
  void drop_after(std::uint32_t node, const std::function<bool(BlockId)>& only_returns);
  void unnest(std::uint32_t node, const std::function<bool(BlockId)>& only_returns);
  bool runs_off(std::uint32_t body) const { return nodes_[body].first == kNone || falls_[nodes_[body].last]; }

  std::vector<Made> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> labels_;
  // By node.
  std::vector<std::uint32_t> parents_, sizes_;
  std::vector<bool> falls_;  ///< whether something goes on after it
};

}  // namespace unshade::ir::structure
