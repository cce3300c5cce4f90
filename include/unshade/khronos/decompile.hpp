// SPIR-V as text in a shading language, by SPIRV-Cross. Optional: built if that library is found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/khronos/validate.hpp>

namespace unshade::khronos {

enum class Language : std::uint8_t { glsl, hlsl, msl };
std::string_view id(Language language);
std::optional<Language> find_language(std::string_view id);

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

/// The versions of a language that are known, in ascending order: of GLSL those of OpenGL, or with `es` of OpenGL ES.
std::span<const std::uint32_t> versions_of(Language language, bool es);
/// Whether the language has the version of `options`: of GLSL, if these do not say which, that of OpenGL or of OpenGL ES.
bool has_version(const DecompileOptions& options);
/// `glsl 110 120 330, for OpenGL ES 100 300`
std::string known_versions(Language language);

/// How modules are validated for it: layouts are no matter, since the text states them, or says that it cannot.
inline constexpr ValidationOptions kDecompileValidation{.scalar_block_layout = true};

/// The text. The module is validated first, since SPIRV-Cross may crash for one that is not valid. Errors: bad_value, with the validator's
/// or SPIRV-Cross' message, or for an unknown version; missing if there is no such entry point; unsupported if the language cannot say
/// what the module does; limit, for a module beyond our limits. Some modules within them take SPIRV-Cross long all the same: if that
/// matters, call it in a process that can be ended.
Result<std::string> decompile(View module, const DecompileOptions& options = {});

}  // namespace unshade::khronos
