#include <unshade/shader/sources.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/shader/root_signature.hpp>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

using test::view_of;

std::vector<std::byte> data(std::string_view name) { return test::read_bytes(test::source_dir() / "tests/data" / name); }

TEST(Sources, NamesThatStayInTheirFolder) {
  EXPECT_EQ(safe_file_name("shaders/main.hlsl"), "shaders/main.hlsl");
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "etc/passwd");
  EXPECT_EQ(safe_file_name("/etc/passwd"), "etc/passwd");
  EXPECT_EQ(safe_file_name("C:\\work\\..\\main.hlsl"), "work/main.hlsl");
  EXPECT_EQ(safe_file_name("a/.. /. ./b"), "a/b");
  EXPECT_EQ(safe_file_name("\\\\server\\share\\x?.hlsl"), "server/share/x_.hlsl");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n", 4)), "a_b_");
  for (const char* nothing : {"", "/", "..", "C:", "../..", "./.."}) EXPECT_EQ(safe_file_name(nothing), "source");
}

TEST(Sources, EmbeddedOnesComeBack) {
  const dxil::SourceText files[] = {{"a.hlsl", "one"}, {"b/c.hlsli", "two"}};
  for (const char* name : {"dxil/control_ps_6_0_zi.dxil", "dxil/control_ps_6_6_zi.pdb"}) {
    const auto file = data(name);
    const auto edited = embed_sources(view_of(file), files);
    ASSERT_TRUE(edited) << to_string(edited.error());
    EXPECT_TRUE(edited->changed);
    const auto shader = open(view_of(edited->bytes));
    ASSERT_TRUE(shader);
    const auto sources = sources_of(*shader);
    ASSERT_TRUE(sources) << to_string(sources.error());
    EXPECT_EQ(sources->where, "SRCI");
    ASSERT_EQ(sources->files.size(), 2U);
    EXPECT_EQ(sources->files[1].name, "b/c.hlsli");
    EXPECT_EQ(sources->files[1].text, "two");
  }
  const auto dxbc = data("dxbc/grid_cs_5_0.dxbc");
  const auto refused = embed_sources(view_of(dxbc), files);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

TEST(RootSignatures, AreAttachedAndDetached) {
  const auto file = data("dxil/textured_ps_6_6.dxil");
  const auto text = dxcontainer::parse_root_signature_text("DescriptorTable(SRV(t900))");
  ASSERT_TRUE(text.ok);
  const auto bytes = dxcontainer::write_root_signature(text.signature);
  const auto attached = attach_root_signature(view_of(file), bytes);
  ASSERT_TRUE(attached) << to_string(attached.error());
  EXPECT_FALSE(attached->findings.empty());  // the shader's texture is bound nowhere
  const auto read = root_signature_of(view_of(attached->edited.bytes));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, bytes);
  const auto detached = detach_root_signature(view_of(attached->edited.bytes));
  ASSERT_TRUE(detached);
  EXPECT_EQ(detached->bytes, file);
  EXPECT_EQ(detach_root_signature(view_of(file)).error().code, ErrorCode::missing);
  const auto library = data("dxil/rays_lib_6_7.dxil");
  EXPECT_EQ(attach_root_signature(view_of(library), bytes).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace unshade::shader
