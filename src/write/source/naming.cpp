// Names of variables: from debug information, from what they are read of and go to, from what they compute.
#include <algorithm>
#include <array>
#include <cctype>

#include "write/source/function_writer.hpp"

namespace unshade::write::source {

using ir::Writing;

namespace {

struct Role {
  Op op;
  std::string_view name;
};
constexpr Role kRoles[] = {
    {Op::fadd, "sum"},
    {Op::fsub, "difference"},
    {Op::fmul, "product"},
    {Op::fmul_zero, "product"},
    {Op::fdiv, "ratio"},
    {Op::fmad, "sum"},
    {Op::fmad_zero, "sum"},
    {Op::frcp, "inverse"},
    {Op::fsqrt, "root"},
    {Op::frsqrt, "inverseLength"},
    {Op::fmin, "least"},
    {Op::fmax, "most"},
    {Op::fsat, "amount"},
    {Op::fabs, "size"},
    {Op::ffloor, "whole"},
    {Op::ffract, "fraction"},
    {Op::fexp2, "power"},
    {Op::flog2, "logarithm"},
    {Op::fsin, "sine"},
    {Op::fcos, "cosine"},
    {Op::iadd, "total"},
    {Op::imul, "extent"},
    {Op::iand, "bits"},
    {Op::ior, "bits"},
    {Op::ixor, "bits"},
    {Op::ishl, "shifted"},
    {Op::ushr, "field"},
    {Op::ishr, "field"},
    {Op::f_to_s, "index"},
    {Op::f_to_u, "index"},
    {Op::s_to_f, "number"},
    {Op::u_to_f, "number"},
    {Op::select, "chosen"},
    {Op::flt, "isLess"},
    {Op::fle, "isAtMost"},
    {Op::feq, "isEqual"},
    {Op::fne, "isOther"},
    {Op::ilt, "isLess"},
    {Op::ult, "isLess"},
    {Op::ile, "isAtMost"},
    {Op::ule, "isAtMost"},
    {Op::ieq, "isEqual"},
    {Op::ine, "isSet"},
    {Op::ddx, "changeX"},
    {Op::ddy, "changeY"},
    {Op::load, "element"},
    {Op::query_size, "size"},
    {Op::query_lod, "level"},
    {Op::phi, "value"},
    {Op::udiv, "quotient"},
    {Op::idiv, "quotient"},
    {Op::atomic, "before"},
    {Op::buffer_atomic, "before"},
    {Op::texel_atomic, "before"},
    {Op::counter, "slot"},
};

}  // namespace

std::string variable_of(std::string_view semantic) {
  if (semantic.size() > 3 && (semantic.starts_with("SV_") || semantic.starts_with("sv_"))) semantic.remove_prefix(3);
  std::string made(semantic);
  const bool is_shouted = std::ranges::none_of(made, [](unsigned char c) { return std::islower(c) != 0; });
  for (std::size_t k = 0; k < made.size(); ++k)
    if (k == 0 || is_shouted) made[k] = static_cast<char>(std::tolower(static_cast<unsigned char>(made[k])));
  return made;
}

namespace {

// A resource's name as the begin of another: `_ROTEXELS_TABLE_` is `rotexelsTable`.
std::string prefix_of(std::string_view name) {
  const std::size_t first = name.find_first_not_of('_');
  if (first == std::string_view::npos) return std::string(name);
  name = name.substr(first, name.find_last_not_of('_') + 1 - first);
  const bool is_shouted =
      name.find('_') != std::string_view::npos && std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; });
  if (!is_shouted) return std::string(name);
  std::string made;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const auto c = static_cast<unsigned char>(name[at]);
    if (c == '_') continue;
    made += static_cast<char>(at != 0 && name[at - 1] == '_' ? c : std::tolower(c));
  }
  return made;
}

}  // namespace

