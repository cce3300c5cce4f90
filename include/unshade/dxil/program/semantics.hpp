// What semantics are at each point of the pipeline.
#pragma once

#include <cstdint>

#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/metadata.hpp>

namespace unshade::dxil::program {

/// Where a signature is in the pipeline; in the order of the letters of the table.
enum class SignaturePoint : std::uint8_t {
  vertex_in,
  vertex_out,
  hull_in,
  hull_out,
  patch_out,
  domain_patch_in,
  domain_in,
  domain_out,
  geometry_in,
  geometry_out,
  pixel_in,
  pixel_out,
  mesh_out,
  mesh_primitive_out,
  none
};

/// That of a side of a stage's interface; none if the stage does not have it.
SignaturePoint signature_point(ShaderKind kind, SignatureSide side);

inline constexpr char kArbitrary = 'a', kNotInSignature = 'n', kNotAvailable = '-';

/// How a semantic is interpreted at a point of the pipeline:
///   a arbitrary, as if it were no system value   s system value   g made by the pipeline   c clip or cull distance   t render target
///   f tessellation factor   p not packed   h there for its name alone   n not in the signature   - not available
/// `since`: the minor version of the shader model that brought it.
struct SemanticMeaning {
  char letter = kNotAvailable;
  std::uint32_t since = 0;
};
/// The row of the table for a semantic at a point.
SemanticMeaning semantic_meaning(SemanticKind kind, SignaturePoint point);
/// How signatures name it. Tessellation factors have a value for each domain; those of an isoline are both detail, as DXC's reflection has
/// them, although its signature parts tell density and detail apart.
dxcontainer::SystemValue system_value(SemanticKind kind, TessellatorDomain domain);

}  // namespace unshade::dxil::program
