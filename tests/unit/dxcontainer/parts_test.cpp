// The table of parts, and the rows of the rooms that describe them.
#include <gtest/gtest.h>

#include <set>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxcontainer/part_document.hpp"

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

TEST(PartsTest, SignaturesShareTheirFunctions) {
  ASSERT_NE(find_part_functions(fourcc("ISGN")), nullptr);
  EXPECT_EQ(find_part_functions(fourcc("ISGN")), find_part_functions(fourcc("PSG1")));
  EXPECT_EQ(find_part_functions(fourcc("PSV0")), nullptr);
}

}  // namespace
}  // namespace unshade::dxcontainer
