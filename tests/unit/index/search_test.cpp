// Which shaders of a database: by the room's functions.
#ifdef UNSHADE_HAS_DATABASE
#include "unit/index/support.hpp"

#include <unshade/find/identity.hpp>
#include <unshade/index/documents.hpp>

namespace unshade::test {

namespace {

class Searching : public DatabaseFolder {
 protected:
  void SetUp() override {
    DatabaseFolder::SetUp();
    ASSERT_TRUE(database.add({.files = {write("a", sample("lit_vs_4_0.dxbc")), write("b", sample("textured_ps_5_0.dxbc"))}, .threads = 1}));
  }

  std::vector<std::int64_t> all() { return *database.matching(*index::Query::of({}, false)); }

  index::Database database = *index::Database::in_memory({.bytes = false, .listings = true});
};

TEST_F(Searching, CombinesConditions) {
  EXPECT_EQ(profiles(database), (std::vector<std::string>{"vs_4_0", "ps_5_0"}));
  EXPECT_EQ(profiles(database, {.names = {"TINT"}}), std::vector<std::string>{"ps_5_0"});
  EXPECT_EQ(profiles(database, {.binds = {"texture:albedo"}, .uses = {"sample*"}}), std::vector<std::string>{"ps_5_0"});
  EXPECT_EQ(profiles(database, {.hash = "0x5BA01B57"}), std::vector<std::string>{"ps_5_0"});
  EXPECT_EQ(profiles(database, {.where = "stage = 'vertex'"}), std::vector<std::string>{"vs_4_0"});
  EXPECT_EQ(profiles(database, {.words = "discard_nz"}), std::vector<std::string>{"ps_5_0"});
  EXPECT_TRUE(profiles(database, {.names = {"tint"}, .where = "stage = 'vertex'"}).empty());
}

TEST_F(Searching, NamesTheConditionThatIsWrong) {
  const auto fault = [&](const index::Conditions& conditions, bool keeps_words = true) {
    const auto query = index::Query::of(conditions, keeps_words);
    if (!query) return query.error().path + ": " + query.error().message;
    const auto ids = database.matching(*query);
    return ids ? std::string() : ids.error().path + ": " + ids.error().message;
  };
  EXPECT_EQ(fault({.binds = {"texture:"}}), "binds: requires a name: cbuffer:Camera, t3");
  EXPECT_EQ(fault({.binds = {"textur:x"}}), "conditions: unknown kind of binding 'textur': did you mean 'texture'?");
  EXPECT_EQ(fault({.hash = "xyz"}).find("hash: 'xyz' is not a hash"), 0U);
  EXPECT_EQ(fault({.where = "no_column = 1"}), "where: no such column: no_column");
  EXPECT_EQ(fault({.where = "1); delete from file; --"}).find("where: "), 0U);
  EXPECT_EQ(fault({.words = "[]"}), "words: requires words: letters, digits, _ and .");
  EXPECT_EQ(fault({.words = "mul"}, false).find("words: this database has no listings"), 0U);
  EXPECT_EQ(profiles(database).size(), 2U);
}

TEST_F(Searching, EndsWhenNoMoreIsWanted) {
  std::size_t given = 0;
  ASSERT_TRUE(database.read(all(), [&](index::Found&&) { return ++given < 1; }));
  EXPECT_EQ(given, 1U);
}

TEST_F(Searching, OrdersBySimilarity) {
  const auto bytes = sample("textured_ps_5_0.dxbc");
  const auto opened = shader::open(View(bytes));
  ASSERT_TRUE(opened);
  std::vector<double> found;
  ASSERT_TRUE(database.similar(all(), *find::sketch_of(*opened), shader::Family::dxbc, 0, [&](index::Found&& one) {
    found.push_back(*one.similarity);
    return true;
  }));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], 1);
  EXPECT_LT(found[1], 1);
}

TEST_F(Searching, ListsAgain) {
  std::vector<std::string> lines;
  std::vector<std::string> gone;
  const auto take = [&](index::Found&& one) {
    for (const index::ListedLine& line : one.lines) lines.push_back(line.text);
    return true;
  };
  index::LineSearch search{.expression = "^DCL_SAMPLER S0", .ignores_case = true};
  search.gone = [&](const index::FoundRow& row) { gone.push_back(row.places.front().path); };
  ASSERT_TRUE(database.list(all(), search, take));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].find("dcl_sampler s0"), 0U);
  std::filesystem::remove(path("b"));
  ASSERT_TRUE(database.list(all(), search, take));
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_EQ(gone, std::vector<std::string>{path("b")});
  search.may_read = [](const index::FoundRow&) { return false; };
  gone.clear();
  ASSERT_TRUE(database.list(all(), search, take));
  EXPECT_TRUE(gone.empty());
  search.expression = "(";
  EXPECT_EQ(database.list(all(), search, take).error().path, "regex");
}

TEST_F(Searching, NamesTheShaderWhoseListingIsNotSearched) {
  // a backtracking engine tries each way to cut a line in pieces
  const index::LineSearch search{.expression = "(.+)+(.+)+(.+)+(?!)", .threads = 2};
  std::size_t given = 0;
  const auto listed = database.list(all(), search, [&](index::Found&&) { return ++given != 0; });
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::limit);
  EXPECT_EQ(listed.error().path, "regex");
  EXPECT_EQ(listed.error().message.find("match limit exceeded in line "), 0U) << listed.error().message;
  EXPECT_NE(listed.error().message.find(" of the listing of " + path("a") + ":0x00000000"), std::string::npos) << listed.error().message;
  EXPECT_EQ(given, 0U);
}

}  // namespace

}  // namespace unshade::test
#endif
