// Answers that are known for mesh and amplification shaders. src: the numbers of vkd3d-proton's tests, tests/d3d12_mesh_shader.c; shaders
// and draws are our own.
#include <cstring>

#include "known_answers.hpp"

namespace unshade::draw {
namespace {

using test::Color4;
using test::program_of;
using test::Scene;
using test::Texture;
using Words = std::array<std::uint32_t, 4>;

/// Four words that a stage reads or writes.
struct Buffer {
  explicit Buffer(const Words& words = {}) { std::memcpy(bytes.data(), words.data(), sizeof words); }
  vm::Resources& bind(const vm::Program& program) {
    resources = vm::empty_resources(program.module());
    for (auto& row : resources.rows) row.assign(1, {});
    for (auto& row : resources.rows) row[0].bytes = bytes;
    return resources;
  }
  Words words() const {
    Words made;
    std::memcpy(made.data(), bytes.data(), sizeof made);
    return made;
  }
  std::array<std::byte, 16> bytes{};
  vm::Resources resources;
};

/// A mesh shader before a pixel shader, and perhaps an amplification shader before that, over all layers of a target.
struct Meshes : Scene {
  Meshes(const std::string& mesh_text, const std::string& pixel_text, std::uint32_t layers = 1)
      : Scene(pixel_text), mesh(program_of(mesh_text)), picture("R32G32B32A32_FLOAT", 8, 8, 1, layers) {
    pipeline.vertex = nullptr;
    pipeline.mesh = &mesh;
    target(picture);
  }
  Report draw(std::uint32_t groups = 1) {
    call.groups = {groups, 1, 1};
    auto done = run(pipeline, bindings, call);
    EXPECT_TRUE(done) << to_string(done.error());
    return done ? *done : Report{};
  }
  void expect_all(const Color4& color, std::uint32_t layer = 0) const {
    for (std::uint32_t y = 0; y < 8; ++y)
      for (std::uint32_t x = 0; x < 8; ++x) EXPECT_EQ(picture.at(x, y, 0, layer), color) << x << ' ' << y << ' ' << layer;
  }
  vm::Program mesh;
  Texture picture;
};

std::string mesh_shader(std::string_view info, std::string_view elements, std::string_view lines) {
  return "stage mesh\ninfo " + std::string(info) +
         " mesh_topology triangle\noutput \"SV_Position\" system_value position type f32 register 0\n" + std::string(elements) +
         "\nfunction @main {\n^0:\n" + std::string(lines) + "}\n";
}
std::string pixel_shader(std::string_view elements, std::string_view lines) {
  return "stage pixel\n" + std::string(elements) +
         "output \"SV_Target\" system_value target type f32 register 0\n\nfunction @main {\n^0:\n" + std::string(lines) + "  return\n}\n";
}
/// Passes the color of an input on.
std::string color_of_input(unsigned input) {
  std::string made;
  for (const char c : std::string_view("xyzw")) {
    const std::string name = std::string("%color_") + c;
    made += "  " + name + " = input f32 in" + std::to_string(input) + '.' + c + "\n  output f32 out0." + c + ' ' + name + '\n';
  }
  return made;
}
const std::string kGreenPixels = pixel_shader("", test::kGreen);

/// Corner %i of a triangle over all of the target.
constexpr std::string_view kWholeTriangle = R"(  %x1 = iand i32 %i 1
  %y1 = iand i32 %i 2
  %x2 = u_to_f f32 %x1
  %y2 = u_to_f f32 %y1
  %x = ffma f32 %x2 4.0 -1.0
  %y = ffma f32 %y2 2.0 -1.0
)";
/// Corner %i of four of a rectangle over all of it.
constexpr std::string_view kWholeRectangle = R"(  %x1 = iand i32 %i 1
  %y1 = iand i32 %i 2
  %x2 = u_to_f f32 %x1
  %y2 = u_to_f f32 %y1
  %x = ffma f32 %x2 2.0 -1.0
  %y = fadd f32 %y2 -1.0
)";
constexpr std::string_view kPosition = R"(  output f32 out0.x vertex %i %x
  output f32 out0.y vertex %i %y
  output f32 out0.z vertex %i 0.0
  output f32 out0.w vertex %i 1.0
)";
/// Threads 0 and 1 of four.
constexpr std::string_view kTwoTriangles = R"(  %low = ult i32 %i 2
  branch %low ^1 ^2
^1:
  %twice = iadd i32 %i %i
  %second = iadd i32 %twice 1
  mesh_index %i 0 %i
  mesh_index %i 1 %second
  mesh_index %i 2 2
  jump ^2
