// The first step of prepare(): which operations there are, what executes each, and what is no operation of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>

#include "vm/prepare/operations.hpp"

namespace unshade::vm {

/// By instruction of a function.
struct Selection {
  std::vector<std::uint16_t> kernel;  ///< its number, or kAccess; kNoKernel of what is no operation: phis, aliases, terminators
  std::vector<ir::Id> root;           ///< of an alias the value whose slots it shares, else itself
  std::vector<std::uint32_t> offset;  ///< of an alias its first slot, counted from that of its root
  std::vector<bool> in_preamble;      ///< computed once for all waves, before they run
  std::vector<bool> escapes;          ///< of these, those that something else uses: they keep their slots
};

/// Errors: unsupported, by the name of an operation. `most_preamble`: slots that values of the preamble may take; 0: there is none.
Result<Selection> select_kernels(const ir::Module& module, const ir::Function& function, std::uint64_t most_preamble);
/// What is selected, in the order of the IR.
Operations list_operations(const ir::Function& function, const Selection& selection);

/// Handles are numbers.
constexpr ir::Type machine_type(ir::Type type) { return type == ir::Type::handle ? ir::Type::i32 : type; }
/// Slots that the results of an instruction take.
unsigned words_of(const ir::Function& function, ir::Id id);

}  // namespace unshade::vm
