#include "dxbc/validate/program.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/dxbc/program/features.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::validate {

void ProgramValidator::check_version() {
  const std::string version = number(program_.major) + '.' + number(program_.minor);
  const bool known_model = (program_.major == 4 || program_.major == 5) && program_.minor <= 1;
  const bool known_stage = static_cast<unsigned>(program_.stage) <= 5;
  if (!known_stage || !known_model || (program_.major == 4 && is_stage(program::kHull | program::kDomain))) {
    findings_.add(rules::kProgramVersion, offset(0), std::string(part_.name()) + "/version",
                  "stage " + number(static_cast<unsigned>(program_.stage)) + ", shader model " + version);
  }
  if (program_.major >= 5 && part_.fourcc == dxcontainer::fourcc("SHDR"))
    findings_.add(rules::kProgramPartName, offset(0), part_.name(), "shader model " + version + " in SHDR");
  if (part_.data.size() != program_.tokens.size()) {
    findings_.add(rules::kProgramTrailingBytes, part_.data.file_offset() + program_.tokens.size(), part_.name(),
                  number(part_.data.size() - program_.tokens.size()) + " bytes after the program");
  }
}

program::ProgramFacts ProgramValidator::run() {
  check_version();
  Decoder decoder(program_);
  while (!decoder.at_end()) {
    if (!decoder.next(in_)) {
      const Error& error = decoder.error();
      findings_.add(rules::kProgramUndecodable, error.offset, std::string(part_.name()) + '/' + error.path,
                    std::string(id(error.code)) + ": " + error.message);
      return collector_.facts();
    }
    collector_.visit(in_);
    instruction();
    ++index_;
  }
  finish();
  return collector_.finish();
}

void ProgramValidator::instruction() {
  if (in_.info == nullptr) {
    in_body_ = true;
    ended_ = false;
    return report(rules::kInstructionUnknown, "unknown opcode");
  }
  const Opcode opcode = in_.opcode();
  if (opcode == Opcode::reserved0 || opcode == Opcode::reserved1 || opcode == Opcode::reserved2 || opcode == Opcode::reserved3)
    report(rules::kInstructionReserved, "reserved opcode");
  check_model();
  check_length();
  if (in_.info->counted == Counted::dcl) {
    if (in_body_) report(rules::kProgramDeclarationLate, "declaration after instructions");
    return declaration();
  }
  if (opcode == Opcode::customdata) return declare_custom();
  if (in_.info->counted == Counted::phase) {
    if (opcode == Opcode::label) {
      end_of_body();
      in_body_ = true;
      written_.begin_function();
      const Operand& label = in_.operands[0];
      if (label.type != OperandType::label && label.type != OperandType::function_body)
        report(rules::kOperandKind, 0, name(label) + " is not a label");
      auto& known = label.type == OperandType::function_body ? body_labels_ : labels_;
      if (!known.insert(label.index[0]).second) report(rules::kRegisterRedeclared, 0, "a second label " + name(label));
      return;
    }
    return begin_phase();
  }
  if (!is_stage(in_.info->stages)) report(rules::kInstructionStage, "not in " + std::string(id(program_.stage)) + " shaders");
  if (opcode == Opcode::sync && !is_stage(program::kCompute) && (in_.sync().threads || in_.sync().group_memory))
    report(rules::kInstructionStage, "group barriers are only valid in compute shaders");
  in_body_ = true;
  ended_ = opcode == Opcode::ret;
  if (!flow_.empty() && flow_.back().kind == Flow::switch_ && !flow_.back().has_entry && opcode != Opcode::case_ &&
      opcode != Opcode::default_ && opcode != Opcode::endswitch && opcode != Opcode::nop) {
    report(rules::kFlowSwitchEntry, "before the first case of a switch");
    flow_.back().has_entry = true;
  }
  read_temps();
  flow();
  operands();
  write_temps();
}

void ProgramValidator::check_model() {
  const Opcode opcode = in_.opcode();
  const program::Features needed = program::features_of(opcode, program_);
  if (!program::is_in_model(opcode, program_) && !(program_.major == 4 && in_.info->has(traits::raw_structured)))
    report(rules::kInstructionModel, "not in shader model " + number(program_.major) + '.' + number(program_.minor));
  if (std::string fault = program::model_fault(in_, program_); !fault.empty()) report(rules::kInstructionModel, std::move(fault));
  if ((needed & program::kShaderExtensions) != 0 && !has_flags(program::kFlagShaderExtensions))
    report(rules::kFlagsShaderExtensions, "without enable11_1ShaderExtensions");
  if ((needed & program::kRawStructured4) != 0 && !has_flags(program::kFlagRawStructured))
    report(rules::kFlagsRawStructured, "without enableRawAndStructuredBuffers");
  if ((needed & program::kDoubleExtensions) != 0) {
    if (!has_flags(program::kFlagDouble | program::kFlagDoubleExtensions))
      report(rules::kFlagsDouble, "without enableDoublePrecisionFloatOps and enable11_1DoubleExtensions");
  } else if ((needed & program::kDoubles) != 0 && !has_flags(program::kFlagDouble)) {
    report(rules::kFlagsDouble, "without enableDoublePrecisionFloatOps");
  }
}

void ProgramValidator::check_length() {
  if (in_.opcode() == Opcode::customdata) return;
  const std::uint32_t used = in_.used_tokens();
  if (used == in_.length_tokens) return;
  if (used + 1 == in_.length_tokens && in_.info->has(traits::spare)) return;
  report(rules::kInstructionLength, number(in_.length_tokens) + " tokens stated, " + number(used) + " used");
}

