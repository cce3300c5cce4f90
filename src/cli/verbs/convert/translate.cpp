#include <filesystem>
#include <optional>
#include <string>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/write/translate.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::translate {

namespace {

constexpr Option kTo{"to", 't', Takes::choice, "LANGUAGE", "spirv", "spirv (the default)"};
constexpr Option kEntry{
    "entry", 'e', Takes::text,
    "NAME",  {},  "the entry point of a module with several, or the number of an SHBIN's executable (default: the first)"};
constexpr Option kNative{"native", 0,  Takes::nothing,
                         {},       {}, "compute as the target does where SPIR-V leaves results open, such as division by zero"};
constexpr Option kTargetEnv{
    "target-env", 0, Takes::choice, "NAME", "vulkan1.0|vulkan1.1|vulkan1.2|vulkan1.3", "what the module is for (default: vulkan1.3)"};
constexpr Option kShift{
    "shift",  0,  Takes::text,
    "SHIFTS", {}, "what bindings are registers plus, by kind (default: t=0,s=128,b=256,u=384); the set is the register's space"};
constexpr Option kModel{"binding-model",
                        0,
                        Takes::choice,
                        "NAME",
                        "nvrhi|dxc|sdl-gpu|vkd3d",
                        "where resources are bound: nvrhi (the default) and dxc, which differ in --shift, sdl-gpu or vkd3d"};
constexpr Option kHeapSet{"heap-set", 0,  Takes::text,
                          "N",        {}, "the set of descriptor heaps: resources at binding 0, samplers at 1, counters at 2"};
constexpr Option kFirstSet{
    "first-set", 0,
    Takes::text, "N",
    {},          "added to register spaces to make descriptor sets, so that the stages of a pipeline can have different sets (default: 0)"};
constexpr Option kBindings{"bindings", 0, Takes::file, "FILE", {}, "also write where resources are bound, as JSON"};
constexpr Option kFlip{"flip-y", 0,  Takes::nothing,
                       {},       {}, "negate the y of positions, for viewports that do not: of the last stage before the rasterizer"};
constexpr Option kDebugInfo{
    "debug-info",
    'g',
    Takes::choice,
    "WHAT",
    "lines|source|hlsl|glsl",
    "say where instructions come from: lines of the listing (OpLine), or what debuggers step through: its text, or source"};
constexpr Option kOptions[] = {kTo,   kEntry,     kNative,   kTargetEnv,        kModel, kShift, kFirstSet, kHeapSet,
                               kFlip, kDebugInfo, kBindings, write::kOutputDir, kJson};

std::string bindings_text(const std::string& name, const unshade::write::Translation& translation) {
  present::MemoryStream stream;
  Printer printer(stream, false);
  {
    Json json(printer);
    print::begin_files(json, print::Schema::translate);
    present::write_translation(name, translation, false, json);
    present::end_files(json, {});
  }
  printer.flush();
  return stream.text;
}

// Nothing, and a message, if one has no meaning.
std::optional<unshade::write::TranslateOptions> read_options(const Args& args, Io& io) {
  const auto refuse = [&](const std::string& why) {
    io.refuse_usage(why);
    return std::nullopt;
  };
  unshade::write::TranslateOptions options;
  options.entry = args.value(kEntry.name);
  unshade::write::SpirvOptions& how = options.spirv;
  if (args.has(kNative.name)) how.numbers = unshade::write::Numbers::native;
  how.flip_y = args.has(kFlip.name);
  if (args.has(kTargetEnv.name)) how.version = *unshade::spirv::target_version(args.value(kTargetEnv.name));
  if (args.has(kModel.name)) how.binding = *unshade::write::binding_model(args.value(kModel.name));
  if (args.has(kShift.name)) {
    if (how.binding.model != unshade::write::BindingModel::registers) return refuse("--shift is of the binding models nvrhi and dxc");
    const auto shifts = unshade::write::parse_shifts(args.value(kShift.name), how.binding);
    if (!shifts) return refuse("--shift " + std::string(args.value(kShift.name)) + ": " + shifts.error().message);
    how.binding = *shifts;
  }
  if (args.has(kFirstSet.name)) {
    const auto set = as_number<std::uint32_t>(args.value(kFirstSet.name));
    if (!set) return refuse("--first-set must be a number, found " + quoted(args.value(kFirstSet.name)));
    const auto moved = unshade::write::with_first_set(how.binding, *set);
    if (!moved) return refuse("--first-set " + moved.error().message);
    how.binding = *moved;
  }
  if (args.has(kHeapSet.name)) {
    how.binding.heap_set = as_number<std::uint32_t>(args.value(kHeapSet.name));
    if (!how.binding.heap_set) return refuse("--heap-set must be a number, found " + quoted(args.value(kHeapSet.name)));
  }
  if (args.has(kDebugInfo.name)) unshade::write::choose_debug_info(args.value(kDebugInfo.name), options);
  return options;
}

Exit run_translate(const Args& args, Io& io) {
  const bool as_json = args.has(kJson.name);
  if (args.has(write::kOutputDir.name)) {
    if (args.has(kBindings.name)) return io.refuse_usage("--bindings is of one file: --json has those of a folder");
    return write::run_below_folder(args, io, 0, [&](const Input&) { return as_json ? ".json" : ".spv"; }, run_translate);
  }
  if (write::refuses_second_output(args, kBindings, io, args.operands)) return Exit::failed;
  if (!as_json && io.refuses_bytes("translate")) return Exit::failed;
  auto read = read_options(args, io);
  if (!read) return Exit::failed;
  unshade::write::TranslateOptions options = *read;
  if (as_json) io.split_product();
  std::optional<Json> json;
  if (as_json) print::begin_files(json.emplace(io.out), print::Schema::translate);
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args, exit);
  if (names.size() > 1 && (args.has(kBindings.name) || !as_json))
    return io.refuse_usage("translate makes a file of each shader: name one, or --output-dir");
  const Exit done = for_each_input(names, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const std::string file_name = std::filesystem::path(input.name).filename().string();
    if (!file_name.starts_with('<')) options.file_name = file_name;
    const auto made = unshade::write::to_spirv(*opened, options);
    if (!made) return io.refuse_file(input.name, made.error());
    if (json) present::write_translation(input.name, *made, !io.has_product_file(), *json);
    if (!json || io.has_product_file()) io.write_bytes(made->bytes);
    if (!args.has(kBindings.name)) return Exit::ok;
    return io.write_file(std::string(args.value(kBindings.name)), bindings_text(input.name, *made)) ? Exit::ok : Exit::failed;
  });
  if (json) print::end_files(*json, io);
  return worse(exit, done);
}

constexpr Example kExamples[] = {
    {"unshade translate shader.dxbc -o shader.spv", "SPIR-V for Vulkan 1.3"},
    {"unshade translate --shift t=0,s=0,b=0,u=0 --bindings map.json shader.dxil -o shader.spv",
     "bindings that are registers, and where each resource is"},
    {"unshade translate -d spirv build/shaders", "translate all shaders of a folder, each to its own file"},
    {"unshade run --against shader.spv shader.dxbc", "check that both compute the same"},
};

constexpr const SampleFile* kInputs[] = {&samples::kTint};
constexpr std::string_view kSession = R"($ unshade as tint.asm -o tint.dxbc
$ unshade translate tint.dxbc -o tint.spv
$ unshade run --against tint.spv tint.dxbc
96 sets of inputs, 12288 outputs: no difference)";

}  // namespace

const VerbBody kBody{
    .description =
        "Translates a shader to SPIR-V for Vulkan (docs/howto/translate.md). It computes the same bits: --native gives up on "
        "results that SPIR-V leaves open. Names of inputs, outputs, resources and constants are kept. With --json, writes where "
        "resources are bound, and the module in hexadecimal.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader or cannot be translated, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_translate,
};

}  // namespace unshade::cli::verbs::translate
