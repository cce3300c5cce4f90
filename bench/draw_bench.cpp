// Draws at 1920 by 1080, by threads: scripts/compare/draws.py has the same beside lavapipe. Items are pixels that the pixel shader ran for.
#include <bit>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <unshade/draw/pipeline.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

namespace {

using namespace unshade;

constexpr std::uint32_t kWidth = 1920, kHeight = 1080;

vm::Program program_of(const std::string& text) {
  auto module = ir::parse(text);
  ir::canonicalize(*module);
  return *vm::prepare(ir::optimize(*ir::verified(std::move(*module)), 1));
}

// Hands three inputs of four components on, the first of them as the position.
std::string vertex_text() {
  std::string made = "stage vertex\n", body;
  const char* const kNames[] = {"POSITION", "NORMAL", "TEXCOORD"};
  for (unsigned at = 0; at < 3; ++at) made += std::string("input \"") + kNames[at] + "\" type f32 register " + std::to_string(at) + '\n';
  for (unsigned at = 0; at < 3; ++at) {
    made += std::string("output \"") + (at == 0 ? "SV_Position\" system_value position" : kNames[at] + std::string("\"")) +
            " type f32 register " + std::to_string(at) + '\n';
    for (const char k : {'x', 'y', 'z', 'w'}) {
      const std::string number = std::to_string(at), name = std::string("%") + k + number;
      body += "  " + name + " = input f32 in" + number + '.' + k + "\n  output f32 out" + number + '.' + k + ' ' + name + '\n';
    }
  }
  return made + "\nfunction @main {\n^0:\n" + body + "  return\n}\n";
}

constexpr const char* kPixelHead =
    "stage pixel\ninput \"SV_Position\" system_value position type f32 interpolation linear_noperspective register 0\n"
    "input \"NORMAL\" type f32 interpolation linear register 1\ninput \"TEXCOORD\" type f32 interpolation linear register 2\n"
    "output \"SV_Target\" system_value target type f32 register 0\n";

constexpr const char* kLit = R"(resource @image texture dimension texture2d returns float register 0
resource @how sampler register 0

function @main {
^0:
  %t = handle @image 0
  %s = handle @how 0
  %nx = input f32 in1.x
  %ny = input f32 in1.y
  %nz = input f32 in1.z
  %xx = fmul f32 %nx %nx
  %yy = fmad f32 %ny %ny %xx
  %zz = fmad f32 %nz %nz %yy
  %length = frsqrt f32 %zz
  %lx = fmul f32 %nx 0.36
  %ly = fmad f32 %ny 0.48 %lx
  %lz = fmad f32 %nz 0.8 %ly
  %cosine = fmul f32 %lz %length
  %above = fmax f32 %cosine 0.0
  %light = fadd f32 %above 0.25
  %u = input f32 in2.x
  %v = input f32 in2.y
  %texel = sample_implicit f32 x4 texture2d %t %s %u %v
  %r = get f32 0 %texel
  %g = get f32 1 %texel
  %b = get f32 2 %texel
  %a = get f32 3 %texel
  %red = fmul f32 %r %light
  %green = fmul f32 %g %light
  %blue = fmul f32 %b %light
  output f32 out0.x %red
  output f32 out0.y %green
  output f32 out0.z %blue
  output f32 out0.w %a
  return
}
)";

// 100 instructions on four components, each on the results of the ones before.
std::string long_text() {
  std::string made = "\nfunction @main {\n^0:\n";
  for (const char k : {'x', 'y', 'z', 'w'}) {
    const std::string of(1, k);
    made += "  %" + of + "0 = input f32 in1." + of + "\n  %" + of + "1 = input f32 in2." + of + '\n';
    for (unsigned at = 2; at < 102; ++at) {
      const auto name = [&](unsigned number) { return " %" + of + std::to_string(number); };
      made += " " + name(at) + " = ";
      if (at % 4 == 0) made += "fmad f32" + name(at - 1) + name(at - 2) + " 0.5\n";
      if (at % 4 == 1) made += "fmax f32" + name(at - 1) + name(at - 2) + '\n';
      if (at % 4 == 2) made += "fmul f32" + name(at - 1) + " 0.875\n";
      if (at % 4 == 3) made += "fadd f32" + name(at - 1) + name(at - 2) + '\n';
    }
    made += "  output f32 out0." + of + " %" + of + "101\n";
  }
  return made + "  return\n}\n";
}

