#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/present/containers.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/folder.hpp>

#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::part {

namespace {

using What = shader::PartChange::What;

constexpr Option kContainer{"container", 0, Takes::nothing, {}, {}, "extract: write a container with only this part instead of its bytes"};
constexpr Option kOptions[] = {kContainer, write::kNoValidate, write::kInPlace, write::kOutputDir, kJson};

constexpr std::string_view kChanging = "add|replace|remove";
constexpr ActionOption kActionOptions[] = {{kContainer.name, "extract"},
                                           {write::kNoValidate.name, kChanging},
                                           {write::kInPlace.name, kChanging},
                                           {write::kOutputDir.name, kChanging}};

constexpr std::string_view kUsage =
    "part requires list FILE..., extract FILE [FOURCC], add FILE FOURCC=DATA..., replace FILE FOURCC=DATA... or remove FILE FOURCC...";

/// Of four characters.
std::optional<std::uint32_t> fourcc_of(std::string_view text) {
  if (text.size() != 4) return std::nullopt;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return value;
}

/// `json` may be null.
void list(const Input& input, const dxcontainer::Container& container, bool heading, Json* json, Io& io) {
  if (json != nullptr) return present::write_parts(input.name, container, *json);
  if (heading) print_heading(input.name, io.out);
  present::print_parts(container, io.out);
}

/// `RDEF, ISGN, SHEX`
std::string names_of(const dxcontainer::Container& container) {
  std::string names;
  for (const dxcontainer::Part& part : container.parts) names += (names.empty() ? "" : ", ") + fourcc_text(part.fourcc);
  return names.empty() ? "none" : names;
}

/// Reports a file that has no parts; of a folder, such files are left out.
Exit no_container(const Input& input, Io& io) {
  return io.refuse_file(input.name, Error{ErrorCode::unsupported, 0, "file", "not a container, and therefore without parts"});
}

Exit list_all(const Args& args, Io& io) {
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::part);
  Exit exit = Exit::ok;
  for (std::size_t i = 1; i < args.operands.size(); ++i) {
    const bool is_folder = system::is_folder(args.operands[i]);
    exit = worse(exit, for_each_input(args.with({args.operands[i]}), io, [&](const Input& input) {
                   const auto opened = open_input(input);
                   if (!opened) return io.refuse_file(input.name, opened.error());
                   if (opened->container() == nullptr) return is_folder ? Exit::ok : no_container(input, io);
                   list(input, *opened->container(), is_folder || args.operands.size() > 2, json ? &*json : nullptr, io);
                   return Exit::ok;
                 }));
  }
  if (json) print::end_files(*json, io);
  return exit;
}

/// The parts to choose from, for those who did not.
Exit list_choice(const Args& args, Io& io) {
  if (args.has(kOutput.name) || args.has(kContainer.name)) return io.refuse_usage("part extract requires the part to write: FILE FOURCC");
  return list_all(args, io);
}

/// Writes the bytes of a part.
Exit extract(const Args& args, std::uint32_t fourcc, Io& io) {
  if (write::refuses_json(args, "part extract", io)) return Exit::failed;
  const auto input = io.read(args.operands[1]);
  if (!input) return input.exit;
  const auto opened = open_input(*input);
  if (!opened) return io.refuse_file(input->name, opened.error());
  if (opened->container() == nullptr) return no_container(*input, io);
  const auto& container = *opened->container();
  const dxcontainer::Part* const part = container.find(fourcc);
  if (part == nullptr)
    return io.refuse_file(input->name, Error{ErrorCode::missing, 0, fourcc_text(fourcc),
                                             "the container does not have this part, only " + names_of(container)});
  if (io.refuses_bytes("part")) return Exit::failed;
  if (!args.has(kContainer.name)) {
    io.write_bytes(part->data.bytes());
    return Exit::ok;
  }
  const auto wrapped = dxcontainer::wrap_part(fourcc, part->data.bytes());
  if (!wrapped) return io.refuse_file(input->name, wrapped.error());
  io.write_bytes(*wrapped);
  return Exit::ok;
}

