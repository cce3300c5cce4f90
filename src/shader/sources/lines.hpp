// From instructions to lines of source files, for the tables of capabilities. See source_lines().
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::sources {

/// SPDB and SDBG.
Result<SourceLines> lines_in_dxbc(const Shader& shader, std::string_view function);
/// Locations of the module, or of the one in ILDB if that has the same instructions.
Result<SourceLines> lines_in_dxil(const Shader& shader, std::string_view function);
/// OpLine, and DebugLine of NonSemantic.Shader.DebugInfo.100.
Result<SourceLines> lines_in_modules(const Shader& shader, std::string_view function);
/// The line table of a DVLP.
Result<SourceLines> lines_in_shbin(const Shader& shader, std::string_view function);

/// The same of all instructions that the listing has, with their offsets.
Result<SourceLines> listed_in_dxbc(const Shader& shader);
Result<SourceLines> listed_in_dxil(const Shader& shader);
Result<SourceLines> listed_in_modules(const Shader& shader);
Result<SourceLines> listed_in_shbin(const Shader& shader);

}  // namespace unshade::shader::sources
