#include "vm/prepare/operations.hpp"

namespace unshade::vm {

std::vector<std::uint32_t> count_uses(const ir::Function& function) {
  std::vector<std::uint32_t> uses(function.insts.size());
  for (ir::Id id = 0; id < function.insts.size(); ++id) {
    if (function.block_of[id] == ir::kNone) continue;
    const auto operands = function.operands_of(id);
    for (std::size_t at = 0; at < operands.size(); ++at) {
      if (!ir::is_block_operand(function.insts[id].op, at)) ++uses[operands[at]];
    }
  }
  return uses;
}

}  // namespace unshade::vm
