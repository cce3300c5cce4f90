#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/index/documents.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/progress.hpp"
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
    {},       {},  "search only files that are new or changed, or were searched with other options; drop those that are gone"};
constexpr Option kKeep{"keep", 0, Takes::nothing, {}, {}, "keep the bytes of each shader, so that search does not need the files"};
constexpr Option kText{"text", 0, Takes::nothing, {}, {}, "keep the words of each listing, for search --words; takes longer"};
constexpr Option kMerge{"merge", 0, Takes::nothing, {}, {}, "join the databases given into that of -o DB"};
constexpr Option kStats{"stats", 0, Takes::nothing, {}, {}, "print statistics of the databases given"};
constexpr Option kCheck{"check", 0, Takes::nothing, {}, {}, "check the databases given, reading all of them"};
constexpr Option kIndexJobs{"jobs", 'j', Takes::text, "N", {}, "threads (default: the number of processors)"};
constexpr Option kNoUnpack{"no-unpack", 0, Takes::nothing, {}, {}, "do not unpack archives and compressed files"};
constexpr Option kDecompress{"decompress", 0,  Takes::nothing,
                             {},           {}, "search compressed streams anywhere in the files too: zlib, gzip, zstd, LZ4, xz, LZMA"};
constexpr Option kOptions[] = {kDatabase, kUpdate, kKeep, kText, kDecompress, kNoUnpack, kShard, kMerge, kStats, kCheck, kIndexJobs, kJson};

void print_totals(const std::string& path, const database::Totals& totals, Text& out) {
  print_safely(out, path);
  (out << ": ").dec(totals.files) << (totals.files == 1 ? " file searched, " : " files searched, ");
  print::print_size(out, totals.bytes);
  if (totals.unchanged != 0) (out << ", ").dec(totals.unchanged) << " unchanged";
  if (totals.removed != 0) (out << ", ").dec(totals.removed) << " gone";
  (out << ", ").dec(totals.shaders) << (totals.shaders == 1 ? " shader, " : " shaders, ");
  out.dec(totals.added) << " new\n";
}

Exit run_files(const Args& args, Io& io) {
  database::Additions additions;
  additions.unpack = !args.has(kNoUnpack.name);
  additions.streams = args.has(kDecompress.name);
  additions.update = args.has(kUpdate.name);
  if (args.has(kShard.name)) {
    const auto asked = unpack::shard_of(args.value(kShard.name));
    if (!asked) return io.refuse_usage(kShardFault);
    additions.shard = *asked;
  }
  const auto threads =
      io.count_of(args, kIndexJobs, std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads), kMostThreads);
  if (!threads) return Exit::failed;
  additions.threads = static_cast<std::size_t>(*threads);
  const std::string path(args.value(kDatabase.name));
  const bool is_old = database::is_there(path);
  if (is_old && !additions.update) {
    io.report(path, "usage", "the database exists: --update adds to it, and resumes an interrupted run");
    return Exit::failed;
  }
  const database::Keeps keeps{args.has(kKeep.name), args.has(kText.name)};
  auto database = database::Database::make(path, keeps);
  if (!database) return refuse_database(path, database.error(), io);
  const database::Keeps kept = database->keeps();
  if ((keeps.bytes && !kept.bytes) || (keeps.listings && !kept.listings)) {
    io.report(path, "usage", "--keep and --text are only valid for a new database");
    return Exit::failed;
  }
  Exit exit = Exit::ok;
  const auto totals = add_files(args, std::move(additions), *database, io, exit);
  if (!totals) return refuse_database(path, totals.error(), io);
  if (args.has(kJson.name)) {
    Json json(io.out);
    database::write_totals(path, *totals, io.faults(), json);
  } else {
    print_totals(path, *totals, io.out.text);
  }
  return exit;
}

Exit refuse_joining(const std::string& path, const std::vector<std::string>& others, std::size_t at, const database::Refusal& refusal,
                    Io& io) {
  const auto lacks = [&](std::string_view option, std::string_view what) {
    return "made without --" + std::string(option) + ", so it lacks " + std::string(what) + " that " + path +
           " keeps: index its files with --" + std::string(option);
  };
  Text message;
  switch (refusal.why) {
    case database::Refusal::Why::itself: message << "the output database is also one of the databases to merge"; break;
    case database::Refusal::Why::no_listings: message << lacks("text", "the words of listings"); break;
    case database::Refusal::Why::no_bytes: message << lacks("keep", "the bytes of shaders"); break;
    case database::Refusal::Why::other_file:
      print_safely(message << "its file ", refusal.path);
      print_safely(message << " has other shaders than that of ", others[refusal.first]);
      break;
  }
  io.report(others[at], "usage", message.view());
  return Exit::failed;
}

