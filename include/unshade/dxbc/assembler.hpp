// The assembler of token programs: reads the language of the listing (fxc's, and what docs/reference/texts/dxbc.md adds to it), and writes
// containers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>

namespace unshade::dxbc {

struct ListingChecks;

/// What the assembler can find fault with: the rows of assembler_messages.def.
enum class MessageKind : std::uint8_t {
#define DXBC_MESSAGE(id, text, severity, summary) id,
#include <unshade/dxbc/assembler_messages.def>
#undef DXBC_MESSAGE
};

/// The rule of a message: `as.invalid-operand`, its severity, what would be right.
const Rule& rule(MessageKind message);
std::span<const Rule> assembler_rules();

struct AssemblerOptions {
  /// A float with exactly six decimals is one that fxc rounded: of those that print so, the simplest fraction is taken if it is simple
  /// enough, 1/255 for 0.003922. Else the nearest. Listings made with --exact-floats have no such floats. Source:
  /// docs/reference/texts/dxbc.md.
  bool guess_rounded = true;
};

/// A token program.
struct ProgramAssembly {
  bool ok = false;                    ///< no error among the messages
  std::vector<std::uint32_t> tokens;  ///< from the version token on
  std::vector<Message> messages;
};

/// Assembles the program alone; tables above it are comments. Reads on after an error, to tell of all of them.
ProgramAssembly assemble_program(std::string_view text, const AssemblerOptions& options = {});

/// Assembles a container: the program; signatures, resource definitions and class linkage from the tables above it; statistics and
/// feature flags from the program. Source: docs/reference/texts/dxbc.md.
Assembly assemble(std::string_view text, const AssemblerOptions& options = {});

/// The assembler's part in exact listings, see listing.hpp.
const ListingChecks& listing_checks();

}  // namespace unshade::dxbc
