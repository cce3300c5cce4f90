// Texts of edits, and several edits of one file.
#include <unshade/shader/edits.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::shader {
namespace {

std::vector<std::byte> sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data" / name); }

std::string shown(const std::vector<Rebind>& rebinds) {
  std::string text;
  for (const Rebind& one : rebinds) {
    text += (text.empty() ? "" : " ") + (one.kind == 0 ? std::string() : std::string(1, one.kind)) + std::to_string(one.from) + ',' +
            std::to_string(one.from_space) + '=' + std::to_string(one.to);
    if (one.to_space) text += ',' + std::to_string(*one.to_space);
  }
  return text;
}

TEST(EditTexts, Renames) {
  EXPECT_EQ(kinds_of_names(), "entry, input, output, patch, resource, variable, node");
  const auto rename = parse_rename("input:TEXCOORD1=UV0=1");
  ASSERT_TRUE(rename);
  EXPECT_EQ(rename->what, Rename::What::input);
  EXPECT_EQ(rename->from, "TEXCOORD1");
  EXPECT_EQ(rename->to, "UV0=1");
  for (const std::string_view text : {"", "input", "input:a", "a=b", "a=b:c", "sampler:a=b"}) EXPECT_FALSE(parse_rename(text)) << text;
}

TEST(EditTexts, Rebinds) {
  std::vector<Rebind> rebinds;
  EXPECT_TRUE(parse_rebinds("t0=t4;cb3=b0;t0,space1=4,space2;0,set1=4,set0;c4=c8", rebinds));
  EXPECT_EQ(shown(rebinds), "t0,0=4 b3,0=0 t0,1=4,2 0,1=4,0 c4,0=8");
  for (const std::string_view text : {"t0", "t0=", "=t0", "t0=s1", "t0,room1=t1", "t0,space=t1", "t0=t99999999999"})
    EXPECT_FALSE(parse_rebinds(text, rebinds)) << text;
}

TEST(Edits, OneUponAnother) {
  const auto file = sample("dxbc/lit_vs_5_0.dxbc");
  const auto shader = open(test::view_of(file));
  ASSERT_TRUE(shader);
  const auto same = make_edits(*shader, {});
  ASSERT_TRUE(same);
  EXPECT_FALSE(same->changed);
  EXPECT_EQ(same->bytes, file);
  Edits edits;
  edits.renames = {{Rename::What::input, "NORMAL", "DIRECTION"}};
  edits.rebinds = {{'b', 0, 0, 3, {}}};
  const auto both = make_edits(*shader, edits);
  ASSERT_TRUE(both) << to_string(both.error());
  EXPECT_TRUE(both->changed);
  const auto renamed = rename(*shader, edits.renames);
  ASSERT_TRUE(renamed);
  const auto then = rebind(test::view_of(renamed->bytes), edits.rebinds);
  ASSERT_TRUE(then);
  EXPECT_EQ(both->bytes, then->bytes);
  edits.rebinds = {{'t', 77, 0, 3, {}}};
  const auto fault = make_edits(*shader, edits);
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code, ErrorCode::missing);
}

TEST(Edits, OfVbcAreOfItsFilesAlone) {
  const auto file = sample("dxbc/lit_vs_5_0.dxbc");
  const auto shader = open(test::view_of(file));
  ASSERT_TRUE(shader);
  Edits edits;
  edits.vbc.emplace().repair = true;
  const auto fault = make_edits(*shader, edits);
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code, ErrorCode::unsupported);
  EXPECT_EQ(fault.error().path, "file");
}

TEST(Edits, SizesOfTablesThatNoTextHas) {
  const auto file = sample("vbc/textured.vbc");
  const auto shader = open(test::view_of(file));
  ASSERT_TRUE(shader);
  Edits edits;
  edits.vbc.emplace().tables = "samplers=16";
  const auto edited = make_edits(*shader, edits);
  ASSERT_TRUE(edited) << to_string(edited.error());
  EXPECT_TRUE(edited->changed);
  edits.vbc->tables = "textures=16";
  const auto fault = make_edits(*shader, edits);
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code, ErrorCode::bad_value);
}

}  // namespace
}  // namespace unshade::shader
