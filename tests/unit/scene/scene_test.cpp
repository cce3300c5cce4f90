// Scenes: what is wrong with them, and bounds. How those of examples/scenes look is in tests/golden/cli/draw.test.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/text/line_counter.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/png/png.hpp>
#include <unshade/scene/scene.hpp>

#include "scene/parts.hpp"
#include "support/files.hpp"

namespace unshade::scene {
namespace {

std::filesystem::path folder() { return test::source_dir() / "examples/scenes"; }

Result<Drawn> draw(std::string_view text, std::optional<ir::F24> f24 = {}) {
  const auto scene = document_text::read_toml(text);
  if (!scene) return scene.error();
  SceneOptions options;
  options.f24 = f24;
  options.memory = std::uint64_t{1} << 22;
  options.read_file = [](void*, std::string_view path) -> Result<std::vector<std::byte>> {
    if (!std::filesystem::exists(folder() / path)) return Error{ErrorCode::missing, 0, "", "the file cannot be read"};
    return test::read_bytes(folder() / path);
  };
  options.read_picture = [](void*, std::span<const std::byte> file) { return png::read_png(file); };
  return draw_scene(*scene, options);
}

constexpr std::string_view kTargets =
    "targets.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 4}\ntargets.depth = {format = 'D32_FLOAT', width = 4, height = "
    "4}\n";
constexpr std::string_view kPass = "[[pass]]\nvertex = 'lit.vs.asm'\npixel = 'lit.ps.asm'\ntargets = ['picture']\n";

/// `LINE:COLUMN path: message` of what is wrong with a scene.
std::string fault_in(std::string_view text) {
  const auto drawn = draw(text);
  if (drawn) return "none";
  return line_and_column(text, drawn.error().offset) + ' ' + drawn.error().path + ": " + drawn.error().message;
}
/// Of a pass with some lines more.
std::string fault_of(std::string_view lines) { return fault_in(std::string(kTargets) + std::string(kPass) + std::string(lines)); }

/// A scene of tests/data/scenes, with one text in the place of another.
std::string scene_with(const std::string& name, std::string_view what = {}, std::string_view with = {}) {
  std::string text = test::read_text(test::source_dir() / "tests/data/scenes" / name);
  for (const std::string_view field : {"vertex = \"", "geometry = \"", "pixel = \""}) {
    const std::size_t at = text.find(field);
    if (at != std::string::npos) text.insert(at + field.size(), "../../tests/data/scenes/");
  }
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::vector<float> first_texel(const Drawn& drawn) {
  std::vector<float> made(4);
  std::memcpy(made.data(), drawn.targets[0].picture.bytes.data(), 16);
  return made;
}

// Of the PICA200, as the suite tests/data/scenes/gathered.test.toml draws them.
TEST(Scene, GivesVerticesToConstantsOfGeometryShaders) {
  auto drawn = draw(scene_with("sized.toml"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{7, 274, -0.75F, 1}));
  EXPECT_EQ(drawn->passes[0].statistics.vertices, 7U);
  EXPECT_EQ(drawn->passes[0].statistics.primitives, 2U);
  EXPECT_EQ(drawn->passes[0].statistics.geometry_runs, 2U);
  EXPECT_EQ(drawn->passes[0].statistics.geometry_primitives, 2U);
  EXPECT_TRUE(drawn->passes[0].not_given.empty()) << drawn->passes[0].not_given[0].names[0];
  // from an index on, in two instances, with words of 16 bits
  drawn = draw(scene_with("sized.toml", "[pass.mesh]", "[pass.draw]\nfirst = 5\ninstances = 2\n\n[pass.mesh]"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{6, 514, -2, 0}));
  drawn = draw(scene_with("sized.toml", "[4, 0, 1, 2, 3, 3, 2, 0, 1]", "{format = 'R16_UINT', values = [4, 0, 1, 2, 3, 3, 2, 0, 1]}"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{7, 274, -0.75F, 1}));

  drawn = draw(scene_with("fixed.toml"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{7, 8, 48, 63}));
  EXPECT_EQ(drawn->passes[0].statistics.geometry_runs, 2U);
  drawn = draw(scene_with("fixed.toml", "[pass.mesh]", "[pass.mesh]\nindices = [3, 5, 4]"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{0, 8, 48, 56}));
}

TEST(Scene, ManyPrimitivesOfConstants) {
  // more than are put together, so that parts are handed on
  std::string indices = "[";
  for (unsigned k = 0; k < 1000; ++k) indices += k % 2 == 0 ? "4, 0, 1, 2, 3, " : "3, 2, 0, 1, ";
  const auto drawn = draw(scene_with("sized.toml", "[4, 0, 1, 2, 3, 3, 2, 0, 1]", indices + "]"));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(first_texel(*drawn), (std::vector<float>{3500, 137000, -375, 500}));
}

TEST(Scene, RefusesPrimitivesThatConstantsCannotHold) {
  const auto fault = [](std::string_view indices) {
    return fault_in(scene_with("sized.toml", "indices = [4, 0, 1, 2, 3, 3, 2, 0, 1]", indices));
  };
  EXPECT_EQ(
      fault("topology = 'TRIANGLELIST'"),
      "16:12 pass[0]/mesh/topology: the geometry shader reads its vertices from constant registers: the mesh must not have a topology");
  EXPECT_EQ(fault("").substr(fault("").find("mesh:")),
            "mesh: the geometry shader takes primitives of any size: the mesh must have indices, in which each primitive begins with its "
            "number of vertices");
  const auto of_size = [&](std::string_view indices) {
    const std::string all = fault("indices = " + std::string(indices));
    return all.substr(std::min(all.size(), all.find("mesh:")));
  };
  EXPECT_EQ(of_size("[3, 0, 1, 2, 0, 1]"), "mesh: index 4 begins a primitive of 0 vertices, expected at least 1");
  EXPECT_EQ(of_size("[3, 0, 1, 2, 4, 0, 1, 2]"), "mesh: index 4 begins a primitive of 4 vertices, of which the draw has 3");
  EXPECT_EQ(of_size("[-1, 0, 1, 2]"),
            "mesh: index 0 begins a primitive of 4294967295 vertices, more than fit into the 96 constant registers");
  // the second primitive has all constants from c1 on, or one more
  const auto many = [&](unsigned vertices) {
    std::string made = "[3, 0, 1, 2, " + std::to_string(vertices);
    for (unsigned k = 0; k < vertices; ++k) made += ", 0";
    return made + "]";
  };
  EXPECT_EQ(of_size(many(94)), "mesh: primitive 1 has 94 vertices of 2 outputs each, from c1 on, which exceeds c95");
  EXPECT_EQ(fault("indices = " + many(93)), "none");
  const std::string left = fault_in(scene_with("fixed.toml", "[pass.mesh]", "[pass.mesh]\nindices = [3, 5, 4, 1]"));
  EXPECT_NE(left.find("mesh: the geometry shader takes primitives of 3 vertices: the draw has 4, which leaves 1"), std::string::npos)
      << left;
  const std::string none = fault_in(scene_with("fixed.toml", "fixed.g.pica", "empty.g.pica"));
  EXPECT_NE(none.find("the header of the geometry shader (mode fixed) states 0 vertices, expected at least 1"), std::string::npos) << none;
}

TEST(Scene, ChoosesTheRoundingOfThePica200) {
  const auto red = [](std::string_view line, std::optional<ir::F24> option = {}) {
    std::string text = scene_with("fixed.toml", "[1, 0, 0, 1]", "[0.1, 0, 0, 1]");
    text.replace(text.find("[2, 0, 0, 2]"), 12, "[0, 0, 0, 0]");
    text.replace(text.find("[4, 0, 0, 4]"), 12, "[0, 0, 0, 0]");
    const auto drawn = draw(std::string(line) + '\n' + text, option);
    EXPECT_TRUE(drawn) << to_string(drawn.error());
    return drawn ? first_texel(*drawn)[0] : -1;
  };
  const float truncated = red(""), nearest = red("float24 = 'nearest'");
  EXPECT_EQ(red("float24 = 'truncate'"), truncated);
  EXPECT_EQ(red("float24 = 'f32'"), 0.1F);
  EXPECT_LT(truncated, 0.1F);
  EXPECT_GT(nearest, 0.1F);
  // the command's option comes first
  EXPECT_EQ(red("float24 = 'f32'", ir::F24::nearest), nearest);
  EXPECT_EQ(fault_in("float24 = 'half'\n" + scene_with("fixed.toml")), "1:11 float24: expected truncate, nearest or f32");
  EXPECT_EQ(fault_in("float24 = 24\n" + scene_with("fixed.toml")), "1:11 float24: expected truncate, nearest or f32");
  EXPECT_EQ(fault_in("float24 = 'f32'\n" + std::string(kTargets) + std::string(kPass) + "mesh = 'cube'"),
            "1:11 float24: only shaders of the PICA200 have float24 numbers, and no pass has one");
}

TEST(Scene, TellsWhereFaultsAre) {
  EXPECT_EQ(fault_of("mesh = 'cube'\nviewports = [{Width = 4, Height = 4, MinDepth = 2, MaxDepth = -1}]"),
            "8:49 pass[0]/viewports[0]/MinDepth: a depth must be from 0 to 1");
  EXPECT_EQ(fault_of("mesh = 'cube'\nviewports = [{Width = -4, Height = 4}]"),
            "8:23 pass[0]/viewports[0]/Width: expected a number from 0 on");
  EXPECT_EQ(fault_of("mesh = 'cube'\nviewports = [{Width = 4, Height = -4}]"),
            "8:35 pass[0]/viewports[0]/Height: expected a number from 0 on");
  EXPECT_EQ(fault_of("mesh.vertices = [{POSITION = [0, 0, 0], NORMAL = [0, 0, 1], TEXCOORD = [0, 0]}]\ndraw.base_vertex = 1"),
            "8:1 pass[0]/draw/base_vertex: the mesh has no indices: set `first`, the first vertex");
  EXPECT_EQ(fault_in(std::string(kTargets) + "[[pass]]\nvertex = 'lit.vs.asm'\npixel = 'lit.ps.asm'\nmesh = 'cube'\n"
                                             "targets = ['picture', 'picture']"),
            "7:23 pass[0]/targets[1]: the pass has this target already");
  EXPECT_EQ(fault_in("targets.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 4}\ntargets.depth = {format = 'D32_FLOAT', width = "
                     "4, height = 2}\n" +
                     std::string(kPass) + "depth_target = 'depth'\nmesh = 'cube'"),
            "7:16 pass[0]/depth_target: the target has 4 by 2 pixels, the color targets have 4 by 4");
  EXPECT_EQ(fault_of("mesh = 'cube'"), "none");
  EXPECT_EQ(fault_in("targts = 1"), "1:1 targts: a scene has no field of this name; did you mean `targets`?");
  EXPECT_EQ(fault_in("targets = {}"), "1:1 pass: expected a list of passes");
  EXPECT_EQ(fault_of("mesh = 'cub'"),
            "7:8 pass[0]/mesh: expected one of triangle, quad, plane, cube, sphere, torus, or a file that ends in .obj, "
            ".gltf or .glb");
  EXPECT_EQ(fault_of("rasteriser = 1"), "7:1 pass[0]/rasteriser: a pass has no field of this name; did you mean `rasterizer`?");
  EXPECT_EQ(fault_of("rasterizer.CullMode = 'SIDE'"), "7:23 pass[0]/rasterizer/CullMode: expected one of NONE, FRONT, BACK, found `SIDE`");
  EXPECT_EQ(fault_of("blend.RenderTarget = [{RenderTargetWriteMask = 16}]"),
            "7:48 pass[0]/blend/RenderTarget[0]/RenderTargetWriteMask: expected a whole number from 0 to 15");
  EXPECT_EQ(
      fault_of("depth_target = 'picture'"),
      "7:16 pass[0]/depth_target: expected a target with a depth format: D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT");
  EXPECT_EQ(fault_of("resources.t0 = 'picture'"), "7:16 pass[0]/resources/t0: a target of the pass cannot be one of its resources");
  EXPECT_EQ(fault_of("resources.t0 = 'pictures'"),
            "7:16 pass[0]/resources/t0: there is no resource or target `pictures`; did you mean `picture`?");
  EXPECT_EQ(fault_of("constants.ambeint = 1"),
            "7:11 pass[0]/constants/ambeint: no constant buffer has a variable of this name; did you mean `ambient`?");
  EXPECT_EQ(fault_in("constants.ambeint = 1\n" + std::string(kTargets) + std::string(kPass) + "mesh = 'cube'"),
            "1:11 constants/ambeint: no shader of the passes has this name");
  EXPECT_EQ(fault_in("constants.ambient = 1\n" + std::string(kTargets) + std::string(kPass) + "mesh = 'cube'"), "none");
  EXPECT_EQ(fault_of("constants.world.transform = [{rotat_x = 1}]"),
            "7:31 pass[0]/constants/world/transform[0]/rotat_x: a transform has no field of this name; did you mean `rotate_x`?");
  EXPECT_EQ(fault_of("constants.world.transform = [{look = {at = [0, 0, -1]}}]"),
            "7:29 pass[0]/constants/world/transform: the matrix has numbers that are not finite");
  EXPECT_EQ(fault_of("mesh.vertices = [{POSITION = [0, 0, 0]}]"),
            "7:1 pass[0]/mesh: the vertex shader reads `NORMAL`, which the mesh does not have");
  EXPECT_EQ(fault_of("mesh.vertices = [{POSITION = [0, 0]}, {POSITION = 1}]"),
            "7:51 pass[0]/mesh/vertices[1]/POSITION: expected 2 numbers, as the first has");
  EXPECT_EQ(fault_of("mesh = {built_in = 'cube', indices = 'nothing'}"), "7:38 pass[0]/mesh/indices: there is no resource `nothing`");
  EXPECT_EQ(fault_of("mesh = 'cube'\nviewports = [{Width = 99999, Height = 7}]"),
            "8:13 pass[0]/viewports: viewports must be within -32768 to 32768");
  EXPECT_EQ(fault_of("mesh = 'cube.png'").substr(0, 33), "7:8 pass[0]/mesh: expected one of");
  EXPECT_EQ(fault_of("compute = 'lit.ps.asm'"), "4:10 pass[0]/vertex: a pass with a compute shader must have no other shaders");
  EXPECT_EQ(fault_of("hull = 'lit.ps.asm'"), "7:8 pass[0]/hull: expected a hull shader, found a pixel shader");
  EXPECT_EQ(fault_of("domain = 'nothing'"), "7:10 pass[0]/domain: the file cannot be read");
  EXPECT_EQ(fault_of("domain = 'cube.toml'").substr(0, 28), "7:10 pass[0]/domain: cube.to");
}

TEST(Scene, BoundsMemoryAndWork) {
  const auto target = [](std::string_view fields) { return "targets.a = {" + std::string(fields) + "}\npass = []\n"; };
  EXPECT_EQ(fault_in(target("format = 'R8_UNORM', width = 16385, height = 1")), "1:43 targets/a/width: expected a number from 1 to 16384");
  EXPECT_EQ(fault_in(target("format = 'R8_UNORM', width = 0, height = 1")), "1:43 targets/a/width: expected a number from 1 to 16384");
  EXPECT_EQ(fault_in(target("format = 'R8_UNORM', width = 16384, height = 257")),
            "1:13 targets/a: targets and resources together may have 4194304 bytes");
  EXPECT_EQ(fault_in(target("format = 'R8_UNORM', width = 2048, height = 2048")), "none");
  EXPECT_EQ(fault_in(target("format = 'R8_UNORM', width = 2048, height = 2048, samples = 2")),
            "1:13 targets/a: targets and resources together may have 4194304 bytes");
  EXPECT_EQ(fault_in(target("format = 'BC1_UNORM', width = 4, height = 4")),
            "1:23 targets/a/format: expected the name of a DXGI format without blocks, such as R8G8B8A8_UNORM or D32_FLOAT");
  EXPECT_EQ(fault_of("mesh = 'cube'\ndraw = {count = 4000000000}"),
            "3:1 pass[0]/draw: a draw must have at most 16777216 vertices in all instances");
}

TEST(Scene, SignedNumbersHaveAll32Bits) {
  const auto left_of = [](std::string_view number) {
    States states;
    const auto pass = document_text::read_toml("scissors = [{left = " + std::string(number) + ", top = 0, right = 1, bottom = 1}]");
    EXPECT_TRUE(pass);
    const auto done = read_state((*pass->as_map())[0], states);
    EXPECT_TRUE(done);
    return *done ? std::to_string(states.scissors[0].left) : done->error().message;
  };
  EXPECT_EQ(left_of("-2147483648"), "-2147483648");
  EXPECT_EQ(left_of("2147483647"), "2147483647");
  for (const char* const number : {"-2147483649", "2147483648"})
    EXPECT_EQ(left_of(number), "expected a whole number from -2147483648 to 2147483647");
}

// A target that does not fit is not told of before a shader that is missing: shaders are loaded before any memory is taken.
TEST(Scene, LoadsShadersBeforeItTakesMemory) {
  const std::string large = "targets.a = {format = 'R32G32B32A32_FLOAT', width = 16384, height = 16384, samples = 16}\n";
  EXPECT_EQ(fault_in(large + "[[pass]]\nvertex = 'nothing'\ntargets = ['a']\n"), "3:10 pass[0]/vertex: the file cannot be read");
  EXPECT_EQ(fault_in(large + "[[pass]]\nvertex = 'lit.vs.asm'\ntargets = ['a']\n"),
            "1:13 targets/a: targets and resources together may have 4194304 bytes");
}

// MultisampleEnable and AntialiasedLineEnable choose one of three modes. src: Direct3D 11.3 functional specification 15.14.1
TEST(Scene, ChoosesTheModeOfLines) {
  const auto lines = [](std::string_view fields) {
    States states;
    const auto pass = document_text::read_toml("rasterizer = {" + std::string(fields) + "}");
    EXPECT_TRUE(pass);
    const auto done = read_state((*pass->as_map())[0], states);
    EXPECT_TRUE(done && *done);
    return states.rasterizer.lines;
  };
  EXPECT_EQ(lines(""), draw::LineMode::aliased);
  EXPECT_EQ(lines("AntialiasedLineEnable = true"), draw::LineMode::alpha_antialiased);
  EXPECT_EQ(lines("MultisampleEnable = true"), draw::LineMode::quadrilateral_wide);
  EXPECT_EQ(lines("AntialiasedLineEnable = true, MultisampleEnable = true"), draw::LineMode::quadrilateral_wide);
  EXPECT_EQ(lines("MultisampleEnable = true, LineRasterizationMode = 'QUADRILATERAL_NARROW'"), draw::LineMode::quadrilateral_narrow);
  EXPECT_EQ(fault_of("rasterizer.ForcedSampleCount = 2\nmesh = 'cube'"),
            "7:1 pass[0]/rasterizer: the forced sample count must be 0, 1, 4, 8 or 16");
}

// A mask of a face is its own, wherever that of both stands.
TEST(Scene, ReadsMasksOfFaces) {
  States states;
  const auto pass = document_text::read_toml(
      "depth_stencil = {FrontFace = {StencilReadMask = 1}, StencilReadMask = 2, StencilWriteMask = 3, BackFace = {StencilWriteMask = 4}}\n"
      "stencil_ref = [5, 6]");
  ASSERT_TRUE(pass);
  for (const Value::Member& member : *pass->as_map()) {
    const auto done = read_state(member, states);
    EXPECT_TRUE(done && *done) << member.key;
  }
  EXPECT_EQ(states.depth_stencil.front.read_mask, 1);
  EXPECT_EQ(states.depth_stencil.front.write_mask, 3);
  EXPECT_EQ(states.depth_stencil.back.read_mask, 2);
  EXPECT_EQ(states.depth_stencil.back.write_mask, 4);
  EXPECT_EQ(states.stencil_refs, (std::array<std::uint8_t, 2>{5, 6}));
  EXPECT_EQ(fault_of("stencil_ref = [1]"),
            "7:15 pass[0]/stencil_ref: expected a stencil reference, or a list of two, of front and back faces");
  EXPECT_EQ(fault_of("depth_stencil.BackFace.StencilReadMask = 256"),
            "7:42 pass[0]/depth_stencil/BackFace/StencilReadMask: expected a whole number from 0 to 255");
}

/// Three vertices at the corners of a triangle that covers the upper left half of a target of 4x4, into a buffer; then what is in it.
constexpr std::string_view kStreams = R"(
targets.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 4}
resources.vertices = {size = 96}
resources.small = {size = 40}

[[pass]]
vertex = 'color.vs.asm'
mesh.vertices = [{POSITION = [-1, 1, 0], COLOR = [1, 1, 1]}, {POSITION = [1, 1, 0], COLOR = [1, 1, 1]}, {POSITION = [-1, -1, 0], COLOR = [1, 1, 1]}]
stream_output.Declaration = [{SemanticName = 'SV_Position', ComponentCount = 3}, {SemanticName = 'COLOR', ComponentCount = 3}]
stream_output.RasterizedStream = 'NONE'
stream_output.buffers = ['vertices']
queries = {written = 'SO_STATISTICS_STREAM0', full = 'SO_OVERFLOW_PREDICATE'}
)";
constexpr std::string_view kFromStreams = R"(
[[pass]]
vertex = 'color.vs.asm'
pixel = 'color.ps.asm'
targets = ['picture']
draw.auto = true
queries = {seen = 'OCCLUSION', any = 'BINARY_OCCLUSION', counts = 'PIPELINE_STATISTICS'}
mesh.buffers = [{data = 'vertices', stride = 24, elements = {POSITION = {format = 'R32G32B32_FLOAT'}, COLOR = {format = 'R32G32B32_FLOAT', offset = 12}}}]
)";

