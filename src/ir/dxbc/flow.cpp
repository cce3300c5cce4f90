// Blocks, calls, and the walk over a body's instructions.
#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/program/flow.hpp>

#include "ir/dxbc/lowering.hpp"
#include "ir/dxbc/semantics.hpp"
#include "ir/operands.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir::lower_dxbc {

using dxbc::program::Flow;

void Lowering::inlined(std::size_t count) {
  inlined_ += count;
  if (inlined_ > most_inlined(declared_.instructions)) fail(ErrorCode::limit, "too many instructions once functions are inlined");
}

// Lowers from a place to the return that ends the body, or to the label, phase or end after it. Early returns branch to a block that
// is the current one afterwards.
void Lowering::body(Place place) {
  frames_.push_back({.token = place.token});
  const std::size_t callers_floor = blocks().floor();
  blocks().set_floor(blocks().depth());
  const Instruction* const caller = in_;
  dxbc::Decoder decoder(program_);
  decoder.skip(place.token - decoder.position());
  Instruction current;
  for (std::uint32_t at = place.index; !decoder.at_end() && !failed(); ++at) {
    if (!decoder.next(current)) {
      error_ = decoder.error();
      break;
    }
    const Flow flow = dxbc::program::flow_of(current);
    if (flow == Flow::body) break;
    ++lowered_;
    inlined(1);
    in_ = &current;
    from({.instruction = at, .group = lowered_});
    if (blocks().reachable() || bounds_construct(flow)) {  // constructs that nothing reaches are opened and closed too
      if (flow == Flow::return_ && blocks().depth() == blocks().floor()) break;
      check_lanes();
      const Semantic& meaning = semantic_of(current.code);
      if (!failed()) (this->*meaning.lower)(meaning.op);
      if (!failed() && blocks().reachable()) name_written(current);
    }
    if (blocks().overflows()) fail(ErrorCode::limit, "too many blocks");
    if (error_ && error_->path.empty()) {
      error_->offset = current.bytes.file_offset();
      error_->path = "instructions[" + std::to_string(at) + ']';
    }
  }
  if (!failed() && blocks().depth() != blocks().floor()) {
    error_ = Error{ErrorCode::bad_value, program_.tokens.file_offset() + std::uint64_t{4} * place.token,
                   "instructions[" + std::to_string(place.index) + ']', "a block is not closed in the code from here on"};
  }
  blocks().set_floor(callers_floor);
  in_ = caller;
  const BlockId exit = frames_.back().exit;
  frames_.pop_back();
  if (exit != kNone && !failed()) blocks().behind(exit);
}

void Lowering::from(Source source) {
  source_ = source;
  b().from(source);
}

// Reports what is wrong with the place of the instruction, if anything is.
void Lowering::check(std::string fault) {
  if (!fault.empty()) fail(ErrorCode::bad_value, std::move(fault));
}

// What its row allows of the components of operands is what the functions of this room rely on.
void Lowering::check_lanes() {
  for (unsigned slot = 0; slot < in_->info->lanes.size() && slot < in_->operand_count; ++slot) {
    if (dxbc::program::lane_fault(*in_, slot) == dxbc::program::LaneFault::none) continue;
    return fail(ErrorCode::bad_value, "operand " + std::to_string(slot) + " of " + std::string(in_->info->text) + " must have " +
                                          std::string(dxbc::program::lane_text(*in_, slot)));
  }
}

void Lowering::if_block(Op) {
  bool if_set = false;
  const Id value = blocks().reachable() ? condition(if_set) : kNone;
  blocks().begin_if(value, if_set);
}

void Lowering::else_block(Op) { check(blocks().begin_else()); }
void Lowering::end_if(Op) { check(blocks().end_if()); }
void Lowering::loop_block(Op) { blocks().begin_loop(); }

void Lowering::end_loop(Op) {
  check(blocks().end_loop([] {}));
}

void Lowering::switch_block(Op) {
  blocks().begin_switch(blocks().reachable() ? b().as(Type::i32, source_lane(operand(0), 0, Type::i32)) : kNone, source_);
}

void Lowering::case_label(Op) {
  if (in_->opcode() == Opcode::default_) return check(blocks().begin_case(std::nullopt));
  if (operand(0).type != OperandType::immediate32) return fail(ErrorCode::bad_value, "the operand of case must be a literal");
  check(blocks().begin_case(operand(0).literal[0]));
}

void Lowering::end_switch(Op) { check(blocks().end_switch()); }

// Always, or by the condition of the instruction.
void Lowering::leave(BlockId& target) {
  if (in_->operand_count == 0) return blocks().leave(target);
  bool if_set = false;
  const Id value = condition(if_set);
  blocks().leave_if(target, value, if_set);
}

void Lowering::break_out(Op) {
  // guess: what Direct3D would refuse, a break outside of loops, ends the body. observed: in a test of vkd3d
  BlockId* const target = blocks().break_target();
  leave(target == nullptr ? frames_.back().exit : *target);
}

