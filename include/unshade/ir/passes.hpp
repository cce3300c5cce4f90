// Passes over modules: docs/internals/ir.md, "Passes". Each of unshade::ir::passes needs a module that verifies, leaves one that does, and
// returns how many changes it made; optimize() runs them on a module of which that is proven. Ids and numbers of blocks may be new after
// each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir::passes {

/// Puts the blocks of each function in the order that has a meaning: loops as ranges, forward edges forward, and of the blocks that may
/// come next the one of the lowest number. Functions with edges into loops past their headers are marked as irreducible. Needs loops of one
/// back edge. Counts the blocks that moved.
std::size_t order_blocks(Module& module);
/// Gives loops one latch, orders the blocks, and gives values of loops that are used outside phis in the exit blocks. Numbers blocks by
/// their order. Counts the latches, entry blocks and phis that were added.
std::size_t canonical_loops(Module& module);
/// Puts the bodies of functions in the place of calls, and drops functions that are called. An error names the function that calls itself,
/// or that grows beyond the limit. Counts the calls.
Result<std::size_t> inline_calls(Module& module);
/// Makes values of private variables that are only accessed at constant offsets, all in the same words: in each function, since the
/// machine runs each with variables of its own. Modules with calls stay as they are, and functions that would need more phis than they
/// may have (ir/sizes.hpp), or one of more operands than an instruction may. Counts the accesses that went.
std::size_t promote_variables(Module& module);
/// The same with a limit of phis that is lower.
std::size_t promote_variables_within(Module& module, std::size_t most_phis);
/// Computes what has constant operands, by the numeric rules of the interpreter, and what needs no computing, such as x + 0. Counts the
/// values that went.
std::size_t fold_constants(Module& module);
/// Computes pure values once, if a block that dominates computes them too. Counts the values that went.
std::size_t common_values(Module& module);
/// Computes pure values before a loop if they are the same in each of its rounds, and every full round needs them. Functions that are
/// irreducible stay as they are. Counts the values that moved.
std::size_t hoist_uniform(Module& module);
/// Unrolls innermost loops with a constant trip count of at most 256: copies of their blocks, one after the other, of 4,096 instructions in
/// a function at most. Counts the loops.
std::size_t unroll_loops(Module& module);
/// Drops values that nothing needs. Counts the instructions.
std::size_t remove_dead(Module& module);
/// Makes jumps of branches that go one way, joins blocks, and skips empty ones, but moves no operation of waves. Counts the changes.
std::size_t simplify_flow(Module& module);
/// Gives phis of 32 bits the type f32 if all that write and read them are floats, else i32, so that no copy of an integer is taken for
/// arithmetic on floats. Counts the phis that changed.
std::size_t retype_phis(Module& module);

}  // namespace unshade::ir::passes

namespace unshade::ir {

/// What every lowering calls last, and any pass that changed the flow: drops unreachable blocks, then canonical_loops. The module verifies
/// after it if instructions and types are right, and ids are new.
void canonicalize(Module& module);

/// A pass by name: a row of passes.def.
struct Pass {
  enum class Needs : std::uint8_t {
    valid,        ///< a module that verifies
    uncanonical,  ///< or one that breaks only rules of the order of blocks and the values of loops, which it mends
  };
  std::string_view name;
  Needs needs;
  std::string_view summary;
  /// Counts its changes. Only inline_calls has errors.
  Result<std::size_t> (*run)(Module&);
};
/// Each pass that needs nothing but the module once, in the order of passes.def.
std::span<const Pass> all_passes();
/// What optimize() runs at level 1, in this order: some passes more than once.
std::span<const Pass* const> optimizing_passes();
/// Why a module is not what a pass needs: the first finding. Nothing if it is.
std::optional<Error> unfit_for(const Pass& pass, const Module& module);

/// The module after passes. Level 0: canonicalize(), for stepping through instructions. Level 1: optimizing_passes(). Level 2: also
/// unroll_loops(), then loops around those, for runs that are not watched: it removes branches and instructions.
/// The module has no calls. What passes make is verified again where assertions are on.
Validated<Module> optimize(Validated<Module> module, unsigned level);

/// The module with names for those of its resources that have none, by their rows; an empty name changes nothing.
Validated<Module> name_resources(Validated<Module> module, std::span<const std::string> names);

/// Which values and branches are the same in all lanes that run together.
struct Divergence {
  std::vector<bool> divergent;       ///< by id: lanes may have different values
  std::vector<bool> divergent_exit;  ///< by block: lanes may leave it for different blocks
};
Divergence find_divergence(const Module& module, const Function& function);

/// The lanes that run together where results depend on their order: then lanes (or quads, if they read each other) run one after the other,
/// so that results are the same for waves of any size. `wave`: the order shows in nothing, or lanes of a wave read each other.
enum class Together : std::uint8_t { lane, quad, wave };
Together find_together(const Module& module, const Function& function);

}  // namespace unshade::ir
