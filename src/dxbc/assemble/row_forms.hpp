// What rows of the tables look like, so that one that stands outside of its table is found even if it has a fault.
#pragma once

#include <cstddef>
#include <string_view>

namespace unshade::dxbc::assembler {

inline constexpr std::size_t kMostNameWords = 8;  ///< of a semantic

// Each: whether a line has the form of such a row, of which one column may have a fault, or a word may be between columns, or any words
// after the last one. The columns must have words, where they can have words or numbers: other lines of numbers are no rows.

/// A row of a signature: TEXCOORD 0 xyzw 1 NONE float xy
bool has_form_of_element(std::string_view line);
/// A row of bindings: tex texture float4 2d t0 1
bool has_form_of_binding(std::string_view line);
/// A name, and so many numbers: a row of the tables of classes.
bool has_form_of_numbers(std::string_view line, std::size_t numbers);

}  // namespace unshade::dxbc::assembler
