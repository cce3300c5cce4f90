#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/find/identity.hpp>
#include <unshade/index/documents.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/folder.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/find/database_faults.hpp"
#include "cli/verbs/find/indexing.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::search {

namespace {

constexpr std::uint64_t kMostThreads = 256;
constexpr std::uint64_t kMostPercent = 100;
constexpr std::uint64_t kDefaultPercent = 50;
constexpr std::uint64_t kMostShown = 1'000'000'000;
constexpr std::uint64_t kMostAround = 1000;

constexpr Option kBinds{"binds", 0,  Takes::text,
                        "NAME",  {}, "shaders that bind it: cbuffer:Camera, Camera, t3; or have it: input:TEXCOORD*, variable:tint",
                        true};
constexpr Option kUses{"uses", 0, Takes::text, "OPCODE", {}, "shaders that use it, as listings spell it: discard, sample*", true};
constexpr Option kHash{"hash", 0,  Takes::text,
                       "HASH", {}, "shaders with this hash, in the notation of any tool (see unshade hash), or with its first 8 digits"};
constexpr Option kLike{"like", 0, Takes::file, "FILE", {}, "shaders whose opcodes are similar to those of FILE, the most similar first"};
constexpr Option kThreshold{"threshold", 0, Takes::text, "PERCENT", {}, "with --like, the minimum similarity, from 1 to 100 (default: 50)"};
constexpr Option kWhere{"where", 0, Takes::text, "SQL", {}, "shaders for which a condition holds: \"profile = 'ps_5_0' and size > 9000\""};
constexpr Option kWords{"words", 0, Takes::text, "WORDS", {}, "shaders whose listing has these words (databases made with --text)"};
constexpr Option kRegex{"regex", 'e', Takes::text, "RE", {}, "list the shaders again, and print lines that match (Perl-compatible)"};
constexpr Option kIgnoreCase{"ignore-case", 'i', Takes::nothing, {}, {}, "with --regex, ignore case"};
constexpr Option kContext{"context", 'C', Takes::text, "N", {}, "with --regex, print N lines around each, too"};
constexpr Option kLimit{"limit", 'n', Takes::text, "N", {}, "print the first N shaders only"};
constexpr Option kPlaces{"places", 0, Takes::nothing, {}, {}, "print all places of each shader, not only the first"};
constexpr Option kFileNames{
    "files-with-matches", 'l', Takes::nothing, {}, {}, "print only the names of the files with such shaders, each once"};
constexpr Option kCount{"count", 'c', Takes::nothing, {}, {}, "print only the number of shaders"};
constexpr Option kSearchJobs{"jobs", 'j', Takes::text, "N", {}, "threads for --regex (default: the number of processors)"};
constexpr Option kOptions[] = {kBinds,      kUses,    kHash,  kLike,   kThreshold, kWhere, kWords,      kRegex,
                               kIgnoreCase, kContext, kLimit, kPlaces, kFileNames, kCount, kSearchJobs, kJson};

class Report {
 public:
  Report(const Args& args, Io& io)
      : is_json_(args.has(kJson.name)),
        has_all_places_(args.has(kPlaces.name)),
        counts_only_(args.has(kCount.name)),
        names_only_(args.has(kFileNames.name)),
        io_(io) {}

  std::uint64_t shown = 0;

  void add(const database::Found& one) {
    ++shown;
    if (counts_only_) return;
    if (names_only_) return print_names(one);
    is_json_ ? write_found(one, io_.out) : print_found(one, has_all_places_, io_.out);
  }

 private:
  void print_names(const database::Found& one) {
    for (const database::FoundPlace& place : one.row.places) {
      if (!named_.insert(place.path).second) continue;
      print_safely(io_.out.text, place.path);
      io_.out.text << '\n';
    }
  }

