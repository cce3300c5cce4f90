// What debug information calls values that are written to temporaries: variables whose place begins with the instruction.
#include <algorithm>
#include <string>

#include <unshade/dxbc/debug_info.hpp>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

constexpr std::uint32_t kTemporaries = 0;  // VariableLocation::register_file
// of all names: many places may share a long one
constexpr std::size_t kMostNameCharacters = std::size_t{1} << 20;

}  // namespace

void Lowering::read_places() {
  if (interface_.debug == nullptr) return;
  const auto& locations = interface_.debug->locations;
  for (std::uint32_t at = 0; at < locations.size(); ++at) {
    if (locations[at].register_file == kTemporaries && locations[at].dimensions == 1) places_[locations[at].range.from].push_back(at);
  }
}

void Lowering::name_written(const Instruction& instruction) {
  if (places_.empty() || name_characters_ > kMostNameCharacters) return;
  const auto end = instruction.bytes.file_offset() - program_.tokens.file_offset() + instruction.length_tokens * std::uint64_t{4};
  const auto found = places_.find(static_cast<std::uint32_t>(end));
  if (found == places_.end()) return;
  Function& function = b().function();
  for (const std::uint32_t at : found->second) {
    const dxbc::VariableLocation& location = interface_.debug->locations[at];
    const std::uint32_t register_index = location.register_offset[0] / kRowBytes;
    const unsigned component = location.register_offset[0] % kRowBytes / kComponentBytes;
    const auto writes = [&](const Operand& operand) {
      return operand.type == OperandType::temp && operand.index[0] == register_index && (mask(operand) >> component & 1) != 0;
    };
    bool is_written = false;
    for (unsigned slot = 0; slot < instruction.operand_count && slot < instruction.info->shape.size(); ++slot)
      is_written |= instruction.info->shape[slot] == 'd' && writes(instruction.operands[slot]);
    if (!is_written) continue;
    const Id value = body_->variables.read(temp(register_index, component));
    if (function.block_of[value] == kNone || function.insts[value].op == Op::phi) continue;
    Text name;
    dxbc::append_component(name, *interface_.debug, location);
    name_characters_ += name.size();
    function.names.try_emplace(value, name.str());
  }
}

}  // namespace unshade::ir::lower_dxbc