struct Drawing {
  std::string pixel;
  std::uint32_t samples;
  bool soup;  ///< 100,000 triangles of some 40 pixels; else one over all
};

void draw_frame(benchmark::State& state, const Drawing& what) {
  const vm::Program vertex = program_of(vertex_text()), pixel = program_of(kPixelHead + what.pixel);
  std::mt19937 random(1);
  const auto number = [&](float least, float most) {
    return least + (most - least) * static_cast<float>(random() >> 8) / static_cast<float>(1U << 24);
  };
  std::vector<float> vertices;
  for (unsigned k = 0; k < (what.soup ? 100000U : 1U); ++k) {
    const float x = number(-1, 1), y = number(-1, 1), z = number(0, 1);
    for (unsigned corner = 0; corner < 3; ++corner) {
      if (what.soup) {
        vertices.insert(vertices.end(), {x + number(-14, 14) / kWidth * 2, y + number(-14, 14) / kHeight * 2, z, 1});
      } else {
        vertices.insert(vertices.end(), {corner == 2 ? 3.0F : -1.0F, corner == 1 ? 3.0F : -1.0F, 0.5F, 1});
      }
      for (unsigned at = 0; at < 8; ++at) vertices.push_back(number(0, 1));
    }
  }
  std::vector<std::byte> colors(std::size_t{4} * kWidth * kHeight * what.samples), depths(colors.size()), texels(256UL * 256 * 4);
  for (std::byte& texel : texels) texel = static_cast<std::byte>(random());
  draw::Pipeline pipeline;
  pipeline.vertex = &vertex;
  pipeline.pixel = &pixel;
  pipeline.rasterizer.cull = draw::Cull::none;
  for (std::uint32_t at = 0; at < 3; ++at)
    pipeline.input.push_back({.input_register = at, .format = *texel::find_format("R32G32B32A32_FLOAT"), .offset = 16 * at});
  vm::Resources resources = vm::empty_resources(pixel.module());
  if (!resources.rows.empty()) {
    resources.rows[0].resize(1);
    texel::Descriptor& image = resources.rows[0][0];
    image.bytes = texels;
    image.format = *texel::find_format("R8G8B8A8_UNORM");
    image.width = image.height = 256;
    resources.rows[1].resize(1);
  }
  draw::Bindings bindings;
  bindings.pixel = &resources;
  bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), 48}};
  bindings.viewports = {{0, 0, kWidth, kHeight}};
  const auto texture = [&](std::vector<std::byte>& bytes, const char* format) {
    texel::Descriptor made;
    made.bytes = bytes;
    made.format = *texel::find_format(format);
    made.width = kWidth;
    made.height = kHeight;
    made.samples = what.samples;
    return made;
  };
  bindings.targets = {texture(colors, "R8G8B8A8_UNORM")};
  bindings.depth_stencil.texture = texture(depths, "D32_FLOAT");
  std::uint64_t pixels = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t at = 0; at < depths.size(); at += 4)
      texel::store_texel(bindings.depth_stencil.texture.format, {0x3f80'0000}, &depths[at]);
    state.ResumeTiming();
    const auto done = draw::run(pipeline, bindings, {.count = static_cast<std::uint32_t>(vertices.size() / 12)}, {}, {},
                                static_cast<unsigned>(state.range(0)));
    if (!done) state.SkipWithError(done.error().message.c_str());
    if (done) pixels += done->statistics.pixel_runs;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(pixels));
}

BENCHMARK_CAPTURE(draw_frame, lit_triangles, Drawing{kLit, 1, true})->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frame, long_shader, Drawing{long_text(), 1, false})->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frame, lit_triangles_4_samples, Drawing{kLit, 4, true})
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
