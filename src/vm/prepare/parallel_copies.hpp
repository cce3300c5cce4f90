// Copies on edges: phis take their values all at once, a machine copies one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/program.hpp"

namespace unshade::vm {

/// Appends copies that happen at once in an order in which they may be done one after the other: one whose target no other still reads goes
/// first; of a cycle, one source is kept in slots from `spare` on, which nothing else may use. No two copies write to one slot. The result
/// is one past the last slot that it uses for that, or `spare`.
std::uint32_t append_in_order(std::vector<Copy> copies, std::uint32_t spare, std::vector<Copy>& to);

}  // namespace unshade::vm
