// Functions of the languages in the place of the operations that they consist of.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "write/source/function_writer.hpp"

namespace unshade::write::source {

using ir::Writing;

namespace {

constexpr std::uint32_t kSign = 0x8000'0000;

/// Beyond, no compiler writes products.
constexpr float kMostFactors = 1e6F;

bool is_integer(float value) {
  return value > -kMostFactors && value < kMostFactors && value == static_cast<float>(static_cast<std::int32_t>(value));
}

}  // namespace

// Values that are written where they are used, all of one operation.
bool FunctionWriter::are_inside(Ids ids, Op op) const {
  return std::ranges::all_of(ids, [&](Id id) {
    return f_.insts[id].op == op && f_.insts[id].type == f_.insts[ids[0]].type && plan_.writings().of[id] == Writing::inside &&
           plan_.place(id).variable == kNone;
  });
}

// What compilers of HLSL make of a function is known (Microsoft's reference of intrinsic functions, and what fxc and dxc write); those of
// GLSL leave it to drivers.
bool FunctionWriter::knows_expansions() const {
  const bool is_of_direct3d = target_.words() == ShadingLanguage::hlsl && !writer_.is_of_spirv();
  return writer_.options.setting == Setting::native || (!writer_.is_exact() && is_of_direct3d);
}

// A module had GLSL.std.450's functions, which compilers to SPIR-V make of those of both languages: lowered, they are what that set
// defines.
bool FunctionWriter::knows_functions_of_spirv() const { return !writer_.is_exact() && writer_.is_of_spirv(); }

// v * rsqrt(dot(v, v)), of SPIR-V v / sqrt(dot(v, v)): the vector.
std::optional<std::vector<Id>> FunctionWriter::normalized(Ids ids) const {
  if (ids.size() < 2 || f_.insts[ids[0]].type != Type::f32) return std::nullopt;
  if (f_.insts[ids[0]].op == Op::fdiv && knows_functions_of_spirv()) {
    const auto vector = plan_.operands_at(ids, 0), size = plan_.operands_at(ids, 1);
    if (!are_same(size) || !are_inside({size.data(), 1}, Op::fsqrt)) return std::nullopt;
    const ir::VectorDot* const dot = plan_.square_in(size[0], Op::fsqrt);
    return dot != nullptr && are_equal(dot->first(), vector) ? std::optional(vector) : std::nullopt;
  }
  if (!knows_expansions() || f_.insts[ids[0]].op != Op::fmul) return std::nullopt;
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
    const auto scale = plan_.operands_at(ids, at), vector = plan_.operands_at(ids, 1 - at);
    if (!are_same(scale) || !are_inside({scale.data(), 1}, Op::frsqrt)) continue;
    // the products are added in the order of the vector
    const ir::VectorDot* const dot = plan_.square_in(scale[0], Op::frsqrt);
    if (dot != nullptr && are_equal(dot->first(), vector)) return vector;
  }
  return std::nullopt;
}

bool FunctionWriter::are_negated(Ids ids, Ids values) const {
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const Id id = ids[k];
    if (f_.insts[id].op == Op::fneg) {
      const Id of[] = {f_.operands_of(id)[0]}, value[] = {values[k]};
      if (!are_equal(of, value)) return false;
    } else if (!known(id) || !known(values[k]) || *known(id) != (*known(values[k]) ^ kSign)) {
      return false;
    }
  }
  return true;
}

// (b - a) * t + a
std::optional<FunctionWriter::Interpolation> FunctionWriter::interpolated(Ids ids) const {
  const Op op = f_.insts[ids[0]].op;
  if (!knows_expansions() || writer_.module.modes.fused_mad || (op != Op::fmad && op != Op::fadd)) return std::nullopt;
  const auto is_sum = [&](Id id) { return f_.insts[id].op == op && f_.insts[id].type == Type::f32; };
  if (!std::ranges::all_of(ids, is_sum)) return std::nullopt;
  const auto difference_of = [&](Ids difference, const std::vector<Id>& from) -> std::optional<Interpolation> {
    if (are_inside(difference, Op::fsub) && are_equal(plan_.operands_at(difference, 1), from))
      return Interpolation{from, plan_.operands_at(difference, 0), {}, {}};
    if (are_inside(difference, Op::fadd)) {
      for (const std::size_t side : {std::size_t{1}, std::size_t{0}})
        if (are_negated(plan_.operands_at(difference, side), from))
          return Interpolation{from, plan_.operands_at(difference, 1 - side), {}, {}};
    }
    if (are_inside(difference, Op::fmad) && are_negated(plan_.operands_at(difference, 2), from))
      return Interpolation{from, plan_.operands_at(difference, 0), plan_.operands_at(difference, 1), {}};
    return std::nullopt;
  };
  const auto of_product = [&](Ids products, const std::vector<Id>& from) -> std::optional<Interpolation> {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      auto made = difference_of(plan_.operands_at(products, side), from);
      if (!made) continue;
      made->by = plan_.operands_at(products, 1 - side);
      return made;
    }
    return std::nullopt;
  };
  if (op == Op::fmad) return of_product(ids, plan_.operands_at(ids, 2));
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const std::vector<Id> products = plan_.operands_at(ids, side);
    if (!are_inside(products, Op::fmul)) continue;
    if (auto made = of_product(products, plan_.operands_at(ids, 1 - side))) return made;
  }
  return std::nullopt;
}

