#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/result.hpp>
#include <unshade/core/validated.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/shader/lower.hpp>
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
constexpr Option kOptions[] = {kEntry, kStage, kOptimize, write::kOutputDir};

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

Exit run_ir(const Args& args, Io& io) {
  if (args.has(write::kOutputDir.name)) return write::run_below_folder(args, io, 0, [](const Input&) { return ".ir"; }, run_ir);
  return for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    shader::LowerOptions options;
    options.entry = args.value(kEntry.name);
    auto lowered = shader::lower(*opened, options);
    if (!lowered) return io.refuse_file(input.name, lowered.error());
    Text text;
    const std::string_view stage = args.value(kStage.name);
    if (stage == "lowered") {
      unshade::ir::print(**lowered, text);
    } else {
      auto module = unshade::ir::optimize(*std::move(lowered), args.value(kOptimize.name) == "0" ? 0 : 1);
      if (stage == "slots" || stage == "scheduled") {
        const auto printed = print_programs(module, stage == "slots" ? vm::Listing::slots : vm::Listing::scheduled, text);
        if (!printed) return io.refuse_file(input.name, printed.error());
      } else if (stage != "structured") {
        unshade::ir::print(*module, text);
      } else {
        const auto structured = unshade::ir::structured(std::move(module));
        if (!structured) return io.refuse_file(input.name, structured.error());
        unshade::ir::print(*structured, text);
      }
    }
    print_safely(io.out.text, text.str(), true);
    return Exit::ok;
  });
}

constexpr Example kExamples[] = {
    {"unshade ir shader.dxil", "what the interpreter runs, in its text form"},
    {"unshade ir --stage lowered shader.cso", "what the lowering makes, before any pass"},
    {"unshade ir --stage structured shader.cso", "its control flow as if, loop, switch and break"},
    {"unshade ir --stage scheduled shader.cso", "the steps of the program that the interpreter makes of it"},
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
  %2 = imul i32 %0 %0 !4.5
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
        "`scheduled` has them in steps, which begin with a dash: operations of one kernel, which run together.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader or cannot be lowered, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_ir,
};

}  // namespace unshade::cli::verbs::ir
