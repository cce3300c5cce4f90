// Which inputs are read, how far, and what is told of those that cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/io/io.hpp"
#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

const fs::path kDxbc = "tests/data/dxbc/textured_ps_5_0.dxbc";
const fs::path kDxil = "tests/data/dxil/textured_ps_6_6.dxil";
const fs::path kDatabase = "tests/data/dxil/control_ps_6_6_zi.pdb";

/// A folder of its own for each test, gone behind it.
class Reading : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("unshade-reading-" + std::string(test->name()) + '-' + std::to_string(process_id()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).generic_string(); }
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
  /// A file of 3 GiB that takes no room on the disk.
  std::string write_huge(const std::string& name, std::string_view begins) const {
    write(name, begins);
    fs::resize_file(path(name), std::uintmax_t{3} << 30);
    return path(name);
  }

  fs::path folder_;
};

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_F(Reading, FoldersThatCannotBeReadAreErrors) {
  copy(kDxbc, "all/good/a.dxbc");
  copy(kDxbc, "all/closed/b.dxbc");
  fs::permissions(folder_ / "all/closed", fs::perms::none);
  {
    const LessRights rights;
    if (!rights.given_up() || !LessRights::reads(path("all/good/a.dxbc")))
      GTEST_SKIP() << "skipped: the superuser's rights cannot be given up here";
    const auto below = run_command({"validate", path("all")});
    EXPECT_EQ(below.exit, 2);
    EXPECT_TRUE(holds(below.err, path("all/closed") + ": error[io]: Permission denied")) << below.err;
    EXPECT_TRUE(holds(below.out, path("all/good/a.dxbc") + ": valid")) << below.out;
    const auto itself = run_command({"info", path("all/closed")});
    EXPECT_EQ(itself.exit, 2);
    EXPECT_FALSE(holds(itself.err, "no shaders in this folder")) << itself.err;
    EXPECT_TRUE(holds(run_command({"info", "--json", path("all")}).out, "\"errors\": [\n  {\n   \"file\": \"" + path("all/closed")));
    const auto sarif = run_command({"validate", "--sarif", path("all")});
    EXPECT_TRUE(holds(sarif.out, "\"executionSuccessful\": false"));
    EXPECT_TRUE(holds(sarif.out, "\"text\": \"Permission denied\""));
    EXPECT_EQ(run_command({"strip", path("all"), "-d", "/dev/null/out"}).exit, 2);
  }
  fs::permissions(folder_ / "all/closed", fs::perms::owner_all);
}

TEST_F(Reading, LinksThatAreNotFollowedAreTold) {
  copy(kDxbc, "all/a.dxbc");
  copy(kDxbc, "other/b.dxbc");
  if (!make_link("../other", folder_ / "all/folder")) GTEST_SKIP() << "links cannot be made here";
  fs::create_symlink("nothing", folder_ / "all/broken");
  fs::create_symlink("round", folder_ / "all/round");
  fs::create_symlink("../other/b.dxbc", folder_ / "all/file.dxbc");
  make_pipe(path("all/pipe"));
  const auto outcome = run_command({"info", path("all")});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
  EXPECT_TRUE(holds(outcome.err, path("all/folder") + ": note[link]")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, path("all/broken") + ": warning[broken-link]"));
  EXPECT_TRUE(holds(outcome.err, path("all/round") + ": warning[broken-link]"));
}

TEST_F(Reading, FilesNamedAsShadersAreNotPassedOver) {
  copy(kDxbc, "all/a.dxbc");
  write("all/empty.cso", "");
  write("all/pointer.spv", "version https://git-lfs.github.com/spec/v1\n");
  write("all/notes.txt", "no shader");
  const auto outcome = run_command({"validate", path("all")});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_TRUE(holds(outcome.out, "empty.cso: not valid")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "pointer.spv: not valid")) << outcome.out;
  EXPECT_FALSE(holds(outcome.out, "notes.txt")) << outcome.out;
}

