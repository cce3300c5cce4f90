#include <utility>

#include <unshade/system/process.hpp>
#include <unshade/system/terminal.hpp>

#include "cli/app.hpp"
#include "cli/io/guard.hpp"
#include "cli/picture/terminal.hpp"

int main(int argc, char** argv) {
  using namespace unshade;
  using system::Standard;
  const std::vector<std::string> words = system::begin_process(argc, argv);
  cli::remove_guarded_files_on_interruption();
  cli::FileStream out(system::standard(Standard::out));
  cli::FileStream err(system::standard(Standard::err));
  cli::FileSource in(system::standard(Standard::in));
  cli::Host host{.out = &out, .err = &err, .in = &in};
  host.out_is_terminal = system::is_terminal(Standard::out);
  host.err_is_terminal = system::is_terminal(Standard::err);
  const auto takes_no_sequences = [](bool is_terminal, Standard which) { return is_terminal && !system::takes_sequences(which); };
  host.no_color = !system::environment("NO_COLOR").empty() || system::environment("TERM") == "dumb" ||
                  takes_no_sequences(host.out_is_terminal, Standard::out) || takes_no_sequences(host.err_is_terminal, Standard::err);
  host.has_sixel = cli::print::terminal_has_sixel;
  return static_cast<int>(cli::run(words, host));
}
