// Declarations of HLSL, as an engine's headers have them: what gives the buffers of stripped shaders names.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader {

/// Each is what a reflection would say of the resources that a text declares: `resources`, whose bind_point is kNone if no register is
/// declared, `buffers` and `types`. All else is empty.
struct HlslDeclarations {
  Reflection usual;   ///< `half` and numbers of minimum precision have 32 bits
  Reflection native;  ///< they have 16, as compilers' switch for native types of 16 bits makes them; empty if the text has none of them
};

/// Reads `cbuffer`s, `ConstantBuffer`s, structured buffers, textures, samplers and buffers of bytes, and the structures, constants of
/// integers and macros of one word that they use; functions and other variables are passed over. Errors, whose offsets are bytes from the
/// start of the text: bad_value for what is none of HLSL, or has two declarations; overlap for members that do; unsupported for what only
/// a preprocessor can tell (conditions within a declaration, macros of several words); limit for texts beyond
/// limits::kDeclarationsText and deep nesting; missing if no resource is declared.
Result<HlslDeclarations> read_hlsl_declarations(std::string_view text);

}  // namespace unshade::shader
