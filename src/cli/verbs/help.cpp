#include "cli/print/help.hpp"
#include "cli/io/io.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::help {

namespace {

Exit run_help(const Args& args, Io& io) {
  if (args.operands.empty()) {
    print::print_overview(all(), io.out);
    return Exit::ok;
  }
  const Verb* verb = find(args.operands.front());
  if (verb == nullptr) {
    io.report({}, "usage", "no verb '" + args.operands.front() + "'");
    return Exit::failed;
  }
  print::print_help(*verb, io.out);
  return Exit::ok;
}

constexpr Example kExamples[] = {{"unshade help dis", "all about the listing"}};

}  // namespace

const Verb kVerb{
    .name = "help",
    .summary = "what a verb does, with examples",
    .description = "Tells the verbs or, with a verb's name, all about it.",
    .operands = {"VERB", Takes::verb, {}, false, false},
    .options = {},
    .examples = kExamples,
    .exits = "0 fine, 2 usage, or output",
    .run = run_help,
};

}  // namespace unshade::cli::verbs::help
