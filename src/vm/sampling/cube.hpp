// Faces of cubes. src: Direct3D 11.3 functional specification 5.3.8, 7.18.7, 7.18.11, 7.18.12
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace unshade::vm::sampling {

/// A direction as a face sees it: `u` and `v` in its plane, `major` along its axis. For derivatives too.
struct OnFace {
  double u = 0, v = 0, major = 0;
};

/// The face that a direction points to: that of the largest component; of equal ones z before y before x.
unsigned face_of(const std::array<double, 3>& direction);
OnFace on_face(unsigned face, const std::array<double, 3>& direction);

struct FaceTexel {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
};
/// The texel of the neighbour that continues a face of `size` texels a side beyond its edge, by one texel. Nothing at a corner, where only
/// three faces meet.
std::optional<FaceTexel> across_edge(const FaceTexel& texel, std::int64_t size);

}  // namespace unshade::vm::sampling
