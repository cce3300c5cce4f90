// A VBC as text: directives for its tables, and the assembly text of each stage. The assembler reads it back.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text_origin.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

struct ListingOptions {
  spirv::ListingOptions spirv{.exact = true};  ///< of the stages. Without `exact` and `header` the text assembles to other ids
  bool tables = true;                          ///< without them the text does not assemble
  std::uint16_t stages = 0xffff;               ///< mask of the stages to list
  /// Whether a text assembles to a module, spirv::assembles_to(), which brings the assembler along: stages whose text does not, which takes
  /// words that the grammar does not account for, are listed as bytes. Null: as text all the same.
  bool (*assembles_to)(std::string_view text, View module) = nullptr;
  /// Gets an entry for each instruction, at offsets from the start of the file.
  TextOrigins* origins = nullptr;
};

/// Appends the listing. Source: docs/reference/texts/vbc.md
void list_file(const File& file, Text& out, const ListingOptions& options = {});

/// Assembles what list_file prints. Errors: `offset` is the byte of the text, `path` its `LINE:COLUMN`, both from 1; the message says what
/// was expected. Stops at the first.
Result<File> assemble(std::string_view text);

}  // namespace unshade::vbc
