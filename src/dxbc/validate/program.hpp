// Checks of a token program by itself: the walk that holds what was declared so far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/core/findings.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/program/flow.hpp>
#include <unshade/dxbc/program/lanes.hpp>
#include <unshade/dxbc/program/limits.hpp>
#include <unshade/dxbc/program/rules.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "dxbc/validate/validate.hpp"
#include "dxbc/validate/written_temps.hpp"

namespace unshade::dxbc::validate {

/// Registers of inputs or outputs that a program or phase declares.
struct IoFile {
  std::array<std::uint8_t, program::kIoRegisters> mask{};
  std::array<std::array<std::uint8_t, program::kIoRegisters>, program::kStreams> by_stream{};
  std::uint32_t ranges = 0;    ///< registers in a dcl_indexrange, a bit each
  std::uint32_t vertices = 0;  ///< of two-dimensional inputs
};

struct Indexable {
  std::uint32_t count = 0;
  std::uint8_t mask = 0;
  std::uint32_t phase = 0;
};

using program::Flow;

/// Of an open construct.
struct Switch {
  bool has_entry = false;        ///< switch: a case or default was seen
  bool has_code = false;         ///< switch: since the last of them
  std::uint32_t first_case = 0;  ///< switch: of cases_
};

/// A place that is judged at the end.
struct Reference {
  OperandType type;
  std::uint32_t number;
  std::uint32_t instruction;
  std::uint32_t token;
};

class ProgramValidator {
 public:
  ProgramValidator(const dxcontainer::Part& part, const Program& program, Findings& findings)
      : part_(part), program_(program), findings_(findings), stage_(program::bit(program.stage)), collector_(program) {}

  program::ProgramFacts run();

 private:
  // --- reports
  std::uint64_t offset(std::uint32_t token) const { return part_.data.file_offset() + std::uint64_t{4} * token; }
  std::string path() const { return std::string(part_.name()) + "/instructions[" + number(index_) + ']'; }
  void report(const Rule& rule, std::string message) { findings_.add(rule, offset(in_.first_token), path(), text() + ": " + message); }
  /// At an instruction before.
  void report(const Rule& rule, const Reference& place, std::string_view operand, std::string message) {
    findings_.add(rule, offset(place.token),
                  std::string(part_.name()) + "/instructions[" + number(place.instruction) + ']' + std::string(operand),
                  std::move(message));
  }
  void report(const Rule& rule, unsigned slot, std::string message) {
    findings_.add(rule, offset(in_.first_token + in_.operands[slot].first_token), path() + "/operands[" + number(slot) + ']',
                  text() + ": " + message);
  }
  std::string text() const { return in_.info != nullptr ? std::string(in_.info->text) : "opcode " + number(in_.code); }
  static std::string name(const Operand& operand) {
    const OperandInfo* info = find_operand(operand.type);
    std::string label = info != nullptr ? std::string(info->text) : "operand type " + number(static_cast<unsigned>(operand.type));
    if (operand.dimensions != 0 && operand.relative[0] == kNoOperand) label += number(operand.index[0]);
    return label;
  }
  bool is_stage(program::Stages stages) const { return (stages & stage_) != 0; }
  bool has_flags(std::uint32_t flags) const { return (collector_.facts().stage.global_flags & flags) == flags; }

  // --- the whole
  void check_version();
  void instruction();
  void check_model();
  void check_length();
  void finish();
  void end_of_body();
  void begin_phase();
  void check_vertices();
  void check_vertex_scalars();
  void check_streams();

  // --- declarations
  void declaration();
  void declare_io();
  void declare_index_range();
  void declare_bound();
  void declare_shared();
  void declare_temps();
  void declare_custom();
  void once();
  void check_field(bool may_be_zero);
  void refer_to_list(OperandType type);
  void check_return_types(ReturnTypes types);
  void check_output_primitive();
  void declare_single(const program::OperandTraits& traits);
  void check_limit(bool holds, std::string message) {
    if (!holds) report(rules::kProgramLimit, std::move(message));
  }
  IoFile* file_of(OperandType type);

  // --- operands
  void operands();
  void operand(unsigned slot, char role);
  void check_modifier(unsigned slot);
  bool check_in_model(unsigned slot, const program::OperandTraits& traits);
  bool check_shape(unsigned slot, const program::OperandTraits& traits);
  void check_register(unsigned slot, const program::OperandTraits& traits, char role);
  void check_io(unsigned slot, char role);
  void check_single(unsigned slot, char role, const program::OperandTraits& traits);
  std::uint8_t single_components(OperandType type, const program::OperandTraits& traits) const;
  void check_lanes(unsigned slot);
  void check_bound(unsigned slot, char role);
  void check_access(unsigned slot, const program::DeclaredBinding& resource, bool is_single);
  const program::DeclaredBinding* declared(const Operand& operand) const;
  std::uint32_t accessed_dimension() const;
  WriteMask lanes_of(unsigned slot, char role) const;

  // --- what is read before it is written
  void read_temps();
  void write_temps();
  void report_unwritten();

  // --- flow
  void flow();
  void open(Flow flow) {
    if (flow_.depth() >= program::kFlowDepth) report(rules::kFlowDepth, "nested " + number(flow_.depth() + 1) + " deep");
    flow_.open(flow, {.first_case = static_cast<std::uint32_t>(cases_.size())});
  }
  void close_switch();

  const dxcontainer::Part& part_;
  const Program& program_;
  Findings& findings_;
  program::Stages stage_;
  program::FactsCollector collector_;
  Instruction in_;
  std::uint32_t index_ = 0;
  std::uint32_t phase_ = 0;  // counts hull phases, 0 before the first
  Opcode phase_kind_ = Opcode::nop;
  bool in_body_ = false;             // after the first instruction of the program or phase
  bool ended_ = false;               // the last instruction was ret
  bool has_control_points_ = false;  // a control point phase was seen
  bool has_icb_ = false;
  std::array<bool, 256> declared_{};  // by opcode: declarations of the whole
  std::uint32_t temps_ = 0;
  std::uint32_t indexable_registers_ = 0;
  std::uint32_t shared_bytes_ = 0;
  std::uint32_t icb_registers_ = 0;
  std::uint32_t streams_ = 0;                                                     // declared, a bit each
  program::OperandTypes special_ = 0;                                             // registers without a number that the phase declares
  std::array<std::uint8_t, std::size(program::kOperandTraits)> special_lanes_{};  // declared of them, by operand type
  IoFile input_, output_, input_points_, output_points_, patch_;
  std::array<std::uint8_t, program::kIoRegisters> positions_{};  // the components of inputs that are the position
  std::unordered_map<std::uint32_t, Indexable> indexable_;
  std::unordered_map<std::uint32_t, program::DeclaredBinding> buffers_, samplers_, resources_, uavs_, shared_;
  std::unordered_map<std::uint32_t, std::uint32_t> interfaces_;  // number of slots by first
  std::unordered_set<std::uint32_t> bodies_, tables_, labels_, body_labels_;
  std::vector<Reference> references_;
  std::vector<Reference> vertex_arrays_;  // declared inputs of several vertices, with their numbers
  std::vector<Reference> topologies_;     // declared of the streams
  Reference max_vertices_{};              // dcl_maxout, with its number
  program::Constructs<Switch> flow_;
  std::vector<std::uint32_t> cases_;
  WrittenTemps written_;
  std::unordered_map<std::uint32_t, Opcode> counters_;  // of UAVs, by what counts with them
};

}  // namespace unshade::dxbc::validate
