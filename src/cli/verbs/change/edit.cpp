#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/repair.hpp>

#include "cli/line/args.hpp"
#include "cli/print/table_sizes.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"
#include "cli/write/made.hpp"
#include "cli/yaml/yaml.hpp"
#include "core/numbers.hpp"

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

// --- the command line ------------------------------------------------------------------------------------------------------------------

struct KindOfName {
  std::string_view text;
  shader::Rename::What what;
};
constexpr KindOfName kKindsOfNames[] = {
    {"entry", shader::Rename::What::entry}, {"input", shader::Rename::What::input},       {"output", shader::Rename::What::output},
    {"patch", shader::Rename::What::patch}, {"resource", shader::Rename::What::resource}, {"variable", shader::Rename::What::variable},
    {"node", shader::Rename::What::node},
};

/// `entry, input, ...`
std::string kinds_of_names() {
  std::string kinds;
  for (const KindOfName& kind : kKindsOfNames) (kinds += kinds.empty() ? "" : ", ") += kind.text;
  return kinds;
}

/// `input:TEXCOORD1=UV0`
std::optional<shader::Rename> parse_rename(std::string_view text) {
  const auto colon = text.find(':');
  const auto equals = text.find('=', colon == std::string_view::npos ? 0 : colon);
  if (colon == std::string_view::npos || equals == std::string_view::npos) return std::nullopt;
  for (const KindOfName& kind : kKindsOfNames)
    if (kind.text == text.substr(0, colon))
      return shader::Rename{kind.what, std::string(text.substr(colon + 1, equals - colon - 1)), std::string(text.substr(equals + 1))};
  return std::nullopt;
}

/// `t4,space1`, `cb0`, `4,set1`
struct Place {
  char letter = 0;
  std::uint32_t number = 0;
  std::optional<std::uint32_t> space;
};

bool read_number(std::string_view& text, std::uint32_t& number) {
  const auto read = take_number<std::uint32_t>(text);
  number = read.value_or(0);
  return read.has_value();
}

std::optional<Place> parse_place(std::string_view text) {
  Place place;
  if (text.starts_with("cb")) text.remove_prefix(1);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    place.letter = text[0];
    text.remove_prefix(1);
  }
  if (!read_number(text, place.number)) return std::nullopt;
  if (text.empty()) return place;
  for (const std::string_view word : {",space", ",set"}) {
    if (!text.starts_with(word)) continue;
    text.remove_prefix(word.size());
    std::uint32_t space = 0;
    if (!read_number(text, space) || !text.empty()) return std::nullopt;
    place.space = space;
    return place;
  }
  return std::nullopt;
}

/// `t0=t4;t4=t0`
bool parse_rebinds(std::string_view text, std::vector<shader::Rebind>& rebinds) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const auto equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    const auto from = parse_place(one.substr(0, equals));
    const auto to = parse_place(one.substr(equals + 1));
    if (!from || !to || (to->letter != 0 && to->letter != from->letter)) return false;
    rebinds.push_back({from->letter, from->number, from->space.value_or(0), to->number, to->space});
  }
  return true;
}

/// The edits that the command line requests.
struct Request {
  std::vector<shader::Rename> renames;
  std::vector<shader::Rebind> rebinds;
  std::vector<std::byte> definitions;
  bool restores = false;
  bool makes_up = false;
  std::optional<vbc::Stage> stage;
  std::optional<Input> stage_module;
  bool is_of_vbc = false;
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
  const auto document = yaml::read_yaml(input->view().text());
  if (!document) return io.report(input->name, document.error()), std::nullopt;
  auto built = shader::build_document(*document, {shader::Hints::fitting, nullptr});
  if (!built) return io.report(input->name, built.error()), std::nullopt;
  return *std::move(built);
}