Exit run_merge(const Args& args, Io& io) {
  const std::string path(args.value(kDatabase.name));
  std::optional<database::Keeps> keeps;
  if (database::is_there(path)) {
    const auto old = database::Database::open(path);
    if (!old) return refuse_database(path, old.error(), io);
    keeps = old->keeps();
  }
  database::Joining joining(path, keeps);
  for (std::size_t i = 0; i < args.operands.size(); ++i) {
    const auto refusal = joining.add(args.operands[i]);
    if (!refusal) return refuse_database(args.operands[i], refusal.error(), io);
    if (*refusal) return refuse_joining(path, args.operands, i, **refusal, io);
  }
  auto database = database::Database::make(path, joining.keeps());
  if (!database) return refuse_database(path, database.error(), io);
  std::uint64_t databases = 0;
  database::Merged all;
  {
    print::Progress progress(io.host(), args.operands.size(), "databases");
    for (const std::string& other : args.operands) {
      progress.show(databases++);
      auto merged = database->merge(other);
      if (!merged) {
        Error error = std::move(merged).error();
        const bool is_other = error.path == "other";
        error.path.clear();
        return refuse_database(is_other ? other : path, error, io);
      }
      all.files += merged->files;
      all.replaced += merged->replaced;
      all.added += merged->added;
    }
  }
  if (!args.has(kJson.name)) return print_merged(path, databases, all, io.out), Exit::ok;
  Json json(io.out);
  database::write_merged(path, databases, all, json);
  return Exit::ok;
}

/// Checks a database, or counts what is in it.
Exit read_one(const std::string& path, const Args& args, Json* json, Io& io) {
  auto opened = database::Database::open(path);
  if (!opened) return refuse_database(path, opened.error(), io);
  if (args.has(kCheck.name))
    if (const auto checked = opened->check(); !checked) return refuse_database(path, checked.error(), io);
  if (args.has(kStats.name)) {
    const auto stats = opened->stats();
    if (!stats) return refuse_database(path, stats.error(), io);
    json != nullptr ? write_stats(path, *stats, *json) : print_stats(path, *stats, io.out);
  } else if (json != nullptr) {
    json->object([&] { json->member("file", path); });
  } else {
    print_safely(io.out.text, path), io.out.text << ": whole\n";
  }
  return Exit::ok;
}

Exit run_stats(const Args& args, Io& io) {
  Exit exit = Exit::ok;
  std::optional<Json> json;
  if (args.has(kJson.name))
    print::begin_files(json.emplace(io.out), args.has(kStats.name) ? print::Schema::index_stats : print::Schema::index_check);
  for (const std::string& path : args.operands) exit = worse(exit, read_one(path, args, json ? &*json : nullptr, io));
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
  return is_merging ? run_merge(args, io) : run_files(args, io);
}

constexpr Example kExamples[] = {
    {"unshade index -o games.udb games/", "find all shaders in the files of a folder, and index them"},
    {"unshade index --update -o games.udb games/", "add what has changed there, or resume an interrupted run"},
    {"unshade index --keep --text -o games.udb games/", "keep bytes and words of listings too"},
    {"unshade index --shard 3/16 -o 3.udb games/", "index a sixteenth of the files, on one of sixteen machines"},
    {"unshade index --merge [0-9]*.udb -o games.udb", "join databases"},
    {"unshade index --stats games.udb", "print statistics of a database"},
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

const VerbBody kBody{
    .description =
        "Finds the shaders in files of any kind, as scan does, and writes into one file of SQLite what they are: places, stage, profile, "
        "compiler, names and bindings of the interface, opcodes, the names by which tools call them (hash), and a sketch for similarity. "
        "unshade search searches it. A shader that is in several places is read once.\n\n"
        "Interrupting is safe: at most the last seconds of work are lost, and --update resumes. Pages have "
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
