// Help, the manual pages and completions: all from the table of verbs, `verbs`.
#pragma once

#include <span>
#include <string_view>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli::manual {

/// The verbs, one line each, in their groups.
void print_overview(std::span<const Verb> verbs, Printer& out);
/// Usage, description, options, examples, exit status and worked example of a verb.
void print_help(const Verb& verb, Printer& out);
/// `"verbs": [...]`: all that help says of each.
void write_verbs(std::span<const Verb> verbs, Json& json);
/// unshade(1) in the man macros of troff.
void print_man(std::span<const Verb> verbs, Printer& out);
/// unshade-VERB(1).
void print_man(const Verb& verb, Printer& out);

void print_bash_completions(std::span<const Verb> verbs, Printer& out);
void print_zsh_completions(std::span<const Verb> verbs, Printer& out);
void print_fish_completions(std::span<const Verb> verbs, Printer& out);
/// For PowerShell 5 and later.
void print_powershell_completions(std::span<const Verb> verbs, Printer& out);

}  // namespace unshade::cli::manual
