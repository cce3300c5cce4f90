#include <unshade/shader/edit.hpp>

#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"

namespace unshade::cli::verbs::strip {

namespace {

constexpr Option kDebug{"debug", 0,  Takes::nothing,
                        {},      {}, "debug information: ILDB, SPDB, SDBG, sources; names, lines in SPIR-V; PICA200 line tables, labels"};
constexpr Option kDebugName{"debug-name", 0, Takes::nothing, {}, {}, "ILDN, by which debuggers find the PDB"};
constexpr Option kReflection{"reflection", 0, Takes::nothing, {}, {}, "RDEF, STAT; HLSL semantics and non-semantic instructions in SPIR-V"};
constexpr Option kPrivate{"private", 0, Takes::nothing, {}, {}, "PRIV"};
constexpr Option kRootSignature{"root-signature", 0, Takes::nothing, {}, {}, "RTS0"};
constexpr Option kStatistics{"statistics", 0, Takes::nothing, {}, {}, "STAT of DXBC alone"};
constexpr Option kNames{"names", 0, Takes::nothing, {}, {}, "names by which programs find uniforms: PICA200, VBC"};
constexpr Option kEverything{"everything", 0, Takes::nothing, {}, {}, "all of these"};
constexpr Option kOptions[] = {kDebug,      kDebugName,      kReflection,       kPrivate,     kRootSignature, kStatistics, kNames,
                               kEverything, write::kInPlace, write::kOutputDir, write::kJobs, kAll,           kJson};

Exit run_strip(const Args& args, Io& io) {
  shader::StripOptions options;
  const bool everything = args.has(kEverything.name);
  bool any = everything;
  const auto take = [&](const Option& option, bool& flag) {
    flag = everything || args.has(option.name);
    any = any || flag;
  };
  take(kDebug, options.debug);
  take(kDebugName, options.debug_name);
  take(kReflection, options.reflection);
  take(kPrivate, options.private_data);
  take(kRootSignature, options.root_signature);
  take(kStatistics, options.statistics);
  take(kNames, options.names);
  if (!any) options.debug = options.reflection = options.private_data = true;
  return write::run_edits(args, io, {"strip", "unshade.strip/1"}, [&](View file) { return shader::strip(file, options); });
}

constexpr Example kExamples[] = {
    {"unshade strip shader.cso -o small.cso", "without debug information, reflection and private data"},
    {"unshade strip --debug --in-place build/shaders", "all shaders of a folder, changed where they are"},
    {"unshade strip --everything -d stripped build/shaders", "a copy of the folder with as little in it as shaders need to run"},
    {"unshade strip --json -i *.spv | jq -r '.files[] | select(.changed) | .file'", "names of the files that changed"},
};

}  // namespace

const Verb kVerb{
    .name = "strip",
    .summary = "take out what a shader does not need to run",
    .description =
        "Takes out debug information, reflection and private data, or what the options name, and leaves all else as it is, byte for byte "
        "(docs/howto/strip.md). A file that has nothing of it comes out as it went in. What is taken from DXBC is what D3DStripShader "
        "takes, "
        "from "
        "DXIL what dxc takes with -Qstrip_debug, -Qstrip_reflect and the like, from SPIR-V what spirv-opt takes with --strip-debug and "
        "--strip-reflect.\n\n"
        "One file is written to standard output or -o; several files and folders need --in-place or --output-dir. Where an edit fails, "
        "nothing is written for that file.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine, 1 a file is no shader, is damaged, or has nothing that can be taken out, 2 usage, or input and output",
    .run = run_strip,
};

}  // namespace unshade::cli::verbs::strip
