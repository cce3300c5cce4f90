#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/core/spelling.hpp>
#include <unshade/find/carve.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/find/name_template.hpp>
#include <unshade/find/names.hpp>
#include <unshade/system/file.hpp>
#include <unshade/unpack/documents.hpp>
#include <unshade/unpack/shader_paths.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/find/identity_names.hpp"
#include "cli/verbs/find/search_faults.hpp"
#include "cli/verbs/find/shard.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/input_files.hpp"
#include "cli/write/results.hpp"

namespace unshade::cli::verbs::scan {

namespace {

constexpr std::uint64_t kMostThreads = 256;
constexpr std::string_view kDefaultName = "{crc32}.{profile}.{ext}";

constexpr Option kScanDir{"output-dir", 'd', Takes::folder, "DIR", {}, "write each shader to a file of its own in DIR, as -o DIR/ does"};
constexpr Option kName{"name",
                       0,
                       Takes::text,
                       "NAME",
                       {},
                       "with -o DIR/, names of the files as 3dmigoto, reshade, renodx or vkd3d-proton dumps them, or fields between braces "
                       "(default: {crc32}.{profile}.{ext})"};
constexpr Option kIdentity{
    "identity", 0, Takes::text, "ID", {}, "print this name of each shader too: crc32, 3dmigoto, code, ... (unshade hash --kinds)", true};
constexpr Option kTop{"top", 0, Takes::nothing, {}, {}, "omit shaders inside other shaders: the stages of a VBC, shaders of an effect"};
constexpr Option kCertain{"certain", 0, Takes::nothing, {}, {}, "omit findings that are only likely or possible"};
constexpr Option kScanJobs{"jobs", 'j', Takes::text, "N", {}, "threads; results do not depend on it (default: the number of processors)"};
constexpr Option kNoUnpack{"no-unpack", 0, Takes::nothing, {}, {}, "do not unpack archives and compressed files"};
constexpr Option kDecompress{"decompress", 0,  Takes::nothing,
                             {},           {}, "search compressed streams anywhere in the files too: zlib, gzip, zstd, LZ4, xz, LZMA"};
constexpr Option kDictionary{
    "dictionary", 0, Takes::file, "FILE", {}, "the zstd dictionary of compressed frames, such as that of Source 2's .vcs", true};
constexpr Option kOptions[] = {kNoUnpack, kDecompress, kDictionary, kScanDir, kName, kIdentity, kTop, kCertain, kShard, kScanJobs, kJson};

/// What the options ask for.
struct Request {
  unpack::Search search;    ///< its ids: --identity, then those of the name
  std::size_t printed = 0;  ///< how many of them are printed
  std::string folder;       ///< empty: nothing is written
  find::NameTemplate name;
  bool top = false;
  bool certain = false;
  unpack::Shard shard;
  std::size_t threads = 1;
};

/// Nothing, and a report, if the options cannot be followed.
std::optional<Request> request_of(const Args& args, Io& io) {
  Request request;
  const auto refuse = [&](const std::string& message) {
    io.refuse_usage(message);
    return std::nullopt;
  };
  for (const std::string_view id : args.values(kIdentity.name)) {
    if (const std::string fault = identity_fault(id); !fault.empty()) return refuse(fault);
    request.search.ids.emplace_back(id);
  }
  request.printed = request.search.ids.size();
  request.folder = args.value(kScanDir.name);
  if (args.has(kOutput.name) && write::names_folder(args.value(kOutput.name))) {
    if (args.has(kScanDir.name)) return refuse("-o DIR/ and --output-dir must not be combined: each names the folder for the shaders");
    request.folder = args.value(kOutput.name);
  }
  if (args.has(kName.name) && request.folder.empty())
    return refuse("--name requires a folder for the shaders: -o DIR/ or --output-dir DIR");
  std::vector<std::string_view> fields(unpack::place_fields().begin(), unpack::place_fields().end());
  fields.insert(fields.end(), find::name_fields().begin(), find::name_fields().end());
  for (const find::IdentityKind& kind : find::identity_kinds()) fields.push_back(kind.id);
  const std::string_view name = find::name_template(args.value(kName.name, kDefaultName));
  if (const std::string fault = request.name.parse(name, fields); !fault.empty()) return refuse("--name: " + fault);
  if (!request.folder.empty())
    for (const find::IdentityKind& kind : find::identity_kinds())
      if (name.find('{' + std::string(kind.id) + '}') != std::string_view::npos) request.search.ids.emplace_back(kind.id);
  request.search.unpack = !args.has(kNoUnpack.name);
  request.search.streams = args.has(kDecompress.name);
  for (const std::string_view file : args.values(kDictionary.name)) {
    const auto dictionary = io.read_bytes(std::string(file));
    if (!dictionary) return std::nullopt;
    if (!request.search.dictionaries.add(dictionary->view()))
      return refuse("--dictionary " + std::string(file) + ": not a dictionary of zstd, which begins with 37 A4 30 EC and its number");
  }
  request.search.keep = !request.folder.empty();
  request.top = args.has(kTop.name);
  request.certain = args.has(kCertain.name);
  if (args.has(kShard.name)) {
    const auto shard = unpack::shard_of(args.value(kShard.name));
    if (!shard) return refuse(std::string(kShardFault));
    if (std::ranges::find(args.operands, "-") != args.operands.end())
      return refuse("--shard requires files with names, which decide about the shard; standard input (-) has none");
    request.shard = *shard;
  }
  const auto threads =
      io.count_of(args, kScanJobs, std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads), kMostThreads);
  if (!threads) return std::nullopt;
  request.threads = static_cast<std::size_t>(*threads);
  return request;
}

/// Prints and writes what is found.
class Findings {
 public:
  Findings(const Request& request, bool json, Io& io) : request_(request), json_(json), io_(io), paths_(request.folder) {}

