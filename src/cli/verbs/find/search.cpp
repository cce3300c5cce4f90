#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/find/checksums.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/shader.hpp>

#include <unshade/index/query.hpp>
#include <unshade/index/schema.hpp>
#include <unshade/unpack/files.hpp>
#include <unshade/unpack/search.hpp>
#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/find/database_faults.hpp"
#include "cli/verbs/find/indexing.hpp"
#include "cli/verbs/find/listing_search.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/parallel.hpp"

namespace unshade::cli::verbs::search {

namespace {

constexpr std::uint64_t kMostThreads = 256;
constexpr std::uint64_t kMostPercent = 100;
constexpr std::uint64_t kDefaultPercent = 50;
constexpr std::uint64_t kMostShown = 1'000'000'000;
constexpr std::uint64_t kMostAround = 1000;
/// Shaders that are listed at once.
constexpr std::size_t kBatch = 1024;

constexpr Option kBinds{"binds", 0,  Takes::text,
                        "NAME",  {}, "shaders that bind it: cbuffer:Camera, Camera, t3; or have it: input:TEXCOORD*, variable:tint",
                        true};
constexpr Option kUses{"uses", 0, Takes::text, "OPCODE", {}, "shaders that use it, as listings spell it: discard, sample*", true};
constexpr Option kHash{"hash", 0,  Takes::text,
                       "HASH", {}, "shaders with this hash, in the notation of any tool (see unshade hash), or with its first 8 digits"};
constexpr Option kLike{"like", 0, Takes::file, "FILE", {}, "shaders whose opcodes are similar to those of FILE, the most similar first"};
constexpr Option kThreshold{"threshold", 0, Takes::text, "PERCENT", {}, "with --like, the least similarity, from 1 to 100 (default: 50)"};
constexpr Option kWhere{"where", 0, Takes::text, "SQL", {}, "shaders for which a condition holds: \"profile = 'ps_5_0' and size > 9000\""};
constexpr Option kWords{"words", 0, Takes::text, "WORDS", {}, "shaders whose listing has these words (databases made with --text)"};
constexpr Option kRegex{"regex", 'e', Takes::text, "RE", {}, "list the shaders again, and print lines that match (POSIX, extended)"};
constexpr Option kIgnoreCase{"ignore-case", 'i', Takes::nothing, {}, {}, "with --regex, small and capital letters are the same"};
constexpr Option kContext{"context", 'C', Takes::text, "N", {}, "with --regex, print N lines around each, too"};
constexpr Option kLimit{"limit", 'n', Takes::text, "N", {}, "print the first N shaders only"};
constexpr Option kPlaces{"places", 0, Takes::nothing, {}, {}, "print all places of each shader, not only the first"};
constexpr Option kFileNames{
    "files-with-matches", 'l', Takes::nothing, {}, {}, "print only the names of the files that the shaders lie in, each once"};
constexpr Option kCount{"count", 'c', Takes::nothing, {}, {}, "print how many shaders there are, instead of them"};
constexpr Option kSearchJobs{"jobs", 'j', Takes::text, "N", {}, "threads for --regex (default: the number of processors)"};
constexpr Option kOptions[] = {kBinds,      kUses,    kHash,  kLike,   kThreshold, kWhere, kWords,      kRegex,
                               kIgnoreCase, kContext, kLimit, kPlaces, kFileNames, kCount, kSearchJobs, kJson};

/// What a shader is shown with.
struct Shown {
  database::FoundRow row;
  std::optional<double> similarity;
  std::vector<ListedLine> lines;
};

class Report {
 public:
  Report(const Args& args, Io& io)
      : is_json_(args.has(kJson.name)),
        has_all_places_(args.has(kPlaces.name)),
        counts_only_(args.has(kCount.name)),
        names_only_(args.has(kFileNames.name)),
        io_(io) {}

  std::uint64_t shown = 0;

  void add(const Shown& one) {
    ++shown;
    if (counts_only_) return;
    if (names_only_) return print_names(one);
    is_json_ ? print_json(one) : print(one);
  }

 private:
  void print_names(const Shown& one) {
    for (const database::FoundPlace& place : one.row.places) {
      if (!named_.insert(place.path).second) continue;
      print_safely(io_.out.text, place.path);
      io_.out.text << '\n';
    }
  }

  void print_place(const database::FoundPlace& place) {
    io_.out.paint(Paint::heading);
    print_safely(io_.out.text, place.path);
    io_.out.text << place.layers;
    io_.out.paint(Paint::plain) << ":0x";
    io_.out.text.hex(place.offset, 8);
  }

