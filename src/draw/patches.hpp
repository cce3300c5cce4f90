// Patches: the hull shader, the tessellator, the domain shader.
#pragma once

#include "draw/stage.hpp"

namespace unshade::draw {

/// Whether the pipeline has a hull and a domain shader. Errors: bad_value if it has one of them, or they do not fit.
Result<bool> has_tessellation(const Pipeline& pipeline);
/// Patches that go through the stages together.
std::size_t patches_of_batch(const Pipeline& pipeline);
/// Hands on the vertices of the domain shader, and points, lines or triangles of them.
Result<void> tessellate_patches(Run& run, const Vertices& vertices, const Primitives& patches, const Sink& sink);

}  // namespace unshade::draw
