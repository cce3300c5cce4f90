// Which bits of its operand descriptor an instruction is held to depend on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/pica/instruction.hpp>

namespace unshade::pica {

namespace care {

/// Selector bits of one source for the components that `components` names (bit 3 is component 0).
constexpr std::uint32_t selector_bits(unsigned components) {
  std::uint32_t bits = 0;
  for (unsigned place = 0; place < 4; ++place)
    if ((components >> (3 - place) & 1) != 0) bits |= 3U << (6 - 2 * place);
  return bits;
}

inline constexpr auto kSelectorBits = [] {
  std::array<std::uint32_t, 16> table{};
  for (unsigned i = 0; i < 16; ++i) table[i] = selector_bits(i);
  return table;
}();

inline constexpr unsigned kFour = 0xf;
inline constexpr unsigned kThree = 0xe;
inline constexpr unsigned kTwo = 0xc;
inline constexpr unsigned kOne = 0x8;

constexpr std::uint32_t source_care(unsigned source, unsigned components) {
  return 1U << descriptor::kNegate[source].first | kSelectorBits[components] << descriptor::kSelectors[source].first;
}

constexpr std::uint32_t care_of(Lanes lanes, std::string_view shape, unsigned mask) {
  unsigned components = kFour;
  switch (lanes) {
    case Lanes::each: components = mask; break;
    case Lanes::one: components = kOne; break;
    case Lanes::two: components = kTwo; break;
    case Lanes::pair: components = mask & kTwo; break;
    case Lanes::three: components = kThree; break;
    default: break;
  }
  std::uint32_t care = shape.find_first_of("da") != std::string_view::npos ? 0xf : 0;
  unsigned source = 0;
  for (const char letter : shape) {
    if (letter != 's') continue;
    unsigned read = components;
    if (lanes == Lanes::head) read = source == 0 ? kThree : kFour;
    if (lanes == Lanes::two && source == 1) read = kFour;
    care |= source_care(source++, read);
  }
  return care;
}

inline constexpr std::size_t kOpcodes = 65;
inline constexpr unsigned kMasks = 16;
inline constexpr auto kCares = [] {
  std::array<std::array<std::uint32_t, kMasks>, kOpcodes> table{};
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) \
  for (unsigned mask = 0; mask < kMasks; ++mask) table[code][mask] = care_of(Lanes::lanes, shape, mask);
#include <unshade/pica/instructions.def>
#undef PICA_OP
  return table;
}();

}  // namespace care

/// The bits of a descriptor that picasso holds an instruction to depend on. That is more than the hardware reads: of `cmp` only the first
/// source is freed of components 2 and 3, and `dst`, `dp4` and `litp` keep all. observed: picasso 2.7.2
constexpr std::uint32_t descriptor_care(Opcode opcode, std::uint32_t descriptor) {
  return care::kCares[static_cast<std::size_t>(opcode)][descriptor % care::kMasks];
}

/// The bits of a descriptor that the operands of an instruction state, whether it depends on them or not.
constexpr std::uint32_t stated_bits(std::string_view shape) {
  std::uint32_t bits = 0;
  unsigned source = 0;
  for (const char letter : shape) {
    if (letter == 'd' || letter == 'a') bits |= 0xf;
    if (letter == 's') bits |= care::source_care(source++, care::kFour);
  }
  return bits;
}

}  // namespace unshade::pica
