// Draws by Vulkan and by unshade: a job of stage draw (job.hpp), which draws.py writes. Prints what differs:
//
//   coverage BOTH UNSHADE VULKAN       samples that both drew, and one alone
//   at X Y SAMPLE UNSHADE VULKAN       those, at most 1,000
//   target N SAME CLOSE WITHIN BEYOND  components of samples that both drew: all bits; 4,096 ulps or 2^-12 of the largest; 1/255; else
//   worst X Y SAMPLE COMPONENT UNSHADE VULKAN
//   depth SAME CLOSE BEYOND LARGEST    of pixels that both drew: 2^-20, or a step of 16 bits; the largest is that of lavapipe less ours, in
//   2^-24
//                                      or in steps
//   time|processors unshade|vulkan NANOSECONDS... of each run
//   unshade|vulkan failed REASON
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <unshade/draw/pipeline.hpp>

#include "here.hpp"
#include "vulkan.hpp"

namespace compare {
namespace {

namespace draw = unshade::draw;

constexpr std::uint32_t kCleared = 0x7fc0'dead;

struct Picture {
  std::vector<Bytes> targets;
  Bytes depth;
  std::vector<Times> times;
};

draw::Topology topology_of(const std::string& name) {
  return name == "triangles"    ? draw::Topology::triangle_list
         : name == "strip"      ? draw::Topology::triangle_strip
         : name == "lines"      ? draw::Topology::line_list
         : name == "line_strip" ? draw::Topology::line_strip
                                : draw::Topology::point_list;
}

bool is_spirv(const std::string& path) { return path.ends_with(".spv"); }

Picture draw_here(const Job& job) {
  const bool by_binding = is_spirv(job.words.at("file"));
  const auto vertex = load(job.words.at("vs_file"), by_binding ? std::string_view(job.words.at("vs_entry")) : std::string_view(), job.wave);
  const auto pixel = load(job.words.at("file"), by_binding ? std::string_view(job.words.at("entry")) : std::string_view(), job.wave);
  if (!vertex.program) fail("unshade", "vertex: " + vertex.why);
  if (!pixel.program) fail("unshade", "pixel: " + pixel.why);
  Bound vertex_resources(job, vertex.program->module(), by_binding, 0, kPixelSets - 1);
  Bound pixel_resources(job, pixel.program->module(), by_binding, kPixelSets);

  draw::Pipeline pipeline;
  pipeline.vertex = &*vertex.program;
  pipeline.pixel = &*pixel.program;
  pipeline.topology = topology_of(job.words.at("topology"));
  pipeline.conventions.link_by_location = by_binding;
  pipeline.rasterizer.cull = draw::Cull::none;
  pipeline.rasterizer.depth_clip = !job.words.contains("unclipped");
  pipeline.rasterizer.scissor = true;
  const auto bias = numbers(job, "bias", {0, 0, 0});
  pipeline.rasterizer.depth_bias = static_cast<std::int32_t>(bias[0]);
  pipeline.rasterizer.slope_scaled_depth_bias = static_cast<float>(bias[1]);
  pipeline.rasterizer.depth_bias_clamp = static_cast<float>(bias[2]);
  pipeline.depth_stencil = {.depth = job.words.contains("depth"), .comparison = texel::Comparison::less_equal};

  draw::Bindings bindings;
  bindings.vertex = &vertex_resources.resources;
  bindings.pixel = &pixel_resources.resources;
  const unsigned vertices = number(job, "vertices", 3);
  for (const Attribute& a : job.attributes) {
    pipeline.input.push_back({.input_register = a.location,
                              .format = *texel::find_format(a.format),
                              .slot = static_cast<std::uint32_t>(bindings.vertex_buffers.size())});
    bindings.vertex_buffers.push_back({std::span(job.blob).subspan(a.at, std::size_t{16} * vertices), 16});
  }
  const unsigned samples = number(job, "samples", 1);
  const std::size_t count = std::size_t{job.width} * job.height * samples;
  Picture made;
  const auto texture = [&](Bytes& bytes, const std::string& format, std::size_t texel) {
    bytes.resize(count * texel);
    texel::Descriptor view;
    view.bytes = bytes;
    view.format = *texel::find_format(format);
    view.width = job.width;
    view.height = job.height;
    view.samples = samples;
    return view;
  };
  made.targets.resize(job.targets.size());
  for (std::size_t at = 0; at < job.targets.size(); ++at) {
    const unsigned location = job.targets[at].location;
    if (bindings.targets.size() <= location) bindings.targets.resize(location + 1);
    bindings.targets[location] = texture(made.targets[at], job.targets[at].format, texel::find_format(job.targets[at].format)->bytes());
    if (job.words.contains("additive")) {
      pipeline.blend.targets[location] = {.blend = true,
                                          .src = draw::BlendFactor::one,
                                          .dest = draw::BlendFactor::one,
                                          .src_alpha = draw::BlendFactor::one,
                                          .dest_alpha = draw::BlendFactor::one};
    }
  }
  if (job.words.contains("depth")) {
    bindings.depth_stencil = *draw::find_depth_stencil_format(job.words.at("depth"));
    const texel::Format format = bindings.depth_stencil.texture.format;
    bindings.depth_stencil.texture = texture(made.depth, job.words.at("depth"), format.bytes());
    bindings.depth_stencil.texture.format = format;
  }
  const auto view = numbers(job, "viewport", {0, 0, static_cast<double>(job.width), static_cast<double>(job.height)});
  const auto scissor = numbers(job, "scissor", {0, 0, static_cast<double>(job.width), static_cast<double>(job.height)});
  const auto real = [](double value) { return static_cast<float>(value); };
  const auto whole = [](double value) { return static_cast<std::int32_t>(value); };
  bindings.viewports = {{real(view[0]), real(view[1]), real(view[2]), real(view[3])}};
  bindings.scissors = {{whole(scissor[0]), whole(scissor[1]), whole(scissor[0] + scissor[2]), whole(scissor[1] + scissor[3])}};

  const draw::Call call{.count = vertices};
  for (unsigned run = 0; run < 1 + number(job, "repeat", 0); ++run) {
    const std::uint32_t cleared = job.words.contains("additive") ? 0 : kCleared;
    for (Bytes& target : made.targets)
      for (std::size_t at = 0; at < target.size(); at += 4) std::memcpy(&target[at], &cleared, 4);
    for (std::size_t at = 0; at < count && !made.depth.empty(); ++at) {
      const texel::Format& format = bindings.depth_stencil.texture.format;
      texel::store_texel(format, {std::bit_cast<std::uint32_t>(1.0F)}, &made.depth[at * format.bytes()]);
    }
    const Times begun = Times::now();
    const auto done = draw::run(pipeline, bindings, call, {}, {}, number(job, "threads", 1));
    if (!done) fail("unshade", done.error().path + ": " + done.error().message);
    if (done->stop != vm::Stop::finished) fail("unshade", "stopped: " + std::string(id(done->stop)));
    if (run != 0) made.times.push_back(Times::now().since(begun));
  }
  return made;
}

float number_at(const std::byte* from) {
  float made = 0;
  std::memcpy(&made, from, sizeof made);
  return made;
}
std::int64_t ordered(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits >= 0 ? bits : std::int64_t{INT32_MIN} - bits;
}

/// Counts of components, by how far they are from each other.
struct Distances {
  std::size_t same = 0, close = 0, within = 0, beyond = 0;
  double worst = -1;
  std::size_t at = 0;
};

void compare_pictures(const Job& job, const Picture& here, const Vulkan& vulkan) {
  const unsigned samples = number(job, "samples", 1);
  const std::size_t count = std::size_t{job.width} * job.height * samples;
  using Texel = std::array<std::uint32_t, 4>;
  const auto texel = [&](std::size_t target, const std::byte* from, std::size_t at) {
    const texel::Format format = *texel::find_format(job.targets[target].format);
    return texel::load_texel(format, from + at * format.bytes());
  };
  const auto ours_at = [&](std::size_t target, std::size_t at) { return texel(target, here.targets[target].data(), at); };
  const auto theirs_at = [&](std::size_t target, std::size_t at) {
    if (samples == 1) return texel(target, vulkan.target(target), at);
    Texel made{};
    std::memcpy(made.data(), vulkan.target(target) + 16 * at, 16);
    return made;
  };
  const std::uint32_t cleared = job.words.contains("additive") ? 0 : kCleared;
  const auto is_drawn = [&](const Texel& one) { return one != Texel{cleared, cleared, cleared, cleared}; };
  std::vector<bool> both(count, true);
  if (!job.targets.empty()) {
    std::size_t together = 0, ours = 0, theirs = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const bool one = is_drawn(ours_at(0, at)), other = is_drawn(theirs_at(0, at));
      both[at] = one && other;
      together += both[at] ? 1 : 0;
      if (one == other) continue;
      ++(one ? ours : theirs);
      if (ours + theirs <= 1000) {
        std::printf("at %zu %zu %zu %d %d\n", at / samples % job.width, at / samples / job.width, at % samples, one ? 1 : 0, other ? 1 : 0);
      }
    }
    std::printf("coverage %zu %zu %zu\n", together, ours, theirs);
  }
  for (std::size_t target = 0; target < job.targets.size(); ++target) {
    const std::string& format = job.targets[target].format;
    const bool is_float = !format.ends_with("INT");
    Distances found;
    double largest = 0;
    for (std::size_t at = 0; at < count; ++at) {
      if (!is_float || !both[at]) continue;
      for (const float value : std::bit_cast<std::array<float, 4>>(ours_at(target, at)))
        if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    for (std::size_t at = 0; at < 4 * count; ++at) {
      if (!both[at / 4]) continue;
      const auto a = std::bit_cast<float>(ours_at(target, at / 4)[at % 4]), b = std::bit_cast<float>(theirs_at(target, at / 4)[at % 4]);
      const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
      if (std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
          (is_float && (a == b || (std::isnan(a) && std::isnan(b))))) {
        ++found.same;
      } else if (is_float && std::isfinite(a) && std::isfinite(b) &&
                 (std::abs(ordered(a) - ordered(b)) <= 4096 || apart <= std::max(largest, 1e-30) / 4096)) {
        ++found.close;
      } else if (is_float && apart <= std::max(largest, 1.0) / 255) {
        ++found.within;
      } else {
        ++found.beyond;
        const double how = std::isfinite(apart) ? apart : HUGE_VAL;
        if (how > found.worst) found.worst = how, found.at = at;
      }
    }
    std::printf("target %u %zu %zu %zu %zu\n", job.targets[target].location, found.same, found.close, found.within, found.beyond);
    if (found.beyond != 0) {
      const std::size_t sample = found.at / 4;
      std::printf("worst %zu %zu %zu %zu %.9g %.9g\n", sample / samples % job.width, sample / samples / job.width, sample % samples,
                  found.at % 4, static_cast<double>(std::bit_cast<float>(ours_at(target, sample)[found.at % 4])),
                  static_cast<double>(std::bit_cast<float>(theirs_at(target, sample)[found.at % 4])));
    }
  }
  if (vulkan.depth() == nullptr) return;
  std::size_t same = 0, close = 0, beyond = 0;
  double worst = 0;
  const bool is_float = job.words.at("depth") == "D32_FLOAT";
  for (std::size_t at = 0; at < count; ++at) {
    if (!both[at]) continue;
    double apart = 0;
    if (is_float) {
      apart = static_cast<double>(number_at(vulkan.depth() + 4 * at)) - static_cast<double>(number_at(&here.depth[4 * at]));
      apart *= 1 << 24;
    } else {
      std::uint16_t a = 0, b = 0;
      std::memcpy(&a, &here.depth[2 * at], 2);
      std::memcpy(&b, vulkan.depth() + 2 * at, 2);
      apart = static_cast<double>(b) - static_cast<double>(a);
    }
    ++(apart == 0 ? same : std::abs(apart) <= (is_float ? 16 : 1) ? close : beyond);
    if (std::abs(apart) > std::abs(worst)) worst = apart;
  }
  std::printf("depth %zu %zu %zu %g\n", same, close, beyond, worst);
}

}  // namespace
}  // namespace compare

int main(int, char** argv) {
  using namespace compare;
  const Job job = read_job(argv[1]);
  const Picture here = draw_here(job);
  Vulkan vulkan(job);
  vulkan.run();
  if (!job.words.contains("repeat")) compare_pictures(job, here, vulkan);
  if (!here.times.empty()) print_times("unshade", here.times);
  if (!vulkan.times().empty()) print_times("vulkan", vulkan.times());
  std::fflush(stdout);
  std::_Exit(0);
}
