// What dxc writes after an instruction: where it comes from, which variable it describes, which operation it is.
#include <iterator>

#include <unshade/core/limits.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/operations.hpp>

#include "dxil/listing/module.hpp"
#include "dxil/listing/resource_text.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::listing {

namespace {

/// The two dwords of `%dx.types.ResourceProperties`. src: DXC DxilResourceProperties.h
constexpr Bits kKind{"kind", 0, 8};
constexpr Bits kUav{"uav", 12, 1};
constexpr Bits kRasterOrdered{"raster_ordered", 13, 1};
constexpr Bits kGloballyCoherent{"globally_coherent", 14, 1};
constexpr Bits kComparisonOrCounter{"comparison_or_counter", 15, 1};
constexpr Bits kReorderCoherent{"reorder_coherent", 16, 1};
// Of the second, if the resource is typed; else it is a size in bytes or a kind of feedback.
constexpr Bits kComponentType{"component_type", 0, 8};
constexpr Bits kComponentCount{"component_count", 8, 8};

constexpr std::string_view kFeedbackTypes[] = {"MinMip", "MipRegionUsed"};

void print_properties(Text& out, std::uint32_t basic, std::uint32_t detail) {
  out << "  resource: ";
  const auto kind = static_cast<ResourceKind>(kKind.get(basic));
  const bool uav = kUav.get(basic) != 0;
  const bool flagged = kComparisonOrCounter.get(basic) != 0;
  switch (kind) {
    case ResourceKind::cbuffer: out << resource_type_text(kind); return;
    case ResourceKind::sampler: out << (flagged ? "SamplerComparisonState" : "SamplerState"); return;
    case ResourceKind::tbuffer: out << (uav ? "<invalid resource properties>" : resource_type_text(kind)); return;
    case ResourceKind::acceleration_structure: out << resource_type_text(kind); return;
    case ResourceKind::feedback_texture2d:
    case ResourceKind::feedback_texture2d_array:
      out << resource_type_text(kind) << '<'
          << (detail < std::size(kFeedbackTypes) ? kFeedbackTypes[detail] : "<invalid sampler feedback type>") << '>';
      return;
    default: break;
  }
  const std::string_view type = resource_type_text(kind);
  if (type.empty()) {
    out << "<invalid resource properties>";
    return;
  }
  if (uav) {
    if (kGloballyCoherent.get(basic) != 0) out << "globallycoherent ";
    if (kReorderCoherent.get(basic) != 0) out << "reordercoherent ";
    out << (kRasterOrdered.get(basic) != 0 ? "ROV" : "RW");
  }
  out << type;
  if (kind == ResourceKind::raw_buffer) return;
  if (kind == ResourceKind::structured_buffer) {
    out << "<stride=";
    out.dec(detail) << (uav && flagged ? ", counter>" : ">");
    return;
  }
  out << '<';
  if (const std::uint32_t count = kComponentCount.get(detail); count > 1) out.dec(count) << 'x';
  const std::string_view component = component_type_info(static_cast<ComponentType>(kComponentType.get(detail))).type;
  out << (component.empty() ? "<invalid CompType>" : component) << '>';
}

}  // namespace

/// `fast` says less than there is: which of nnan and its like stand beside it. All of them, usually.
void IrPrinter::print_exact_flags(const Instruction& instruction) {
  const auto flags = static_cast<std::uint16_t>(instruction.flags & flag::kFastMath);
  if ((flags & flag::kFast) == 0 || flags == flag::kFastMath || instruction.opcode == Opcode::call) return;
  out_ << ' ' << kExactComment << kExactFlags << ' ';
  out_.dec(module::fast_math_bits(flags));
}

/// Kinds of attachments beside those of LLVM, in their order: they have numbers whether the text uses them or not.
void IrPrinter::print_exact_kinds() {
  out_ << '\n' << kExactComment << kExactKinds;
  if (module_.metadata_kinds.empty()) out_ << " -";
  for (std::size_t i = std::size(kFixedMetadataKinds); i < module_.metadata_kinds.size(); ++i) {
    out_ << ' ';
    print_metadata_identifier(module_.text(module_.metadata_kinds[i].name));
  }
  out_ << '\n';
}

