#include "cli/app.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/io/json.hpp"
#include "cli/io/version.hpp"
#include "cli/line/verb.hpp"
#include "cli/verbs/verbs.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

constexpr const char* kSample = "tests/data/dxbc/textured_ps_5_0.dxbc";

std::string without_colour(std::string text) {
  for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;) text.erase(at, text.find('m', at) - at + 1);
  return text;
}

TEST(App, TellsItsVersion) {
  const auto outcome = run_command({"--version"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out, "unshade " + std::string(cli::version()) + "\n");
}

TEST(App, EveryVerbHasHelpWithExamplesAndExitStatus) {
  for (const cli::Verb& verb : cli::verbs::all()) {
    const auto asked = run_command({std::string(verb.name), "--help"});
    EXPECT_EQ(asked.exit, 0) << verb.name;
    EXPECT_NE(asked.out.find("Examples\n  "), std::string::npos) << verb.name;
    EXPECT_NE(asked.out.find("Exit status\n"), std::string::npos) << verb.name;
    EXPECT_EQ(asked.out, run_command({"help", std::string(verb.name)}).out);
  }
}

TEST(App, OptionsThatTakeAValueNeedOne) {
  std::size_t options = 0;
  for (const cli::Verb& verb : cli::verbs::all()) {
    cli::for_each_option(verb, [&](const cli::Option& option) {
      if (option.takes == cli::Takes::nothing) return;
      const std::string name = "--" + std::string(option.name);
      const auto outcome = run_command({std::string(verb.name), name});
      EXPECT_EQ(outcome.exit, 2) << verb.name << ' ' << name;
      EXPECT_EQ(outcome.err,
                "unshade: error[usage]: " + name + ": a value is required (see unshade " + std::string(verb.name) + " --help)\n");
      ++options;
    });
  }
  EXPECT_GT(options, 50U);
  EXPECT_EQ(run_command({"dis", "--fxc", "9", "--fxc", "9", kSample}).err,
            "unshade: error[usage]: --fxc: must be given once (see unshade dis --help)\n");
}

TEST(App, UsageIsTwo) {
  const std::vector<std::vector<std::string>> lines = {{"nothing"},
                                                       {"info"},
                                                       {"info", "--no-such-option", "x"},
                                                       {"--json", "x"},
                                                       {"info", "-", "-"},
                                                       {"dis", "--fxc", "ten", "-"},
                                                       {"dis", "--dxc", "1.3", "-"},
                                                       {"info", "--color", "pink", "x"},
                                                       {"info", "no/such/file"},
                                                       {"validate"},
                                                       {"completions"},
                                                       {"completions", "tcsh"}};
  for (const auto& line : lines) {
    const auto outcome = run_command(line);
    EXPECT_EQ(outcome.exit, 2) << (line.empty() ? "" : line.front());
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(": error["), std::string::npos) << outcome.err;
  }
}

TEST(App, WithoutAVerbPrintsHelpAndIsTwo) {
  const auto outcome = run_command({});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, run_command({"--help"}).out);
}

TEST(App, WhatIsNoShaderIsOne) {
  for (const char* verb : {"info", "dump", "dis", "reflect", "validate"}) {
    Surroundings around;
    around.input = from_hex("\"This is not a shader.\"");
    const auto outcome = run_command({verb, "-"}, around);
    EXPECT_EQ(outcome.exit, 1) << verb;
    EXPECT_NE((outcome.err + outcome.out).find("<stdin>:0x0: error["), std::string::npos) << verb << ": " << outcome.err << outcome.out;
  }
}

TEST(App, ColoursOnlyWhereWanted) {
  const auto colour = [](const Outcome& outcome) { return outcome.out.find('\x1b') != std::string::npos; };
  const Surroundings terminal{.input = {}, .terminal = true, .no_color = false};
  const Surroundings plain{.input = {}, .terminal = true, .no_color = true};
  EXPECT_FALSE(colour(run_command({"dump", kSample})));
  EXPECT_TRUE(colour(run_command({"dump", kSample}, terminal)));
  EXPECT_FALSE(colour(run_command({"dump", kSample}, plain)));
  EXPECT_TRUE(colour(run_command({"dump", "--color=always", kSample}, plain)));
  EXPECT_FALSE(colour(run_command({"dump", "--color=never", kSample}, terminal)));
}

TEST(App, ListingsOfSpirvAreColoured) {
  const Surroundings terminal{.input = {}, .terminal = true, .no_color = false};
  for (const char* file : {"tests/data/spirv/odd.spv", "tests/data/vbc/textured.vbc"}) {
    const auto plain = run_command({"dis", file});
    const auto piped = run_command({"dis", "--color=always", file});
    const auto shown = run_command({"dis", file}, terminal);
    EXPECT_EQ(plain.out.find('\x1b'), std::string::npos) << file;
    EXPECT_NE(piped.out, plain.out) << file;
    EXPECT_EQ(shown.out, piped.out) << file;
    EXPECT_EQ(without_colour(piped.out), plain.out) << file;
    EXPECT_EQ(run_command({"dis", "--json", "--color=always", file}).out.find("\\u001b"), std::string::npos) << file;
  }
}

