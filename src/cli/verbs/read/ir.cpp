#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/vm/machine.hpp>
#include <unshade/vm/text.hpp>

#include "cli/io/io.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::ir {

namespace {

constexpr Option kEntry{
    "entry", 'e', Takes::text,
    "NAME",  {},  "the entry point of a module with several, or the number of an SHBIN's executable (default: the first)"};
constexpr Option kStage{"stage",
                        0,
                        Takes::choice,
                        "STAGE",
                        "lowered|optimized|structured|slots|scheduled",
                        "print it before any pass, after those of -O (the default), or with control flow as a tree of statements; or the "
                        "interpreter's program: with slots for values, or in the steps that run"};
/// `promote_variables|fold_constants|...`
constexpr std::string_view kPassNames = std::string_view(
#define UNSHADE_PASS(name, needs, summary) "|" #name
#include <unshade/ir/passes.def>
#undef UNSHADE_PASS
                                            )
                                            .substr(1);
constexpr Option kPass{
    "pass",        'p',
    Takes::choice, "PASS",
    kPassNames,    "run this pass instead of those of -O, and print how much it changed; repeat it for several, which run in this order",
    true};
constexpr Option kOptions[] = {kEntry, kStage, kOptimize, kPass, write::kOutputDir};

// The interpreter's program of each function.
Result<void> print_programs(const Validated<unshade::ir::Module>& module, vm::Listing listing, Text& text) {
  vm::Options options;
  options.wave = std::min(std::max(options.wave, module->modes.wave_min), module->modes.wave_max);
  for (; options.function < module->functions.size(); ++options.function) {
    const auto program = vm::prepare(module, options);
    if (!program) return program.error();
    if (options.function != 0) text << '\n';
    vm::print(*program, listing, text);
  }
  return {};
}

/// Runs passes, each with a comment of how much it changed.
Result<void> run_passes(std::span<const std::string_view> names, unshade::ir::Module& module, Text& text) {
  for (const std::string_view name : names) {
    const unshade::ir::Pass& pass = *std::ranges::find(unshade::ir::all_passes(), name, &unshade::ir::Pass::name);
    if (auto fault = unshade::ir::unfit_for(pass, module)) return *std::move(fault);
    const auto changes = pass.run(module);
    if (!changes) return changes.error();
    text << "; " << name << ": ";
    text.dec(*changes);
    text << (*changes == 1 ? " change\n" : " changes\n");
  }
  return {};
}

Result<Validated<unshade::ir::Module>> lowered_module(const Input& input, const Args& args) {
  const auto opened = open_input(input);
  if (!opened) return opened.error();
  shader::LowerOptions options;
  options.entry = args.value(kEntry.name);
  return shader::lower(*opened, options);
}

/// The module of a shader, or one that was parsed, after the passes of --pass.
Result<Validated<unshade::ir::Module>> module_of(const Input& input, const Args& args, std::optional<unshade::ir::Module> parsed,
                                                 Text& text) {
  const auto names = args.values(kPass.name);
  if (!parsed) {
    auto lowered = lowered_module(input, args);
    if (!lowered || names.empty()) return lowered;
    parsed = **lowered;
  } else if (args.has(kEntry.name)) {
    return Error{ErrorCode::unsupported, 0, "file", "--entry is for shaders: all functions of the text are printed"};
  }
  if (auto done = run_passes(names, *parsed, text); !done) return done.error();
  return unshade::ir::verified(*std::move(parsed));
}

/// The module after the passes of -O, which need one without calls: lowerings leave none.
Result<Validated<unshade::ir::Module>> optimized(Validated<unshade::ir::Module> module, unsigned level, bool is_text) {
  if (is_text) {
    unshade::ir::Module inlined = *module;
    if (const auto calls = unshade::ir::passes::inline_calls(inlined); !calls) return calls.error();
    auto valid = unshade::ir::verified(std::move(inlined));
    if (!valid) return valid;
    module = *std::move(valid);
  }
  return unshade::ir::optimize(std::move(module), level);
}

Result<void> print_stage(Validated<unshade::ir::Module> module, std::string_view stage, Text& text) {
  if (stage == "slots" || stage == "scheduled")
    return print_programs(module, stage == "slots" ? vm::Listing::slots : vm::Listing::scheduled, text);
  if (stage != "structured") {
    unshade::ir::print(*module, text);
    return {};
  }
  const auto structured = unshade::ir::structured(std::move(module));
  if (!structured) return structured.error();
  unshade::ir::print(*structured, text);
  return {};
}

Exit run_ir(const Args& args, Io& io) {
  const std::string_view stage = args.value(kStage.name);
  if (args.has(kPass.name) && (args.has(kOptimize.name) || stage == "lowered"))
    return io.refuse_usage("--pass cannot be used with -O or --stage lowered");
  if (args.has(write::kOutputDir.name)) return write::run_below_folder(args, io, 0, [](const Input&) { return ".ir"; }, run_ir);
  return for_each_input(args, io, [&](const Input& input) {
    const shader::FileKind* const kind = shader::other_kind(input.view());
    const bool is_text = input.name.ends_with(".ir") || (kind != nullptr && kind->use == shader::FileUse::lowered);
    std::optional<unshade::ir::Module> parsed;
    if (is_text) {
      auto read = unshade::ir::parse(input.view().text());
      if (!read) {
        Error error = std::move(read).error();
        error.path.clear();  // the line and column, which report_in() says
        return io.report_in(input, error), Exit::invalid;
      }
      parsed = *std::move(read);
    }
    Text text;
    auto module = module_of(input, args, std::move(parsed), text);
    if (module && !args.has(kPass.name) && stage != "lowered")
      module = optimized(*std::move(module), args.value(kOptimize.name) == "0" ? 0 : 1, is_text);
    if (!module) return io.refuse_file(input.name, module.error());
    if (const auto printed = print_stage(*std::move(module), stage, text); !printed) return io.refuse_file(input.name, printed.error());
    print_safely(io.out.text, text.str(), true);
    return Exit::ok;
  });
}

constexpr Example kExamples[] = {
    {"unshade ir shader.dxil", "what the interpreter runs, in its text form"},
    {"unshade ir --stage lowered shader.cso", "what the lowering makes, before any pass"},
    {"unshade ir --stage structured shader.cso", "its control flow as if, loop, switch and break"},
    {"unshade ir --stage scheduled shader.cso", "the steps of the program that the interpreter makes of it"},
    {"unshade ir --pass fold_constants --pass remove_dead shader.ir", "two passes over a module that was printed, and perhaps changed"},
    {"unshade ir -d lowered build/shaders", "write that of each shader in a folder to its own file"},
    {"unshade ir --entry main_vs library.dxil", "one entry point of several"},
};

constexpr const SampleFile* kInputs[] = {&samples::kSquares};
constexpr std::string_view kSession = R"($ unshade as squares.asm -o squares.cso
$ unshade ir squares.cso
stage compute
info group_size 4 1 1
modes denorm32 flush
resource @u0 uav_structured dimension buffer register 0 stride 4

function @main {
^0:
  %0 = builtin i32 thread_id.x
  %1 = handle @u0 0
  %2 = imul i32 %0 %0 !4.5.x
  buffer_store i32 structured offset %1 %0 0 %2 !5.6
  return
})";

}  // namespace

const VerbBody kBody{
    .description =
        "Lowers a shader of any family to unshade's intermediate representation and prints it: scalar values in SSA form, basic blocks in "
        "the order in which the interpreter runs them.\n\nThe stage `structured` shows each function as a tree: `if`, `loop`, `switch` and "
        "`once`, which breaks leave, hold the blocks. Where a tree needs it, blocks are copied.\n\nThe stages `slots` and `scheduled` show "
        "the interpreter's program for each function: operations, with the slots that hold their operands and results, and what edges copy "
        "into slots. `slots` has the operations in the order of the representation, with its values and the instructions of the file; "
        "`scheduled` has them in steps, which begin with a dash: operations of one kernel, which run together.\n\nFiles may also be "
        "modules "
        "in the text form that this verb prints: those whose names end in .ir, and text that begins with a stage (`stage compute`).",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is neither a shader nor a module, is damaged or cannot be lowered, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_ir,
};

}  // namespace unshade::cli::verbs::ir