TEST_F(Reading, FilesThatNoFormatClaimsAreNotReadToTheirEnd) {
  const std::string huge = write_huge("huge", "no shader");
  for (const char* verb : {"info", "dis", "reflect", "dump", "embed", "decompile", "strip", "sign"}) {
    const auto outcome = run_command({verb, huge});
    EXPECT_EQ(outcome.exit, 1) << verb;
    EXPECT_TRUE(holds(outcome.err, "bad-magic")) << verb << outcome.err;
    EXPECT_EQ(outcome.out, "") << verb;
  }
  for (const char* verb : {"as", "build"}) EXPECT_TRUE(holds(run_command({verb, huge}).err, "expected text, found")) << verb;
  const auto all = run_command({"info", "--all", huge});
  EXPECT_EQ(all.exit, 0);
  EXPECT_TRUE(holds(all.out, "3221225472 bytes")) << all.out;
  // One that a format claims is too large for it.
  EXPECT_TRUE(holds(run_command({"info", write_huge("dxbc", "DXBC")}).err, "exceeds the size limit of shaders"));
  const auto text = run_command({"info", write_huge("text", std::string(std::size_t{1} << 17, 'x'))});
  EXPECT_EQ(text.exit, 1);
  EXPECT_TRUE(holds(text.err, "error[limit]")) << text.err;
}

TEST_F(Reading, DumpsOfUnknownBytesAreWholeOrNone) {
  const std::string small = write("small", std::string("no shader\0", 10));
  EXPECT_TRUE(holds(run_command({"dump", "--hex", small}).out, "(10 bytes)") ||
              holds(run_command({"dump", "--hex", small}).out, "unknown"));
  const std::string large = write("large", std::string(std::size_t{1} << 17, '\0'));
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--hex"}, {"--json"}, {"--coverage"}, {"--yaml"}}) {
    std::vector<std::string> words{"dump", large};
    words.insert(words.end(), how.begin(), how.end());
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 1) << how.front();
    EXPECT_FALSE(holds(outcome.out, "00 00 00 00")) << how.front();
  }
}

TEST_F(Reading, ArraysComeFromStandardInputToo) {
  Surroundings around;
  around.input = bytes_of(run_command({"embed", kDxbc.string(), kDxil.string()}).out);
  const auto one = run_command({"info", "-:g_textured_ps_5_0"}, around);
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_TRUE(one.out.starts_with("<stdin>:g_textured_ps_5_0  dxbc")) << one.out;
  EXPECT_EQ(run_command({"dis", "--no-header", "-:g_textured_ps_5_0"}, around).out,
            run_command({"dis", "--no-header", kDxbc.string()}).out);
  EXPECT_EQ(run_command({"info", "-", "-:g_textured_ps_5_0"}, around).exit, 2);
}

TEST_F(Reading, ArraysThatCannotBeToldAreNoFaultOfTheSystem) {
  const std::string header = write("shaders.h", run_command({"embed", kDxbc.string(), kDxil.string()}).out);
  for (const std::string& name : {header + ":nope", header}) {
    for (const char* verb : {"info", "dis", "strip", "embed", "extract"}) EXPECT_EQ(run_command({verb, name}).exit, 1) << verb << name;
  }
  EXPECT_EQ(run_command({"info", path("none.h") + ":nope"}).exit, 2);
}

TEST_F(Reading, ByteOrderMarksArePassedOver) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string header = write("bom.h", mark + run_command({"embed", kDxbc.string()}).out);
  EXPECT_EQ(run_command({"info", header}).exit, 0);
  for (const std::vector<std::string>& language : {std::vector<std::string>{}, {"-l", "dxbc"}}) {
    std::vector<std::string> words{"as", write("bom.asm", mark + "ps_4_0\nret\n")};
    words.insert(words.end(), language.begin(), language.end());
    EXPECT_EQ(run_command(words).exit, 0);
  }
  EXPECT_EQ(run_command({"as", write("bom.pica", mark + ".out - position o0\n.proc main\nend\n.end\n")}).exit, 0);
  EXPECT_EQ(run_command({"rootsig", "make", write("bom.txt", mark + "CBV(b0)")}).exit, 0);
}

TEST_F(Reading, Utf16IsCalledSo) {
  const std::string wide = write("wide.asm", std::string("\xff\xfep\0s\0_\0005\0_\0000\0\n\0", 16));
  for (const char* verb : {"as", "info", "build", "dis"}) {
    const auto outcome = run_command({verb, wide});
    EXPECT_EQ(outcome.exit, 1) << verb;
    EXPECT_TRUE(holds(outcome.err, "UTF-16")) << verb << outcome.err;
  }
}