void Lowering::continue_loop(Op) {
  BlockId* const target = blocks().continue_target();
  if (target == nullptr) return fail(ErrorCode::bad_value, std::string(in_->info->text) + " must be in a loop");
  leave(*target);
}

void Lowering::return_from(Op) { leave(frames_.back().exit); }

void Lowering::call_body(const std::unordered_map<std::uint32_t, Place>& places, std::uint32_t number) {
  const auto found = places.find(number);
  if (found == places.end()) return fail(ErrorCode::missing, "there is no label " + std::to_string(number));
  if (frames_.size() > limits::kCallDepth) return fail(ErrorCode::limit, "calls are nested too deeply");
  const auto is_same = [&](const Frame& frame) { return frame.token == found->second.token; };
  if (std::ranges::any_of(frames_, is_same)) return fail(ErrorCode::cycle, "label " + std::to_string(number) + " calls itself");
  if (!keep_call(found->second)) body(found->second);
}

void Lowering::call(Op) {
  const Operand& target = operand(in_->operand_count - 1U);
  if (target.type != OperandType::label) return fail(ErrorCode::bad_value, "the operand of call must be a label");
  if (in_->operand_count == 1) return call_body(declared_.labels, target.index[0]);
  const std::uint32_t number = target.index[0];
  bool if_set = false;
  const Id value = condition(if_set);
  const BlockId called = blocks().make();
  const BlockId next = blocks().make();
  b().function().blocks[b().at()].merge = next;
  b().branch(value, if_set ? called : next, if_set ? next : called);
  body_->variables.seal(called);
  blocks().go_on(called);
  call_body(declared_.labels, number);
  if (!failed()) blocks().behind(next);
}

// A switch over the classes of each slot that the operand can name; within it each class's function.
void Lowering::call_interface(Op) {
  const Operand& target = operand(0);
  const std::uint32_t call_site = in_->words[0];
  const auto found = std::ranges::find_if(
      declared_.interfaces, [&](const Interface& interface) { return target.index[0] - interface.first_slot < interface.slots; });
  if (target.type != OperandType::interface || found == declared_.interfaces.end()) {
    return fail(ErrorCode::missing, "interface " + std::to_string(target.index[0]) + " is not declared");
  }
  const Interface& interface = *found;
  if (target.dimensions < 2 || target.relative[1] == dxbc::kNoOperand) {
    const std::uint32_t slot = interface.first_slot + (target.dimensions < 2 ? 0 : target.index[1]);
    return call_slot(interface, slot, call_site);
  }
  const Id slot = index(target, 1);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t at = 0; at < interface.slots; ++at) numbers.push_back(at);
  choose_block(slot, numbers, [&](std::uint32_t at) { call_slot(interface, interface.first_slot + at, call_site); });
}

void Lowering::call_slot(const Interface& interface, std::uint32_t slot, std::uint32_t call_site) {
  const Id bound_class = b().inst(Op::interface_slot, Type::i32, {}, {.extra = slot});
  std::vector<std::uint32_t> classes;
  std::vector<std::uint32_t> bodies;
  for (std::uint32_t at = 0; at < interface.tables.size(); ++at) {
    const auto table = declared_.tables.find(interface.tables[at]);
    if (table == declared_.tables.end() || call_site >= table->second.size()) continue;
    classes.push_back(at);
    bodies.push_back(table->second[call_site]);
  }
  std::size_t next = 0;
  choose_block(bound_class, classes, [&](std::uint32_t) { call_body(declared_.bodies, bodies[next++]); });
}

// Calls `make` once for each number, in a block of its own that is reached if `value` is that number; otherwise nothing happens.
template <class Make>
void Lowering::choose_block(Id value, std::span<const std::uint32_t> numbers, Make make) {
  inlined(numbers.size());
  if (2 * numbers.size() + 2 >= kMostOperands) fail(ErrorCode::limit, "the interface call has too many targets");
  if (failed()) return;
  const BlockId next = blocks().make();
  const BlockId head = b().at();
  std::vector<std::uint32_t> cases;
  for (const std::uint32_t number : numbers) cases.insert(cases.end(), {b().i32(number), blocks().make()});
  b().function().blocks[head].merge = next;
  if (cases.empty()) {
    b().jump(next);
  } else {
    b().switch_on(value, next, cases);
  }
  b().at(kNone);
  for (std::size_t at = 0; at < numbers.size() && !failed(); ++at) {
    const BlockId block = cases[2 * at + 1];
    body_->variables.seal(block);
    blocks().go_on(block);
    make(numbers[at]);
    if (blocks().reachable()) b().jump(next);
    b().at(kNone);
  }
  if (!failed()) blocks().behind(next);
}

}  // namespace unshade::ir::lower_dxbc
