// What lanes read of resources and write to them: at once, or as their slice sees it until it is its turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "vm/access.hpp"
#include "vm/memory/journal.hpp"
#include "vm/memory/pages.hpp"

namespace unshade::vm {

/// Whether slices both read and write the memory of a place.
inline bool is_shared(const Run& run, const std::byte* at) { return run.pages != nullptr && run.pages->has(at); }
inline void touch(const Run& run, const std::byte* at, std::size_t count) {
  if (run.traffic != nullptr) run.traffic->touch(at, count);
}
inline void read_bytes(const Run& run, const std::byte* at, std::size_t count, std::byte* to) {
  touch(run, at, count);
  if (is_shared(run, at))
    run.pages->read(at, count, to);
  else
    std::memcpy(to, at, count);
}
void write_bytes(Run& run, std::byte* to, const std::byte* from, std::size_t count);
void change(Run& run, const Change& change);
/// Performs an atomic operation on the value at a place. Returns the old value; 0 if there is no place, or if it waits: nothing uses the
/// value then.
std::uint64_t atomically(Run& run, std::byte* at, ir::AtomicOp op, ir::Type type, std::uint64_t value, std::uint64_t compare);
/// The components of a texel that a lane stores. One of 64 bits is two components of 32; one of 8 or 16 bits has the sign of the format.
std::array<std::uint32_t, 4> texel_of(const Run& run, Wave& wave, std::span<const std::uint16_t> slots, ir::Type type,
                                      const texel::Format& format, unsigned lane);
void store_texel(Run& run, const texel::Format& format, const std::array<std::uint32_t, 4>& value, std::byte* to);

}  // namespace unshade::vm
