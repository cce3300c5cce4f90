#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/index/merge.hpp>
#include <unshade/index/schema.hpp>
#include <unshade/index/stats.hpp>
#include <unshade/index/writer.hpp>
#include <unshade/unpack/search.hpp>
#include "cli/io/io.hpp"
#include "cli/io/version.hpp"
#include "cli/print/files.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/find/database_counts.hpp"
#include "cli/verbs/find/database_faults.hpp"
#include "cli/verbs/find/indexing.hpp"
#include "cli/verbs/find/shard.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::index {

namespace {

constexpr std::uint64_t kMostThreads = 256;

constexpr Option kDatabase{"output", 'o', Takes::file, "DB", {}, "the database to make, or to change with --update or --merge"};
constexpr Option kUpdate{
    "update", 'u', Takes::nothing,
    {},       {},  "search only files that are new or changed, or were searched with other options; forget those that are gone"};
constexpr Option kKeep{"keep", 0, Takes::nothing, {}, {}, "keep the bytes of each shader, so that search does not need the files"};
constexpr Option kText{"text", 0, Takes::nothing, {}, {}, "keep which words each listing has, for search --words; takes longer"};
constexpr Option kMerge{"merge", 0, Takes::nothing, {}, {}, "the operands are databases, which -o DB gets all of"};
constexpr Option kStats{"stats", 0, Takes::nothing, {}, {}, "count what is in the databases that are given"};
constexpr Option kCheck{"check", 0, Takes::nothing, {}, {}, "read all of the databases that are given, and check them"};
constexpr Option kIndexJobs{"jobs", 'j', Takes::text, "N", {}, "threads (default: the number of processors)"};
constexpr Option kNoUnpack{"no-unpack", 0, Takes::nothing, {}, {}, "search archives and compressed files as they are"};
constexpr Option kDecompress{"decompress", 0,  Takes::nothing,
                             {},           {}, "search compressed streams anywhere in the files too: zlib, gzip, zstd, LZ4, xz, LZMA"};
constexpr Option kOptions[] = {kDatabase, kUpdate, kKeep, kText, kDecompress, kNoUnpack, kShard, kMerge, kStats, kCheck, kIndexJobs, kJson};

std::optional<database::FileState> state_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return database::FileState{
      static_cast<std::int64_t>(status.st_size), std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec, {}};
}

/// As the table of files has it.
std::string search_words(const unpack::Search& search) {
  if (search.unpack) return search.streams ? "unpack streams" : "unpack";
  return search.streams ? "streams" : "";
}

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder.ends_with('/') ? folder : folder + '/');
}

/// What a run did.
struct Totals {
  std::uint64_t files = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t shaders = 0;
  std::uint64_t added = 0;
};

class Run {
 public:
  Run(const Args& args, Io& io, unpack::Search search, Shard shard, std::size_t threads)
      : args_(args), io_(io), search_(std::move(search)), shard_(shard), threads_(threads) {}

  Totals totals;
  Exit exit = Exit::ok;

  void into(database::Connection& database) {
    const auto started = static_cast<std::int64_t>(std::time(nullptr));
    database::KnownShaders known;
    database::Writer writer(database, known);
    const database::Keeps keeps = database::kept_by(database);
    search_.examine = [&known, keeps](View bytes) { return std::make_shared<const database::Entry>(entry_of(bytes, keeps, known)); };
    const std::vector<std::string> files = files_to_search(writer);
    if (args_.has(kUpdate.name)) forget_missing(database, writer);
    std::uint64_t total = 0;
    for (const std::string& file : files) total += Io::file_bytes(file).value_or(0);
    {
      print::Progress progress(io_.host(), total, print::kProgressBytes);
      search_files(
          files, search_, threads_, [&](std::uint64_t done) { progress.show(done); },
          [&](unpack::SearchedFile&& file) {
            if (!file.faults.empty() || !file.fault.empty()) progress.clear();
            add(file, writer);
            return true;
          });
    }
    totals.added = writer.new_shaders;
    writer.add_run(started, std::string(cli::version()), totals.files);
  }

 private:
  std::vector<std::string> files_to_search(database::Writer& writer) {
    Args all = args_;
    all.set(kAll.name, {});  // shaders lie in files of any kind
    const std::string words = search_words(search_);
    const std::vector<std::string> names = io_.inputs(all, exit);
    for (const Fault& fault : io_.faults()) unread_.push_back(fault.file);
    for (const std::string& operand : args_.operands)
      if (!state_of(operand)) unread_.push_back(operand);
    std::vector<std::string> files;
    for (const std::string& name : names) {
      if (!shard_.has(name) || is_own(name) || !seen_.insert(name).second) continue;
      auto state = state_of(name);
      if (state) state->search = words;
      states_.emplace(name, state.value_or(database::FileState{}));
      const auto before = args_.has(kUpdate.name) ? writer.searched(name) : std::nullopt;
      if (before && state && *before == *state)
        ++totals.unchanged;
      else
        files.push_back(name);
    }
    return files;
  }

