// Source files that a shader carries: SRCI, PDBI and metadata of DXIL, SPDB and SDBG of DXBC, OpSource of SPIR-V and
// DebugSource of its debug information.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct SourceFile {
  std::string name;  ///< as the compiler was given it: to be taken for text, not for a path
  std::string text;
  bool has_text = false;  ///< false: only the name is known
};

struct SourceArgument {
  std::string name;   ///< without its dash; empty for a value alone
  std::string value;  ///< empty for a flag
};

struct Sources {
  std::string where;  ///< the part or instruction that has them: `SRCI`; `metadata` of bitcode alone
  std::vector<SourceFile> files;
  std::vector<SourceArgument> arguments;  ///< of the compiler, if they are kept
};

/// Reads them. Errors: missing if there are none; unsupported if they are compressed and there is no way to inflate them; those of
/// the parsers.
Result<Sources> sources_of(const Shader& shader, dxil::Inflate inflate = {});

/// The file with these sources: of a DXIL container or database with a SRCI in the place of what it had, as dxc writes it into its
/// databases; arguments are kept if there are any. In SPIR-V, OpSource,
/// and DebugSource has names alone; in a VBC, that of each stage. Errors: unsupported for other
/// files, with where sources could be; those of make_source_info(), spirv::embed_sources() and vbc::embed_sources().
Result<Edited> embed_sources(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate = {},
                             dxil::Deflate deflate = {});

/// A name under which a source can be written below a folder: what leads out of it (roots, drives, `..`) is left out, `\` is `/`, and
/// each name is a portable_file_name(). Never empty.
std::string safe_file_name(std::string_view name);

}  // namespace unshade::shader
