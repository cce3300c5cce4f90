// `unshade test --amber` of scenes: each pass is a pipeline.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "support/amber_scripts.hpp"

namespace unshade::test {
namespace {

using Counts = std::map<std::string, int>;

class TestScriptsOfScenes : public AmberScripts {
 protected:
  /// The text of a scene that draws a triangle over all, with more fields of its pass.
  static std::string scene(const std::string& more, const std::string& target = "format = 'R8G8B8A8_UNORM', width = 4, height = 4") {
    return "targets.picture = {" + target + "}\n[[pass]]\nvertex = '" + data("scenes/whole.vert.spvasm") + "'\npixel = '" +
           data("scenes/tinted.frag.spvasm") + "'\ntargets = ['picture']\ndraw.count = 3\n" + more + '\n';
  }
  /// Why the scene is not written; the line of the place begins at the pass.
  std::string reason_of(const std::string& text, const std::string& expectations = "") {
    add("scene.toml", text);
    return write_suite("scene.test.toml", "[[case]]\nname = 'all'\nscene = 'scene.toml'\n" + expectations).at("all").reason;
  }
};

constexpr std::string_view kNoCulling = "rasterizer = {CullMode = 'NONE'}";

TEST_F(TestScriptsOfScenes, HaveTheVerdictOfScenes) {
  const std::string scene = data("scenes/turned.toml");
  for (const std::string target : {"first", "second"})
    ASSERT_EQ(run_command({"draw", scene, "--target", target, "-o", (folder_ / (target + ".png")).generic_string()}).exit, 0);
  const std::string each = "'\nscene = '" + scene + "'\n";
  const auto written = write_suite("turned.test.toml", "[[case]]\nname = 'pictures, numbers and depth" + each +
                                                           "expect.targets.first = {image = 'first.png'}\n"
                                                           "expect.targets.second = {image = 'second.png', channel = 1}\n"
                                                           "expect.targets.depth = {type = 'f32', values = [1, 1, 1]}\n"
                                                           "expect.resources.scales = {type = 'f32', values = [0.5, 0.25, 0.125, 0.0625]}\n"
                                                           "[[case]]\nname = 'texels" +
                                                           each +
                                                           "expect.targets.first = {values = [0, 0, 0.2, 1]}\n"
                                                           "[[case]]\nname = 'nothing" +
                                                           each + "[[case]]\nname = 'a wrong number" + each +
                                                           "expect.resources.scales = {type = 'f32', values = [0.5, 0.25, 0.25]}\n"
                                                           "[[case]]\nname = 'a wrong texel" +
                                                           each +
                                                           "expect.targets.first = {values = [0, 0, 0.3, 1]}\n"
                                                           "[[case]]\nname = 'a wrong depth" +
                                                           each +
                                                           "expect.targets.depth = {type = 'f32', values = 1}\n"
                                                           "[[case]]\nname = 'another picture" +
                                                           each +
                                                           "expect.targets.first = {image = 'second.png'}\n"
                                                           "[[case]]\nname = 'another picture within bounds" +
                                                           each + "expect.targets.second = {image = 'first.png', channel = 100}\n");
  EXPECT_EQ(written.size(), 8U);
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 3}, {"failed", 5}}));
}

TEST_F(TestScriptsOfScenes, AreWrittenInTheWordsOfAmber) {
  const auto written = write_suite("turned.test.toml", "[[case]]\nname = 'all'\nscene = '" + data("scenes/turned.toml") + "'\n");
  const std::string text = read_text(written.at("all").file);
  const std::size_t start = text.find("\nPIPELINE compute pass0\n");
  ASSERT_NE(start, std::string::npos) << text;
  EXPECT_EQ(text.substr(start), R"(
PIPELINE compute pass0
  ATTACH shader0 ENTRY_POINT main
  BIND BUFFER resource_scales AS storage DESCRIPTOR_SET 0 BINDING 0
END

PIPELINE graphics pass1
  ATTACH shader1 ENTRY_POINT main
  ATTACH shader2 ENTRY_POINT main
  BIND BUFFER target_first AS color LOCATION 0
  BIND BUFFER target_depth AS depth_stencil
  FRAMEBUFFER_SIZE 16 16
  DEPTH
    TEST on
    WRITE on
    COMPARE_OP less
  END
  BLEND
    SRC_COLOR_FACTOR src_alpha
    DST_COLOR_FACTOR one_minus_src_alpha
    COLOR_OP add
    SRC_ALPHA_FACTOR one
    DST_ALPHA_FACTOR zero
    ALPHA_OP add
  END
  VERTEX_DATA vertices_pass1_0 LOCATION 0 RATE vertex FORMAT R32G32B32_SFLOAT OFFSET 0 STRIDE 12
  VERTEX_DATA vertices_pass1_1 LOCATION 1 RATE vertex FORMAT R32G32B32A32_SFLOAT OFFSET 0 STRIDE 16
  INDEX_DATA indices_pass1
  BIND BUFFER resource_scales AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER buffer0 AS uniform DESCRIPTOR_SET 0 BINDING 0
END

PIPELINE graphics pass2
  ATTACH shader3 ENTRY_POINT main
  ATTACH shader4 ENTRY_POINT main
  BIND BUFFER target_second AS color LOCATION 0
  FRAMEBUFFER_SIZE 16 16
  BIND BUFFER target_first AS combined_image_sampler SAMPLER sampler0 DESCRIPTOR_SET 0 BINDING 2
END

CLEAR_COLOR clear_target_first 0 0 51 255
CLEAR clear_target_first
CLEAR_DEPTH clear_target_depth 1.0
CLEAR clear_target_depth
CLEAR_COLOR clear_target_second 0 0 0 0
CLEAR clear_target_second
RUN pass0 1 1 1
RUN pass1 DRAW_ARRAY INDEXED AS TRIANGLE_LIST START_IDX 0 COUNT 6 START_INSTANCE 0 INSTANCE_COUNT 2
RUN pass2 DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3
)");
}

