// Values as expressions: scalars, vectors, swizzles, constructors, casts.
#include <algorithm>
#include <array>

#include "write/source/function_writer.hpp"

namespace unshade::write::source {

using ir::Writing;

namespace {

/// Operands of operands of a vector that are looked at.
constexpr unsigned kLookedAt = 6;

/// Operations that do the same to each component.
bool is_by_component(Op op, const Target& target) {
  switch (op) {
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return target.words() == ShadingLanguage::hlsl;
    case Op::select:
    case Op::bitcast:
    case Op::fmul_zero:
    case Op::fmad_zero:
    case Op::fmad:
    case Op::frcp:
    case Op::fclass:
    case Op::funord:
    case Op::f_to_f:
    case Op::f_to_s:
    case Op::f_to_u:
    case Op::s_to_f:
    case Op::u_to_f:
    case Op::sext:
    case Op::zext:
    case Op::trunc: return true;
    default: return !spelling_of(ShadingLanguage::hlsl, op).word.empty() && op != Op::fldexp;
  }
}

/// What reads a component of something.
bool is_member(Op op) {
  return op == Op::input || op == Op::builtin || op == Op::output_load || op == Op::cbuffer_load || op == Op::load || op == Op::interpolate;
}

}  // namespace

std::string components_of(const Expression& vector, std::string_view type_name, bool converts) {
  const std::string constructor = std::string(type_name) + '(';
  if (vector.type.width < 2 || vector.level != Level::postfix || !vector.text.starts_with(constructor)) return vector.text;
  // only if the parenthesis that ends it is that of the constructor
  int depth = 0;
  std::size_t at = constructor.size() - 1, commas = 0;
  for (; at < vector.text.size(); ++at) {
    depth += vector.text[at] == '(' ? 1 : vector.text[at] == ')' ? -1 : 0;
    commas += vector.text[at] == ',' && depth == 1 ? 1 : 0;
    if (depth == 0) break;
  }
  if (at + 1 != vector.text.size() || (commas == 0 && !converts)) return vector.text;
  return vector.text.substr(constructor.size(), at - constructor.size());
}

std::optional<std::uint64_t> FunctionWriter::known(Id id) const {
  if (f_.insts[id].op != Op::constant) return std::nullopt;
  return ir::constant_bits(f_, id);
}

Base FunctionWriter::base_of(Id id) const {
  const ir::Inst& inst = f_.insts[id];
  Type type = ir::info(inst.op).results == "b" ? Type::b1 : inst.type;
  if (inst.results == 1) type = ir::result_type(f_, id);
  return ModuleWriter::base_of(type, plan_.declared(id));
}

bool FunctionWriter::are_constant(Ids ids) const {
  return std::ranges::all_of(ids, [&](Id id) { return is_constant(id); });
}

bool FunctionWriter::are_same(Ids ids) const {
  return std::ranges::all_of(ids, [&](Id id) {
    if (id == ids[0]) return true;
    const ir::Inst &a = f_.insts[ids[0]], &b = f_.insts[id];
    if (a.op != b.op || a.type != b.type || a.extra != b.extra || a.operand_count != b.operand_count) return false;
    if (a.op == Op::constant) return true;
    // what is read again is the same
    if (plan_.writings().of[id] != Writing::repeated || plan_.writings().of[ids[0]] != Writing::repeated) return false;
    return std::ranges::equal(f_.operands_of(ids[0]), f_.operands_of(id)) && a.op != Op::load && a.op != Op::get;
  });
}

// One operation on all components, which are written here.
bool FunctionWriter::are_alike(Ids ids) const {
  const ir::Inst& first = f_.insts[ids[0]];
  if (!is_by_component(first.op, target_) && !is_member(first.op)) return false;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const ir::Inst& inst = f_.insts[ids[k]];
    if (inst.op != first.op || inst.type != first.type || inst.operand_count != first.operand_count || inst.results != 1) return false;
    if (plan_.is_named(ids[k]) || plan_.writings().of[ids[k]] == Writing::none) return false;
    const auto a = f_.operands_of(ids[0]), b = f_.operands_of(ids[k]);
    switch (first.op) {
      case Op::input:
      case Op::output_load:
      case Op::interpolate: {
        const ir::ElementExtra x(first.extra), y(inst.extra);
        if (x.signature != y.signature || x.element != y.element || x.place != y.place || !std::ranges::equal(a, b)) return false;
        break;
      }
      case Op::builtin:
        if (ir::BuiltinExtra(first.extra).builtin != ir::BuiltinExtra(inst.extra).builtin) return false;
        break;
      case Op::cbuffer_load:
        if (f_.insts[a[0]].extra != f_.insts[b[0]].extra) return false;
        break;
      case Op::bitcast:
      case Op::sext:
      case Op::zext:
      case Op::trunc:
      case Op::f_to_f:
      case Op::f_to_s:
      case Op::f_to_u:
      case Op::s_to_f:
      case Op::u_to_f:
        if (ir::result_type(f_, a[0], 0) != ir::result_type(f_, b[0], 0) || first.extra != inst.extra) return false;
        break;
      default:
        if (first.extra != inst.extra) return false;
    }
    if (!is_member(first.op) && std::ranges::find(ids.first(k), ids[k]) != ids.first(k).end()) return false;
  }
  return true;
}

