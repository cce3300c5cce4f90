// Where variables must be declared when a function is printed as a tree of statements.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/structure.hpp>

namespace unshade::ir {

/// The region of a node is what holds it: a node, or kNone for the function itself.
struct Scopes {
  /// By id, of named values and phis: the innermost region that holds the definition and all uses. kNone: the function.
  std::vector<std::uint32_t> region;
  /// By id: the node of that region before which the variable must be declared. kNone: where the value is defined will do. Phis are written
  /// in other places, and always are declared before.
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> node_of;  ///< by block: its node; kNone of blocks that are not in the tree
};

/// A value that is written inside of another is used where its statement is; a phi is written at the end of its predecessors. Needs a tree
/// of the function (`ir.structured`). Linear but for a factor log nodes for each value.
Scopes scopes_of(const Function& function, const Structure& tree, const Writings& writings);

}  // namespace unshade::ir
