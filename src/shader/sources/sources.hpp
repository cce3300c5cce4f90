// Sources that files carry, by what carries them, for the tables of capabilities.
#pragma once

#include <span>

#include <unshade/core/text.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/source_files.hpp>

namespace unshade::shader::sources {

/// Appends them, each below a comment with its name.
Result<void> list(const Shader& shader, Text& out, dxil::Inflate inflate);

/// SRCI, PDBI, SPDB and SDBG of a container.
Result<Sources> in_parts(const Shader& shader, dxil::Inflate inflate);
/// The same, and the metadata of modules.
Result<Sources> in_dxil(const Shader& shader, dxil::Inflate inflate);
/// OpSource of every module: a module may have several, one a file.
Result<Sources> in_modules(const Shader& shader, dxil::Inflate inflate);

Result<Edited> embed_in_dxil(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate);
/// Lines keep to the files that they are of.
Result<Edited> embed_in_spirv(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate);
Result<Edited> embed_in_vbc(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate);

}  // namespace unshade::shader::sources