^2:
  return
)";
/// Sets bit PRIMITIVE_ID of the buffer.
std::string marking_shader(std::string_view element) {
  return pixel_shader(std::string(element) + "resource @marks uav_byte_address register 1\n",
                      "  %p = input i32 in0.x\n  %word = ushr i32 %p 5\n  %place = ishl i32 %word 2\n  %bit = iand i32 %p 31\n"
                      "  %mark = ishl i32 1 %bit\n  %h = handle @marks 0\n  %before = buffer_atomic i32 raw or %h %place %mark\n" +
                          std::string(test::kGreen));
}
constexpr Words kMasks{0xdead'beef, 0x1234'5678, 0, 0xffff'ffff};

TEST(KnownMeshes, ARectangleOfOneGroup) {
  Meshes scene(mesh_shader("group_size 4 1 1 max_vertices 4 max_primitives 2", "",
                           "  %i = builtin i32 local_index\n  set_mesh_counts 4 2\n" + std::string(kWholeRectangle) +
                               std::string(kPosition) + std::string(kTwoTriangles)),
               kGreenPixels);
  scene.draw();
  scene.expect_all(test::kGreenColor);
}

TEST(KnownMeshes, ValuesOfVerticesAndPrimitivesReachPixels) {
  Meshes scene(
      mesh_shader("group_size 3 1 1 max_vertices 16 max_primitives 16",
                  "output \"UV_COORD\" type f32 register 1 columns 2\noutput \"UV_VERTEX_ID\" type i32 register 2 columns 1\n"
                  "patch \"UV_COLOR\" type f32 register 0 per_primitive\n"
                  "patch \"UV_PRIMITIVE_DATA\" type i32 register 1 columns 1 per_primitive\n",
                  "  %i = builtin i32 local_index\n  set_mesh_counts 3 1\n" + std::string(kWholeTriangle) + std::string(kPosition) +
                      R"(  %u = fadd f32 %x2 %x2
  output f32 out1.x vertex %i %u
  output f32 out1.y vertex %i %y2
  %number = iadd i32 %i 1
  output i32 out2.x vertex %i %number
  %first = ieq i32 %i 0
  branch %first ^1 ^2
^1:
  mesh_index 0 0 0
  mesh_index 0 1 1
  mesh_index 0 2 2
  output f32 patch0.x vertex 0 0.0
  output f32 patch0.y vertex 0 1.0
  output f32 patch0.z vertex 0 0.0
  output f32 patch0.w vertex 0 1.0
  output i32 patch1.x vertex 0 0xdeadbeef
  jump ^2
^2:
  return
)"),
      pixel_shader("input \"UV_COORD\" type f32 interpolation linear register 0 columns 2\n"
                   "input \"UV_COLOR\" type f32 interpolation constant register 1\n"
                   "input \"UV_PRIMITIVE_DATA\" type i32 interpolation constant register 2 columns 1\n"
                   "input \"UV_VERTEX_ID\" type i32 interpolation constant register 3 columns 1\n"
                   "resource @marks uav_byte_address register 1\n",
                   R"(  %u = input f32 in0.x
  %v = input f32 in0.y
  %u2 = fadd f32 %u %u
  %v2 = fadd f32 %v %v
  %u3 = fround_even f32 %u2
  %v3 = fround_even f32 %v2
  %across = f_to_u i32 %u3
  %down = f_to_u i32 %v3
  %data = input i32 in2.x
  %id = input i32 in3.x
  %h = handle @marks 0
  %0 = buffer_atomic i32 raw or %h 0 %data
  %1 = buffer_atomic i32 raw or %h 4 %across
  %2 = buffer_atomic i32 raw or %h 8 %down
  %3 = buffer_atomic i32 raw or %h 12 %id
)" + color_of_input(1)));
  Buffer marks;
  scene.bindings.pixel = &marks.bind(*scene.pixel);
  scene.draw();
  EXPECT_EQ(marks.words(), (Words{0xdead'beef, 3, 3, 1}));
  scene.expect_all(test::kGreenColor);
}

/// Bit %i of the mask of the group, and the number of the thread of all groups.
constexpr std::string_view kMaskedThread = R"(  %i = builtin i32 local_index
  %g = builtin i32 group_id.x
  %thread = builtin i32 thread_id.x
  %h = handle @masks 0
  %offset = ishl i32 %g 2
  %mask = buffer_load i32 raw %h %offset
  %bit = ishl i32 1 %i
  %masked = iand i32 %mask %bit
  %shows = ine i32 %masked 0
)";
constexpr std::string_view kPrimitiveId = "input \"UV_PRIMITIVE_ID\" type i32 interpolation constant register 0 columns 1\n";

// A group counts its primitives in the memory that its threads share.
TEST(KnownMeshes, GroupsMakeAsManyPrimitivesAsTheyCount) {
  Meshes scene(mesh_shader("group_size 32 1 1 max_vertices 3 max_primitives 32",
                           "patch \"UV_PRIMITIVE_ID\" type i32 register 0 columns 1 per_primitive\n"
                           "resource @masks byte_address register 0\nvariable @count group bytes 4\n",
                           std::string(kMaskedThread) + R"(  %first = ieq i32 %i 0
  branch %first ^1 ^2
^1:
  store i32 @count 0 0
  jump ^2
^2:
  barrier sync_group
  jump ^3
^3:
  branch %shows ^4 ^5
^4:
  %before = atomic i32 @count add 0 1
  jump ^5
^5:
  %place = phi i32 ^3 -1 ^4 %before
  barrier sync_group
  jump ^6
^6:
  %count = load i32 @count 0
  set_mesh_counts 3 %count
  %none = ieq i32 %count 0
  branch %none ^7 ^8
^8:
  %corner = ult i32 %i 3
  branch %corner ^9 ^10
^9:
)" + std::string(kWholeTriangle) +
                               std::string(kPosition) +
                               R"(  jump ^10
^10:
  branch %shows ^11 ^7
^11:
  mesh_index %place 0 0
  mesh_index %place 1 1
  mesh_index %place 2 2
  output i32 patch0.x vertex %place %thread
  jump ^7
^7:
  return
)"),
               marking_shader(kPrimitiveId));
  Buffer masks(kMasks), marks;
  scene.bindings.mesh = &masks.bind(scene.mesh);
  scene.bindings.pixel = &marks.bind(*scene.pixel);
  const Report report = scene.draw(4);
  EXPECT_EQ(marks.words(), kMasks);
  EXPECT_EQ(report.statistics.mesh_primitives, 24U + 13 + 0 + 32);
}

TEST(KnownMeshes, PrimitivesCullThemselves) {
  Meshes scene(mesh_shader("group_size 32 1 1 max_vertices 3 max_primitives 32",
                           "patch \"UV_PRIMITIVE_ID\" type i32 register 0 columns 1 per_primitive\n"
                           "patch \"SV_CullPrimitive\" system_value cull_primitive type i32 register 1 columns 1 per_primitive\n"
                           "resource @masks byte_address register 0\n",
                           std::string(kMaskedThread) + R"(  set_mesh_counts 3 32
  %corner = ult i32 %i 3
  branch %corner ^1 ^2
^1:
)" + std::string(kWholeTriangle) +
                               std::string(kPosition) +
                               R"(  jump ^2
^2:
  mesh_index %i 0 0
  mesh_index %i 1 1
  mesh_index %i 2 2
  output i32 patch0.x vertex %i %thread
  %culled = select i32 %shows 0 1
  output i32 patch1.x vertex %i %culled
  return
)"),
               marking_shader(kPrimitiveId));
  Buffer masks(kMasks), marks;
  scene.bindings.mesh = &masks.bind(scene.mesh);
  scene.bindings.pixel = &marks.bind(*scene.pixel);
  const Report report = scene.draw(4);
  EXPECT_EQ(marks.words(), kMasks);
  EXPECT_EQ(report.statistics.mesh_primitives, 128U);
  EXPECT_EQ(report.statistics.clipper_in, 24U + 13 + 0 + 32);
}

TEST(KnownMeshes, VerticesHaveClipDistances) {
  for (const float distance : {-1.0F, 5.0F}) {
    Meshes scene(mesh_shader("group_size 4 1 1 max_vertices 4 max_primitives 2",
                             "output \"SV_ClipDistance\" system_value clip_distance type f32 register 1 columns 1\n"
                             "resource @distance byte_address register 0\n",
                             R"(  %i = builtin i32 local_index
  %h = handle @distance 0
  %from = buffer_load f32 raw %h 0
  set_mesh_counts 4 2
)" + std::string(kWholeRectangle) +
                                 std::string(kPosition) +
                                 R"(  %number = u_to_f f32 %i
  %clip = fsub f32 %from %number
  output f32 out1.x vertex %i %clip
)" + std::string(kTwoTriangles)),
                 kGreenPixels);
    test::fill(scene.picture, test::kWhite);
    Buffer given({std::bit_cast<std::uint32_t>(distance)});
    scene.bindings.mesh = &given.bind(scene.mesh);
    scene.draw(4);
    scene.expect_all(distance < 0 ? test::kWhite : test::kGreenColor);
  }
}

TEST(KnownMeshes, PrimitivesHaveLayersAndIds) {
  Meshes scene(mesh_shader("group_size 8 1 1 max_vertices 3 max_primitives 8",
                           "patch \"UV_COLOR\" type f32 register 0 per_primitive\n"
                           "patch \"SV_PrimitiveID\" system_value primitive_id type i32 register 1 columns 1 per_primitive\n"
                           "patch \"SV_RenderTargetArrayIndex\" system_value render_target_array_index type i32 register 2 columns 1 "
                           "per_primitive\n",
                           R"(  %i = builtin i32 local_index
  set_mesh_counts 3 8
  %corner = ult i32 %i 3
  branch %corner ^1 ^2
^1:
)" + std::string(kWholeTriangle) +
                               std::string(kPosition) +
                               R"(  jump ^2
^2:
  mesh_index %i 0 0
  mesh_index %i 1 1
  mesh_index %i 2 2
  %g1 = ushr i32 %i 1
  %b1 = ushr i32 %i 2
  %r2 = iand i32 %i 1
  %g2 = iand i32 %g1 1
  %r = u_to_f f32 %r2
  %g = u_to_f f32 %g2
  %b = u_to_f f32 %b1
  output f32 patch0.x vertex %i %r
  output f32 patch0.y vertex %i %g
  output f32 patch0.z vertex %i %b
  output f32 patch0.w vertex %i 1.0
  %n = iadd i32 %i 1
  %square = imul i32 %n %n
  output i32 patch1.x vertex %i %square
  output i32 patch2.x vertex %i %i
  return
)"),
               pixel_shader("input \"SV_PrimitiveID\" system_value primitive_id type i32 interpolation constant register 0 columns 1\n"
                            "input \"UV_COLOR\" type f32 interpolation constant register 1\n"
                            "resource @marks uav_byte_address register 1\n",
                            R"(  %p = input i32 in0.x
  %word = ushr i32 %p 5
  %place = ishl i32 %word 2
  %low = iand i32 %p 31
  %mark = ishl i32 1 %low
  %h = handle @marks 0
  %before = buffer_atomic i32 raw or %h %place %mark
)" + color_of_input(1)),
               8);
  Buffer marks;
  scene.bindings.pixel = &marks.bind(*scene.pixel);
  scene.draw();
  EXPECT_EQ(marks.words(), (Words{0x0201'0212, 0x0002'0010, 1, 0}));
  for (std::uint32_t layer = 0; layer < 8; ++layer)
    scene.expect_all({static_cast<float>(layer & 1), static_cast<float>(layer >> 1 & 1), static_cast<float>(layer >> 2), 1}, layer);
}

