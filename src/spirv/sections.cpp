#include "spirv/sections.hpp"

namespace unshade::spirv {

Section section_of(const OpcodeInfo& info) {
  switch (info.opcode) {
    case Opcode::capability: return Section::capabilities;
    case Opcode::extension: return Section::extensions;
    case Opcode::ext_inst_import: return Section::imports;
    case Opcode::memory_model: return Section::memory_model;
    case Opcode::entry_point: return Section::entry_points;
    case Opcode::execution_mode:
    case Opcode::execution_mode_id: return Section::execution_modes;
    case Opcode::string:
    case Opcode::source:
    case Opcode::source_extension:
    case Opcode::source_continued: return Section::sources;
    case Opcode::name:
    case Opcode::member_name: return Section::names;
    case Opcode::module_processed: return Section::processes;
    // Lines stand among types and in functions; tools have put these two elsewhere as well.
    case Opcode::line:
    case Opcode::no_line:
    case Opcode::nop:
    case Opcode::sampler_image_addressing_mode_nv: return Section::any;
    case Opcode::variable:
    case Opcode::undef:
    case Opcode::ext_inst: return Section::definitions;
    default: break;
  }
  if (info.group == OpcodeGroup::annotation) return Section::annotations;
  if (info.text.starts_with("Type") || info.group == OpcodeGroup::constant_creation || info.text.starts_with("Constant") ||
      info.text.starts_with("SpecConstant"))
    return Section::definitions;
  return Section::functions;
}

bool is_behind(const Instruction& instruction, Section section) {
  const OpcodeInfo* const info = instruction.info();
  if (info == nullptr) return true;
  const Section own = section_of(*info);
  return own == Section::any || own > section;
}

}  // namespace unshade::spirv
