#include "draw/merger/blend.hpp"

#include <algorithm>
#include <bit>

#include <unshade/core/bits/nearest.hpp>
#include <unshade/ir/numeric/nan.hpp>

namespace unshade::draw {
namespace {

using Real = std::array<float, 4>;

struct Operands {
  Real src, src1, dest, factor;
};

// A factor of component k of what it multiplies; of alpha, colors are alphas.
float factor_of(BlendFactor which, const Operands& of, unsigned k) {
  switch (which) {
    case BlendFactor::zero: return 0;
    case BlendFactor::one: return 1;
    case BlendFactor::src_color: return of.src[k];
    case BlendFactor::inv_src_color: return 1 - of.src[k];
    case BlendFactor::src_alpha: return of.src[3];
    case BlendFactor::inv_src_alpha: return 1 - of.src[3];
    case BlendFactor::dest_alpha: return of.dest[3];
    case BlendFactor::inv_dest_alpha: return 1 - of.dest[3];
    case BlendFactor::dest_color: return of.dest[k];
    case BlendFactor::inv_dest_color: return 1 - of.dest[k];
    case BlendFactor::src_alpha_sat: return k == 3 ? 1 : std::min(of.src[3], 1 - of.dest[3]);
    case BlendFactor::blend_factor: return of.factor[k];
    case BlendFactor::inv_blend_factor: return 1 - of.factor[k];
    case BlendFactor::src1_color: return of.src1[k];
    case BlendFactor::inv_src1_color: return 1 - of.src1[k];
    case BlendFactor::src1_alpha: return of.src1[3];
    case BlendFactor::inv_src1_alpha: return 1 - of.src1[3];
    case BlendFactor::alpha_factor: return of.factor[3];
    case BlendFactor::inv_alpha_factor: return 1 - of.factor[3];
  }
  return 0;
}

// A product of which a factor is zero is zero, so that what is not asked for does not spread NaN.
float product(float value, BlendFactor which, const Operands& of, unsigned k) {
  if (which == BlendFactor::zero) return 0;
  if (which == BlendFactor::one) return value;
  return value * factor_of(which, of, k);
}

float combined(BlendOp op, BlendFactor src, BlendFactor dest, const Operands& of, unsigned k) {
  using ir::numeric::canonical;
  switch (op) {
    case BlendOp::add: return canonical(product(of.src[k], src, of, k) + product(of.dest[k], dest, of, k));
    case BlendOp::subtract: return canonical(product(of.src[k], src, of, k) - product(of.dest[k], dest, of, k));
    case BlendOp::rev_subtract: return canonical(product(of.dest[k], dest, of, k) - product(of.src[k], src, of, k));
    case BlendOp::min: return std::min(of.src[k], of.dest[k]);
    case BlendOp::max: return std::max(of.src[k], of.dest[k]);
  }
  return 0;
}

std::uint32_t combined(LogicOp op, std::uint32_t src, std::uint32_t dest) {
  switch (op) {
    case LogicOp::clear: return 0;
    case LogicOp::set: return ~0U;
    case LogicOp::copy: return src;
    case LogicOp::copy_inverted: return ~src;
    case LogicOp::noop: return dest;
    case LogicOp::invert: return ~dest;
    case LogicOp::and_: return src & dest;
    case LogicOp::nand: return ~(src & dest);
    case LogicOp::or_: return src | dest;
    case LogicOp::nor: return ~(src | dest);
    case LogicOp::xor_: return src ^ dest;
    case LogicOp::equiv: return ~(src ^ dest);
    case LogicOp::and_reverse: return src & ~dest;
    case LogicOp::and_inverted: return ~src & dest;
    case LogicOp::or_reverse: return src | ~dest;
    case LogicOp::or_inverted: return ~src | dest;
  }
  return dest;
}

Real real(const Color& bits) {
  Real made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = std::bit_cast<float>(bits[k]);
  return made;
}

}  // namespace

void write_color(const TargetBlend& state, const std::array<float, 4>& factor, const texel::Format& format, const Color& color,
                 const Color& second, std::byte* texel) {
  if ((state.write_mask & 0xf) == 0) return;
  Color value = color;
  if (state.logic) {
    const Color dest = texel::load_texel(format, texel);
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned bits = format.components[k].bits;
      value[k] = combined(state.logic_op, value[k], dest[k]) & (bits >= 32 ? ~0U : (1U << bits) - 1);
    }
  } else if (state.blend && !format.is_integer()) {
    Operands of{real(color), real(second), real(texel::load_texel(format, texel)), factor};
    for (unsigned k = 0; k < 4; ++k) {
      of.src[k] = texel::in_range(format, of.src[k]);
      of.src1[k] = texel::in_range(format, of.src1[k]);
      of.factor[k] = texel::in_range(format, of.factor[k]);
    }
    for (unsigned k = 0; k < 4; ++k) {
      const float made =
          k == 3 ? combined(state.op_alpha, state.src_alpha, state.dest_alpha, of, k) : combined(state.op, state.src, state.dest, of, k);
      value[k] = std::bit_cast<std::uint32_t>(made);
    }
  }
  if ((state.write_mask & 0xf) == 0xf) return texel::store_texel(format, value, texel);
  texel::Format written = format;
  for (unsigned k = 0; k < 4; ++k)
    if ((state.write_mask >> k & 1) == 0) written.components[k].bits = 0;
  texel::store_texel(written, value, texel);
}

std::uint32_t alpha_coverage(float alpha, unsigned samples) {
  const float share = alpha > 0 ? std::min(alpha, 1.0F) : 0;
  const auto count = static_cast<unsigned>(nearest_integral(share * static_cast<float>(samples)));
  return (1U << count) - 1;
}

}  // namespace unshade::draw