TEST_F(Reading, SourcesOfShadersAreRefusedOnce) {
  for (const char* text : {"#version 450\nvoid main() {}\n", "// a\n/* b */ cbuffer C : register(b0) {\n",
                           "#include \"a.hlsli\"\nfloat4 main() : SV_Target { }\n", "[numthreads(8, 8, 1)]\nvoid main() {}\n",
                           "Texture2D<float4> t : register(t0);\n"}) {
    const auto outcome = run_command({"as", write("source", text)});
    EXPECT_EQ(outcome.exit, 1) << text;
    EXPECT_TRUE(holds(outcome.err, "error[unsupported]")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  // A listing for all that: of its own language's faults.
  EXPECT_EQ(run_command({"as", write("marked", "#line 1 \"a\"\nps_4_0\nret\n")}).exit, 0);
  const auto listing = run_command({"as", write("including", "#include \"p\"\nps_4_0\nret\n")});
  EXPECT_EQ(listing.exit, 1);
  EXPECT_TRUE(holds(listing.err, "including:1:1: error[as.no-profile]")) << listing.err;
}

TEST_F(Reading, RootSignaturesAreNoProgramsToList) {
  const std::string file = path("rs.cso");
  ASSERT_EQ(run_command({"rootsig", "make", write("rs.txt", "CBV(b0)"), "-o", file}).exit, 0);
  EXPECT_TRUE(holds(run_command({"dis", file}).err, "unshade rootsig show"));
}

TEST_F(Reading, DatabasesInFoldersAreLeftAlone) {
  copy(kDxil, "in/a.dxil");
  copy(kDatabase, "in/a.pdb");
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"strip"}, {"sign"}, {"edit", "--rename-entry", "other"}}) {
    std::vector<std::string> words = verb;
    words.insert(words.end(), {"-d", path("out-" + verb.front()), path("in")});
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "note[" + verb.front() + "]: program databases in folders are not changed (1 file)")) << outcome.err;
    EXPECT_TRUE(fs::exists(path("out-" + verb.front() + "/a.dxil")));
    EXPECT_FALSE(fs::exists(path("out-" + verb.front() + "/a.pdb")));
  }
  EXPECT_EQ(run_command({"strip", path("in/a.pdb"), "-o", path("out")}).exit, 1);
  EXPECT_TRUE(holds(run_command({"strip", "--json", "-d", path("json"), path("in")}).out, "\"skipped\": "));
}

/// Names of all files below a folder.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(Reading, ReadersWriteAFileForEach) {
  copy(kDxbc, "in/a.cso");
  copy(kDxil, "in/below/b.cso");
  EXPECT_EQ(run_command({"dis", "-d", path("in/out"), path("in")}).exit, 0);
  EXPECT_EQ(files_below(folder_ / "in/out"), (std::vector<std::string>{"a.cso.asm", "below/b.cso.ll"}));
  EXPECT_EQ(read_text(folder_ / "in/out/a.cso.asm"), run_command({"dis", path("in/a.cso")}).out);
  // What an earlier run made is no input.
  const auto again = run_command({"dump", "--yaml", "--all", "-d", path("in/out"), path("in")});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(files_below(folder_ / "in/out").size(), 4U);
  EXPECT_EQ(run_command({"build", path("in/out/a.cso.yaml")}).out, read_text(source_dir() / kDxbc));
  EXPECT_EQ(run_command({"reflect", "--json", "-d", path("reflected"), path("in")}).exit, 0);
  EXPECT_TRUE(read_text(folder_ / "reflected/a.cso.json").starts_with("{\n \"schema\": \"unshade.reflect/1\""));

  EXPECT_EQ(run_command({"dis", "-d", path("twice"), path("in/a.cso"), path("in/./a.cso")}).exit, 2);
  EXPECT_FALSE(fs::exists(path("twice")));
  EXPECT_EQ(run_command({"dis", "-d", path("out"), "-"}).exit, 2);
  EXPECT_EQ(run_command({"dis", "-d", path("out"), "-o", path("o"), path("in")}).exit, 2);
  const auto damaged = run_command({"dis", "-d", path("damaged"), write("in/c.cso", "DXBC"), path("in/a.cso")});
  EXPECT_EQ(damaged.exit, 1);
  EXPECT_EQ(files_below(folder_ / "damaged"), std::vector<std::string>{"a.cso.asm"});
}

