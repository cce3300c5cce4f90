// Where the lanes of a wave access memory: all lanes at once. What is out of bounds, or of lanes that have several resources, is done a
// lane at a time by those who call this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "vm/access.hpp"
#include "vm/memory/stores.hpp"

namespace unshade::vm {

/// Bytes of memory whose places are rows of 32 bits.
inline constexpr std::uint64_t kMostInRows = std::numeric_limits<std::uint32_t>::max();
/// Bytes that a lane accesses at most.
inline constexpr std::uint32_t kMostOfLane = 16;

inline void add_term(Places& places, PlaceTerm term) { places.terms[places.count++] = term; }
/// The words that a value has in all lanes.
inline const std::byte* row_of(const Run& run, Wave& wave, unsigned slot) { return lane_at(run.program, wave, slot, 0, false); }

/// The places of lanes that run, and who of them is inside.
struct FoundPlaces {
  std::array<std::uint32_t, kMostLanes> at;
  LaneMask inside, outside;

  FoundPlaces(const Run& run, const Places& places, const LaneMask& exec) {
    run.program.rows->places(places, exec.bits(), run.program.width, at.data(), outside.bits());
    inside = exec & ~outside;
  }
};

/// For a profile: lanes touch `bytes` bytes each.
inline void touch_places(const Run& run, const Places& places, const std::byte* memory, const LaneMask& exec, std::size_t bytes) {
  if (run.traffic == nullptr) return;
  const FoundPlaces found(run, places, exec);
  for_each_lane(found.inside, [&](unsigned lane) { run.traffic->touch(memory + found.at[lane], bytes); });
}

/// Calls `each(first lane, lanes, place)` with lanes of a mask that lie right behind each other, `step` bytes from one to the next.
template <class Each>
void for_each_run(const FoundPlaces& places, std::uint32_t step, Each each) {
  for (LaneMask rest = places.inside; rest.any();) {
    const unsigned first = rest.lowest();
    unsigned end = first;
    do {
      rest.remove(end++);
    } while (end < kMostLanes && rest.has(end) && places.at[end] == places.at[first] + (end - first) * step);
    each(first, end - first, places.at[first]);
  }
}

/// Loads words of lanes, `count` one behind the other for each, into rows from `first_slot` on: from a resource, or from a copy of what
/// their slice sees of it. Returns the lanes that are outside, which get nothing.
inline LaneMask load_rows(const Run& run, Wave& wave, const Places& places, const std::byte* memory, const LaneMask& exec,
                          unsigned first_slot, unsigned count) {
  touch_places(run, places, memory, exec, std::size_t{4} * count);
  std::byte* const to = lane_at(run.program, wave, first_slot, 0, false);
  const std::size_t row_bytes = run.program.slot_bytes;
  if (!is_shared(run, memory)) {
    LaneMask outside;
    run.program.rows->load(places, memory, exec.bits(), run.program.width, count, to, row_bytes, outside.bits());
    return outside;
  }
  const FoundPlaces found(run, places, exec);
  if (count == 1) {
    for_each_run(found, 4, [&](unsigned lane, unsigned lanes, std::uint32_t at) {
      run.pages->read(memory + at, std::size_t{4} * lanes, to + std::size_t{4} * lane);
    });
    return found.outside;
  }
  for_each_lane(found.inside, [&](unsigned lane) {
    std::array<std::byte, kMostOfLane> words;
    run.pages->read(memory + found.at[lane], std::size_t{4} * count, words.data());
    for (unsigned word = 0; word < count; ++word)
      std::memcpy(to + word * row_bytes + std::size_t{4} * lane, words.data() + std::size_t{4} * word, 4);
  });
  return found.outside;
}

/// Stores the words of rows, one row for each slot, likewise: at once, or as what their slice sees until it is its turn. Returns the lanes
/// that have to be done alone: those outside, or all if their order shows since some have a part of their words inside.
inline LaneMask store_rows(Run& run, Wave& wave, const Places& places, std::byte* memory, const LaneMask& exec,
                           std::span<const std::uint16_t> slots) {
  if (slots.size() == 1 && run.journal == nullptr) {
    touch_places(run, places, memory, exec, 4);
    LaneMask outside;
    run.program.rows->store(places, memory, exec.bits(), run.program.width, row_of(run, wave, slots[0]), outside.bits());
    return outside;
  }
  const FoundPlaces found(run, places, exec);
  if (slots.size() > 1 && found.outside.any()) return exec;
  const std::size_t words = slots.size();
  std::array<const std::byte*, kMostOfLane / 4> rows;
  for (std::size_t k = 0; k < words; ++k) rows[k] = row_of(run, wave, slots[k]);
  for_each_run(found, static_cast<std::uint32_t>(4 * words), [&](unsigned lane, unsigned lanes, std::uint32_t at) {
    if (words == 1) return write_bytes(run, memory + at, rows[0] + std::size_t{4} * lane, std::size_t{4} * lanes);
    std::array<std::byte, std::size_t{kMostLanes} * kMostOfLane> all;
    std::byte* to = all.data();
    for (unsigned one = lane; one < lane + lanes; ++one)
      for (std::size_t word = 0; word < words; ++word, to += 4) std::memcpy(to, rows[word] + std::size_t{4} * one, 4);
    write_bytes(run, memory + at, all.data(), static_cast<std::size_t>(to - all.data()));
  });
  return found.outside;
}

/// Loads texels of lanes, of which `count` components go into rows from `first_slot` on. Returns the lanes that are outside, which get
/// nothing.
LaneMask load_texel_rows(const Run& run, Wave& wave, const Places& places, const texel::Format& format, const std::byte* memory,
                         const LaneMask& exec, unsigned first_slot, unsigned count);

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

}  // namespace unshade::vm
