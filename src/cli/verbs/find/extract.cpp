#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/pica/embedded.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/system/file.hpp>
#include <unshade/unpack/contents.hpp>
#include <unshade/unpack/documents.hpp>
#include <unshade/unpack/search.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/verbs/find/search_faults.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::extract {

namespace {

constexpr Option kNumber{"number", 'n', Takes::text, "N", {}, "write the shader with this number (from 0) or name instead of the list"};
constexpr Option kReplace{"replace", 'r', Takes::file,
                          "SHADER",  {},  "write the whole file with SHADER instead of the one selected with -n"};
constexpr Option kOptions[] = {kNumber, kReplace, write::kOutputDir, kJson};

constexpr std::size_t kCopied = std::size_t{1} << 20;  ///< at once, if nothing is searched

/// A file and the shaders that were found in it.
struct Searched {
  std::string name;
  std::optional<Input> input;  ///< absent if the file was searched piece by piece
  std::vector<unpack::Content> shaders;
};

/// Reports what kept the search from a file or, else, from parts of it.
Exit report_search(const unpack::SearchedFile& file, Io& io) {
  if (file.fault.empty()) return report_layers(file, io);
  io.report(file.name, "io", file.fault);
  return Exit::failed;
}

/// All that `unshade scan` finds.
Exit scan_file(Searched& searched, Io& io) {
  unpack::Search how;
  how.keep = true;
  unpack::SearchedFile file;
  std::vector<pica::Embedded> named;
  Exit exit = Exit::ok;
  if (searched.input) {
    named = pica::find_embedded(searched.input->view());
    file = unpack::search_bytes(searched.name, searched.input->view(), how);
  } else {
    unpack::EmbeddedSearch pieces;
    exit = io.read_pieces(searched.name, unpack::EmbeddedSearch::kPiece,
                          [&](View piece, bool is_last) { return std::optional(pieces.add(piece, is_last)); });
    named = std::move(pieces.found);
    unpack::search_files(
        {searched.name}, how, 1, [](std::uint64_t) {},
        [&](unpack::SearchedFile&& one) {
          file = std::move(one);
          return true;
        });
  }
  exit = worse(exit, report_search(file, io));
  searched.shaders = contents_of(std::move(file), std::move(named));
  // what was found is worth more than that an archive in it is damaged
  return exit == Exit::invalid && !searched.shaders.empty() ? Exit::ok : exit;
}

Exit search(Searched& searched, Io& io) {
  const auto size = system::regular_file_bytes(searched.name);
  if (size && *size > unpack::EmbeddedSearch::kPiece) {
    const auto head = io.read_range(searched.name, 0, 4096);
    if (!head) return Exit::failed;
    if (!shader::is_shader(View(*head))) return scan_file(searched, io);
  }
  Read input = io.read(searched.name, Whole::any);
  if (!input) return input.exit;
  searched.name = input->name;
  searched.input = std::move(*input);
  if (!unpack::has_own_contents(searched.input->view())) return scan_file(searched, io);
  auto shaders = unpack::own_contents(searched.input->view());
  if (!shaders) return io.refuse_file(searched.name, shaders.error());
  searched.shaders = *std::move(shaders);
  return Exit::ok;
}

std::optional<std::vector<std::byte>> bytes_of(const Searched& searched, const unpack::Content& shader, Io& io) {
  if (shader.layers != nullptr) {
    auto kept = shader.spooled ? shader.spool->get(*shader.spooled, shader.at.bytes) : std::nullopt;
    if (!kept) io.report(searched.name, "io", "cannot write unpacked data to a temporary file");
    return kept;
  }
  if (!searched.input) return io.read_range(searched.name, shader.at.offset, shader.at.bytes);
  const auto bytes = searched.input->view().clamped(static_cast<std::size_t>(shader.at.offset), shader.at.bytes).bytes();
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

std::string_view suffix_of(View shader) { return shader::traits_of(shader::identify(shader)).file_suffix; }

/// Lists shaders, and writes them below --output-dir if that is given.
class Listing {
 public:
  Listing(const Args& args, Io& io) : io_(io), places_(args.value(write::kOutputDir.name)), writes_(args.has(write::kOutputDir.name)) {
    if (args.has(kJson.name)) print::begin_files(json_.emplace(io.out), print::Schema::extract);
  }
  ~Listing() {
    if (json_) print::end_files(*json_, io_);
  }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  write::ResultPlaces& places() { return places_; }

  /// `heading`: the file's name above its shaders.
  Exit add(const std::string& path, const Searched& searched, bool heading) {
    if (json_) {
      json_->begin_object();
      json_->member("file", searched.name);
      json_->key("shaders");
      json_->begin_array();
    } else if (heading) {
      io_.out.paint(Paint::heading);
      print_safely(io_.out.text, searched.name);
      io_.out.paint(Paint::plain) << '\n';
    }
    Exit exit = Exit::ok;
    for (std::size_t i = 0; i < searched.shaders.size(); ++i) {
      std::string output;
      if (writes_ && !write(path, searched, i, output)) exit = Exit::failed;
      json_ ? write_content(searched.shaders[i], output, *json_) : print_content(i, searched.shaders[i], output, io_.out);
      if (!io_.out.keep_going()) break;
    }
    if (json_) {
      json_->end_array();
      json_->end_object();
    }
    return exit;
  }

 private:
  bool write(const std::string& path, const Searched& searched, std::size_t number, std::string& output) {
    const auto bytes = bytes_of(searched, searched.shaders[number], io_);
    if (!bytes) return false;
    std::string fault = places_.place(path, '.' + std::to_string(number) + std::string(suffix_of(View(*bytes))), output);
    if (fault.empty()) fault = write::make_folders_of(output);
    OutputFile file;
    if (fault.empty() && (!file.open(output) || !file.write(View(*bytes).text()) || !file.commit())) fault = file.fault;
    if (fault.empty()) return true;
    io_.report(output, "io", fault);
    output.clear();
    return false;
  }

  Io& io_;
  write::ResultPlaces places_;
  bool writes_;
  std::optional<Json> json_;
};

Exit list_all(const Args& args, Io& io) {
  Listing listing(args, io);
  Exit exit = Exit::ok;
  Args all = args;
  all.set(kAll.name, {});  // shaders lie in files of any kind
  for (const write::ResultPlaces::Operand& operand : listing.places().find(all, 0, io, exit)) {
    listing.places().begin(operand.name);
    const bool is_folder = listing.places().is_folder();
    std::size_t found = 0;
    for (const std::string& name : operand.files) {
      Searched searched;
      searched.name = name;
      const Exit done = search(searched, io);
      exit = worse(exit, done);
      if (done != Exit::ok) continue;
      found += searched.shaders.size();
      // Most files of a folder have none.
      if (searched.shaders.empty() && is_folder) continue;
      exit = worse(exit, listing.add(name, searched, is_folder || args.operands.size() > 1));
      if (!searched.shaders.empty()) continue;
      io.report(searched.name, Error{ErrorCode::missing, 0, {}, "no shader in this file"});
      exit = worse(exit, Exit::invalid);
    }
    if (!is_folder || found != 0) continue;
    io.report(operand.name, Error{ErrorCode::missing, 0, {}, "no shader in the files of this folder"});
    exit = worse(exit, Exit::invalid);
  }
  return exit;
}

/// The number of the shader that --number tells; none, and a complaint, if there is no such shader.
std::optional<std::size_t> number_of(std::string_view text, const Searched& searched, Io& io) {
  const std::vector<unpack::Content>& found = searched.shaders;
  std::size_t number = 0;
  if (const auto stated = as_number<std::size_t>(text)) {
    number = *stated;
  } else {
    // not a number: a name
    while (number < found.size() && found[number].at.name != text) ++number;
    if (number < found.size()) return number;
    io.report(searched.name, Error{ErrorCode::missing, 0, {}, "the file has no shader named " + std::string(text)});
    return std::nullopt;
  }
  if (number < found.size()) return number;
  io.report(searched.name, Error{ErrorCode::missing, 0, {}, "the file only has " + std::to_string(found.size()) + " shaders"});
  return std::nullopt;
}

/// Writes a file that is too large to be read as a whole, with another shader in the place of one.
Exit replace_in_pieces(const std::string& name, const pica::Embedded& old, View with, Io& io) {
  const auto patch = unpack::EmbeddedPatch::of(old, with);
  if (!patch) return io.refuse_file(name, patch.error());
  return io.read_pieces(name, kCopied, [&](View piece, bool) -> std::optional<std::size_t> {
    io.write_bytes(patch->applied(piece));
    if (!io.out.keep_going()) return std::nullopt;
    return 0;
  });
}

Exit run_extract(const Args& args, Io& io) {
  if (!args.has(kNumber.name)) {
    if (args.has(kReplace.name)) return io.refuse_usage("--replace requires the number of the shader to replace (-n)");
    return list_all(args, io);
  }
  if (write::refuses_json(args, "extract -n", io)) return Exit::failed;
  if (args.operands.size() != 1) return io.refuse_usage("--number requires a single file");
  if (args.has(write::kOutputDir.name)) return io.refuse_usage("--output-dir and --number are mutually exclusive");
  Searched searched;
  searched.name = args.operands.front();
  if (args.has(kReplace.name)) io.edits(searched.name);
  if (const Exit exit = search(searched, io); exit != Exit::ok) return exit;
  const auto number = number_of(args.value(kNumber.name), searched, io);
  if (!number) return Exit::invalid;
  if (io.refuses_bytes("extract")) return Exit::failed;
  const unpack::Content& found = searched.shaders[*number];
  if (!args.has(kReplace.name)) {
    const auto bytes = bytes_of(searched, found, io);
    if (!bytes) return Exit::failed;
    io.write_bytes(*bytes);
    return Exit::ok;
  }
  if (const auto checked = check_replaceable(found); !checked) return io.refuse_file(searched.name, checked.error());
  const auto other = io.read(std::string(args.value(kReplace.name)), Whole::any);
  if (!other) return other.exit;
  if (!searched.input || !unpack::has_own_contents(searched.input->view()))
    if (const auto checked = pica::check_replacement(other->view()); !checked) return io.refuse_file(other->name, checked.error());
  if (!searched.input) return replace_in_pieces(searched.name, found.at, other->view(), io);
  const auto replaced = replace_content(searched.input->view(), *number, found, other->view());
  if (!replaced) return io.refuse_file(searched.name, replaced.error());
  io.write_bytes(*replaced);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade extract game.exe", "list the shaders in a program"},
    {"unshade extract scene.bcsdr", "list the shaders in a CGFX, with offsets and names"},
    {"unshade extract -n 0 -o shader.shbin game.3dsx", "write the first shader of a program"},
    {"unshade extract -n fragment -o fragment.spv textured.vbc", "write the SPIR-V of one stage of a VBC"},
    {"unshade extract -n Render/P0/VertexShader -o vs.dxbc effect.fxo", "write a shader of a pass of an effect"},
    {"unshade extract -d shaders romfs/", "write all shaders in the files of a folder, each to its own file"},
    {"unshade extract -n 0 -r new.shbin -o new.bcsdr scene.bcsdr", "replace a shader"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange, &samples::kSquares};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade as squares.asm -o squares.cso
$ printf 'not a shader' | cat - orange.cso squares.cso > pack.bin
$ unshade extract pack.bin
0  0x0000000c  156 bytes  dxbc ps_5_0
1  0x000000a8  160 bytes  dxbc cs_5_0
$ unshade extract -n 1 -o second.cso pack.bin
$ unshade info second.cso
second.cso  dxbc  cs_5_0  160 bytes  3 instructions  digest valid  -  SHEX:116)";

}  // namespace

const VerbBody kBody{
    .description =
        "Lists or extracts the shaders of an effect (fx_4_0 to fx_5_0), by the names of variables (vs, vs[1]) or of technique, pass "
        "and state. For a VBC, lists, extracts or replaces the SPIR-V modules of its stages. In any other file, finds what unshade scan "
        "finds, also in archives and compressed files, each listed with number, offset, size, family and profile; in CGFX files (.bcsdr "
        "and similar) also with its name. With --number, writes that shader; with --replace too, writes the file with another shader "
        "instead of it. Outside of effects and VBCs that is for PICA200 shaders, whose replacement must be a DVLB: a longer one is placed "
        "after the data of a CGFX, if no other block follows, as that could not be moved.\n\n"
        "All files in folders are searched. With --output-dir, writes every shader found to its own file, named after the input, with "
        "its number and .shbin, .spv, .dxbc or .dxil. Files of more than 64 MiB are searched in pieces, whatever their size; names of CGFX "
        "entries are found there if the shader is smaller than 16 MiB.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 the file has no such shader, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_extract,
};

}  // namespace unshade::cli::verbs::extract