Exit read_request(const Args& args, Io& io, Request& request) {
  const auto usage = [&](std::string_view text) { return io.refuse_usage(std::string(text)); };
  for (const std::string_view text : args.values(kRename.name)) {
    auto rename = parse_rename(text);
    if (!rename) return usage("--rename must be KIND:OLD=NEW, with KIND one of " + kinds_of_names());
    request.renames.push_back(*std::move(rename));
  }
  if (args.has(kRenameEntry.name)) request.renames.push_back({shader::Rename::What::entry, {}, std::string(args.value(kRenameEntry.name))});
  for (const std::string_view text : args.values(kRebind.name))
    if (!parse_rebinds(text, request.rebinds))
      return usage("--rebind must be registers such as t0=t4, t0,space1=t4,space2, or 0,set1=4,set0");
  if (args.has(kRestore.name)) {
    request.restores = true;
    request.makes_up = args.value(kRestore.name) == "auto";
    if (!request.makes_up) {
      const std::string& name = request.sources.emplace_back(args.value(kRestore.name));
      auto definitions = read_definitions(name, io);
      if (!definitions) return Exit::failed;
      request.definitions = *std::move(definitions);
    }
  }
  if (args.has(kReplace.name)) {
    const std::string_view text = args.value(kReplace.name);
    const auto equals = text.find('=');
    request.stage = parse_stage(text.substr(0, equals));
    if (equals == std::string_view::npos || !request.stage)
      return usage("--replace-stage must be STAGE=FILE, with STAGE one of vertex, tess_control, tess_evaluation, geometry, fragment");
    auto module = io.read(request.sources.emplace_back(text.substr(equals + 1)));
    if (!module) return module.exit;
    request.stage_module = std::move(*module);
  }
  if (args.has(kTables.name)) {
    vbc::TableSizes sizes;
    if (const auto fault = print::parse_table_sizes(args.value(kTables.name), sizes)) return usage(*fault);
  }
  for (const Option& option : {kRepair, kReplace, kStrip, kStripMembers, kTables}) request.is_of_vbc |= args.has(option.name);
  if (!request.is_of_vbc && !request.restores && request.renames.empty() && request.rebinds.empty())
    return usage("no edit given: use --rename, --rebind or --restore-rdef (see --help)");
  return Exit::ok;
}

// --- the edits -------------------------------------------------------------------------------------------------------------------------

using shader::Edited;

bool same(const std::vector<std::byte>& bytes, View file) { return std::ranges::equal(bytes, file.bytes()); }

/// In the order of the options' list.
Result<Edited> edit_vbc(const Args& args, const Request& request, const shader::Shader& shader) {
  const auto* const given = std::get_if<vbc::File>(&shader.content);
  if (given == nullptr) return Error{ErrorCode::unsupported, 0, "file", "the edit is only valid for VBC files"};
  vbc::File file = *given;
  Edited edited;
  if (args.has(kRepair.name)) {
    vbc::Repair repaired = vbc::repair(file);
    for (const vbc::RepairNote& note : repaired.notes)
      edited.notes.push_back((note.is_done ? "repaired " : "not repaired ") + note.path + ": " + note.message);
    file = std::move(repaired.file);
  }
  if (request.stage)
    if (auto done = vbc::replace_stage(file, *request.stage, request.stage_module->view()); !done) return std::move(done).error();
  if (args.has(kTables.name)) {
    vbc::TableSizes sizes = file.tables;
    (void)print::parse_table_sizes(args.value(kTables.name), sizes);  // understood before
    if (auto done = vbc::set_table_sizes(file, sizes); !done) return std::move(done).error();
  }
  if (args.has(kStrip.name) || args.has(kStripMembers.name))
    if (auto done = vbc::strip(file, {.debug = true, .names = args.has(kStripMembers.name)}); !done) return std::move(done).error();
  edited.bytes = vbc::write(file);
  edited.changed = !same(edited.bytes, shader.file);
  return edited;
}

/// One edit upon another.
class Chain {
 public:
  explicit Chain(const shader::Shader& shader) : shader_(shader) {}

  /// Has `edit` at what the edits before have made, if they have not failed.
  template <class Edit>
  void add(Edit&& edit) {
    if (!result_) return;
    if (!has_edited_) return take(edit(shader_));
    const auto opened = shader::open(View(result_->bytes));
    opened ? take(edit(*opened)) : take(opened.error());
  }
  Result<Edited> result() {
    if (result_) result_->changed = !same(result_->bytes, shader_.file);
    return std::move(result_);
  }

 private:
  void take(Result<Edited> next) {
    if (next) next->notes.insert(next->notes.begin(), result_->notes.begin(), result_->notes.end());
    result_ = std::move(next);
    has_edited_ = true;
  }

  const shader::Shader& shader_;
  Result<Edited> result_ = Edited{};
  bool has_edited_ = false;
};

Result<Edited> edit(const Args& args, const Request& request, const shader::Shader& given) {
  Chain chain(given);
  if (request.is_of_vbc) chain.add([&](const shader::Shader& shader) { return edit_vbc(args, request, shader); });
  if (request.restores)
    chain.add([&](const shader::Shader& shader) {
      return request.makes_up ? shader::make_definitions(shader) : shader::restore_definitions(shader, View(request.definitions));
    });
  if (!request.renames.empty()) chain.add([&](const shader::Shader& shader) { return shader::rename(shader, request.renames); });
  if (!request.rebinds.empty()) chain.add([&](const shader::Shader& shader) { return shader::rebind(shader, request.rebinds); });
  return chain.result();
}

Exit run(const Args& args, Io& io) {
  Request request;
  if (const Exit exit = read_request(args, io, request); exit != Exit::ok) return exit;
  return write::run_edits(args, io, {"edit", "unshade.edit/1", true, {}, request.sources},
                          [&](const shader::Shader& shader) { return edit(args, request, shader); });
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
