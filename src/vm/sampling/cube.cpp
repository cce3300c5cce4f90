#include "vm/sampling/cube.hpp"

#include <cmath>

namespace unshade::vm::sampling {
namespace {

struct Axis {
  std::uint8_t component;
  std::int8_t sign;
};
// Of each face, the axes of the cube along which u, v and the face's normal grow.
constexpr std::array<std::array<Axis, 3>, 6> kFaces{{
    {{{2, -1}, {1, -1}, {0, 1}}},
    {{{2, 1}, {1, -1}, {0, -1}}},
    {{{0, 1}, {2, 1}, {1, 1}}},
    {{{0, 1}, {2, -1}, {1, -1}}},
    {{{0, 1}, {1, -1}, {2, 1}}},
    {{{0, -1}, {1, -1}, {2, -1}}},
}};

unsigned face_along(unsigned component, bool negative) { return component * 2 + (negative ? 1 : 0); }

}  // namespace

unsigned face_of(const std::array<double, 3>& direction) {
  const double x = std::abs(direction[0]), y = std::abs(direction[1]), z = std::abs(direction[2]);
  const unsigned component = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return face_along(component, direction[component] < 0);
}

OnFace on_face(unsigned face, const std::array<double, 3>& direction) {
  const auto along = [&](unsigned axis) { return direction[kFaces[face][axis].component] * kFaces[face][axis].sign; };
  return {along(0), along(1), along(2)};
}

std::optional<FaceTexel> across_edge(const FaceTexel& texel, std::int64_t size) {
  const bool x_outside = texel.x < 0 || texel.x >= size;
  const bool y_outside = texel.y < 0 || texel.y >= size;
  if (x_outside && y_outside) return std::nullopt;
  if (!x_outside && !y_outside) return texel;
  // The centre of the texel in a cube of 2 * size: of a plane that is folded at the edge, what reaches beyond it goes down the other face.
  std::array<std::int64_t, 3> place{2 * texel.x + 1 - size, 2 * texel.y + 1 - size, size};
  std::int64_t& beyond = place[x_outside ? 0 : 1];
  place[2] = 2 * size - std::abs(beyond);
  beyond = beyond < 0 ? -size : size;
  std::array<std::int64_t, 3> direction{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const Axis& along = kFaces[texel.face][axis];
    direction[along.component] = place[axis] * along.sign;
  }
  const unsigned component = kFaces[texel.face][x_outside ? 0 : 1].component;
  FaceTexel made{face_along(component, direction[component] < 0), 0, 0};
  const auto along = [&](unsigned axis) { return direction[kFaces[made.face][axis].component] * kFaces[made.face][axis].sign; };
  made.x = (along(0) + size - 1) / 2;
  made.y = (along(1) + size - 1) / 2;
  return made;
}

}  // namespace unshade::vm::sampling
