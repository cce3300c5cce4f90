// The assembler of token programs: reads the language of the listing (fxc's, and what docs/reference/texts/dxbc.md adds to it), and writes
// containers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>

namespace unshade::dxbc {

/// What the assembler can find fault with: the rows of assembler_messages.def.
enum class Message : std::uint8_t {
#define DXBC_MESSAGE(id, text, severity, summary) id,
#include <unshade/dxbc/assembler_messages.def>
#undef DXBC_MESSAGE
};

/// The rule of a message: `as.invalid-operand`, its severity, what would be right.
const Rule& rule(Message message);
std::span<const Rule> assembler_rules();

struct AssemblerMessage {
  Message message{};
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t column = 0;  ///< from 1, in bytes
  std::string text;          ///< one sentence: what was expected, what was found
};

/// `3:14: error[as.invalid-operand]: text`, without the file's name in front.
std::string to_string(const AssemblerMessage& message);

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
  std::vector<AssemblerMessage> messages;
};

/// A container.
struct Assembly {
  bool ok = false;              ///< no error among the messages; `file` is whole
  std::vector<std::byte> file;  ///< parts in fxc's order, digest set
  std::vector<AssemblerMessage> messages;
};

/// Assembles the program alone; tables above it are comments. Reads on after an error, to tell of all of them.
ProgramAssembly assemble_program(std::string_view text, const AssemblerOptions& options = {});

/// Assembles a container: the program; signatures, resource definitions and class linkage from the tables above it; statistics and
/// feature flags from the program. Source: docs/reference/texts/dxbc.md.
Assembly assemble(std::string_view text, const AssemblerOptions& options = {});

}  // namespace unshade::dxbc