  /// The database itself, and its journal.
  bool is_own(const std::string& name) const {
    const std::string own(args_.value(kDatabase.name));
    std::error_code fault;
    return name == own || name == own + "-journal" || std::filesystem::equivalent(name, own, fault);
  }

  /// Files that were below the operands, and are not there any more. What cannot be read may still be there.
  void forget_missing(database::Connection& database, database::Writer& writer) {
    std::vector<std::string> missing;
    database::Statement all = database.prepare("select path from file");
    while (all.step()) {
      std::string path(all.text(0));
      const auto is_below_it = [&](const std::string& folder) { return is_below(path, folder); };
      const bool is_asked = std::any_of(args_.operands.begin(), args_.operands.end(), is_below_it) &&
                            std::none_of(unread_.begin(), unread_.end(), is_below_it);
      if (is_asked && shard_.has(path) && !seen_.contains(path)) missing.push_back(std::move(path));
    }
    for (const std::string& path : missing) writer.remove_file(path);
    totals.removed = missing.size();
  }

  void add(const unpack::SearchedFile& file, database::Writer& writer) {
    ++totals.files;
    totals.bytes += file.size;
    totals.shaders += file.shaders.size();
    if (!file.fault.empty()) {
      io_.report(file.name, "io", file.fault);
      exit = Exit::failed;
    }
    std::string fault = file.fault;
    for (const unpack::LayerFault& layer : file.faults) {
      Text layers;
      print_layers(layers, layer.layers);
      io_.report(file.name + layers.str(), layer.error);
      exit = worse(exit, Exit::invalid);
      if (fault.empty()) fault = (layers.view().empty() ? std::string() : layers.str() + ": ") + to_string(layer.error);
    }
    if (!file.fault.empty() && file.shaders.empty()) {
      // what was known of a file that cannot be read stays; an operand that is not there may be a folder
      const bool is_missing = std::find(unread_.begin(), unread_.end(), file.name) != unread_.end();
      if (writer.set_fault(file.name, fault) || is_missing) return;
    }
    places_.clear();
    for (const unpack::FoundShader& shader : file.shaders) {
      Text layers;
      if (shader.layers != nullptr) print_layers(layers, *shader.layers);
      places_.push_back({static_cast<const database::Entry*>(shader.examined.get()), layers.str(), shader.hit.offset,
                         id(shader.hit.certainty), shader.hit.parent});
    }
    writer.add_file(file.name, states_[file.name], fault, places_);
  }

  const Args& args_;
  Io& io_;
  unpack::Search search_;
  Shard shard_;
  std::size_t threads_;
  std::unordered_set<std::string> seen_;
  std::vector<std::string> unread_;  ///< files and folders
  std::unordered_map<std::string, database::FileState> states_;
  std::vector<database::Place> places_;
};

void print_totals(const std::string& path, const Totals& totals, Text& out) {
  print_safely(out, path);
  (out << ": ").dec(totals.files) << (totals.files == 1 ? " file searched, " : " files searched, ");
  print::print_size(out, totals.bytes);
  if (totals.unchanged != 0) (out << ", ").dec(totals.unchanged) << " unchanged";
  if (totals.removed != 0) (out << ", ").dec(totals.removed) << " gone";
  (out << ", ").dec(totals.shaders) << (totals.shaders == 1 ? " shader, " : " shaders, ");
  out.dec(totals.added) << " new\n";
}

void print_totals(const std::string& path, const Totals& totals, Json& json, Io& io) {
  json.begin_object();
  json.member("schema", "unshade.index/1");
  json.member("database", path);
  json.member("files", totals.files);
  json.member("unchanged", totals.unchanged);
  json.member("removed", totals.removed);
  json.member("bytes", totals.bytes);
  json.member("shaders", totals.shaders);
  json.member("new", totals.added);
  print::write_faults(json, io);
  json.end_object();
  json.finish();
}

