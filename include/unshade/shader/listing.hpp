// Text of a shader in its own assembly language.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxil/dxc_version.hpp>
#include <unshade/dxil/source_info.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

using dxbc::LineDirectives;

/// What makes sure that listings assemble to what they were made of, where the text alone does not tell: the assemblers of DXBC and VBC. It
/// is handed in, so that a program that lists and does not ask for it links no assembler. listing_checks() of assemble.hpp has it.
struct ListingChecks {
  const dxbc::ListingChecks* dxbc = nullptr;
  bool (*assembles_to_spirv)(std::string_view text, View module) = nullptr;
};

struct ListingOptions {
  std::optional<dxbc::FxcVersion> fxc{};  ///< whose habits to follow; by default those of the compiler that the file names
  std::optional<dxil::DxcVersion> dxc{};  ///< DXIL: the same; by default the newest
  bool offsets = false;                   ///< the file offset of each instruction before it
  bool bytes = false;                     ///< the tokens of each instruction before it
  bool exact_floats = false;              ///< DXBC: literals that give their bits back
  bool exact = false;                     ///< assembling gives the very same bytes: literals in full, and what the vendor's text leaves out
  /// What that, `exact_floats` and stages of VBC need. Without, statements and stages are listed that would assemble to other bytes, and of
  /// the parts of DXBC what has no text is left out.
  const ListingChecks* checks = nullptr;
  bool header = true;  ///< the tables before the program
  LineDirectives lines = LineDirectives::automatic;
  TextOrigins* origins = nullptr;  ///< gets an entry for each instruction; of DXIL its bytes are those up to the next record
  bool bitcode = false;            ///< DXIL: blocks and records of the bitstream instead, as llvm-bcanalyzer prints them
  // SPIR-V alone: the switches of spirv-dis
  bool raw_ids = false;   ///< %17, not %main
  bool indent = true;     ///< columns
  bool comments = false;  ///< headings of sections
  bool color = false;     ///< escape sequences of terminals
};

/// Appends the listing. Errors: those of the parts; missing if the file holds no program.
Result<void> disassemble(const Shader& shader, Text& out, const ListingOptions& options = {});

/// The same with the lines of the sources between the instructions: a comment above the first instruction that comes from a line, with
/// file, number and, if the file holds its sources, text. The listing assembles as before. Errors: those of disassemble(); missing if the
/// file does not say where its instructions come from.
Result<void> disassemble_with_sources(const Shader& shader, Text& out, const ListingOptions& options, dxil::Inflate inflate = {});

/// Appends the sources that the debug parts hold, each below a comment with its name. Errors: missing if there are none; unsupported
/// if they are compressed and there is no way to inflate them.
Result<void> list_sources(const Shader& shader, Text& out, dxil::Inflate inflate = {});

}  // namespace unshade::shader
