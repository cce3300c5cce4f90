// Words that are no verbs, no values and no opcodes: what was probably meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/spelling.hpp>

#include "cli/verbs/other_words.hpp"
#include "cli/verbs/verbs.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

namespace fs = std::filesystem;

std::string said(const std::vector<std::string>& words) { return run_command(words).err; }

std::string assembled(std::string_view text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return run_command({"as", "-", "-o", kNullDevice}, {.input = {first, first + text.size()}}).err;
}

TEST(Words, NameTheVerbThatDoesIt) {
  const auto meant = [](std::string_view word) { return cli::verbs::verb_of_word(word); };
  EXPECT_EQ(meant("render"), "draw");
  EXPECT_EQ(meant("dot"), "graph --dot");
  EXPECT_EQ(meant("replace"), "extract --replace");
  EXPECT_EQ(meant("sarif"), "validate --sarif");
  EXPECT_EQ(meant("step"), "run --step");
  EXPECT_EQ(meant("trace"), "run --trace");
  EXPECT_EQ(meant("coverage"), "test --coverage");
  EXPECT_EQ(meant("listing"), "dis");
  EXPECT_NE(said({"step"}).find("did you mean 'run --step'?"), std::string::npos);
  EXPECT_NE(said({"help", "render"}).find("did you mean 'draw'?"), std::string::npos);
  EXPECT_NE(said({"validte"}).find("did you mean 'validate'?"), std::string::npos);
  EXPECT_NE(said({"san"}).find("did you mean 'scan'?"), std::string::npos) << "the first in the table of those as near";
  EXPECT_NE(said({"idss"}).find("no verb 'idss'"), std::string::npos);
}

TEST(Words, ValuesOfOptions) {
  EXPECT_NE(said({"dis", "--lines", "alwys", "x"}).find("--lines must be auto, always or never, found 'alwys'; did you mean `always`?"),
            std::string::npos);
  EXPECT_NE(said({"part", "lst", "x"})
                .find("the action of part must be list, extract, add, replace or remove, found 'lst'; did you mean `list`?"),
            std::string::npos);
  EXPECT_NE(said({"validate", "--ignore", "stat.conut", "x"}).find("did you mean `stat.count`?"), std::string::npos);
}

TEST(Words, OpcodesOfEveryAssembler) {
  EXPECT_NE(assembled("ps_5_0\nsmaple r0.xyzw, v0.xyxx, t0.xyzw, s0\nret\n").find("did you mean `sample`?"), std::string::npos);
  EXPECT_NE(assembled("ps_5_0\ndcl_resource_textre2d (float,float,float,float) t0\nret\n").find("did you mean `texture2d`?"),
            std::string::npos);
  EXPECT_NE(assembled(".proc main\n\tmvo r0, v0\n\tend\n.end\n").find("did you mean `mov`?"), std::string::npos);
  EXPECT_NE(assembled(".porc main\n.end\n").find("did you mean `.proc`?"), std::string::npos);
  EXPECT_NE(assembled("OpCapability Shader\nOpMemoryModl Logical GLSL450\n").find("did you mean `OpMemoryModel`?"), std::string::npos);
  EXPECT_NE(assembled("OpCapability Shder\n").find("did you mean `Shader`?"), std::string::npos);
  EXPECT_NE(assembled("define void @main() {\n  %1 = fdad float 1.0, 2.0\n  ret void\n}\n").find("did you mean `fadd`?"),
            std::string::npos);
  EXPECT_NE(assembled("define void @main() {\n  %1 = fcmp ogtt float 1.0, 2.0\n  ret void\n}\n").find("did you mean `ogt`?"),
            std::string::npos);
  EXPECT_NE(assembled(".vbc 1 graphics\n.stgae vertex\n").find("did you mean `.stage`?"), std::string::npos);
}

TEST(Words, NeighboursMayBeExchanged) {
  EXPECT_EQ(spelling_distance("mvo", "mov"), 1U);
  EXPECT_EQ(spelling_distance("smaple", "sample"), 1U);
  EXPECT_EQ(spelling_distance("", "abc"), 3U);
  EXPECT_EQ(spelling_distance("kitten", "sitting"), 3U);
}

TEST(Man, HasAPageForEachVerb) {
  const fs::path folder = fs::temp_directory_path() / ("unshade-man-" + std::to_string(process_id()));
  fs::remove_all(folder);
  const auto outcome = run_command({"man", "-d", folder.generic_string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const cli::Verb& verb : cli::verbs::all()) {
    const std::string page = read_text(folder / ("unshade-" + std::string(verb.name) + ".1"));
    EXPECT_NE(page.find(".SH OPTIONS"), std::string::npos) << verb.name;
    EXPECT_EQ(page, run_command({"man", std::string(verb.name)}).out);
  }
  EXPECT_EQ(read_text(folder / "unshade.1"), run_command({"man"}).out);
  fs::remove_all(folder);
}

TEST(Completions, OfPowerShell) {
  const auto script = run_command({"completions", "powershell"});
  EXPECT_EQ(script.exit, 0);
  EXPECT_TRUE(script.out.starts_with("# PowerShell completion"));
  for (const cli::Verb& verb : cli::verbs::all())
    EXPECT_NE(script.out.find("    '" + std::string(verb.name) + "' = @("), std::string::npos) << verb.name;
  EXPECT_NE(script.out.find("'part' = @('list', 'extract', 'add', 'replace', 'remove')"), std::string::npos);
  EXPECT_NE(script.out.find("names = @('--output', '-o'); takes = 'file'"), std::string::npos);
  // quotes are doubled, and all braces have their partner
  EXPECT_EQ(std::count(script.out.begin(), script.out.end(), '\'') % 2, 0);
}

TEST(Part, ExtractWithoutAPartListsThem) {
  const std::string file = (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string();
  const auto listed = run_command({"part", "extract", file});
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_EQ(listed.out, run_command({"part", "list", file}).out);
  EXPECT_EQ(run_command({"part", "extract", file, "-o", kNullDevice}).exit, 2);
  EXPECT_NE(run_command({"part", "extract", file, "ABCD", "-o", kNullDevice}).err.find("only ISGN, OSGN, RDEF, "), std::string::npos);
}

TEST(Listing, IsInColourWhereItIsAsked) {
  const std::string file = (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string();
  const auto plain = run_command({"dis", file});
  EXPECT_EQ(plain.out.find('\x1b'), std::string::npos);
  const auto colored = run_command({"dis", "--color", "always", file});
  EXPECT_NE(colored.out.find("\x1b[36mdcl_constantbuffer\x1b[0m"), std::string::npos);
  const auto shown = run_command({"dis", file}, {.input = {}, .terminal = true});
  EXPECT_EQ(shown.out, colored.out);
  EXPECT_EQ(run_command({"dis", file}, {.input = {}, .terminal = true, .no_color = true}).out, plain.out);
}

}  // namespace
}  // namespace unshade::test