// A variable that a loop counts up by a constant.
bool FunctionWriter::is_counter(const PlannedVariable& variable) const {
  if (!variable.is_web || variable.width != 1) return false;
  const auto is_own = [&](Id id) { return std::ranges::find(variable.members, id) != variable.members.end(); };
  const auto is_step = [&](Id id) {
    if (f_.insts[id].op != Op::iadd || f_.insts[id].type != Type::i32) return false;
    const auto operands = f_.operands_of(id);
    return is_own(operands[0]) && is_constant(operands[1]);
  };
  for (const Id member : variable.members) {
    if (is_step(member)) return true;
    if (f_.insts[member].op == Op::phi && std::ranges::any_of(f_.operands_of(member), is_step)) return true;
  }
  return false;
}

// What a value is called by what it is for.
std::string FunctionWriter::purpose_of(Id id) const {
  const Id user = plan_.uses().user[id];
  if (user == kNone || f_.insts[id].type != Type::f32) return {};
  switch (f_.insts[user].op) {
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather: {
      const std::size_t at = plan_.uses().place[id];
      const ir::TextureExtra extra(f_.insts[user].extra);
      if (at < 2 || at >= 2 + extra.dimension_count()) return {};
      return extra.dimension_count() == 2 ? "uv" : "place";
    }
    default: return {};
  }
}

// What a value is called by where it comes from.
std::string FunctionWriter::role_of(Id id, unsigned depth) const {
  const ir::Inst& inst = f_.insts[id];
  const auto resource = [&](Id handle) {
    if (f_.insts[handle].op != Op::handle) return std::string("heap");
    const Name& name = writer_.name_of_resource(f_.insts[handle].extra);
    return prefix_of(takes_new_names_ ? name.shown : name.plain);
  };
  switch (inst.op) {
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather: return resource(f_.operands_of(id)[0]) + "Sample";
    case Op::texel_load:
    case Op::buffer_load: return resource(f_.operands_of(id)[0]) + "Value";
    case Op::query_size: return resource(f_.operands_of(id)[0]) + "Size";
    case Op::input: {
      const ir::ElementExtra extra(inst.extra);
      return variable_of(writer_.module.signatures.of(extra.signature)[extra.element].semantic);
    }
    case Op::get:
    case Op::bitcast:
      if (depth < 4) return role_of(f_.operands_of(id)[0], depth + 1);
      break;
    default: break;
  }
  if (depth != 0) return {};
  if (std::string purpose = purpose_of(id); !purpose.empty()) return purpose;
  const auto is_self = [&](Id square) {
    const ir::VectorDot* const dot = plan_.vectors().dot_of(square);
    return dot != nullptr && std::ranges::equal(dot->first(), dot->second());
  };
  if (is_self(id)) return "lengthSquared";
  if (inst.op == Op::fmul) {
    for (const Id scale : f_.operands_of(id))
      if (f_.insts[scale].op == Op::frsqrt && is_self(f_.operands_of(scale)[0])) return "direction";
  }
  if (inst.op == Op::frsqrt && !is_self(f_.operands_of(id)[0])) return "inverseRoot";
  if (inst.op == Op::fadd && std::ranges::any_of(f_.operands_of(id), [&](Id one) { return f_.insts[one].op == Op::fneg; }))
    return "difference";
  if (plan_.vectors().dot[id] != kNone && plan_.vectors().row[id] != kNone) return "transformed";
  const std::uint32_t dot = plan_.vectors().dot[id];
  if (dot != kNone) return "dotProduct";
  const auto* const row = std::ranges::find(kRoles, inst.op, &Role::op);
  return row == std::end(kRoles) ? std::string() : std::string(row->name);
}

// The name of all that comes together in a variable and has one.
std::string_view FunctionWriter::joined_name(const PlannedVariable& variable) const {
  std::string_view made;
  for (const Id id : variable.members) {
    if (f_.insts[id].op != Op::phi) continue;
    for (const Id from : f_.operands_of(id)) {
      const std::string_view name = ir::name_of(f_, from).variable;
      if (name.empty() || name == made) continue;
      if (!made.empty()) return {};
      made = name;
    }
  }
  return made;
}

