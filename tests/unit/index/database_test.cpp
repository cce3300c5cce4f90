// The verbs index and search: databases that are continued, merged, damaged, killed.
#ifdef UNSHADE_HAS_DATABASE
#include <gtest/gtest.h>
#ifndef _WIN32
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <unshade/find/identity.hpp>

#include "index/checked_pages.hpp"
#include "index/query.hpp"
#include "index/schema.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;
using index::identity_bytes;

class DatabaseCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
  void write(const std::string& name, const std::vector<std::byte>& bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  /// All that a database says about all shaders, whatever the order of its rows.
  std::vector<std::string> content(const std::string& name) const {
    std::vector<std::string> lines;
    const auto database = *index::open_database(path(name), index::Mode::read);
    const auto add = [&](std::string_view sql) {
      auto rows = database->prepare(sql);
      while (rows.step()) {
        std::string line;
        for (int i = 0; i < rows.columns(); ++i) (line += rows.text(i)) += '|';
        lines.push_back(std::move(line));
      }
    };
    add("select x.xxh3, p.path, p.layers, p.offset, p.certainty, p.parent from places p join shaders x on x.id = p.shader");
    add("select family, stage, profile, creator, size, instructions, xxh3, digest, crc32, crc32c, fnv1, migoto, migoto_bytecode, sha1, "
        "dxil_hash, code, plain from shaders");
    add("select x.xxh3, b.kind, b.name, b.letters, b.space, b.bind_point, b.bind_count from bindings b join shaders x on x.id = b.shader");
    add("select x.xxh3, o.opcode, o.count from opcodes o join shaders x on x.id = o.shader");
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("unshade-database-" + std::to_string(process_id()));
};

const std::vector<std::string> kQueries[] = {
    {"--json"},
    {"tint"},
    {"--places", "a"},
    {"--binds", "t*", "--json"},
    {"--uses", "discard*"},
    {"--hash", "0x5BA01B57"},
    {"--where", "instructions > 20 and stage = 'pixel'"},
    {"--like", "tests/data/dxbc/lit_vs_5_0.dxbc", "--threshold", "10"},
};

Outcome search(const std::string& database, const std::vector<std::string>& query) {
  std::vector<std::string> words = {"search", database};
  words.insert(words.end(), query.begin(), query.end());
  return run_command(words);
}

TEST_F(DatabaseCommand, UpdatesFollowTheFiles) {
  write("in/a", sample("lit_vs_4_0.dxbc"));
  write("in/b", sample("textured_ps_5_0.dxbc"));
  const std::vector<std::string> update = {"index", "--update", "-o", path("x.udb"), path("in")};
  EXPECT_NE(run_command(update).out.find(": 2 files searched, 9.5 kB, 2 shaders, 2 new\n"), std::string::npos);
  EXPECT_NE(run_command(update).out.find(": 0 files searched, 0 bytes, 2 unchanged, 0 shaders, 0 new\n"), std::string::npos);
  write("in/b", sample("lit_vs_4_0.dxbc"));
  write("in/c", sample("lit_vs_5_0.dxbc"));
  fs::remove(path("in/a"));
  const auto changed = run_command(update);
  EXPECT_NE(changed.out.find(": 2 files searched, "), std::string::npos) << changed.out;
  EXPECT_NE(changed.out.find(", 1 gone, 2 shaders, 1 new\n"), std::string::npos) << changed.out;
  // what has no place any more is not found
  EXPECT_EQ(search(path("x.udb"), {"--hash", "0x5BA01B57"}).exit, 1);
  const auto left = search(path("x.udb"), {"--where", "profile = 'vs_4_0'"});
  EXPECT_EQ(left.out.find(path("in/b")), 0U) << left.out;
  // an operand that is not there forgets nothing of others
  EXPECT_EQ(run_command({"index", "--update", "-o", path("x.udb"), path("in/c")}).exit, 0);
  EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "2\n");
  const auto stats = run_command({"index", "--stats", path("x.udb")});
  EXPECT_NE(stats.out.find(" 1  without a place"), std::string::npos) << stats.out;
}

