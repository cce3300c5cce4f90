#include "dxil/module/record_operands.hpp"

#include <iterator>

namespace unshade::dxil::module {

namespace {

struct ShapeRow {
  std::uint32_t code;
  std::string_view shape;
};

// src: LLVM 3.7, BitcodeWriter.cpp, WriteInstruction; older records by BitcodeReader.cpp
constexpr ShapeRow kShapes[] = {
    {bitcode::code::function_declare_blocks, "|."},
    {bitcode::code::function_binary, "vu|."},
    {bitcode::code::function_cast, "vt|."},
    {bitcode::code::function_getelementptr_old, "v|v"},
    {bitcode::code::function_getelementptr_inbounds_old, "v|v"},
    {bitcode::code::function_getelementptr, ".tv|v"},
    {bitcode::code::function_select_old, "vuu"},
    {bitcode::code::function_select, "vuv"},
    {bitcode::code::function_extractelement, "vv"},
    {bitcode::code::function_insertelement, "vuv"},
    {bitcode::code::function_shufflevector, "vuv"},
    {bitcode::code::function_compare_old, "vu|."},
    {bitcode::code::function_compare, "vu|."},
    {bitcode::code::function_ret, "|v"},
    {bitcode::code::function_br, "..u"},
    {bitcode::code::function_switch_, "tu.|a."},
    {bitcode::code::function_indirectbr, "tu|."},
    {bitcode::code::function_unreachable, "|."},
    {bitcode::code::function_phi, "t|s."},
    {bitcode::code::function_landingpad, "t..|.v"},
    {bitcode::code::function_alloca_, "tta."},
    {bitcode::code::function_load, "vT|."},
    {bitcode::code::function_load_atomic, "vT|."},
    {bitcode::code::function_store, "vv|."},
    {bitcode::code::function_store_atomic, "vv|."},
    {bitcode::code::function_store_old, "vu|."},
    {bitcode::code::function_store_atomic_old, "vu|."},
    {bitcode::code::function_cmpxchg, "vvu|."},
    {bitcode::code::function_cmpxchg_old, "vuu|."},
    {bitcode::code::function_atomicrmw, "vu|."},
    {bitcode::code::function_fence, "|."},
    {bitcode::code::function_va_arg, "tut"},
    {bitcode::code::function_extractvalue, "v|."},
    {bitcode::code::function_insertvalue, "vv|."},
    {bitcode::code::function_resume, "v"},
    {bitcode::code::function_location, "..mm"},
    {bitcode::code::function_location_again, "|."},
};

struct NodeRow {
  MetadataKind kind;
  std::uint32_t code;
};
constexpr NodeRow kNodes[] = {
#define DXIL_NODE(code, id, text, least, most) {MetadataKind::id, code},
#include <unshade/dxil/debug_nodes.def>
};

struct OrderRow {
  MetadataKind kind;
  std::uint8_t count;
  std::uint8_t operands[10];
};
// src: DXC lib/IR/DebugInfoMetadata.cpp, the array Ops of each node
constexpr OrderRow kOrders[] = {
    {MetadataKind::location, 2, {3, 4}},
    {MetadataKind::generic, 1, {3}},  // and all after it
    {MetadataKind::enumerator, 1, {2}},
    {MetadataKind::basic_type, 1, {2}},
    {MetadataKind::file, 2, {1, 2}},
    {MetadataKind::derived_type, 5, {3, 5, 2, 6, 11}},
    {MetadataKind::composite_type, 8, {3, 5, 2, 6, 11, 13, 14, 15}},
    {MetadataKind::subroutine_type, 1, {2}},
    {MetadataKind::compile_unit, 9, {2, 3, 5, 7, 9, 10, 11, 12, 13}},
    {MetadataKind::subprogram, 10, {4, 1, 2, 3, 6, 10, 15, 16, 17, 18}},
    {MetadataKind::lexical_block, 2, {2, 1}},
    {MetadataKind::lexical_block_file, 2, {2, 1}},
    {MetadataKind::namespace_, 3, {2, 1, 3}},
    {MetadataKind::template_type, 2, {1, 2}},
    {MetadataKind::template_value, 3, {2, 3, 4}},
    {MetadataKind::global_variable, 7, {1, 2, 4, 6, 3, 9, 10}},
    {MetadataKind::local_variable, 4, {2, 3, 4, 6}},
    {MetadataKind::objc_property, 5, {1, 2, 4, 5, 7}},
    {MetadataKind::imported_entity, 3, {2, 3, 5}},
    {MetadataKind::module, 5, {1, 2, 3, 4, 5}},
};

}  // namespace

std::string_view function_record_shape(std::uint32_t code) {
  for (const ShapeRow& row : kShapes)
    if (row.code == code) return row.shape;
  return {};
}

std::uint32_t node_code(const Metadata& node) {
  if (node.kind == MetadataKind::node) return node.distinct ? bitcode::code::metadata_distinct_node : bitcode::code::metadata_node;
  for (const NodeRow& row : kNodes)
    if (row.kind == node.kind) return row.code;
  return node.kind == MetadataKind::string ? bitcode::code::metadata_string : bitcode::code::metadata_value;
}

std::span<const std::uint8_t> node_operand_order(MetadataKind kind) {
  for (const OrderRow& row : kOrders)
    if (row.kind == kind) return {row.operands, row.count};
  return {};
}

bool is_plain_id(MetadataKind kind, std::size_t operand) {
  for (const NodeField& field : node_fields(kind))
    if (field.operand == operand) return field.form == FieldForm::id;
  return false;
}

std::size_t linked_count(const Metadata& node) {
  if (node.kind == MetadataKind::string || node.kind == MetadataKind::value) return 0;
  if (node.kind == MetadataKind::node) return node.operands.count;
  if (node.kind == MetadataKind::generic) return node.operands.count > 3 ? node.operands.count - 3 : 0;
  return node_operand_order(node.kind).size();
}

std::uint32_t linked(const Module& module, const Metadata& node, std::size_t i) {
  std::size_t operand = i;
  if (node.kind == MetadataKind::generic)
    operand = i + 3;
  else if (node.kind != MetadataKind::node)
    operand = node_operand_order(node.kind)[i];
  if (operand >= node.operands.count) return kNone;
  const std::uint64_t id = module.metadata_operands[node.operands.first + operand];
  if (node.kind != MetadataKind::node && is_plain_id(node.kind, operand)) return static_cast<std::uint32_t>(id);
  return id == 0 ? kNone : static_cast<std::uint32_t>(id - 1);
}

}  // namespace unshade::dxil::module
