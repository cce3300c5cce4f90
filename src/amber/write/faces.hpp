// Front and back faces, which Amber does not tell apart: it culls nothing, and its front faces are counter-clockwise.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/scene/scene.hpp>

namespace unshade::amber::writer {

bool reads_front_face(const ir::Module& module);

/// Whether a scene leaves something else when it is drawn with the faces of Amber. Errors: those of drawing it.
Result<bool> sides_matter(const Value& scene, const scene::SceneOptions& drawing);

}  // namespace unshade::amber::writer
