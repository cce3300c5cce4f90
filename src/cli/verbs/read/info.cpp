#include <optional>
#include <utility>
#include <vector>

#include <unshade/present/summary.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::info {

namespace {

Exit run_info(const Args& args, Io& io) {
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::info);
  std::vector<present::SummaryRow> rows;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    // A family that this version names but does not read is a line all the same; so is, with --all, what is no shader.
    const auto family = shader::identify(input.view());
    const bool is_size_known = !input.is_head || input.file_bytes;
    const bool named = opened || opened.error().code == ErrorCode::unsupported ||
                       (args.has(kAll.name) && family == shader::Family::unknown && is_size_known);
    if (!named) return io.refuse_file(input.name, opened.error());
    shader::Summary unread;
    unread.family = family;
    unread.size = input.view().size();
    present::SummaryRow row{input.name, opened ? shader::summarize(*opened) : std::move(unread)};
    if (input.is_head) row.summary.size = *input.file_bytes;
    if (json) {
      present::write_summary(row, *json);
    } else {
      rows.push_back(std::move(row));
    }
    return Exit::ok;
  });
  if (json) {
    print::end_files(*json, io);
  } else {
    present::print_summaries(rows, io.out);
  }
  return exit;
}

constexpr Option kOptions[] = {kAll, kJson};

constexpr Example kExamples[] = {
    {"unshade info shader.cso", "describe one file"},
    {"unshade info -a build/shaders", "describe all files in a folder and its subfolders, shaders or not"},
    {"unshade info --json *.cso | jq -r '.files[] | select(.digest == \"wrong\") | .file'", "print the names of files with a wrong digest"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade info orange.cso
orange.cso  dxbc  ps_5_0  156 bytes  2 instructions  digest valid  -  OSGN:44 SHEX:56)";

}  // namespace

const VerbBody kBody{
    .description =
        "Prints a line per file: its name, family, profile, size, instruction count if the file states one, the state of "
        "its digest, the compiler that the file names, and its parts with their sizes in bytes.\n\nIn folders, files that "
        "are not shaders are skipped, unless --all is given.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader or is damaged, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_info,
};

}  // namespace unshade::cli::verbs::info
