// Which inputs are read, how far, and what is told of those that cannot be.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "support/files.hpp"

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
    folder_ = fs::temp_directory_path() / ("unshade-reading-" + std::string(test->name()) + '-' + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
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

/// Folders that may not be read are read by the superuser all the same.
class LessRights {
 public:
  LessRights() : was_root_(::geteuid() == 0), given_up_(!was_root_ || ::seteuid(65534) == 0) {}
  LessRights(const LessRights&) = delete;
  LessRights& operator=(const LessRights&) = delete;
  ~LessRights() {
    if (was_root_ && given_up_) EXPECT_EQ(::seteuid(0), 0);
  }
  bool given_up() const { return given_up_; }

 private:
  bool was_root_;
  bool given_up_;
};

TEST_F(Reading, FoldersThatCannotBeReadAreErrors) {
  copy(kDxbc, "all/good/a.dxbc");
  copy(kDxbc, "all/closed/b.dxbc");
  fs::permissions(folder_ / "all/closed", fs::perms::none);
  {
    const LessRights rights;
    if (!rights.given_up() || ::access(path("all/good/a.dxbc").c_str(), R_OK) != 0)
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
  fs::create_directory_symlink("../other", folder_ / "all/folder");
  fs::create_symlink("nothing", folder_ / "all/broken");
  fs::create_symlink("round", folder_ / "all/round");
  fs::create_symlink("../other/b.dxbc", folder_ / "all/file.dxbc");
  ::mkfifo(path("all/pipe").c_str(), 0600);
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
  for (const char* verb : {"as", "build"}) EXPECT_TRUE(holds(run_command({verb, huge}).err, "text is expected here")) << verb;
  const auto all = run_command({"info", "--all", huge});
  EXPECT_EQ(all.exit, 0);
  EXPECT_TRUE(holds(all.out, "3221225472 bytes")) << all.out;
  // One that a format claims is too large for it.
  EXPECT_TRUE(holds(run_command({"info", write_huge("dxbc", "DXBC")}).err, "larger than any shader file"));
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
  const auto source = run_command({"as", write("marked", "#line 1 \"a\"\n#include \"p\"\nps_4_0\nret\n")});
  EXPECT_EQ(source.exit, 0) << source.err;
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
    EXPECT_TRUE(holds(outcome.err, "note[" + verb.front() + "]: program databases in folders are left as they are (1 file)"))
        << outcome.err;
    EXPECT_TRUE(fs::exists(path("out-" + verb.front() + "/a.dxil")));
    EXPECT_FALSE(fs::exists(path("out-" + verb.front() + "/a.pdb")));
  }
  EXPECT_EQ(run_command({"strip", path("in/a.pdb"), "-o", path("out")}).exit, 1);
  EXPECT_TRUE(holds(run_command({"strip", "--json", "-d", path("json"), path("in")}).out, "\"skipped\": "));
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

}  // namespace

}  // namespace unshade::test
