// The blocks of a function as a graph, and which of them stand on every way to which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/dxil/query.hpp>

namespace unshade::dxil::module {

/// Of one function at a time. Blocks are counted from 0, as operands do it.
class Dominance {
 public:
  /// Looks at a function; what was known of another is gone.
  void examine(const Module& module, const Body& body);

  /// Blocks that lead here, as often as they do.
  std::span<const std::uint32_t> predecessors(std::uint32_t block) const {
    return std::span(edges_).subspan(first_edge_[block], first_edge_[block + 1] - first_edge_[block]);
  }
  bool reachable(std::uint32_t block) const { return number_[block] != kNone; }
  /// The blocks that are reachable, in the order of a search from the first.
  std::span<const std::uint32_t> search_order() const { return order_; }
  /// Whether that search came to `block` by way of `other`, or they are the same. Both are reachable.
  bool is_above(std::uint32_t other, std::uint32_t block) const {
    const std::uint32_t first = number_[other];
    return number_[block] >= first && number_[block] - first < below_[first];
  }
  /// The last block before this one on every way to it; kNone for the first and for those that nothing leads to.
  std::uint32_t immediate_dominator(std::uint32_t block) const { return dominator_[block]; }
  /// Whether every way to `block` leads through `other`. A block that nothing leads to is dominated by all.
  bool dominates(std::uint32_t other, std::uint32_t block) const {
    if (!reachable(block)) return true;
    return reachable(other) && enter_[other] <= enter_[block] && leave_[block] <= leave_[other];
  }

 private:
  void find_edges(const Module& module, const Body& body);
  void number_blocks(const Module& module, const Body& body);
  void count_below();
  void find_dominators();
  void number_tree();
  std::uint32_t evaluate(std::uint32_t vertex);

  std::vector<std::uint32_t> first_edge_, edges_;
  std::vector<std::uint32_t> number_;  ///< of a block in the order of a search from the first; kNone if that does not come
  std::vector<std::uint32_t> order_;   ///< blocks in that order
  std::vector<std::uint32_t> dominator_, enter_, leave_;
  // By number.
  std::vector<std::uint32_t> below_;  ///< how many blocks the search found below each, itself included
  std::vector<std::uint32_t> parent_, semi_, label_, ancestor_, bucket_, next_in_bucket_, idom_;
  std::vector<std::uint32_t> stack_, cursor_;
};

}  // namespace unshade::dxil::module