  /// A file that no shader may be written to, if it is there.
  void protect(const std::optional<Io::FileId>& input) { inputs_.add(input); }

  std::uint64_t files = 0;
  std::uint64_t shaders = 0;
  std::uint64_t uncertain = 0;  ///< left out with --certain
  std::uint64_t bytes = 0;
  std::uint64_t written = 0;
  std::uint64_t repeated = 0;
  Exit exit = Exit::ok;

  /// `memory`: the file's bytes, if they are not to be read from it.
  void add(const unpack::SearchedFile& file, const View* memory) {
    ++files;
    bytes += file.size;
    exit = worse(exit, report_faults(file, io_));
    std::size_t number = 0;
    for (const unpack::FoundShader& shader : file.shaders) {
      if (request_.top && shader.hit.parent) continue;
      if (request_.certain && shader.hit.certainty != find::Certainty::certain) {
        ++uncertain;
        continue;
      }
      ++shaders;
      std::string output;
      if (!request_.folder.empty()) write(file, shader, number, memory, output);
      json_ ? write_found(file.name, shader, printed(), output, io_.out) : print(file, shader, output);
      ++number;
      if (!io_.out.keep_going()) return;
    }
  }

 private:
  /// The ids of the names that are printed.
  std::span<const std::string> printed() const { return std::span(request_.search.ids).first(request_.printed); }

  void write(const unpack::SearchedFile& file, const unpack::FoundShader& shader, std::size_t number, const View* memory,
             std::string& output) {
    std::vector<std::byte> owned;
    View content;
    if (shader.layers != nullptr) {
      auto kept = shader.spooled ? shader.spool->get(*shader.spooled, static_cast<std::size_t>(shader.hit.size)) : std::nullopt;
      if (!kept) {
        io_.report(file.name, "io", "cannot write unpacked data to a temporary file");
        exit = Exit::failed;
        return;
      }
      owned = *std::move(kept);
      content = View(owned);
    } else if (memory != nullptr) {
      content = memory->clamped(static_cast<std::size_t>(shader.hit.offset), static_cast<std::size_t>(shader.hit.size));
    } else if (auto read = io_.read_range(file.name, shader.hit.offset, static_cast<std::size_t>(shader.hit.size))) {
      owned = *std::move(read);
      content = View(owned);
    } else {
      exit = Exit::failed;
      return;
    }
    const std::string name =
        request_.name.expand([&](std::string_view field) { return unpack::place_field(file, shader, number, request_.search.ids, field); });
    const auto [path, is_repeated] = paths_.place(name, content);
    if (path.empty()) return;  // why was reported
    if (is_repeated) {
      ++repeated;
      output = path;
      return;
    }
    std::string fault;
    if (inputs_.has(path)) {
      fault = "the shader would replace an input file";
    } else {
      fault = write::make_folders_of(path);
    }
    OutputFile made;
    if (fault.empty() && (!made.open(path) || !made.write(content.text()) || !made.commit())) fault = made.fault;
    if (!fault.empty()) {
      paths_.set_failed(path);
      io_.report(path, "io", fault);
      exit = Exit::failed;
      return;
    }
    ++written;
    output = path;
  }