std::string FunctionWriter::wanted_name(const PlannedVariable& variable) const {
  for (const Id id : variable.members)
    if (const ir::ValueName name = ir::name_of(f_, id); !name.variable.empty()) return std::string(name.variable);
  if (const std::string_view name = joined_name(variable); !name.empty()) return std::string(name);
  // of a load, what its results are called
  for (const Id id : variable.members) {
    if (f_.insts[id].results < 2) continue;
    for (Id next = f_.next[id]; next != kNone; next = f_.next[next]) {
      if (f_.insts[next].op != Op::get || f_.operands_of(next)[0] != id) continue;
      const std::string_view name = ir::name_of(f_, next).variable;
      if (!name.empty() && !joined_names_.contains(name)) return std::string(name);
      break;
    }
  }
  // what goes to an output as it is
  for (const Id id : variable.members) {
    const Id user = plan_.uses().user[id];
    if (user == kNone || f_.insts[user].op != Op::output || plan_.uses().count[id] != 1) continue;
    const ir::ElementExtra extra(f_.insts[user].extra);
    const ir::Element& element = writer_.module.signatures.of(extra.signature)[extra.element];
    const std::string& own = !element.built_in.empty() ? element.built_in : element.variable.empty() ? element.semantic : element.variable;
    if (!ModuleWriter::is_unnamed(own)) return variable_of(own);
  }
  // what all of it is
  const auto is_sum = [](std::string_view role) {
    return role == "sum" || role == "difference" || role == "product" || role == "total" || role == "extent";
  };
  std::string first;
  bool differs = false;
  for (const Id id : variable.members) {
    if (f_.insts[id].op == Op::phi) continue;
    std::string role = role_of(id, 0);
    if (role.empty()) continue;
    if (role == "direction") return role;
    differs = differs || (!first.empty() && role != first && !(is_sum(role) && is_sum(first)));
    if (first.empty()) first = std::move(role);
  }
  return first.empty() || (differs && !variable.is_web) ? "value" : first;
}

// Whether a value, or one that is written in it, may not be rearranged.
bool FunctionWriter::is_fixed(Id id, unsigned depth) const {
  constexpr unsigned kDeepest = 32;
  if (ir::has(f_.insts[id].flags, ir::Flags::precise) && ir::is_float(f_.insts[id].type)) return true;
  if (f_.insts[id].op == Op::phi || depth > kDeepest) return false;
  return std::ranges::any_of(f_.operands_of(id), [&](Id one) {
    return one < f_.insts.size() && plan_.writings().of[one] == Writing::inside && is_fixed(one, depth + 1);
  });
}

bool FunctionWriter::are_fixed(Ids ids, Base base) const {
  if (!target_.has_precise() || (base != Base::float_ && base != Base::double_)) return false;
  if (writer_.is_exact()) return true;
  return writer_.marks_precise() && std::ranges::any_of(ids, [&](Id id) { return is_fixed(id); });
}

void FunctionWriter::name_variables() {
  const std::vector<std::uint64_t> keys = ir::content_keys(writer_.module, f_);
  constexpr std::array<std::string_view, 6> kCounters{"i", "j", "k", "l", "m", "n"};
  std::size_t counters = 0;
  for (const PlannedVariable& variable : plan_.variables()) joined_names_.insert(joined_name(variable));
  for (const PlannedVariable& variable : plan_.variables()) {
    LocalVariable made;
    made.region = variable.region;
    const Id first = variable.members.empty() ? 0 : variable.members.front();
    const bool has_name = std::ranges::any_of(variable.members, [&](Id id) { return f_.names.contains(id); });
    Name wanted;
    if (!has_name && counters < kCounters.size() && is_counter(variable)) {
      wanted.plain = wanted.shown = kCounters[counters++];
    } else {
      wanted.plain = wanted.shown = wanted_name(variable);
      if (writer_.names.are_given()) {
        takes_new_names_ = true;
        wanted.shown = wanted_name(variable);
        takes_new_names_ = false;
      }
    }
    const Name name = writer_.names.claim(wanted, keys[first], Names::Kind::local);
    made.name = name.shown;
    made.plain = name.plain;
    made.type = {variable.members.empty() ? Base::uint_ : base_of(first), variable.width};
    made.type_name = (are_fixed(variable.members, made.type.base) ? "precise " : "") + target_.type_name(made.type);
    variables_.push_back(std::move(made));
  }
  is_typed_.assign(variables_.size(), false);
}

}  // namespace unshade::write::source
