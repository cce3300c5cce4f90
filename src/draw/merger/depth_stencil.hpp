// Depth and stencil tests of a sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <unshade/draw/pipeline.hpp>

namespace unshade::draw {

enum class DepthResult : std::uint8_t { passed, bounds_failed, stencil_failed, depth_failed };

/// The tests of a draw on a target of one format. src: Direct3D 11.3 functional specification 17.9 to 17.13
class DepthStencil {
 public:
  DepthStencil(const DepthStencilState& state, const DepthStencilTarget& target, const std::array<float, 2>& bounds = {0, 1});

  bool is_on() const { return depth_ || stencil_ || bounded_; }
  unsigned depth_bits() const { return bits_; }
  /// What a sample holds: depth and stencil, those that the target has.
  std::pair<std::optional<float>, std::optional<std::uint8_t>> held(const std::byte* texel) const;
  /// Whether depth of 32 bits is all that is tested: test_plain() says then whether it passes.
  bool is_plain() const { return depth_ && !stencil_ && !bounded_ && bits_ == 32; }
  bool test_plain(std::byte* texel, float depth) const;
  /// Compares, and stores what the state says. `texel`: the sample's.
  DepthResult test(std::byte* texel, float depth, bool is_front, std::uint8_t reference) const;

 private:
  std::uint32_t stored(float depth) const;

  const DepthStencilState& state_;
  std::optional<std::uint32_t> held_stencil_;
  unsigned bits_;  ///< of depth: 0, 16, 24, or 32 of float
  bool depth_, stencil_, bounded_;
  std::array<float, 2> bounds_;
  std::uint32_t stencil_byte_;
};

/// Compares two numbers; NaN is equal to nothing.
template <class Number>
bool compare(texel::Comparison how, Number a, Number b) {
  switch (how) {
    case texel::Comparison::never: return false;
    case texel::Comparison::less: return a < b;
    case texel::Comparison::equal: return a == b;
    case texel::Comparison::less_equal: return a <= b;
    case texel::Comparison::greater: return a > b;
    case texel::Comparison::not_equal: return a != b;
    case texel::Comparison::greater_equal: return a >= b;
    case texel::Comparison::always: return true;
  }
  return false;
}

inline bool DepthStencil::test_plain(std::byte* texel, float depth) const {
  float old = 0;
  std::memcpy(&old, texel, sizeof old);
  if (!compare(state_.comparison, depth, old)) return false;
  if (state_.depth_write) std::memcpy(texel, &depth, sizeof depth);
  return true;
}

}  // namespace unshade::draw
