// Loads and stores of inputs and outputs: of elements of signatures, and of builtins.
#include <algorithm>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {

// The operands that say which vertex and row of an element a pointer is to, if not the only ones.
std::vector<std::uint32_t> FunctionLowering::place_operands(const Pointer& p, ElementExtra& extra) {
  std::vector<std::uint32_t> operands;
  if (p.vertex != kNone) {
    extra.has_vertex = true;
    operands.push_back(p.vertex);
  }
  if (p.row != 0 || p.row_index != kNone) {
    extra.has_row = true;
    Id row = i32(p.row);
    if (p.row_index != kNone) row = p.row == 0 ? p.row_index : op(Op::iadd, Type::i32, {p.row_index, row});
    operands.push_back(row);
  }
  return operands;
}

Id FunctionLowering::load_interface(const Pointer& from, Type type) {
  const Node& node = *from.node;
  if (node.kind == Node::Kind::special) return special(from);
  if (from.column_index != kNone) {
    Pointer p = from;
    p.column_index = kNone;
    Id found = kNone;
    const unsigned count = node.kind == Node::Kind::builtin   ? info(node.builtin).components
                           : node.kind == Node::Kind::element ? context_.out.signatures.of(node.signature)[node.element].columns
                                                              : 1;
    for (p.column = 0; p.column < count; ++p.column) {
      const Id one = load_interface(p, type);
      found = p.column == 0 ? one : op(Op::select, type, {op(Op::ieq, Type::i32, {from.column_index, i32(p.column)}), one, found});
    }
    return found;
  }
  if (node.kind == Node::Kind::builtin) {
    const BuiltinInfo& row = info(node.builtin);
    const auto component = static_cast<std::uint8_t>(from.column);
    if (component >= row.components)
      return fail(ErrorCode::bad_value,
                  "component " + std::to_string(component) + " of a builtin of " + std::to_string(row.components) + " components"),
             i32(0);
    const Id made = op(Op::builtin, row.type, {}, BuiltinExtra(node.builtin, component).bits());
    if (type == Type::b1 && is_integer(row.type)) return op(Op::ine, row.type, {made, builder_.constant(row.type, 0)});
    return type == row.type ? made : is_integer(type) && is_integer(row.type) ? resized(made, type) : builder_.as(type, made);
  }
  if (node.kind != Node::Kind::element) return unsupported("reading this input or output"), builder_.undef(type);
  const Element& element = context_.out.signatures.of(node.signature)[node.element];
  if (from.column >= element.columns) return fail(ErrorCode::bad_value, "the element has fewer components"), i32(0);
  ElementExtra extra(node.signature, node.element, static_cast<std::uint8_t>(from.column));
  std::vector<std::uint32_t> operands = place_operands(from, extra);
  const bool own_output =
      node.signature == SignatureKind::output || (node.signature == SignatureKind::patch && context_.out.stage != Stage::domain);
  // a truth is a number in a signature
  const Type loaded = type == Type::b1 ? element.type : type;
  const Id made = builder_.inst(own_output ? Op::output_load : Op::input, loaded, operands, {.extra = extra.bits()});
  return type == Type::b1 ? op(Op::ine, loaded, {made, builder_.constant(loaded, 0)}) : made;
}

void FunctionLowering::store_interface(const Pointer& to, Type type, Id value) {
  const Node& node = *to.node;
  if (node.kind == Node::Kind::special && to.vertex != kNone) {
    const Id corner = to.column_index != kNone ? to.column_index : i32(to.column);
    builder_.inst(Op::mesh_index, Type::void_, {to.vertex, corner, value});
    return;
  }
  if (node.kind != Node::Kind::element) return unsupported("writing this builtin");
  const Element& element = context_.out.signatures.of(node.signature)[node.element];
  if (to.column_index != kNone) {
    Pointer p = to;
    p.column_index = kNone;
    for (p.column = 0; p.column < element.columns; ++p.column) {
      const Id old = load_interface(p, type);
      store_interface(p, type, op(Op::select, type, {op(Op::ieq, Type::i32, {to.column_index, i32(p.column)}), value, old}));
    }
    return;
  }
  if (to.column >= element.columns) return fail(ErrorCode::bad_value, "the element has fewer components");
  ElementExtra extra(node.signature, node.element, static_cast<std::uint8_t>(to.column));
  std::vector<std::uint32_t> operands = place_operands(to, extra);
  operands.push_back(type == Type::b1 ? op(Op::zext, Type::i32, {value}) : value);
  builder_.inst(Op::output, type == Type::b1 ? Type::i32 : type, operands, {.extra = extra.bits()});
}

// Builtins that are computed.
Id FunctionLowering::special(const Pointer& from) {
  using spirv::BuiltIn;
  const unsigned column = from.column & 3;
  switch (from.node->special) {
    case BuiltIn::workgroup_size: return i32(context_.out.info.group_size[std::min(column, 2U)]);
    case BuiltIn::subgroup_eq_mask: {
      const Id word = op(Op::ieq, Type::i32, {op(Op::ushr, Type::i32, {lane(), i32(5)}), i32(column)});
      return op(Op::select, Type::i32, {word, op(Op::ishl, Type::i32, {i32(1), lane()}), i32(0)});
    }
    case BuiltIn::subgroup_lt_mask: return lanes_below(lane())[column];
    case BuiltIn::subgroup_le_mask: return lanes_below(op(Op::iadd, Type::i32, {lane(), i32(1)}))[column];
    case BuiltIn::subgroup_ge_mask:
    case BuiltIn::subgroup_gt_mask: {
      const bool own = from.node->special == BuiltIn::subgroup_ge_mask;
      const Id below = lanes_below(own ? lane() : op(Op::iadd, Type::i32, {lane(), i32(1)}))[column];
      return op(Op::ixor, Type::i32, {below, lanes_below(wave_size())[column]});
    }
    default: return unsupported("this builtin"), i32(0);
  }
}

void FunctionLowering::interpolate(const Instruction& i, std::uint32_t pointer_id, ElementExtra::Place place, const Pieces& more) {
  const Pointer from = pointer(pointer_id);
  if (error_) return;
  if (from.kind != Pointer::Kind::interface || from.node->kind != Node::Kind::element || from.per_vertex || from.column_index != kNone)
    return unsupported("interpolating anything but a single input");
  const Type type = result_scalar(i);
  Pieces made;
  for (std::uint32_t k = 0; k < context_.count(result_type(i)); ++k) {
    ElementExtra extra(from.node->signature, from.node->element, static_cast<std::uint8_t>(from.column + k));
    extra.place = place;
    std::vector<std::uint32_t> operands;
    if (from.row != 0 || from.row_index != kNone) {
      extra.has_row = true;
      Id row = i32(from.row);
      if (from.row_index != kNone) row = op(Op::iadd, Type::i32, {from.row_index, row});
      operands.push_back(row);
    }
    operands.insert(operands.end(), more.begin(), more.end());
    made.push_back(builder_.inst(Op::interpolate, type, operands, {.extra = extra.bits()}));
  }
  define(i, std::move(made));
}

}  // namespace unshade::ir::lower_spirv