// What cannot be read may be there again tomorrow.
TEST_F(DatabaseCommand, UpdatesForgetNothingThatCannotBeRead) {
  write("in/sub/a", sample("lit_vs_4_0.dxbc"));
  write("in/b", sample("textured_ps_5_0.dxbc"));
  const std::vector<std::string> update = {"index", "--update", "-o", path("x.udb"), path("in"), path("in/b")};
  ASSERT_EQ(run_command(update).exit, 0);
  fs::rename(path("in"), path("away"));
  EXPECT_EQ(run_command(update).exit, 2);
  EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "2\n");
  EXPECT_NE(run_command({"index", "--stats", path("x.udb")}).out.find(" 1  files, or archives in them, that could not be read"),
            std::string::npos);
  fs::rename(path("away"), path("in"));
  if (obeys_rights_of_folders()) {
    fs::permissions(path("in/sub"), fs::perms::none);
    EXPECT_EQ(run_command(update).exit, 2);
    fs::permissions(path("in/sub"), fs::perms::owner_all);
    EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "2\n");
  }
  fs::remove(path("in/sub/a"));
  EXPECT_NE(run_command(update).out.find(" 1 gone"), std::string::npos);
  EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "1\n");
}

TEST_F(DatabaseCommand, UpdatesSearchAgainWithOtherOptionsAndWhatIsDamaged) {
  write("in/a", sample("lit_vs_4_0.dxbc"));
  const std::vector<std::string> update = {"index", "--update", "-o", path("x.udb"), path("in")};
  ASSERT_EQ(run_command(update).exit, 0);
  for (const std::string option : {"--decompress", "--no-unpack"}) {
    auto other = update;
    other.insert(other.begin() + 1, option);
    EXPECT_NE(run_command(other).out.find(": 1 file searched, "), std::string::npos) << option;
    EXPECT_NE(run_command(other).out.find(": 0 files searched, "), std::string::npos) << option;
  }
  auto archive = read_bytes(source_dir() / "tests/data/archives/members.tar.gz");
  archive.resize(archive.size() / 2);
  write("in/b", archive);
  for (int round = 0; round < 2; ++round) {
    const auto updated = run_command(update);
    EXPECT_EQ(updated.exit, 1);
    EXPECT_NE(updated.err.find("/in/b"), std::string::npos) << updated.err;
  }
  EXPECT_NE(run_command({"index", "--stats", path("x.udb")}).out.find(" 1  files, or archives in them, that could not be read"),
            std::string::npos);
}

