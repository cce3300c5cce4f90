#include <unshade/shader/edit.hpp>

#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"

namespace unshade::cli::verbs::strip {

namespace {

constexpr Option kDebug{"debug", 0,  Takes::nothing,
                        {},      {}, "debug information: ILDB, SPDB, SDBG, sources; names, lines in SPIR-V; PICA200 line tables, labels"};
constexpr Option kDebugName{"debug-name", 0, Takes::nothing, {}, {}, "ILDN, with which debuggers find the PDB"};
constexpr Option kReflection{"reflection", 0, Takes::nothing, {}, {}, "RDEF, STAT; HLSL semantics and non-semantic instructions in SPIR-V"};
constexpr Option kPrivate{"private", 0, Takes::nothing, {}, {}, "PRIV"};
constexpr Option kRootSignature{"root-signature", 0, Takes::nothing, {}, {}, "RTS0"};
constexpr Option kStatistics{"statistics", 0, Takes::nothing, {}, {}, "only STAT of DXBC"};
constexpr Option kNames{"names", 0, Takes::nothing, {}, {}, "names with which programs find uniforms: PICA200, VBC"};
constexpr Option kEverything{"everything", 0, Takes::nothing, {}, {}, "all of these"};
constexpr Option kOptions[] = {kDebug,      kDebugName,      kReflection,       kPrivate,     kRootSignature, kStatistics, kNames,
                               kEverything, write::kInPlace, write::kOutputDir, write::kJobs, kAll,           kJson};

Exit run_strip(const Args& args, Io& io) {
  Strip options;
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
  return write::run_edits(args, io, {"strip", present::Schema::strip},
                          [&](const shader::Shader& shader) { return shader::strip(shader, options); });
}

constexpr Example kExamples[] = {
    {"unshade strip shader.cso -o small.cso", "remove debug information, reflection and private data"},
    {"unshade strip --debug --in-place build/shaders", "strip all shaders of a folder in place"},
    {"unshade strip --everything -d stripped build/shaders", "write a copy of the folder with only what shaders need to run"},
    {"unshade strip --json -i *.spv | jq -r '.files[] | select(.changed) | .file'", "print the names of changed files"},
};

constexpr const SampleFile* kInputs[] = {&samples::kTint};
constexpr std::string_view kSession = R"($ unshade as tint.asm -o tint.cso
$ unshade strip tint.cso -o small.cso
$ unshade info tint.cso small.cso
tint.cso   dxbc  ps_5_0  396 bytes  2 instructions  digest valid  -  RDEF:220 OSGN:44 SHEX:64
small.cso  dxbc  ps_5_0  164 bytes  2 instructions  digest valid  -  OSGN:44 SHEX:64)";

}  // namespace

const VerbBody kBody{
    .description =
        "Removes debug information, reflection and private data, or what the options select, and preserves everything else byte for "
        "byte (docs/howto/strip.md). A file without any of it is unchanged. DXBC is stripped as by D3DStripShader, DXIL as by dxc "
        "with -Qstrip_debug, -Qstrip_reflect and similar, SPIR-V as by spirv-opt with --strip-debug and --strip-reflect.\n\n"
        "One file is written to standard output or -o; several files and folders require --in-place or --output-dir. If an edit fails, "
        "nothing is written for that file.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged or cannot be stripped, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_strip,
};

}  // namespace unshade::cli::verbs::strip
