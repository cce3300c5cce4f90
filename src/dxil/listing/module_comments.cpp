// What dxc writes after an instruction: where it comes from, which variable it describes, which operation it is.
#include <array>
#include <iterator>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "dxil/listing/module.hpp"
#include "dxil/listing/resource_text.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::listing {

namespace {

/// AnnotateHandle of 1.5.
constexpr std::uint32_t kOldAnnotateHandle = 217;

/// Those of 1.5, for which AnnotateHandle states class and kind.
struct OldProperties {
  std::uint64_t resource_class;
  std::uint64_t kind;
  std::array<std::uint32_t, 2> words;

  /// Kinds that later versions do not have.
  static constexpr std::uint64_t kStructuredBufferWithCounter = 19;
  static constexpr std::uint64_t kComparisonSampler = 20;

  bool is(ResourceClass of) const { return resource_class == static_cast<std::uint64_t>(of); }
  bool is(ResourceKind of) const { return kind == static_cast<std::uint64_t>(of); }
  /// A row of ResourceKind, or `invalid`.
  ResourceKind known_kind() const { return kind <= 0xff ? static_cast<ResourceKind>(kind) : ResourceKind::invalid; }
  std::uint32_t component_type() const { return words[0] & 0x1f; }
  bool is_scalar() const { return (words[0] >> 5 & 1) != 0; }
  std::uint32_t sample_count() const {
    constexpr std::uint32_t kUnknown = 6;
    const std::uint32_t exponent = words[0] >> 6 & 7;
    return exponent < kUnknown ? 1U << exponent : 0;
  }
  bool raster_ordered() const { return (words[1] & 1) != 0; }
  bool globally_coherent() const { return (words[1] & 2) != 0; }
};

std::string_view component_text(std::uint32_t type) {
  const std::string_view text = component_type_info(static_cast<ComponentType>(type)).type;
  return text.empty() ? std::string_view("<invalid CompType>") : text;
}
std::string_view feedback_text(std::uint32_t kind) {
  const std::string_view text = dxc_text(static_cast<dxcontainer::SamplerFeedback>(kind));
  return text.empty() ? std::string_view("<invalid sampler feedback type>") : text;
}

void print_old_properties(Text& out, const OldProperties& p) {
  out << "  resource: ";
  if (p.is(ResourceClass::cbuffer)) {
    out << "CBuffer";
    return;
  }
  if (p.is(ResourceClass::sampler)) {
    if (p.is(ResourceKind::sampler)) out << "SamplerState";
    if (p.kind == OldProperties::kComparisonSampler) out << "SamplerComparisonState";
    return;
  }
  const bool is_uav = p.is(ResourceClass::uav);
  const bool counts = p.kind == OldProperties::kStructuredBufferWithCounter;
  const std::string_view type = counts ? "StructuredBufferWithCounter" : resource_type_text(p.known_kind());
  const auto list_access = [&] {
    if (is_uav) out << (p.globally_coherent() ? "globallycoherent " : "") << (p.raster_ordered() ? "ROV" : "RW");
    out << type;
  };
  switch (counts ? ResourceKind::structured_buffer : p.known_kind()) {
    case ResourceKind::tbuffer:
      if (p.is(ResourceClass::srv)) {
        out << type;
        return;
      }
      break;
    case ResourceKind::texture2d_ms:
    case ResourceKind::texture2d_ms_array:
      out << type << '<' << component_text(p.component_type()) << ", samples=";
      out.dec(p.sample_count()) << '>';
      return;
    case ResourceKind::raw_buffer: list_access(); return;
    case ResourceKind::structured_buffer:
      list_access();
      out << "<stride=";
      out.dec(p.words[0]) << '>';
      return;
    case ResourceKind::acceleration_structure: out << type; return;
    case ResourceKind::feedback_texture2d:
    case ResourceKind::feedback_texture2d_array: out << type << '<' << feedback_text(p.words[0]) << '>'; return;
    case ResourceKind::cbuffer:
    case ResourceKind::sampler: break;
    default:
      if (type.empty()) break;
      list_access();
      out << '<' << component_text(p.component_type()) << (is_uav && !p.is_scalar() ? "[vec]>" : ">");
      return;
  }
  out << "<invalid resource properties>";
}

void print_properties(Text& out, const ResourceProperties& p, const DxcStyle& style) {
  out << "  resource: ";
  switch (p.kind) {
    case ResourceKind::cbuffer: out << resource_type_text(p.kind); return;
    case ResourceKind::sampler: out << (p.is_comparison_sampler ? "SamplerComparisonState" : "SamplerState"); return;
    case ResourceKind::tbuffer: out << (p.is_uav ? "<invalid resource properties>" : resource_type_text(p.kind)); return;
    case ResourceKind::acceleration_structure: out << resource_type_text(p.kind); return;
    case ResourceKind::feedback_texture2d:
    case ResourceKind::feedback_texture2d_array: out << resource_type_text(p.kind) << '<' << feedback_text(p.feedback_kind) << '>'; return;
    default: break;
  }
  const std::string_view type = resource_type_text(p.kind);
  if (type.empty()) {
    out << "<invalid resource properties>";
    return;
  }
  if (p.is_uav) {
    if (p.globally_coherent) out << "globallycoherent ";
    if (p.reorder_coherent && style.reorder_coherent) out << "reordercoherent ";
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
  out << component_text(p.component_type) << '>';
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
    if (style_.debug_comments) print_debug_variable(instruction);
    return;
  }
  if (style_.debug_comments && instruction.location != kNone && module_.locations[instruction.location].line != 0) {
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
  if (!style_.variable_functions) return;
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
  const std::string_view comment = operation_comment(style_, *opcode);
  if (comment.empty()) {
    out_ << "  ; invalid DXIL opcode #";
    out_.dec(*opcode);
    return;
  }
  out_ << "  ; " << comment;
  if (style_.old_handles) {
    if (*opcode == kOldAnnotateHandle) print_old_handle(instruction);
    return;
  }
  const auto call = static_cast<Operation>(*opcode) == Operation::annotate_handle ? call_of(query, *body_, instruction) : std::nullopt;
  if (const auto words = call ? property_words(query, *body_, call->argument("props")) : std::nullopt)
    print_properties(out_, ResourceProperties(*words), style_);
}

/// `AnnotateHandle(res,resourceClass,resourceKind,props)`: a call of today's operation with this opcode has fewer operands.
void IrPrinter::print_old_handle(const Instruction& call) {
  constexpr std::size_t kResourceClass = 3;
  constexpr std::size_t kResourceKind = 4;
  constexpr std::size_t kProperties = 5;
  const auto operands = module_.operands_of(call.operands);
  if (operands.size() <= kProperties) return;
  const ModuleQuery query{module_};
  const auto resource_class = query.integer_of(body_, operands[kResourceClass]);
  const auto kind = query.integer_of(body_, operands[kResourceKind]);
  const auto words = property_words(query, *body_, operands[kProperties]);
  if (resource_class && kind && words) print_old_properties(out_, {*resource_class, *kind, *words});
}

}  // namespace unshade::dxil::listing
