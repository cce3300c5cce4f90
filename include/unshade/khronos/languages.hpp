// The languages that SPIRV-Cross writes, and their versions. Facts alone: usable where the room is not built.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/text/identifiers.hpp>

namespace unshade::khronos {

enum class Language : std::uint8_t { glsl, hlsl, msl };

inline constexpr std::array<std::string_view, 3> kLanguageIds = {"glsl", "hlsl", "msl"};

constexpr std::string_view id(Language language) { return kLanguageIds[static_cast<std::size_t>(language)]; }
constexpr std::optional<Language> find_language(std::string_view id) {
  const auto found = std::ranges::find(kLanguageIds, id);
  if (found == kLanguageIds.end()) return std::nullopt;
  return static_cast<Language>(found - kLanguageIds.begin());
}

// src: the specifications of the languages; MSL from SPIRV-Cross' make_msl_version
inline constexpr std::uint32_t kShaderModels[] = {30, 40, 41, 50, 51, 60, 61, 62, 63, 64, 65, 66, 67, 68};
inline constexpr std::uint32_t kMslVersions[] = {10000, 10100, 10200, 20000, 20100, 20200, 20300, 20400, 30000, 30100};

/// The versions of a language that are known, in ascending order: of GLSL those of OpenGL, or with `es` of OpenGL ES.
constexpr std::span<const std::uint32_t> versions_of(Language language, bool es) {
  switch (language) {
    case Language::hlsl: return kShaderModels;
    case Language::msl: return kMslVersions;
    default: return glsl_versions(es);
  }
}

/// `glsl 110 120 330, for OpenGL ES 100 300`
inline std::string known_versions(Language language) {
  std::string text(id(language));
  for (const std::uint32_t version : versions_of(language, false)) text += ' ' + std::to_string(version);
  if (language != Language::glsl) return text;
  text += ", for OpenGL ES";
  for (const std::uint32_t version : versions_of(language, true)) text += ' ' + std::to_string(version);
  return text;
}

struct DecompileOptions {
  Language language = Language::glsl;
  /// GLSL: 450, 310; HLSL: shader model, 50 is 5.0; MSL: 20100 is 2.1. 0: of GLSL what OpSource says, else 450 (310 with `es`); 50; 20100.
  std::uint32_t version = 0;
  bool vulkan = true;                     ///< GLSL: for Vulkan, with descriptor sets and push constants as they are; else for OpenGL
  std::optional<bool> es = std::nullopt;  ///< GLSL: OpenGL ES; without it what OpSource says
  bool flip_vertex_y = false;             ///< the position's y the other way round
  bool fixup_clip_space = false;          ///< GLSL: z from [0, w] to [-w, w]; HLSL and MSL: the other way
  bool flatten_uniforms = false;          ///< GLSL: uniform buffers and push constants as arrays of vectors
  bool hlsl_compatibility = false;        ///< HLSL: point sizes and coordinates, which it has not, are left out instead of refused
  std::string_view entry_point = {};      ///< empty: the module's first
  bool validates = true;                  ///< refuses what SPIRV-Tools finds not valid; false in a process that may crash for it
};

/// Whether the language has the version of `options`: of GLSL, if these do not say which, that of OpenGL or of OpenGL ES.
constexpr bool has_version(const DecompileOptions& options) {
  const auto has = [&](bool es) {
    const auto versions = versions_of(options.language, es);
    return std::ranges::find(versions, options.version) != versions.end();
  };
  return options.es ? has(*options.es) : has(false) || has(true);
}

}  // namespace unshade::khronos
