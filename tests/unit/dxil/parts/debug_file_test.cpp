#include <unshade/dxil/debug_file.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/core/text.hpp>

#include "support/files.hpp"

namespace unshade::dxil {
namespace {

using test::view_of;

std::vector<std::byte> sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data/dxil" / name); }

TEST(DebugFile, DescribesADatabase) {
  const auto file = sample("control_ps_6_6_zi.pdb");
  const auto database = describe_database(view_of(file));
  ASSERT_TRUE(database) << to_string(database.error());
  EXPECT_EQ(database->id.size(), 32U);
  EXPECT_EQ(database->name, "../dxil/control_ps_6_6_zi.pdb") << "as dxc was told";
  EXPECT_EQ(database->age, 1U);
  EXPECT_EQ(database->block_bytes, 512U);
  EXPECT_EQ(database->container_stream, 5U);
  EXPECT_EQ(database->stream_bytes.size(), 6U);
  std::string parts;
  for (const std::uint32_t part : database->parts) parts += fourcc_text(part) + ' ';
  EXPECT_NE(parts.find("ILDB "), std::string::npos) << parts;
  const auto shader = sample("wide_cs_6_7.dxil");
  EXPECT_FALSE(describe_database(view_of(shader)));
}

TEST(DebugFile, MakesTheDatabaseThatDxcMakes) {
  const auto file = sample("control_ps_6_6_zi.pdb");
  const auto pdb = dxcontainer::find_container_in_pdb(view_of(file));
  ASSERT_TRUE(pdb);
  const auto made = make_database(pdb->view());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(*made, file);
  EXPECT_FALSE(make_database(view_of(file))) << "a database is no container";
}

}  // namespace
}  // namespace unshade::dxil