Exit run_files(const Args& args, Io& io) {
  unpack::Search search;
  search.unpack = !args.has(kNoUnpack.name);
  search.streams = args.has(kDecompress.name);
  Shard shard;
  if (args.has(kShard.name)) {
    const auto asked = shard_of(args.value(kShard.name));
    if (!asked) return io.refuse_usage(kShardFault);
    shard = *asked;
  }
  const auto threads =
      io.count_of(args, kIndexJobs, std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads), kMostThreads);
  if (!threads) return Exit::failed;
  const std::string path(args.value(kDatabase.name));
  const bool is_old = database::is_there(path);
  if (is_old && !args.has(kUpdate.name)) {
    io.report(path, "usage", "the database is there already: --update adds to it, and continues a run that was interrupted");
    return Exit::failed;
  }
  const database::Keeps keeps{args.has(kKeep.name), args.has(kText.name)};
  const auto database = database::open_database(path, database::Mode::make, keeps);
  if (is_old) {
    const database::Keeps kept = database::kept_by(*database);
    if ((keeps.bytes && !kept.bytes) || (keeps.listings && !kept.listings)) {
      io.report(path, "usage", "--keep and --text are only valid for a new database");
      return Exit::failed;
    }
  }
  Run run(args, io, std::move(search), shard, static_cast<std::size_t>(*threads));
  run.into(*database);
  if (args.has(kJson.name)) {
    Json json(io.out);
    print_totals(path, run.totals, json, io);
  } else {
    print_totals(path, run.totals, io.out.text);
  }
  return run.exit;
}

/// Whether a database joins: that it keeps what `keeps` says, and has no other file of a path that one before it has.
Exit check_operand(const std::string& path, const std::string& other, database::SeenFiles& seen, database::Keeps& keeps, Io& io) {
  std::error_code fault;
  if (std::filesystem::equivalent(path, other, fault)) {
    io.report(other, "usage", "the database to make is among those to join");
    return Exit::failed;
  }
  const auto opened = open_database(other, database::Mode::read);
  const database::Keeps kept = kept_by(*opened);
  if (database::is_there(path)) {
    const auto lacks = [&](std::string_view option, std::string_view what) {
      io.report(other, "usage",
                "made without --" + std::string(option) + ", so it lacks " + std::string(what) + " that " + path +
                    " keeps: index its files with --" + std::string(option));
      return Exit::failed;
    };
    if (keeps.listings && !kept.listings) return lacks("text", "the words of listings");
    if (keeps.bytes && !kept.bytes) return lacks("keep", "the bytes of shaders");
  } else {
    keeps = {keeps.bytes && kept.bytes, keeps.listings && kept.listings};
  }
  if (const auto twice = seen.add(other, *opened)) {
    Text message;
    print_safely(message << "its file ", twice->path);
    print_safely(message << " has other shaders than that of ", twice->first);
    io.report(other, "usage", message.view());
    return Exit::failed;
  }
  return Exit::ok;
}

struct MergeTotals {
  std::uint64_t databases = 0;
  database::Merged of;
};

void print_totals(const std::string& path, const MergeTotals& totals, bool as_json, Io& io) {
  if (as_json) {
    Json json(io.out);
    json.begin_object();
    json.member("schema", "unshade.index-merge/1");
    json.member("database", path);
    json.member("databases", totals.databases);
    json.member("files", totals.of.files);
    json.member("replaced", totals.of.replaced);
    json.member("new", totals.of.added);
    json.end_object();
    return json.finish();
  }
  Text& out = io.out.text;
  print_safely(out, path);
  (out << ": ").dec(totals.databases) << (totals.databases == 1 ? " database, " : " databases, ");
  out.dec(totals.of.files) << (totals.of.files == 1 ? " file, " : " files, ");
  if (totals.of.replaced != 0) out.dec(totals.of.replaced) << " replaced, ";
  out.dec(totals.of.added) << (totals.of.added == 1 ? " new shader\n" : " new shaders\n");
}

Exit run_merge(const Args& args, Io& io) {
  const std::string path(args.value(kDatabase.name));
  database::Keeps keeps{true, true};
  if (database::is_there(path)) keeps = kept_by(*open_database(path, database::Mode::read));
  database::SeenFiles seen;
  for (const std::string& other : args.operands)
    if (const Exit exit = with_database(other, io, [&] { return check_operand(path, other, seen, keeps, io); }); exit != Exit::ok)
      return exit;
  const auto database = database::open_database(path, database::Mode::make, keeps);
  MergeTotals totals;
  {
    print::Progress progress(io.host(), args.operands.size(), "databases");
    for (const std::string& other : args.operands) {
      progress.show(totals.databases++);
      try {
        const database::Merged merged = merge_database(*database, other);
        totals.of.files += merged.files;
        totals.of.replaced += merged.replaced;
        totals.of.added += merged.added;
      } catch (const database::Fault& fault) {
        // SQLite does not say which of the two it is
        if (fault.kind != database::Fault::Kind::damaged) throw;
        const Exit exit = with_database(other, io, [&] {
          check_database(*open_database(other, database::Mode::read));
          return Exit::ok;
        });
        if (exit == Exit::ok) throw;
        return exit;
      }
    }
  }
  print_totals(path, totals, args.has(kJson.name), io);
  return Exit::ok;
}