// Amber has no first index: START_IDX of an indexed draw is added to the indices.
TEST_F(TestScriptsOfScenes, HaveTheIndicesOfTheDraw) {
  std::string text = read_text(data("scenes/turned.toml"));
  for (const std::string_view name : {"halves.comp", "moved.vert", "tinted.frag", "whole.vert", "turned.frag"})
    text.replace(text.find(std::string(name) + ".spvasm"), name.size() + 7, data("scenes/" + std::string(name) + ".spvasm"));
  const auto reason_and_text = [&](const std::string& draw) {
    std::string own = text;
    own.replace(own.find("draw.instances = 2"), 18, draw);
    add("scene.toml", own);
    const auto written = write_suite("scene.test.toml", "[[case]]\nname = 'all'\nscene = 'scene.toml'\n").at("all");
    return written.reason + (written.file.empty() ? "" : read_text(written.file));
  };
  const std::string script = reason_and_text("draw = {first = 3, count = 3}");
  EXPECT_NE(script.find("RUN pass1 DRAW_ARRAY INDEXED AS TRIANGLE_LIST START_IDX 0 COUNT 3\n"), std::string::npos) << script;
  EXPECT_NE(script.find("DATA\n  2 1 3\nEND\n"), std::string::npos) << script;
  EXPECT_TRUE(reason_and_text("draw = {first = 3, count = 6}").ends_with("the draw reads beyond the indices, which Amber refuses"));
  // START_IDX and COUNT end inside of the indices
  const std::string moved = reason_and_text("draw = {count = 3, base_vertex = 1}");
  EXPECT_NE(moved.find("RUN pass1 DRAW_ARRAY INDEXED AS TRIANGLE_LIST START_IDX 1 COUNT 3\n"), std::string::npos) << moved;
  EXPECT_NE(moved.find("DATA\n  0 1 2\n  0\nEND\n"), std::string::npos) << moved;
  EXPECT_TRUE(reason_and_text("draw = {base_vertex = -1}").ends_with("Amber has no negative base_vertex"));
  EXPECT_TRUE(reason_and_text("draw = {base_vertex = 65537}")
                  .ends_with("base_vertex must be at most 65536: the script states as many more indices"));
}

TEST_F(TestScriptsOfScenes, HaveTheBaseVertexOfTheDraw) {
  std::string text = read_text(data("scenes/turned.toml"));
  for (const std::string_view name : {"halves.comp", "moved.vert", "tinted.frag", "whole.vert", "turned.frag"})
    text.replace(text.find(std::string(name) + ".spvasm"), name.size() + 7, data("scenes/" + std::string(name) + ".spvasm"));
  for (const std::string_view draw : {"draw = {count = 3, base_vertex = 1}", "draw = {count = 3, base_vertex = 0}"}) {
    std::string own = text;
    own.replace(own.find("draw.instances = 2"), 18, draw);
    add(draw.ends_with("1}") ? "moved.toml" : "unmoved.toml", own);
  }
  ASSERT_EQ(
      run_command({"draw", (folder_ / "moved.toml").generic_string(), "--target", "first", "-o", (folder_ / "moved.png").generic_string()})
          .exit,
      0);
  const std::string expected = "'\nexpect.targets.first = {image = 'moved.png'}\n";
  const auto written = write_suite("moved.test.toml", "[[case]]\nname = 'moved'\nscene = 'moved.toml" + expected +
                                                          "[[case]]\nname = 'not moved'\nscene = 'unmoved.toml" + expected);
  EXPECT_EQ(agreeing(written), (Counts{{"passed", 1}, {"failed", 1}}));
}

