// Which variables of constant buffers a program's code reads.
// src: DXC DxilContainerReflection.cpp, SetCBufferUsage
#include <algorithm>
#include <map>
#include <optional>

#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxil/operations.hpp>

#include "shader/reflect/dxil/definitions.hpp"

namespace unshade::shader::reflection {

namespace {

using dxil::Constant;
using dxil::ConstantKind;
using dxil::Instruction;
using dxil::Operation;
using dxil::ValueKind;

/// Finds the byte offsets that are read, for each constant buffer, in one function after the other.
class Usage {
 public:
  explicit Usage(const dxil::ProgramMetadata& metadata)
      : module_(*metadata.module), minimum_precision_(metadata.minimum_precision()), offsets_(metadata.constant_buffers.size()) {
    for (std::uint32_t i = 0; i < metadata.constant_buffers.size(); ++i) {
      buffer_of_id_.emplace(metadata.constant_buffers[i].id, i);
      if (metadata.constant_buffers[i].symbol != dxil::kNone) buffer_of_symbol_.emplace(metadata.constant_buffers[i].symbol, i);
    }
  }

  void read(const dxil::Body& body) {
    body_ = &body;
    facts_.assign(body.values.count, {});
    phi_loads_.clear();
    const auto instructions = std::span(module_.instructions).subspan(body.instructions.first, body.instructions.count);
    // A definition is before its uses but for phis, which are looked at once all else is known.
    for (const Instruction& instruction : instructions) look_at(instruction);
    for (const Instruction& instruction : instructions)
      if (instruction.opcode == dxil::Opcode::phi) pass_on(instruction);
    for (const Instruction& instruction : instructions)
      if (instruction.opcode == dxil::Opcode::extractvalue) mark(instruction);
  }

  bool found_handles() const { return found_handles_; }
  /// The offsets of a buffer that are read, ascending.
  const std::vector<std::uint32_t>& offsets(std::size_t buffer) {
    std::ranges::sort(offsets_[buffer]);
    return offsets_[buffer];
  }

 private:
  static constexpr std::uint32_t kRegisterBytes = 16;

  struct Fact {
    std::uint32_t handle = kNone;  ///< of which constant buffer
    std::uint32_t load = kNone;    ///< from which constant buffer
    std::uint32_t offset = 0;      ///< of a load in bytes; of an integer its constant part
  };

  Fact* fact_of(std::uint32_t value) {
    const std::size_t first = module_.values.size();
    return value < first || value - first >= facts_.size() ? nullptr : &facts_[value - first];
  }
  std::optional<std::uint32_t> constant_at(std::uint32_t value) const {
    if ((value & dxil::kMetadataOperand) != 0) return std::nullopt;
    const dxil::Value& of = module_.value(body_, value);
    if (of.kind != ValueKind::constant) return std::nullopt;
    const Constant& constant = module_.constants[of.index];
    if (constant.kind == ConstantKind::null) return 0;
    return constant.kind == ConstantKind::integer ? std::optional(static_cast<std::uint32_t>(constant.bits)) : std::nullopt;
  }
  std::uint32_t offset_of(std::uint32_t value) {
    if (const auto constant = constant_at(value)) return *constant;
    const Fact* const fact = fact_of(value);
    return fact == nullptr ? 0 : fact->offset;
  }
  /// The buffer whose global a pointer leads to, or kNone.
  std::uint32_t buffer_at(std::uint32_t pointer) {
    for (unsigned depth = 0; depth < limits::kOperandNesting && pointer < module_.values.size(); ++depth) {
      const auto found = buffer_of_symbol_.find(pointer);
      if (found != buffer_of_symbol_.end()) return found->second;
      const dxil::Value& value = module_.values[pointer];
      if (value.kind != ValueKind::constant) return kNone;
      const Constant& constant = module_.constants[value.index];
      if (constant.kind != ConstantKind::getelementptr && constant.kind != ConstantKind::cast) return kNone;
      pointer = module_.operands_of(constant.operands)[0];
    }
    const Fact* const fact = fact_of(pointer);
    return fact == nullptr ? kNone : fact->handle;
  }

  void look_at(const Instruction& instruction) {
    Fact* const fact = instruction.value == dxil::kNone ? nullptr : fact_of(instruction.value);
    if (fact == nullptr) return;
    const auto operands = module_.operands_of(instruction.operands);
    switch (instruction.opcode) {
      case dxil::Opcode::add: fact->offset = offset_of(operands[0]) + offset_of(operands[1]); break;
      case dxil::Opcode::or_: fact->offset = offset_of(operands[0]) | offset_of(operands[1]); break;
      case dxil::Opcode::load:
      case dxil::Opcode::getelementptr: fact->handle = buffer_at(operands[0]); break;
      case dxil::Opcode::call: call(operands, *fact); break;
      default: break;
    }
  }

