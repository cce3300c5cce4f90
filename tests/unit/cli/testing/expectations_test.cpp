// `unshade test`: what compares nothing, or cannot be read, fails; and no output replaces an input.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"
#include "support/two_outputs.hpp"

namespace unshade::test {
namespace {

class Expectations : public ::testing::Test {
 protected:
  Expectations() : folder_(std::filesystem::temp_directory_path() / ("unshade-expectations-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Expectations() override { std::filesystem::remove_all(folder_); }

  std::string add(std::string_view name, std::string_view bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).generic_string();
  }
  static std::string data(std::string_view name) { return (source_dir() / "tests/data" / name).generic_string(); }
  /// A suite of a shader of tests/data.
  std::string suite(std::string_view shader, std::string_view text) const {
    return add("s.test.toml", "shader = '" + data(shader) + "'\n" + std::string(text));
  }
  /// The verdict of its first test; of one that fails, what is wrong with it.
  static std::string judged(const std::string& suite) {
    const auto outcome = run_command({"test", suite});
    std::string line = outcome.out.substr(0, outcome.out.find('\n'));
    if (!line.starts_with("failed")) return line.substr(0, line.find(' '));
    line = outcome.out.substr(line.size() + 1);
    line.resize(line.find('\n'));
    return line.substr(line.find(": ") + 2);
  }
  /// Of a case that doubles 1, 2, 3 and 4 into `result`.
  std::string of_result(std::string_view lines) const {
    return judged(suite("suites/gain.comp.spvasm",
                        "constants.gain = [2, 0, 0, 0]\nresources.source = {values = [1, 2, 3, 4]}\nresources.result = {size = 16}\n"
                        "resources.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}\n"
                        "resources.tint = {format = 'R8_UNORM', width = 1, height = 1}\n[[case]]\n" +
                            std::string(lines) + '\n'));
  }
  std::string of_lanes(std::string_view lines) const {
    return judged(suite("dxbc/lit_vs_5_0.dxbc", "[[case]]\n" + std::string(lines) + '\n'));
  }

  std::filesystem::path folder_;
};

TEST_F(Expectations, CompareSomething) {
  EXPECT_EQ(of_result("expect.resources.result = {values = [2, 4, 6, 8]}"), "passed");
  EXPECT_EQ(of_result("expect.resources.result = {values = 77, offset = 4000}"),
            "expect/resources/result/offset: out of bounds of the resource's 16 bytes");
  EXPECT_EQ(of_result("expect.resources.result = {values = 77, offset = 16}"), "resource result: expected at least one number, found none");
  EXPECT_EQ(of_result("expect.resources.result = {values = [], unordered = true}"),
            "resource result: expected no numbers, found 4; --update writes them");
  EXPECT_EQ(of_result("expect.resources.result = {values = 2, unordered = true}"),
            "expect/resources/result: expected a list of elements in any order, found one number, which would hold for all");
  EXPECT_EQ(of_result("expect.resources.result = {type = 'f32'}"),
            "expect/resources/result: expected values, words, hex, csv, npy, file, image or counter: there is nothing to compare");
  EXPECT_EQ(of_result("expect.resources.result = {hex = ''}"), "resource result: `hex` has nothing to compare");
}

TEST_F(Expectations, OfMessagesAreAllOfThem) {
  const auto of = [&](std::string_view expected) {
    return judged(suite("spirv/messages.spvasm", "[[case]]\nexpect.messages = " + std::string(expected) + '\n'));
  };
  const std::string first = "'thread 0 of four: 0.00, 0.50', 'thread 1 of four: 1.00, 0.50', ";
  const std::string rest = "'thread 2 of four: 2.00, 0.50', 'thread 3 of four: 3.00, 0.50', '  3 is odd'";
  EXPECT_EQ(of('[' + first + "'  1 is odd', " + rest + ']'), "passed");
  EXPECT_EQ(of('[' + first + "{text = '  1 is odd', lane = 1, thread = [1, 0, 0], error = false}, " + rest + ']'), "passed");
  EXPECT_EQ(of('[' + first + "'  1 is even', " + rest + ']'), "message 2: expected   1 is even, found   1 is odd");
  EXPECT_EQ(of('[' + first + "{text = '  1 is odd', lane = 3}, " + rest + ']'), "message 2, lane: expected 3, found 1");
  EXPECT_EQ(of('[' + first + "{text = '  1 is odd', thread = [0, 0, 0]}, " + rest + ']'), "message 2, thread: expected 0 0 0, found 1 0 0");
  EXPECT_EQ(of('[' + first + "{text = '  1 is odd', error = true}, " + rest + ']'), "message 2, error: expected true, found none");
  EXPECT_EQ(of('[' + first + "'  1 is odd', " + rest + ", 'more']"), "message 6: expected more, found none");
  EXPECT_EQ(of("[]"), "messages: expected 0, found 6");
  EXPECT_EQ(of("'thread'"), "expect/messages: expected a list, found text");
  EXPECT_EQ(of("[1]"), "expect/messages/[0]: expected a text or a map, found integer");
  EXPECT_EQ(of("[{lane = 1}]"), "expect/messages/[0]/text: a message must have a text");
  EXPECT_EQ(of("[{text = 'a', lines = 1}]"),
            "expect/messages/[0]/lines: a map of a message has no field of this name; did you mean `lane`?");
  EXPECT_EQ(judged(suite("dxbc/lit_vs_5_0.dxbc", "[[case]]\nlanes = [{POSITION = 1}]\nexpect.messages = []\n")), "passed");
}

TEST_F(Expectations, OfLanesNeedLanes) {
  const std::string map = "expect.lanes = {SV_Position = 1}";
  EXPECT_EQ(of_lanes("lanes = [{POSITION = 1}]\nexpect.lanes = []"), "lanes: the list has none to compare");
  EXPECT_EQ(of_lanes("lanes = []\n" + map), "lanes: the run has none to compare");
  add("none.csv", "POSITION.x\n");
  EXPECT_EQ(of_lanes("lanes.csv = 'none.csv'\n" + map), "lanes: the run has none to compare");
}

TEST_F(Expectations, ReadAResourceByTheFormatThatItHas) {
  // under another spelling of its binding
  EXPECT_EQ(of_result("resources.'u3,space0' = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}"),
            "resources/u3,space0: the same binding as `picture`: it must have one name in the case and its suite");
  const auto spelled = [&](std::string_view name, std::string_view expected) {
    return judged(suite("suites/gain.comp.spvasm", "[[case]]\nresources.'" + std::string(name) +
                                                       "' = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}\nexpect.resources.'" +
                                                       std::string(expected) + "' = {values = '0..1'}\n"));
  };
  // as floats, the bytes would be tiny or NaN
  EXPECT_EQ(judged(suite("suites/gain.comp.spvasm",
                         "[[case]]\nresources.'u3,space0' = {format = 'R8G8B8A8_UNORM', width = 4, height = 1, hex = 'ffffffff'}\n"
                         "resources.result = {size = 0}\nexpect.resources.u3 = {values = '0..1'}\n")),
            "passed");
  EXPECT_EQ(spelled("picture", "u3"), "passed");
  EXPECT_EQ(spelled("u3", "picture"), "passed");
}

TEST_F(Expectations, RefuseValuesWithoutAMeaning) {
  EXPECT_EQ(of_result("resources.source = {raw = 7}"), "resources/source/raw: expected true or false");
  EXPECT_EQ(of_result("resources.source = {class = 'z'}"), "resources/source/class: expected t, u, b or s, found `z`");
  EXPECT_EQ(of_result("resources.tint = {format = 'R8_UNORM', width = 1, height = 1, levels = 9}"),
            "resources/tint/levels: a texture of this size has at most 1 levels, found 9");
  EXPECT_EQ(of_result("resources.tint = {format = 'R8_UNORM', width = 1, height = 1, samples = 3}"),
            "resources/tint/samples: expected 1, 2, 4, 8, 16 or 32, found 3");
  EXPECT_EQ(of_lanes("samples = 3\nlanes = [{POSITION = 1}]"), "samples: expected 1, 2, 4, 8 or 16, found 3");
  add("a.csv", "POSITION.x\n1\n");
  EXPECT_EQ(of_lanes("lanes = {csv = 'a.csv', obj = 'a.obj'}"), "lanes/obj: `csv` and `obj` are mutually exclusive");
  EXPECT_EQ(of_lanes("lanes = [{vertex_id = [1, 2]}]"), "lanes[0]/vertex_id: found 2 numbers, the input has 1");
}

TEST_F(Expectations, OfMisspelledInputsOfAnyLaneFail) {
  EXPECT_EQ(of_lanes("lanes = [{POSITION = 1}, {POSITOIN = 1}]"),
            "lanes[1]/POSITOIN: the shader has no input of this name; did you mean `POSITION`?");
}

TEST_F(Expectations, OfFilesThatCannotBeReadFail) {
  EXPECT_EQ(judged(add("alias.test.yaml", "shader: &a s\ncase: [{name: *a}]\n")), "aliases are not supported");
  EXPECT_EQ(judged(add("two.test.yaml", "shader: s\ncase: [{}]\n---\na: 1\n")), "more than one document");
  const std::string start("\x93NUMPY\1\0", 8);
  const auto npy = [&](std::string_view header) { return start + static_cast<char>(header.size()) + '\0' + std::string(header) + "1234"; };
  add("big.npy", npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }"));
  add("columns.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }"));
  EXPECT_TRUE(of_result("resources.source = {npy = 'big.npy'}").starts_with("resources/source/npy: descr: unsupported item type '>f4'"));
  EXPECT_EQ(of_result("resources.source = {npy = 'columns.npy'}"), "resources/source/npy: fortran_order: expected an array in C order");
}

TEST_F(Expectations, OfScenesWhoseMeshCannotBeReadFail) {
  add("one.gltf", "{\"asset\": {\"version\": \"1.0\"}}");
  add("scene.toml", "targets.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 4}\n[[pass]]\nvertex = '" +
                        data("scenes/whole.vert.spvasm") + "'\npixel = '" + data("scenes/tinted.frag.spvasm") +
                        "'\ntargets = ['picture']\nmesh = 'one.gltf'\n");
  EXPECT_NE(judged(add("s.test.toml", "[[case]]\nscene = 'scene.toml'\n")).find("expected a text of version 2"), std::string::npos);
}

TEST_F(Expectations, OfRegistersHaveAllTheirOutputs) {
  const auto of = [&](std::string_view lanes) { return judged(suite("suites/packed.vs.asm", "[[case]]\n" + std::string(lanes))); };
  EXPECT_EQ(of("lanes = [{POSITION = 1}]\nexpect.lanes = {o1 = [7, 7, 8, 9]}\n"), "passed");
  EXPECT_EQ(of("lanes = [{POSITION = 1}]\nexpect.lanes = {o1 = 7}\n"), "lane 0, o1.z: expected 7.0, found 8.0, 2097152 ulps away");
  EXPECT_EQ(of("lanes = [{POSITION = 1, v0 = 1}]\n"), "lanes[0]/v0: `POSITION` is another name of this input, which must have one of them");
}

TEST_F(Expectations, OfOutputsOfOneNameAreOfEach) {
  const auto of = [&](std::string_view lanes) {
    return judged(add("s.test.toml", "shader = 'two.spvasm'\n[[case]]\n" + std::string(lanes) + '\n'));
  };
  add("two.spvasm", packed_outputs(kPixelStage));
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {o0 = [1, 1, 2, 2]}"), "passed");
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {o0 = [1, 1, 1, 1]}").substr(0, 37), "lane 0, o0.z: expected 1.0, found 2.0");
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {o0 = 1}").substr(0, 37), "lane 0, o0.z: expected 1.0, found 2.0");
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {location = 1, \"location@0\" = 2}"), "passed");
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {lane = 0}").substr(0, 49), "lane 0, lane: the shader has no output of this na");
  // for blending, the one with Index 0 has the register
  add("two.spvasm", blended_outputs());
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {o0 = [1, 1], \"location@0\" = [2, 2]}"), "passed");
  add("two.spvasm", blended_outputs(true));
  EXPECT_EQ(of("lanes = [{}]\nexpect.lanes = {o0 = [2, 2], location = [1, 1], \"location@0\" = [2, 2]}"), "passed");
  // of a vertex, what is of its stream
  add("two.spvasm", streamed_outputs());
  EXPECT_EQ(of("lanes = [{}]\nexpect.vertices = [{o0 = [1, 1], location = 1}, {stream = 1, o0 = [2, 2], location = 2}]"), "passed");
  EXPECT_EQ(of("lanes = [{}]\nexpect.vertices = [{o0 = 1}, {o0 = [1, 1]}]").substr(0, 39), "vertex 1, o0.x: expected 1.0, found 2.0");
  // and not what is left from another
  std::string apart = streamed_outputs();
  apart.replace(apart.find("%a Location 0"), 13, "%a Location 1");
  add("two.spvasm", apart);
  EXPECT_EQ(of("lanes = [{}]\nexpect.vertices = [{location1 = [1, 1]}, {stream = 1, location = 2}]"), "passed");
  EXPECT_EQ(of("lanes = [{}]\nexpect.vertices = [{}, {stream = 1, o1 = [1, 1]}]"), "vertex 1, o1: the shader has no output of this name");
  EXPECT_EQ(of("lanes = [{}]\nexpect.vertices = [{}, {stream = 1, location1 = [1, 1]}]"),
            "vertex 1, location1: the shader has no output of this name; did you mean `location`?");
}

