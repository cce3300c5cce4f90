#include "cli/manual/help.hpp"
#include "cli/io/io.hpp"
#include "cli/verbs/other_words.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::help {

namespace {

Exit run_help(const Args& args, Io& io) {
  if (args.operands.empty()) {
    manual::print_overview(all(), io.out);
    return Exit::ok;
  }
  const Verb* verb = find(args.operands.front());
  if (verb == nullptr) return io.refuse_usage(no_such_verb(args.operands.front()));
  manual::print_help(*verb, io.out);
  return Exit::ok;
}

constexpr Example kExamples[] = {{"unshade help dis", "describe the verb dis"}};

}  // namespace

const Verb kVerb{
    .name = "help",
    .summary = "list the verbs, or print the help of one",
    .description = "Lists the verbs or describes the given verb.",
    .operands = {"VERB", Takes::verb, {}, false, false},
    .options = {},
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .run = run_help,
};

}  // namespace unshade::cli::verbs::help
