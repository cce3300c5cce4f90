// Whose assembly language a text of the PICA200 is in: picasso's, which assemble() takes, or that of another tool.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace unshade::pica {

/// The language of another tool, by a line that picasso's language does not have.
struct Dialect {
  std::string_view tool;  ///< `nihstro` or `aemstro`
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view sign;    ///< the text there
  bool is_certain = false;  ///< no other text looks so; else it is certain only of a text that should be a program of the PICA200
};

/// The language of a text that picasso's assembler would refuse; nothing if no line is a sign of one.
std::optional<Dialect> dialect_of(std::string_view text);

/// A text of which most lines are no statements of any tool's language for the PICA200, and the first is no directive: prose.
struct NoProgram {
  std::uint32_t statements = 0;  ///< lines that are not blank and no comments
  std::uint32_t unknown = 0;     ///< those that begin with no label, directive or instruction
  std::uint32_t line = 0;        ///< of the first one
  std::uint32_t column = 0;
  std::string_view word;  ///< with which it begins
};
/// Nothing for other texts.
std::optional<NoProgram> no_program_in(std::string_view text);

/// Whether a word is a directive of picasso's language, or one that docs/reference/texts/pica.md adds to it: `.proc`.
bool is_directive(std::string_view word);

}  // namespace unshade::pica