TEST_F(Expectations, OfMembersAreOfTheStreamOfTheirBlock) {
  add("block.spvasm", streamed_block("1.5"));
  const auto of = [&](std::string_view vertex) {
    return judged(
        add("s.test.toml", "shader = 'block.spvasm'\n[[case]]\nlanes = [{}]\nexpect.vertices = [{" + std::string(vertex) + "}]\n"));
  };
  EXPECT_EQ(of("stream = 1, color = [1.5, 1.5, 1.5, 1.5]"), "passed");
  EXPECT_EQ(of("stream = 1, o0 = 1.5"), "passed");
  EXPECT_NE(of("stream = 1, other1 = 1.5"), "passed");
}

TEST_F(Expectations, OfResourcesMayBeSpelledInAnotherWay) {
  EXPECT_EQ(judged(suite("dxbc/grid_cs_5_0.dxbc", R"([resources]
t0 = {format = 'R32_FLOAT', width = 1, values = [1]}
u1 = {format = 'R32_UINT', size = 16}
u0 = {format = 'R8G8B8A8_UNORM', width = 2, height = 2}
[[case]]
expect.resources = {"u1,space0" = {values = '>= 0'}, "target[0]" = {values = '>= 0'}}
)")),
            "passed");
}

TEST_F(Expectations, OfWideWholeNumbersAreWritten) {
  const std::string path = suite("suites/gain.comp.spvasm",
                                 "resources.source = {words = [0, 0, 0, 0]}\nresources.result = {words = [0, 0, 0, 0xffffffff]}\n"
                                 "resources.tint = {format = 'R8_UNORM', width = 1, height = 1}\n"
                                 "[[case]]\nresources.picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}\ngrid = [0]\n"
                                 "expect.resources.result = {type = 'u64', values = []}\n");
  EXPECT_EQ(run_command({"test", "--update", path}).exit, 0);
  EXPECT_NE(read_text(path).find("values = [0, \"== 18446744069414584320\"]"), std::string::npos) << read_text(path);
  EXPECT_EQ(judged(path), "passed");
}

TEST_F(Expectations, OutputsReplaceNoInput) {
  const std::string shader = add("lit.dxbc", read_text(data("dxbc/lit_vs_5_0.dxbc")));
  const std::string text = "shader = 'lit.dxbc'\n[[case]]\nlanes = [{POSITION = 1}]\n";
  const std::string path = add("s.test.toml", text);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"test", "--coverage", path, path},
                                                                                     {"test", "--coverage", path, folder_.generic_string()},
                                                                                     {"test", "--coverage", shader, path},
                                                                                     {"test", "--junit", path, folder_.generic_string()},
                                                                                     {"test", path, "-o", path},
                                                                                     {"run", shader, "-o", shader}}) {
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 2) << words[1];
    EXPECT_NE(outcome.err.find("names the same file as an input"), std::string::npos) << outcome.err;
    EXPECT_EQ(read_text(path), text) << words[1];
    EXPECT_EQ(read_text(shader).size(), read_text(data("dxbc/lit_vs_5_0.dxbc")).size()) << words[1];
  }
}