// The variable that a value is read from, which may have its bits in another type of the IR.
Place FunctionWriter::place_of(Id id) const {
  const Id cast = id;
  while (f_.insts[id].op == Op::bitcast && plan_.place(id).variable == kNone && f_.insts[id].results == 1) id = f_.operands_of(id)[0];
  const Place place = plan_.place(id);
  if (id == cast || place.variable == kNone || f_.insts[id].results != 1) return plan_.place(cast);
  return variables_[place.variable].type.base == base_of(cast) ? place : plan_.place(cast);
}

// Whether a vector costs no more than a scalar: no constructor in it.
bool FunctionWriter::are_coherent(Ids ids, unsigned depth) const {
  if (are_constant(ids) || are_same(ids)) return true;
  const VariableId variable = place_of(ids[0]).variable;
  if (variable != kNone) return std::ranges::all_of(ids, [&](Id id) { return place_of(id).variable == variable; });
  const ir::Inst& first = f_.insts[ids[0]];
  if (first.op == Op::get) {
    return std::ranges::all_of(ids,
                               [&](Id id) { return f_.insts[id].op == Op::get && f_.operands_of(id)[0] == f_.operands_of(ids[0])[0]; });
  }
  if (!are_alike(ids)) return false;
  if (is_member(first.op)) {
    // registers of one address, rising
    if (first.op != Op::cbuffer_load && first.op != Op::load) return true;
    const std::size_t at = first.op == Op::cbuffer_load ? 1 : 0;
    const Address base = address_of(f_, f_.operands_of(ids[0])[at]);
    return std::ranges::all_of(ids, [&](Id id) {
      const Address other = address_of(f_, f_.operands_of(id)[at]);
      return f_.insts[id].extra == first.extra && other.terms == base.terms && other.bytes / 16 == base.bytes / 16;
    });
  }
  const std::uint32_t row = plan_.vectors().row[ids[0]];
  if (row != kNone && std::ranges::all_of(ids, [&](Id id) { return plan_.vectors().row[id] == row; })) return true;
  if (depth >= kLookedAt) return false;
  for (std::size_t at = 0; at < first.operand_count; ++at)
    if (!are_coherent(plan_.operands_at(ids, at), depth + 1)) return false;
  return true;
}

