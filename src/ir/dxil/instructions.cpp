// LLVM's own instructions.
#include <algorithm>
#include <optional>
#include <string>

#include "ir/dxil/function.hpp"
#include "ir/operands.hpp"

namespace unshade::ir::lower_dxil {
namespace {

using Op = ir::Op;
using dxil::Opcode;
using dxil::TypeKind;

/// Elements of a vector. DXIL allows 1024.
constexpr std::size_t kMostElements = 4096;

/// What wrapping arithmetic is of i1: logic; nothing if it has no such meaning.
std::optional<Op> of_booleans(Op what) {
  switch (what) {
    case Op::iadd:
    case Op::isub: return Op::ixor;
    case Op::imul: return Op::iand;
    case Op::iand:
    case Op::ior:
    case Op::ixor: return what;
    default: return std::nullopt;
  }
}

}  // namespace

void FunctionLowering::instruction(const Instruction& i) {
  if (dxil::is_terminator(i.opcode)) return terminator(i);
  if (is_computed(i.opcode)) return define(i, computed(i));
  switch (meaning_of(i.opcode)) {
    case Meaning::variable: return alloca_variable(i);
    case Meaning::load: return load(i);
    case Meaning::store: return store(i);
    case Meaning::address: return;  // part of the address of what loads and stores
    case Meaning::atomic: return atomic(i);
    case Meaning::barrier: builder_.inst(Op::barrier, Type::void_, {}, {.extra = kDeviceMemory | kGroupMemory}); return;
    case Meaning::phi: return phi(i);
    case Meaning::call: return call(i);
    case Meaning::extract:
    case Meaning::insert: return aggregate(i);
    case Meaning::extract_at:
    case Meaning::insert_at: return vector(i);
    case Meaning::shuffle: return shuffle(i);
    default: return unsupported("the instruction `" + std::string(text(i.opcode)) + "`");
  }
}

bool FunctionLowering::is_computed(Opcode opcode) {
  return dxil::is_binary(opcode) || dxil::is_cast(opcode) || opcode == Opcode::icmp || opcode == Opcode::fcmp || opcode == Opcode::select;
}

FunctionLowering::Pieces FunctionLowering::computed(const Instruction& i) {
  if (dxil::is_binary(i.opcode)) return binary(i);
  if (dxil::is_cast(i.opcode)) return cast(i);
  return i.opcode == Opcode::select ? select(i) : compare(i);
}

FunctionLowering::Pieces FunctionLowering::binary(const Instruction& i) {
  const auto scalar = context_.scalar(context_.query.scalar_of(i.type));
  auto what = op_of(meaning_of(i.opcode));
  if (!scalar || !what) {
    unsupported("`" + std::string(text(i.opcode)) + "` of " + context_.query.text_of(i.type));
    return {};
  }
  if (*scalar == Type::b1) what = of_booleans(*what);
  if (!what) {
    unsupported("`" + std::string(text(i.opcode)) + "` of i1");
    return {};
  }
  const Pieces& a = pieces(operands(i)[0]);
  const Pieces& b = pieces(operands(i)[1]);
  Pieces made;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) made.push_back(op(*what, *scalar, {a[k], b[k]}));
  return made;
}

Id FunctionLowering::converted(Meaning how, Type to, Id value) {
  const Type from = builder_.type_of(value);
  const auto nearest = static_cast<std::uint32_t>(Rounding::nearest_even);
  switch (how) {
    case Meaning::trunc:
      if (to == Type::b1) return op(Op::ine, from, {op(Op::iand, from, {value, builder_.constant(from, 1)}), builder_.constant(from, 0)});
      return from == to ? value : op(Op::trunc, to, {value});
    case Meaning::zext: return from == to ? value : op(Op::zext, to, {value});
    case Meaning::sext: return from == to ? value : op(Op::sext, to, {value});
    case Meaning::f_to_u: return op(Op::f_to_u, to, {value});
    case Meaning::f_to_s: return op(Op::f_to_s, to, {value});
    case Meaning::u_to_f: return op(Op::u_to_f, to, {from == Type::b1 ? op(Op::zext, Type::i32, {value}) : value});
    case Meaning::s_to_f:
      if (is_float(from)) return op(Op::f_to_f, to, {value}, nearest);  // a literal of a float, which dxc leaves so
      return op(Op::s_to_f, to, {from == Type::b1 ? op(Op::sext, Type::i32, {value}) : value});
    case Meaning::f_to_f: return from == to ? value : op(Op::f_to_f, to, {value}, nearest);
    default: return builder_.as(to, value);
  }
}