const Value& query(const Drawn& drawn, std::string_view name, std::string_view count = {}) {
  const Value* const own = drawn.queries.find(name);
  EXPECT_NE(own, nullptr) << name;
  return count.empty() ? *own : *own->find(count);
}

TEST(Scene, StreamsOutAndDrawsThat) {
  const auto drawn = draw(std::string(kStreams) + std::string(kFromStreams));
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(drawn->resources[0].filled, 72U);
  EXPECT_EQ(query(*drawn, "written", "NumPrimitivesWritten").as_integer()->magnitude, 1U);
  EXPECT_EQ(query(*drawn, "written", "PrimitivesStorageNeeded").as_integer()->magnitude, 1U);
  EXPECT_FALSE(*query(*drawn, "full").as_boolean());
  EXPECT_EQ(query(*drawn, "seen").as_integer()->magnitude, 6U);
  EXPECT_TRUE(*query(*drawn, "any").as_boolean());
  EXPECT_EQ(query(*drawn, "counts", "IAVertices").as_integer()->magnitude, 3U);
  EXPECT_EQ(query(*drawn, "counts", "PSInvocations").as_integer()->magnitude, 6U);
}

TEST(Scene, PredicatesSkipPasses) {
  const auto drawn = [&](std::string_view operation, std::string_view query_name) {
    const auto made = draw(std::string(kStreams) + std::string(kFromStreams) + "predication = {query = '" + std::string(query_name) +
                           "', operation = '" + std::string(operation) + "'}\n");
    return made ? std::to_string(made->passes[1].is_skipped) + ' ' + std::to_string(query(*made, "seen").as_integer()->magnitude)
                : made.error().path + ": " + made.error().message;
  };
  EXPECT_EQ(drawn("EQUAL_ZERO", "full"), "1 0");
  EXPECT_EQ(drawn("NOT_EQUAL_ZERO", "full"), "0 6");
  EXPECT_EQ(drawn("EQUAL_ZERO", "seen"), "pass[1]/predication/query: no earlier pass has this query");
  EXPECT_EQ(drawn("EQUAL_ZERO", "written"),
            "pass[1]/predication/query: expected a query whose result is a number or a boolean, found SO_STATISTICS_STREAM0");
}

