// Databases made, added to, joined: by the room's functions.
#ifdef UNSHADE_HAS_DATABASE
#include "unit/index/support.hpp"

#include <cstdint>

#include <unshade/index/documents.hpp>

namespace unshade::test {

namespace {

class Adding : public DatabaseFolder {
 protected:
  index::Database made(const std::string& name, index::Keeps keeps = {}) const {
    auto database = index::Database::make(path(name), keeps);
    EXPECT_TRUE(database);
    return *std::move(database);
  }
};

TEST_F(Adding, FollowsTheFiles) {
  const std::string a = write("in/a", sample("lit_vs_4_0.dxbc"));
  const std::string b = write("in/b", sample("textured_ps_5_0.dxbc"));
  index::Database database = made("x.udb");
  std::uint64_t last = 0;
  std::vector<std::string> searched;
  index::Additions additions{.files = {a, b, a, path("x.udb")}, .threads = 2, .update = true, .roots = {path("in")}};
  additions.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_LE(done, total);
    last = done;
  };
  additions.searched = [&](const unpack::SearchedFile& file) { searched.push_back(file.name); };
  const auto first = database.add(additions);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->files, 2U);
  EXPECT_EQ(first->added, 2U);
  EXPECT_EQ(first->bytes, last);
  EXPECT_EQ(searched, (std::vector<std::string>{a, b}));
  std::filesystem::remove(b);
  additions.files = {a};
  const auto second = database.add(additions);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->unchanged, 1U);
  EXPECT_EQ(second->removed, 1U);
  EXPECT_EQ(profiles(database), std::vector<std::string>{"vs_4_0"});
  // what cannot be read now is not forgotten
  additions.files = {};
  additions.unread = {path("in")};
  EXPECT_EQ(database.add(additions)->removed, 0U);
  ASSERT_TRUE(database.remove(a));
  ASSERT_TRUE(database.remove("no such file"));
  EXPECT_TRUE(profiles(database).empty());
  const auto stats = database.stats();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->shaders, 2U);
  EXPECT_EQ(stats->gone, 2U);
  EXPECT_EQ(stats->files, 0U);
  EXPECT_TRUE(database.check());
}

TEST_F(Adding, NotesWhatCannotBeRead) {
  index::Database database = made("x.udb");
  std::string fault;
  index::Additions additions{.files = {path("none")}};
  additions.searched = [&](const unpack::SearchedFile& file) { fault = file.fault; };
  ASSERT_TRUE(database.add(additions));
  EXPECT_EQ(fault, "No such file or directory");
  EXPECT_EQ(database.stats()->faults, 1U);
}

TEST_F(Adding, ErrorsTellDamageFromOtherFiles) {
  const std::string text = write("text", std::vector<std::byte>(4096, std::byte{'a'}));
  EXPECT_EQ(index::Database::open(text).error().code, ErrorCode::bad_magic);
  EXPECT_EQ(index::Database::make(text, {}).error().code, ErrorCode::bad_magic);
  EXPECT_EQ(index::Database::open(path("none")).error().code, ErrorCode::missing);
  EXPECT_EQ(index::Database::open(path("")).error().message, "a database must be a regular file");
  {
    made("x.udb");
  }
  auto bytes = read_bytes(path("x.udb"));
  for (std::size_t at = 100; at < bytes.size(); at += 8192) bytes[at] ^= std::byte{1};
  const std::string damaged = write("y.udb", bytes);
  const auto opened = index::Database::open(damaged);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::bad_value);
  EXPECT_EQ(opened.error().path, "");
}

TEST_F(Adding, CannotChangeWhatIsOpenToBeRead) {
  const std::string a = write("a", sample("lit_vs_4_0.dxbc"));
  {
    made("x.udb");
  }
  auto database = index::Database::open(path("x.udb"));
  ASSERT_TRUE(database);
  EXPECT_EQ(database->add({.files = {a}}).error().code, ErrorCode::missing);
  EXPECT_TRUE(profiles(*database).empty());
}

TEST_F(Adding, JoinsDatabases) {
  index::Database first = made("1.udb", {.bytes = true});
  index::Database second = made("2.udb");
  ASSERT_TRUE(first.add({.files = {write("a", sample("lit_vs_4_0.dxbc"))}}));
  ASSERT_TRUE(second.add({.files = {write("b", sample("textured_ps_5_0.dxbc"))}}));
  EXPECT_TRUE(first.keeps().bytes);
  EXPECT_FALSE(second.keeps().bytes);
  index::Joining joining(path("all.udb"), std::nullopt);
  EXPECT_FALSE(*joining.add(path("1.udb")));
  EXPECT_TRUE(joining.keeps().bytes);
  EXPECT_FALSE(*joining.add(path("2.udb")));
  EXPECT_FALSE(joining.keeps().bytes);
  const auto merged = second.merge(path("1.udb"));
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->files, 1U);
  EXPECT_EQ(merged->added, 1U);
  EXPECT_EQ(profiles(second).size(), 2U);
  auto bytes = read_bytes(path("1.udb"));
  for (std::size_t at = 2 * 8192 + 100; at < bytes.size(); at += 8192) bytes[at] ^= std::byte{1};
  const auto refused = second.merge(write("3.udb", bytes));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_value);
  EXPECT_EQ(refused.error().path, "other");
}

}  // namespace

}  // namespace unshade::test
#endif