  bool is_json_;
  bool has_all_places_;
  bool counts_only_;
  bool names_only_;
  std::set<std::string> named_;
  Io& io_;
};

/// The conditions that the options state. Nothing, and a report, if they cannot be followed.
std::optional<database::Query> query_of(const Args& args, const database::Database& database, Io& io) {
  database::Conditions conditions;
  for (std::size_t i = 1; i < args.operands.size(); ++i) {
    const std::string& text = args.operands[i];
    if (database::is_database(text)) {
      io.refuse_usage("only the first operand may be a database, and " + text + " is another: make one of both (index --merge -o DB " +
                      args.operands.front() + ' ' + text + ')');
      return std::nullopt;
    }
    conditions.names.push_back(text);
  }
  for (const std::string_view text : args.values(kBinds.name)) conditions.binds.emplace_back(text);
  for (const std::string_view text : args.values(kUses.name)) conditions.uses.emplace_back(text);
  const auto value_of = [&](const Option& option) {
    return args.has(option.name) ? std::optional<std::string>(args.value(option.name)) : std::nullopt;
  };
  conditions.hash = value_of(kHash);
  conditions.where = value_of(kWhere);
  conditions.words = value_of(kWords);
  auto query = database::Query::of(conditions, database.keeps().listings);
  if (query) return *std::move(query);
  refuse_database(args.operands.front(), query.error(), io);
  return std::nullopt;
}

/// What the options ask for besides conditions.
struct Asked {
  std::uint64_t percent = 0;
  std::uint64_t limit = 0;
  std::size_t around = 0;
  std::size_t threads = 1;
};

/// Errors are those of the database; others are reported.
Result<void> search_like(const Args& args, database::Database& database, const Asked& asked, const std::vector<std::int64_t>& ids,
                         const database::Database::Take& take, Io& io, Exit& exit) {
  const Read input = io.read(std::string(args.value(kLike.name)));
  exit = worse(exit, input.exit);
  if (!input) return {};
  const auto opened = open_input(*input);
  const auto sketch = opened ? find::sketch_of(*opened) : std::nullopt;
  if (sketch) return database.similar(ids, *sketch, opened->family, static_cast<double>(asked.percent) / 100, take);
  exit =
      worse(exit, io.refuse_file(input->name, opened ? Error{ErrorCode::missing, 0, "file", "the file has no program"} : opened.error()));
  return {};
}

/// The shaders, listed again.
Result<void> search_lines(database::Database& database, database::LineSearch lines, const std::vector<std::int64_t>& ids,
                          const database::Database::Take& take, Io& io, Exit& exit) {
  print::Progress progress(io.host(), ids.size(), "shaders");
  lines.may_read = [&](const database::FoundRow& row) {
    const bool may = std::ranges::none_of(row.places, [&](const auto& place) { return io.refuses_input(place.path); });
    if (!may) exit = Exit::failed;
    return may;
  };
  lines.gone = [&](const database::FoundRow& row) {
    io.report(row.places.front().path, "missing", "the indexed shader is no longer there: run unshade index --update");
    exit = worse(exit, Exit::invalid);
  };
  lines.progress = [&](std::uint64_t done) { progress.show(done); };
  return database.list(ids, lines, [&](database::Found&& found) {
    progress.clear();
    return take(std::move(found));
  });
}

/// What is wrong with the options together, or nothing: none of them is left out without a word.
std::string combination_fault(const Args& args) {
  constexpr std::pair<const Option*, const Option*> kExclusive[] = {
      {&kLike, &kRegex},      {&kCount, &kLimit},      {&kCount, &kPlaces},      {&kCount, &kContext}, {&kCount, &kJson},
      {&kFileNames, &kCount}, {&kFileNames, &kPlaces}, {&kFileNames, &kContext}, {&kFileNames, &kJson}};
  constexpr std::pair<const Option*, const Option*> kRequired[] = {{&kIgnoreCase, &kRegex}, {&kContext, &kRegex}, {&kThreshold, &kLike}};
  for (const auto& [one, other] : kExclusive)
    if (args.has(one->name) && args.has(other->name))
      return "--" + std::string(one->name) + " and --" + std::string(other->name) + " are mutually exclusive";
  for (const auto& [one, other] : kRequired)
    if (args.has(one->name) && !args.has(other->name)) return "--" + std::string(one->name) + " requires --" + std::string(other->name);
  return {};
}

Exit run_in(const Args& args, Io& io) {
  const auto percent = io.count_of(args, kThreshold, kDefaultPercent, kMostPercent);
  const auto limit = io.count_of(args, kLimit, kMostShown, kMostShown);
  const auto around = io.count_of(args, kContext, 0, kMostAround);
  const auto threads =
      io.count_of(args, kSearchJobs, std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads), kMostThreads);
  if (!percent || !limit || !around || !threads) return Exit::failed;
  if (const std::string fault = combination_fault(args); !fault.empty()) return io.refuse_usage(fault);
  const Asked asked{*percent, *limit, static_cast<std::size_t>(*around), static_cast<std::size_t>(*threads)};
  const std::string& path = args.operands.front();
  Exit exit = Exit::ok;
  const bool is_folder = system::is_folder(path);
  // bytes too, so that --regex need not unpack again
  auto database =
      is_folder ? database::Database::in_memory({.bytes = true, .listings = args.has(kWords.name)}) : database::Database::open(path);
  if (!database) return refuse_database(path, database.error(), io);
  if (is_folder) {
    Args folder;
    folder.operands = {path};
    const auto added = add_files(folder, {.files = {}, .threads = asked.threads}, *database, io, exit);
    if (!added) return refuse_database(path, added.error(), io);
  }
  const auto query = query_of(args, *database, io);
  if (!query) return Exit::failed;
  const database::LineSearch lines{std::string(args.value(kRegex.name)), args.has(kIgnoreCase.name), asked.around, asked.threads};
  if (args.has(kRegex.name))
    if (const auto checked = lines.check(); !checked) return refuse_database(path, checked.error(), io);
  const auto ids = database->matching(*query);
  if (!ids) return refuse_database(path, ids.error(), io);
  Report report(args, io);
  const database::Database::Take take = [&](database::Found&& found) {
    report.add(found);
    return report.shown < asked.limit && io.out.keep_going();
  };
  Result<void> done;
  if (args.has(kLike.name))
    done = search_like(args, *database, asked, *ids, take, io, exit);
  else if (args.has(kRegex.name))
    done = search_lines(*database, lines, *ids, take, io, exit);
  else if (args.has(kCount.name))
    report.shown = ids->size();
  else
    done = database->read(*ids, take);
  if (!done) return refuse_database(path, done.error(), io);
  if (args.has(kCount.name) && exit != Exit::failed) io.out.text.dec(report.shown) << '\n';
  return exit == Exit::ok && report.shown == 0 ? Exit::invalid : exit;
}

