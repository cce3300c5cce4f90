// Declarations: each value for itself, registers against limits and against each other.
#include <algorithm>
#include <bit>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/program/features.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/validate/program.hpp"

namespace unshade::dxbc::validate {

void ProgramValidator::once() {
  bool& declared = declared_[in_.code];
  if (declared) report(rules::kProgramDeclarationRepeated, "already declared");
  declared = true;
}

// The field that the control names, an enumeration, must have a name. `may_be_zero`: it often is `undefined`.
void ProgramValidator::check_field(bool may_be_zero) {
  const Bits field = program::control_field(in_.info->control);
  const std::uint32_t value = in_.declared_value();
  if (field.names->find(value).empty() || (value == 0 && !may_be_zero))
    report(rules::kInstructionValue, program::field_text(field) + ' ' + number(value));
}

void ProgramValidator::check_return_types(ReturnTypes types) {
  for (unsigned i = 0; i < kComponents; ++i) {
    const auto type = static_cast<std::uint32_t>(types[i]);
    if (program::kReturnTypeNames.find(type).empty()) return report(rules::kInstructionValue, "return type " + number(type));
  }
}

void ProgramValidator::declaration() {
  const Opcode opcode = in_.opcode();
  if (!is_stage(in_.info->stages)) report(rules::kProgramDeclarationStage, "not in " + std::string(id(program_.stage)) + " shaders");
  if (program::declares_binding(in_)) return declare_bound();
  if (program::declares_io(in_)) return declare_io();
  const std::uint32_t word = in_.words[0];
  if (const program::StageDeclaration* const row = program::find_stage_declaration(opcode)) {
    const std::uint32_t value = in_.declared_value();
    if (!row->is_repeated || !declared_[in_.code]) once();
    if (!row->counted.empty()) check_limit(value >= row->least && value <= row->most, number(value) + ' ' + std::string(row->counted));
    if (!row->is_repeated && program::control_field(in_.info->control).names != nullptr) check_field(false);
  }
  switch (opcode) {
    case Opcode::dcl_globalFlags: {
      std::uint32_t unknown = in_.declared_value();
      for (const NamedValue& flag : program::kGlobalFlags) unknown &= ~flag.value;
      if (unknown != 0) report(rules::kFlagsUnknown, "unknown bits " + hex32(unknown));
      break;
    }
    case Opcode::dcl_temps:
    case Opcode::dcl_indexableTemp: declare_temps(); break;
    case Opcode::dcl_indexrange: declare_index_range(); break;
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: declare_shared(); break;
    case Opcode::dcl_stream: {
      const Operand& stream = in_.operands[0];
      if (stream.type != OperandType::stream) return report(rules::kOperandKind, 0, name(stream) + " is not a stream");
      if (stream.index[0] >= program::kStreams) return report(rules::kRegisterLimit, 0, "stream " + number(stream.index[0]));
      if ((streams_ >> stream.index[0] & 1U) != 0) report(rules::kRegisterRedeclared, 0, name(stream) + " is already declared");
      streams_ |= 1U << stream.index[0];
      break;
    }
    case Opcode::dcl_outputtopology: {
      const std::uint32_t topology = in_.declared_value();
      topologies_.push_back({OperandType::stream, topology, index_, in_.first_token});
      if (topology != 1 && topology != 3 && topology != 5)
        report(rules::kInstructionValue, "topology " + number(topology) + ", expected point list, line strip or triangle strip");
      break;
    }
    case Opcode::dcl_maxout:
      if (word <= program::kMaxVertices) max_vertices_ = {OperandType::output, word, index_, in_.first_token};
      break;
    case Opcode::dcl_thread_group: {
      const auto [x, y, z] = std::array{in_.words[0], in_.words[1], in_.words[2]};
      const bool is_4 = program_.major == 4;
      const std::uint32_t most = is_4 ? program::kThreads4 : program::kThreads;
      const bool each = x >= 1 && y >= 1 && z >= 1 && x <= most && y <= most && z <= program::kThreadsZ;
      check_limit(each && std::uint64_t{x} * y * z <= most, number(x) + " * " + number(y) + " * " + number(z) + " threads, the limit is " +
                                                                number(most) + ", and " + number(program::kThreadsZ) + " along z");
      break;
    }
    case Opcode::dcl_tessellator_domain:
    case Opcode::dcl_tessellator_output_primitive: check_output_primitive(); break;
    case Opcode::dcl_hs_max_tessfactor: {
      const float factor = std::bit_cast<float>(word);
      check_limit(factor >= 1.0F && factor <= program::kMaxTessFactor, "factor " + hex32(word) + " is not in the range 1 to 64");
      break;
    }
    case Opcode::dcl_function_body:
      if (!bodies_.insert(word).second) report(rules::kRegisterRedeclared, "fb" + number(word) + " is already declared");
      break;
    case Opcode::dcl_function_table:
      if (!tables_.insert(word).second) report(rules::kRegisterRedeclared, "ft" + number(word) + " is already declared");
      refer_to_list(OperandType::function_body);
      break;
    case Opcode::dcl_interface:
      if (!interfaces_.try_emplace(word, in_.array_length()).second)
        report(rules::kRegisterRedeclared, "fp" + number(word) + " is already declared");
      refer_to_list(OperandType::function_table);
      break;
    default: break;
  }
}

// What a function table or interface lists, to be judged at the end.
void ProgramValidator::refer_to_list(OperandType type) {
  for (std::size_t i = 0; i < in_.data.size() / 4; ++i)
    references_.push_back({type, in_.data.u32(4 * i).value_or(0), index_, in_.first_token});
}

// Of the two declarations whichever comes last.
void ProgramValidator::check_output_primitive() {
  using dxcontainer::TessellatorDomain;
  using dxcontainer::TessellatorOutput;
  const TessellatorDomain domain = collector_.facts().stage.domain;
  const TessellatorOutput output = collector_.facts().stage.tessellator_output;
  const bool has_lines = output == TessellatorOutput::line;
  const bool has_triangles = output == TessellatorOutput::triangle_clockwise || output == TessellatorOutput::triangle_counter_clockwise;
  const bool has_area = domain == TessellatorDomain::triangle || domain == TessellatorDomain::quad;
  if ((domain == TessellatorDomain::isoline && has_triangles) || (has_area && has_lines))
    report(rules::kHullOutputPrimitive, std::string(program::kTessOutputNames.find(static_cast<std::uint32_t>(output))) + " of " +
                                            std::string(program::kDomainNames.find(static_cast<std::uint32_t>(domain))));
}

void ProgramValidator::declare_temps() {
  if (in_.opcode() == Opcode::dcl_temps) {
    if (temps_ != 0) report(rules::kProgramDeclarationRepeated, "already declared");
    temps_ = in_.words[0];
    written_.begin(temps_);
    if (temps_ > program::kTempRegisters) report(rules::kRegisterLimit, number(temps_) + " registers");
    return;
  }
  const auto [reg, registers, components] = std::array{in_.words[0], in_.words[1], in_.words[2]};
  if (components < 1 || components > 4) report(rules::kInstructionValue, number(components) + " components");
  Indexable& entry = indexable_[reg];
  if (entry.count != 0 && entry.phase == phase_) report(rules::kRegisterRedeclared, "x" + number(reg) + " is already declared");
  entry = {registers, static_cast<std::uint8_t>((1U << std::min(components, 4U)) - 1), phase_};
  indexable_registers_ =
      registers > program::kTempRegisters ? registers : std::min(indexable_registers_ + registers, program::kTempRegisters + 1);
  if (registers == 0 || indexable_registers_ > program::kTempRegisters)
    report(rules::kRegisterLimit, number(registers) + " registers, " + number(indexable_registers_) + " in all");
}

IoFile* ProgramValidator::file_of(OperandType type) {
  switch (type) {
    case OperandType::input: return &input_;
    case OperandType::output: return &output_;
    case OperandType::input_control_point: return &input_points_;
    case OperandType::output_control_point: return &output_points_;
    case OperandType::input_patch_constant: return &patch_;
    default: return nullptr;
  }
}

void ProgramValidator::declare_single(const program::OperandTraits& traits) {
  const Operand& operand = in_.operands[0];
  const program::OperandTypes type = program::bit(operand.type);
  if ((special_ & type) != 0) report(rules::kRegisterRedeclared, 0, name(operand) + " is already declared");
  if ((type & program::kDepthOutputs) != 0 && (special_ & program::kDepthOutputs & ~type) != 0)
    report(rules::kRegisterDepth, 0, name(operand) + ": another depth output is declared already");
  special_ |= type;
  const unsigned has = single_components(operand.type, traits);
  const bool is_masked = operand.components == 4 && operand.selection == Selection::mask;
  // Without a mask there is one component.
  const unsigned lanes = is_masked ? operand.mask().bits() : WriteMask::of(0).bits();
  special_lanes_[static_cast<std::size_t>(operand.type)] = static_cast<std::uint8_t>(lanes);
  if ((lanes & ~has) != 0)
    report(rules::kRegisterComponents, 0,
           "components " + shown_mask(lanes) + " of " + name(operand) + ", but the register has " + shown_mask(has));
}

void ProgramValidator::declare_io() {
  const Operand& operand = in_.operands[0];
  if (in_.info->control == Control::interpolation) check_field(true);
  const program::DeclarationFault fault = program::io_fault(in_, program_);
  switch (fault) {
    case program::DeclarationFault::unknown_type: return report(rules::kOperandUnknown, 0, name(operand));
    case program::DeclarationFault::wrong_type: return report(rules::kOperandKind, 0, name(operand) + " is not valid in this declaration");
    case program::DeclarationFault::wrong_stage:
      return report(rules::kOperandStage, 0, name(operand) + " is not in " + std::string(id(program_.stage)) + " shaders");
    default: break;
  }
  if (in_.word_count != 0 && program::kNameNames.find(in_.system_value_name()).empty())
    report(rules::kInstructionValue, "system value " + number(in_.system_value_name()));
  if (!check_in_model(0, *program::find_traits(operand.type))) return;
  if (const program::OperandTraits& traits = *program::find_traits(operand.type); traits.is_special) return declare_single(traits);
  const std::uint32_t reg = operand.index[std::max<std::uint8_t>(operand.dimensions, 1) - 1U];
  switch (fault) {
    case program::DeclarationFault::dimensions: return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");
    case program::DeclarationFault::limit:
      return report(rules::kRegisterLimit, 0, "register " + number(reg) + " of " + number(program::io_registers(operand.type, program_)));
    case program::DeclarationFault::mask: return report(rules::kOperandMask, 0, "no mask of components");
    default: break;
  }
  IoFile& file = *file_of(operand.type);
  std::uint8_t& mask = file.by_stream[operand.type == OperandType::output ? collector_.facts().stage.stream : 0][reg];
  if ((mask & operand.lanes) != 0) report(rules::kRegisterRedeclared, 0, "components of register " + number(reg) + " are already declared");
  mask = static_cast<std::uint8_t>(mask | operand.lanes);
  file.mask[reg] = static_cast<std::uint8_t>(file.mask[reg] | operand.lanes);
  if (operand.type == OperandType::input && in_.word_count != 0 && in_.system_value_name() == program::kNamePosition)
    positions_[reg] = static_cast<std::uint8_t>(positions_[reg] | operand.lanes);
  if (operand.dimensions != 2) return;
  file.vertices = std::max(file.vertices, operand.index[0]);
  vertex_arrays_.push_back({operand.type, operand.index[0], index_, in_.first_token});
}

void ProgramValidator::declare_index_range() {
  const Operand& operand = in_.operands[0];
  IoFile* file = file_of(operand.type);
  if (file == nullptr || operand.dimensions < 1 || operand.dimensions > 2)
    return report(rules::kOperandKind, 0, name(operand) + " cannot be indexed");
  const std::uint32_t first = operand.index[operand.dimensions - 1U];
  const std::uint32_t count = in_.words[0];
  if (count == 0 || first >= program::kIoRegisters || count > program::kIoRegisters - first)
    return report(rules::kRegisterLimit, 0, number(count) + " registers from " + number(first));
  for (std::uint32_t reg = first; reg < first + count; ++reg) {
    // A hull shader phase declares of its range what it writes by itself. Observed.
    if (!is_stage(program::kHull) && (operand.lanes & ~file->mask[reg]) != 0)
      report(rules::kRegisterUndeclared, 0, "register " + number(reg) + " of the range is not declared");
    file->ranges |= 1U << reg;
  }
}

void ProgramValidator::declare_bound() {
  const Operand& operand = in_.operands[0];
  switch (program::binding_fault(in_, program_.is_5_1())) {
    case program::DeclarationFault::none: break;
    case program::DeclarationFault::dimensions: return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");
    default: return report(rules::kOperandKind, 0, name(operand) + " is not valid in this declaration");
  }
  const program::DeclaredBinding binding = program::declared_binding(in_, program_.is_5_1());
  if (binding.upper < binding.lower) report(rules::kRegisterLimit, 0, "slots " + number(binding.lower) + " to " + number(binding.upper));
  if (binding.type == OperandType::constant_buffer) {
    // A size of 0 stands for a buffer whose size is not known.
    if (binding.size > program::kBufferRegisters) report(rules::kRegisterLimit, 0, number(binding.size) + " registers in a buffer");
  } else if (binding.type == OperandType::sampler) {
    check_field(true);
  } else if (binding.layout == program::Layout::typed) {
    if ((access::dimension(binding.dimension) & access::typed) == 0)
      report(rules::kInstructionValue, "resource dimension " + number(binding.dimension));
    else if (program::access_fault(*in_.info, binding.dimension) != program::AccessFault::none)
      report(rules::kRegisterDimension, 0, name(operand) + ' ' + program::access_text(*in_.info, binding.dimension));
    check_return_types(binding.return_types);
  } else if (binding.layout == program::Layout::structured) {
    if (binding.size == 0 || binding.size % 4 != 0 || binding.size > program::kStructureBytes)
      report(rules::kProgramLimit, number(binding.size) + " bytes per structure");
  }
  auto& file = binding.type == OperandType::constant_buffer ? buffers_
               : binding.type == OperandType::sampler       ? samplers_
               : binding.type == OperandType::uav           ? uavs_
                                                            : resources_;
  if (!program_.is_5_1()) {
    const std::uint32_t slots = binding.type == OperandType::constant_buffer ? program::kBufferSlots
                                : binding.type == OperandType::sampler       ? program::kSamplerSlots
                                : binding.type != OperandType::uav           ? program::kResourceSlots
                                : program_.major == 4                        ? program::kUavSlots4
                                                                             : program::kUavSlots;
    if (binding.lower >= slots) report(rules::kRegisterLimit, 0, name(operand) + " of " + number(slots) + " slots");
  }
  if (!file.try_emplace(operand.index[0], binding).second) report(rules::kRegisterRedeclared, 0, name(operand) + " is already declared");
}

void ProgramValidator::declare_shared() {
  const Operand& operand = in_.operands[0];
  if (operand.type != OperandType::thread_group_shared_memory)
    return report(rules::kOperandKind, 0, name(operand) + " is not group shared memory");
  if (operand.dimensions != 1 || operand.relative[0] != kNoOperand)
    return report(rules::kOperandDimensions, 0, number(operand.dimensions) + " indexes");
  const program::DeclaredBinding memory = program::declared_binding(in_, program_.is_5_1());
  const std::uint64_t bytes = std::uint64_t{memory.count} * (memory.layout == program::Layout::raw ? 1 : memory.size);
  const std::uint32_t most = program_.major == 4 ? program::kSharedBytes4 : program::kSharedBytes;
  shared_bytes_ = bytes > most ? most + 1 : std::min(shared_bytes_ + static_cast<std::uint32_t>(bytes), most + 1);
  check_limit(bytes != 0 && shared_bytes_ <= most, number(bytes) + " bytes of group shared memory, the limit is " + number(most));
  if (in_.words[0] % 4 != 0) report(rules::kProgramLimit, "the size of group shared memory is not a multiple of 4");
  if (!shared_.try_emplace(operand.index[0], memory).second) report(rules::kRegisterRedeclared, 0, name(operand) + " is already declared");
}

void ProgramValidator::declare_custom() {
  if (in_.custom_data() != CustomData::immediate_constant_buffer) return;
  if (in_body_) report(rules::kProgramDeclarationLate, "immediate constant buffer after instructions");
  if (has_icb_) report(rules::kProgramImmediateBuffer, "a second immediate constant buffer");
  has_icb_ = true;
  icb_registers_ = static_cast<std::uint32_t>(in_.data.size() / 16);
  if (in_.data.size() % 16 != 0 || icb_registers_ == 0 || icb_registers_ > program::kBufferRegisters)
    report(rules::kProgramImmediateBuffer, number(in_.data.size()) + " bytes");
}

}  // namespace unshade::dxbc::validate
