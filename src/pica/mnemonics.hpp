// Mnemonics by their letters: a perfect hash made from instructions.def when the code is compiled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/pica/instruction.hpp>

#include "pica/packed_text.hpp"

namespace unshade::pica::mnemonics {

inline constexpr unsigned kLongest = 7;

struct Row {
  std::uint64_t key = 0;  ///< of the lower case letters; 0: nothing here
  Opcode opcode = Opcode::unknown;
  bool is_inverted = false;         ///< the wide source is another than that of its twin
  std::uint8_t plain_operands = 0;  ///< of those that write a register from registers: how many operands they have
};

inline constexpr unsigned kSlotBits = 8;
using Rows = std::array<Row, 1U << kSlotBits>;

constexpr std::size_t slot(std::uint64_t key, std::uint64_t multiplier) {
  return static_cast<std::size_t>(key * multiplier >> (64 - kSlotBits));
}

/// False if two mnemonics meet.
constexpr bool fill(Rows& rows, std::uint64_t multiplier) {
  bool apart = true;
  const auto add = [&](std::string_view text, Opcode opcode, Format form, std::string_view shape) {
    const std::uint64_t key = packed::load(text.data(), text.size());
    Row& row = rows[slot(key, multiplier)];
    apart = apart && row.key == 0 && text.size() <= kLongest;
    row = {key, opcode, form == Format::f1i || form == Format::f5i, static_cast<std::uint8_t>(shape.starts_with("ds") ? shape.size() : 0)};
  };
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) add(text, Opcode::id, Format::format, shape);
#include <unshade/pica/instructions.def>
#undef PICA_OP
  return apart;
}

inline constexpr std::uint64_t kMultiplier = [] {
  std::uint64_t multiplier = 0x9e37'79b9'7f4a'7c15;
  for (unsigned i = 0; i < 1000; ++i, multiplier = multiplier * 6364136223846793005U + 1442695040888963407U) {
    Rows rows{};
    if (fill(rows, multiplier)) return multiplier;
  }
  return std::uint64_t{0};
}();
static_assert(kMultiplier != 0, "no multiplier keeps the mnemonics apart: more slots, or a longer search");

inline constexpr Rows kRows = [] {
  Rows rows{};
  fill(rows, kMultiplier);
  return rows;
}();

/// The row of a key made of lower case letters; one with another key if there is none.
inline const Row& at(std::uint64_t key) { return kRows[slot(key, kMultiplier)]; }

inline Opcode find(std::string_view text) {
  if (text.empty() || text.size() > kLongest) return Opcode::unknown;
  const auto size = static_cast<unsigned>(text.size());
  const std::uint64_t key = packed::first(packed::lower(packed::load(text.data(), size)), size);
  const Row& row = at(key);
  return row.key == key ? row.opcode : Opcode::unknown;
}

}  // namespace unshade::pica::mnemonics