FunctionLowering::Pieces FunctionLowering::cast(const Instruction& i) {
  const auto to = context_.scalar(context_.query.scalar_of(i.type));
  // casts of pointers are part of addresses
  if (!to && context_.query.is(i.type, TypeKind::pointer) && i.opcode != Opcode::inttoptr) return {};
  if (!to || i.opcode == Opcode::ptrtoint) {
    unsupported("`" + std::string(text(i.opcode)) + "` to " + context_.query.text_of(i.type));
    return {};
  }
  const Pieces& from = pieces(operands(i)[0]);
  Pieces made;
  for (const Id piece : from) {
    if (i.opcode == Opcode::bitcast && bit_width(builder_.type_of(piece)) != bit_width(*to)) {
      unsupported("`bitcast` from " + context_.query.text_of(type_of(operands(i)[0])) + " to " + context_.query.text_of(i.type));
      return {};
    }
    made.push_back(converted(meaning_of(i.opcode), *to, piece));
  }
  return made;
}

FunctionLowering::Pieces FunctionLowering::compare(const Instruction& i) {
  Pieces a = pieces(operands(i)[0]);
  Pieces b = pieces(operands(i)[1]);
  if (a.empty()) unsupported("a comparison of pointers");
  const Meaning meaning = meaning_of(i.predicate());
  Pieces made;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
    Type type = builder_.type_of(a[k]);
    const bool equality = meaning == Meaning::ieq || meaning == Meaning::ine;
    if (type == Type::b1 && !equality) {
      type = Type::i32;
      a[k] = op(Op::sext, type, {a[k]});
      b[k] = op(Op::sext, type, {b[k]});
    }
    made.push_back(lower_meaning(builder_, meaning, type, std::array{a[k], b[k]}, flags_));
    if (made.back() != kNone) continue;
    fail(ErrorCode::bad_value, "unknown comparison predicate " + std::to_string(static_cast<unsigned>(i.predicate())));
    return {};
  }
  return made;
}

FunctionLowering::Pieces FunctionLowering::select(const Instruction& i) {
  const Pieces& condition = pieces(operands(i)[0]);
  const Pieces& a = pieces(operands(i)[1]);
  const Pieces& b = pieces(operands(i)[2]);
  Pieces made;
  if (a.empty() || condition.empty() || a.size() != b.size()) {
    unsupported("`select` of pointers");
    return made;
  }
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Id holds = condition.size() == 1 ? condition[0] : condition[std::min(k, condition.size() - 1)];
    made.push_back(op(Op::select, builder_.type_of(a[k]), {holds, a[k], b[k]}));
  }
  return made;
}

void FunctionLowering::phi(const Instruction& i) {
  Types types;
  if (!context_.flatten(i.type, types)) return unsupported("a phi of pointers");
  Pieces made;
  for (const Type type : types) made.push_back(builder_.inst(Op::phi, type, {}, {.flags = flags_}));
  phis_.push_back({&i, current_block_, made});
  define(i, std::move(made));
}

// The first piece and the number of pieces of a member of an aggregate.
std::pair<std::size_t, std::size_t> FunctionLowering::member(std::uint32_t type, std::span<const std::uint32_t> indexes) {
  std::size_t first = 0;
  Types types;
  for (const std::uint32_t index : indexes) {
    const dxil::Type& aggregate = context_.query.type(type);
    types.clear();
    if (aggregate.kind == TypeKind::structure) {
      const auto parts = module_.parts_of(aggregate);
      for (std::uint32_t k = 0; k < index && k < parts.size(); ++k) context_.flatten(parts[k], types);
      if (index < parts.size()) type = parts[index];
      first += types.size();
    } else if (aggregate.kind == TypeKind::array) {
      type = module_.element_of(type);
      context_.flatten(type, types);
      first += types.size() * index;
    }
  }
  types.clear();
  context_.flatten(type, types);
  return {first, types.size()};
}

void FunctionLowering::aggregate(const Instruction& i) {
  const Pieces& whole = pieces(operands(i)[0]);
  const bool insert = i.opcode == Opcode::insertvalue;
  const auto [first, count] = member(type_of(operands(i)[0]), operands(i).subspan(insert ? 2 : 1));
  if (first + count > whole.size()) return unsupported("an aggregate with a pointer as a member");
  if (!insert) return define(i, copied(Pieces(std::span(whole).subspan(first, count))));
  const Pieces& part = pieces(operands(i)[1]);
  if (part.size() != count) return unsupported("an aggregate with a pointer as a member");
  Pieces made = whole;
  std::ranges::copy(part, made.begin() + first);
  define(i, copied(std::move(made)));
}

