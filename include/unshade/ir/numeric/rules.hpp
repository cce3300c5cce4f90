// The numeric rules by operation, so that tables of them derive from ops.def.
#pragma once

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/convert.hpp>
#include <unshade/ir/numeric/float.hpp>
#include <unshade/ir/numeric/integer.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/math.hpp>
#include <unshade/ir/numeric/nan.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

/// A result of the function of an operation as that of its rule: which NaN it is, by the column of ops.def.
template <Op O, class R>
UNSHADE_LANES R result_of(const R& made) {
  if constexpr (info(O).nan == Nan::computed) {
    return canonical(made);
  } else {
    return made;
  }
}

/// The rule of an operation: Rule<Op::fadd>::apply<Type::f32>(a, b). The template argument is the type, and of conversions that of
/// the operand as well, and may end with the rounding of f24, or that of f_to_f; what follows operands of lanes is the operation's extra
/// field, of type ExtraOf<Op>. Operations with several results give Two or Four. `unfinished` gives any NaN: for steps on the way to a
/// result that is computed from them.
template <Op>
struct Rule;

#define IR_OP(id, ...)                                     \
  template <>                                              \
  struct Rule<Op::id> {                                    \
    template <auto... P, class... A>                       \
      requires requires(const A&... a) { id<P...>(a...); } \
    UNSHADE_LANES static auto apply(const A&... a) {       \
      return result_of<Op::id>(id<P...>(a...));            \
    }                                                      \
    template <auto... P, class... A>                       \
      requires requires(const A&... a) { id<P...>(a...); } \
    UNSHADE_LANES static auto unfinished(const A&... a) {  \
      return id<P...>(a...);                               \
    }                                                      \
  };
#include <unshade/ir/ops.def>

/// Whether an operation has a rule for these parameters and operands: what has none is for the interpreter alone.
template <Op O, auto... P>
struct HasRule {
  template <class... A>
  static constexpr bool of = requires(const A&... a) { Rule<O>::template apply<P...>(a...); };
};

/// What a rule takes after its operands, by the layout of the extra field: void if nothing.
template <Extra>
struct RunTimeExtra {
  using Type = void;
};
template <>
struct RunTimeExtra<Extra::float_classes> {
  using Type = std::uint32_t;
};
template <>
struct RunTimeExtra<Extra::pack> {
  using Type = Pack;
};
template <>
struct RunTimeExtra<Extra::unpack> {
  using Type = Unpack;
};
template <Op O>
using ExtraOf = typename RunTimeExtra<info(O).extra>::Type;

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
