// Cases of `unshade run`: three syntaxes, one meaning; faults by line and column; the schema.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include <unshade/core/limits.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/samplers.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

constexpr const char* kBitonic = "tests/data/dxil/bitonic_cs_6_0.dxil";
constexpr const char* kVertex = "tests/data/dxbc/lit_vs_5_0.dxbc";

/// A folder of files, removed with them.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("unshade-case-" + std::to_string(process_id()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, std::string_view text) const {
    const std::string path = (path_ / name).generic_string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  std::filesystem::path path_;
};

TEST(Case, ThreeSyntaxesSayTheSame) {
  const auto toml = document_text::read_toml(
      "wave = 16\ngrid = [2, 1]\n[constants]\nscale = 0.1\ndirection = [1, -2, nan]\n[resources.\"u1,space2\"]\nhex = \"00ff\"\nraw = "
      "true\n");
  const auto yaml = document_text::read_yaml(
      "wave: 16\ngrid: [2, 1]\nconstants: {scale: 0.1, direction: [1, -2, nan]}\nresources:\n  u1,space2: {hex: \"00ff\", raw: true}\n");
  ASSERT_TRUE(toml) << toml.error().message;
  ASSERT_TRUE(yaml);
  EXPECT_TRUE(*toml == *yaml);
}