  void call(std::span<const std::uint32_t> operands, Fact& fact) {
    if (operands.size() < 3) return;
    const auto operation = constant_at(operands[1]);
    if (!operation || !is_operation(operands[0])) return;
    const auto argument = [&](std::size_t i) { return operands[i + 1]; };  // argument 0 is the operation
    switch (static_cast<Operation>(*operation)) {
      case Operation::create_handle: {
        if (operands.size() < 4) return;
        found_handles_ = true;
        const auto id = constant_at(argument(2));
        if (constant_at(argument(1)) != static_cast<std::uint32_t>(dxil::ResourceClass::cbuffer) || !id) return;
        const auto found = buffer_of_id_.find(*id);
        if (found != buffer_of_id_.end()) fact.handle = found->second;
        break;
      }
      case Operation::create_handle_for_lib:
      case Operation::annotate_handle:
        found_handles_ = true;
        if (const Fact* const of = fact_of(argument(1))) fact.handle = of->handle;
        break;
      case Operation::cbuffer_load:
        if (const Fact* const handle = fact_of(argument(1)); handle != nullptr && handle->handle != kNone && operands.size() > 3)
          offsets_[handle->handle].push_back(offset_of(argument(2)));
        break;
      case Operation::cbuffer_load_legacy:
        if (const Fact* const handle = fact_of(argument(1)); handle != nullptr && operands.size() > 3) {
          fact.load = handle->handle;
          fact.offset = offset_of(argument(2)) * kRegisterBytes;
        }
        break;
      default: break;
    }
  }

  bool is_operation(std::uint32_t callee) const {
    if ((callee & dxil::kMetadataOperand) != 0) return false;
    const dxil::Value& value = module_.value(body_, callee);
    return value.kind == ValueKind::function && module_.text(value.name).starts_with("dx.op.");
  }

  /// A phi of loads stands for the first of them that is known; what the others read is marked by their own uses.
  void pass_on(const Instruction& instruction) {
    Fact* const fact = instruction.value == dxil::kNone ? nullptr : fact_of(instruction.value);
    if (fact == nullptr) return;
    const auto operands = module_.operands_of(instruction.operands);
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const Fact* const from = fact_of(operands[i]);
      if (from == nullptr || from->load == kNone) continue;
      *fact = *from;
      phi_loads_.emplace(instruction.value, *from);
    }
  }

  void mark(const Instruction& instruction) {
    const auto operands = module_.operands_of(instruction.operands);
    if (operands.size() < 2) return;
    const Fact* const from = fact_of(operands[0]);
    if (from == nullptr || from->load == kNone) return;
    const std::uint32_t place = operands[1] * component_bytes(instruction.type);
    offsets_[from->load].push_back(from->offset + place);
    const auto [first, last] = phi_loads_.equal_range(operands[0]);
    if (std::distance(first, last) > kMostPhis) return;
    for (auto at = first; at != last; ++at) offsets_[at->second.load].push_back(at->second.offset + place);
  }

  std::uint32_t component_bytes(std::uint32_t type) const {
    const dxil::Type& of = module_.types[type];
    if (of.kind == dxil::TypeKind::double_ || (of.kind == dxil::TypeKind::integer && of.number == 64)) return 8;
    if (!minimum_precision_ && (of.kind == dxil::TypeKind::half || (of.kind == dxil::TypeKind::integer && of.number == 16))) return 2;
    return 4;
  }

  /// Loads that meet in a phi; more are not looked at one by one.
  static constexpr std::ptrdiff_t kMostPhis = 64;

  const dxil::Module& module_;
  const bool minimum_precision_;
  const dxil::Body* body_ = nullptr;
  bool found_handles_ = false;
  std::vector<Fact> facts_;  ///< by value of the function
  std::multimap<std::uint32_t, Fact> phi_loads_;
  std::map<std::uint32_t, std::uint32_t> buffer_of_id_;
  std::map<std::uint32_t, std::uint32_t> buffer_of_symbol_;
  std::vector<std::vector<std::uint32_t>> offsets_;  ///< by constant buffer
};

}  // namespace

void add_usage(Reflection& reflection, const dxil::ProgramMetadata& metadata) {
  if (metadata.module->bodies.empty() || metadata.states_usage()) return;
  Usage usage(metadata);
  for (const dxil::Body& body : metadata.module->bodies) usage.read(body);
  if (!usage.found_handles()) return;
  for (std::size_t i = 0; i < metadata.constant_buffers.size() && i < reflection.resources.size(); ++i) {
    if (reflection.resources[i].buffer >= reflection.buffers.size()) continue;
    const std::vector<std::uint32_t>& offsets = usage.offsets(i);
    for (Variable& variable : reflection.buffers[reflection.resources[i].buffer].variables) {
      const auto first = std::ranges::lower_bound(offsets, variable.offset);
      if (first != offsets.end() && *first - variable.offset < variable.size) continue;
      variable.used = false;
      variable.flags &= ~dxbc::kVariableUsed;
    }
  }
}

}  // namespace unshade::shader::reflection