Exit run_search(const Args& args, Io& io) {
  if (args.operands.empty()) return io.refuse_usage("DB is required");
  if (io.refuses_input(args.operands.front())) return Exit::failed;
  const Exit exit = run_in(args, io);
  // the last line, so that whoever reads the others knows that they are not all
  if (args.has(kJson.name) && io.out.wrote() && !io.faults().empty()) {
    Json json(io.out, Json::Layout::compact);
    present::write_errors(io.faults(), json);
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade search games.udb shadow", "list shaders with a name that contains this"},
    {"unshade search build/shaders --uses discard -l", "name the files of a folder with shaders that discard"},
    {"unshade search games.udb --hash 0x5BA01B57", "find a shader by the hash that ReShade shows"},
    {"unshade search games.udb --like old.cso", "find the shader that was this one before a patch"},
    {"unshade search games.udb --uses discard --binds texture:albedo", "list shaders that have both"},
    {"unshade search games.udb --regex 'dp4 .*cb0\\[12\\]' -C 2", "print lines of listings"},
    {"unshade search games.udb --where \"stage = 'compute' and instructions > 500\" --json", "an object a line for each"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange, &samples::kSquares};
constexpr std::string_view kSession = R"($ mkdir shaders
$ unshade as orange.asm -o shaders/orange.cso
$ unshade as squares.asm -o shaders/squares.cso
$ unshade search shaders --uses imul
shaders/squares.cso:0x00000000  160 bytes  dxbc cs_5_0
$ unshade search shaders --regex 'mov o0'
shaders/orange.cso:0x00000000  156 bytes  dxbc ps_5_0
    13: mov o0.xyzw, l(1.000000,0.500000,0,1.000000))";

}  // namespace

const VerbBody kBody{
    .description =
        "Searches a database that unshade index has made, or a folder, of whose files an index is made in memory, and prints a line for "
        "each shader: its first place, size, family and profile. "
        "Conditions are combined: a shader must fulfil all of them. TEXT is part of a name in its interface (resources, variables, types, "
        "semantics, entry points), ignoring case.\n\n"
        "--binds and --uses take * and ? for any characters. A register is found within arrays too; of an opcode, suffix and overload "
        "count for nothing (discard_nz, dx.op.sample.f32). --where takes a condition of SQL over id, family, stage, profile, creator, "
        "size, instructions and the identities of unshade hash; the views places, bindings and opcodes can be asked too. It can only "
        "read.\n\n"
        "--regex lists the shaders that fulfil the other conditions again, from the bytes that the database keeps (index --keep) or from "
        "the files. The expression is that of PCRE2, of characters in UTF-8, and is matched with each line. An expression that takes more "
        "than "
        "a bounded number of tries, or too much memory, on a line is an error that names the shader, and ends the search.",
    .operands = {.name = "DB", .takes = Takes::file, .rest = "TEXT"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 found, 1 nothing was found, or the database is damaged, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_search,
    .json_lines = true,
};

}  // namespace unshade::cli::verbs::search
