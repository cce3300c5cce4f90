// How often values are used, and where the text of a value may stand when a function is printed as expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// Uses of values by the instructions of blocks that stand in the order.
struct Uses {
  std::vector<std::uint32_t> count;  ///< by id: operands that name it
  std::vector<Id> user;              ///< by id: an instruction that uses it, the only one if `count` is 1; kNone: nothing does
  std::vector<std::uint16_t> place;  ///< by id: which of the operands of that instruction it is
};
Uses uses_of(const Function& function);

/// How a value is written where it is used.
enum class Writing : std::uint8_t {
  none,      ///< not at all: a store or jump, what nothing uses, or what is in no block that stands in the order
  named,     ///< by a name: it is a statement of its own before
  inside,    ///< as an expression in its only use
  repeated,  ///< as an expression in each use: it costs no more than a name
};
/// `none`, `named`, `inside`, `repeated`.
std::string_view text(Writing writing);

struct Writings {
  std::vector<Writing> of;  ///< by id
  /// By id: the statement in which it is computed, which is the instruction itself if it is named. Of what phis take, the terminator of the
  /// predecessor.
  std::vector<Id> statement;
};

struct WritingOptions {
  std::uint32_t most_depth = 32;  ///< of expressions in each other, so that who prints them may recurse
};

/// Finds where each value may be written so that the text means what the instructions do. A value is inside its only use if
///  - both are in the same range of a loop, so that it is not computed in more rounds;
///  - nothing between it and the statement changes what it reads: it is in the block of the statement if it reads memory;
///  - no lanes part ways between it and the statement if it is an operation of waves or quads (implicit derivatives too), and it is not
///    what a `select` chooses, or the right side of an operation on b1: languages may compute that by need;
///  - it is not a phi, an atomic operation, or another that has an effect.
/// What a phi takes may be inside the copy at the end of the predecessor if it reads no other phi of that block.
/// In functions that are irreducible, all that is inside of a use is in its block. Linear in the function.
Writings writings_of(const Function& function, const Uses& uses, const WritingOptions& options = {});

}  // namespace unshade::ir
