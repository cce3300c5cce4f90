// Functions without phis: which values share a variable, and what is assigned on edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/ir/analysis/parallel_moves.hpp>
#include <unshade/ir/analysis/types.hpp>
#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// An assignment on an edge.
struct WebAssignment {
  std::uint32_t web = 0;  ///< that is written; of `keep` a spare variable of its type, which `restore` reads
  Id value = kNone;       ///< what is assigned: a variable, or an expression if it is written inside of its use
  MoveStep::Kind kind = MoveStep::Kind::whole;
};

/// Phis, and the values that they take as far as no two of them are needed at once: these share one variable.
struct PhiWebs {
  std::vector<std::uint32_t> web;        ///< by id; kNone: in none
  std::vector<std::vector<Id>> members;  ///< of each web, in the order of the function
  std::vector<WebAssignment> assignments;
  std::vector<std::uint32_t> first;  ///< by place in Function::predecessors: where those of the edge begin; one more at the end

  /// What is assigned on the edge from predecessor `at` of a block, in this order. What is in the web already is left out.
  std::span<const WebAssignment> on_edge(const Function& function, BlockId block, std::size_t at) const {
    const std::size_t edge = function.blocks[block].first_predecessor + at;
    return std::span(assignments).subspan(first[edge], first[edge + 1] - first[edge]);
  }
};

/// Finds them by intervals over the order of blocks, as the interpreter does (docs/internals/programs.md, "Slots"), but for one lane, which
/// is at the end of an edge as soon as it takes it. A value that is written inside of another is computed, and what it
/// reads needed, in that statement. In functions that are irreducible each phi is a web of its own. Linear but for factors of log n; where
/// that would not be enough for all values, some phis share no variable.
/// `declared`, by id, may be empty; else what is declared as a float shares no variable with what is declared as an integer.
PhiWebs phi_webs_of(const Function& function, const Writings& writings, std::span<const Declared> declared = {});

}  // namespace unshade::ir