/// The data for a part: of a container that holds one of the kind, that part; else the file as it is.
std::span<const std::byte> part_data(const Input& input, std::uint32_t fourcc) {
  const View file = input.view();
  if (dxcontainer::is_container(file))
    if (const auto container = dxcontainer::parse_container(file))
      if (const dxcontainer::Part* const part = container->find(fourcc)) return part->data.bytes();
  return file.bytes();
}

Exit change(const Args& args, What what, Io& io) {
  std::vector<shader::PartChange> changes;
  std::deque<Input> inputs;
  std::vector<std::string> names;
  for (std::size_t i = 2; i < args.operands.size(); ++i) {
    const std::string_view operand = args.operands[i];
    const auto equals = operand.find('=');
    const auto fourcc = fourcc_of(operand.substr(0, equals));
    if (!fourcc || (what == What::remove) != (equals == std::string_view::npos)) return io.refuse_usage(kUsage);
    shader::PartChange& made = changes.emplace_back();
    made.what = what;
    made.fourcc = *fourcc;
    if (what == What::remove) continue;
    auto data = io.read_bytes(names.emplace_back(operand.substr(equals + 1)));
    if (!data) return data.exit;
    inputs.push_back(std::move(*data));
    made.data = part_data(inputs.back(), *fourcc);
  }
  if (changes.empty()) return io.refuse_usage(kUsage);
  return write::run_edit(args, io, {"part", present::Schema::part_change, true, {}, names}, args.operands[1],
                         [&](const shader::Shader& shader) { return shader::change_parts(shader, changes); });
}

Exit run_part(const Args& args, Io& io) {
  if (args.operands.size() < 2) return io.refuse_usage(kUsage);
  const std::string& action = args.operands.front();
  if (action == "list") return list_all(args, io);
  if (action == "extract" && args.operands.size() == 2) return list_choice(args, io);
  if (action == "extract" && args.operands.size() == 3)
    if (const auto fourcc = fourcc_of(args.operands[2])) return extract(args, *fourcc, io);
  if (action == "add") return change(args, What::add, io);
  if (action == "replace") return change(args, What::replace, io);
  if (action == "remove") return change(args, What::remove, io);
  return io.refuse_usage(kUsage);
}

constexpr Example kExamples[] = {
    {"unshade part list shader.cso", "list the parts, with offsets and sizes"},
    {"unshade part extract shader.cso RTS0 --container -o root.cso", "write a root signature as D3DGetBlobPart returns it"},
    {"unshade part add shader.cso RTS0=root.cso PRIV=note.bin -o new.cso", "add a root signature and private data to a shader"},
    {"unshade part remove -i shader.cso PRIV ILDN", "remove two parts"},
};

constexpr SampleFile kNote{"note.txt", R"(Made for the demo.
)"};
constexpr const SampleFile* kInputs[] = {&samples::kOrange, &kNote};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade part add orange.cso PRIV=note.txt -o new.cso
$ unshade part list new.cso
OSGN  0x0000002c  44 bytes  output signature
SHEX  0x00000060  56 bytes  token program, usually of shader model 5
PRIV  0x000000a0  19 bytes  private data
$ unshade part extract new.cso PRIV
Made for the demo.)";

}  // namespace

const VerbBody kBody{
    .description =
        "The arguments are list FILE...; extract FILE [FOURCC]; add or replace FILE FOURCC=DATA...; remove FILE FOURCC....\n\n"
        "list prints the parts of containers, also of those in folders. extract writes the bytes of the first part of a kind, or with "
        "--container a container with only this part; without FOURCC, it lists the parts. add, replace and remove write the container with "
        "changed parts: new parts are "
        "placed where compilers put them, the others are preserved, and the digest and HASH are updated. DATA is a file with the bytes "
        "of a part, or a container with such a part.",
    .operands = {"ARGUMENT", Takes::file, "list|extract|add|replace|remove"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 not a container, no such part, or the part already exists, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_part,
    .action_options = kActionOptions,
};

}  // namespace unshade::cli::verbs::part
