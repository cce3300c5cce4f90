// Drawing through the C interface: pixels, histories, heat maps, and stepping from a pixel.
#include <unshade/unshade.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/command.hpp"
#include "support/files.hpp"

namespace unshade {
namespace {

/// Two triangles, of which the second is behind the first, and a third in front, in the lower left.
constexpr std::string_view kScene = R"({
  "targets": {
    "picture": {"format": "R8G8B8A8_UNORM", "width": 8, "height": 4, "clear": [0, 0, 1, 1]},
    "depth": {"format": "D32_FLOAT", "width": 8, "height": 4},
    "numbers": {"format": "R32_SINT", "width": 2, "height": 2, "clear": [-7]}
  },
  "pass": [{
    "vertex": "examples/scenes/color.vs.asm", "pixel": "examples/scenes/color.ps.asm",
    "targets": ["picture"], "depth_target": "depth", "rasterizer": {"CullMode": "NONE"},
    "mesh": {"vertices": [
      {"POSITION": [-1, -1, 0.5], "COLOR": [1, 0, 0, 1]}, {"POSITION": [-1, 3, 0.5], "COLOR": [1, 0, 0, 1]},
      {"POSITION": [3, -1, 0.5], "COLOR": [1, 0, 0, 1]},
      {"POSITION": [-1, -1, 0.75], "COLOR": [0, 1, 0, 1]}, {"POSITION": [-1, 3, 0.75], "COLOR": [0, 1, 0, 1]},
      {"POSITION": [3, -1, 0.75], "COLOR": [0, 1, 0, 1]},
      {"POSITION": [-1, -1, 0.25], "COLOR": [0.5, 0.25, 0, 1]}, {"POSITION": [-1, 3, 0.25], "COLOR": [0.5, 0.25, 0, 1]},
      {"POSITION": [0, -1, 0.25], "COLOR": [0.5, 0.25, 0, 1]}
    ]}
  }]
})";

std::string text_of(unshade_blob* blob) {
  std::string text(static_cast<const char*>(unshade_blob_data(blob)), unshade_blob_size(blob));
  unshade_blob_free(blob);
  return text;
}

std::vector<std::byte> example(const std::string& name) { return test::read_bytes(test::source_dir() / name); }

struct Drawn {
  unshade_scene* scene = nullptr;
  unshade_drawing* drawing = nullptr;

  explicit Drawn(std::string_view text = kScene) {
    EXPECT_EQ(unshade_scene_new(text.data(), text.size(), &scene, nullptr), UNSHADE_OK);
    while (const char* const name = unshade_scene_missing_file(scene, 0)) {
      const auto bytes = example(name);
      EXPECT_EQ(unshade_scene_set_file(scene, name, bytes.data(), bytes.size()), UNSHADE_OK);
    }
    unshade_error* error = nullptr;
    EXPECT_EQ(unshade_draw(scene, nullptr, &drawing, &error), UNSHADE_OK) << unshade_error_path(error) << unshade_error_message(error);
    unshade_error_free(error);
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;
  ~Drawn() {
    unshade_drawing_free(drawing);
    unshade_scene_free(scene);
  }

  std::string pixels(std::uint32_t target, std::int32_t form) const {
    unshade_blob* blob = nullptr;
    EXPECT_EQ(unshade_target_pixels(drawing, target, form, &blob, nullptr), UNSHADE_OK);
    return text_of(blob);
  }
  std::string history(const unshade_pixel& pixel) const {
    unshade_blob* blob = nullptr;
    EXPECT_EQ(unshade_pixel_history(drawing, &pixel, &blob, nullptr), UNSHADE_OK);
    return text_of(blob);
  }
};

unshade_pixel at(std::uint32_t x, std::uint32_t y, std::uint32_t event = 0) {
  return {.struct_size = sizeof(unshade_pixel), .target = 0, .x = x, .y = y, .sample = -1, .event = event};
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t place = text.find(word); place != std::string_view::npos; place = text.find(word, place + 1)) ++found;
  return found;
}

