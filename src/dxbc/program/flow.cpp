#include <unshade/dxbc/program/flow.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include "dxbc/program/opcode_table.hpp"

namespace unshade::dxbc::program {

namespace {

/// A word of the column `sem` of opcodes.def or of sm2_opcodes.def.
struct FlowWord {
  std::string_view sem;
  Flow flow;
};
constexpr FlowWord kWords[] = {
    {"if_", Flow::if_},
    {"if_compare", Flow::if_},
    {"else_", Flow::else_},
    {"end_if", Flow::end_if},
    {"loop_", Flow::loop},
    {"loop_counted", Flow::counted_loop},
    {"loop_repeat", Flow::counted_loop},
    {"end_loop", Flow::end_loop},
    {"switch_", Flow::switch_},
    {"case_", Flow::case_},
    {"default_", Flow::default_},
    {"end_switch", Flow::end_switch},
    {"break_", Flow::break_},
    {"break_if", Flow::break_if},
    {"break_compare", Flow::break_if},
    {"continue_", Flow::continue_},
    {"continue_if", Flow::continue_if},
    {"return_", Flow::return_},
    {"return_if", Flow::return_if},
};

constexpr Flow flow_of_sem(std::string_view sem) {
  const auto* const found = std::ranges::find(kWords, sem, &FlowWord::sem);
  return found != std::end(kWords) ? found->flow : Flow::plain;
}

constexpr Flow flow_of_row(std::size_t code) {
  switch (static_cast<Opcode>(code)) {
    case Opcode::label:
    case Opcode::hs_control_point_phase:
    case Opcode::hs_fork_phase:
    case Opcode::hs_join_phase: return Flow::body;
    case Opcode::hs_decls:
    case Opcode::customdata: return Flow::declaration;
    default: return kOpcodes[code].counted == Counted::dcl ? Flow::declaration : flow_of_sem(kOpcodes[code].sem);
  }
}

constexpr auto kFlows = [] {
  std::array<Flow, kOpcodeCount> flows{};
  for (std::size_t code = 0; code < kOpcodeCount; ++code) flows[code] = flow_of_row(code);
  return flows;
}();
static_assert(
    [] {
      for (std::size_t code = 0; code < kOpcodeCount; ++code) {
        const bool bounds = (kOpcodes[code].traits & (traits::opens | traits::closes)) != 0 || kFlows[code] == Flow::case_ ||
                            kFlows[code] == Flow::default_;
        if (bounds != bounds_construct(kFlows[code])) return false;
      }
      return true;
    }(),
    "opcodes.def: traits and sem must agree on which instructions open or close a block");

}  // namespace

Flow flow_of_word(std::string_view sem) { return flow_of_sem(sem); }

Flow flow_of(const Instruction& instruction) { return instruction.code < kOpcodeCount ? kFlows[instruction.code] : Flow::plain; }

}  // namespace unshade::dxbc::program
