#include "pica/descriptor_table.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace unshade::pica {

namespace {

/// Selector bits of one source for the components that `components` names (bit 3 is component 0).
constexpr std::uint32_t selector_bits(unsigned components) {
  std::uint32_t bits = 0;
  for (unsigned place = 0; place < 4; ++place)
    if ((components >> (3 - place) & 1) != 0) bits |= 3U << (6 - 2 * place);
  return bits;
}

constexpr auto kSelectorBits = [] {
  std::array<std::uint32_t, 16> table{};
  for (unsigned i = 0; i < 16; ++i) table[i] = selector_bits(i);
  return table;
}();

constexpr unsigned kFour = 0xf;
constexpr unsigned kThree = 0xe;
constexpr unsigned kTwo = 0xc;
constexpr unsigned kOne = 0x8;

constexpr std::uint32_t source_care(unsigned source, unsigned components) {
  return 1U << descriptor::kNegate[source].first | kSelectorBits[components] << descriptor::kSelectors[source].first;
}

constexpr std::uint32_t care_of(Opcode opcode, Lanes lanes, std::string_view shape, unsigned mask) {
  unsigned components = kFour;
  switch (lanes) {
    case Lanes::each: components = mask; break;
    case Lanes::one: components = kOne; break;
    case Lanes::two: components = opcode == Opcode::mova ? mask & kTwo : kTwo; break;
    case Lanes::three: components = kThree; break;
    default: break;
  }
  std::uint32_t care = opcode == Opcode::cmp ? 0 : 0xf;
  unsigned source = 0;
  for (const char letter : shape) {
    if (letter != 's') continue;
    unsigned read = components;
    if (lanes == Lanes::head) read = source == 0 ? kThree : kFour;
    if (opcode == Opcode::cmp && source == 1) read = kFour;
    care |= source_care(source++, read);
  }
  return care;
}

constexpr std::size_t kOpcodes = 65;
constexpr unsigned kMasks = 16;
constexpr auto kCares = [] {
  std::array<std::array<std::uint32_t, kMasks>, kOpcodes> table{};
#define PICA_OP(code, id, text, format, shape, lanes, flow, sem) \
  for (unsigned mask = 0; mask < kMasks; ++mask) table[code][mask] = care_of(Opcode::id, Lanes::lanes, shape, mask);
#include <unshade/pica/instructions.def>
#undef PICA_OP
  return table;
}();

}  // namespace

std::uint32_t descriptor_care(Opcode opcode, std::uint32_t descriptor) {
  return kCares[static_cast<std::size_t>(opcode)][descriptor % kMasks];
}

std::optional<std::uint32_t> DescriptorTable::lower(std::uint32_t index, std::vector<std::uint32_t>& words) {
  std::uint32_t to = 0;
  while (to < kShortDescriptors && (mad_ >> to & 1) != 0) ++to;
  if (to == kShortDescriptors) return std::nullopt;
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
