// Operations of a program by the values that they read and make: what the steps of prepare() hand on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>

#include "vm/code.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

struct Operation {
  ir::Id id = ir::kNone;             ///< the instruction of the IR whose result it makes; of a pair the second
  ir::Id first = ir::kNone;          ///< of a pair the first, whose result the second alone needs
  std::uint16_t kernel = kNoKernel;  ///< its number, or kAccess
  std::uint16_t sum = 0;             ///< of one that adds up, a set of kFromLast and kDropped
  bool begins = true;                ///< a step: the last step does not go on with it
  std::uint32_t dies = 0;            ///< bit k: nothing reads operand k afterwards. allocate() finds this

  bool is_pair() const { return first != ir::kNone; }
  bool has_slot() const { return (sum & kDropped) == 0; }  ///< for its result, if there is one
};

/// Those of the preamble, then those of each block in the order of the function, without what the preamble computes.
struct Operations {
  std::vector<Operation> preamble;
  std::vector<std::vector<Operation>> blocks;
};

/// How many operands of the function's instructions each value is.
std::vector<std::uint32_t> count_uses(const ir::Function& function);

/// Calls `visit` with the number and the value of each operand: of a pair those of the first, then the other one of the second.
template <class Visit>
void for_each_operand(const ir::Function& function, const Operation& operation, Visit&& visit) {
  const auto operands = function.operands_of(operation.id);
  if (!operation.is_pair()) {
    for (std::size_t at = 0; at < operands.size(); ++at) visit(at, operands[at]);
    return;
  }
  const auto of_first = function.operands_of(operation.first);
  visit(std::size_t{0}, of_first[0]);
  visit(std::size_t{1}, of_first[1]);
  visit(std::size_t{2}, operands[operands[0] == operation.first ? 1 : 0]);
}

}  // namespace unshade::vm
