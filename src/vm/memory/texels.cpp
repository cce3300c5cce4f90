// Texels that are loaded and stored by their place. Loads that are out of bounds give 0, stores are dropped.
// src: Direct3D 11.3 functional specification 22.4, 7.5, 7.11
#include <array>
#include <optional>
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

// A level of a texture that all lanes mean.
struct TexelRows {
  const texel::Descriptor& texture;
  texel::Level level;
  std::uint32_t size, limit;  ///< bytes of a texel; the last place where one can begin
};

// Nothing if lanes mean several textures or levels, or if the texture is larger than offsets of 32 bits.
std::optional<TexelRows> texel_rows(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, const LaneMask& exec) {
  if (exec.count() < 2) return std::nullopt;
  const TextureExtra extra(access.extra);
  const texel::Descriptor* const texture = descriptor_of_all(run, wave, access, exec);
  if (texture == nullptr || !texture->is_texture() || !has_texel_rows(access, extra.has_status, *texture)) return std::nullopt;
  if (texel::texture_bytes(*texture) > kMostInRows) return std::nullopt;
  if (extra.has_lod && !is_same_in_all(run, wave, slots.lod, exec)) return std::nullopt;
  const std::uint32_t level = extra.has_lod ? get32(run, wave, slots.lod, exec.lowest()) : 0;
  const std::uint32_t size = texture->format.bytes();
  return TexelRows{*texture, texel::level_of(*texture, level), size, static_cast<std::uint32_t>(texture->memory() - size)};
}

// texel_place() of a chunk of lanes, and where it is.
template <int N>
Offsets<N> offsets_of(const Run& run, Wave& wave, const TextureSlots& slots, const TextureExtra& extra, const TexelRows& rows,
                      unsigned lane, std::uint64_t bits) {
  const unsigned dimensions = extra.dimension_count(), coordinates = extra.coordinate_count();
  const bool cube = dxcontainer::is_cube(extra.dimension);
  std::array<Words<N>, 4> at;
  for (unsigned k = 0; k < at.size(); ++k) at[k] = k < coordinates ? words_at<N>(run, wave, slots.coordinates[k], lane) : Words<N>(0);
  for (unsigned k = 0; extra.has_offset && k < dimensions; ++k) at[k] = at[k] + words_at<N>(run, wave, slots.offsets[k], lane);
  const Words<N> none(0);
  const Words<N> x = at[0], y = dimensions >= 2 ? at[1] : none, z = dimensions == 3 && !cube ? at[2] : none;
  Words<N> layer = extra.is_array() ? at[coordinates - 1] : none;
  if (cube) layer = layer * Words<N>(6) + at[2];
  const Words<N> sample = extra.has_sample ? words_at<N>(run, wave, slots.sample, lane) : none;
  const texel::Level& level = rows.level;
  const Words<N> within =
      (x < level.width) & (y < level.height) & (z < level.depth) & (layer < rows.texture.layers) & (sample < rows.texture.samples);
  Words<N> place = (z * Words<N>(level.height) + y) * Words<N>(level.width) + x;
  if (rows.texture.samples != 1) place = place * Words<N>(rows.texture.samples) + sample;
  place = place * Words<N>(rows.size) + static_cast<std::uint32_t>(level.offset);
  if (rows.texture.layers > 1) place = place + layer * Words<N>(static_cast<std::uint32_t>(level.layer_stride));
  return {place, within & (place <= rows.limit), bits, rows.size};
}

void texel_load(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots slots = texture_slots(access);
  const std::optional<TexelRows> rows = texel_rows(run, wave, access, slots, exec);
  const auto alone = [&](unsigned lane) { load_texel_in(run, wave, access, slots, lane); };
  if (!rows) return for_each_lane(exec, alone);
  by_rows(
      run, exec, [&]<int N>(unsigned lane, std::uint64_t bits) { return offsets_of<N>(run, wave, slots, extra, *rows, lane, bits); },
      [&](unsigned lane, std::uint64_t bits, const auto& offsets) {
        load_seen(run, bits, rows->texture.bytes.data(), rows->size, offsets, [&](const std::byte* memory, const auto& places) {
          load_texel_rows(run, wave, access.first_result, access.results, lane, bits, rows->texture.format, memory, places);
        });
      },
      alone);
}

void store_texel_in(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, unsigned lane) {
  texel::Descriptor& to = descriptor(run, wave, access, lane);
  std::byte* const at = texel(run, wave, slots, TextureExtra(access.extra), to, lane);
  if (at != nullptr) store_texel(run, to.format, texel_of(run, wave, slots.values, access.type, to.format, lane), at);
}

void texel_store(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const LaneMask acting = exec & ~wave.helper;
  const TextureExtra extra(access.extra);
  const TextureSlots slots = texture_slots(access);
  const std::optional<TexelRows> rows = texel_rows(run, wave, access, slots, acting);
  const auto alone = [&](unsigned lane) { store_texel_in(run, wave, access, slots, lane); };
  if (!rows) return for_each_lane(acting, alone);
  const texel::Format& format = rows->texture.format;
  by_rows(
      run, acting, [&]<int N>(unsigned lane, std::uint64_t bits) { return offsets_of<N>(run, wave, slots, extra, *rows, lane, bits); },
      [&](unsigned lane, std::uint64_t bits, const auto& offsets) {
        for_each_lane_of(lane, bits, [&](unsigned one) {
          const auto value = texel_of(run, wave, slots.values, access.type, format, one);
          store_texel(run, format, value, rows->texture.bytes.data() + offsets.of[one - lane]);
        });
      },
      alone);
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
    put(run, wave, access, lane, 0, atomically(run, at, extra.op, access.type, get_bits(run, wave, slots.values[0], lane, wide), compare));
  });
}

}  // namespace

AccessFunction texel_function(Op op) {
  switch (op) {
    case Op::texel_load: return texel_load;
    case Op::texel_store: return texel_store;
    case Op::texel_atomic: return texel_atomic;
    default: return nullptr;
  }
}

}  // namespace unshade::vm