void ProgramValidator::begin_phase() {
  const Opcode opcode = in_.opcode();
  if (!is_stage(program::kHull)) return report(rules::kInstructionStage, "only in hull shaders");
  if (phase_ != 0 && phase_kind_ != Opcode::hs_decls) end_of_body();
  report_unwritten();
  written_.begin(0);
  // hs_decls, control point, fork and join are in the order of their opcodes; only forks and joins repeat.
  if (phase_ == 0 ? opcode != Opcode::hs_decls
                  : opcode < phase_kind_ || (opcode == phase_kind_ && opcode <= Opcode::hs_control_point_phase))
    report(rules::kHullPhase, "out of order");
  phase_kind_ = opcode;
  has_control_points_ = has_control_points_ || opcode == Opcode::hs_control_point_phase;
  ++phase_;
  in_body_ = false;
  ended_ = opcode == Opcode::hs_decls;
  temps_ = 0;
  indexable_registers_ = 0;
  special_ = 0;
  special_lanes_ = {};
  positions_ = {};
  input_ = output_ = input_points_ = output_points_ = patch_ = {};
}

void ProgramValidator::check_vertices() {
  const Statistics& counted = collector_.facts().counted;
  for (const Reference& array : vertex_arrays_) {
    const bool is_own = array.type == OperandType::output_control_point;
    const bool is_patch = is_own || (is_stage(program::kDomain) && array.type == OperandType::input_control_point);
    const std::uint32_t vertices = is_patch ? counted.control_point_count : dxcontainer::vertices_of(counted.input_primitive);
    // None: that they are not declared is a finding of its own.
    if (vertices == 0 || array.number <= vertices) continue;
    report(rules::kRegisterVertices, array, "/operands[0]",
           number(array.number) + " vertices are declared, but the " + (is_stage(program::kGeometry) ? "primitive" : "patch") + " has " +
               number(vertices));
  }
}

void ProgramValidator::check_vertex_scalars() {
  std::uint32_t most = 0;
  for (const auto& masks : output_.by_stream) {
    std::uint32_t scalars = 0;
    for (const std::uint8_t mask : masks) scalars += static_cast<std::uint32_t>(std::popcount(mask));
    most = std::max(most, scalars);
  }
  const std::uint64_t all = std::uint64_t{max_vertices_.number} * most;
  if (all > program::kMaxVertexScalars)
    report(rules::kProgramLimit, max_vertices_, "",
           number(max_vertices_.number) + " vertices of " + number(most) + " components, " + number(all) + " in all, the limit is " +
               number(program::kMaxVertexScalars));
}

// DXC's rule for DXIL is SM.MULTISTREAMMUSTBEPOINT.
void ProgramValidator::check_streams() {
  const int streams = std::popcount(streams_);
  if (streams < 2) return;
  for (const Reference& declared : topologies_) {
    const auto topology = static_cast<dxcontainer::OutputTopology>(declared.number);
    if (topology == dxcontainer::OutputTopology::point_list) continue;
    report(rules::kGeometryStreams, declared, "",
           "topology " + std::string(program::kTopologyNames.find(declared.number)) + ", but " +
               number(static_cast<std::uint64_t>(streams)) + " streams are declared, which must have point lists");
  }
}

void ProgramValidator::finish() {
  const auto report_end = [&](const Rule& rule, std::string message) {
    findings_.add(rule, offset(static_cast<std::uint32_t>(program_.tokens.size() / 4)), part_.name(), std::move(message));
  };
  report_unwritten();
  check_vertices();
  if (is_stage(program::kGeometry)) check_vertex_scalars();
  check_streams();
  if (!flow_.empty()) report_end(rules::kFlowUnclosed, number(flow_.depth()) + " constructs are not closed at the end of the program");
  if (!ended_) report_end(rules::kProgramReturn, "the program does not end with ret");
  if (is_stage(program::kHull) && phase_ == 0) report_end(rules::kHullPhase, "no phases");

  // A geometry shader that emits nothing has no topology. Observed.
  if (is_stage(program::kGeometry) && collector_.facts().counted.emit_instruction_count != 0 &&
      !declared_[static_cast<std::size_t>(Opcode::dcl_outputtopology)])
    report_end(rules::kProgramDeclarationMissing, "no dcl_outputtopology");
  for (const program::StageDeclaration& row : program::kStageDeclarations) {
    const auto code = static_cast<std::uint32_t>(row.opcode);
    if (is_stage(row.needed) && !declared_[code])
      report_end(rules::kProgramDeclarationMissing, "no " + std::string(find_opcode(code)->text));
  }

  for (const Reference& reference : references_) {
    const auto& known = reference.type == OperandType::label ? labels_ : reference.type == OperandType::function_table ? tables_ : bodies_;
    const bool has_code = reference.type != OperandType::function_body || body_labels_.contains(reference.number);
    if (known.contains(reference.number) && has_code) continue;
    findings_.add(rules::kRegisterUndeclared, offset(reference.token),
                  std::string(part_.name()) + "/instructions[" + number(reference.instruction) + ']',
                  std::string(find_operand(reference.type)->text) + number(reference.number) + " is not defined");
  }
}

program::ProgramFacts check_program(const dxcontainer::Part& part, const Program& program, Findings& findings) {
  return ProgramValidator(part, program, findings).run();
}

}  // namespace unshade::dxbc::validate