TEST(CApiDrawing, NamesTheFilesThatItNeeds) {
  unshade_scene* scene = nullptr;
  ASSERT_EQ(unshade_scene_new(kScene.data(), kScene.size(), &scene, nullptr), UNSHADE_OK);
  EXPECT_STREQ(unshade_scene_missing_file(scene, 0), "examples/scenes/color.vs.asm");
  EXPECT_STREQ(unshade_scene_missing_file(scene, 1), "examples/scenes/color.ps.asm");
  EXPECT_EQ(unshade_scene_missing_file(scene, 2), nullptr);
  unshade_drawing* drawing = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_draw(scene, nullptr, &drawing, &error), UNSHADE_MISSING);
  EXPECT_STREQ(unshade_error_path(error), "pass[0]/vertex");
  EXPECT_EQ(unshade_error_offset(error), kScene.find("\"examples/scenes/color.vs.asm\""));
  EXPECT_EQ(drawing, nullptr);
  unshade_error_free(error);
  const auto bytes = example("examples/scenes/color.vs.asm");
  EXPECT_EQ(unshade_scene_set_file(scene, "examples/scenes/color.vs.asm", bytes.data(), bytes.size()), UNSHADE_OK);
  EXPECT_STREQ(unshade_scene_missing_file(scene, 0), "examples/scenes/color.ps.asm");
  EXPECT_EQ(unshade_scene_missing_file(scene, 1), nullptr);
  unshade_scene_free(scene);
}

// A glTF file names others, of which nothing is known before it is read.
TEST(CApiDrawing, NamesTheFilesOfFiles) {
  constexpr std::string_view kText = R"({"targets": {"p": {"format": "R8G8B8A8_UNORM", "width": 4, "height": 4}},
    "resources": {"data": {"file": "data.bin", "format": "R32_FLOAT"}},
    "pass": [{"vertex": {"file": "color.vs.asm"}, "targets": ["p"], "mesh": {"gltf": "models/a.gltf"}}]})";
  constexpr std::string_view kGltf = R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "a.bin", "byteLength": 36}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]})";
  unshade_scene* scene = nullptr;
  ASSERT_EQ(unshade_scene_new(kText.data(), kText.size(), &scene, nullptr), UNSHADE_OK);
  EXPECT_STREQ(unshade_scene_missing_file(scene, 0), "data.bin");
  EXPECT_STREQ(unshade_scene_missing_file(scene, 1), "color.vs.asm");
  EXPECT_STREQ(unshade_scene_missing_file(scene, 2), "models/a.gltf");
  const auto shader = example("examples/scenes/color.vs.asm");
  unshade_scene_set_file(scene, "color.vs.asm", shader.data(), shader.size());
  unshade_scene_set_file(scene, "models/a.gltf", kGltf.data(), kGltf.size());
  unshade_scene_set_file(scene, "data.bin", kGltf.data(), 4);
  EXPECT_EQ(unshade_scene_missing_file(scene, 0), nullptr);
  unshade_drawing* drawing = nullptr;
  EXPECT_EQ(unshade_draw(scene, nullptr, &drawing, nullptr), UNSHADE_MISSING);
  EXPECT_STREQ(unshade_scene_missing_file(scene, 0), "models/a.bin");
  EXPECT_EQ(unshade_scene_missing_file(scene, 1), nullptr);
  unshade_scene_free(scene);
}

