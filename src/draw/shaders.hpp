// The stages that make vertices of vertices: each has a file.
#pragma once

#include <memory>

#include "draw/input_assembler.hpp"

namespace unshade::draw {

/// Runs the vertex shader; without one input register 0 is the position.
Result<Vertices> shade_vertices(Run& run, const Call& call, const std::vector<Reference>& references);

/// Whether a geometry shader does.
bool takes_adjacency(const ir::Module& module);
/// Runs the geometry shader and hands on the primitives of each stream.
Result<void> run_geometry(Run& run, const Vertices& vertices, const Primitives& primitives, const StreamSink& sink);

/// The geometry shader of a draw whose vertices go to constants: it runs for one primitive after the other, and constants keep what the
/// one before was given.
class ConstantGeometry {
 public:
  ConstantGeometry(const Run& run, const ConstantVertices& how);
  ~ConstantGeometry();
  /// As run_geometry(), of primitives of an Assembler with SizedPrimitives. Errors: bad_value for those with too many vertices.
  Result<void> run(Run& run, const Vertices& vertices, const Primitives& primitives, const StreamSink& sink);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Runs mesh and amplification shaders, in the place of everything before the rasterizer: the groups of a draw. Hands on what their meshes
/// have.
Result<void> run_mesh(Run& run, std::array<std::uint32_t, 3> groups, const Sink& sink);

}  // namespace unshade::draw