// A grid of 16 by 8 vertices, each with how its place changes across its quad of 2 by 2 threads.
TEST(KnownMeshes, QuadsOfGroupsAreSquare) {
  Meshes scene(mesh_shader("group_size 16 8 1 square_quads max_vertices 128 max_primitives 210", "output \"COLOR\" type f32 register 1\n",
                           R"(  %tx = builtin i32 local_id.x
  %ty = builtin i32 local_id.y
  %i = builtin i32 local_index
  set_mesh_counts 128 210
  %fx = u_to_f f32 %tx
  %fy = u_to_f f32 %ty
  %u = fdiv f32 %fx 15.0
  %v = fdiv f32 %fy 7.0
  %x = ffma f32 %u 2.0 -1.0
  %y = ffma f32 %v 2.0 -1.0
)" + std::string(kPosition) + R"(  %0 = ddx_fine f32 %u
  %1 = ddy_fine f32 %u
  %2 = ddx_fine f32 %v
  %3 = ddy_fine f32 %v
  output f32 out1.x vertex %i %0
  output f32 out1.y vertex %i %1
  output f32 out1.z vertex %i %2
  output f32 out1.w vertex %i %3
  %left = ult i32 %tx 15
  %upper = ult i32 %ty 7
  %inside = iand b1 %left %upper
  branch %inside ^1 ^2
^1:
  %row = imul i32 %ty 15
  %cell = iadd i32 %row %tx
  %p = iadd i32 %cell %cell
  %q = iadd i32 %p 1
  %right = iadd i32 %i 1
  %below = iadd i32 %i 16
  %across = iadd i32 %i 17
  mesh_index %p 0 %i
  mesh_index %p 1 %right
  mesh_index %p 2 %below
  mesh_index %q 0 %across
  mesh_index %q 1 %below
  mesh_index %q 2 %right
  jump ^2
^2:
  return
)"),
               pixel_shader("input \"COLOR\" type f32 interpolation linear register 0\n", color_of_input(0)));
  scene.draw();
  // 0x24000011 as R8G8B8A8_UNORM
  for (std::uint32_t y = 0; y < 8; ++y)
    for (std::uint32_t x = 0; x < 8; ++x) {
      const Color4 color = scene.picture.at(x, y);
      EXPECT_NEAR(color[0] * 255, 0x11, 0.5);
      EXPECT_EQ(color[1], 0);
      EXPECT_EQ(color[2], 0);
      EXPECT_NEAR(color[3] * 255, 0x24, 0.5);
    }
}