TEST(Scene, QueriesCountAllPassesThatNameThem) {
  const std::string pass(kFromStreams);
  const auto drawn = draw(std::string(kStreams) + pass + pass);
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(query(*drawn, "seen").as_integer()->magnitude, 12U);
}

// Shaders of dxc: an amplification shader dispatches a mesh for each of 0 to 31 that is no multiple of 3. A mesh draws into the layer of
// its number's last two bits; its first triangle is in the column of its number, the others cover nothing.
TEST(Scene, DrawsMeshes) {
  std::string values;
  for (unsigned mesh = 0; mesh < 32; ++mesh) {
    const auto x = [&](unsigned halves) { return std::to_string((mesh * 2 + halves) / 32.0 - 1); };
    for (unsigned vertex = 0; vertex < 64; ++vertex)
      values += vertex == 0 ? x(0) + ", -1, 0, 1, " : vertex == 1 ? x(1) + ", 1, 0, 1, " : x(2) + ", -1, 0, 1, ";
  }
  const std::string head = "targets.layers = {format = 'R8G8B8A8_UNORM', width = 32, height = 1, layers = 4}\n[[pass]]\n";
  const std::string rest = "pixel = 'color.ps.asm'\ntargets = ['layers']\nqueries.counts = 'PIPELINE_STATISTICS'\n";
  const std::string mesh = "mesh_shader = '../../tests/data/dxil/mesh_ms_6_5.dxil'\n";
  const auto drawn = draw(head + mesh + "amplification = '../../tests/data/dxil/mesh_as_6_5.dxil'\n" + rest +
                          "resources.positions = {stride = 16, values = [" + values + "]}\n");
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  for (unsigned at = 0; at < 32 * 4; ++at) {
    const unsigned number = at % 32;
    const bool drawn_there = number < 21 && number % 4 == at / 32;
    EXPECT_EQ(drawn->targets[0].picture.bytes[at * 4 + 2], drawn_there ? std::byte{255} : std::byte{0}) << at;
  }
  EXPECT_EQ(query(*drawn, "counts", "ASInvocations").as_integer()->magnitude, 32U);
  EXPECT_EQ(query(*drawn, "counts", "MSInvocations").as_integer()->magnitude, 21U * 64);
  EXPECT_EQ(query(*drawn, "counts", "PSInvocations").as_integer()->magnitude, 21U);
  EXPECT_EQ(fault_in(head + mesh + rest + "mesh = 'cube'"), "7:8 pass[0]/mesh: a pass with a mesh shader must not have a mesh");
  EXPECT_EQ(fault_in(head + mesh + rest + "vertex = 'color.vs.asm'\nmesh.vertices = [{POSITION = [0, 0, 0], COLOR = [0, 0, 0]}]"),
            "8:1 pass[0]/mesh: a mesh shader replaces the stages before the rasterizer, and stream output: leave them out");
  EXPECT_EQ(fault_in(head + rest), "2:1 pass[0]/vertex: a pass must have a vertex shader, a mesh shader or a compute shader");
}

