// Draws: Direct3D's pipeline in software, with shaders that run on the interpreter. docs/internals/draw.md has its rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/draw/heat.hpp>
#include <unshade/draw/history.hpp>
#include <unshade/draw/state.hpp>
#include <unshade/draw/stream_output.hpp>
#include <unshade/vm/machine.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::draw {

/// An input of the vertex shader.
struct InputElement {
  std::uint32_t input_register = 0;  ///< or location
  texel::Format format{};
  std::uint32_t slot = 0;    ///< of Bindings::vertex_buffers
  std::uint32_t offset = 0;  ///< bytes
  bool per_instance = false;
  std::uint32_t step_rate = 1;  ///< instances that share a value; 0: all
};
/// The register of an input by its semantic, without regard to case.
std::optional<std::uint32_t> input_register(const ir::Module& module, std::string_view semantic, std::uint32_t index);

/// How a geometry shader of the PICA200 is given the vertices of a primitive in its float constants: the outputs of each, one register
/// after the other. The topology has no meaning: vertices are taken as they come. read: Azahar's geometry_pipeline.cpp,
/// GeometryPipeline_Point and those after it; 3dbrew, "GPU/Internal Registers", GPUREG_GSH_MISC0 and 1
struct ConstantVertices {
  std::uint32_t first = 0;  ///< constant that the first one begins at
  std::uint32_t count = 0;  ///< vertices of each primitive; 0: its first index says how many, which c0 is given too
  std::uint32_t whole = 1;  ///< of a primitive that says it: vertices that are given with all outputs; others with the first one alone
};

/// The registers that outputs are in, by rising number: those of a vertex, in the order in which constants take them.
std::vector<std::uint32_t> registers_of(const std::vector<ir::Element>& outputs);

/// Programs and states. A stage without a program is left out.
struct Pipeline {
  const vm::Program* vertex = nullptr;           ///< none: input register 0 is the position
  const vm::Program* hull = nullptr;             ///< its control points; none beside patch constants: those of the vertex shader
  const vm::Program* patch_constants = nullptr;  ///< of a hull shader of Direct3D its function 1, or 0 if that is its only one
  const vm::Program* domain = nullptr;
  const vm::Program* geometry = nullptr;
  std::optional<ConstantVertices> constant_vertices;  ///< of the geometry shader; none: vertices are its inputs
  const vm::Program* mesh = nullptr;                  ///< instead of all before it, and of Call's vertices
  const vm::Program* amplification = nullptr;
  const vm::Program* pixel = nullptr;  ///< none: depth and stencil alone
  Topology topology = Topology::triangle_list;
  std::uint32_t patch_points = 3;                      ///< control points of each of a patch list: 1 to 32
  std::optional<std::uint32_t> rasterized_stream = 0;  ///< of the geometry shader's; none: nothing is drawn
  StreamOutput stream_output;
  bool strip_cut = true;  ///< of strips: an index of ones ends one
  std::vector<InputElement> input;
  RasterizerState rasterizer;
  DepthStencilState depth_stencil;
  BlendState blend;
  Conventions conventions;
};

/// Reads beyond the end give texel::missing_texel().
struct VertexBuffer {
  std::span<const std::byte> bytes{};
  std::uint32_t stride = 0;               ///< bytes from a vertex to the next; 0: all have the same
  std::optional<std::uint64_t> filled{};  ///< bytes that stream output left in it: what Call::automatic draws
};
struct IndexBuffer {
  std::span<const std::byte> bytes{};
  std::uint32_t size = 2;  ///< bytes of an index: 1, 2 or 4
};
struct DepthStencilTarget {
  texel::Descriptor texture{};  ///< its format is that of depth: 16 or 24 bits UNORM or 32 bits of float, or has no components
  std::optional<std::uint32_t> stencil_byte;  ///< of a texel
};
/// A depth and stencil target's formats by a name of DXGI; nothing if it is none.
std::optional<DepthStencilTarget> find_depth_stencil_format(std::string_view name);