  void print(const unpack::SearchedFile& file, const unpack::FoundShader& shader, const std::string& output) {
    io_.out.paint(Paint::heading);
    print_safely(io_.out.text, file.name);
    if (shader.layers != nullptr) print_layers(io_.out.text, *shader.layers);
    io_.out.paint(Paint::plain) << ":0x";
    io_.out.text.hex(shader.hit.offset, 8) << "  ";
    io_.out.text.dec(shader.hit.size) << " bytes  " << shader::id(shader.hit.family);
    if (!shader.profile.empty()) print_safely(io_.out.text << ' ', shader.profile);
    io_.out.text << "  " << id(shader.hit.certainty);
    for (std::size_t i = 0; i < request_.printed; ++i) io_.out.text << "  " << (shader.identities[i].empty() ? "-" : shader.identities[i]);
    if (shader.hit.parent) (io_.out.text << "  in 0x").hex(*shader.hit.parent, 8);
    if (!output.empty()) print_safely(io_.out.text << "  -> ", output);
    io_.out.text << '\n';
  }

  const Request& request_;
  bool json_;
  Io& io_;
  unpack::ShaderPaths paths_;
  write::InputFiles inputs_;
};

/// The files of all operands that are to be searched. What the command line names is an input, even if another shard searches it.
std::vector<std::string> files_of(const Args& args, const Request& request, Findings& findings, Io& io, Exit& exit) {
  std::vector<std::string> files;
  write::ResultPlaces places(request.folder);
  const bool writes = !request.folder.empty();
  if (writes)
    for (const std::string_view dictionary : args.values(kDictionary.name)) findings.protect(Io::file_id(std::string(dictionary)));
  for (const std::string& operand : args.operands) {
    if (operand == "-") {
      findings.protect(Io::input_id(operand));
      continue;
    }
    Args one = args;
    one.operands = {operand};
    one.set(kAll.name, {});  // shaders lie in files of any kind
    places.begin(operand);
    for (std::string& name : io.inputs(one, exit)) {
      if (writes && places.is_result(name)) continue;
      if (writes) findings.protect(Io::file_id(name));
      if (request.shard.has(name)) files.push_back(std::move(name));
    }
  }
  return files;
}

Exit run_scan(const Args& args, Io& io) {
  const auto request = request_of(args, io);
  if (!request) return Exit::failed;
  Exit exit = Exit::ok;
  Findings findings(*request, args.has(kJson.name), io);
  const std::vector<std::string> files = files_of(args, *request, findings, io, exit);
  if (std::ranges::any_of(files, [&](const std::string& file) { return io.refuses_input(file); })) return Exit::failed;
  std::uint64_t total = 0;
  for (const std::string& file : files) total += system::regular_file_bytes(file).value_or(0);
  {
    print::Progress progress(io.host(), total, print::kProgressBytes);
    search_files(
        files, request->search, request->threads, [&](std::uint64_t done) { progress.show(done); },
        [&](unpack::SearchedFile&& file) {
          if (!file.shaders.empty() || !file.fault.empty()) progress.clear();
          findings.add(file, nullptr);
          return io.out.keep_going();
        });
  }
  std::string first = files.empty() ? std::string() : files.front();
  if (std::find(args.operands.begin(), args.operands.end(), "-") != args.operands.end()) {
    const Read input = io.read_bytes("-");
    if (!input) return input.exit;
    if (first.empty()) first = input->name;
    const View memory = input->view();
    findings.add(search_bytes(input->name, memory, request->search), &memory);
  }
  exit = worse(exit, findings.exit);
  if (findings.files > 1 || !request->folder.empty()) {
    Text sum;
    sum.dec(findings.files) << (findings.files == 1 ? " file, " : " files, ");
    print::print_size(sum, findings.bytes);
    sum << ", ";
    sum.dec(findings.shaders) << (findings.shaders == 1 ? " shader" : " shaders");
    if (findings.uncertain != 0) (sum << ", ").dec(findings.uncertain) << " left out by --certain";
    if (!request->folder.empty()) {
      (sum << ", ").dec(findings.written) << " written";
      if (findings.repeated != 0) (sum << ", ").dec(findings.repeated) << " repeated";
    }
    sum << '\n';
    io.out.flush();
    io.host().err->write(sum.view());
  }
  if (findings.shaders == 0 && exit == Exit::ok && findings.files == 1) {
    Text none;
    none << (findings.uncertain != 0 ? "no certain shader in this file" : "no shader in this file");
    if (findings.uncertain != 0)
      (none << "; --certain left out ").dec(findings.uncertain)
          << (findings.uncertain == 1 ? " that is likely or possible" : " that are likely or possible");
    io.report(first, Error{ErrorCode::missing, 0, {}, none.str()});
  }
  return findings.shaders == 0 ? worse(exit, Exit::invalid) : exit;
}

constexpr Example kExamples[] = {
    {"unshade scan game.exe", "list the shaders inside a program"},
    {"unshade scan -o shaders/ game/", "write all shaders in the files of a folder, each once"},
    {"unshade scan -o ShaderCache/ --name 3dmigoto game/", "the same, by the names of 3Dmigoto: dd5f56ec4763e2b6-ps.bin"},
    {"unshade scan -o shaders/ --name '{family}/{3dmigoto}.{ext}' game/", "by fields, in a folder for each family"},
    {"unshade scan --decompress assets.pak", "find compressed shaders inside a pack"},
    {"unshade scan --json game/ | jq -r 'select(.stage == \"compute\") | .file'", "print the files with compute shaders"},
    {"unshade scan --shard 3/16 --json game/ > 3.jsonl", "search a sixteenth of the files"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange, &samples::kSquares};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade as squares.asm -o squares.cso
$ printf 'not a shader' | cat - orange.cso squares.cso > pack.bin
$ unshade scan pack.bin
pack.bin:0x0000000c  156 bytes  dxbc ps_5_0  certain
pack.bin:0x000000a8  160 bytes  dxbc cs_5_0  certain)";

}  // namespace

