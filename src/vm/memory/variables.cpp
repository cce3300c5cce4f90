// Memory of variables: of the lane, the group, constants, and the payload.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <unshade/texel/memory.hpp>

#include "vm/access.hpp"
#include "vm/memory/addresses.hpp"

namespace unshade::vm {
namespace {

using ir::Op;

// Memory that lanes share.
std::byte* shared_memory(Run& run, const ir::Variable& variable) {
  switch (variable.space) {
    case ir::Space::group: return run.group_memory.data() + variable.offset;
    case ir::Space::payload: return run.payload.data() + variable.offset;
    default: return const_cast<std::byte*>(run.program.constant_bytes.data()) + variable.offset;
  }
}

// Private memory by words of 4 bytes, each of all lanes.
std::byte* private_word(const Run& run, Wave& wave, std::uint32_t offset, unsigned lane) {
  return wave.private_memory.data() + (std::size_t{offset / 4} * run.program.width + lane) * 4 + offset % 4;
}

bool is_within(const ir::Variable& variable, std::uint32_t offset, unsigned size) {
  return variable.bytes >= size && offset <= variable.bytes - size;
}

// Calls `copy` with the bytes of a value in memory, piece by piece: first byte, place and count. With none if it is out of bounds.
template <class Copy>
void for_each_piece(Run& run, Wave& wave, const ir::Variable& variable, std::uint32_t offset, unsigned lane, unsigned size, Copy copy) {
  if (!is_within(variable, offset, size)) return run.missed.add(lane);
  const auto touch_and_copy = [&](unsigned first, std::byte* at, unsigned some) {
    touch(run, at, some);
    copy(first, at, some);
  };
  if (variable.space != ir::Space::private_) return touch_and_copy(0, shared_memory(run, variable) + offset, size);
  offset += variable.offset;
  for (unsigned at = 0; at < size;) {
    const unsigned some = std::min(size - at, 4 - (offset + at) % 4);
    touch_and_copy(at, private_word(run, wave, offset + at, lane), some);
    at += some;
  }
}

// Bits in memory; 0 if the access is out of bounds.
std::uint64_t peek(Run& run, Wave& wave, const ir::Variable& variable, unsigned lane, std::uint32_t offset, unsigned size) {
  std::array<std::byte, 8> bytes{};
  for_each_piece(run, wave, variable, offset, lane, size,
                 [&](unsigned first, const std::byte* from, unsigned some) { std::memcpy(bytes.data() + first, from, some); });
  return std::bit_cast<std::uint64_t>(bytes);
}

void poke(Run& run, Wave& wave, const ir::Variable& variable, unsigned lane, std::uint32_t offset, unsigned size, std::uint64_t bits) {
  const auto bytes = std::bit_cast<std::array<std::byte, 8>>(bits);
  for_each_piece(run, wave, variable, offset, lane, size,
                 [&](unsigned first, std::byte* to, unsigned some) { std::memcpy(to, bytes.data() + first, some); });
}

// The words of all lanes if an access of 32 bits to private memory has one offset for all; else null.
std::byte* private_row(Run& run, Wave& wave, const Access& access, const ir::Variable& variable, const LaneMask& exec) {
  if (!is_plain(access.type) || !access.uniform || variable.space != ir::Space::private_) return nullptr;
  const std::uint32_t offset = get32(run, wave, access.operands[0], exec.lowest());
  return is_within(variable, offset, 4) && (variable.offset + offset) % 4 == 0 ? private_word(run, wave, variable.offset + offset, 0)
                                                                               : nullptr;
}

void touch_row(const Run& run, const std::byte* row, const LaneMask& exec) {
  if (run.traffic != nullptr) for_each_lane(exec, [&](unsigned lane) { run.traffic->touch(row + std::size_t{4} * lane, 4); });
}

void copy_row(const Run& run, const Wave& wave, std::byte* to, const std::byte* from, const LaneMask& exec) {
  // lanes that did not begin may get anything
  if (exec == wave.lanes) {
    std::memcpy(to, from, std::size_t{4} * run.program.width);
  } else {
    run.program.rows->copy_row(to, from, exec.bits(), run.program.width);
  }
}

// Words of a variable in rows, at offsets that are whole words in it.
struct VariableRows {
  std::byte* memory;
  Places places;

