#include "vm/sampling/filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include <unshade/ir/numeric/nan.hpp>
#include <unshade/texel/texture.hpp>

#include "vm/sampling/address.hpp"
#include "vm/sampling/cube.hpp"

namespace unshade::vm::sampling {
namespace {

float real(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// What the border is in the format of a texture: its own components, in the range that it has. src: 7.18.9.1
Texel border_of(const texel::Descriptor& texture, const texel::Sampler& sampler) {
  Texel made = texel::default_texel(texture.format);
  for (unsigned k = 0; k < 4; ++k) {
    if (!texture.format.has(k)) continue;
    const float value = sampler.border[k];
    if (texture.format.is_integer()) {
      made[k] = static_cast<std::uint32_t>(static_cast<std::int64_t>(std::isnan(value) ? 0.0F : std::clamp(value, -0x1p31F, 0x1p31F)));
    } else {
      made[k] = bits_of(texel::in_range(texture.format, value));
    }
  }
  return made;
}

// src: 22.4.19: reference (comparison) texel
bool compare(texel::Comparison how, float reference, float texel) {
  switch (how) {
    case texel::Comparison::never: return false;
    case texel::Comparison::less: return reference < texel;
    case texel::Comparison::equal: return reference == texel;
    case texel::Comparison::less_equal: return reference <= texel;
    case texel::Comparison::greater: return reference > texel;
    case texel::Comparison::not_equal: return reference != texel;
    case texel::Comparison::greater_equal: return reference >= texel;
    default: return true;
  }
}

std::uint32_t element_of(float value, std::uint32_t count) {
  if (std::isnan(value) || value <= 0) return 0;
  const double rounded = (std::min<double>(value, 0x1p32) + 0x1.8p52) - 0x1.8p52;
  return std::min(static_cast<std::uint32_t>(std::min(rounded, 4294967295.0)), count - 1);
}

// A level of a texture as one request reads it: the element of the array and the face of the cube are chosen.
class Source {
 public:
  Source(const Request& request, std::uint32_t level)
      : request_(request), level_(texel::level_of(request.texture, level)), cube_(dxcontainer::is_cube(request.extra.dimension)) {
    const texel::Descriptor& texture = request.texture;
    dimensions_ = cube_ ? 2 : request.extra.dimension_count();
    size_ = {level_.width, level_.height, level_.depth};
    if (cube_) size_[1] = size_[0];
    layer_ = request.extra.is_array() ? element_of(request.element, std::max(1U, cube_ ? texture.layers / 6 : texture.layers)) : 0;
    if (cube_) layer_ *= 6;
  }

  /// The taps of each axis for coordinates of the request.
  std::array<Taps, 3> taps(const Vector& place, texel::Filter filter, const std::array<std::int32_t, 3>& offset) {
    std::array<Taps, 3> made{};
    Vector at = place;
    if (cube_) {
      face_ = face_of(place);
      const OnFace on = on_face(face_, place);
      at = {on.u / on.major * 0.5 + 0.5, on.v / on.major * 0.5 + 0.5, 0};
    }
    for (unsigned k = 0; k < dimensions_; ++k) {
      double in_texels = at[k];
      if (request_.sampler.normalized || cube_) {
        const texel::AddressMode mode = cube_ ? texel::AddressMode::clamp : request_.sampler.address[k];
        in_texels = reduce_range(at[k], mode) * static_cast<double>(size_[k]);
      }
      made[k] = taps_at(in_texels, filter);
      if (cube_ && filter == texel::Filter::point) made[k].first = std::clamp<std::int64_t>(made[k].first, 0, size_[k] - 1);
      if (!cube_) made[k].first += offset[k];
    }
    return made;
  }

  /// Nothing at the corner of a cube.
  std::optional<Texel> fetch(std::int64_t x, std::int64_t y, std::int64_t z) {
    if (cube_) {
      const auto texel = across_edge({face_, x, y}, size_[0]);
      return texel ? std::optional(at(texel->x, texel->y, 0, layer_ + texel->face)) : std::nullopt;
    }
    const auto place = addressed({x, y, z});
    return place ? at((*place)[0], (*place)[1], (*place)[2], layer_) : border_of(request_.texture, request_.sampler);
  }

  /// A texel after the address modes, not of a cube; nothing at the border.
  std::optional<std::array<std::int64_t, 3>> addressed(const std::array<std::int64_t, 3>& texel) const {
    std::array<std::int64_t, 3> place{};
    for (unsigned k = 0; k < dimensions_; ++k) {
      place[k] = address(texel[k], size_[k], request_.sampler.address[k]);
      if (place[k] == kBorder) return std::nullopt;
    }
    return place;
  }

  std::uint32_t layer() const { return layer_; }
  bool is_mapped() const { return is_mapped_; }

 private:
  Texel at(std::int64_t x, std::int64_t y, std::int64_t z, std::uint32_t layer) {
    const std::byte* const texel =
        level_.at(request_.texture, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z), layer, 0);
    const texel::Format& format = request_.texture.format;
    is_mapped_ = is_mapped_ && texel != nullptr;
    if (texel == nullptr) return texel::missing_texel(format);
    return texel::load_texel(format, texel, static_cast<unsigned>(x) & (format.block_width() - 1),
                             static_cast<unsigned>(y) & (format.block_height() - 1));
  }

  const Request& request_;
  texel::Level level_;
  bool cube_;
  bool is_mapped_ = true;
  unsigned dimensions_ = 1;
  unsigned face_ = 0;
  std::uint32_t layer_ = 0;
  std::array<std::int64_t, 3> size_{};
};

// The number if one is NaN. Of zeros the second, where std::fmin() and std::fmax() may give either.
double least(double a, double b) { return a < b || std::isnan(b) ? a : b; }
double greatest(double a, double b) { return a > b || std::isnan(b) ? a : b; }

// Adds up what taps have. Sums are exact to far below the last place of f32, and rounded once.
class Blend {
 public:
  explicit Blend(const Request& request) : request_(request) {
    if (request.extra.has_reference) reference_ = texel::quantized(request.texture.format, request.reference);
  }

