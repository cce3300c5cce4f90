// The verb scan on files larger than the pieces that it searches.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include <unshade/core/text.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/packed_files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

class ScanCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
  void write(const std::string& name, const std::vector<std::byte>& bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::size_t files_in(const std::string& name) const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path(name))) count += entry.is_regular_file() ? 1 : 0;
    return count;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("unshade-scan-" + std::to_string(process_id()));
};

/// Random bytes with a shader across each multiple of 4 MiB, and their places.
std::vector<std::byte> large_file(std::vector<std::size_t>& places) {
  static const std::vector<std::byte> random_bytes = [] {
    std::mt19937 random(9);
    std::vector<std::byte> bytes((std::size_t{3} << 22) + 12345);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
  }();
  std::vector<std::byte> file = random_bytes;
  const auto shader = sample("lit_vs_4_0.dxbc");
  places.clear();
  for (const std::size_t end : {std::size_t{1} << 22, std::size_t{2} << 22, std::size_t{3} << 22}) {
    places.push_back(end - 100 - 7 * places.size());
    std::copy(shader.begin(), shader.end(), file.begin() + static_cast<std::ptrdiff_t>(places.back()));
  }
  return file;
}

#ifdef UNSHADE_HAS_ARCHIVES
// Names of members are whatever somebody wrote there.
TEST_F(ScanCommand, WritesMembersUnderNamesOfEverySystem) {
  const auto vertex = sample("lit_vs_4_0.dxbc");
  const auto pixel = sample("textured_ps_5_0.dxbc");
  write("1.zip", zip_of("dir/con.cso", vertex));
  write("2.zip", zip_of("..\\C:x.cso", vertex));
  write("3.zip", zip_of("A.cso", vertex));
  write("4.zip", zip_of("a.cso", pixel));
  write("5.zip", zip_of(std::string(250, 'b') + ".cso", vertex));
  write("6.zip", zip_of("plain.cso", vertex));
  const auto outcome = run_command({"scan", "-o", path("out/"), "--name", "{member}", path("1.zip"), path("2.zip"), path("3.zip"),
                                    path("4.zip"), path("5.zip"), path("6.zip")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path("out"))) names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"_con.cso", "C_x.cso", "A.cso", "a-2.cso", std::string(236, 'b') + ".cso", "plain.cso"}));
}
#endif

TEST_F(ScanCommand, FindsWhatLiesAcrossPieces) {
  std::vector<std::size_t> places;
  write("pack", large_file(places));
  std::string one;
  for (const char* threads : {"1", "4"}) {
    const auto outcome = run_command({"scan", "-j", threads, path("pack")});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);
    for (const std::size_t place : places) {
      Text text;
      (text << "0x").hex(place, 8) << "  5984 bytes  dxbc vs_4_0  certain\n";
      EXPECT_NE(outcome.out.find(text.view()), std::string::npos) << outcome.out;
    }
    if (one.empty()) one = outcome.out;
    EXPECT_EQ(outcome.out, one);
  }
}

TEST_F(ScanCommand, ReadsStandardInput) {
  std::vector<std::size_t> places;
  Surroundings around;
  around.input = large_file(places);
  const auto outcome = run_command({"scan", "-"}, around);
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out.find("<stdin>:0x003fff9c"), 0U) << outcome.out;
}

TEST_F(ScanCommand, WritesEachShaderOnce) {
  std::vector<std::size_t> places;
  write("in/pack", large_file(places));
  write("in/other", sample("lit_vs_4_0.dxbc"));
  write("in/third", sample("textured_ps_5_0.dxbc"));
  const auto outcome = run_command({"scan", "-o", path("out") + '/', path("in")});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(files_in("out"), 2U);
  EXPECT_EQ(read_bytes(path("out/0x5BA01B57.ps_5_0.dxbc")), sample("textured_ps_5_0.dxbc"));
  EXPECT_EQ(read_bytes(path("out/0xE4B77EC4.vs_4_0.dxbc")), sample("lit_vs_4_0.dxbc"));
  EXPECT_NE(outcome.err.find("3 files, 12.6 MB, 5 shaders, 2 written, 3 repeated\n"), std::string::npos) << outcome.err;
}

TEST_F(ScanCommand, TellsShadersOfOneNameApart) {
  write("in/a", sample("lit_vs_4_0.dxbc"));
  write("in/b", sample("lit_vs_5_0.dxbc"));
  EXPECT_EQ(run_command({"scan", "-d", path("out"), "--name", "{family}/x.{ext}", path("in")}).exit, 0);
  EXPECT_EQ(read_bytes(path("out/dxbc/x.dxbc")), sample("lit_vs_4_0.dxbc"));
  EXPECT_EQ(read_bytes(path("out/dxbc/x-2.dxbc")), sample("lit_vs_5_0.dxbc"));
  // what was written is not searched
  EXPECT_EQ(run_command({"scan", "-d", path("in/out"), path("in")}).exit, 0);
  const auto again = run_command({"scan", "-d", path("in/out"), path("in")});
  EXPECT_NE(again.err.find("2 files, "), std::string::npos) << again.err;
}

