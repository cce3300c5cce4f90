// Kernels over lanes, made of the numeric rules for the instruction set that a file is compiled for. Included by kernels_*.cpp, which
// define UNSHADE_KERNELS, the name of the table, and may define UNSHADE_KERNEL_LANES: of waves that take one step.
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "vm/kernel_rules.inl"

namespace unshade::vm {
namespace {

#ifdef UNSHADE_KERNEL_LANES
constexpr unsigned kStepLanes = UNSHADE_KERNEL_LANES;
#else
constexpr unsigned kStepLanes = kChunk;
#endif

template <Type T>
using Lanes = numeric::Value<T, static_cast<int>(kStepLanes)>;
template <Op O, Type T, Type F, std::size_t I>
using Operand = Lanes<operand_type<O, T, F>(I)>;

template <class V>
UNSHADE_LANES V read(const std::byte* slots, unsigned slot, unsigned chunks, unsigned chunk) {
  return V::load(slots + (static_cast<std::size_t>(slot) * chunks) * (kStepLanes * 4) + chunk * sizeof(V));
}
template <class V>
UNSHADE_LANES void write(std::byte* slots, unsigned slot, unsigned chunks, unsigned chunk, const V& value) {
  value.store(slots + (static_cast<std::size_t>(slot) * chunks) * (kStepLanes * 4) + chunk * sizeof(V));
}

// A sum whose NaN is not yet that of a result: it is NaN in all sums that follow, until one is written.
template <Op O, auto... P, class V>
UNSHADE_LANES V add_up(Parameters<P...>, const V& a, const V& b, const V& sum) {
  return numeric::Rule<O>::template unfinished<P...>(a, b, sum);
}

template <class V>
inline constexpr unsigned kSlotsOf = sizeof(typename V::Element) / 4;

template <class V>
UNSHADE_LANES void put(std::byte* slots, const Code& code, unsigned chunks, unsigned chunk, const V& value) {
  write(slots, code.d, chunks, chunk, value);
}
template <class A, class B>
UNSHADE_LANES void put(std::byte* slots, const Code& code, unsigned chunks, unsigned chunk, const numeric::Two<A, B>& value) {
  write(slots, code.d, chunks, chunk, value.first);
  write(slots, code.d + kSlotsOf<A>, chunks, chunk, value.second);
}
template <class A>
UNSHADE_LANES void put(std::byte* slots, const Code& code, unsigned chunks, unsigned chunk, const numeric::Four<A>& value) {
  for (unsigned k = 0; k < 4; ++k) write(slots, code.d + k * kSlotsOf<A>, chunks, chunk, value.values[k]);
}

// Operands beyond the third stand in `more` and, of dot2_add, behind it: their slots follow each other.
UNSHADE_LANES unsigned operand_slot(const Code& code, std::size_t at) {
  switch (at) {
    case 0: return code.a;
    case 1: return code.b;
    case 2: return code.c;
    case 3: return code.more;
    default: return code.extra;
  }
}

/// Operations that take less than it takes to find their operands: waves of 32 lanes, which are what is usual, have loops of their own.
template <Op O, Type T>
inline constexpr bool is_short = (T == Type::f32 && (O == Op::fadd || O == Op::fsub || O == Op::fmul || O == Op::fmin || O == Op::fmax ||
                                                     O == Op::fmad || O == Op::select || O == Op::flt || O == Op::fle)) ||
                                 (T == Type::i32 && (O == Op::iadd || O == Op::select || O == Op::iand || O == Op::ior));

template <Op O, Type T, Type F, bool Z, std::size_t... I>
void run_kernel(const Code* code, unsigned count, std::byte* slots, unsigned chunks, std::index_sequence<I...>) {
  if constexpr (kStepLanes < kChunk) {
    chunks = 1;
  } else if constexpr (is_short<O, T>) {
    if (chunks == 2) {
      for (const Code* const end = code + count; code != end; ++code) {
        const Code one = *code;
        put(slots, one, 2, 0,
            apply<O>(ParametersOf<O, T, F, Z>(), one.extra, read<Operand<O, T, F, I>>(slots, operand_slot(one, I), 2, 0)...));
        put(slots, one, 2, 1,
            apply<O>(ParametersOf<O, T, F, Z>(), one.extra, read<Operand<O, T, F, I>>(slots, operand_slot(one, I), 2, 1)...));
      }
      return;
    }
  }
  for (const Code* const end = code + count; code != end; ++code) {
    const Code one = *code;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      put(slots, one, chunks, chunk,
          apply<O>(ParametersOf<O, T, F, Z>(), one.extra, read<Operand<O, T, F, I>>(slots, operand_slot(one, I), chunks, chunk)...));
    }
  }
}

// Sums stay in a register from one instruction to the next.
template <Op O, Type T, Type F, bool Z>
void run_sums(const Code* code, unsigned count, std::byte* slots, unsigned chunks) {
  using V = Lanes<T>;
  if constexpr (kStepLanes < kChunk) {
    chunks = 1;
  } else if constexpr (is_short<O, T>) {
    if (chunks == 2) {
      V low(0), high(0);
      for (const Code *at = code, *const end = code + count; at != end; ++at) {
        const Code one = *at;
        if ((one.more & kFromLast) == 0) {
          low = read<V>(slots, one.c, 2, 0);
          high = read<V>(slots, one.c, 2, 1);
        }
        low = add_up<O>(ParametersOf<O, T, F, Z>(), read<V>(slots, one.a, 2, 0), read<V>(slots, one.b, 2, 0), low);
        high = add_up<O>(ParametersOf<O, T, F, Z>(), read<V>(slots, one.a, 2, 1), read<V>(slots, one.b, 2, 1), high);
        if ((one.more & kDropped) != 0) continue;
        put(slots, one, 2, 0, numeric::result_of<O>(low));
        put(slots, one, 2, 1, numeric::result_of<O>(high));
      }
      return;
    }
  }
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    V sum(0);
    for (const Code *at = code, *const end = code + count; at != end; ++at) {
      const Code one = *at;
      if ((one.more & kFromLast) == 0) sum = read<V>(slots, one.c, chunks, chunk);
      sum = add_up<O>(ParametersOf<O, T, F, Z>(), read<V>(slots, one.a, chunks, chunk), read<V>(slots, one.b, chunks, chunk), sum);
      if ((one.more & kDropped) == 0) put(slots, one, chunks, chunk, numeric::result_of<O>(sum));
    }
  }
}

