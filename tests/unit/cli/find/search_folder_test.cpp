// search in the files of a folder, and names of files by other tools' templates.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <unshade/find/names.hpp>

#include "support/command.hpp"
#include "support/files.hpp"
#include "support/system.hpp"

namespace unshade::test {
namespace {

namespace fs = std::filesystem;

const std::string kDxbc = (source_dir() / "tests/data/dxbc").generic_string();

TEST(Names, OfOtherTools) {
  EXPECT_EQ(find::name_template("3dmigoto"), "{3dmigoto}-{short_stage}.bin");
  EXPECT_EQ(find::name_template("{crc32}.x"), "{crc32}.x");
  const find::NameFacts pixel{shader::Family::dxbc, "pixel", "ps_5_0"};
  EXPECT_EQ(find::name_field(pixel, "short_stage"), "ps");
  EXPECT_EQ(find::name_field(pixel, "cso"), "cso");
  EXPECT_EQ(find::name_field(pixel, "ext"), "dxbc");
  const find::NameFacts fragment{shader::Family::spirv, "pixel", "SPIR-V 1.5"};
  EXPECT_EQ(find::name_field(fragment, "target"), "frag");
  EXPECT_EQ(find::name_field(fragment, "cso"), "spv");
  EXPECT_EQ(find::name_field({shader::Family::dxil, "amplification", "as_6_5"}, "short_stage"), "as");
}

TEST(Names, HashAndScanAgree) {
  const std::string file = kDxbc + "/textured_ps_5_0.dxbc";
  EXPECT_EQ(run_command({"hash", "--name", "3dmigoto", file}).out, "dd5f56ec4763e2b6-ps.bin  " + file + '\n');
  EXPECT_EQ(run_command({"hash", "--name", "reshade", file}).out, "0x5BA01B57.cso  " + file + '\n');
  EXPECT_EQ(run_command({"hash", "--name", "renodx", file}).out, "0x5BA01B57.ps_5_0.cso  " + file + '\n');
  EXPECT_EQ(run_command({"hash", "--name", "vkd3d-proton", file}).out, "f5f0c531e6e71e83.dxbc  " + file + '\n');
  const auto mistyped = run_command({"hash", "--name", "reshad", file});
  EXPECT_EQ(mistyped.exit, 2);
  EXPECT_NE(mistyped.err.find("found 'reshad'; did you mean `reshade`?"), std::string::npos) << mistyped.err;
  EXPECT_EQ(run_command({"hash", "--name", "{short_stage}/{family}", file}).out, "ps/dxbc  " + file + '\n');
  EXPECT_EQ(run_command({"hash", "--name", "{stagee}", file}).exit, 2);
  const fs::path folder = fs::temp_directory_path() / ("unshade-names-" + std::to_string(process_id()));
  fs::remove_all(folder);
  EXPECT_EQ(run_command({"scan", "-o", folder.generic_string() + '/', "--name", "3dmigoto", file}).exit, 0);
  EXPECT_EQ(read_text(folder / "dd5f56ec4763e2b6-ps.bin"), read_text(file));
  fs::remove_all(folder);
}

#ifdef UNSHADE_HAS_DATABASE
TEST(SearchFolder, MakesItsIndexInMemory) {
  const auto count = run_command({"search", kDxbc, "--where", "stage = 'pixel'", "--count"});
  EXPECT_EQ(count.exit, 0) << count.err;
  EXPECT_EQ(count.out, "6\n");
  const auto lines = run_command({"search", kDxbc, "--where", "profile = 'ps_5_0'", "--regex", "dcl_sampler"});
  EXPECT_EQ(lines.exit, 0) << lines.err;
  EXPECT_NE(lines.out.find("dcl_sampler s0"), std::string::npos) << lines.out;
  EXPECT_EQ(run_command({"search", kDxbc, "--words", "dcl_sampler", "--count"}).exit, 0);
  EXPECT_EQ(run_command({"search", kDxbc, "no such name"}).exit, 1);
}

TEST(SearchFolder, FileNamesOnly) {
  const auto names = run_command({"search", kDxbc, "--where", "profile = 'cs_5_0'", "-l"});
  EXPECT_EQ(names.exit, 0) << names.err;
  EXPECT_EQ(names.out, kDxbc + "/grid_cs_5_0.dxbc\n");
  EXPECT_EQ(run_command({"search", kDxbc, "-l", "--json"}).exit, 2);
}
#endif

}  // namespace
}  // namespace unshade::test
