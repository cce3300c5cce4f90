// One file and many, by way of `strip` and `sign`.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cli/print/progress.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

const fs::path kDxbc = "tests/data/dxbc/textured_ps_5_0.dxbc";
const fs::path kDxil = "tests/data/dxil/textured_ps_6_6.dxil";

/// A folder of its own for each test, gone behind it.
class Editing : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("unshade-editing-" + std::string(test->name()) + '-' + std::to_string(process_id()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
  /// Copies a file of the checkout below the folder.
  std::string copy(const fs::path& from, const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy_file(source_dir() / from, folder_ / name);
    return path(name);
  }
  std::string write(const std::string& name, std::string_view text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  /// Names of all files below a folder, with `/` between.
  std::set<std::string> files(const std::string& below = {}) const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / below))
      if (entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder_ / below).generic_string());
    return names;
  }

  fs::path folder_;
};

/// A date that no file written now has.
const auto kLongAgo = fs::file_time_type::clock::now() - std::chrono::hours(48);

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  const auto begin = text.rfind('\n', end);
  const auto first = begin == std::string::npos ? 0 : begin + 1;
  return text.substr(first, end + 1 - first);
}

TEST_F(Editing, OneFileGoesToTheOutput) {
  const auto outcome = run_command({"strip", kDxbc.string()});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_LT(outcome.out.size(), fs::file_size(source_dir() / kDxbc));
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(run_command({"strip", kDxbc.string(), "-o", path("out")}).exit, 0);
  EXPECT_EQ(read_text(folder_ / "out"), outcome.out);
}

TEST_F(Editing, InPlaceWritesOnlyWhatChanged) {
  const auto changes = copy(kDxbc, "changes.cso");
  const auto stays = copy("tests/data/dxil/rootsig_only.dxil", "stays.cso");
  for (const auto& file : {changes, stays}) {
    fs::last_write_time(file, kLongAgo);
    fs::permissions(file, fs::perms{0640});
  }
  const auto rights = fs::status(changes).permissions();
  const auto date = fs::last_write_time(stays);  // gcc's library for Windows sets whole seconds
  const auto wanted = run_command({"strip", changes}).out;
  const auto outcome = run_command({"strip", "-i", changes, stays});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.find("2 files, 1 changed, "), 0U) << outcome.err;
  EXPECT_EQ(read_text(changes), wanted);
  EXPECT_GT(fs::last_write_time(changes), kLongAgo);
  EXPECT_EQ(fs::last_write_time(stays), date);
  EXPECT_EQ(read_text(stays), read_text(source_dir() / "tests/data/dxil/rootsig_only.dxil"));
  EXPECT_EQ(fs::status(changes).permissions(), rights);
  EXPECT_EQ(files().size(), 2U) << "a temporary file stayed";
}

TEST_F(Editing, InPlaceFollowsLinksAndEditsAFileOnce) {
  const auto file = copy(kDxbc, "real/a.cso");
  if (!make_link(file, folder_ / "link.cso")) GTEST_SKIP() << "links cannot be made here";
  const auto outcome = run_command({"strip", "-i", path("link.cso"), file, file});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(last_line(outcome.err).find("1 file, 1 changed, "), 0U) << outcome.err;
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.cso"));
  EXPECT_LT(fs::file_size(file), fs::file_size(source_dir() / kDxbc));
}

TEST_F(Editing, AnOutputThatIsThereKeepsItsRightsAndItsLink) {
  write("real.cso", "before");
  fs::permissions(path("real.cso"), fs::perms{0640});
  if (!make_link("real.cso", folder_ / "link.cso")) GTEST_SKIP() << "links cannot be made here";
  EXPECT_EQ(run_command({"strip", kDxbc.string(), "-o", path("link.cso")}).exit, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.cso"));
  EXPECT_EQ(read_text(folder_ / "real.cso"), run_command({"strip", kDxbc.string()}).out);
  EXPECT_EQ(fs::status(folder_ / "real.cso").permissions(), fs::perms{0640});
  EXPECT_EQ(files().size(), 2U) << "a temporary file stayed";
}

TEST_F(Editing, AnOutputThatMayNotBeWrittenStays) {
  if (is_superuser()) GTEST_SKIP() << "root may write any file";
  write("kept.cso", "before");
  fs::permissions(path("kept.cso"), fs::perms{0444});
  const auto outcome = run_command({"strip", kDxbc.string(), "-o", path("kept.cso")});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, path("kept.cso") + ": error[io]: Permission denied\n");
  EXPECT_EQ(read_text(folder_ / "kept.cso"), "before");
  fs::permissions(path("kept.cso"), fs::perms{0644});  // Windows removes no file that is read-only
}

