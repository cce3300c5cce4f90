#include "draw/merger/depth_stencil.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace unshade::draw {
namespace {

std::uint8_t changed(StencilOp op, std::uint8_t value, std::uint8_t reference) {
  switch (op) {
    case StencilOp::keep: return value;
    case StencilOp::zero: return 0;
    case StencilOp::replace: return reference;
    case StencilOp::increment_saturate: return static_cast<std::uint8_t>(value == 0xff ? 0xff : value + 1);
    case StencilOp::decrement_saturate: return static_cast<std::uint8_t>(value == 0 ? 0 : value - 1);
    case StencilOp::invert: return static_cast<std::uint8_t>(~value);
    case StencilOp::increment: return static_cast<std::uint8_t>(value + 1);
    case StencilOp::decrement: return static_cast<std::uint8_t>(value - 1);
  }
  return value;
}

// A depth as it is stored, in so many bits. The sizes are known to the compiler, which makes no calls of these copies.
std::uint32_t load_depth(const std::byte* texel, unsigned bits) {
  std::uint32_t made = 0;
  if (bits == 32) {
    std::memcpy(&made, texel, 4);
  } else {
    std::memcpy(&made, texel, 2);
    if (bits == 24) made |= std::to_integer<std::uint32_t>(texel[2]) << 16;
  }
  return made;
}
void store_depth(std::uint32_t value, std::byte* texel, unsigned bits) {
  if (bits == 32) {
    std::memcpy(texel, &value, 4);
  } else {
    std::memcpy(texel, &value, 2);
    if (bits == 24) texel[2] = static_cast<std::byte>(value >> 16);
  }
}

}  // namespace

std::optional<DepthStencilTarget> find_depth_stencil_format(std::string_view name) {
  constexpr std::pair<std::string_view, std::optional<std::uint32_t>> kFormats[] = {
      {"D16_UNORM", std::nullopt}, {"D24_UNORM_S8_UINT", 3}, {"D32_FLOAT", std::nullopt}, {"D32_FLOAT_S8X24_UINT", 4}};
  const auto format = texel::find_format(name);
  for (const auto& [known, stencil_byte] : kFormats) {
    if (!format || texel::format_number(name) != texel::format_number(known)) continue;
    DepthStencilTarget made;
    made.texture.format = *format;
    made.stencil_byte = stencil_byte;
    return made;
  }
  return std::nullopt;
}

DepthStencil::DepthStencil(const DepthStencilState& state, const DepthStencilTarget& target, const std::array<float, 2>& bounds)
    : state_(state),
      held_stencil_(target.texture.is_texture() ? target.stencil_byte : std::nullopt),
      bits_(target.texture.is_texture() ? target.texture.format.components[0].bits : 0U),
      depth_(state.depth && bits_ != 0),
      stencil_(state.stencil && target.texture.is_texture() && target.stencil_byte),
      bounded_(state.depth_bounds && bits_ != 0),
      bounds_(bounds),
      stencil_byte_(target.stencil_byte.value_or(0)) {}

// What a buffer holds of a depth: of float its bits. src: 3.2.3.5
std::uint32_t DepthStencil::stored(float depth) const {
  if (bits_ == 32) return std::bit_cast<std::uint32_t>(depth);
  const double most = static_cast<double>((1U << bits_) - 1);
  return static_cast<std::uint32_t>((depth > 0 ? std::min(static_cast<double>(depth), 1.0) : 0) * most + 0.5);
}

std::pair<std::optional<float>, std::optional<std::uint8_t>> DepthStencil::held(const std::byte* texel) const {
  std::pair<std::optional<float>, std::optional<std::uint8_t>> made;
  if (bits_ != 0) {
    const std::uint32_t old = load_depth(texel, bits_);
    made.first =
        bits_ == 32 ? std::bit_cast<float>(old) : static_cast<float>(static_cast<double>(old) / static_cast<double>((1U << bits_) - 1));
  }
  if (held_stencil_) made.second = std::to_integer<std::uint8_t>(texel[*held_stencil_]);
  return made;
}

DepthResult DepthStencil::test(std::byte* texel, float depth, bool is_front, std::uint8_t reference) const {
  if (bounded_) {
    const float held_depth = *held(texel).first;
    if (!(held_depth >= bounds_[0] && held_depth <= bounds_[1])) return DepthResult::bounds_failed;
  }
  const StencilFace& face = is_front ? state_.front : state_.back;
  const std::uint8_t before = stencil_ ? std::to_integer<std::uint8_t>(texel[stencil_byte_]) : std::uint8_t{0};
  DepthResult result = DepthResult::passed;
  if (stencil_ && !compare<unsigned>(face.comparison, reference & face.read_mask, before & face.read_mask)) {
    result = DepthResult::stencil_failed;
  } else if (depth_) {
    const std::uint32_t old = load_depth(texel, bits_);
    const std::uint32_t own = stored(depth);
    const bool passes = bits_ == 32 ? compare(state_.comparison, depth, std::bit_cast<float>(old)) : compare(state_.comparison, own, old);
    if (!passes) result = DepthResult::depth_failed;
    if (passes && state_.depth_write) store_depth(own, texel, bits_);
  }
  if (stencil_) {
    const StencilOp op = result == DepthResult::stencil_failed ? face.fail
                         : result == DepthResult::depth_failed ? face.depth_fail
                                                               : face.pass;
    const std::uint8_t after = changed(op, before, reference);
    texel[stencil_byte_] = static_cast<std::byte>((before & ~face.write_mask) | (after & face.write_mask));
  }
  return result;
}

}  // namespace unshade::draw
