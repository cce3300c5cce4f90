// Identifiers of shading languages: what their words leave free; versions of GLSL.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace unshade {

enum class ShadingLanguage : std::uint8_t { hlsl, glsl };

// src: the specifications of the languages
inline constexpr std::uint32_t kGlslVersions[] = {110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460};
inline constexpr std::uint32_t kEsVersions[] = {100, 300, 310, 320};

/// In ascending order: those of OpenGL, or with `es` of OpenGL ES.
constexpr std::span<const std::uint32_t> glsl_versions(bool es) {
  return es ? std::span<const std::uint32_t>(kEsVersions) : std::span<const std::uint32_t>(kGlslVersions);
}
constexpr bool is_glsl_version(std::uint32_t version, bool es) {
  return std::ranges::find(glsl_versions(es), version) != glsl_versions(es).end();
}

/// Whether a word is one of the language, types with their sizes in their names included.
bool is_keyword(ShadingLanguage language, std::string_view word);
/// Whether a word may be the name of something: of letters, digits and _, no keyword (some of HLSL with any capitals), and of GLSL not
/// reserved (`gl_`, `__`).
bool may_be_identifier(ShadingLanguage language, std::string_view word);
/// An identifier that resembles a name.
std::string identifier_like(ShadingLanguage language, std::string_view name);

}  // namespace unshade
