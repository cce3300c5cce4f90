#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/present/findings.hpp>
#include <unshade/present/sarif.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/shader/validate.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/system/folder.hpp>

#include "cli/io/io.hpp"
#include "cli/io/version.hpp"
#include "cli/print/open_input.hpp"
#include "cli/process/child.hpp"
#ifdef UNSHADE_HAS_KHRONOS
#include "cli/process/khronos.hpp"
#endif
#include "cli/print/files.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::validate {

namespace {

constexpr Option kRules{"rules", 0, Takes::nothing, {}, {}, "list the rules instead of checking files"};
constexpr Option kSarif{"sarif", 0, Takes::nothing, {}, {}, "write SARIF 2.1.0, with locations by byteOffset"};
constexpr Option kQuiet{"quiet", 'q', Takes::nothing, {}, {}, "print only the findings, no verdict per file"};
constexpr Option kTargetEnv{"target-env",
                            0,
                            Takes::text,
                            "NAME",
                            {},
                            "SPIR-V: the target environment, as in spirv-val: spv1.0 to spv1.6, vulkan1.0 to vulkan1.3, "
                            "vulkan1.1spv1.4, opencl1.2 to opencl2.2, opengl4.0 to opengl4.5"};
constexpr Option kScalar{
    "scalar-block-layout", 0, Takes::nothing, {}, {}, "SPIR-V: allow what VK_EXT_scalar_block_layout allows (always for VBC)"};
constexpr Option kNoKhronos{"no-spirv-val", 0, Takes::nothing, {}, {}, "SPIR-V: check only unshade's own rules, not those of SPIRV-Tools"};
constexpr Option kSeverity{
    "severity", 0, Takes::choice, "LEAST", "error|warning|note", "show findings of at least this severity: error, warning or note"};
constexpr Option kWerror{"werror", 0, Takes::nothing, {}, {}, "treat warnings as errors"};
constexpr Option kIgnore{"ignore", 0, Takes::text, "RULE[,RULE]", {}, "omit the findings of these rules", true};
constexpr Option kOptions[] = {kRules,  kQuiet,     kSeverity,  kWerror, kIgnore, kTargetEnv,
                               kScalar, kNoKhronos, kTimeLimit, kJson,   kSarif,  kAll};

/// The page that describes the rules. Set by CMake, which cannot pass a `#`.
constexpr std::string_view kHelp = UNSHADE_HELP_URI;

/// All rules that this command checks by.
std::vector<const Rule*> known_rules() {
  auto rules = shader::all_rules();
#ifdef UNSHADE_HAS_KHRONOS
  const auto more = khronos::validation_rules();
  rules.insert(rules.end(), more.begin(), more.end());
  std::sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
#endif
  return rules;
}

/// Adds what SPIRV-Tools finds in the modules of a file that can be opened.
void ask_khronos([[maybe_unused]] const shader::Shader& shader, [[maybe_unused]] const Args& args,
                 [[maybe_unused]] const ChildLimits& limits, [[maybe_unused]] std::vector<Diagnostic>& findings) {
#ifdef UNSHADE_HAS_KHRONOS
  const auto modules = shader::modules_of(shader);
  if (!modules) return;
  for (const shader::ModuleBytes& module : *modules) {
    khronos::ValidationOptions options;
    options.environment = args.value(kTargetEnv.name, module.environment.empty() ? "spv1.6" : module.environment);
    options.scalar_block_layout = module.has_scalar_blocks || args.has(kScalar.name);
    for (Diagnostic& found : validate_in_child(module.bytes, options, limits)) {
      if (!module.stage.empty()) found.path = std::string(module.stage) + '/' + found.path;
      findings.push_back(std::move(found));
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.offset < b.offset; });
#endif
}

/// The rules that --ignore names; none, and a complaint, if one is unknown.
std::optional<std::set<std::string_view>> ignored_rules(const Args& args, Io& io) {
  std::set<std::string_view> ignored;
  const auto rules = known_rules();
  for (std::string_view list : args.values(kIgnore.name)) {
    while (!list.empty()) {
      const auto comma = list.find(',');
      const std::string_view id = list.substr(0, comma);
      list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
      if (std::ranges::none_of(rules, [&](const Rule* rule) { return rule->id == id; })) {
        Nearest nearest(id);
        for (const Rule* rule : rules) nearest.consider(rule->id);
        io.report({}, "usage",
                  "--ignore: no rule '" + std::string(id) + "'" + nearest.question() + " (unshade validate --rules lists them)");
        return std::nullopt;
      }
      ignored.insert(id);
    }
  }
  return ignored;
}

Exit list_rules(const Args& args, Io& io) {
  const auto rules = known_rules();
  if (!args.has(kJson.name)) {
    present::print_rules(rules, io.out);
    return Exit::ok;
  }
  Json json(io.out);
  present::write_rules(rules, json);
  return Exit::ok;
}

Exit run_validate(const Args& args, Io& io) {
#ifdef UNSHADE_HAS_KHRONOS
  if (args.has(kTargetEnv.name) && !khronos::is_environment(args.value(kTargetEnv.name)))
    return io.refuse_usage(not_a_choice("--target-env", spirv::target_environments("|"), args.value(kTargetEnv.name)));
#endif
  if (args.has(kSarif.name) && (args.has(kJson.name) || args.has(kRules.name)))
    return io.refuse_usage(std::string("--sarif and --") + (args.has(kJson.name) ? "json" : "rules") + " are mutually exclusive");
  if (args.has(kRules.name)) return list_rules(args, io);
  if (args.operands.empty()) return io.refuse_usage("no FILE given (see unshade validate --help)");
  const auto limits = child_limits(args, io);
  if (!limits) return Exit::failed;
  const auto ignored = ignored_rules(args, io);
  if (!ignored) return Exit::failed;
  const Severity fatal = args.has(kWerror.name) ? Severity::warning : Severity::error;
  const std::string_view least = args.value(kSeverity.name, "note");
  // What makes a file invalid is always shown.
  const Severity shown = std::min(fatal, least == "error" ? Severity::error : least == "warning" ? Severity::warning : Severity::note);
  const bool sarif = args.has(kSarif.name);
  std::optional<Json> json;
  if (args.has(kJson.name) && !sarif) print::begin_files(json.emplace(io.out), print::Schema::validate);
  std::vector<present::FileFindings> all;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    auto findings = opened ? shader::validate(*opened).diagnostics() : shader::validate(input.view());
    // what to do with it instead
    if (!opened && !findings.empty() && findings.front().rule->id == "file.family") findings.front().message = opened.error().message;
    if (opened && !args.has(kNoKhronos.name)) ask_khronos(*opened, args, *limits, findings);
    std::erase_if(findings, [&](const Diagnostic& finding) { return ignored->contains(finding.rule->id); });
    const present::Verdict verdict(findings, fatal);
    std::erase_if(findings, [&](const Diagnostic& finding) { return finding.rule->severity < shown; });
    if (sarif) {
      all.push_back({input.name, std::move(findings)});
    } else if (json) {
      present::write_findings(input.name, verdict, findings, *json);
    } else {
      present::print_findings(input.name, findings, io.out);
      if (!args.has(kQuiet.name)) present::print_verdict(input.name, verdict, io.out);
    }
    return verdict.is_valid ? Exit::ok : Exit::invalid;
  });
  if (json) print::end_files(*json, io);
  if (sarif) {
    Json document(io.out);
    present::write_sarif({cli::version(), kHelp, system::whole_path(".")}, all, known_rules(), io.faults(), document);
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade validate shader.cso", "check a file"},
    {"unshade validate -q shaders/", "print only the findings for the shaders in a folder"},
    {"unshade validate -q --severity warning --werror shaders/", "for a build that must not have errors or warnings"},
    {"unshade validate --ignore container.part-unaligned,stat.count shaders/", "omit the findings of two rules"},
    {"unshade validate --rules", "list all rules"},
    {"unshade validate --sarif -o findings.sarif shaders/", "write findings for a code scanning service"},
};

