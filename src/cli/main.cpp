#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

#include "cli/app.hpp"
#include "cli/io/guard.hpp"
#include "cli/picture/terminal.hpp"

int main(int argc, char** argv) {
  using namespace unshade::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe ends the work quietly, by the failing write
  remove_guarded_files_on_signals();
  FdStream out(STDOUT_FILENO);
  FdStream err(STDERR_FILENO);
  FdSource in(STDIN_FILENO);
  Host host{.out = &out, .err = &err, .in = &in};
  host.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  host.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  host.no_color = (no_color != nullptr && *no_color != '\0') || (terminal != nullptr && std::string_view(terminal) == "dumb");
  host.has_sixel = print::terminal_has_sixel;
  return static_cast<int>(run({argv + (argc > 0 ? 1 : 0), argv + argc}, host));
}
