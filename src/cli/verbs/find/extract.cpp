#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/effect.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/pica/embedded.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/file.hpp>

#include <unshade/unpack/search.hpp>
#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"
#include "cli/write/made.hpp"
#include "core/little_endian.hpp"
#include "core/numbers.hpp"
#include "core/rounding.hpp"

namespace unshade::cli::verbs::extract {

namespace {

constexpr Option kNumber{"number", 'n', Takes::text, "N", {}, "write the shader with this number (from 0) or name instead of the list"};
constexpr Option kReplace{"replace", 'r', Takes::file,
                          "SHADER",  {},  "write the whole file with SHADER instead of the one selected with -n"};
constexpr Option kOptions[] = {kNumber, kReplace, write::kOutputDir, kJson};

/// Larger files are searched piece by piece: shaders of the largest programs have less than a tenth of kLookAhead.
constexpr std::size_t kPiece = std::size_t{1} << 26;
constexpr std::size_t kLookAhead = std::size_t{1} << 24;
constexpr std::size_t kCopied = std::size_t{1} << 20;  ///< at once, if nothing is searched

/// A shader that was found, and what is known of it.
struct Found {
  pica::Embedded at;
  shader::Family family = shader::Family::unknown;  ///< of those that a search finds
  std::string profile{};
  std::shared_ptr<const unpack::Layers> layers{};  ///< what it was unpacked from; null: it lies in the file as it is
  std::shared_ptr<unpack::Spool> spool{};          ///< of those that were unpacked: where their bytes are
  std::optional<std::uint64_t> spooled{};
};

/// A file and the shaders that were found in it.
struct Searched {
  std::string name;
  std::optional<Input> input;  ///< absent if the file was searched piece by piece
  std::vector<Found> shaders;
};

constexpr std::uint32_t kEffect = dxcontainer::fourcc("FX10");

/// The container that an effect is in; null if the file has no effect.
const dxcontainer::Container* effect_container(const Result<shader::Shader>& opened) {
  const auto* const container = opened ? std::get_if<dxcontainer::Container>(&opened->content) : nullptr;
  return container != nullptr && container->find(kEffect) != nullptr ? container : nullptr;
}

bool holds_stages(View file) { return shader::traits_of(shader::identify(file)).holds_stages; }

/// Whether the shaders of a file are the DVLBs that a search finds.
bool is_searched(View file) { return !holds_stages(file) && effect_container(shader::open(file)) == nullptr; }

/// The shaders of an effect, or the stages of a VBC.
Result<std::vector<Found>> find_shaders(View file) {
  std::vector<Found> found;
  const auto add = [&](View bytes, std::string_view name) {
    pica::Embedded& entry = found.emplace_back().at;
    entry.offset = bytes.file_offset();
    entry.bytes = static_cast<std::uint32_t>(bytes.size());
    entry.name = name;
  };
  const auto opened = shader::open(file);
  if (const auto* const container = effect_container(opened)) {
    const auto effect = dxbc::parse_effect(*container->find(kEffect));
    if (!effect) return effect.error();
    for (const dxbc::EffectShaderPlace& place : dxbc::shaders_of(*effect)) add(place.bytes, place.name);
    return found;
  }
  if (!opened) return opened.error();
  const auto modules = shader::modules_of(*opened);
  if (!modules) return modules.error();
  for (const shader::ModuleBytes& module : *modules) add(module.bytes, module.stage);
  return found;
}

/// The whole file with another shader in the place of one.
Result<std::vector<std::byte>> replace_shader(View file, std::size_t number, const pica::Embedded& old, View with) {
  const auto opened = shader::open(file);
  if (const auto* const container = effect_container(opened)) return dxbc::replace_shader(*container, number, with);
  if (!holds_stages(file)) return pica::replace_embedded(file, old, with.bytes());
  if (!opened) return opened.error();
  vbc::File edited = std::get<vbc::File>(opened->content);
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    const auto stage = static_cast<vbc::Stage>(i);
    if (vbc::id(stage) != old.name) continue;
    if (auto replaced = vbc::replace_stage(edited, stage, with); !replaced) return replaced.error();
  }
  return vbc::write(edited);
}

/// PICA200 shaders in a file that is too large to be read as a whole.
Exit find_in_pieces(const std::string& name, std::vector<pica::Embedded>& found, Io& io) {
  return io.read_pieces(name, kPiece, [&](View piece, bool is_last) {
    const std::size_t least = is_last ? 0 : kLookAhead;
    std::size_t done = piece.size() - std::min(least, piece.size());
    for (pica::Embedded& shader : pica::find_embedded(piece)) {
      if (!is_last && shader.offset >= piece.size() - least) break;  // the next piece has all of it
      done = std::max<std::size_t>(done, static_cast<std::size_t>(shader.offset) + shader.bytes);
      shader.offset += piece.file_offset();
      if (shader.reference != 0) shader.reference += piece.file_offset();
      found.push_back(std::move(shader));
    }
    done = std::min(piece.size(), round_up(done, 4));
    return std::optional(piece.size() - done);
  });
}

/// What the search found; of PICA200 shaders, with the names and sizes that entries of a CGFX state.
std::vector<Found> with_names(unpack::SearchedFile&& file, std::vector<pica::Embedded>&& named) {
  std::vector<Found> found;
  std::map<std::uint64_t, std::size_t> by_offset;  // of PICA200 shaders that lie in the file as it is
  for (unpack::FoundShader& shader : file.shaders) {
    if (shader.layers == nullptr && shader.hit.family == shader::Family::pica) by_offset.emplace(shader.hit.offset, found.size());
    Found& one = found.emplace_back();
    one.at.offset = shader.hit.offset;
    one.at.bytes = static_cast<std::uint32_t>(shader.hit.size);
    one.family = shader.hit.family;
    one.profile = std::move(shader.profile);
    one.layers = std::move(shader.layers);
    one.spool = std::move(shader.spool);
    one.spooled = shader.spooled;
  }
  for (pica::Embedded& entry : named) {
    if (const auto same = by_offset.find(entry.offset); same != by_offset.end())
      found[same->second].at = std::move(entry);
    else
      found.push_back({.at = std::move(entry), .family = shader::Family::pica});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    if (a.layers != nullptr || b.layers != nullptr) return a.layers == nullptr && b.layers != nullptr;
    return a.at.offset < b.at.offset;
  });
  return found;
}