TEST_F(Expectations, PicturesReplaceNoFileOfAScene) {
  const std::string texture = add("t.png", "");
  const std::string vertex = read_text((source_dir() / "examples/scenes/color.vs.asm").generic_string());
  const std::string shader = add("color.vs.asm.png", vertex);
  add("color.ps.asm", read_text((source_dir() / "examples/scenes/color.ps.asm").generic_string()));
  const std::string scene = add("s.toml", R"(targets.picture = {format = "R8G8B8A8_UNORM", width = 4, height = 4}
[[pass]]
vertex = "color.vs.asm.png"
pixel = "color.ps.asm"
targets = ["picture"]
[pass.mesh]
topology = "TRIANGLELIST"
vertices = [{POSITION = [-1, 1, 0], COLOR = 1}, {POSITION = [1, 1, 0], COLOR = 1}, {POSITION = [-1, -1, 0], COLOR = 1}]
[animation]
frames = 2
)");
  ASSERT_EQ(run_command({"draw", scene, "-o", texture}).exit, 0);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"draw", scene, "-o", shader}, {"draw", "--json", scene, "-o", shader}, {"draw", "--animate", scene, "-o", shader}}) {
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 2) << words[1] << outcome.err;
    EXPECT_NE(outcome.err.find("names the same file as an input"), std::string::npos) << words[1] << outcome.err;
    EXPECT_EQ(read_text(shader), vertex);
  }
}

