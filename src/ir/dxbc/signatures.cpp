// Registers of inputs and outputs as elements of signatures.
#include <algorithm>
#include <bit>
#include <string>

#include <unshade/dxcontainer/words.hpp>

#include "ir/dxbc/declarations.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

using dxcontainer::ComponentType;
using dxcontainer::SystemValue;

// By D3D10_SB_NAME from 11 on: programs name each tessellation factor, signatures the kind. src: d3d12TokenizedProgramFormat.hpp
constexpr SystemValue kFactorNames[] = {
    SystemValue::final_quad_edge_tessfactor,  SystemValue::final_quad_edge_tessfactor,   SystemValue::final_quad_edge_tessfactor,
    SystemValue::final_quad_edge_tessfactor,  SystemValue::final_quad_inside_tessfactor, SystemValue::final_quad_inside_tessfactor,
    SystemValue::final_tri_edge_tessfactor,   SystemValue::final_tri_edge_tessfactor,    SystemValue::final_tri_edge_tessfactor,
    SystemValue::final_tri_inside_tessfactor, SystemValue::final_line_detail_tessfactor, SystemValue::final_line_density_tessfactor,
};
constexpr std::uint32_t kFirstFactorName = 11;

SystemValue system_value_of(std::uint32_t name) {
  if (name < kFirstFactorName) return static_cast<SystemValue>(name);
  return name - kFirstFactorName < std::size(kFactorNames) ? kFactorNames[name - kFirstFactorName] : SystemValue::undefined;
}

bool is_integer(SystemValue value) {
  switch (value) {
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
    case SystemValue::vertex_id:
    case SystemValue::primitive_id:
    case SystemValue::instance_id:
    case SystemValue::is_front_face:
    case SystemValue::sample_index:
    case SystemValue::coverage:
    case SystemValue::stencil_ref: return true;
    default: return false;
  }
}

bool covers(const Element& element, std::uint32_t register_index, unsigned component) {
  return element.first_register == register_index && component >= element.first_column &&
         component < unsigned{element.first_column} + element.columns;
}

}  // namespace

SignatureMap::SignatureMap(Module& module, const DxbcInterface& interface) : module_(module) {
  add(SignatureKind::input, interface.input);
  add(SignatureKind::output, interface.output);
  add(SignatureKind::patch, interface.patch_constant);
}

void SignatureMap::add(SignatureKind kind, const dxcontainer::Signature* signature) {
  if (signature == nullptr) return;
  for (const dxcontainer::SignatureElement& from : signature->elements) {
    const unsigned mask = from.mask & 0xfU;
    const unsigned first = mask == 0 ? 0 : static_cast<unsigned>(std::countr_zero(mask));
    Element& element = make(kind, from.register_index, first, mask == 0 ? 1 : static_cast<unsigned>(std::bit_width(mask)) - first);
    element.semantic = from.semantic.text;
    element.semantic_index = from.semantic_index;
    element.system_value = from.system_value;
    if (kind == SignatureKind::output && module_.stage == Stage::pixel) {
      element.system_value = dxcontainer::special_output(element.semantic)
                                 .value_or(from.system_value == SystemValue::undefined ? SystemValue::target : from.system_value);
    }
    const bool is_integer = from.component_type == ComponentType::uint32 || from.component_type == ComponentType::sint32;
    element.type = is_integer ? Type::i32 : Type::f32;
    element.is_signed = from.component_type == ComponentType::sint32;
    element.stream = from.stream;
  }
}

Element& SignatureMap::make(SignatureKind kind, std::uint32_t register_index, unsigned first_column, unsigned columns) {
  Element& element = module_.signatures.of(kind).emplace_back();
  element.first_register = register_index;
  element.first_column = static_cast<std::uint8_t>(first_column);
  element.columns = static_cast<std::uint8_t>(columns);
  return element;
}

bool SignatureMap::has(SignatureKind kind, std::uint32_t register_index, unsigned component) const {
  return std::ranges::any_of(module_.signatures.of(kind),
                             [&](const Element& element) { return covers(element, register_index, component); });
}

std::vector<SignatureMap::Component> SignatureMap::find(SignatureKind kind, std::uint32_t register_index, unsigned component) {
  const auto& elements = module_.signatures.of(kind);
  std::vector<Component> found;
  for (std::size_t at = 0; at < elements.size(); ++at) {
    if (!covers(elements[at], register_index, component)) continue;
    found.push_back({static_cast<std::uint16_t>(at), static_cast<std::uint8_t>(component - elements[at].first_column)});
  }
  if (!found.empty()) return found;
  Element& element = make(kind, register_index, component, 1);
  element.semantic = kind == SignatureKind::input ? "v" : kind == SignatureKind::output ? "o" : "vpc";
  element.semantic_index = register_index;
  return {{static_cast<std::uint16_t>(elements.size() - 1), 0}};
}

SignatureMap::Component SignatureMap::special(SignatureKind kind, SystemValue value, unsigned columns) {
  const auto& elements = module_.signatures.of(kind);
  const auto found = std::ranges::find(elements, value, &Element::system_value);
  if (found != elements.end()) return {static_cast<std::uint16_t>(found - elements.begin()), 0};
  Element& element = make(kind, kNone, 0, columns);
  element.semantic = dxc_text(value);
  element.system_value = value;
  element.type = is_integer(value) ? Type::i32 : Type::f32;
  return {static_cast<std::uint16_t>(elements.size() - 1), 0};
}

void SignatureMap::declare(SignatureKind kind, const dxbc::Instruction& instruction, std::uint32_t stream) {
  const dxbc::Operand& operand = instruction.operands[0];
  const std::uint32_t register_index = operand.index[operand.dimensions - 1U];
  const auto value = system_value_of(instruction.system_value_name());
  unsigned missing = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if ((operand.lanes >> component & 1) != 0 && !has(kind, register_index, component)) missing |= 1U << component;
  }
  if (missing != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(missing));
    Element& element = make(kind, register_index, first, static_cast<unsigned>(std::bit_width(missing)) - first);
    const bool is_target = kind == SignatureKind::output && module_.stage == Stage::pixel;
    element.system_value = is_target ? SystemValue::target : value;
    element.semantic = dxc_text(element.system_value);
    if (element.semantic.empty()) element.semantic = kind == SignatureKind::input ? "v" : kind == SignatureKind::output ? "o" : "vpc";
    element.semantic_index = register_index;
    element.type = is_integer(value) ? Type::i32 : Type::f32;
    element.stream = stream;
  }
  if (instruction.info->control != dxbc::Control::interpolation) return;
  for (Element& element : module_.signatures.of(kind)) {
    if (element.first_register == register_index && (column_mask(element) & operand.lanes) != 0) {
      element.interpolation = instruction.interpolation();
    }
  }
}

RegisterFile register_file(OperandType type, dxbc::Stage stage, Opcode phase) {
  const bool is_patch = phase == Opcode::hs_fork_phase || phase == Opcode::hs_join_phase;
  switch (type) {
    case OperandType::output: return {is_patch ? SignatureKind::patch : SignatureKind::output, false};
    case OperandType::output_control_point: return {SignatureKind::output, true};
    case OperandType::input_patch_constant: return {SignatureKind::patch, stage == dxbc::Stage::hull};
    default: return {SignatureKind::input, false};
  }
}

}  // namespace unshade::ir::lower_dxbc
