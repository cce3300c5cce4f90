// The structure of a function: a tree over its blocks that languages without jumps can say. docs/internals/ir_structure.md has the
// algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

enum class NodeKind : std::uint8_t {
  block,      ///< the instructions of a block, without its terminator
  if_,        ///< the branch of the block before it; holds then_ and else_, where these hold anything
  then_,      ///< its condition is true
  else_,      ///< it is false
  switch_,    ///< the switch of the block before it; holds a case_ for each block that it names
  case_,      ///< what runs for some labels; never goes on to the next
  loop,       ///< what it holds runs again after its end
  once,       ///< a region that runs once, and that breaks leave
  break_,     ///< goes on after the loop, switch or once that is its target
  continue_,  ///< goes on with the latch of the loop that is its target
  return_,    ///< ends the function: by the return of the block before it, or by that of another block, which has nothing else
};

/// `block`, `if`, `then`, `else`, `switch`, `case`, `loop`, `once`, `break`, `continue`, `return`.
std::string_view text(NodeKind kind);

/// Nodes stand as they are read: one that holds others before them. Those that it holds run one after the other.
struct Node {
  NodeKind kind = NodeKind::block;
  /// block: itself. if_, switch_: the block that chooses. case_: the block that its labels name. loop: its header. break_, continue_: where
  /// it goes on. return_: the block that returns.
  BlockId block = kNone;
  std::uint32_t parent = kNone;  ///< the node that holds it; kNone: none does
  std::uint32_t end = 0;         ///< the place after all that it holds
  std::uint32_t target = kNone;  ///< of break_ and continue_, a node
  /// Of break_, how many loops, switches and onces it leaves besides its target. Of continue_, how many loops and onces.
  std::uint32_t crossed = 0;
  BlockId latch = kNone;          ///< of a loop; the last block that it holds itself
  std::uint32_t first_label = 0;  ///< of case_, in Structure::labels
  std::uint32_t label_count = 0;
};

struct Structure {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> labels;  ///< of cases: operands of the switch that name the case's block; 1 is the default
};

/// The tree of a function, which is in canonical form. Takes time and memory in proportion to its blocks and edges (dominators: edges *
/// log blocks). Errors: unsupported, for functions that are irreducible; passes::split_nodes() makes most of them reducible.
Result<Structure> structure_of(const Function& function);

/// An edge that a tree gives.
struct StructureEdge {
  BlockId from = kNone;
  std::uint32_t label = 0;  ///< operand of the terminator that names `to`
  BlockId to = kNone;
  bool operator==(const StructureEdge&) const = default;
};
/// The edges of the blocks in a tree that is well formed, in its order. kNone: to the end of the function without a return.
std::vector<StructureEdge> flatten(const Structure& tree);

/// Findings of the rule `ir.structured`: whether a tree is well formed, holds the blocks of the function, within the loops whose ranges
/// hold them, and gives its edges. Any tree may be given, however wrong.
std::vector<Diagnostic> findings_of(const Function& function, const Structure& tree);

/// What a tree consists of.
struct StructureCounts {
  std::size_t blocks = 0, ifs = 0, loops = 0, switches = 0, onces = 0, breaks = 0, continues = 0, returns = 0;
  std::size_t crossing = 0;  ///< breaks and continues that leave more than their target
  std::size_t depth = 0;     ///< of nested ifs, loops, switches and onces
};
StructureCounts count(const Structure& tree);

/// A module with a tree for each of its functions.
struct Structured {
  Validated<Module> module;
  std::vector<Structure> trees;
};
/// Functions that are irreducible are made reducible. Errors: unsupported, with the name of a function for which that takes too many copies
/// of blocks.
Result<Structured> structured(Validated<Module> module);

/// Prints a module with its functions as trees: docs/internals/ir_structure.md, "Text".
void print(const Structured& structured, Text& out);
std::string print(const Structured& structured);

}  // namespace unshade::ir
