// Bodies that are called and stay functions: the registers that they use become parameters, those that they write results.
#include <map>
#include <set>
#include <string>
#include <utility>

#include <unshade/dxbc/program/limits.hpp>

#include "ir/dxbc/lowering.hpp"
#include "ir/operands.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

constexpr std::size_t kMostResults = 0xff;

bool begins_another(Opcode opcode) {
  return opcode == Opcode::label || opcode == Opcode::hs_control_point_phase || opcode == Opcode::hs_fork_phase ||
         opcode == Opcode::hs_join_phase;
}

}  // namespace

// The components of temporaries (register * 4 + component) that a body and what it calls use, and whether it writes them. False if it calls
// through interfaces, or is too long: `most` instructions are looked at.
bool Lowering::find_registers(Place place, std::uint64_t& most, std::map<std::uint32_t, bool>& registers,
                              std::set<std::uint32_t>& seen) const {
  std::vector<Place> waiting{place};
  while (!waiting.empty()) {
    const Place one = waiting.back();
    waiting.pop_back();
    if (!seen.insert(one.token).second) continue;
    dxbc::Decoder decoder(program_);
    decoder.skip(one.token - decoder.position());
    Instruction in;
    while (!decoder.at_end()) {
      if (most-- == 0 || !decoder.next(in)) return false;
      if (begins_another(in.opcode())) break;
      if (in.opcode() == Opcode::interface_call) return false;
      for (unsigned at = 0; at < in.total_operands; ++at) {
        const Operand& operand = in.operands[at];
        if (operand.type == OperandType::label) {
          const auto called = declared_.labels.find(operand.index[0]);
          if (called == declared_.labels.end()) return false;
          waiting.push_back(called->second);
        }
        if (operand.type != OperandType::temp) continue;
        if (operand.index[0] >= dxbc::program::kTempRegisters) return false;  // an error where it is lowered
        const bool is_written = at < in.info->shape.size() && at < in.operand_count && in.info->shape[at] == 'd';
        for (unsigned lane = 0; lane < 4; ++lane) {
          if (is_written && (mask(operand) >> lane & 1) == 0) continue;
          registers[operand.index[0] * 4 + (is_written ? lane : component(operand, lane))] |= is_written;
        }
      }
    }
  }
  return true;
}

void Lowering::lower_kept(Place place, KeptFunction& kept) {
  const std::string name = "label_" + std::to_string(place.index);
  Function& function = kept_functions_.emplace_back();
  kept.number = static_cast<std::uint32_t>(kept_functions_.size());
  auto callers = std::move(body_);
  const Source source = source_;
  start(function, name);
  from({});
  for (const TempComponent& one : kept.parameters) {
    const Id value = b().inst(Op::param, Type::i32, {}, {.extra = static_cast<std::uint32_t>(function.parameters.size())});
    function.parameters.push_back(Type::i32);
    body_->variables.write(temp(one.register_index, one.component), value);
  }
  function.results.assign(kept.results.size(), Type::i32);
  body(place);
  end(kept.results);
  body_ = std::move(callers);
  from(source);
}

// Calls a body as a function, if it can be one.
bool Lowering::keep_call(Place place) {
  if (!options_.keep_calls || program_.stage == dxbc::Stage::hull) return false;
  const auto [found, is_new] = kept_.try_emplace(place.token);
  KeptFunction& kept = found->second;
  if (is_new) {
    std::uint64_t most = declared_.instructions;
    std::map<std::uint32_t, bool> registers;
    std::set<std::uint32_t> seen;
    kept.is_kept = find_registers(place, most, registers, seen);
    for (const auto& [key, is_written] : registers) {
      const TempComponent one{key / 4, static_cast<std::uint8_t>(key % 4)};
      kept.parameters.push_back(one);
      if (is_written) kept.results.push_back(one);
    }
    kept.is_kept = kept.is_kept && kept.parameters.size() < kMostOperands && kept.results.size() <= kMostResults;
    if (kept.is_kept) lower_kept(place, kept);
  }
  if (!kept.is_kept || failed()) return kept.is_kept;
  inlined(1 + kept.parameters.size() + kept.results.size());
  std::vector<std::uint32_t> given;
  for (const TempComponent& one : kept.parameters)
    given.push_back(b().as(Type::i32, body_->variables.read(temp(one.register_index, one.component))));
  const auto count = static_cast<unsigned>(kept.results.size());
  const Id made = b().inst(Op::call, count == 0 ? Type::void_ : Type::i32, given, {.extra = kept.number, .results = count});
  for (unsigned at = 0; at < count; ++at) {
    const TempComponent& one = kept.results[at];
    body_->variables.write(temp(one.register_index, one.component), b().get(made, Type::i32, at));
  }
  return true;
}

}  // namespace unshade::ir::lower_dxbc