  void print(const Shown& one) {
    Text& out = io_.out.text;
    const database::FoundRow& row = one.row;
    print_place(row.places.front());
    (out << "  ").dec(row.size) << " bytes  ";
    print_safely(out, row.family);
    if (!row.profile.empty()) print_safely(out << ' ', row.profile);
    if (one.similarity) (out << "  ").dec(static_cast<std::uint64_t>(*one.similarity * 100)) << '%';
    if (row.places.size() > 1 && !has_all_places_) (out << "  in ").dec(row.places.size()) << " places";
    out << '\n';
    if (has_all_places_) {
      for (std::size_t i = 1; i < row.places.size(); ++i) {
        out << "  and ";
        print_place(row.places[i]);
        out << '\n';
      }
    }
    std::size_t before = 0;
    for (const ListedLine& line : one.lines) {
      if (before != 0 && line.number != before + 1 && has_context(one)) out << "    --\n";
      before = line.number;
      out.dec(line.number, 6) << (line.is_match ? ": " : "- ");
      print_safely(out, line.text);
      out << '\n';
    }
  }

  static bool has_context(const Shown& one) {
    return std::any_of(one.lines.begin(), one.lines.end(), [](const ListedLine& line) { return !line.is_match; });
  }

  void print_json(const Shown& one) {
    const database::FoundRow& row = one.row;
    Json json(io_.out, Json::Layout::compact);
    json.begin_object();
    json.member("schema", "unshade.search/1");
    json.bytes("xxh3", row.xxh3);
    json.member("family", row.family);
    json.text_or_null("stage", row.stage);
    json.text_or_null("profile", row.profile);
    json.text_or_null("creator", row.creator);
    json.member("size", row.size);
    json.key("instructions");
    row.instructions ? json.number(*row.instructions) : json.null();
    json.objects("places", row.places, [&](const database::FoundPlace& place) {
      json.member("file", place.path);
      json.member("layers", place.layers);
      json.member("offset", place.offset);
      json.member("certainty", place.certainty);
    });
    if (one.similarity) json.key("similarity"), json.real(*one.similarity);
    if (!one.lines.empty()) {
      json.objects("lines", one.lines, [&](const ListedLine& line) {
        json.member("line", std::uint64_t{line.number});
        json.member("text", line.text);
        json.member("match", line.is_match);
      });
    }
    json.end_object();
    json.finish();
  }

  bool is_json_;
  bool has_all_places_;
  bool counts_only_;
  bool names_only_;
  std::set<std::string> named_;
  Io& io_;
};

/// Lists shaders again, and looks for a pattern.
class Relisting {
 public:
  Relisting(const Args& args, Io& io, std::size_t around, std::size_t threads, std::uint64_t limit)
      : text_(args.value(kRegex.name)),
        ignores_case_(args.has(kIgnoreCase.name)),
        around_(around),
        threads_(threads),
        limit_(limit),
        io_(io) {}

  Exit exit = Exit::ok;

  /// What is wrong with the expression, or nothing.
  std::string fault() const { return LinePattern().compile(text_, ignores_case_); }

  void run(database::Connection& database, const std::vector<std::int64_t>& ids, Report& report) {
    database::Rows rows(database);
    print::Progress progress(io_.host(), ids.size(), "shaders");
    std::vector<Task> packed;  // of what lies in archives
    for (std::size_t at = 0; at < ids.size() && wants_more(report); at += kBatch) {
      std::vector<Task> tasks;
      for (std::size_t i = at; i < std::min(ids.size(), at + kBatch); ++i) {
        Task task{rows.of(ids[i]), std::nullopt};
        task.bytes = rows.bytes_of(task.row);
        if (!task.bytes && std::ranges::any_of(task.row.places, [&](const auto& place) { return io_.refuses_input(place.path); })) {
          exit = Exit::failed;
          return;
        }
        const bool is_packed = !task.bytes && std::all_of(task.row.places.begin(), task.row.places.end(),
                                                          [](const database::FoundPlace& place) { return !place.layers.empty(); });
        (is_packed ? packed : tasks).push_back(std::move(task));
      }
      in_order(
          tasks.size(), threads_, [&](std::size_t i) { return listed(tasks[i]); },
          [&](std::size_t i, Listed&& listed) {
            if (listed.is_gone) packed.push_back(std::move(tasks[i]));
            if (listed.lines.empty()) return true;
            progress.clear();
            report.add({std::move(tasks[i].row), std::nullopt, std::move(listed.lines)});
            return wants_more(report);
          });
      progress.show(at);
    }
    unpack(packed, report);
  }

