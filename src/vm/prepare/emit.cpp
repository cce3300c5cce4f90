#include "vm/prepare/emit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <unshade/ir/extra.hpp>
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
  Emitting(Program::Data& data, const Selection& selection, const Operations& operations, const Allocation& allocation, Results results)
      : data_(data),
        f_(*data.function),
        selection_(selection),
        operations_(operations),
        allocation_(allocation),
        divergence_(ir::find_divergence(data.module, f_)),
        most_slots_(allocation.slots) {
    if (results == Results::used) count_results();
  }

  void run() {
    number_blocks();
    for (const Operation& one : operations_.preamble) emit(one);
    data_.preamble_steps = static_cast<std::uint32_t>(data_.steps.size());
    for (std::size_t at = 0; at < f_.order.size(); ++at) make_block(at);
    for (const BlockId block : f_.order) make_end(block);
    data_.slots = most_slots_;
  }

 private:
  std::uint16_t slot(Id id) const { return allocation_.slot(selection_, id); }

  // Of each instruction of several results, how many there are up to the last that is used.
  void count_results() {
    used_results_.assign(f_.insts.size(), 0);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (f_.insts[id].op != Op::get) continue;
        std::uint8_t& used = used_results_[f_.operands_of(id)[0]];
        used = std::max(used, static_cast<std::uint8_t>(f_.insts[id].extra + 1));
      }
    }
  }
  std::uint8_t results_of(Id id) const {
    const ir::Inst& inst = f_.insts[id];
    const bool may_be_fewer = inst.results > 1 && ((inst.op == Op::buffer_load && !ir::BufferExtra(inst.extra).has_status) ||
                                                   (inst.op == Op::texel_load && !ir::TextureExtra(inst.extra).has_status));
    return may_be_fewer && !used_results_.empty() ? std::max<std::uint8_t>(1, used_results_[id]) : inst.results;
  }

  void number_blocks() {
    number_.assign(f_.blocks.size(), kNone);
    for (std::size_t at = 0; at < f_.order.size(); ++at) number_[f_.order[at]] = static_cast<std::uint32_t>(at);
    data_.blocks.resize(f_.order.size());
  }

  void make_block(std::size_t at) {
    const ir::Block& block = f_.blocks[f_.order[at]];
    BlockCode& made = data_.blocks[at];
    for (Id id = block.first; id != kNone; id = f_.next[id]) {
      if (selection_.kernel[id] != kNoKernel) ++made.operations;
      if (f_.insts[id].op == Op::barrier) made.waits = (f_.insts[id].extra & ir::kSyncGroup) != 0;
    }
    made.first = static_cast<std::uint32_t>(data_.code.size());
    made.first_step = static_cast<std::uint32_t>(data_.steps.size());
    for (const Operation& one : operations_.blocks[at]) emit(one);
    made.count = static_cast<std::uint32_t>(data_.code.size()) - made.first;
    made.step_count = static_cast<std::uint32_t>(data_.steps.size()) - made.first_step;
  }

  void emit(const Operation& one) {
    if (one.kernel == kAccess) {
      emit_access(one);
    } else {
      emit_kernel(one);
    }
    data_.origin.push_back(one.id);
    data_.dies.push_back(static_cast<std::uint8_t>(one.dies));
  }

  void add_to_step(bool begins, Step::Kind kind, std::size_t first, Kernel kernel = nullptr) {
    if (begins) data_.steps.push_back({kernel, kind, static_cast<std::uint32_t>(first), 0});
    ++data_.steps.back().count;
  }

  void emit_kernel(const Operation& one) {
    Code code;
    code.kernel = one.kernel;
    code.d = slot(one.id);
    code.extra = one.is_pair() ? 0 : f_.insts[one.id].extra;
    for_each_operand(f_, one, [&](std::size_t at, Id operand) {
      std::uint16_t* const places[] = {&code.a, &code.b, &code.c, &code.more};
      if (at < 4) {
        *places[at] = slot(operand);
      } else {
        code.extra = slot(operand);
      }
    });
    code.more = static_cast<std::uint16_t>(code.more | one.sum);
    add_to_step(one.begins, Step::Kind::kernel, data_.code.size(), data_.kernels[code.kernel]);
    data_.code.push_back(code);
  }

  void emit_access(const Operation& one) {
    const Id id = one.id;
    const ir::Inst& inst = f_.insts[id];
    const auto operands = f_.operands_of(id);
    const auto number = static_cast<std::uint32_t>(data_.accesses.size());
    Access access{
        id, inst.op, machine_type(inst.type), results_of(id), inst.flags, inst.extra, inst.results == 0 ? std::uint16_t{0} : slot(id), {}};
    for (const Id operand : operands) access.operands.push_back(slot(operand));
    // queries have no coordinates
    const ir::OpInfo& info = ir::info(inst.op);
    if (info.extra == ir::Extra::texture && info.operands.ends_with('*')) access.texture = texture_slots(access);
    access.dies = one.dies;
    access.uniform = operands.empty() || !divergence_.divergent[operands[0]];
    access.once = can_be_once(inst, access) && std::ranges::none_of(operands, [&](Id operand) { return divergence_.divergent[operand]; });
    access.function = access_function(access.op);
    if (const std::uint32_t component = transfer_component(data_.module, inst); component != kNone) {
      const bool reads = inst.op == Op::input;
      add_to_step(one.begins, reads ? Step::Kind::inputs : Step::Kind::outputs, data_.transfers.size());
      data_.transfers.push_back({component, reads ? access.first_result : access.operands.back(), number});
    } else {
      add_to_step(one.begins, Step::Kind::access, number);
    }
    data_.accesses.push_back(std::move(access));
    Code code;
    code.kernel = kAccess;
    code.extra = number;
    data_.code.push_back(code);
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
  const Operations& operations_;
  const Allocation& allocation_;
  const ir::Divergence divergence_;
  std::vector<std::uint32_t> number_;       // of blocks in the order
  std::vector<std::uint8_t> used_results_;  // of instructions; empty: all are
  std::uint32_t most_slots_;
};

}  // namespace

void emit(Program::Data& data, const Selection& selection, const Operations& operations, const Allocation& allocation, Results results) {
  Emitting(data, selection, operations, allocation, results).run();
}

}  // namespace unshade::vm
