// How texts in the assembly languages of the families begin.
#pragma once

#include <span>
#include <string_view>

#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

struct TextRow {
  Family family = Family::unknown;
  /// Whether a line, not blank, is one that texts of the family's language have and those of no other, comments included.
  bool (*begins_text)(std::string_view line) = nullptr;
};

/// In the order in which they are asked.
std::span<const TextRow> texts();
/// The family whose language texts are in that begin like none of these.
inline constexpr Family kFamilyOfOtherTexts = Family::pica;

/// Whether a text begins as one of DXBC: by its profile or fxc's tables.
bool begins_dxbc_text(std::string_view line);

}  // namespace unshade::shader::family