TEST(KnownMeshes, APayloadReachesPixels) {
  Meshes scene(mesh_shader("group_size 1 1 1 max_vertices 3 max_primitives 1",
                           "patch \"UV_COLOR\" type f32 register 0 per_primitive\nvariable @payload payload bytes 16\n",
                           R"(  set_mesh_counts 3 1
  output f32 out0.x vertex 0 -1.0
  output f32 out0.y vertex 0 -1.0
  output f32 out0.z vertex 0 0.0
  output f32 out0.w vertex 0 1.0
  output f32 out0.x vertex 1 3.0
  output f32 out0.y vertex 1 -1.0
  output f32 out0.z vertex 1 0.0
  output f32 out0.w vertex 1 1.0
  output f32 out0.x vertex 2 -1.0
  output f32 out0.y vertex 2 3.0
  output f32 out0.z vertex 2 0.0
  output f32 out0.w vertex 2 1.0
  mesh_index 0 0 0
  mesh_index 0 1 1
  mesh_index 0 2 2
  %r = load f32 @payload 0
  %g = load f32 @payload 4
  %b = load f32 @payload 8
  %a = load f32 @payload 12
  output f32 patch0.x vertex 0 %r
  output f32 patch0.y vertex 0 %g
  output f32 patch0.z vertex 0 %b
  output f32 patch0.w vertex 0 %a
  return
)"),
               pixel_shader("input \"UV_COLOR\" type f32 interpolation constant register 0\n", color_of_input(0)));
  const vm::Program amplification = program_of(R"(stage amplification
variable @payload payload bytes 16

function @main {
^0:
  store f32 @payload 0 0.0
  store f32 @payload 4 1.0
  store f32 @payload 8 0.0
  store f32 @payload 12 1.0
  dispatch_mesh 1 1 1
  return
}
)");
  scene.pipeline.amplification = &amplification;
  scene.draw();
  scene.expect_all(test::kGreenColor);
}

