// Names of shaders against values computed in Python from the descriptions: zlib.crc32, hashlib.sha1, and loops for FNV-1 and CRC-32C.
#include <unshade/find/identity.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>

#include "support/files.hpp"

namespace unshade::test {

namespace {

std::vector<std::byte> data_file(const std::string& path) { return read_bytes(source_dir() / "tests/data" / path); }

std::map<std::string, std::string> names_of(const std::vector<std::byte>& bytes) {
  const auto shader = shader::open(view_of(bytes));
  EXPECT_TRUE(shader);
  std::map<std::string, std::string> names;
  for (const find::Identity& identity : find::identities(*shader)) names.emplace(identity.id, identity.value);
  return names;
}

TEST(Identity, OfATokenProgram) {
  auto names = names_of(data_file("dxbc/textured_ps_5_0.dxbc"));
  EXPECT_EQ(names["digest"], "7a745dac74f20dff8d89e8c4eb77883d");
  EXPECT_EQ(names["renderdoc"], "ac5d747a-ff0df274-c4e8898d-3d8877eb");
  EXPECT_EQ(names["dxvk"], "fs.7a745dac74f20dff8d89e8c4eb77883d");
  EXPECT_EQ(names["dxvk-sha1"], "FS_5c8c956486c033745fe4224a1036cb2b12faf6fc");
  EXPECT_EQ(names["crc32"], "0x5BA01B57");
  EXPECT_EQ(names["crc32c"], "e465dd17");
  EXPECT_EQ(names["fnv1"], "f5f0c531e6e71e83");
  EXPECT_EQ(names["3dmigoto"], "dd5f56ec4763e2b6");
  EXPECT_EQ(names["3dmigoto-embedded"], "7a745dac74f20dff");
  EXPECT_EQ(names["3dmigoto-bytecode"], "00000000d16ac885");
  EXPECT_EQ(names["code"], "ad31d79199a10a0b496b7e07a1c815b6");
  EXPECT_EQ(names["sketch"].size(), 4 * find::kSketchHashes);
  EXPECT_FALSE(names.contains("dxil-hash"));
}

TEST(Identity, OfBitcode) {
  auto names = names_of(data_file("dxil/textured_ps_6_6.dxil"));
  EXPECT_EQ(names["digest"], "45d2afa02749632cdac0ca39863f3790");
  EXPECT_EQ(names["dxil-hash"], "33a0064e55fcedd4a1f281b2c649fe94");
  EXPECT_EQ(names["crc32"], "0xCDA533AB");
  EXPECT_EQ(names["fnv1"], "2b1074734ce3e916");
  EXPECT_EQ(names["code"], "ae6f13e3c71b2941b8c74a7463f1e182");
  EXPECT_FALSE(names.contains("dxvk"));
  EXPECT_FALSE(names.contains("3dmigoto"));
}

TEST(Identity, OfSpirv) {
  auto names = names_of(data_file("spirv/odd.spv"));
  EXPECT_EQ(names["crc32"], "0x046F64EC");
  EXPECT_FALSE(names.contains("digest"));
  EXPECT_FALSE(names.contains("fnv1"));
}

// Bytes after a container, and a database around it, do not count: tools are handed the container alone.
TEST(Identity, IsOfTheContainer) {
  const auto bytes = data_file("dxbc/textured_ps_5_0.dxbc");
  auto longer = bytes;
  longer.resize(longer.size() + 5);
  EXPECT_EQ(names_of(longer), names_of(bytes));
  const auto pdb = data_file("dxil/control_ps_6_6_zi.pdb");
  const auto database = shader::open(view_of(pdb));
  ASSERT_TRUE(database);
  const auto inner = find::named_bytes(*database).bytes();
  EXPECT_EQ(names_of(pdb), names_of(std::vector<std::byte>(inner.begin(), inner.end())));
}

TEST(Identity, OneKindIsThatOfAll) {
  for (const char* path : {"dxbc/lit_vs_4_0.dxbc", "dxil/textured_ps_6_6.dxil", "spirv/odd.spv", "pica/skin.v.shbin", "vbc/textured.vbc"}) {
    const auto bytes = data_file(path);
    const auto shader = shader::open(view_of(bytes));
    ASSERT_TRUE(shader) << path;
    const auto names = names_of(bytes);
    for (const find::IdentityKind& kind : find::identity_kinds()) {
      const auto name = find::identity(*shader, kind.id);
      EXPECT_EQ(name.has_value(), names.contains(std::string(kind.id))) << path << ' ' << kind.id;
      if (name) {
        EXPECT_EQ(*name, names.at(std::string(kind.id)));
      }
    }
    EXPECT_TRUE(names.contains("code") && names.contains("plain") && names.contains("sketch")) << path;
    EXPECT_FALSE(find::identity(*shader, "no-such-kind"));
  }
}

// Stripping changes the names of the file, and none of its code.
TEST(Identity, CodeSurvivesStripping) {
  for (const char* path : {"dxbc/lit_vs_4_0.dxbc", "dxil/textured_ps_6_6.dxil", "spirv/odd.spv", "pica/skin.v.shbin"}) {
    const auto bytes = data_file(path);
    shader::Strip options;
    options.debug = options.reflection = options.names = true;
    const auto shader = shader::open(view_of(bytes));
    ASSERT_TRUE(shader) << path;
    const auto stripped = shader::strip(*shader, options);
    ASSERT_TRUE(stripped) << path;
    if (!stripped->changed) continue;
    auto before = names_of(bytes);
    auto after = names_of(stripped->bytes);
    EXPECT_NE(before["crc32"], after["crc32"]) << path;
    EXPECT_EQ(before["sketch"], after["sketch"]) << path;
    EXPECT_EQ(before["plain"], after["plain"]) << path;
  }
}

/// The names of what a text assembles to.
std::map<std::string, std::string> names_of_text(const char* text, shader::Family family) {
  const auto made = shader::assemble(family, text);
  EXPECT_TRUE(made.ok) << text;
  return names_of(made.file);
}

TEST(Identity, PlainLeavesOutRegistersAndConstants) {
  constexpr const char* kFirst =
      "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmul r0.xyzw, v1.xyzw, l(1.0, 2.0, 3.0, 4.0)\nmov o0.xyzw, "
      "r0.xyzw\nret\n";
  constexpr const char* kOther =
      "ps_5_0\ndcl_input_ps linear v2.xyzw\ndcl_output o0.xyzw\ndcl_temps 3\nmul r2.xyzw, v2.xyzw, l(-1.0, 2.5, 0.0, 4.0)\nmov o0.xyzw, "
      "r2.xyzw\nret\n";
  constexpr const char* kElse =
      "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nadd r0.xyzw, v1.xyzw, l(1.0, 2.0, 3.0, 4.0)\nmov o0.xyzw, "
      "r0.xyzw\nret\n";
  auto first = names_of_text(kFirst, shader::Family::dxbc);
  auto other = names_of_text(kOther, shader::Family::dxbc);
  auto another = names_of_text(kElse, shader::Family::dxbc);
  EXPECT_NE(first["code"], other["code"]);
  EXPECT_EQ(first["plain"], other["plain"]);
  EXPECT_EQ(first["sketch"], other["sketch"]);
  EXPECT_NE(first["plain"], another["plain"]);
  EXPECT_NE(first["sketch"], another["sketch"]);
}

TEST(Identity, PlainTextKeepsOpcodesAndTypes) {
  const auto plain = [](const char* path) {
    const auto bytes = data_file(path);
    const auto shader = shader::open(view_of(bytes));
    EXPECT_TRUE(shader);
    auto text = shader::plain_code(*shader);
    EXPECT_TRUE(text) << path;
    return text ? *text : std::string();
  };
  EXPECT_NE(plain("dxbc/lit_vs_4_0.dxbc").find("\nmul r.w, r.wwww, r.wwww\n"), std::string::npos);
  const std::string dxil = plain("dxil/textured_ps_6_6.dxil");
  EXPECT_NE(dxil.find("@dx.op.loadInput.f32(i32 4, i32 , "), std::string::npos) << dxil;
  EXPECT_EQ(plain("spirv/odd.spv").find("OpConstant "), std::string::npos);
}

TEST(Identity, OpcodesHaveTexts) {
  for (const char* path : {"dxbc/lit_vs_4_0.dxbc", "dxil/textured_ps_6_6.dxil", "spirv/odd.spv", "pica/skin.v.shbin", "vbc/textured.vbc"}) {
    const auto bytes = data_file(path);
    const auto shader = shader::open(view_of(bytes));
    ASSERT_TRUE(shader) << path;
    const auto opcodes = shader::opcodes(*shader);
    ASSERT_TRUE(opcodes) << path;
    EXPECT_FALSE(opcodes->empty()) << path;
    for (const std::uint32_t opcode : *opcodes)
      EXPECT_EQ(shader::opcode_text(shader->family, opcode).find("unknown"), std::string::npos) << path << ' ' << opcode;
  }
  EXPECT_EQ(shader::opcode_text(shader::Family::dxbc, 50), "mad");
  EXPECT_EQ(shader::opcode_text(shader::Family::spirv, 0xfff0), "unknown(0xfff0)");
}

TEST(Identity, OpcodesAreKnownAsListingsSpellThem) {
  using Texts = std::vector<std::string>;
  const auto listed = shader::opcodes_listed_as;
  EXPECT_EQ(listed(shader::Family::dxbc, "discard_nz"), Texts{"discard"});
  EXPECT_EQ(listed(shader::Family::dxbc, "sync_g_t"), Texts{"sync"});
  EXPECT_EQ(listed(shader::Family::dxbc, "resinfo_indexable(texture2d)(float,float,float,float)_uint"), Texts{"resinfo"});
  EXPECT_EQ(listed(shader::Family::dxbc, "sample_c_aoffimmi*"), (Texts{"sample_c"}));
  EXPECT_EQ(listed(shader::Family::dxbc, "texld_pp"), Texts{"texld"});
  EXPECT_EQ(listed(shader::Family::dxbc, "discard_sat"), Texts{});
  EXPECT_EQ(listed(shader::Family::dxil, "dx.op.sample.f32"), Texts{"dx.op.Sample"});
  EXPECT_EQ(listed(shader::Family::dxil, "Sample"), Texts{"dx.op.Sample"});
  const Texts unary = listed(shader::Family::dxil, "@dx.op.unary.f32(");
  EXPECT_NE(std::find(unary.begin(), unary.end(), "dx.op.Cos"), unary.end());
  EXPECT_EQ(std::find(unary.begin(), unary.end(), "dx.op.FMax"), unary.end());
  EXPECT_EQ(listed(shader::Family::dxil, "dx.op.sampl"), Texts{});
}

TEST(Identity, FilesWithoutAProgramHaveNoneOfCode) {
  auto names = names_of(data_file("dxil/rootsig_only.dxil"));
  EXPECT_TRUE(names.contains("digest"));
  EXPECT_FALSE(names.contains("code"));
  EXPECT_FALSE(names.contains("plain"));
  EXPECT_FALSE(names.contains("sketch"));
}

}  // namespace

}  // namespace unshade::test
