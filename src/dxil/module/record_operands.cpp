#include "dxil/module/record_operands.hpp"

#include <iterator>

namespace unshade::dxil {

namespace {

struct ShapeRow {
  std::uint32_t code;
  std::string_view shape;
};

// src: LLVM 3.7, BitcodeWriter.cpp, WriteInstruction; older records by BitcodeReader.cpp
constexpr ShapeRow kShapes[] = {
    {code::function_declare_blocks, "|."},
    {code::function_binary, "vu|."},
    {code::function_cast, "vt|."},
    {code::function_getelementptr_old, "v|v"},
    {code::function_getelementptr_inbounds_old, "v|v"},
    {code::function_getelementptr, ".tv|v"},
    {code::function_select_old, "vuu"},
    {code::function_select, "vuv"},
    {code::function_extractelement, "vv"},
    {code::function_insertelement, "vuv"},
    {code::function_shufflevector, "vuv"},
    {code::function_compare_old, "vu|."},
    {code::function_compare, "vu|."},
    {code::function_ret, "|v"},
    {code::function_br, "..u"},
    {code::function_switch_, "tu.|a."},
    {code::function_indirectbr, "tu|."},
    {code::function_unreachable, "|."},
    {code::function_phi, "t|s."},
    {code::function_landingpad, "t..|.v"},
    {code::function_alloca_, "tta."},
    {code::function_load, "vT|."},
    {code::function_load_atomic, "vT|."},
    {code::function_store, "vv|."},
    {code::function_store_atomic, "vv|."},
    {code::function_store_old, "vu|."},
    {code::function_store_atomic_old, "vu|."},
    {code::function_cmpxchg, "vvu|."},
    {code::function_cmpxchg_old, "vuu|."},
    {code::function_atomicrmw, "vu|."},
    {code::function_fence, "|."},
    {code::function_va_arg, "tut"},
    {code::function_extractvalue, "v|."},
    {code::function_insertvalue, "vv|."},
    {code::function_resume, "v"},
    {code::function_location, "..mm"},
    {code::function_location_again, "|."},
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
  if (node.kind == MetadataKind::node) return node.distinct ? code::metadata_distinct_node : code::metadata_node;
  for (const NodeRow& row : kNodes)
    if (row.kind == node.kind) return row.code;
  return node.kind == MetadataKind::string ? code::metadata_string : code::metadata_value;
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

}  // namespace unshade::dxil
