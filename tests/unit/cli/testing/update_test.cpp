// `unshade test --update` and --pictures: what is written into suites, and that nothing else changes.
#include "cli/testing/update.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("unshade-update-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).generic_string();
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Update, WritesSuitesAndPictures) {
  const Folder folder;
  const std::string head = "# a blur\nshader: " + (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string() +
                           "\nconstants: {size: [2, 2], weight: 0.";
  const std::string tail =
      "}\nresources:\n  t0: {format: R32_FLOAT, width: 2, height: 2, values: [1, 0, 0.5, 0.25]}\n"
      "  u0: {format: R8G8B8A8_UNORM, width: 2, height: 2}\n  u1: {format: R32_UINT, size: 16}\n"
      "case:\n- name: all\n  expect:\n    resources:\n      u0: {image: gold.png, channel: 1} # the picture\n";
  const std::string numbers = "      u1: {values: [], type: u16}\n";
  const std::string path = folder.write("a.test.yaml", head + "25" + tail + numbers);
  EXPECT_EQ(run_command({"test", path}).exit, 1);
  const auto updated = run_command({"test", "--update", path});
  EXPECT_EQ(updated.exit, 0) << updated.out << updated.err;
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, head + "25" + tail + "      u1: {values: [0, 0, 0, 0, 0, 0, 0, 0], type: u16}\n");
  EXPECT_EQ(run_command({"test", path}).exit, 0);
  // a little off is within bounds, more is not
  EXPECT_EQ(run_command({"test", folder.write("b.test.yaml", head + "251" + tail)}).exit, 0);
  const std::string wrong = folder.write("b.test.yaml", head + "3" + tail);
  const auto failed = run_command({"test", "--pictures", (folder.path() / "out").generic_string(), wrong});
  EXPECT_EQ(failed.exit, 1);
  EXPECT_NE(
      failed.out.find("resource u0: expected at most 0 % of the pixels more than 1 of 255 away, found 4 of 4 pixels, the first at 0 0, "
                      "the farthest 22 away"),
      std::string::npos)
      << failed.out;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/b.test.yaml.all.u0.actual.png"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/b.test.yaml.all.u0.difference.png"));
}

// A picture that is expected may have the name of one that --pictures makes; two cases may have one name in files.
TEST(Update, PicturesReplaceNoneThatIsExpected) {
  const Folder folder;
  const auto suite = [&](const std::string& weight, const std::string& expected) {
    return folder.write("a.test.yaml", "shader: " + (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string() +
                                           "\nconstants: {size: [2, 2], weight: " + weight +
                                           "}\nresources:\n  t0: {format: R32_FLOAT, width: 2, height: 2, values: [1, 0, 0.5, 0.25]}\n"
                                           "  u0: {format: R8G8B8A8_UNORM, width: 2, height: 2}\n  u1: {format: R32_UINT, size: 16}\n"
                                           "case:\n- {name: a b, expect: {resources: {u0: {image: " +
                                           expected + "}}}}\n- {name: a_b, expect: {resources: {u0: {image: " + expected + "}}}}\n");
  };
  const auto out = folder.path() / "out";
  const auto files = [&] { return std::distance(std::filesystem::directory_iterator(out), std::filesystem::directory_iterator()); };
  const std::string name = "a.test.yaml.a_b.u0.actual.png";
  ASSERT_EQ(run_command({"test", "--update", suite("0.25", "out/" + name)}).exit, 0);
  const std::string expected = read_text(out / name);
  const auto refused = run_command({"test", "--pictures", out.generic_string(), suite("0.3", "out/" + name)});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("an output would replace an input: "), std::string::npos) << refused.err;
  EXPECT_EQ(read_text(out / name), expected);
  EXPECT_EQ(files(), 1);
  std::filesystem::rename(out / name, folder.path() / "gold.png");
  EXPECT_EQ(run_command({"test", "--pictures", out.generic_string(), suite("0.3", "gold.png")}).exit, 1);
  EXPECT_EQ(files(), 4);
  EXPECT_EQ(read_text(out / name), read_text(out / "a.test.yaml.a_b.u0.actual.2.png"));
}