/// Memory, and states that change between draws.
struct Bindings {
  std::vector<VertexBuffer> vertex_buffers;
  IndexBuffer indices;
  vm::Resources* vertex = nullptr;  ///< of each stage that has a program
  vm::Resources* hull = nullptr;
  vm::Resources* patch_constants = nullptr;
  vm::Resources* domain = nullptr;
  vm::Resources* geometry = nullptr;
  vm::Resources* mesh = nullptr;
  vm::Resources* amplification = nullptr;
  vm::Resources* pixel = nullptr;
  std::vector<texel::Descriptor> targets;  ///< by the number of SV_Target; the first level and, by the array index, layers. All of one size
  DepthStencilTarget depth_stencil;
  std::array<StreamBuffer*, kStreams> stream_buffers{};  ///< by slot; none: as if it were full
  std::vector<Viewport> viewports;
  std::vector<Scissor> scissors;
  std::array<float, 4> blend_factor{1, 1, 1, 1};
  std::array<std::uint8_t, 2> stencil_references{};  ///< of the front and of the back
  std::array<float, 2> depth_bounds{0, 1};           ///< the least and the largest depth
  std::uint32_t sample_mask = 0xffff'ffff;
};

struct Call {
  bool automatic = false;  ///< the vertices that vertex buffer 0 is filled with, whatever `first` and `count` say. src: 8.9, DrawAuto
  bool indexed = false;
  std::uint32_t first = 0;  ///< vertex, or index
  std::uint32_t count = 0;
  std::int32_t base_vertex = 0;
  std::uint32_t first_instance = 0;
  std::uint32_t instances = 1;
  std::array<std::uint32_t, 3> groups{1, 1, 1};  ///< of the mesh shader, or of the amplification shader before it
};

/// Counts of a draw: D3D11_QUERY_DATA_PIPELINE_STATISTICS, and of an occlusion query.
struct Statistics {
  std::uint64_t vertices = 0;    ///< that were assembled
  std::uint64_t primitives = 0;  ///< that were assembled
  std::uint64_t hull_runs = 0;   ///< patches
  std::uint64_t domain_runs = 0;
  std::uint64_t geometry_runs = 0;
  std::uint64_t geometry_primitives = 0;  ///< that it gave, to all streams
  std::uint64_t vertex_runs = 0;          ///< of the vertex shader
  std::uint64_t clipper_in = 0;           ///< primitives that reached the clipper
  std::uint64_t clipper_out = 0;          ///< and those that it left, after it divided them
  std::uint64_t pixel_runs = 0;           ///< of the pixel shader, without helper lanes
  std::uint64_t compute_runs = 0;         ///< lanes of a dispatch
  std::uint64_t amplification_runs = 0;   ///< lanes
  std::uint64_t mesh_runs = 0;            ///< lanes
  std::uint64_t mesh_primitives = 0;      ///< that it gave
  std::uint64_t samples_passed = 0;       ///< depth and stencil tests
  std::array<StreamCounts, kStreams> streams{};

  /// Adds the counts of another draw.
  void add(const Statistics& other);
};
/// The counts that a draw has one of, with their name in D3D12_QUERY_DATA_PIPELINE_STATISTICS1 if they are there.
struct StatisticsRow {
  std::string_view name, query;
  std::uint64_t Statistics::* count;
};
std::span<const StatisticsRow> statistics_rows();

struct Report {
  vm::Stop stop = vm::Stop::finished;
  Stage stage = Stage::none;     ///< that stopped
  std::string fault;             ///< what happened, of Stop::fault
  std::uint64_t operations = 0;  ///< of all stages, each for all lanes of a wave
  Statistics statistics;
};

/// What a draw records beside its counts. A history that traces an event excludes a heat map of the pixel shader's cost.
struct Recordings {
  History* history = nullptr;  ///< gets what becomes of a pixel
  Heat* heat = nullptr;        ///< gets what each pixel cost
};

/// Draws. `threads`: for fragments, if their order cannot be seen; results are those of one thread, to the bit. Errors: bad_value of
/// states, sizes or bindings that do not fit; unsupported; limit.
Result<Report> run(const Pipeline& pipeline, const Bindings& bindings, const Call& call, const vm::Limits& limits = {},
                   const Recordings& recordings = {}, unsigned threads = 1);

}  // namespace unshade::draw
