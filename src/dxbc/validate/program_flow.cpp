// Structured flow control: each construct must be closed, and be at a place where it is allowed.
#include <algorithm>
#include <string>

#include "dxbc/validate/program.hpp"

namespace unshade::dxbc::validate {

void ProgramValidator::end_of_body() {
  if (!flow_.empty()) report(rules::kFlowUnclosed, number(flow_.size()) + " constructs are not closed");
  if (!ended_) report(rules::kProgramReturn, "the code before it does not end with ret");
  flow_.clear();
  loops_ = switches_ = 0;
  cases_.clear();
  ended_ = false;
}

void ProgramValidator::close_switch() {
  const auto first = cases_.begin() + flow_.back().first_case;
  std::sort(first, cases_.end());
  if (const auto twice = std::adjacent_find(first, cases_.end()); twice != cases_.end())
    report(rules::kFlowCaseDuplicate, "two cases " + number(*twice) + " in the switch it closes");
  cases_.erase(first, cases_.end());
}

void ProgramValidator::flow() {
  const auto top_is = [&](Flow flow) { return !flow_.empty() && flow_.back().flow == flow; };
  const auto mismatch = [&](std::string_view opener) {
    written_.stop();
    report(rules::kFlowMismatch, "no matching " + std::string(opener));
  };
  const auto begin_case = [&] {
    Construct& top = flow_.back();
    // src: functional specification of Direct3D 11.3, "switch": Direct3D 10 allowed it.
    if (top.has_code && written_.is_reachable() && program_.major >= 5)
      report(rules::kFlowCaseFallthrough, "the code before it can continue here");
    top.has_entry = true;
    top.has_code = false;
    written_.begin_case(in_.opcode() == Opcode::default_);
  };
  if (top_is(Flow::switch_) && in_.opcode() != Opcode::nop && in_.opcode() != Opcode::case_ && in_.opcode() != Opcode::default_)
    flow_.back().has_code = true;
  switch (in_.opcode()) {
    case Opcode::if_:
      open(Flow::if_);
      written_.begin_if();
      break;
    case Opcode::else_:
      if (!top_is(Flow::if_)) return mismatch("if");
      flow_.back().flow = Flow::else_;
      written_.begin_else();
      break;
    case Opcode::endif:
      if (!top_is(Flow::if_) && !top_is(Flow::else_)) return mismatch("if");
      close();
      written_.end_block();
      break;
    case Opcode::loop:
      open(Flow::loop);
      written_.begin_loop(index_);
      break;
    case Opcode::endloop:
      if (!top_is(Flow::loop)) return mismatch("loop");
      close();
      written_.end_block();
      break;
    case Opcode::switch_:
      open(Flow::switch_);
      written_.begin_switch();
      break;
    case Opcode::endswitch:
      if (!top_is(Flow::switch_)) return mismatch("switch");
      close_switch();
      close();
      written_.end_block();
      break;
    case Opcode::case_: {
      if (!top_is(Flow::switch_)) return report(rules::kFlowCase, "not directly in a switch");
      begin_case();
      const Operand& value = in_.operands[0];
      if (value.type == OperandType::immediate32) cases_.push_back(value.literal[0]);
      break;
    }
    case Opcode::default_:
      if (!top_is(Flow::switch_)) return report(rules::kFlowCase, "not directly in a switch");
      if (flow_.back().has_default) report(rules::kFlowCase, "a second default");
      begin_case();
      flow_.back().has_default = true;
      break;
    case Opcode::break_:
    case Opcode::breakc:
      if (loops_ + switches_ == 0) report(rules::kFlowBreak, "not in a loop or switch");
      written_.leave_block(in_.opcode() == Opcode::break_);
      break;
    case Opcode::continue_:
    case Opcode::continuec:
      if (loops_ == 0) report(rules::kFlowBreak, "not in a loop");
      written_.leave(in_.opcode() == Opcode::continue_);
      break;
    case Opcode::ret: written_.leave(true); break;
    case Opcode::call:
    case Opcode::callc:
    case Opcode::interface_call: written_.call(); break;
    default: break;
  }
  if (in_.info->has(traits::literal) && in_.operands[0].type != OperandType::immediate32)
    report(rules::kFlowCase, "the operand of " + text() + " must be a literal");
}

}  // namespace unshade::dxbc::validate
