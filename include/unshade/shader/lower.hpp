// Lowers an opened shader of any family to the IR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

struct LowerOptions {
  /// Of a module with several entry points, and of a VBC, its name (`main`), with its stage if several have that (`main:pixel`); of an
  /// SHBIN the number of the executable too; empty: the first. Files of one program have no use for it.
  std::string_view entry;
  std::uint32_t executable = 0;  ///< of an SHBIN, if `entry` is empty
  ir::F24 f24 = ir::F24::truncate;
  /// To step through the program: instructions that only copy are operations too, and of DXIL the part that is listed is lowered.
  bool keep_copies = false;
  /// Functions stay functions where the family has calls (DXIL, SPIR-V, DXBC), for writers of other languages: ir/lower_*.hpp say which. A
  /// program with calls cannot be run before ir::passes::inline_calls().
  bool keep_calls = false;
  bool constants_in_code = false;  ///< of the PICA200: ir::PicaOptions::constants_in_code, for writers of other languages
  /// Of SPIR-V and VBC, if `entry` is empty: the first entry point of this stage is meant, if there is one.
  Stage stage = Stage::none;
};

/// Errors: unsupported for a family without programs that can be lowered, and for what cannot be lowered, by name; bad_value for a
/// program that breaks rules, such as those of types; those of the family's lowering.
Result<Validated<ir::Module>> lower(const Shader& shader, const LowerOptions& options = {});

/// The line of the listing, without indentation, of each instruction of what is lowered, by ir::Source::instruction. `function`: its name
/// in the IR, which of a VBC with several stages has the stage, `main:pixel`; of DXIL, instructions count in their function. Errors: those
/// of the parts.
Result<std::vector<std::string>> instruction_lines(const Shader& shader, std::string_view function);

/// A function of the IR in the listing: its name there, and a line of each instruction.
struct SteppedLines {
  std::string function;
  std::vector<std::string> lines;
};

/// The same of what LowerOptions::keep_copies lowers, which of a container with debug information is another program. Errors: those of the
/// parts.
Result<SteppedLines> stepped_lines(const Shader& shader, std::string_view function);

/// Where the instructions of what is lowered come from.
struct SourceLines {
  struct Place {
    std::uint32_t file = 0;  ///< in `files`
    std::uint32_t line = 0;  ///< from 1; 0: the file does not say
  };
  std::vector<std::string> files;  ///< as the compiler was given them
  std::vector<Place> places;       ///< by ir::Source::instruction; those that are missing at the end come from nowhere
  /// Of those of a listing: where each instruction lies in the file, bytes from its start, as TextOrigin::offset.
  std::vector<std::uint64_t> offsets{};
};
/// Of what was inlined, places are in the innermost function. `function`: as of instruction_lines(). Errors: those of the parts; missing
/// if the file has no debug information that says it.
Result<SourceLines> source_lines(const Shader& shader, std::string_view function);

}  // namespace unshade::shader
