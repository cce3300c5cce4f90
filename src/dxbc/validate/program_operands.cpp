// Operands: their form, and the registers they name against the declarations.
#include <algorithm>
#include <string>

#include <unshade/core/text.hpp>

#include "dxbc/program/features.hpp"
#include "dxbc/program/token.hpp"
#include "dxbc/validate/program.hpp"

namespace unshade::dxbc::validate {

void ProgramValidator::operands() {
  const std::string_view shape = in_.info->shape;
  if (shape == "F") {
    operand(0, 'F');
  } else {
    unsigned slot = 0;
    for (const char role : shape)
      if (slot < in_.operand_count) operand(slot++, role);
  }
  // What indexes are made of.
  for (unsigned slot = in_.operand_count; slot < in_.total_operands; ++slot) operand(slot, 'x');
}

bool ProgramValidator::check_shape(unsigned slot, const program::OperandTraits& traits) {
  const Operand& operand = in_.operands[slot];
  unsigned wanted = traits.dimensions;
  if (traits.is_bound && program_.is_5_1()) ++wanted;
  // v0 of a vertex or pixel shader, v[2][0] of a geometry shader; hull shaders, and geometry shaders for nothing else, take arrays of
  // vertices.
  if (operand.type == OperandType::input && is_stage(program::kGeometry | program::kHull)) wanted = 2;
  if (operand.dimensions != wanted) {
    report(rules::kOperandDimensions, slot, name(operand) + " has " + number(operand.dimensions) + " indexes, expected " + number(wanted));
    return false;
  }
  const auto word = in_.bytes.u32(std::size_t{4} * operand.first_token).value_or(0);
  for (unsigned i = 0; i < operand.dimensions; ++i) {
    if (program::token::kIndexRepresentation[i].get(word) > program::token::kImmediate64PlusRelative || (operand.index_64 >> i & 1U) != 0) {
      report(rules::kOperandIndex, slot, name(operand) + " has an unknown index representation");
      return false;
    }
    if (operand.relative[i] == kNoOperand) continue;
    const Operand& inner = in_.operands[operand.relative[i]];
    if (inner.components == 4 && inner.selection != Selection::select1) {
      report(rules::kOperandIndex, slot, name(operand) + " is indexed by more than one component");
      return false;
    }
  }
  return true;
}

void ProgramValidator::operand(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const program::OperandTraits* traits = program::find_traits(operand.type);
  if (traits == nullptr) return report(rules::kOperandUnknown, slot, name(operand));
  if (operand.min_precision != 0 && !has_flags(program::kFlagMinPrecision))
    report(rules::kFlagsMinPrecision, slot, "minimum precision without enableMinimumPrecision");
  if (operand.components == 3) return report(rules::kOperandComponents, slot, "reserved component count 3");
  const bool is_stream = operand.type == OperandType::stream;
  switch (role) {
    case 'd': {
      if (in_.info->has(traits::to_stream) != is_stream || (!is_stream && !traits->is_destination))
        return report(rules::kOperandDestination, slot, name(operand) + " cannot be written");
      if (operand.modifier != Modifier::none) report(rules::kOperandDestination, slot, "a destination with a modifier");
      if (operand.components == 4 && (operand.selection != Selection::mask || operand.lanes == 0))
        report(rules::kOperandMask, slot, "no write mask");
      break;
    }
    case 'r':
    case 'u': {
      if ((in_.info->access & program::access_to(operand.type)) == 0)
        return report(rules::kOperandKind, slot, name(operand) + " is not a resource that the instruction can access");
      if (role == 'u' && operand.components == 4 && (operand.selection != Selection::mask || operand.lanes == 0))
        report(rules::kOperandMask, slot, "no write mask");
      break;
    }
    case 'p':
      if (operand.type != OperandType::sampler) return report(rules::kOperandKind, slot, name(operand) + " is not a sampler");
      break;
    case 'l':
      if (operand.type != OperandType::label) return report(rules::kOperandKind, slot, name(operand) + " is not a label");
      if (operand.dimensions == 1) references_.push_back({operand.type, operand.index[0], index_, in_.first_token});
      break;
    case 'F':
      if (operand.type != OperandType::interface) return report(rules::kOperandKind, slot, name(operand) + " is not an interface");
      break;
    default: {
      if (!traits->is_source) return report(rules::kOperandSource, slot, name(operand) + " cannot be read");
      const bool is_literal = operand.type == OperandType::immediate32 || operand.type == OperandType::immediate64;
      const bool is_wrong =
          operand.components == 4 && !is_literal && operand.selection != Selection::swizzle && operand.selection != Selection::select1;
      if (is_wrong) report(rules::kOperandSelection, slot, name(operand) + " has no swizzle");
      if (is_literal && operand.components == 0) report(rules::kOperandComponents, slot, "a literal without components");
      break;
    }
  }
  if (!is_stage(traits->stages))
    return report(rules::kOperandStage, slot, name(operand) + " is not in " + std::string(id(program_.stage)) + " shaders");
  if (!check_shape(slot, *traits)) return;
  check_register(slot, *traits, role);
}

WriteMask ProgramValidator::lanes_of(unsigned slot, char role) const {
  const Operand& operand = in_.operands[slot];
  if (role == 'd') return operand.components == 4 ? operand.mask() : WriteMask::of(0);
  if (operand.components != 4) return operand.mask();
  if (operand.selection == Selection::select1) return WriteMask::of(operand.swizzle()[0]);
  WriteMask wanted;
  if (in_.info->is_componentwise()) {
    for (unsigned i = 0; i < in_.operand_count && in_.info->shape[i] == 'd'; ++i)
      if (in_.operands[i].type != OperandType::null)
        wanted = wanted | (in_.operands[i].components == 4 ? in_.operands[i].mask() : WriteMask::of(0));
  } else if (in_.info->has(traits::two)) {
    wanted = WriteMask::first_components(2);
  } else if (in_.info->has(traits::three)) {
    wanted = WriteMask::first_components(3);
  } else if (in_.info->has(traits::four)) {
    wanted = WriteMask::all();
  }
  return operand.swizzle().read(wanted);
}

void ProgramValidator::check_register(unsigned slot, const program::OperandTraits& traits, char role) {
  const Operand& operand = in_.operands[slot];
  if (traits.is_special) {
    if ((special_ & program::bit(operand.type)) == 0) report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
    return;
  }
  const std::uint32_t first = operand.index[0];
  switch (operand.type) {
    case OperandType::temp:
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "r registers cannot be indexed");
      if (temps_ == 0) return report(rules::kRegisterUndeclared, slot, name(operand) + " without dcl_temps");
      if (first >= temps_) report(rules::kRegisterRange, slot, name(operand) + " of " + number(temps_));
      break;
    case OperandType::indexable_temp: {
      const auto found = indexable_.find(first);
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "the number of an x register must be immediate");
      if (found == indexable_.end() || (found->second.phase != phase_))
        return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      if (operand.relative[1] == kNoOperand && operand.index[1] >= found->second.count)
        report(rules::kRegisterRange, slot, name(operand) + '[' + number(operand.index[1]) + "] of " + number(found->second.count));
      if ((lanes_of(slot, role).bits() & ~unsigned{found->second.mask}) != 0)
        report(rules::kRegisterComponents, slot, name(operand) + " has fewer components");
      break;
    }
    case OperandType::immediate_constant_buffer:
      if (!has_icb_) return report(rules::kRegisterUndeclared, slot, "no immediate constant buffer");
      if (operand.relative[0] == kNoOperand && first >= icb_registers_)
        report(rules::kRegisterRange, slot, "register " + number(first) + " of " + number(icb_registers_));
      break;
    case OperandType::stream:
      if (first >= program::kStreams || (streams_ >> first & 1U) == 0)
        report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      break;
    case OperandType::interface: {
      if (operand.relative[0] != kNoOperand) return report(rules::kOperandIndex, slot, "the number of an interface must be immediate");
      const auto found = interfaces_.find(first);
      if (found == interfaces_.end()) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
      if (operand.relative[1] == kNoOperand && operand.index[1] >= std::max(found->second, 1U))
        report(rules::kRegisterRange, slot, name(operand) + '[' + number(operand.index[1]) + "] of " + number(found->second));
      break;
    }
    case OperandType::constant_buffer:
    case OperandType::sampler:
    case OperandType::resource:
    case OperandType::uav:
    case OperandType::thread_group_shared_memory: check_bound(slot, role); break;
    case OperandType::input:
    case OperandType::output:
    case OperandType::input_control_point:
    case OperandType::output_control_point:
    case OperandType::input_patch_constant: check_io(slot, role); break;
    default: break;
  }
}

