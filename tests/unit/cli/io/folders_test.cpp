// Verbs over folders: what does not apply to a file there is noted, and -o DIR/ is --output-dir.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

namespace fs = std::filesystem;

class Folders : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("unshade-folders-" + std::string(test->name()) + '-' + std::to_string(process_id()));
    fs::remove_all(folder_);
    copy("tests/data/dxbc/grid_cs_5_0.dxbc", "a/grid.cso");
    copy("tests/data/spirv/odd.spv", "a/odd.spv");
    copy("tests/data/dxil/rootsig_only.dxil", "a/root.cso");
    copy("tests/data/pica/skin.v.shbin", "a/b/skin.shbin");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void copy(const fs::path& from, const std::string& to) const {
    fs::create_directories((folder_ / to).parent_path());
    fs::copy_file(source_dir() / from, folder_ / to);
  }
  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
  bool is_there(const std::string& name) const { return fs::exists(folder_ / name); }

  fs::path folder_;
};

TEST_F(Folders, WhatDoesNotApplyIsNoted) {
  const auto signed_ = run_command({"sign", "-d", path("out"), path("a")});
  EXPECT_EQ(signed_.exit, 0) << signed_.err;
  EXPECT_NE(signed_.err.find("note[sign]: a file of the family spirv has no digest (1 file)"), std::string::npos) << signed_.err;
  EXPECT_TRUE(is_there("out/grid.cso"));
  EXPECT_FALSE(is_there("out/odd.spv"));
  const auto listed = run_command({"dis", path("a")});
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_NE(listed.err.find("note[dis]: "), std::string::npos) << listed.err;
  EXPECT_NE(listed.err.find("(1 file of a folder, left out)"), std::string::npos) << listed.err;
  const auto named = run_command({"dis", path("a/root.cso")});
  EXPECT_EQ(named.exit, 1) << "a file that is named is an error";
  EXPECT_EQ(run_command({"sign", path("a/odd.spv"), "-o", path("x")}).exit, 1);
}

TEST_F(Folders, OutputIntoAFolderIsTheSameInEveryVerb) {
  for (const std::string option : {"-o", "-d"}) {
    fs::remove_all(folder_ / "out");
    const auto listed = run_command({"dis", option, path("out/"), path("a")});
    EXPECT_EQ(listed.exit, 0) << listed.err;
    EXPECT_TRUE(is_there("out/grid.cso.asm")) << option;
    EXPECT_FALSE(is_there("out/root.cso.ll")) << "nothing to list: no empty file";
    EXPECT_EQ(run_command({"embed", option, path("out/"), path("a")}).exit, 0);
    EXPECT_TRUE(is_there("out/b/skin.shbin.h"));
    EXPECT_EQ(run_command({"ir", option, path("out/"), path("a/grid.cso")}).exit, 0);
    EXPECT_TRUE(is_there("out/grid.cso.ir"));
    EXPECT_EQ(run_command({"strip", option, path("out/"), path("a")}).exit, 0);
    EXPECT_TRUE(is_there("out/odd.spv"));
  }
  const auto single = run_command({"info", "-o", path("out/"), path("a")});
  EXPECT_EQ(single.exit, 2);
  EXPECT_NE(single.err.find("names a folder, but info writes a single file"), std::string::npos) << single.err;
  EXPECT_EQ(run_command({"dis", "-o", path("out/"), "-d", path("out"), path("a")}).exit, 2);
}

TEST_F(Folders, EmbeddedArraysOfOneNameGetNumbers) {
  copy("tests/data/dxbc/lit_vs_5_0.dxbc", "a/b/grid.cso");
  const auto made = run_command({"embed", "--no-listing", path("a/grid.cso"), path("a/b")});
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_NE(made.out.find("g_grid["), std::string::npos);
  EXPECT_NE(made.out.find("g_grid_2["), std::string::npos);
  EXPECT_NE(made.err.find("this one is named g_grid_2"), std::string::npos) << made.err;
}

TEST_F(Folders, EditsLeaveOutFilesWithoutWhatIsToBeChanged) {
  copy("tests/data/dxbc/textured_ps_5_0.dxbc", "a/textured.cso");
  const auto edited = run_command({"edit", "--rename", "resource:albedo=colour", "-d", path("out"), path("a")});
  EXPECT_EQ(edited.exit, 0) << edited.err;
  EXPECT_TRUE(is_there("out/textured.cso"));
  EXPECT_FALSE(is_there("out/grid.cso"));
  EXPECT_NE(edited.err.find("note[edit]: "), std::string::npos) << edited.err;
  const auto none = run_command({"edit", "--rename", "resource:nobody=x", "-d", path("other"), path("a")});
  EXPECT_EQ(none.exit, 1) << "no file has it";
}

TEST_F(Folders, JsonNamesWhatWasLeftOut) {
  const auto made = run_command({"sign", "--json", "-d", path("out"), path("a")});
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_NE(made.out.find("\"skipped\": \"a file of the family spirv has no digest\""), std::string::npos) << made.out;
}

}  // namespace
}  // namespace unshade::test
