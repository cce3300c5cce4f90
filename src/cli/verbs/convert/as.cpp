#include <algorithm>
#include <charconv>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/other_kind.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/spirv/assembler.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::as {

namespace {

constexpr Option kHeader{"header", 'H', Takes::file, "FILE", {}, "also write a C header with the registers of uniforms"};
constexpr Option kNoNop{"no-nop", 'n', Takes::nothing, {}, {}, "warn instead of inserting the NOPs required at the end of blocks"};
constexpr Option kLineInfo{"line-info", 0,  Takes::nothing,
                           {},          {}, "write line tables, which give the source line of each instruction word"};
constexpr Option kLabels{"labels", 0, Takes::nothing, {}, {}, "write procedures and labels to the label tables"};
constexpr Option kLanguage{"language",
                           'l',
                           Takes::choice,
                           "LANGUAGE",
                           "auto|dxbc|dxil|pica|spirv|vbc",
                           "language of the text: auto (detected), dxbc, dxil, pica, spirv or vbc"};
constexpr Option kPreserveIds{
    "preserve-numeric-ids", 0, Takes::nothing, {}, {}, "SPIR-V: %17 gets the id 17, as after the header of a listing"};
constexpr Option kRenumberIds{
    "renumber-ids", 0, Takes::nothing, {}, {}, "SPIR-V: number ids in the order of their first use, as spirv-as does"};
constexpr Option kTargetEnv{"target-env",
                            0,
                            Takes::text,
                            "NAME",
                            {},
                            "SPIR-V: the version, whatever a comment states: spv1.0 to spv1.6, vulkan1.0 to vulkan1.3, vulkan1.1spv1.4, "
                            "opencl1.2 to opencl2.2, opengl4.0 to opengl4.5"};
constexpr Option kInto{"into",      0,  Takes::file,
                       "CONTAINER", {}, "DXIL: put the program into a copy of this container; dependent parts are regenerated"};
constexpr Option kContainer{"container", 0, Takes::nothing, {}, {}, "DXIL: make a container for the program, with all dependent parts"};
constexpr Option kSpirvOptions[] = {kPreserveIds, kRenumberIds, kTargetEnv};
constexpr Option kOptions[] = {kLanguage,    kInto,      kContainer,         kHeader, kNoNop, kLineInfo, kLabels, kPreserveIds,
                               kRenumberIds, kTargetEnv, write::kNoValidate, kJson};

/// Warnings about what a text states in two places, of which one was edited: all that the program's readers see is the other.
constexpr std::string_view kReportedWarnings[] = {"dxil.resources", "spirv.name-undefined"};

/// Adds the rules that a program breaks, with the line of the text if it is known. False if there are errors.
bool check_made(View program, const Args& args, const std::string& file, std::vector<Message>& messages, write::MadeRules rules = {},
                std::span<const ByteOrigin> origins = {}) {
  if (args.has(write::kNoValidate.name)) return true;
  rules.warnings = kReportedWarnings;
  bool ok = true;
  for (const Diagnostic& d : write::errors_of_made(program, rules)) {
    const ByteOrigin from = origin_at(origins, d.offset);
    messages.push_back(
        {d.rule->severity, d.rule->id, from.line, from.column, d.path.empty() ? d.message : d.path + ": " + d.message, file});
    ok = ok && d.rule->severity != Severity::error;
  }
  if (!ok)
    messages.push_back({Severity::note, "validate", 0, 0, "nothing is written (use --no-validate to write the program anyway)", file});
  return ok;
}

void write_json(std::span<const Message> messages, const present::MadeProgram* program, Io& io) {
  Json json(io.out);
  present::write_assembled(messages, program, json);
}

/// One text, one file: all families but PICA200.
Exit assemble_one(shader::Family language, const Args& args, const Input& input, Io& io) {
  if (args.operands.size() > 1) return io.refuse_usage("this language requires a single text");
  for (const Option& option : {kHeader, kNoNop, kLineInfo, kLabels})
    if (args.has(option.name)) return io.refuse_usage("--" + std::string(option.name) + " is only valid for PICA200 sources");
  if (language != shader::Family::spirv)
    for (const Option& option : kSpirvOptions)
      if (args.has(option.name)) return io.refuse_usage("--" + std::string(option.name) + " is only valid for SPIR-V");
  if (args.has(kPreserveIds.name) && args.has(kRenumberIds.name))
    return io.refuse_usage("--preserve-numeric-ids and --renumber-ids are mutually exclusive");
  shader::AssembleOptions options;
  options.preserve_ids = args.has(kPreserveIds.name);
  options.renumber_ids = args.has(kRenumberIds.name);
  if (args.has(kTargetEnv.name)) {
    options.version = spirv::target_version(args.value(kTargetEnv.name));
    if (!options.version)
      return io.refuse_usage(not_a_choice("--target-env", spirv::target_environments("|"), args.value(kTargetEnv.name)));
  }
  std::optional<Input> container;
  for (const Option& option : {kInto, kContainer}) {
    if (!args.has(option.name) || shader::traits_of(language).assembles_containers) continue;
    return io.refuse_usage("--" + std::string(option.name) + " is only valid for DXIL");
  }
  options.container = args.has(kContainer.name);
  if (args.has(kInto.name)) {
    if (options.container) return io.refuse_usage("--into and --container are mutually exclusive");
    io.edits(std::string(args.value(kInto.name)));
    auto read = io.read(std::string(args.value(kInto.name)));
    if (!read) return read.exit;
    options.into = container.emplace(*std::move(read)).view();
    if (const auto parsed = dxcontainer::parse_container(*options.into); !parsed) return io.refuse_file(container->name, parsed.error());
  }
  auto result = shader::assemble(language, input.view().text(), options);
  for (Message& message : result.messages) message.file = input.name;
  if (result.ok) {
    const View into = container ? container->view() : View();
    const std::span<const View> sources(&into, container ? 1 : 0);
    result.ok = check_made(View(result.file), args, input.name, result.messages, {.sources = sources}, result.origins);
  }
  if (args.has(kJson.name)) {
    const present::MadeProgram program{result.file, shader::id(language)};
    write_json(result.messages, result.ok ? &program : nullptr, io);
  } else {
    io.report(result.messages);
  }
  if (result.ok && (!args.has(kJson.name) || io.has_product_file())) io.write_bytes(result.file);
  return result.ok ? Exit::ok : Exit::invalid;
}

Exit run_as(const Args& args, Io& io) {
  if (args.value(kInto.name) == "-" && std::ranges::find(args.operands, "-") != args.operands.end())
    return io.refuse_usage("standard input (-) can be read only once");
  std::deque<Input> inputs;
  std::vector<pica::Source> sources;
  for (const std::string& name : args.operands) {
    auto input = io.read_text(name);
    if (!input) return input.exit;
    if (!io.accepts_text(*input)) return Exit::invalid;
    inputs.push_back(std::move(*input));
    sources.push_back({inputs.back().name, without_byte_order_mark(inputs.back().view().text())});
  }
  const bool as_json = args.has(kJson.name);
  if (as_json) io.split_product();
  if (!as_json && io.refuses_bytes("as")) return Exit::failed;
  const std::string_view named = args.value(kLanguage.name, "auto");
  const bool is_blank = sources.size() == 1 && sources.front().text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (named == "auto" && is_blank)
    return io.refuse_file(inputs.front().name, Error{ErrorCode::missing, 0, "file", "the text to assemble is empty"});
  shader::Family language = named == "auto" ? shader::language_of(sources.front().text) : shader::family_of(named);
  bool assembles_sources = shader::traits_of(language).assembles_sources;
  // text of another kind: nothing that an assembler would say of its first line helps
  const shader::FileKind* const kind = named == "auto" ? shader::other_kind(inputs.front().view()) : nullptr;
  const auto goes_to_assembler = [](const shader::FileKind& one) {  // which says where it goes wrong
    return one.use == shader::FileUse::assemble || one.use == shader::FileUse::rewrite || one.id == "text";
  };
  if (kind != nullptr && !goes_to_assembler(*kind)) {
    return io.refuse_file(inputs.front().name,
                          Error{ErrorCode::unsupported, 0, "file",
                                "not a listing but " + std::string(kind->name) + advice_on(inputs.front().view(), inputs.front().name)});
  }
  // a text that begins like no language: its fault is told where it is
  const bool has_container = args.has(kInto.name) || args.has(kContainer.name);
  if (named == "auto" && assembles_sources && has_container && !shader::begins_with_directive(sources.front().text)) {
    language = shader::Family::dxil;
    assembles_sources = false;
  }
  if (!assembles_sources) return assemble_one(language, args, inputs.front(), io);
  for (const Option& option : {kInto, kContainer})
    if (args.has(option.name)) return io.refuse_usage("--" + std::string(option.name) + " is only valid for DXIL");
  for (const Option& option : kSpirvOptions)
    if (args.has(option.name)) return io.refuse_usage("--" + std::string(option.name) + " is only valid for SPIR-V");
  if (write::refuses_second_output(args, kHeader, io, args.operands)) return Exit::failed;
  pica::AssemblerOptions options;
  options.padding_nops = !args.has(kNoNop.name);
  options.line_info = args.has(kLineInfo.name);
  options.labels = args.has(kLabels.name);
  options.header = args.has(kHeader.name);
  pica::Assembly assembly = pica::assemble(sources, options);
  const auto bytes = assembly.ok ? pica::write_assembly(assembly) : std::vector<std::byte>{};
  std::vector<Message>& messages = assembly.messages;
  if (!assembly.ok && named == "auto") {
    // which languages there are says more than what is wrong in one of them
    if (auto none = shader::no_language(sources.front().text)) {
      none->file = inputs.front().name;
      messages = {*std::move(none)};
    }
  }
  const bool ok = assembly.ok && check_made(View(bytes), args, inputs.front().name, messages);
  if (as_json) {
    const pica::Shbin shbin = ok && assembly.object ? pica::from_object(*assembly.object) : assembly.shbin;
    const present::MadeProgram program{bytes, {}, &shbin};
    write_json(messages, ok ? &program : nullptr, io);
  } else {
    io.report(messages);
  }
  if (!ok) return Exit::invalid;
  if (!as_json || io.has_product_file()) io.write_bytes(bytes);
  return !options.header || io.write_file(std::string(args.value(kHeader.name)), assembly.header) ? Exit::ok : Exit::failed;
}

constexpr Example kExamples[] = {
    {"unshade as shader.v.pica -o shader.shbin", "assemble one source"},
    {"unshade as skin.v.pica quad.g.pica -o both.shbin -H both.h", "write two executables to one file, and a C header with the uniforms"},
    {"unshade dis --exact shader.spv | unshade as - -o again.spv", "disassemble SPIR-V and assemble it again"},
    {"unshade as shader.ll -o shader.bc", "assemble a DXIL listing to bitcode"},
    {"unshade as --container shader.ll -o shader.dxil", "make a container for it, with signatures"},
    {"unshade dis shader.dxil | unshade as - --into shader.dxil -o same.dxil", "disassemble a DXIL program and assemble it again"},
    {"unshade as --line-info --labels shader.v.pica -o debug.shbin", "with tables for debuggers"},
};

constexpr const SampleFile* kInputs[] = {&samples::kScale};
constexpr std::string_view kSession = R"($ unshade as scale.v.pica -o scale.shbin
$ unshade info scale.shbin
scale.shbin  pica  vs  168 bytes  2 instructions  -  -  DVLP:56 DVLE:100
$ sed 's/mul/mlu/' scale.v.pica | unshade as - -o scale.shbin
<stdin>:5:3: error[as.unknown-statement]: expected an instruction, found `mlu`; did you mean `mul`?)";

}  // namespace

const VerbBody kBody{
    .description =
        "Assembles text in the languages of the listings: fxc's (docs/reference/texts/dxbc.md), dxc's (docs/reference/texts/dxil.md), "
        "picasso's (docs/reference/texts/pica.md), that of spirv-as (docs/reference/formats/spirv.md) and that of VBC files "
        "(docs/reference/texts/vbc.md). The language is detected from the first lines. PICA200 sources in picasso's language are "
        "assembled to one SHBIN file, byte for byte as picasso 2.7.2 writes it. Each source defines an executable, in this order, "
        "unless it contains .nodvle; procedures are shared by all sources. A source with .object defines a DVOJ object. Listings "
        "(unshade dis) are valid sources. With --json, writes the messages on the sources and the program, its bytes in hexadecimal. A "
        "program that breaks rules of its format is not written, unless --no-validate is given.",
    .operands = {"FILE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success (possibly with warnings), 1 a source has errors or the program breaks rules, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_as,
};

}  // namespace unshade::cli::verbs::as
