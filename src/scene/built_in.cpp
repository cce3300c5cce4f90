// Meshes that scenes have by name. Front faces are clockwise from outside, in left-handed coordinates: Direct3D's defaults.
#include <algorithm>
#include <array>
#include <numbers>

#include "scene/angles.hpp"
#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

using Three = std::array<float, 3>;

void add_vertex(BuiltIn& to, const Three& position, const Three& normal, float u, float v) {
  to.rows.insert(to.rows.end(), {position[0], position[1], position[2], normal[0], normal[1], normal[2], u, v});
}

// A square around a centre, seen against its normal: `right` and `up` are half of its sides.
void add_square(BuiltIn& to, const Three& centre, const Three& normal, const Three& right, const Three& up) {
  const auto first = static_cast<std::uint32_t>(to.rows.size() / BuiltIn::kNumbers);
  for (unsigned corner = 0; corner < 4; ++corner) {
    const float u = corner == 1 || corner == 2 ? 1 : 0;
    const float v = corner >= 2 ? 1 : 0;
    Three at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = centre[k] + right[k] * (2 * u - 1) + up[k] * (1 - 2 * v);
    add_vertex(to, at, normal, u, v);
  }
  for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) to.indices.push_back(first + corner);
}

BuiltIn triangle() {
  BuiltIn made;
  add_vertex(made, {0, 0.5F, 0}, {0, 0, -1}, 0.5F, 0);
  add_vertex(made, {0.5F, -0.5F, 0}, {0, 0, -1}, 1, 1);
  add_vertex(made, {-0.5F, -0.5F, 0}, {0, 0, -1}, 0, 1);
  made.indices = {0, 1, 2};
  return made;
}

BuiltIn quad() {
  BuiltIn made;
  add_square(made, {0, 0, 0}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0});
  return made;
}

BuiltIn plane() {
  BuiltIn made;
  add_square(made, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1});
  return made;
}

BuiltIn cube() {
  BuiltIn made;
  add_square(made, {0, 0, -1}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0});
  add_square(made, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0});
  add_square(made, {0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0});
  add_square(made, {-1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 1, 0});
  add_square(made, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1});
  add_square(made, {0, -1, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, -1});
  return made;
}

// Triangles of a grid of rows and columns of squares, whose vertices are in rows from above, from left to right.
void add_grid(BuiltIn& to, std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t at = row * (columns + 1) + column;
      for (const std::uint32_t corner : {at, at + 1, at + columns + 2, at, at + columns + 2, at + columns + 1})
        to.indices.push_back(corner);
    }
  }
}

float narrow(double value) { return static_cast<float>(value); }

BuiltIn sphere() {
  constexpr std::uint32_t kRows = 16, kColumns = 32;
  BuiltIn made;
  for (std::uint32_t row = 0; row <= kRows; ++row) {
    for (std::uint32_t column = 0; column <= kColumns; ++column) {
      const double down = std::numbers::pi * row / kRows;
      const double around = 2 * std::numbers::pi * column / kColumns;
      const Three at{narrow(sine(down) * sine(around)), narrow(cosine(down)), narrow(-sine(down) * cosine(around))};
      add_vertex(made, at, at, narrow(static_cast<double>(column) / kColumns), narrow(static_cast<double>(row) / kRows));
    }
  }
  add_grid(made, kRows, kColumns);
  return made;
}

BuiltIn torus() {
  constexpr std::uint32_t kRows = 24, kColumns = 48;
  constexpr double kTube = 0.35;
  BuiltIn made;
  for (std::uint32_t row = 0; row <= kRows; ++row) {
    for (std::uint32_t column = 0; column <= kColumns; ++column) {
      const double tube = 2 * std::numbers::pi * row / kRows;
      const double around = 2 * std::numbers::pi * column / kColumns;
      const Three normal{narrow(sine(tube) * sine(around)), narrow(cosine(tube)), narrow(-sine(tube) * cosine(around))};
      const double far = 1 - kTube + kTube * sine(tube);
      add_vertex(made, {narrow(far * sine(around)), narrow(kTube * cosine(tube)), narrow(-far * cosine(around))}, normal,
                 narrow(static_cast<double>(column) / kColumns), narrow(static_cast<double>(row) / kRows));
    }
  }
  add_grid(made, kRows, kColumns);
  return made;
}

struct Known {
  std::string_view name;
  BuiltIn (*make)();
};
constexpr Known kBuiltIns[] = {{"triangle", triangle}, {"quad", quad},     {"plane", plane},
                               {"cube", cube},         {"sphere", sphere}, {"torus", torus}};
constexpr auto kBuiltInNames = [] {
  std::array<std::string_view, std::size(kBuiltIns)> names{};
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = kBuiltIns[k].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> built_in_meshes() { return kBuiltInNames; }

std::optional<BuiltIn> built_in_mesh(std::string_view name) {
  const auto* const known = std::ranges::find(kBuiltIns, name, &Known::name);
  return known == std::end(kBuiltIns) ? std::nullopt : std::optional(known->make());
}

}  // namespace unshade::scene
