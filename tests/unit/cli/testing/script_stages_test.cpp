// `unshade test --amber` of vertex and geometry shaders: their outputs are stored, and compared as buffers.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "support/amber_scripts.hpp"
#include "support/two_outputs.hpp"

namespace unshade::test {
namespace {

using TestScriptsOfStages = AmberScripts;
using Counts = std::map<std::string, int>;

TEST_F(TestScriptsOfStages, HaveTheVerdictOfVertices) {
  const auto written = write_suite("stretch.test.toml", "shader = '" + data("suites/stretch.vert.spvasm") + R"('
constants.scale = 3
resources.u0 = {size = 32}
lanes = [
  {position = [1, 2, 3], number = [4, -5], vertex_id = 2, instance_id = 1},
  {position = [-1, 0.25, 1e9], number = [7, 0], vertex_id = 0, instance_id = 1},
]
[[case]]
name = 'outputs by name and location'
expect.lanes = [{gl_Position = [3, 6, 9, 2], uv = [1.5, 2.5], twice = [8, -10], own = 12}, {o1 = 10, uv = ['< 0', 0.75]}]
[[case]]
name = 'one map for all'
expect.lanes = {uv = '>= -0.5', twice = {value = [11, -5], absolute = 5}}
[[case]]
name = 'a wrong component'
expect.lanes = [{gl_Position = [3, 6, 9.5, 2]}]
[[case]]
name = 'a wrong whole number'
expect.lanes = [{}, {twice = [14, 1]}]
[[case]]
name = 'a condition that does not hold'
expect.lanes = {uv = '> 0'}
[[case]]
name = 'what it writes'
expect.resources.u0 = {words = [5, 0, 5, 0, 0]}
[[case]]
name = 'what it does not write'
expect.resources.u0 = {words = [5, 5]}
[[case]]
name = 'nothing'
[[case]]
name = 'numbers of their own'
lanes = [{}, {}, {}]
expect.lanes = [{own = 0}, {own = 1}, {own = 2}]
[[case]]
name = 'a number of one lane'
lanes = [{vertex_id = 3}, {}]
expect.lanes = [{own = 3}, {own = 0}]
[[case]]
name = 'inputs by location'
lanes = [{v0 = [1, 2, 3], v2 = [4, -5]}]
expect.lanes = [{gl_Position = [3, 6, 9, 2], twice = [8, -10]}]
)");
  EXPECT_EQ(written.size(), 11U);
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 7}, {"failed", 4}}));
  const std::string text = read_text(written.at("one map for all").file);
  EXPECT_NE(text.find("DEVICE_FEATURE geometryShader\nDEVICE_FEATURE vertexPipelineStoresAndAtomics\n\nSHADER vertex shader"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("RUN pipeline DRAW_ARRAY INDEXED AS POINT_LIST START_IDX 0 COUNT 2 START_INSTANCE 1 INSTANCE_COUNT 1\n"),
            std::string::npos)
      << text;
}

