// Names of files of shaders: fields that are known of each shader, and how other tools name what they dump.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <unshade/shader/shader.hpp>

namespace unshade::find {

/// How a tool names the shaders that it dumps: a template with fields between braces, of name_fields() and identity_kinds().
struct NamePreset {
  std::string_view id;  ///< `3dmigoto`
  std::string_view text;
};
std::span<const NamePreset> name_presets();
/// The template that a name of a tool stands for; any other text is a template itself.
std::string_view name_template(std::string_view text);

/// What a shader is, as far as names tell.
struct NameFacts {
  shader::Family family = shader::Family::unknown;
  std::string stage;    ///< `pixel`; empty if it has none
  std::string profile;  ///< `ps_5_0`; empty if it has none
};
/// `family`, `stage`, `short_stage` (`ps`), `profile`, `target` (the profile; of SPIR-V the ending that glslang gives its stage), `ext`
/// (the family's ending, without its point), `cso` (the same, but `cso` for Direct3D).
std::span<const std::string_view> name_fields();
/// Empty if the shader has none, or there is no such field.
std::string name_field(const NameFacts& facts, std::string_view field);

}  // namespace unshade::find
