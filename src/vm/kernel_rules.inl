// What kernels and recordings of them are made of: which rule a row of the list has, of which operands. Included by kernels.inl and by
// recorded/record.inl, for the lanes that a file is compiled for.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <unshade/ir/numeric/math.hpp>
#include <unshade/ir/numeric/rules.hpp>

#include "vm/kernel_list.hpp"

namespace unshade::vm {
namespace {

namespace numeric = ir::numeric;
using ir::Op;
using ir::Type;

// The type of operand `i` of an operation in type T or, of a conversion, F.
template <Op O, Type T, Type F>
constexpr Type operand_type(std::size_t i) {
  switch (ir::info(O).operands[i]) {
    case 'b': return Type::b1;
    case 'i': return Type::i32;
    case 'f': return Type::f32;
    case 'u': return F;
    default: return T;
  }
}

// The template arguments of a rule: the type, of a conversion also the operand's, and a rounding if it is the other one.
template <auto...>
struct Parameters {};
template <Op O, Type T, Type F, bool OtherRounding>
constexpr auto parameters() {
  if constexpr (is_conversion<O> && OtherRounding) {
    return Parameters<T, F, ir::Rounding::toward_zero>();
  } else if constexpr (is_conversion<O>) {
    return Parameters<T, F>();
  } else if constexpr (OtherRounding) {
    return Parameters<T, ir::Rounding::nearest_even>();
  } else {
    return Parameters<T>();
  }
}
template <Op O, Type T, Type F, bool OtherRounding>
using ParametersOf = decltype(parameters<O, T, F, OtherRounding>());

template <Op O, auto... P, class... V>
UNSHADE_LANES auto apply(Parameters<P...>, std::uint32_t extra, const V&... operands) {
  using Extra = numeric::ExtraOf<O>;
  if constexpr (std::is_void_v<Extra>) {
    return numeric::Rule<O>::template apply<P...>(operands...);
  } else {
    return numeric::Rule<O>::template apply<P...>(operands..., static_cast<Extra>(extra));
  }
}

// Whether the rules have this operation in this type. HasRule looks at declarations alone, so that what is missing is no error.
template <Op O, class... V, auto... P>
constexpr bool has_rule(Parameters<P...>) {
  using Extra = numeric::ExtraOf<O>;
  if constexpr (std::is_void_v<Extra>) {
    return numeric::HasRule<O, P...>::template of<V...>;
  } else {
    return numeric::HasRule<O, P...>::template of<V..., Extra>;
  }
}
template <Op O, Type T, Type F, bool OtherRounding>
constexpr bool has_kernel() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return has_rule<O, numeric::Value<operand_type<O, T, F>(I), 1>...>(ParametersOf<O, T, F, OtherRounding>());
  }(std::make_index_sequence<ir::info(O).operands.size()>{});
}

// Whether a kernel runs with denormals kept, whatever the program does with those of f32.
template <Op O, Type T>
inline constexpr bool keeps_denormals = T == Type::f64 && !is_conversion<O>;

// The first operation of a pair, and the second of what it gives and of another operand.
template <Pair P, class V>
UNSHADE_LANES V first_of_pair(const V& a, const V& b) {
  using First = numeric::Rule<P.first>;
  // the second operation computes from any NaN the canonical one
  if constexpr (ir::info(P.second).nan == ir::Nan::computed) {
    return First::template unfinished<Type::f32>(a, b);
  } else {
    return First::template apply<Type::f32>(a, b);
  }
}
template <Pair P, class V>
UNSHADE_LANES V second_of_pair(const V& between, const V& other) {
  using Second = numeric::Rule<P.second>;
  if constexpr (P.on_right) {
    return Second::template apply<Type::f32>(other, between);
  } else {
    return Second::template apply<Type::f32>(between, other);
  }
}

}  // namespace
}  // namespace unshade::vm