TEST(Case, TomlHasPlaces) {
  const std::string_view text = "# \xc3\xa9\nname = '\xc3\xa9'\n\"\xc3\xa9\" = {size = 12, list = [1, 0x10]}\n";
  const auto read = document_text::read_toml(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(text.substr((*read->as_map())[0].key_offset, 4), "name");
  EXPECT_EQ(text.substr((*read->as_map())[1].key_offset, 4), "\"\xc3\xa9\"");
  const Value& inner = (*read->as_map())[1].value;
  EXPECT_EQ(text.substr(inner.find("size")->text_offset, 2), "12");
  EXPECT_EQ(text.substr((*inner.find("list")->as_list())[1].text_offset, 4), "0x10");
}

TEST(Case, TomlRoundsEachWidthOnce) {
  // between two floats, above their middle by less than a double can tell
  const auto read = document_text::read_toml("x = 1.000000059604644775390626\ny = +1_000.5e0\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->find("x")->as_real()->narrow, 1.00000012F);
  EXPECT_EQ(read->find("y")->as_real()->narrow, 1000.5F);
}

TEST(Case, TomlMayBeAByteOrderMarkAlone) {
  const auto read = document_text::read_toml("\xef\xbb\xbf");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->as_map()->empty());
}

TEST(Case, TomlFaultsHavePlaces) {
  const auto offset = [](std::string_view text, ErrorCode code) {
    const auto read = document_text::read_toml(text);
    EXPECT_FALSE(read) << text.substr(0, 40);
    if (!read) {
      EXPECT_EQ(read.error().code, code) << text.substr(0, 40);
    }
    return read ? 0 : read.error().offset;
  };
  EXPECT_EQ(offset("a = 1\nb = 2020-01-01\n", ErrorCode::unsupported), 10U);
  EXPECT_GE(offset("a = 1\nb = = 1\n", ErrorCode::bad_value), 6U);
  EXPECT_EQ(offset("[, a]\n", ErrorCode::bad_value), 1U);
  // letters beyond ASCII in the place of a value: coptic, hiragana
  EXPECT_EQ(offset("a = \xcf\xab\n", ErrorCode::bad_value), 4U);
  EXPECT_EQ(offset("a = 1 \xe3\x81\x82\n", ErrorCode::bad_value), 6U);
  std::string deep = "a = " + std::string(70, '[') + std::string(70, ']');
  EXPECT_EQ(offset(deep, ErrorCode::limit), 4 + limits::kDocumentNesting - 1);
  std::string dotted = "a";
  for (int k = 0; k < 100'000; ++k) dotted += ".\"a,\"";
  offset(dotted + " = 1\n", ErrorCode::limit);
  offset('[' + dotted + "]\n", ErrorCode::limit);
}

TEST(Case, ReadsFilesOfNumbers) {
  const Folder folder;
  const std::string toml = folder.write("case.toml", "[resources.u0]\ncsv = \"keys.csv\"\nformat = \"R32_UINT\"\nsize = 4096\n");
  folder.write("keys.csv", "3, 1\n2, 7\n");
  const auto by_csv = run_command({"run", "--json", kBitonic, toml});
  EXPECT_EQ(by_csv.exit, 0) << by_csv.err;
  const std::array<std::uint32_t, 4> keys{3, 1, 2, 7};
  const std::array<std::uint64_t, 1> shape{4};
  const auto npy = run::write_npy('u', 4, shape, std::as_bytes(std::span(keys)));
  folder.write("keys.npy", {reinterpret_cast<const char*>(npy.data()), npy.size()});
  const std::string yaml = folder.write("case.yaml", "resources: {u0: {npy: keys.npy, size: 4096}}\n");
  const auto by_npy = run_command({"run", "--json", kBitonic, yaml});
  EXPECT_EQ(by_npy.exit, 0) << by_npy.err;
  EXPECT_EQ(by_csv.out, by_npy.out);
  EXPECT_NE(by_npy.out.find("03000000010000000200000007000000"), std::string::npos);
}

TEST(Case, ReadsVertices) {
  const Folder folder;
  const std::string toml = folder.write("case.toml", "[lanes]\nobj = \"mesh.obj\"\n");
  folder.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.25\nvn 0 0 2\nf 1/1/1 2/1/1 3/1/1\n");
  const auto outcome = run_command({"run", kVertex, toml});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("0.5, 0.25"), std::string::npos) << outcome.out;
  const std::string csv = folder.write("case.yaml", "lanes: {csv: rows.csv}\n");
  folder.write("rows.csv", "TEXCOORD.x,TEXCOORD.y\n0.5,0.25\n");
  EXPECT_NE(run_command({"run", kVertex, csv}).out.find("0.5, 0.25"), std::string::npos);
}

TEST(Case, FaultsHavePlaces) {
  const Folder folder;
  const auto message = [&](const std::string& name, std::string_view text) {
    const std::string path = folder.write(name, text);
    const auto outcome = run_command({"run", kBitonic, path});
    EXPECT_EQ(outcome.exit, 1) << text;
    return outcome.err.substr(std::min(outcome.err.size(), path.size()));
  };
  EXPECT_EQ(message("a.toml", "wave = 8\n[resources.u0]\nsise = 3\n"),
            ":3:1: error[bad-value]: resources/u0/sise: a resource has no field of this name; did you mean `size`?\n");
  EXPECT_EQ(message("a.yaml", "wave: 8\nresources: {u0: {size: x}}\n"),
            ":2:24: error[bad-value]: resources/u0/size: expected a whole number from 0 to 4294967295\n");
  EXPECT_TRUE(
      message("a.json", "{\"resources\": {\"u0\": {\"file\": \"none\"}}}").starts_with(":1:31: error[missing]: resources/u0/file: "));
  EXPECT_TRUE(message("b.toml", "wave = \n").starts_with(":1:"));
  EXPECT_EQ(message("c.yaml", "gird: [1]\n"), ":1:1: error[bad-value]: gird: a case has no field of this name; did you mean `grid`?\n");
  EXPECT_EQ(message("d.yaml", "resources: {uo: {size: 4}}\n"),
            ":1:13: error[missing]: resources/uo: the shader has no resource of this name; did you mean `u0`?\n");
  EXPECT_EQ(message("e.yaml", "lanes: []\n"),
            ":1:8: error[bad-value]: lanes: `lanes` is not valid for a shader that runs in thread groups: set `grid`\n");
}

TEST(Case, BreakpointsThatAreNotReachedAreReported) {
  const auto outcome = run_command({"run", "--break", "500", kVertex});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("warning[break]: the shader finished, and did not run instruction 500"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_command({"run", "--break", "16", kVertex}).err, "");
  EXPECT_EQ(run_command({"run", "--against", kVertex, "--ulp", "inf", kVertex}).exit, 2);
}

TEST(Case, NamesThatNoInputHasAreErrors) {
  const Folder folder;
  const auto message = [&](std::string_view text, int exit) {
    const std::string path = folder.write("case.yaml", text);
    const auto outcome = run_command({"run", kVertex, path});
    EXPECT_EQ(outcome.exit, exit) << text;
    return outcome.err.substr(std::min(outcome.err.size(), path.size()));
  };
  EXPECT_EQ(message("lanes: [{POSITON: [1, 2, 3]}]\n", 1),
            ":1:10: error[missing]: lanes[0]/POSITON: the shader has no input of this name; did you mean `POSITION`?\n");
  EXPECT_EQ(message("lanes: [{TEXCOORD7: [1]}]\n", 1),
            ":1:10: error[missing]: lanes[0]/TEXCOORD7: the shader has no input of this name; did you mean `TEXCOORD`?\n");
  EXPECT_EQ(message("lanes: [{vertex_id: 3}]\n", 0), "");
  EXPECT_EQ(
      message("grid: [2]\n", 1),
      ":1:7: error[bad-value]: grid: only compute, mesh and amplification shaders have a grid; this is a vertex shader: set `lanes`\n");
}

TEST(Case, InputsHaveTheNamesOfTheirRegistersToo) {
  const Folder folder;
  const auto out = [&](const std::string& shader, std::string_view constants, std::string_view lane) {
    const std::string text = "constants: {" + std::string(constants) + "}\nlanes: [{" + std::string(lane) + "}]\n";
    const auto outcome = run_command({"run", shader, folder.write("case.yaml", text)});
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  };
  constexpr const char* kIdentities =
      "viewProjection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], world: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]";
  const std::string place = out(kVertex, kIdentities, "v0: [1, 2, 3]");
  EXPECT_NE(place.find("SV_Position = 1.0, 2.0, 3.0, 1.0"), std::string::npos) << place;
  EXPECT_EQ(place, out(kVertex, kIdentities, "POSITION: [1, 2, 3]"));
  constexpr const char* kMove = "transform: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], fast: true, outer: [2, 0, 1]";
  const std::string pica = "tests/data/pica/control.v.shbin";
  EXPECT_EQ(out(pica, kMove, "v0: [1, 2, 3, 4], v1: [1, 1, 1, 1]"), out(pica, kMove, "a: [1, 2, 3, 4], b: [1, 1, 1, 1]"));
  EXPECT_NE(out(pica, kMove, "v0: [1, 2, 3, 4], v1: [1, 1, 1, 1]"), out(pica, kMove, ""));
}

TEST(Case, UniformsOf3dsShadersHaveTheirNames) {
  const Folder folder;
  const auto color = [&](std::string_view constants) {
    const std::string path = folder.write("case.yaml", "constants: {transform: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], " +
                                                           std::string(constants) + "\nlanes: [{a: [1, 2, 3, 4], b: [1, 1, 1, 1]}]\n");
    const auto outcome = run_command({"run", "tests/data/pica/control.v.shbin", path});
    return outcome.exit == 0 ? outcome.out : outcome.err.substr(path.size());
  };
  // booleans as such and as numbers, loop counters as lists and alone
  EXPECT_EQ(color("fast: true, outer: [2, 0, 1]}"), color("fast: 1, outer: [2, 0, 1]}"));
  EXPECT_NE(color("fast: true, table: [[1, 2, 3, 4]]}"), color("fast: false, table: [[1, 2, 3, 4]]}"));
  EXPECT_EQ(color("outer: 3}"), color("outer: [3]}"));
  EXPECT_NE(color("outer: 3, inner: [1, 0, 1]}"), color("outer: 0, inner: [1, 0, 1]}"));
  EXPECT_EQ(color("fast: maybe}"), ":1:88: error[bad-value]: constants/fast: expected a whole number, found `maybe`\n");
  EXPECT_EQ(color("outer: 2.5}"), ":1:89: error[bad-value]: constants/outer: expected a whole number, found 2.5\n");
  EXPECT_EQ(color("outer: [1, 2, 3, 4, 5]}"), ":1:89: error[bad-value]: constants/outer: found 5 numbers, expected at most 4\n");
}

TEST(Case, ExecutablesOfShbinAreChosen) {
  const Folder folder;
  constexpr const char* kBoth = "tests/data/pica/skin_quad.shbin";
  const auto first = run_command({"run", "--json", kBoth});
  EXPECT_NE(first.out.find("\"lanes\""), std::string::npos) << first.err;
  const auto second = run_command({"run", "--json", kBoth, folder.write("case.yaml", "entry: 1\n")});
  EXPECT_NE(second.out.find("\"vertices\""), std::string::npos) << second.err;
  EXPECT_EQ(second.out, run_command({"run", "--json", "--entry", "1", kBoth}).out);
  EXPECT_EQ(first.out, run_command({"run", "--json", "--entry", "0", kBoth}).out);
  EXPECT_EQ(first.out, run_command({"run", "--json", "--entry", "main:vertex", kBoth}).out);
  EXPECT_EQ(second.out, run_command({"run", "--json", "--entry", "main:geometry", kBoth}).out);
  const auto either = run_command({"run", "--entry", "main", kBoth});
  EXPECT_NE(either.err.find("name one with its stage: `main:vertex`, `main:geometry`"), std::string::npos) << either.err;
  const auto none = run_command({"run", "--entry", "2", kBoth});
  EXPECT_EQ(none.exit, 1);
  EXPECT_NE(none.err.find("error[missing]"), std::string::npos) << none.err;
  EXPECT_EQ(run_command({"ir", "--entry", "nothing", kBoth}).exit, 1);
}

TEST(Case, ArraysOfBindingsHaveIndexes) {
  const Folder folder;
  const auto outcome = [&](std::string_view key) {
    const std::string path = folder.write("case.yaml", "lanes: [{}]\nresources: {\"" + std::string(key) + "\": {words: [7, 8]}}\n");
    const auto done = run_command({"run", "--json", "tests/data/vbc/particles.vbc", path});
    return done.exit == 0 ? done.out : done.err.substr(path.size());
  };
  EXPECT_EQ(outcome("particles[0]"), outcome("particles"));
  EXPECT_NE(outcome("particles[0]").find("0700000008000000"), std::string::npos) << outcome("particles[0]");
  for (const std::string_view wrong : {"particles[]", "particles[-1]", "particles[99999999999]", "[0]", "particle[0]"})
    EXPECT_TRUE(outcome(wrong).starts_with(":2:13: error[missing]: resources/")) << wrong << outcome(wrong);
}

TEST(Case, NumbersMayBeNoneOrInfinite) {
  const Folder folder;
  const auto outcome = [&](std::string_view numbers) {
    const std::string path = folder.write("case.yaml", "resources: {u0: {values: " + std::string(numbers) + ", size: 4096}}\n");
    return run_command({"run", "--json", kBitonic, path});
  };
  EXPECT_EQ(outcome("[nan, inf, -inf]").exit, 0);
  EXPECT_EQ(outcome("[nan, inf, -inf]").out, outcome("[.NaN, .inf, -.Inf]").out);
  EXPECT_EQ(outcome("[infinite]").exit, 1);
}

TEST(Case, WhatTheProgramRefusesIsFoundInTheCase) {
  const Folder folder;
  const auto message = [&](const char* shader, std::string_view text) {
    const std::string path = folder.write("case.yaml", text);
    const auto outcome = run_command({"run", shader, path});
    EXPECT_EQ(outcome.exit, 1) << text;
    return outcome.err.substr(std::min(outcome.err.size(), path.size()));
  };
  EXPECT_EQ(message(kBitonic, "grid: [1]\nwave: 12\n"),
            ":2:7: error[bad-value]: wave: 12 lanes: the program allows powers of 2 from 4 to 128\n");
  EXPECT_EQ(message(kVertex, "wave: 4\nfunction: 7\n"), ":2:11: error[missing]: function: the module has no such function\n");
  EXPECT_EQ(message(kBitonic, "entry: [main]\n"), ":1:8: error[bad-value]: entry: expected the name of an entry point\n");
}

// Characters of cases that are taken away, doubled and exchanged: the case still holds, or the error says where it does not.
TEST(Case, GarbageIsLocated) {
  const Folder folder;
  const std::pair<std::string, std::string_view> cases[] = {
      {"case.toml", "wave = 16\n[resources.u0]\nformat = \"R32_UINT\"\nvalues = [3, 1, 2]\nsize = 64\n[samplers.s0]\nfilter = \"point\"\n"},
      {"case.yaml", "wave: 16\nresources: {u0: {words: [3, 0x10, 2], size: 64, counter: 1}, heap2: {hex: \"00ff\"}}\n"},
      {"case.json", "{\"wave\": 16, \"resources\": {\"u0\": {\"values\": [1.5, -2e3, \"nan\"], \"size\": 64}}}"}};
  unsigned refused = 0;
  for (const auto& [name, text] : cases) {
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
      std::mt19937 random(seed);
      std::string garbage(text);
      for (auto changes = 1 + random() % 3; changes != 0; --changes) {
        const std::size_t at = random() % garbage.size();
        constexpr std::string_view kOthers = "[]{}:,\"'=#-.x \n\t\xff";
        switch (random() % 3) {
          case 0: garbage.erase(at, 1 + random() % 4); break;
          case 1: garbage.insert(at, 1, kOthers[random() % kOthers.size()]); break;
          default: garbage[at] = kOthers[random() % kOthers.size()]; break;
        }
        if (garbage.empty()) garbage = ' ';
      }
      const std::string path = folder.write(name, garbage);
      const auto outcome = run_command({"run", "--budget", "20000", kBitonic, path});
      ASSERT_TRUE(outcome.exit == 0 || outcome.exit == 1) << garbage << outcome.err;
      if (outcome.exit == 0) continue;
      ++refused;
      ASSERT_FALSE(outcome.err.empty()) << garbage;
      EXPECT_TRUE(outcome.err.starts_with(path + ':') || outcome.err.starts_with(kBitonic)) << garbage << '\n' << outcome.err;
    }
  }
  EXPECT_GT(refused, 150U);
}

std::set<std::string_view> names_of(const Value& schema) {
  std::set<std::string_view> names;
  for (const Value::Member& member : *schema.find("properties")->as_map()) names.insert(member.key);
  return names;
}

TEST(Case, SchemaNamesAllFields) {
  const auto text = read_text(source_dir() / "docs/reference/json/case.schema.json");
  const auto schema = document_text::read_yaml(text);
  ASSERT_TRUE(schema);
  const auto same = [](const Value& place, std::span<const std::string_view> fields) {
    EXPECT_EQ(names_of(place), std::set<std::string_view>(fields.begin(), fields.end()));
  };
  same(*schema, run::case_fields());
  same(*schema->find("$defs")->find("resource"), run::resource_fields());
  same(*schema->find("$defs")->find("sampler"), run::sampler_fields());
  same(*schema->find("$defs")->find("lanes"), run::lanes_fields());
}

}  // namespace
}  // namespace unshade::test
