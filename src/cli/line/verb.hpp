// A row of the table of verbs (cli/verbs/verbs.def): dispatch, help, completions and the manual pages are all made from it.
#pragma once

#include <span>
#include <string_view>

namespace unshade::cli {

class Args;
class Io;

/// Exit status. The worst of several files counts.
enum class Exit : int {
  ok = 0,
  invalid = 1,  ///< a file is invalid, or lacks what was asked for
  failed = 2,   ///< usage or I/O error
};

constexpr Exit worse(Exit a, Exit b) { return a > b ? a : b; }

/// The kind of an option's value or operand, for completions.
enum class Takes : unsigned char { nothing, text, file, folder, choice, verb };

struct Option {
  std::string_view name;  ///< without dashes: `output`
  char letter = 0;        ///< short form, or 0
  Takes takes = Takes::nothing;
  std::string_view value{};    ///< how help names the value: `FILE`
  std::string_view choices{};  ///< for Takes::choice: `auto|always|never`
  std::string_view summary{};
  bool repeats = false;  ///< may be given more than once: Args::values
};

/// What follows the options.
struct Operands {
  std::string_view name{};  ///< `FILE`, or empty if there are none
  Takes takes = Takes::nothing;
  std::string_view choices{};  ///< for Takes::choice; for Takes::file: actions, of which one is before the files
  bool required = true;
  bool many = true;
  std::string_view rest{};  ///< `TEXT`: what those after the first are, if they are something else
};

/// An option that not all actions of a verb have.
struct ActionOption {
  std::string_view option;   ///< its name
  std::string_view actions;  ///< those that have it: `attach|detach`
};

struct Example {
  std::string_view command;
  std::string_view does;
};

/// An input of a worked example.
struct SampleFile {
  std::string_view name;
  std::string_view text;
};

/// A worked example, to be typed as it stands. tests/help_test.py runs it.
struct Session {
  std::span<const SampleFile* const> files{};
  std::string_view commands{};  ///< lines after `$ `, each before the lines that it prints
};

/// What a verb takes and does, as its file says.
struct VerbBody {
  std::string_view description;  ///< paragraphs, a blank line between them
  Operands operands;
  std::span<const Option> options;  ///< besides the common ones
  std::span<const Example> examples;
  std::string_view exits;
  Session session;
  Exit (*run)(const Args& args, Io& io);
  bool fills_folders = false;  ///< -o may name a folder (see names_folder), which run() fills itself
  bool makes_output = false;   ///< -o names a file that run() makes itself
  bool json_lines = false;     ///< with --json each line is an object
  /// For verbs with actions: options that are refused for other actions than these.
  std::span<const ActionOption> action_options{};
};

/// Verbs for one kind of task.
struct VerbGroup {
  std::string_view name;   ///< `read`
  std::string_view title;  ///< as help says it
};

struct Verb {
  std::string_view name;
  std::string_view summary;  ///< one line, lower case
  std::string_view words;    ///< words that are no verbs, but mean this one: `debug=--step|exec`
  const VerbGroup& group;
  const VerbBody& body;
};

inline constexpr Option kOutput{"output", 'o', Takes::file, "FILE", {}, "write to FILE instead of standard output"};
inline constexpr Option kColor{
    "color", 0, Takes::choice, "WHEN", "auto|always|never", "colour: auto (on a terminal, unless NO_COLOR is set), always, never"};
inline constexpr Option kHelp{"help", 'h', Takes::nothing, {}, {}, "show this help"};
inline constexpr Option kCommonOptions[] = {kOutput, kColor, kHelp};

inline constexpr Option kJson{"json", 0, Takes::nothing, {}, {}, "write JSON (its schema: unshade schema)"};
inline constexpr Option kAll{"all", 'a', Takes::nothing, {}, {}, "in folders, also files that are not shaders"};
inline constexpr Option kOptimize{"optimize", 'O',   Takes::choice,
                                  "LEVEL",    "0|1", "0: as lowered, to step through; 1 (the default): all passes"};
inline constexpr Option kFloat24{"float24",
                                 0,
                                 Takes::choice,
                                 "HOW",
                                 "truncate|nearest|f32",
                                 "PICA200: how its 24-bit numbers are rounded; f32: not at all, as some emulators do (default: truncate)"};
inline constexpr Operands kFiles{"FILE", Takes::file};

/// Calls `f(option)` for a verb's own options, then the common ones, of which it may have its own.
template <class F>
void for_each_option(const Verb& verb, F f) {
  for (const Option& option : verb.body.options) f(option);
  for (const Option& option : kCommonOptions) {
    bool is_own = false;
    for (const Option& own : verb.body.options) is_own = is_own || own.name == option.name;
    if (!is_own) f(option);
  }
}

/// Calls `f(choice)` for each of `auto|always|never`.
template <class F>
void for_each_choice(std::string_view choices, F f) {
  while (!choices.empty()) {
    const auto bar = choices.find('|');
    f(choices.substr(0, bar));
    if (bar == std::string_view::npos) break;
    choices.remove_prefix(bar + 1);
  }
}

}  // namespace unshade::cli