// What a CSV expects has no place in the suite.
TEST(Update, SaysThatFilesOfTablesStay) {
  const Folder folder;
  const std::string csv = folder.write("x.csv", "x,expected\n1,1\n2,3\n");
  const std::string suite =
      folder.write("a.test.toml", "shader = '" + (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").generic_string() +
                                      "'\n[[case]]\nname = 'row {x}'\ntable.csv = 'x.csv'\n"
                                      "lanes = [{TEXCOORD = ['$x', 0]}]\nexpect.lanes = [{TEXCOORD = ['$expected', 0]}]\n");
  const std::string before = read_text(suite);
  const auto done = run_command({"test", "--update", suite});
  EXPECT_EQ(done.exit, 1);
  EXPECT_NE(done.err.find("row 2: error[update]: the expected values are in the file of table.csv, which --update does not change\n"),
            std::string::npos)
      << done.err << done.out;
  EXPECT_EQ(done.err.find("row 1"), std::string::npos) << done.err;
  EXPECT_EQ(read_text(suite), before);
  EXPECT_EQ(read_text(csv), "x,expected\n1,1\n2,3\n");
}

// One number that holds for all becomes a list if they differ; the rest of the suite is written too if tests contradict each other.
TEST(Update, WritesOneForAllAndWhatNoTestContradicts) {
  const Folder folder;
  const std::string head =
      "shader = '" + (source_dir() / "tests/data/dxbc/lit_vs_5_0.dxbc").generic_string() +
      "'\n[constants]\nworld = [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]\nviewProjection = [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]\n";
  const auto suite = [&](const char* all, const char* same, const char* shared) {
    return head + "[[case]]\nname = 'all'\nlanes = [{POSITION = [1, 2, 3]}]\nexpect.lanes = {SV_Position = " + all +
           "}\n[[case]]\nname = 'same'\nlanes = [{POSITION = [1, 1, 1]}]\nexpect.lanes = {SV_Position = " + same +
           "}\n[[case]]\nname = '{x}'\ntable = [{x = 1}, {x = 2}]\nlanes = [{POSITION = ['$x', 2, 3]}]\nexpect.lanes = {SV_Position = [" +
           shared + ", 2, 3, 1]}\n";
  };
  const std::string path = folder.write("a.test.toml", suite("9", "{value = 9, ulp = 1}", "9"));
  const auto updated = run_command({"test", "--update", path});
  EXPECT_EQ(updated.exit, 1);
  EXPECT_NE(
      updated.err.find("a.test.toml:17:32: error[bad-value]: lanes or tests share this value, and give different ones: `1.0` and `2.0`"),
      std::string::npos)
      << updated.err;
  EXPECT_NE(updated.err.find("note[update]: 2 values written"), std::string::npos) << updated.err;
  EXPECT_EQ(read_text(path), suite("[1.0, 2.0, 3.0, 1.0]", "{value = 1.0, ulp = 1}", "9"));
}

// A golden picture has the format that its name says.
TEST(Update, WritesPicturesByTheEndingsOfTheirNames) {
  const Folder folder;
  std::string text = "shader: " + (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string() +
                     "\nconstants: {size: [2, 2], weight: 0.25}\nresources:\n"
                     "  t0: {format: R32_FLOAT, width: 2, height: 2, values: [1, 0, 0.5, 0.25]}\n"
                     "  u0: {format: R8G8B8A8_UNORM, width: 2, height: 2}\n  u1: {format: R32_UINT, size: 16}\ncase:\n";
  for (const char* const name : {"a.png", "b.dds", "c.exr", "new/d.png"})
    text += "- expect: {resources: {u0: {image: " + std::string(name) + "}}}\n";
  const std::string path = folder.write("a.test.yaml", text);
  const auto updated = run_command({"test", "--update", path});
  EXPECT_EQ(updated.exit, 0) << updated.out << updated.err;
  EXPECT_EQ(run_command({"test", path}).exit, 0);
  const auto start_of = [&](const char* name) { return read_text((folder.path() / name).generic_string()).substr(0, 4); };
  EXPECT_EQ(start_of("a.png"), "\x89PNG");
  EXPECT_EQ(start_of("b.dds"), "DDS ");
  EXPECT_EQ(start_of("c.exr"), "v/1\x01");
  EXPECT_EQ(start_of("new/d.png"), "\x89PNG");

  const auto unknown =
      run_command({"test", "--update", folder.write("b.test.yaml", text + "- expect: {resources: {u0: {image: e.jpg}}}\n")});
  EXPECT_EQ(unknown.exit, 1);
  EXPECT_NE(unknown.err.find("e.jpg: error[update]: the name of a golden picture must end in .png, .dds or .exr"), std::string::npos)
      << unknown.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "e.jpg"));
}

