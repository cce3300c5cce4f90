#include <string>

#include <unshade/core/spelling.hpp>

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
  Nearest nearest(args.operands.front());
  for (const Schema& schema : kSchemas) nearest.consider(schema.name);
  return io.refuse_usage("no schema '" + args.operands.front() + "'" + nearest.question() + "; unshade schema lists them");
}

constexpr Example kExamples[] = {
    {"unshade schema", "list the names of all schemas"},
    {"unshade schema info > info.schema.json", "write the schema of unshade info --json"},
    {"unshade schema document", "print the schema of documents, which dump --format json and --yaml write and build reads"},
};

constexpr std::string_view kSession = R"($ unshade schema | head -n 3
as
case
decompile
$ unshade schema error | grep title
  "title": "errors of a run that has no other output",)";

}  // namespace

const VerbBody kBody{
    .description =
        "Prints the JSON schema (2020-12) of a verb's --json output, by the verb's name. If the actions of a verb write several "
        "kinds, each has its own name, such as rootsig-attach. Without a name, lists the names.",
    .operands = {"NAME", Takes::choice, kSchemaNames, false, false},
    .options = {},
    .examples = kExamples,
    .exits = "0 success, 2 usage or output error",
    .session = {{}, kSession},
    .run = run_schema,
};

}  // namespace unshade::cli::verbs::schema
