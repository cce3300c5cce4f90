// Operations on resources. Loads that are out of bounds give 0, stores are dropped.
// src: Direct3D 11.3 functional specification 22.4, 7.5, 7.11
#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include <unshade/texel/texture.hpp>

#include "vm/access.hpp"

namespace unshade::vm {
namespace {

using ir::BufferExtra;
using ir::BufferKind;
using ir::Op;
using ir::TextureExtra;
using ir::Type;

void handle(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const auto& row = run.resources.rows[access.extra];
  const ir::Resource& resource = run.program.module.resources[access.extra];
  const auto repeated = static_cast<std::uint32_t>(std::min<std::size_t>(run.resources.repeated_elements, row.size()));
  const bool is_sampler = resource.kind == dxcontainer::ResourceKind::sampler;
  const auto is_given = [&](std::uint32_t index) { return index < row.size() && (is_sampler || !row[index].bytes.empty()); };
  for_each_lane(exec, [&](unsigned lane) {
    std::uint32_t index = get32(run, wave, access.operands[0], lane);
    if (repeated != 0 && !is_given(index) && (resource.count == 0 || index < resource.count)) index %= repeated;
    set_bits(run, wave, access.first_result, lane, false, index < row.size() ? run.row_base[access.extra] + index : 0);
  });
}

void handle_from_heap(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const bool samplers = run.program.module.resources[access.extra].kind == dxcontainer::ResourceKind::sampler;
  const std::size_t count = samplers ? run.resources.sampler_heap.size() : run.resources.heap.size();
  const std::uint32_t base = samplers ? run.sampler_heap_base : run.heap_base;
  for_each_lane(exec, [&](unsigned lane) {
    const std::uint32_t index = get32(run, wave, access.operands[0], lane);
    set_bits(run, wave, access.first_result, lane, false, index < count ? base + index : 0);
  });
}

void handle_null(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, 0); });
}

// The buffer that has an address: its place in the list of them. Nothing if none has.
std::optional<std::size_t> buffer_with(const Run& run, std::uint64_t address) {
  const auto& all = run.resources.addresses;
  const auto after = std::ranges::upper_bound(all, address, {}, &AddressedBuffer::address);
  if (after == all.begin()) return std::nullopt;
  const auto found = std::prev(after);
  if (address - found->address >= found->view.bytes.size()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::uint64_t address_of(Run& run, Wave& wave, const Access& access, unsigned lane) {
  return get32(run, wave, access.operands[0], lane) | std::uint64_t{get32(run, wave, access.operands[1], lane)} << 32;
}

void handle_from_address(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    const auto found = buffer_with(run, address_of(run, wave, access, lane));
    set_bits(run, wave, access.first_result, lane, false, found ? run.addresses_base + *found : 0);
  });
}

void address_offset(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    const std::uint64_t address = address_of(run, wave, access, lane);
    const auto found = buffer_with(run, address);
    set_bits(run, wave, access.first_result, lane, false, found ? address - run.resources.addresses[*found].address : 0);
  });
}

std::uint64_t load_at(const texel::Descriptor& from, Type type, std::uint64_t offset) {
  const unsigned size = memory_bytes(type);
  if (offset + size > from.bytes.size()) return 0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from.bytes.data() + offset, size);
  return texel::from_memory(type, bits);
}

void cbuffer_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const unsigned size = memory_bytes(access.type);
  const bool plain = access.type == Type::f32 || access.type == Type::i32;
  const texel::Descriptor* const of_all = access.uniform ? &descriptor(run, wave, access, exec.lowest()) : nullptr;
  for_each_lane(exec, [&](unsigned lane) {
    const texel::Descriptor& from = of_all != nullptr ? *of_all : descriptor(run, wave, access, lane);
    const std::uint64_t offset = get32(run, wave, access.operands[1], lane);
    const bool inside = offset + std::uint64_t{access.results} * size <= from.bytes.size();
    if (!inside) run.missed.add(lane);
    if (inside && plain) {
      std::byte* to = lane_at(run.program, wave, access.first_result, lane, false);
      const std::byte* const bytes = from.bytes.data() + offset;
      for (unsigned member = 0; member < access.results; ++member, to += run.program.slot_bytes) std::memcpy(to, bytes + 4U * member, 4);
      return;
    }
    for (unsigned member = 0; member < access.results; ++member)
      put(run, wave, access, lane, member, load_at(from, access.type, offset + member * size));
  });
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

