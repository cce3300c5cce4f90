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

/// The places of lanes that run, and who of them is inside.
struct FoundPlaces {
  std::array<std::uint32_t, kMostLanes + 1> at;
  LaneMask inside, outside;

  FoundPlaces(const Run& run, Wave& wave, const Places& places, const LaneMask& exec) {
    run.program.rows->places(places, rows_of(run.program, wave), exec.bits(), run.program.width, at.data(), outside.bits());
    inside = exec & ~outside;
  }
};

/// For a profile: lanes touch `bytes` bytes each.
inline void touch_places(const Run& run, Wave& wave, const Places& places, const std::byte* memory, const LaneMask& exec,
                         std::size_t bytes) {
  if (run.traffic == nullptr) return;
  const FoundPlaces found(run, wave, places, exec);
  for_each_lane(found.inside, [&](unsigned lane) { run.traffic->touch(memory + found.at[lane], bytes); });
}

/// Calls `each(first lane, lanes, place)` with lanes that lie right behind each other, `step` bytes from one to the next.
template <class Each>
void for_each_run(const Run& run, const FoundPlaces& places, std::uint32_t step, Each each) {
  LaneMask followed;
  run.program.rows->followed(places.at.data(), step, run.program.width, followed.bits());
  followed = followed & places.inside & places.inside.before();
  LaneMask last = places.inside & ~followed;
  for_each_lane(places.inside & ~followed.behind(), [&](unsigned first) {
    const unsigned end = last.lowest() + 1;
    last.remove(end - 1);
    each(first, end - first, places.at[first]);
  });
}

/// Loads words of lanes, `count` one behind the other for each, into rows from `first_slot` on: from a resource, or from a copy of what
/// their slice sees of it. Returns the lanes that are outside, which get nothing.
inline LaneMask load_rows(const Run& run, Wave& wave, const Places& places, const std::byte* memory, const LaneMask& exec,
                          unsigned first_slot, unsigned count) {
  touch_places(run, wave, places, memory, exec, std::size_t{4} * count);
  const SlotRows slots = rows_of(run.program, wave);
  if (!is_shared(run, memory)) {
    LaneMask outside;
    run.program.rows->load(places, slots, memory, exec.bits(), run.program.width, count, first_slot, outside.bits());
    return outside;
  }
  const FoundPlaces found(run, wave, places, exec);
  if (count == 1) {
    std::byte* const to = slots.row(first_slot);
    for_each_run(run, found, 4, [&](unsigned lane, unsigned lanes, std::uint32_t at) {
      run.pages->read(memory + at, std::size_t{4} * lanes, to + std::size_t{4} * lane);
    });
    return found.outside;
  }
  for_each_lane(found.inside, [&](unsigned lane) {
    std::array<std::byte, kMostOfLane> words;
    run.pages->read(memory + found.at[lane], std::size_t{4} * count, words.data());
    for (unsigned word = 0; word < count; ++word)
      std::memcpy(slots.row(first_slot + word) + std::size_t{4} * lane, words.data() + std::size_t{4} * word, 4);
  });
  return found.outside;
}

/// Stores the words of rows, one row for each slot, likewise: at once, or as what their slice sees until it is its turn. Returns the lanes
/// that have to be done alone: those outside, or all if their order shows since some have a part of their words inside.
inline LaneMask store_rows(Run& run, Wave& wave, const Places& places, std::byte* memory, const LaneMask& exec,
                           std::span<const std::uint16_t> values) {
  const SlotRows slots = rows_of(run.program, wave);
  if (values.size() == 1 && run.journal == nullptr) {
    touch_places(run, wave, places, memory, exec, 4);
    LaneMask outside;
    run.program.rows->store(places, slots, memory, exec.bits(), run.program.width, values[0], outside.bits());
    return outside;
  }
  const FoundPlaces found(run, wave, places, exec);
  if (values.size() > 1 && found.outside.any()) return exec;
  const std::size_t words = values.size();
  std::array<const std::byte*, kMostOfLane / 4> rows;
  for (std::size_t k = 0; k < words; ++k) rows[k] = slots.row(values[k]);
  for_each_run(run, found, static_cast<std::uint32_t>(4 * words), [&](unsigned lane, unsigned lanes, std::uint32_t at) {
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
