// Identifiers of shading languages: what their words leave free.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unshade {

enum class ShadingLanguage : std::uint8_t { hlsl, glsl };

/// Whether a word is one of the language, types with their sizes in their names included.
bool is_keyword(ShadingLanguage language, std::string_view word);
/// Whether a word may be the name of something: of letters, digits and _, no keyword (some of HLSL with any capitals), and of GLSL not
/// reserved (`gl_`, `__`).
bool may_be_identifier(ShadingLanguage language, std::string_view word);
/// An identifier that resembles a name.
std::string identifier_like(ShadingLanguage language, std::string_view name);

}  // namespace unshade