void buffer_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const BufferExtra extra(access.extra);
  const unsigned values = access.results - (extra.has_status ? 1U : 0U);
  const unsigned size = memory_bytes(access.type);
  for_each_lane(exec, [&](unsigned lane) {
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
        loaded = texel::load_texel(from.format, from.bytes.data() + index * texel);
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
        put(run, wave, access, lane, member, has_memory && offset + size <= at.end ? load_at(from, access.type, offset) : 0);
      }
    }
    if (extra.has_status) set_bits(run, wave, result_slot(access, values), lane, false, mapped ? kMapped : 0);
  });
}

std::array<std::uint32_t, 4> words_of(std::uint64_t a, std::uint64_t b) {
  return std::bit_cast<std::array<std::uint32_t, 4>>(std::array{a, b});
}

// The components of a texel that a shader stores. One of 64 bits is two components of 32; one of 8 or 16 bits has the sign of the format.
std::array<std::uint32_t, 4> texel_of(const Run& run, Wave& wave, std::span<const std::uint16_t> slots, Type type,
                                      const texel::Format& format, unsigned lane) {
  if (vm::is_wide(type)) {
    const std::uint64_t value = get_bits(run, wave, slots[0], lane, true);
    return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  }
  const bool is_narrow = type == Type::i16 || type == Type::i8;
  const std::uint32_t mask = is_narrow && format.encoding == texel::Encoding::uint ? (1U << ir::bit_width(type)) - 1 : ~0U;
  std::array<std::uint32_t, 4> made{};
  for (std::size_t k = 0; k < std::min(slots.size(), made.size()) && slots[k] != TextureSlots::kAbsent; ++k)
    made[k] = get32(run, wave, slots[k], lane) & mask;
  return made;
}

void buffer_store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const BufferExtra extra(access.extra);
  const std::size_t first = extra.has_offset ? 3 : 2;
  const unsigned size = memory_bytes(access.type);
  const bool wide = is_wide(access.type);
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    texel::Descriptor& to = descriptor(run, wave, access, lane);
    if (extra.kind == BufferKind::typed) {
      const std::uint64_t index = get32(run, wave, access.operands[1], lane);
      const unsigned texel = to.format.bytes();
      if (texel == 0 || index >= to.memory() / texel) return run.missed.add(lane);
      const auto value = texel_of(run, wave, std::span(access.operands).subspan(first), access.type, to.format, lane);
      return write(run, {.to = to.bytes.data() + index * texel, .format = &to.format, .value = value, .kind = Store::Kind::texel});
    }
    const Range at = range(run, wave, access, extra, to, lane);
    for (std::size_t operand = first; operand < access.operands.size(); ++operand) {
      const std::uint64_t offset = at.offset + (operand - first) * size;
      if (offset + size > at.end || offset + size > to.memory()) {
        run.missed.add(lane);
        continue;
      }
      const std::uint64_t bits = texel::to_memory(access.type, get_bits(run, wave, access.operands[operand], lane, wide));
      write(run, {.to = to.bytes.data() + offset, .value = words_of(bits, 0), .size = static_cast<std::uint8_t>(size)});
    }
  });
}

// Performs an atomic operation on the value at a place. Returns the old value; 0 if there is no place, or if the store waits: nothing uses
// the value then.
std::uint64_t change(Run& run, std::byte* at, ir::AtomicOp op, Type type, std::uint64_t value, std::uint64_t compare) {
  if (at == nullptr) return 0;
  const Store store{.to = at, .value = words_of(value, compare), .kind = Store::Kind::atomic, .op = op, .type = type};
  if (run.stores == nullptr) return perform(store);
  return write(run, store), 0;
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
        change(run, at, extra.op, access.type, get_bits(run, wave, access.operands[first], lane, wide), compare));
  });
}

void counter(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const bool up = static_cast<ir::Counter>(access.extra) == ir::Counter::up;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    std::uint32_t* const count = descriptor(run, wave, access, lane).counter;
    const std::uint32_t step = up ? 1 : ~std::uint32_t{0};
    const auto before = static_cast<std::uint32_t>(change(run, reinterpret_cast<std::byte*>(count), ir::AtomicOp::add, Type::i32, step, 0));
    set_bits(run, wave, access.first_result, lane, false, count == nullptr || up ? before : before + step);
  });
}

struct TextureSlotReader {
  std::span<const std::uint16_t> left;

