// How many operands an instruction has, and giving it others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// No instruction may have so many operands: verify() refuses it.
inline constexpr std::size_t kMostOperands = 0xffff;

/// Inst::operand_count of an instruction with so many operands; kMostOperands if there are more.
constexpr std::uint16_t operand_count(std::size_t operands) { return static_cast<std::uint16_t>(std::min(operands, kMostOperands)); }

/// Calls `visit` with each operand of an instruction that is a value; of a Function that may change, with a reference to it.
template <class F, class Visit>
void for_each_value(F& function, Id id, Visit visit) {
  const Op op = function.insts[id].op;
  const auto operands = function.operands_of(id);
  if (names_blocks(op)) {
    for (std::size_t at = 0; at < operands.size(); ++at)
      if (!is_block_operand(op, at)) visit(operands[at]);
  } else {
    for (auto& operand : operands) visit(operand);
  }
}

/// Makes room for about so many instructions, for a function that is built: what it has more than that grows as it comes.
inline void reserve(Function& function, std::size_t instructions) {
  constexpr std::size_t kMostReserved = 4096;
  instructions = std::min(instructions, kMostReserved);
  function.insts.reserve(instructions);
  function.operands.reserve(2 * instructions);
  function.next.reserve(instructions);
  function.previous.reserve(instructions);
  function.block_of.reserve(instructions);
  function.sources.reserve(instructions);
}

inline void set_operands(Function& function, Id id, std::span<const std::uint32_t> operands) {
  function.insts[id].first_operand = static_cast<std::uint32_t>(function.operands.size());
  function.insts[id].operand_count = operand_count(operands.size());
  function.operands.insert(function.operands.end(), operands.begin(), operands.end());
}

}  // namespace unshade::ir
