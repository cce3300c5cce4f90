// The geometry shader.
#pragma once

#include "draw/stage.hpp"

namespace unshade::draw {

bool takes_adjacency(const ir::Module& module);
/// Hands on the primitives of the stream that is rasterized.
Result<void> run_geometry(Run& run, const Vertices& vertices, const Primitives& primitives, const Sink& sink);

}  // namespace unshade::draw