void IrPrinter::print_comment(const Instruction& instruction) {
  const Value* callee = nullptr;
  if (instruction.opcode == Opcode::call) callee = &value(module_.operands_of(instruction.operands)[0]);
  const Callee known = callee != nullptr && callee->kind == ValueKind::function ? callees_[callee->index] : Callee{};
  if (known.debug_declare || known.debug_value) {
    print_debug_variable(instruction);
    return;
  }
  if (instruction.location != kNone && module_.locations[instruction.location].line != 0) {
    const Location& location = module_.locations[instruction.location];
    out_ << " ; line:";
    out_.dec(location.line) << " col:";
    out_.dec(location.column);
  }
  if (known.operation) print_operation_comment(instruction);
}

/// ` ; var:"name" !DIExpression() func:"name"`
void IrPrinter::print_debug_variable(const Instruction& call) {
  const auto operands = module_.operands_of(call.operands);
  if (operands.size() < 3) return;
  const std::uint32_t last = operands[operands.size() - 1];
  const std::uint32_t before = operands[operands.size() - 2];
  if ((last & before & kMetadataOperand) == 0) return;
  const Metadata& variable = module_.metadata_at(body_, before & ~kMetadataOperand);
  const Metadata& expression = module_.metadata_at(body_, last & ~kMetadataOperand);
  if (variable.kind != MetadataKind::local_variable || expression.kind != MetadataKind::expression) return;

  // Positions in the records: see debug_nodes.def.
  constexpr std::size_t kVariableScope = 2;
  constexpr std::size_t kVariableName = 3;
  constexpr std::size_t kBlockScope = 1;
  constexpr std::size_t kSubprogramName = 2;
  const auto node = [&](const Metadata& of, std::size_t position) -> const Metadata* {
    const auto record = module_.metadata_operands_of(of.operands);
    if (position >= record.size() || record[position] == 0) return nullptr;
    return &module_.metadata_at(body_, static_cast<std::uint32_t>(record[position] - 1));
  };
  const auto print_name_of = [&](const Metadata& of, std::size_t position) {
    const Metadata* name = node(of, position);
    out_ << '"';
    if (name != nullptr && name->kind == MetadataKind::string) out_ << module_.string_of(*name);
    out_ << '"';
  };
  out_ << " ; var:";
  print_name_of(variable, kVariableName);
  out_ << ' ';
  print_node(expression);
  const Metadata* scope = node(variable, kVariableScope);
  // Blocks lie in blocks; a chain longer than there is metadata is a circle.
  for (std::size_t i = 0; i < limits::kIrNesting && scope != nullptr; ++i) {
    if (scope->kind != MetadataKind::lexical_block && scope->kind != MetadataKind::lexical_block_file) break;
    scope = node(*scope, kBlockScope);
  }
  if (scope == nullptr || scope->kind != MetadataKind::subprogram) return;
  out_ << " func:";
  print_name_of(*scope, kSubprogramName);
}

void IrPrinter::print_operation_comment(const Instruction& call) {
  const auto operands = module_.operands_of(call.operands);
  if (operands.size() < 2 || (operands[1] & kMetadataOperand) != 0) return;
  const Value& code = value(operands[1]);
  if (code.kind != ValueKind::constant || module_.types[code.type].kind != TypeKind::integer) return;
  const Constant& constant = module_.constants[code.index];
  if (constant.kind != ConstantKind::integer && constant.kind != ConstantKind::null) return;
  const auto opcode = static_cast<std::uint32_t>(constant.kind == ConstantKind::null ? 0 : constant.bits);
  const OperationInfo* operation = find_operation(opcode);
  if (operation == nullptr) {
    out_ << "  ; invalid DXIL opcode #";
    out_.dec(opcode);
    return;
  }
  out_ << "  ; " << operation->comment;
  constexpr std::size_t kProperties = 3;
  if (static_cast<Operation>(opcode) == Operation::annotate_handle && operands.size() > kProperties)
    print_handle_properties(operands[kProperties]);
}

void IrPrinter::print_handle_properties(std::uint32_t id) {
  if ((id & kMetadataOperand) != 0) return;
  const Value& properties = value(id);
  if (properties.kind != ValueKind::constant) return;
  const Constant& constant = module_.constants[properties.index];
  std::uint32_t words[2] = {};
  if (constant.kind == ConstantKind::aggregate && constant.operands.count == std::size(words)) {
    for (std::size_t i = 0; i < std::size(words); ++i) {
      const Value& word = value(module_.operands_of(constant.operands)[i]);
      if (word.kind != ValueKind::constant) return;
      words[i] = static_cast<std::uint32_t>(module_.constants[word.index].bits);
    }
  } else if (constant.kind != ConstantKind::null) {
    return;
  }
  print_properties(out_, words[0], words[1]);
}

}  // namespace unshade::dxil::listing
