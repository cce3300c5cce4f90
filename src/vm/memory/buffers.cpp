// Operations on buffers. Loads that are out of bounds give 0, stores are dropped.
// src: Direct3D 11.3 functional specification 22.4, 7.5, 7.11
#include <algorithm>
#include <array>
#include <span>

#include <unshade/texel/texture.hpp>

#include "vm/access.hpp"
#include "vm/memory/addresses.hpp"

namespace unshade::vm {
namespace {

using ir::BufferExtra;
using ir::BufferKind;
using ir::Op;
using ir::Type;

std::uint64_t load_at(const Run& run, const texel::Descriptor& from, Type type, std::uint64_t offset) {
  const unsigned size = memory_bytes(type);
  if (offset + size > from.bytes.size()) return 0;
  std::uint64_t bits = 0;
  read_bytes(run, from.bytes.data() + offset, size, reinterpret_cast<std::byte*>(&bits));
  return texel::from_memory(type, bits);
}

void load_constants_in(Run& run, Wave& wave, const Access& access, const texel::Descriptor& from, unsigned lane) {
  const unsigned size = memory_bytes(access.type);
  const std::uint64_t offset = get32(run, wave, access.operands[1], lane);
  const bool inside = offset + std::uint64_t{access.results} * size <= from.bytes.size();
  if (!inside) run.missed.add(lane);
  if (inside && is_plain(access.type)) {
    touch(run, from.bytes.data() + offset, std::size_t{4} * access.results);
    for (unsigned member = 0; member < access.results; ++member)
      std::memcpy(lane_at(run.program, wave, access.first_result + member, lane, false), from.bytes.data() + offset + 4 * member, 4);
    return;
  }
  for (unsigned member = 0; member < access.results; ++member)
    put(run, wave, access, lane, member, load_at(run, from, access.type, offset + member * size));
}

void cbuffer_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const texel::Descriptor* const from = exec.is_several() ? descriptor_of_all(run, wave, access, exec) : nullptr;
  const std::uint64_t span = std::uint64_t{access.results} * 4;
  if (from == nullptr || !is_plain(access.type) || from->bytes.size() < span || from->bytes.size() > kMostInRows) {
    for_each_lane(exec, [&](unsigned lane) { load_constants_in(run, wave, access, descriptor(run, wave, access, lane), lane); });
    return;
  }
  Places places;
  places.limit = static_cast<std::uint32_t>(from->bytes.size() - span);
  add_term(places, {.slot = access.operands[1], .last = places.limit});
  const LaneMask outside = load_rows(run, wave, places, from->bytes.data(), exec, access.first_result, access.results);
  for_each_lane(outside, [&](unsigned lane) { load_constants_in(run, wave, access, *from, lane); });
}

// Where an access to a raw or structured buffer begins; nothing if it is out of bounds of the element or the buffer.
struct Range {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  ///< of what may be touched
};
Range range(Run& run, Wave& wave, const Access& access, const BufferExtra& extra, const texel::Descriptor& buffer, unsigned lane) {
  const std::uint64_t first = get32(run, wave, access.operands[1], lane);
  const std::uint64_t second = extra.has_offset ? get32(run, wave, access.operands[2], lane) : 0;
  if (extra.kind == BufferKind::raw) return {(first + second) & 0xffff'ffff, buffer.bytes.size()};
  const std::uint64_t stride = buffer.stride;
  if (stride == 0 || first >= buffer.bytes.size() / stride || second >= stride) return {};
  return {first * stride + second, (first + 1) * stride};
}

// Whether an access to a buffer that all lanes mean can be done by rows: `span` bytes of words in each lane.
bool goes_by_rows(const Access& access, const BufferExtra& extra, const texel::Descriptor& buffer, std::uint64_t span) {
  if (!is_plain(access.type) || extra.has_status || buffer.bytes.size() > kMostInRows || buffer.memory() < span) return false;
  if (extra.kind == BufferKind::raw) return true;
  return extra.kind == BufferKind::structured && buffer.stride >= span && buffer.bytes.size() >= buffer.stride;
}

// range() of all lanes.
Places places_of(const Access& access, const BufferExtra& extra, const texel::Descriptor& buffer, std::uint32_t span) {
  Places made;
  made.limit = static_cast<std::uint32_t>(buffer.memory() - span);
  PlaceTerm first{.slot = access.operands[1]}, second;
  if (extra.has_offset) second.slot = access.operands[2];
  if (extra.kind == BufferKind::structured) {
    const auto elements = static_cast<std::uint32_t>(buffer.bytes.size() / buffer.stride);
    first = {.slot = first.slot, .last = elements - 1, .scale = buffer.stride};
    second.last = buffer.stride - span;
  }
  add_term(made, first);
  if (extra.has_offset) add_term(made, second);
  return made;
}

void load_buffer_in(Run& run, Wave& wave, const Access& access, unsigned lane) {
  const BufferExtra extra(access.extra);
  const unsigned values = access.results - (extra.has_status ? 1U : 0U);
  const unsigned size = memory_bytes(access.type);
  const texel::Descriptor& from = descriptor(run, wave, access, lane);
  bool mapped = !from.bytes.empty();
  if (extra.kind == BufferKind::typed) {
    const std::uint64_t index = get32(run, wave, access.operands[1], lane);
    const unsigned texel = from.format.bytes();
    const bool inside = texel != 0 && index < from.memory() / texel;
    mapped = mapped && (inside || index >= from.bytes.size() / std::max(1U, texel));
    if (!inside) run.missed.add(lane);
    std::array<std::uint32_t, 4> loaded{};
    if (inside) {
      std::array<std::byte, 16> bytes{};
      read_bytes(run, from.bytes.data() + index * texel, texel, bytes.data());
      loaded = texel::load_texel(from.format, bytes.data());
    } else if (texel != 0) {
      loaded = texel::missing_texel(from.format);
    }
    for (unsigned member = 0; member < values; ++member) put(run, wave, access, lane, member, typed_value(access.type, loaded, member));
  } else {
    const Range at = range(run, wave, access, extra, from, lane);
    for (unsigned member = 0; member < values; ++member) {
      const std::uint64_t offset = at.offset + std::uint64_t{member} * size;
      const bool has_memory = offset + size <= from.mapped;
      if (offset + size > at.end) run.missed.add(lane);
      mapped = mapped && (has_memory || offset + size > at.end);
      put(run, wave, access, lane, member, has_memory && offset + size <= at.end ? load_at(run, from, access.type, offset) : 0);
    }
  }
  if (extra.has_status) set_bits(run, wave, result_slot(access, values), lane, false, mapped ? kMapped : 0);
}

void buffer_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const BufferExtra extra(access.extra);
  const texel::Descriptor* const from = exec.is_several() ? descriptor_of_all(run, wave, access, exec) : nullptr;
  const std::uint32_t span = access.results * 4U;
  const auto alone = [&](unsigned lane) { load_buffer_in(run, wave, access, lane); };
  if (from != nullptr && span <= kMostOfLane && goes_by_rows(access, extra, *from, span)) {
    const Places places = places_of(access, extra, *from, span);
    return for_each_lane(load_rows(run, wave, places, from->bytes.data(), exec, access.first_result, access.results), alone);
  }
  if (from != nullptr && extra.kind == BufferKind::typed && has_texel_rows(access, extra.has_status, *from)) {
    const std::uint32_t size = from->format.bytes();
    Places places;
    add_term(places, {.slot = access.operands[1], .last = static_cast<std::uint32_t>(from->memory() / size) - 1, .scale = size});
    return for_each_lane(load_texel_rows(run, wave, places, from->format, from->bytes.data(), exec, access.first_result, access.results),
                         alone);
  }
  for_each_lane(exec, alone);
}

void store_buffer_in(Run& run, Wave& wave, const Access& access, unsigned lane) {
  const BufferExtra extra(access.extra);
  const std::size_t first = extra.has_offset ? 3 : 2;
  const unsigned size = memory_bytes(access.type);
  const bool wide = is_wide(access.type);
  const texel::Descriptor& to = descriptor(run, wave, access, lane);
  if (extra.kind == BufferKind::typed) {
    const std::uint64_t index = get32(run, wave, access.operands[1], lane);
    const unsigned texel = to.format.bytes();
    if (texel == 0 || index >= to.memory() / texel) return run.missed.add(lane);
    const std::span<const std::uint16_t> values = std::span(access.operands).subspan(first);
    return store_texel(run, to.format, texel_of(run, wave, values, access.type, to.format, lane), to.bytes.data() + index * texel);
  }
  const Range at = range(run, wave, access, extra, to, lane);
  for (std::size_t operand = first; operand < access.operands.size(); ++operand) {
    const std::uint64_t offset = at.offset + (operand - first) * size;
    if (offset + size > at.end || offset + size > to.memory()) {
      run.missed.add(lane);
      continue;
    }
    const std::uint64_t bits = texel::to_memory(access.type, get_bits(run, wave, access.operands[operand], lane, wide));
    write_bytes(run, to.bytes.data() + offset, reinterpret_cast<const std::byte*>(&bits), size);
  }
}

void buffer_store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const LaneMask acting = exec & ~wave.helper;
  const BufferExtra extra(access.extra);
  const texel::Descriptor* const to = acting.is_several() ? descriptor_of_all(run, wave, access, acting) : nullptr;
  const std::span<const std::uint16_t> values = std::span(access.operands).subspan(extra.has_offset ? 3 : 2);
  const auto span = static_cast<std::uint32_t>(4 * values.size());
  const auto alone = [&](unsigned lane) { store_buffer_in(run, wave, access, lane); };
  if (to != nullptr && span <= kMostOfLane && goes_by_rows(access, extra, *to, span)) {
    const Places places = places_of(access, extra, *to, span);
    return for_each_lane(store_rows(run, wave, places, to->bytes.data(), acting, values), alone);
  }
  for_each_lane(acting, alone);
}