// x * (1 - t) + y * t
std::optional<FunctionWriter::Interpolation> FunctionWriter::mixed(Ids ids) const {
  if (!knows_functions_of_spirv() || f_.insts[ids[0]].op != Op::fadd || f_.insts[ids[0]].type != Type::f32) return std::nullopt;
  const auto kept = plan_.operands_at(ids, 0), added = plan_.operands_at(ids, 1);
  if (!are_inside(kept, Op::fmul) || !are_inside(added, Op::fmul)) return std::nullopt;
  const auto rest = plan_.operands_at(kept, 1), by = plan_.operands_at(added, 1);
  if (!std::ranges::all_of(rest, [&](Id id) { return f_.insts[id].op == Op::fsub && !plan_.is_named(id); })) return std::nullopt;
  constexpr std::uint64_t kOne = 0x3f80'0000;
  if (!std::ranges::all_of(plan_.operands_at(rest, 0), [&](Id id) { return known(id) == kOne; })) return std::nullopt;
  if (!are_equal(plan_.operands_at(rest, 1), by)) return std::nullopt;
  return Interpolation{plan_.operands_at(kept, 0), plan_.operands_at(added, 0), {}, by};
}

// v - 2 * dot(n, v) * n
std::optional<std::array<std::vector<Id>, 2>> FunctionWriter::reflected(Ids ids) const {
  if (!knows_functions_of_spirv() || ids.size() < 2 || f_.insts[ids[0]].op != Op::fsub || f_.insts[ids[0]].type != Type::f32)
    return std::nullopt;
  const auto from = plan_.operands_at(ids, 0), products = plan_.operands_at(ids, 1);
  if (!are_inside(products, Op::fmul)) return std::nullopt;
  const auto twice = plan_.operands_at(products, 0), normal = plan_.operands_at(products, 1);
  if (!are_same(twice) || !are_inside({twice.data(), 1}, Op::fmul)) return std::nullopt;
  constexpr std::uint64_t kTwo = 0x4000'0000;
  const auto factors = f_.operands_of(twice[0]);
  const ir::VectorDot* const dot = plan_.vectors().dot_of(factors[1]);
  if (known(factors[0]) != kTwo || dot == nullptr || plan_.is_named(factors[1]) || !plan_.is_whole(*dot)) return std::nullopt;
  const auto is_of = [&](Ids a, Ids b) { return are_equal(a, normal) && are_equal(b, from); };
  if (!is_of(dot->first(), dot->second()) && !is_of(dot->second(), dot->first())) return std::nullopt;
  return std::array{from, normal};
}

// What is computed by several operations, and is one function with the same bits.
std::optional<Expression> FunctionWriter::idiom(Ids ids) {
  if (writer_.is_exact()) return std::nullopt;
  const ir::Inst& inst = f_.insts[ids[0]];
  const Base base = ModuleWriter::base_of(inst.type, ir::Declared::real);
  const auto width = static_cast<std::uint8_t>(ids.size());
  switch (inst.op) {
    case Op::fexp2: {
      // exp2(log2(a) * b)
      const auto products = plan_.operands_at(ids, 0);
      if (!knows_expansions() || inst.type != Type::f32 || !are_inside(products, Op::fmul)) return std::nullopt;
      for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
        const auto logs = plan_.operands_at(products, at), powers = plan_.operands_at(products, 1 - at);
        if (!are_inside(logs, Op::flog2)) continue;
        // compilers make products of powers that are whole
        const auto is_whole = [&](Id id) { return known(id) && is_integer(std::bit_cast<float>(static_cast<std::uint32_t>(*known(id)))); };
        if (writer_.options.setting != Setting::native && std::ranges::any_of(powers, is_whole)) return std::nullopt;
        return call("pow", {full(plan_.operands_at(logs, 0), base), full(powers, base)}, {base, width});
      }
      return std::nullopt;
    }
    case Op::fdiv:
    case Op::fmul:
      if (const auto vector = normalized(ids)) return call("normalize", {full(*vector, base)}, {base, width});
      return std::nullopt;
    case Op::fsub: {
      const auto found = reflected(ids);
      if (!found) return std::nullopt;
      return call("reflect", {full((*found)[0], base), full((*found)[1], base)}, {base, width});
    }
    case Op::fmad:
    case Op::fadd: {
      auto found = mixed(ids);
      if (!found) found = interpolated(ids);
      if (!found) return std::nullopt;
      Expression to = full(found->to, base);
      if (!found->factor.empty()) to = binary("*", Level::product, to, list(found->factor, base), {base, width});
      Expression by = list(found->by, base);
      return call(target_.words() == ShadingLanguage::hlsl ? "lerp" : "mix", {full(found->from, base), to, by}, {base, width});
    }
    case Op::fsqrt: {
      const ir::VectorDot* const dot = ids.size() == 1 ? plan_.square_in(ids[0], Op::fsqrt) : nullptr;
      if (dot == nullptr) return std::nullopt;
      return call("length", {full(dot->first(), base)}, {base, 1});
    }
    case Op::fmin: {
      // min(max(x, low), high)
      const auto inner = plan_.operands_at(ids, 0);
      if (!are_inside(inner, Op::fmax)) return std::nullopt;
      const auto low = plan_.operands_at(inner, 1), high = plan_.operands_at(ids, 1);
      if (!are_constant(low) || !are_constant(high)) return std::nullopt;
      Expression x = list(plan_.operands_at(inner, 0), base), a = list(low, base), b = list(high, base);
      const std::uint8_t widest = std::max({x.type.width, a.type.width, b.type.width});
      if (a.text == "0.0" && b.text == "1.0") return std::nullopt;  // not saturate: -0 stays
      if (!target_.spreads_scalars()) x = widened(x, widest), a = widened(a, widest), b = widened(b, widest);
      return call("clamp", {x, a, b}, {base, widest});
    }
    default: return std::nullopt;
  }
}

}  // namespace unshade::write::source