TEST_F(DatabaseCommand, JoinsWhatFitsTogether) {
  write("v1/a", sample("lit_vs_4_0.dxbc"));
  write("v2/a", sample("lit_vs_5_0.dxbc"));
  const std::string plain = path("1.udb");
  const std::string worded = path("2.udb");
  ASSERT_EQ(run_command({"index", "-o", plain, path("v1")}).exit, 0);
  ASSERT_EQ(run_command({"index", "--text", "-o", worded, path("v2")}).exit, 0);
  const auto rename = [&](const std::string& database) {
    (*index::open_database(database, index::Mode::write))->run("update file set path = 'a'");
  };
  // without words into what keeps them
  const auto lacking = run_command({"index", "--merge", "-o", worded, plain});
  EXPECT_EQ(lacking.exit, 2);
  EXPECT_EQ(lacking.err.find(plain + ": error[usage]: made without --text"), 0U) << lacking.err;
  EXPECT_EQ(search(worded, {"--count"}).out, "1\n");
  // two files of one path
  rename(plain);
  rename(worded);
  const auto twice = run_command({"index", "--merge", "-o", path("x.udb"), plain, worded});
  EXPECT_EQ(twice.exit, 2);
  EXPECT_EQ(twice.err, worded + ": error[usage]: its file a has other shaders than that of " + plain + "\n");
  EXPECT_FALSE(fs::exists(path("x.udb")));
  // what is there is replaced, and counted
  EXPECT_NE(run_command({"index", "--merge", "-o", path("x.udb"), plain}).out.find(": 1 database, 1 file, 1 new shader\n"),
            std::string::npos);
  EXPECT_NE(run_command({"index", "--merge", "-o", path("x.udb"), worded}).out.find(": 1 database, 1 file, 1 replaced, 1 new shader\n"),
            std::string::npos);
  EXPECT_NE(run_command({"index", "--merge", "-o", path("x.udb"), worded}).out.find(": 1 database, 1 file, 0 new shaders\n"),
            std::string::npos);
  // a file that could not be read there
  (*index::open_database(plain, index::Mode::write))->run("update file set fault = 'Input/output error'; delete from place");
  ASSERT_EQ(run_command({"index", "--merge", "-o", path("x.udb"), plain, worded}).exit, 0);
  EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "1\n");
  EXPECT_EQ(run_command({"index", "--merge", "-o", path("x.udb"), plain, path("./x.udb")}).err,
            path("./x.udb") + ": error[usage]: the output database is also one of the databases to merge\n");
}

TEST_F(DatabaseCommand, BlamesTheDatabaseThatIsDamaged) {
  ASSERT_EQ(run_command({"index", "-o", path("good.udb"), "tests/data/dxbc"}).exit, 0);
  auto bytes = read_bytes(path("good.udb"));
  for (std::size_t page = 2; page < bytes.size() / index::kPageBytes; ++page) bytes[page * index::kPageBytes + 100] ^= std::byte{1};
  write("bad.udb", bytes);
  for (const auto& [out, operand] : {std::pair{path("bad.udb"), path("good.udb")}, {path("good.udb"), path("bad.udb")}}) {
    const auto merged = run_command({"index", "--merge", "-o", out, operand});
    EXPECT_EQ(merged.exit, 1);
    EXPECT_EQ(merged.err.find(path("bad.udb") + ": error[damaged]: page "), 0U) << merged.err;
  }
  const auto checked = run_command({"index", "--check", path("bad.udb")});
  EXPECT_EQ(checked.err.find(path("bad.udb") + ": error[damaged]: page "), 0U) << checked.err;
  EXPECT_NE(checked.err.find(" has a wrong checksum"), std::string::npos) << checked.err;
}

TEST_F(DatabaseCommand, IsARegularFileOfTheNameThatIsGiven) {
  if (!make_pipe(path("pipe"))) GTEST_SKIP() << "pipes in folders cannot be made here";
  EXPECT_EQ(search(path("pipe"), {"x"}).err, path("pipe") + ": error[io]: a database must be a regular file\n");
  for (const std::string name : {"", "-", "/dev/null", "/dev/full"}) {
    EXPECT_EQ(run_command({"index", "-o", name, "tests/data/dxbc"}).exit, 2) << name;
    EXPECT_EQ(run_command({"index", "--merge", "-o", name, "tests/data/dxbc"}).exit, 2) << name;
  }
  const fs::path before = fs::current_path();
  fs::current_path(path(""));
  EXPECT_EQ(run_command({"index", "-o", ":memory:", (before / "tests/data/dxbc").generic_string()}).exit, 0);
  fs::current_path(before);
  EXPECT_EQ(search(path(":memory:"), {"tint", "--count"}).exit, 0);
}

