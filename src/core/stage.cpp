#include <unshade/core/stage.hpp>

#include <cstddef>
#include <iterator>

namespace unshade {
namespace {

constexpr std::string_view kStageNames[] = {"none",    "pixel",       "vertex", "geometry",      "hull",           "domain",
                                            "compute", "library",     "mesh",   "amplification", "ray_generation", "intersection",
                                            "any_hit", "closest_hit", "miss",   "callable",      "node",           "kernel"};
static_assert(std::size(kStageNames) == static_cast<std::size_t>(Stage::kernel) + 1, "a stage without a name");

}  // namespace

std::string_view id(Stage stage) {
  const auto at = static_cast<std::size_t>(stage);
  return at < std::size(kStageNames) ? kStageNames[at] : std::string_view{};
}

}  // namespace unshade
