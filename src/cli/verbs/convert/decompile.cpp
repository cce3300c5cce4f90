#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/khronos/decompile.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/write/source.hpp>
#include <unshade/write/translate.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/process/khronos.hpp"
#include "cli/verbs/convert/given.hpp"
#include "cli/verbs/convert/verify.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::decompile {

namespace {

constexpr Option kTo{"to", 't', Takes::choice, "LANGUAGE", "glsl|hlsl|msl", "glsl (the default for SPIR-V), hlsl (for others) or msl"};
constexpr Option kVersion{
    "language-version", 0, Takes::text, "N", {}, "460, 450, 330, 310 (GLSL, GLSL ES), 50 (shader model 5.0), 20100 (MSL 2.1)"};
constexpr Option kOpenGl{"opengl", 0, Takes::nothing, {}, {}, "GLSL for OpenGL, without descriptor sets and push constants"};
constexpr Option kEs{"es", 0, Takes::nothing, {}, {}, "GLSL for OpenGL ES; with SPIRV-Cross the default if the source was"};
constexpr Option kNoEs{"no-es", 0, Takes::nothing, {}, {}, "GLSL not for OpenGL ES, even if the source was"};
constexpr Option kFlip{"flip-vert-y", 0, Takes::nothing, {}, {}, "negate the y of positions"};
constexpr Option kClip{
    "fixup-clipspace", 0, Takes::nothing, {}, {}, "convert the depth of positions: GLSL from [0, w] to [-w, w], HLSL and MSL the opposite"};
constexpr Option kFlatten{"flatten-ubo", 0, Takes::nothing, {}, {}, "GLSL: uniform buffers and push constants as arrays of vectors"};
constexpr Option kCompat{"hlsl-enable-compat", 0, Takes::nothing, {}, {}, "HLSL: omit point sizes and point coordinates, which HLSL lacks"};
constexpr Option kEntry{
    "entry", 'e', Takes::text,
    "NAME",  {},  "the entry point of a module with several, or the number of an SHBIN's executable (default: the first)"};
constexpr Option kStage{"stage", 's', Takes::text, "STAGE", {}, "only the module of this stage: vertex, fragment"};
constexpr Option kWith{
    "with", 0, Takes::choice, "WRITER", "ir|spirv-cross", "the writer: ir, unshade's own (the default except for MSL), or spirv-cross"};
constexpr Option kExact{"exact", 0, Takes::nothing, {}, {}, "every operation as the file has it, and arithmetic precise"};
constexpr Option kNative{"native", 0, Takes::nothing, {}, {}, "also intrinsics whose results may differ in the last bits"};
constexpr Option kLines{"lines", 0, Takes::nothing, {}, {}, "before each line the number of the listing's instruction"};
constexpr Option kScore{"score", 0, Takes::nothing, {}, {}, "print measures of the text in its place, and of several together"};
constexpr Option kVerify{"verify", 0,  Takes::nothing,
                         {},       {}, "compile the text, and run it and the shader on the same inputs: exit status 1 if a bit differs"};
constexpr Option kCompiler{"compiler",  0,
                           Takes::text, "PROGRAM",
                           {},          "with --verify, what compiles the text: dxc, fxc or glslangValidator (the default), or its path"};
constexpr Option kRandom{"random", 0, Takes::text, "N", {}, "with --verify, sets of inputs to generate (default: 96)"};
static_assert(suite::kDefaultRandom == 96);
constexpr Option kOptions[] = {
    kTo, kVersion, kWith, kExact, kNative,  kLines,  kScore, kVerify, kCompiler,  kRandom,           kNames, kNamesOut, kLayout, kOpenGl,
    kEs, kNoEs,    kFlip, kClip,  kFlatten, kCompat, kEntry, kStage,  kTimeLimit, write::kOutputDir, kAll,   kJson};

/// Options of one of the two writers.
constexpr const Option* kOfIr[] = {&kExact, &kNative, &kLines, &kScore, &kVerify, &kNames, &kNamesOut, &kLayout};
constexpr const Option* kOfSpirvCross[] = {&kVersion, &kOpenGl, &kEs, &kNoEs, &kFlip, &kClip, &kFlatten, &kCompat};
constexpr const Option* kOfGlsl[] = {&kOpenGl, &kEs, &kNoEs};

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

bool has_modules(const shader::Shader& opened) { return opened.family == shader::Family::spirv || opened.family == shader::Family::vbc; }

const Option* given_of(std::span<const Option* const> options, const Args& args) {
  const auto found = std::ranges::find_if(options, [&](const Option* one) { return args.has(one->name); });
  return found == options.end() ? nullptr : *found;
}

/// What the options ask for; nothing: GLSL of SPIR-V, and HLSL of others.
std::optional<khronos::Language> asked_language(const Args& args) {
  if (args.has(kTo.name)) return khronos::find_language(args.value(kTo.name));
  if (given_of(kOfGlsl, args) != nullptr) return khronos::Language::glsl;
  if (given_of(kOfSpirvCross, args) != nullptr) return khronos::Language::glsl;
  return std::nullopt;
}

/// An option that only SPIRV-Cross has for a language; null: none is given.
const Option* only_of_spirv_cross(khronos::Language language, const Args& args) {
  if (language != khronos::Language::glsl) return given_of(kOfSpirvCross, args);
  return args.has(kFlatten.name) ? &kFlatten : nullptr;
}

khronos::Language language_of(const Args& args, const shader::Shader& opened) {
  const bool is_glsl = unshade::write::usual_language(opened.family) == ShadingLanguage::glsl;
  return asked_language(args).value_or(is_glsl ? khronos::Language::glsl : khronos::Language::hlsl);
}

/// Whether a text is written from the intermediate representation.
bool is_by_ir(const Args& args, khronos::Language language) {
  return language != khronos::Language::msl && args.value(kWith.name) != "spirv-cross" && only_of_spirv_cross(language, args) == nullptr;
}

/// The ending of the file that a text is written to.
std::string text_suffix(const Args& args, const Input& input) {
  if (args.has(kJson.name)) return ".json";
  auto language = asked_language(args);
  if (!language) {
    const auto opened = open_input(input);
    language = opened ? language_of(args, *opened) : khronos::Language::glsl;
  }
  return *language == khronos::Language::msl ? ".metal" : '.' + std::string(khronos::id(*language));
}

/// The text. What is not valid is translated too if that can be done, which a warning says; if it cannot, SPIRV-Cross' message is the
/// error.
std::optional<unshade::write::SourceText> translate(const std::string& name, View module, khronos::DecompileOptions options,
                                                    const ChildLimits& limits, Io& io) {
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
  unshade::write::SourceText made;
  made.text = *std::move(text);
  return made;
}

/// The text with the numbers of instructions before its lines.
std::string with_numbers(const unshade::write::SourceText& source) {
  constexpr std::size_t kWidth = 6;
  Text out;
  std::size_t line = 0;
  for (std::size_t at = 0; at < source.text.size(); ++line) {
    const std::size_t end = std::min(source.text.find('\n', at), source.text.size() - 1);
    const std::uint32_t number = line < source.lines.size() ? source.lines[line].instruction : shader::kNone;
    if (end == at) {
      out << '\n';
      at = end + 1;
      continue;
    }
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

/// Counts, and what is compared between texts.
void print_score(Text& out, const unshade::write::SourceScore& score) {
  constexpr std::size_t kNameWidth = 28;
  for (const unshade::write::ScoreRow& row : unshade::write::kScoreRows) {
    out.left(row.name, kNameWidth);
    out.dec(score.*row.count) << '\n';
  }
  const auto ratio = [&](std::string_view name, std::size_t part, std::size_t whole, std::size_t hundredths) {
    if (whole == 0) return;
    const std::size_t rounded = (part * hundredths * 2 + whole) / (whole * 2);
    out.left(name, kNameWidth);
    out.dec(rounded / 100) << '.' << (rounded % 100 < 10 ? "0" : "");
    out.dec(rounded % 100) << '\n';
  };
  constexpr std::size_t kEach = 100, kPercent = 10'000;
  ratio("temporaries a statement", score.temporaries, score.statements, kEach);
  ratio("casts a hundred statements", score.casts, score.statements, kPercent);
  ratio("percent in vectors", score.vector_components, score.components, kPercent);
  ratio("lines an instruction", score.lines, score.instructions, kEach);
}

/// Prints texts, or adds them to a document.
struct Output {
  Io& io;
  std::optional<Json> json;
  bool scores = false;       ///< measures in the place of text
  bool has_several = false;  ///< files
  bool is_first = true;
  unshade::write::SourceScore all{};

  void add(const std::string& name, std::string_view stage, khronos::Language language, const unshade::write::SourceText& source,
           bool is_one_of_several) {
    if (json) return present::write_source_text(name, stage, khronos::id(language), source, scores, *json);
    Text score;
    if (scores) print_score(score, source.score);
    const std::string& text = scores ? score.str() : source.text;
    for (const unshade::write::ScoreRow& row : unshade::write::kScoreRows) all.*row.count += source.score.*row.count;
    if (is_one_of_several || has_several) {
      io.out.text << (is_first ? "" : "\n") << "// ";
      print_safely(io.out.text, name);
      if (!stage.empty()) io.out.text << ", " << stage;
      io.out.text << '\n';
      is_first = false;
    }
    if (io.to_terminal()) {
      print_safely(io.out.text, text, true);
    } else {
      io.out.text << text;
    }
  }

  /// The measures of all files together.
  void add_up() {
    if (!scores || json || is_first) return;
    io.out.text << "\n// all\n";
    print_score(io.out.text, all);
  }
};

unshade::write::GlslOptions glsl_options(const khronos::DecompileOptions& chosen) {
  using unshade::write::GlslEnvironment;
  unshade::write::GlslOptions options;
  // versions that GLSL ES alone has
  const bool has_es_version = chosen.version == 300 || chosen.version == 310 || chosen.version == 320;
  options.environment = chosen.es.value_or(has_es_version) ? GlslEnvironment::es
                        : chosen.vulkan                    ? GlslEnvironment::vulkan
                                                           : GlslEnvironment::opengl;
  options.version = chosen.version;
  options.flip_y = chosen.flip_vertex_y;
  options.depth_from_minus_w = chosen.fixup_clip_space;
  return options;
}

/// GLSL or HLSL from the intermediate representation. `exit`: what becomes of it, with --verify too.
std::optional<unshade::write::SourceText> write_source(const Args& args, const std::string& name, const shader::Shader& opened,
                                                       const khronos::DecompileOptions& chosen,
                                                       const std::optional<VerifyOptions>& verifying, GivenNames& given, Exit& exit,
                                                       Io& io) {
  exit = Exit::invalid;
  unshade::write::SourceOptions options;
  if (chosen.language == khronos::Language::glsl) {
    options.language = ShadingLanguage::glsl;
    options.glsl = glsl_options(chosen);
  }
  options.entry = args.value(kEntry.name);
  options.setting = args.has(kExact.name)    ? unshade::write::Setting::exact
                    : args.has(kNative.name) ? unshade::write::Setting::native
                                             : unshade::write::Setting::readable;
  if (!given.apply(options, io)) return std::nullopt;
  auto made = unshade::write::to_source(opened, options);
  if (!made) {
    if (given.report(name, made.error(), io)) return std::nullopt;
    io.refuse_file(name, made.error());
    if (has_modules(opened) && made.error().code == ErrorCode::unsupported && has_khronos())
      io.report(name, Severity::note, "spirv-cross", "--with spirv-cross has other limits");
    return std::nullopt;
  }
  exit = verifying ? verify_written({name, opened, options}, *verifying, *made, io) : Exit::ok;
  if (exit == Exit::failed) return std::nullopt;
  given.add(name, *made, io);
  if (args.has(kJson.name)) unshade::write::find_in_listing(opened, *made);
  if (args.has(kLines.name)) made->text = with_numbers(*made);
  return *std::move(made);
}

/// What the options of SPIRV-Cross say; nothing, and a complaint, if they do not fit.
std::optional<khronos::DecompileOptions> spirv_cross_options(const Args& args, khronos::Language language, Io& io) {
  khronos::DecompileOptions options;
  options.language = language;
  for (const LanguageOption& row : kLanguageOptions) {
    if (!args.has(row.option->name) || row.language == language) continue;
    io.refuse_usage("--" + std::string(row.option->name) + " is only valid with --to " + std::string(khronos::id(row.language)));
    return std::nullopt;
  }
  if (args.has(kEs.name) && args.has(kNoEs.name)) {
    io.refuse_usage("--es and --no-es are mutually exclusive");
    return std::nullopt;
  }
  if (args.has(kEs.name)) options.es = true;
  if (args.has(kNoEs.name)) options.es = false;
  options.flip_vertex_y = args.has(kFlip.name);
  options.fixup_clip_space = args.has(kClip.name);
  options.flatten_uniforms = args.has(kFlatten.name);
  options.hlsl_compatibility = args.has(kCompat.name);
  options.vulkan = !args.has(kOpenGl.name);
  if (args.has(kVersion.name)) {
    const auto version = as_number<decltype(options.version)>(args.value(kVersion.name));
    options.version = version.value_or(0);
    if (!version || !khronos::has_version(options)) {
      io.refuse_usage("--language-version must be one of " + khronos::known_versions(language));
      return std::nullopt;
    }
  }
  return options;
}

/// Which of the options exclude each other. False, and a complaint, if some do.
bool check_writers(const Args& args, Io& io) {
  const Option* const of_ir = given_of(kOfIr, args);
  const Option* const of_cross = only_of_spirv_cross(asked_language(args).value_or(khronos::Language::glsl), args);
  const std::string_view with = args.value(kWith.name);
  const auto refuse = [&](const std::string& text) {
    io.refuse_usage(text);
    return false;
  };
  if (args.has(kExact.name) && args.has(kNative.name)) return refuse("--exact and --native are mutually exclusive");
  if (args.value(kTo.name) == "msl" && (with == "ir" || of_ir != nullptr))
    return refuse("--" + std::string(of_ir != nullptr ? of_ir->name : kWith.name) + " is only valid with --to glsl and hlsl");
  if (of_ir != nullptr && (of_cross != nullptr || with == "spirv-cross"))
    return refuse("--" + std::string(of_ir->name) + " is not an option of SPIRV-Cross");
  if (with == "ir" && of_cross != nullptr) return refuse("--" + std::string(of_cross->name) + " is an option of SPIRV-Cross");
  if (has_khronos()) return true;
  constexpr std::string_view kNeeds = " needs SPIRV-Cross, which this command was built without";
  if (args.value(kTo.name) == "msl") return refuse("--to msl" + std::string(kNeeds));
  if (with == "spirv-cross") return refuse("--with spirv-cross" + std::string(kNeeds));
  if (of_cross != nullptr) return refuse("--" + std::string(of_cross->name) + std::string(kNeeds));
  return true;
}

Exit decompile_files(const Args& args, GivenNames& given, Io& io) {
  if (!check_writers(args, io)) return Exit::failed;
  // what the options of SPIRV-Cross say is checked whatever the files are
  auto options = spirv_cross_options(args, asked_language(args).value_or(khronos::Language::glsl), io);
  if (!options) return Exit::failed;
  options->entry_point = args.value(kEntry.name);
  const auto limits = child_limits(args, io);
  if (!limits) return Exit::failed;
  for (const Option* const one : {&kCompiler, &kRandom})
    if (args.has(one->name) && !args.has(kVerify.name))
      return io.refuse_usage("--" + std::string(one->name) + " is only valid with --verify");
  const auto sets = io.count_of(args, kRandom, suite::kDefaultRandom, suite::kMostRandom);
  if (!sets) return Exit::failed;
  std::optional<VerifyOptions> verifying;
  if (args.has(kVerify.name)) verifying = VerifyOptions{args.value(kCompiler.name), static_cast<unsigned>(*sets)};
  Output output{io, std::nullopt, args.has(kScore.name)};
  if (args.has(kJson.name)) print::begin_files(output.json.emplace(io.out), print::Schema::decompile);
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args, exit);
  output.has_several = names.size() > 1;
  const Exit done = for_each_input(names, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const khronos::Language language = language_of(args, *opened);
    options->language = language;
    const bool by_ir = is_by_ir(args, language);
    if (!has_modules(*opened) && by_ir && !args.has(kStage.name)) {
      Exit written = Exit::invalid;
      const auto text = write_source(args, input.name, *opened, *options, verifying, given, written, io);
      if (text) output.add(input.name, "", language, *text, false);
      return written;
    }
    // the modules of the file, or the one that it is translated to
    std::vector<shader::ModuleBytes> modules;
    std::vector<std::byte> translated;
    if (has_modules(*opened)) {
      auto found = shader::modules_of(*opened);
      if (!found) return io.refuse_file(input.name, found.error());
      modules = *std::move(found);
    } else {
      unshade::write::TranslateOptions translating;
      translating.entry = args.value(kEntry.name);
      if (language == khronos::Language::hlsl) {
        translating.spirv.binding = *unshade::write::binding_model("dxc");  // registers stay
        translating.spirv.binding.kinds_overlap = true;
      }
      auto made = unshade::write::to_spirv(*opened, translating);
      if (!made) return io.refuse_file(input.name, made.error());
      translated = std::move(made->bytes);
      modules.push_back({"", View(translated)});
      options->entry_point = {};
    }
    Exit worst = Exit::ok;
    unsigned shown = 0;
    for (const shader::ModuleBytes& module : modules) {
      if (args.has(kStage.name) && module.stage != args.value(kStage.name)) continue;
      ++shown;
      std::optional<unshade::write::SourceText> text;
      Exit written = Exit::ok;
      if (by_ir) {
        const auto own = shader::open(module.bytes);
        if (!own) return io.refuse_file(input.name, own.error());
        text = write_source(args, input.name, *own, *options, verifying, given, written, io);
      } else {
        text = translate(input.name, module.bytes, *options, *limits, io);
      }
      worst = worse(worst, text ? written : worse(written, Exit::invalid));
      if (!text) continue;
      output.add(input.name, module.stage, language, *text, modules.size() > 1);
    }
    if (shown == 0)
      return io.refuse_file(input.name,
                            Error{ErrorCode::missing, 0, "stages", "no module for the stage " + std::string(args.value(kStage.name))});
    return worst;
  });
  output.add_up();
  if (output.json) print::end_files(*output.json, io);
  return worse(exit, done);
}

Exit run_decompile(const Args& args, Io& io) {
  GivenNames given;
  if (!given.read(args, io)) return Exit::failed;
  const auto run = [&](const Args& of, Io& to) { return decompile_files(of, given, to); };
  const Exit exit = !args.has(write::kOutputDir.name)
                        ? run(args, io)
                        : write::run_below_folder(args, io, 0, [&](const Input& input) { return text_suffix(args, input); }, run);
  return worse(exit, given.finish(io));
}

constexpr Example kExamples[] = {
    {"unshade decompile shader.dxbc -o shader.hlsl", "HLSL of a shader of Direct3D or of the PICA200"},
    {"unshade decompile -d hlsl build/shaders", "decompile all shaders of a folder, each to its own file"},
    {"unshade decompile --exact --lines shader.dxil", "each operation as it is, with the numbers of the listing's instructions"},
    {"unshade decompile --verify shader.dxbc", "compile what is written, and check that it computes the same bits"},
    {"unshade decompile --names-out names.toml shader.dxbc -o shader.hlsl", "also list its names, for you to change"},
    {"unshade decompile --names names.toml shader.dxbc -o shader.hlsl", "write it with your names"},
    {"unshade decompile --layout Common.hlsl stripped.dxbc", "constant buffers as an engine's header declares them"},
    {"unshade decompile --to glsl shader.shbin", "GLSL for Vulkan"},
    {"unshade decompile --opengl --language-version 330 shader.dxbc", "GLSL for OpenGL 3.3"},
    {"unshade decompile shader.spv", "GLSL for Vulkan of SPIR-V"},
    {"unshade decompile --with spirv-cross shader.spv", "the same, by SPIRV-Cross"},
    {"unshade decompile --to hlsl --language-version 60 shader.spv", "HLSL for shader model 6.0, by SPIRV-Cross"},
    {"unshade decompile --to msl --stage fragment textured.vbc", "one stage of a VBC, for Metal"},
};

constexpr const SampleFile* kInputs[] = {&samples::kWhite};
constexpr std::string_view kSession = R"($ unshade as white.spvasm -o white.spv
$ unshade decompile white.spv
#version 460

layout(location = 0) out vec4 out_location0;

void main() {
  out_location0 = vec4(1.0);
})";

}  // namespace

const VerbBody kBody{
    .description =
        "Writes source of a shader: GLSL or HLSL of DXBC, DXIL, SHBIN, SPIR-V and each stage of a VBC, from what its operations mean "
        "(docs/howto/decompile.md); MSL, GLSL or HLSL of SPIR-V with SPIRV-Cross, which also takes other shaders as `translate` makes "
        "SPIR-V of them. A module that SPIRV-Tools finds invalid is given to SPIRV-Cross too, with a warning that says why. Of a file with "
        "several modules, each text follows a comment that names its stage.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits =
        "0 success, 1 a file is not a shader, cannot be decompiled to the language, or a new name is taken, 2 usage or I/O error, or a "
        "file of names or declarations is invalid",
    .session = {kInputs, kSession},
    .run = run_decompile,
};

}  // namespace unshade::cli::verbs::decompile