// Each group of the amplification shader dispatches as many groups as the buffer says; each of these sets the bit of its number.
TEST(KnownMeshes, AmplificationDispatchesAnyNumberOfGroups) {
  Meshes scene(mesh_shader("group_size 1 1 1 max_vertices 1 max_primitives 1",
                           "resource @marks uav_byte_address register 1\nvariable @payload payload bytes 4\n",
                           R"(  %from = load i32 @payload 0
  %g = builtin i32 group_id.x
  %mark = ishl i32 1 %g
  %place = ishl i32 %from 2
  %h = handle @marks 0
  %before = buffer_atomic i32 raw or %h %place %mark
  set_mesh_counts 0 0
  return
)"),
               kGreenPixels);
  const vm::Program amplification = program_of(R"(stage amplification
resource @counts byte_address register 0
variable @payload payload bytes 4

function @main {
^0:
  %g = builtin i32 group_id.x
  %place = ishl i32 %g 2
  %h = handle @counts 0
  %count = buffer_load i32 raw %h %place
  store i32 @payload 0 %g
  dispatch_mesh %count 1 1
  return
}
)");
  scene.pipeline.amplification = &amplification;
  Buffer counts({1, 7, 0, 32}), marks;
  scene.bindings.amplification = &counts.bind(amplification);
  scene.bindings.mesh = &marks.bind(scene.mesh);
  const Report report = scene.draw(4);
  EXPECT_EQ(marks.words(), (Words{1, 0x7f, 0, 0xffff'ffff}));
  EXPECT_EQ(report.statistics.mesh_runs, 40U);
}

}  // namespace
}  // namespace unshade::draw