TEST_F(Editing, AnOutputFolderGetsTheSameTree) {
  copy(kDxbc, "in/a.cso");
  copy(kDxil, "in/deep/er/b.cso");
  copy(kDxil, "in/deep/a.cso");
  write("in/readme.txt", "no shader");
  const auto outcome = run_command({"strip", "-d", path("out"), path("in")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files("out"), (std::set<std::string>{"a.cso", "deep/a.cso", "deep/er/b.cso"}));
  EXPECT_EQ(read_text(folder_ / "out/a.cso"), run_command({"strip", kDxbc.string()}).out);
  EXPECT_EQ(read_text(folder_ / "in/a.cso"), read_text(source_dir() / kDxbc));
}

TEST_F(Editing, AnOutputFolderWithinTheInputIsNotInput) {
  copy(kDxbc, "a.cso");
  for (int run = 0; run < 2; ++run) {
    const auto outcome = run_command({"strip", "-d", path("out"), folder_.generic_string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(files(), (std::set<std::string>{"a.cso", "out/a.cso"}));
  }
}

TEST_F(Editing, AnOutputFolderIsNotTheInputs) {
  copy(kDxbc, "a.cso");
  const auto before = read_text(folder_ / "a.cso");
  for (const auto& operand : {folder_.generic_string(), path("a.cso")}) {
    const auto outcome = run_command({"strip", "-d", folder_.generic_string(), operand});
    EXPECT_EQ(outcome.exit, 2) << operand;
    EXPECT_NE(outcome.err.find("error[usage]"), std::string::npos);
    EXPECT_EQ(read_text(folder_ / "a.cso"), before);
  }
}

// A result may have the name of another operand, or of a file that the edit is made of.
TEST_F(Editing, AnOutputFolderKeepsAllInputs) {
  const auto shader = copy(kDxbc, "a/sub/x.cso");
  const auto other = copy(kDxbc, "out/sub/x.cso");
  const auto listed = copy(kDxil, "a/y.cso");
  const auto listing = copy(kDxil, "a/y.cso.ll");
  const auto root = copy("tests/data/dxil/rootsig_only.dxil", "out/y.cso");
  const auto before = files();
  const std::vector<std::vector<std::string>> lines = {{"strip", "-d", path("out"), path("a"), other},
                                                       {"strip", "-d", path("out"), other, path("a")},
                                                       {"dis", "-d", path("a"), listed, listing},
                                                       {"edit", "--restore-rdef", other, "-d", path("out/sub"), shader},
                                                       {"part", "add", shader, "PRIV=" + other, "-d", path("out/sub")},
                                                       {"rootsig", "attach", root, listed, "-d", path("out")}};
  for (const auto& line : lines) {
    const auto outcome = run_command(line);
    EXPECT_EQ(outcome.exit, 2) << line[0];
    EXPECT_NE(outcome.err.find("error[usage]: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(" would overwrite an input"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(read_text(other), read_text(source_dir() / kDxbc));
    EXPECT_EQ(read_text(listing), read_text(source_dir() / kDxil));
    EXPECT_EQ(read_text(root), read_text(source_dir() / "tests/data/dxil/rootsig_only.dxil"));
  }
}

TEST_F(Editing, JsonReplacesNoInput) {
  const auto first = copy(kDxil, "in/a.cso");
  const auto second = copy(kDxbc, "in/b.cso");
  for (const auto& line : std::vector<std::vector<std::string>>{{"strip", "-i", "--json", path("in"), "-o", second},
                                                                {"strip", "-d", path("out"), "--json", first, second, "-o", second}}) {
    const auto outcome = run_command(line);
    EXPECT_EQ(outcome.exit, 2) << line[1];
    EXPECT_EQ(outcome.err, "unshade: error[usage]: --output names the same file as an input: " + second + '\n');
    EXPECT_EQ(read_text(first), read_text(source_dir() / kDxil));
    EXPECT_EQ(read_text(second), read_text(source_dir() / kDxbc));
    EXPECT_EQ(files(), (std::set<std::string>{"in/a.cso", "in/b.cso"}));
  }
  EXPECT_EQ(run_command({"strip", "--json", second, "-o", second}).exit, 0);
  EXPECT_LT(fs::file_size(second), fs::file_size(source_dir() / kDxbc));
}

// Names that are known only when a file is read: what is found in the others is written.
TEST_F(Editing, WhatFilesHoldReplacesNoInput) {
  const auto program = copy("tests/data/pica/skin.v.shbin", "a.shbin");
  const auto other = copy("tests/data/pica/skin_quad.shbin", "a.shbin.0.shbin");
  const auto extracted = run_command({"extract", "-d", folder_.generic_string(), program, other});
  EXPECT_EQ(extracted.exit, 2);
  EXPECT_NE(extracted.err.find("a.shbin.0.shbin would overwrite an input"), std::string::npos) << extracted.err;
  EXPECT_EQ(read_text(other), read_text(source_dir() / "tests/data/pica/skin_quad.shbin"));
  const fs::path sample = "tests/data/dxil/control_ps_6_0_zi.dxil";
  const auto shader = copy(sample, "b.dxil");
  const auto named = copy(sample, "s/b.dxil/control.ps.hlsl");
  const auto sources = run_command({"source", "extract", "-d", path("s"), shader, named});
  EXPECT_EQ(sources.exit, 2);
  EXPECT_NE(sources.err.find("an output would replace an input: "), std::string::npos) << sources.err;
  EXPECT_EQ(read_text(named), read_text(source_dir() / sample));
  EXPECT_EQ(files("s"), (std::set<std::string>{"b.dxil/control.ps.hlsl", "control.ps.hlsl/control.ps.hlsl"}));
}

TEST_F(Editing, TwoThatWouldBecomeOneAreRefusedBeforeAnythingIsWritten) {
  const auto first = copy(kDxbc, "x/a.cso");
  const auto second = copy(kDxil, "y/a.cso");
  const auto outcome = run_command({"strip", "-d", path("out"), first, second});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("error[usage]"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Editing, OneBadFileDoesNotStopTheOthers) {
  for (int i = 0; i < 40; ++i) copy(kDxbc, "in/" + std::to_string(100 + i) + ".cso");
  const std::string good = read_text(source_dir() / kDxbc);
  write("in/110.cso", good.substr(0, 100));
  write("in/120.cso", good.substr(0, 200));
  for (const char* jobs : {"1", "4"}) {
    const auto outcome = run_command({"strip", "--jobs", jobs, "-d", path(std::string("out") + jobs), path("in")});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_EQ(files(std::string("out") + jobs).size(), 38U);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
    const auto first = outcome.err.find("110.cso:0x");
    const auto second = outcome.err.find("120.cso:0x");
    EXPECT_LT(first, second);
    EXPECT_NE(second, std::string::npos);
    EXPECT_EQ(last_line(outcome.err).find("40 files, 38 changed, 2 failed, "), 0U) << outcome.err;
  }
}

TEST_F(Editing, WhatIsWrittenDoesNotDependOnHowManyWork) {
  for (int i = 0; i < 30; ++i) copy(i % 3 == 0 ? kDxbc : kDxil, "in/" + std::to_string(100 + i) + ".cso");
  write("in/105.cso", "DXBC");
  const auto with = [&](const char* jobs) {
    return run_command({"sign", "--json", "--variant", "debug", "-j", jobs, "-d", path("out"), path("in")});
  };
  const auto alone = with("1");
  EXPECT_EQ(alone.exit, 1);
  for (const char* jobs : {"2", "7"}) {
    const auto outcome = with(jobs);
    EXPECT_EQ(outcome.out, alone.out);
    EXPECT_EQ(outcome.err, alone.err);
  }
  for (const char* bad : {"0", "-1", "many", "100000", "2x"}) EXPECT_EQ(with(bad).exit, 2) << bad;
}

TEST_F(Editing, AFileThatCannotBeWrittenIsReported) {
  copy(kDxbc, "in/deep/a.cso");
  copy(kDxbc, "in/free/b.cso");
  write("out/deep", "a file where a folder should be");
  const auto outcome = run_command({"strip", "-d", path("out"), path("in")});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("deep/a.cso: error[io]"), std::string::npos) << outcome.err;
  EXPECT_EQ(last_line(outcome.err).find("2 files, 1 changed, 1 failed, "), 0U);
  EXPECT_EQ(files("out"), (std::set<std::string>{"deep", "free/b.cso"}));
}

TEST_F(Editing, SourceTextIsNotOverwritten) {
  const auto header = path("shader.h");
  ASSERT_EQ(run_command({"embed", kDxbc.string(), "-o", header}).exit, 0);
  const auto before = read_text(header);
  const auto outcome = run_command({"strip", "-i", header});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("error[unsupported]"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_text(header), before);
  EXPECT_EQ(run_command({"strip", header}).out, run_command({"strip", kDxbc.string()}).out);
}

TEST_F(Editing, SourcesThatAreCompressedAreListed) {
  const auto source = write("main.hlsl", std::string(500, 'x') + "\n");
  ASSERT_EQ(run_command({"source", "embed", "-z", kDxil.string(), source, "-o", path("with.cso")}).exit, 0);
  ASSERT_LT(fs::file_size(path("with.cso")), fs::file_size(source_dir() / kDxil) + 400);
  const auto listed = run_command({"dis", "--source", path("with.cso")});
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_EQ(listed.out, "// file " + source + "\n" + read_text(source));
}

TEST_F(Editing, WhatCannotBeIsUsage) {
  const auto file = copy(kDxbc, "a.cso");
  const std::vector<std::vector<std::string>> lines = {{"strip", "-i", "-d", path("out"), file},
                                                       {"strip", folder_.generic_string()},
                                                       {"strip", file, file},
                                                       {"strip", "-i", "-"},
                                                       {"strip", "-i", "-o", path("o"), file},
                                                       {"strip", "-d", path("out"), "-o", path("o"), file}};
  for (const auto& line : lines) {
    const auto outcome = run_command(line);
    EXPECT_EQ(outcome.exit, 2) << line[1];
    EXPECT_NE(outcome.err.find("error[usage]"), std::string::npos);
  }
  EXPECT_EQ(files(), std::set<std::string>{"a.cso"});
}

TEST_F(Editing, BytesDoNotGoToATerminal) {
  const Surroundings terminal{.input = {}, .terminal = true, .no_color = false};
  const auto outcome = run_command({"strip", kDxbc.string()}, terminal);
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
}

TEST(Progress, DrawsOnTerminalsAloneAndClearsItself) {
  using namespace std::chrono_literals;
  cli::MemoryStream out;
  cli::MemoryStream err;
  cli::MemorySource in({});
  cli::Host host{.out = &out, .err = &err, .in = &in};
  const auto work = [&] {
    cli::print::Progress progress(host, 3);
    std::this_thread::sleep_for(320ms);
    progress.show(1);
    std::this_thread::sleep_for(120ms);
    progress.show(3);
  };
  work();
  EXPECT_EQ(err.text, "");
  host.err_is_terminal = true;
  work();
  EXPECT_EQ(err.text.find("\r[########"), 0U);
  EXPECT_NE(err.text.find("] 1/3 files, "), std::string::npos);
  EXPECT_NE(err.text.find("] 3/3 files, "), std::string::npos);
  EXPECT_EQ(err.text.find_first_of("\n\x1b"), std::string::npos);
  // At its end the line is blank, and the cursor stands at its begin.
  EXPECT_TRUE(err.text.ends_with('\r'));
  const auto blank = err.text.substr(err.text.rfind('\r', err.text.size() - 2) + 1);
  EXPECT_EQ(blank.find_first_not_of(" "), blank.size() - 1);
  EXPECT_GE(blank.size(), std::string("[########################] 1/3 files, 1 files/s").size());
}

}  // namespace

}  // namespace unshade::test
