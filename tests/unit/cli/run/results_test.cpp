// Results of `unshade run` in files: a folder of all, or a texture as a picture.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/picture/picture.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/png/png.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/run.hpp>

#include "cli/write/results.hpp"
#include "support/command.hpp"
#include "support/system.hpp"
#include "support/two_outputs.hpp"

namespace unshade::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGrid = "tests/data/dxbc/grid_cs_5_0.dxbc";
constexpr const char* kVertex = "tests/data/dxbc/lit_vs_5_0.dxbc";
/// A texture of 2x2 texels that gets what it is written: each the one of `source`.
constexpr std::string_view kGridCase =
    "constants: {size: [2, 2], weight: 1}\n"
    "resources:\n"
    "  t0: {format: R32G32B32A32_FLOAT, width: 1, height: 1, values: [1, 0.5, 0, 1]}\n"
    "  u0: {format: R8G8B8A8_UNORM, width: 2, height: 2}\n"
    "  u1: {format: R32_UINT, size: 16}\n";

class Results : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("unshade-results-" + std::to_string(process_id()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).generic_string();
  }
  std::string path(std::string_view name) const { return (folder_ / name).generic_string(); }
  std::vector<std::byte> read(std::string_view name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  }
  std::set<std::string> files(std::string_view below) const {
    std::set<std::string> names;
    for (const auto& one : fs::directory_iterator(folder_ / below)) names.insert(one.path().filename().string());
    return names;
  }

  fs::path folder_;
};