TEST(Scene, TellsWhatIsWrongWithStreamsAndQueries) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text(kStreams);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return fault_in(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(with("['vertices']", "['small']"), "none");  // is full
  EXPECT_EQ(with("['vertices']", "['']"), "none");
  EXPECT_EQ(with("['vertices']", "['vertexes']"), "11:26 pass[0]/stream_output/buffers[0]: there is no resource `vertexes`");
  EXPECT_EQ(with("['vertices']", "['small', 'small']"), "11:35 pass[0]/stream_output/buffers[1]: another slot is bound to this resource");
  EXPECT_EQ(with("['vertices']", "[1]"), "11:26 pass[0]/stream_output/buffers[0]: expected the name of a resource");
  EXPECT_EQ(with("['vertices']", "[{resource = 'vertices', offset = 72}]"), "none");
  EXPECT_EQ(
      with("stream_output.Declaration = [{SemanticName = 'SV_Position', ComponentCount = 3}, {SemanticName = 'COLOR', ComponentCount = 3}]",
           ""),
      "10:1 pass[0]/stream_output/Declaration: expected a list of outputs for the buffers, or SPIR-V with the execution mode Xfb that "
      "captures outputs");
  EXPECT_EQ(with("'NONE'", "4"), "10:34 pass[0]/stream_output/RasterizedStream: expected the number of a stream, 0 to 3, or NONE");
  EXPECT_EQ(with("'COLOR', ComponentCount = 3", "'COLR'"),
            "6:1 pass[0]/stream_output/Declaration[1]: the vertices have no output `COLR0`; did you mean `COLOR`?");
  EXPECT_EQ(with("SemanticName = 'COLOR'", "SemanticNam = 'COLOR'"),
            "9:83 pass[0]/stream_output/Declaration[1]/SemanticNam: an entry has no field of this name; did you mean `SemanticName`?");
  EXPECT_EQ(with("'SO_OVERFLOW_PREDICATE'", "'OCLUSION'").substr(0, 51), "12:54 pass[0]/queries/full: expected one of OCCLUSI");
  EXPECT_EQ(with("queries = {", "draw.auto = true\nqueries = {"),
            "6:1 pass[0]/draw/auto: the first vertex buffer must be a resource that an earlier pass filled by stream output");
  EXPECT_EQ(fault_in(std::string(kStreams) + std::string(kFromStreams) +
                     "[[pass]]\nvertex = 'color.vs.asm'\nmesh = {vertices = [{POSITION = [0, 0, 0], COLOR = [0, 0, 0]}]}\ntargets = "
                     "['picture']\nqueries.seen = 'PIPELINE_STATISTICS'"),
            "25:16 pass[2]/queries/seen: an earlier pass has this query as OCCLUSION");
}

