// The third step of prepare(): slots for values.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>

#include "vm/prepare/select.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// Slots of a function's values.
struct Allocation {
  std::vector<std::uint32_t> first;  ///< by value that has slots of its own, else ir::kNone
  std::uint32_t slots = 0;           ///< those given, and room for one copy on an edge
  std::uint32_t spare = 0;           ///< the first of that room

  /// The first slot of a value, which may share those of another; 0 of what has none.
  std::uint16_t slot(const Selection& selection, ir::Id id) const {
    const std::uint32_t at = first[selection.root[id]];
    return at == ir::kNone ? std::uint16_t{0} : static_cast<std::uint16_t>(at + selection.offset[id]);
  }
};

/// Gives slots for operations that run in this order, finds which operands each is the last to read (Operation::dies), and lists the
/// constants of `data`. Errors: limit.
Result<Allocation> allocate(Program::Data& data, const Selection& selection, Operations& operations);

inline constexpr std::uint32_t kMostSlots = 0xffff;

}  // namespace unshade::vm
