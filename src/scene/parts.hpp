// A scene while it is drawn: what its passes share, and the parts of a pass.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/name_index.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/draw/pipeline.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/run.hpp>
#include <unshade/scene/passes.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/shader/traits.hpp>

#include "scene/gltf.hpp"
#include "scene/linkage.hpp"

namespace unshade::scene {

using run::Shared;

// --- states.cpp --------------------------------------------------------------------------------------------------------------------------

/// The states of a pass that are no programs and no memory.
struct States {
  draw::RasterizerState rasterizer;
  bool has_scissor = false;  ///< ScissorEnable is stated
  draw::DepthStencilState depth_stencil;
  draw::BlendState blend;
  std::array<float, 4> blend_factor{1, 1, 1, 1};
  std::array<std::uint8_t, 2> stencil_refs{};  ///< of the front and of the back
  std::array<float, 2> depth_bounds{0, 1};
  std::uint32_t sample_mask = 0xffff'ffff;
  std::vector<draw::Viewport> viewports;
  std::vector<draw::Scissor> scissors;
  std::optional<shader::GraphicsApi> conventions;  ///< absent: those of the vertex shader's family
};
draw::Conventions conventions_of(shader::GraphicsApi api);
/// Reads a field of a pass if it is a state; else nothing.
std::optional<Result<void>> read_state(const Value::Member& member, States& to);
std::span<const std::string_view> state_fields();
/// A whole number of 32 bits with a sign.
Result<void> read_signed(const Value& given, std::int32_t& to);

struct Primitives {
  draw::Topology topology = draw::Topology::triangle_list;
  std::uint32_t patch_points = 3;
};
/// `TRIANGLELIST`, `3_CONTROL_POINT_PATCHLIST`.
Result<Primitives> read_topology(const Value& given);

// --- targets.cpp -------------------------------------------------------------------------------------------------------------------------

/// `taken`: bytes that the scene has so far.
Result<Target> make_target(const Value::Member& member, const run::RunOptions& options, std::uint64_t& taken);
Drawn::Target drawn_target(const Target& target);

// --- streams.cpp -------------------------------------------------------------------------------------------------------------------------

/// What a pass says of stream output.
struct Streams {
  draw::StreamOutput output;
  std::optional<std::uint32_t> rasterized = 0;
  struct Buffer {
    const Value* resource = nullptr;
    std::optional<std::uint32_t> offset;  ///< bytes; none: after what it has
  };
  std::vector<Buffer> buffers;  ///< by slot; an empty name: none
};
Result<Streams> read_streams(const Value& given);

// --- stages.cpp --------------------------------------------------------------------------------------------------------------------------

/// What the scene says; empty if it does not.
std::string_view entry_of(const StageUse& use);
bool is_of_vulkan(const StageUse& use);

// --- feedback.cpp ------------------------------------------------------------------------------------------------------------------------

/// What an entry point captures of its outputs; nothing without the execution mode Xfb.
Result<draw::StreamOutput> feedback_of(const SpirvStage& stage);

// --- queries.cpp -------------------------------------------------------------------------------------------------------------------------

/// Queries of a scene, each of which counts in the passes that name it.
class Queries {
 public:
  /// Adds what a pass counted to the queries that it names. Errors: bad_value for types that there are not, and for a query of another
  /// type.
  Result<void> add(const Value& given, const draw::Statistics& counts);
  /// Whether predication leaves a pass out. Errors: missing for a query that no pass before has.
  Result<bool> skips(const Value& given) const;
  /// What all of them found.
  Value results() const;

 private:
  struct Query {
    std::string name;
    std::size_t type = 0;  ///< a row of the table
    draw::Statistics counts;
  };
  std::vector<Query> queries_;
  mutable NameIndex names_;
};

// --- mesh.cpp ----------------------------------------------------------------------------------------------------------------------------

/// Vertices and indices of a draw.
struct Mesh {
  std::deque<std::vector<std::byte>> memory;  ///< that the others are views of
  std::vector<draw::InputElement> input;
  std::vector<draw::VertexBuffer> buffers;
  draw::IndexBuffer indices;
  bool is_indexed = false;
  std::uint32_t count = 0;      ///< of vertices, or indices
  std::uint32_t instances = 1;  ///< that it has values for
  Primitives primitives;
};
/// The mesh for a vertex shader. Errors: missing for inputs of the shader that the mesh does not have, and for those of its own.
/// `read_document`: of glTF files; may be null.
Result<Mesh> read_mesh(const Value& given, const ir::Module& vertex, const run::RunOptions& options, const Shared& shared,
                       ReadDocument read_document = nullptr);

/// Whether a text in the place of a mesh is that of a glTF file, or of one of either kind.
inline bool is_gltf_file(std::string_view name) { return name.ends_with(".gltf") || name.ends_with(".glb"); }
inline bool is_mesh_file(std::string_view name) { return is_gltf_file(name) || name.ends_with(".obj"); }

/// Vertices of a built-in mesh, in rows of position, normal and texture coordinate, and its triangles; nothing if there is none of the
/// name.
struct BuiltIn {
  static constexpr std::size_t kNumbers = 8;
  std::vector<float> rows;
  std::vector<std::uint32_t> indices;
};
std::optional<BuiltIn> built_in_mesh(std::string_view name);
std::span<const std::string_view> built_in_meshes();

// --- transforms.cpp ----------------------------------------------------------------------------------------------------------------------

/// Replaces each map with a member `transform` by the rows of its matrix, for vectors that stand on its left.
Result<void> replace_transforms(Value& constants);

}  // namespace unshade::scene