TEST(Scene, DrawsWhateverVerticesAre) {
  EXPECT_EQ(fault_of("mesh = 'cube'\nviewports = [{Width = 0, Height = 0}]"), "none");
  EXPECT_EQ(fault_of("mesh = {built_in = 'cube', indices = [0, 1, 100000]}"), "none");
  const std::string rest = ", NORMAL = [0, inf, nan], TEXCOORD = [0, 0]}";
  EXPECT_EQ(fault_of("mesh.vertices = [{POSITION = [nan, 0, 0]" + rest + ", {POSITION = [1e38, -inf, 3e38]" + rest +
                     ", {POSITION = [1e38, 2e30, 1e-40]" + rest + "]"),
            "none");
}

TEST(Scene, GivesTheMeanOfSamples) {
  const auto drawn = draw(
      "targets.a = {format = 'R8G8B8A8_UNORM', width = 8, height = 8, samples = 4}\n[[pass]]\nvertex = 'color.vs.asm'\npixel = "
      "'color.ps.asm'\ntargets = ['a']\nmesh.vertices = [{POSITION = [-1, 1, 0], COLOR = [1, 1, 1]}, {POSITION = [1, 1, 0], COLOR = [1, "
      "1, 1]}, {POSITION = [-1, -1, 0], COLOR = [1, 1, 1]}]\n");
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  const picture::Picture& picture = drawn->targets[0].picture;
  ASSERT_EQ(picture.bytes.size(), 8U * 8 * 4);
  EXPECT_EQ(picture.bytes[0], std::byte{255});
  // two of the four samples of a pixel on the diagonal are in the triangle
  EXPECT_EQ(picture.bytes[7 * 4], std::byte{128});
  EXPECT_EQ(drawn->passes[0].statistics.clipper_in, 1U);
}

