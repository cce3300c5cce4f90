// Lanes that compute: a Vec<T, N> consists of parts as wide as a register of the instruction set that a file is compiled for, so that each
// operation is one instruction a part; if N is 1, or the compiler has no vectors, the parts are plain scalars. Included by lanes.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <unshade/ir/numeric/isa.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

/// Bytes of a register. 0: no vectors, each part is a scalar.
#if defined(__AVX512F__)
inline constexpr std::size_t kRegisterBytes = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t kRegisterBytes = 32;
#elif defined(__SSE2__) || defined(__wasm_simd128__) || (defined(__ARM_NEON) && defined(__GNUC__))
inline constexpr std::size_t kRegisterBytes = 16;
#else
inline constexpr std::size_t kRegisterBytes = 0;
#endif

namespace inner {

/// A constant index of a part. Not std::integral_constant: what the linker may take from another instruction set's file must not be used.
template <std::size_t I>
struct Index {
  UNSHADE_LANES constexpr operator std::size_t() const { return I; }
};

template <class T, std::size_t Lanes>
struct PartOf {
#if defined(__GNUC__)
  typedef T type __attribute__((vector_size(Lanes * sizeof(T))));
#endif
};
template <class T>
struct PartOf<T, 1> {
  using type = T;
};

// Lanes of a part of N lanes of T.
template <class T, int N>
inline constexpr std::size_t kPartLanes = kRegisterBytes == 0 || N * sizeof(T) < kRegisterBytes ? 1 : kRegisterBytes / sizeof(T);

}  // namespace inner

/// One value of each of N lanes. T: float, double, std::uint32_t, std::int32_t, std::uint64_t or std::int64_t.
template <class T, int N>
struct Vec {
  using Element = T;
  static constexpr int kLanes = N;
  static constexpr std::size_t kPartLanes = inner::kPartLanes<T, N>;
  static constexpr std::size_t kParts = N / kPartLanes;
  using Part = typename inner::PartOf<T, kPartLanes>::type;

  Part parts[kParts];

  Vec() = default;
  /// The same value in all lanes.
  UNSHADE_LANES Vec(T value) {
    if constexpr (kPartLanes == 1) {
      for (Part& part : parts) part = value;
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) UNSHADE_LAMBDA {
        const Part all = {(static_cast<void>(I), value)...};
        for (Part& part : parts) part = all;
      }(std::make_index_sequence<kPartLanes>{});
    }
  }
  UNSHADE_LANES static Vec load(const void* from) {
    Vec v;
    for (std::size_t i = 0; i < kParts; ++i) std::memcpy(&v.parts[i], static_cast<const char*>(from) + i * sizeof(Part), sizeof(Part));
    return v;
  }
  UNSHADE_LANES void store(void* to) const {
    for (std::size_t i = 0; i < kParts; ++i) std::memcpy(static_cast<char*>(to) + i * sizeof(Part), &parts[i], sizeof(Part));
  }
  UNSHADE_LANES T lane(int i) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(this) + static_cast<std::size_t>(i) * sizeof(T), sizeof value);
    return value;
  }
  UNSHADE_LANES void set_lane(int i, T value) {
    std::memcpy(reinterpret_cast<char*>(this) + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof value);
  }
};

namespace inner {

template <class R, class F, std::size_t... I, class... V>
UNSHADE_LANES R map_parts(F f, std::index_sequence<I...>, const V&... v) {
  R result;
  const auto one = [&](auto i) UNSHADE_LAMBDA { result.parts[i] = f(v.parts[i]...); };
  (one(Index<I>{}), ...);
  return result;
}
// R whose parts are f of the parts of v.
template <class R, class F, class... V>
UNSHADE_LANES R map(F f, const V&... v) {
  return map_parts<R>(f, std::make_index_sequence<R::kParts>{}, v...);
}
// R whose lanes are f of the lanes of v, one after the other.
template <class R, class F, class... V>
UNSHADE_LANES R each_lane(F f, const V&... v) {
  R result;
  for (int i = 0; i < R::kLanes; ++i) result.set_lane(i, f(v.lane(i)...));
  return result;
}

// A comparison of parts as the part of a mask.
template <class Mask, class Truth>
UNSHADE_LANES auto part_mask(Truth truth) {
  if constexpr (Mask::kPartLanes == 1) {
    return static_cast<typename Mask::Element>(truth ? ~typename Mask::Element{0} : 0);
  } else {
    return part_cast<typename Mask::Part>(truth);
  }
}

}  // namespace inner

/// The bits of v as lanes of another type of the same size.
template <class To, class From, int N>
UNSHADE_LANES Vec<To, N> bits_as(const Vec<From, N>& v) {
  return inner::map<Vec<To, N>>([](auto a) UNSHADE_LAMBDA { return inner::part_cast<typename Vec<To, N>::Part>(a); }, v);
}
// Operators, part by part. The second operand may be a scalar.
#define UNSHADE_BINARY(op, condition)                                                                                   \
  template <class T, int N>                                                                                             \
    requires condition                                                                                                  \
  UNSHADE_LANES Vec<T, N> operator op(const Vec<T, N>& a, const Vec<T, N>& b) {                                         \
    return inner::map<Vec<T, N>>([](auto x, auto y) UNSHADE_LAMBDA { return static_cast<decltype(x)>(x op y); }, a, b); \
  }                                                                                                                     \
  template <class T, int N>                                                                                             \
    requires condition                                                                                                  \
  UNSHADE_LANES Vec<T, N> operator op(const Vec<T, N>& a, std::type_identity_t<T> b) {                                  \
    return a op Vec<T, N>(b);                                                                                           \
  }
