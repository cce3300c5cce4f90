// Shaders in source text, to be compiled into a program: written as an array below a listing, and read out of one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct EmbedOptions {
  SourceLanguage language = SourceLanguage::c;
  std::optional<SourceType> type;  ///< absent: default_source_type
  std::string name;                ///< of the array, made an identifier; empty: default_array_name
  bool listing = true;             ///< in a comment above the array
};

/// The name that fxc and dxc give: `g_` and the entry point, if the file tells but one; else `g_` and `stem`, what the file is called.
/// In capitals for Rust, whose compiler asks for them.
std::string default_array_name(const Shader& shader, std::string_view stem, SourceLanguage language);
/// The latter, whatever the file tells: entry points of several files are likely to have one name.
std::string stem_array_name(std::string_view stem, SourceLanguage language);

/// That of the vendor's compiler in C: BYTE of fxc, unsigned char of dxc; 32-bit words if the family is made of words. In C++ and Rust
/// types of the language.
SourceType default_source_type(const Shader& shader, SourceLanguage language);

/// What has to be above arrays of the type, or nothing: `#include <stdint.h>`.
std::string_view source_prologue(SourceLanguage language, SourceType type);

/// Appends listing and array: in C and with the default type, DXBC as `fxc /Fh` and DXIL as `dxc -Fh` write it, with line feeds alone.
/// A file without a program has no listing. Errors: those of the listing; bad_value if the file's size is no multiple of the type's.
/// Source: docs/howto/embed.md.
Result<void> embed(const Shader& shader, const EmbedOptions& options, Text& out);

/// A shader out of source text.
struct SourceShader {
  std::string name;  ///< of the array; empty if the text is nothing but numbers
  std::vector<std::byte> bytes;
};

/// The array of a name, whatever it holds; with an empty name the only one that begins like a shader. Errors: missing if there is none
/// (the message names the shaders there are); bad_value if several shaders are to choose from (it names them); those of
/// read_source_array.
Result<SourceShader> shader_in_source(View text, std::string_view name = {});

}  // namespace unshade::shader