// Files of numbers are written out: a script stands for itself.
TEST_F(TestScriptsOfStages, HaveLanesOfFiles) {
  add("lanes.csv", "position.x,position.y,position.z,number.x,number.y,vertex_id\n1,2,3,4,-5,1\n-1,0.25,1e9,7,0,0\n");
  add("mesh.obj", "v 1 2 3\nv 4 5 6\nv 7 8 9\nv 0 0 1\nf 1 2 3 4\n");
  add("wrong.csv", "position.x,position.y\n1\n");
  const auto written = write_suite("files.test.toml", "shader = '" + data("suites/stretch.vert.spvasm") + R"('
constants.scale = 3
resources.u0 = {size = 32}
[[case]]
name = 'csv'
lanes = {csv = 'lanes.csv'}
expect.lanes = [{gl_Position = [3, 6, 9, 2], uv = [1.5, 2.5], twice = [8, -10], own = 1}, {uv = [-0.5, 0.75]}]
[[case]]
name = 'a wrong number of csv'
lanes = {csv = 'lanes.csv'}
expect.lanes = [{}, {twice = [14, 1]}]
[[case]]
name = 'obj'
lanes = {obj = 'mesh.obj', names = {v = 'position'}}
expect.lanes = [{uv = [1.5, 2.5]}, {uv = [4.5, 5.5]}, {uv = [7.5, 8.5]}, {uv = [1.5, 2.5]}, {uv = [7.5, 8.5]}, {uv = 0.5, own = 5}]
[[case]]
name = 'a wrong number of obj'
lanes = {obj = 'mesh.obj', names = {v = 'position'}}
expect.lanes = {uv = '< 8'}
)");
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 2}, {"failed", 2}}));
  const std::string text = read_text(written.at("csv").file);
  EXPECT_EQ(text.find("lanes.csv"), std::string::npos) << text;
  EXPECT_NE(text.find("BUFFER input2 DATA_TYPE vec2<int32> DATA\n  7 0\n  4 -5\nEND\n"), std::string::npos) << text;

  const auto refused = write_suite("faults.test.toml", "shader = '" + data("suites/stretch.vert.spvasm") + R"('
resources.u0 = {size = 32}
[[case]]
name = 'a row too short'
lanes = {csv = 'wrong.csv'}
[[case]]
name = 'no file'
lanes = {obj = 'none.obj'}
[[case]]
name = 'no lanes'
)");
  EXPECT_EQ(refused.at("a row too short").reason, "lanes/csv: line 2: 1 cell, expected 2");
  EXPECT_EQ(refused.at("no file").reason, "lanes/obj: the file cannot be read: No such file or directory");
  EXPECT_EQ(refused.at("no lanes").reason, "cannot draw `lanes` as vertices: the case has none");
}

TEST_F(TestScriptsOfStages, NameWhatDrawsOfVerticesCannotBe) {
  const auto written = write_suite("stretch.test.toml", "shader = '" + data("suites/stretch.vert.spvasm") + R"('
resources.u0 = {size = 32}
[[case]]
name = 'instances'
lanes = [{instance_id = 1}, {}]
[[case]]
name = 'one vertex twice'
lanes = [{vertex_id = 1, position = [1, 0, 0]}, {vertex_id = 1}]
[[case]]
name = 'a far vertex'
lanes = [{vertex_id = 4096}]
[[case]]
name = 'a builtin'
lanes = [{base_vertex = 1}]
[[case]]
name = 'an output of none'
lanes = [{}]
expect.lanes = [{gl_PointSize = 0}]
)");
  EXPECT_EQ(written.at("instances").reason,
            "cannot draw `lanes` as vertices: each instance of a draw repeats all vertices, and these have several instance ids");
  EXPECT_EQ(written.at("one vertex twice").reason, "cannot draw `lanes` as vertices: two with the same vertex_id have different inputs");
  EXPECT_EQ(written.at("a far vertex").reason, "cannot draw `lanes` as vertices: the vertex_id of a shader with inputs must be below 4096");
  EXPECT_EQ(written.at("a builtin").reason, "cannot draw `lanes` as vertices: Amber cannot give `base_vertex`");
  EXPECT_EQ(written.at("an output of none").reason, "`expect.lanes`: Amber cannot compare `gl_PointSize`");
}

