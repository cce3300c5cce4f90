// Semantics as HLSL and people write them: `TEXCOORD1`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade {

/// A name and, after it, the digits it ends in.
struct SemanticName {
  std::string_view name;
  std::optional<std::uint32_t> index;
  bool is_beyond = false;  ///< the digits are a number that an index cannot hold; they are part of `name`
};

inline SemanticName split_semantic(std::string_view text) {
  std::string_view name = text;
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  if (name.empty() || name.size() == text.size()) return {text, std::nullopt};
  const auto index = as_number<std::uint32_t>(text.substr(name.size()));
  return index ? SemanticName{name, index} : SemanticName{text, std::nullopt, true};
}

/// Whether `wanted` means the semantic of that name and index: a name alone means all indexes. Case does not matter.
inline bool means_semantic(std::string_view wanted, std::string_view name, std::uint32_t index) {
  if (same_letters(wanted, name)) return true;
  const SemanticName split = split_semantic(wanted);
  return split.index == index && same_letters(split.name, name);
}

}  // namespace unshade
