#include "vm/prepare/allocate.hpp"

#include <string>

#include "vm/access.hpp"
#include "vm/prepare/slots.hpp"

namespace unshade::vm {

using ir::Id;
using ir::kNone;
using ir::Op;

// Constants, and what the preamble gives, keep their slots; the others share them as far as lanes that wait allow.
Result<Allocation> allocate(Program::Data& data, const Selection& selection, Operations& operations) {
  const ir::Function& function = *data.function;
  Allocation made;
  made.first.assign(function.insts.size(), kNone);
  std::vector<std::uint32_t> words(function.insts.size(), 0);
  std::uint32_t own = 0;
  for (Id id = 0; id < function.insts.size(); ++id) {
    const ir::Inst& inst = function.insts[id];
    if (inst.op == Op::constant || inst.op == Op::undef) {
      if (own > kMostSlots) break;
      const bool wide = is_wide(inst.type);
      made.first[id] = own;
      own += wide ? 2 : 1;
      data.constants.push_back({static_cast<std::uint16_t>(made.first[id]), wide, inst.op == Op::undef,
                                inst.op == Op::undef ? 0 : lane_bits(inst.type, ir::constant_bits(function, id))});
    } else if (selection.escapes[id]) {
      made.first[id] = own;
      own += words_of(function, id);
    }
  }
  const auto needs = [&](Id id) {
    if (!selection.escapes[id]) words[id] = words_of(function, id);
  };
  const auto of_list = [&](const std::vector<Operation>& list) {
    for (const Operation& one : list)
      if (one.has_slot()) needs(one.id);
  };
  of_list(operations.preamble);
  for (const std::vector<Operation>& block : operations.blocks) of_list(block);
  for (const ir::BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone && function.insts[id].op == Op::phi; id = function.next[id]) needs(id);
  }
  const std::vector<std::uint32_t> shared = allocate_slots({function, selection, words, own}, operations, made.spare);
  for (Id id = 0; id < shared.size(); ++id) {
    if (shared[id] != kNone) made.first[id] = shared[id];
  }
  made.slots = made.spare + 2;
  if (made.slots <= kMostSlots) return made;
  return Error{ErrorCode::limit, 0, function.name,
               "the function needs " + std::to_string(made.slots) + " values at once, and " + std::to_string(kMostSlots) + " are the most"};
}

}  // namespace unshade::vm
