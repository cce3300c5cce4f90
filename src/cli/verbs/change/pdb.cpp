#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/paths.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/present/containers.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::pdb {

namespace {

using dxcontainer::fourcc;

constexpr Option kStrip{"strip", 0, Takes::file, "FILE", {}, "with make: write the container without its debug information to FILE"};
constexpr Option kName{"name", 0,  Takes::text,
                       "NAME", {}, "with make: the name of the database in the container (default: the file name of -o)"};
constexpr Option kOptions[] = {kStrip, kName, write::kOutputDir, kJson};
constexpr ActionOption kActionOptions[] = {{kStrip.name, "make"}, {kName.name, "make"}, {write::kOutputDir.name, "split|join|make"}};

/// `shown`: how many were before; `several`: each has a heading.
Exit info(const Args& args, const Input& input, bool several, std::size_t& shown, Io& io) {
  if (io.was_found(input.name) && !dxcontainer::is_msf(input.view()))
    return io.refuse_file(input.name, Error{ErrorCode::unsupported, 0, "file", "a file that is no program database"});
  const auto database = dxil::describe_database(input.view());
  if (!database) return io.refuse_file(input.name, database.error());
  if (args.has(kJson.name)) {
    if (io.refuses_second_document(input.name, shown++)) return Exit::failed;
    Json json(io.out);
    present::write_database(input.name, *database, json);
    return Exit::ok;
  }
  if (several) {
    if (shown++ != 0) io.out.text << '\n';
    print_heading(input.name, io.out);
  }
  present::print_database(*database, io.out);
  return Exit::ok;
}

Exit info_of_all(const Args& args, Io& io) {
  if (args.operands.size() < 2) return io.refuse_usage("pdb info requires files");
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args.with({args.operands.begin() + 1, args.operands.end()}), exit);
  std::size_t shown = 0;
  return worse(exit, for_each_input(names, io, [&](const Input& input) { return info(args, input, names.size() > 1, shown, io); }));
}

Exit split(const Input& input, Io& io) {
  const auto pdb = dxcontainer::find_container_in_pdb(input.view());
  if (!pdb) return io.refuse_file(input.name, pdb.error());
  io.write_bytes(pdb->view().bytes());
  return Exit::ok;
}

Exit join(const Input& input, Io& io) {
  const auto file = dxil::make_database(input.view());
  if (!file) return io.refuse_file(input.name, file.error());
  io.write_bytes(*file);
  return Exit::ok;
}

Exit make(const Args& args, const Input& input, Io& io) {
  if (write::refuses_second_output(args, kStrip, io, std::span(args.operands).last(1))) return Exit::failed;
  const auto container = dxcontainer::parse_container(input.view());
  if (!container) return io.refuse_file(input.name, container.error());
  std::string_view name = args.value(kName.name);
  if (name.empty()) {
    name = args.value(kOutput.name);
    if (const auto slash = name.find_last_of("/\\"); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  }
  const auto separated = dxil::separate_debug(*container, name);
  if (!separated) return io.refuse_file(input.name, separated.error());
  if (args.has(kStrip.name) && !io.write_file(std::string(args.value(kStrip.name)), View(separated->stripped).text())) return Exit::failed;
  io.write_bytes(separated->pdb);
  return Exit::ok;
}

/// The suffix of an action's output; absent if it has none.
std::optional<std::string> result_suffix(std::string_view action, const Input& input) {
  if (action == "split") {
    if (dxcontainer::find_container_in_pdb(input.view())) return ".dxil";
    return std::nullopt;
  }
  const auto container = dxcontainer::parse_container(input.view());
  if (!container || (action == "make" && container->find(fourcc("ILDB")) == nullptr)) return std::nullopt;
  return ".pdb";
}

Exit run_pdb(const Args& args, Io& io) {
  const std::string_view action = args.operands.front();
  if (action != "info" && action != "split" && action != "join" && action != "make")
    return io.refuse_usage("pdb requires info, split, join or make");
  if (args.has(write::kOutputDir.name)) {
    if (args.has(kStrip.name) || args.has(kName.name))
      return io.refuse_usage("--strip and --name require a single file, and must not be combined with --output-dir");
    if (args.operands.size() < 2) return io.refuse_usage("pdb requires an action and files");
    return write::run_below_folder(
        args, io, 1, [&](const Input& input) { return result_suffix(action, input); },
        [&](const Args& one, Io& to) {
          Args named = one;
          if (action == "make") named.set(kName.name, std::string(paths::name_of(one.operands.back())) + ".pdb");
          return run_pdb(named, to);
        });
  }
  if (action == "info") return info_of_all(args, io);
  if (args.operands.size() != 2) return io.refuse_usage("pdb requires an action and a single file, or --output-dir");
  if (write::refuses_json(args, "pdb " + std::string(action), io)) return Exit::failed;
  if (io.refuses_bytes("pdb")) return Exit::failed;
  const auto input = io.read(args.operands[1]);
  if (!input) return input.exit;
  if (action == "split") return split(*input, io);
  if (action == "join") return join(*input, io);
  return make(args, *input, io);
}

constexpr Example kExamples[] = {
    {"unshade pdb info shader.pdb", "print the identity and contents of a database"},
    {"unshade pdb info symbols", "print those of all databases in a folder"},
    {"unshade pdb split shader.pdb -o debug.cso", "extract its container"},
    {"unshade pdb join debug.cso -o shader.pdb", "make a database from a container, as dxc does"},
    {"unshade pdb make -d symbols build/shaders", "make a database for each shader in a folder that has debug information"},
    {"unshade pdb make shader.cso -o shader.pdb --strip small.cso", "move debug information to a separate file"},
};

constexpr SampleFile kNothing{"nothing.ll", R"(target triple = "dxil-ms-dx"

define void @main() {
  ret void
}

!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{void ()* @main, !"main", null, null, !3}
!3 = !{i32 4, !4}
!4 = !{i32 4, i32 1, i32 1}
)"};
constexpr const SampleFile* kInputs[] = {&kNothing};
constexpr std::string_view kSession = R"($ unshade as --container nothing.ll -o nothing.dxil
$ unshade pdb join nothing.dxil -o nothing.pdb
$ unshade pdb info nothing.pdb
id         11697dc8b05130ff9f59e2e0b1d74d40
age        1
name
streams    0 56 0 0 0 840 bytes, in blocks of 512
container  stream 5: SFI0 ISG1 OSG1 PSV0 DXIL)";

}  // namespace

const VerbBody kBody{
    .description =
        "Program databases as dxc writes them (-Fd): a container with debug parts in an MSF file (docs/howto/pdb.md).\n\n"
        "info FILE... prints the identity of a database; in folders, other files are left out. split FILE writes its container, join FILE "
        "puts a container into a database: for "
        "files from dxc, both together reproduce the same bytes. make FILE moves the debug information of a shader (-Zi -Qembed_debug) "
        "into a database.",
    .operands = {"ACTION FILE", Takes::file, "info|split|join|make"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 no database, no container or no debug information, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_pdb,
    .action_options = kActionOptions,
};

}  // namespace unshade::cli::verbs::pdb
