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

inline void set_operands(Function& function, Id id, std::span<const std::uint32_t> operands) {
  function.insts[id].first_operand = static_cast<std::uint32_t>(function.operands.size());
  function.insts[id].operand_count = operand_count(operands.size());
  function.operands.insert(function.operands.end(), operands.begin(), operands.end());
}

}  // namespace unshade::ir
