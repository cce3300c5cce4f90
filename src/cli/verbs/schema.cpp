#include <string>

#include "cli/io/io.hpp"
#include "cli/verbs/schemas.hpp"  // made by cmake/schemas.cmake
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::schema {

namespace {

Exit run_schema(const Args& args, Io& io) {
  if (args.operands.empty()) {
    for (const Schema& schema : kSchemas) io.out.text << schema.name << '\n';
    return Exit::ok;
  }
  for (const Schema& schema : kSchemas) {
    if (schema.name != args.operands.front()) continue;
    io.out.text << schema.text;
    return Exit::ok;
  }
  io.report({}, "usage", "no schema '" + args.operands.front() + "'; unshade schema lists them");
  return Exit::failed;
}

constexpr Example kExamples[] = {
    {"unshade schema", "the names of all"},
    {"unshade schema info > info.schema.json", "what unshade info --json writes"},
    {"unshade schema document", "what dump --format json and --yaml write, and build reads"},
};

}  // namespace

const Verb kVerb{
    .name = "schema",
    .summary = "the JSON schema of what a verb writes",
    .description =
        "Prints the JSON schema (2020-12) of what a verb writes with --json, by the verb's name. Where the actions of a verb write several "
        "kinds, each has a name of its own, such as rootsig-attach. Without a name, lists the names.",
    .operands = {"NAME", Takes::choice, kSchemaNames, false, false},
    .options = {},
    .examples = kExamples,
    .exits = "0 fine, 2 usage, or output",
    .run = run_schema,
};

}  // namespace unshade::cli::verbs::schema
