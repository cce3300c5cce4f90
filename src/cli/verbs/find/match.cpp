#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/find/match.hpp>
#include <unshade/present/matches.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/folder.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::match {

namespace {

constexpr std::uint64_t kMostPercent = 100;
constexpr std::uint64_t kMostCounterparts = 100;
constexpr std::uint64_t kDefaultPercent = 50;
constexpr std::uint64_t kDefaultCounterparts = 4;

constexpr Option kThreshold{"threshold", 0,  Takes::text,
                            "PERCENT",   {}, "the minimum similarity of pairs whose code differs, from 1 to 100 (default: 50)"};
constexpr Option kTop{"top", 0, Takes::text, "N", {}, "print up to N counterparts of ambiguous pairs (default: 4)"};
constexpr Option kChanged{"changed", 0, Takes::nothing, {}, {}, "omit files that are identical"};
constexpr Option kOptions[] = {kThreshold, kTop, kChanged, kAll, kJson};

struct Side {
  std::vector<std::string> names;
  std::vector<find::Fingerprint> shaders;
};

/// The shaders of a file or folder.
Side side_of(const std::string& operand, const Args& args, Io& io, Exit& exit) {
  Side side;
  Args one = args;
  one.operands = {operand};
  const std::vector<std::string> names = io.inputs(one, exit);
  print::Progress progress(io.host(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    progress.show(i);
    const Read input = io.read(names[i]);
    exit = worse(exit, input.exit);
    if (!input) continue;
    const auto opened = open_input(*input);
    if (!opened) {
      exit = worse(exit, io.refuse_file(input->name, opened.error()));
      continue;
    }
    side.names.push_back(input->name);
    side.shaders.push_back(find::fingerprint(*opened));
  }
  return side;
}

struct Sums {
  std::size_t of[5] = {};
  std::size_t ambiguous = 0;
  std::size_t added = 0;
};

class Report {
 public:
  Report(const Side& before, const Side& after, Io& io) : before_(before), after_(after), io_(io) {}

  void print(std::size_t i, const find::Match& found) {
    Printer& out = io_.out;
    print_safely(out.text, before_.names[i]);
    if (found.counterparts.empty()) {
      out.text << "  none\n";
      return;
    }
    const find::Counterpart& first = found.counterparts.front();
    print_safely(out.text << " -> ", after_.names[first.index]);
    print_kind(first);
    if (found.ambiguous) out.text << "  ambiguous";
    out.text << '\n';
    if (!found.ambiguous) return;
    for (std::size_t k = 1; k < found.counterparts.size(); ++k) {
      print_safely(out.text << "    or ", after_.names[found.counterparts[k].index]);
      print_kind(found.counterparts[k]);
      out.text << '\n';
    }
  }

 private:
  void print_kind(const find::Counterpart& one) {
    io_.out.text << "  " << id(one.kind);
    if (one.kind == find::MatchKind::same) return;
    (io_.out.text << ' ').dec(present::percent(one.similarity)) << '%';
  }

  const Side& before_;
  const Side& after_;
  Io& io_;
};

Exit run_match(const Args& args, Io& io) {
  if (args.operands.size() != 2) return io.refuse_usage("match requires two files or folders: unshade match OLD NEW");
  const auto threshold = io.count_of(args, kThreshold, kDefaultPercent, kMostPercent);
  const auto most = io.count_of(args, kTop, kDefaultCounterparts, kMostCounterparts);
  if (!threshold || !most) return Exit::failed;
  Exit exit = Exit::ok;
  const Side before = side_of(args.operands[0], args, io, exit);
  const Side after = side_of(args.operands[1], args, io, exit);
  find::MatchOptions options;
  options.threshold = static_cast<double>(*threshold) / 100;
  options.most = static_cast<std::size_t>(*most);
  const std::vector<find::Match> matches = find::match(before.shaders, after.shaders, options);

  const bool is_changed_only = args.has(kChanged.name);
  const present::MatchedFiles files{before.names, after.names, matches, [&](const find::Match& found) {
                                      return !is_changed_only || found.counterparts.empty() ||
                                             found.counterparts.front().kind != find::MatchKind::same;
                                    }};
  Sums sums;
  for (const find::Match& found : matches) {
    const find::MatchKind kind = found.counterparts.empty() ? find::MatchKind::none : found.counterparts.front().kind;
    ++sums.of[static_cast<std::size_t>(kind)];
    if (found.ambiguous) ++sums.ambiguous;
  }
  const std::vector<bool> is_taken = counterparts(files);
  sums.added = static_cast<std::size_t>(std::count(is_taken.begin(), is_taken.end(), false));
  // of a single file one asks which it is, not what else there is
  const bool has_many = system::is_folder(args.operands[0]);
  Report report(before, after, io);
  if (args.has(kJson.name)) {
    Json json(io.out);
    write_matches(files, io.faults(), json);
  } else {
    for (std::size_t i = 0; i < matches.size() && io.out.keep_going(); ++i)
      if (files.shows(matches[i])) report.print(i, matches[i]);
    if (has_many) {
      for (std::size_t i = 0; i < after.names.size(); ++i)
        if (!is_taken[i]) print_safely(io.out.text << "new  ", after.names[i]), io.out.text << '\n';
    }
    Text sum;
    for (std::size_t kind = 0; kind < std::size(sums.of); ++kind)
      sum.dec(sums.of[kind]) << ' ' << id(static_cast<find::MatchKind>(kind)) << ", ";
    sum.dec(sums.ambiguous) << " ambiguous, ";
    sum.dec(sums.added) << " new\n";
    io.out.flush();
    if (has_many) io.host().err->write(sum.view());
  }
  const bool has_none = sums.of[static_cast<std::size_t>(find::MatchKind::none)] != 0 || before.names.empty();
  return has_none ? worse(exit, Exit::invalid) : exit;
}

constexpr Example kExamples[] = {
    {"unshade match shader.cso game/shaders/", "find which shader of a folder is this one"},
    {"unshade match --changed v1.0/ v1.1/", "pair the shaders of two versions of a program, and list those that changed"},
    {"unshade match --json v1.0/ v1.1/ | jq -r '.matches[] | select(.kind == \"none\") | .before'", "print the shaders that are gone"},
    {"unshade scan -o old/ v1.0/game.exe && unshade scan -o new/ v1.1/game.exe && unshade match old/ new/", "compare two programs"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange, &samples::kSquares};
constexpr std::string_view kSession = R"($ mkdir old new
$ unshade as orange.asm -o old/orange.cso
$ unshade as orange.asm -o new/0.cso
$ unshade as squares.asm -o new/1.cso
$ unshade match old new
old/orange.cso -> new/0.cso  same
new  new/1.cso
1 same, 0 code, 0 plain, 0 alike, 0 none, 0 ambiguous, 1 new)";

}  // namespace

const VerbBody kBody{
    .description =
        "Finds, for each shader of OLD, its counterpart among those of NEW, whatever their files are called: the same bytes (same), the "
        "same code (code), the same code but for names, constants and registers (plain), or the most similar listing (alike), with the "
        "part of its lines that both have. Shaders are of the same family and stage. Each shader of NEW is the counterpart of one of OLD, "
        "where that can be.\n\n"
        "A pair is ambiguous if other shaders of NEW are within 2 percent of its similarity: they follow. Then come shaders of NEW "
        "that are no counterpart.",
    .operands = {"PATH", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 each shader has a counterpart, 1 one has none or cannot be read, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_match,
};

}  // namespace unshade::cli::verbs::match
