// This process: how it begins, and what its environment says.
#pragma once

#include <string>
#include <vector>

namespace unshade::system {

/// To be called first in main(): the words of the command line after the program's name, in UTF-8. From here on writing to a pipe that
/// nobody reads is a fault like any other.
std::vector<std::string> begin_process(int argc, char** argv);

/// The value of a variable; empty if it is not set.
std::string environment(const char* name);

/// The folder of this user; empty if it is not known. On Windows HOME, which git sets, or USERPROFILE.
std::string home_folder();

}  // namespace unshade::system