  VariableRows(Run& run, Wave& wave, const ir::Variable& variable, std::uint16_t offsets) {
    PlaceTerm term{.slot = offsets, .last = variable.bytes - 4};
    if (variable.space != ir::Space::private_) {
      memory = shared_memory(run, variable);
      add_term(places, term);
      return;
    }
    memory = private_word(run, wave, variable.offset, 0);
    term.low = 3;
    term.scale = run.program.width;
    add_term(places, term);
    places.lane_step = 4;
  }
};

bool has_rows(const Run& run, const Access& access, const ir::Variable& variable, const LaneMask& exec) {
  return is_plain(access.type) && variable.bytes >= 4 && variable.offset % 4 == 0 && exec.is_several() &&
         std::uint64_t{variable.bytes} * run.program.width <= kMostInRows;
}

void load_in(Run& run, Wave& wave, const Access& access, const ir::Variable& variable, unsigned lane) {
  const std::uint64_t bits = peek(run, wave, variable, lane, get32(run, wave, access.operands[0], lane), memory_bytes(access.type));
  set_bits(run, wave, access.first_result, lane, is_wide(access.type), texel::from_memory(access.type, bits));
}

void load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::Variable& variable = run.program.module.variables[access.extra];
  if (const std::byte* const row = private_row(run, wave, access, variable, exec)) {
    touch_row(run, row, exec);
    return copy_row(run, wave, lane_at(run.program, wave, access.first_result, 0, false), row, exec);
  }
  const auto alone = [&](unsigned lane) { load_in(run, wave, access, variable, lane); };
  if (!has_rows(run, access, variable, exec)) return for_each_lane(exec, alone);
  const VariableRows rows(run, wave, variable, access.operands[0]);
  touch_places(run, wave, rows.places, rows.memory, exec, 4);
  LaneMask outside;
  run.program.rows->load(rows.places, rows_of(run.program, wave), rows.memory, exec.bits(), run.program.width, 1, access.first_result,
                         outside.bits());
  for_each_lane(outside, alone);
}

void store_in(Run& run, Wave& wave, const Access& access, const ir::Variable& variable, unsigned lane) {
  const std::uint64_t bits = texel::to_memory(access.type, get_bits(run, wave, access.operands[1], lane, is_wide(access.type)));
  poke(run, wave, variable, lane, get32(run, wave, access.operands[0], lane), memory_bytes(access.type), bits);
}

void store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::Variable& variable = run.program.module.variables[access.extra];
  if (std::byte* const row = private_row(run, wave, access, variable, exec)) {
    touch_row(run, row, exec);
    return copy_row(run, wave, row, lane_at(run.program, wave, access.operands[1], 0, false), exec);
  }
  // private memory belongs to helper lanes too
  const LaneMask acting = variable.space == ir::Space::private_ ? exec : exec & ~wave.helper;
  const auto alone = [&](unsigned lane) { store_in(run, wave, access, variable, lane); };
  if (!has_rows(run, access, variable, acting)) return for_each_lane(acting, alone);
  const VariableRows rows(run, wave, variable, access.operands[0]);
  touch_places(run, wave, rows.places, rows.memory, acting, 4);
  LaneMask outside;
  run.program.rows->store(rows.places, rows_of(run.program, wave), rows.memory, acting.bits(), run.program.width, access.operands[1],
                          outside.bits());
  for_each_lane(outside, alone);
}

void atomic(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::AtomicExtra extra(access.extra);
  const ir::Variable& variable = run.program.module.variables[extra.variable];
  const unsigned size = memory_bytes(access.type);
  const bool wide = is_wide(access.type);
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    const std::uint32_t offset = get32(run, wave, access.operands[0], lane);
    const std::uint64_t old = texel::from_memory(access.type, peek(run, wave, variable, lane, offset, size));
    const std::uint64_t compare = access.operands.size() > 2 ? get_bits(run, wave, access.operands[2], lane, wide) : 0;
    const std::uint64_t made = atomic_result(extra.op, access.type, old, get_bits(run, wave, access.operands[1], lane, wide), compare);
    poke(run, wave, variable, lane, offset, size, texel::to_memory(access.type, made));
    set_bits(run, wave, access.first_result, lane, wide, old);
  });
}

}  // namespace

AccessFunction variable_function(Op op) {
  switch (op) {
    case Op::load: return load;
    case Op::store: return store;
    case Op::atomic: return atomic;
    default: return nullptr;
  }
}

}  // namespace unshade::vm