  void add(const Texel& texel, double weight) {
    ++taps_;
    if (taps_ == 1) first_ = texel;
    if (request_.extra.has_reference) {
      sum_[0] += compare(request_.sampler.comparison, reference_, real(texel[0])) ? weight : 0;
      return;
    }
    for (unsigned k = 0; k < 4; ++k) {
      const double value = real(texel[k]);
      switch (request_.sampler.blending) {
        case texel::Blending::average: sum_[k] += weight * value; break;
        case texel::Blending::minimum: sum_[k] = taps_ == 1 ? value : least(sum_[k], value); break;
        case texel::Blending::maximum: sum_[k] = taps_ == 1 ? value : greatest(sum_[k], value); break;
      }
    }
  }

  Texel value() const {
    if (request_.extra.has_reference) {
      const std::uint32_t share = bits_of(static_cast<float>(sum_[0]));
      return {share, share, share, share};
    }
    // a texel alone is what it is
    if (taps_ == 1) return first_;
    Texel made;
    for (unsigned k = 0; k < 4; ++k) made[k] = ir::numeric::canonical_bits(static_cast<float>(sum_[k]));
    return made;
  }

 private:
  const Request& request_;
  float reference_ = 0;
  unsigned taps_ = 0;
  Texel first_{};
  std::array<double, 4> sum_{};
};

// Calls `visit(texel, weight)` for the taps of a level around a place, whose weights add up to `share`. Those without a weight are not
// read.
template <class Visit>
void each_tap(Source& source, const Request& request, const Vector& place, texel::Filter filter, double share, Visit visit) {
  const auto taps = source.taps(place, filter, request.offset);
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = share;
    for (unsigned k = 0; k < 3; ++k) weight *= (corner >> k & 1) != 0 ? taps[k].weight : 1 - taps[k].weight;
    if (weight == 0) continue;
    visit(std::array{taps[0].first + (corner & 1), taps[1].first + (corner >> 1 & 1), taps[2].first + (corner >> 2)}, weight);
  }
}

// Adds the taps of a level.
void add_level(Source& source, const Request& request, const Vector& place, texel::Filter filter, double share, Blend& to) {
  struct Weighted {
    Texel texel;
    double weight;
  };
  std::array<Weighted, 8> read;
  unsigned count = 0;
  double missing = 0;
  each_tap(source, request, place, filter, share, [&](const std::array<std::int64_t, 3>& at, double weight) {
    if (const auto texel = source.fetch(at[0], at[1], at[2])) {
      read[count++] = {*texel, weight};
    } else {
      missing = weight;
    }
  });
  for (unsigned k = 0; k < count; ++k) to.add(read[k].texel, read[k].weight + missing / count);
}

// Calls `visit(source, level, place, filter, share)` for each level and each place on the line of an anisotropic filter.
template <class Visit>
void each_place(const Request& request, float level, const Footprint& footprint, Visit visit) {
  const texel::Sampler& sampler = request.sampler;
  const Levels levels = choose_levels(request.texture, sampler, level);
  texel::Filter filter = sampler.anisotropic ? texel::Filter::linear : levels.magnified ? sampler.mag : sampler.min;
  // numbers of integers are not blended
  const bool blends = !request.texture.format.is_integer();
  if (!blends) filter = texel::Filter::point;
  const unsigned samples = blends ? footprint.samples : 1;
  const auto in_level = [&](std::uint32_t number, double share) {
    Source source(request, number);
    for (unsigned k = 0; k < samples; ++k) {
      const double along = (k + 0.5) / samples - 0.5;
      const Vector place{request.place[0] + along * footprint.line[0], request.place[1] + along * footprint.line[1], request.place[2]};
      visit(source, number, place, filter, share / samples);
    }
  };
  const bool is_between = levels.weight > 0 && levels.second != levels.first && blends;
  in_level(levels.first, is_between ? 1 - levels.weight : 1);
  if (is_between) in_level(levels.second, levels.weight);
}

// The mean of three of four values; of integers without its fraction.
std::uint32_t mean_of_others(const Texel& values, unsigned without, const Request& request) {
  const bool is_integer = request.texture.format.is_integer() && !request.extra.has_reference;
  const bool is_signed = request.texture.format.encoding == texel::Encoding::sint;
  double sum = 0;
  std::int64_t whole = 0;
  for (unsigned k = 0; k < 4; ++k) {
    if (k == without) continue;
    sum += is_integer ? 0.0 : double{real(values[k])};
    whole += is_signed ? std::int64_t{static_cast<std::int32_t>(values[k])} : std::int64_t{values[k]};
  }
  return is_integer ? static_cast<std::uint32_t>(whole / 3) : ir::numeric::canonical_bits(static_cast<float>(sum / 3));
}

}  // namespace

