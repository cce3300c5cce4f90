// Where fxc puts the things of a class linkage part.
#include <algorithm>

#include <unshade/core/bits/rounding.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"

namespace unshade::dxbc {

// observed, in ten files: slots, types and instances, the tables of each slot, then texts, of instances first; all aligned to 4 bytes.
void place_as_fxc(ClassLinkage& linkage) {
  std::uint64_t at = kClassLinkageBytes;
  const auto take = [&](std::uint64_t bytes) {
    const std::uint64_t from = at;
    at = round_up(at + bytes, 4);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(from, kUnplaced - 1));
  };
  linkage.slots.offset = take(16 * linkage.slots.size());
  linkage.types.offset = take(12 * linkage.types.size());
  linkage.instances.offset = take(16 * linkage.instances.size());
  for (InterfaceSlot& slot : linkage.slots) {
    slot.types.offset = take(2 * slot.types.size());
    slot.tables.offset = take(4 * slot.tables.size());
  }
  for (ClassInstance& instance : linkage.instances) instance.name.offset = take(instance.name.text.size() + 1);
  for (ClassType& type : linkage.types) type.name.offset = take(type.name.text.size() + 1);
}

}  // namespace unshade::dxbc