// Which a suite or case names, so that they are known only when it is read.
TEST_F(Expectations, OutputsReplaceNoFileOfATest) {
  const std::string shader = add("gain.comp.spvasm", read_text(data("suites/gain.comp.spvasm")));
  const std::string assembly = read_text(shader);
  const std::string table = add("d.csv", "1,2,3,4\n");
  const std::string resources =
      "[resources]\nsource = {csv = 'd.csv'}\nresult = {size = 16}\npicture = {format = 'R8_UNORM', width = 4, height = 1}\n"
      "tint = {format = 'R8_UNORM', width = 1, height = 1}\n";
  const std::string path = add("s.test.toml", "shader = 'gain.comp.spvasm'\n" + resources + "[[case]]\nname = 'a'\n");
  const std::string one = add("one.toml", resources);
  const std::string spirv = (folder_ / "gain.spv").generic_string();
  ASSERT_EQ(run_command({"as", shader, "-o", spirv}).exit, 0);
  const std::string module = read_text(spirv);
  const std::string other = add("other.spv", module);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"test", "--junit", shader, path},
                                             {"test", path, "-o", shader},
                                             {"test", "--json", path, "-o", shader},
                                             {"test", "--junit", table, path},
                                             {"test", "--coverage", table, path},
                                             {"run", spirv, one, "-o", table},
                                             {"run", spirv, one, "--raw", "result", "-o", table},
                                             {"run", "--against", other, spirv, one, "-o", table},
                                             {"run", "--against", other, spirv, one, "-o", other}}) {
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, 2) << words[1];
    EXPECT_NE(outcome.err.find("names the same file as an input"), std::string::npos) << words[1] << outcome.err;
    EXPECT_EQ(read_text(shader), assembly);
    EXPECT_EQ(read_text(table), "1,2,3,4\n");
    EXPECT_EQ(read_text(other), module);
  }
  // results in a folder, and pictures
  const std::string result = add("result.npy", "");
  ASSERT_EQ(run_command({"run", spirv, one, "--npy", "result", "-o", result}).exit, 0);
  const std::string kept = read_text(result);
  const std::string own = add("own.toml", resources.substr(0, resources.find("result")) + "result = {npy = 'result.npy'}\n" +
                                              resources.substr(resources.find("picture =")));
  const auto into = run_command({"run", spirv, own, "-o", folder_.generic_string() + "/"});
  EXPECT_EQ(into.exit, 2);
  EXPECT_NE(into.err.find("an output would replace an input: "), std::string::npos) << into.err;
  EXPECT_EQ(read_text(result), kept);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "tint.dds"));
  EXPECT_EQ(run_command({"run", spirv, own, "-o", (folder_ / "other").generic_string() + "/"}).exit, 0);
  const std::string report = (folder_ / "report").generic_string();
  const auto both = run_command({"test", "--junit", report, "--coverage", report, path});
  EXPECT_EQ(both.exit, 2);
  EXPECT_NE(both.err.find("--junit names the same file as --coverage"), std::string::npos) << both.err;
  EXPECT_FALSE(std::filesystem::exists(report));
}

TEST_F(Expectations, OperandsAndFiltersHaveTests) {
  const std::string path = suite("dxbc/lit_vs_5_0.dxbc", "[[case]]\nname = 'a'\nlanes = [{POSITION = 1}]\n");
  std::filesystem::create_directories(folder_ / "empty");
  const auto empty = run_command({"test", path, (folder_ / "empty").generic_string()});
  EXPECT_EQ(empty.exit, 2);
  EXPECT_NE(empty.err.find("the folder has no suite"), std::string::npos) << empty.err;
  const auto filtered = run_command({"test", "-f", "toml: a", "-f", "toml: b", path});
  EXPECT_EQ(filtered.exit, 2);
  EXPECT_NE(filtered.err.find("no test has a name that matches --filter toml: b"), std::string::npos) << filtered.err;
  EXPECT_EQ(run_command({"test", "-f", "toml: a", path}).exit, 0);
}

}  // namespace
}  // namespace unshade::test
