#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/core/parallel.hpp>
#include <unshade/present/tests.hpp>
#include <unshade/run/run.hpp>
#include <unshade/suite/test.hpp>
#include <unshade/system/replace.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/progress.hpp"
#include "cli/testing/collection.hpp"
#include "cli/testing/coverage.hpp"
#include "cli/testing/scripts.hpp"
#include "cli/testing/update.hpp"
#include "cli/testing/watch.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/input_files.hpp"
#include "cli/write/made.hpp"
#include "cli/write/pending_files.hpp"

namespace unshade::cli::verbs::test {

namespace {

constexpr Option kFilter{"filter", 'f', Takes::text, "NAME", {}, "run only tests whose names contain this; * stands for anything", true};
constexpr Option kJobs{"jobs", 'j', Takes::text, "N", {}, "number of tests to run at once (default: the number of processors)"};
constexpr Option kWave{"wave", 'w', Takes::text, "N", {}, "lanes of a wave, unless a test states them: 4, 8, 16, 32, 64 or 128"};
constexpr Option kBudget{"budget", 0,  Takes::text,
                         "N",      {}, "operations that a draw or dispatch may execute before it is stopped (default: 268435456)"};
constexpr Option kJunit{"junit", 0, Takes::file, "FILE", {}, "also write JUnit's XML to FILE"};
constexpr Option kTap{"tap", 0, Takes::nothing, {}, {}, "write TAP, the Test Anything Protocol"};
constexpr Option kQuiet{"quiet", 'q', Takes::nothing, {}, {}, "print only what failed, and the counts"};
constexpr Option kUpdate{"update", 0,  Takes::nothing,
                         {},       {}, "write the actual results into suites and golden pictures, then run the tests"};
constexpr Option kPictures{"pictures", 0,  Takes::file,
                           "DIR",      {}, "for each picture that differs, write the actual one and the difference into DIR"};
constexpr Option kCoverage{
    "coverage", 0,  Takes::file,
    "FILE",     {}, "write which instructions and branches of suites' shaders ran into FILE, for lcov and genhtml, and listings beside it"};
constexpr Option kAmber{
    "amber", 0,  Takes::file,
    "DIR",   {}, "also write the tests of suites that Amber can express into DIR as scripts, and why it cannot express others"};
constexpr Option kWatch{"watch", 0, Takes::nothing, {}, {}, "run again whenever a suite, a script or a file that they name changes"};
constexpr Option kOptions[] = {kFilter,   kJobs,     kWave,  kFloat24, kBudget, kQuiet, kUpdate,
                               kPictures, kCoverage, kAmber, kWatch,   kJson,   kTap,   kJunit};

/// Runs all tests; `files` gets the names of the files that they read.
Exit run_once(const Args& args, Io& io, suite::TestOptions options, std::size_t threads, std::vector<std::string>& files) {
  using Clock = std::chrono::steady_clock;
  Exit exit = Exit::ok;
  const auto patterns = args.values(kFilter.name);
  std::vector<std::string> names;
  for (const std::string& operand : args.operands) {
    Exit of_operand = Exit::ok;
    const std::vector<std::string> found = testing::find_tests({&operand, 1}, io, of_operand);
    if (found.empty() && of_operand == Exit::ok) {
      io.report(operand, "missing", "the folder has no suite (*.test.toml, .yaml, .yml or .json) and no script (*.amber)");
      of_operand = Exit::failed;
    }
    exit = worse(exit, of_operand);
    names.insert(names.end(), found.begin(), found.end());
  }
  const auto replaces = [&](const std::vector<std::string>& inputs) {
    return write::refuses_second_output(args, kJunit, io, inputs) || write::refuses_second_output(args, kCoverage, io, inputs) ||
           std::ranges::any_of(inputs, [&](const std::string& one) { return io.refuses_input(one); });
  };
  if (replaces(names) || write::refuses_same_output(args, kJunit, kCoverage, io)) return Exit::failed;
  if (names.empty()) return exit;
  const auto read_into = [&](testing::Collection& tests) {
    for (const std::string& name : names) {
      Read read = io.read_bytes(name);
      if (!read) {
        exit = worse(exit, read.exit);
        continue;
      }
      tests.add(read->name, std::string(read->view().text()), patterns);
    }
  };
  if (args.has(kUpdate.name)) {
    options.corrects = true;
    testing::Collection tests(options);
    read_into(tests);
    std::vector<suite::Outcome> outcomes;
    in_order(
        tests.size(), threads, [&](std::size_t at) { return tests.run(at); },
        [&](std::size_t, suite::Outcome made) {
          made.failures.clear();
          outcomes.push_back(std::move(made));
          return true;
        });
    if (exit == Exit::ok) exit = testing::update(tests, outcomes, io);
    options.corrects = false;
  }
  testing::Collection tests(options);
  read_into(tests);
  if (tests.size() == 0 && exit == Exit::ok)
    return io.refuse_usage(patterns.empty() ? "there is no suite (*.test.toml, .yaml, .yml or .json) or script (*.amber)"
                                            : "no test has a name that matches --filter");

  for (const std::string_view one : patterns) {
    if (tests.has_match(one)) continue;
    io.report({}, "missing", "no test has a name that matches --filter " + std::string(one));
    exit = Exit::failed;
  }

  std::optional<Json> json;
  if (args.has(kJson.name)) {
    present::begin_tests(json.emplace(io.out));
  } else if (args.has(kTap.name)) {
    present::begin_tap(tests.size(), io.out);
  }
  present::TestCounts counts;
  std::vector<present::TimedOutcome> all;
  write::PendingFiles written;
  print::Progress progress(io.host(), tests.size());
  in_order(
      tests.size(), threads,
      [&](std::size_t at) {
        const auto start = Clock::now();
        present::TimedOutcome made{tests.run(at), 0};
        made.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return made;
      },
      [&](std::size_t at, present::TimedOutcome made) {
        progress.clear();
        counts.add(made.outcome);
        if (!json) {
          for (const std::string& one : made.outcome.mismatches) io.report(made.outcome.name, Severity::warning, "format", one);
        }
        if (json) {
          present::write_outcome(made.outcome, *json);
        } else if (args.has(kTap.name)) {
          present::print_tap(made.outcome, at + 1, io.out);
        } else if (!args.has(kQuiet.name) || made.outcome.status == suite::Status::failed) {
          present::print_outcome(made.outcome, io.out);
        }
        if (args.has(kPictures.name))
          exit = worse(exit, testing::write_pictures(made.outcome, std::string(args.value(kPictures.name)), written, io));
        if (!json) io.out.flush();
        if (args.has(kJunit.name)) all.push_back(std::move(made));
        progress.show(at + 1);
        return io.out.keep_going();
      });
  progress.clear();
  std::vector<testing::CoveredShader> covered;
  std::vector<present::WrittenScript> scripts;
  // a terminal, a pipe: written to last, after what may go there too
  const bool is_stream = args.has(kJunit.name) && write::is_stream(std::string(args.value(kJunit.name)));
  const auto write_all = [&] {
    std::vector<std::string> sources;
    if (args.has(kCoverage.name)) {
      covered = testing::coverage_of(tests);
      exit = worse(exit, testing::write_coverage(covered, std::string(args.value(kCoverage.name)), sources, written, io));
    }
    if (args.has(kAmber.name)) scripts = testing::write_scripts(tests, std::string(args.value(kAmber.name)), written, io, exit);
    if (args.has(kJunit.name) && !is_stream && !written.add(std::string(args.value(kJunit.name)), present::junit(all), io))
      exit = Exit::failed;
    if (replaces(sources)) return false;
    write::InputFiles inputs;
    for (const auto& some : {names, tests.files(), sources})
      for (const std::string& name : some) inputs.add(Io::input_id(name));
    return written.commit(inputs, io);
  };
  // tests may have read what is about to be written
  const bool is_refused = replaces(tests.files()) || !write_all();
  if (is_refused) {
    exit = Exit::failed;
    scripts.clear();
  }
  if (json) {
    present::end_outcomes(*json);
    if (args.has(kCoverage.name)) testing::write_coverage(covered, *json);
    if (args.has(kAmber.name)) present::write_scripts(scripts, *json);
    present::write_counts(counts, *json);
    print::write_faults(*json, io);
    print::end_document(*json);
  } else if (!args.has(kTap.name)) {
    testing::print_coverage(covered, io.out);
    present::print_scripts(scripts, io.out);
    present::print_counts(counts, io.out);
  }
  if (is_stream && !is_refused) {
    io.out.flush();
    if (!write::PendingFiles().add(std::string(args.value(kJunit.name)), present::junit(all), io)) exit = Exit::failed;
  }
  files = tests.files();
  return worse(exit, counts.failed != 0 ? Exit::invalid : Exit::ok);
}

Exit run_tests(const Args& args, Io& io) {
  constexpr std::uint64_t kMostThreads = 256;
  if (args.has(kWatch.name) && (args.has(kJson.name) || args.has(kTap.name)))
    return io.refuse_usage("--watch is for text: it and --json or --tap are mutually exclusive");
  if (args.has(kJson.name) && args.has(kTap.name)) return io.refuse_usage("--json and --tap are mutually exclusive");
  const auto threads =
      io.count_of(args, kJobs, std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads), kMostThreads);
  const auto wave = io.lanes_of(args, kWave);
  const auto budget = io.count_of(args, kBudget, suite::TestOptions{}.operations, ~std::uint64_t{0});
  if (!threads || !wave || !budget) return Exit::failed;
  suite::TestOptions options = testing::with_files({});
  options.operations = *budget;
  options.covers = args.has(kCoverage.name);
  options.wave = *wave;
  options.f24 = unshade::run::f24_of(args.value(kFloat24.name));

