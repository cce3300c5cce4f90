// What a terminal says of itself.
#pragma once

#include <string_view>

namespace unshade::cli::print {

/// Whether the answer of a terminal that was asked for its attributes has sixel graphics: `\x1b[?62;4;22c`.
bool has_sixel(std::string_view answer);

/// What asks a terminal for its attributes; its answer ends with `c`.
inline constexpr std::string_view kAttributesRequest = "\x1b[c";

/// Whether the terminal of this process has sixel graphics.
bool terminal_has_sixel();

}  // namespace unshade::cli::print
