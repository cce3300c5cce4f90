// Token programs as text, as fxc prints them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc {

/// When `#line` is printed.
enum class LineDirectives : std::uint8_t {
  automatic,  ///< if the file has a debug part
  always,     ///< also those that the level 9 shader itself carries in a file without a debug part
  never,
};

struct ProgramListingOptions {
  FxcVersion fxc = kNewestFxc;
  bool offsets = false;
  bool bytes = false;
  bool exact_floats = false;
  TextOrigins* origins = nullptr;  ///< gets an entry for each instruction
  DebugCursor* debug = nullptr;    ///< what the debug part says between instructions
};

/// Appends the profile line and every instruction. Errors: those of Decoder, below the name given.
Result<void> list_program(const Program& program, std::string_view part_name, Text& out, const ProgramListingOptions& options = {});

/// Appends one instruction, without indentation or line end. For the field tree and for diagnostics.
void list_instruction(Instruction& instruction, const Program& program, Text& out, const ProgramListingOptions& options = {});

/// The spellings of an opcode in listings, without what is in parentheses: `mov`, `mov_sat`. Empty for a code that is in no table.
std::vector<std::string> mnemonics_of(std::uint32_t code);

}  // namespace unshade::dxbc