// Whether an operation on vectors is shorter than a vector of operations: one operand at most has a constructor in it.
bool FunctionWriter::are_nearly_coherent(Ids ids, unsigned depth) const {
  if (!are_alike(ids) || is_member(f_.insts[ids[0]].op)) return false;
  std::size_t others = 0;
  for (std::size_t at = 0; at < f_.insts[ids[0]].operand_count; ++at) others += are_coherent(plan_.operands_at(ids, at), depth + 1) ? 0 : 1;
  return others <= 1;
}

Expression FunctionWriter::swizzled(const std::string& text, unsigned width, std::span<const std::uint8_t> components, Base base) {
  Expression made{text, Level::postfix, {base, static_cast<std::uint8_t>(components.size())}};
  if (width == 1) {
    made.type.width = 1;
    return made;
  }
  bool is_whole = components.size() == width;
  for (std::size_t k = 0; k < components.size(); ++k) is_whole = is_whole && components[k] == k;
  if (is_whole) return made;
  made.text += '.';
  for (const std::uint8_t one : components) made.text += kLetters[one & 3];
  return made;
}

Expression FunctionWriter::literals(Ids ids, Base base, bool hex) {
  const auto bits = [&](Id id) { return f_.insts[id].op == Op::undef ? 0 : ir::constant_bits(f_, id); };
  const auto text = [&](Id id) { return target_.literal(base, bits(id), hex); };
  Expression made;
  made.is_literal = true;
  made.type = {base, 1};
  if (std::ranges::all_of(ids, [&](Id id) { return bits(id) == bits(ids[0]); })) {
    made.text = text(ids[0]);
    if (made.text.starts_with('-')) made.level = Level::unary;
    return made;
  }
  made.type.width = static_cast<std::uint8_t>(ids.size());
  made.text = target_.type_name(made.type) + '(';
  for (std::size_t k = 0; k < ids.size(); ++k) (made.text += k == 0 ? "" : ", ") += text(ids[k]);
  made.text += ')';
  return made;
}

Expression FunctionWriter::widened(Expression value, std::size_t width) {
  if (value.type.width == width) return value;
  value.type.width = static_cast<std::uint8_t>(width);
  const std::string name = target_.type_name(value.type);
  if (target_.words() == ShadingLanguage::glsl) {
    value.text = name + '(' + value.text + ')';
  } else if (value.is_literal || value.level != Level::postfix) {
    value.text = '(' + name + ')' + value.in(Level::postfix);
    value.level = Level::unary;
    return value;
  } else {
    value.text += '.';
    value.text.append(width, 'x');
    // a swizzle of one component again
    const std::size_t dot = value.text.rfind('.', value.text.size() - width - 2);
    const std::size_t before = value.text.size() - width - 1;
    if (dot != std::string::npos && before - dot == 2 && kLetters.find(value.text[dot + 1]) != std::string_view::npos) {
      const char letter = value.text[dot + 1];
      value.text.resize(dot + 1);
      value.text.append(width, letter);
    }
  }
  value.level = Level::postfix;
  return value;
}

Expression FunctionWriter::as(Expression value, Base want) {
  const Base from = value.type.base;
  if (from == want || bits_of(from) != bits_of(want)) return value;
  if (!is_real(from) && !is_real(want)) {
    value.type.base = want;
    value.text = target_.type_name(value.type) + '(' + value.text + ')';
    value.level = Level::postfix;
    return value;
  }
  ++writer_.score.casts;
  return target_.reinterpreted(value, want);
}

// How many of the first values are one vector.
std::size_t FunctionWriter::natural(Ids ids) {
  std::size_t length = 1;
  if (is_constant(ids[0])) return 1;
  // all dot products with a matrix
  if (plan_.vectors().dot[ids[0]] != kNone) {
    std::size_t dots = 1;
    while (dots < ids.size() && plan_.vectors().dot[ids[dots]] != kNone && plan_.writings().of[ids[dots]] == Writing::inside) ++dots;
    for (; dots > 1; --dots)
      if (is_product(ids.first(dots))) return dots;
  }
  while (length < ids.size() && !is_constant(ids[length]) && are_coherent(ids.first(length + 1), 0) && !are_same(ids.first(length + 1)))
    ++length;
  return length;
}