UNSHADE_BINARY(+, true)
UNSHADE_BINARY(-, true)
UNSHADE_BINARY(*, true)
UNSHADE_BINARY(/, std::is_floating_point_v<T>)
UNSHADE_BINARY(&, std::is_unsigned_v<T>)
UNSHADE_BINARY(|, std::is_unsigned_v<T>)
UNSHADE_BINARY(^, std::is_unsigned_v<T>)
UNSHADE_BINARY(<<, std::is_unsigned_v<T>)
UNSHADE_BINARY(>>, std::is_integral_v<T>)
#undef UNSHADE_BINARY

template <class T, int N>
  requires std::is_unsigned_v<T>
UNSHADE_LANES Vec<T, N> operator~(const Vec<T, N>& a) {
  return inner::map<Vec<T, N>>([](auto x) UNSHADE_LAMBDA { return static_cast<decltype(x)>(~x); }, a);
}
template <class T, int N>
  requires std::is_floating_point_v<T>
UNSHADE_LANES Vec<T, N> operator-(const Vec<T, N>& a) {
  return inner::map<Vec<T, N>>([](auto x) UNSHADE_LAMBDA { return -x; }, a);
}

// Comparisons give masks.
#define UNSHADE_COMPARISON(op)                                                                                   \
  template <class T, int N>                                                                                      \
  UNSHADE_LANES UnsignedOf<Vec<T, N>> operator op(const Vec<T, N>& a, const Vec<T, N>& b) {                      \
    using Mask = UnsignedOf<Vec<T, N>>;                                                                          \
    return inner::map<Mask>([](auto x, auto y) UNSHADE_LAMBDA { return inner::part_mask<Mask>(x op y); }, a, b); \
  }                                                                                                              \
  template <class T, int N>                                                                                      \
  UNSHADE_LANES UnsignedOf<Vec<T, N>> operator op(const Vec<T, N>& a, std::type_identity_t<T> b) {               \
    return a op Vec<T, N>(b);                                                                                    \
  }
UNSHADE_COMPARISON(==)
UNSHADE_COMPARISON(!=)
UNSHADE_COMPARISON(<)
UNSHADE_COMPARISON(<=)
UNSHADE_COMPARISON(>)
UNSHADE_COMPARISON(>=)
#undef UNSHADE_COMPARISON

/// Where v is NaN, the number.
template <class T, int N>
UNSHADE_LANES Vec<T, N> number_or(const Vec<T, N>& v, std::type_identity_t<T> number) {
  return inner::map<Vec<T, N>>([number](auto part) UNSHADE_LAMBDA { return inner::part_number_or(part, number); }, v);
}

/// In each lane the bits of yes or no.
template <class T, int N>
UNSHADE_LANES Vec<T, N> select(const UnsignedOf<Vec<T, N>>& mask, const Vec<T, N>& yes, const Vec<T, N>& no) {
  using Word = typename UnsignedOf<Vec<T, N>>::Element;
  return bits_as<T>((bits_as<Word>(yes) & mask) | (bits_as<Word>(no) & ~mask));
}
/// Whether a lane of the mask is true.
template <class T, int N>
  requires std::is_unsigned_v<T>
UNSHADE_LANES bool any(const Vec<T, N>& mask) {
  typename Vec<T, N>::Part joined = mask.parts[0];
  for (std::size_t i = 1; i < Vec<T, N>::kParts; ++i) joined |= mask.parts[i];
  T result = 0;
  for (std::size_t i = 0; i < Vec<T, N>::kPartLanes; ++i) {
    T lane;
    std::memcpy(&lane, reinterpret_cast<const char*>(&joined) + i * sizeof(T), sizeof lane);
    result |= lane;
  }
  return result != 0;
}

namespace inner {

/// The function F of lanes, one after the other.
template <class R, class F, class... V>
UNSHADE_LANES R out_of_line(F f, const V&... v) {
  return each_lane<R>(f, v...);
}
/// In the lanes of the mask, which is rarely true in any, `first` and `second` become the members of what F gives.
template <class Mask, class A, class B, class F, class... V>
UNSHADE_LANES void out_of_line_where(const Mask& mask, A& first, B& second, F f, const V&... v) {
  if (!any(mask)) return;
  for (int i = 0; i < Mask::kLanes; ++i) {
    if (mask.lane(i) == 0) continue;
    const auto [one, other] = f(v.lane(i)...);
    first.set_lane(i, one);
    second.set_lane(i, other);
  }
}

}  // namespace inner