  void values(char, std::span<std::uint16_t> to, unsigned count) {
    std::ranges::copy(left.first(count), to.begin());
    left = left.subspan(count);
  }
  void value(char letter, std::uint16_t& to, bool is_there) { values(letter, {&to, 1}, is_there ? 1 : 0); }
  void rest(char letter, std::span<std::uint16_t> to) { values(letter, to, static_cast<unsigned>(std::min(to.size(), left.size()))); }
};

// --- textures ----------------------------------------------------------------------------------------------------------------------------

texel::TexelPlace texel_place(Run& run, Wave& wave, const TextureSlots& slots, const TextureExtra& extra, unsigned lane) {
  const unsigned dimensions = extra.dimension_count();
  const unsigned coordinates = extra.coordinate_count();
  std::array<std::uint32_t, 4> at{};
  for (unsigned k = 0; k < coordinates; ++k) at[k] = get32(run, wave, slots.coordinates[k], lane);
  texel::TexelPlace place;
  if (extra.has_lod) place.level = get32(run, wave, slots.lod, lane);
  for (unsigned k = 0; extra.has_offset && k < dimensions; ++k) at[k] += get32(run, wave, slots.offsets[k], lane);
  if (extra.has_sample) place.sample = get32(run, wave, slots.sample, lane);
  const bool cube = dxcontainer::is_cube(extra.dimension);
  place.x = at[0];
  if (dimensions >= 2) place.y = at[1];
  if (dimensions == 3 && !cube) place.z = at[2];
  if (extra.is_array()) place.layer = at[coordinates - 1];
  if (cube) place.layer = place.layer * 6 + at[2];  // the third coordinate is the face
  return place;
}

std::byte* texel(Run& run, Wave& wave, const TextureSlots& slots, const TextureExtra& extra, texel::Descriptor& texture, unsigned lane) {
  std::byte* const at = texel::texel_at(texture, texel_place(run, wave, slots, extra, lane));
  if (at == nullptr) run.missed.add(lane);
  return at;
}

void texel_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots slots = texture_slots(access);
  const unsigned values = access.results - (extra.has_status ? 1U : 0U);
  for_each_lane(exec, [&](unsigned lane) {
    texel::Descriptor& from = descriptor(run, wave, access, lane);
    const texel::TexelPlace place = texel_place(run, wave, slots, extra, lane);
    const std::byte* const at = texel::texel_at(from, place);
    if (at == nullptr) run.missed.add(lane);
    std::array<std::uint32_t, 4> loaded{};
    if (at != nullptr) {
      loaded = texel::load_texel(from.format, at, place.x % from.format.block_width(), place.y % from.format.block_height());
    } else if (from.is_texture()) {
      loaded = texel::missing_texel(from.format);
    }
    for (unsigned member = 0; member < values; ++member) put(run, wave, access, lane, member, typed_value(access.type, loaded, member));
    // what is out of bounds touches no tile. src: Direct3D 11.3 functional specification 5.9.4.5.3
    const bool is_mapped = at != nullptr || (from.is_texture() && !texel::is_inside(from, place));
    if (extra.has_status) set_bits(run, wave, result_slot(access, values), lane, false, is_mapped ? kMapped : 0);
  });
}

void texel_store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots slots = texture_slots(access);
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    texel::Descriptor& to = descriptor(run, wave, access, lane);
    std::byte* const at = texel(run, wave, slots, extra, to, lane);
    if (at == nullptr) return;
    const auto value = texel_of(run, wave, slots.values, access.type, to.format, lane);
    write(run, {.to = at, .format = &to.format, .value = value, .kind = Store::Kind::texel});
  });
}

void texel_atomic(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots slots = texture_slots(access);
  const bool wide = is_wide(access.type);
  const bool compares = extra.op == ir::AtomicOp::compare_exchange;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    texel::Descriptor& to = descriptor(run, wave, access, lane);
    std::byte* at = texel(run, wave, slots, extra, to, lane);
    if (to.format.bytes() < memory_bytes(access.type)) at = nullptr;
    const std::uint64_t compare = compares ? get_bits(run, wave, slots.values[1], lane, wide) : 0;
    put(run, wave, access, lane, 0, change(run, at, extra.op, access.type, get_bits(run, wave, slots.values[0], lane, wide), compare));
  });
}

