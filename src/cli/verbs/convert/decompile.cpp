#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/khronos/decompile.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/write/source.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/process/khronos.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::decompile {

namespace {

constexpr Option kTo{"to", 't', Takes::choice, "LANGUAGE", "glsl|hlsl|msl", "glsl (the default), hlsl or msl"};
constexpr Option kVersion{"language-version",
                          0,
                          Takes::text,
                          "N",
                          {},
                          "450 and 310 (GLSL, GLSL ES; by default the source's), 50 (shader model 5.0), 20100 (MSL 2.1)"};
constexpr Option kOpenGl{"opengl", 0, Takes::nothing, {}, {}, "GLSL for OpenGL, without descriptor sets and push constants"};
constexpr Option kEs{"es", 0, Takes::nothing, {}, {}, "GLSL for OpenGL ES; the default if the source was"};
constexpr Option kNoEs{"no-es", 0, Takes::nothing, {}, {}, "GLSL not for OpenGL ES, even if the source was"};
constexpr Option kFlip{"flip-vert-y", 0, Takes::nothing, {}, {}, "negate the y of positions"};
constexpr Option kClip{
    "fixup-clipspace", 0, Takes::nothing, {}, {}, "convert the depth of positions: GLSL from [0, w] to [-w, w], HLSL and MSL the opposite"};
constexpr Option kFlatten{"flatten-ubo", 0, Takes::nothing, {}, {}, "GLSL: uniform buffers and push constants as arrays of vectors"};
constexpr Option kCompat{"hlsl-enable-compat", 0, Takes::nothing, {}, {}, "HLSL: omit point sizes and point coordinates, which HLSL lacks"};
constexpr Option kEntry{"entry", 'e', Takes::text, "NAME", {}, "the entry point of a module with several (default: the first)"};
constexpr Option kStage{"stage", 's', Takes::text, "STAGE", {}, "only the module of this stage: vertex, fragment"};
constexpr Option kWith{
    "with",           0,
    Takes::choice,    "WRITER",
    "ir|spirv-cross", "what writes HLSL: the intermediate representation, as of all but SPIR-V by default, or SPIRV-Cross"};
constexpr Option kExact{"exact", 0, Takes::nothing, {}, {}, "HLSL: no intrinsic in the place of what it is computed by"};
constexpr Option kNative{"native", 0, Takes::nothing, {}, {}, "HLSL: also intrinsics whose results may differ in the last bits"};
constexpr Option kLines{"lines", 0, Takes::nothing, {}, {}, "HLSL: beside each line the number of the listing's instruction"};
constexpr Option kScore{"score", 0, Takes::nothing, {}, {}, "HLSL: measures of the text in its place"};
constexpr Option kOptions[] = {kTo,   kVersion, kWith,    kExact,  kNative, kLines, kScore,     kOpenGl,           kEs,  kNoEs,
                               kFlip, kClip,    kFlatten, kCompat, kEntry,  kStage, kTimeLimit, write::kOutputDir, kAll, kJson};

/// Options that translations to one language have.
struct LanguageOption {
  const Option* option;
  khronos::Language language;
};
constexpr LanguageOption kLanguageOptions[] = {{&kOpenGl, khronos::Language::glsl},
                                               {&kEs, khronos::Language::glsl},
                                               {&kNoEs, khronos::Language::glsl},
                                               {&kFlatten, khronos::Language::glsl},
                                               {&kCompat, khronos::Language::hlsl}};

/// The ending of the file that a text is written to.
std::string text_suffix(const Args& args) {
  if (args.has(kJson.name)) return ".json";
  const auto language = args.value(kTo.name, "glsl");
  return language == "msl" ? ".metal" : '.' + std::string(language);
}

/// The text. What is not valid is translated too if that can be done, which a warning says; if it cannot, SPIRV-Cross' message is the
/// error.
std::optional<std::string> translate(const std::string& name, View module, khronos::DecompileOptions options, const ChildLimits& limits,
                                     Io& io) {
  std::optional<Diagnostic> objection;
  // Without a child, a module that is not valid could end this process.
  if (options.validates = limits.seconds == 0; !options.validates)
    for (Diagnostic& found : validate_in_child(module, khronos::kDecompileValidation, limits))
      if (found.rule->severity == Severity::error && !objection) objection = std::move(found);
  if (objection && objection->rule == &khronos::kLimit) {
    io.report(name, Error{ErrorCode::limit, objection->offset, objection->path, objection->message});
    return std::nullopt;
  }
  auto text = decompile_in_child(module, options, limits);
  if (!text) io.report(name, text.error());
  if (objection) {
    const std::string message = "not valid SPIR-V: " + objection->path + ": " + objection->message;
    io.report(name, text ? Severity::warning : Severity::note, objection->rule->id, message);
  }
  if (!text) return std::nullopt;
  return *std::move(text);
}

/// The text with the numbers of instructions before its lines.
std::string with_numbers(const unshade::write::SourceText& source) {
  constexpr std::size_t kWidth = 6;
  Text out;
  std::size_t line = 0;
  for (std::size_t at = 0; at < source.text.size(); ++line) {
    const std::size_t end = std::min(source.text.find('\n', at), source.text.size() - 1);
    const std::uint32_t number = line < source.instructions.size() ? source.instructions[line] : shader::kNone;
    if (number == shader::kNone) {
      out.repeat(' ', kWidth);
    } else {
      out.dec(number, kWidth);
    }
    out << "  " << std::string_view(source.text).substr(at, end + 1 - at);
    at = end + 1;
  }
  return out.str();
}

void print_score(Text& out, const unshade::write::SourceScore& score) {
  const auto row = [&](std::string_view name, std::size_t value) {
    out.left(name, 20);
    out.dec(value) << '\n';
  };
  row("instructions", score.instructions);
  row("lines", score.lines);
  row("statements", score.statements);
  row("temporaries", score.temporaries);
  row("casts", score.casts);
  row("components", score.components);
  row("in vectors", score.vector_components);
  row("loops", score.loops);
  row("one-round loops", score.once);
}

/// HLSL from the intermediate representation.
Exit write_source(const Args& args, const Input& input, const shader::Shader& opened, std::optional<Json>& json, Io& io) {
  unshade::write::SourceOptions options;
  options.entry = args.value(kEntry.name);
  options.setting = args.has(kExact.name)    ? unshade::write::Setting::exact
                    : args.has(kNative.name) ? unshade::write::Setting::native
                                             : unshade::write::Setting::readable;
  const auto made = unshade::write::to_source(opened, options);
  if (!made) return io.refuse_file(input.name, made.error());
  if (json) {
    present::write_translated(input.name, "", "hlsl", made->text, *json);
  } else if (args.has(kScore.name)) {
    print_score(io.out.text, made->score);
  } else {
    const std::string text = args.has(kLines.name) ? with_numbers(*made) : made->text;
    if (io.to_terminal()) {
      print_safely(io.out.text, text, true);
    } else {
      io.out.text << text;
    }
  }
  return Exit::ok;
}

Exit run_decompile(const Args& args, Io& io) {
  if (args.has(write::kOutputDir.name))
    return write::run_below_folder(args, io, 0, [&](const Input&) { return text_suffix(args); }, run_decompile);
  khronos::DecompileOptions options;
  options.language = *khronos::find_language(args.value(kTo.name, "glsl"));
  for (const LanguageOption& row : kLanguageOptions)
    if (args.has(row.option->name) && row.language != options.language)
      return io.refuse_usage("--" + std::string(row.option->name) + " is only valid with --to " + std::string(khronos::id(row.language)));
  if (args.has(kEs.name) && args.has(kNoEs.name)) return io.refuse_usage("--es and --no-es are mutually exclusive");
  if (args.has(kEs.name)) options.es = true;
  if (args.has(kNoEs.name)) options.es = false;
  options.flip_vertex_y = args.has(kFlip.name);
  options.fixup_clip_space = args.has(kClip.name);
  options.flatten_uniforms = args.has(kFlatten.name);
  options.hlsl_compatibility = args.has(kCompat.name);
  options.vulkan = !args.has(kOpenGl.name);
  options.entry_point = args.value(kEntry.name);
  if (args.has(kVersion.name)) {
    const auto version = as_number<decltype(options.version)>(args.value(kVersion.name));
    options.version = version.value_or(0);
    if (!version || !khronos::has_version(options))
      return io.refuse_usage("--language-version must be one of " + khronos::known_versions(options.language));
  }
  const auto limits = child_limits(args, io);
  if (!limits) return Exit::failed;
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::decompile);
  bool first = true;
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args, exit);
  const Exit done = for_each_input(names, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const std::string_view with = args.value(kWith.name);
    const bool has_modules = opened->family == shader::Family::spirv || opened->family == shader::Family::vbc;
    if (options.language == khronos::Language::hlsl && (with == "ir" || (with.empty() && !has_modules)))
      return write_source(args, input, *opened, json, io);
    const auto modules = shader::modules_of(*opened);
    if (!modules) return io.refuse_file(input.name, modules.error());
    Exit worst = Exit::ok;
    unsigned shown = 0;
    for (const shader::ModuleBytes& module : *modules) {
      if (args.has(kStage.name) && module.stage != args.value(kStage.name)) continue;
      ++shown;
      const auto text = translate(input.name, module.bytes, options, *limits, io);
      if (!text) {
        worst = Exit::invalid;
        continue;
      }
      if (json) {
        present::write_translated(input.name, module.stage, khronos::id(options.language), *text, *json);
        continue;
      }
      if (modules->size() > 1 || names.size() > 1) {
        io.out.text << (first ? "" : "\n") << "// ";
        print_safely(io.out.text, input.name);
        if (!module.stage.empty()) io.out.text << ", " << module.stage;
        io.out.text << '\n';
        first = false;
      }
      if (io.to_terminal()) {
        print_safely(io.out.text, *text, true);
      } else {
        io.out.text << *text;
      }
    }
    if (shown == 0)
      return io.refuse_file(input.name,
                            Error{ErrorCode::missing, 0, "stages", "no module for the stage " + std::string(args.value(kStage.name))});
    return worst;
  });
  if (json) print::end_files(*json, io);
  return worse(exit, done);
}

constexpr Example kExamples[] = {
    {"unshade decompile shader.spv", "GLSL for Vulkan"},
    {"unshade decompile --to hlsl --language-version 60 shader.spv", "HLSL for shader model 6.0"},
    {"unshade decompile --to hlsl -d hlsl build/shaders", "translate all SPIR-V of a folder, each to its own file"},
    {"unshade decompile --to msl --stage fragment textured.vbc", "one stage of a VBC, for Metal"},
};

constexpr const SampleFile* kInputs[] = {&samples::kWhite};
constexpr std::string_view kSession = R"($ unshade as white.spvasm -o white.spv
$ unshade decompile white.spv
#version 450

layout(location = 0) out vec4 _2;

void main()
{
    _2 = vec4(1.0);
})";

}  // namespace

const VerbBody kBody{
    .description =
        "Translates SPIR-V, or each stage of a VBC, to GLSL, HLSL or MSL with SPIRV-Cross. Of a module that SPIRV-Tools finds not valid, a "
        "warning says why. For a file "
        "with several modules, each text follows a comment with its stage.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, has no SPIR-V or cannot be translated, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_decompile,
};

}  // namespace unshade::cli::verbs::decompile
