#include "cli/verbs/convert/verify.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/program/vocabulary.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/suite/equivalence.hpp>
#include <unshade/write/spirv.hpp>
#include <unshade/write/translate.hpp>

#include "cli/io/io.hpp"
#include "cli/process/compiler.hpp"

namespace unshade::cli::verbs {

namespace {

std::string_view prefix_of(Stage stage) {
  for (std::uint32_t number = 0;; ++number) {
    const auto kind = static_cast<dxil::ShaderKind>(number);
    const std::string_view prefix = dxil::profile_prefix(kind);
    if (prefix.empty() || dxil::stage_of(kind) == stage) return prefix;
  }
}

/// That of the shader, or the least that has the stage: of shaders which are not Direct3D's.
std::string profile_of(const unshade::run::Runnable& original) {
  const shader::Reflection* const reflection = original.reflection();
  if (reflection != nullptr && !reflection->profile.empty()) return reflection->profile;
  const Stage stage = original.module().stage;
  return std::string(prefix_of(stage)) + (stage == Stage::mesh || stage == Stage::amplification ? "_6_5" : "_6_0");
}

Error below(std::string_view side, Error error) {
  error.path = error.path.empty() ? std::string(side) : std::string(side) + '/' + error.path;
  return error;
}

/// Of a compiler, whose place is a line and a column.
Error in_text(Error error) {
  error.path = error.path.empty() ? "text" : "text:" + error.path;
  return error;
}

std::string counted(std::uint64_t number, std::string_view one) {
  return std::to_string(number) + ' ' + std::string(one) + (number == 1 ? "" : "s");
}

/// A text that was written of a shader.
struct Verifiable {
  const shader::Shader& shader;
  const unshade::write::SourceOptions& options;
  std::string_view text;
};

/// In a few words: what was compared, or the first difference.
std::string summary(const suite::Equivalence& found, std::string_view other = "the compiled text") {
  if (!found.mismatches.empty()) return found.mismatches.front();
  if (const auto& first = found.difference) {
    std::string made = first->random ? "random set " + std::to_string(*first->random) + ", " : std::string();
    return made + first->what + " is " + first->values[0] + " in the shader, and " + first->values[1] + " in " + std::string(other);
  }
  if (found.sets == 0) return "no set of inputs was compared";
  std::string made = "same bits on " + counted(found.sets, "set") + " of inputs, " +
                     (found.ways == 0 ? "no branches" : std::to_string(found.taken) + " of " + counted(found.ways, "branch direction"));
  if (found.unfinished != 0) made += "; " + counted(found.unfinished, "set") + " not compared, where the budget of operations ends";
  return made;
}

/// Compiles the text, and compares what both compute. Errors: those of cli::compile(), its place in the text; of preparing and running
/// both, `path` begins with `original` or `compiled`.
Result<suite::Equivalence> verify(const Verifiable& source, const VerifyOptions& options) {
  if (source.options.language == ShadingLanguage::glsl && source.options.glsl.environment != unshade::write::GlslEnvironment::vulkan)
    return Error{ErrorCode::unsupported, 0, "text", "GLSL for OpenGL is not verified: it has no bindings that both would have"};
  shader::LowerOptions lowering;
  lowering.entry = source.options.entry;
  const auto original = unshade::run::prepare(source.shader, lowering);
  if (!original) return below("original", original.error());
  const std::string profile = profile_of(*original);
  WrittenSource written;
  written.language = source.options.language;
  written.stage = original->module().stage;
  written.text = source.text;
  written.profile = profile;
  const bool is_of_vulkan = source.shader.family == shader::Family::spirv || source.shader.family == shader::Family::vbc;
  written.of_direct3d = !is_of_vulkan;
  written.binds_itself = source.options.language == ShadingLanguage::glsl || is_of_vulkan;
  written.program = options.compiler;
  const auto bytes = compile(written);
  if (!bytes) return in_text(bytes.error());
  const auto opened = shader::open(View(*bytes));
  if (!opened) return below("compiled", opened.error());
  const auto compiled = unshade::run::prepare(*opened);
  if (!compiled) return below("compiled", compiled.error());
  suite::EquivalenceOptions comparison;
  comparison.random = options.sets;
  constexpr unshade::write::Binding kShifts;
  comparison.source.emplace();
  if (opened->family == shader::Family::spirv)
    comparison.source = {kShifts.texture_shift, kShifts.sampler_shift, kShifts.cbuffer_shift, kShifts.uav_shift};
  comparison.covers = true;
  const suite::Subject of_shader{"the shader", *original}, of_text{"the text", *compiled};
  if (source.options.language == ShadingLanguage::hlsl || is_of_vulkan) return suite::compare(of_shader, of_text, Value::map(), comparison);
  // GLSL has no semantics: its inputs and outputs are where the shader's SPIR-V has them, which computes what the shader does
  unshade::write::TranslateOptions translation;
  translation.entry = source.options.entry;
  const auto translated = unshade::write::to_spirv(source.shader, translation);
  if (!translated) return below("original", translated.error());
  const auto module = shader::open(View(translated->bytes));
  if (!module) return below("original", module.error());
  const auto between = unshade::run::prepare(*module);
  if (!between) return below("original", between.error());
  const suite::Subject of_module{"the shader's SPIR-V", *between};
  auto first = suite::compare(of_shader, of_module, Value::map(), comparison);
  if (!first) return first;
  if (!first->equal())
    return Error{ErrorCode::unsupported, 0, "original",
                 "the shader's SPIR-V, beside which GLSL runs, computes something else: " + summary(*first, "its SPIR-V")};
  auto second = suite::compare(of_module, of_text, Value::map(), comparison);
  if (second && second->equal()) {
    second->ways = first->ways;
    second->taken = first->taken;
    second->without_data = std::move(first->without_data);
  }
  return second;
}

/// Says what a comparison found: true if all bits are the same.
bool report_verified(const std::string& name, const Result<suite::Equivalence>& found, Io& io) {
  if (!found) {
    io.report(name, found.error());
    return false;
  }
  const bool equal = found->equal();
  io.report(name, equal ? Severity::note : Severity::error,
            equal                       ? "verified"
            : found->mismatches.empty() ? "differs"
                                        : "interface",
            summary(*found));
  for (const std::string& one : found->without_data)
    io.report(name, Severity::warning, "not-compared", one + ": its accesses were not compared");
  return equal;
}

}  // namespace

Exit verify_written(const WrittenShader& shader, const VerifyOptions& how, unshade::write::SourceText& text, Io& io) {
  using unshade::write::Setting;
  unshade::write::SourceOptions options = shader.options;
  auto found = verify({shader.shader, options, text.text}, how);
  if (found && found->difference && options.setting == Setting::readable) {
    options.setting = Setting::exact;
    auto exact = unshade::write::to_source(shader.shader, options);
    if (exact && exact->text != text.text) {
      auto again = verify({shader.shader, options, exact->text}, how);
      if (again && again->equal()) {
        io.report(shader.name, Severity::note, "verified",
                  "written with --exact, since intrinsics give different bits: " + summary(*found));
        text = *std::move(exact);
        found = std::move(again);
      }
    }
  }
  if (found && found->difference && options.setting == Setting::native) {
    options.setting = Setting::readable;
    const auto plain = unshade::write::to_source(shader.shader, options);
    const auto again = plain ? verify({shader.shader, options, plain->text}, how) : Result<suite::Equivalence>(plain.error());
    if (again && again->equal())
      io.report(shader.name, Severity::note, "native",
                "the target's own functions, which --native uses, round differently here; without --native: " + summary(*again));
  }
  if (!found && found.error().code == ErrorCode::missing) return io.report({}, "missing", found.error().message), Exit::failed;
  return report_verified(shader.name, found, io) ? Exit::ok : Exit::invalid;
}

}  // namespace unshade::cli::verbs
