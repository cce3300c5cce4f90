// The assembler of PICA200 programs: picasso's language, and what docs/reference/texts/pica.md adds to it so that any file can be said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// What the assembler can find fault with: the rows of assembler_messages.def.
enum class Message : std::uint8_t {
#define PICA_MESSAGE(id, text, severity, summary) id,
#include <unshade/pica/assembler_messages.def>
#undef PICA_MESSAGE
};

/// The rule of a message: `as.duplicate-label`, its severity, what would be right.
const Rule& rule(Message message);
std::span<const Rule> assembler_rules();

struct Source {
  std::string_view name;  ///< for messages
  std::string_view text;  ///< borrowed until assemble() returns
};

struct AssemblerOptions {
  bool padding_nops = true;  ///< false: a warning if picasso would put one
  bool line_info = false;    ///< a line table: source and line of each word. picasso cannot write it
  bool labels = false;       ///< procedures and labels in the label tables. picasso cannot write them
  bool header = false;       ///< Assembly::header
};

struct AssemblerMessage {
  Message message{};
  std::string file;
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t column = 0;  ///< from 1, in bytes; 0 if a whole line or source is meant
  std::string text;          ///< one sentence: what was expected, what was found
};

/// `file:3:14: error[as.invalid-register]: text`
std::string to_string(const AssemblerMessage& message);

struct Assembly {
  bool ok = false;               ///< no error among the messages; `shbin` or `object` is whole
  Shbin shbin;                   ///< write_shbin() lays it out as picasso does
  std::optional<Object> object;  ///< in place of `shbin`, if a source says `.object`
  std::string header;            ///< picasso's C header: the registers of uniforms
  std::vector<AssemblerMessage> messages;
};

/// Assembles sources into one program. Each gives an executable, in their order, unless it says `.nodvle`; procedures are known to all.
/// Reads on after an error, to tell of all of them.
Assembly assemble(std::span<const Source> sources, const AssemblerOptions& options = {});

/// The file: write_shbin() or write_object().
std::vector<std::byte> write_assembly(const Assembly& assembly);

}  // namespace unshade::pica
