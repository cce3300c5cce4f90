#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/spelling.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/find/name_template.hpp>
#include <unshade/find/names.hpp>
#include <unshade/present/identities.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/find/identity_names.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::hash {

namespace {

constexpr Option kOnly{"only", 0, Takes::text, "ID", {}, "print a line per file with this identity alone: crc32, 3dmigoto, code, ..."};
constexpr Option kName{
    "name", 0,  Takes::text,
    "NAME", {}, "print a line per file with the name that 3dmigoto, reshade, renodx or vkd3d-proton gives it, or of fields as scan --name"};
constexpr Option kKinds{"kinds", 0, Takes::nothing, {}, {}, "list the identities instead, with the tools that show them"};
constexpr Option kOptions[] = {kOnly, kName, kKinds, kAll, kJson};

/// The longest id and the longest value but the sketch, which is after the others.
constexpr std::size_t kIdColumn = 20;
constexpr std::size_t kValueColumn = 43;

void print_identities(const std::string& name, const shader::Shader& shader, std::span<const find::Identity> identities, Printer& out) {
  const shader::Summary summary = summarize(shader);
  out.paint(Paint::heading);
  print_safely(out.text, name);
  out.paint(Paint::plain) << "  " << shader::id(summary.family);
  if (!summary.profile.empty()) print_safely(out.text << ' ', summary.profile);
  out.text << "  ";
  out.text.dec(summary.size) << " bytes\n";
  for (const find::Identity& identity : identities) {
    out.text << "  ";
    out.text.left(identity.id, kIdColumn).left(identity.value, kValueColumn) << "  ";
    out.painted(Paint::faint, find::identity_kind(identity.id)->tools);
    out.text << '\n';
  }
}

Exit list_kinds(const Args& args, Io& io) {
  if (!args.operands.empty()) return io.refuse_usage("--kinds takes no files");
  if (args.has(kOnly.name)) return io.refuse_usage("--kinds and --only are mutually exclusive");
  if (args.has(kJson.name)) return io.refuse_usage("--kinds and --json are mutually exclusive");
  for (const find::IdentityKind& kind : find::identity_kinds()) {
    io.out.text.left(kind.id, kIdColumn) << kind.summary << " (" << kind.tools << (kind.is_built() ? ")\n" : "; not in this build)\n");
  }
  return Exit::ok;
}

/// A line per file with its name by a template.
Exit print_names(const Args& args, Io& io) {
  if (args.has(kOnly.name)) return io.refuse_usage("--name and --only are mutually exclusive");
  if (args.has(kJson.name)) return io.refuse_usage("--name and --json are mutually exclusive");
  std::vector<std::string_view> fields(find::name_fields().begin(), find::name_fields().end());
  for (const find::IdentityKind& kind : find::identity_kinds()) fields.push_back(kind.id);
  find::NameTemplate name;
  if (const std::string fault = name.parse(find::name_template(args.value(kName.name)), fields); !fault.empty())
    return io.refuse_usage("--name: " + fault);
  return for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const shader::Summary summary = outline(*opened);
    const find::NameFacts facts{opened->family, summary.stage, summary.profile};
    print_safely(io.out.text, name.expand([&](std::string_view field) {
      if (std::ranges::find(find::name_fields(), field) != find::name_fields().end()) return find::name_field(facts, field);
      return find::identity(*opened, field).value_or(std::string());
    }));
    print_safely(io.out.text << "  ", input.name);
    io.out.text << '\n';
    return Exit::ok;
  });
}

Exit run_hash(const Args& args, Io& io) {
  if (args.has(kKinds.name)) return list_kinds(args, io);
  if (args.operands.empty()) return io.refuse_usage("FILE is required");
  const std::string_view only = args.value(kOnly.name);
  if (args.has(kOnly.name) && !identity_fault(only).empty()) return io.refuse_usage(identity_fault(only));
  if (args.has(kName.name)) return print_names(args, io);
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::hash);
  bool is_first = true;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    std::vector<find::Identity> identities;
    if (only.empty()) {
      identities = find::identities(*opened);
    } else if (auto value = find::identity(*opened, only)) {
      identities.push_back({find::identity_kind(only)->id, *std::move(value)});
    } else {
      return io.refuse_file(input.name, Error{ErrorCode::missing, 0, {}, "the file has no identity " + quoted(only)});
    }
    if (json) {
      present::write_identities(input.name, *opened, identities, *json);
    } else if (!only.empty()) {
      io.out.text << identities.front().value << "  ";
      print_safely(io.out.text, input.name);
      io.out.text << '\n';
    } else {
      if (!std::exchange(is_first, false)) io.out.text << '\n';
      print_identities(input.name, *opened, identities, io.out);
    }
    return Exit::ok;
  });
  if (json) print::end_files(*json, io);
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade hash shader.cso", "print all names that tools give a shader"},
    {"unshade hash --only crc32 shaders/ | sort", "list the shaders of a folder by ReShade's names"},
    {"unshade hash --only plain old/ new/ | sort | uniq -w 32 -D", "group shaders that differ in names and constants alone"},
    {"unshade hash --name 3dmigoto shaders/", "list the names under which 3Dmigoto dumps the shaders of a folder"},
    {"unshade hash --kinds", "list what is computed, and which tools show it"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ sed 's/0.5/0.25/' orange.asm | unshade as - -o brown.cso
$ unshade hash --only crc32 orange.cso brown.cso
0xB2B3CF2D  orange.cso
0x382F7C1B  brown.cso
$ unshade hash --only plain orange.cso brown.cso
147a769b770bf1270239e627163bcf29  orange.cso
147a769b770bf1270239e627163bcf29  brown.cso)";

}  // namespace

const VerbBody kBody{
    .description =
        "Prints the digests and checksums by which tools call a shader, each with the tools that show it: the digest of the container "
        "(Direct3D, PIX, RenderDoc, DXVK), CRC-32 (ReShade, RenoDX), CRC-32C (Special K), FNV-1 (vkd3d-proton, 3Dmigoto), the hash of "
        "DXIL. Then unshade's own, which stay the same from one build of a program to the next: of the code alone (code), of the code "
        "without names, constants and register numbers (plain), and a sketch of its opcodes, whose digits two shaders have in common as "
        "far as they are alike.\n\nWith --only, prints a line per file as md5sum does: the identity, two blanks and the name. With --name, "
        "the name that a tool "
        "gives the file when it dumps it, instead of the identity.",
    .operands = {"FILE", Takes::file, {}, false, true},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged or has no such identity, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_hash,
};

}  // namespace unshade::cli::verbs::hash