void query_size(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const bool cube = dxcontainer::is_cube(extra.dimension);
  for_each_lane(exec, [&](unsigned lane) {
    const texel::Descriptor& of = descriptor(run, wave, access, lane);
    std::array<std::uint32_t, 4> size{};
    if (of.is_texture()) {
      const std::uint32_t level = extra.has_lod ? get32(run, wave, access.operands[1], lane) : 0;
      const auto at_level = [&](std::uint32_t texels) { return std::max(1U, texels >> level); };
      const unsigned dimensions = cube ? 2 : extra.dimension_count();
      // of a level that is not there all are 0, as if nothing were bound. src: FS 22.4.14
      if (level < of.levels) {
        size = {at_level(of.width), at_level(of.height), at_level(of.depth), 0};
        if (extra.is_array()) size[dimensions] = cube ? of.layers / 6 : of.layers;
      }
    } else {
      const std::uint64_t element = of.stride != 0 ? of.stride : of.format.bytes() != 0 ? of.format.bytes() : 1;
      size[0] = static_cast<std::uint32_t>(of.bytes.size() / element);
    }
    for (unsigned member = 0; member < access.results; ++member)
      set_bits(run, wave, access.first_result + member, lane, false, size[member & 3]);
  });
}

void query_levels(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    const texel::Descriptor& of = descriptor(run, wave, access, lane);
    set_bits(run, wave, access.first_result, lane, false, of.is_texture() ? of.levels : 0);
  });
}

void query_samples(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    std::uint32_t samples = run.alone != nullptr ? run.alone->samples : 1;
    if (!access.operands.empty()) {
      const texel::Descriptor& of = descriptor(run, wave, access, lane);
      samples = of.is_texture() ? of.samples : 0;
    }
    set_bits(run, wave, access.first_result, lane, false, samples);
  });
}

void access_mapped(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    set_bits(run, wave, access.first_result, lane, false, get32(run, wave, access.operands[0], lane) != 0 ? 0xffff'ffff : 0);
  });
}

}  // namespace

std::uint64_t perform(const Store& store) {
  if (store.kind == Store::Kind::texel) return texel::store_texel(*store.format, store.value, store.to), 0;
  if (store.kind == Store::Kind::bytes) return std::memcpy(store.to, store.value.data(), store.size), 0;
  const auto [value, compare] = std::bit_cast<std::array<std::uint64_t, 2>>(store.value);
  const unsigned size = memory_bytes(store.type);
  std::uint64_t old = 0;
  std::memcpy(&old, store.to, size);
  const std::uint64_t made = atomic_result(store.op, store.type, old, value, compare);
  std::memcpy(store.to, &made, size);
  return old;
}

TextureSlots texture_slots(const Access& access) {
  TextureSlots slots;
  TextureSlotReader archive{std::span(access.operands).subspan(ir::texture_handles(access.op))};
  ir::describe(archive, access.op, TextureExtra(access.extra), slots);
  return slots;
}

AccessFunction resource_function(Op op) {
  switch (op) {
    case Op::handle: return handle;
    case Op::handle_from_heap: return handle_from_heap;
    case Op::handle_null: return handle_null;
    case Op::handle_from_address: return handle_from_address;
    case Op::address_offset: return address_offset;
    case Op::cbuffer_load: return cbuffer_load;
    case Op::buffer_load: return buffer_load;
    case Op::buffer_store: return buffer_store;
    case Op::buffer_atomic: return buffer_atomic;
    case Op::counter: return counter;
    case Op::texel_load: return texel_load;
    case Op::texel_store: return texel_store;
    case Op::texel_atomic: return texel_atomic;
    case Op::query_size: return query_size;
    case Op::query_levels: return query_levels;
    case Op::query_samples: return query_samples;
    case Op::access_mapped: return access_mapped;
    default: return nullptr;
  }
}

Resources empty_resources(const ir::Module& module) {
  Resources made;
  made.rows.resize(module.resources.size());
  return made;
}

texel::Descriptor& descriptor(Run& run, Wave& wave, const Access& access, unsigned lane, std::size_t operand) {
  const std::uint32_t handle = get32(run, wave, access.operands[operand], lane);
  return handle != 0 && handle < run.table.size() ? *run.table[handle] : (run.nothing = {});
}

std::uint64_t typed_value(Type type, const std::array<std::uint32_t, 4>& texel, unsigned member) {
  if (vm::is_wide(type)) return member == 0 ? texel[0] | std::uint64_t{texel[1]} << 32 : member == 3 ? 1 : 0;
  const std::uint32_t bits = texel[member & 3];
  if (type == Type::f16) return texel::rounded_to_f16(bits, ir::Rounding::toward_zero);
  return type == Type::i16 || type == Type::i8 ? lane_bits(type, bits) : bits;
}

}  // namespace unshade::vm
