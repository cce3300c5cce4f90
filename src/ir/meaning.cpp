// Checks when compiled that the tables of instructions know the words of their column `sem`, and lowers those that they share.
#include "ir/meaning.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include <unshade/spirv/enumerants.hpp>

namespace unshade::ir {
namespace {

[[maybe_unused]] constexpr Meaning kOfDxilOperations[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, traits, stages, sem) Meaning::sem,
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

[[maybe_unused]] constexpr Meaning kOfLlvmInstructions[] = {
#define DXIL_OPCODE(id, text, group, sem) Meaning::sem,
#define DXIL_PREDICATE(code, id, text, sem) Meaning::sem,
#define DXIL_ATOMIC(code, id, text, sem) Meaning::sem,
#include <unshade/dxil/ir.def>
};

[[maybe_unused]] constexpr Meaning kOfTokenPrograms[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) Meaning::sem,
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};

[[maybe_unused]] constexpr Meaning kOfLevel9[] = {
#define SM2_OP(code, id, text, shape, lanes, slots, unit, block, vs, ps, gradient, sem) Meaning::sem,
#include <unshade/dxbc/level9/sm2_opcodes.def>
};

[[maybe_unused]] constexpr Meaning kOfPica[] = {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) Meaning::sem,
#include <unshade/pica/instructions.def>
#undef PICA_OP
};

template <class Id>
struct Row {
  Id id;
  Meaning meaning;
};

template <class Id, std::size_t N>
constexpr bool are_unique(const Row<Id> (&rows)[N]) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i + 1; j < N; ++j)
      if (rows[i].id == rows[j].id) return false;
  return true;
}

constexpr Row<spirv::Opcode> kOfSpirv[] = {
#define SPIRV_SEM(id, sem) {spirv::Opcode::id, Meaning::sem},
#define SPIRV_GLSL_SEM(id, sem)
#include <unshade/spirv/semantics.def>
};
static_assert(are_unique(kOfSpirv), "semantics.def: one row for an opcode");

constexpr Row<spirv::extended::GlslStd450> kOfGlsl[] = {
#define SPIRV_SEM(id, sem)
#define SPIRV_GLSL_SEM(id, sem) {spirv::extended::GlslStd450::id, Meaning::sem},
#include <unshade/spirv/semantics.def>
};
constexpr std::size_t kGlslInstructions = static_cast<std::size_t>(spirv::extended::GlslStd450::n_clamp);
static_assert(are_unique(kOfGlsl) && std::size(kOfGlsl) == kGlslInstructions, "semantics.def: a row for each instruction of GLSL.std.450");

// Whether an operation takes values and nothing else, as many as its shape has letters.
bool takes_values(const OpInfo& row) {
  return (row.extra == Extra::none || row.extra == Extra::rounding) && !has(row.effects, Effects::ends) &&
         row.operands.find_first_of("^?*") == std::string_view::npos;
}

}  // namespace

std::optional<AtomicOp> atomic_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::atomic_iadd:
    case Meaning::atomic_isub:
    case Meaning::atomic_increment:
    case Meaning::atomic_decrement: return AtomicOp::add;
    case Meaning::atomic_and: return AtomicOp::and_;
    case Meaning::atomic_or: return AtomicOp::or_;
    case Meaning::atomic_xor: return AtomicOp::xor_;
    case Meaning::atomic_imin: return AtomicOp::smin;
    case Meaning::atomic_imax: return AtomicOp::smax;
    case Meaning::atomic_umin: return AtomicOp::umin;
    case Meaning::atomic_umax: return AtomicOp::umax;
    case Meaning::atomic_exchange: return AtomicOp::exchange;
    case Meaning::atomic_compare_exchange: return AtomicOp::compare_exchange;
    case Meaning::atomic_fadd: return AtomicOp::fadd;
    case Meaning::atomic_fmin: return AtomicOp::fmin;
    case Meaning::atomic_fmax: return AtomicOp::fmax;
    default: return std::nullopt;
  }
}

