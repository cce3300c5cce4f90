#include <unshade/dxbc/program/facts.hpp>

#include <algorithm>
#include <utility>

#include <unshade/dxbc/program/counts.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/limits.hpp>
#include <unshade/dxbc/program/rules.hpp>

#include "dxbc/program/enum_text.hpp"

namespace unshade::dxbc::program {

void FactsCollector::visit(const Instruction& instruction) {
  if (instruction.info == nullptr) return;
  const Opcode opcode = instruction.opcode();
  facts_.features |= features_of(opcode, program_);
  count_instruction(instruction, facts_.counted, facts_.arithmetic);
  switch (instruction.info->counted) {
    case Counted::dcl: return declaration(instruction);
    case Counted::phase:
      if (opcode != Opcode::label && (bit(program_.stage) & kHull) != 0) {
        phase_ = opcode;
        has_control_points_ = has_control_points_ || opcode == Opcode::hs_control_point_phase;
      }
      return;
    default: break;
  }
  if (opcode == Opcode::customdata) {
    if (instruction.custom_data() == CustomData::immediate_constant_buffer)
      facts_.counted.define_count = static_cast<std::uint32_t>(instruction.data.size() / 16);
    return;
  }
  for (unsigned i = 0; i < instruction.total_operands; ++i)
    if (instruction.operands[i].min_precision != 0 && find_traits(instruction.operands[i].type) != nullptr)
      facts_.features |= kMinPrecision;
}

void FactsCollector::declaration(const Instruction& instruction) {
  Statistics& counted = facts_.counted;
  if (declares_binding(instruction)) {
    const bool is_5_1 = program_.is_5_1();
    if (binding_fault(instruction, is_5_1) != DeclarationFault::none) return;
    const DeclaredBinding& binding = facts_.bindings.emplace_back(declared_binding(instruction, is_5_1));
    if (binding.type != OperandType::uav) return;
    if (binding.is_rasterizer_ordered) facts_.features |= kRovs;
    if ((bit(program_.stage) & (kPixel | kCompute)) == 0) facts_.features |= kUavsEverywhere;
    if (!is_5_1 && binding.lower >= kUavSlotsWithoutFeature) facts_.features |= k64Uavs;
    return;
  }
  if (declares_io(instruction)) return declare_io(instruction);
  if (declare(facts_.stage, instruction)) return count_stage();
  switch (instruction.opcode()) {
    case Opcode::dcl_temps: counted.temp_register_count = std::max(counted.temp_register_count, instruction.words[0]); break;
    case Opcode::dcl_indexableTemp: counted.temp_array_count += instruction.words[1]; break;
    case Opcode::dcl_function_table: facts_.function_tables.push_back(instruction.words[0]); break;
    default: break;
  }
}

/// STAT has what the stage declares.
void FactsCollector::count_stage() {
  const StageDeclarations& stage = facts_.stage;
  Statistics& counted = facts_.counted;
  const Stages is = bit(program_.stage);
  // A patch of n points is primitive 7 + n. src: D3D_PRIMITIVE
  counted.input_primitive =
      (is & kHull) != 0 && stage.input_points ? static_cast<InputPrimitive>(7 + *stage.input_points) : stage.input_primitive;
  if (!stage.topologies.empty()) counted.output_topology = stage.topologies[0];
  counted.max_output_vertex_count = stage.max_vertices;
  counted.instance_count = stage.instances.value_or(0);
  counted.control_point_count = (is & kDomain) != 0 ? stage.input_points.value_or(0) : stage.output_points;
  counted.tessellator_domain = stage.domain;
  counted.tessellator_partitioning = stage.partitioning;
  counted.tessellator_output = stage.tessellator_output;
}

void FactsCollector::declare_io(const Instruction& instruction) {
  const Operand& operand = instruction.operands[0];
  if (instruction.info->control == Control::interpolation && is_sample_interpolation(instruction.interpolation()))
    facts_.counted.sample_frequency = 1;
  ++facts_.counted.declaration_count;
  const DeclarationFault fault = io_fault(instruction, program_);
  if (fault != DeclarationFault::none && fault < DeclarationFault::dimensions) return;
  std::uint16_t system_value = 0;
  if (instruction.word_count != 0) {
    system_value = static_cast<std::uint16_t>(instruction.system_value_name());
    if (system_value == kNameSampleIndex) facts_.counted.sample_frequency = 1;
    // Before the geometry stage these need hardware that all later stages came with.
    if ((system_value == kNameTargetIndex || system_value == kNameViewportIndex) && (bit(program_.stage) & (kVertex | kDomain)) != 0 &&
        instruction.opcode() == Opcode::dcl_output_siv)
      facts_.features |= kArrayIndex;
  }
  if (operand.type == OperandType::output_stencil_ref) facts_.features |= kStencilRef;
  if (operand.type == OperandType::input_inner_coverage) facts_.features |= kInnerCoverage;
  if (fault != DeclarationFault::none) return;
  if (const OperandTraits& traits = *find_traits(operand.type); traits.is_special) {
    if (traits.output != dxcontainer::SystemValue::undefined) facts_.single_outputs.push_back({operand.type, instruction.first_token});
    return;
  }

  const bool is_output = operand.type == OperandType::output;
  const bool is_patch_phase = phase_ == Opcode::hs_fork_phase || phase_ == Opcode::hs_join_phase;
  DeclaredElement element;
  element.mask = operand.lanes;
  element.stream = is_output ? facts_.stage.stream : 0;
  element.name = system_value;
  element.register_index = operand.index[operand.dimensions - 1U];
  element.token = instruction.first_token;
  element.is_read = !is_output;
  element.interface =
      operand.type == OperandType::input_patch_constant || (is_output && (bit(program_.stage) & kHull) != 0 && is_patch_phase)
          ? Interface::patch_constant
      : is_output || operand.type == OperandType::output_control_point ? Interface::output
                                                                       : Interface::input;
  facts_.elements.push_back(element);
}

ProgramFacts FactsCollector::finish() {
  std::sort(facts_.function_tables.begin(), facts_.function_tables.end());
  facts_.function_tables.erase(std::unique(facts_.function_tables.begin(), facts_.function_tables.end()), facts_.function_tables.end());
  facts_.has_control_points = (bit(program_.stage) & kHull) == 0 || has_control_points_;
  facts_.is_complete = true;
  return std::move(facts_);
}

ProgramFacts collect_facts(const Program& program) {
  FactsCollector collector(program);
  Instruction instruction;
  for (Decoder decoder(program); !decoder.at_end();) {
    if (!decoder.next(instruction)) return collector.facts();
    collector.visit(instruction);
  }
  return collector.finish();
}

}  // namespace unshade::dxbc::program
