// Rows for the instruction set that a file is compiled for. Included by rows_*.cpp, which define UNSHADE_ROWS, the name of the table.
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

#include <unshade/ir/numeric/lanes.hpp>

#include "vm/row_functions.hpp"

namespace unshade::vm {
namespace {

using ir::numeric::select;

template <int N>
using Words = ir::numeric::U32<N>;

template <int N>
inline constexpr std::uint32_t kAllLanes = (std::uint32_t{1} << N) - 1;

constexpr std::uint32_t kNumbers[kChunk] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::uint32_t kBits[kChunk] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

// Bits of a mask as lanes of all ones.
template <int N>
UNSHADE_LANES Words<N> lanes_of(std::uint32_t bits) {
  const Words<N> own = Words<N>::load(kBits);
  return (own & bits) == own;
}

// The lanes whose highest bit is set, as bits of a mask.
template <int N>
UNSHADE_LANES std::uint32_t bits_of(const Words<N>& words) {
#if defined(__AVX512F__)
  if constexpr (N == 16) return _mm512_movepi32_mask(reinterpret_cast<__m512i>(words.parts[0]));
#elif defined(__AVX2__)
  if constexpr (N == 16)
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(words.parts[0])) |
                                      _mm256_movemask_ps(reinterpret_cast<__m256>(words.parts[1])) << 8);
#elif defined(__SSE2__)
  std::uint32_t made = 0;
  for (std::size_t at = 0; at < words.kParts; ++at)
    made |= static_cast<std::uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(words.parts[at]))) << (4 * at);
  return made;
#elif defined(__AARCH64EL__)
  constexpr std::int32_t kSteps[] = {0, 1, 2, 3};
  std::uint32_t made = 0;
  for (std::size_t at = 0; at < words.kParts; ++at) {
    uint32x4_t four;
    std::memcpy(&four, &words.parts[at], sizeof four);
    made |= vaddvq_u32(vshlq_u32(vshrq_n_u32(four, 31), vld1q_s32(kSteps))) << (4 * at);
  }
  return made;
#endif
  std::uint32_t bits = 0;
  for (int lane = 0; lane < N; ++lane) bits |= words.lane(lane) >> 31 << lane;
  return bits;
}

// Puts words into those lanes of a row that a mask has.
template <int N>
UNSHADE_LANES void put(std::byte* row, const Words<N>& words, std::uint32_t bits) {
  (bits == kAllLanes<N> ? words : select(lanes_of<N>(bits), words, Words<N>::load(row))).store(row);
}

// Where the lanes of a chunk are, and which of them are inside.
template <int N>
struct ChunkPlaces {
  Words<N> at;
  std::uint32_t inside;
};
template <int N>
UNSHADE_LANES ChunkPlaces<N> places_of(const Places& places, const SlotRows& slots, unsigned lane, std::uint32_t running) {
  Words<N> at(places.base + places.lane_step * lane), within(~0U);
  if (places.lane_step != 0) at = at + Words<N>::load(kNumbers) * places.lane_step;
  for (unsigned k = 0; k < places.count; ++k) {
    const PlaceTerm& term = places.terms[k];
    Words<N> number = Words<N>::load(slots.row(term.slot) + std::size_t{4} * lane);
    if (term.plus != PlaceTerm::kNothing) number = number + Words<N>::load(slots.row(term.plus) + std::size_t{4} * lane);
    if (term.last != ~0U) within = within & (number <= term.last);
    if (term.low != 0) within = within & ((number & term.low) == 0U);
    at = at + (term.scale == 1 ? number : number * term.scale);
  }
  within = within & (at <= places.limit);
  const std::uint32_t inside = bits_of(within) & running;
  return {at & within, inside};
}

// Lanes of a chunk that lie one behind the other: a whole part of half as many words is one access.
template <int N>
inline constexpr int kHalf = N / 2;
template <int N>
UNSHADE_LANES bool are_halves_in_a_row(const Words<N>& at) {
  constexpr std::uint32_t kSecond[kChunk] = {0, 0, 0, 0, 0, 0, 0, 0, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U};
  if constexpr (N == kChunk) {
    const std::uint32_t first = at.lane(0), second = at.lane(kHalf<N>) - 4 * kHalf<N>;
    return bits_of((Words<N>::load(kNumbers) * 4U + first + (Words<N>::load(kSecond) & (second - first))) == at) == kAllLanes<N>;
  } else {
    return false;
  }
}