TEST(Scene, GivesTheCanonicalNanAsAMean) {
  const auto drawn = draw(
      "targets.a = {format = 'R32G32B32A32_FLOAT', width = 8, height = 8, samples = 4, clear = [inf, 0, 0, 0]}\n[[pass]]\nvertex = "
      "'color.vs.asm'\npixel = 'color.ps.asm'\ntargets = ['a']\nmesh.vertices = [{POSITION = [-1, 1, 0], COLOR = [-inf, 1, 1]}, {POSITION "
      "= [1, 1, 0], COLOR = [-inf, 1, 1]}, {POSITION = [-1, -1, 0], COLOR = [-inf, 1, 1]}]\n");
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  const picture::Picture& picture = drawn->targets[0].picture;
  ASSERT_EQ(picture.bytes.size(), 8U * 8 * 16);
  std::uint32_t red = 0;
  std::memcpy(&red, picture.bytes.data() + std::size_t{7} * 16, 4);
  EXPECT_EQ(red, 0x7fc0'0000U);
}

TEST(Scene, HasMeshesThatFaceOutwards) {
  for (const std::string_view name : built_in_meshes()) {
    const auto mesh = built_in_mesh(name);
    ASSERT_TRUE(mesh);
    const auto at = [&](std::uint32_t vertex, std::size_t component) {
      return static_cast<double>(mesh->rows[vertex * BuiltIn::kNumbers + component]);
    };
    for (std::size_t first = 0; first < mesh->indices.size(); first += 3) {
      const std::uint32_t* const corner = &mesh->indices[first];
      double along = 0;  // cross product of two edges times the normal of the first corner: positive if clockwise from outside
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t y = (k + 1) % 3, z = (k + 2) % 3;
        const auto edge = [&](std::uint32_t to, std::size_t component) { return at(to, component) - at(corner[0], component); };
        along += (edge(corner[1], y) * edge(corner[2], z) - edge(corner[1], z) * edge(corner[2], y)) * at(corner[0], 3 + k);
      }
      EXPECT_GE(along, -1e-6) << name << ' ' << first;
    }
  }
}

