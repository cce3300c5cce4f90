// Slots of values.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::vm {

struct SlotRequest {
  const ir::Function& function;
  const std::vector<std::uint32_t>& words;  ///< slots that each value needs; 0: none of its own
  const std::vector<ir::Id>& root;          ///< whose slots it shares; itself if it has its own
  std::uint32_t first_free;                 ///< slots below are taken
};
/// The first slot of each value that needs some, else ir::kNone. `slots` becomes the number of all.
std::vector<std::uint32_t> allocate_slots(const SlotRequest& request, std::uint32_t& slots);

}  // namespace unshade::vm