void buffer_atomic(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const BufferExtra extra(access.extra);
  const std::size_t first = extra.has_offset ? 3 : 2;
  const unsigned size = memory_bytes(access.type);
  const bool wide = is_wide(access.type);
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    texel::Descriptor& to = descriptor(run, wave, access, lane);
    std::byte* at = nullptr;
    if (extra.kind == BufferKind::typed) {
      const std::uint64_t index = get32(run, wave, access.operands[1], lane);
      const unsigned texel = to.format.bytes();
      if (texel >= size && index < to.memory() / texel) at = to.bytes.data() + index * texel;
    } else {
      const Range place = range(run, wave, access, extra, to, lane);
      if (place.offset + size <= place.end && place.offset + size <= to.memory()) at = to.bytes.data() + place.offset;
    }
    if (at == nullptr) run.missed.add(lane);
    const std::uint64_t compare = access.operands.size() > first + 1 ? get_bits(run, wave, access.operands[first + 1], lane, wide) : 0;
    put(run, wave, access, lane, 0,
        atomically(run, at, extra.op, access.type, get_bits(run, wave, access.operands[first], lane, wide), compare));
  });
}

void counter(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const bool up = static_cast<ir::Counter>(access.extra) == ir::Counter::up;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    std::uint32_t* const count = descriptor(run, wave, access, lane).counter;
    const std::uint32_t step = up ? 1 : ~std::uint32_t{0};
    const auto before =
        static_cast<std::uint32_t>(atomically(run, reinterpret_cast<std::byte*>(count), ir::AtomicOp::add, Type::i32, step, 0));
    set_bits(run, wave, access.first_result, lane, false, count == nullptr || up ? before : before + step);
  });
}

}  // namespace

AccessFunction buffer_function(Op op) {
  switch (op) {
    case Op::cbuffer_load: return cbuffer_load;
    case Op::buffer_load: return buffer_load;
    case Op::buffer_store: return buffer_store;
    case Op::buffer_atomic: return buffer_atomic;
    case Op::counter: return counter;
    default: return nullptr;
  }
}

}  // namespace unshade::vm
