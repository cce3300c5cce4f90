#include <unshade/dxbc/program/declarations.hpp>

#include <algorithm>

#include <unshade/dxbc/program/features.hpp>
#include <unshade/dxbc/program/limits.hpp>
#include <unshade/dxbc/program/rules.hpp>

namespace unshade::dxbc::program {

bool DeclaredBinding::is_integer() const {
  for (unsigned i = 0; i < kComponents; ++i)
    if (return_types[i] == dxcontainer::ReturnType::sint || return_types[i] == dxcontainer::ReturnType::uint) return true;
  return false;
}

dxcontainer::ResourceKind DeclaredBinding::kind() const {
  using dxcontainer::ResourceKind;
  const bool is_uav = type == OperandType::uav;
  if (type == OperandType::constant_buffer) return ResourceKind::cbuffer;
  if (type == OperandType::sampler) return ResourceKind::sampler;
  if (layout == Layout::typed) return is_uav ? ResourceKind::uav_typed : ResourceKind::texture;
  if (layout == Layout::raw) return is_uav ? ResourceKind::uav_byte_address : ResourceKind::byte_address;
  return !is_uav ? ResourceKind::structured : has_counter ? ResourceKind::uav_structured_with_counter : ResourceKind::uav_structured;
}

std::uint32_t io_registers(OperandType type, const Program& program) {
  const Stages stage = bit(program.stage);
  if (type == OperandType::output && (stage & kPixel) != 0) return kTargets;
  // Those between the input assembler and the geometry shader had half as many at first.
  const bool was_smaller = (stage & kVertex) != 0 || ((stage & kGeometry) != 0 && type == OperandType::input);
  return was_smaller && model_of(program) == ShaderModel::sm4_0 ? kIoRegisters4 : kIoRegisters;
}

DeclarationFault io_fault(const Instruction& instruction, const Program& program) {
  const Operand& operand = instruction.operands[0];
  const OperandTraits* traits = find_traits(operand.type);
  if (traits == nullptr) return DeclarationFault::unknown_type;
  if ((instruction.info->access & access_to(operand.type)) == 0) return DeclarationFault::wrong_type;
  if ((traits->stages & bit(program.stage)) == 0) return DeclarationFault::wrong_stage;
  if (traits->is_special) return DeclarationFault::none;
  if (operand.dimensions < 1 || operand.dimensions > 2 || operand.relative[0] != kNoOperand || operand.relative[1] != kNoOperand)
    return DeclarationFault::dimensions;
  if (operand.index[operand.dimensions - 1U] >= io_registers(operand.type, program)) return DeclarationFault::limit;
  if (operand.components != 4 || operand.selection != Selection::mask || operand.lanes == 0) return DeclarationFault::mask;
  return DeclarationFault::none;
}

DeclarationFault binding_fault(const Instruction& instruction, bool is_5_1) {
  const Operand& operand = instruction.operands[0];
  if ((instruction.info->access & access_to(operand.type)) == 0) return DeclarationFault::wrong_type;
  const unsigned dimensions = is_5_1 ? 3 : operand.type == OperandType::constant_buffer ? 2 : 1;
  const bool is_relative =
      std::any_of(operand.relative.begin(), operand.relative.end(), [](std::uint8_t inner) { return inner != kNoOperand; });
  return operand.dimensions != dimensions || is_relative ? DeclarationFault::dimensions : DeclarationFault::none;
}

DeclaredBinding declared_binding(const Instruction& instruction, bool is_5_1) {
  const Operand& operand = instruction.operands[0];
  const std::uint32_t files = instruction.info->access;
  const auto index = [&](unsigned i) { return i < operand.dimensions ? operand.index[i] : 0U; };
  DeclaredBinding binding;
  binding.type = (files & access::constants) != 0  ? OperandType::constant_buffer
                 : (files & access::samplers) != 0 ? OperandType::sampler
                 : (files & access::t) != 0        ? OperandType::resource
                 : (files & access::u) != 0        ? OperandType::uav
                                                   : OperandType::thread_group_shared_memory;
  binding.token = instruction.first_token;
  binding.id = index(0);
  binding.lower = index(is_5_1 ? 1 : 0);
  binding.upper = is_5_1 && operand.dimensions > 2 ? operand.index[2] : binding.lower;
  binding.is_coherent = binding.type == OperandType::uav && instruction.is_globally_coherent();
  binding.is_rasterizer_ordered = binding.type == OperandType::uav && instruction.is_rasterizer_ordered();
  unsigned next_word = 0;
  const auto word = [&] { return next_word < instruction.word_count ? instruction.words[next_word++] : 0U; };
  switch (instruction.opcode()) {
    case Opcode::dcl_constantbuffer: binding.size = is_5_1 ? word() : index(1); break;
    case Opcode::dcl_sampler: binding.is_comparison = instruction.sampler_mode() == SamplerMode::comparison; break;
    case Opcode::dcl_resource:
    case Opcode::dcl_uav_typed:
      binding.dimension = static_cast<std::uint8_t>(instruction.declared_dimension());
      binding.return_types = {word()};
      if (binding.type == OperandType::resource && (access::dimension(binding.dimension) & access::multisampled) != 0)
        binding.sample_count = static_cast<std::uint8_t>(instruction.sample_count());
      break;
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_uav_raw: binding.layout = Layout::raw; break;
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_structured:
      binding.layout = Layout::structured;
      binding.size = word();
      binding.has_counter = binding.type == OperandType::uav && instruction.has_counter();
      break;
    case Opcode::dcl_tgsm_raw:
      binding.layout = Layout::raw;
      binding.count = word();
      return binding;
    case Opcode::dcl_tgsm_structured:
      binding.layout = Layout::structured;
      binding.size = word();
      binding.count = word();
      return binding;
    default: break;
  }
  if (is_5_1) binding.space = word();
  return binding;
}

}  // namespace unshade::dxbc::program
