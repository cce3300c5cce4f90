// Which NaN a result is. What computes a number gives one NaN, the canonical one, whatever NaN its operands are: processors differ in its
// sign, and in whose payload survives. What moves a number keeps the bits of its NaN. docs/internals/numeric.md, "NaN".
#pragma once

#include <cstdint>
#include <type_traits>

#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/value.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

/// The canonical NaN: quiet, positive, payload 0. In lanes f16 and f24 have that of float, which is 0x7e00 and 0x7f8000 in memory.
template <class Number>
inline constexpr typename inner::IntegersOf<sizeof(Number)>::Unsigned kCanonicalNan =
    sizeof(Number) == 8 ? static_cast<typename inner::IntegersOf<sizeof(Number)>::Unsigned>(0x7ff8'0000'0000'0000) : 0x7fc0'0000;

namespace inner {

/// Of a part, or of a vector of any other number of lanes.
template <class Number, class Part>
UNSHADE_LANES Part part_canonical(Part v) {
  return part_number_or(v, part_cast<Number>(kCanonicalNan<Number>));
}

}  // namespace inner

/// What a computed number is as a result; integers are what they are.
template <class T, int N>
UNSHADE_LANES Vec<T, N> canonical(const Vec<T, N>& v) {
  if constexpr (std::is_floating_point_v<T>) {
    return number_or(v, inner::part_cast<T>(kCanonicalNan<T>));
  } else {
    return v;
  }
}
template <class A, class B>
UNSHADE_LANES Two<A, B> canonical(const Two<A, B>& v) {
  return {canonical(v.first), canonical(v.second)};
}
template <class A>
UNSHADE_LANES Four<A> canonical(const Four<A>& v) {
  return {{canonical(v.values[0]), canonical(v.values[1]), canonical(v.values[2]), canonical(v.values[3])}};
}

/// Of code that has no lanes: a computed number as a result, and its bits. For where it is stored, not for what is computed with further.
inline float canonical(float v) { return inner::part_canonical<float>(v); }
inline double canonical(double v) { return inner::part_canonical<double>(v); }
inline std::uint32_t canonical_bits(float v) { return inner::part_cast<std::uint32_t>(canonical(v)); }
inline std::uint64_t canonical_bits(double v) { return inner::part_cast<std::uint64_t>(canonical(v)); }

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