// Not required, as --rules needs none.
constexpr Operands kOptionalFiles{"FILE", Takes::file, {}, false};

constexpr SampleFile kUndeclared{"undeclared.asm", R"(ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, r0.xyzw
ret
)"};
constexpr const SampleFile* kInputs[] = {&kUndeclared};
constexpr std::string_view kSession = R"($ unshade as --no-validate undeclared.asm -o undeclared.cso
$ unshade validate undeclared.cso
undeclared.cso:0x34: error[signature.missing]: SHEX: registers are declared, but the signature part is missing
undeclared.cso:0x4c: error[register.undeclared]: SHEX/instructions[1]/operands[1]: mov: r0 without dcl_temps
undeclared.cso: not valid: 2 errors)";

}  // namespace

const VerbBody kBody{
    .description =
        "Checks structure and meaning: offsets, overlaps, digest, signatures against declarations, registers, operands, control "
        "flow, the rules of the stage, statistics against a recount; a VBC's tables against its SPIR-V. SPIR-V is also checked by "
        "SPIRV-Tools' "
        "validator. Prints a line per finding, with the id of the rule, then "
        "the verdict. Findings are the result of this verb and are written to standard output.",
    .operands = kOptionalFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 no file has errors (warnings are possible), 1 a file is not valid, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_validate,
};

}  // namespace unshade::cli::verbs::validate
