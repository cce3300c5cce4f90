#include "draw/input_assembler.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unshade::draw {
namespace {

// `0 1 2|2 1 3`: the vertices of each primitive.
std::string assembled(Topology topology, Call call, std::vector<std::uint16_t> indices = {}, bool with_adjacency = true,
                      std::uint32_t patch_points = 3, std::size_t most = 1000, const std::optional<ConstantVertices>& constant = {}) {
  Pipeline pipeline;
  pipeline.topology = topology;
  pipeline.constant_vertices = constant;
  Bindings bindings;
  bindings.indices.bytes = std::as_bytes(std::span(indices));
  call.indexed = !indices.empty();
  if (call.indexed) call.count = static_cast<std::uint32_t>(indices.size()) - call.first;
  std::optional<SizedPrimitives> sized;
  if (constant) {
    const auto found = sized_primitives(*constant, bindings, call);
    if (!found) return found.error().message;
    sized = *found;
  }
  Assembler assembler(pipeline, bindings, call, patch_points, with_adjacency, sized);
  std::string made;
  for (;;) {
    const Batch batch = assembler.next(most);
    if (batch.primitives.count() == 0) return made;
    for (std::size_t at = 0; at < batch.primitives.count(); ++at) {
      std::string one;
      for (const std::uint32_t corner : batch.primitives.of(at)) {
        if (corner == kNone) {
          one += " -";
          continue;
        }
        const Reference& vertex = batch.vertices[corner];
        one += (one.empty() ? "" : " ") + std::to_string(vertex.vertex);
        if (vertex.instance != 0) one += "@" + std::to_string(vertex.instance);
      }
      made += (made.empty() ? "" : "|") + one;
    }
  }
}

// The leading vertex is the first. src: Direct3D 11.3 functional specification 8.15
TEST(InputAssembler, MakesPrimitivesOfEveryTopology) {
  EXPECT_EQ(assembled(Topology::point_list, {.count = 2}), "0|1");
  EXPECT_EQ(assembled(Topology::line_list, {.count = 5}), "0 1|2 3");
  EXPECT_EQ(assembled(Topology::line_strip, {.count = 3}), "0 1|1 2");
  EXPECT_EQ(assembled(Topology::triangle_list, {.count = 8}), "0 1 2|3 4 5");
  EXPECT_EQ(assembled(Topology::triangle_strip, {.count = 5}), "0 1 2|1 3 2|2 3 4");
  EXPECT_EQ(assembled(Topology::triangle_fan, {.count = 5}), "1 2 0|2 3 0|3 4 0");
  EXPECT_EQ(assembled(Topology::patch_list, {.count = 9}, {}, true, 4), "0 1 2 3|4 5 6 7");
  EXPECT_EQ(assembled(Topology::triangle_list, {.count = 2}), "");
  EXPECT_EQ(assembled(Topology::triangle_list, {.count = 0}), "");
}

TEST(InputAssembler, GivesVerticesBesidePrimitivesToGeometryShadersAlone) {
  EXPECT_EQ(assembled(Topology::line_list_adjacency, {.count = 8}), "0 1 2 3|4 5 6 7");
  EXPECT_EQ(assembled(Topology::line_strip_adjacency, {.count = 5}), "0 1 2 3|1 2 3 4");
  EXPECT_EQ(assembled(Topology::triangle_list_adjacency, {.count = 6}), "0 1 2 3 4 5");
  EXPECT_EQ(assembled(Topology::triangle_strip_adjacency, {.count = 6}), "0 1 2 5 4 3");
  EXPECT_EQ(assembled(Topology::triangle_strip_adjacency, {.count = 8}), "0 1 2 6 4 3|2 5 6 7 4 0");
  EXPECT_EQ(assembled(Topology::triangle_strip_adjacency, {.count = 10}), "0 1 2 6 4 3|2 5 6 8 4 0|4 2 6 9 8 7");
  EXPECT_EQ(assembled(Topology::line_strip_adjacency, {.count = 5}, {}, false), "1 2|2 3");
  EXPECT_EQ(assembled(Topology::triangle_strip_adjacency, {.count = 8}, {}, false), "0 2 4|2 6 4");
}

TEST(InputAssembler, IndicesOfOnesCutStrips) {
  EXPECT_EQ(assembled(Topology::triangle_strip, {}, {5, 6, 7, 0xffff, 1, 2, 3, 4}), "5 6 7|1 2 3|2 4 3");
  EXPECT_EQ(assembled(Topology::line_strip, {}, {0xffff, 0xffff, 1, 0xffff, 2, 3, 0xffff}), "2 3");
  EXPECT_EQ(assembled(Topology::triangle_list, {}, {0, 1, 0xffff}), "0 1 65535");
}

TEST(InputAssembler, TakesVerticesForConstantsAsTheyCome) {
  const auto of = [](const ConstantVertices& how, Call call, const std::vector<std::uint16_t>& indices = {}, std::size_t most = 1000) {
    return assembled(Topology::triangle_strip, call, indices, true, 3, most, how);
  };
  const ConstantVertices fixed{.first = 8, .count = 2};
  EXPECT_EQ(of(fixed, {.count = 4, .instances = 2}), "0 1|2 3|0@1 1@1|2@1 3@1");
  EXPECT_EQ(of(fixed, {}, {0xffff, 5, 5, 0}), "65535 5|5 0");
  EXPECT_EQ(of(fixed, {.count = 0}), "");
  EXPECT_EQ(of(fixed, {.count = 3}), "the geometry shader takes primitives of 2 vertices: the draw has 3, which leaves 1");
  const std::vector<std::uint16_t> indices{1, 7, 3, 7, 8, 7, 2, 0, 1};
  for (std::size_t most = 1; most < 5; ++most) {
    EXPECT_EQ(of({}, {}, indices, most), "7 - -|7 8 7|0 1 -");
    EXPECT_EQ(of({}, {.first = 2, .instances = 2}, indices, most), "7 8 7|0 1 -|7@1 8@1 7@1|0@1 1@1 -");
  }
  EXPECT_EQ(of({}, {.first = 3}, indices), "index 3 begins a primitive of 7 vertices, of which the draw has 5");
}

TEST(InputAssembler, InstancesFollowEachOther) {
  EXPECT_EQ(assembled(Topology::triangle_list, {.count = 3, .instances = 2}), "0 1 2|0@1 1@1 2@1");
  EXPECT_EQ(assembled(Topology::triangle_strip, {.instances = 2}, {0, 1, 2, 0xffff, 3, 4, 5}), "0 1 2|3 4 5|0@1 1@1 2@1|3@1 4@1 5@1");
  EXPECT_EQ(assembled(Topology::triangle_list, {.count = 1, .instances = 0xffff'ffff}), "");
}

TEST(InputAssembler, BatchesChangeNothing) {
  const std::vector<std::uint16_t> indices{0, 1, 2, 0xffff, 3, 4, 5, 6, 7};
  for (std::size_t most = 1; most < 8; ++most) {
    EXPECT_EQ(assembled(Topology::triangle_strip, {.instances = 2}, indices, true, 3, most),
              assembled(Topology::triangle_strip, {.instances = 2}, indices));
  }
}

TEST(InputAssembler, IndicesBeyondTheBufferAreZero) {
  Pipeline pipeline;
  Bindings bindings;
  const Call call{.indexed = true, .first = 0xffff'fff0, .count = 3};
  Assembler assembler(pipeline, bindings, call, 3, false);
  const Batch batch = assembler.next(10);
  ASSERT_EQ(batch.primitives.count(), 1U);
  EXPECT_EQ(batch.vertices.size(), 1U);
  EXPECT_EQ(batch.vertices[0].vertex, 0U);
}

TEST(InputAssembler, AVertexIsThereOnce) {
  Pipeline pipeline;
  pipeline.topology = Topology::triangle_strip;
  Bindings bindings;
  const Call call{.count = 6};
  Assembler assembler(pipeline, bindings, call, 3, false);
  const Batch batch = assembler.next(10);
  EXPECT_EQ(batch.primitives.count(), 4U);
  EXPECT_EQ(batch.vertices.size(), 6U);
}

}  // namespace
}  // namespace unshade::draw