const VerbBody kBody{
    .description =
        "Finds every shader in files of any kind and size (programs, packs, disk images), whatever family it is of: DXBC and DXIL "
        "containers, SPIR-V in either byte order, SHBIN, VBC, bitcode of DXIL, PDBs with a container. Prints a line for each, with its "
        "place, size, family and profile, and how sure it is: certain (its digest is right, or its structure was followed to the end), "
        "likely (unsigned containers, SPIR-V without functions), possible (containers with a wrong digest). Shaders inside of others are "
        "listed with the place of those.\n\n"
        "With -o DIR/ or --output-dir, writes each shader to a file, shaders of the same bytes and name once. --name is a template of the "
        "names, with fields in braces: file, member, offset, size, number, family, form, stage, short_stage (ps), profile, target (the "
        "profile; frag and similar for SPIR-V), ext, cso (the ending, but cso for Direct3D), and the identities of unshade hash; or the "
        "name "
        "of a tool whose template is meant: 3dmigoto, reshade, renodx, vkd3d-proton.\n\n"
        "All files in folders are searched. Archives (zip, 7zip, rar, cab, tar, ar, cpio, ISO 9660) and compressed files (gzip, bzip2, xz, "
        "lzip, zstd, LZ4) are unpacked, also inside each other, and so are captures of RenderDoc, bundles of Unity, libraries of Unreal "
        "Engine, .vcs of Source 2, and caches of Fossilize, vkd3d-proton, Chrome, Citra and Azahar; --decompress finds compressed streams "
        "at any place of any file. What is "
        "unpacked of a file is bounded in proportion to it. Shaders of more than 64 MiB are not found.",
    .operands = {"PATH", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 no shader was found or an archive cannot be unpacked, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_scan,
    .fills_folders = true,
    .json_lines = true,
};

}  // namespace unshade::cli::verbs::scan
