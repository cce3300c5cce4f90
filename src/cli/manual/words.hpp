// What help, manual pages and JSON say alike.
#pragma once

#include <string>
#include <string_view>

#include "cli/line/verb.hpp"

namespace unshade::cli::manual {

inline constexpr std::string_view kTagline = "takes compiled shaders apart";

/// `unshade info [OPTION]... FILE...`
std::string usage_of(const Verb& verb);

/// The description of an option, with its values if the summary does not name them all.
std::string described(const Option& option);

/// What begins the commands of a worked example.
inline constexpr std::string_view kPrompt = "$ ";

/// Calls `f(line)` for each line of a text.
template <class F>
void for_each_line(std::string_view text, F f) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    f(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
}

/// Calls `f(line)` for each line of a worked example: its files as `cat` prints them, then its commands.
template <class F>
void for_each_line(const Session& session, F f) {
  for (const SampleFile* file : session.files) {
    f(std::string(kPrompt) + "cat " + std::string(file->name));
    for_each_line(file->text, f);
  }
  for_each_line(session.commands, f);
}

}  // namespace unshade::cli::manual
