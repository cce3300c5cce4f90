// Terminals and consoles.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <unshade/system/file.hpp>

namespace unshade::system {

bool is_terminal(Standard which);

/// Whether a stream that is a terminal takes control sequences (ECMA-48), such as colors. A console of Windows is told to, until the
/// process ends; those before Windows 10 cannot.
bool takes_sequences(Standard which);

/// The columns of the terminal that standard output is.
std::optional<unsigned> terminal_columns();

/// Sends a request to a terminal, and gives what it answers up to the letter `last`; empty if it gives nothing in time, or if this process
/// is not in its foreground.
std::string ask_terminal(File& terminal, std::string_view request, char last, unsigned milliseconds);
/// The same of the terminal that this process was started in, wherever its standard streams go.
std::string ask_terminal(std::string_view request, char last, unsigned milliseconds);

}  // namespace unshade::system
