#include <optional>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/shader/validate.hpp>

#include "cli/io.hpp"
#include "cli/print/diagnostics.hpp"
#include "cli/print/files.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr Option kRules{"rules", 0, Takes::nothing, {}, {}, "list the rules instead, with what each asks for"};
constexpr Option kSarif{"sarif", 0, Takes::nothing, {}, {}, "write SARIF 2.1.0, places by byteOffset"};
constexpr Option kQuiet{"quiet", 'q', Takes::nothing, {}, {}, "only the findings, no verdict per file"};
constexpr Option kOptions[] = {kRules, kQuiet, kJson, kSarif, kAll};

Exit list_rules(const Args& args, Io& io) {
  const auto rules = shader::all_rules();
  if (!args.has(kJson.name)) {
    print_rules(rules, io.out);
    return Exit::ok;
  }
  Json json(io.out);
  json.begin_object();
  json.member("schema", "unshade.rules/1");
  json.key("rules");
  json.begin_array();
  for (const Rule* rule : rules) {
    json.begin_object();
    json.member("id", rule->id);
    json.member("severity", id(rule->severity));
    json.member("summary", rule->summary);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.finish();
  return Exit::ok;
}

Exit run_validate(const Args& args, Io& io) {
  if (args.has(kRules.name)) return list_rules(args, io);
  if (args.operands.empty()) {
    io.report({}, "usage", "no FILE given (see unshade validate --help)");
    return Exit::failed;
  }
  const bool sarif = args.has(kSarif.name);
  std::optional<Json> json;
  if (args.has(kJson.name) && !sarif) begin_files(json.emplace(io.out), "unshade.validate/1");
  std::vector<FileFindings> all;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    auto findings = shader::validate(input.view());
    const bool valid = !has_errors(findings);
    if (sarif) {
      all.push_back({input.name, std::move(findings)});
    } else if (json) {
      write_findings(input.name, findings, *json);
    } else {
      print_findings(input.name, findings, io.out);
      if (!args.has(kQuiet.name)) print_verdict(input.name, findings, io.out);
    }
    return valid ? Exit::ok : Exit::invalid;
  });
  if (json) end_files(*json);
  if (sarif) {
    Json document(io.out);
    write_sarif(all, shader::all_rules(), document);
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade validate shader.cso", "check a file"},
    {"unshade validate -q shaders/", "only what is wrong with the shaders in a folder"},
    {"unshade validate --rules", "all rules that are checked"},
    {"unshade validate --sarif -o findings.sarif shaders/", "findings for a code scanning service"},
};

// Not required, as --rules needs none.
constexpr Operands kOptionalFiles{"FILE", Takes::file, {}, false};

}  // namespace

const Verb kValidate{
    .name = "validate",
    .summary = "check files against the rules of their format",
    .description =
        "Checks structure and meaning: offsets, overlaps, digest, signatures against declarations, registers, operands, control "
        "flow, the rules of the stage, statistics against a recount. Prints a line per finding, with the id of the rule, then "
        "the verdict. Findings are the product here, so they go to standard output.",
    .operands = kOptionalFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 no file has errors (warnings may stand), 1 a file is not valid, 2 usage, or input and output",
    .run = run_validate,
};

}  // namespace unshade::cli
