// One text of all arguments, as Windows starts programs with.
#pragma once

#include <span>
#include <string>

namespace unshade::system {

/// Words as CommandLineToArgvW() and the C runtime take them apart again. The first one is the program, which has no `"`.
/// src: learn.microsoft.com, "Parsing C command-line arguments"
std::string command_line(std::span<const std::string> words);

}  // namespace unshade::system
