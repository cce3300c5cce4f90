// Variables of LLVM: alloca, globals, and what reads and writes them.
#include <algorithm>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {
namespace {

using dxil::TypeKind;

constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 20;

}  // namespace

std::optional<FunctionLowering::Place> FunctionLowering::place(std::uint32_t pointer) {
  const dxil::Address address = address_of(context_.query, body_, pointer, context_.layout);
  Place found;
  if (const auto global = context_.variables.find(address.root); global != context_.variables.end()) {
    found.variable = global->second;
  } else if (const auto local = allocas_.find(address.root); local != allocas_.end()) {
    found.variable = local->second;
  } else {
    unsupported("a pointer that is selected at run time (by a phi or select)");
    return std::nullopt;
  }
  found.constant = address.offset;
  for (const dxil::Address::Index& index : address.indexes) {
    Id scaled = value(index.value);
    if (const Type type = builder_.type_of(scaled); type != Type::i32) {
      scaled = builder_.inst(type == Type::i64 ? Op::trunc : Op::sext, Type::i32, {scaled});
    }
    if (index.stride != 1) scaled = builder_.inst(Op::imul, Type::i32, {scaled, i32(static_cast<std::uint32_t>(index.stride))});
    found.offset = found.offset == kNone ? scaled : builder_.inst(Op::iadd, Type::i32, {found.offset, scaled});
  }
  return found;
}

Id FunctionLowering::at(const Place& place, std::uint64_t more) {
  const Id constant = i32(static_cast<std::uint32_t>(place.constant + more));
  if (place.offset == kNone) return constant;
  if (place.constant + more == 0) return place.offset;
  return builder_.inst(Op::iadd, Type::i32, {place.offset, constant});
}

void FunctionLowering::alloca_variable(const Instruction& i) {
  const auto count = context_.query.integer_of(&body_, operands(i)[0]);
  const std::uint64_t size = context_.layout.size_of(i.second_type);
  if (!count || *count == 0 || size > kMostVariableBytes || *count > kMostVariableBytes / std::max<std::uint64_t>(size, 1)) {
    return fail(ErrorCode::limit, "a local variable is larger than 1 MiB");
  }
  const std::string_view name = module_.text(module_.value(&body_, i.value).name);
  const std::uint32_t made = context_.add_variable(name.empty() ? "local" : std::string(name), Space::private_, size * *count);
  context_.describe_memory(made, i.second_type, *count > 1);
  allocas_[i.value] = made;
}

void FunctionLowering::load_pieces(std::uint32_t type, const Place& from, std::uint64_t offset, Pieces& to) {
  const auto scalar = context_.scalar(type);
  if (scalar == Type::b1) {
    const Id byte = op(Op::load, Type::i8, {at(from, offset)}, from.variable);
    to.push_back(op(Op::ine, Type::i8, {byte, builder_.constant(Type::i8, 0)}));
  } else if (scalar && *scalar != Type::handle) {
    to.push_back(op(Op::load, *scalar, {at(from, offset)}, from.variable));
  } else if (const dxil::Type& t = context_.query.type(type); t.kind == TypeKind::array || t.kind == TypeKind::vector) {
    const std::uint32_t element = module_.element_of(type);
    const std::uint64_t stride = context_.layout.size_of(element);
    for (std::uint64_t k = 0; k < t.count && !error_; ++k) {
      const auto scope = builder_.component(t.kind == TypeKind::vector ? k : kNoComponent);
      load_pieces(element, from, offset + k * stride, to);
    }
  } else if (t.kind == TypeKind::structure && !scalar) {
    const auto offsets = context_.layout.offsets_of(type);
    const auto parts = module_.parts_of(t);
    for (std::size_t k = 0; k < parts.size() && !error_; ++k) load_pieces(parts[k], from, offset + offsets[k], to);
  } else {
    unsupported("a variable of type " + context_.query.text_of(type));
  }
}

void FunctionLowering::store_pieces(std::uint32_t type, const Place& to, std::uint64_t offset, const Pieces& from, std::size_t& next) {
  const auto scalar = context_.scalar(type);
  if (scalar && *scalar != Type::handle) {
    Id piece = from[next++];
    Type kind = *scalar;
    if (kind == Type::b1) {
      kind = Type::i8;
      piece = op(Op::zext, kind, {piece});
    }
    builder_.inst(Op::store, kind, {at(to, offset), piece}, {.extra = to.variable});
  } else if (const dxil::Type& t = context_.query.type(type); t.kind == TypeKind::array || t.kind == TypeKind::vector) {
    const std::uint32_t element = module_.element_of(type);
    const std::uint64_t stride = context_.layout.size_of(element);
    for (std::uint64_t k = 0; k < t.count && !error_; ++k) {
      const auto scope = builder_.component(t.kind == TypeKind::vector ? k : kNoComponent);
      store_pieces(element, to, offset + k * stride, from, next);
    }
  } else if (t.kind == TypeKind::structure && !scalar) {
    const auto offsets = context_.layout.offsets_of(type);
    const auto parts = module_.parts_of(t);
    for (std::size_t k = 0; k < parts.size() && !error_; ++k) store_pieces(parts[k], to, offset + offsets[k], from, next);
  } else {
    unsupported("a variable of type " + context_.query.text_of(type));
  }
}

void FunctionLowering::load(const Instruction& i) {
  Types types;
  if (context_.query.is(i.type, TypeKind::pointer)) return unsupported("storing pointers in memory");
  // the global of a resource: its handle is made from it
  if (context_.is_handle(i.type) || !context_.flatten(i.type, types)) return;
  const auto from = place(operands(i)[0]);
  if (!from) return;
  Pieces made;
  load_pieces(i.type, *from, 0, made);
  define(i, std::move(made));
}

void FunctionLowering::store(const Instruction& i) {
  const auto to = place(operands(i)[0]);
  if (!to) return;
  const Pieces& values = pieces(operands(i)[1]);
  Types types;
  if (!context_.flatten(type_of(operands(i)[1]), types) || types.size() != values.size()) return unsupported("storing pointers in memory");
  std::size_t next = 0;
  store_pieces(type_of(operands(i)[1]), *to, 0, values, next);
}

void FunctionLowering::atomic(const Instruction& i) {
  const auto to = place(operands(i)[0]);
  if (!to) return;
  const Id operand = value(operands(i)[1]);
  const Type type = builder_.type_of(operand);
  if (i.opcode == dxil::Opcode::cmpxchg) {
    const AtomicExtra extra(to->variable, AtomicOp::compare_exchange);
    const Id old = op(Op::atomic, type, {at(*to, 0), value(operands(i)[2]), operand}, extra.bits());
    // {the value before, whether it was the one that was compared with}
    return define(i, Pieces{old, op(Op::ieq, type, {old, operand})});
  }
  const Meaning meaning = meaning_of(i.operation());
  const auto what = atomic_of(meaning);
  const Id given = meaning == Meaning::atomic_isub ? op(Op::ineg, type, {operand}) : operand;
  if (!what || !is_integer(type))
    return unsupported("`atomicrmw " + std::string(text(i.operation())) + "` of " + context_.query.text_of(i.type));
  define(i, op(Op::atomic, type, {at(*to, 0), given}, AtomicExtra(to->variable, *what).bits()));
}

}  // namespace unshade::ir::lower_dxil
