#include "pica/descriptor_table.hpp"

#include <utility>

namespace unshade::pica {

std::uint32_t DescriptorTable::search(std::uint32_t descriptor, std::uint32_t care) {
  std::size_t at = 0;
  while (at < values_.size() && ((values_[at] ^ descriptor) & care & cares_[at]) != 0) ++at;
  if (at == values_.size()) {
    values_.push_back(descriptor);
    cares_.push_back(care);
  } else {
    values_[at] = (values_[at] & ~care) | (descriptor & care);
    cares_[at] |= care;
  }
  const auto index = static_cast<std::uint32_t>(at);
  memories_[slot(descriptor, care)] = {descriptor, care, index};
  return index;
}

std::optional<std::uint32_t> DescriptorTable::lower(std::uint32_t index, std::vector<std::uint32_t>& words) {
  std::uint32_t to = 0;
  while (to < kShortDescriptors && (mad_ >> to & 1) != 0) ++to;
  if (to == kShortDescriptors) return std::nullopt;
  memories_ = {};
  std::swap(values_[index], values_[to]);
  std::swap(cares_[index], cares_[to]);
  for (std::uint32_t& word : words) {
    const std::uint32_t opcode = word >> 26;
    if (opcode >= 0x20 && (opcode & ~1U) != static_cast<std::uint32_t>(Opcode::cmp)) continue;
    const std::uint32_t used = word & 0x7f;
    if (used == index) {
      word = (word & ~0x7fU) | to;
    } else if (used == to) {
      word = (word & ~0x7fU) | index;
    }
  }
  return to;
}

}  // namespace unshade::pica
