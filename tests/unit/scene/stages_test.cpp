// Stages of a scene in files that hold several.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/document_text/document_text.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/vbc/pack.hpp>

#include "support/files.hpp"

namespace unshade::scene {
namespace {

std::vector<std::byte> assembled(std::string_view name) {
  const std::string text = test::read_text(test::source_dir() / "tests/data/scenes" / name);
  return shader::assemble(shader::language_of(text), text).file;
}

/// A VBC of a vertex shader that writes 2 components of location 0, and a pixel shader that reads 4, or none.
std::vector<std::byte> packed(std::string_view pixel) {
  const auto from = assembled("whole.vert.spvasm"), to = assembled(pixel);
  const View modules[] = {View(from), View(to)};
  const auto file = vbc::pack(modules);
  EXPECT_TRUE(file) << to_string(file.error());
  return file ? vbc::write(*file) : std::vector<std::byte>();
}

Result<Drawn> draw(const std::vector<std::byte>& file, std::string_view vertex, std::string_view pixel, unsigned passes = 1) {
  std::string text = "targets.picture = {format = 'R8G8B8A8_UNORM', width = 2, height = 2}\n";
  for (unsigned k = 0; k < passes; ++k)
    text += "[[pass]]\nvertex = " + std::string(vertex) + "\npixel = " + std::string(pixel) +
            "\ntargets = ['picture']\nrasterizer.CullMode = 'NONE'\ndraw.count = 3\n";
  const auto scene = document_text::read_toml(text);
  if (!scene) return scene.error();
  SceneOptions options;
  options.self = const_cast<std::vector<std::byte>*>(&file);
  options.read_file = [](void* self, std::string_view) -> Result<std::vector<std::byte>> {
    return *static_cast<const std::vector<std::byte>*>(self);
  };
  return draw_scene(*scene, options);
}

TEST(SceneStages, OfOneVbc) {
  const auto file = packed("tinted.frag.spvasm");
  const std::vector<std::string> faults{
      "the pixel shader reads `color` at location 0, components 0 to 3, of which the vertex shader writes `uv`, components 0 to 1"};
  for (const std::string_view pixel : {"'a.vbc'", "{file = 'a.vbc', entry = 'main:pixel'}"}) {
    const auto drawn = draw(file, "{file = 'a.vbc', entry = 'main:vertex'}", pixel, 2);
    ASSERT_TRUE(drawn) << to_string(drawn.error());
    ASSERT_EQ(drawn->passes.size(), 2U);
    for (const Drawn::Pass& pass : drawn->passes) {
      EXPECT_EQ(pass.vulkan_mismatches, faults);
      EXPECT_TRUE(pass.mismatches.empty());
    }
    EXPECT_EQ(drawn->passes[0].statistics.vertices, 3U);
    EXPECT_GT(drawn->passes[0].statistics.pixel_runs, 0U);
  }
  const auto unclear = draw(file, "'a.vbc'", "{file = 'a.vbc', entry = 'main'}");
  ASSERT_FALSE(unclear);
  EXPECT_NE(unclear.error().message.find("several entry points are called `main`; name one with its stage: `main:vertex`, `main:pixel`"),
            std::string::npos)
      << unclear.error().message;
}

}  // namespace
}  // namespace unshade::scene
