// The assembler of PICA200 programs: picasso's language, and what docs/reference/texts/pica.md adds to it so that any file can be said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// What the assembler can find fault with: the rows of assembler_messages.def.
enum class MessageKind : std::uint8_t {
#define PICA_MESSAGE(id, text, severity, summary) id,
#include <unshade/pica/assembler_messages.def>
#undef PICA_MESSAGE
};

/// The rule of a message: `as.duplicate-label`, its severity, what would be right.
const Rule& rule(MessageKind message);
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

struct Assembly {
  bool ok = false;               ///< no error among the messages; `shbin` or `object` is whole
  Shbin shbin;                   ///< write_shbin() lays it out as picasso does
  std::optional<Object> object;  ///< in place of `shbin`, if a source says `.object`
  std::string header;            ///< picasso's C header: the registers of uniforms
  std::vector<Message> messages;
};

/// Assembles sources into one program. Each gives an executable, in their order, unless it says `.nodvle`; procedures are known to all.
/// Reads on after an error, to tell of all of them.
Assembly assemble(std::span<const Source> sources, const AssemblerOptions& options = {});

/// The file: write_shbin() or write_object().
std::vector<std::byte> write_assembly(const Assembly& assembly);

}  // namespace unshade::pica