TEST(Scene, ResourcesHaveTheStrideOfTheShader) {
  std::string text = test::read_text(folder() / "particles.toml");
  const auto stated = draw(text);
  ASSERT_TRUE(stated) << to_string(stated.error());
  const std::size_t stride = text.find("stride = 16");
  ASSERT_NE(stride, std::string::npos);
  text.erase(text.rfind('\n', stride), text.find('\n', stride) - text.rfind('\n', stride));
  ASSERT_EQ(text.find("stride"), std::string::npos);
  const auto drawn = draw(text);
  ASSERT_TRUE(drawn) << to_string(drawn.error());
  EXPECT_EQ(drawn->targets[0].picture.bytes, stated->targets[0].picture.bytes);
}

TEST(Scene, NamesConstantsThatItDoesNotGive) {
  const auto missing = [](std::string_view constants) {
    const auto drawn = draw(std::string(kTargets) + std::string(kPass) + "mesh = 'cube'\n" + std::string(constants));
    if (!drawn) return to_string(drawn.error());
    std::string made;
    for (const auto& [stage, names] : drawn->passes[0].not_given) {
      made += (made.empty() ? "" : "; ") + stage;
      for (const std::string& name : names) made += ' ' + name;
    }
    return made;
  };
  EXPECT_EQ(missing(""), "vertex worldViewProjection world; pixel direction ambient color");
  EXPECT_EQ(missing("constants = {ambient = 1, world = [1]}"), "vertex worldViewProjection; pixel direction color");
  // a part goes to the stage that has the variable
  EXPECT_EQ(missing("constants = {ambient = 1, 'world[0]' = [1]}"), "vertex worldViewProjection; pixel direction color");
  // given as a whole
  EXPECT_EQ(missing("resources.b0 = {size = 128}"), "");
}

