#include "vm/prepare/emit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>

#include "vm/access.hpp"
#include "vm/prepare/parallel_copies.hpp"

namespace unshade::vm {
namespace {

using ir::BlockId;
using ir::Id;
using ir::kNone;
using ir::Op;
using ir::Type;

class Emitting {
 public:
  Emitting(Program::Data& data, const Selection& selection, const Allocation& allocation)
      : data_(data),
        f_(*data.function),
        selection_(selection),
        allocation_(allocation),
        divergence_(ir::find_divergence(data.module, f_)),
        most_slots_(allocation.slots) {}

  void run() {
    number_blocks();
    for (std::size_t at = 0; at < f_.order.size(); ++at) make_block(at);
    for (const BlockId block : f_.order) make_end(block);
    data_.slots = most_slots_;
  }

 private:
  std::uint16_t slot(Id id) const { return allocation_.slot(f_, selection_, id); }

  void number_blocks() {
    number_.assign(f_.blocks.size(), kNone);
    for (std::size_t at = 0; at < f_.order.size(); ++at) number_[f_.order[at]] = static_cast<std::uint32_t>(at);
    data_.blocks.resize(f_.order.size());
  }

  void make_block(std::size_t at) {
    const BlockId block = f_.order[at];
    BlockCode& made = data_.blocks[at];
    made.first = static_cast<std::uint32_t>(data_.code.size());
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      if (selection_.kernel[id] != kNoKernel) emit(id, made);
    }
    made.count = static_cast<std::uint32_t>(data_.code.size()) - made.first;
  }

  void emit(Id id, BlockCode& block) {
    const ir::Inst& inst = f_.insts[id];
    const auto operands = f_.operands_of(id);
    Code code;
    code.kernel = selection_.kernel[id];
    if (code.kernel != kAccess) {
      code.d = slot(id);
      std::uint16_t* const places[] = {&code.a, &code.b, &code.c, &code.more};
      for (std::size_t at = 0; at < operands.size() && at < 4; ++at) *places[at] = slot(operands[at]);
      code.extra = operands.size() > 4 ? slot(operands[4]) : inst.extra;
    } else {
      code.extra = static_cast<std::uint32_t>(data_.accesses.size());
      Access access{
          id, inst.op, machine_type(inst.type), inst.results, inst.flags, inst.extra, inst.results == 0 ? std::uint16_t{0} : slot(id), {}};
      for (const Id operand : operands) access.operands.push_back(slot(operand));
      access.uniform = operands.empty() || !divergence_.divergent[operands[0]];
      access.once = can_be_once(inst, access) && std::ranges::none_of(operands, [&](Id operand) { return divergence_.divergent[operand]; });
      access.function = access_function(access.op);
      access.component = transfer_component(data_.module, access);
      if (inst.op == Op::barrier) block.waits = (inst.extra & ir::kSyncGroup) != 0;
      data_.accesses.push_back(std::move(access));
    }
    data_.code.push_back(code);
    data_.origin.push_back(id);
  }

  // Whether an operation with the same operands in all lanes has the same result in all.
  bool can_be_once(const ir::Inst& inst, const Access& access) const {
    if (f_.irreducible) return false;  // an access writes the lanes that run alone there
    switch (inst.op) {
      case Op::handle:
      case Op::handle_from_heap:
      case Op::handle_null:
      case Op::handle_from_address:
      case Op::address_offset:
      case Op::cbuffer_load: return true;
      case Op::query_size:
      case Op::query_levels:
      case Op::query_samples:
      case Op::buffer_load: return !is_wide(access.type);  // a status may follow
      case Op::load: return data_.module.variables[inst.extra].space != ir::Space::private_;
      default: return false;
    }
  }

  // --- edges ---------------------------------------------------------------------------------------------------------------------------

  void make_end(BlockId block) {
    BlockCode& made = data_.blocks[number_[block]];
    const Id last = f_.blocks[block].last;
    const auto operands = f_.operands_of(last);
    made.first_edge = static_cast<std::uint32_t>(data_.edges.size());
    switch (f_.insts[last].op) {
      case Op::jump:
        made.end = BlockCode::End::jump;
        make_edge(block, operands[0]);
        break;
      case Op::branch:
        made.end = BlockCode::End::branch;
        made.condition = slot(operands[0]);
        make_edge(block, operands[1]);
        make_edge(block, operands[2]);
        break;
      case Op::switch_:
        made.end = BlockCode::End::switch_;
        made.condition = slot(operands[0]);
        made.wide = f_.insts[last].type == Type::i64;
        made.first_case = static_cast<std::uint32_t>(data_.cases.size());
        make_edge(block, operands[1]);
        for (std::size_t at = 2; at + 1 < operands.size(); at += 2) {
          data_.cases.push_back(ir::constant_bits(f_, operands[at]));
          make_edge(block, operands[at + 1]);
        }
        break;
      case Op::unreachable: made.end = BlockCode::End::unreachable; break;
      default: made.end = BlockCode::End::stop; break;
    }
    made.edge_count = static_cast<std::uint32_t>(data_.edges.size()) - made.first_edge;
  }

  void make_edge(BlockId from, BlockId to) {
    Edge edge{number_[to], static_cast<std::uint32_t>(data_.copies.size()), 0};
    const auto origins = f_.predecessors_of(to);
    const auto place = static_cast<std::size_t>(std::ranges::find(origins, from) - origins.begin());
    std::vector<Copy> waiting;
    for (Id id = f_.blocks[to].first; id != kNone && f_.insts[id].op == Op::phi; id = f_.next[id]) {
      const Copy copy{slot(f_.operands_of(id)[place]), slot(id), is_wide(f_.insts[id].type)};
      if (copy.from != copy.to) waiting.push_back(copy);
    }
    most_slots_ = std::max(most_slots_, append_in_order(std::move(waiting), allocation_.spare, data_.copies));
    edge.copy_count = static_cast<std::uint32_t>(data_.copies.size()) - edge.first_copy;
    data_.edges.push_back(edge);
  }

  Program::Data& data_;
  const ir::Function& f_;
  const Selection& selection_;
  const Allocation& allocation_;
  const ir::Divergence divergence_;
  std::vector<std::uint32_t> number_;  // of blocks in the order
  std::uint32_t most_slots_;
};

}  // namespace

void emit(Program::Data& data, const Selection& selection, const Allocation& allocation) { Emitting(data, selection, allocation).run(); }

}  // namespace unshade::vm
