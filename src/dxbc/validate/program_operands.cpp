// Operands: their form, and the registers they name against the declarations.
#include <algorithm>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxbc/program/features.hpp>

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
  if (std::string fault = program::offsets_fault(in_, accessed_dimension()); !fault.empty())
    report(rules::kInstructionOffsets, std::move(fault));
  // What indexes are made of.
  for (unsigned slot = in_.operand_count; slot < in_.total_operands; ++slot) operand(slot, 'x');
}

void ProgramValidator::check_modifier(unsigned slot) {
  const auto bits = static_cast<unsigned>(in_.operands[slot].modifier);
  const auto allowed = static_cast<unsigned>(program::modifiers_of(*in_.info, slot));
  if ((bits & ~allowed) == 0) return;
  const bool is_absolute = (bits & ~allowed & static_cast<unsigned>(Modifier::abs)) != 0;
  report(rules::kOperandModifier, slot,
         (is_absolute ? "the absolute value of " : "the negation of ") + name(in_.operands[slot]) +
             (allowed != 0 ? ", but this operand may only be negated" : ", but this operand takes no modifiers"));
}

bool ProgramValidator::check_in_model(unsigned slot, const program::OperandTraits& traits) {
  if (traits.since <= program::model_of(program_)) return true;
  report(rules::kOperandModel, slot, name(in_.operands[slot]) + " needs shader model " + program::model_text(traits.since));
  return false;
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
      if (in_.info->has(traits::attribute) && slot == 1 && (in_.info->access & program::access_to(operand.type)) == 0)
        return report(rules::kOperandKind, slot,
                      name(operand) + " is not an input register: only inputs can be evaluated at another position");
      break;
    }
  }
  if (role != 'd') check_modifier(slot);
  check_lanes(slot);
  if (!is_stage(traits->stages))
    return report(rules::kOperandStage, slot, name(operand) + " is not in " + std::string(id(program_.stage)) + " shaders");
  if (!check_in_model(slot, *traits)) return;
  if (!check_shape(slot, *traits)) return;
  check_register(slot, *traits, role);
}

void ProgramValidator::check_lanes(unsigned slot) {
  const Operand& operand = in_.operands[slot];
  const auto expected = [&] { return ", expected " + std::string(program::lane_text(in_, slot)); };
  if (slot >= in_.operand_count) return;
  switch (program::lane_fault(in_, slot)) {
    case program::LaneFault::none: break;
    case program::LaneFault::mask:
      report(rules::kOperandMask, slot,
             "writes " + (operand.mask().empty() ? std::string("no component") : std::string(operand.mask().text())) + expected());
      break;
    case program::LaneFault::scalar: report(rules::kOperandScalar, slot, name(operand) + " names several components" + expected()); break;
    case program::LaneFault::unselected: report(rules::kOperandScalar, slot, name(operand) + " selects no component" + expected()); break;
    case program::LaneFault::pairs:
      report(rules::kOperandSelection, slot, name(operand) + " does not name the halves of doubles" + expected());
      break;
  }
}

WriteMask ProgramValidator::lanes_of(unsigned slot, char role) const {
  const Operand& operand = in_.operands[slot];
  if (role == 'd') return operand.components == 4 ? operand.mask() : WriteMask::of(0);
  return program::lanes_read(in_, slot, accessed_dimension());
}