void ProgramValidator::check_io(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const IoFile& file = *file_of(operand.type);
  const unsigned last = operand.dimensions - 1U;
  const std::uint32_t reg = operand.index[last];
  if (operand.dimensions == 2 && operand.relative[0] == kNoOperand && operand.index[0] >= file.vertices && file.vertices != 0)
    report(rules::kRegisterRange, slot, "vertex " + number(operand.index[0]) + " of " + number(file.vertices));
  if (operand.relative[last] != kNoOperand) {
    if (reg >= program::kIoRegisters || (file.ranges >> reg & 1U) == 0)
      report(rules::kRegisterIndexRange, slot, "indexed from register " + number(reg) + " without dcl_indexrange");
    return;
  }
  if (reg >= program::kIoRegisters || file.mask[reg] == 0)
    return report(rules::kRegisterUndeclared, slot, name(operand) + ": register " + number(reg) + " is not declared");
  const unsigned lanes = lanes_of(slot, role).bits();
  if ((lanes & ~unsigned{file.mask[reg]}) != 0)
    report(rules::kRegisterComponents, slot,
           "components " + hex32(lanes) + " of register " + number(reg) + ", but only " + hex32(file.mask[reg]) + " are declared");
}

void ProgramValidator::check_bound(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const auto& file = operand.type == OperandType::constant_buffer ? buffers_
                     : operand.type == OperandType::sampler       ? samplers_
                     : operand.type == OperandType::resource      ? resources_
                     : operand.type == OperandType::uav           ? uavs_
                                                                  : shared_;
  const bool is_range = program_.is_5_1() && operand.type != OperandType::thread_group_shared_memory;
  if (operand.relative[0] != kNoOperand) {
    // Functions of classes find the buffers and samplers of the instance through `this`.
    if (interfaces_.empty()) report(rules::kOperandIndex, slot, "the number of a register or range must be immediate");
    return;
  }
  const auto found = file.find(operand.index[0]);
  if (found == file.end()) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
  const program::DeclaredBinding& resource = found->second;
  if (is_range && operand.relative[1] == kNoOperand && (operand.index[1] < resource.lower || operand.index[1] > resource.upper))
    report(rules::kRegisterRange, slot, name(operand) + ": slot " + number(operand.index[1]) + " is not in the declared range");
  if (operand.type == OperandType::constant_buffer) {
    const unsigned element = is_range ? 2 : 1;
    if (operand.relative[element] == kNoOperand && resource.size != 0 && operand.index[element] >= resource.size)
      report(rules::kRegisterRange, slot,
             name(operand) + '[' + number(operand.index[element]) + "] of " + number(resource.size) + " registers");
  }
  const bool samples = in_.info->has(traits::samples);
  if (role == 'p' && in_.info->has(traits::samples | traits::gathers)) {
    const bool compares = in_.info->has(traits::reference);
    if (resource.is_comparison != compares)
      report(rules::kRegisterSampler, slot, name(operand) + (compares ? " is not a comparison sampler" : " is a comparison sampler"));
  }
  if (role == 'r' && samples && resource.is_integer())
    report(rules::kRegisterReturnType, slot, name(operand) + " is a texture of integers");
  if (role != 'r' && role != 'u') return;
  const std::uint16_t layout = resource.layout == program::Layout::typed ? access::typed
                               : resource.layout == program::Layout::raw ? access::raw
                                                                         : access::structured;
  if ((in_.info->access & layout) == 0) report(rules::kRegisterKind, slot, name(operand) + " is declared with a different layout");
}

}  // namespace unshade::dxbc::validate
