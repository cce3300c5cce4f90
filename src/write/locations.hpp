// Where inputs and outputs of stages meet: one model for all writers.
#pragma once

#include <array>
#include <cstdint>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/structure.hpp>

namespace unshade::write {

/// Locations are registers. Patch constants are behind those of the vertices of a patch, and the outputs of a stream of a geometry shader
/// behind those of the streams before: in Direct3D each begins at 0. Those of SPIR-V are locations already.
class Locations {
 public:
  explicit Locations(const ir::Module& module);
  /// Of an element of a signature that is no built-in; of a render target its number.
  std::uint32_t of(ir::SignatureKind kind, std::uint32_t element) const;

 private:
  const ir::Module& module_;
  std::uint32_t first_of_patch_ = 0;
  std::array<std::uint32_t, 4> first_of_stream_{};
};

/// Vertices that elements of a signature are of; 0: elements have one value.
std::uint32_t vertices_of_elements(const ir::Module& module, ir::SignatureKind kind);
/// Vertices that a geometry shader emits at most. Programs of the PICA200 do not say: as many as they have operations for, or with loops
/// what every device allows.
std::uint32_t most_vertices(const ir::Structured& module);

}  // namespace unshade::write
