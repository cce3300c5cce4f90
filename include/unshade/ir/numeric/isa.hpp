// What lanes of all kinds share: the namespace of the instruction set that a file is compiled for, and the names of types of lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__FAST_MATH__)
#error "the numeric rules must be compiled without -ffast-math"
#endif

// One namespace for each instruction set: a program may have the templates of several, and the linker must not take one for another. For
// the same reason files compiled for more than the least instruction set must not use inline functions of other headers, the standard
// library's among them.
#if defined(UNSHADE_FLUSH_DENORMALS)  // see round.hpp
#define UNSHADE_ISA_NAME(isa) flushing_##isa
#else
#define UNSHADE_ISA_NAME(isa) isa
#endif
#if defined(UNSHADE_RECORDED)  // see recorded_lanes.hpp
#define UNSHADE_ISA UNSHADE_ISA_NAME(recorded)
#elif defined(__AVX512F__)
#define UNSHADE_ISA UNSHADE_ISA_NAME(avx512)
#elif defined(__AVX2__)
#define UNSHADE_ISA UNSHADE_ISA_NAME(avx2)
#elif defined(__SSE2__)
#define UNSHADE_ISA UNSHADE_ISA_NAME(sse2)
#elif defined(__wasm_simd128__)
#define UNSHADE_ISA UNSHADE_ISA_NAME(wasm128)
#else
#define UNSHADE_ISA UNSHADE_ISA_NAME(portable)
#endif

// Each of these functions is a few instructions, and a kernel is one function. Without optimisation, and where they are recorded, they are
// calls, which takes less to compile.
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(UNSHADE_RECORDED)
#define UNSHADE_LANES inline __attribute__((always_inline))
#define UNSHADE_LAMBDA __attribute__((always_inline))
#else
#define UNSHADE_LANES inline
#define UNSHADE_LAMBDA
#endif

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

template <class T, int N>
struct Vec;

namespace inner {

template <std::size_t Bytes>
struct IntegersOf {
  using Unsigned = std::uint32_t;
  using Signed = std::int32_t;
};
template <>
struct IntegersOf<8> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};

template <class To, class From>
UNSHADE_LANES To part_cast(From part) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &part, sizeof to);
  return to;
}

/// Where v is NaN, the number: a comparison and a blend, of a part or a vector of any other number of lanes.
template <class Number, class Part>
UNSHADE_LANES Part part_number_or(Part v, Number number) {
  if constexpr (std::is_same_v<Part, Number>) {
    return v != v ? number : v;
  } else {
    Part all;
    for (std::size_t i = 0; i < sizeof(Part) / sizeof(Number); ++i) all[i] = number;
    return v != v ? all : v;
  }
}

}  // namespace inner

template <int N>
using F32 = Vec<float, N>;
template <int N>
using F64 = Vec<double, N>;
template <int N>
using U32 = Vec<std::uint32_t, N>;
template <int N>
using U64 = Vec<std::uint64_t, N>;
template <int N>
using S32 = Vec<std::int32_t, N>;
template <int N>
using S64 = Vec<std::int64_t, N>;

/// Integers as wide as the element of V. Masks are these, unsigned: 0 or all ones in each lane.
template <class V>
using UnsignedOf = Vec<typename inner::IntegersOf<sizeof(typename V::Element)>::Unsigned, V::kLanes>;
template <class V>
using SignedOf = Vec<typename inner::IntegersOf<sizeof(typename V::Element)>::Signed, V::kLanes>;

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
