// Matrices of scenes: steps that follow each other, from the mesh to the screen.
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/values.hpp>

#include "scene/angles.hpp"
#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;
using run::read_real;
using run::read_reals;

using Vector = std::array<double, 3>;
using Numbers = std::array<float, 3>;

/// Rows of four; a vector stands on its left.
struct Matrix {
  std::array<std::array<double, 4>, 4> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix made;
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        made.rows[row][column] = 0;
        for (std::size_t k = 0; k < 4; ++k) made.rows[row][column] += a.rows[row][k] * b.rows[k][column];
      }
    }
    return made;
  }
};

/// A step of a transform: a matrix that the product before it is multiplied with, after which it may be transposed.
struct Step {
  Matrix matrix;
  bool transposes = false;
};

Vector wide(const Numbers& from) { return {static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2])}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

Result<void> translate(const Value& given, Matrix& to) {
  Numbers by{};
  auto done = read_reals(given, by);
  for (std::size_t k = 0; k < 3; ++k) to.rows[3][k] = static_cast<double>(by[k]);
  return done;
}

Result<void> scale(const Value& given, Matrix& to) {
  Numbers by{};
  if (given.as_list() != nullptr) {
    if (auto done = read_reals(given, by); !done) return done;
  } else {
    if (auto done = read_real(given, by[0]); !done) return done;
    by[1] = by[2] = by[0];
  }
  for (std::size_t k = 0; k < 3; ++k) to.rows[k][k] = static_cast<double>(by[k]);
  return {};
}

// Degrees, clockwise from the end of the axis towards the origin: that of the left-handed coordinates of Direct3D.
template <std::size_t axis>
Result<void> rotate(const Value& given, Matrix& to) {
  float degrees = 0;
  if (auto done = read_real(given, degrees); !done) return done;
  const double angle = static_cast<double>(degrees) * std::numbers::pi / 180;
  constexpr std::size_t kFirst = (axis + 1) % 3, kSecond = (axis + 2) % 3;
  to.rows[kFirst][kFirst] = to.rows[kSecond][kSecond] = cosine(angle);
  to.rows[kFirst][kSecond] = sine(angle);
  to.rows[kSecond][kFirst] = -sine(angle);
  return {};
}

struct Eye {
  Numbers from{0, 0, -1}, at{}, up{0, 1, 0};
};
constexpr Field<Eye> kEyeFields[] = {
    {"from", [](const Value& given, Eye& to) { return read_reals(given, to.from); }},
    {"at", [](const Value& given, Eye& to) { return read_reals(given, to.at); }},
    {"up", [](const Value& given, Eye& to) { return read_reals(given, to.up); }},
};
Result<void> look(const Value& given, Matrix& to) {
  Eye eye;
  if (auto done = run::read_fields(given, kEyeFields, "look", eye); !done) return done;
  const Vector from = wide(eye.from);
  const Vector at = wide(eye.at);
  const Vector forward = unit({at[0] - from[0], at[1] - from[1], at[2] - from[2]});
  const Vector right = unit(cross(wide(eye.up), forward));
  const Vector up = cross(forward, right);
  const Vector axes[] = {right, up, forward};
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) to.rows[row][column] = axes[column][row];
    to.rows[3][column] = -dot(axes[column], from);
  }
  return {};
}

/// What is seen: between two planes, in the form of a pyramid or a box.
struct Volume {
  float angle = 60;  ///< degrees from bottom to top
  float aspect = 1;  ///< width / height
  float height = 2;
  float near_plane = 0.1F, far_plane = 100;
};
constexpr Field<Volume> kPerspectiveFields[] = {
    {"angle", [](const Value& given, Volume& to) { return read_real(given, to.angle); }},
    {"aspect", [](const Value& given, Volume& to) { return read_real(given, to.aspect); }},
    {"near", [](const Value& given, Volume& to) { return read_real(given, to.near_plane); }},
    {"far", [](const Value& given, Volume& to) { return read_real(given, to.far_plane); }},
};
constexpr Field<Volume> kOrthographicFields[] = {
    {"height", [](const Value& given, Volume& to) { return read_real(given, to.height); }},
    {"aspect", [](const Value& given, Volume& to) { return read_real(given, to.aspect); }},
    {"near", [](const Value& given, Volume& to) { return read_real(given, to.near_plane); }},
    {"far", [](const Value& given, Volume& to) { return read_real(given, to.far_plane); }},
};
Result<void> project(const Value& given, bool with_perspective, Matrix& to) {
  Volume volume;
  auto done = with_perspective ? run::read_fields(given, kPerspectiveFields, "perspective", volume)
                               : run::read_fields(given, kOrthographicFields, "orthographic", volume);
  if (!done) return done;
  const double aspect = static_cast<double>(volume.aspect);
  const double near_plane = static_cast<double>(volume.near_plane);
  const double depth = static_cast<double>(volume.far_plane) - near_plane;
  const double y =
      with_perspective ? 1 / tangent(static_cast<double>(volume.angle) * std::numbers::pi / 360) : 2 / static_cast<double>(volume.height);
  const double z = with_perspective ? static_cast<double>(volume.far_plane) / depth : 1 / depth;
  to.rows = {{{y / aspect, 0, 0, 0},
              {0, y, 0, 0},
              {0, 0, z, with_perspective ? 1.0 : 0.0},
              {0, 0, -near_plane * z, with_perspective ? 0.0 : 1.0}}};
  return {};
}