// Sides of faces do not matter to a scene that shows all of them.
TEST_F(TestScriptsOfScenes, MayCullWhatIsNotThere) {
  std::map<std::string, int> written;
  for (const char* const side : {"true", "false"}) {
    const std::string reason = reason_of(scene("rasterizer = {CullMode = 'BACK', FrontCounterClockwise = " + std::string(side) + '}'));
    ++written[reason];
  }
  EXPECT_EQ(written, (Counts{{"", 1},
                             {"scene.toml:7:14: pass[0]/rasterizer: Amber cannot cull faces, and its front faces are counter-clockwise: "
                              "the picture would differ",
                              1}}));
}

TEST_F(TestScriptsOfScenes, NameWhatAmberCannotExpress) {
  const auto reason_with = [&](const std::string& more) { return reason_of(scene(std::string(kNoCulling) + '\n' + more)); };
  EXPECT_EQ(reason_with(""), "");
  EXPECT_EQ(reason_with("scissors = [{left = 0, top = 0, right = 2, bottom = 4}]"),
            "scene.toml:8:12: pass[0]/scissors: Amber has no scissors");
  EXPECT_EQ(reason_with("scissors = [{left = 0, top = 0, right = 4, bottom = 4}]"), "");
  EXPECT_EQ(reason_with("sample_mask = 0"), "scene.toml:8:15: pass[0]/sample_mask: Amber has no sample mask");
  EXPECT_EQ(reason_with("blend = {RenderTarget = [{RenderTargetWriteMask = 1}]}"),
            "scene.toml:8:9: pass[0]/blend: Amber has no RenderTargetWriteMask");
  EXPECT_EQ(reason_with("blend = {AlphaToCoverageEnable = true}"), "scene.toml:8:9: pass[0]/blend: Amber has no AlphaToCoverageEnable");
  EXPECT_EQ(reason_with("blend = {RenderTarget = [{BlendEnable = true, SrcBlend = 'BLEND_FACTOR'}]}"),
            "scene.toml:2:1: pass[0]/blend_factor: the blend constants of Amber are 0");
  EXPECT_EQ(reason_with("conventions = 'direct3d'"), "scene.toml:8:15: pass[0]/conventions: Amber only has the conventions of Vulkan");
  EXPECT_EQ(reason_with("viewports = [{Width = 4, Height = 4}, {Width = 2, Height = 2}]"),
            "scene.toml:8:13: pass[0]/viewports: pipelines of Amber have one viewport");

  const auto reason_of_target = [&](const std::string& target) { return reason_of(scene(std::string(kNoCulling), target)); };
  EXPECT_EQ(reason_of_target("format = 'R8G8B8A8_UNORM', width = 4, height = 4, samples = 4"),
            "scene.toml:2:1: pass[0]/targets: target picture: `samples`: Amber does not compare multisampled targets");
  EXPECT_EQ(reason_of_target("format = 'R32G32B32A32_FLOAT', width = 4, height = 4, clear = [0.3]"),
            "scene.toml:2:1: pass[0]/targets: target picture: `clear`: Amber clears to multiples of 1/255, integer formats to 0");
  EXPECT_EQ(reason_of_target("format = 'B8G8R8X8_UNORM', width = 4, height = 4"),
            "scene.toml:2:1: pass[0]/targets: target picture: Amber does not have this format");

  const std::string plain = scene(std::string(kNoCulling));
  EXPECT_EQ(reason_of(plain, "expect.queries.seen = 1"), "`expect.queries`: Amber compares only buffers");
  EXPECT_EQ(reason_of(plain, "expect.targets.other = {values = [1]}"), "`expect` names other, which no pass binds");
  EXPECT_EQ(reason_of(plain, "expect.targets.picture = {image = 'x.png', mean = 1}"),
            "target picture: `mean` of `image`: Amber compares each pixel");

  const std::string feedback = data("scenes/feedback.toml");
  EXPECT_EQ(write_suite("feedback.test.toml", "[[case]]\nname = 'all'\nscene = '" + feedback + "'\n").at("all").reason,
            feedback + ":8:17: pass[0]/stream_output: Amber has no stream_output");
  EXPECT_EQ(reason_of(plain.substr(0, plain.find("[[pass]]")) + "[[pass]]\nvertex = '" + data("scenes/whole.vert.spvasm") +
                      "'\ntargets = ['picture']\nqueries = {seen = 'OCCLUSION'}\ndraw.count = 3\n" + plain.substr(plain.find("[[pass]]")) +
                      "predication = {query = 'seen', operation = 'EQUAL_ZERO'}\n"),
            "scene.toml:13:15: pass[1]/predication: Amber has no predication");
}

TEST_F(TestScriptsOfScenes, AreOfSpirv) {
  const std::string text = "targets.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 4}\n[[pass]]\nvertex = '" +
                           data("scenes/pulled.vs.asm") + "'\npixel = '" + data("scenes/tinted.frag.spvasm") +
                           "'\ntargets = ['picture']\ndraw.count = 3\n";
  EXPECT_NE(reason_of(text).find("pass[0]/vertex: Amber runs SPIR-V, not dxbc"), std::string::npos) << reason_of(text);
}

}  // namespace
}  // namespace unshade::test
