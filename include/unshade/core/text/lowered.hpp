// Texts that are compared whatever the case of their letters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <unshade/core/text/characters.hpp>

namespace unshade {

/// With small ASCII letters for capital ones.
inline std::string lowered(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), lower);
  return made;
}

}  // namespace unshade
