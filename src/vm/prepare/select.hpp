// The first step of prepare(): what executes each operation, and what is no operation of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::vm {

/// By instruction of a function.
struct Selection {
  std::vector<std::uint16_t> kernel;  ///< its number, or kAccess; kNoKernel of what is no code: phis, aliases, terminators
  std::vector<ir::Id> root;           ///< of an alias the value whose slots it shares, else itself
  std::vector<bool> in_preamble;      ///< computed once for all waves, before they run
  std::vector<bool> escapes;          ///< of these, those that something else uses: they keep their slots
};

/// Errors: unsupported, by the name of an operation. `slot_bytes`: what a slot takes in a wave.
Result<Selection> select_kernels(const ir::Module& module, const ir::Function& function, std::size_t slot_bytes);

/// Handles are numbers.
constexpr ir::Type machine_type(ir::Type type) { return type == ir::Type::handle ? ir::Type::i32 : type; }
/// Slots that the results of an instruction take.
unsigned words_of(const ir::Function& function, ir::Id id);

}  // namespace unshade::vm
