// Trees of all functions of a module, with copies of blocks where these make a tree possible, or simpler.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <unshade/ir/structure.hpp>
#include <unshade/ir/verify.hpp>

#include "ir/structure/copies.hpp"
#include "ir/validation_key.hpp"

namespace unshade::ir {
namespace structure {
namespace {

/// Instructions that copies may have which spare a region, and one with breaks that also leave loops or switches in it.
constexpr std::size_t kMostCopied = 16, kMostCopiedForCrossing = 64;
/// Copies that are tried in a function, and how many nodes its tree may have: each try makes it anew.
constexpr unsigned kMostTries = 64;
constexpr std::size_t kMostNodes = std::size_t{1} << 14;
constexpr std::size_t kMostStepsOfTries = std::size_t{1} << 21;

/// Blocks one after the other, of which only the first is entered from elsewhere.
struct Chain {
  std::vector<BlockId> blocks;
  std::size_t most = 0;  ///< instructions that its copies may have
};

class Simplifier {
 public:
  Simplifier(Function& function, Structure& tree) : function_(function), tree_(tree) {}

  void run() {
    for (unsigned tries = 0; tries < kMostTries;) {
      if (tree_.nodes.size() > kMostNodes) return;
      bool better = false;
      for (const Chain& chain : chains()) {
        if (++tries > kMostTries || (better = spares(chain))) break;
      }
      if (!better) return;
    }
  }

 private:
  static std::size_t cost(const Structure& tree) {
    const StructureCounts counts = count(tree);
    return counts.onces + counts.crossing;
  }

  // What breaks out of a region jump over, and where they go if nothing comes after that.
  std::vector<Chain> chains() const {
    const auto& nodes = tree_.nodes;
    std::vector<std::uint32_t> last(nodes.size(), kNone);  // break to each region
    std::vector<bool> crosses(nodes.size(), false);
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      if (nodes[at].kind != NodeKind::break_) continue;
      last[nodes[at].target] = at;
      if (nodes[at].crossed != 0) crosses[nodes[at].target] = true;
    }
    std::vector<Chain> chains;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
      if (last[at] == kNone || (nodes[at].kind != NodeKind::once && !crosses[at])) continue;
      const std::size_t most = crosses[at] ? kMostCopiedForCrossing : kMostCopied;
      if (nodes[at].kind == NodeKind::once) {
        std::uint32_t skipped = at + 1;
        while (skipped <= last[at]) skipped = nodes[skipped].end;
        add_chain(skipped, nodes[at].end, false, most, chains);
      }
      add_chain(nodes[at].end, nodes[at].parent == kNone ? static_cast<std::uint32_t>(nodes.size()) : nodes[nodes[at].parent].end, true,
                most, chains);
    }
    return chains;
  }
  void add_chain(std::uint32_t at, std::uint32_t end, bool returns, std::size_t most, std::vector<Chain>& chains) const {
    Chain chain{{}, most};
    for (; at < end && tree_.nodes[at].kind == NodeKind::block; ++at) {
      const BlockId block = tree_.nodes[at].block;
      if (!chain.blocks.empty() && function_.predecessors_of(block).size() != 1) return;
      chain.blocks.push_back(block);
    }
    const bool ends =
        at < end && tree_.nodes[at].kind == NodeKind::return_ && !chain.blocks.empty() && tree_.nodes[at].block == chain.blocks.back();
    if (!chain.blocks.empty() && (returns ? ends : at == end)) chains.push_back(std::move(chain));
  }

  // Instructions of a chain that are copied; nothing if they must not be.
  std::optional<std::size_t> size_of_chain(const Chain& chain) const {
    std::size_t size = 0;
    for (const BlockId block : chain.blocks) {
      for (Id id = function_.blocks[block].first; id != function_.blocks[block].last; id = function_.next[id]) {
        const Inst& inst = function_.insts[id];
        // where lanes meet has a meaning
        if (has(info(inst.op).effects, Effects::wave | Effects::quad)) return std::nullopt;
        size += inst.op == Op::phi ? 0 : 1;
      }
    }
    return size;
  }

  // Whether the tree has less regions if each predecessor of a chain has its own.
  bool spares(const Chain& chain) {
    const auto origins = function_.predecessors_of(chain.blocks[0]);
    const auto size = size_of_chain(chain);
    if (!size || origins.size() < 2 || *size * (origins.size() - 1) > chain.most) return false;
    Plan plan(function_);
    std::vector<std::uint32_t> number(function_.blocks.size(), kNone);
    for (std::uint32_t at = 0; at < function_.order.size(); ++at) number[function_.order[at]] = at;
    for (const BlockId origin : origins.subspan(1)) {
      std::uint32_t before = kNone, first = kNone;
      for (const BlockId block : chain.blocks) {
        const std::uint32_t copy = plan.copy(number[block]);
        if (before == kNone) {
          first = copy;
        } else {
          plan.targets[before] = {copy};
        }
        before = copy;
      }
      std::ranges::replace(plan.targets[number[origin]], number[chain.blocks[0]], first);
    }
    auto copied = made(function_, plan, room_);
    if (!copied || copied->irreducible) return false;
    auto tree = structure_of(*copied);
    if (!tree || cost(*tree) >= cost(tree_)) return false;
    function_ = *std::move(copied);
    tree_ = *std::move(tree);
    return true;
  }

  Function& function_;
  Structure& tree_;
  std::size_t room_ = kMostStepsOfTries;
};

}  // namespace
}  // namespace structure

Result<Structured> structured(Validated<Module> module) {
  const ValidationKey<Module> key;
  Module made = std::move(module).take(key);
  std::vector<Structure> trees;
  for (Function& function : made.functions) {
    const auto refuse = [&](std::string why) {
      return Error{ErrorCode::unsupported, 0, function.name.empty() ? "function" : function.name, std::move(why)};
    };
    if (function.irreducible) {
      auto split = structure::reducible(function);
      if (!split) return refuse(split.error().message);
      function = *std::move(split);
    }
    auto tree = structure_of(function);
    if (!tree) return std::move(tree).error();
    structure::Simplifier(function, *tree).run();
    trees.push_back(*std::move(tree));
  }
  assert(findings_of(made).empty());
  return Structured{{key, std::move(made)}, std::move(trees)};
}

}  // namespace unshade::ir
