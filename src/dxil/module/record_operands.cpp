#include "dxil/module/record_operands.hpp"

#include <array>
#include <initializer_list>

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

/// Operands of a node, the first `links` of `linked` being those that may be other than strings.
struct Order {
  MetadataKind kind = MetadataKind::string;
  std::uint8_t count = 0;
  std::uint8_t links = 0;
  std::array<std::uint8_t, 10> operands{};
  std::array<std::uint8_t, 10> linked{};
};
constexpr Order order_of(MetadataKind kind, std::initializer_list<std::uint8_t> operands) {
  Order order;
  order.kind = kind;
  for (const std::uint8_t operand : operands) order.operands[order.count++] = operand;
  return order;
}
constexpr auto kOrders = [] {
  struct Strings {
    MetadataKind kind;
    std::uint8_t operand;
    FieldForm form;
  };
  constexpr Strings kFields[] = {
#define DXIL_FIELD(node, operand, text, form, print) {MetadataKind::node, operand, FieldForm::form},
#include <unshade/dxil/debug_nodes.def>
  };
  std::array orders = {
#define DXIL_OPERANDS(node, ...) order_of(MetadataKind::node, {__VA_ARGS__}),
#include <unshade/dxil/debug_nodes.def>
  };
  for (Order& order : orders)
    for (std::uint8_t i = 0; i < order.count; ++i) {
      bool is_string = false;
      for (const Strings& field : kFields)
        is_string = is_string || (field.kind == order.kind && field.operand == order.operands[i] && field.form == FieldForm::string);
      if (!is_string) order.linked[order.links++] = order.operands[i];
    }
  return orders;
}();

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
  for (const Order& order : kOrders)
    if (order.kind == kind) return {order.operands.data(), order.count};
  return {};
}

std::span<const std::uint8_t> node_link_order(MetadataKind kind) {
  for (const Order& order : kOrders)
    if (order.kind == kind) return {order.linked.data(), order.links};
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
