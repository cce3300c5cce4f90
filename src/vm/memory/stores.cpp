#include "vm/memory/stores.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace unshade::vm {
namespace {

// Whether components are all that a texel has.
bool has_all_bits(const texel::Format& format) {
  unsigned bits = 0;
  for (const texel::Format::Component& one : format.components) bits += one.bits;
  return format.block == texel::Block::none && bits == 8 * format.bytes();
}

// False: the slice runs again, in its turn.
bool has_room(Run& run) {
  const bool is_full = run.journal->is_full() || (run.pages != nullptr && run.pages->is_full());
  if (is_full) run.report.stop = Stop::fault;
  return !is_full;
}

std::size_t bytes_of(const Change& change) { return change.format != nullptr ? change.format->bytes() : memory_bytes(change.type); }

// Of memory that is shared: on a copy of what the slice sees.
std::uint64_t change_seen(Run& run, Change change) {
  std::array<std::byte, 16> bytes{};
  const std::size_t count = bytes_of(change);
  std::byte* const at = std::exchange(change.to, bytes.data());
  run.pages->read(at, count, bytes.data());
  const std::uint64_t old = perform(change);
  run.pages->write(at, bytes.data(), count);
  return old;
}

}  // namespace

void write_bytes(Run& run, std::byte* to, const std::byte* from, std::size_t count) {
  touch(run, to, count);
  if (run.journal == nullptr) {
    std::memcpy(to, from, count);
  } else if (!has_room(run)) {
    return;
  } else if (is_shared(run, to)) {
    run.pages->write(to, from, count);
  } else {
    run.journal->write(to, from, count);
  }
}

void change(Run& run, const Change& change) {
  touch(run, change.to, bytes_of(change));
  if (run.journal == nullptr) {
    perform(change);
  } else if (!has_room(run)) {
    return;
  } else if (is_shared(run, change.to)) {
    change_seen(run, change);
  } else {
    run.journal->change(change);
  }
}

std::uint64_t atomically(Run& run, std::byte* at, ir::AtomicOp op, ir::Type type, std::uint64_t value, std::uint64_t compare) {
  if (at == nullptr) return 0;
  const Change made{.to = at, .value = std::bit_cast<std::array<std::uint32_t, 4>>(std::array{value, compare}), .op = op, .type = type};
  if (run.journal == nullptr) {
    touch(run, at, bytes_of(made));
    return perform(made);
  }
  return change(run, made), 0;
}

std::array<std::uint32_t, 4> texel_of(const Run& run, Wave& wave, std::span<const std::uint16_t> slots, ir::Type type,
                                      const texel::Format& format, unsigned lane) {
  if (vm::is_wide(type)) {
    const std::uint64_t value = get_bits(run, wave, slots[0], lane, true);
    return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  }
  const bool is_narrow = type == ir::Type::i16 || type == ir::Type::i8;
  const std::uint32_t mask = is_narrow && format.encoding == texel::Encoding::uint ? (1U << ir::bit_width(type)) - 1 : ~0U;
  std::array<std::uint32_t, 4> made{};
  for (std::size_t k = 0; k < std::min(slots.size(), made.size()) && slots[k] != TextureSlots::kAbsent; ++k)
    made[k] = get32(run, wave, slots[k], lane) & mask;
  return made;
}

void store_texel(Run& run, const texel::Format& format, const std::array<std::uint32_t, 4>& value, std::byte* to) {
  if (!has_all_bits(format)) return change(run, {.to = to, .format = &format, .value = value});
  std::array<std::byte, 16> made{};
  texel::store_texel(format, value, made.data());
  write_bytes(run, to, made.data(), format.bytes());
}

}  // namespace unshade::vm