/// Reports what kept the search from a file or from a part of it.
Exit report_faults(const unpack::SearchedFile& file, Io& io) {
  if (!file.fault.empty()) {
    io.report(file.name, "io", file.fault);
    return Exit::failed;
  }
  for (const unpack::LayerFault& layer : file.faults) {
    Text name;
    name << file.name;
    unpack::print_layers(name, layer.layers);
    io.report(name.view(), layer.error);
  }
  return file.faults.empty() ? Exit::ok : Exit::invalid;
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
    exit = find_in_pieces(searched.name, named, io);
    unpack::search_files(
        {searched.name}, how, 1, [](std::uint64_t) {},
        [&](unpack::SearchedFile&& one) {
          file = std::move(one);
          return true;
        });
  }
  exit = worse(exit, report_faults(file, io));
  searched.shaders = with_names(std::move(file), std::move(named));
  // what was found is worth more than that an archive in it is damaged
  return exit == Exit::invalid && !searched.shaders.empty() ? Exit::ok : exit;
}

Exit search(Searched& searched, Io& io) {
  const auto size = Io::file_bytes(searched.name);
  if (size && *size > kPiece) {
    const auto head = io.read_range(searched.name, 0, 4096);
    if (!head) return Exit::failed;
    if (!shader::is_shader(View(*head))) return scan_file(searched, io);
  }
  Read input = io.read(searched.name, Whole::any);
  if (!input) return input.exit;
  searched.name = input->name;
  searched.input = std::move(*input);
  if (is_searched(searched.input->view())) return scan_file(searched, io);
  auto shaders = find_shaders(searched.input->view());
  if (!shaders) return io.refuse_file(searched.name, shaders.error());
  searched.shaders = *std::move(shaders);
  return Exit::ok;
}