Sampled sample(const Request& request, float level, const Footprint& footprint) {
  if (!request.texture.is_texture()) return {{}, false};
  Blend blend(request);
  bool is_mapped = true;
  each_place(request, level, footprint, [&](Source& source, std::uint32_t, const Vector& place, texel::Filter filter, double share) {
    add_level(source, request, place, filter, share, blend);
    is_mapped = is_mapped && source.is_mapped();
  });
  return {blend.value(), is_mapped};
}

void find_texels(const Request& request, float level, const Footprint& footprint, std::vector<texel::TexelPlace>& to) {
  if (!request.texture.is_texture()) return;
  each_place(request, level, footprint,
             [&](Source& source, std::uint32_t number, const Vector& around, texel::Filter filter, double share) {
               each_tap(source, request, around, filter, share, [&](const std::array<std::int64_t, 3>& texel, double) {
                 const auto place = source.addressed(texel);
                 if (!place) return;
                 texel::TexelPlace& made = to.emplace_back();
                 made.x = static_cast<std::uint32_t>((*place)[0]);
                 made.y = static_cast<std::uint32_t>((*place)[1]);
                 made.z = static_cast<std::uint32_t>((*place)[2]);
                 made.layer = source.layer();
                 made.level = number;
               });
             });
}

Sampled gather(const Request& request, std::span<const std::array<std::int32_t, 3>> offsets) {
  if (!request.texture.is_texture()) return {{}, false};
  Source source(request, 0);
  const unsigned component = request.extra.has_reference ? 0 : request.extra.component;
  const float reference = request.extra.has_reference ? texel::quantized(request.texture.format, request.reference) : 0;
  const auto value = [&](const Texel& texel) {
    if (!request.extra.has_reference) return texel[component];
    return bits_of(compare(request.sampler.comparison, reference, real(texel[0])) ? 1.0F : 0.0F);
  };
  constexpr std::array<std::array<int, 2>, 4> kOrder{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Texel made{};
  unsigned missing = 4;
  for (unsigned k = 0; k < 4; ++k) {
    // with an offset for each, every value is the upper left texel of its own footprint
    const bool own = offsets.size() == 4;
    const auto taps = source.taps(request.place, texel::Filter::linear, offsets[own ? k : 0]);
    const auto texel = source.fetch(taps[0].first + (own ? 0 : kOrder[k][0]), taps[1].first + (own ? 0 : kOrder[k][1]), 0);
    if (texel) {
      made[k] = value(*texel);
    } else {
      missing = k;
    }
  }
  // The corner of a cube is the mean of the three others. src: 22.4.2
  if (missing < 4) made[missing] = mean_of_others(made, missing, request);
  return {made, source.is_mapped()};
}

}  // namespace unshade::vm::sampling
