// Draws of vertices that are positions and attributes, by pixel shaders in the IR's text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/draw/pipeline.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade::draw::test {

inline vm::Program program_of(std::string_view text, const vm::Options& options = {}) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  const auto verified = ir::verify(std::move(*module));
  for (const Diagnostic& one : verified.diagnostics()) ADD_FAILURE() << to_string(one);
  auto program = vm::prepare(*verified.valid(), options);
  EXPECT_TRUE(program) << to_string(program.error());
  return *program;
}

/// A texture in memory.
struct Texture {
  Texture(std::string_view format, std::uint32_t width, std::uint32_t height, std::uint32_t samples = 1, std::uint32_t layers = 1) {
    view.format = *texel::find_format(format);
    view.width = width;
    view.height = height;
    view.samples = samples;
    view.layers = layers;
    bytes.resize(texel::texture_bytes(view));
    view.bytes = bytes;
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  std::array<float, 4> at(std::uint32_t x, std::uint32_t y, std::uint32_t sample = 0, std::uint32_t layer = 0) const {
    return std::bit_cast<std::array<float, 4>>(texel::load_texel(view.format, texel::texel_at(view, {x, y, 0, layer, 0, sample})));
  }
  /// The red of each pixel, a line of digits for each row.
  std::string picture() const {
    std::string made;
    for (std::uint32_t y = 0; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) made += static_cast<char>('0' + static_cast<int>(at(x, y)[0]));
      made += '\n';
    }
    return made;
  }

  std::vector<std::byte> bytes;
  texel::Descriptor view;
};

/// Gives each pixel a constant red.
inline std::string constant_shader(std::string_view red) {
  return R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  output f32 out0.x )" +
         std::string(red) + R"(
  output f32 out0.y 0.5
  output f32 out0.z 0.25
  output f32 out0.w 1.0
  return
}
)";
}

/// Passes a position and an attribute of four components on.
inline constexpr std::string_view kPassThrough = R"(stage vertex
input "POSITION" type f32 register 0
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32 register 0
output "COLOR" type f32 register 1

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = input f32 in0.z
  %3 = input f32 in0.w
  %4 = input f32 in1.x
  %5 = input f32 in1.y
  %6 = input f32 in1.z
  %7 = input f32 in1.w
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
  output f32 out1.x %4
  output f32 out1.y %5
  output f32 out1.z %6
  output f32 out1.w %7
  return
}
)";

struct Vertex {
  std::array<float, 4> position{};
  std::array<float, 4> color{};
};

/// A pipeline whose vertices are `Vertex`, and what it draws to.
struct Scene {
  explicit Scene(std::string_view pixel_text = {}) : vertex(program_of(kPassThrough)) {
    pipeline.vertex = &vertex;
    if (!pixel_text.empty()) {
      pixel = program_of(pixel_text);
      pipeline.pixel = &*pixel;
    }
    pipeline.input = {{.input_register = 0, .format = *texel::find_format("R32G32B32A32_FLOAT")},
                      {.input_register = 1, .format = *texel::find_format("R32G32B32A32_FLOAT"), .offset = 16}};
    pipeline.rasterizer.cull = Cull::none;
    pipeline.depth_stencil.depth = false;
  }
  void target(Texture& texture) {
    bindings.targets.push_back(texture.view);
    bindings.viewports = {{0, 0, static_cast<float>(texture.view.width), static_cast<float>(texture.view.height)}};
  }
  Report draw(const std::vector<Vertex>& vertices) {
    bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
    if (call.count == 0 || !call.indexed) call.count = static_cast<std::uint32_t>(vertices.size());
    auto done = run(pipeline, bindings, call);
    EXPECT_TRUE(done) << to_string(done.error());
    return done ? *done : Report{};
  }

  vm::Program vertex;
  std::optional<vm::Program> pixel;
  Pipeline pipeline;
  Bindings bindings;
  Call call;
};

/// A triangle that covers all of a target.
inline std::vector<Vertex> full_screen(float depth = 0.5F, std::array<float, 4> color = {}) {
  return {{{-1, -1, depth, 1}, color}, {{-1, 3, depth, 1}, color}, {{3, -1, depth, 1}, color}};
}

}  // namespace unshade::draw::test
