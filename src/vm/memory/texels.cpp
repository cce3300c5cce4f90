// Texels that are loaded and stored by their place. Loads that are out of bounds give 0, stores are dropped.
// src: Direct3D 11.3 functional specification 22.4, 7.5, 7.11
#include <algorithm>
#include <array>
#include <span>

#include <unshade/texel/texture.hpp>

#include "vm/access.hpp"
#include "vm/memory/addresses.hpp"

namespace unshade::vm {
namespace {

using ir::Op;
using ir::TextureExtra;
using ir::Type;

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

void load_texel_in(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, unsigned lane) {
  const TextureExtra extra(access.extra);
  const unsigned values = access.results - (extra.has_status ? 1U : 0U);
  texel::Descriptor& from = descriptor(run, wave, access, lane);
  const texel::TexelPlace place = texel_place(run, wave, slots, extra, lane);
  const std::byte* const at = texel::texel_at(from, place);
  if (at == nullptr) run.missed.add(lane);
  std::array<std::uint32_t, 4> loaded{};
  if (at != nullptr) {
    std::array<std::byte, 16> bytes{};
    read_bytes(run, at, from.format.bytes(), bytes.data());
    loaded = texel::load_texel(from.format, bytes.data(), place.x % from.format.block_width(), place.y % from.format.block_height());
  } else if (from.is_texture()) {
    loaded = texel::missing_texel(from.format);
  }
  for (unsigned member = 0; member < values; ++member) put(run, wave, access, lane, member, typed_value(access.type, loaded, member));
  // what is out of bounds touches no tile. src: Direct3D 11.3 functional specification 5.9.4.5.3
  const bool is_mapped = at != nullptr || (from.is_texture() && !texel::is_inside(from, place));
  if (extra.has_status) set_bits(run, wave, result_slot(access, values), lane, false, is_mapped ? kMapped : 0);
}

// Where the texels of a level are.
Places places_in(const Access& access, const texel::Descriptor& texture, const texel::Level& level) {
  const TextureExtra extra(access.extra);
  const TextureSlots& slots = access.texture;
  const unsigned dimensions = extra.dimension_count(), coordinates = extra.coordinate_count();
  std::uint32_t scale = texture.format.bytes();
  Places made;
  made.base = static_cast<std::uint32_t>(level.offset);
  made.limit = static_cast<std::uint32_t>(texture.memory() - scale);
  if (extra.has_sample) add_term(made, {.slot = slots.sample, .last = texture.samples - 1, .scale = scale});
  scale *= texture.samples;
  const std::uint32_t extents[] = {level.width, level.height, level.depth};
  for (unsigned k = 0; k < dimensions; scale *= extents[k++]) {
    add_term(made, {.slot = slots.coordinates[k],
                    .plus = extra.has_offset ? slots.offsets[k] : PlaceTerm::kNothing,
                    .last = extents[k] - 1,
                    .scale = scale});
  }
  if (extra.is_array())
    add_term(
        made,
        {.slot = slots.coordinates[coordinates - 1], .last = texture.layers - 1, .scale = static_cast<std::uint32_t>(level.layer_stride)});
  return made;
}

// Of cubes, of what is not bound, and of textures larger than offsets of 32 bits there are none.
TexelPlaces find_places(const Access& access, const texel::Descriptor& texture, std::uint32_t number) {
  TexelPlaces made{.texture = &texture, .level = number};
  const TextureExtra extra(access.extra);
  if (dxcontainer::is_cube(extra.dimension) || !texture.is_texture() || !has_texel_rows(access, extra.has_status, texture)) return made;
  if (texel::most_texture_bytes(texture) > static_cast<double>(kMostInRows)) return made;
  const texel::Level level = texel::level_of(texture, number);
  if (level.width == 0 || level.height == 0 || level.depth == 0 || texture.layers == 0 || texture.samples == 0) return made;
  made.by_rows = true;
  made.places = places_in(access, texture, level);
  return made;
}

// Where the texels of an access are; null if lanes mean several textures or levels, or if there are no places.
const TexelPlaces* texel_places(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (!exec.is_several()) return nullptr;
  const texel::Descriptor* const texture = descriptor_of_all(run, wave, access, exec);
  if (texture == nullptr || texture == &run.nothing) return nullptr;
  std::uint32_t level = 0;
  if (TextureExtra(access.extra).has_lod) {
    if (!is_same_in_all(run, wave, access.texture.lod, exec)) return nullptr;
    level = get32(run, wave, access.texture.lod, exec.lowest());
  }
  run.texel_places.resize(run.program.accesses.size());
  TexelPlaces& known = run.texel_places[static_cast<std::size_t>(&access - run.program.accesses.data())];
  if (known.texture != texture || known.level != level) known = find_places(access, *texture, level);
  return known.by_rows ? &known : nullptr;
}

void texel_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const auto alone = [&](unsigned lane) { load_texel_in(run, wave, access, access.texture, lane); };
  const TexelPlaces* const known = texel_places(run, wave, access, exec);
  if (known == nullptr) return for_each_lane(exec, alone);
  const texel::Descriptor& from = *known->texture;
  for_each_lane(load_texel_rows(run, wave, known->places, from.format, from.bytes.data(), exec, access.first_result, access.results),
                alone);
}

void store_texel_in(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, unsigned lane) {
  texel::Descriptor& to = descriptor(run, wave, access, lane);
  std::byte* const at = texel(run, wave, slots, TextureExtra(access.extra), to, lane);
  if (at != nullptr) store_texel(run, to.format, texel_of(run, wave, slots.values, access.type, to.format, lane), at);
}

void texel_store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const LaneMask acting = exec & ~wave.helper;
  const auto alone = [&](unsigned lane) { store_texel_in(run, wave, access, access.texture, lane); };
  const TexelPlaces* const known = texel_places(run, wave, access, acting);
  if (known == nullptr) return for_each_lane(acting, alone);
  const texel::Descriptor& to = *known->texture;
  const std::span<const std::uint16_t> values = access.texture.values;
  if (const unsigned words = to.format.words(); words != 0 && words <= values.size() && values[words - 1] != TextureSlots::kAbsent)
    return for_each_lane(store_rows(run, wave, known->places, to.bytes.data(), acting, values.first(words)), alone);
  const FoundPlaces found(run, wave, known->places, acting);
  for_each_lane(found.inside, [&](unsigned lane) {
    store_texel(run, to.format, texel_of(run, wave, values, access.type, to.format, lane), to.bytes.data() + found.at[lane]);
  });
  for_each_lane(found.outside, alone);
}