 private:
  struct Task {
    database::FoundRow row;
    std::optional<std::vector<std::byte>> bytes;
  };
  struct Listed {
    std::vector<ListedLine> lines;
    bool is_gone = false;  ///< the bytes are in no place where they can be read at once
  };

  bool wants_more(const Report& report) { return report.shown < limit_ && io_.out.keep_going(); }

  /// Of this thread.
  const LinePattern& pattern() const {
    static thread_local std::unique_ptr<LinePattern> compiled;
    static thread_local std::string of;
    if (compiled == nullptr || of != text_ + (ignores_case_ ? 'i' : 'c')) {
      compiled = std::make_unique<LinePattern>();
      compiled->compile(text_, ignores_case_);
      of = text_ + (ignores_case_ ? 'i' : 'c');
    }
    return *compiled;
  }

  Listed listed(const Task& task) const {
    if (task.bytes) return {matching_lines(View(*task.bytes), pattern(), around_), false};
    for (const database::FoundPlace& place : task.row.places) {
      if (!place.layers.empty()) continue;
      const auto bytes = unpack::read_part(place.path, place.offset, static_cast<std::size_t>(task.row.size));
      if (bytes && find::xxh3_128(View(*bytes)) == task.row.xxh3) return {matching_lines(View(*bytes), pattern(), around_), false};
    }
    return {{}, true};
  }

  /// Searches the archives again that the rest lies in.
  void unpack(std::vector<Task>& tasks, Report& report) {
    using Digest = std::array<std::byte, 16>;
    std::map<Digest, std::size_t> wanted;
    for (std::size_t i = 0; i < tasks.size(); ++i) wanted.emplace(tasks[i].row.xxh3, i);
    std::vector<bool> is_found(tasks.size());
    struct Examined {
      std::size_t task;
      std::vector<ListedLine> lines;
    };
    for (std::size_t i = 0; i < tasks.size() && wants_more(report); ++i) {
      for (const database::FoundPlace& place : tasks[i].row.places) {
        if (is_found[i] || !Io::file_bytes(place.path)) continue;
        unpack::Search search;
        search.streams = place.layers.find("@0x") != std::string::npos;
        search.examine = [&](View bytes) -> std::shared_ptr<const void> {
          const auto at = wanted.find(find::xxh3_128(bytes));
          if (at == wanted.end()) return nullptr;
          return std::make_shared<const Examined>(Examined{at->second, matching_lines(bytes, pattern(), around_)});
        };
        search_files(
            {place.path}, search, threads_, [](std::uint64_t) {},
            [&](unpack::SearchedFile&& file) {
              for (const unpack::FoundShader& shader : file.shaders) {
                const auto* const examined = static_cast<const Examined*>(shader.examined.get());
                if (examined == nullptr || is_found[examined->task]) continue;
                is_found[examined->task] = true;
                if (!examined->lines.empty() && wants_more(report)) report.add({tasks[examined->task].row, std::nullopt, examined->lines});
              }
              return true;
            });
      }
      if (is_found[i]) continue;
      io_.report(tasks[i].row.places.front().path, "missing",
                 "the shader that was indexed here is not there any more: unshade index --update");
      exit = worse(exit, Exit::invalid);
    }
  }