// The word of each lane that runs; others may get anything.
template <int N>
UNSHADE_LANES Words<N> gathered(const std::byte* memory, const Words<N>& at, std::uint32_t bits) {
  std::uint32_t words[N];
  std::uint32_t places[N];
  at.store(places);
  if (bits == kAllLanes<N>) {
    for (int k = 0; k < N; ++k) std::memcpy(&words[k], memory + places[k], 4);
  } else {
    for (int k = 0; k < N; ++k) words[k] = 0;
    for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      const int k = __builtin_ctz(rest);
      std::memcpy(&words[k], memory + places[k], 4);
    }
  }
  return Words<N>::load(words);
}

template <int N, class Each>
UNSHADE_LANES void for_each_chunk(const LaneBits& exec, unsigned width, Each each) {
  for (unsigned lane = 0; lane < width; lane += N)
    if (const auto bits = static_cast<std::uint32_t>(exec[lane / 64] >> (lane % 64)) & kAllLanes<N>; bits != 0) each(lane, bits);
}
// Calls each(first lane, lanes that run, places) with chunks, and notes which lanes are outside.
template <int N, class Each>
UNSHADE_LANES void for_each_places(const Places& places, const SlotRows& slots, const LaneBits& exec, unsigned width, LaneBits& outside,
                                   Each each) {
  for_each_chunk<N>(exec, width, [&](unsigned lane, std::uint32_t bits) UNSHADE_LAMBDA {
    const ChunkPlaces<N> chunk = places_of<N>(places, slots, lane, bits);
    outside[lane / 64] |= std::uint64_t{bits & ~chunk.inside} << (lane % 64);
    each(lane, chunk);
  });
}

template <int N>
void find_places(const Places& places, const SlotRows& slots, const LaneBits& exec, unsigned width, std::uint32_t* to, LaneBits& outside) {
  for_each_places<N>(places, slots, exec, width, outside, [&](unsigned lane, const ChunkPlaces<N>& chunk) UNSHADE_LAMBDA {
    (chunk.at & lanes_of<N>(chunk.inside)).store(to + lane);
  });
}

template <int N>
void load(const Places& places, const SlotRows& slots, const std::byte* memory, const LaneBits& exec, unsigned width, unsigned words,
          unsigned to, LaneBits& outside) {
  for_each_places<N>(places, slots, exec, width, outside, [&](unsigned lane, const ChunkPlaces<N>& chunk) UNSHADE_LAMBDA {
    if (chunk.inside == 0) return;
    std::byte* row = slots.row(to) + std::size_t{4} * lane;
    if (words == 1 && chunk.inside == kAllLanes<N> && are_halves_in_a_row(chunk.at)) {
      std::memcpy(row, memory + chunk.at.lane(0), 4 * kHalf<N>);
      std::memcpy(row + 4 * kHalf<N>, memory + chunk.at.lane(kHalf<N>), 4 * kHalf<N>);
      return;
    }
    for (unsigned word = 0; word < words; ++word, row += slots.bytes)
      put(row, gathered(memory + std::size_t{4} * word, chunk.at, chunk.inside), chunk.inside);
  });
}

template <int N>
void store(const Places& places, const SlotRows& slots, std::byte* memory, const LaneBits& exec, unsigned width, unsigned from,
           LaneBits& outside) {
  for_each_places<N>(places, slots, exec, width, outside, [&](unsigned lane, const ChunkPlaces<N>& chunk) UNSHADE_LAMBDA {
    const std::byte* const row = slots.row(from) + std::size_t{4} * lane;
    if (chunk.inside == kAllLanes<N> && are_halves_in_a_row(chunk.at)) {
      std::memcpy(memory + chunk.at.lane(0), row, 4 * kHalf<N>);
      std::memcpy(memory + chunk.at.lane(kHalf<N>), row + 4 * kHalf<N>, 4 * kHalf<N>);
      return;
    }
    std::uint32_t at[N];
    chunk.at.store(at);
    for (std::uint32_t rest = chunk.inside; rest != 0; rest &= rest - 1) {
      const auto one = static_cast<unsigned>(__builtin_ctz(rest));
      std::memcpy(memory + at[one], row + std::size_t{4} * one, 4);
    }
  });
}

