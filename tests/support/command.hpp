// Runs the command in process.
#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// Words of a command; 'between quotes' blanks stay.
inline std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool open = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (quoted && !open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

inline Outcome run_command(const std::vector<std::string>& words, const Surroundings& around = {}) {
  cli::MemoryStream out;
  cli::MemoryStream err;
  cli::MemorySource in(around.input);
  cli::Host host{&out, &err, &in, around.terminal, around.terminal, around.no_color};
  const auto exit = cli::run(words, host);
  return {out.text, err.text, static_cast<int>(exit)};
}

}  // namespace unshade::test