void ProgramValidator::check_register(unsigned slot, const program::OperandTraits& traits, char role) {
  const Operand& operand = in_.operands[slot];
  if (traits.is_special) return check_single(slot, role, traits);
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

// The components of vDomain depend on the domain.
std::uint8_t ProgramValidator::single_components(OperandType type, const program::OperandTraits& traits) const {
  const dxcontainer::TessellatorDomain domain = collector_.facts().stage.domain;
  const bool is_flat = domain == dxcontainer::TessellatorDomain::isoline || domain == dxcontainer::TessellatorDomain::quad;
  const unsigned count = type == OperandType::input_domain_point && is_flat ? 2 : traits.components;
  return static_cast<std::uint8_t>(WriteMask::first_components(count).bits());
}

void ProgramValidator::check_single(unsigned slot, char role, const program::OperandTraits& traits) {
  const Operand& operand = in_.operands[slot];
  if ((special_ & program::bit(operand.type)) == 0) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
  const unsigned lanes = lanes_of(slot, role).bits();
  const unsigned has = single_components(operand.type, traits);
  const unsigned declared = special_lanes_[static_cast<std::size_t>(operand.type)];
  if ((lanes & ~has) != 0)
    report(rules::kRegisterComponents, slot,
           "components " + shown_mask(lanes) + " of " + name(operand) + ", but the register has " + shown_mask(has));
  else if ((lanes & ~declared) != 0)
    report(rules::kRegisterComponents, slot,
           "components " + shown_mask(lanes) + " of " + name(operand) + ", but only " + shown_mask(declared) + " are declared");
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
  if (in_.info->has(traits::attribute) && (lanes & positions_[reg]) != 0)
    report(rules::kOperandKind, slot, name(operand) + " is SV_Position, which cannot be evaluated at another position");
  if ((lanes & ~unsigned{file.mask[reg]}) != 0)
    report(
        rules::kRegisterComponents, slot,
        "components " + shown_mask(lanes) + " of register " + number(reg) + ", but only " + shown_mask(file.mask[reg]) + " are declared");
}

const program::DeclaredBinding* ProgramValidator::declared(const Operand& operand) const {
  const auto& file = operand.type == OperandType::constant_buffer ? buffers_
                     : operand.type == OperandType::sampler       ? samplers_
                     : operand.type == OperandType::resource      ? resources_
                     : operand.type == OperandType::uav           ? uavs_
                                                                  : shared_;
  const auto found = file.find(operand.index[0]);
  return operand.relative[0] != kNoOperand || found == file.end() ? nullptr : &found->second;
}

// The dimension of the resource of the instruction; 0 if it is not known.
std::uint32_t ProgramValidator::accessed_dimension() const {
  const auto place = in_.info->shape.find_first_of("ru");
  if (place == std::string_view::npos || place >= in_.operand_count) return 0;
  const program::DeclaredBinding* const resource = declared(in_.operands[place]);
  return resource != nullptr ? program::dimension_number(*resource) : 0;
}

void ProgramValidator::check_bound(unsigned slot, char role) {
  const Operand& operand = in_.operands[slot];
  const bool is_range = program_.is_5_1() && operand.type != OperandType::thread_group_shared_memory;
  if (operand.relative[0] != kNoOperand) {
    // Functions of classes find the buffers and samplers of the instance through `this`.
    if (interfaces_.empty()) report(rules::kOperandIndex, slot, "the number of a register or range must be immediate");
    return;
  }
  const program::DeclaredBinding* const found = declared(operand);
  if (found == nullptr) return report(rules::kRegisterUndeclared, slot, name(operand) + " is not declared");
  const program::DeclaredBinding& resource = *found;
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
  if (role == 'r' || role == 'u') check_access(slot, resource, !is_range || resource.lower == resource.upper);
}

void ProgramValidator::check_access(unsigned slot, const program::DeclaredBinding& resource, bool is_single) {
  const Operand& operand = in_.operands[slot];
  const std::uint32_t number = program::dimension_number(resource);
  if (const auto fault = program::access_fault(*in_.info, number); fault != program::AccessFault::none)
    return report(fault == program::AccessFault::layout ? rules::kRegisterKind : rules::kRegisterDimension, slot,
                  name(operand) + ' ' + program::access_text(*in_.info, number));
  if (in_.info->has(traits::integers) && resource.layout == program::Layout::typed &&
      operand.type != OperandType::thread_group_shared_memory && !resource.is_integer())
    report(rules::kRegisterReturnType, slot, name(operand) + " is not a resource of integers");
  if (std::string fault = program::stated_fault(in_, resource); !fault.empty())
    report(rules::kInstructionResource, slot, name(operand) + ": the instruction " + std::move(fault));
  if (is_single && in_.info->access == access::counter) {
    const auto [first, is_new] = counters_.try_emplace(operand.index[0], in_.opcode());
    if (!is_new && first->second != in_.opcode())
      report(rules::kRegisterCounter, slot,
             "the counter of " + name(operand) + " is also used by " +
                 std::string(find_opcode(static_cast<std::uint32_t>(first->second))->text));
  }
}

void ProgramValidator::read_temps() {
  const std::string_view shape = in_.info->shape;
  for (unsigned slot = 0; slot < in_.total_operands; ++slot) {
    const Operand& operand = in_.operands[slot];
    const bool is_read = slot >= in_.operand_count || shape == "F" || (shape[slot] != 'd' && shape[slot] != 'u');
    if (!is_read || operand.type != OperandType::temp || operand.dimensions != 1) continue;
    for (const unsigned component : lanes_of(slot, 'x')) {
      written_.read({operand.index[0] * 4 + component, index_, in_.first_token + operand.first_token, static_cast<std::uint16_t>(in_.code),
                     static_cast<std::uint8_t>(slot)});
    }
  }
}

void ProgramValidator::write_temps() {
  const std::string_view shape = in_.info->shape;
  for (unsigned slot = 0; slot < in_.operand_count && slot < shape.size() && shape[slot] == 'd'; ++slot) {
    const Operand& operand = in_.operands[slot];
    if (operand.type != OperandType::temp || operand.dimensions != 1) continue;
    for (const unsigned component : operand.mask()) written_.write(operand.index[0] * 4 + component, index_);
  }
}

void ProgramValidator::report_unwritten() {
  for (const WrittenTemps::Read& read : written_.finish()) {
    findings_.add(rules::kRegisterUnwritten, offset(read.token),
                  std::string(part_.name()) + "/instructions[" + number(read.instruction) + "]/operands[" + number(read.slot) + ']',
                  std::string(find_opcode(read.code)->text) + ": r" + number(read.component / 4) + '.' +
                      component_letter(read.component % 4) + " is not written before");
  }
}

}  // namespace unshade::dxbc::validate
