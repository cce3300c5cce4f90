#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/document_text/document_text.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edits.hpp>
#include <unshade/vbc/edit.hpp>

#include "cli/line/args.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::edit {

namespace {

constexpr Option kRename{"rename",    'r',
                         Takes::text, "KIND:OLD=NEW",
                         {},          "rename: input:TEXCOORD1=UV0, output:, patch:, resource:, variable:, entry:, node:; may be repeated",
                         true};
constexpr Option kRenameEntry{"rename-entry", 0, Takes::text, "NEW", {}, "rename the only entry point"};
constexpr Option kRebind{
    "rebind",  'b', Takes::text,
    "OLD=NEW", {},  "move registers: t0=t4, t0,space1=t4,space2; SPIR-V: 0,set1=4; PICA200: c4=c8; may be repeated, or a;b",
    true};
constexpr Option kRestore{
    "restore-rdef", 0,  Takes::file,
    "FROM",         {}, "DXBC: use the resource definitions of another build (container, bare part, document), or auto: generated"};
constexpr Option kRepair{"repair", 0, Takes::nothing, {}, {}, "VBC: convert a file of an old or faulty writer to the documented layout"};
constexpr Option kReplace{"replace-stage", 0, Takes::text, "STAGE=SPV", {}, "VBC: replace the module of a stage: fragment=new.spv"};
constexpr Option kStrip{"strip-debug", 0, Takes::nothing, {}, {}, "VBC: remove names, sources and lines from the SPIR-V"};
constexpr Option kStripMembers{
    "strip-member-names", 0, Takes::nothing, {}, {}, "VBC: like --strip-debug, and remove the names of uniform members too"};
constexpr Option kTables{"tables", 't', Takes::text,
                         "SIZES",  {},  "VBC: set the sizes of descriptor tables, also in the SPIR-V: samplers=16,images=4"};
constexpr Option kOptions[] = {kRename,      kRenameEntry,  kRebind, kRestore,           kRepair,         kReplace,
                               kStrip,       kStripMembers, kTables, write::kNoValidate, write::kInPlace, write::kOutputDir,
                               write::kJobs, kAll,          kJson};

/// The edits that the command line requests, and what they borrow.
struct Request {
  shader::Edits edits;
  std::vector<std::byte> definitions;
  std::optional<Input> stage_module;
  std::vector<std::string> sources;  ///< files that were read for it
};

std::optional<vbc::Stage> parse_stage(std::string_view text) {
  for (std::size_t i = 0; i < vbc::kStages; ++i)
    if (vbc::id(static_cast<vbc::Stage>(i)) == text) return static_cast<vbc::Stage>(i);
  return std::nullopt;
}

/// A container and a bare part stay as they are, a document is built.
std::optional<std::vector<std::byte>> read_definitions(const std::string& name, Io& io) {
  const auto input = io.read(name, Whole::any);
  if (!input) return std::nullopt;
  const auto bytes = input->view().bytes();
  if (!is_text(input->view())) return std::vector<std::byte>(bytes.begin(), bytes.end());
  const auto document = document_text::read_yaml(input->view().text());
  if (!document) return io.report(input->name, document.error()), std::nullopt;
  auto built = shader::build_document(*document, {shader::Hints::fitting, nullptr});
  if (!built) return io.report(input->name, built.error()), std::nullopt;
  return *std::move(built);
}

/// The edits of VBC files, if there are any.
Exit read_vbc_edits(const Args& args, Io& io, Request& request) {
  if (std::ranges::none_of(std::array{kRepair, kReplace, kStrip, kStripMembers, kTables},
                           [&](const Option& one) { return args.has(one.name); }))
    return Exit::ok;
  shader::VbcEdits& edits = request.edits.vbc.emplace();
  edits.repair = args.has(kRepair.name);
  if (args.has(kReplace.name)) {
    const std::string_view text = args.value(kReplace.name);
    const auto equals = text.find('=');
    edits.stage = parse_stage(text.substr(0, equals));
    if (equals == std::string_view::npos || !edits.stage)
      return io.refuse_usage(
          "--replace-stage must be STAGE=FILE, with STAGE one of vertex, tess_control, tess_evaluation, geometry, fragment");
    auto module = io.read(request.sources.emplace_back(text.substr(equals + 1)));
    if (!module) return module.exit;
    edits.module = request.stage_module.emplace(std::move(*module)).view();
  }
  if (args.has(kTables.name)) {
    edits.tables = args.value(kTables.name);
    vbc::TableSizes sizes;
    if (const auto done = vbc::parse_table_sizes(*edits.tables, sizes); !done) return io.refuse_usage(done.error().message);
  }
  if (args.has(kStrip.name) || args.has(kStripMembers.name)) edits.strip = Strip{.debug = true, .names = args.has(kStripMembers.name)};
  return Exit::ok;
}

Exit read_request(const Args& args, Io& io, Request& request) {
  shader::Edits& edits = request.edits;
  for (const std::string_view text : args.values(kRename.name)) {
    auto rename = shader::parse_rename(text);
    if (!rename) return io.refuse_usage("--rename must be KIND:OLD=NEW, with KIND one of " + shader::kinds_of_names());
    edits.renames.push_back(*std::move(rename));
  }
  if (args.has(kRenameEntry.name)) edits.renames.push_back({shader::Rename::What::entry, {}, std::string(args.value(kRenameEntry.name))});
  for (const std::string_view text : args.values(kRebind.name))
    if (!shader::parse_rebinds(text, edits.rebinds))
      return io.refuse_usage("--rebind must be registers such as t0=t4, t0,space1=t4,space2, or 0,set1=4,set0");
  if (args.value(kRestore.name) == "auto") {
    edits.definitions = shader::Edits::Definitions::made;
  } else if (args.has(kRestore.name)) {
    auto definitions = read_definitions(request.sources.emplace_back(args.value(kRestore.name)), io);
    if (!definitions) return Exit::failed;
    request.definitions = *std::move(definitions);
    edits.definitions = shader::Edits::Definitions::restored;
    edits.restored = View(request.definitions);
  }
  if (const Exit exit = read_vbc_edits(args, io, request); exit != Exit::ok) return exit;
  if (!edits.vbc && edits.definitions == shader::Edits::Definitions::kept && edits.renames.empty() && edits.rebinds.empty())
    return io.refuse_usage("no edit given: use --rename, --rebind or --restore-rdef (see --help)");
  return Exit::ok;
}

Exit run(const Args& args, Io& io) {
  Request request;
  if (const Exit exit = read_request(args, io, request); exit != Exit::ok) return exit;
  return write::run_edits(args, io, {"edit", present::Schema::edit, true, {}, request.sources},
                          [&](const shader::Shader& shader) { return shader::make_edits(shader, request.edits); });
}

constexpr Example kExamples[] = {
    {"unshade edit --rename input:TEXCOORD0=UV0 --rename resource:tex=g_albedo shader.cso -o new.cso", "rename a semantic and a resource"},
    {"unshade edit --rebind 't0=t4;t4=t0' --rebind b0=b3 shader.cso -o new.cso", "swap two textures, and move a constant buffer"},
    {"unshade edit --rebind 0,set1=3,set0 --rename-entry main shader.spv -o new.spv",
     "change a binding and set, and rename the entry point"},
    {"unshade edit --rebind c4=c8 --rename variable:proj=projection -i *.shbin", "move and rename PICA200 uniforms, in place"},
    {"unshade edit --restore-rdef debug_build.cso shipped.cso -o named.cso", "restore names from another build of the same shader"},
    {"unshade edit --repair old.vbc -o new.vbc", "make a file that Vega's reader accepts"},
    {"unshade edit --replace-stage fragment=new.spv shader.vbc -o new.vbc", "replace the fragment shader"},
};

constexpr const SampleFile* kInputs[] = {&samples::kTint};
constexpr std::string_view kSession = R"($ unshade as tint.asm -o tint.cso
$ unshade edit --rename variable:tint=albedo --rebind b0=b3 tint.cso -o new.cso
$ unshade reflect --hlsl new.cso
// new.cso
// ps_5_0

cbuffer Material : register(b3)
{
  float4 albedo;
};

struct PixelOutput
{
  float4 SV_Target : SV_Target;
};)";

}  // namespace

const VerbBody kBody{
    .description =
        "Renames semantics, resources, variables and entry points, moves resources to other registers in declarations, instructions "
        "and definitions together, and gives stripped DXBC files resource definitions again (docs/howto/edit_names.md). Everything "
        "else is preserved byte for byte. A result that breaks a rule of its format more often than the input is not written, unless "
        "--no-validate is given. Edits are applied in this order: those of VBC, --restore-rdef, --rename, --rebind; all renames at "
        "once, and all rebinds at once, so that two may be swapped.\n\n"
        "One file is written to standard output or -o; several files and folders require --in-place or --output-dir. What could not be "
        "adapted to an edit is reported on standard error, or with --json in the document.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 the edit is not possible, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run,
};

}  // namespace unshade::cli::verbs::edit
