// What draws with answers that are known are made of: a shader of a few instructions over all of a target.
#pragma once

#include <cmath>
#include <sstream>

#include "draw_support.hpp"

namespace unshade::draw::test {

/// A pixel shader of these instructions, with colors as outputs 0, and perhaps one output more.
inline std::string shader_of(std::string_view lines, std::string_view more = {}) {
  return "stage pixel\ninput \"SV_Position\" system_value position type f32 interpolation linear_noperspective register 0\n"
         "input \"COLOR\" type f32 interpolation linear register 1\noutput \"SV_Target\" system_value target type f32 register 0\n" +
         std::string(more) + "\nfunction @main {\n^0:\n" + std::string(lines) + "  return\n}\n";
}
inline constexpr std::string_view kGreen =
    "  output f32 out0.x 0.0\n  output f32 out0.y 1.0\n  output f32 out0.z 0.0\n  output f32 out0.w 1.0\n";

inline void fill(Texture& texture, const std::array<float, 4>& color) {
  for (std::size_t at = 0; at < texture.bytes.size(); at += texture.view.format.bytes())
    texel::store_texel(texture.view.format, std::bit_cast<std::array<std::uint32_t, 4>>(color), &texture.bytes[at]);
}

using Color4 = std::array<float, 4>;
inline constexpr Color4 kWhite{1, 1, 1, 1}, kGreenColor{0, 1, 0, 1}, kBlueColor{0, 0, 1, 1};

/// A draw over all of a target that is white.
struct Whole : Scene {
  explicit Whole(std::string_view shader, std::uint32_t samples = 1, std::uint32_t size = 4)
      : Scene(shader), picture("R32G32B32A32_FLOAT", size, size, samples) {
    target(picture);
    fill(picture, kWhite);
  }
  Texture picture;
};

/// The instructions that give a target four components.
inline std::string color_lines(const Color4& color, unsigned output = 0) {
  std::ostringstream made;
  made << std::showpoint;
  made.precision(9);
  for (unsigned k = 0; k < 4; ++k) made << "  output f32 out" << output << '.' << "xyzw"[k] << ' ' << color[k] << '\n';
  return made.str();
}
/// Targets from the second to the last, after shader_of()'s first.
inline std::string targets_after_first(unsigned count) {
  std::string made;
  for (unsigned target = 1; target < count; ++target)
    made +=
        "output \"SV_Target\" index " + std::to_string(target) + " system_value target type f32 register " + std::to_string(target) + '\n';
  return made;
}

/// Two triangles over all of a target, as a strip.
inline std::vector<Vertex> strip_of(float depth = 0, const Color4& color = {}) {
  return {{{-1, -1, depth, 1}, color}, {{-1, 1, depth, 1}, color}, {{1, -1, depth, 1}, color}, {{1, 1, depth, 1}, color}};
}

/// 0xAABBGGRR, as the bytes of R8G8B8A8_UNORM are written as a number.
inline Color4 color_of_bytes(std::uint32_t bytes) {
  Color4 made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = static_cast<float>(bytes >> (8 * k) & 0xff) / 255;
  return made;
}
/// Whether each component is at most `steps` of 255 from the bytes'.
inline testing::AssertionResult is_near(const Color4& found, std::uint32_t bytes, unsigned steps = 1) {
  const Color4 expected = color_of_bytes(bytes);
  for (unsigned k = 0; k < 4; ++k) {
    if (!(std::abs(found[k] - expected[k]) * 255 <= static_cast<float>(steps) + 0.5F))
      return testing::AssertionFailure() << "rgba"[k] << " is " << found[k] * 255 << ", not " << expected[k] * 255;
  }
  return testing::AssertionSuccess();
}

}  // namespace unshade::draw::test
