// Slots of values.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>

#include "vm/prepare/operations.hpp"
#include "vm/prepare/select.hpp"

namespace unshade::vm {

struct SlotRequest {
  const ir::Function& function;
  const Selection& selection;
  const std::vector<std::uint32_t>& words;  ///< slots that each value needs; 0: none of its own
  std::uint32_t first_free;                 ///< slots below are taken
};
/// The first slot of each value that needs some, else ir::kNone, for operations that run in this order. `slots` becomes the number of all.
/// Sets Operation::dies.
std::vector<std::uint32_t> allocate_slots(const SlotRequest& request, Operations& operations, std::uint32_t& slots);

}  // namespace unshade::vm
