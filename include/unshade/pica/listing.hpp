// The listing of a SHBIN: text that the assembler makes the same words, descriptors and tables of.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

struct ListingOptions {
  bool offsets = false;  ///< the file offset of each word, as a comment after it
  bool bytes = false;    ///< each word, likewise
  /// The operand descriptors and, of each instruction, the number of its own: the text assembles to the same bytes. Without them it
  /// assembles to the same words but for these numbers; files whose words need the table as it is are listed with it all the same.
  bool descriptors = true;
  bool header = true;              ///< what is before the procedures; without it the text does not assemble
  bool lines = true;               ///< `.loc` if the file has line info
  std::uint64_t file_offset = 0;   ///< of the DVLB in its file
  TextOrigins* origins = nullptr;  ///< gets an entry for each word
};

/// Appends the listing. Source: docs/reference/texts/pica.md
void list_shbin(const Shbin& shbin, Text& out, const ListingOptions& options = {});

/// The same of an object, with its relocations after the code.
void list_object(const Object& object, Text& out, const ListingOptions& options = {});

}  // namespace unshade::pica
