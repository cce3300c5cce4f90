// The table of parts, and the rows of the rooms that describe them.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/part_document.hpp>
#include <unshade/dxcontainer/signature.hpp>

namespace unshade::dxcontainer {
namespace {

TEST(PartsTest, PlacesAreUniqueInEachOrder) {
  for (const auto column : {&PartKind::token_place, &PartKind::level9_place, &PartKind::module_place}) {
    std::set<unsigned> places;
    for (const PartKind& kind : part_kinds()) {
      if (kind.*column == 0) continue;
      EXPECT_TRUE(places.insert(kind.*column).second) << kind.name;
    }
    EXPECT_EQ(places.size(), *places.rbegin());
  }
}

TEST(PartsTest, OnlySignaturesHaveALayout) {
  for (const PartKind& kind : part_kinds()) {
    EXPECT_EQ(kind.is_signature(), is_signature(kind.fourcc)) << kind.name;
    EXPECT_TRUE(kind.is_signature() || !(kind.has_stream || kind.has_min_precision)) << kind.name;
  }
}

TEST(PartsTest, UnknownPartsHaveNoRole) {
  EXPECT_EQ(role_of(fourcc("ISG1")), PartRole::input);
  EXPECT_EQ(role_of(fourcc("ABCD")), PartRole::other);
  EXPECT_EQ(find_part_kind(fourcc("ABCD")), nullptr);
}

TEST(PartsTest, OfTwoPartsOfARoleTheNewerFormCounts) {
  Container container;
  for (const char* const kind : {"SHDR", "SHEX", "SHEX", "ISG1", "ISGN", "Aon9", "XNAS"}) {
    const std::uint32_t code = static_cast<std::uint32_t>(kind[0]) | static_cast<std::uint32_t>(kind[1]) << 8 |
                               static_cast<std::uint32_t>(kind[2]) << 16 | static_cast<std::uint32_t>(kind[3]) << 24;
    container.parts.push_back({code, static_cast<std::uint32_t>(container.parts.size()), {}});
  }
  EXPECT_EQ(container.find(PartRole::tokens)->offset, 1U);
  EXPECT_EQ(container.find(PartRole::input)->offset, 3U);
  EXPECT_EQ(container.find(PartRole::level9)->offset, 5U);
  EXPECT_EQ(container.find(PartRole::output), nullptr);
}

TEST(PartsTest, SignaturesShareTheirFunctions) {
  for (const PartKind& kind : part_kinds()) {
    const PartFunctions* const functions = find_part_functions(kind.fourcc);
    if (!kind.is_signature()) continue;
    ASSERT_NE(functions, nullptr) << kind.name;
    EXPECT_EQ(functions->record, find_part_functions(fourcc("ISGN"))->record) << kind.name;
    EXPECT_EQ(functions->from_value, find_part_functions(fourcc("ISGN"))->from_value) << kind.name;
  }
  EXPECT_EQ(find_part_functions(fourcc("PSV0")), nullptr);
}

TEST(PartsTest, TablesHaveThePartsThatTheirRoomReads) {
  constexpr PartFunctions kShared[] = {{fourcc("ISGN"), nullptr}, {fourcc("ISG1"), nullptr}, {fourcc("OSGN"), nullptr},
                                       {fourcc("OSG5"), nullptr}, {fourcc("OSG1"), nullptr}, {fourcc("PCSG"), nullptr},
                                       {fourcc("PSG1"), nullptr}, {fourcc("SFI0"), nullptr}, {fourcc("RTS0"), nullptr}};
  EXPECT_TRUE(has_parts_of(PartReader::shared, kShared));
  EXPECT_FALSE(has_parts_of(PartReader::dxbc, kShared));
  std::vector<PartFunctions> rows(std::begin(kShared), std::end(kShared));
  rows.push_back({fourcc("PSV0"), nullptr});  // one of another room
  EXPECT_FALSE(has_parts_of(PartReader::shared, rows));
  rows.back().fourcc = fourcc("ISGN");  // one that stands twice
  EXPECT_FALSE(has_parts_of(PartReader::shared, rows));
  rows.pop_back();
  rows.pop_back();  // one that lacks
  EXPECT_FALSE(has_parts_of(PartReader::shared, rows));
}

}  // namespace
}  // namespace unshade::dxcontainer
