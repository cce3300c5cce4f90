// Mesh and amplification shaders, in the place of everything before the rasterizer.
#pragma once

#include "draw/stage.hpp"

namespace unshade::draw {

/// Runs the groups of a draw and hands on what their meshes have.
Result<void> run_mesh(Run& run, std::array<std::uint32_t, 3> groups, const Sink& sink);

}  // namespace unshade::draw