TEST_F(TestScriptsOfStages, HaveTheVerdictOfPrimitives) {
  const auto written = write_suite("corners.test.toml", "shader = '" + data("suites/corners.geom.spvasm") + R"('
lanes = [{vertices = [{gl_Position = [1, 2, 3, 4], uv = [1, 2]}, {uv = [3, 4]}, {uv = [5, 6]}]}]
[[case]]
name = 'all that it emits'
expect.vertices = [{corner = 0, gl_Position = [2, 4, 6, 8]}, {corner = 1, color = [4, 3], stream = 0}, {cut = true}, {corner = 2}]
[[case]]
name = 'fewer'
expect.vertices = [{corner = 0}, {corner = 1, color = [4, 3]}, {cut = true}]
[[case]]
name = 'more'
expect.vertices = [{}, {}, {}, {}, {}]
[[case]]
name = 'a cut elsewhere'
expect.vertices = [{corner = 0}, {cut = true}, {}, {}]
[[case]]
name = 'a wrong output'
expect.vertices = [{corner = 0}, {color = [4, 2]}, {}, {}]
[[case]]
name = 'two primitives'
lanes = [{uv = [5, 6]}, {uv = [7, 8]}]
expect.vertices = [
  {lane = 0, corner = 0}, {lane = 0, color = [6, 5]}, {lane = 0, cut = true}, {lane = 0},
  {lane = 1}, {lane = 1, color = [8, 7]}, {lane = 1, cut = true}, {lane = 1, corner = 2},
]
[[case]]
name = 'vertices of another primitive'
lanes = [{uv = [5, 6]}, {uv = [7, 8]}]
expect.vertices = [{lane = 0}, {lane = 0}, {lane = 0}, {lane = 0}, {lane = 1}, {lane = 1}, {lane = 0}, {lane = 1}]
)");
  EXPECT_EQ(written.size(), 7U);
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 2}, {"failed", 5}}));
}

TEST_F(TestScriptsOfStages, HaveTheOutputsOfAStream) {
  add("streams.spvasm", streamed_outputs());
  const auto written = write_suite("streams.test.toml", R"(shader = 'streams.spvasm'
lanes = [{}]
[[case]]
name = 'each'
expect.vertices = [{o0 = [1, 1], location = 1}, {stream = 1, o0 = [2, 2], location = 2}]
[[case]]
name = 'what is left from the other'
expect.vertices = [{o0 = 1}, {stream = 1, o0 = 1}]
[[case]]
name = 'another stream'
expect.vertices = [{stream = 1, o0 = 0}, {}]
)");
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 1}, {"failed", 2}}));
  const std::string text = read_text(written.at("each").file);
  EXPECT_NE(text.find("\nEXPECT output1 IDX 8 EQ 2.0 2.0\n"), std::string::npos) << text;
}

TEST_F(TestScriptsOfStages, HaveTheOutputsOfABlockInAStream) {
  add("block.spvasm", streamed_block("1.5"));
  const auto written = write_suite("block.test.toml", R"(shader = 'block.spvasm'
lanes = [{}]
[[case]]
name = 'the number'
expect.vertices = [{stream = 1, color = 1.5}]
[[case]]
name = 'another'
expect.vertices = [{stream = 1, color = 2.5}]
)");
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 1}, {"failed", 1}}));
}

TEST_F(TestScriptsOfStages, HaveAllOutputsOfARegister) {
  add("packed.spvasm", packed_outputs(kVertexStage));
  const auto written = write_suite("packed.test.toml", kPackedSuite);
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 1}, {"failed", 1}}));
}

TEST_F(TestScriptsOfStages, NameWhatDrawsOfPrimitivesCannotBe) {
  const auto written = write_suite("corners.test.toml", "shader = '" + data("suites/corners.geom.spvasm") + R"('
lanes = [{}, {}]
[[case]]
name = 'whose'
expect.vertices = [{}, {}, {}, {}, {}, {}, {}, {}]
[[case]]
name = 'all'
expect.vertices = {corner = '< 3'}
[[case]]
name = 'numbered'
lanes = [{primitive_id = 3}]
)");
  EXPECT_EQ(written.at("whose").reason, "`expect.vertices` of several primitives must have `lane`: each is a draw of its own");
  EXPECT_EQ(written.at("all").reason, "`expect.vertices` must be a list: a script must state the number of vertices");
  EXPECT_EQ(written.at("numbered").reason, "cannot draw `lanes` as primitives: each primitive is drawn alone, so its primitive_id is 0");
}

}  // namespace
}  // namespace unshade::test