TEST(App, ColourAddsNothingElse) {
  const auto plain = run_command({"dump", "--hex", kSample});
  EXPECT_EQ(without_colour(run_command({"dump", "--hex", "--color=always", kSample}).out), plain.out);
}

TEST(App, OutputFilesAppearWhole) {
  const auto folder = std::filesystem::temp_directory_path() / ("unshade-app-test-" + std::to_string(process_id()));
  std::filesystem::create_directories(folder);
  const auto file = (folder / "out.txt").generic_string();
  const auto entries = [&] { return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()); };

  EXPECT_EQ(run_command({"dump", kSample, "-o", file}).exit, 0);
  EXPECT_EQ(read_text(file), run_command({"dump", kSample}).out);
  EXPECT_EQ(entries(), 1);

  // What fails leaves the earlier file alone, and nothing beside it.
  EXPECT_EQ(run_command({"dis", "LICENSE", "-o", file}).exit, 1);
  EXPECT_EQ(read_text(file), run_command({"dump", kSample}).out);
  EXPECT_EQ(entries(), 1);

  const auto nowhere = run_command({"dump", kSample, "-o", (folder / "no/such/folder").generic_string()});
  EXPECT_EQ(nowhere.exit, 2);
  EXPECT_NE(nowhere.err.find("error[io]"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(App, FoldersAreReadRecursively) {
  const auto outcome = run_command({"info", "tests/data"});
  EXPECT_EQ(outcome.exit, 0);
  const std::set<std::string> shaders{".dxbc", ".dxil", ".pdb", ".shbin", ".spv", ".vbc"};
  std::ptrdiff_t expected = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "tests/data"))
    expected += shaders.count(entry.path().extension().string()) != 0 ? 1 : 0;
  EXPECT_GT(expected, 30);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), expected);
  EXPECT_NE(run_command({"info", "--all", "tests/data"}).out.find("grid.cs.hlsl"), std::string::npos);
}

/// Takes some bytes, then fails as a full disk or a closed pipe does.
class ShortStream final : public cli::Stream {
 public:
  bool write(std::string_view) override {
    ++writes;
    fault = why;
    return false;
  }
  std::string why;
  int writes = 0;
};

TEST(App, ClosedPipesAreQuietAndFullDisksAreNot) {
  ShortStream out;
  cli::MemoryStream err;
  cli::MemorySource in({});
  cli::Host host{.out = &out, .err = &err, .in = &in};
  EXPECT_EQ(cli::run({"dump", "--hex", "tests/data/dxbc"}, host), cli::Exit::ok);
  EXPECT_EQ(err.text, "");
  EXPECT_EQ(out.writes, 1) << "work goes on though nobody listens";
  out.why = "no space left";
  EXPECT_EQ(cli::run({"dump", "--hex", "tests/data/dxbc"}, host), cli::Exit::failed);
  EXPECT_EQ(err.text, "<stdout>: error[io]: no space left\n");
}

TEST(Completions, OfferEveryVerbAndOption) {
  for (const char* shell : {"bash", "zsh", "fish", "powershell"}) {
    const auto script = run_command({"completions", shell});
    EXPECT_EQ(script.exit, 0);
    for (const cli::Verb& verb : cli::verbs::all()) {
      EXPECT_NE(script.out.find(verb.name), std::string::npos) << shell;
      cli::for_each_option(verb, [&](const cli::Option& option) {
        const std::string spelled = (std::string_view(shell) == "fish" ? "-l " : "--") + std::string(option.name);
        EXPECT_NE(script.out.find(spelled), std::string::npos) << shell << ' ' << spelled;
      });
    }
  }
}

TEST(Man, NamesEveryVerb) {
  const auto page = run_command({"man"});
  for (const cli::Verb& verb : cli::verbs::all()) {
    std::string name(verb.name);  // as troff has it: a hyphen is not a minus
    for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, 1, '\\');
    EXPECT_NE(page.out.find(".SS " + name), std::string::npos) << name;
  }
}

TEST(Json, BytesThatAreNoUtf8BecomeLatin1) {
  EXPECT_EQ(cli::as_utf8("a\xc3\xa9\xe9z"), "a\xc3\xa9\xc3\xa9z");
  EXPECT_EQ(cli::as_utf8("\xed\xa0\x80"), "\xc3\xad\xc2\xa0\xc2\x80");  // a surrogate
  EXPECT_EQ(cli::as_utf8("\xf0\x9f\x92\xa1"), "\xf0\x9f\x92\xa1");
  EXPECT_EQ(cli::as_utf8("\xc0\x80"), "\xc3\x80\xc2\x80");  // overlong
}

TEST(Printer, TerminalsObeyNothingFromFiles) {
  Text text;
  print_safely(text, "a\x1b[31m\nb", false);
  EXPECT_EQ(text.view(), "a\\x1b[31m\\x0ab");
  text.clear();
  print_safely(text, "\x1b[31ma\x1b[1;30mb\x1b[0m\n\x1b[2J\x1b[8m\x1b[38m\x1b[3", true, true);
  EXPECT_EQ(text.view(), "\x1b[31ma\x1b[1;30mb\x1b[0m\n\\x1b[2J\\x1b[8m\\x1b[38m\\x1b[3");
}

}  // namespace

}  // namespace unshade::test
