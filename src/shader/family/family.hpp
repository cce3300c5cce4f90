// The families of shader binaries: how each is recognised and opened. What can be done with an opened file is in tables of their own, one
// for each capability (src/shader/capability), so that a program which opens files links nothing else.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>

namespace unshade::shader::family {

struct FamilyRow {
  Family family = Family::unknown;
  std::string_view id = "unknown";
  FamilyTraits traits{};
  /// Arrays of source text: what C calls an element, and whether files are made of words of 32 bits, which arrays then hold.
  SourceType element = SourceType::unsigned_char;
  bool is_words = false;
  bool blank_line_after_listing = false;  ///< in arrays of C, as the family's compiler writes them
  bool parts_are_code = false;            ///< what a summary lists as parts are stages, or code with what it needs
  /// Whether `shader.file` is this family's; reads no further than it must to know. What it has read by then it leaves in `shader`.
  bool (*claims)(Shader& shader) = nullptr;
  /// Checks the file, which the family claims, and fills what is not yet in `shader`.
  Result<void> (*open)(Shader& shader) = nullptr;
};

/// The rows, in the order in which they are asked whether they claim a file.
std::span<const FamilyRow> families();
/// The row of a family; that of `unknown` has no functions.
const FamilyRow& row_of(Family family);
inline const FamilyRow& row_of(const Shader& shader) { return row_of(shader.family); }
/// The file with its family, if one claims it, and with what that took to read.
Shader claim(View file);

/// Of a table that has a row for each family with a capability: the row of a family, or one without functions.
template <class Row, std::size_t kRows>
const Row& find_row(const Row (&rows)[kRows], Family family) {
  static constexpr Row kNone{};
  for (const Row& row : rows)
    if (row.family == family) return row;
  return kNone;
}

}  // namespace unshade::shader::family