  std::string text_;
  bool ignores_case_;
  std::size_t around_;
  std::size_t threads_;
  std::uint64_t limit_;
  Io& io_;
};

/// The conditions that the options state. Nothing, and a report, if they cannot be followed.
std::optional<database::Query> query_of(const Args& args, database::Connection& database, Io& io) {
  database::Query query;
  std::string fault;
  const auto keep = [&](std::string&& other) {
    if (fault.empty()) fault = std::move(other);
  };
  for (std::size_t i = 1; i < args.operands.size(); ++i) {
    const std::string& text = args.operands[i];
    if (database::is_database(text))
      keep("only the first operand may be a database, and " + text + " is another: make one of both (index --merge -o DB " +
           args.operands.front() + ' ' + text + ')');
    query.add_text(text);
  }
  for (const std::string_view text : args.values(kBinds.name)) keep(query.add_binding(text));
  for (const std::string_view text : args.values(kUses.name)) query.add_opcode(text);
  if (args.has(kHash.name)) keep(query.add_identity(args.value(kHash.name)));
  if (args.has(kWhere.name)) query.add_condition(args.value(kWhere.name));
  if (args.has(kWords.name)) {
    if (kept_by(database).listings)
      keep(query.add_words(args.value(kWords.name)));
    else
      keep("--words: this database has no listings (unshade index --text); --regex lists the shaders again");
  }
  if (fault.empty()) return query;
  io.refuse_usage(fault);
  return std::nullopt;
}

Exit search_like(const Args& args, database::Connection& database, std::uint64_t percent, std::uint64_t limit,
                 const std::vector<std::int64_t>& ids, Report& report, Io& io) {
  const Read input = io.read(std::string(args.value(kLike.name)));
  if (!input) return input.exit;
  const auto opened = open_input(*input);
  if (!opened) return io.refuse_file(input->name, opened.error());
  const auto sketch = find::sketch_of(*opened);
  if (!sketch) return io.refuse_file(input->name, Error{ErrorCode::missing, 0, "file", "the file has no program"});
  database::Rows rows(database);
  for (const database::Likeness& one : like(database, *sketch, opened->family, static_cast<double>(percent) / 100, ids)) {
    if (report.shown >= limit || !io.out.keep_going()) break;
    report.add({rows.of(one.id), one.similarity, {}});
  }
  return Exit::ok;
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
  Exit exit = Exit::ok;
  std::unique_ptr<database::Connection> database;
  std::error_code ignored;
  if (std::filesystem::is_directory(args.operands.front(), ignored)) {
    // bytes too, so that --regex need not unpack again
    database = database::new_database_in_memory({.bytes = true, .listings = args.has(kWords.name)});
    exit = index::index_paths(*database, {args.operands.front()}, static_cast<std::size_t>(*threads), io);
  } else {
    database = open_database(args.operands.front(), database::Mode::read);
  }
  const auto query = query_of(args, *database, io);
  if (!query) return Exit::failed;
  Relisting relisting(args, io, static_cast<std::size_t>(*around), static_cast<std::size_t>(*threads), *limit);
  if (args.has(kRegex.name))
    if (const std::string fault = relisting.fault(); !fault.empty()) return io.refuse_usage("--regex: " + fault);
  const std::vector<std::int64_t> ids = query->run(*database);
  Report report(args, io);
  if (args.has(kLike.name)) {
    exit = worse(exit, search_like(args, *database, *percent, *limit, ids, report, io));
  } else if (args.has(kRegex.name)) {
    relisting.run(*database, ids, report);
    exit = worse(exit, relisting.exit);
  } else if (args.has(kCount.name)) {
    report.shown = ids.size();
  } else {
    database::Rows rows(*database);
    for (const std::int64_t id : ids) {
      if (report.shown >= *limit || !io.out.keep_going()) break;
      report.add({rows.of(id), std::nullopt, {}});
    }
  }
  if (args.has(kCount.name) && exit != Exit::failed) io.out.text.dec(report.shown) << '\n';
  return exit == Exit::ok && report.shown == 0 ? Exit::invalid : exit;
}

Exit run_search(const Args& args, Io& io) {
  if (args.operands.empty()) return io.refuse_usage("DB is required");
  if (io.refuses_input(args.operands.front())) return Exit::failed;
  const Exit exit = with_database(args.operands.front(), io, [&] { return run_in(args, io); });
  // the last line, so that whoever reads the others knows that they are not all
  if (args.has(kJson.name) && io.out.wrote() && !io.faults().empty()) {
    Json json(io.out, Json::Layout::compact);
    json.begin_object();
    json.member("schema", "unshade.error/1");
    print::write_faults(json, io);
    json.end_object();
    json.finish();
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade search games.udb shadow", "list shaders with a name that has this in it"},
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
        "semantics, entry points), whatever the size of its letters.\n\n"
        "--binds and --uses take * and ? for any characters. A register is found within arrays too; of an opcode, suffix and overload "
        "count for nothing (discard_nz, dx.op.sample.f32). --where takes a condition of SQL over id, family, stage, profile, creator, "
        "size, instructions and the identities of unshade hash; the views places, bindings and opcodes can be asked too. It can only "
        "read.\n\n"
        "--regex lists the shaders that fulfil the other conditions again, from the bytes that the database keeps (index --keep) or from "
        "the files.",
    .operands = {.name = "DB", .takes = Takes::file, .rest = "TEXT"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 found, 1 nothing was found, or the database is damaged, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_search,
    .json_lines = true,
};

}  // namespace unshade::cli::verbs::search
