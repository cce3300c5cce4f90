// Names of files for shaders that were found.
#include <unshade/unpack/shader_paths.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unshade::test {
namespace {

TEST(ShaderPaths, TellShadersOfOneNameApart) {
  const std::vector<std::byte> a(4, std::byte{1}), b(4, std::byte{2}), c(4, std::byte{3});
  unpack::ShaderPaths paths("out");
  EXPECT_EQ(paths.place("x/one.bin", View(a)).path, "out/x/one.bin");
  EXPECT_EQ(paths.place("x/one.bin", View(b)).path, "out/x/one-2.bin");
  EXPECT_EQ(paths.place("x.y/one", View(a)).path, "out/x.y/one");
  EXPECT_EQ(paths.place("x.y/one", View(b)).path, "out/x.y/one-2");
  const auto again = paths.place("x/one.bin", View(b));
  EXPECT_EQ(again.path, "out/x/one-2.bin");
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(paths.place("x/one.bin", View(c)).path, "out/x/one-3.bin");
  paths.set_failed("out/x/one-3.bin");
  EXPECT_EQ(paths.place("x/one.bin", View(c)).path, "");
  EXPECT_EQ(unpack::ShaderPaths("out/").place("a", View(a)).path, "out/a");
#ifdef _WIN32
  EXPECT_EQ(unpack::ShaderPaths("out\\").place("a", View(a)).path, "out\\a");
  EXPECT_EQ(unpack::ShaderPaths("C:").place("a", View(a)).path, "C:a");
#endif
}

// Windows and macOS take them for the same file.
TEST(ShaderPaths, TellCapitalAndSmallLettersApart) {
  const std::vector<std::byte> a(4, std::byte{1}), b(4, std::byte{2});
  unpack::ShaderPaths paths("out");
  EXPECT_EQ(paths.place("A.dxbc", View(a)).path, "out/A.dxbc");
  EXPECT_EQ(paths.place("a.dxbc", View(b)).path, "out/a-2.dxbc");
  const auto again = paths.place("a.DXBC", View(a));
  EXPECT_EQ(again.path, "out/A.dxbc");
  EXPECT_TRUE(again.is_repeated);
  paths.set_failed("out/A.dxbc");
  EXPECT_EQ(paths.place("a.dxbc", View(a)).path, "");
}

TEST(PlaceField, IsOfTheFileTheMemberOrTheShader) {
  unpack::SearchedFile file;
  file.name = "games/pack.zip";
  unpack::FoundShader shader;
  shader.hit = {.offset = 0x40, .size = 12, .family = shader::Family::dxbc, .parent = {}};
  shader.profile = "ps_5_0";
  shader.identities = {"0x12345678"};
  shader.layers = std::make_shared<const unpack::Layers>(unpack::Layers{{"zip", "dir/a.cso", {}}});
  const std::vector<std::string> ids = {"crc32"};
  const auto field = [&](std::string_view name) { return unpack::place_field(file, shader, 3, ids, name); };
  EXPECT_EQ(field("file"), "pack.zip");
  EXPECT_EQ(field("member"), "a.cso");
  shader.layers = std::make_shared<const unpack::Layers>(unpack::Layers{{"zip", "dir\\b.cso", {}}});
  EXPECT_EQ(field("member"), "b.cso") << "of a program for Windows";
  EXPECT_EQ(field("offset"), "00000040");
  EXPECT_EQ(field("size"), "12");
  EXPECT_EQ(field("number"), "3");
  EXPECT_EQ(field("profile"), "ps_5_0");
  EXPECT_EQ(field("crc32"), "0x12345678");
  EXPECT_EQ(field("other"), "");
}

}  // namespace
}  // namespace unshade::test
