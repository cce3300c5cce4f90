// The assembly text of a module, as spirv-dis prints it. The assembler reads it back.
#pragma once

#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// The first six are the switches of spirv-dis. Source: docs/reference/formats/spirv.md, "Assembly text"
struct ListingOptions {
  bool friendly_names = true;  ///< --raw-id turns it off: %17 instead of %main
  bool indent = true;          ///< --no-indent: no columns
  bool header = true;          ///< --no-header: no comments with version, generator, bound and schema in front
  bool offsets = false;        ///< --offsets: where each instruction lies, in bytes from the start of the module, as a comment after it
  bool comments = false;       ///< --comment: headings for the sections, and the id after each OpName
  bool color = false;          ///< --color: escape sequences of terminals
  /// Adds what spirv-dis leaves out, as comments if it can be, so that assembling gives the very same bytes: the id after each line
  /// that gives one a name, the byte order, all of the version, words that a number or text would lose bits of.
  bool exact = false;
  TextOrigins* origins = nullptr;  ///< gets an entry for each instruction
};

/// Appends the listing. It is that of spirv-dis for every module which that prints. If it would stop, what is not known is printed as
/// words (`!0x0000270f`): a whole instruction of unknown opcode, with operands missing or too many;
/// otherwise the words from the first unknown one
/// on.
void list_module(const Module& module, Text& out, const ListingOptions& options = {});

/// One instruction, with numeric ids and without columns or line end: `OpStore %7 %12`.
void list_instruction(const Instruction& instruction, const IdTable& ids, Text& out);

}  // namespace unshade::spirv
