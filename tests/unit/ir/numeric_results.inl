// Results of all numeric rules, for tests that compare lane counts and instruction sets. Included by files that are compiled for one each,
// so that it must not use inline functions of other headers.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/rules.hpp>

#include "unit/ir/numeric_results.hpp"

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {
namespace {

// The type of operand `i` of an operation, in type `own`.
template <Op O>
constexpr Type operand_type(std::size_t i, Type own) {
  const char letter = info(O).operands[i];
  return letter == 't' ? own : letter == 'b' ? Type::b1 : letter == 'u' ? Type::f16 : Type::i32;
}

// The rules of ops.def over all inputs, N at a time. A function for each: one of all takes compilers minutes.
template <int N>
struct Runner {
  const Inputs& inputs;
  const Results& results;

  template <Type T>
  Value<T, N> input(int operand, int at) const {
    if constexpr (lane_bytes(T) == 8) {
      return from_memory_bits<T>(U64<N>::load(inputs.words64[operand] + at));
    } else if constexpr (T == Type::f16 || T == Type::i8 || T == Type::i16) {
      return from_memory_bits<T>(U32<N>::load(inputs.words32[operand] + at) >> 16);
    } else if constexpr (T == Type::f24) {
      return from_memory_bits<T>(U32<N>::load(inputs.words32[operand] + at) >> 8);
    } else {
      return from_memory_bits<T>(U32<N>::load(inputs.words32[operand] + at));
    }
  }
  // `part`: which of an operation's results or variants.
  template <class E>
  void give(const char* name, Type type, const Vec<E, N>& v, std::uint32_t part = 0) const {
    results.take(results.self, name, type, part, &v, sizeof(E), N, static_cast<E>(0.5F) != 0);
  }
  template <class A, class B>
  void give(const char* name, Type type, const Two<A, B>& v) const {
    give(name, type, v.first, 0);
    give(name, type, v.second, 1);
  }
  template <class A>
  void give(const char* name, Type type, const Four<A>& v, std::uint32_t part) const {
    for (std::uint32_t i = 0; i < 4; ++i) give(name, type, v.values[i], 4 * part + i);
  }

  template <Op O, Type T, std::size_t... I>
  [[gnu::noinline]] void run(const char* name, std::index_sequence<I...>) const {
    constexpr bool kHas = HasRule<O, T>::template of<Value<operand_type<O>(I, T), N>...>;
    constexpr bool kRounds = T == Type::f24 && HasRule<O, T, Rounding::nearest_even>::template of<Value<operand_type<O>(I, T), N>...>;
    if constexpr (kHas) {
      for (int at = 0; at < kInputs; at += N) {
        give(name, T, Rule<O>::template apply<T>(input<operand_type<O>(I, T)>(static_cast<int>(I), at)...));
        if constexpr (kRounds)
          give(name, T, Rule<O>::template apply<T, Rounding::nearest_even>(input<operand_type<O>(I, T)>(static_cast<int>(I), at)...), 1);
      }
    }
  }
  template <Op O, Type T>
  void run(const char* name) const {
    if constexpr (contains(info(O).types, T)) run<O, T>(name, std::make_index_sequence<info(O).operands.size()>{});
  }

  template <Op O, Type To, Type From>
  [[gnu::noinline]] void convert_one(const char* name) const {
    for (int at = 0; at < kInputs; at += N) give(name, To, Rule<O>::template apply<To, From>(input<From>(0, at)));
  }
  template <Op O, Type T, Type F>
  void convert(const char* name) const {
    if constexpr (contains(info(O).types, T) && contains(info(O).from, F)) {
      if constexpr (HasRule<O, T, F>::template of<Value<F, N>>) convert_one<O, T, F>(name);
    }
  }

#define EACH_TYPE(X) X(b1) X(i8) X(i16) X(i32) X(i64) X(f16) X(f24) X(f32) X(f64)
  template <Op O, Type T>
  void convert_to(const char* name) const {
#define X(F) convert<O, T, Type::F>(name);
    EACH_TYPE(X)
#undef X
  }
  template <Op O>
  void run_types(const char* name) const {
#define X(T) run<O, Type::T>(name);
    EACH_TYPE(X)
#undef X
    if constexpr (info(O).is_conversion()) {
#define X(T) convert_to<O, Type::T>(name);
      EACH_TYPE(X)
#undef X
    }
  }

  template <Type T>
  [[gnu::noinline]] void run_others() const {
    for (int at = 0; at < kInputs; at += N) {
      if constexpr (is_float(T)) {
        for (std::uint32_t set = 1; set < 32; set *= 2) give("fclass", T, fclass<T>(input<T>(0, at), set), set);
      } else if constexpr (T == Type::i16 || T == Type::i32) {
        for (std::uint32_t how = 0; how < 3; ++how)
          give("pack_i8", T, pack_i8<T>(input<T>(0, at), input<T>(1, at), input<T>(2, at), input<T>(3, at), static_cast<Pack>(how)), how);
        for (std::uint32_t how = 0; how < 2; ++how)
          give("unpack_i8", T, unpack_i8<T>(input<Type::i32>(0, at), static_cast<Unpack>(how)), how);
      }
      if constexpr (T != Type::b1) give("memory_bits", T, memory_bits<T>(input<T>(0, at)));
      if constexpr (T == Type::f16 || T == Type::f32)
        give("f_to_f toward zero", T, (Rule<Op::f_to_f>::apply<T, Type::f64, Rounding::toward_zero>(input<Type::f64>(0, at))));
      if constexpr (T == Type::f16)
        give("f_to_f toward zero", T, Rule<Op::f_to_f>::apply<T, Type::f32, Rounding::toward_zero>(input<Type::f32>(0, at)), 1);
    }
  }

  void all() const {
#define IR_OP(id, text, ...) run_types<Op::id>(text);
#include <unshade/ir/ops.def>
#define X(T) run_others<Type::T>();
    EACH_TYPE(X)
#undef X
  }
};
#undef EACH_TYPE

}  // namespace
}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
