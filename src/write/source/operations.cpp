// Operations as operators and functions.
#include <algorithm>
#include <array>
#include <bit>

#include "write/source/function_writer.hpp"

namespace unshade::write::source {

using ir::Writing;

Expression FunctionWriter::binary(std::string_view word, Level level, const Expression& a, const Expression& b, ValueType type) {
  Expression made;
  made.type = type;
  made.level = level;
  // the second operand needs parentheses too if it is bound the same: a - (b - c)
  // and sums in what is bound less than they are, since few know by heart how tightly
  const bool is_bitwise = level == Level::shift || level == Level::bit_and || level == Level::bit_or || level == Level::bit_xor;
  const auto is_plain = [](const Expression& one) { return one.level >= Level::unary; };
  const std::string left = is_bitwise && !is_plain(a) && a.level != level ? '(' + a.text + ')' : a.in(level);
  const std::string right = b.level <= level || (is_bitwise && !is_plain(b)) ? '(' + b.text + ')' : b.text;
  made.text = left + ' ' + std::string(word) + ' ' + (right.starts_with('-') ? '(' + right + ')' : right);
  return made;
}

Expression FunctionWriter::call(std::string_view name, std::vector<Expression> arguments, ValueType type) {
  Expression made;
  made.type = type;
  made.text = std::string(name) + '(';
  for (std::size_t k = 0; k < arguments.size(); ++k) (made.text += k == 0 ? "" : ", ") += arguments[k].text;
  made.text += ')';
  return made;
}

namespace {

std::uint8_t width_of(std::span<const Expression> all) {
  std::uint8_t width = 1;
  for (const Expression& one : all) width = std::max(width, one.type.width);
  return width;
}

bool is_shift(Op op) { return op == Op::ishl || op == Op::ishr || op == Op::ushr; }
bool is_bitwise(Op op) { return op == Op::iand || op == Op::ior || op == Op::ixor; }

}  // namespace

Expression FunctionWriter::by_row(Ids ids, const Spelling& spelling) {
  const ir::Inst& inst = f_.insts[ids[0]];
  const Base base = ModuleWriter::base_of(inst.type, ir::Declared::real);
  std::vector<Expression> operands;
  for (std::size_t at = 0; at < inst.operand_count; ++at) {
    const std::vector<Id> values = plan_.operands_at(ids, at);
    const bool is_integer = ir::is_integer(ir::result_type(f_, values[0]));
    operands.push_back(list(values, is_integer ? Base::int_ : base));
  }
  const bool is_test = ir::info(inst.op).results == "b";
  ValueType type{is_test ? Base::bool_ : base, width_of(operands)};
  if (spelling.is_operator) {
    if (operands.size() == 1) return {std::string(spelling.word) + operands[0].in(Level::unary), Level::unary, type};
    if (is_test) return test(spelling, std::move(operands), type.width);
    return binary(spelling.word, spelling.level, operands[0], operands[1], type);
  }
  if (!target_.spreads_scalars() && operands.size() > 1)
    for (Expression& one : operands) one = widened(one, type.width);
  return call(spelling.word, std::move(operands), type);
}

// A comparison; a constant stands on the right.
Expression FunctionWriter::test(const Spelling& spelling, std::vector<Expression> operands, unsigned width) {
  if (!target_.mixes_signs())
    for (Expression& one : operands) one = widened(one, width);
  std::string_view word = spelling.word;
  if (word == "!=" && !operands[0].truth.empty() && operands[1].is_literal && operands[1].text == "0")
    return {operands[0].truth, Level::postfix, {Base::bool_, 1}};
  if (operands[0].is_literal && !operands[1].is_literal) {
    std::swap(operands[0], operands[1]);
    word = word == "<" ? ">" : word == "<=" ? ">=" : word;
  }
  return target_.compared(word, spelling.level, operands[0], operands[1]);
}

Expression FunctionWriter::logical(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  std::vector<Expression> operands;
  for (std::size_t at = 0; at < inst.operand_count; ++at) operands.push_back(list(plan_.operands_at(ids, at), Base::bool_));
  switch (inst.op) {
    case Op::iand: return target_.compared("&&", Level::logical_and, operands[0], operands[1]);
    case Op::ior: return target_.compared("||", Level::logical_or, operands[0], operands[1]);
    case Op::ieq: return target_.compared("==", Level::equality, operands[0], operands[1]);
    case Op::inot: return target_.compared("!", Level::unary, operands[0], operands[0]);
    default: return target_.compared("!=", Level::equality, operands[0], operands[1]);
  }
}

// By how many bits is shifted: modulo the width.
Expression FunctionWriter::amounts(Ids ids, Type type) {
  std::vector<std::uint32_t> bits;
  for (const Id id : ids) bits.push_back(static_cast<std::uint32_t>(known(id).value_or(0)) % ir::bit_width(type));
  Expression made{std::to_string(bits[0]), Level::postfix, {Base::int_, 1}, true};
  if (std::ranges::all_of(bits, [&](std::uint32_t one) { return one == bits[0]; })) return made;
  made.type.width = static_cast<std::uint8_t>(ids.size());
  made.text = target_.type_name(made.type) + '(';
  for (std::size_t k = 0; k < bits.size(); ++k) (made.text += k == 0 ? "" : ", ") += std::to_string(bits[k]);
  made.text += ')';
  return made;
}

Expression FunctionWriter::integer_by_row(Ids ids, const Spelling& spelling) {
  const ir::Inst& inst = f_.insts[ids[0]];
  if (inst.type == Type::b1) return logical(ids);
  const bool is_test = ir::info(inst.op).results == "b";
  const Sign sign = sign_of(inst.op);
  const Base declared = is_test ? Base::uint_ : base_of_result(ids);
  const auto sized = [&](Sign of) {
    return ModuleWriter::base_of(inst.type, of == Sign::signed_ ? ir::Declared::signed_ : ir::Declared::unsigned_);
  };
  std::vector<std::vector<Id>> lists;
  for (std::size_t at = 0; at < inst.operand_count; ++at) lists.push_back(plan_.operands_at(ids, at));
  std::vector<Expression> operands(lists.size());
  if (sign != Sign::any) {
    for (std::size_t at = 0; at < lists.size(); ++at) {
      const bool is_amount = is_shift(inst.op) && at == 1;
      if (is_amount && are_constant(lists[at])) {
        operands[at] = amounts(lists[at], inst.type);
        continue;
      }
      operands[at] =
          list(lists[at], is_amount && !are_constant(lists[at]) && target_.mixes_signs() ? std::optional<Base>()
                                                                                         : sized(is_amount ? Sign::signed_ : sign));
      if (is_amount && target_.mixes_signs() && !is_real(operands[at].type.base)) continue;
      operands[at] = as(operands[at], sized(is_amount ? Sign::signed_ : sign));
    }
  } else {
    // what is no constant decides which constants there are
    Base base = is_real(declared) ? sized(Sign::unsigned_) : declared;
    bool is_chosen = false;
    for (std::size_t at = 0; at < lists.size(); ++at) {
      if (are_constant(lists[at])) continue;
      if (is_shift(inst.op) && at == 1) continue;
      operands[at] = list(lists[at]);
      if (is_real(operands[at].type.base) || operands[at].type.base == Base::bool_) operands[at] = as(operands[at], base);
      if (target_.mixes_signs()) {
        base = is_chosen && is_unsigned(base) ? base : operands[at].type.base;
      } else {
        if (is_test && !is_chosen) base = operands[at].type.base;
        operands[at] = as(operands[at], base);
      }
      is_chosen = true;
    }
    for (std::size_t at = 0; at < lists.size(); ++at) {
      const bool is_amount = is_shift(inst.op) && at == 1;
      if (is_amount && !are_constant(lists[at])) {
        operands[at] = list(lists[at]);
        if (is_real(operands[at].type.base)) operands[at] = as(operands[at], Base::uint_);
        continue;
      }
      if (is_amount) {
        operands[at] = amounts(lists[at], inst.type);
        continue;
      }
      if (are_constant(lists[at])) operands[at] = list(lists[at], is_amount ? sized(Sign::signed_) : base, is_bitwise(inst.op));
    }
    // x + (-1)
    if (inst.op == Op::iadd && are_constant(lists[1])) {
      const auto negative = [&](Id id) {
        return f_.insts[id].op == Op::constant && static_cast<std::int32_t>(static_cast<std::uint32_t>(ir::constant_bits(f_, id))) < 0;
      };
      if (inst.type == Type::i32 && are_same(lists[1]) && negative(lists[1][0])) {
        const auto size = 0U - static_cast<std::uint32_t>(ir::constant_bits(f_, lists[1][0]));
        Expression by{target_.literal(base, size, false), Level::postfix, {base, 1}, true};
        if (size < 0x8000'0000U) return binary("-", Level::sum, operands[0], by, {operands[0].type.base, operands[0].type.width});
      }
    }
  }
  const std::uint8_t width = width_of(operands);
  // a number without a suffix is signed, and so would be what it is shifted to
  if (Expression& shifted = operands[0]; is_shift(inst.op) && shifted.is_literal && shifted.type.base == Base::uint_ &&
                                         shifted.text.find_first_not_of("0123456789abcdefx") == std::string::npos)
    shifted.text += 'u';
  if (is_shift(inst.op) && !target_.spreads_scalars()) operands[0] = widened(operands[0], width);
  Base base = operands[0].type.base;
  for (const Expression& one : operands)
    if (is_unsigned(one.type.base) && !is_shift(inst.op)) base = one.type.base;
  if (is_test) return test(spelling, std::move(operands), width);
  ValueType type{base, width};
  if (ir::info(inst.op).results == "i" || inst.op == Op::bit_count) type.base = base_of_result(ids);
  if (spelling.is_operator) {
    if (operands.size() == 1) return {std::string(spelling.word) + operands[0].in(Level::unary), Level::unary, type};
    return binary(spelling.word, spelling.level, operands[0], operands[1], type);
  }
  if (spelling.word == "~") return {'~' + operands[0].in(Level::unary), Level::unary, type};
  if (!target_.spreads_scalars() && operands.size() > 1)
    for (Expression& one : operands) one = widened(one, width);
  return call(spelling.word, std::move(operands), type);
}

// a + b, where b may be negated.
Expression FunctionWriter::sum(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  const Base base = ModuleWriter::base_of(inst.type, ir::Declared::real);
  const auto is_negated = [&](std::span<const Id> values) {
    return std::ranges::all_of(values, [&](Id id) {
      return f_.insts[id].op == Op::fneg && !plan_.is_named(id) && plan_.writings().of[id] != Writing::none &&
             plan_.place(id).variable == kNone;
    });
  };
  const bool is_mad = inst.op == Op::fmad;
  std::vector<Id> last = plan_.operands_at(ids, is_mad ? 2 : 1);
  std::vector<Id> first = plan_.operands_at(ids, 0);
  const auto with_sign = [&](const Expression& a, const std::vector<Id>& values) {
    if (is_negated(values)) {
      const Expression b = list(plan_.operands_at(values, 0), base);
      return binary("-", Level::sum, a, b, {base, std::max(a.type.width, b.type.width)});
    }
    const Expression b = list(values, base);
    // a negative number
    if (b.is_literal && b.type.width == 1 && b.text.starts_with('-')) {
      Expression size = b;
      size.text.erase(0, 1);
      size.level = Level::postfix;
      return binary("-", Level::sum, a, size, {base, a.type.width});
    }
    return binary("+", Level::sum, a, b, {base, std::max(a.type.width, b.type.width)});
  };
  if (!is_mad) {
    if (is_negated(first) && !is_negated(last)) return with_sign(list(last, base), first);
    return with_sign(list(first, base), last);
  }
  const auto product = [&](const std::vector<Id>& a, const std::vector<Id>& b) {
    const Expression x = list(a, base), y = list(b, base);
    return binary("*", Level::product, x, y, {base, std::max(x.type.width, y.type.width)});
  };
  const std::vector<Id> second = plan_.operands_at(ids, 1);
  for (const bool swap : {false, true}) {
    const auto& one = swap ? second : first;
    if (!is_negated(one) || is_negated(last)) continue;
    const Expression c = list(last, base);
    const auto inner = plan_.operands_at(one, 0);
    const Expression times = swap ? product(first, inner) : product(inner, second);
    return binary("-", Level::sum, c, times, {base, std::max(c.type.width, times.type.width)});
  }
  return with_sign(product(first, second), last);
}

Expression FunctionWriter::select(Ids ids) {
  const Expression condition = list(plan_.operands_at(ids, 0), Base::bool_);
  const auto yes = plan_.operands_at(ids, 1), no = plan_.operands_at(ids, 2);
  const Base base = base_of_result(ids);
  Expression a = list(yes, base), b = list(no, base);
  const auto width = static_cast<std::uint8_t>(std::max({a.type.width, b.type.width, condition.type.width}));
  return target_.chosen(condition, widened(a, width), widened(b, width));
}

// f16 as the low half of a word.
std::optional<Expression> FunctionWriter::halves(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  const auto through = [&](Ids values, Op op, Type type) -> std::optional<std::vector<Id>> {
    for (const Id id : values) {
      const bool is_here = !plan_.is_named(id) && plan_.place(id).variable == kNone;
      if (f_.insts[id].op != op || f_.insts[id].type != type || !is_here) return std::nullopt;
    }
    return plan_.operands_at(values, 0);
  };
  if (inst.op == Op::f_to_f && inst.type == Type::f32) {
    const auto words = through(plan_.operands_at(ids, 0), Op::bitcast, Type::f16);
    const auto whole = words ? through(*words, Op::trunc, Type::i16) : std::nullopt;
    if (!whole || ir::result_type(f_, whole->front()) != Type::i32) return std::nullopt;
    const Expression bits = list(*whole, Base::uint_);
    return target_.half_as_float(bits);
  }
  if (inst.op == Op::zext && inst.type == Type::i32) {
    const auto half = through(plan_.operands_at(ids, 0), Op::bitcast, Type::i16);
    const auto real = half ? through(*half, Op::f_to_f, Type::f16) : std::nullopt;
    if (!real || ir::result_type(f_, real->front()) != Type::f32) return std::nullopt;
    const Expression value = list(*real, Base::float_);
    return target_.float_as_half(value, static_cast<ir::Rounding>(f_.insts[half->front()].extra));
  }
  return std::nullopt;
}

Expression FunctionWriter::conversion(Ids ids) {
  if (auto made = halves(ids)) return *std::move(made);
  const ir::Inst& inst = f_.insts[ids[0]];
  const auto values = plan_.operands_at(ids, 0);
  const Type from = ir::result_type(f_, values[0]);
  const auto converted = [&](const Expression& value, Base to) {
    Expression made = value;
    made.type.base = to;
    made.text = target_.type_name(made.type) + '(' + value.text + ')';
    made.level = Level::postfix;
    made.is_literal = false;
    return made;
  };
  const auto sized = [&](Type type, bool with_sign) {
    return ModuleWriter::base_of(type, with_sign ? ir::Declared::signed_ : ir::Declared::unsigned_);
  };
  switch (inst.op) {
    case Op::s_to_f: return converted(list(values, sized(from, true)), ModuleWriter::base_of(inst.type, ir::Declared::real));
    case Op::u_to_f: return converted(list(values, sized(from, false)), ModuleWriter::base_of(inst.type, ir::Declared::real));
    case Op::f_to_s:
    case Op::f_to_u: {
      const Expression real = list(values, ModuleWriter::base_of(from, ir::Declared::real));
      const Base to = sized(inst.type, inst.op == Op::f_to_s);
      if (auto made = target_.converted(real, to)) return *std::move(made);
      return converted(real, to);
    }
    case Op::f_to_f:
      if (static_cast<ir::Rounding>(inst.extra) == ir::Rounding::toward_zero && ir::bit_width(inst.type) < ir::bit_width(from))
        writer_.unsupported("float conversions that round toward zero");
      return converted(list(values, ModuleWriter::base_of(from, ir::Declared::real)), ModuleWriter::base_of(inst.type, ir::Declared::real));
    default: break;
  }
  if (from == Type::b1) {
    const bool is_mask = inst.op == Op::sext;
    const Base base = base_of_result(ids);
    const Base whole = is_real(base) ? sized(inst.type, false) : base;
    const Expression condition = list(values, Base::bool_);
    const std::uint64_t ones =
        is_mask ? (ir::bit_width(inst.type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ir::bit_width(inst.type)) - 1) : 1;
    Expression yes{target_.literal(whole, ones, is_mask), Level::postfix, {whole, 1}, true};
    Expression no{target_.literal(whole, 0, false), Level::postfix, {whole, 1}, true};
    if (yes.text.starts_with('-')) yes.level = Level::unary;
    return target_.chosen(condition, widened(yes, condition.type.width), widened(no, condition.type.width));
  }
  const bool is_signed = inst.op == Op::sext;
  const Expression value = list(values, sized(from, is_signed));
  return converted(value, sized(inst.type, is_signed));
}

Expression FunctionWriter::dot(const ir::VectorDot& dot) {
  const Base base = ModuleWriter::base_of(f_.insts[dot.steps[0]].type, ir::Declared::real);
  const Expression a = full(dot.first(), base), b = full(dot.second(), base);
  return call("dot", {a, b}, {base, 1});
}

// Each by itself.
Expression FunctionWriter::apart(Ids ids) {
  std::vector<Expression> parts;
  for (const Id& id : ids) parts.push_back(compute({&id, 1}));
  const ValueType type{parts[0].type.base, static_cast<std::uint8_t>(ids.size())};
  for (Expression& part : parts) part = as(std::move(part), type.base);
  return call(target_.type_name(type), std::move(parts), type);
}

// Of vectors, how many components are written as such.
void FunctionWriter::count_components(Ids ids) {
  for (const Id id : ids) {
    if (!plan_.is_of_vector(id) || is_counted_[id]) continue;
    is_counted_[id] = true;
    ++writer_.score.components;
    if (ids.size() > 1) ++writer_.score.vector_components;
  }
}

Expression FunctionWriter::compute(Ids ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  if (ids.size() == 1) {
    // scalars that are no vector are easier to read as a sum
    const ir::VectorDot* const found = plan_.vectors().dot_of(ids[0]);
    if (found != nullptr && plan_.is_whole(*found) && (are_coherent(found->first(), 0) || are_coherent(found->second(), 0))) {
      const Op first = f_.insts[found->steps[0]].op;
      if (first == Op::fmul_zero && f_.insts[found->steps[0]].type == Type::f32) {
        const Expression left = full(found->first(), Base::float_), right = full(found->second(), Base::float_);
        if (auto made = target_.dot_with_zero(left, right)) return *std::move(made);
      }
      if (first == Op::fmul && !writer_.module.modes.fused_mad) return dot(*found);
    }
  }
  if (ids.size() > 1 && plan_.vectors().dot[ids[0]] != kNone) {
    if (auto made = product_of_dots(ids)) return count_components(ids), *std::move(made);
    if (std::ranges::all_of(ids, [&](Id id) { return plan_.vectors().dot_of(id) != nullptr; })) return apart(ids);
  }
  count_components(ids);
  if (auto made = product_of_sum(ids)) return *std::move(made);
  if (auto made = length(ids)) return *std::move(made);
  if (auto made = idiom(ids)) return *std::move(made);
  switch (inst.op) {
    case Op::constant:
    case Op::undef: return literals(ids, base_of(ids[0]), false);
    case Op::get: {
      const Id tuple = f_.operands_of(ids[0])[0];
      const std::uint8_t member[] = {static_cast<std::uint8_t>(inst.extra)};
      const VariableId variable = plan_.place(tuple).variable;
      if (variable == kNone) return members_of_load(tuple, member);
      mention(variable);
      return swizzled(variables_[variable].name, variables_[variable].type.width, member, variables_[variable].type.base);
    }
    case Op::input:
    case Op::output_load:
    case Op::interpolate: {
      const ElementUse use = element_use(ids);
      if (inst.op == Op::input) return target_.input(use);
      if (inst.op == Op::output_load) return target_.output_value(use);
      const ir::ElementExtra extra(inst.extra);
      const std::size_t first = (extra.has_vertex ? 1U : 0U) + (extra.has_row ? 1U : 0U);
      const auto operands = f_.operands_of(ids[0]).subspan(first);
      Expression at;
      if (!operands.empty()) {
        const bool is_real = f_.insts[operands[0]].type == Type::f32 && extra.place == ir::ElementExtra::Place::offset;
        at = operands.size() == 1 ? one(operands[0], Base::uint_) : full(operands, is_real ? Base::float_ : Base::int_);
      }
      return target_.interpolated(use, extra.place, at);
    }
    case Op::builtin: {
      std::vector<std::uint8_t> components;
      for (const Id id : ids) components.push_back(ir::BuiltinExtra(f_.insts[id].extra).component);
      return target_.builtin(ir::BuiltinExtra(inst.extra).builtin, components);
    }
    case Op::cbuffer_load: return constant_load(ids);
    case Op::load: return load(ids);
    case Op::buffer_load:
    case Op::texel_load:
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather:
    case Op::query_size:
    case Op::query_levels:
    case Op::query_samples:
    case Op::query_lod:
    case Op::sample_position: {
      if (ids.size() > 1) return apart(ids);
      static constexpr std::uint8_t kAll[] = {0, 1, 2, 3};
      return members_of_load(ids[0], std::span(kAll).first(std::max<std::size_t>(1, std::min<std::size_t>(4, inst.results))));
    }
    case Op::bitcast: {
      const auto values = plan_.operands_at(ids, 0);
      const Base want = base_of_result(ids);
      if (bits_of(want) != 32 && is_real(want) != is_real(base_of(values[0]))) return target_.reinterpreted(list(values), want);
      return list(values, want);
    }
    case Op::select: return select(ids);
    case Op::fadd: return sum(ids);
    case Op::fmad:
      if (!writer_.module.modes.fused_mad) return sum(ids);
      break;
    case Op::frcp: {
      const Base base = ModuleWriter::base_of(inst.type, ir::Declared::real);
      const Expression x = list(plan_.operands_at(ids, 0), base);
      return binary("/", Level::product, {"1.0", Level::postfix, {base, 1}, true}, x, {base, x.type.width});
    }
    case Op::sext:
    case Op::zext:
    case Op::trunc:
    case Op::f_to_f:
    case Op::f_to_s:
    case Op::f_to_u:
    case Op::s_to_f:
    case Op::u_to_f: return conversion(ids);
    default: break;
  }
  const Spelling spelling = spelling_of(target_.words(), inst.op);
  const bool joins = ir::has(ir::info(inst.op).effects, ir::Effects::wave) ||
                     (ir::has(ir::info(inst.op).effects, ir::Effects::quad) && inst.op != Op::ddx && inst.op != Op::ddy &&
                      inst.op != Op::ddx_fine && inst.op != Op::ddy_fine);
  const bool of_reals = ir::is_float(inst.type) && ir::info(inst.op).types != 0;
  if (!spelling.word.empty() && !joins && target_.spells(inst)) return of_reals ? by_row(ids, spelling) : integer_by_row(ids, spelling);
  const bool is_lanes = ir::has(ir::info(inst.op).effects, ir::Effects::wave) || ir::has(ir::info(inst.op).effects, ir::Effects::quad);
  if (ids.size() > 1 && !is_lanes && !target_.takes_vectors(inst.op)) return apart(ids);
  // which lanes are read is one number for all components
  for (std::size_t at = 1; is_lanes && ids.size() > 1 && at < inst.operand_count; ++at)
    if (!are_same(plan_.operands_at(ids, at))) return apart(ids);
  std::vector<Expression> operands;
  ValueType type{base_of_result(ids), static_cast<std::uint8_t>(ids.size())};
  for (std::size_t at = 0; at < inst.operand_count; ++at) {
    const auto values = plan_.operands_at(ids, at);
    const Type of = ir::result_type(f_, values[0]);
    Base base = ir::is_float(of)                    ? ModuleWriter::base_of(of, ir::Declared::real)
                : of == Type::b1                    ? Base::bool_
                : sign_of(inst.op) == Sign::signed_ ? ModuleWriter::base_of(of, ir::Declared::signed_)
                                                    : ModuleWriter::base_of(of, ir::Declared::unsigned_);
    operands.push_back(is_lanes && at != 0 ? one(values[0], base) : full(values, base));
  }
  if (auto made = target_.operation(inst, operands, type)) return *std::move(made);
  unsupported_operation(inst.op);
  return {"0", Level::postfix, type};
}

}  // namespace unshade::write::source
