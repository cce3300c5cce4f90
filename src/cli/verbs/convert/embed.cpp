#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/paths.hpp>
#include <unshade/present/made.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/embed.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::embed {

namespace {

/// The choices are in the order of SourceLanguage, and of SourceType.
constexpr Option kLang{"lang", 'l', Takes::choice, "LANGUAGE", "c|c++|rust", "language of the source: c (the default), c++ or rust"};
constexpr Option kName{"name", 'n', Takes::text,
                       "NAME", {},  "name of the array: g_ENTRY by default, or g_FILE if the entry point is unknown"};
constexpr Option kType{"type",
                       't',
                       Takes::choice,
                       "TYPE",
                       "BYTE|char|uint8_t|DWORD|uint32_t",
                       "type of the elements: BYTE, char (unsigned), uint8_t, DWORD or uint32_t"};
constexpr Option kNoListing{"no-listing", 0, Takes::nothing, {}, {}, "write only the array"};
constexpr Option kOptions[] = {kLang, kName, kType, kNoListing, write::kOutputDir, write::kNoValidate, kAll, kJson};

shader::SourceLanguage language_of(const Args& args) { return static_cast<shader::SourceLanguage>(args.choice(kLang).value_or(0)); }

/// The name of a file without folders and without the text from its first dot on.
std::string stem_of(const Input& input) {
  std::string stem(paths::name_of(input.name));
  const auto dot = stem.find('.');
  if (dot != std::string::npos && dot != 0) stem.resize(dot);
  return stem;
}

/// A name that no array has yet: files of a folder may have one name in two places.
std::string free_name(std::string name, const std::vector<std::string>& taken) {
  const std::string base = name;
  for (std::size_t number = 2; std::ranges::find(taken, name) != taken.end(); ++number) name = base + '_' + std::to_string(number);
  return name;
}

struct Embedded {
  std::string name;
  std::string_view prologue;
};

/// Appends a file's source. Nothing, and a complaint, if it cannot be done.
std::optional<Embedded> embed_one(const Input& input, const Args& args, bool alone, const std::vector<std::string>& taken, Text& text,
                                  Io& io) {
  const auto opened = open_input(input);
  if (!opened) {
    io.report(input.name, opened.error());
    return std::nullopt;
  }
  if (!write::accepts_made(input.view(), input.name, args, io)) return std::nullopt;
  shader::EmbedOptions options;
  options.language = language_of(args);
  const auto type = args.choice(kType);
  options.type = type ? static_cast<shader::SourceType>(*type) : shader::default_source_type(*opened, options.language);
  options.listing = !args.has(kNoListing.name);
  if (args.has(kName.name)) {
    options.name = args.value(kName.name);
  } else if (!input.array.empty()) {
    options.name = input.array;
  } else {
    options.name = alone ? shader::default_array_name(*opened, stem_of(input), options.language)
                         : shader::stem_array_name(stem_of(input), options.language);
  }
  options.name = shader::source_identifier(options.name);
  if (io.was_found(input.name)) {
    const std::string asked = options.name;
    options.name = free_name(asked, taken);
    if (options.name != asked)
      io.report(input.name, Severity::note, "embed", "another file's array is also named " + asked + ": this one is named " + options.name);
  }
  if (const auto done = shader::embed(*opened, options, text); !done) {
    io.report(input.name, done.error());
    return std::nullopt;
  }
  return Embedded{options.name, shader::source_prologue(options.language, *options.type)};
}

/// The ending of the file that one shader becomes.
std::string source_suffix(const Args& args) {
  if (args.has(kJson.name)) return ".json";
  const auto language = language_of(args);
  return language == shader::SourceLanguage::rust ? ".rs" : language == shader::SourceLanguage::cpp ? ".hpp" : ".h";
}

Exit run_embed(const Args& args, Io& io) {
  if (args.has(write::kOutputDir.name)) {
    if (args.has(kName.name)) return io.refuse_usage("--name requires a single file");
    return write::run_below_folder(args, io, 0, [&](const Input&) { return source_suffix(args); }, run_embed);
  }
  Exit exit = Exit::ok;
  const auto names = io.inputs(args, exit);
  if (args.has(kName.name) && names.size() > 1) return io.refuse_usage("--name requires a single file");
  std::optional<Json> json;
  if (args.has(kJson.name)) io.split_product();
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::embed);
  std::vector<std::string> taken;
  std::string_view prologue;
  Text source;
  for (const std::string& name : names) {
    const auto input = io.read(name);
    if (!input) {
      exit = worse(exit, input.exit);
      continue;
    }
    Text text;
    const auto embedded = embed_one(*input, args, names.size() == 1, taken, text, io);
    if (!embedded) {
      exit = worse(exit, Exit::invalid);
      continue;
    }
    if (std::find(taken.begin(), taken.end(), embedded->name) != taken.end()) {
      io.report(input->name, "usage", "another file's array is also named " + embedded->name + ": write separate headers with --name");
      exit = worse(exit, Exit::failed);
      continue;
    }
    taken.push_back(embedded->name);
    if (json) {
      const std::string whole = std::string(embedded->prologue) + (embedded->prologue.empty() ? "" : "\n") + text.str();
      present::write_embedded(input->name, shader::id(shader::identify(input->view())), embedded->name, input->bytes.size, whole, *json);
      if (!io.has_product_file()) continue;
    }
    prologue = std::max(prologue, embedded->prologue);  // there is one at most for a language
    if (taken.size() > 1) source << '\n';
    source << text.view();
  }
  if (json) print::end_files(*json, io);
  if (taken.empty() || (json && !io.has_product_file())) return exit;
  if (!prologue.empty()) io.write_product(std::string(prologue) + '\n');
  if (io.to_terminal() && !json) {
    print_safely(io.out.text, source.view(), true);
  } else {
    io.write_product(source.view());
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade embed shader.cso -o shader.h", "write a header as fxc /Fh or dxc -Fh does"},
    {"unshade embed --name kBlur --lang c++ --no-listing blur.dxil -o blur.hpp", "inline constexpr std::uint8_t kBlur[]"},
    {"unshade embed --lang rust --type uint32_t shader.spv -o shader.rs", "pub static G_MAIN: [u32; N] with the listing above"},
    {"unshade embed vs.cso ps.cso -o shaders.h", "write two arrays, g_vs and g_ps"},
    {"unshade embed -d headers build/shaders", "write a header for each shader of a folder"},
    {"unshade dis shaders.h:g_ps", "read it back: every verb reads such files"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade embed --lang rust --type uint32_t --no-listing orange.cso
pub static G_ORANGE: [u32; 39] = [
  0x43425844, 0xb116d777, 0x565014ed, 0x160c5308, 0x196a01ad, 0x00000001,
  0x0000009c, 0x00000002, 0x00000028, 0x0000005c, 0x4e47534f, 0x0000002c,
  0x00000001, 0x00000008, 0x00000020, 0x00000000, 0x00000000, 0x00000003,
  0x00000000, 0x0000000f, 0x545f5653, 0x65677261, 0xabab0074, 0x58454853,
  0x00000038, 0x00000050, 0x0000000e, 0x03000065, 0x001020f2, 0x00000000,
  0x08000036, 0x001020f2, 0x00000000, 0x00004002, 0x3f800000, 0x3f000000,
  0x00000000, 0x3f800000, 0x0100003e,
];)";

}  // namespace

const VerbBody kBody{
    .description =
        "Writes shaders as arrays to be compiled into a program. In C, DXBC is written exactly as by fxc /Fh and DXIL as by dxc -Fh, "
        "except line ends, which are line feeds. Lines of a listing that would be more than a comment to a compiler are written after "
        "// with their special characters escaped. A file without a program has no listing. A shader that breaks rules of its format "
        "is not embedded, unless --no-validate is given. docs/howto/embed.md describes the details, and how such files are read.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged, breaks rules or does not fit the type, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_embed,
};

}  // namespace unshade::cli::verbs::embed
