#include <unshade/system/process.hpp>

#include <signal.h>

#include <cstdlib>

namespace unshade::system {

std::vector<std::string> begin_process(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);  // a closed pipe ends the work quietly, by the failing write
  return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string home_folder() { return environment("HOME"); }

}  // namespace unshade::system
