// The table of verbs.
#include "cli/verbs/verbs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "cli/verbs/other_words.hpp"

namespace unshade::test {
namespace {

TEST(Verbs, AreFoundByTheirNames) {
  for (const cli::Verb& verb : cli::verbs::all()) EXPECT_EQ(cli::verbs::find(verb.name), &verb);
  EXPECT_EQ(cli::verbs::find("git_setup"), nullptr);
  EXPECT_EQ(cli::verbs::find(""), nullptr);
}

TEST(Verbs, OtherWordsMeanOneVerbAndAnOptionThatItHas) {
  std::set<std::string_view> words;
  for (const cli::Verb& verb : cli::verbs::all()) {
    cli::for_each_choice(verb.words, [&](std::string_view row) {
      const auto word = row.substr(0, row.find('='));
      EXPECT_TRUE(words.insert(word).second) << word;
      EXPECT_EQ(cli::verbs::find(word), nullptr) << word;
      const auto meant = cli::verbs::verb_of_word(word);
      EXPECT_EQ(meant.substr(0, meant.find(' ')), verb.name);
      if (word == row) return;
      bool has = false;
      cli::for_each_option(verb, [&](const cli::Option& option) {
        const std::string spelled = " --" + std::string(option.name);
        has = has || meant.substr(verb.name.size()) == spelled || meant.substr(verb.name.size()).starts_with(spelled + ' ');
      });
      EXPECT_TRUE(has) << row;
    });
  }
  EXPECT_GT(words.size(), 60U);
}

TEST(Verbs, SummariesAreALineInLowerCase) {
  for (const cli::Verb& verb : cli::verbs::all()) {
    EXPECT_FALSE(verb.summary.empty() || verb.summary.ends_with('.')) << verb.name;
    EXPECT_TRUE(verb.summary.front() >= 'a' && verb.summary.front() <= 'z') << verb.summary;
    EXPECT_EQ(verb.summary.find_first_of("|\n"), std::string_view::npos) << "it is a cell of a table in docs/reference/cli.md";
  }
}

}  // namespace
}  // namespace unshade::test
