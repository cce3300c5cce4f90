#include "cli/manual/help.hpp"

#include <span>

#include <unshade/present/schemas.hpp>

#include "cli/io/io.hpp"
#include "cli/verbs/other_words.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::help {

namespace {

constexpr Option kHelpOptions[] = {kJson};

Exit run_help(const Args& args, Io& io) {
  std::span<const Verb> asked = all();
  if (!args.operands.empty()) {
    const Verb* verb = find(args.operands.front());
    if (verb == nullptr) return io.refuse_usage(no_such_verb(args.operands.front()));
    asked = {verb, 1};
  }
  if (args.has(kJson.name)) {
    Json json(io.out);
    present::begin_document(present::Schema::help, json);
    manual::write_verbs(asked, json);
    present::end_document(json);
  } else if (args.operands.empty()) {
    manual::print_overview(asked, io.out);
  } else {
    manual::print_help(asked.front(), io.out);
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade help dis", "describe the verb dis"},
    {"unshade help --json | jq -r '.verbs[] | select(.group.name == \"find\") | .name'", "print the names of the verbs of a group"},
};

constexpr std::string_view kSession = R"($ unshade help schema | head -n 4
unshade schema [OPTION]... [NAME]

Prints the JSON schema (2020-12) of a verb's --json output, by the verb's name. If the actions of a
verb write several kinds, each has its own name, such as rootsig-attach. Without a name, lists the)";

}  // namespace

const VerbBody kBody{
    .description = "Lists the verbs, grouped by task, or describes the given verb.",
    .operands = {"VERB", Takes::verb, {}, false, false},
    .options = kHelpOptions,
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .session = {{}, kSession},
    .run = run_help,
};

}  // namespace unshade::cli::verbs::help