TEST_F(DatabaseCommand, SearchLeavesNoOptionOutAndNoErrorUnsaid) {
  write("in/a", sample("textured_ps_5_0.dxbc"));
  write("in/b", sample("textured_ps_4_0.dxbc"));
  ASSERT_EQ(run_command({"index", "-o", path("x.udb"), path("in")}).exit, 0);
  EXPECT_EQ(search(path("x.udb"), {"--count", "--regex", "discard"}).out, "2\n");
  EXPECT_EQ(search(path("x.udb"), {"--count", "--regex", "no such line"}).out, "0\n");
  EXPECT_EQ(search(path("x.udb"), {"--count", "--like", "tests/data/dxbc/textured_ps_5_0.dxbc"}).out, "2\n");
  const std::vector<std::vector<std::string>> alone = {
      {"--count", "--json"}, {"--count", "-n", "1"}, {"-i"}, {"-C", "1"}, {"--threshold", "9"}};
  for (const auto& options : alone) EXPECT_EQ(search(path("x.udb"), options).exit, 2) << options.front();
  fs::remove(path("in/b"));
  const auto partly = search(path("x.udb"), {"--regex", "discard", "--json"});
  EXPECT_EQ(partly.exit, 1);
  EXPECT_EQ(partly.out.find("{\"schema\":\"unshade.search/1\""), 0U);
  EXPECT_NE(partly.out.find("\n{\"schema\":\"unshade.error/1\",\"errors\":[{"), std::string::npos) << partly.out;
}

// The database names the files that --regex lists again.
TEST_F(DatabaseCommand, SearchReplacesNoFileThatItReads) {
  const auto shader = sample("textured_ps_5_0.dxbc");
  write("in/a", shader);
  ASSERT_EQ(run_command({"index", "-o", path("x.udb"), path("in")}).exit, 0);
  const auto listed = search(path("x.udb"), {"--regex", "discard", "-o", path("in/a")});
  EXPECT_EQ(listed.exit, 2);
  EXPECT_NE(listed.err.find("--output names the same file as an input: "), std::string::npos) << listed.err;
  EXPECT_EQ(read_bytes(path("in/a")), shader);
  EXPECT_EQ(search(path("x.udb"), {"--regex", "discard", "-o", path("found.txt")}).exit, 0);
}

// A shader of many places is read once, and found in all.
TEST_F(DatabaseCommand, ShadersInSeveralPlacesAreOne) {
  auto bytes = sample("lit_vs_4_0.dxbc");
  const auto other = sample("textured_ps_5_0.dxbc");
  bytes.insert(bytes.end(), other.begin(), other.end());
  bytes.insert(bytes.end(), other.begin(), other.end());
  write("in/pack", bytes);
  write("in/one", other);
  ASSERT_EQ(run_command({"index", "-j", "4", "-o", path("x.udb"), path("in")}).exit, 0);
  EXPECT_EQ(search(path("x.udb"), {"--count"}).out, "2\n");
  const auto found = search(path("x.udb"), {"tint", "--places"});
  EXPECT_EQ(std::count(found.out.begin(), found.out.end(), '\n'), 3) << found.out;
}

