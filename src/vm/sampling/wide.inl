// Sampling of many lanes for the instruction set that a file is compiled for. Included by wide_*.cpp, which define UNSHADE_WIDE, the name
// of the table. Every step is that of filter.cpp, address.hpp and level_of_detail.cpp in the same order, so that the bits are the same.
#include <cstdint>
#include <cstring>

#include <unshade/ir/numeric/math.hpp>

#include "vm/sampling/wide.hpp"

namespace unshade::vm::sampling {
namespace {

namespace numeric = ir::numeric;
using numeric::bits_as;
using numeric::convert;
using numeric::mask_as;
using numeric::select;

constexpr int kLanes = kWideLanes;
using Real = numeric::F64<kLanes>;
using Single = numeric::F32<kLanes>;
using Word = numeric::U32<kLanes>;
using Whole = numeric::S32<kLanes>;
using Wide = numeric::U64<kLanes>;

constexpr double kRound = 0x1.8p52;  // sums with it have no fraction

// floor() of what is below 2^51 in magnitude; others stay, as they have no fraction.
UNSHADE_LANES Real floor_of(const Real& v) {
  const Real near = (v + kRound) - kRound;
  const Real down = near - select(near > v, 1.0, Real(0.0));
  return select((v < 0x1p51) & (v > -0x1p51), down, v);
}
UNSHADE_LANES Real trunc_of(const Real& v) {
  const Real size = as_float(bits(v) & 0x7fff'ffff'ffff'ffff);
  return as_float(bits(floor_of(size)) | (bits(v) & 0x8000'0000'0000'0000));
}

// reduce_range()
UNSHADE_LANES Real reduced(const Real& u, texel::AddressMode mode) {
  if (mode == texel::AddressMode::wrap) return u - floor_of(u);
  if (mode == texel::AddressMode::mirror) return (u / 2.0 - trunc_of(u / 2.0)) * 2.0;
  return select(u <= -10.0, -10.0, select(u >= 10.0, 10.0, u));
}

// The texels of an axis around a coordinate, with the weight of the second, after the address mode.
struct AxisTaps {
  Word first, second;
  Real weight;
};

// address() of a texel. Adds to `rare` lanes that need more than one step, and those at the border.
UNSHADE_LANES Word addressed(const Whole& texel, const Whole& size, texel::AddressMode mode, Word& rare) {
  const Whole last = size - 1;
  switch (mode) {
    case texel::AddressMode::wrap: {
      const Whole up = select(texel < 0, texel + size, texel);
      const Whole made = select(up > last, up - size, up);
      rare = rare | (made < 0) | (made > last);
      return as_unsigned(made);
    }
    case texel::AddressMode::mirror: {
      const Whole positive = select(texel < 0, Whole(-1) - texel, texel);
      const Whole made = select(positive > last, size + last - positive, positive);
      rare = rare | (made < 0);
      return as_unsigned(made);
    }
    case texel::AddressMode::clamp: {
      const Whole low = select(texel < 0, Whole(0), texel);
      return as_unsigned(select(low > last, last, low));
    }
    case texel::AddressMode::mirror_once: {
      const Whole positive = select(texel < 0, Whole(-1) - texel, texel);
      return as_unsigned(select(positive > last, last, positive));
    }
    default: {
      const Word outside = (texel < 0) | (texel > last);
      rare = rare | outside;
      return as_unsigned(select(outside, Whole(0), texel));
    }
  }
}

// `half`: 0.5 of lanes that filter, else 0.
UNSHADE_LANES AxisTaps axis_taps(const Single& coordinate, const Whole& size, const Real& half, const Wide& linear, texel::AddressMode mode,
                                 std::int32_t offset, Word& rare) {
  const Real place = reduced(convert<double>(coordinate), mode) * convert<double>(size) - half;
  const Real scaled = (place * 256.0 + kRound) - kRound;
  const Whole fixed = convert<std::int32_t>(select(scaled == scaled, scaled, 0.0));  // NaN is 0
  const Whole first = (fixed >> 8) + offset;
  const Real part = convert<double>(as_signed(as_unsigned(fixed) & 0xff));
  AxisTaps made;
  made.weight = select(linear, part * 0x1p-8, 0.0);
  made.first = addressed(first, size, mode, rare);
  made.second = addressed(first + 1, size, mode, rare);
  return made;
}

UNSHADE_LANES Word loaded(const unsigned char* from, const Word& offset) {
  std::uint32_t places[kLanes], words[kLanes];
  offset.store(places);
  for (int lane = 0; lane < kLanes; ++lane) std::memcpy(&words[lane], from + places[lane], 4);
  return Word::load(words);
}

// Whether all lanes have one value.
UNSHADE_LANES bool is_same(const Word& v) { return !any(v ^ v.lane(0)); }

struct Sums {
  Real of[4];
};

// A UNORM byte: the quotient, rounded to f32, as a double. Equal to that of the division for each of the 256.
constexpr bool products_are_quotients() {
  for (int k = 0; k < 256; ++k)
    if (static_cast<float>(k * (1 / 255.0)) != static_cast<float>(k / 255.0)) return false;
  return true;
}
static_assert(products_are_quotients());
UNSHADE_LANES Real unorm_byte(const Word& byte) { return convert<double>(convert<float>(convert<double>(as_signed(byte)) * (1 / 255.0))); }

UNSHADE_LANES Word compared(texel::Comparison how, const Single& reference, const Single& texel) {
  switch (how) {
    case texel::Comparison::never: return Word(0);
    case texel::Comparison::less: return reference < texel;
    case texel::Comparison::equal: return reference == texel;
    case texel::Comparison::less_equal: return reference <= texel;
    case texel::Comparison::greater: return reference > texel;
    case texel::Comparison::not_equal: return reference != texel;
    case texel::Comparison::greater_equal: return reference >= texel;
    default: return Word(0xffff'ffff);
  }
}

// Adds the taps of a level, whose weights add up to `share`. False: some are not for this way.
bool add_level(const WidePlan& plan, const WideLanes& lanes, const Single& u, const Single& v, const Word& active, const Word& level,
               const Word& layer, const Wide& linear, const Real& share, Sums& sums) {
  Word width, height, start;
  if (is_same(level)) {
    const WidePlan::Level& one = plan.levels[level.lane(0)];
    width = Word(one.width);
    height = Word(one.height);
    start = Word(one.offset);
  } else {
    std::uint32_t own[3][kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      const WidePlan::Level& one = plan.levels[level.lane(lane)];
      own[0][lane] = one.width;
      own[1][lane] = one.height;
      own[2][lane] = one.offset;
    }
    width = Word::load(own[0]);
    height = Word::load(own[1]);
    start = Word::load(own[2]);
  }
  const Real half = select(linear, 0.5, Real(0.0));
  Word rare(0);
  const AxisTaps x = axis_taps(u, as_signed(width), half, linear, plan.address[0], lanes.offset[0], rare);
  const AxisTaps y = axis_taps(v, as_signed(height), half, linear, plan.address[1], lanes.offset[1], rare);
  if (any(rare & active)) return false;
  if (any(rare)) return false;  // lanes that do not run read texels too
  const Real weights_x[2] = {Real(1.0) - x.weight, x.weight};
  const Real weights_y[2] = {Real(1.0) - y.weight, y.weight};
  const Word columns[2] = {x.first, x.second}, rows[2] = {y.first, y.second};
  const bool filters = any(linear);
  const bool is_bytes = plan.is_bytes && lanes.reference == nullptr;
  if (is_bytes) start = start + layer * plan.layer_stride;
  for (int corner = 0; corner < (filters ? 4 : 1); ++corner) {
    const Word column = columns[corner & 1], row = rows[corner >> 1];
    const Real weight = share * weights_x[corner & 1] * weights_y[corner >> 1];
    if (is_bytes) {
      const Word word = loaded(plan.texels, start + (row * width + column) * 4);
      for (int k = 0; k < 4; ++k)
        if (plan.has[k]) sums.of[k] = sums.of[k] + weight * unorm_byte((word >> plan.shift[k]) & 0xff);
      continue;
    }
    const Wide has_weight = weight > 0;
    if (!any(has_weight)) continue;
    WideTexels at;
    column.store(at.x);
    row.store(at.y);
    layer.store(at.layer);
    level.store(at.level);
    float texels[4 * kLanes];
    plan.fetch(plan, at, texels);
    if (lanes.reference != nullptr) {
      const Word passes = compared(plan.comparison, Single::load(lanes.reference), Single::load(texels));
      sums.of[0] = sums.of[0] + select(mask_as<std::uint64_t>(passes) & has_weight, weight, 0.0);
      continue;
    }
    for (int k = 0; k < 4; ++k) {
      if (!plan.has[k]) continue;
      const Single texel = Single::load(texels + k * kLanes);
      // infinite, NaN, denormal and -0: what a texel alone is, and how NaN spreads, is not for sums
      const Word exponent = bits(texel) & 0x7f80'0000;
      const Word odd = (exponent == 0x7f80'0000) | ((exponent == 0) & ~(bits(texel) == 0));
      if (any(odd & active)) return false;
      sums.of[k] = sums.of[k] + select(has_weight, weight * convert<double>(texel), 0.0);
    }
  }
  return true;
}

bool sample(const WidePlan& plan, const WideLanes& lanes) {
  const Word active = Word::load(lanes.active);
  // lanes that do not run may hold anything
  const Single u = bits_as<float>(bits(Single::load(lanes.u)) & active), v = bits_as<float>(bits(Single::load(lanes.v)) & active);
  Single level = Single::load(lanes.level) + plan.lod_bias;
  level = level + (lanes.bias != nullptr ? Single::load(lanes.bias) : Single(0.0F));
  // clamp_level()
  const Single most(plan.max_lod);
  const Single below = select((level < most) & (level == level), level, most);
  Single clamped = select(Single(plan.min_lod) < below, below, plan.min_lod);
  if (lanes.min_lod != nullptr) {
    const Single least = Single::load(lanes.min_lod);
    clamped = select(clamped < least, least, clamped);
  }
  clamped = bits_as<float>(bits(clamped) & active);
  // choose_levels()
  const Word magnified = clamped <= 0.0F;
  const Real last(plan.last_level);
  const Real within = convert<double>(clamped);
  const Real positive = select(within > 0, within, 0.0);  // NaN too
  const Real fixed_real = (select(positive > last, last, positive) * 256.0 + kRound) - kRound;
  const Word fixed = as_unsigned(convert<std::int32_t>(fixed_real));
  Word first = plan.linear_mip ? fixed >> 8 : (fixed + 128) >> 8;
  Real second_share(0.0);
  Word second = first;
  if (plan.linear_mip) {
    second_share = convert<double>(as_signed(fixed & 0xff)) * 0x1p-8;
    second = first + 1;
    second = select(second > plan.last_level, plan.last_level, second);
  } else {
    first = select(first > plan.last_level, plan.last_level, first);
  }
  const Word linear_lanes = (magnified & (plan.linear_mag ? 0xffff'ffff : 0)) | (~magnified & (plan.linear_min ? 0xffff'ffff : 0));
  const Wide linear = mask_as<std::uint64_t>(linear_lanes);

  Word layer(0);
  if (lanes.element != nullptr) {
    // element_of()
    const Real element = convert<double>(Single::load(lanes.element));
    const Real above = select(element > 0, element, 0.0);  // NaN too
    const Real most_layer(static_cast<double>(plan.layers - 1));
    const Real rounded = (select(above > most_layer, most_layer, above) + kRound) - kRound;
    layer = as_unsigned(convert<std::int32_t>(rounded)) & active;
  }

  Sums sums;
  for (Real& one : sums.of) one = Real(0.0);
  if (!add_level(plan, lanes, u, v, active, first, layer, linear, Real(1.0) - second_share, sums)) return false;
  if (any(bits(second_share)) && !add_level(plan, lanes, u, v, active, second, layer, linear, second_share, sums)) return false;
  for (int k = 0; k < 4; ++k) {
    Single made = convert<float>(sums.of[lanes.reference != nullptr ? 0 : k]);
    if (lanes.reference == nullptr && !plan.has[k]) made = Single(k == 3 ? 1.0F : 0.0F);
    made.store(lanes.to + k * kLanes);
  }
  return true;
}

// --- levels of detail ----------------------------------------------------------------------------------------------------------------

constexpr int kQuads = kWideQuadLanes / 4;
using QuadReal = numeric::F64<kQuads>;
using QuadSingle = numeric::F32<kQuads>;
using QuadMask = numeric::U64<kQuads>;

bool levels(const WidePlan& plan, const float* u, const float* v, std::uint32_t exec, unsigned lanes, float* level) {
  // change_in_quad()
  float change[4][kQuads] = {};
  for (unsigned quad = 0; quad < lanes / 4; ++quad) {
    const unsigned first = 4 * quad;
    const std::uint32_t run = exec >> first;
    if ((run & 1) == 0) continue;
    if ((run & 2) != 0) {
      change[0][quad] = u[first + 1] - u[first];
      change[1][quad] = v[first + 1] - v[first];
    }
    if ((run & 4) != 0) {
      change[2][quad] = u[first + 2] - u[first];
      change[3][quad] = v[first + 2] - v[first];
    }
  }
  // footprint() and ellipse_of(), of two dimensions
  const double width = plan.levels[0].width, height = plan.levels[0].height;
  const QuadReal dx0 = convert<double>(QuadSingle::load(change[0])) * width, dx1 = convert<double>(QuadSingle::load(change[1])) * height;
  const QuadReal dy0 = convert<double>(QuadSingle::load(change[2])) * width, dy1 = convert<double>(QuadSingle::load(change[3])) * height;
  const QuadReal x = dx0 * dx0 + dx1 * dx1, y = dy0 * dy0 + dy1 * dy1, cosine = dx0 * dy0 + dx1 * dy1;
  const QuadReal cross = dx0 * dy1 - dx1 * dy0;
  const QuadReal area = cross * cross;
  const QuadReal larger = select(x < y, y, x), sum = x + y;
  const QuadReal square = (x - y) * (x - y) + cosine * 4.0 * cosine;
  const QuadReal root = square_root(select(square > 0, square, 0.0));
  constexpr double kMost = 0x1.fffffffffffffp1023;
  const QuadMask turned = ~((x == 0) | (y == 0) | (cosine == 0) | (area == 0)) & (sum * sum <= kMost) & (root > 0);
  const QuadReal major = select(turned, (sum + root) * 0.5, larger);
  // log2_of(), of normal numbers
  const QuadMask positive = major > 0;
  const QuadMask normal = (major >= 0x1p-1022) & (major <= kMost);
  if (any(~(major == 0) & ~normal)) return false;
  const QuadReal mantissa = as_float((bits(major) & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  // a biased exponent as a number: below 2^52 with the bits of 2^52
  const QuadReal exponent = as_float((bits(major) >> 52) | 0x4330'0000'0000'0000) - (0x1p52 + 1023);
  const QuadSingle log = convert<float>(exponent) + numeric::flog2<ir::Type::f32>(convert<float>(mantissa));
  const QuadSingle made = select(mask_as<std::uint32_t>(positive), log, -__builtin_inff()) * 0.5F;
  for (unsigned lane = 0; lane < lanes; ++lane) level[lane] = made.lane(static_cast<int>(lane / 4));
  return true;
}

}  // namespace

extern const WideFunctions UNSHADE_WIDE;
const WideFunctions UNSHADE_WIDE = {levels, sample};

}  // namespace unshade::vm::sampling
