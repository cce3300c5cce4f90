#include <unshade/dxbc/statistics.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;

/// Field i holds 100 + i.
std::vector<std::byte> numbered(std::size_t fields) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < fields; ++i) {
    bytes.push_back(static_cast<std::byte>(100 + i));
    bytes.insert(bytes.end(), 3, std::byte{0});
  }
  return bytes;
}

TEST(StatisticsTest, ReadsTheShortForm) {
  const auto bytes = numbered(29);
  const auto statistics = parse_statistics({fourcc("STAT"), 0, View(bytes)});
  ASSERT_TRUE(statistics);
  EXPECT_FALSE(statistics->is_long);
  EXPECT_EQ(statistics->instruction_count, 100U);
  EXPECT_EQ(statistics->conversion_instruction_count, 121U);
  EXPECT_EQ(statistics->sample_frequency, 128U);
  EXPECT_EQ(statistics->control_point_count, 0U);
  EXPECT_EQ(write_statistics(*statistics), bytes);
}

TEST(StatisticsTest, ReadsTheLongForm) {
  const auto bytes = numbered(37);
  const auto statistics = parse_statistics({fourcc("STAT"), 0, View(bytes)});
  ASSERT_TRUE(statistics);
  EXPECT_TRUE(statistics->is_long);
  EXPECT_EQ(statistics->instance_count, 129U);
  EXPECT_EQ(statistics->control_point_count, 130U);
  EXPECT_EQ(static_cast<std::uint32_t>(statistics->tessellator_domain), 133U);
  EXPECT_EQ(statistics->texture_store_instructions, 136U);
  EXPECT_EQ(write_statistics(*statistics), bytes);
}

TEST(StatisticsTest, EveryFieldIsNamed) {
  const auto bytes = numbered(37);
  Tree tree{View(bytes)};
  record_statistics({fourcc("STAT"), 0, View(bytes)}, tree, 0);
  tree.fill_gaps({});
  EXPECT_EQ(tree.coverage().named, bytes.size());
}

TEST(StatisticsTest, EveryTruncationIsAnError) {
  const auto bytes = numbered(29);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto statistics = parse_statistics({fourcc("STAT"), 0, View(std::span(bytes).first(size), 50)});
    ASSERT_FALSE(statistics) << size;
    EXPECT_EQ(statistics.error().code, ErrorCode::truncated);
    EXPECT_EQ(statistics.error().offset, 50 + size / 4 * 4);
    EXPECT_TRUE(statistics.error().path.starts_with("STAT/"));
  }
}

TEST(StatisticsTest, NamesAndWords) {
  EXPECT_EQ(id(TessellatorDomain::quad), "quad");
  EXPECT_EQ(fxc_text(TessellatorDomain::quad), "Quadrilateral");
  EXPECT_EQ(fxc_text(TessellatorOutput::triangle_counter_clockwise), "Counter-Clockwise Triangles");
  EXPECT_EQ(fxc_text(TessellatorPartitioning::fractional_odd), "Odd Fractional");
  EXPECT_EQ(id(static_cast<InputPrimitive>(39)), "patch_32");
  EXPECT_EQ(id(static_cast<InputPrimitive>(40)), "");
}

}  // namespace
}  // namespace unshade::dxbc
