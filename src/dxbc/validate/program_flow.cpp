// Structured flow control: each construct must be closed, and be at a place where it is allowed.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "dxbc/validate/program.hpp"

namespace unshade::dxbc::validate {

void ProgramValidator::end_of_body() {
  if (!flow_.empty()) report(rules::kFlowUnclosed, number(flow_.depth()) + " constructs are not closed");
  if (!ended_) report(rules::kProgramReturn, "the code before it does not end with ret");
  flow_.clear();
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
  const Flow flow = program::flow_of(in_);
  if (!flow_.empty() && flow_.back().kind == Flow::switch_ && in_.opcode() != Opcode::nop && flow != Flow::case_ && flow != Flow::default_)
    flow_.back().has_code = true;
  auto* const own = flow_.owner_of(flow);
  const auto is_matched = [&](std::string_view opener) {
    if (own != nullptr) return true;
    written_.stop();
    report(rules::kFlowMismatch, "no matching " + std::string(opener));
    return false;
  };
  switch (flow) {
    case Flow::if_:
      open(flow);
      written_.begin_if();
      break;
    case Flow::else_:
      if (!is_matched("if")) return;
      own->has_else = true;
      written_.begin_else();
      break;
    case Flow::end_if:
      if (!is_matched("if")) return;
      flow_.close();
      written_.end_block();
      break;
    case Flow::loop:
      open(flow);
      written_.begin_loop(index_);
      break;
    case Flow::end_loop:
      if (!is_matched("loop")) return;
      flow_.close();
      written_.end_block();
      break;
    case Flow::switch_:
      open(flow);
      written_.begin_switch();
      break;
    case Flow::end_switch:
      if (!is_matched("switch")) return;
      close_switch();
      flow_.close();
      written_.end_block();
      break;
    case Flow::case_:
    case Flow::default_: {
      if (own == nullptr) return report(rules::kFlowCase, "not directly in a switch");
      const bool is_default = flow == Flow::default_;
      if (is_default && std::exchange(own->has_else, true)) report(rules::kFlowCase, "a second default");
      // src: functional specification of Direct3D 11.3, "switch": Direct3D 10 allowed it.
      if (own->has_code && written_.is_reachable() && program_.major >= 5)
        report(rules::kFlowCaseFallthrough, "the code before it can continue here");
      own->has_entry = true;
      own->has_code = false;
      written_.begin_case(is_default);
      const Operand& value = in_.operands[0];
      if (!is_default && value.type == OperandType::immediate32) cases_.push_back(value.literal[0]);
      break;
    }
    case Flow::break_:
    case Flow::break_if:
      if (own == nullptr) report(rules::kFlowBreak, "not in a loop or switch");
      written_.leave_block(flow == Flow::break_);
      break;
    case Flow::continue_:
    case Flow::continue_if:
      if (own == nullptr) report(rules::kFlowBreak, "not in a loop");
      written_.leave(flow == Flow::continue_);
      break;
    case Flow::return_: written_.leave(true); break;
    default:
      if (in_.opcode() == Opcode::call || in_.opcode() == Opcode::callc || in_.opcode() == Opcode::interface_call) written_.call();
      break;
  }
  if (in_.info->has(traits::literal) && in_.operands[0].type != OperandType::immediate32)
    report(rules::kFlowCase, "the operand of " + text() + " must be a literal");
}

}  // namespace unshade::dxbc::validate