/// Stores a specialization constant in the second element of an array.
constexpr std::string_view kStores = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %Count "Count"
OpName %seen "seen"
OpDecorate %Count SpecId 7
OpDecorate %Out BufferBlock
OpMemberDecorate %Out 0 Offset 0
OpDecorate %seen DescriptorSet 2
OpDecorate %seen Binding 5
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%Count = OpSpecConstant %uint 2
%Out = OpTypeStruct %uint
%Outs = OpTypeArray %Out %u2
%of_outs = OpTypePointer Uniform %Outs
%of_uint = OpTypePointer Uniform %uint
%seen = OpVariable %of_outs Uniform
%main = OpFunction %void None %function
%entry = OpLabel
%to = OpAccessChain %of_uint %seen %u1 %u0
OpStore %to %Count
OpReturn
OpFunctionEnd
)";

TEST(Scene, GivesSpecializationConstants) {
  const auto stored = [](std::string_view of_scene, std::string_view of_pass, std::string_view of_stage) {
    const std::string text = "resources = {first = {words = [0]}, second = {words = [0]}}\n" + std::string(of_scene) +
                             "[[pass]]\nresources = {'set 2, binding 5' = 'first', 'seen[1]' = 'second'}\n" + std::string(of_pass) +
                             "compute = {file = 'stores.spvasm'" + (of_stage.empty() ? "" : ", ") + std::string(of_stage) + "}\n";
    const auto scene = document_text::read_toml(text);
    if (!scene) return to_string(scene.error());
    SceneOptions options;
    options.read_file = [](void*, std::string_view) -> Result<std::vector<std::byte>> {
      const auto bytes = std::as_bytes(std::span(kStores));
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    const auto drawn = draw_scene(*scene, options);
    if (!drawn) return drawn.error().path + ": " + drawn.error().message;
    return std::to_string(std::to_integer<unsigned>(drawn->resources[1].bytes[0])) + ' ' +
           std::to_string(std::to_integer<unsigned>(drawn->resources[0].bytes[0]));
  };
  EXPECT_EQ(stored("", "", ""), "2 0");
  EXPECT_EQ(stored("constants.Count = 3\n", "", ""), "3 0");
  EXPECT_EQ(stored("constants.Count = 3\n", "constants.7 = 4\n", ""), "4 0");
  EXPECT_EQ(stored("constants.Count = 3\n", "constants.7 = 4\n", "constants = {Count = 5}"), "5 0");
  EXPECT_EQ(stored("", "", "constants = {Count = 5, 7 = 5}"),
            "pass[0]/compute/constants/7: the specialization constant `7` is given twice");
  EXPECT_EQ(stored("constants.Cout = 3\n", "", ""), "constants/Cout: no shader of the passes has this name");
}

}  // namespace
}  // namespace unshade::scene