TEST_F(Reading, ShadersAreFoundInLargeFiles) {
  // Across the ends of the pieces of 64 MiB that are searched at once.
  const std::string shader = read_text(source_dir() / "tests/data/pica/skin.v.shbin");
  const std::vector<std::uint64_t> places = {0x1000, (48U << 20) - 64, (64U << 20) - 64, (68U << 20)};
  const std::string large = write("large.bin", "");
  fs::resize_file(large, std::uintmax_t{70} << 20);
  {
    std::fstream file(large, std::ios::binary | std::ios::in | std::ios::out);
    for (const auto place : places) {
      file.seekp(static_cast<std::streamoff>(place));
      file << shader;
    }
  }
  const auto list = run_command({"extract", large});
  EXPECT_EQ(list.exit, 0);
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 4) << list.out;
  EXPECT_TRUE(holds(list.out, "2  0x03ffffc0  592 bytes")) << list.out;
  EXPECT_EQ(run_command({"extract", "-n", "2", large}).out, shader);
  EXPECT_EQ(run_command({"extract", "-d", path("out"), path("large.bin")}).exit, 0);
  EXPECT_EQ(read_text(folder_ / "out/large.bin.3.shbin"), shader);
  EXPECT_EQ(files_below(folder_ / "out").size(), 4U);
  const std::string smaller = (source_dir() / "tests/data/pica/quad.g.shbin").generic_string();
  const std::string replaced = path("replaced.bin");
  ASSERT_EQ(run_command({"extract", "-n", "2", "-r", smaller, large, "-o", replaced}).exit, 0);
  EXPECT_EQ(fs::file_size(replaced), fs::file_size(large));
  EXPECT_EQ(run_command({"extract", "-n", "2", replaced}).out, read_text(smaller));
  EXPECT_EQ(run_command({"extract", "-n", "2", "-r", (source_dir() / "tests/data/pica/skin_quad.shbin").generic_string(), large}).exit, 1);
  write("none/a.txt", "no shader");
  EXPECT_EQ(run_command({"extract", "tests/data/pica", path("none")}).exit, 1);
}

TEST_F(Reading, FoldersAreCompared) {
  copy(kDxbc, "a/same.cso");
  copy(kDxbc, "b/same.cso");
  copy("tests/data/dxbc/lit_vs_4_0.dxbc", "a/below/other.cso");
  copy("tests/data/dxbc/lit_vs_5_0.dxbc", "b/below/other.cso");
  copy(kDxil, "a/old.cso");
  copy(kDxil, "b/new.cso");
  const auto brief = run_command({"diff", "-q", path("a"), path("b")});
  EXPECT_EQ(brief.exit, 1);
  EXPECT_TRUE(holds(brief.out, path("b/below/other.cso") + " differ in profile")) << brief.out;
  EXPECT_TRUE(
      holds(brief.out, "only in " + path("a") + ": old.cso\nonly in " + path("b") + ": new.cso\n1 the same, 0 mean the same, 1 differ"))
      << brief.out;
  EXPECT_TRUE(holds(run_command({"diff", path("a"), path("b")}).out, "--- " + path("a/below/other.cso")));
  EXPECT_EQ(run_command({"diff", path("a"), path("a")}).exit, 0);
  EXPECT_EQ(run_command({"diff", path("a"), path("a/old.cso")}).exit, 2);
  write("a/bad.cso", "DXBC");
  write("b/bad.cso", "DXBD");
  EXPECT_EQ(run_command({"diff", "-q", path("a"), path("b")}).exit, 2);
}