// Each file is in one shard, whatever the others are.
TEST_F(ScanCommand, ShardsCoverEachFileOnce) {
  std::multiset<std::string> found;
  std::size_t shards_used = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const auto outcome = run_command({"scan", "--shard", shard, "tests/data/dxbc"});
    shards_used += outcome.out.empty() ? 0 : 1;
    for (std::size_t at = 0; at < outcome.out.size();) {
      const std::size_t end = outcome.out.find('\n', at);
      found.insert(outcome.out.substr(at, end - at));
      at = end + 1;
    }
  }
  const auto whole = run_command({"scan", "tests/data/dxbc"});
  EXPECT_EQ(found.size(), static_cast<std::size_t>(std::count(whole.out.begin(), whole.out.end(), '\n')));
  for (const std::string& line : found) {
    EXPECT_NE(whole.out.find(line + '\n'), std::string::npos) << line;
    EXPECT_EQ(found.count(line), 1U) << line;
  }
  EXPECT_GT(shards_used, 1U);
}

TEST_F(ScanCommand, SaysWhatItCannotRead) {
  write("in/a", sample("lit_vs_4_0.dxbc"));
  const auto outcome = run_command({"scan", path("in/a"), kNullDevice});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find(kNullDevice + std::string(": error[io]: not a regular file")), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("dxbc vs_4_0"), std::string::npos);
}

// The names come out of the shaders, so that one may be that of a file with others.
TEST_F(ScanCommand, ReplacesNoFileThatIsSearched) {
  std::vector<std::byte> both = sample("lit_vs_5_0.dxbc");
  const auto second = sample("textured_ps_5_0.dxbc");
  both.insert(both.end(), second.begin(), second.end());
  write("d.bin", both);
  if (!make_link("d.bin", path("link.bin"))) GTEST_SKIP() << "links cannot be made here";
  for (const char* name : {"{file}", "link.bin"}) {
    const auto outcome = run_command({"scan", "-d", path(""), "--name", name, path("d.bin")});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("error[io]: the shader would replace an input file"), std::string::npos) << outcome.err;
    EXPECT_EQ(read_bytes(path("d.bin")), both);
  }
  EXPECT_EQ(read_bytes(path("d-2.bin")), second);
}

// The second shader of two files has the name of the third one.
TEST_F(ScanCommand, NamesNoFileThatWasNotWritten) {
  std::vector<std::byte> both = sample("textured_ps_5_0.dxbc");
  const auto second = sample("lit_vs_5_0.dxbc");
  both.insert(both.end(), second.begin(), second.end());
  write("a", both);
  write("b", both);
  write("1.bin", sample("textured_ps_5_0.dxbc"));
  const auto outcome = run_command({"scan", "-d", path(""), "--name", "{number}.bin", path("a"), path("b"), path("1.bin")});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out.find("1.bin\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("5 shaders, 1 written, 2 repeated\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_bytes(path("1.bin")), sample("textured_ps_5_0.dxbc"));
}

// What the command line names stays as it is, whoever searches it.
TEST_F(ScanCommand, ReplacesNoFileOfAnotherShard) {
  std::vector<std::string> words = {"scan", "-d", path(""), "--name", "{number}.bin", "--shard", "1/2", path("0.bin")};
  const auto input = sample("textured_ps_5_0.dxbc");
  write("0.bin", input);
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    write(name, sample("lit_vs_5_0.dxbc"));
    words.push_back(path(name));
  }
  for (const char* shard : {"1/2", "2/2"}) {
    words[6] = shard;
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 2) << outcome.err;
    EXPECT_EQ(read_bytes(path("0.bin")), input);
  }
}

TEST_F(ScanCommand, ReplacesNoStandardInput) {
  write("in.bin", sample("lit_vs_5_0.dxbc"));
  const StandardInput input(path("in.bin"));
  if (!input.is_set()) GTEST_SKIP() << "standard input cannot be exchanged here";
  Surroundings around;
  around.input = sample("lit_vs_5_0.dxbc");
  const auto outcome = run_command({"scan", "-d", path(""), "--name", "in.bin", "-"}, around);
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("in.bin: error[io]: the shader would replace an input file"), std::string::npos) << outcome.err;
}

TEST_F(ScanCommand, SaysWhatCertainLeavesOut) {
  auto unsigned_shader = sample("lit_vs_5_0.dxbc");
  std::fill_n(unsigned_shader.begin() + 4, 16, std::byte{});
  write("in/unsigned", unsigned_shader);
  const auto one = run_command({"scan", "--certain", path("in")});
  EXPECT_EQ(one.exit, 1);
  EXPECT_NE(one.err.find("in/unsigned: error[missing]: no certain shader in this file; --certain left out 1 that is likely"),
            std::string::npos)
      << one.err;
  write("in/signed", sample("lit_vs_5_0.dxbc"));
  const auto two = run_command({"scan", "--certain", path("in")});
  EXPECT_EQ(two.exit, 0);
  EXPECT_NE(two.err.find("1 shader, 1 left out by --certain\n"), std::string::npos) << two.err;
}

TEST_F(ScanCommand, AFolderMustHaveAName) {
  for (const char* option : {"-d", "-o"}) {
    const auto outcome = run_command({"scan", option, "", "tests/data/dxbc"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("error[usage]: --output"), std::string::npos) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
  }
}

TEST_F(ScanCommand, NamesStandardInputInErrors) {
  EXPECT_EQ(run_command({"scan", "-"}).err, "<stdin>: error[missing]: no shader in this file\n");
}

TEST_F(ScanCommand, AnEmptyFileHasNone) {
  write("empty", {});
  EXPECT_EQ(run_command({"scan", path("empty")}).exit, 1);
}

}  // namespace

}  // namespace unshade::test