TEST(CApiDrawing, HasTargetsAndPixels) {
  const Drawn drawn;
  unshade_target target{};
  target.struct_size = sizeof target;
  ASSERT_EQ(unshade_target_at(drawn.drawing, 0, &target), UNSHADE_OK);
  EXPECT_STREQ(target.name, "picture");
  EXPECT_STREQ(target.format, "R8G8B8A8_UNORM");
  EXPECT_EQ(target.width * 10 + target.height, 84U);
  EXPECT_EQ(target.is_shown, 1);
  ASSERT_EQ(unshade_target_at(drawn.drawing, 1, &target), UNSHADE_OK);
  EXPECT_EQ(target.is_depth, 1);
  EXPECT_EQ(unshade_target_at(drawn.drawing, 3, &target), UNSHADE_INVALID_ARGUMENT);

  const std::string bytes = drawn.pixels(0, UNSHADE_PIXELS_RGBA8);
  ASSERT_EQ(bytes.size(), 8U * 4 * 4);
  EXPECT_EQ(bytes.substr(7 * 4, 4), std::string("\xff\x00\x00\xff", 4));
  EXPECT_EQ(bytes.substr((3 * 8 + 0) * 4, 4), std::string("\x80\x40\x00\xff", 4));
  EXPECT_EQ(drawn.pixels(0, UNSHADE_PIXELS_STORED), bytes);

  const std::string depths = drawn.pixels(1, UNSHADE_PIXELS_FLOAT);
  ASSERT_EQ(depths.size(), 8U * 4 * 16);
  float last = 0;
  std::memcpy(&last, depths.data() + std::size_t{7} * 16, 4);
  EXPECT_EQ(last, 0.5F);
  const std::string numbers = drawn.pixels(2, UNSHADE_PIXELS_FLOAT);
  std::memcpy(&last, numbers.data(), 4);
  EXPECT_EQ(last, -7.0F);
  unshade_blob* blob = nullptr;
  EXPECT_EQ(unshade_target_pixels(drawn.drawing, 2, UNSHADE_PIXELS_RGBA8, &blob, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_target_pixels(drawn.drawing, 3, UNSHADE_PIXELS_FLOAT, &blob, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(unshade_target_pixels(drawn.drawing, 0, 9, &blob, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(blob, nullptr);
}

// The same document as the command's.
TEST(CApiDrawing, TellsWhatTheCommandTells) {
  const auto bytes = std::as_bytes(std::span(kScene));
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"draw", "-", "--json"});
    return test::run_command(words, {.input = {bytes.begin(), bytes.end()}}).out;
  };
  const Drawn drawn;
  unshade_blob* json = nullptr;
  ASSERT_EQ(unshade_drawing_json(drawn.drawing, 0, &json, nullptr), UNSHADE_OK);
  EXPECT_EQ(text_of(json), command({}));
  EXPECT_EQ(drawn.history(at(1, 3)), command({"--history", "1,3"}));
  unshade_pixel one = at(1, 3);
  one.sample = 0;
  EXPECT_EQ(drawn.history(one), command({"--history", "1,3,0"}));
  EXPECT_EQ(drawn.history(at(1, 3, 3)), command({"--history", "1,3", "--trace", "3"}));
  for (const char* const kind : {"overdraw", "instructions"}) {
    unshade_heat* heat = nullptr;
    ASSERT_EQ(unshade_heat_new(drawn.drawing, 0, kind, &heat, nullptr), UNSHADE_OK);
    ASSERT_EQ(unshade_heat_json(heat, &json, nullptr), UNSHADE_OK);
    EXPECT_EQ(text_of(json), command({"--heat", kind})) << kind;
    unshade_heat_free(heat);
  }
}

TEST(CApiDrawing, HasHeatMaps) {
  const Drawn drawn;
  unshade_heat* heat = nullptr;
  ASSERT_EQ(unshade_heat_new(drawn.drawing, 0, "overdraw", &heat, nullptr), UNSHADE_OK);
  std::uint32_t pixels = 0;
  const float* const numbers = unshade_heat_numbers(heat, &pixels);
  ASSERT_EQ(pixels, 32U);
  EXPECT_EQ(numbers[7], 1.0F);
  EXPECT_EQ(numbers[3 * 8], 2.0F);
  std::size_t size = 0;
  const auto* const colors = static_cast<const unsigned char*>(unshade_heat_colors(heat, &size));
  ASSERT_EQ(size, 128U);
  EXPECT_EQ(colors[3 * 8 * 4], 253);
  unshade_heat_free(heat);
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_heat_new(drawn.drawing, 0, "warmth", &heat, &error), UNSHADE_BAD_VALUE);
  unshade_error_free(error);
  EXPECT_EQ(unshade_heat_new(drawn.drawing, 2, "runs", &heat, &error), UNSHADE_MISSING);
  EXPECT_STREQ(unshade_error_path(error), "targets/numbers");
  unshade_error_free(error);
  EXPECT_EQ(heat, nullptr);
}

TEST(CApiDrawing, StepsThroughTheShaderOfAPixel) {
  const Drawn drawn;
  EXPECT_EQ(count(drawn.history(at(1, 3)), "\"event\""), 3U);
  unshade_session* session = nullptr;
  const unshade_pixel third = at(1, 3, 3);
  ASSERT_EQ(unshade_pixel_session(drawn.drawing, &third, nullptr, &session, nullptr), UNSHADE_OK);
  const auto state = [&] {
    unshade_blob* json = nullptr;
    EXPECT_EQ(unshade_session_state(session, &json, nullptr), UNSHADE_OK);
    return text_of(json);
  };
  const std::string begin = state();
  EXPECT_NE(begin.find("\"lane\":"), std::string::npos);
  EXPECT_EQ(begin.find("\"lane\":null"), std::string::npos) << begin;
  EXPECT_NE(begin.find("\"position\":0,"), std::string::npos);
  EXPECT_EQ(count(begin, "\"wave\":"), 1U) << begin;
  while (unshade_session_step(session, 1) == UNSHADE_OK) {
  }
  const std::string end = state();
  EXPECT_NE(end.find("\"next\":null"), std::string::npos) << end;
  unshade_blob* blob = nullptr;
  EXPECT_EQ(unshade_session_result(session, &blob, nullptr), UNSHADE_MISSING);
  // the listing of what is stepped through has the lines
  ASSERT_EQ(unshade_session_file(session, &blob, nullptr), UNSHADE_OK);
  unshade_shader* shader = nullptr;
  ASSERT_EQ(unshade_open(unshade_blob_data(blob), unshade_blob_size(blob), &shader, nullptr), UNSHADE_OK);
  unshade_blob_free(blob);
  ASSERT_EQ(unshade_disassemble(shader, 0, &blob, nullptr), UNSHADE_OK);
  EXPECT_NE(text_of(blob).find("ps_5_0"), std::string::npos);
  unshade_shader_free(shader);
  unshade_session_free(session);

  unshade_error* error = nullptr;
  const unshade_pixel hidden = at(7, 0, 2);
  EXPECT_EQ(unshade_pixel_session(drawn.drawing, &hidden, nullptr, &session, &error), UNSHADE_MISSING);
  EXPECT_STREQ(unshade_error_path(error), "history");
  unshade_error_free(error);
  for (const unshade_pixel& none : {at(8, 0, 1), at(0, 0, 4)})
    EXPECT_EQ(unshade_pixel_session(drawn.drawing, &none, nullptr, &session, nullptr), UNSHADE_MISSING);
  EXPECT_EQ(session, nullptr);
}

TEST(CApiDrawing, RefusesWhatIsWrong) {
  unshade_scene* scene = nullptr;
  unshade_error* error = nullptr;
  EXPECT_EQ(unshade_scene_new("{\"pass\": [}", 11, &scene, &error), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_error_offset(error), 10U);
  unshade_error_free(error);
  EXPECT_EQ(unshade_scene_new("[]", 2, &scene, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(unshade_scene_new("{\"animation\": 3}", 16, &scene, nullptr), UNSHADE_BAD_VALUE);
  EXPECT_EQ(scene, nullptr);
  EXPECT_EQ(unshade_scene_new(nullptr, 0, &scene, nullptr), UNSHADE_INVALID_ARGUMENT);
  constexpr std::string_view kText = R"({"targets": {}, "pass": [{"colour": 1}]})";
  ASSERT_EQ(unshade_scene_new(kText.data(), kText.size(), &scene, nullptr), UNSHADE_OK);
  unshade_drawing* drawing = nullptr;
  EXPECT_EQ(unshade_draw(scene, nullptr, &drawing, &error), UNSHADE_BAD_VALUE);
  EXPECT_STREQ(unshade_error_path(error), "pass[0]/colour");
  EXPECT_EQ(unshade_error_offset(error), kText.find("\"colour\""));
  unshade_error_free(error);
  unshade_draw_options options{};
  options.struct_size = sizeof options;
  for (const auto& [frame, wave] : {std::pair(1U, 0U), std::pair(0U, 3U), std::pair(0U, 256U)}) {
    options.frame = frame;
    options.wave = wave;
    EXPECT_EQ(unshade_draw(scene, &options, &drawing, nullptr), UNSHADE_INVALID_ARGUMENT);
  }
  options.frame = options.wave = 0;
  options.float24 = 4;
  EXPECT_EQ(unshade_draw(scene, &options, &drawing, nullptr), UNSHADE_INVALID_ARGUMENT);
  EXPECT_EQ(drawing, nullptr);
  unshade_scene_free(scene);
}

}  // namespace
}  // namespace unshade
