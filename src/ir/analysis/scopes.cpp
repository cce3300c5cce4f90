#include <unshade/ir/analysis/scopes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace unshade::ir {
namespace {

/// Common ancestors in a tree whose nodes stand before those that they hold. Node 0 is the function; nodes of the tree follow.
class Regions {
 public:
  explicit Regions(const Structure& tree) : tree_(tree), jump_(tree.nodes.size() + 1, 0), depth_(tree.nodes.size() + 1, 0) {
    // "Applicative random-access stack" of E. Myers: a jump for each node, such that any ancestor takes log steps
    for (std::uint32_t at = 1; at <= tree.nodes.size(); ++at) {
      const std::uint32_t up = parent(at);
      depth_[at] = depth_[up] + 1;
      jump_[at] = depth_[up] - depth_[jump_[up]] == depth_[jump_[up]] - depth_[jump_[jump_[up]]] ? jump_[jump_[up]] : up;
    }
  }

  std::uint32_t parent(std::uint32_t at) const {
    const std::uint32_t up = tree_.nodes[at - 1].parent;
    return up == kNone ? 0 : up + 1;
  }
  bool holds(std::uint32_t region, std::uint32_t at) const { return region == 0 || (region <= at && at <= tree_.nodes[region - 1].end); }

  /// The innermost region that holds both.
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (!holds(a, b)) a = holds(jump_[a], b) ? parent(a) : jump_[a];
    return a;
  }

  /// The node of a region that holds a place.
  std::uint32_t child(std::uint32_t region, std::uint32_t at) const {
    while (parent(at) != region) at = depth_[jump_[at]] > depth_[region] ? jump_[at] : parent(at);
    return at;
  }

 private:
  const Structure& tree_;
  std::vector<std::uint32_t> jump_, depth_;
};

class Finding {
 public:
  Finding(const Function& function, const Structure& tree, const Writings& writings)
      : f_(function), tree_(tree), writings_(writings), regions_(tree) {}

  Scopes run() {
    made_.region.assign(f_.insts.size(), kNone);
    made_.before.assign(f_.insts.size(), kNone);
    made_.node_of.assign(f_.blocks.size(), kNone);
    for (std::uint32_t at = 0; at < tree_.nodes.size(); ++at)
      if (tree_.nodes[at].kind == NodeKind::block) made_.node_of[tree_.nodes[at].block] = at;
    first_.assign(f_.insts.size(), kNone);
    last_.assign(f_.insts.size(), 0);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) visit(id);
    }
    // what a return of another block gives back is used where that stands
    for (std::uint32_t at = 0; at < tree_.nodes.size(); ++at) {
      const Node& node = tree_.nodes[at];
      if (node.kind != NodeKind::return_) continue;
      for (const Id operand : f_.operands_of(f_.blocks[node.block].last)) use(operand, at + 1);
    }
    // what is repeated is computed at each use, and needs its operands there
    for (std::size_t at = f_.order.size(); at-- > 0;) {
      for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
        if (writings_.of[id] != Writing::repeated || first_[id] == kNone) continue;
        for (const Id operand : f_.operands_of(id)) use(operand, first_[id]), use(operand, last_[id]);
      }
    }
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (!is_variable(id) || first_[id] == kNone || first_[id] == 0) continue;
        const std::uint32_t own = region_of(block);
        const std::uint32_t region = regions_.common(region_at(first_[id]), region_at(last_[id]));
        made_.region[id] = region == 0 ? kNone : region - 1;
        if (region != own || f_.insts[id].op == Op::phi) made_.before[id] = regions_.child(region, first_[id]) - 1;
      }
    }
    return std::move(made_);
  }

 private:
  bool is_variable(Id id) const { return writings_.of[id] == Writing::named || f_.insts[id].op == Op::phi; }
  // In the numbers of Regions.
  std::uint32_t place_of(BlockId block) const { return made_.node_of[block] == kNone ? 0 : made_.node_of[block] + 1; }
  std::uint32_t region_at(std::uint32_t place) const { return place == 0 ? 0 : regions_.parent(place); }
  std::uint32_t region_of(BlockId block) const { return region_at(place_of(block)); }

  // Of places in the order of the tree, the innermost region around the first and the last holds all.
  void use(Id id, std::uint32_t place) {
    first_[id] = std::min(first_[id], place);
    last_[id] = std::max(last_[id], place);
  }

  void visit(Id id) {
    const Inst& inst = f_.insts[id];
    if (writings_.of[id] == Writing::repeated) return;
    if (inst.results != 0) use(id, place_of(f_.block_of[id]));
    const auto operands = f_.operands_of(id);
    for (std::size_t at = 0; at < operands.size(); ++at) {
      if (is_block_operand(inst.op, at)) continue;
      if (inst.op == Op::phi) {
        const BlockId origin = f_.predecessors_of(f_.block_of[id])[at];
        use(operands[at], place_of(origin));
        use(id, place_of(origin));
        continue;
      }
      const Id statement = writings_.statement[id] == kNone ? id : writings_.statement[id];
      use(operands[at], place_of(f_.block_of[statement]));
    }
  }

  const Function& f_;
  const Structure& tree_;
  const Writings& writings_;
  const Regions regions_;
  Scopes made_;
  std::vector<std::uint32_t> first_, last_;  // places of definition and uses, by id
};

}  // namespace

Scopes scopes_of(const Function& function, const Structure& tree, const Writings& writings) {
  return Finding(function, tree, writings).run();
}

}  // namespace unshade::ir
