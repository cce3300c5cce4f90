// What edits of all formats ask of a new name.
#pragma once

#include <string>
#include <string_view>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>

namespace unshade {

/// What compilers of HLSL call resources and members: `tex`, `tex[1]`, `set.tex`, `sets.0.tex`, their own `$Globals`.
constexpr bool is_dotted_name(std::string_view text) {
  if (text.starts_with('$')) text.remove_prefix(1);
  bool is_first = true;
  for (;;) {
    const std::string_view piece = text.substr(0, text.find('.'));
    bool is_number = !is_first && !piece.empty();
    for (const char c : piece) is_number = is_number && is_digit(c);
    if (!is_number && !is_indexed_identifier(piece)) return false;
    if (piece.size() == text.size()) return true;
    text.remove_prefix(piece.size() + 1);
    is_first = false;
  }
}

/// What renames that contradict each other are told.
inline std::string renamed_twice(std::string_view name, std::string_view to, std::string_view also_to) {
  return quoted(name) + " is renamed twice, to " + quoted(to) + " and to " + quoted(also_to);
}

}  // namespace unshade
