// Semantics as each family writes them.
#pragma once

#include <unshade/shader/reflection.hpp>
#include <unshade/shader/traits.hpp>

namespace unshade::shader::reflection {

/// Whether the index belongs to the name: Direct3D numbers all semantics, others those that are several.
inline bool is_numbered(const SignatureElement& element, Family family) {
  return traits_of(family).api == GraphicsApi::direct3d || element.semantic_index != 0;
}

}  // namespace unshade::shader::reflection
