#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/source_info.hpp>

#include "support/files.hpp"

namespace unshade::dxil {
namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;
using test::view_of;

Part part_of(const std::vector<std::byte>& bytes) {
  Part part;
  part.fourcc = fourcc("SRCI");
  part.data = view_of(bytes);
  return part;
}

// Stands in for zlib: what is "compressed" has lost its last byte, which is a zero of padding or the end of a text.
bool shorten(std::span<const std::byte> content, std::vector<std::byte>& out, void*) {
  out.assign(content.begin(), content.end() - 1);
  return true;
}
bool restore(std::span<const std::byte> zlib, std::span<std::byte> out, void*) {
  if (out.size() != zlib.size() + 1) return false;
  std::copy(zlib.begin(), zlib.end(), out.begin());
  out.back() = std::byte{0};
  return true;
}

TEST(SourceInfoWrite, MakesWhatDxcMadeOfTheSameSources) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb");
  const auto pdb = dxcontainer::find_container_in_pdb(view_of(file));
  ASSERT_TRUE(pdb);
  const auto container = dxcontainer::parse_container(pdb->view());
  ASSERT_TRUE(container);
  const Part* const part = container->find(fourcc("SRCI"));
  ASSERT_NE(part, nullptr);
  const auto info = parse_source_info(*part);
  ASSERT_TRUE(info);
  ASSERT_EQ(info->compression, Compression::zlib);
  // The contents are compressed: texts of the same sizes stand for them, and the stream that dxc made for what becomes of them.
  std::vector<std::string> texts;
  for (const SourceName& name : info->names) texts.emplace_back(name.content_bytes - 1, 'x');
  std::vector<SourceText> files;
  for (std::size_t i = 0; i < texts.size(); ++i) files.push_back({info->names[i].name, texts[i]});
  ASSERT_EQ(info->sections[1].type, SourceInfoSection::contents);
  View stream = info->sections[1].data;
  stream = stream.clamped(20, stream.u32(8).value_or(0));
  const auto give = [](std::span<const std::byte>, std::vector<std::byte>& out, void* user) {
    const View& bytes = *static_cast<const View*>(user);
    out.assign(bytes.bytes().begin(), bytes.bytes().end());
    return true;
  };
  const auto made = make_source_info(files, info->arguments, {give, &stream});
  ASSERT_TRUE(made);
  EXPECT_TRUE(view_of(*made).text() == part->data.text());
}

TEST(SourceInfoWrite, SourcesComeBack) {
  const SourceText files[] = {{"main.hlsl", "float4 main() : SV_Target { return 1; }\n"}, {"a.hlsli", ""}, {"", "x"}};
  const SourceArgument arguments[] = {{"T", "ps_6_0"}, {"Zi", ""}, {"", "main.hlsl"}};
  for (const bool compressed : {false, true}) {
    const auto made = make_source_info(files, arguments, compressed ? Deflate{shorten, nullptr} : Deflate{});
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->size() % 4, 0U);
    const auto info = parse_source_info(part_of(*made), {restore, nullptr});
    ASSERT_TRUE(info) << to_string(info.error());
    EXPECT_EQ(info->compression, compressed ? Compression::zlib : Compression::none);
    ASSERT_EQ(info->names.size(), 3U);
    ASSERT_EQ(info->contents.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(info->names[i].name, files[i].name);
      EXPECT_EQ(info->names[i].content_bytes, files[i].content.size() + 1);
      EXPECT_EQ(info->contents[i].content, files[i].content);
      EXPECT_EQ(info->arguments[i].name, arguments[i].name);
      EXPECT_EQ(info->arguments[i].value, arguments[i].value);
    }
    EXPECT_EQ(write_source_info(*info), *made);
  }
}

TEST(SourceInfoWrite, RefusesWhatThePartCannotSay) {
  const std::string long_name(70000, 'n');
  const SourceText too_long[] = {{long_name, ""}};
  const auto refused = make_source_info(too_long, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  const SourceText zero[] = {{"a", std::string_view("x\0y", 3)}};
  ASSERT_FALSE(make_source_info(zero, {}));
  EXPECT_EQ(make_source_info(zero, {}).error().code, ErrorCode::bad_value);
}

TEST(DebugFile, DebugInformationMovesIntoADatabase) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  ASSERT_NE(container->find(fourcc("ILDB")), nullptr);
  const auto separated = separate_debug(*container, "control.pdb");
  ASSERT_TRUE(separated) << to_string(separated.error());
  const auto stripped = dxcontainer::parse_container(view_of(separated->stripped));
  ASSERT_TRUE(stripped);
  EXPECT_EQ(stripped->find(fourcc("ILDB")), nullptr);
  const auto pdb = dxcontainer::find_container_in_pdb(view_of(separated->pdb));
  ASSERT_TRUE(pdb);
  const auto inside = dxcontainer::parse_container(pdb->view());
  ASSERT_TRUE(inside);
  for (const auto* one : {&*stripped, &*inside}) {
    const Part* const part = one->find(fourcc("ILDN"));
    ASSERT_NE(part, nullptr);
    const auto name = parse_debug_name(*part);
    ASSERT_TRUE(name);
    EXPECT_EQ(name->name, "control.pdb");
  }
  ASSERT_NE(inside->find(fourcc("ILDB")), nullptr);
  EXPECT_TRUE(inside->find(fourcc("ILDB"))->data.text() == container->find(fourcc("ILDB"))->data.text());
  const auto again = separate_debug(*stripped);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::missing);
}

// Stands in for a stream that zlib could make so much of.
bool make_little(std::span<const std::byte>, std::vector<std::byte>& out, void*) {
  out.assign(30'000, std::byte{1});
  return true;
}
bool never(std::span<const std::byte>, std::span<std::byte>, void*) {
  ADD_FAILURE() << "inflated";
  return false;
}

TEST(SourceInfoRead, ContentsOutOfProportionAreNotInflated) {
  const std::string text(20'000'000, 'x');
  const SourceText file{"main.hlsl", text};
  const auto bytes = make_source_info({&file, 1}, {}, {make_little, nullptr});
  ASSERT_TRUE(bytes);
  const auto info = parse_source_info(part_of(*bytes), {never, nullptr});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::limit);
}

TEST(SourceInfoRead, ContentsHaveTheBytesThatTheNamesState) {
  const std::string text(1'000'000, 'x');
  const SourceText file{"main.hlsl", text};
  auto bytes = make_source_info({&file, 1}, {}, {make_little, nullptr});
  ASSERT_TRUE(bytes);
  constexpr std::size_t kContentBytes = 8 + 8 + 10 + 12;  // headers of part, section and names; fields of the first name
  (*bytes)[kContentBytes + 2] = std::byte{0};
  const auto info = parse_source_info(part_of(*bytes), {never, nullptr});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::bad_value);
  EXPECT_EQ(info.error().path, "SRCI/sections[1]/uncompressed_bytes");
}

}  // namespace
}  // namespace unshade::dxil