void texel_atomic(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots& slots = access.texture;
  const bool wide = is_wide(access.type);
  const bool compares = extra.op == ir::AtomicOp::compare_exchange;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    texel::Descriptor& to = descriptor(run, wave, access, lane);
    std::byte* at = texel(run, wave, slots, extra, to, lane);
    if (to.format.bytes() < memory_bytes(access.type)) at = nullptr;
    const std::uint64_t compare = compares ? get_bits(run, wave, slots.values[1], lane, wide) : 0;
    put(run, wave, access, lane, 0, atomically(run, at, extra.op, access.type, get_bits(run, wave, slots.values[0], lane, wide), compare));
  });
}

}  // namespace

LaneMask load_texel_rows(const Run& run, Wave& wave, const Places& places, const texel::Format& format, const std::byte* memory,
                         const LaneMask& exec, unsigned first_slot, unsigned count) {
  if (const unsigned words = format.words(); words != 0) {
    const LaneMask outside = load_rows(run, wave, places, memory, exec, first_slot, std::min(words, count));
    for (unsigned value = words; value < count; ++value)
      fill_row(run, wave, first_slot + value, texel::default_texel(format)[value], exec & ~outside);
    return outside;
  }
  const FoundPlaces found(run, wave, places, exec);
  const std::uint32_t size = format.bytes();
  touch_places(run, wave, places, memory, exec, size);
  std::array<std::byte, std::size_t{kMostLanes} * kMostOfLane> copy;
  const bool is_copy = is_shared(run, memory);
  if (is_copy) {
    for_each_run(run, found, size, [&](unsigned lane, unsigned lanes, std::uint32_t at) {
      run.pages->read(memory + at, std::size_t{lanes} * size, copy.data() + std::size_t{lane} * size);
    });
  }
  std::array<const std::byte*, kMostLanes> texels;
  unsigned some = 0;
  for_each_lane(found.inside,
                [&](unsigned lane) { texels[some++] = is_copy ? copy.data() + std::size_t{lane} * size : memory + found.at[lane]; });
  std::array<std::uint32_t, std::size_t{4} * kMostLanes> loaded;
  texel::load_texels(format, std::span(texels).first(some), loaded.data(), kMostLanes);
  for (unsigned value = 0; value < count; ++value) {
    const std::uint32_t* from = loaded.data() + std::size_t{value} * kMostLanes;
    for_each_lane(found.inside, [&](unsigned lane) { set_bits(run, wave, first_slot + value, lane, false, *from++); });
  }
  return found.outside;
}

AccessFunction texel_function(Op op) {
  switch (op) {
    case Op::texel_load: return texel_load;
    case Op::texel_store: return texel_store;
    case Op::texel_atomic: return texel_atomic;
    default: return nullptr;
  }
}

}  // namespace unshade::vm