TEST_F(DatabaseCommand, FindsWhatListingsAndToolsSpell) {
  write("in/a", sample("textured_ps_5_0.dxbc"));
  write("in/b", read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil"));
  ASSERT_EQ(run_command({"index", "--text", "-o", path("x.udb"), path("in")}).exit, 0);
  const auto count = [&](const std::string& option, const std::string& value) {
    return search(path("x.udb"), {option, value, "--count"}).out;
  };
  for (const char* opcode : {"discard_nz", "sample_indexable(texture2d)(float,float,float,float)", "dx.op.sample.f32", "dx.op.Sample"})
    EXPECT_EQ(count("--uses", opcode), "1\n") << opcode;
  EXPECT_EQ(count("--uses", "discard_sat"), "0\n");
  // RenderDoc's notation: the first number, the first two
  for (const char* digest : {"ac5d747a", "ac5d747a-ff0df274", "7a745dac"}) EXPECT_EQ(count("--hash", digest), "1\n") << digest;
  EXPECT_EQ(count("--words", "t0 cb0[0]"), "1\n");
  EXPECT_EQ(search(path("x.udb"), {"--words", "[]"}).exit, 2);
  EXPECT_NE(search(path("x.udb"), {"--words", "a\u00d7b"}).err.find("--words: "), std::string::npos);
  EXPECT_EQ(search(path("x.udb"), {"\u00f6\u00df"}).exit, 1);
}

// Rows of a database as a compiler would make them that this repository has no shader of.
TEST_F(DatabaseCommand, BindsFindsArraysByTheirNamesAndElements) {
  write("in/a", sample("textured_ps_5_0.dxbc"));
  ASSERT_EQ(run_command({"index", "-o", path("x.udb"), path("in")}).exit, 0);
  {
    const auto database = *index::open_database(path("x.udb"), index::Mode::write);
    database->run(
        "update name set text = 'albedo[0]' where text = 'albedo'; update name set text = '\u00f6\u00df' where text = 'tint'; "
        "update interface_name set bind_point = 10, bind_count = 4 where letters = 't' and bind_point = 3; "
        "update interface_name set bind_count = 0 where letters = 's'");
  }
  const auto exit = [&](const std::string& name) { return search(path("x.udb"), {"--binds", name}).exit; };
  EXPECT_EQ(exit("albedo[0]"), 0);
  EXPECT_EQ(exit("albedo[?]"), 0);
  EXPECT_EQ(exit("albedo0"), 1);
  EXPECT_EQ(exit("t9"), 1);
  EXPECT_EQ(exit("t10"), 0);
  EXPECT_EQ(exit("t13"), 0);
  EXPECT_EQ(exit("t14"), 1);
  EXPECT_EQ(exit("s77"), 0);
  EXPECT_EQ(search(path("x.udb"), {"\u00f6\u00df"}).exit, 0);
}

TEST_F(DatabaseCommand, ShardsMergeToTheSame) {
  const std::vector<std::string> folders = {"tests/data/dxbc", "tests/data/dxil", "tests/data/spirv", "tests/data/archives",
                                            "tests/data/vbc"};
  const auto index = [&](const std::string& name, std::vector<std::string> options) {
    options.insert(options.begin(), {"index", "-o", path(name)});
    options.insert(options.end(), folders.begin(), folders.end());
    return run_command(options).exit;
  };
  ASSERT_LE(index("whole.udb", {"--keep", "--text"}), 1);
  ASSERT_LE(index("1.udb", {"--keep", "--text", "--shard", "1/3", "-j", "1"}), 1);
  ASSERT_LE(index("2.udb", {"--keep", "--text", "--shard", "2/3"}), 1);
  ASSERT_LE(index("3.udb", {"--keep", "--text", "--shard", "3/3", "-j", "3"}), 1);
  ASSERT_EQ(run_command({"index", "--merge", path("3.udb"), path("1.udb"), path("2.udb"), "-o", path("merged.udb")}).exit, 0);
  const auto whole = content("whole.udb");
  EXPECT_GT(whole.size(), 1000U);
  EXPECT_EQ(whole, content("merged.udb"));
  // again changes nothing
  ASSERT_EQ(run_command({"index", "--merge", path("2.udb"), "-o", path("merged.udb")}).exit, 0);
  EXPECT_EQ(whole, content("merged.udb"));
  EXPECT_EQ(run_command({"index", "--check", path("merged.udb")}).exit, 0);
  for (const std::vector<std::string>& query :
       std::vector<std::vector<std::string>>{{"--words", "sample"}, {"--regex", "discard"}, {"tint"}})
    EXPECT_EQ(search(path("whole.udb"),
                     [&] {
                       auto words = query;
                       words.insert(words.end(), {"--json"});
                       return words;
                     }())
                  .out.size(),
              search(path("merged.udb"),
                     [&] {
                       auto words = query;
                       words.insert(words.end(), {"--json"});
                       return words;
                     }())
                  .out.size())
        << query.front();
}

// Kept bytes, a file as it is, and an archive give the same lines.
TEST_F(DatabaseCommand, RegularExpressionsListAgain) {
  const std::vector<std::string> query = {"--regex", "dp3 .*", "-C", "1", "--json"};
  ASSERT_EQ(run_command({"index", "-o", path("a.udb"), "tests/data/archives/members.tar.gz"}).exit, 0);
  ASSERT_EQ(run_command({"index", "-o", path("b.udb"), "--keep", "tests/data/archives/members.tar.gz"}).exit, 0);
  const auto from_archive = search(path("a.udb"), query);
  EXPECT_EQ(from_archive.exit, 0) << from_archive.err;
  EXPECT_NE(from_archive.out.find("dp3"), std::string::npos);
  EXPECT_EQ(from_archive.out, search(path("b.udb"), query).out);
  // a file that has changed is told
  write("in/a", sample("lit_vs_4_0.dxbc"));
  ASSERT_EQ(run_command({"index", "-o", path("c.udb"), path("in")}).exit, 0);
  EXPECT_EQ(search(path("c.udb"), query).exit, 0);
  write("in/a", sample("textured_ps_5_0.dxbc"));
  const auto gone = search(path("c.udb"), query);
  EXPECT_EQ(gone.exit, 1);
  EXPECT_NE(gone.err.find("no longer there"), std::string::npos) << gone.err;
}

// Killed at any moment, the file is whole, and another run completes it.
TEST_F(DatabaseCommand, SurvivesBeingKilled) {
#ifdef _WIN32
  GTEST_SKIP() << "needs fork()";
#else
  const auto shader = sample("textured_ps_5_0.dxbc");
  for (int i = 0; i < 40; ++i) {
    auto bytes = shader;
    bytes[0x40] = static_cast<std::byte>(i);  // a wrong digest: possible, and another shader
    write("in/" + std::to_string(i), bytes);
  }
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_command({"index", "-j", "1", "-o", path("whole.udb"), path("in")}).exit, 0);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
  std::mt19937 random(1);
  for (int round = 0; round < 12; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      run_command({"index", "--update", "-j", "1", "-o", path("x.udb"), path("in")});
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(random() % static_cast<unsigned>(whole + whole / 4 + 1)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (fs::exists(path("x.udb")) && fs::file_size(path("x.udb")) != 0) {
      EXPECT_EQ(run_command({"index", "--check", path("x.udb")}).exit, 0) << round;
    }
  }
  ASSERT_EQ(run_command({"index", "--update", "-o", path("x.udb"), path("in")}).exit, 0);
  EXPECT_EQ(content("whole.udb"), content("x.udb"));
#endif
}

// Whatever bytes are changed, an answer is an error or the right one.
TEST_F(DatabaseCommand, DamageIsAnErrorOrChangesNothing) {
  ASSERT_EQ(run_command({"index", "--keep", "-o", path("x.udb"), "tests/data/dxbc", "tests/data/spirv"}).exit, 0);
  const auto whole = read_bytes(path("x.udb"));
  ASSERT_EQ(whole.size() % index::kPageBytes, 0U);
  std::vector<Outcome> right;
  for (const auto& query : kQueries) {
    right.push_back(search(path("x.udb"), query));
    ASSERT_FALSE(right.back().out.empty()) << query.front();
  }
  std::size_t refused = 0;
  const auto expect_right_or_refused = [&](const std::vector<std::byte>& damaged, const std::string& what) {
    write("y.udb", damaged);
    for (std::size_t i = 0; i < right.size(); ++i) {
      const Outcome outcome = search(path("y.udb"), kQueries[i]);
      const bool is_refused = outcome.exit != 0 && outcome.err.find("error[") != std::string::npos;
      refused += is_refused ? 1 : 0;
      EXPECT_TRUE(is_refused || (outcome.out == right[i].out && outcome.exit == right[i].exit))
          << what << ", " << kQueries[i].front() << ": " << outcome.out << outcome.err;
    }
  };
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    auto damaged = whole;
    const std::size_t at = round < 100 ? static_cast<std::size_t>(round) : random() % whole.size();  // all of the header
    damaged[at] ^= static_cast<std::byte>(1U << random() % 8);
    expect_right_or_refused(damaged, "byte " + std::to_string(at));
  }
  for (int round = 0; round < 20; ++round) {
    auto damaged = whole;
    damaged.resize(round % 2 == 0 ? random() % whole.size() : whole.size() - 1 - random() % index::kPageBytes);
    expect_right_or_refused(damaged, "cut at " + std::to_string(damaged.size()));
    // a page in the place of another
    damaged = whole;
    const std::size_t pages = whole.size() / index::kPageBytes;
    const auto page = [](std::size_t number) { return static_cast<std::ptrdiff_t>(number * index::kPageBytes); };
    const std::size_t a = random() % pages;
    const std::size_t b = random() % pages;
    std::copy_n(whole.begin() + page(a), index::kPageBytes, damaged.begin() + page(b));
    expect_right_or_refused(damaged, "page " + std::to_string(a) + " for " + std::to_string(b));
  }
  EXPECT_GT(refused, 100U);
}

