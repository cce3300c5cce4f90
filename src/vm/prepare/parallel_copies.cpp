#include "vm/prepare/parallel_copies.hpp"

#include <cstddef>

#include <unshade/ir/analysis/parallel_moves.hpp>

namespace unshade::vm {

std::uint32_t append_in_order(std::vector<Copy> copies, std::uint32_t spare, std::vector<Copy>& to) {
  const auto words = [](const Copy& copy) { return copy.wide ? 2U : 1U; };
  std::vector<ir::ParallelMove> moves(copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    for (std::uint32_t w = 0; w < words(copies[i]); ++w) {
      moves[i].reads.push_back(copies[i].from + w);
      moves[i].writes.push_back(copies[i].to + w);
    }
  }
  for (const ir::MoveStep& step : ir::order_moves(moves)) {
    Copy& copy = copies[step.move];
    if (step.kind == ir::MoveStep::Kind::keep) {
      to.push_back({copy.from, static_cast<std::uint16_t>(spare), copy.wide});
      copy.from = static_cast<std::uint16_t>(spare);
      spare += words(copy);
    } else {
      to.push_back(copy);
    }
  }
  return spare;
}

}  // namespace unshade::vm
