// Where the lanes of a wave access memory: a chunk of lanes at a time. An access of which one lane is out of bounds, or of which lanes have
// several resources, is done a lane at a time by those who call this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "vm/access.hpp"
#include "vm/memory/rows.hpp"
#include "vm/memory/stores.hpp"

namespace unshade::vm {

/// Bytes of memory whose offsets are rows of 32 bits.
inline constexpr std::uint64_t kMostInRows = std::numeric_limits<std::uint32_t>::max();

/// Offsets of a chunk of lanes in a range of memory. Those of lanes that do not run are 0, so that reading there does no harm.
template <int N>
struct Offsets {
  std::array<std::uint32_t, N> of{};
  bool inside = false;    ///< all that run are within the range
  bool in_a_row = false;  ///< each lies right behind the one before, and all lanes run

  Offsets() = default;
  /// `within`: all ones in lanes that are inside. `step`: bytes from a lane to the next of those in a row.
  Offsets(const Words<N>& places, const Words<N>& within, std::uint64_t bits, std::uint32_t step) {
    const Words<N> running = lanes_of<N>(bits);
    inside = !any(~within & running);
    const Words<N> kept = places & within & running;
    kept.store(of.data());
    if (bits != (std::uint64_t{1} << N) - 1 || !inside) return;
    std::array<std::uint32_t, N> steps;
    for (int lane = 0; lane < N; ++lane) steps[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(lane) * step;
    in_a_row = !any(kept ^ (Words<N>::load(steps.data()) + of[0]));
  }
};

/// Bytes that a lane of a chunk loads at most.
inline constexpr std::uint32_t kMostOfLane = 16;

/// Calls `load(memory, offsets)`, by which lanes load `span` bytes each: from a resource, or from a copy of what their slice sees of it.
template <int N, class Load>
void load_seen(const Run& run, std::uint64_t bits, const std::byte* memory, std::uint32_t span, const Offsets<N>& offsets, Load load) {
  if (!is_shared(run, memory)) return load(memory, offsets);
  std::array<std::byte, std::size_t{N} * kMostOfLane> copy{};
  Offsets<N> of_copy;
  for (std::size_t k = 0; k < N; ++k) of_copy.of[k] = static_cast<std::uint32_t>(k) * span;
  of_copy.inside = true;
  of_copy.in_a_row = offsets.in_a_row;
  if (offsets.in_a_row)
    run.pages->read(memory + offsets.of[0], std::size_t{N} * span, copy.data());
  else
    for_each_lane_of(0, bits, [&](unsigned k) { run.pages->read(memory + offsets.of[k], span, copy.data() + std::size_t{k} * span); });
  load(copy.data(), of_copy);
}

/// The words that a value has in a chunk of lanes.
template <int N>
Words<N> words_at(const Run& run, Wave& wave, unsigned slot, unsigned lane) {
  return Words<N>::load(lane_at(run.program, wave, slot, lane, false));
}

/// Values of 32 bits in rows, from memory that holds them one behind the other, `count` for each lane.
template <int N>
void load_rows(const Run& run, Wave& wave, unsigned first_slot, unsigned count, unsigned lane, std::uint64_t bits, const std::byte* memory,
               const Offsets<N>& offsets) {
  for (unsigned value = 0; value < count; ++value) {
    std::byte* const row = lane_at(run.program, wave, first_slot + value, lane, false);
    if (offsets.in_a_row && count == 1) {
      Words<N>::load(memory + offsets.of[0]).store(row);
      return;
    }
    std::array<std::uint32_t, N> words;
    for (std::size_t k = 0; k < N; ++k) std::memcpy(&words[k], memory + offsets.of[k] + 4 * value, 4);
    put_words(row, Words<N>::load(words.data()), bits);
  }
}

/// load_rows() of texels.
template <int N>
void load_texel_rows(const Run& run, Wave& wave, unsigned first_slot, unsigned count, unsigned lane, std::uint64_t bits,
                     const texel::Format& format, const std::byte* memory, const Offsets<N>& offsets) {
  std::array<const std::byte*, N> texels;
  for (std::size_t k = 0; k < N; ++k) texels[k] = memory + offsets.of[k];
  std::array<std::uint32_t, std::size_t{4} * N> loaded;
  texel::load_texels(format, texels, loaded.data(), N);
  for (unsigned value = 0; value < count; ++value)
    put_words(lane_at(run.program, wave, first_slot + value, lane, false), Words<N>::load(loaded.data() + std::size_t{value} * N), bits);
}

/// Whether texels that all lanes load or store of a resource go by rows: words, and at least one texel in memory.
inline bool has_texel_rows(const Access& access, bool has_status, const texel::Descriptor& of) {
  return is_plain(access.type) && !has_status && of.format.block == texel::Block::none && of.format.bytes() != 0 &&
         of.bytes.size() <= kMostInRows && of.memory() >= of.format.bytes();
}

/// Whether all lanes have one value.
inline bool is_same_in_all(const Run& run, Wave& wave, unsigned slot, const LaneMask& exec) {
  const std::uint32_t value = get32(run, wave, slot, exec.lowest());
  bool is_same = true;
  for_each_lane(exec, [&](unsigned lane) { is_same = is_same && get32(run, wave, slot, lane) == value; });
  return is_same;
}

/// The descriptor that all lanes mean; null if they mean several.
inline texel::Descriptor* descriptor_of_all(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  return access.uniform || is_same_in_all(run, wave, access.operands[0], exec) ? &descriptor(run, wave, access, exec.lowest()) : nullptr;
}

/// An access by rows: calls `rows(first lane, bits, offsets)` with each chunk of which all lanes that run are inside, and `alone(lane)`
/// with each lane that runs of others. `find.template operator()<N>(first lane, bits)` gives the offsets of a chunk of N lanes.
template <class Find, class Rows, class Alone>
void by_rows(const Run& run, const LaneMask& exec, Find find, Rows rows, Alone alone) {
  const auto each = [&]<int N>() {
    for_each_chunk<N>(exec, run.program.width, [&](unsigned lane, std::uint64_t bits) {
      const Offsets<N> offsets = find.template operator()<N>(lane, bits);
      if (offsets.inside)
        rows(lane, bits, offsets);
      else
        for_each_lane_of(lane, bits, alone);
    });
  };
  if (run.program.width == kNarrow)
    each.template operator()<static_cast<int>(kNarrow)>();
  else
    each.template operator()<static_cast<int>(kChunk)>();
}

}  // namespace unshade::vm