TEST_F(DatabaseCommand, RefusesOtherFiles) {
  write("text", std::vector<std::byte>(4096, std::byte{'a'}));
  EXPECT_EQ(search(path("text"), {"x"}).exit, 1);
  EXPECT_EQ(run_command({"index", "--update", "-o", path("text"), "tests/data/dxbc"}).exit, 1);
  EXPECT_EQ(read_bytes(path("text")).size(), 4096U);
  write("empty", {});
  EXPECT_EQ(search(path("empty"), {"x"}).exit, 1);
  EXPECT_EQ(run_command({"index", "-o", path("empty"), "tests/data/dxbc"}).exit, 0);
  EXPECT_EQ(search(path("empty"), {"--count"}).exit, 0);
}

TEST(IdentityBytes, ReadsWhatToolsWrite) {
  const auto size = [](std::string_view text) { return identity_bytes(text).value_or(std::vector<std::byte>()).size(); };
  EXPECT_EQ(size("0x5BA01B57"), 4U);
  EXPECT_EQ(size("5ba01b57"), 4U);
  EXPECT_EQ(size("fs.7a745dac74f20dff8d89e8c4eb77883d"), 16U);
  EXPECT_EQ(size("FS_5c8c956486c033745fe4224a1036cb2b12faf6fc"), 20U);
  EXPECT_EQ(size("shader_0x5BA01B57"), 4U);
  EXPECT_EQ(size("5ba01b5"), 0U);
  EXPECT_EQ(size("5ba01b5g"), 0U);
  EXPECT_EQ(size(""), 0U);
  EXPECT_EQ(size("ac5d747a-ff0df274"), 8U);
  EXPECT_EQ(size("ac5d747a-ff0d"), 0U);
  EXPECT_EQ(size("ac5d747a-"), 0U);
  EXPECT_EQ(identity_bytes("ac5d747a-ff0df274-c4e8898d-3d8877eb"), identity_bytes("7a745dac74f20dff8d89e8c4eb77883d"));
}

// Each name that is a shader's own has a column.
TEST(IdentityColumns, CoverAllNames) {
  for (const find::IdentityKind& kind : find::identity_kinds()) {
    if (!kind.spells.empty() || kind.id == "sketch" || kind.id == "xxh3") continue;
    const auto columns = index::identity_columns();
    EXPECT_TRUE(std::any_of(columns.begin(), columns.end(), [&](const auto& row) { return row.id == kind.id; })) << kind.id;
  }
}

}  // namespace

}  // namespace unshade::test
#endif