  (void)system::new_file_rights();  // asked for here: finding it out disturbs other threads, which write files for compilers
  std::vector<std::string> files;
  if (!args.has(kWatch.name)) return run_once(args, io, options, static_cast<std::size_t>(*threads), files);
  testing::Watch watch([&] {
    Exit exit = Exit::ok;
    std::vector<std::string> names = testing::find_tests(args.operands, io, exit);
    names.insert(names.end(), files.begin(), files.end());
    return names;
  });
  // until the process is interrupted
  while (io.out.keep_going()) {
    files.clear();
    run_once(args, io, options, static_cast<std::size_t>(*threads), files);
    constexpr unsigned kNow = 0;
    constexpr unsigned kSecond = 1000;
    watch.wait(kNow);  // knows the files that the tests named
    io.out.text << "watching ";
    io.out.text.dec(watch.count()) << (watch.count() == 1 ? " file\n" : " files\n");
    io.out.flush();
    while (!watch.wait(kSecond) && io.out.keep_going()) {
    }
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade test skin.test.toml", "all cases of a suite"},
    {"unshade test shaders/", "all suites and scripts in a folder"},
    {"unshade test -f 'bloom*' -w 16 shaders/", "those with such names, in waves of 16 lanes"},
    {"unshade test --update skin.test.toml", "write what the shader gave into the suite"},
    {"unshade test --coverage out/lcov.info shaders/", "coverage, which genhtml makes pages of"},
    {"unshade test --amber out/ shaders/", "and scripts of Amber of the tests of SPIR-V"},
    {"unshade test --junit report.xml shaders/", "with a report for continuous integration"},
};

constexpr SampleFile kSuite{"squares.test.toml", R"(shader = "squares.asm"

[[case]]
name = "a group"
grid = [1]
expect.resources.u0 = {words = [0, 1, 4, 9]}

[[case]]
name = "two groups"
grid = [2]
expect.resources.u0 = {words = [0, 1, 4, 9, 16, 25, 36, 48]}
)"};
constexpr const SampleFile* kInputs[] = {&samples::kSquares, &kSuite};
constexpr std::string_view kSession = R"($ unshade test squares.test.toml
passed   squares.test.toml: a group
failed   squares.test.toml: two groups
  squares.test.toml:11:57: resource u0, byte 28: expected 48, found 49
1 passed, 1 failed, 0 skipped)";

}  // namespace

const VerbBody kBody{
    .description =
        "Runs tests on the CPU. A suite (TOML, YAML or JSON) names a shader and has cases: inputs as `unshade run` takes them, and what is "
        "expected of outputs and resources. A script of Amber (.amber) has shaders in SPIR-V assembly, buffers, pipelines, and what is "
        "expected of the buffers. In folders, *.test.toml (.yaml, .yml, .json) and *.amber are run. Tests that need an unsupported feature "
        "are skipped, and the report names the feature.",
    .operands = {"SUITE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 nothing failed, 1 a test failed, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_tests,
};

}  // namespace unshade::cli::verbs::test