std::optional<std::vector<std::byte>> bytes_of(const Searched& searched, const Found& shader, Io& io) {
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
    if (args.has(kJson.name)) print::begin_files(json_.emplace(io.out), "unshade.extract/1");
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
      print(i, searched.shaders[i], output);
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

  void print(std::size_t number, const Found& shader, const std::string& output) {
    const bool is_known = shader.family != shader::Family::unknown;
    if (json_) {
      json_->begin_object();
      json_->member("offset", shader.at.offset);
      json_->member("size", std::uint64_t{shader.at.bytes});
      json_->member("name", shader.at.name);
      if (is_known) json_->member("family", shader::id(shader.family));
      if (!shader.profile.empty()) json_->member("profile", shader.profile);
      if (shader.layers != nullptr) json_->member("layers", layers_of(shader));
      if (!output.empty()) json_->member("output", output);
      json_->end_object();
      return;
    }
    io_.out.text.dec(number) << "  ";
    if (shader.layers != nullptr) print_safely(io_.out.text, layers_of(shader)), io_.out.text << ':';
    io_.out.text << "0x";
    io_.out.text.hex(shader.at.offset, 8) << "  ";
    io_.out.text.dec(shader.at.bytes) << " bytes";
    if (is_known) io_.out.text << "  " << shader::id(shader.family);
    if (!shader.profile.empty()) print_safely(io_.out.text << ' ', shader.profile);
    if (!shader.at.name.empty()) print_safely(io_.out.text << "  ", shader.at.name);
    if (!output.empty()) print_safely(io_.out.text << "  -> ", output);
    io_.out.text << '\n';
  }

  static std::string layers_of(const Found& shader) {
    Text text;
    unpack::print_layers(text, *shader.layers);
    return text.str();
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
  const std::vector<Found>& found = searched.shaders;
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
  if (with.size() > old.bytes)
    return io.refuse_file(
        name, Error{ErrorCode::unsupported, old.offset, "embedded",
                    "the new shader has " + std::to_string(with.size()) + " bytes, but the old one has " + std::to_string(old.bytes)});
  std::vector<std::byte> place(old.bytes);
  std::copy(with.bytes().begin(), with.bytes().end(), place.begin());
  std::vector<std::byte> size;
  append_little_endian(size, static_cast<std::uint32_t>(with.size()));
  return io.read_pieces(name, kCopied, [&](View piece, bool) -> std::optional<std::size_t> {
    std::vector<std::byte> bytes(piece.bytes().begin(), piece.bytes().end());
    const auto patch = [&](std::uint64_t offset, const std::vector<std::byte>& made) {
      for (std::size_t i = 0; i < made.size(); ++i) {
        const std::uint64_t at = offset + i - piece.file_offset();  // before the piece: wraps around to beyond it
        if (at < bytes.size()) bytes[static_cast<std::size_t>(at)] = made[i];
      }
    };
    patch(old.offset, place);
    if (old.reference != 0) patch(old.reference, size);
    io.write_bytes(bytes);
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
  const Found& found = searched.shaders[*number];
  if (!args.has(kReplace.name)) {
    const auto bytes = bytes_of(searched, found, io);
    if (!bytes) return Exit::failed;
    io.write_bytes(*bytes);
    return Exit::ok;
  }
  const pica::Embedded& shader = found.at;
  if (found.layers != nullptr || (found.family != shader::Family::unknown && found.family != shader::Family::pica))
    return io.refuse_file(
        searched.name,
        Error{ErrorCode::unsupported,
              shader.offset,
              {},
              found.layers != nullptr ? "the shader was unpacked from an archive or a compressed file, in which nothing can be replaced"
                                      : "only PICA200 shaders can be replaced inside of other files, and this one is of the family " +
                                            std::string(shader::id(found.family))});
  const auto other = io.read(std::string(args.value(kReplace.name)), Whole::any);
  if (!other) return other.exit;
  if (!searched.input || is_searched(searched.input->view()))
    if (const auto checked = pica::check_replacement(other->view()); !checked) return io.refuse_file(other->name, checked.error());
  if (!searched.input) return replace_in_pieces(searched.name, shader, other->view(), io);
  const auto replaced = replace_shader(searched.input->view(), *number, shader, other->view());
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
