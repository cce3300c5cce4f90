// Rows: a value of all lanes of a wave, one lane behind the other, in slots and in private memory. They are read and written by lanes that
// run alone, some lanes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <unshade/ir/numeric/lanes.hpp>

#include "vm/code.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// A chunk of N lanes.
template <int N>
using Words = ir::numeric::U32<N>;

namespace inner {

/// All ones in the lanes whose bit is set.
struct FourLanes {
  std::uint32_t of[16][4];
};
constexpr FourLanes four_lanes() {
  FourLanes made{};
  for (unsigned bits = 0; bits < 16; ++bits)
    for (unsigned lane = 0; lane < 4; ++lane) made.of[bits][lane] = (bits >> lane & 1) != 0 ? ~0U : 0;
  return made;
}
inline constexpr FourLanes kFourLanes = four_lanes();

}  // namespace inner

/// Bits of a mask as lanes of all ones, N lanes from the lowest bit on.
template <int N>
Words<N> lanes_of(std::uint64_t bits) {
  std::uint32_t made[N];
  for (int lane = 0; lane < N; lane += 4) std::memcpy(made + lane, inner::kFourLanes.of[bits >> lane & 15], 16);
  return Words<N>::load(made);
}

/// Calls `each(first lane, bits)` with each chunk of N lanes of which some run: the lowest bit is that of the first lane.
template <int N, class Each>
void for_each_chunk(const LaneMask& exec, unsigned width, Each each) {
  constexpr std::uint64_t kAll = (std::uint64_t{1} << N) - 1;
  for (unsigned lane = 0; lane < width; lane += N)
    if (const std::uint64_t bits = exec.words[lane / 64] >> (lane % 64) & kAll; bits != 0) each(lane, bits);
}

/// Calls `visit` with each lane of a chunk that runs.
template <class Visit>
void for_each_lane_of(unsigned first, std::uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(first + static_cast<unsigned>(__builtin_ctzll(bits)));
}

/// Puts words into those lanes of a chunk of a row that run.
template <int N>
void put_words(std::byte* row, const Words<N>& words, std::uint64_t bits) {
  constexpr std::uint64_t kAll = (std::uint64_t{1} << N) - 1;
  (bits == kAll ? words : select(lanes_of<N>(bits), words, Words<N>::load(row))).store(row);
}

/// Copies a row of values of 4 or 8 bytes in the lanes of a mask.
inline void copy_lanes(std::byte* to, const std::byte* from, bool wide, const LaneMask& exec, unsigned width) {
  for_each_chunk<4>(exec, width, [&](unsigned lane, std::uint64_t bits) {
    if (!wide) return put_words(to + std::size_t{4} * lane, Words<4>::load(from + std::size_t{4} * lane), bits);
    for (unsigned half = 0; half < 2; ++half) {
      // each lane is two words
      const std::uint64_t two = bits >> (2 * half);
      const std::size_t at = std::size_t{8} * lane + 16 * half;
      put_words(to + at, Words<4>::load(from + at), (two & 1) * 3 | (two & 2) * 6);
    }
  });
}

}  // namespace unshade::vm
