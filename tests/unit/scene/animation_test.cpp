// Animations of scenes: what fields are at each frame, and what is wrong with them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/scene/scene.hpp>

#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>

namespace unshade::scene {
namespace {

Value read(std::string_view text) {
  auto made = document_text::read_toml(text);
  EXPECT_TRUE(made) << to_string(made.error());
  return std::move(*made);
}

/// A constant at each of five frames with a track, or what is wrong.
std::string frames_of(std::string_view constant, std::string_view track) {
  const Value scene = read(
      "constants = {color = [1, 2, 3], angle = 30, name = 'a'}\npass = [{draw = {count = 3}}]\n"
      "[animation]\nframes = 5\nfps = 10\n[[animation.tracks]]\n" +
      std::string(track) + '\n');
  std::string made;
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    const auto now = scene_at(scene, frame);
    if (!now) return now.error().path + ": " + now.error().message;
    Text shown;
    present::print_value(*now->find("constants")->find(constant), shown);
    made += (frame == 0 ? "" : "; ") + std::string(shown.view());
  }
  return made;
}

TEST(Animation, GoesFromTheFirstValueToTheLast) {
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nlinear = [0, 10]"), "0; 2.5; 5; 7.5; 10");
  EXPECT_EQ(frames_of("color", "field = 'constants/color'\nlinear = [[0, 0, 4], [4, 8, 0]]"),
            "0, 0, 4; 1, 2, 3; 2, 4, 2; 3, 6, 1; 4, 8, 0");
  EXPECT_EQ(frames_of("color", "field = 'constants/color[1]'\nlinear = [-1, 3]"), "1, -1, 3; 1, 0, 3; 1, 1, 3; 1, 2, 3; 1, 3, 3");
}

// the frame after the last is the first
TEST(Animation, TurnsFromWhatTheSceneSays) {
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nturn = 360"), "30; 102; 174; 246; 318");
}

TEST(Animation, HoldsAndJoinsKeys) {
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nkeys = [[1, 4], [3, 8]]"), "4; 4; 6; 8; 8");
  EXPECT_EQ(frames_of("name", "field = 'constants/name'\nsteps = ['a', 'b']"), "a; a; a; b; b");
}

TEST(Animation, TellsWhatIsWrong) {
  EXPECT_EQ(frames_of("angle", "field = 'constants/angel'\nturn = 1"),
            "animation/tracks[0]/field: the scene has no field `constants/angel`");
  for (const std::string_view path :
       {"", "constants/color[3]", "constants/color[1", "constants/color[x]", "pass[0]/draw/count/x", "/", "]"})
    EXPECT_EQ(frames_of("angle", "field = '" + std::string(path) + "'\nturn = 1"),
              "animation/tracks[0]/field: the scene has no field `" + std::string(path) + '`');
  EXPECT_EQ(frames_of("angle", "turn = 1"), "animation/tracks[0]/field: expected the path of a field of the scene");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'"), "animation/tracks[0]: a track must have one of linear, turn, keys and steps");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nturn = 1\nsteps = [1]"),
            "animation/tracks[0]: a track must have only one of linear, turn, keys and steps");
  EXPECT_EQ(frames_of("angle", "field = 'constants/name'\nturn = 1"), "animation/tracks[0]/turn: the field must be a number");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nlinear = [[1], 1]"),
            "animation/tracks[0]/linear: values of a track must be numbers, or lists of the same length");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nkeys = [[3, 1], [3, 2]]"), "animation/tracks[0]/keys[1]: frames must ascend");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\nsteps = []"), "animation/tracks[0]/steps: expected a list of values");
  EXPECT_EQ(frames_of("angle", "field = 'constants/angle'\ntrun = 1"),
            "animation/tracks[0]/trun: a track has no field of this name; did you mean `turn`?");
}

TEST(Animation, HasBounds) {
  const auto fault = [](std::string_view text) {
    const auto made = animation_of(read(text));
    return made ? "none" : made.error().path + ": " + made.error().message;
  };
  EXPECT_EQ(fault("animation = {frames = 4096, fps = 1000, plays = 1}"), "none");
  EXPECT_EQ(fault("animation = {frames = 4097}"), "animation/frames: expected a number of frames from 1 to 4096");
  EXPECT_EQ(fault("animation = {frames = 0}"), "animation/frames: expected a number of frames from 1 to 4096");
  EXPECT_EQ(fault("animation = {fps = 0}"), "animation/fps: expected a number of frames per second from 1 to 1000");
  EXPECT_EQ(fault("pass = []"), "animation: the scene has no animation");
  // a scene is wrong with its animation, even if it is drawn without
  SceneOptions options;
  const auto drawn = draw_scene(read("animation = {tracks = 1}\npass = []"), options);
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().path, "animation/tracks");
}

}  // namespace
}  // namespace unshade::scene
