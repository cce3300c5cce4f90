// What debug information calls values: which piece of which variable of the source they are.
#include <cstddef>
#include <string>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {

// src: LLVM 3.7, "Source Level Debugging with LLVM": the value or address, of llvm.dbg.value an offset, the variable, an expression
void FunctionLowering::name_by_debug_information(const Instruction& call, bool declares) {
  // positions in records: debug_nodes.def
  constexpr std::size_t kVariableName = 3;
  constexpr std::size_t kFirstOfExpression = 1;
  constexpr std::uint64_t kBitPiece = 0x9d;  // DW_OP_bit_piece: its first bit, its bits
  const auto o = operands(call);
  const auto metadata = [&](std::size_t at) -> const dxil::Metadata* {
    return at < o.size() && (o[at] & dxil::kMetadataOperand) != 0 ? &module_.metadata_at(&body_, o[at] & ~dxil::kMetadataOperand) : nullptr;
  };
  const dxil::Metadata* const of = metadata(1);
  const dxil::Metadata* const variable = o.size() < 4 ? nullptr : metadata(o.size() - 2);
  const dxil::Metadata* const expression = o.size() < 4 ? nullptr : metadata(o.size() - 1);
  if (of == nullptr || of->kind != dxil::MetadataKind::value || variable == nullptr || variable->kind != dxil::MetadataKind::local_variable)
    return;
  const auto record = module_.metadata_operands_of(variable->operands);
  if (record.size() <= kVariableName || record[kVariableName] == 0) return;
  const dxil::Metadata& text = module_.metadata_at(&body_, static_cast<std::uint32_t>(record[kVariableName] - 1));
  if (text.kind != dxil::MetadataKind::string) return;
  const std::string name(module_.string_of(text));
  if (name.empty()) return;
  if (declares) {
    const auto local = allocas_.find(of->value);
    if (local != allocas_.end() && context_.out.variables[local->second].name == "local") context_.out.variables[local->second].name = name;
    return;
  }
  if (of->value < module_.values.size() || of->value - module_.values.size() >= locals_.size()) return;  // a constant
  std::size_t first = kNoComponent;
  if (expression != nullptr && expression->kind == dxil::MetadataKind::expression) {
    const auto words = module_.metadata_operands_of(expression->operands);
    for (std::size_t at = kFirstOfExpression; at + 2 < words.size(); ++at)
      if (words[at] == kBitPiece && words[at + 2] != 0) first = words[at + 1] / words[at + 2];
  }
  const Pieces& pieces = locals_[of->value - module_.values.size()];
  Function& function = builder_.function();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (function.block_of[pieces[k]] == kNone) continue;
    const std::size_t component = pieces.size() == 1 ? first : k;
    std::string own = name;
    if (component < kNoComponent) own += '.' + (component < 4 ? std::string(1, "xyzw"[component]) : std::to_string(component));
    function.names.try_emplace(pieces[k], std::move(own));
  }
}

}  // namespace unshade::ir::lower_dxil