template <int N>
void followed(const std::uint32_t* places, std::uint32_t step, unsigned width, LaneBits& to) {
  to[0] = to[1] = 0;
  for (unsigned lane = 0; lane < width; lane += N)
    to[lane / 64] |= std::uint64_t{bits_of(Words<N>::load(places + lane) + step == Words<N>::load(places + lane + 1))} << (lane % 64);
}

template <int N>
void copy_row(std::byte* to, const std::byte* from, const LaneBits& lanes, unsigned width) {
  for_each_chunk<N>(lanes, width, [&](unsigned lane, std::uint32_t bits) UNSHADE_LAMBDA {
    put(to + std::size_t{4} * lane, Words<N>::load(from + std::size_t{4} * lane), bits);
  });
}

// Bits of a mask, each of them twice: lanes of 8 bytes are two words.
UNSHADE_LANES std::uint32_t twice(std::uint32_t bits) {
  bits = (bits | bits << 4) & 0x0f0f;
  bits = (bits | bits << 2) & 0x3333;
  bits = (bits | bits << 1) & 0x5555;
  return bits | bits << 1;
}

template <int N>
void copy(const SlotRows& slots, const Copy* copies, unsigned count, const LaneBits& lanes, unsigned width) {
  for (const Copy *one = copies, *const end = copies + count; one != end; ++one) {
    std::byte* const to = slots.row(one->to);
    const std::byte* const from = slots.row(one->from);
    if (!one->wide) {
      copy_row<N>(to, from, lanes, width);
      continue;
    }
    for_each_chunk<kHalf<N>>(lanes, width, [&](unsigned lane, std::uint32_t bits) UNSHADE_LAMBDA {
      put(to + std::size_t{8} * lane, Words<N>::load(from + std::size_t{8} * lane), twice(bits));
    });
  }
}

template <int N>
void negative(const std::byte* row, unsigned width, LaneBits& to) {
  to[0] = to[1] = 0;
  for (unsigned lane = 0; lane < width; lane += N)
    to[lane / 64] |= std::uint64_t{bits_of(Words<N>::load(row + std::size_t{4} * lane))} << (lane % 64);
}

// A function for chunks of kChunk lanes, or of kNarrow in waves of so many.
constexpr int kWideLanes = kChunk, kNarrowLanes = kNarrow;

void find_places(const Places& places, const SlotRows& slots, const LaneBits& exec, unsigned width, std::uint32_t* to, LaneBits& outside) {
  (width == kNarrow ? find_places<kNarrowLanes> : find_places<kWideLanes>)(places, slots, exec, width, to, outside);
}
void load(const Places& places, const SlotRows& slots, const std::byte* memory, const LaneBits& exec, unsigned width, unsigned words,
          unsigned to, LaneBits& outside) {
  (width == kNarrow ? load<kNarrowLanes> : load<kWideLanes>)(places, slots, memory, exec, width, words, to, outside);
}
void store(const Places& places, const SlotRows& slots, std::byte* memory, const LaneBits& exec, unsigned width, unsigned from,
           LaneBits& outside) {
  (width == kNarrow ? store<kNarrowLanes> : store<kWideLanes>)(places, slots, memory, exec, width, from, outside);
}
void followed(const std::uint32_t* places, std::uint32_t step, unsigned width, LaneBits& to) {
  (width == kNarrow ? followed<kNarrowLanes> : followed<kWideLanes>)(places, step, width, to);
}
void copy(const SlotRows& slots, const Copy* copies, unsigned count, const LaneBits& lanes, unsigned width) {
  (width == kNarrow ? copy<kNarrowLanes> : copy<kWideLanes>)(slots, copies, count, lanes, width);
}
void copy_row(std::byte* to, const std::byte* from, const LaneBits& lanes, unsigned width) {
  (width == kNarrow ? copy_row<kNarrowLanes> : copy_row<kWideLanes>)(to, from, lanes, width);
}
void negative(const std::byte* row, unsigned width, LaneBits& to) {
  (width == kNarrow ? negative<kNarrowLanes> : negative<kWideLanes>)(row, width, to);
}

}  // namespace

extern const RowFunctions UNSHADE_ROWS;
const RowFunctions UNSHADE_ROWS = {find_places, load, store, followed, copy, copy_row, negative};

}  // namespace unshade::vm
