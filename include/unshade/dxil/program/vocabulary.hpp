// DXIL's enumerations in the vocabulary that all families share: what reports and the IR use.
#pragma once

#include <unshade/core/stage.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// As D3D12 reflects a resource of this kind and class.
dxcontainer::ResourceKind resource_kind_of(ResourceKind kind, ResourceClass resource_class, bool has_counter);
/// unknown for what has none: constant buffers, samplers, acceleration structures.
dxcontainer::ResourceDimension dimension_of(ResourceKind kind);

/// none for kinds that are no stage.
Stage stage_of(ShaderKind kind);

}  // namespace unshade::dxil