TEST_F(Results, EachHasAFile) {
  const std::string given = write("case.yaml", kGridCase);
  const auto outcome = run_command({"run", kGrid, given, "-o", path("out/")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files("out"), (std::set<std::string>{"target.dds", "counts.npy"}));
  EXPECT_NE(outcome.out.find("target  u1 [2, 2, 4]"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("counts  u4 [4]"), std::string::npos) << outcome.out;
  const auto picture = picture::read_dds(read("out/target.dds"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 2U);
  EXPECT_EQ(picture->height, 2U);
  // the texel itself and what is out of bounds, which is zero
  EXPECT_EQ(picture->bytes[0], std::byte{255});
  EXPECT_EQ(picture->bytes[1], std::byte{128});
  EXPECT_EQ(picture->bytes[2], std::byte{0});
}

TEST_F(Results, AFolderThatIsThereNeedsNoSlash) {
  const auto outcome = run_command({"run", "--json", kGrid, write("case.yaml", kGridCase), "-o", folder_.generic_string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"type\": \"u4\""), std::string::npos) << outcome.out;
  EXPECT_TRUE(fs::exists(folder_ / "counts.npy"));
}

TEST_F(Results, FormatsAreChosen) {
  const std::string given = write("case.yaml", kGridCase);
  const auto outcome = run_command({"run", kGrid, given, "-d", path("a"), "--format", "raw", "--format", "png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files("a"), (std::set<std::string>{"target.png", "counts.bin"}));
  EXPECT_EQ(read("a/counts.bin").size(), 16U);
  const auto picture = png::read_png(read("a/target.png"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->bytes[1], std::byte{128});
  EXPECT_EQ(run_command({"run", kGrid, given, "-d", path("b"), "--format", "npy"}).exit, 0);
  EXPECT_EQ(files("b"), (std::set<std::string>{"target.npy", "counts.npy"}));
  const auto bytes = read("b/target.npy");
  const auto array = run::read_npy(bytes);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{2, 2, 4}));
  EXPECT_EQ(array->kind, 'u');
}

TEST_F(Results, OutputsHaveTheirSemantics) {
  const auto outcome = run_command({"run", kVertex, "-d", path("out")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const auto bytes = read("out/SV_Position.npy");
  const auto array = run::read_npy(bytes);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{4, 4}));
  EXPECT_EQ(array->kind, 'f');
}

TEST_F(Results, OutputsOfOneNameHaveTheirRegister) {
  const std::string shader = path("two.spv");
  ASSERT_EQ(run_command({"as", write("two.spvasm", packed_outputs(kPixelStage)), "-o", shader}).exit, 0);
  const auto outcome = run_command({"run", shader, "-d", path("out")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files("out"), (std::set<std::string>{"location.npy", "location_0.npy"}));
  EXPECT_NE(outcome.out.find("location@0  f4 [4, 2]"), std::string::npos) << outcome.out;
}

TEST_F(Results, EveryStageHasSome) {
  for (const auto& [shader, file] :
       {std::pair{"tests/data/dxil/expand_gs_6_0.dxil", "vertices.npy"}, std::pair{"tests/data/dxil/mesh_ms_6_5.dxil", "indices.npy"},
        std::pair{"tests/data/dxil/mesh_as_6_5.dxil", "dispatch.npy"}, std::pair{"tests/data/dxil/tessellate_hs_6_5.dxil", "INSIDE.npy"},
        std::pair{"tests/data/dxil/atomics_cs_6_6.dxil", "sorted.npy"}}) {
    const auto outcome = run_command({"run", shader, "-d", path("out")});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    if (std::string_view(file) != "INSIDE.npy") {
      EXPECT_TRUE(files("out").contains(file)) << shader << outcome.out;
    }
    for (const std::string& name : files("out")) {
      const auto bytes = read("out/" + name);
      if (name.ends_with(".npy")) {
        EXPECT_TRUE(run::read_npy(bytes)) << name;
      }
    }
    fs::remove_all(folder_ / "out");
  }
}

TEST_F(Results, OneTextureIsAPicture) {
  const std::string given = write("case.yaml", kGridCase);
  for (const std::string name : {"a.png", "a.dds", "a.exr"}) {
    const auto outcome = run_command({"run", kGrid, given, "--picture", "target", "-o", path(name)});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_FALSE(read(name).empty());
  }
  const auto picture = png::read_png(read("a.png"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->bytes[0], std::byte{255});
}

TEST_F(Results, WhatDoesNotGoTogetherIsRefused) {
  const std::string given = write("case.yaml", kGridCase);
  const auto error = [&](std::vector<std::string> words, int exit) {
    words.insert(words.begin(), {"run", kGrid, given});
    const auto outcome = run_command(words);
    EXPECT_EQ(outcome.exit, exit) << words.back();
    return outcome.err;
  };
  EXPECT_NE(error({"--format", "png"}, 2).find("requires a folder"), std::string::npos);
  EXPECT_NE(error({"-d", path("x"), "--raw", "u0"}, 2).find("must name a file"), std::string::npos);
  EXPECT_NE(error({"-d", path("x"), "-o", path("y")}, 2).find("must not be combined"), std::string::npos);
  EXPECT_NE(error({"-d", path("x"), "--against", kGrid}, 2).find("--against"), std::string::npos);
  EXPECT_NE(error({"--picture", "u0", "-o", path("x.bmp")}, 2).find(".png, .dds or .exr"), std::string::npos);
  EXPECT_NE(error({"--picture", "u0"}, 2).find(".png, .dds or .exr"), std::string::npos);
  EXPECT_NE(error({"--picture", "counts", "-o", path("x.png")}, 1).find("only textures of one sample can be written as pictures"),
            std::string::npos);
  EXPECT_NE(error({"--picture", "u9", "-o", path("x.png")}, 1).find("writes no resource `u9`"), std::string::npos);
  EXPECT_NE(error({"--format", "bmp", "-d", path("x")}, 2).find("bmp"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "x.png"));
}

TEST_F(Results, NothingIsLeftIfOneCannotBeWritten) {
  // whole numbers are no PNG
  const std::string given = write("case.yaml",
                                  "resources:\n  t0: {format: R32_FLOAT, width: 1, values: [1]}\n  u1: {format: R32_UINT, size: 16}\n"
                                  "  u0: {format: R8G8B8A8_UINT, width: 2, height: 2}\n");
  const auto outcome = run_command({"run", kGrid, given, "-d", path("out"), "--format", "png"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("target"), std::string::npos) << outcome.err;
  EXPECT_TRUE(files("out").empty());
  // a file is in the folder's place
  const auto blocked = run_command({"run", kGrid, given, "-d", given});
  EXPECT_EQ(blocked.exit, 2);
  EXPECT_NE(blocked.err.find("error[io]"), std::string::npos) << blocked.err;
}

TEST_F(Results, NamesAreThoseOfFiles) {
  cli::MemoryStream out, err;
  cli::MemorySource in({});
  cli::Host host{&out, &err, &in, false, false, false};
  cli::Io io(host, out, false, false);
  std::vector<run::ResultArray> arrays(5);
  arrays[0].name = "../a b";
  arrays[1].name = "Keys";
  arrays[1].key = "u0";
  arrays[2].name = "keys";
  arrays[2].key = "u1";
  arrays[3].name = "";
  arrays[4].name = "keys";
  for (run::ResultArray& one : arrays) one.shape = {0};
  std::vector<cli::write::ResultFile> written;
  EXPECT_EQ(cli::write::write_results(arrays, path("out"), {}, {}, io, written), cli::Exit::ok);
  EXPECT_EQ(files("out"), (std::set<std::string>{"_._a_b.npy", "Keys.npy", "keys_u1.npy", "_.npy", "keys_2.npy"}));
}

TEST(ResultFormats, HavePicturesOfEachKind) {
  for (const png::PictureFile& one : png::picture_files()) EXPECT_NE(cli::write::kResultFormats.find(one.id), std::string_view::npos);
}

}  // namespace
}  // namespace unshade::test
