// Vertices of a batch: what their inputs are, and the vertex shader.
#pragma once

#include "draw/input_assembler.hpp"

namespace unshade::draw {

/// Runs the vertex shader; without one input register 0 is the position.
Result<Vertices> shade_vertices(Run& run, const Call& call, const std::vector<Reference>& references);

}  // namespace unshade::draw