template <Op O, Type T, Type F, bool Z>
void run_all(const Code* code, unsigned count, std::byte* slots, unsigned chunks) {
  if constexpr (adds_up(O)) {
    run_sums<O, T, F, Z>(code, count, slots, chunks);
  } else {
    run_kernel<O, T, F, Z>(code, count, slots, chunks, std::make_index_sequence<ir::info(O).operands.size()>{});
  }
}

template <Op O, Type T, Type F, bool Z>
void kernel(const Code* code, unsigned count, std::byte* slots, unsigned chunks) {
#if defined(__SSE2__) && defined(__GNUC__)
  // f64 keeps its denormals if f32 does not.
  if constexpr (keeps_denormals<O, T>) {
    const unsigned before = __builtin_ia32_stmxcsr();
    if ((before & FlushMode::kBits) != 0) {
      __builtin_ia32_ldmxcsr(before & ~FlushMode::kBits);
      run_all<O, T, F, Z>(code, count, slots, chunks);
      __builtin_ia32_ldmxcsr(before);
      return;
    }
  }
#endif
  run_all<O, T, F, Z>(code, count, slots, chunks);
}

template <Pair P>
UNSHADE_LANES void pair_step(const Code& code, std::byte* slots, unsigned chunks, unsigned chunk) {
  using V = Lanes<Type::f32>;
  const V between = first_of_pair<P>(read<V>(slots, code.a, chunks, chunk), read<V>(slots, code.b, chunks, chunk));
  const V other = read<V>(slots, code.c, chunks, chunk);
  put(slots, code, chunks, chunk, second_of_pair<P>(between, other));
}

template <Pair P>
void pair_kernel(const Code* code, unsigned count, std::byte* slots, unsigned chunks) {
  if constexpr (kStepLanes < kChunk) chunks = 1;
  const Code* const end = code + count;
  if (chunks == 2) {
    for (; code != end; ++code) {
      const Code one = *code;
      pair_step<P>(one, slots, 2, 0);
      pair_step<P>(one, slots, 2, 1);
    }
    return;
  }
  for (; code != end; ++code) {
    const Code one = *code;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) pair_step<P>(one, slots, chunks, chunk);
  }
}

template <std::size_t Row>
constexpr Kernel row_kernel() {
  if constexpr (Row >= kKernelRows.size()) {
    return &pair_kernel<kPairs[Row - kKernelRows.size()]>;
  } else if constexpr (constexpr KernelRow row = kKernelRows[Row]; has_kernel<row.op, row.type, row.from, row.other_rounding>()) {
    return &kernel<row.op, row.type, row.from, row.other_rounding>;
  } else {
    return nullptr;
  }
}

template <std::size_t... Row>
constexpr std::array<Kernel, sizeof...(Row)> all_kernels(std::index_sequence<Row...>) {
  return {row_kernel<Row>()...};
}

constexpr auto kKernels = all_kernels(std::make_index_sequence<kKernelCount>{});

}  // namespace

extern const Kernel* const UNSHADE_KERNELS;
const Kernel* const UNSHADE_KERNELS = kKernels.data();

}  // namespace unshade::vm