// Depth from 0 to w becomes depth from -w to 0, which PICA200 shows.
Result<void> pica_depth(const Value& given, Matrix& to) {
  bool on = true;
  auto done = run::read_truth(given, on);
  if (on) to.rows[3][2] = -1;
  return done;
}

constexpr Field<Step> kSteps[] = {
    {"translate", [](const Value& given, Step& to) { return translate(given, to.matrix); }},
    {"scale", [](const Value& given, Step& to) { return scale(given, to.matrix); }},
    {"rotate_x", [](const Value& given, Step& to) { return rotate<0>(given, to.matrix); }},
    {"rotate_y", [](const Value& given, Step& to) { return rotate<1>(given, to.matrix); }},
    {"rotate_z", [](const Value& given, Step& to) { return rotate<2>(given, to.matrix); }},
    {"look", [](const Value& given, Step& to) { return look(given, to.matrix); }},
    {"perspective", [](const Value& given, Step& to) { return project(given, true, to.matrix); }},
    {"orthographic", [](const Value& given, Step& to) { return project(given, false, to.matrix); }},
    {"pica_depth", [](const Value& given, Step& to) { return pica_depth(given, to.matrix); }},
    {"transpose", [](const Value& given, Step& to) { return run::read_truth(given, to.transposes); }},
};

Result<Value> matrix_of(const Value& steps) {
  const Value::List* const list = steps.as_list();
  if (list == nullptr || list->size() > 256) return fault(steps, "transform", "expected a list of up to 256 steps");
  Matrix all;
  for (std::size_t k = 0; k < list->size(); ++k) {
    const Value& step = (*list)[k];
    Step own;
    const std::string path = "transform[" + std::to_string(k) + ']';
    if (step.as_map() == nullptr || step.as_map()->size() != 1) return fault(step, path, "expected a map of one step, such as translate");
    if (auto done = run::read_fields(step, kSteps, "a transform", own); !done) return std::move(done).error().within(path);
    all = all * own.matrix;
    for (std::size_t row = 0; row < 4 && own.transposes; ++row)
      for (std::size_t column = 0; column < row; ++column) std::swap(all.rows[row][column], all.rows[column][row]);
  }
  Value made = Value::list();
  for (const auto& row : all.rows) {
    Value& numbers = made.push(Value::list());
    for (const double number : row) {
      if (!std::isfinite(static_cast<float>(number))) return fault(steps, "transform", "the matrix has numbers that are not finite");
      numbers.push(Value::real(static_cast<float>(number)));
    }
  }
  made.text_offset = steps.text_offset;
  return made;
}

}  // namespace

Result<void> replace_transforms(Value& constants) {
  if (const Value* const steps = constants.find("transform"); steps != nullptr && constants.as_map()->size() == 1) {
    auto matrix = matrix_of(*steps);
    if (!matrix) return std::move(matrix).error();
    constants = std::move(*matrix);
  } else if (Value::Map* const map = constants.as_map()) {
    for (Value::Member& one : *map)
      if (auto done = replace_transforms(one.value); !done) return std::move(done).error().within(one.key);
  } else if (Value::List* const list = constants.as_list()) {
    for (Value& one : *list)
      if (auto done = replace_transforms(one); !done) return done;
  }
  return {};
}

}  // namespace unshade::scene