TEST_F(Reading, PartsSourcesAndDatabasesOfManyFiles) {
  copy(kDxbc, "in/a.cso");
  copy("tests/data/spirv/odd.spv", "in/b.spv");
  copy(kDatabase, "in/c.pdb");
  const auto parts = run_command({"part", "list", path("in")});
  EXPECT_EQ(parts.exit, 0) << parts.err;
  EXPECT_TRUE(holds(parts.out, path("in/a.cso") + "\n") && holds(parts.out, path("in/c.pdb") + "\n")) << parts.out;
  EXPECT_EQ(run_command({"part", "list", path("in/b.spv")}).exit, 1);
  const auto sources = run_command({"source", "list", path("in")});
  EXPECT_EQ(sources.exit, 0) << sources.err;
  EXPECT_TRUE(holds(sources.out, path("in/c.pdb") + "\n") && !holds(sources.out, "a.cso")) << sources.out;
  EXPECT_EQ(run_command({"source", "extract", "-d", path("sources"), path("in")}).exit, 0);
  EXPECT_TRUE(fs::is_directory(path("sources/c.pdb")));
  EXPECT_EQ(run_command({"source", "list", "tests/data/pica"}).exit, 1);
  const auto split = run_command({"pdb", "split", "-d", path("split"), path("in")});
  EXPECT_EQ(split.exit, 0) << split.err;
  EXPECT_EQ(files_below(folder_ / "split"), std::vector<std::string>{"c.pdb.dxil"});
  copy("tests/data/dxil/control_ps_6_0_zi.dxil", "debug/d.cso");
  copy(kDxil, "debug/e.cso");
  EXPECT_EQ(run_command({"pdb", "make", "-d", path("made"), path("debug")}).exit, 0);
  EXPECT_EQ(files_below(folder_ / "made"), std::vector<std::string>{"d.cso.pdb"});
  EXPECT_EQ(run_command({"pdb", "make", path("debug/d.cso"), "-o", path("d.cso.pdb")}).exit, 0);
  EXPECT_EQ(read_text(folder_ / "made/d.cso.pdb"), read_text(folder_ / "d.cso.pdb"));
}

TEST(Validate, SeverityAndRulesAreChosen) {
  const std::string file = "tests/data/dxbc/lit_vs_4_0.dxbc";
  const auto all = run_command({"validate", file});
  ASSERT_TRUE(holds(all.out, "warning[stat.count]") && holds(all.out, "note[stat.estimate]")) << all.out;
  ASSERT_EQ(all.exit, 0);
  const auto warnings = run_command({"validate", "--severity", "warning", file});
  EXPECT_TRUE(holds(warnings.out, "warning[") && !holds(warnings.out, "note[")) << warnings.out;
  EXPECT_EQ(run_command({"validate", "-q", "--severity=error", file}).out, "");
  const auto werror = run_command({"validate", "--werror", "--severity=error", file});
  EXPECT_EQ(werror.exit, 1);
  EXPECT_TRUE(holds(werror.out, "warning[stat.count]") && holds(werror.out, "not valid: ") && !holds(werror.out, "note[")) << werror.out;
  EXPECT_TRUE(holds(run_command({"validate", "--json", "--werror", file}).out, "\"valid\": false"));
  const auto ignored = run_command({"validate", "--werror", "--ignore", "stat.count,stat.estimate", file});
  EXPECT_EQ(ignored.exit, 0) << ignored.out;
  EXPECT_FALSE(holds(ignored.out, "stat.")) << ignored.out;
  EXPECT_EQ(
      run_command({"validate", "--ignore", "stat.count", "--ignore", "stat.estimate", "--sarif", file}).out.find("\"ruleId\": \"stat."),
      std::string::npos);
  const auto unknown = run_command({"validate", "--ignore", "stat.cuont", file});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_TRUE(holds(unknown.err, "no rule 'stat.cuont'")) << unknown.err;
}

// A file that becomes shorter while it is read has no bytes to give.
TEST_F(Reading, ARangeBeyondTheEndIsAnError) {
  const std::string file = write("short", "0123456789");
  cli::MemoryStream out;
  cli::MemoryStream err;
  cli::Host host{&out, &err, nullptr, false, false, false};
  cli::Io io(host, out, false, false);
  EXPECT_EQ(io.read_range(file, 2, 8), bytes_of("23456789"));
  EXPECT_FALSE(io.read_range(file, 2, 9));
  EXPECT_FALSE(io.read_range(file, 20, 1));
  ASSERT_EQ(io.faults().size(), 2U);
  EXPECT_EQ(io.faults().front().id, "io");
}

}  // namespace

}  // namespace unshade::test
