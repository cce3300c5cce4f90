// The fixed tessellator: points of a patch's domain, and primitives of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::draw::tessellator {

struct Tessellation {
  dxcontainer::TessellatorDomain domain = dxcontainer::TessellatorDomain::triangle;
  dxcontainer::TessellatorPartitioning partitioning = dxcontainer::TessellatorPartitioning::integer;
  dxcontainer::TessellatorOutput output = dxcontainer::TessellatorOutput::triangle_clockwise;
  float most = 64;  ///< the hull shader's limit
};

/// Of edges U = 0, V = 0, then W = 0 of a triangle, or U = 1 and V = 1 of a quad; of lines their number and the parts of each.
struct TessellationFactors {
  std::array<float, 4> edges{};
  std::array<float, 2> inside{};
};

struct Tessellated {
  std::vector<std::array<float, 2>> points;  ///< U and V
  std::vector<std::uint32_t> indices;        ///< a point, line or triangle after the other
  std::uint32_t corners = 3;                 ///< of each
};

/// Positions and the order of points and primitives are those of the reference, bit for bit. A factor of an edge that is not above 0 culls
/// the patch. src: Direct3D 11.3 functional specification 11.7, and the reference tessellator that is published with it
Tessellated tessellate(const Tessellation& how, const TessellationFactors& factors);

}  // namespace unshade::draw::tessellator
