// Runs the command in process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/app.hpp"
#include "cli/io/stream.hpp"

namespace unshade::test {

struct Outcome {
  std::string out;
  std::string err;
  int exit = 0;
};

struct Surroundings {
  std::vector<std::byte> input;  ///< standard input
  bool terminal = false;
  bool no_color = false;
};

inline Outcome run_command(const std::vector<std::string>& words, const Surroundings& around = {}) {
  cli::MemoryStream out;
  cli::MemoryStream err;
  cli::MemorySource in(around.input);
  cli::Host host{&out, &err, &in, around.terminal, around.terminal, around.no_color};
  const auto exit = cli::run(words, host);
  return {out.text, err.text, static_cast<int>(exit)};
}

}  // namespace unshade::test
