// Samples many lanes at once, with the bits of sample() in filter.hpp, which stays the definition: what is rare is left to it.
// Files for other instruction sets than the least include this header: it has plain data alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/texel/sampler.hpp>

namespace unshade::texel {
struct Descriptor;
}  // namespace unshade::texel
namespace unshade::vm {
enum class Isa : std::uint8_t;
}  // namespace unshade::vm

namespace unshade::vm::sampling {

/// Lanes that are sampled together, and of which levels of detail are found together.
inline constexpr unsigned kWideLanes = 16;
inline constexpr unsigned kWideQuadLanes = 32;
/// Of textures that are sampled so.
inline constexpr std::uint32_t kWideTexels = 16384;
inline constexpr unsigned kWideLevels = 15;

/// The texel of each lane.
struct WideTexels {
  std::uint32_t x[kWideLanes], y[kWideLanes], layer[kWideLanes], level[kWideLanes];
};

/// A two-dimensional texture with its sampler, as it is read.
struct WidePlan {
  const unsigned char* texels = nullptr;
  struct Level {
    std::uint32_t width = 0, height = 0, offset = 0;  ///< bytes from the start of a layer
  };
  Level levels[kWideLevels];
  std::uint32_t last_level = 0;
  std::uint32_t layers = 1, layer_stride = 0;
  texel::AddressMode address[2]{};
  bool linear_mag = false, linear_min = false, linear_mip = false;
  float lod_bias = 0, min_lod = 0, max_lod = 0;
  bool is_bytes = false;     ///< a word of four bytes that are UNORM; else `fetch` reads texels
  std::uint32_t shift[4]{};  ///< of each component in that word
  bool has[4]{};             ///< components that the format has: others are 0, 0, 0, 1
  const texel::Descriptor* texture = nullptr;
  /// Bits of f32 of the texels: [component * kWideLanes + lane].
  void (*fetch)(const WidePlan& plan, const WideTexels& at, float* to) = nullptr;
  texel::Comparison comparison = texel::Comparison::always;
};

/// What lanes are given, kWideLanes of each; null: the operation has none.
struct WideLanes {
  const float *u = nullptr, *v = nullptr, *element = nullptr;
  const float* level = nullptr;  ///< before bias and clamps
  const float *bias = nullptr, *min_lod = nullptr;
  const float* reference = nullptr;  ///< quantized: compares, and filters the results
  std::int32_t offset[2]{};
  const std::uint32_t* active = nullptr;  ///< 0 or all ones
  float* to = nullptr;                    ///< [component * kWideLanes + lane]
};

struct WideFunctions {
  /// Levels of detail of `lanes` lanes (at most kWideQuadLanes) by the change of u and v in their quads, as footprint() has them. `exec`:
  /// bits of lanes that run. False: the scalar way has to do it.
  bool (*levels)(const WidePlan& plan, const float* u, const float* v, std::uint32_t exec, unsigned lanes, float* level);
  /// False: the scalar way has to do it.
  bool (*sample)(const WidePlan& plan, const WideLanes& lanes);
};

/// Those for an instruction set, or for the best below it.
const WideFunctions& wide_functions(Isa isa);

}  // namespace unshade::vm::sampling
