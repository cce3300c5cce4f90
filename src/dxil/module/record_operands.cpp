#include "dxil/module/record_operands.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include <unshade/dxil/query.hpp>

namespace unshade::dxil::module {

namespace {

struct RecordRow {
  std::uint32_t block;
  std::uint32_t code;
  std::string_view name;
  std::string_view operands;
};
constexpr RecordRow kRecordRows[] = {
#define BITCODE_RECORD(block, code, name, text, listed, operands) {bitcode::block_id::block, code, #name, operands},
#include "dxil/bitcode/records.def"
};

struct InstructionName {
  std::string_view group;
  std::string_view name;
};
constexpr InstructionName kInstructions[] = {
#define DXIL_OPCODE(id, text, group, sem) {#group, #id},
#include <unshade/dxil/ir.def>
};

/// Of each opcode.
constexpr auto kInstructionRecords = [] {
  std::array<const RecordRow*, std::size(kInstructions)> records{};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [group, id] = kInstructions[i];
    const bool compares = id == "icmp" || id == "fcmp";
    const std::string_view name = group == "b" ? "binary" : group == "c" ? "cast" : compares ? "compare" : id;
    for (const RecordRow& record : kRecordRows)
      if (record.block == bitcode::block_id::function && record.name == name) records[i] = &record;
  }
  return records;
}();

static_assert(std::ranges::find(kInstructionRecords, nullptr) == kInstructionRecords.end(), "each instruction must have a record");

constexpr auto kLayouts = [] {
  std::array<OperandLayout, std::size(kInstructions)> layouts{};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    OperandLayout& layout = layouts[i];
    const std::string_view operands = kInstructionRecords[i]->operands;
    OperandLetters letters(operands);
    for (const char c : operands) {
      if (c == '|' || (c >= '0' && c <= '9')) continue;
      const char letter = letters.next();
      if (!has_place(letter)) continue;
      layout.kinds[letters.place()] = letter == 'b'   ? OperandKind::block
                                      : letter == 'n' ? OperandKind::number
                                      : letter == 'e' ? OperandKind::argument
                                                      : OperandKind::value;
      (letters.repeats() ? layout.repeated : layout.fixed)++;
      layout.first_is_last = layout.first_is_last || letter == 'V';
    }
  }
  return layouts;
}();

struct ConstantRow {
  ConstantKind kind;
  std::uint32_t code;
};
constexpr ConstantRow kConstantRows[] = {
    {ConstantKind::null, bitcode::code::constants_null},
    {ConstantKind::undef, bitcode::code::constants_undef},
    {ConstantKind::integer, bitcode::code::constants_integer},
    {ConstantKind::wide_integer, bitcode::code::constants_wide_integer},
    {ConstantKind::real, bitcode::code::constants_real},
    {ConstantKind::aggregate, bitcode::code::constants_aggregate},
    {ConstantKind::data, bitcode::code::constants_data},
    {ConstantKind::string, bitcode::code::constants_string},
    {ConstantKind::c_string, bitcode::code::constants_c_string},
    {ConstantKind::binary, bitcode::code::constants_binary},
    {ConstantKind::cast, bitcode::code::constants_cast},
    {ConstantKind::getelementptr, bitcode::code::constants_getelementptr},
    {ConstantKind::getelementptr, bitcode::code::constants_getelementptr_inbounds},
    {ConstantKind::select, bitcode::code::constants_select},
    {ConstantKind::extractelement, bitcode::code::constants_extractelement},
    {ConstantKind::insertelement, bitcode::code::constants_insertelement},
    {ConstantKind::shufflevector, bitcode::code::constants_shufflevector},
    {ConstantKind::shufflevector, bitcode::code::constants_shufflevector_wide},
    {ConstantKind::compare, bitcode::code::constants_compare},
    {ConstantKind::inline_asm, bitcode::code::constants_inline_asm},
    {ConstantKind::inline_asm, bitcode::code::constants_inline_asm_old},
    {ConstantKind::block_address, bitcode::code::constants_block_address},
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

/// Whether an operand is an id, rather than an id + 1.
bool is_plain_id(MetadataKind kind, std::size_t operand) {
  for (const NodeField& field : node_fields(kind))
    if (field.operand == operand) return field.form == FieldForm::id;
  return false;
}

}  // namespace

ConstantKind constant_kind(std::uint32_t code) {
  const auto* const row = std::ranges::find(kConstantRows, code, &ConstantRow::code);
  return row == std::end(kConstantRows) ? ConstantKind::undef : row->kind;
}

std::uint32_t constant_code(ConstantKind kind) { return std::ranges::find(kConstantRows, kind, &ConstantRow::kind)->code; }

std::uint32_t record_code(const Instruction& i) {
  if ((i.flags & flag::kAtomic) != 0) {
    if (i.opcode == Opcode::load) return bitcode::code::function_load_atomic;
    if (i.opcode == Opcode::store) return bitcode::code::function_store_atomic;
  }
  return kInstructionRecords[static_cast<std::size_t>(i.opcode)]->code;
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

std::size_t linked_count(const Metadata& node) {
  if (node.kind == MetadataKind::string || node.kind == MetadataKind::value) return 0;
  if (node.kind == MetadataKind::node) return node.operands.count;
  if (node.kind == MetadataKind::generic) return node.operands.count > 3 ? node.operands.count - 3 : 0;
  return node_operand_order(node.kind).size();
}

Link link_of(const Metadata& node, std::size_t i) {
  if (node.kind == MetadataKind::node) return {i, 1};
  const std::size_t operand = node.kind == MetadataKind::generic ? i + 3 : node_operand_order(node.kind)[i];
  return {operand, is_plain_id(node.kind, operand) ? 0U : 1U};
}

std::uint32_t linked(const Module& module, const Metadata& node, std::size_t i) {
  const auto [operand, bias] = link_of(node, i);
  if (operand >= node.operands.count) return kNone;
  const std::uint64_t id = module.metadata_operands[node.operands.first + operand];
  return id < bias ? kNone : static_cast<std::uint32_t>(id - bias);
}

}  // namespace unshade::dxil::module

namespace unshade::dxil {

const OperandLayout& operand_layout(Opcode opcode) { return module::kLayouts[static_cast<std::size_t>(opcode)]; }

}  // namespace unshade::dxil
