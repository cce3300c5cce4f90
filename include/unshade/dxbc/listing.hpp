// Token programs as text, as fxc prints them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxcontainer {
struct Container;
}

namespace unshade::dxbc {

namespace listing {
class StatementCheck;
}

/// What exact listings ask of the assembler. It is handed in, so that a program that lists and does not ask for it links no assembler.
/// listing_checks() of assembler.hpp has it.
struct ListingChecks {
  /// Assembles each statement; those that do not give their tokens are listed as tokens.
  std::unique_ptr<listing::StatementCheck> (*make_statement_check)() = nullptr;
  /// Appends what assembling the listing, in `out` from `listing_start` on, does not give back of the container.
  void (*print_part_statements)(Text& out, std::size_t listing_start, const dxcontainer::Container& container) = nullptr;
};

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
  const ListingChecks* checks = nullptr;  ///< with `exact_floats`; null: statements are not checked
  TextOrigins* origins = nullptr;         ///< gets an entry for each instruction
  DebugCursor* debug = nullptr;           ///< what the debug part says between instructions
};

/// Appends the profile line and every instruction. Errors: those of Decoder, below the name given.
Result<void> list_program(const Program& program, std::string_view part_name, Text& out, const ProgramListingOptions& options = {});

/// Appends one instruction, without indentation or line end. For the field tree and for diagnostics.
void list_instruction(Instruction& instruction, const Program& program, Text& out, const ProgramListingOptions& options = {});

/// The spellings of an opcode in listings, without what is in parentheses: `mov`, `mov_sat`. Empty for a code that is in no table.
std::vector<std::string> mnemonics_of(std::uint32_t code);

}  // namespace unshade::dxbc
