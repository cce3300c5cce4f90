// Handles of resources, and what is asked of them.
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

struct TextureSlotReader {
  std::span<const std::uint16_t> left;

  void values(char, std::span<std::uint16_t> to, unsigned count) {
    std::ranges::copy(left.first(count), to.begin());
    left = left.subspan(count);
  }
  void value(char letter, std::uint16_t& to, bool is_there) { values(letter, {&to, 1}, is_there ? 1 : 0); }
  void rest(char letter, std::span<std::uint16_t> to) { values(letter, to, static_cast<unsigned>(std::min(to.size(), left.size()))); }
};

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
