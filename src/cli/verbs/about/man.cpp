#include "cli/io/io.hpp"
#include "cli/print/help.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::man {

namespace {

Exit run_man(const Args&, Io& io) {
  print::print_man(all(), io.out);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade man | man -l -", "read the manual page"},
    {"unshade man -o unshade.1", "write it to a file"},
};

}  // namespace

const Verb kVerb{
    .name = "man",
    .summary = "print the manual page",
    .description = "Prints unshade(1) in troff's man macros.",
    .operands = {},
    .options = {},
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .run = run_man,
};

}  // namespace unshade::cli::verbs::man
