// What dxc writes after an instruction: where it comes from, which variable it describes, which operation it is.
#include <iterator>

#include <unshade/core/limits.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/handles.hpp>

#include "core/shown.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/listing/resource_text.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::listing {

namespace {

void print_properties(Text& out, const ResourceProperties& p) {
  out << "  resource: ";
  switch (p.kind) {
    case ResourceKind::cbuffer: out << resource_type_text(p.kind); return;
    case ResourceKind::sampler: out << (p.is_comparison_sampler ? "SamplerComparisonState" : "SamplerState"); return;
    case ResourceKind::tbuffer: out << (p.is_uav ? "<invalid resource properties>" : resource_type_text(p.kind)); return;
    case ResourceKind::acceleration_structure: out << resource_type_text(p.kind); return;
    case ResourceKind::feedback_texture2d:
    case ResourceKind::feedback_texture2d_array: {
      const std::string_view type = dxc_text(static_cast<dxcontainer::SamplerFeedback>(p.feedback_kind));
      out << resource_type_text(p.kind) << '<' << (type.empty() ? "<invalid sampler feedback type>" : type) << '>';
      return;
    }
    default: break;
  }
  const std::string_view type = resource_type_text(p.kind);
  if (type.empty()) {
    out << "<invalid resource properties>";
    return;
  }
  if (p.is_uav) {
    if (p.globally_coherent) out << "globallycoherent ";
    if (p.reorder_coherent) out << "reordercoherent ";
    out << (p.raster_ordered ? "ROV" : "RW");
  }
  out << type;
  if (p.kind == ResourceKind::raw_buffer) return;
  if (p.kind == ResourceKind::structured_buffer) {
    out << "<stride=";
    out.dec(p.stride) << (p.is_uav && p.has_counter ? ", counter>" : ">");
    return;
  }
  out << '<';
  if (p.component_count > 1) out.dec(p.component_count) << 'x';
  const std::string_view component = component_type_info(static_cast<ComponentType>(p.component_type)).type;
  out << (component.empty() ? "<invalid CompType>" : component) << '>';
}

}  // namespace

/// `fast` says less than there is: which of nnan and its like are beside it. All of them, usually.
void IrPrinter::print_exact_flags(const Instruction& instruction) {
  const auto flags = static_cast<std::uint16_t>(instruction.flags & flag::kFastMath);
  if ((flags & flag::kFast) == 0 || flags == flag::kFastMath) return;
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
    if (name != nullptr && name->kind == MetadataKind::string) out_ << printable(module_.string_of(*name));
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

void IrPrinter::print_operation_comment(const Instruction& instruction) {
  const ModuleQuery query{module_};
  const auto opcode = stated_opcode(query, *body_, instruction);
  if (!opcode) return;
  const OperationInfo* const operation = find_operation(*opcode);
  if (operation == nullptr) {
    out_ << "  ; invalid DXIL opcode #";
    out_.dec(*opcode);
    return;
  }
  out_ << "  ; " << operation->comment;
  const auto call = operation->operation() == Operation::annotate_handle ? call_of(query, *body_, instruction) : std::nullopt;
  if (const auto words = call ? property_words(query, *body_, call->argument("props")) : std::nullopt)
    print_properties(out_, ResourceProperties(*words));
}

}  // namespace unshade::dxil::listing