Exit run_stats(const Args& args, Io& io) {
  Exit exit = Exit::ok;
  std::optional<Json> json;
  const bool has_stats = args.has(kStats.name);
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), has_stats ? "unshade.index-stats/1" : "unshade.index-check/1");
  for (const std::string& path : args.operands) {
    exit = worse(exit, with_database(path, io, [&] {
                   const auto database = database::open_database(path, database::Mode::read);
                   if (args.has(kCheck.name)) check_database(*database);
                   if (has_stats)
                     json ? write_stats(path, stats_of(*database, path), *json) : print_stats(path, stats_of(*database, path), io.out);
                   else if (json)
                     json->object([&] { json->member("file", path); });
                   else
                     print_safely(io.out.text, path), io.out.text << ": whole\n";
                   return Exit::ok;
                 }));
  }
  if (json) print::end_files(*json, io);
  return exit;
}

Exit run_index(const Args& args, Io& io) {
  const bool is_reading = args.has(kStats.name) || args.has(kCheck.name);
  if (args.operands.empty()) return io.refuse_usage(is_reading || args.has(kMerge.name) ? "DB is required" : "PATH is required");
  if (is_reading) {
    const std::string_view reading = args.has(kStats.name) ? kStats.name : kCheck.name;
    for (const Option& other : {kDatabase, kUpdate, kKeep, kText, kShard, kMerge, kDecompress, kNoUnpack})
      if (args.has(other.name))
        return io.refuse_usage("--" + std::string(reading) + " and --" + std::string(other.name) + " are mutually exclusive");
    return run_stats(args, io);
  }
  if (!args.has(kDatabase.name)) return io.refuse_usage("-o DB is required: the database to make");
  if (args.value(kDatabase.name) == "-") return io.refuse_usage("a database cannot be written to standard output: -o DB");
  if (std::find(args.operands.begin(), args.operands.end(), "-") != args.operands.end())
    return io.refuse_usage("index does not read standard input: give files or folders");
  const bool is_merging = args.has(kMerge.name);
  if (is_merging)
    for (const Option& other : {kUpdate, kKeep, kText, kShard, kDecompress, kNoUnpack})
      if (args.has(other.name)) return io.refuse_usage("--merge and --" + std::string(other.name) + " are mutually exclusive");
  return with_database(std::string(args.value(kDatabase.name)), io, [&] { return is_merging ? run_merge(args, io) : run_files(args, io); });
}

constexpr Example kExamples[] = {
    {"unshade index -o games.udb games/", "find all shaders in the files of a folder, and index them"},
    {"unshade index --update -o games.udb games/", "follow what has changed there, or continue a run that was interrupted"},
    {"unshade index --keep --text -o games.udb games/", "keep bytes and words of listings too"},
    {"unshade index --shard 3/16 -o 3.udb games/", "index a sixteenth of the files, on one of sixteen machines"},
    {"unshade index --merge [0-9]*.udb -o games.udb", "join databases"},
    {"unshade index --stats games.udb", "count what is in a database"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange, &samples::kSquares};
constexpr std::string_view kSession = R"($ mkdir shaders
$ unshade as orange.asm -o shaders/orange.cso
$ unshade as squares.asm -o shaders/squares.cso
$ unshade index -o shaders.udb shaders
shaders.udb: 2 files searched, 316 bytes, 2 shaders, 2 new
$ unshade search shaders.udb --uses imul
shaders/squares.cso:0x00000000  160 bytes  dxbc cs_5_0)";

}  // namespace

Exit index_paths(database::Connection& database, const std::vector<std::string>& paths, std::size_t threads, Io& io) {
  Args args;
  args.operands = paths;
  Run run(args, io, unpack::Search{}, Shard{}, threads);
  run.into(database);
  return run.exit;
}

const VerbBody kBody{
    .description =
        "Finds the shaders in files of any kind, as scan does, and writes into one file of SQLite what they are: places, stage, profile, "
        "compiler, names and bindings of the interface, opcodes, the names by which tools call them (hash), and a sketch for similarity. "
        "unshade search searches it. A shader that is in several places is read once.\n\n"
        "The database is whole at any moment: a run that is interrupted loses the last seconds, and --update continues it. Pages have "
        "checksums: a damaged file is an error.\n\n"
        "Databases of shards (--shard), from any number of machines, are joined with --merge.",
    .operands = {"PATH", Takes::file, {}, false, true},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 an archive cannot be unpacked or a database is damaged, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_index,
    .makes_output = true,
};

}  // namespace unshade::cli::verbs::index
