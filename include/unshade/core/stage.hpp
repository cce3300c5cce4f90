// The stages of pipelines that shaders of any family are written for.
#pragma once

#include <cstdint>
#include <string_view>

namespace unshade {

/// Direct3D's words: fragment is pixel, the tessellation control and evaluation stages are hull and domain, task is amplification.
enum class Stage : std::uint8_t {
  none,
  pixel,
  vertex,
  geometry,
  hull,
  domain,
  compute,
  library,
  mesh,
  amplification,
  ray_generation,
  intersection,
  any_hit,
  closest_hit,
  miss,
  callable,
  node,
  kernel,  ///< OpenCL
};

/// `pixel`; empty for a value without a name.
std::string_view id(Stage stage);

}  // namespace unshade