namespace inner {

#if defined(__GNUC__)
template <std::size_t First, std::size_t... I, class Part>
UNSHADE_LANES auto part_slice(Part part, std::index_sequence<I...>) {
  return __builtin_shufflevector(part, part, (First + I)...);
}
template <std::size_t... I, class Part>
UNSHADE_LANES auto part_join(Part low, Part high, std::index_sequence<I...>) {
  return __builtin_shufflevector(low, high, I...);
}
#endif

template <class To, std::size_t Lanes, class Part>
UNSHADE_LANES auto part_convert(Part part) {
#if defined(__GNUC__)
  if constexpr (Lanes > 1) {
    return __builtin_convertvector(part, typename PartOf<To, Lanes>::type);
  } else {
    return static_cast<To>(part);
  }
#else
  return static_cast<To>(part);
#endif
}

}  // namespace inner

/// Values of lanes as another type: as static_cast does, rounding to nearest even. A float's integral part must be in range.
template <class To, class From, int N>
UNSHADE_LANES Vec<To, N> convert(const Vec<From, N>& v) {
  using Target = Vec<To, N>;
  using Source = Vec<From, N>;
  Target result;
  if constexpr (Target::kPartLanes == Source::kPartLanes) {
    result = inner::map<Target>([](auto a) UNSHADE_LAMBDA { return inner::part_convert<To, Target::kPartLanes>(a); }, v);
  } else if constexpr (Target::kPartLanes == 1 || Source::kPartLanes == 1) {
    result = inner::each_lane<Target>([](From a) UNSHADE_LAMBDA { return static_cast<To>(a); }, v);
  } else if constexpr (Target::kPartLanes < Source::kPartLanes) {
    constexpr std::size_t kLanes = Target::kPartLanes;
    const auto one = [&](auto i) UNSHADE_LAMBDA {
      constexpr auto kLanesOf = std::make_index_sequence<kLanes>{};
      result.parts[2 * i] = inner::part_convert<To, kLanes>(inner::part_slice<0>(v.parts[i], kLanesOf));
      result.parts[2 * i + 1] = inner::part_convert<To, kLanes>(inner::part_slice<kLanes>(v.parts[i], kLanesOf));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>)
        UNSHADE_LAMBDA { (one(inner::Index<I>{}), ...); }(std::make_index_sequence<Source::kParts>{});
  } else {
    constexpr std::size_t kLanes = Source::kPartLanes;
    const auto one = [&](auto i) UNSHADE_LAMBDA {
      result.parts[i] = inner::part_join(inner::part_convert<To, kLanes>(v.parts[2 * i]),
                                         inner::part_convert<To, kLanes>(v.parts[2 * i + 1]), std::make_index_sequence<2 * kLanes>{});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>)
        UNSHADE_LAMBDA { (one(inner::Index<I>{}), ...); }(std::make_index_sequence<Target::kParts>{});
  }
  return result;
}

namespace inner {

template <class Part>
UNSHADE_LANES Part part_sqrt(Part a) {
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (std::is_same_v<Part, float>) {
    return __builtin_sqrtf(a);
  } else if constexpr (std::is_same_v<Part, double>) {
    return __builtin_sqrt(a);
#if defined(__AVX512F__)
  } else if constexpr (std::is_same_v<Part, PartOf<float, 16>::type>) {
    return __builtin_ia32_sqrtps512_mask(a, a, static_cast<short>(-1), 4);
  } else if constexpr (std::is_same_v<Part, PartOf<double, 8>::type>) {
    return __builtin_ia32_sqrtpd512_mask(a, a, static_cast<char>(-1), 4);
#elif defined(__AVX2__)
  } else if constexpr (std::is_same_v<Part, PartOf<float, 8>::type>) {
    return __builtin_ia32_sqrtps256(a);
  } else if constexpr (std::is_same_v<Part, PartOf<double, 4>::type>) {
    return __builtin_ia32_sqrtpd256(a);
#elif defined(__SSE2__)
  } else if constexpr (std::is_same_v<Part, PartOf<float, 4>::type>) {
    return __builtin_ia32_sqrtps(a);
  } else if constexpr (std::is_same_v<Part, PartOf<double, 2>::type>) {
    return __builtin_ia32_sqrtpd(a);
#elif defined(__aarch64__)
  } else if constexpr (std::is_same_v<Part, PartOf<float, 4>::type>) {
    return __builtin_aarch64_sqrtv4sf(a);
  } else if constexpr (std::is_same_v<Part, PartOf<double, 2>::type>) {
    return __builtin_aarch64_sqrtv2df(a);
#endif
  } else {
    for (std::size_t i = 0; i < sizeof(Part) / sizeof(a[0]); ++i) a[i] = part_sqrt(a[i]);
    return a;
  }
#elif defined(__clang__)
  return __builtin_elementwise_sqrt(a);
#else
  return std::sqrt(a);
#endif
}

}  // namespace inner

template <class T, int N>
UNSHADE_LANES Vec<T, N> square_root(const Vec<T, N>& v) {
  return inner::map<Vec<T, N>>([](auto a) UNSHADE_LAMBDA { return inner::part_sqrt(a); }, v);
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric
