// The geometry shader.
#pragma once

#include "draw/stage.hpp"

namespace unshade::draw {

bool takes_adjacency(const ir::Module& module);
/// Hands on the primitives of each stream.
Result<void> run_geometry(Run& run, const Vertices& vertices, const Primitives& primitives, const StreamSink& sink);

}  // namespace unshade::draw
