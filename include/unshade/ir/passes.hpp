// Passes over modules: docs/internals/ir.md, "Passes". Each takes a module that is verified, leaves one that is, and returns how many
// changes it made.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <unshade/ir/module.hpp>

namespace unshade::ir::passes {

/// Puts the blocks of each function in the order that has a meaning: loops as ranges, forward edges forward, and of the blocks that may
/// come next the one of the lowest number. Functions with edges into loops past their headers are marked as irreducible. Needs loops of one
/// back edge. Counts the blocks that moved.
std::size_t order_blocks(Module& module);
/// Gives loops one latch, orders the blocks, and gives values of loops that are used outside phis where the loop is left. Numbers blocks by
/// their order. Counts the latches, entry blocks and phis that were added.
std::size_t canonical_loops(Module& module);

}  // namespace unshade::ir::passes

namespace unshade::ir {

/// What every lowering calls last, and any pass that changed the flow: drops unreachable blocks, then canonical_loops. The module verifies
/// after it if instructions and types are right, and ids are new.
void canonicalize(Module& module);

}  // namespace unshade::ir
