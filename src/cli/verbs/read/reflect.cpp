#include <cstddef>
#include <optional>

#include <unshade/core/text.hpp>
#include <unshade/present/reflection.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::reflect {

namespace {

constexpr Option kHlsl{"hlsl", 0, Takes::nothing, {}, {}, "print the declarations as HLSL"};
constexpr Option kOptions[] = {kHlsl, write::kOutputDir, kJson, kAll};

Exit run_reflect(const Args& args, Io& io) {
  const bool as_hlsl = args.has(kHlsl.name);
  if (args.has(write::kOutputDir.name)) {
    const char* const suffix = args.has(kJson.name) ? ".json" : as_hlsl ? ".hlsl" : ".txt";
    return write::run_below_folder(args, io, 0, [&](const Input&) { return suffix; }, run_reflect);
  }
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::reflect);
  Text text;
  std::size_t files = 0;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const auto reflection = shader::reflect(*opened);
    if (!reflection) return io.refuse_file(input.name, reflection.error());
    text.clear();
    if (as_hlsl) {
      shader::print_hlsl(*reflection, text);
    } else if (!json) {
      shader::print_reflection(*reflection, text);
    }
    if (json) {
      present::write_reflection(input.name, *reflection, as_hlsl ? std::optional(text.view()) : std::nullopt, *json);
      return Exit::ok;
    }
    if (++files > 1) io.out.text << '\n';
    if (as_hlsl) {
      print_safely(io.out.text << "// ", input.name);
      io.out.text << '\n';
    } else {
      io.out.paint(Paint::heading);
      print_safely(io.out.text, input.name);
      io.out.paint(Paint::plain) << '\n';
    }
    print_safely(io.out.text, text.view(), true);
    return Exit::ok;
  });
  if (json) print::end_files(*json, io);
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade reflect shader.cso", "print everything as tables"},
    {"unshade reflect --hlsl shader.cso", "print constant buffers, structs, resources and signatures as HLSL"},
    {"unshade reflect --json -d reflected build/shaders", "write a JSON file for each shader in a folder"},
    {"unshade reflect --json shader.cso | jq '.files[0].resources'", "print the resources as JSON"},
};

constexpr const SampleFile* kInputs[] = {&samples::kTint};
constexpr std::string_view kSession = R"($ unshade as tint.asm -o tint.cso
$ unshade reflect tint.cso
tint.cso
profile             ps_5_0
compile flags       no_preshader
feature level       11_0

Outputs
  semantic    register  mask  used  type   system value
  SV_Target0  0         xyzw  xyzw  float  target

Resources
  name      kind     format  dimension  register  count
  Material  cbuffer  -       -          cb0       1

cbuffer Material, 16 bytes
  offset   size  declaration
       0     16  float4 tint)";

}  // namespace

const VerbBody kBody{
    .description =
        "Prints inputs, outputs and patch constants, resources with their bindings, constant buffers with the types of their "
        "members, the properties of the stage, statistics and required features. If the file was stripped of its resource "
        "definitions, they are rebuilt from the declarations as far as possible, and marked as rebuilt.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged or has nothing to reflect, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_reflect,
};

}  // namespace unshade::cli::verbs::reflect