// A value that is something else, too, stays what it is.
TEST(Update, ChangesExpectationsAlone) {
  const Folder folder;
  folder.write("s.spvasm", R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %a %b
OpName %a "a"
OpName %b "b"
OpDecorate %a Location 0
OpDecorate %b Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %f32 2
%pi = OpTypePointer Input %v2
%po = OpTypePointer Output %v2
%a = OpVariable %pi Input
%b = OpVariable %po Output
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpLoad %v2 %a
%y = OpFAdd %v2 %x %x
OpStore %b %y
OpReturn
OpFunctionEnd
)");
  // what --update says, and whether it left the suite as it was
  const auto updated = [&](const std::string& text) {
    const std::string path = folder.write("a.test.toml", "shader = 's.spvasm'\n[[case]]\n" + text);
    const auto outcome = run_command({"test", "--update", path});
    std::ifstream file(path, std::ios::binary);
    const std::string now((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const bool is_same = now == "shader = 's.spvasm'\n[[case]]\n" + text;
    EXPECT_NE(outcome.exit, is_same ? 0 : 1) << outcome.err;
    return outcome.err + (is_same ? "same" : now.substr(now.find("]]\n") + 3));
  };
  const auto refuses = [&](const std::string& text, std::string_view why) {
    const std::string said = updated(text);
    EXPECT_NE(said.find(why), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with("same")) << said;
  };
  refuses("table = {names = ['n'], rows = [[1], [2]]}\nlanes = [{a = ['$n', 0]}]\nexpect.lanes = [{b = ['$n', 0]}]\n",
          "`n` is also an input; give the expectation a column of its own");
  refuses("name = 'twice {n}'\ntable = {names = ['n'], rows = [[1], [2]]}\nlanes = [{a = [1, 0]}]\nexpect.lanes = [{b = ['$n', 0]}]\n",
          "`n` is also a part of the case's name; give the expectation a column of its own");
  refuses("table = {names = ['n'], rows = [[1], [2]]}\nlanes = [{a = 3}]\nexpect.lanes = [{b = {value = ['$n', 0], absolute = '$n'}}]\n",
          "`n` is also a setting of an expectation; give the expectation a column of its own");
  refuses("table = {names = ['n'], rows = [[5]]}\nlanes = [{a = [3, 3]}]\nexpect.lanes = [{b = ['$n', '>= {n}']}]\n",
          "`n` is also a part of a text; give the expectation a column of its own");
  refuses("table = {names = ['n'], rows = [[[1, 2]]]}\nlanes = [{a = '$n'}]\nexpect.lanes = [{b = '$n'}]\n",
          "`n` is also an input; give the expectation a column of its own");
  // right for one lane, wrong for the other: each run would write what the other needs
  refuses("lanes = [{a = [1, 1]}, {a = [2, 2]}]\nexpect.lanes = {b = [2, 2]}\n",
          "lanes or tests share this value, and it is right for some of them");
  refuses("table = {names = ['n'], rows = [[2]]}\nlanes = [{a = [1, 2]}]\nexpect.lanes = [{b = ['$n', '$n']}]\n",
          "lanes or tests share this value, and it is right for some of them");
  // a column of its own
  EXPECT_NE(updated("table = {names = ['n', 'm'], rows = [[1, 0], [2, 4]]}\nlanes = [{a = ['$n', 0]}]\nexpect.lanes = [{b = ['$m', 0]}]\n")
                .find("rows = [[1, 2.0], [2, 4]]"),
            std::string::npos);
  // one number for all components may become a list
  EXPECT_NE(updated("lanes = [{a = [1, 2]}]\nexpect.lanes = [{b = 2}]\n").find("b = [2.0, 4.0]"), std::string::npos);
}

// A golden picture that the case has as an input, too.
TEST(Update, ReplacesNoPictureThatIsAnInput) {
  const Folder folder;
  const auto suite = [&](const std::string& weight, const std::string& input, const std::string& expected) {
    return folder.write("a.test.yaml", "shader: " + (source_dir() / "tests/data/dxbc/grid_cs_5_0.dxbc").generic_string() +
                                           "\nconstants: {size: [2, 2], weight: " + weight + "}\nresources:\n  t0: {" + input +
                                           "}\n  u0: {format: R8G8B8A8_UNORM, width: 2, height: 2}\n  u1: {format: R32_UINT, size: 16}\n"
                                           "case:\n- {name: a, expect: {resources: {u0: {image: " +
                                           expected + "}}}}\n");
  };
  EXPECT_EQ(
      run_command({"test", "--update", suite("0.25", "format: R32_FLOAT, width: 2, height: 2, values: [1, 0, 0.5, 0.25]", "a.png")}).exit,
      0);
  const auto refused = run_command({"test", "--update", suite("0.125", "image: a.png", "./a.png")});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_NE(refused.err.find("this picture is also an input; give the expectation one of its own"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace unshade::test
