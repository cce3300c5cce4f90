#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/paths.hpp>
#include <unshade/present/sources.hpp>
#include <unshade/shader/source_files.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/editing.hpp"
#include "cli/write/input_files.hpp"
#include "cli/write/made.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::verbs::source {

namespace {

constexpr Option kDir{"output-dir", 'd', Takes::folder, "DIR", {}, "with extract: the folder to write the sources to"};
constexpr Option kCompress{"compress", 'z', Takes::nothing, {}, {}, "with embed: compress the sources, as dxc does if it can"};
constexpr Option kOptions[] = {kDir, kCompress, kJson};
constexpr ActionOption kActionOptions[] = {{kDir.name, "extract"}, {kCompress.name, "embed"}};

void print_sources(const shader::Sources& sources, Io& io) {
  Text& out = io.out.text;
  for (const auto& file : sources.files) {
    out.dec(file.has_text ? file.text.size() : 0, 8);
    print_safely(out << "  ", file.name.empty() ? std::string_view("(no name)") : std::string_view(file.name));
    out << (file.has_text ? "\n" : "  (name alone)\n");
  }
}

/// Calls `body(input, sources, output, inputs)` for each file after the action; `output` is a folder for it below --output-dir, and
/// `inputs` are all files. Files of a folder that hold no sources are left out; if all of them are, that is an error.
template <class Body>
Exit for_each_sources(const Args& args, Io& io, Body body) {
  Exit exit = Exit::ok;
  write::ResultPlaces places(args.value(kDir.name));
  for (const write::ResultPlaces::Operand& operand : places.find(args, 1, io, exit)) {
    places.begin(operand.name);
    std::size_t holding = 0;
    exit = worse(exit, for_each_input(operand.files, io, [&](const Input& input) {
                   const auto opened = open_input(input);
                   if (!opened) return io.refuse_file(input.name, opened.error());
                   const auto sources = shader::sources_of(*opened, unpack::zlib_inflate());
                   if (!sources) {
                     if (places.is_folder() && sources.error().code == ErrorCode::missing) return Exit::ok;
                     return io.refuse_file(input.name, sources.error());
                   }
                   ++holding;
                   std::string output;
                   const std::string fault = args.has(kDir.name) ? places.place(input.name, {}, output) : std::string();
                   if (!fault.empty()) return io.refuse_usage(fault);
                   return body(input, *sources, output, places.inputs());
                 }));
    if (!places.is_folder() || holding != 0 || exit != Exit::ok) continue;
    io.report(operand.name, Error{ErrorCode::missing, 0, {}, "no file in this folder has sources"});
    exit = Exit::invalid;
  }
  return exit;
}

/// Whether the action is about one file that was named.
bool is_one_file(const Args& args) { return args.operands.size() == 2 && !system::is_folder(args.operands[1]); }

Exit list(const Args& args, Io& io) {
  const bool is_one = is_one_file(args);
  if (!args.has(kJson.name))
    return for_each_sources(args, io, [&](const Input& input, const shader::Sources& sources, const auto&...) {
      if (!is_one) print_heading(input.name, io.out);
      print_sources(sources, io);
      return Exit::ok;
    });
  Json json(io.out);
  if (!is_one) print::begin_files(json, print::Schema::sources);
  const Exit exit = for_each_sources(args, io, [&](const Input& input, const shader::Sources& sources, const auto&...) {
    is_one ? print::begin_document(print::Schema::source, json) : json.begin_object();
    present::write_sources(input.name, sources, json);
    is_one ? print::end_document(json) : json.end_object();
    return Exit::ok;
  });
  if (!is_one) print::end_files(json, io);
  return exit;
}

/// Writes the sources of a file below a folder: all of them or none.
Exit write_below(const std::string& folder, const shader::Sources& sources, const write::InputFiles& inputs, Io& io) {
  write::PendingFiles files;
  std::vector<std::string> paths;
  for (const auto& source : sources.files) {
    if (!source.has_text) continue;
    const std::string path = files.free_path(folder, shader::safe_file_name(source.name), {});
    const std::string parent(paths::folder_of(path));
    // A link below the folder might lead out of it.
    const bool is_made = parent.empty() || system::make_folders(parent);
    const std::string real = system::real_path(parent);
    const std::string top = system::real_path(folder);
    if (!is_made || (real != top && !system::is_below(real, top))) {
      io.report(path, "io", "the path is outside the folder");
      return Exit::failed;
    }
    if (!files.add(path, source.text, io)) return Exit::failed;
    paths.push_back(path);
  }
  if (!files.commit(inputs, io)) return Exit::failed;
  for (const std::string& path : paths) {
    print_safely(io.out.text, path);
    io.out.text << '\n';
  }
  return Exit::ok;
}

Exit extract(const Args& args, Io& io) {
  if (write::refuses_json(args, "source extract", io)) return Exit::failed;
  if (!args.has(kDir.name)) return io.refuse_usage("source extract requires a folder (-d DIR)");
  const bool is_one = is_one_file(args);
  return for_each_sources(args, io,
                          [&](const Input&, const shader::Sources& sources, const std::string& output, const write::InputFiles& inputs) {
                            return write_below(is_one ? std::string(args.value(kDir.name)) : output, sources, inputs, io);
                          });
}

Exit embed(const Args& args, const std::vector<std::string>& names, Io& io) {
  std::deque<Input> inputs;
  std::vector<dxil::SourceText> files;
  for (std::size_t i = 2; i < names.size(); ++i) {
    auto input = io.read_bytes(names[i]);
    if (!input) return input.exit;
    inputs.push_back(std::move(*input));
    files.push_back({names[i], inputs.back().view().text()});
  }
  const dxil::Deflate deflate = args.has(kCompress.name) ? unpack::zlib_deflate() : dxil::Deflate{};
  return write::run_edit(args, io, {"source", present::Schema::source_embed}, names[1], [&](const shader::Shader& shader) {
    return shader::embed_sources(shader, files, unpack::zlib_inflate(), deflate);
  });
}

Exit run_source(const Args& args, Io& io) {
  const std::vector<std::string>& names = args.operands;
  if (names.front() == "embed")
    return names.size() > 2 ? embed(args, names, io) : io.refuse_usage("source embed requires a shader and its sources");
  if (names.front() != "list" && names.front() != "extract") return io.refuse_usage("source requires list, extract or embed");
  if (names.size() < 2) return io.refuse_usage("source list and extract require files");
  return names.front() == "list" ? list(args, io) : extract(args, io);
}

constexpr Example kExamples[] = {
    {"unshade source list shader.pdb", "list the sources in a database, with sizes"},
    {"unshade source extract -d sources shader.pdb", "write them to a folder"},
    {"unshade source extract -d sources build/", "write the sources of all shaders in a folder, each to its own folder"},
    {"unshade source embed -z shader.pdb main.hlsl common.hlsli -o new.pdb", "replace the sources"},
    {"unshade source embed shader.spv shader.glsl -o debug.spv", "add a source to a module"},
};

constexpr SampleFile kGlsl{"white.frag", R"(#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
)"};
constexpr const SampleFile* kInputs[] = {&samples::kWhite, &kGlsl};
constexpr std::string_view kSession = R"($ unshade as white.spvasm -o white.spv
$ unshade source embed white.spv white.frag -o debug.spv
$ unshade source list debug.spv
      83  white.frag
$ unshade source extract -d sources debug.spv
sources/white.frag)";

}  // namespace

const VerbBody kBody{
    .description =
        "The source files in a shader's debug information: SRCI and PDBI of DXIL containers and databases, SPDB and SDBG of DXBC, "
        "OpSource and DebugSource of SPIR-V (docs/howto/pdb.md).\n\n"
        "list FILE... prints names and sizes, with --json also the texts and the compiler's arguments. extract FILE... writes them to "
        "a folder (for several files, one folder for each), never outside of it. embed FILE SOURCE... puts sources "
        "into a DXIL container or database, a SPIR-V module or each stage of a VBC, with the names given, instead of the present ones.",
    .operands = {"ACTION FILE", Takes::file, "list|extract|embed"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 the file has no sources or cannot contain any, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_source,
    .action_options = kActionOptions,
};

}  // namespace unshade::cli::verbs::source