Expression FunctionWriter::constructed(Ids ids, std::optional<Base> want) {
  Base base = want.value_or(Base::uint_);
  if (!want) {
    const auto first = std::ranges::find_if(ids, [&](Id id) { return !is_constant(id); });
    base = base_of(first == ids.end() ? ids[0] : *first);
  }
  Expression made;
  made.type = {base, static_cast<std::uint8_t>(ids.size())};
  made.text = target_.type_name(made.type) + '(';
  for (std::size_t at = 0; at < ids.size();) {
    // at least two parts: list() has found none that is all of it
    const std::size_t length = std::min(natural(ids.subspan(at)), std::max<std::size_t>(1, ids.size() - 1));
    Expression part = loosely(ids.subspan(at, length), base);
    if (part.type.width != length) part = widened(part, length);
    (made.text += at == 0 ? "" : ", ") += part.text;
    at += length;
  }
  made.text += ')';
  return made;
}

// As what is assigned or passed is converted by itself.
Expression FunctionWriter::loosely(Ids ids, Base want) {
  if (!target_.mixes_signs() || is_real(want) || want == Base::bool_ || are_constant(ids)) return list(ids, want);
  Expression value = list(ids);
  if (is_real(value.type.base) || value.type.base == Base::bool_ || bits_of(value.type.base) != bits_of(want))
    return as(std::move(value), want);
  value.type.base = want;
  return value;
}

Expression FunctionWriter::full(Ids ids, Base want) { return widened(list(ids, want), ids.size()); }

Expression FunctionWriter::list(Ids ids, std::optional<Base> want, bool hex) {
  const auto done = [&](Expression value) { return want ? as(std::move(value), *want) : value; };
  if (are_constant(ids)) return literals(ids, want.value_or(base_of(ids[0])), hex);
  if (ids.size() > 1 && are_same(ids)) return list(ids.first(1), want, hex);
  if (const VariableId variable = place_of(ids[0]).variable;
      variable != kNone && std::ranges::all_of(ids, [&](Id id) { return place_of(id).variable == variable; })) {
    std::vector<std::uint8_t> components;
    for (const Id id : ids) components.push_back(place_of(id).component);
    mention(variable);
    const LocalVariable& named = variables_[variable];
    return done(swizzled(named.name, named.type.width, components, named.type.base));
  }
  const ir::Inst& first = f_.insts[ids[0]];
  // bits as they are
  if (want && bits_of(*want) == 32 && first.op == Op::bitcast &&
      std::ranges::all_of(ids, [&](Id id) { return f_.insts[id].op == Op::bitcast && f_.insts[id].type == first.type; }))
    return list(plan_.operands_at(ids, 0), want, hex);
  if (first.op == Op::get && (ids.size() == 1 || are_coherent(ids, 0))) {
    std::vector<std::uint8_t> members;
    for (const Id id : ids) members.push_back(static_cast<std::uint8_t>(f_.insts[id].extra));
    const Id tuple = f_.operands_of(ids[0])[0];
    const VariableId variable = plan_.place(tuple).variable;
    if (variable == kNone) return done(members_of_load(tuple, members));
    mention(variable);
    const LocalVariable& named = variables_[variable];
    return done(swizzled(named.name, named.type.width, members, named.type.base));
  }
  if (ids.size() == 1) return done(compute(ids));
  if (plan_.vectors().dot[ids[0]] != kNone && std::ranges::all_of(ids, [&](Id id) { return plan_.writings().of[id] == Writing::inside; }))
    if (auto made = product_of_dots(ids)) return done(*std::move(made));
  if (are_alike(ids) && (are_coherent(ids, 0) || are_nearly_coherent(ids, 0))) return done(compute(ids));
  return done(constructed(ids, want));
}

}  // namespace unshade::write::source