void FunctionLowering::vector(const Instruction& i) {
  Pieces whole = pieces(operands(i)[0]);
  const bool insert = i.opcode == Opcode::insertelement;
  const std::uint32_t index = operands(i)[insert ? 2 : 1];
  const auto known = context_.query.integer_of(&body_, index);
  if (whole.empty()) return unsupported("a vector of pointers");
  const Type type = builder_.type_of(whole[0]);
  if (known) {
    // out of bounds: undefined
    if (!insert) return define(i, builder_.copied(*known < whole.size() ? whole[*known] : builder_.undef(type)));
    if (*known < whole.size()) whole[*known] = value(operands(i)[1]);
    return define(i, copied(std::move(whole)));
  }
  const Id place = value(index);
  const Type index_type = builder_.type_of(place);
  const auto is = [&](std::size_t k) { return op(Op::ieq, index_type, {place, builder_.constant(index_type, k)}); };
  if (insert) {
    const Id element = value(operands(i)[1]);
    for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = op(Op::select, type, {is(k), element, whole[k]});
    return define(i, copied(std::move(whole)));
  }
  Id found = whole[0];
  for (std::size_t k = 1; k < whole.size(); ++k) found = op(Op::select, type, {is(k), whole[k], found});
  define(i, found);
}

void FunctionLowering::shuffle(const Instruction& i) {
  Pieces both = pieces(operands(i)[0]);
  const Pieces& second = pieces(operands(i)[1]);
  both.append(second);
  if (both.empty()) return unsupported("a vector of pointers");
  Pieces made;
  for (const auto index : context_.query.elements_of(&body_, operands(i)[2], kMostElements)) {
    made.push_back(index && *index < both.size() ? both[*index] : builder_.undef(builder_.type_of(both[0])));
  }
  define(i, copied(std::move(made)));
}

void FunctionLowering::call(const Instruction& i) {
  if (const auto operation_call = call_of(context_.query, body_, i)) return operation(*operation_call);
  const std::uint32_t callee = context_.query.callee_of(body_, i);
  if (callee == dxil::kNone) return unsupported("a call through a pointer");
  const dxil::Function& function = module_.functions[callee];
  const std::string_view name = context_.query.name_of(function);
  if (function.body == dxil::kNone) {
    if (name == "llvm.dbg.value" || name == "llvm.dbg.declare") return name_by_debug_information(i, name.ends_with("declare"));
    if (name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") || name == "llvm.donothing") return;
    return unsupported("the function `" + std::string(name) + "`");
  }
  Operands arguments;
  for (const std::uint32_t argument : operands(i).subspan(1)) {
    const Pieces& given = pieces(argument);
    Types types;
    if (!context_.flatten(type_of(argument), types)) return unsupported("passing a pointer to the function `" + std::string(name) + "`");
    arguments.append(given);
    if (arguments.size() >= kMostOperands)
      return fail(ErrorCode::limit, "the call has more than " + std::to_string(kMostOperands - 1) + " scalar arguments");
  }
  Types results;
  if (!context_.flatten(i.type, results) || results.size() > 0xff)
    return unsupported("the return type of the function `" + std::string(name) + "`");
  const Id made = builder_.inst(Op::call, results.empty() ? Type::void_ : results[0], arguments,
                                {.extra = context_.function_of(callee), .results = static_cast<unsigned>(results.size())});
  if (!results.empty()) define(i, members(made, results));
}

void FunctionLowering::terminator(const Instruction& i) {
  const auto o = operands(i);
  const auto block = [&](std::uint32_t number) { return first_block_[number]; };
  switch (meaning_of(i.opcode)) {
    case Meaning::return_: {
      const Pieces& values = o.empty() ? no_pieces_ : pieces(o[0]);
      return builder_.return_values(values);
    }
    case Meaning::br:
      if (o.size() == 1) return builder_.jump(block(o[0]));
      return builder_.branch(value(o[2]), block(o[0]), block(o[1]));
    case Meaning::switch_: {
      Id selector = value(o[0]);
      const Type from = builder_.type_of(selector);
      const Type type = from == Type::i64 ? Type::i64 : Type::i32;
      if (from != type) selector = op(Op::zext, type, {selector});
      if (o.size() >= kMostOperands)
        return fail(ErrorCode::limit, "the switch has more than " + std::to_string((kMostOperands - 3) / 2) + " cases");
      Operands cases;
      for (std::size_t k = 2; k + 1 < o.size(); k += 2) {
        cases.push_back(builder_.constant(type, context_.query.integer_of(&body_, o[k]).value_or(0)));
        cases.push_back(block(o[k + 1]));
      }
      return builder_.switch_on(selector, block(o[1]), cases);
    }
    case Meaning::unreachable: return builder_.unreachable();
    default: return unsupported("the terminator `" + std::string(text(i.opcode)) + "`");
  }
}

}  // namespace unshade::ir::lower_dxil
