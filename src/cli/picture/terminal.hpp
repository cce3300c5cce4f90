// What a terminal says of itself.
#pragma once

#include <string>
#include <string_view>

namespace unshade::cli::print {

/// Whether the answer of a terminal that was asked for its attributes has sixel graphics: `\x1b[?62;4;22c`.
bool has_sixel(std::string_view answer);

/// The answer of a terminal, by its file descriptor; empty if it gives none in time, or if this process is not in its foreground.
std::string ask_attributes(int terminal, int milliseconds);

/// Whether the terminal of this process has sixel graphics.
bool terminal_has_sixel();

}  // namespace unshade::cli::print
