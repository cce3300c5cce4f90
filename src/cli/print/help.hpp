// Help, the manual page and completions: all from the table of verbs.
#pragma once

#include <string_view>

#include "cli/print/printer.hpp"
#include "cli/table.hpp"

namespace unshade::cli {

/// The verbs, one line each.
void print_overview(Printer& out);
/// Usage, description, options, examples and exit status of a verb.
void print_help(const Verb& verb, Printer& out);
/// unshade(1) in the man macros of troff.
void print_man(Printer& out);

void print_bash_completions(Printer& out);
void print_zsh_completions(Printer& out);
void print_fish_completions(Printer& out);

}  // namespace unshade::cli
