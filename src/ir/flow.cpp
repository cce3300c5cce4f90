#include "ir/flow.hpp"

#include <algorithm>
#include <cstddef>

namespace unshade::ir {

void Flow::examine(const Function& function) {
  graph.build(static_cast<std::uint32_t>(function.blocks.size()), [&](auto&& add) {
    for (const BlockId block : function.order) for_each_successor(function, block, [&](BlockId to) { add(block, to); });
  });
  dominators.examine(graph);
  loops.find(graph, dominators);
  place.assign(function.blocks.size(), kNone);
  for (std::size_t at = 0; at < function.order.size(); ++at) place[function.order[at]] = static_cast<std::uint32_t>(at);
  // A header dominates its loop, so that the search for dominators found it first: inner loops are complete when outer ones are looked at.
  end.assign(function.blocks.size(), 0);
  const auto searched = dominators.search_order();
  for (std::size_t at = searched.size(); at-- > 0;) {
    const BlockId block = searched[at];
    if (const BlockId header = loops.header_of(block); header != kNone) end[header] = std::max(end[header], place[block]);
    if (!loops.is_header(block)) continue;
    if (const BlockId around = loops.enclosing(block); around != kNone) end[around] = std::max(end[around], end[block]);
  }
  range.assign(function.blocks.size(), kNone);
  outer.assign(function.blocks.size(), kNone);
  nested = true;
  std::vector<BlockId> open;
  for (const BlockId block : function.order) {
    while (!open.empty() && place[block] > end[open.back()]) open.pop_back();
    if (dominators.reachable(block) && loops.is_header(block)) {
      outer[block] = open.empty() ? kNone : open.back();
      nested &= open.empty() || end[block] <= end[open.back()];
      open.push_back(block);
    }
    if (!open.empty()) range[block] = open.back();
  }
}

}  // namespace unshade::ir