Id lower_meaning(Builder& to, Meaning meaning, Type type, std::span<const Id> x, Flags flags) {
  const auto make = [&](Op op, Type of, std::initializer_list<Id> operands, std::uint32_t extra = 0) {
    return to.inst(op, of, operands, {.extra = extra, .flags = flags});
  };
  if (const auto op = op_of(meaning)) {
    const OpInfo& row = info(*op);
    return takes_values(row) && row.operands.size() == x.size() ? to.inst(*op, row.types != 0 ? type : Type::void_, x, {.flags = flags})
                                                                : kNone;
  }
  if (x.size() == 1) {
    const auto is_of = [&](std::uint32_t classes) { return make(Op::fclass, to.type_of(x[0]), {x[0]}, classes); };
    const auto from_top = [&](Op op) {
      const Type from = to.type_of(x[0]);
      const Id bit = make(op, from, {x[0]});
      const Id is_none = make(Op::ieq, Type::i32, {bit, to.i32(0xffff'ffff)});
      const Id counted = make(Op::isub, Type::i32, {to.i32(bit_width(from) - 1), bit});
      return make(Op::select, Type::i32, {is_none, bit, counted});
    };
    switch (meaning) {
      case Meaning::is_nan: return is_of(kNan);
      case Meaning::is_inf: return is_of(kInfinite);
      case Meaning::is_finite: return is_of(kFinite);
      case Meaning::is_normal: return is_of(kNormal);
      case Meaning::first_bit_high: return from_top(Op::first_high);
      case Meaning::first_bit_high_signed: return from_top(Op::first_high_signed);
      case Meaning::f32_to_f16: {
        const Id half = make(Op::f_to_f, Type::f16, {x[0]}, static_cast<std::uint32_t>(Rounding::toward_zero));
        return make(Op::zext, Type::i32, {to.as(Type::i16, half)});
      }
      case Meaning::f16_to_f32: return make(Op::f_to_f, Type::f32, {to.as(Type::f16, make(Op::trunc, Type::i16, {x[0]}))});
      default: return kNone;
    }
  }
  if (x.size() == 2) {
    const auto is = [&](Op op, Id a, Id b) { return make(op, type, {a, b}); };
    const auto is_not = [&](Op op, Id a, Id b) { return make(Op::inot, Type::b1, {is(op, a, b)}); };
    switch (meaning) {
      case Meaning::fgt: return is(Op::flt, x[1], x[0]);
      case Meaning::fge: return is(Op::fle, x[1], x[0]);
      case Meaning::igt: return is(Op::ilt, x[1], x[0]);
      case Meaning::ige: return is(Op::ile, x[1], x[0]);
      case Meaning::ugt: return is(Op::ult, x[1], x[0]);
      case Meaning::uge: return is(Op::ule, x[1], x[0]);
      case Meaning::ford: return is_not(Op::funord, x[0], x[1]);
      case Meaning::fone: return make(Op::iand, Type::b1, {is(Op::fne, x[0], x[1]), is_not(Op::funord, x[0], x[1])});
      case Meaning::fueq: return make(Op::ior, Type::b1, {is(Op::feq, x[0], x[1]), is(Op::funord, x[0], x[1])});
      case Meaning::fult: return is_not(Op::fle, x[1], x[0]);
      case Meaning::fugt: return is_not(Op::fle, x[0], x[1]);
      case Meaning::fule: return is_not(Op::flt, x[1], x[0]);
      case Meaning::fuge: return is_not(Op::flt, x[0], x[1]);
      case Meaning::false_: return to.b1(false);
      case Meaning::true_: return to.b1(true);
      default: return kNone;
    }
  }
  if (x.size() == 3 && meaning == Meaning::imad) return make(Op::iadd, type, {make(Op::imul, type, {x[0], x[1]}), x[2]});
  return kNone;
}

}  // namespace unshade::ir
