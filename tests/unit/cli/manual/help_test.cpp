// Help, manual pages and JSON: what they say of the table of verbs.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/manual/help.hpp"
#include "cli/verbs/verbs.hpp"
#include "support/command.hpp"

namespace unshade::test {
namespace {

using cli::Verb;
using cli::VerbBody;

constexpr cli::VerbGroup kReading{"read", "Read"};
constexpr cli::VerbGroup kMaking{"make", "Make and mend"};
constexpr cli::Option kOwnOptions[] = {{"deep", 'e', cli::Takes::nothing, {}, {}, "look deeper"},
                                       {"form", 0, cli::Takes::choice, "FORM", "a|b", "how it is written", true}};
constexpr cli::Example kOwnExamples[] = {{"unshade look x", "look at it"}};
constexpr cli::ActionOption kActions[] = {{"deep", "in|out"}};
constexpr cli::SampleFile kInput{"x.txt", "one\n\n.two -\n"};
constexpr const cli::SampleFile* kInputs[] = {&kInput};
const VerbBody kLook{.description = "Looks.",
                     .operands = {"FILE", cli::Takes::file, "in|out"},
                     .options = kOwnOptions,
                     .examples = kOwnExamples,
                     .exits = "0 success",
                     .session = {kInputs, "$ unshade look x.txt\nseen\n$ unshade look -e x.txt"},
                     .run = nullptr,
                     .action_options = kActions};
const VerbBody kMend{
    .description = "Mends.", .operands = {}, .options = {}, .examples = {}, .exits = "0 success", .session = {}, .run = nullptr};
const Verb kTable[] = {
    {"look", "look at files", "", kReading, kLook}, {"see", "see files", "", kReading, kLook}, {"mend", "mend them", "", kMaking, kMend}};

template <class Print>
std::string printed(Print print) {
  cli::MemoryStream stream;
  cli::Printer out(stream, false);
  print(out);
  out.flush();
  return stream.text;
}

TEST(Help, ListsVerbsByTheirGroups) {
  const auto text = printed([](cli::Printer& out) { cli::manual::print_overview(kTable, out); });
  EXPECT_NE(text.find("\nRead\n  look  look at files\n  see   see files\n\nMake and mend\n  mend  mend them\n"), std::string::npos) << text;
}

TEST(Help, EndsWithTheWorkedExample) {
  const auto text = printed([](cli::Printer& out) { cli::manual::print_help(kTable[0], out); });
  EXPECT_TRUE(
      text.ends_with("\nWorked example\n  $ cat x.txt\n  one\n\n  .two -\n  $ unshade look x.txt\n  seen\n  $ unshade look -e x.txt\n"))
      << text;
}

TEST(Help, OfEachVerbHasAWorkedExample) {
  for (const Verb& verb : cli::verbs::all()) {
    EXPECT_NE(verb.body.session.commands.find("unshade " + std::string(verb.name)), std::string_view::npos) << verb.name;
    EXPECT_NE(run_command({"help", std::string(verb.name)}).out.find("\nWorked example\n  $ "), std::string::npos) << verb.name;
    EXPECT_NE(run_command({"man", std::string(verb.name)}).out.find("\n.SH WORKED EXAMPLE\n.nf\n\\fB$ "), std::string::npos) << verb.name;
  }
}

TEST(Man, HasASectionForEachGroupAndTheExampleAsItIs) {
  const auto all = printed([](cli::Printer& out) { cli::manual::print_man(kTable, out); });
  EXPECT_LT(all.find("\n.SH READ\n.SS look"), all.find("\n.SS see"));
  EXPECT_LT(all.find("\n.SS see"), all.find("\n.SH MAKE AND MEND\n.SS mend"));
  EXPECT_NE(all.find("\n.SH MAKE AND MEND\n.SS mend"), std::string::npos);
  const auto page = printed([](cli::Printer& out) { cli::manual::print_man(kTable[0], out); });
  EXPECT_NE(
      page.find(
          "\n.nf\n\\fB$ cat x.txt\\fR\none\n\n\\&.two \\-\n\\fB$ unshade look x.txt\\fR\nseen\n\\fB$ unshade look \\-e x.txt\\fR\n.fi\n"),
      std::string::npos)
      << page;
}

TEST(Help, AsJson) {
  const auto text = printed([](cli::Printer& out) {
    cli::Json json(out, cli::Json::Layout::compact);
    json.object([&] { cli::manual::write_verbs(std::span(kTable).first(1), json); });
  });
  for (const char* part :
       {R"("name":"look","group":{"name":"read","title":"Read"})", R"("usage":"unshade look [OPTION]... FILE...")",
        R"("operands":{"name":"FILE","rest":null,"takes":"file","choices":["in","out"],"required":true,"many":true})",
        R"({"name":"deep","letter":"e","takes":"nothing","value":null,"choices":[],"repeats":false,"actions":["in","out"],)",
        R"("name":"form","letter":null,"takes":"choice","value":"FORM","choices":["a","b"],"repeats":true,"summary")",
        R"("files":[{"name":"x.txt","text":"one\n\n.two -\n"}])",
        R"("commands":[{"command":"unshade look x.txt","prints":"seen\n"},{"command":"unshade look -e x.txt","prints":""}])"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  EXPECT_EQ(run_command({"help", "--json", "nothing"}).exit, 2);
  EXPECT_NE(run_command({"help", "dis", "--json"}).out.find("\"schema\": \"unshade.help/1\""), std::string::npos);
}

}  // namespace
}  // namespace unshade::test
